"""What a sizing asks of a procurement: lines of a scenario for ``headroom plan``."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING

from planner.errors import InputError, PlanError
from planner.formatting import plural
from planner.scheduling.policies.display import in_prose
from planner.scheduling.sizing.facts import times_of
from scenarios.writing import written_whole

if TYPE_CHECKING:
    from pathlib import Path

    from planner.scheduling.sizing.resampled_weeks import Resampled
    from planner.scheduling.sizing.result import SizingResult


DEMANDED = 0.5
"""Quantile of the sizes that a demand states: half of the resampled logs need at most this."""


def demand_toml(study: SizingResult, quantile: float = DEMANDED) -> str:
    """Return the group ``[requirements]`` with ``capacity``, relative to the log's own machine.

    The capacity is a quantile of the sizes that logs of resampled weeks need under the first
    policy. The size for the log itself is only one sample of its growth. It is used if no weeks
    were resampled. The capacity is rounded up at the fourth decimal.

    Raises
    ------
    InputError
        The log does not state the size of its machine.
    PlanError
        No size meets the level, or too few resampled logs have a size for the quantile.
    """
    refuse_demand(study.log.machine_processors, study.log.name)
    sizing, node = study.sizings[0], study.rules.node_processors
    if sizing.answer is None or not study.log.machine_processors:
        raise PlanError(
            f"no size meets {study.settings.level.words}, so a demand cannot be written"
        )
    nodes, source = _demanded(study, quantile)
    capacity = nodes * node / study.log.machine_processors
    size, own = _size(nodes, node), f"the {study.log.machine_processors:,} processors of the "
    grown = f"{times_of(study):.4g}"
    text = (
        f"simulated under {in_prose(sizing.policy)}: {size} for {grown} times the work ({source}), "
        f"against {own}log's machine"
    )
    command = shlex.join(("headroom", *study.command[:-2])) if study.command else "from Python"
    lines = [
        f"# Log: {study.log.name}",
        f"# Target: {study.settings.level.words}",
        f"# Smallest machine under {in_prose(sizing.policy)}: {_size(sizing.answer.nodes, node)}",
        *(_interval(resampled, node) for resampled in study.resampled[:1]),
        f"# Capacity: {source}, {size}",
        "# [reference] must be the machine of the log: capacity is a multiple of its throughput.",
        "[requirements]",
        # Rounded up, but less a rounding error: 1.5 must not become 1.5001.
        f"capacity = {math.ceil(capacity * 1e4 - 1e-6) / 1e4:.4f}",
        f"source = {_quoted(f'{text}; {command}')}",
    ]
    return "\n".join(_one_line(line) for line in lines) + "\n"


def _size(nodes: int | None, node_processors: int) -> str:
    """A size as a person says it."""
    if nodes is None:
        return "none of the sizes tried"
    if node_processors == 1:
        return plural(nodes, "processor")
    return f"{plural(nodes, 'node')} of {plural(node_processors, 'processor')}"


def _interval(resampled: Resampled, node: int) -> str:
    low, median, high = (
        _size(nodes, node) for nodes in (resampled.low, resampled.median, resampled.high)
    )
    return f"# Resampled logs: {len(resampled.nodes)}; median: {median}; 90 %: {low} to {high}"


def _demanded(study: SizingResult, quantile: float) -> tuple[int, str]:
    """Nodes that are demanded, and what they are a quantile of."""
    if not study.resampled:
        nodes = study.sizings[0].nodes
        return nodes or 0, "the size of the log itself, as no weeks were resampled"
    resampled = study.resampled[0]
    word = study.periods.word if study.periods else "week"
    draws = f"{plural(len(resampled.nodes), 'log')} of resampled {word}s"
    named = "median" if quantile == DEMANDED else f"{_ordinal(100 * quantile)} percentile"
    source = f"the {named} of {draws}"
    at = resampled.quantile(quantile)
    if at is None:
        raise PlanError(
            f"{source} has no size: {resampled.without} of the resampled logs have no answer; give "
            "a "
            "smaller --demand-quantile"
        )
    return at, source


def _ordinal(number: float) -> str:
    """Return a number as an ordinal.

    Examples
    --------
    >>> [_ordinal(number) for number in (1, 11, 22, 73, 90, 97.5)]
    ['1st', '11th', '22nd', '73rd', '90th', '97.5th']
    """
    text = f"{number:g}"
    if not text.isdigit() or int(text) % 100 in (11, 12, 13):
        return f"{text}th"
    return text + {"1": "st", "2": "nd", "3": "rd"}.get(text[-1], "th")


def refuse_demand(machine_processors: int | None, name: str) -> None:
    """Ask before simulating whether there is a machine to compare with."""
    if not machine_processors:
        raise InputError(
            f"{name} does not give its machine's number of processors, of which a demand is a "
            "multiple; give it with --processors"
        )


def write_demand(study: SizingResult, path: Path, quantile: float = DEMANDED) -> None:
    """Write the lines to a file.

    Raises
    ------
    InputError, PlanError
        As :func:`demand_toml`, or the file cannot be written.
    """
    text = demand_toml(study, quantile)
    try:
        with written_whole(path) as stream:
            stream.write(text.encode())
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}; give another file") from None


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def _quoted(text: str) -> str:
    clean = _one_line(text)[:1500]
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'

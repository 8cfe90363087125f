"""The simulated machine beside the printed numbers: over many seeds, with its spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.studies.simulated.checks import CHECKED, FREE, WINNERS
from benchmarks.studies.simulated.printed import CALIBRATED, Kind, Setting
from benchmarks.studies.simulated.readings import Readings
from scenarios.simulated.applications import load_applications
from scenarios.simulated.cluster import SimulatedCluster
from scenarios.simulated.configurations import Configuration

NODES: Mapping[Setting, int] = {"C": 32, "D": 64, "sockets": 1193}


@dataclass(frozen=True)
class Line:
    """One quantity over all seeds.

    Attributes
    ----------
    name, where, kind
        What it is, the section that prints it, and whether the law was fitted to it.
    printed
        As the thesis prints it; NaN where it does not.
    median, low, high
        Simulated: median, least and largest over the seeds' machines.
    """

    name: str
    where: str
    kind: Kind
    printed: float
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Contest:
    """Which configuration won, over all seeds.

    Attributes
    ----------
    name, where, printed
        As in `benchmarks.studies.simulated.checks.Winner`.
    winners
        Simulated: configurations and on how many seeds each won, most often first.
    """

    name: str
    where: str
    printed: Configuration | None
    winners: tuple[tuple[Configuration, int], ...]


@dataclass(frozen=True)
class Comparison:
    """All quantities and winners, and the number of seeds behind them."""

    seeds: tuple[int, ...]
    lines: tuple[Line, ...]
    contests: tuple[Contest, ...]


def compare(seeds: Sequence[int] = range(20)) -> Comparison:
    """Read every quantity off one machine per seed: 20 take some seconds."""
    quantities = (*CALIBRATED, *CHECKED, *FREE)
    values = np.empty((len(seeds), len(quantities)))
    winners: list[list[Configuration]] = []
    for row, seed in enumerate(seeds):
        readings = settings(seed)
        values[row] = [q.evaluate(readings[q.setting]) for q in quantities]
        winners.append([w.evaluate(readings["C"]) for w in WINNERS])
    middle = np.median(values, axis=0)
    lines = [
        Line(q.name, q.where, q.kind, q.printed, float(mid), float(low), float(high))
        for q, mid, low, high in zip(
            quantities, middle, values.min(axis=0), values.max(axis=0), strict=True
        )
    ]
    contests = [
        Contest(w.name, w.where, w.printed, tuple(Counter(won).most_common()))
        for w, won in zip(WINNERS, zip(*winners, strict=True), strict=True)
    ]
    return Comparison(tuple(seeds), tuple(lines), tuple(contests))


def settings(seed: int) -> dict[Setting, Readings]:
    """Machines of one seed, for the two classes and for the variability study's sockets."""
    built = {key: SimulatedCluster.build(nodes, seed) for key, nodes in NODES.items()}
    class_c = load_applications("C")
    return {
        "C": Readings(built["C"], class_c),
        "D": Readings(built["D"], load_applications("D")),
        "sockets": Readings(built["sockets"], class_c),
    }


def as_markdown(comparison: Comparison) -> str:
    """Return two tables in Markdown: numbers, and winners."""
    rows = [
        "| quantity | where | kind | printed | simulated | least to largest |",
        "|---|---|---|---:|---:|---:|",
    ]
    for line in comparison.lines:
        printed = "" if line.kind == "free" else f"{line.printed:.4g}"
        spread = f"{line.low:.4g} to {line.high:.4g}"
        cells = (line.name, line.where, line.kind, printed, f"{line.median:.4g}", spread)
        rows.append(f"| {' | '.join(cells)} |")
    rows += ["", "| winner | where | printed | simulated |", "|---|---|---|---|"]
    for contest in comparison.contests:
        printed = _shown(contest.printed) if contest.printed else ""
        won = ", ".join(f"{_shown(c)} {count}" for c, count in contest.winners)
        rows.append(f"| {contest.name} | {contest.where} | {printed} | {won} |")
    return "\n".join(rows) + "\n"


def _shown(configuration: Configuration) -> str:
    nodes, cores, cap_w = configuration
    return f"({nodes}x{cores},{cap_w:g})"

"""Kinds of input of ``headroom colocate``, and the options of each kind."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from planner.cli.idle_options import refuse_idle

TABLE = "a table of pairs"
GROUPS = "--group-size"
GATE = "co-runs with --profiles"
SYSTEM = "a simulated system"
QUEUE = "--log"
_PAIRS = frozenset((TABLE, GROUPS))
_QUEUE = frozenset((QUEUE,))
_OF = (
    dict.fromkeys(
        (
            "--jobs", "--values", "--share", "--predict", "--next-pairs",
            "--group-size", "--node-memory", "--job-memory", "--node-gpu-memory",
            "--job-gpu-memory",
        ),
        _PAIRS,
    )
    | dict.fromkeys(("--least-speed", "--least-gain"), _PAIRS | _QUEUE)
    | dict.fromkeys(("--users", "--balanced", "--solver", "--time-limit"), frozenset((GROUPS,)))
    | {"--synthetic": frozenset((SYSTEM,))}
    | dict.fromkeys(
        (
            "--profiles", "--profiles-sheet", "--references", "--bad-share", "--limit", "--basis",
            "--test-gates",
        ),
        frozenset((GATE,)),
    )
    | dict.fromkeys(
        (
            "--load", "--alpha", "--first-jobs", "--nodes", "--node-cores", "--column",
        ),
        _QUEUE,
    )
    | {
        "--sheet": _PAIRS | frozenset((GATE,)),
        "--seed": _PAIRS | frozenset((GATE, QUEUE)),
        "--floor": frozenset((GROUPS, QUEUE)),
        "--seeds": frozenset((SYSTEM, QUEUE)),
        "--law": frozenset((SYSTEM, QUEUE)),
    }
)  # fmt: skip
"""Where each option has an effect; those that are not here have one everywhere."""


def kind_of(table: str, given: Collection[str]) -> str:
    """Return the kind of run from the input and options; options without effect are refused.

    Raises
    ------
    click.UsageError
        An option would be ignored.
    """
    kind = _kind(table, given)
    refuse_idle(given, kind, _OF)
    return kind


def _kind(table: str, given: Collection[str]) -> str:
    if QUEUE in given:
        return QUEUE
    if "--profiles" in given:
        return GATE
    if table.startswith("tangram") and not Path(table).exists():
        return SYSTEM
    return GROUPS if GROUPS in given else TABLE

"""Rows of a study of gates: scores, decisions by test, wrong decisions, co-runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.sharing_nodes.tangram.scores import BORDER, FIXED

if TYPE_CHECKING:
    from planner.sharing_nodes.tangram.result import TangramResult

Row = dict[str, Any]
DRAWN = ("Tangram", "logistic", BORDER, FIXED)
"""Gates of the figure."""
SHOWN = (*DRAWN, "all co-located", "oracle")
"""Gates of the first page."""
MOST_POINTS = 2_000
"""Co-runs in the figure."""
_STRICTEST = ("gate", "admitted", "makespan", "arithmetic", "worst", "turnaround", "regret")


def scores(result: TangramResult) -> Iterator[Row]:
    """Each gate in each test over the seeds."""
    for one in result.by_seed[0]:
        seeds = result.scores(one.test, one.gate)
        means = [score.makespan for score in seeds]
        yield {
            "test": one.test,
            "gate": one.gate,
            "tested": one.tested,
            "admitted": float(np.mean([score.admitted for score in seeds])),
            "makespan": float(np.mean(means)),
            "arithmetic": float(np.mean([score.arithmetic for score in seeds])),
            "least": min(means),
            "most": max(means),
            "worst": max(score.makespan_max for score in seeds),
            "turnaround": float(np.mean([score.turnaround for score in seeds])),
            "regret": float(np.mean([score.regret for score in seeds])),
        }


def strictest(result: TangramResult) -> Iterator[Row]:
    """Each gate in the strictest test."""
    for row in scores(result):
        if row["test"] == result.strictest:
            yield {key: row[key] for key in _STRICTEST}


def gates(result: TangramResult) -> list[Row]:
    """The gates of the first page in the strictest test, that of the answer first."""
    every = {row["gate"]: row for row in scores(result) if row["test"] == result.strictest}
    return [
        {**every[gate], "difference": result.difference(gate)}
        for gate in dict.fromkeys((result.chosen, *SHOWN)) if gate in every
    ]  # fmt: skip


def records(given: Iterable[Any]) -> list[Row]:
    """Records as plain rows."""
    return [asdict(one) for one in given]


def pairs(result: TangramResult) -> Iterator[Row]:
    """Co-runs of the first seed, the worst first."""
    runs = result.runs
    for index in np.argsort(-runs.makespan, kind="stable"):
        cpu, memory, io = runs.features[index]
        yield {
            "a": runs.applications[runs.a[index]],
            "b": runs.applications[runs.b[index]],
            "ranks": int(runs.ranks[index]),
            "cpu_intensity": float(cpu),
            "memory_intensity": float(memory),
            "io_intensity": float(io),
            "makespan": float(runs.makespan[index]),
            "turnaround": float(runs.turnaround[index]),
        }


def points(result: TangramResult) -> list[Row]:
    """Co-runs of the figure: those that end sooner together, and the others."""
    every = [row | {"together": "sooner" if row["makespan"] < 1 else "later"}
             for row in pairs(result)]  # fmt: skip
    return every[:: -(-len(every) // MOST_POINTS)]


def by_test(result: TangramResult) -> Iterator[Row]:
    """Mean and worst makespan of the gates that learn, by what they do not know."""
    for split in result.splits:
        yield {
            "test": split.name,
            "tested": result.scores(split.name, "Tangram")[0].tested,
            **{f"mean {gate}": result.mean(split.name, gate) for gate in (*DRAWN[:3], "oracle")},
            **{f"worst {gate}": result.worst(gate, split.name) for gate in DRAWN[:3]},
        }


def drawn(result: TangramResult) -> Iterator[Row]:
    """How far each gate of the figure is above the oracle in each test."""
    for row in scores(result):
        if row["gate"] in DRAWN:
            yield {key: row[key] for key in ("test", "gate", "regret")}


def numbers(result: TangramResult) -> list[Row]:
    """Parameters of the system; those of the other law that differ are behind them."""
    own = list(result.law_numbers)
    other = result.other.law_numbers if result.other is not None else ()
    return records([*own, *(each for each in other if each not in own)])


def errors(result: TangramResult) -> Iterator[Row]:
    """Wrong decisions of the gates that learn, by what the strictest test leaves out."""
    for each in zip(*result.errors.values(), strict=True):
        for gate, one in zip(result.errors, each, strict=True):
            yield {"gate": gate, **asdict(one)}

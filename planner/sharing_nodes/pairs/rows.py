"""Rows of a pairing: policies, pairs that are alike, and the cells of its heat map."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from planner.sharing_nodes.pairs.result import ColocationResult

Row = dict[str, Any]
_COMPARED = ("gain", "optimal_share", "max_slowdown", "smallest_gain", "pairs", "nodes")
MOST_DRAWN = 16
"""Applications in the heat map; of more, those of the slowest pairs."""


def alike(result: ColocationResult) -> list[Row]:
    """Pairs of the same two applications, taken together; the slowest first."""
    found: dict[tuple[str, ...], Row] = {}
    for row in result.rows:
        key = tuple(sorted((row["a"], row["b"])))
        first = found.setdefault(key, row | {"pairs": 0})
        first["pairs"] += 1
    return sorted(found.values(), key=lambda row: -max(row["slowdown_a"], row["slowdown_b"]))


def policies_alike(result: ColocationResult) -> list[Row]:
    """Ways of pairing that give the same values, taken together."""
    found: dict[tuple[Any, ...], Row] = {}
    for outcome in result.outcomes:
        row = {key: value for key, value in asdict(outcome).items() if key in _COMPARED}
        values = tuple(None if each is None else round(each, 9) for each in row.values())
        first = found.setdefault(values, {"policy": ()} | row)
        first["policy"] += (outcome.policy,)
    return list(found.values())


def cells(result: ColocationResult) -> list[Row]:
    """Speed that a job loses next to a partner, by application; chosen pairs are marked."""
    problem = result.plan.problem
    chosen = {(int(problem.kind[a]), int(problem.kind[b])) for a, b in result.plan.pairs}
    name = dict(zip(problem.kind.tolist(), problem.names, strict=True))
    lost = 1.0 - problem.speed
    np.fill_diagonal(lost, 1.0 - problem.own.mean(axis=1))
    return [
        {"job": name[row], "partner": name[column],
         "lost": None if np.isnan(lost[row, column]) else float(lost[row, column]),
         "chosen": (row, column) in chosen or (column, row) in chosen}
        for row in _drawn(result) for column in _drawn(result)
    ]  # fmt: skip


def _drawn(result: ColocationResult) -> list[int]:
    """Applications in the heat map."""
    problem = result.plan.problem
    kinds = list(dict.fromkeys(problem.kind.tolist()))
    kind = problem.kind.tolist()
    slowest = sorted(
        dict.fromkeys((kind[a], kind[b]) for a, b in result.plan.pairs),
        key=lambda pair: -problem.kind_slowdown[pair],
    )
    first = dict.fromkeys(application for pair in slowest for application in pair)
    return [*first, *(each for each in kinds if each not in first)][:MOST_DRAWN]

"""Ways to group tasks, on the same codes with the same training: what each changes in truth.

Simulated; ``python -m benchmarks.studies.aggregation.docs_tables`` prints the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.studies.aggregation.validation import share_of, trained
from planner.aggregation.engine import Engine
from planner.aggregation.grouping import Objective, grouped, rank_order
from planner.aggregation.measured import profiled
from planner.aggregation.patterns import REFERENCE, Pattern, patterns
from planner.aggregation.selection import THRESHOLD, Predictor, by_rank, feasible
from scenarios.simulated.aggregation import (
    FAMILIES,
    TEST_CODES,
    Hardware,
    SimulatedOutcome,
    load_hardware,
    npb_code,
    truth,
)


@dataclass(frozen=True)
class Way:
    """A partitioner and the weights that it is given."""

    name: str
    grouping: str
    objective: Objective


WAYS = (
    Way("rank order", "order", "paper"),
    Way("KL, paper's cost", "kl", "paper"),
    Way("KL, signed", "kl", "signed"),
    Way("optimum, signed", "dynamic", "signed"),
    Way("KL, signed under noise", "kl", "loaded"),
    Way("optimum, signed under noise", "dynamic", "loaded"),
)
"""Rank order first: the others are told against it."""


@dataclass(frozen=True)
class Grouped:
    """One code grouped one way.

    Attributes
    ----------
    family, seed, code, way
        What was grouped, and how.
    communication_s
        True communication time of an iteration, by pattern.
    chosen
        Pattern by rank.
    slowdown, saving
        True, of the chosen against one task per node.
    best_saving
        Largest true saving of any pattern within the limit, whatever the grouping.
    """

    family: str
    seed: int
    code: str
    way: str
    communication_s: dict[int, float]
    chosen: int
    slowdown: float
    saving: float
    best_saving: float


def compared(
    seeds: Iterable[int],
    families: Sequence[str] = FAMILIES,
    codes: Sequence[str] = TEST_CODES,
    tasks: int = 16,
) -> tuple[Grouped, ...]:
    """Group, choose and run every code in all `WAYS`.

    Raises
    ------
    InputError
        More than 20 tasks, of which no optimum is known.
    """
    hardware = load_hardware()
    rows = []
    for seed in seeds:
        for family in families:
            known = trained(hardware, family, seed, rank_order, tasks=tasks).classes
            for code in codes:
                rows += _of_code(hardware, known, (family, seed, code, tasks))
    return tuple(rows)


def _of_code(hardware: Hardware, known: Predictor, of: tuple[str, int, str, int]) -> list[Grouped]:
    family, seed, name, tasks = of
    code = npb_code(name, tasks, seed)
    program = profiled(hardware, family, code, seed)
    offered = feasible(program, patterns(hardware.layout), hardware.memory_gb)
    ran: dict[tuple[int, bytes], SimulatedOutcome] = {}

    def outcome(pattern: Pattern, way: Way) -> SimulatedOutcome:
        slots = grouped(
            known.tables, program.traffic, pattern.layout, Engine(way.grouping), way.objective
        )
        key = pattern.id, slots.tobytes()
        if key not in ran:
            ran[key] = truth(hardware, family, code, pattern.layout, slots, seed)
        return ran[key]

    runs = {way: {p.id: outcome(p, way) for p in offered} for way in WAYS}
    alone = runs[WAYS[0]][REFERENCE]
    best = max(
        1 - outcome.energy_j / alone.energy_j
        for by_pattern in runs.values()
        for outcome in by_pattern.values()
        if outcome.time_s <= (1 + THRESHOLD) * alone.time_s
    )
    rows = []
    for way, by_pattern in runs.items():
        knows = replace(known, group=Engine(way.grouping), objective=way.objective)
        taken = by_rank(knows.candidates(program, offered)).pattern.id
        rows.append(
            Grouped(
                family=family,
                seed=seed,
                code=name,
                way=way.name,
                communication_s={p: outcome.communication_s for p, outcome in by_pattern.items()},
                chosen=taken,
                slowdown=by_pattern[taken].time_s / alone.time_s - 1,
                saving=1 - by_pattern[taken].energy_j / alone.energy_j,
                best_saving=best,
            )
        )
    return rows


@dataclass(frozen=True)
class WaySummary:
    """One way under one law.

    Attributes
    ----------
    family, way
        Which.
    changed
        Share of patterns with more than one task a node whose time differs from rank order's.
    ratio, least, most
        True communication time over that of rank order, of those patterns: geometric mean,
        least and largest.
    other_choice
        Share of codes for which another pattern is chosen than with rank order.
    too_slow
        Share of choices beyond the tolerated true slowdown.
    share, share_least_seed, share_most_seed
        Saving over the best of any grouping; a choice that is too slow counts as nothing saved.
    """

    family: str
    way: str
    changed: float
    ratio: float
    least: float
    most: float
    other_choice: float
    too_slow: float
    share: float
    share_least_seed: float
    share_most_seed: float


def summarised_ways(rows: Sequence[Grouped]) -> tuple[WaySummary, ...]:
    """Return one row for each law and way."""
    order = {(g.family, g.seed, g.code): g for g in rows if g.way == WAYS[0].name}
    summaries = []
    for family in sorted({g.family for g in rows}):
        for way in WAYS:
            mine = [g for g in rows if (g.family, g.way) == (family, way.name)]
            beside = [order[g.family, g.seed, g.code] for g in mine]
            ratios = np.array(
                [
                    g.communication_s[p] / o.communication_s[p]
                    for g, o in zip(mine, beside, strict=True)
                    for p in g.communication_s
                    if p != REFERENCE
                ]
            )
            seeds = [_share([g for g in mine if g.seed == s]) for s in {g.seed for g in mine}]
            pairs = zip(mine, beside, strict=True)
            summaries.append(
                WaySummary(
                    family=family,
                    way=way.name,
                    changed=float(np.mean(np.abs(ratios - 1) > 1e-9)),
                    ratio=float(np.exp(np.log(ratios).mean())),
                    least=float(ratios.min()),
                    most=float(ratios.max()),
                    other_choice=float(np.mean([g.chosen != o.chosen for g, o in pairs])),
                    too_slow=float(np.mean([g.slowdown > THRESHOLD for g in mine])),
                    share=_share(mine),
                    share_least_seed=min(seeds),
                    share_most_seed=max(seeds),
                )
            )
    return tuple(summaries)


def _share(rows: Sequence[Grouped]) -> float:
    savings = [g.saving if g.slowdown <= THRESHOLD else 0.0 for g in rows]
    return share_of(savings, [g.best_saving for g in rows])

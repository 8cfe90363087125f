"""The aggregation framework on codes that it was not trained on: predictions and decisions.

Scored by the simulated node's own times and power; nothing of a score reaches a predictor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from planner.aggregation.grouping import Group, Objective, grouped, rank_order
from planner.aggregation.measured import profiled, trained
from planner.aggregation.patterns import REFERENCE, Sampled, patterns
from planner.aggregation.selection import (
    THRESHOLD,
    Candidate,
    Predictor,
    Progress,
    by_joules,
    by_rank,
)
from scenarios.simulated.aggregation import (
    FAMILIES,
    TEST_CODES,
    Hardware,
    Outcome,
    load_hardware,
    npb_code,
    truth,
)

METHODS = ("rank", "joules", "rank, one model", "joules, one model", "reference")
"""Ways to choose: the paper's; by predicted joules; both with one IPC model instead of four; and
never to aggregate."""


@dataclass(frozen=True)
class Predicted:
    """Predictions of one pattern beside the truth.

    Attributes
    ----------
    family, seed, code, tasks, pattern
        What was predicted.
    sampled
        Whether the IPC was measured, not predicted.
    ipc_error, time_error, bound_ratio
        Relative errors of IPC and total time, signed; bound of communication over true.
    slowdown, true_slowdown
        Against one task per node.
    """

    family: str
    seed: int
    code: str
    tasks: int
    pattern: int
    sampled: bool
    ipc_error: float
    time_error: float
    bound_ratio: float
    slowdown: float
    true_slowdown: float


@dataclass(frozen=True)
class Decision:
    """One choice, scored.

    Attributes
    ----------
    family, seed, code, tasks, method
        Who chose for what.
    chosen, best
        Patterns: chosen, and of least true energy within the tolerated true slowdown.
    slowdown
        True slowdown of the chosen.
    saving, best_saving
        True energy saved against one task per node, as fractions.
    """

    family: str
    seed: int
    code: str
    tasks: int
    method: str
    chosen: int
    best: int
    slowdown: float
    saving: float
    best_saving: float

    @property
    def within(self) -> bool:
        """Whether the true slowdown is tolerable."""
        return self.slowdown <= THRESHOLD

    @property
    def share(self) -> float:
        """Saving over the best; beyond 1 only where too slow. 1 where nothing can be saved."""
        return share_of([self.saving], [self.best_saving])


@dataclass(frozen=True)
class Truths:
    """True runs of a code, by pattern."""

    family: str
    seed: int
    code: str
    tasks: int
    outcomes: dict[int, Outcome]

    def slowdown(self, pattern: int) -> float:
        """Against one task per node."""
        return self.outcomes[pattern].time_s / self.outcomes[REFERENCE].time_s - 1

    def saving(self, pattern: int, baseline: int = REFERENCE) -> float:
        """Energy saved against a baseline, by default one task per node."""
        return 1 - self.outcomes[pattern].energy_j / self.outcomes[baseline].energy_j

    def slower(self, pattern: int, baseline: int) -> float:
        """Time over that of a baseline, less 1."""
        return self.outcomes[pattern].time_s / self.outcomes[baseline].time_s - 1

    @property
    def best(self) -> int:
        """Pattern of least energy within the paper's tolerated slowdown, by trying all."""
        return self.best_within(THRESHOLD)

    def best_within(self, threshold: float) -> int:
        """Pattern of least energy within a tolerated slowdown; the reference always counts."""
        kept = [p for p in self.outcomes if p == REFERENCE or self.slowdown(p) <= threshold]
        return min(kept, key=lambda p: self.outcomes[p].energy_j)


@dataclass(frozen=True)
class Study:
    """All rows, and the errors of the chosen settings on left-out training codes.

    Attributes
    ----------
    predictions, decisions, truths
        The rows.
    left_out
        By family and seed: mean relative error of IPC on training codes left out.
    """

    predictions: tuple[Predicted, ...]
    decisions: tuple[Decision, ...]
    truths: tuple[Truths, ...]
    left_out: dict[tuple[str, int], float]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "predictions": [asdict(p) for p in self.predictions],
            "decisions": [asdict(d) for d in self.decisions],
        }


def study(
    seeds: Iterable[int],
    families: Sequence[str] = FAMILIES,
    codes: Sequence[str] = TEST_CODES,
    tasks: int = 16,
    group: Group = rank_order,
    objective: Objective = "paper",
) -> Study:
    """Train and decide anew for each family of contention and seed.

    Parameters
    ----------
    seeds
        Each draws its own training codes, variants of the test codes, scatter and runs.
    tasks
        MPI tasks of the test codes.
    group, objective
        Partition function and the weights that it is given, for predictions and true runs alike.
    """
    hardware = load_hardware()
    predictions: list[Predicted] = []
    decisions: list[Decision] = []
    truths: list[Truths] = []
    left_out = {}
    for seed in seeds:
        for family in families:
            known = trained(hardware, family, seed, group, tasks=tasks, objective=objective)
            left_out[family, seed] = known.setting.mean_error
            for code in codes:
                true = true_runs(hardware, family, code, tasks, seed, known.classes)
                candidates = [_candidates(hardware, p, true) for p in (known.classes, known.single)]
                truths.append(true)
                predictions += _scored(true, candidates[0], known.setting.setting.sampled)
                decisions += _decided(true, *candidates)
    return Study(tuple(predictions), tuple(decisions), tuple(truths), left_out)


def true_runs(
    hardware: Hardware,
    family: str,
    name: str,
    tasks: int,
    seed: int,
    known: Predictor,
    *,
    progress: Progress | None = None,
) -> Truths:
    """Run a test code under every pattern that fits, with the groups that would be used."""
    code = npb_code(name, tasks, seed)
    program = profiled(hardware, family, code, seed)
    outcomes = {}
    fits = [p for p in patterns(hardware.layout) if p.tasks * code.memory_gb <= hardware.memory_gb]
    for done, p in enumerate(fits, start=1):
        groups = grouped(known.tables, program.traffic, p.layout, known.group, known.objective)
        outcomes[p.id] = truth(hardware, family, code, p.layout, groups, seed)
        if progress is not None:
            progress(done, len(fits))
    return Truths(family, seed, name, tasks, outcomes)


def _candidates(hardware: Hardware, known: Predictor, true: Truths) -> tuple[Candidate, ...]:
    code = npb_code(true.code, true.tasks, true.seed)
    program = profiled(hardware, true.family, code, true.seed)
    return known.candidates(program, patterns(hardware.layout))


def _scored(true: Truths, candidates: Sequence[Candidate], sampled: Sampled) -> list[Predicted]:
    rows = []
    for c in candidates:
        run = true.outcomes[c.pattern.id]
        iteration_s = run.compute_s + run.communication_s
        rows.append(
            Predicted(
                family=true.family,
                seed=true.seed,
                code=true.code,
                tasks=true.tasks,
                pattern=c.pattern.id,
                sampled=c.pattern.id in sampled,
                ipc_error=c.ipc / run.ipc - 1,
                time_error=c.time_s / iteration_s - 1,
                bound_ratio=c.communication_s / run.communication_s,
                slowdown=c.slowdown,
                true_slowdown=true.slowdown(c.pattern.id),
            )
        )
    return rows


def _decided(true: Truths, four: Sequence[Candidate], one: Sequence[Candidate]) -> list[Decision]:
    chosen = (
        by_rank(four).pattern.id,
        by_joules(four).pattern.id,
        by_rank(one).pattern.id,
        by_joules(one).pattern.id,
        REFERENCE,
    )
    return [
        Decision(
            family=true.family,
            seed=true.seed,
            code=true.code,
            tasks=true.tasks,
            method=method,
            chosen=pattern,
            best=true.best,
            slowdown=true.slowdown(pattern),
            saving=true.saving(pattern),
            best_saving=true.saving(true.best),
        )
        for method, pattern in zip(METHODS, chosen, strict=True)
    ]


@dataclass(frozen=True)
class FamilySummary:
    """Decisions of one method under one law of contention.

    Attributes
    ----------
    family, method, decisions
        Which, and how many.
    best_found
        Share of decisions for the best pattern.
    too_slow, worst_slowdown
        Share beyond the tolerated true slowdown, and the largest slowdown.
    saving, best_saving
        Mean energy saved, and mean of the best.
    share, share_least_seed, share_most_seed
        Mean saving over mean best, of decisions within the tolerated slowdown; a decision that
        is too slow counts as nothing saved. Least and largest of a seed.
    """

    family: str
    method: str
    decisions: int
    best_found: float
    too_slow: float
    worst_slowdown: float
    saving: float
    best_saving: float
    share: float
    share_least_seed: float
    share_most_seed: float


def summarised(decisions: Sequence[Decision]) -> tuple[FamilySummary, ...]:
    """One row for each family and method, the family with the least share first."""
    rows = [
        _summary([d for d in decisions if (d.family, d.method) == key])
        for key in sorted({(d.family, d.method) for d in decisions})
    ]
    paper = {r.family: r.share for r in rows if r.method == METHODS[0]}
    return tuple(sorted(rows, key=lambda r: (paper[r.family], r.family, METHODS.index(r.method))))


def share_of(savings: Sequence[float], best: Sequence[float]) -> float:
    """Savings over the best ones; 1 where nothing can be saved."""
    most = float(np.sum(best))
    return float(np.sum(savings)) / most if most > 0 else 1.0


def _summary(rows: Sequence[Decision]) -> FamilySummary:
    def share(some: Sequence[Decision]) -> float:
        return share_of(
            [d.saving if d.within else 0.0 for d in some], [d.best_saving for d in some]
        )

    seeds = [share([d for d in rows if d.seed == seed]) for seed in sorted({d.seed for d in rows})]
    return FamilySummary(
        family=rows[0].family,
        method=rows[0].method,
        decisions=len(rows),
        best_found=float(np.mean([d.chosen == d.best for d in rows])),
        too_slow=float(np.mean([not d.within for d in rows])),
        worst_slowdown=max(d.slowdown for d in rows),
        saving=float(np.mean([d.saving for d in rows])),
        best_saving=float(np.mean([d.best_saving for d in rows])),
        share=share(rows),
        share_least_seed=min(seeds),
        share_most_seed=max(seeds),
    )

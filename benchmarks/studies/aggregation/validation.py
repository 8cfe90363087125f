"""The aggregation framework on codes that it was not trained on: predictions and decisions.

Scored by the simulated node's own times and power; nothing of a score reaches a predictor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from planner.aggregation.grouping import Group, Objective, rank_order
from planner.aggregation.ipc import Tried, chosen_setting, fit
from planner.aggregation.learning import metered_of, phases_of
from planner.aggregation.measured import profiled, streams, tables, training_runs
from planner.aggregation.patterns import REFERENCE, Sampled, patterns, sampled
from planner.aggregation.power import fit_power
from planner.aggregation.selection import (
    THRESHOLD,
    Candidate,
    Predictor,
    by_joules,
    by_rank,
)
from planner.aggregation.truths import Truths, true_runs
from scenarios.simulated.aggregation import (
    FAMILIES,
    TEST_CODES,
    Hardware,
    load_hardware,
    npb_code,
)

METHODS = ("rank", "joules", "rank, one model", "joules, one model", "reference")
"""Ways to choose: the paper's; by predicted joules; both with one IPC model instead of four; and
never to aggregate."""


@dataclass(frozen=True, eq=False)
class Trained:
    """Two predictors from the same measurements, with their errors on left-out training codes.

    Attributes
    ----------
    classes, setting
        With a model of IPC for each class, as in the paper, and what it was fitted with.
    single, single_setting
        With one model for all classes.
    """

    classes: Predictor
    setting: Tried
    single: Predictor
    single_setting: Tried


def trained(
    hardware: Hardware,
    family: str,
    seed: int,
    group: Group,
    *,
    tasks: int = 16,
    objective: Objective = "paper",
) -> Trained:
    """Measure training codes, messages and power, and fit.

    Parameters
    ----------
    family
        Hidden law of contention.
    seed
        Of the training codes and of all scatter.
    group, objective
        Partition function, and the weights that it is given.
    tasks
        Tasks of the programs to come: exchanges of all are measured with so many.
    """
    offered = patterns(hardware.layout)
    counted, messages, meter = streams(seed)
    runs = training_runs(hardware, family, seed, offered, counted, meter)
    under = sampled(hardware.layout)
    phases = phases_of(runs, under)
    setting, *_ = chosen_setting(phases, sampled=under)
    single_setting, *_ = chosen_setting(phases, classes=False, sampled=under)
    classes = Predictor(
        ipc=fit(phases, setting.setting),
        power=fit_power(metered_of(runs, offered), hardware.layout),
        tables=tables(hardware, offered, tasks, messages),
        group=group,
        clock_ghz=hardware.clock_ghz,
        memory_gb=hardware.memory_gb,
        objective=objective,
    )
    single = replace(classes, ipc=fit(phases, single_setting.setting))
    return Trained(classes, setting, single, single_setting)


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


def summarised(
    decisions: Sequence[Decision], methods: Sequence[str] = METHODS
) -> tuple[FamilySummary, ...]:
    """Return one row for each family and method, the family with the least share first."""
    rows = [
        _summary([d for d in decisions if (d.family, d.method) == key])
        for key in sorted({(d.family, d.method) for d in decisions})
    ]
    paper = {r.family: r.share for r in rows if r.method == methods[0]}
    return tuple(sorted(rows, key=lambda r: (paper[r.family], r.family, methods.index(r.method))))


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

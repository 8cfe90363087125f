"""Run every method on every instance, and judge the answers by each other's bounds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from planner.comparison.method import ComparedDecision, Instance, Method, MethodAnswer, MethodKind
from planner.errors import PlanError
from planner.formulations.solved import solve
from solvers import Status
from solvers.process.client import WORKER

SAME = 1e-9
"""Values and bounds that differ by less than this share are the same number."""

BREAKS = "breaks a rule"
"""Status of a plan that did not pass its check."""

_PROVING = (Status.OPTIMAL, Status.FEASIBLE)


@dataclass(frozen=True)
class MethodOutcome:
    """The result of one method on one instance, with its gap to the best bound.

    Attributes
    ----------
    instance, size, seed, method, kind
        Which.
    status
        ``optimal``, ``feasible``, ``no plan`` (none was found) or ``breaks a rule``.
    level
        Level of the certificate: ``claimed``, ``verified`` (its limit is the solver's word) or
        ``proved``; ``None`` for a heuristic.
    objective, bound
        Objective and bound of the method itself.
    best_bound
        The best bound of all methods on this instance.
    gap
        Distance of the objective from it, as a share; 0 where both are the same number.
    nodes
        Branch-and-bound nodes; ``None`` for a heuristic.
    note
        Why there is no plan, or what is wrong with it.
    tolerance
        Gap at which the method may say "optimal"; ``None`` for a heuristic.
    seconds, cpu_s
        Wall and CPU time, with that of the solver's process; never part of repeatable output.
    """

    instance: str
    size: int
    seed: int | None
    method: str
    kind: str
    status: str
    level: str | None
    objective: float | None
    bound: float | None
    best_bound: float | None
    gap: float | None
    nodes: int | None
    note: str = ""
    tolerance: float | None = None
    seconds: float = field(default=0.0, compare=False)
    cpu_s: float = field(default=0.0, compare=False)

    @property
    def solved(self) -> bool:
        """Whether there is a plan that passed its check."""
        return self.objective is not None and self.status != BREAKS


def outcomes(decision: ComparedDecision, instance: Instance) -> list[MethodOutcome]:
    """Ask every method, and judge each by the best bound of all."""
    timed = [_asked(method) for method in instance.methods]
    bounds = [bound for answer, *_ in timed if (bound := _bound(answer)) is not None]
    best = (max if decision.minimised else min)(bounds, default=None)
    return [
        replace(_outcome(decision, instance, method, answer, note, best), seconds=wall, cpu_s=cpu)
        for method, (answer, note, wall, cpu) in zip(instance.methods, timed, strict=True)
    ]


def _asked(method: Method) -> tuple[MethodAnswer | None, str, float, float]:
    """Ask a method; its answer, or why it has none, and its wall and CPU seconds."""
    began, cpu = time.perf_counter(), _cpu_s()
    try:
        answer, note = method.ask(), ""
    except PlanError as error:
        answer, note = None, str(error)
    return answer, note, time.perf_counter() - began, _cpu_s() - cpu


def _cpu_s() -> float:
    """CPU seconds of this process and of the solvers' process so far."""
    return time.process_time() + WORKER.cpu_s


def _bound(answer: MethodAnswer | None) -> float | None:
    """Return the bound of a method's certificate; a bound without a status for it is ignored."""
    if answer is None or answer.bound is None or answer.status not in _PROVING:
        return None
    return answer.bound if math.isfinite(answer.bound) else None


def _outcome(
    decision: ComparedDecision,
    instance: Instance,
    method: Method,
    answer: MethodAnswer | None,
    note: str,
    best: float | None,
) -> MethodOutcome:
    objective = None if answer is None else answer.objective
    violations = () if answer is None else answer.violations
    gap = None
    if objective is not None and best is not None and not violations:
        gap = decision.gap(objective, best)
        gap = gap if gap > SAME else 0.0
    return MethodOutcome(
        instance=instance.name,
        size=instance.size,
        seed=instance.seed,
        method=method.name,
        kind=method.kind.value,
        status=_status(answer),
        level=None if answer is None or answer.level is None else answer.level.value,
        objective=objective,
        bound=_bound(answer),
        best_bound=best,
        gap=gap,
        nodes=None if answer is None else answer.nodes,
        note="; ".join(violations) or note,
        tolerance=method.tolerance,
    )


def _status(answer: MethodAnswer | None) -> str:
    if answer is None or answer.objective is None:
        return "no plan"
    return BREAKS if answer.violations else answer.status.value


@dataclass(frozen=True)
class Contradiction:
    """A plan of one instance that is better than another method's bound.

    One of the two is wrong: values are recomputed, so it is the bound, unless the plan breaks a
    rule that nobody checks.
    """

    instance: str
    method: str
    value: float
    other: str
    bound: float


def disagreements(
    decision: ComparedDecision, rows: Sequence[MethodOutcome]
) -> Iterator[Contradiction]:
    """Plans of one instance that are better than another method's bound."""
    for plan in rows:
        for proof in rows:
            value, bound = plan.objective, proof.bound
            if not plan.solved or value is None or bound is None:
                continue
            if decision.better(value, bound) and decision.gap(value, bound) > SAME:
                yield Contradiction(plan.instance, plan.method, value, proof.method, bound)


def compare_all(
    decision: ComparedDecision,
    instances: Sequence[Instance],
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[MethodOutcome, ...]:
    """Run every method on every instance, one after the other, so that times can be compared.

    Before that the engine and every heuristic decide the first instance, and the solvers of the
    references a program of one variable. Those times do not count: a first call includes the
    compilation of loops and the import of libraries.
    """
    if instances:
        progress(f"{instances[0].name} (warming up)")
        _warm_up(instances[0])
    rows: list[MethodOutcome] = []
    for instance in instances:
        progress(instance.name)
        rows += outcomes(decision, instance)
    return tuple(rows)


def _warm_up(instance: Instance) -> None:
    import pulp

    for method in instance.methods:
        if method.kind is not MethodKind.REFERENCE:
            _asked(method)
    for solver in ("cbc", "highs"):
        tiny = pulp.LpProblem("tiny", pulp.LpMinimize)
        tiny += tiny.add_variable("x", lowBound=0)
        solve(tiny, solver=solver)


def exact(kind: str) -> bool:
    """Whether a kind of method gives a limit that says how good its plan is."""
    return kind in (MethodKind.REFERENCE, MethodKind.ENGINE)

"""The parts of a comparison: a decision, its instances, and its methods as functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from planner.formulations.model_files import NamedModel
from solvers import Certificate, Level, Status


class MethodKind(StrEnum):
    """The kind of a method, in the order in which methods are listed."""

    REFERENCE = "reference"
    ENGINE = "engine"
    ROUNDING = "LP rounding"
    HEURISTIC = "heuristic"
    OWN = "own"


@dataclass(frozen=True)
class MethodAnswer:
    """The answer of one method to one instance.

    Attributes
    ----------
    objective
        Objective of its plan, recomputed from the plan; ``None`` without a plan.
    status, level, bound, nodes
        What its certificate says; a heuristic has none.
    violations
        What an independent check finds wrong with the plan.
    """

    objective: float | None
    status: Status = Status.FEASIBLE
    level: Level | None = None
    bound: float | None = None
    nodes: int | None = None
    violations: tuple[str, ...] = ()


def answer(
    objective: float | None, certificate: Certificate | None, broken: Iterable[str] = ()
) -> MethodAnswer:
    """Make an answer with the bound of its certificate; a heuristic has no certificate."""
    if certificate is None:
        return MethodAnswer(objective, violations=tuple(broken))
    return MethodAnswer(
        objective,
        certificate.status,
        certificate.level,
        certificate.bound,
        certificate.nodes,
        tuple(broken),
    )


@dataclass(frozen=True)
class Method:
    """A named way to decide one instance.

    Attributes
    ----------
    ask
        Raises :class:`~planner.errors.PlanError` where it finds no plan.
    tolerance
        Gap between plan and limit at which it may stop and say "optimal"; ``None`` of a heuristic.
    """

    name: str
    kind: MethodKind
    ask: Callable[[], MethodAnswer]
    tolerance: float | None = None


@dataclass(frozen=True)
class Instance:
    """One case of a decision.

    Attributes
    ----------
    name
        Name of the case.
    size
        What the decision counts: jobs, ranks, quotes.
    seed
        Seed of a sampled case; ``None`` for a given one.
    methods
        Methods, in the order in which they run.
    model
        Its reference formulation; ``None`` where there is none.
    """

    name: str
    size: int
    seed: int | None
    methods: tuple[Method, ...]
    model: NamedModel | None = None


def relative(objective: float, bound: float) -> float:
    """How far an objective lies from a bound, as a share of the bound.

    Where the bound is 0 the share is taken of the objective.
    """
    scale = abs(bound) or abs(objective)
    return abs(objective - bound) / scale if scale else 0.0


@dataclass(frozen=True)
class ComparedDecision:
    """A decision that is compared: what all its instances have in common.

    Attributes
    ----------
    title
        As ``"Sharing a power bound"``.
    objective
        What is optimised, with its unit.
    size
        What the size of an instance counts.
    minimised
        Whether less is better.
    gap
        Distance of an objective from the best bound, as a share.
    case
        What an instance is, as ``"application"``.
    """

    title: str
    objective: str
    size: str
    minimised: bool = True
    gap: Callable[[float, float], float] = relative
    case: str = "instance"

    def better(self, value: float, other: float) -> bool:
        """Whether one value is strictly better than another."""
        return value < other if self.minimised else value > other

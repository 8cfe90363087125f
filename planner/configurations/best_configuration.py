"""The best configuration of one application under a bound, compared with common choices."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from planner.configurations.bounds import BestAtBound, at_bounds, round_bounds
from planner.configurations.curve import BoundCurve, curve
from planner.configurations.degree import (
    LEAST_GAIN_PER_NODE,
    Degree,
    LineFit,
    NodeCurve,
    degree,
    line_fit,
    node_curve,
)
from planner.configurations.gains import ConfigurationGain, gain
from planner.configurations.line_spread import LineSpread, line_spread
from planner.configurations.methods import HEURISTICS, MethodChoice, decided, rules_of_thumb
from planner.configurations.neighbours import AtNeighbour, neighbours
from planner.configurations.provisioning import (
    Canonical,
    NodeMaximum,
    Reason,
    WorstCase,
    canonical,
    worst_case,
)
from planner.configurations.risk import Risk, risk
from planner.configurations.selection import Bound, NearOptimal, near_optimal
from planner.configurations.sockets import SocketPower, socket_power
from planner.configurations.table import (
    DEFAULT_REPETITION,
    Configuration,
    ConfigurationTable,
    Repetition,
    table_of,
)
from planner.formulations.by_method import ENGINE
from scenarios.measurements.runs import Indices, Runs


@dataclass(frozen=True)
class Question:
    """The bound, the node and the rules by which a configuration is chosen.

    Attributes
    ----------
    bound
        Power bound and guard band.
    node
        Rated maximum of a node.
    repetition
        Which repetition speaks for a configuration.
    tolerance
        How much slower than the best still counts as near-optimal.
    least_gain
        Share of run time that a node added must save, for the knee.
    fixed_cost_nodes
        Cost of the machine without its nodes, in prices of a node; ``None`` for no money.
    prediction_guard
        Share of the bound that configurations leave free whose power is predicted, besides the
        bound's own guard.
    method, solver
        Who chooses, as in :func:`planner.configurations.methods.decided`.
    """

    bound: Bound
    node: NodeMaximum
    repetition: Repetition = DEFAULT_REPETITION
    tolerance: float = 0.05
    least_gain: float = LEAST_GAIN_PER_NODE
    fixed_cost_nodes: float | None = None
    prediction_guard: float = 0.0
    method: str = ENGINE
    solver: str = "cbc"


@dataclass(frozen=True)
class ComparedConfiguration:
    """A choice of configuration, with the gain of the best one over it.

    Attributes
    ----------
    name
        Who would choose it.
    configuration
        ``None`` where ``reason`` says why.
    gain
        ``None`` for the best itself.
    """

    name: str
    configuration: Configuration | None
    reason: Reason | None
    gain: ConfigurationGain | None


@dataclass(frozen=True, eq=False)
class ConfigurationAnswer:
    """The best configuration of one application under a bound, with all that it is compared with.

    Attributes
    ----------
    application, question
        The settings.
    runs
        What was measured.
    table
        The configurations that were chosen among.
    best
        The fastest configuration within the bound.
    risk
        Its repetitions; ``None`` where it was never run.
    canonical, worst_case
        What people do without measuring.
    near_optimal
        Configurations nearly as fast, the best first.
    curve
        The winner at every bound.
    node_curve, degree, line_fit
        Best time over the node count, how many nodes pay, and the line of the cost model from the
        first count above worst-case provisioning on.
    at_bounds
        The same question at round bounds over the whole range.
    decided
        The choice by another method; ``None``: the engine's, which is the best.
    """

    application: str
    question: Question
    runs: Runs
    table: ConfigurationTable
    best: Configuration
    risk: Risk | None
    canonical: tuple[Canonical, ...]
    worst_case: WorstCase
    near_optimal: tuple[NearOptimal, ...]
    curve: BoundCurve
    node_curve: NodeCurve
    degree: Degree
    line_fit: LineFit | None
    at_bounds: tuple[BestAtBound, ...]
    decided: MethodChoice | None = None

    @property
    def chosen(self) -> Configuration:
        """Return the method's configuration; engine and reference choose the best."""
        return self.best if self.decided is None else self.decided.configuration

    @property
    def predictions(self) -> int:
        """Return the number of configurations that a model predicted."""
        return 0 if self.table.predicted is None else int(self.table.predicted.sum())

    @property
    def predicted(self) -> bool:
        """Whether time and power of the best are predicted: it was never run."""
        return self.best.predicted

    @property
    def unused_w(self) -> float:
        """Return the power that the best configuration leaves unused [W]."""
        return self.question.bound.bound_w - self.best.power_w

    @cached_property
    def neighbours(self) -> tuple[AtNeighbour, ...]:
        """Return the best at a lower bound, at a higher bound and without a bound."""
        bounds = [at_bound.bound_w for at_bound in self.at_bounds]
        return neighbours(self.table, self.question.bound, self.question.node, bounds)

    @property
    def line_spread(self) -> LineSpread | None:
        """Compare the lines of the round bounds; ``None`` below three node counts."""
        fits = [at_bound.line_fit for at_bound in self.at_bounds if at_bound.line_fit is not None]
        counts = np.unique(self.table.nodes)
        several = [f for f in fits if _between(counts, f.from_nodes, f.to_nodes) > 2]
        return line_spread(several)

    @property
    def packed_max(self) -> Configuration | None:
        """Return all cores, uncapped, of as many nodes as fit; ``None`` if none fits."""
        return self.canonical[0].configuration

    def gain_over(self, other: Configuration | None) -> ConfigurationGain | None:
        """Return the gain of the best configuration over another one, if there is another one."""
        return None if other is None else gain(other, self.best)

    @property
    def compared(self) -> tuple[ComparedConfiguration, ...]:
        """The best configuration, the canonical ones, and worst-case provisioning."""
        rated = self.worst_case
        worst_case = Canonical("worst case by rating", rated.configuration, rated.reason)
        choices = [ComparedConfiguration("best", self.best, None, None)]
        for other in (*self.canonical, worst_case):
            gained = self.gain_over(other.configuration)
            choices.append(
                ComparedConfiguration(other.name, other.configuration, other.reason, gained)
            )
        return tuple(choices)

    @property
    def socket_power(self) -> SocketPower | None:
        """Return the package power per socket of what is chosen; ``None`` if never run."""
        question = self.question
        return socket_power(self.runs, self.chosen, question.repetition, question.node.sockets)

    def risk_of(self, configuration: Configuration) -> Risk | None:
        """Summarise the repetitions of a configuration; ``None`` where it was never run."""
        return _risk(self.runs, configuration, self.question.bound)

    def unsteady(self, configuration: Configuration | None) -> bool:
        """Whether the runs of a configuration differ so much that a speed-up over it is unsure."""
        seen = None if configuration is None else self.risk_of(configuration)
        return seen is not None and seen.wide

    @property
    def by_rule(self) -> MethodChoice | None:
        """Return the choice of a rule of thumb; ``None`` where the best is chosen."""
        decided = self.decided
        return decided if decided is not None and decided.method in HEURISTICS else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        bound = self.question.bound
        decision = {} if self.decided is None else {"decision": self.decided.to_dict()}
        return decision | {
            "application": self.application,
            "bound_w": bound.bound_w,
            "guard": bound.guard,
            "repetition": self.question.repetition,
            "prediction_guard": self.question.prediction_guard,
            "predicted": self.predicted,
            "predicted_configurations": self.predictions,
            "configurations": len(self.table),
            "best": self.best.to_dict(),
            "unused_w": self.unused_w,
            "unused_fraction": self.unused_w / bound.bound_w,
            "socket_power": None if self.socket_power is None else self.socket_power.to_dict(),
            "risk": None if self.risk is None else asdict(self.risk),
            "canonical": {rule.name: self._beside(rule) for rule in self.canonical},
            "canonical_missing": {e.name: e.reason for e in self.canonical if e.reason},
            "worst_case": self.worst_case.to_dict() | self._compared(self.worst_case.configuration),
            "near_optimal": [near.to_dict() for near in self.near_optimal],
            "tolerance": self.question.tolerance,
            "curve": self.curve.to_dicts(),
            "nodes": self.node_curve.to_dicts(),
            "degree": self.degree.to_dict(),
            "line_fit": None if self.line_fit is None else asdict(self.line_fit),
            "at_bounds": [at_bound.to_dict() for at_bound in self.at_bounds],
        }

    def _beside(self, rule: Canonical) -> dict[str, Any] | None:
        if rule.configuration is None:
            return None
        return rule.configuration.to_dict() | self._compared(rule.configuration)

    def _compared(self, other: Configuration | None) -> dict[str, Any]:
        gained = self.gain_over(other)
        if gained is None or other is None:
            return {"unused_w": None, "gain_of_best": None}
        unused = self.question.bound.bound_w - other.power_w
        return {"unused_w": unused, "gain_of_best": asdict(gained)}


def _risk(runs: Runs, chosen: Configuration, bound: Bound) -> Risk | None:
    try:
        return risk(runs, chosen, bound.bound_w)
    except LookupError:
        return None


def _between(counts: Indices, low: int, high: int) -> int:
    return int(((counts >= low) & (counts <= high)).sum())


def configure(runs: Runs, question: Question) -> ConfigurationAnswer:
    """Answer for one application, choosing among what was measured.

    Raises
    ------
    PlanError
        No configuration keeps to the bound; names the one that draws least.
    """
    return answer_from(table_of(runs, question.repetition), question, runs=runs)


def answer_from(
    table: ConfigurationTable, question: Question, *, runs: Runs
) -> ConfigurationAnswer:
    """Answer from a table of times and powers, measured or predicted.

    ``runs`` is everything that was measured.
    """
    bound = question.bound
    near = near_optimal(table, bound, question.tolerance)
    best = near[0].configuration
    rated = worst_case(table, bound, question.node)
    best_times = node_curve(table, bound)
    line_from = rated.nodes_by_rating + 1
    answer = ConfigurationAnswer(
        application=table.application,
        question=question,
        runs=runs,
        table=table,
        best=best,
        risk=_risk(runs, best, bound),
        canonical=canonical(table, bound),
        worst_case=rated,
        near_optimal=near,
        curve=curve(table, bound.guard),
        node_curve=best_times,
        degree=degree(
            best_times,
            rated.nodes_by_rating,
            least_gain=question.least_gain,
            fixed_cost_nodes=question.fixed_cost_nodes,
        ),
        line_fit=line_fit(best_times, line_from),
        at_bounds=at_bounds(
            table, round_bounds(table), question.node, guard=bound.guard, line_from=line_from
        ),
    )
    rules = rules_of_thumb(answer.canonical, rated)
    choice = decided(table, bound, best, rules, question.method, question.solver)
    return replace(answer, decided=choice)

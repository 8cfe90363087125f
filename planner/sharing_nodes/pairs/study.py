"""Which jobs share nodes, compared and ready to be shown."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.command_row import command_row
from planner.formatting import capitalised, given, percent, plural, telling, words
from planner.sharing_nodes.pairs.frontier import FrontierPoint, rising
from planner.sharing_nodes.pairs.groups import GroupPlan, speeds_of
from planner.sharing_nodes.pairs.guesses import Guesses
from planner.sharing_nodes.pairs.intervals import spread_of
from planner.sharing_nodes.pairs.outcome import PairingOutcome
from planner.sharing_nodes.pairs.plan import CoLocationPlan
from planner.sharing_nodes.pairs.settings import PairingSettings
from planner.worded_study import Explanation, TabledStudy
from planner.worded_table import Column, Table
from scenarios.pairs.pair_table import PairTable
from solvers.matching.solve import Matched
from solvers.model.result import Status

if TYPE_CHECKING:
    import networkx as nx


_ALTERNATIVES = {
    "random": "random pairs",
    "first fit": "first fit (each job joins the first with which it gains)",
    "greedy best pair": "greedy (the best pair first)",
    "bottleneck: least slowdown": "the pairing with the smallest slowdown that keeps {share} of "
    "the best throughput",
}
"""Policies that the first page compares with the matching, and their meaning; with the share of
the settings."""
_NAMED = 5
_NAMED_PAIRS = 4
_MOST_STEPS = 3
_TWO = 2
_NO_GAP = 1e-9
"""Relative distance to the proven limit that is rounding alone."""


@dataclass(frozen=True, eq=False, repr=False)
class ColocationStudy(TabledStudy):
    """Pairs of greatest gain with their proof, and other ways to pair.

    Attributes
    ----------
    plan
        The matching.
    matching
        What proves it.
    outcomes
        A row for each policy, the matching among them.
    plans
        Plan of every policy that does not choose at random.
    groups
        Groups of three and four, if they were requested.
    frontier
        The greatest gain at each limit of the slowdown.
    """

    table: PairTable
    pairing_settings: PairingSettings
    plan: CoLocationPlan
    matching: Matched
    outcomes: tuple[PairingOutcome, ...]
    plans: tuple[CoLocationPlan, ...]
    guesses: Guesses
    groups: GroupPlan | None = None
    frontier: tuple[FrontierPoint, ...] = ()
    command: tuple[str, ...] = ()

    title = "Which jobs should share a node?"

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the study, by name."""
        return {
            "pair table": self.table.name,
            "jobs": self.plan.problem.jobs,
            "applications": len({*self.plan.problem.names}),
            "measured pairs": self.table.pairs,
            **self.pairing_settings.words(),
        }

    @property
    def provenance(self) -> tuple[tuple[str, str], ...]:
        """Digest of the table, and the command."""
        return (
            (f"SHA-256 of {self.table.name}", self.table.sha256),
            command_row(self.command),
        )

    def pairing_graph(self) -> nx.Graph[int]:
        """The jobs and their measured pairs, for networkx.

        Vertices are numbers of jobs with ``application``; edges have ``gain``, ``slowdown`` (the
        larger of both), ``allowed`` (within the limits) and ``chosen``. Pairs that lose are in it
        too.
        """
        import networkx as nx

        problem = self.plan.problem
        chosen = {*self.plan.pairs}
        graph: nx.Graph[int] = nx.Graph()
        for job, name in enumerate(problem.names):
            graph.add_node(job, application=name)
        for a, b in np.argwhere(np.triu(problem.measured)).tolist():
            gain, slowdown = float(problem.gain[a, b]), float(problem.slowdown[a, b])
            allowed = bool(problem.allowed[a, b])
            graph.add_edge(
                a, b, gain=gain, slowdown=slowdown, allowed=allowed, chosen=(a, b) in chosen
            )
        return graph

    @property
    def headline(self) -> str:
        """How many jobs should share nodes, and what that gains."""
        plan = self.plan
        if not plan.pairs:
            if plan.problem.left_out:
                limits = self.pairing_settings.limits
                return f"No pair keeps the limits ({limits}), so every job should run alone."
            return "No pair of jobs gains, so every job should run alone."
        per_pair = percent(plan.gain / len(plan.pairs))
        return (
            f"{2 * len(plan.pairs):,} of {plural(plan.problem.jobs, 'job')} should share "
            f"{plural(len(plan.pairs), 'node')}; a shared node does {per_pair} more work than one "
            "job alone."
        )

    @property
    def confidence(self) -> str:
        """The certificate of the pairing."""
        certificate = self.matching.certificate
        if not self.plan.pairs:
            return ""
        if certificate.gap_relative is None or certificate.bound is None:
            return "Not proven optimal: the dual values failed their check."
        basis = "measured and predicted pairs" if self.guesses.used else "measured pairs"
        if self.plan.problem.left_out:
            basis += " within the limits"
        if certificate.gap_relative < _NO_GAP:
            proof = (
                f"no pairing of the {basis} gains more than {telling(self.plan.gain)} nodes of work"
            )
        else:
            proof = (
                f"the plan gains {self.plan.gain:.6g} nodes of work, and no pairing of the {basis} "
                f"gains more than {certificate.bound:.6g}"
            )
        lines = (f"Optimal: {proof} (rechecked in exact arithmetic).", *self._left_out())
        return " ".join(lines)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Doubtful input, predictions and what was left out."""
        lines = [*self.table.warnings, *self.matching.certificate.notes]
        predicted = sum(bool(row["predicted"]) for row in self.rows)
        if predicted and self.guesses.prediction is not None:
            error = percent(math.expm1(self.guesses.prediction.error))
            lines.append(
                f"{predicted:,} of {plural(len(self.rows), 'chosen pair')} "
                f"{'was' if predicted == 1 else 'were'} predicted, not measured; the typical error "
                f"of a predicted speed is {error} (leave-one-out)."
            )
        if not any(row.policy.startswith("bottleneck") for row in self.outcomes):
            jobs = f"{self.plan.problem.jobs:,}"
            lines.append(
                f"Too many jobs ({jobs}) to compute bottleneck matchings and the trade-off."
            )
        if self.guesses.used and self.guesses.prediction is None:
            lines.append(
                "No pair is predicted: too few pairs were measured, or the table has too many "
                "applications."
            )
        if self.groups is not None:
            lines.append(self._group_words(self.groups))
        return tuple(lines)

    @property
    def explanation(self) -> Explanation:
        """What the pairs gain and lose, other ways to pair, and what to measure next."""
        plan = self.plan
        if not plan.pairs:
            return Explanation(reasons=self._left_out(), next_steps=self._next_steps())
        return Explanation(
            reasons=(
                (
                    f"Run {self._paired(plan.pairs)}. This frees "
                    f"{plural(len(plan.pairs), 'node')} of {plan.problem.jobs:,}."
                ),
                self._gained(),
                f"The slowest job takes {_ratio(plan.max_slowdown)} times its time alone.",
                *self._alone(),
            ),
            alternatives=self._alternatives(),
            robustness=self._robustness(),
            assumptions=("Each pair runs as measured, and both jobs last equally long.",),
            next_steps=(
                *self._next_steps(),
                (
                    "Tell users of shared nodes that their jobs may take up to "
                    f"{_ratio(plan.max_slowdown)} times as long."
                ),
                "Compare run times in operation with the measured ones.",
            ),
        )

    def _paired(self, pairs: Sequence[tuple[int, int]]) -> str:
        """Who runs with whom; of many pairs the first, and how many there are."""
        first = list(self._kinds(pairs).items())[:_NAMED_PAIRS]
        listed = [f"{count:,} x {pair}" if count > 1 else pair for pair, count in first]
        more = len(pairs) - sum(count for _, count in first)
        return words([*listed, plural(more, "further pair")] if more else listed)

    def _kinds(self, pairs: Sequence[tuple[int, int]]) -> Counter[str]:
        """How many pairs there are of the same two applications, in the order seen first."""
        named = [(self.plan.problem.names[a], self.plan.problem.names[b]) for a, b in pairs]
        first: dict[tuple[str, ...], str] = {}
        for a, b in named:
            first.setdefault(tuple(sorted((a, b))), f"{a} with {b}")
        return Counter(first[tuple(sorted(pair))] for pair in named)

    def _gained(self) -> str:
        """The work of the shared nodes, and what is called the gain."""
        nodes, gain = len(self.plan.pairs), self.plan.gain
        those = "The shared node does" if nodes == 1 else f"The {nodes:,} shared nodes do"
        slower = (
            f", less than the {plural(nodes, 'freed node')}: jobs that share run slower"
            if gain < nodes
            else ""
        )
        return (
            f"{those} the work of {telling(nodes + gain, 3)} nodes with one job each. This "
            f"is a gain of {telling(gain, 3)} nodes of work{slower}."
        )

    def _alternatives(self) -> list[str]:
        """A limit on the slowdown, and other ways to pair; ways with equal results in one line."""
        plan, equal = self.plan, []
        results: dict[str, list[str]] = {}
        for row in self.outcomes:
            if row.policy not in _ALTERNATIVES:
                continue
            name = _ALTERNATIVES[row.policy].format(share=given(self.pairing_settings.share))
            near = abs(row.gain - plan.gain) <= _NO_GAP * abs(plan.gain)
            if near and abs(row.max_slowdown - plan.max_slowdown) <= _NO_GAP:
                equal.append(name)
                continue
            on_average, slowest = (" on average", "slowest job of any draw")
            if row.policy != "random":
                on_average, slowest = ("", "slowest job")
            result = (
                f"gain of {telling(row.gain, 3)} nodes{on_average}, against "
                f"{telling(plan.gain, 3)}; {slowest}: {_ratio(row.max_slowdown)} times its time "
                "alone."
            )
            results.setdefault(result, []).append(name)
        lines = [f"{capitalised(words(names))}: {result}" for result, names in results.items()]
        if equal:
            lines.append(f"With the same gain and slowdown: {words(equal)}.")
        return [*self._limited(), *lines]

    def _limited(self) -> list[str]:
        """The largest useful limit on the slowdown below that of the plan, and what it costs."""
        limit = self.limited
        if limit is None or not self._limit_differs(limit):
            return []
        share = percent(limit.share, places=1)
        at_most = _printed_limit(limit)
        too_slow = f"If {_ratio(self.plan.max_slowdown)} times the time alone is too slow"
        line = f"{too_slow}: a limit of {_ratio(at_most)} keeps {share} of the gain."
        if self.limited_in_words:
            line += f" Then run {self._paired(limit.matches)}."
        return [line]

    @property
    def limited(self) -> FrontierPoint | None:
        """The largest compared limit on the slowdown at which the gain is lower, if any."""
        points = rising(self.frontier)
        return points[-2] if len(points) >= _TWO else None

    @property
    def limited_in_words(self) -> bool:
        """Whether the pairs at that limit are few enough to be named in full."""
        limit = self.limited
        return (
            limit is not None
            and self._limit_differs(limit)
            and 0 < len(self._kinds(limit.matches)) <= _NAMED_PAIRS
        )

    def _limit_differs(self, point: FrontierPoint) -> bool:
        """Whether a limit is below the slowdown of the plan in the printed digits too."""
        return _printed_limit(point) < round(self.plan.max_slowdown, 3)

    def _robustness(self) -> list[str]:
        """What a pairing for certain gains would lose; or that the spread is unknown."""
        robust = [row for row in self.outcomes if row.policy == "robust"]
        if robust:
            less = percent(1 - robust[0].gain / self.plan.gain)
            return [f"Pairs that are chosen for certain gains gain {less} less on average."]
        if self.guesses.used or spread_of(self.table) is not None:
            return []
        return ["No pair was measured more than once, so the spread of its times is unknown."]

    def _alone(self) -> tuple[str, ...]:
        """The jobs that run alone, at most five of them by name."""
        names = [self.plan.problem.names[job] for job in self.plan.alone]
        if not names:
            return ()
        listed = ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")
        return (f"{plural(len(names), 'job')} without a partner: {listed}.",)

    def _left_out(self) -> tuple[str, ...]:
        """The pairs that gain but break a limit, and the limits."""
        problem = self.plan.problem
        if not problem.left_out:
            return ()
        limits = self.pairing_settings.limits
        return (f"Pairs that gain but break a limit ({limits}): {problem.left_out:,}.",)

    def _next_steps(self) -> list[str]:
        return [
            f"Measure {probe.a} with {probe.b}: each such pair could add up to "
            f"{probe.could_add:.2g} nodes."
            for probe in self.guesses.probes[:_MOST_STEPS]
        ]

    def _group_words(self, groups: GroupPlan) -> str:
        gap = groups.certificate.gap_relative
        limit = (
            "without a proven limit"
            if gap is None
            else f"within {percent(gap)} of the proven limit"
        )
        if groups.certificate.status is Status.OPTIMAL:
            limit = "optimal for these predictions"
        return (
            "Speeds in groups of three or more are predicted as products of measured pairs, "
            f"not measured. The groups are {limit}."
        )

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Each chosen pair with its speeds."""
        names = self.plan.problem.names
        rows = []
        for (a, b), gain in zip(self.plan.pairs, self.plan.gains, strict=True):
            x, y = self.plan.problem.speeds(a, b)
            rows.append({"a": names[a], "b": names[b], "gain": gain,
                         "slowdown_a": 1 / x, "slowdown_b": 1 / y,
                         "predicted": self._predicted(a, b)})  # fmt: skip
        return rows

    def _predicted(self, a: int, b: int) -> bool:
        kind = self.plan.problem.kind
        return bool(self.guesses.predicted[kind[a], kind[b]])

    @cached_property
    def group_rows(self) -> list[dict[str, Any]]:
        """Each group with the predicted slowdown of its slowest job."""
        if self.groups is None:
            return []
        problem, rows = self.groups.problem, []
        for group in self.groups.groups:
            speeds = speeds_of(problem, group)
            rows.append({"jobs": ", ".join(problem.names[job] for job in group),
                         "gain": sum(speeds) - 1.0, "max_slowdown": 1 / min(speeds)})  # fmt: skip
        return rows

    @property
    def shown(self) -> tuple[Table, ...]:
        """Policies, and the chosen pairs."""
        return (
            Table("policies", "What each way of pairing gains", _POLICIES, self.outcomes),
            Table("shared_nodes", "Pairs of jobs that should share a node", _PAIRS, self.rows),
            Table("groups_of_jobs", "Groups of jobs (speeds predicted from pairs)", _GROUPS,
                  self.group_rows),
            Table("frontier", "Largest gain at each limit on the slowdown", _FRONTIER,
                  self.frontier),
            Table("measure_next", "Pairs to measure next, as they could improve the pairing",
                  _PROBES, self.guesses.probes),
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        names, certificate = self.plan.problem.names, self.matching.certificate
        plain = super().to_dict()
        return {
            "pairs": [[names[a], names[b]] for a, b in self.plan.pairs],
            "alone": [names[job] for job in self.plan.alone],
            "gain": self.plan.gain,
            "bound": certificate.bound,
            "gap": certificate.gap_relative,
            "policies": [
                {**row, "note": outcome.note}
                for row, outcome in zip(plain.pop("policies"), self.outcomes, strict=True)
            ],
            **plain,
            "max_slowdown": self.plan.max_slowdown,
            "least_gain": self.pairing_settings.least_gain,
            "least_speed": self.pairing_settings.least_speed,
            "pairs_left_out": self.plan.problem.left_out,
            **({} if self.limited is None else {"limited": self._limited_plain(self.limited)}),
            **({} if self.groups is None else {"groups": self._groups(self.groups)}),
            "certificate": certificate.to_dict(),
            "table": {"name": self.table.name, "sha256": self.table.sha256},
        }

    def _limited_plain(self, point: FrontierPoint) -> dict[str, Any]:
        names = self.plan.problem.names
        return {
            "limit": point.limit,
            "pairs": [[names[a], names[b]] for a, b in point.matches],
        }

    def _groups(self, plan: GroupPlan) -> dict[str, Any]:
        names, certificate = plan.problem.names, plan.certificate
        return {
            "groups": [[names[job] for job in group] for group in plan.groups],
            "alone": [names[job] for job in plan.alone],
            "gain": plan.gain,
            "bound": certificate.bound,
            "gap": certificate.gap_relative,
            "certificate": certificate.to_dict(),
        }


def policy_text(policy: str) -> str:
    """Return a way of pairing as people read it."""
    return "no sharing" if policy == "none" else policy


def _printed_limit(point: FrontierPoint) -> float:
    """Return a limit in the printed digits; rounded down, it would exclude its own plan."""
    return math.ceil(1000 * point.limit) / 1000


def _ratio(value: float) -> str:
    return f"{value:.3f}"


def _share(value: float) -> str:
    return percent(value, places=1)


_POLICIES = (
    Column("policy", "way of pairing", policy_text, width=2.6),
    Column("gain", "gain (nodes)", _ratio, number=True, width=1.2),
    Column("optimal_share", "share of proven limit", percent, number=True, width=1.1),
    Column("max_slowdown", "largest slowdown", _ratio, number=True, width=1.3),
    Column("largest_discount", "largest loss of speed", percent, number=True, width=1.3),
    Column("smallest_gain", "smallest gain of a pair", _ratio, number=True, width=1.2),
    Column("pairs", "pairs", "{:g}".format, number=True),
    Column("nodes", "nodes", "{:g}".format, number=True),
)
_PAIRS = (
    Column("a", "job", width=1.5),
    Column("b", "partner", width=1.5),
    Column("gain", "gain", _ratio, number=True),
    Column("slowdown_a", "slowdown of the job", _ratio, number=True, width=1.4),
    Column("slowdown_b", "slowdown of its partner", _ratio, number=True, width=1.4),
    Column("predicted", "predicted", lambda yes: "yes" if yes else "no"),
)
_GROUPS = (
    Column("jobs", "jobs", width=3.0),
    Column("gain", "gain", _ratio, number=True),
    Column("max_slowdown", "largest slowdown", _ratio, number=True, width=1.3),
)
_FRONTIER = (
    Column("limit", "limit on the slowdown", _ratio, number=True, width=1.5),
    Column("gain", "gain (nodes)", _ratio, number=True),
    Column("share", "share of the largest gain", _share, number=True, width=1.6),
    Column("pairs", "pairs", "{:,}".format, number=True),
)
_PROBES = (
    Column("a", "job", width=1.5),
    Column("b", "partner", width=1.5),
    Column("predicted_gain", "predicted gain", _ratio, number=True, width=1.2),
    Column("could_add", "could add at most", _ratio, number=True, width=1.2),
)

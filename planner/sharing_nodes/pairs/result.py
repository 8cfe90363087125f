"""Which jobs share nodes, with the proof, other ways to pair, and what to measure next."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.errors import InputError
from planner.sharing_nodes.pairs.frontier import FrontierPoint, rising
from planner.sharing_nodes.pairs.groups import GroupPlan
from planner.sharing_nodes.pairs.guesses import Guesses
from planner.sharing_nodes.pairs.outcome import PairingOutcome
from planner.sharing_nodes.pairs.plan import CoLocationPlan
from planner.sharing_nodes.pairs.problem import MOST_MATCHED
from planner.sharing_nodes.pairs.settings import PairingSettings
from scenarios.pairs.pair_table import PairTable
from solvers.matching.solve import Matched

if TYPE_CHECKING:
    import networkx as nx

_TWO = 2


@dataclass(frozen=True, eq=False, repr=False)
class ColocationResult:
    """Pairs of greatest gain with their proof, and other ways to pair.

    Attributes
    ----------
    pair_table, pairing_settings
        The measured pairs and the settings.
    plan
        The matching.
    matching
        What proves it.
    outcomes
        A row for each policy, the matching among them.
    plans
        Plan of every policy that does not choose at random.
    guesses
        Predicted pairs, and pairs to measure next.
    groups
        Groups of three and four, if they were requested.
    frontier
        The greatest gain at each limit of the slowdown.
    command
        Words of the command behind ``headroom``; empty from Python.
    """

    pair_table: PairTable
    pairing_settings: PairingSettings
    plan: CoLocationPlan
    matching: Matched
    outcomes: tuple[PairingOutcome, ...]
    plans: tuple[CoLocationPlan, ...]
    guesses: Guesses
    groups: GroupPlan | None = None
    frontier: tuple[FrontierPoint, ...] = ()
    command: tuple[str, ...] = ()

    def pairing_graph(self) -> nx.Graph[int]:
        """The jobs and their measured pairs, for networkx.

        Vertices are numbers of jobs with ``application``; edges have ``gain``, ``slowdown`` (the
        larger of both), ``allowed`` (within the limits) and ``chosen``. Pairs that lose are in it
        too.

        Raises
        ------
        InputError
            There are too many jobs for a graph of their pairs.
        """
        import networkx as nx

        problem = self.plan.problem
        if problem.jobs > MOST_MATCHED:
            raise InputError(
                f"{problem.jobs:,} jobs have too many pairs for a graph; pair at most "
                f"{MOST_MATCHED:,} jobs"
            )
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
    def limited(self) -> FrontierPoint | None:
        """The largest compared limit on the slowdown at which the gain is lower, if any."""
        points = rising(self.frontier)
        return points[-2] if len(points) >= _TWO else None

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
        for group, speeds in zip(self.groups.groups, self.groups.speeds, strict=True):
            rows.append({"jobs": ", ".join(problem.names[job] for job in group),
                         "gain": sum(speeds) - 1.0, "max_slowdown": 1 / min(speeds)})  # fmt: skip
        return rows

    def outcome(self, policy: str) -> PairingOutcome | None:
        """The row of a policy, if it was compared."""
        return next((row for row in self.outcomes if row.policy == policy), None)

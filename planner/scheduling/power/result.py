"""What a comparison of power-aware policies found: its runs, and numbers that follow from them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planner.question import schedule_of
from planner.replications.ratios import PairedRatio, ratio_of
from planner.scheduling.power.inputs.file_logs import RULE as FILE_RULE
from planner.scheduling.power.inputs.model_errors import ModelErrors
from planner.scheduling.power.results.comparisons import (
    ComparisonRow,
    Overall,
    Use,
    overall,
    reference_of,
    rows_of,
    uses_of,
)
from planner.scheduling.power.results.paired import by_key, not_worse, paired_by_seed
from planner.scheduling.power.results.requests import RequestCount, request_counts
from planner.scheduling.power.results.result import PolicyOutcome
from scenarios import Scenario
from scenarios.model.schedule import Schedule
from scenarios.remark import Remark
from solvers.portable import digits

EQUAL = 1e-9
"""Relative difference of turnarounds that is rounding alone."""


@dataclass(frozen=True, eq=False)
class ScheduleResult:
    """Results of every policy on the same logs, bounds and seeds.

    Attributes
    ----------
    scenario
        The question.
    outcomes
        By log, bound, seed and policy.
    errors
        How far a predicted job details table is from the truth, with the first seed.
    command
        Words of the command that gives the study again; none if it was run from Python.
    files
        Name and SHA-256 of each file of own policies.
    remarks
        What the readers of the scenario's files remarked.
    """

    scenario: Scenario
    outcomes: tuple[PolicyOutcome, ...]
    errors: tuple[ModelErrors, ...] = ()
    command: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def title(self) -> str:
        """Title of the scenario."""
        return self.scenario.title or self.scenario.name

    @property
    def schedule(self) -> Schedule:
        """What the scenario asks."""
        return schedule_of(self.scenario)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Settings of the runs, by name."""
        schedule = self.schedule
        return {
            "scenario": self.scenario.name,
            "policies": ", ".join(self.policies),
            "reference": self.reference,
            "nodes": schedule.cluster.nodes,
            "bounds_w": list(schedule.bounds_w),
            "charge": schedule.charge,
            "details": schedule.details.method,
            "logs": ", ".join(self.logs),
            "seeds": self.seeds,
            **({"jobs_of_files": FILE_RULE} if self._from_files else {}),
        }

    @cached_property
    def policies(self) -> tuple[str, ...]:
        """Names in the order in which they ran."""
        return tuple(dict.fromkeys(outcome.policy for outcome in self.outcomes))

    @cached_property
    def logs(self) -> tuple[str, ...]:
        """Names of the logs."""
        return tuple(dict.fromkeys(outcome.log for outcome in self.outcomes))

    @cached_property
    def bounds_w(self) -> tuple[float, ...]:
        """Power bounds, ascending [W]."""
        return tuple(sorted({outcome.bound_w for outcome in self.outcomes}))

    @cached_property
    def seeds(self) -> int:
        """Number of seeds."""
        return len({outcome.seed for outcome in self.outcomes})

    @cached_property
    def rows(self) -> tuple[ComparisonRow, ...]:
        """Turnaround of each policy, for each log and bound."""
        return rows_of(self.outcomes, self.reference)

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """Use of nodes and watts by each policy, for each log and bound."""
        return uses_of(self.outcomes)

    @cached_property
    def overall(self) -> tuple[Overall, ...]:
        """Each policy over all logs, bounds and seeds, in their order."""
        return overall(self.outcomes, self.reference)

    @cached_property
    def ranking(self) -> tuple[tuple[str, PairedRatio], ...]:
        """Policies by turnaround over the reference policy's, over all logs, bounds and seeds.

        Those that rounding alone tells apart stay in their order.
        """
        policies = by_key(self.outcomes)
        base = policies[self.reference]
        ratios = {name: ratio_of(paired_by_seed(mine, base)) for name, mine in policies.items()}
        ranked = [(name, ratio) for name, ratio in ratios.items() if ratio is not None]
        return tuple(sorted(ranked, key=lambda pair: digits(pair[1].mean)))

    @cached_property
    def tied(self) -> tuple[str, ...]:
        """The policy of the shortest turnaround, and those that do not differ from it.

        With one seed these are those of equal turnaround.
        """
        if not self.ranking:
            return ()
        best, ratio = self.ranking[0]
        if self.seeds > 1:
            rivals = not_worse(by_key(self.outcomes), best)
            return tuple(name for name, _ in self.ranking if name == best or name in rivals)
        return tuple(
            name
            for name, each in self.ranking
            if math.isclose(each.mean, ratio.mean, rel_tol=EQUAL)
        )

    @property
    def subject(self) -> str:
        """The policy of the tiles: the best one that is not the reference, if there is one."""
        others = [name for name, _ in self.ranking if name != self.reference]
        return others[0] if others else self.reference

    @property
    def reference(self) -> str:
        """The policy that the others are compared with: Traditional, or else the first one."""
        return reference_of(self.policies)

    @property
    def varies(self) -> bool:
        """Whether logs, nodes, run times or what a model is trained on differ by seed."""
        cluster, details = self.schedule.cluster, self.schedule.details
        simulated = any(each.problem is not None for each in self.schedule.applications)
        trained = details.method == "model" and details.training_share < 1
        return self.synthetic or trained or (simulated and (cluster.variability or cluster.noise))

    @property
    def repeatable(self) -> bool:
        """Whether every log can be run with more seeds."""
        cluster = self.schedule.cluster
        drawn = all(log.drawn for log in self.schedule.logs if log.name in self.logs)
        return drawn or cluster.variability or cluster.noise

    @property
    def by_chance(self) -> bool:
        """Whether only one seed was run, although chance has a part in the answer."""
        return self.seeds == 1 and self.varies

    @property
    def synthetic(self) -> bool:
        """Whether any of the logs is synthetic."""
        return any(log.drawn for log in self.schedule.logs if log.name in self.logs)

    @property
    def jobs(self) -> int:
        """Jobs of all runs together."""
        return sum(len(outcome.jobs) for outcome in self.outcomes)

    @property
    def broken(self) -> int:
        """Runs in which true power exceeds the bound."""
        return sum(outcome.bound_violations > 0 for outcome in self.outcomes)

    @property
    def reserved_w(self) -> float:
        """Watts that are reserved below the bound before jobs are charged [W]."""
        cluster = self.schedule.cluster
        return cluster.nodes * cluster.idle_node_w if self.schedule.charge == "node" else 0.0

    @cached_property
    def requests(self) -> tuple[RequestCount, ...]:
        """How often each rule applied to the requests of each log."""
        return request_counts(self.outcomes, self._from_files)

    @property
    def _from_files(self) -> tuple[str, ...]:
        return tuple(log.name for log in self.schedule.logs if log.kind == "file")

    def of(self, policy: str) -> Overall:
        """One policy over all logs, bounds and seeds."""
        return next(row for row in self.overall if row.policy == policy)

    def times(self) -> list[dict[str, Any]]:
        """Return seconds that each policy took to decide in each run: they never repeat."""
        return [
            {
                "log": outcome.log,
                "bound_w": outcome.bound_w,
                "seed": outcome.seed,
                "policy": outcome.policy,
                "jobs": len(outcome.jobs),
                "decisions": outcome.decisions,
                "decision_seconds": outcome.decision_seconds,
            }
            for outcome in self.outcomes
        ]

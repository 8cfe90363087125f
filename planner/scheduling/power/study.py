"""Power-aware policies on the logs of a scenario, compared and ready to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planner.formatting import duration, percent, plural, power, words
from planner.scheduling.power.inputs.file_logs import RULE as FILE_RULE
from planner.scheduling.power.inputs.model_errors import ModelErrors
from planner.scheduling.power.question import schedule_of
from planner.scheduling.power.results.comparisons import (
    BASELINE,
    Ratio,
    Row,
    Use,
    by_key,
    distances_of,
    overall,
    paired_by_seed,
    ratio_of,
    rows_of,
    uses_of,
)
from planner.scheduling.power.results.requests import RequestCount, request_counts
from planner.scheduling.power.results.result import PolicyOutcome
from planner.study import TabledStudy
from planner.table import Column, Table
from scenarios import Scenario

MOST_JOBS = 200_000
"""Jobs that are listed in JSON, over all runs."""


@dataclass(frozen=True, eq=False, repr=False)
class ScheduleStudy(TabledStudy):
    """What every policy makes of the same logs, bounds and seeds.

    Attributes
    ----------
    scenario
        The question.
    outcomes
        By log, bound, seed and policy.
    errors
        How far a predicted job details table is from the truth, with the first seed.
    """

    scenario: Scenario
    outcomes: tuple[PolicyOutcome, ...]
    errors: tuple[ModelErrors, ...] = ()

    @property
    def title(self) -> str:
        """Title of the document."""
        return self.scenario.title or self.scenario.name

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was run, by name."""
        schedule = schedule_of(self.scenario)
        return {
            "scenario": self.scenario.name,
            "policies": ", ".join(self.policies),
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
        return tuple(dict.fromkeys(one.policy for one in self.outcomes))

    @cached_property
    def logs(self) -> tuple[str, ...]:
        """Names of the logs."""
        return tuple(dict.fromkeys(one.log for one in self.outcomes))

    @cached_property
    def bounds_w(self) -> tuple[float, ...]:
        """Power bounds, ascending [W]."""
        return tuple(sorted({one.bound_w for one in self.outcomes}))

    @cached_property
    def seeds(self) -> int:
        """Number of seeds."""
        return len({one.seed for one in self.outcomes})

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Turnaround of each policy, for each log and bound."""
        return rows_of(self.outcomes)

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """What each policy makes of nodes and watts, for each log and bound."""
        return uses_of(self.outcomes)

    @cached_property
    def ranking(self) -> tuple[tuple[str, Ratio], ...]:
        """Policies by turnaround relative to the first policy, over all logs, bounds and seeds."""
        policies = by_key(self.outcomes)
        base = policies.get(BASELINE) or policies[self.policies[0]]
        ratios = {name: ratio_of(paired_by_seed(mine, base)) for name, mine in policies.items()}
        known = [(name, ratio) for name, ratio in ratios.items() if ratio is not None]
        return tuple(sorted(known, key=lambda one: one[1].mean))

    @property
    def reference(self) -> str:
        """The policy that the others are compared with."""
        return BASELINE if BASELINE in self.policies else self.policies[0]

    @property
    def headline(self) -> str:
        """Which policy has the shortest turnaround, as far as that is shown."""
        if not self.ranking:
            return "No job ran under any policy."
        best, ratio = self.ranking[0]
        if len(self.ranking) == 1:
            return f"Only {best} was run."
        rivals = self._not_worse(best)
        if rivals:
            several = words((best, *rivals))
            return f"No difference in mean turnaround is shown between {several}."
        best = f"On one seed, {best}" if self._one_draw else best
        if self.ranking[0][0] == self.reference:
            second, other = self.ranking[1]
            longer = percent(other.mean - 1)
            return f"{best} has the shortest mean turnaround; under {second} it is {longer} longer."
        return (
            f"{best} has the shortest mean turnaround: {percent(1 - ratio.mean)} shorter than "
            f"under {self.reference}."
        )

    @property
    def _one_draw(self) -> bool:
        """Whether chance has a part in the answer, and only one seed was run."""
        schedule = schedule_of(self.scenario)
        chance = schedule.cluster.variability or schedule.cluster.noise
        return self.seeds == 1 and (chance or any(log.drawn for log in schedule.logs))

    def _not_worse(self, best: str) -> tuple[str, ...]:
        """Policies that the seeds do not tell from the best one."""
        policies = by_key(self.outcomes)
        names = []
        for name, _ in self.ranking[1:]:
            ratio = ratio_of(paired_by_seed(policies[name], policies[best]))
            if ratio is None or (ratio.mean == 1 or (ratio.low is not None and ratio.low <= 1)):
                names.append(name)
        return tuple(names)

    @property
    def confidence(self) -> str:
        """What the figures rest on."""
        cases = plural(len(self.outcomes) // max(len(self.policies), 1), "case")
        if len(self.outcomes) == len(self.policies):
            return "One case: no spread is known."
        return (
            f"Simulated: {plural(self.seeds, 'seed')}, {cases} for each policy; differences are "
            "paired, with 95 % intervals. Another mix of logs and bounds has another mean."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Rejected and rounded jobs, broken bounds, fallbacks."""
        return tuple(line for line in (self._above(), self._rejected(), self._fallbacks()) if line)

    def _above(self) -> str:
        worst = max(self.outcomes, key=lambda one: one.largest_violation_w)
        broken = sum(one.bound_violations > 0 for one in self.outcomes)
        if not broken:
            return ""
        return (
            f"True power exceeds the bound in {broken:,} of {plural(len(self.outcomes), 'run')}, "
            f"by {power(worst.largest_violation_w)} at most ({worst.policy}, {worst.log}, "
            f"{power(worst.bound_w)}): the scheduler's watts are below the true ones."
        )

    def _rejected(self) -> str:
        jobs = sum(len(one.jobs) for one in self.outcomes)
        rejected = sum(one.rejected for one in self.outcomes)
        rounded = sum(one.rounded for one in self.outcomes)
        parts = []
        if rejected:
            parts.append(f"{rejected:,} rejected")
        if rounded:
            parts.append(f"{rounded:,} above their fair share, as no configuration is within it")
        return f"Of {jobs:,} job runs: {words(parts)}." if parts else ""

    def _fallbacks(self) -> str:
        decisions = sum(one.decisions for one in self.outcomes)
        fallbacks = sum(one.fallbacks for one in self.outcomes)
        if not fallbacks:
            return ""
        return (
            f"{fallbacks:,} of {decisions:,} ILP decisions reached their budget: Adaptive decided."
        )

    @property
    def shown(self) -> tuple[Table, ...]:
        """Turnarounds, nodes and watts, and who gains."""
        compared = f"compared with {BASELINE}" if BASELINE in self.policies else ""
        return (
            Table(
                "policies_overall",
                "Policies over all logs, bounds and seeds",
                _OVERALL,
                overall(self.outcomes, self.reference),
            ),
            Table(
                "turnaround",
                f"Mean turnaround {compared}; simulated, {plural(self.seeds, 'seed')}",
                _TURNAROUND,
                self.rows,
            ),
            Table(
                "users",
                f"Jobs a log that end sooner or later than under {BASELINE}; means over the seeds",
                _USERS,
                [row for row in self.rows if row.better is not None],
            ),
            Table(
                "power",
                "Watts, fairness and energy; means over the seeds, true power",
                _POWER,
                self.uses,
            ),
            Table("details", "Errors of the predicted job details table, first seed, on typical "
                  "nodes", _ERRORS, self.errors),
            Table("hindsight", "Distance from the proven limit in hindsight, over the seeds",
                  _HINDSIGHT, distances_of(self.outcomes)),
            Table("requests", "Requests that no configuration has, over the seeds; each rule and "
                  "its share of all requests", _REQUESTS, self.requests),
            Table("counts", "Jobs by what happened to them, and ILP decisions; means over the "
                  "seeds", _COUNTS, self.uses if self._any_counts else []),
        )  # fmt: skip

    @cached_property
    def requests(self) -> tuple[RequestCount, ...]:
        """How often each rule applied to the requests of each log."""
        return request_counts(self.outcomes, self._from_files)

    @property
    def _from_files(self) -> tuple[str, ...]:
        logs = schedule_of(self.scenario).logs
        return tuple(log.name for log in logs if log.kind == "file")

    @property
    def _any_counts(self) -> bool:
        return any(use.rounded or use.rejected or use.killed or use.decisions for use in self.uses)

    def to_dict(self, *, seconds: bool = False) -> dict[str, Any]:
        """Plain values for JSON: every run with its jobs under ``policies``.

        Parameters
        ----------
        seconds
            With the time that each policy took to decide, which differs from run to run.
        """
        jobs = sum(len(one.jobs) for one in self.outcomes)
        runs = [one.to_dict(seconds=seconds) for one in self.outcomes]
        if jobs > MOST_JOBS:
            runs = [{name: value for name, value in run.items() if name != "jobs"} for run in runs]
        left_out = jobs if jobs > MOST_JOBS else 0
        return super().to_dict() | {"policies": runs, "jobs_left_out": left_out}

    def times(self) -> list[dict[str, Any]]:
        """Seconds that each policy took to decide in each run: they never repeat."""
        return [
            {
                "log": one.log,
                "bound_w": one.bound_w,
                "seed": one.seed,
                "policy": one.policy,
                "jobs": len(one.jobs),
                "decisions": one.decisions,
                "decision_seconds": one.decision_seconds,
            }
            for one in self.outcomes
        ]


def _ratio(value: float) -> str:
    return f"{value:.3f}"


def _jobs(value: float) -> str:
    return f"{value:.1f}" if value % 1 else f"{value:,.0f}"


_CASE = (
    Column("log", "log", width=1.2),
    Column("bound_w", "bound", power, number=True),
    Column("policy", "policy", width=1.6),
)
_OVERALL = (
    Column("policy", "policy", width=1.6),
    Column("ratio", "turnaround ratio", _ratio, number=True, width=1.2),
    Column("low", "95 % from", _ratio, number=True),
    Column("high", "to", _ratio, number=True, width=0.8),
    Column("better", "jobs sooner", percent, number=True),
    Column("fairness", "fairness", _ratio, number=True),
    Column("power_utilisation", "bound used", percent, number=True),
    Column("above", "runs above the bound", percent, number=True, width=1.2),
)
_TURNAROUND = (
    *_CASE,
    Column("mean_turnaround_s", "mean turnaround", duration, number=True, width=1.2),
    Column("normalised", "normalised (thesis)", _ratio, number=True, width=1.3),
    Column("ratio", "ratio to traditional", _ratio, number=True, width=1.3),
    Column("low", "95 % from", _ratio, number=True),
    Column("high", "to", _ratio, number=True, width=0.8),
    Column("difference", "difference", width=1.2),
)
_USERS = (
    *_CASE,
    Column("better", "sooner", _jobs, number=True),
    Column("same", "same", _jobs, number=True),
    Column("worse", "later", _jobs, number=True),
)
_POWER = (
    *_CASE,
    Column("power_utilisation", "share of the bound used", percent, number=True, width=1.3),
    Column("fairness", "fairness", _ratio, number=True),
    Column("energy_j", "energy (kWh)", lambda joule: f"{joule / 3.6e6:,.3g}", number=True),
    Column("makespan_s", "makespan", duration, number=True, width=1.2),
    Column("bound_violations", "times above the bound", _jobs, number=True, width=1.3),
    Column("largest_violation_w", "by at most", power, number=True),
    Column("violation_s", "for", duration, number=True),
)
_ERRORS = (
    Column("application", "application", width=1.4),
    Column("rows", "configurations", number=True, width=1.3),
    Column("time_mean", "time: mean", percent, number=True),
    Column("time_third_quartile", "3rd quartile", percent, number=True),
    Column("time_max", "largest", percent, number=True),
    Column("power_within", "power at most 10 % too low", percent, number=True, width=1.5),
    Column("power_lowest", "most too low", percent, number=True),
)
_HINDSIGHT = (
    *_CASE,
    Column("cases", "cases", number=True),
    Column("proved", "optimum proved", number=True, width=1.2),
    Column("mean_gap", "mean distance", percent, number=True, width=1.2),
    Column("largest_gap", "largest", percent, number=True),
)
_REQUESTS = (
    Column("log", "log", width=1.2),
    Column("rule", "rule", width=4.0),
    Column("requests", "requests", number=True),
    Column("read", "of", number=True),
    Column("share", "share", percent, number=True),
)
_COUNTS = (
    *_CASE,
    Column("rounded", "above fair share", _jobs, number=True),
    Column("rejected", "rejected", _jobs, number=True),
    Column("killed", "killed", _jobs, number=True),
    Column("decisions", "ILP decisions", _jobs, number=True),
    Column("fallbacks", "by fallback", _jobs, number=True),
    Column("largest_gap", "largest gap", percent, number=True),
)

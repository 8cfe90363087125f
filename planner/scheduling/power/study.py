"""Power-aware policies on the logs of a scenario, compared and ready to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planner.formatting import percent, plural, power, words
from planner.question import schedule_of
from planner.replications.ratios import PairedRatio, ratio_of
from planner.scheduling.power.explanation import explanation_of
from planner.scheduling.power.few_jobs import single_job
from planner.scheduling.power.headline import headline_of, label, of_one_job
from planner.scheduling.power.inputs.file_logs import RULE as FILE_RULE
from planner.scheduling.power.inputs.model_errors import ModelErrors
from planner.scheduling.power.registry import LENDING
from planner.scheduling.power.results.comparisons import (
    ComparisonRow,
    Use,
    overall,
    reference_of,
    rows_of,
    uses_of,
)
from planner.scheduling.power.results.paired import by_key, paired_by_seed
from planner.scheduling.power.results.requests import RequestCount, request_counts
from planner.scheduling.power.results.result import PolicyOutcome
from planner.scheduling.power.tables import tables_of
from planner.worded_study import Explanation, TabledStudy
from planner.worded_table import Table
from scenarios import Scenario

SCARCE = 0.8
"""Charged share of a power bound from which on power counts as scarce."""
IDLE = 0.2
"""Mean use of the bound, under every policy, below which a cluster counts as mostly idle."""
MOST_JOBS = 200_000
"""Jobs that are listed in JSON, over all runs."""


@dataclass(frozen=True, eq=False, repr=False)
class ScheduleStudy(TabledStudy):
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
    """

    scenario: Scenario
    outcomes: tuple[PolicyOutcome, ...]
    errors: tuple[ModelErrors, ...] = ()
    command: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        """Title of the document."""
        return self.scenario.title or self.scenario.name

    @property
    def settings(self) -> Mapping[str, Any]:
        """Settings of the runs, by name."""
        schedule = schedule_of(self.scenario)
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
    def ranking(self) -> tuple[tuple[str, PairedRatio], ...]:
        """Policies by turnaround over the reference policy's, over all logs, bounds and seeds."""
        policies = by_key(self.outcomes)
        base = policies[self.reference]
        ratios = {name: ratio_of(paired_by_seed(mine, base)) for name, mine in policies.items()}
        ranked = [(name, ratio) for name, ratio in ratios.items() if ratio is not None]
        return tuple(sorted(ranked, key=lambda pair: pair[1].mean))

    @property
    def reference(self) -> str:
        """The policy that the others are compared with: Traditional, or else the first one."""
        return reference_of(self.policies)

    @cached_property
    def headline(self) -> str:
        """Which policy has the shortest turnaround, as far as that is shown."""
        text = headline_of(
            self.ranking, by_key(self.outcomes), self.reference, by_chance=self.by_chance
        )
        one_case = self.seeds == len(self.logs) == len(self.bounds_w) == 1
        return of_one_job(text) if one_case and single_job(self.outcomes) else text

    @property
    def by_chance(self) -> bool:
        """Whether only one seed was run, although chance has a part in the answer."""
        schedule = schedule_of(self.scenario)
        chance = schedule.cluster.variability or schedule.cluster.noise
        return self.seeds == 1 and (chance or self.synthetic)

    @property
    def synthetic(self) -> bool:
        """Whether any of the logs is synthetic."""
        logs = schedule_of(self.scenario).logs
        return any(log.drawn for log in logs if log.name in self.logs)

    @cached_property
    def idle(self) -> bool:
        """Whether jobs use so little of the bound that power is rarely scarce."""
        used = [row.power_utilisation for row in overall(self.outcomes, self.reference)]
        return 0 < max(used) < IDLE

    @property
    def provenance(self) -> tuple[tuple[str, str], ...]:
        """Digest of every file that was read."""
        files = dict.fromkeys((*self.scenario.provenance.files, *self.files))
        return tuple((f"SHA-256 of {name}", digest) for name, digest in files)

    @property
    def explanation(self) -> Explanation:
        """Why a policy is ahead, what else could be run, and what the comparison rests on."""
        return explanation_of(self)

    @property
    def reserved_w(self) -> float:
        """Watts that are reserved below the bound before jobs are charged [W]."""
        schedule = schedule_of(self.scenario)
        idle_w = schedule.cluster.nodes * schedule.cluster.idle_node_w
        return idle_w if schedule.charge == "node" else 0.0

    @property
    def confidence(self) -> str:
        """Seeds, tests and checks that the figures rest on."""
        cases = f"{plural(len(self.logs), 'log')} and {plural(len(self.bounds_w), 'power bound')}"
        if self.seeds == 1:
            seed = "1 seed, " if self.synthetic or self.by_chance else ""
            return f"Simulated: {seed}{cases} for each policy, so the spread is unknown."
        return (
            f"Simulated: {plural(self.seeds, 'seed')}, {cases} for each policy; 95 % intervals. "
            "Policies are compared seed by seed. Significance is corrected for the number of "
            "comparisons (Holm, 5 %)."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Runs above the bound, unused bounds, rejected jobs, large charges, and fallbacks."""
        return (
            *self._above(),
            *self._lent(),
            *self._mostly_idle(),
            *self._unused(),
            *self._rejected(),
            *self._fallbacks(),
        )

    def _above(self) -> Iterator[str]:
        worst = max(self.outcomes, key=lambda outcome: outcome.largest_violation_w)
        broken = sum(outcome.bound_violations > 0 for outcome in self.outcomes)
        if broken:
            yield (
                f"True power, which jobs draw, exceeds the bound in {broken:,} of "
                f"{plural(len(self.outcomes), 'run')}, by at most "
                f"{power(worst.largest_violation_w)} ({label(worst.policy)}, log {worst.log}, "
                f"bound {power(worst.bound_w)}). Jobs then draw more than the policy expects."
            )

    def _lent(self) -> Iterator[str]:
        """Yield that lending uses up the reserve by which a predicted table may be too low."""
        lending = [name for name in self.policies if name in LENDING]
        runs = [outcome for outcome in self.outcomes if outcome.policy in lending]
        above = sum(outcome.bound_violations > 0 for outcome in runs)
        if above and schedule_of(self.scenario).details.method == "model":
            most_w = max(outcome.largest_violation_w for outcome in runs)
            yield (
                f"{words(map(label, lending))} on predicted power: lending leaves no reserve for "
                f"predictions that are too low. True power exceeds the bound in {above:,} of "
                f"{plural(len(runs), 'run')}, by at most {power(most_w)}."
            )

    def _mostly_idle(self) -> Iterator[str]:
        """Yield how little of the bound is used on average, which decides what policies can do."""
        if self.idle:
            used = [row.power_utilisation for row in overall(self.outcomes, self.reference)]
            ends = dict.fromkeys(map(percent, (min(used), max(used))))
            yield (
                f"Jobs use {' to '.join(ends)} of the power bound on average: the cluster is "
                "mostly idle. Power is scarce at most at times; results may differ at a higher "
                "load."
            )

    def _unused(self) -> Iterator[str]:
        """Yield where no job is ever charged so much that power becomes scarce."""
        peaks: dict[tuple[str, str], float] = {}
        for outcome in self.outcomes:
            if outcome.mean_turnaround_s is not None:
                case = (outcome.log, outcome.policy)
                peaks[case] = max(peaks.get(case, 0.0), outcome.peak_charged_share)
        unused = {case: peak for case, peak in peaks.items() if peak < SCARCE}
        if unused:
            (log, policy), least = min(unused.items(), key=lambda item: item[1])
            where = "For every policy and log"
            if len(unused) < len(peaks):
                where = f"For {len(unused):,} of {len(peaks):,} pairs of policy and log"
            yield (
                f"{where}, power may never be scarce. There, the policy expects running jobs to "
                f"need less than {percent(SCARCE)} of the power that they may use, under every "
                f"bound. The lowest peak is {percent(least)} ({label(policy)}, log {log})."
            )

    def _rejected(self) -> Iterator[str]:
        jobs = sum(len(outcome.jobs) for outcome in self.outcomes)
        rejected = sum(outcome.rejected for outcome in self.outcomes)
        rounded = sum(outcome.rounded for outcome in self.outcomes)
        if rejected:
            yield (
                f"{rejected:,} of {plural(jobs, 'job run')} {_verb(rejected)} rejected: no "
                "configuration fits the nodes and the bound, or the policy refuses the job."
            )
        if rounded:
            yield (
                f"{rounded:,} of {plural(jobs, 'job run')} {_verb(rounded)} charged more than the "
                "fair share of the bound: no configuration fits within it."
            )

    def _fallbacks(self) -> Iterator[str]:
        decisions = sum(outcome.decisions for outcome in self.outcomes)
        fallbacks = sum(outcome.fallbacks for outcome in self.outcomes)
        if fallbacks:
            budget = "its search budget" if fallbacks == 1 else "their search budget"
            yield (
                f"{fallbacks:,} of {plural(decisions, 'ILP decision')} found no job to start "
                f"within {budget}, so Adaptive decided instead."
            )

    @property
    def shown(self) -> tuple[Table, ...]:
        """Turnarounds, nodes and watts, and who gains."""
        return tables_of(self)

    @cached_property
    def requests(self) -> tuple[RequestCount, ...]:
        """How often each rule applied to the requests of each log."""
        return request_counts(self.outcomes, self._from_files)

    @property
    def _from_files(self) -> tuple[str, ...]:
        logs = schedule_of(self.scenario).logs
        return tuple(log.name for log in logs if log.kind == "file")

    def to_dict(self, *, seconds: bool = False) -> dict[str, Any]:
        """Return plain values for JSON: every run with its jobs under ``policies``.

        Parameters
        ----------
        seconds
            With the time that each policy took to decide, which differs from run to run.
        """
        jobs = sum(len(outcome.jobs) for outcome in self.outcomes)
        runs = [outcome.to_dict(seconds=seconds) for outcome in self.outcomes]
        if jobs > MOST_JOBS:
            runs = [{name: value for name, value in run.items() if name != "jobs"} for run in runs]
        left_out = jobs if jobs > MOST_JOBS else 0
        return super().to_dict() | {"policies": runs, "jobs_left_out": left_out}

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


def _verb(count: int) -> str:
    return "was" if count == 1 else "were"

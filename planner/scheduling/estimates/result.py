"""What came of a log without and with tools that estimate run times, and what follows from it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from planner.replications.spread import SeedSpread, spread
from planner.scheduling.estimates.cases import CaseOutcome, EstimateCase, Waits, case_of
from planner.scheduling.estimates.settings import EstimateSettings
from planner.scheduling.estimates.tools import PredictorTool

if TYPE_CHECKING:
    from planner.scheduling.estimates.validation import Validation
    from planner.scheduling.estimates.workload import EstimateWorkload
    from scenarios.maui.settings import MauiConfiguration

Measure = Literal["mean_s", "max_s", "p95_s", "mean_bounded_slowdown"]


@dataclass(frozen=True)
class UptakeCell:
    """Result of the sampled users at one uptake and one largest error, over seeds.

    Attributes
    ----------
    uptake, error
        Share of the users that use the tool; largest error relative to the run time.
    value
        The measure of the sampled users.
    gain
        1 minus the ratio to the same users without the tool; a positive gain is an improvement.
    """

    uptake: float
    error: float
    value: SeedSpread
    gain: SeedSpread | None


@dataclass(frozen=True)
class Remains:
    """The part of the gain that is left with a predictor, if all users use it.

    Attributes
    ----------
    tool
        The predictor and its strategy.
    outcome
        Outcome of all jobs.
    gain
        Gain in the mean queue time of all jobs, against no tool; NaN where nobody waits without.
    groups
        The same of the seed groups, over seeds.
    share
        Share of the gain of exact estimates; ``None`` where these gain nothing.
    """

    tool: PredictorTool
    outcome: CaseOutcome
    gain: float
    groups: SeedSpread | None
    share: float | None


@dataclass(frozen=True, eq=False, repr=False)
class EstimateResult:
    """A log under the scheduler, without and with tools.

    Attributes
    ----------
    workload
        The jobs, on the machine.
    configuration
        Configuration of the scheduler.
    settings
        What was simulated.
    outcomes
        Outcome of each case.
    validation
        The scheduler's schedule compared with the recorded one; ``None`` if the log has no waits.
    files
        Name and SHA-256 of what was read besides the log.
    command
        Words of the command behind ``headroom``; empty for a study from Python.
    """

    workload: EstimateWorkload
    configuration: MauiConfiguration
    settings: EstimateSettings
    outcomes: Mapping[EstimateCase, CaseOutcome]
    validation: Validation | None = None
    files: tuple[tuple[str, str], ...] = ()
    command: tuple[str, ...] = ()

    @cached_property
    def no_tool(self) -> CaseOutcome:
        """Without any tool."""
        return self.outcomes[EstimateCase()]

    @cached_property
    def exact(self) -> CaseOutcome:
        """Return the outcome with exact estimates, which no tool can improve, for all jobs."""
        return self.outcomes[case_of(self.settings.oracle(0.0), 1.0, 0)]

    def group(self, seed: int, uptake: float, error: float) -> Waits:
        """Return the waits of the sampled users of one seed."""
        case = case_of(self.settings.oracle(error), uptake, seed)
        return self.outcomes[case].groups[seed]

    def values(self, uptake: float, error: float, measure: Measure = "mean_s") -> list[float]:
        """Return a measure of the sampled users for each seed; NaN where they have no jobs."""
        return [
            _number(getattr(self.group(seed, uptake, error), measure))
            for seed in self.settings.seeds
        ]

    def gains(self, uptake: float, error: float, measure: Measure = "mean_s") -> list[float]:
        """1 less the ratio of the measure to the same group without the tool, by seed."""
        return [
            _gain(_number(getattr(self.no_tool.groups[seed], measure)), value)
            for seed, value in zip(
                self.settings.seeds, self.values(uptake, error, measure), strict=True
            )
        ]

    def cells(self, measure: Measure = "mean_s") -> list[UptakeCell]:
        """Return the measure of the sampled users for each uptake and error."""
        cells = []
        for uptake in self.settings.uptakes:
            for error in self.settings.errors:
                value = spread(self.values(uptake, error, measure))
                if value is not None:
                    gain = spread(self.gains(uptake, error, measure))
                    cells.append(UptakeCell(uptake, error, value, gain))
        return cells

    @property
    def without_tool(self) -> SeedSpread | None:
        """Return the mean queue time of the sampled users without the tool [s], over seeds."""
        return spread([_number(self.no_tool.groups[s].mean_s) for s in self.settings.seeds])

    @cached_property
    def remains(self) -> tuple[Remains, ...]:
        """What each predictor leaves of the gain, the most first."""
        exact_gain = self.gain_of(self.exact)
        remaining = []
        for tool in self.settings.predictor_tools:
            outcome = self.outcomes[case_of(tool, 1.0, 0)]
            gain = self.gain_of(outcome)
            groups = [
                _gain(_number(self.no_tool.groups[s].mean_s), _number(outcome.groups[s].mean_s))
                for s in self.settings.seeds
            ]
            share = gain / exact_gain if exact_gain > 0 else None
            remaining.append(Remains(tool, outcome, gain, spread(groups), share))
        return tuple(sorted(remaining, key=lambda row: -row.gain))

    def gain_of(self, outcome: CaseOutcome, compared: CaseOutcome | None = None) -> float:
        """Return the gain in mean queue time of all jobs, against no tool or another outcome."""
        whole = (compared or self.no_tool).everybody
        return _gain(_number(whole.mean_s), _number(outcome.everybody.mean_s))

    @cached_property
    def by_group(self) -> list[dict[str, Any]]:
        """Return mean queue times over seeds [s], with and without the tool, at the least error.

        The users with the tool change with the uptake. Only the sampled users are always the same.
        """
        error = min(self.settings.errors)
        return [self.group_means(uptake, error) for uptake in self.settings.uptakes]

    def group_means(self, uptake: float, error: float) -> dict[str, Any]:
        """Mean queue times over seeds [s] of each group, for an uptake and an error."""
        groups = [
            self.outcomes[case_of(self.settings.oracle(error), uptake, seed)]
            for seed in self.settings.seeds
        ]
        row: dict[str, Any] = {"uptake": uptake, "error": error}
        group = spread(self.values(uptake, error))
        row["seed_group_s"] = None if group is None else group.mean
        for name in ("tool_users", "others", "everybody"):
            of = spread([_number(getattr(waits, name).mean_s) for waits in groups])
            row[f"{name}_s"] = None if of is None else of.mean
        return row

    @property
    def one_user(self) -> bool:
        """Whether the log has one user, so that every seed gives the same run."""
        return self.workload.users == 1

    @property
    def everybody_sampled(self) -> bool:
        """Whether the sampled users are all users, so that their jobs are all jobs."""
        return self.workload.group_size(self.workload.seed_group) >= self.workload.users

    @property
    def one_schedule(self) -> bool:
        """Return whether the answer is for 100 % uptake, where all seeds have the same schedule.

        A seed then only selects the users that are measured, so the spread does not estimate the
        error.
        """
        return max(self.settings.uptakes) == 1 and len(set(self.settings.seeds)) > 1


def _gain(before: float, after: float) -> float:
    return 1 - after / before if before > 0 else math.nan


def _number(value: float | None) -> float:
    return math.nan if value is None else value

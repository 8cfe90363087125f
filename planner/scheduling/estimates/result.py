"""What came of a log without and with tools that estimate run times, and what follows from it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from planner.scheduling.estimates.cases import CaseOutcome, EstimateCase, Waits, case_of
from planner.scheduling.estimates.settings import EstimateSettings
from planner.scheduling.estimates.spread import SeedSpread, spread
from planner.scheduling.estimates.tables import LogTables
from planner.scheduling.estimates.tools import PredictorTool

if TYPE_CHECKING:
    from planner.scheduling.estimates.validation import Validation
    from planner.scheduling.estimates.workload import EstimateWorkload
    from scenarios.maui.settings import MauiConfiguration

Measure = Literal["mean_s", "max_s", "p95_s", "mean_bounded_slowdown"]


@dataclass(frozen=True)
class UptakeCell:
    """The seed group at an uptake and a largest error, over seeds.

    Attributes
    ----------
    uptake, error
        Share of the users; relative to the run time.
    value
        The measure of the group.
    gain
        1 less the ratio to the same group without the tool: above 0 is better with it.
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
        Of all jobs.
    gain
        Of the mean queue time of all jobs, against no tool; NaN where nobody waits without.
    groups
        The same of the seed groups, over seeds.
    share
        Of the gain of exact estimates; ``None`` where these gain nothing.
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
        Of the scheduler.
    settings
        What was played.
    outcomes
        Of every case.
    log_tables
        Tables 1 to 3 of the log.
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
    log_tables: LogTables
    validation: Validation | None = None
    files: tuple[tuple[str, str], ...] = ()
    command: tuple[str, ...] = ()

    @cached_property
    def no_tool(self) -> CaseOutcome:
        """Without any tool."""
        return self.outcomes[EstimateCase()]

    @cached_property
    def exact(self) -> CaseOutcome:
        """With exact estimates for all: what no tool can do better than, in its estimates."""
        return self.outcomes[case_of(self.settings.oracle(0.0), 1.0, 0)]

    def group(self, seed: int, uptake: float, error: float) -> Waits:
        """The waits of a seed group."""
        case = case_of(self.settings.oracle(error), uptake, seed)
        return self.outcomes[case].groups[seed]

    def values(self, uptake: float, error: float, measure: Measure = "mean_s") -> list[float]:
        """A measure of the seed group, by seed; NaN where it has no jobs."""
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
        """The seed group's measure for every uptake and error."""
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
        """Mean queue time of the seed group without the tool [s], over seeds."""
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

    def gain_of(self, outcome: CaseOutcome, beside: CaseOutcome | None = None) -> float:
        """Return the gain in mean queue time of all jobs, against no tool or another outcome."""
        whole = (beside or self.no_tool).everybody
        return _gain(_number(whole.mean_s), _number(outcome.everybody.mean_s))

    @cached_property
    def by_group(self) -> list[dict[str, Any]]:
        """Mean queue times over seeds [s], with and without the tool, at the least error.

        Who has the tool changes with the uptake: only the seed group is the same users throughout.
        """
        error = min(self.settings.errors)
        rows = []
        for uptake in self.settings.uptakes:
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
            rows.append(row)
        return rows

    @property
    def one_schedule(self) -> bool:
        """Whether the answer is of 100 % uptake, where all seeds draw the same schedule.

        A seed then only says which of its users are measured: the spread is no error estimate.
        """
        return max(self.settings.uptakes) == 1 and len(set(self.settings.seeds)) > 1


def _gain(before: float, after: float) -> float:
    return 1 - after / before if before > 0 else math.nan


def _number(value: float | None) -> float:
    return math.nan if value is None else value

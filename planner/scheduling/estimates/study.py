"""What users gain by a tool that estimates run times: the study, and all that is read off it.

References
----------
Smith, Hammond and Jarvis (2011). The effect of an application performance modelling tool. UKPEW.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from planner.scheduling.estimates.cases import Case, Outcome, Waits, case_of
from planner.scheduling.estimates.settings import Settings, variants
from planner.scheduling.estimates.spread import Spread, spread
from planner.scheduling.estimates.sweep import sweep
from planner.scheduling.estimates.tables import LogTables, log_tables
from planner.scheduling.estimates.tools import PredictorTool
from planner.scheduling.simulation.wording import source
from planner.study import Study

if TYPE_CHECKING:
    from planner.scheduling.estimates.claims import Claim
    from planner.scheduling.estimates.validation import Validation
    from planner.scheduling.estimates.workload import Workload
    from scenarios.maui import MauiConfiguration

Measure = Literal["mean_s", "max_s", "p95_s", "mean_bounded_slowdown"]


@dataclass(frozen=True)
class Cell:
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
    value: Spread
    gain: Spread | None


@dataclass(frozen=True)
class Remains:
    """What a predictor leaves of the gain, all users using it.

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
    outcome: Outcome
    gain: float
    groups: Spread | None
    share: float | None


@dataclass(frozen=True, eq=False, repr=False)
class EstimateStudy(Study):
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
        The scheduler's schedule beside the recorded one; ``None`` where the log has no waits.
    files
        Name and SHA-256 of what was read besides the log.
    command
        Words of the command behind ``headroom``; empty for a study from Python.
    """

    workload: Workload
    configuration: MauiConfiguration
    settings: Settings
    outcomes: Mapping[Case, Outcome]
    log_tables: LogTables
    validation: Validation | None = None
    files: tuple[tuple[str, str], ...] = ()
    command: tuple[str, ...] = ()

    @cached_property
    def no_tool(self) -> Outcome:
        """Without any tool."""
        return self.outcomes[Case()]

    @cached_property
    def exact(self) -> Outcome:
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

    def cells(self, measure: Measure = "mean_s") -> list[Cell]:
        """The seed group's measure for every uptake and error."""
        found = []
        for uptake in self.settings.uptakes:
            for error in self.settings.errors:
                value = spread(self.values(uptake, error, measure))
                if value is not None:
                    gain = spread(self.gains(uptake, error, measure))
                    found.append(Cell(uptake, error, value, gain))
        return found

    @property
    def without_tool(self) -> Spread | None:
        """Mean queue time of the seed group without the tool [s], over seeds."""
        return spread([_number(self.no_tool.groups[s].mean_s) for s in self.settings.seeds])

    @cached_property
    def remains(self) -> tuple[Remains, ...]:
        """What each predictor leaves of the gain, the most first."""
        most = self.gain_of(self.exact)
        found = []
        for tool in self.settings.predictor_tools:
            outcome = self.outcomes[case_of(tool, 1.0, 0)]
            gain = self.gain_of(outcome)
            groups = [
                _gain(_number(self.no_tool.groups[s].mean_s), _number(outcome.groups[s].mean_s))
                for s in self.settings.seeds
            ]
            share = gain / most if most > 0 else None
            found.append(Remains(tool, outcome, gain, spread(groups), share))
        return tuple(sorted(found, key=lambda each: -each.gain))

    def gain_of(self, outcome: Outcome, beside: Outcome | None = None) -> float:
        """Of the mean queue time of all jobs, against no tool or another outcome."""
        whole = (beside or self.no_tool).everybody
        return _gain(_number(whole.mean_s), _number(outcome.everybody.mean_s))

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """What the paper claims, and what holds here."""
        from planner.scheduling.estimates.claims import claims

        return claims(self)

    @cached_property
    def weights(self) -> list[dict[str, Any]]:
        """How much hangs on the weights: a row for each variant of the configuration."""
        names = dict.fromkeys(case.variant for case in self.outcomes)
        rows = []
        for name in names:
            bare = self.outcomes[Case(variant=name)]
            exact = self.outcomes[case_of(self.settings.oracle(0.0), 1.0, 0, name)]
            rows.append(
                {
                    "weights": name,
                    "mean_wait_s": bare.everybody.mean_s,
                    "max_wait_s": bare.everybody.max_s,
                    "mean_wait_exact_s": exact.everybody.mean_s,
                    "max_wait_exact_s": exact.everybody.max_s,
                    "gain": _known(self.gain_of(exact, bare)),
                }
            )
        return rows

    @cached_property
    def by_group(self) -> list[dict[str, Any]]:
        """Mean queue times over seeds [s], with and without the tool, at the least error.

        Who has the tool changes with the uptake: only the seed group is the same users throughout.
        """
        error = min(self.settings.errors)
        rows = []
        for uptake in self.settings.uptakes:
            found = [
                self.outcomes[case_of(self.settings.oracle(error), uptake, seed)]
                for seed in self.settings.seeds
            ]
            row: dict[str, Any] = {"uptake": uptake, "error": error}
            group = spread(self.values(uptake, error))
            row["seed_group_s"] = None if group is None else group.mean
            for name in ("tool_users", "others", "everybody"):
                of = spread([_number(getattr(each, name).mean_s) for each in found])
                row[f"{name}_s"] = None if of is None else of.mean
            rows.append(row)
        return rows

    @property
    def one_schedule(self) -> bool:
        """Whether the answer is of 100 % uptake, where all seeds draw the same schedule.

        A seed then only says which of its users are measured: the spread is no error estimate.
        """
        return max(self.settings.uptakes) == 1 and len(set(self.settings.seeds)) > 1

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        from planner.scheduling.estimates.verdict import sentence

        return sentence(self)

    @property
    def confidence(self) -> str:
        """How the gain compares with the spread between seeds."""
        from planner.scheduling.estimates.verdict import confidence

        return confidence(self)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know."""
        from planner.scheduling.estimates.verdict import warnings

        return warnings(self)

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values; empty ones are left out."""
        found: dict[str, list[dict[str, Any]]] = {
            "mean queue time": [_row(each) for each in self.cells("mean_s")],
            "maximum queue time": [_row(each) for each in self.cells("max_s")],
            "claims": [asdict(each) for each in self.claims],
            "predictors": [_remains_row(each) for each in self.remains],
            "groups": self.by_group,
            "weights": self.weights if self.settings.weights else [],
            "validation": [] if self.validation is None else self.validation.rows(),
        }
        found |= self.log_tables.tables()
        return {name: rows for name, rows in found.items() if rows}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        log = self.workload.log
        return {
            "log": log.name,
            "sha256": log.sha256,
            "source": source(log),
            "machine_processors": self.workload.task.processors,
            "jobs": len(log),
            "counts": dict(log.counts),
            "users": self.workload.users,
            "seed_group_users": self.workload.group_size(self.workload.seed_group),
            "scheduler": self.configuration.name,
            "files": dict(self.files),
            "settings": self.settings.to_dict(),
            "no_tool": self.no_tool.to_dict(),
            "exact": self.exact.to_dict(),
            "tables": self.tables(),
            "summary": self.headline,
            "warnings": list(self.warnings),
        }


def estimate_study(
    workload: Workload,
    configuration: MauiConfiguration,
    settings: Settings | None = None,
    *,
    beside: str | None = None,
    folder: Path | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> EstimateStudy:
    """Play a log without and with tools.

    Parameters
    ----------
    workload
        The jobs, on a machine.
    configuration
        Of the scheduler.
    settings
        What is played.
    beside
        Which printed log of the paper to show beside this one; see
        :func:`planner.scheduling.estimates.tables.log_tables`.
    folder, workers, progress
        As for :func:`planner.scheduling.estimates.sweep.sweep`.

    Raises
    ------
    InputError
        Settings that cannot be played; a folder that cannot be written.
    """
    settings = settings or Settings()
    settings.check()
    configurations = variants(configuration, weights=settings.weights)
    outcomes = sweep(
        workload,
        configurations,
        settings.cases(configurations),
        settings.seeds,
        folder=folder,
        workers=workers,
        progress=progress,
    )
    tables = log_tables(workload.log, beside=beside)
    validation = _validation(workload, configuration)
    return EstimateStudy(workload, configuration, settings, outcomes, tables, validation)


def _validation(workload: Workload, configuration: MauiConfiguration) -> Validation | None:
    from planner.scheduling.estimates.validation import validate
    from planner.scheduling.policies.maui import Maui
    from planner.scheduling.simulation.simulate import simulate

    log = workload.log
    cut = log.killed is not None and log.killed.any()
    if cut or not (log.wait_s >= 0).any():
        return None
    found = simulate(log, Maui(configuration), processors=workload.task.processors)
    return validate(log, found.schedule)


def _row(cell: Cell) -> dict[str, Any]:
    row: dict[str, Any] = {"uptake": cell.uptake, "error": cell.error}
    row |= {f"{key}_s" if key != "seeds" else key: v for key, v in asdict(cell.value).items()}
    if cell.gain is not None:
        row |= {f"gain_{key}": v for key, v in asdict(cell.gain).items() if key != "seeds"}
    return row


def _remains_row(each: Remains) -> dict[str, Any]:
    outcome = each.outcome
    return {
        "tool": each.tool.words,
        "mean_wait_s": outcome.everybody.mean_s,
        "max_wait_s": outcome.everybody.max_s,
        "gain": _known(each.gain),
        "share_of_exact": each.share,
        "gain_groups_least": None if each.groups is None else each.groups.least,
        "gain_groups_most": None if each.groups is None else each.groups.most,
        "jobs_killed": outcome.jobs_killed,
        "kills": outcome.kills,
        "corrections": outcome.corrections,
        "lost_share_of_work": outcome.lost_share,
    }


def _gain(before: float, after: float) -> float:
    return 1 - after / before if before > 0 else math.nan


def _known(value: float) -> float | None:
    """For JSON, which has no NaN."""
    return None if math.isnan(value) else value


def _number(value: float | None) -> float:
    return math.nan if value is None else value

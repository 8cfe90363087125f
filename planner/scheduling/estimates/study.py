"""The study of what users gain from a tool that estimates run times, with all its results.

References
----------
Smith, Hammond and Jarvis (2011). The effect of an application performance modelling tool. UKPEW.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.scheduling.estimates import summary
from planner.scheduling.estimates.cases import EstimateCase, case_of
from planner.scheduling.estimates.claims import PaperClaim, claims
from planner.scheduling.estimates.result import EstimateResult, Remains, UptakeCell
from planner.scheduling.estimates.settings import EstimateSettings, variants
from planner.scheduling.estimates.sweep import sweep
from planner.scheduling.simulation.wait_text import source
from planner.worded_study import Study

if TYPE_CHECKING:
    from planner.scheduling.estimates.validation import Validation
    from planner.scheduling.estimates.workload import EstimateWorkload
    from scenarios.maui.settings import MauiConfiguration


@dataclass(frozen=True, eq=False, repr=False)
class EstimateStudy(EstimateResult, Study):
    """A log under the scheduler, without and with tools, ready to be shown.

    Its attributes are those of :class:`~planner.scheduling.estimates.result.EstimateResult`.
    """

    @cached_property
    def claims(self) -> tuple[PaperClaim, ...]:
        """What the paper claims, and what holds here."""
        return claims(self)

    @cached_property
    def weights(self) -> list[dict[str, Any]]:
        """Return how waits depend on the weights: a row for each variant of the configuration."""
        names = dict.fromkeys(case.variant for case in self.outcomes)
        rows = []
        for name in names:
            bare = self.outcomes[EstimateCase(variant=name)]
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

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        return summary.headline(self)

    @property
    def confidence(self) -> str:
        """How the gain compares with the spread between seeds."""
        return summary.confidence(self)

    @property
    def findings(self) -> tuple[str, ...]:
        """What else was found, a sentence each."""
        return tuple(summary.findings(self))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know."""
        return summary.warnings(self)

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values; empty ones are left out."""
        by_name: dict[str, list[dict[str, Any]]] = {
            "mean queue time": [_row(cell) for cell in self.cells("mean_s")],
            "maximum queue time": [_row(cell) for cell in self.cells("max_s")],
            "claims": [asdict(claim) for claim in self.claims],
            "predictors": [_remains_row(row) for row in self.remains],
            "groups": self.by_group,
            "weights": self.weights if self.settings.weights else [],
            "validation": [] if self.validation is None else self.validation.rows(),
        }
        return {name: rows for name, rows in by_name.items() if rows}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        log = self.workload.log
        return {
            "log": log.name,
            "sha256": log.sha256,
            "source": source(log),
            "machine_processors": self.workload.problem.processors,
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
            "summary": " ".join((self.headline, *self.findings)),
            "warnings": list(self.warnings),
        }


def estimate_study(
    workload: EstimateWorkload,
    configuration: MauiConfiguration,
    settings: EstimateSettings | None = None,
    *,
    keep: Path | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> EstimateStudy:
    """Simulate a log without and with tools.

    Parameters
    ----------
    workload
        The jobs, on a machine.
    configuration
        Configuration of the scheduler.
    settings
        What is simulated.
    keep, workers, progress
        As for :func:`planner.scheduling.estimates.sweep.sweep`.

    Raises
    ------
    InputError
        The settings cannot be simulated, or the folder cannot be written.
    """
    settings = settings or EstimateSettings()
    settings.check()
    configurations = variants(configuration, weights=settings.weights)
    outcomes = sweep(
        workload,
        configurations,
        settings.cases(configurations),
        settings.seeds,
        keep=keep,
        workers=workers,
        progress=progress,
    )
    validation = _validation(workload, configuration)
    return EstimateStudy(workload, configuration, settings, outcomes, validation)


def _validation(workload: EstimateWorkload, configuration: MauiConfiguration) -> Validation | None:
    from planner.scheduling.estimates.validation import validate
    from planner.scheduling.policies.maui import Maui
    from planner.scheduling.simulation.simulate import simulate

    log = workload.log
    cut = log.killed is not None and log.killed.any()
    if cut or not (log.wait_s >= 0).any():
        return None
    simulated = simulate(log, Maui(configuration), processors=workload.problem.processors)
    return validate(log, simulated.schedule)


def _row(cell: UptakeCell) -> dict[str, Any]:
    row: dict[str, Any] = {"uptake": cell.uptake, "error": cell.error}
    row |= {f"{key}_s" if key != "seeds" else key: v for key, v in asdict(cell.value).items()}
    if cell.gain is not None:
        row |= {f"gain_{key}": v for key, v in asdict(cell.gain).items() if key != "seeds"}
    return row


def _remains_row(remains: Remains) -> dict[str, Any]:
    outcome = remains.outcome
    return {
        "tool": remains.tool.words,
        "mean_wait_s": outcome.everybody.mean_s,
        "max_wait_s": outcome.everybody.max_s,
        "gain": _known(remains.gain),
        "share_of_exact": remains.share,
        "gain_groups_least": None if remains.groups is None else remains.groups.least,
        "gain_groups_most": None if remains.groups is None else remains.groups.most,
        "jobs_killed": outcome.jobs_killed,
        "kills": outcome.kills,
        "corrections": outcome.corrections,
        "lost_share_of_work": outcome.lost_share,
    }


def _known(value: float) -> float | None:
    """For JSON, which has no NaN."""
    return None if math.isnan(value) else value

"""The study of what users gain from a tool that estimates run times, with all its results.

References
----------
Smith, Hammond and Jarvis (2011). The effect of an application performance modelling tool. UKPEW.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from planner.answer import Answer
from planner.scheduling.estimates.facts import study_of
from planner.scheduling.estimates.result import EstimateResult
from planner.scheduling.estimates.settings import EstimateSettings, variants
from planner.scheduling.estimates.sweep import sweep
from planner.study import Study

if TYPE_CHECKING:
    from planner.scheduling.estimates.validation import Validation
    from planner.scheduling.estimates.workload import EstimateWorkload
    from scenarios.maui.settings import MauiConfiguration


@dataclass(frozen=True, eq=False, repr=False)
class EstimateStudy(EstimateResult, Answer):
    """A log under the scheduler, without and with tools, ready to be shown.

    Its attributes are those of :class:`~planner.scheduling.estimates.result.EstimateResult`.
    """

    def _made(self) -> Study:
        return study_of(self)


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

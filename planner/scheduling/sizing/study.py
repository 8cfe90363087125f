"""Size a machine: let the log grow, search the size, and repeat this for resampled weeks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from planner.answer import Answer
from planner.errors import InputError
from planner.scheduling.simulation.settings import SimulationSettings
from planner.scheduling.sizing.facts import study_of
from planner.scheduling.sizing.growth import grow
from planner.scheduling.sizing.periods import periods_of
from planner.scheduling.sizing.resampled_weeks import Resampled, alike, resample
from planner.scheduling.sizing.result import SizeFor, SizingResult
from planner.scheduling.sizing.sizing import bounds_of, size_for, with_size
from planner.study import Study
from scenarios.job_logs.origin import SYNTHETIC, synthetic_words

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from scenarios.job_logs.job_log import JobLog

_STREAM = 1
"""Makes these random numbers differ from those of a synthetic log with the same seed."""


@dataclass(frozen=True, eq=False, repr=False)
class SizingStudy(SizingResult, Answer):
    """A sizing, ready to be shown."""

    def _made(self) -> Study:
        return study_of(self)


def size(
    log: JobLog,
    policies: Sequence[Policy],
    settings: SizeFor,
    rules: SimulationSettings | None = None,
    *,
    workers: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> SizingStudy:
    """Size a machine for a log under each policy.

    Parameters
    ----------
    log
        The jobs; ``machine_processors`` is used only for comparison.
    policies
        Policies of the scheduler.
    settings
        The level, growth, number of resampled logs, and seed.
    rules
        Nodes, order of events, estimates, and the choice of measured jobs. ``processors`` is
        ignored.
    workers
        Number of resampled logs at once.
    progress
        Called with a message before each part.

    Raises
    ------
    InputError
        There is no policy, one is listed twice, or the machine has partitions or outages; or as
        :func:`~planner.scheduling.sizing.growth.grow` and
        :func:`~planner.scheduling.sizing.sizing.size_for`.
    PlanError
        As :func:`~planner.scheduling.simulation.simulate.simulate`.
    """
    rules = rules or SimulationSettings()
    names = [policy.name for policy in policies]
    if not names or len(set(names)) < len(names):
        raise InputError(f"policies {', '.join(names) or 'none'}: give one or more, each once")
    if rules.clusters or rules.unavailable:
        raise InputError("a machine is sized whole, without partitions and outages; leave them out")
    first, *streams = np.random.default_rng([settings.seed, _STREAM]).spawn(1 + settings.resamples)
    progress("growth")
    grown = grow(log, settings.growth, first)
    if grown.log is not log:
        grown = replace(grown, log=_named(grown.log, settings, grown.reached))
    bounds = bounds_of(grown.log, rules.node_processors)
    sizings = tuple(
        size_for(grown.log, policy, settings.level, rules, today=log, progress=progress)
        for policy in policies
    )
    periods = periods_of(log)
    resampled: tuple[Resampled, ...] = ()
    if periods is not None and settings.resamples:
        near = [(policy, sizing.nodes) for policy, sizing in zip(policies, sizings, strict=True)]
        resampled = resample(
            log, periods, settings.growth, near, settings.level, rules, streams,
            workers=workers, progress=progress,
        )  # fmt: skip
        sizings = tuple(
            with_size(sizing, draws.high, grown.log, policy, settings.level, rules)
            if sizing.nodes and draws.high and draws.high > sizing.nodes else sizing
            for sizing, draws, policy in zip(sizings, resampled, policies, strict=True)
        )  # fmt: skip
    similar = None if periods is None else alike(periods, log)
    return SizingStudy(log, grown, settings, rules, bounds, periods, similar, sizings, resampled)


def _named(log: JobLog, settings: SizeFor, reached: float) -> JobLog:
    """A grown log that says what it is."""
    growth = settings.growth
    times = f"{growth.factor:.4g}"
    base = synthetic_words(log.header) or log.file or log.name
    made = (
        f"{base}; grown to {times} times its work by {growth.by}, seed {settings.seed}; "
        f"{reached:.6g} times reached"
    )
    name = f"{log.name}, {times} times the work by {growth.by}"
    return replace(log, name=name, header={**log.header, SYNTHETIC: made})

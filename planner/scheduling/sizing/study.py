"""Size a machine: let the log grow, search the size, and repeat this for resampled weeks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.errors import InputError
from planner.scheduling.simulation.settings import SimulationSettings
from planner.scheduling.simulation.wait_text import source
from planner.scheduling.sizing import summary
from planner.scheduling.sizing.growth import grow
from planner.scheduling.sizing.periods import periods_of
from planner.scheduling.sizing.resampled_weeks import Resampled, alike, resample
from planner.scheduling.sizing.result import SizeFor, SizingResult
from planner.scheduling.sizing.sizing import bounds_of, size_for
from planner.scheduling.sizing.tables import tables
from planner.worded_study import Study

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from scenarios.job_logs.job_log import JobLog

_STREAM = 1
"""Makes these random numbers differ from those of a synthetic log with the same seed."""


@dataclass(frozen=True, eq=False, repr=False)
class SizingStudy(SizingResult, Study):
    """A sizing, ready to be shown."""

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        return summary.headline(self)

    @property
    def confidence(self) -> str:
        """How far it may be chance."""
        return summary.confidence(self)

    @property
    def findings(self) -> tuple[str, ...]:
        """What else was found, a sentence each."""
        return tuple(summary.findings(self))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know."""
        return tuple(summary.warnings(self))

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values; empty ones are left out."""
        return {name: rows for name, rows in tables(self).items() if rows}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        growth, bounds = self.settings.growth, self.bounds
        return {
            "summary": " ".join((self.headline, *self.findings, self.confidence)),
            "level": self.settings.level.to_dict(),
            "growth": {
                "asked": growth.factor,
                "reached": self.grown.reached,
                "by": growth.by,
                "thinned_by": growth.thin_by,
                "jobs_added": self.grown.added,
                "period": self.periods.word if self.periods else None,
                "whole_periods": self.periods.whole if self.periods else 0,
            },
            "log": self.log.name,
            "sha256": self.log.sha256,
            "source": source(self.log),
            "log_machine_processors": self.log.machine_processors,
            "capacity_over_log_machine": self.capacity,
            "jobs": len(self.log),
            "jobs_grown": len(self.grown.log),
            "node_processors": self.rules.node_processors,
            "event_order": self.rules.event_order,
            "seed": self.settings.seed,
            "least_nodes": bounds.fewest,
            "nodes_for_all_work": bounds.work,
            "nodes_if_all_started_at_once": bounds.largest,
            "largest_job": bounds.largest_job,
            "work_of_weeks_lag_1": self.alike,
            "sizes": [sizing.to_dict() for sizing in self.sizings],
            "resampled": [resampled.to_dict() for resampled in self.resampled],
            "counts": dict(self.log.counts),
            "warnings": list(self.warnings),
        }


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
        grown = replace(grown, log=summary.named(grown.log, settings, grown.reached))
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
    similar = None if periods is None else alike(periods, log)
    return SizingStudy(log, grown, settings, rules, bounds, periods, similar, sizings, resampled)

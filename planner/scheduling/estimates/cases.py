"""A case of the study: which tool, used by how many, under which configuration; and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.estimates.tools import Tool, per_cent
from planner.scheduling.policies.maui import MauiRun

if TYPE_CHECKING:
    from planner.scheduling.estimates.workload import EstimateWorkload
    from scenarios.maui.settings import MauiConfiguration

SHORT_RUN_S = 10
"""Shorter runs count as this in the bounded slowdown."""


@dataclass(frozen=True)
class EstimateCase:
    """One simulation.

    Attributes
    ----------
    tool
        Gives the estimates; ``None``: nobody has one.
    uptake
        Share of the users who use it.
    seed
        Seed of the order of users; ``None`` where it does not matter, as all or none use the tool.
    variant
        Variant of the scheduler's configuration.
    """

    tool: Tool | None = None
    uptake: float = 0.0
    seed: int | None = None
    variant: str = "as given"

    @property
    def key(self) -> str:
        """Name of its file."""
        tool = "no-tool" if self.tool is None else self.tool.key
        seed = "" if self.seed is None else f"-s{self.seed:03d}"
        variant = "" if self.variant == "as given" else f"-{self.variant.replace(' ', '-')}"
        return f"{tool}-u{per_cent(self.uptake)}{seed}{variant}"


def case_of(tool: Tool | None, uptake: float, seed: int, variant: str = "as given") -> EstimateCase:
    """The case; cases that are the same simulation are the same case."""
    if tool is None or uptake == 0:
        return EstimateCase(variant=variant)
    return EstimateCase(tool, uptake, None if uptake == 1 else seed, variant)


@dataclass(frozen=True)
class Waits:
    """Queue times of some jobs [s], from submission to the start of the run that was not killed.

    ``None`` of no jobs.
    """

    jobs: int
    mean_s: float | None
    p95_s: float | None
    max_s: float | None
    mean_bounded_slowdown: float | None


@dataclass(frozen=True)
class CaseOutcome:
    """The outcome of one simulated case.

    Attributes
    ----------
    groups
        Waits of the sampled users' jobs, by the seed of the order of users.
    everybody, tool_users, others
        Waits of all jobs, and of those with and without the tool.
    kills
        Number of runs that were killed because they exceeded an estimate.
    jobs_killed
        Number of jobs with at least one killed run.
    corrections
        Number of times that a job exceeded its estimate and the estimate was extended.
    lost_core_hours
        Core-hours of killed runs.
    core_hours
        Core-hours of all other runs.
    makespan_s
        From the first submission to the last end [s].
    """

    groups: Mapping[int, Waits]
    everybody: Waits
    tool_users: Waits
    others: Waits
    kills: int
    jobs_killed: int
    corrections: int
    lost_core_hours: float
    core_hours: float
    makespan_s: int

    @property
    def lost_share(self) -> float:
        """Work of killed runs over all work that was done; 0 where none was."""
        done = self.lost_core_hours + self.core_hours
        return self.lost_core_hours / done if done > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        plain["groups"] = {str(seed): asdict(waits) for seed, waits in self.groups.items()}
        return plain

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> CaseOutcome:
        """The inverse of :meth:`to_dict`."""
        made: dict[str, Any] = dict(plain)
        made["groups"] = {int(seed): Waits(**waits) for seed, waits in plain["groups"].items()}
        for name in ("everybody", "tool_users", "others"):
            made[name] = Waits(**plain[name])
        return cls(**made)


def play(
    workload: EstimateWorkload,
    configuration: MauiConfiguration,
    case: EstimateCase,
    seeds: Sequence[int],
) -> CaseOutcome:
    """Simulate a case; ``seeds`` are those whose groups are reported where the case has none."""
    jobs = workload.problem.jobs
    uses = np.zeros(len(jobs.submit), np.bool_)
    if case.tool is None:
        run = MauiRun(workload.problem, configuration, jobs.estimate.copy())
        run.advance()
    else:
        uses = workload.tool_users(case.seed or 0, case.uptake)
        run = case.tool.play(workload, configuration, uses)
    using_seeds = seeds if case.seed is None else [case.seed]
    records = run.records
    wait = records.start - jobs.submit
    killed = records.lost > 0
    attempts = int(records.attempts.sum())
    extends = run.rules.extends

    def of(chosen: NDArray[np.bool_]) -> Waits:
        return _waits(wait[chosen], jobs.run[chosen])

    return CaseOutcome(
        groups={seed: of(workload.tool_users(seed, workload.seed_group)) for seed in using_seeds},
        everybody=_waits(wait, jobs.run),
        tool_users=of(uses),
        others=of(~uses),
        kills=0 if extends else attempts,
        jobs_killed=int(killed.sum()),
        corrections=attempts if extends else 0,
        lost_core_hours=float((records.lost * jobs.processors).sum()) / 3600,
        core_hours=float((jobs.run * jobs.processors).sum()) / 3600,
        makespan_s=int((records.start + jobs.run).max() - jobs.submit[0]),
    )


def _waits(wait_s: NDArray[np.int64], run_s: NDArray[np.int64]) -> Waits:
    if not len(wait_s):
        return Waits(0, None, None, None, None)
    slowdown = np.maximum((wait_s + run_s) / np.maximum(run_s, SHORT_RUN_S), 1)
    return Waits(
        len(wait_s),
        float(wait_s.mean()),
        float(np.percentile(wait_s, 95)),
        float(wait_s.max()),
        float(slowdown.mean()),
    )

"""Every job of a run: its request, its configuration, its times, and its power and energy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.inputs.packed import packed_of
from planner.scheduling.power.problem import MS, PowerProblem, PowerSchedule
from planner.scheduling.power.results.measures import PowerMeasures
from planner.scheduling.simulation.job_measures import SLOWDOWN_BOUND_S

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class JobOutcome:
    """One job; what only a run has is ``None`` where the job was rejected.

    Attributes
    ----------
    nodes, cores_per_node, package_cap_w
        Configuration at the start.
    requested_nodes, requested_s
        Request, after its node count was rounded to one that has a configuration.
    fair_share_w
        Fair share of the bound.
    uncapped_run_s
        True run time on the requested nodes with all cores and the highest cap of the application
        in the job details table, on typical nodes [s]:
        the base of the bounded slowdown. ``None`` where no configuration is of that kind.
    charged_w, drawn_w
        Means over the run: the charge, which lending changes, and the true power, which phases
        change [W].
    energy_j
        True energy [J].
    killed
        Whether the job was ended at its deadline.
    rounded
        Whether it got more than its fair share, as it has no configuration within it.
    user
        The log's number of the user, its index among the names of a log that has names; ``None``
        where the log has no users.
    """

    job: int
    application: str
    nodes: int | None
    cores_per_node: int | None
    package_cap_w: float | None
    start_s: float | None
    turnaround_s: float | None
    submit_s: float
    end_s: float | None
    requested_nodes: int
    requested_s: float
    fair_share_w: float
    uncapped_run_s: float | None
    charged_w: float | None
    drawn_w: float | None
    energy_j: float | None
    killed: bool = False
    rounded: bool = False
    user: int | None = None

    @property
    def wait_s(self) -> float | None:
        """From submission to start [s]."""
        return None if self.start_s is None else round(self.start_s - self.submit_s, 3)

    @property
    def beyond_request(self) -> bool:
        """Whether the job ran longer than the requested time."""
        if self.start_s is None or self.end_s is None:
            return False
        return round((self.end_s - self.start_s) * MS) > round(self.requested_s * MS)

    @property
    def bounded_slowdown(self) -> float | None:
        """``max(1, turnaround / max(run time, 10 s))``; the run time is ``uncapped_run_s``.

        A policy that runs a job slowly has no smaller slowdown for it.
        """
        if self.turnaround_s is None or self.uncapped_run_s is None:
            return None
        return max(1.0, self.turnaround_s / max(self.uncapped_run_s, SLOWDOWN_BOUND_S))


def jobs_of(
    schedule: PowerSchedule, problem: PowerProblem, measured: PowerMeasures
) -> tuple[JobOutcome, ...]:
    """Return every job of the log, in order of submission."""
    jobs, details = problem.jobs, problem.details
    share_w, uncapped_s = problem.fair_share_mw / MS, uncapped_run_s(problem)
    outcomes = []
    for job, row in enumerate(schedule.row.tolist()):
        ran = bool(schedule.runs[job])
        start_ms, end_ms = int(schedule.start_ms[job]), int(schedule.end_ms[job])
        run_s = (end_ms - start_ms) / MS or 1.0  # a rejected job has neither, and NaN below
        outcomes.append(
            JobOutcome(
                job=int(jobs.number[job]),
                application=details.applications[int(jobs.application[job])],
                nodes=int(details.nodes[row]) if ran else None,
                cores_per_node=int(details.cores_per_node[row]) if ran else None,
                package_cap_w=float(details.package_cap_w[row]) if ran else None,
                start_s=start_ms / MS if ran else None,
                turnaround_s=_known(measured.turnaround_s[job]),
                submit_s=int(jobs.submit_ms[job]) / MS,
                end_s=end_ms / MS if ran else None,
                requested_nodes=int(jobs.nodes[job]),
                requested_s=int(jobs.requested_ms[job]) / MS,
                fair_share_w=float(share_w[job]),
                uncapped_run_s=None
                if np.isnan(uncapped_s[job])
                else round(float(uncapped_s[job]), 6),
                charged_w=_known(measured.charged_j[job] / run_s),
                drawn_w=_known(measured.energy_j[job] / run_s),
                energy_j=_known(measured.energy_j[job]),
                killed=bool(schedule.killed[job]),
                rounded=bool(schedule.rounded[job]),
            )
        )
    return tuple(outcomes)


def _known(value: float) -> float | None:
    """Return a number with 6 decimals, which all that are sums of milliwatts have; NaN is none."""
    return None if np.isnan(value) else round(float(value), 6)


def uncapped_run_s(problem: PowerProblem) -> Floats:
    """Return true run times as requested: all cores, highest cap of the table, typical nodes [s].

    A node count without such a configuration is rounded as a request is: to the next larger one,
    or to the largest. NaN for an application without rows. Shape ``(jobs,)``.
    """
    jobs, truth = problem.jobs, problem.truth
    time_s = np.full(len(jobs), np.nan)
    for application in np.unique(jobs.application).tolist():
        part = problem.details.rows(application)
        if part.start == part.stop:
            continue
        packed = packed_of(problem.details, application)
        mine = jobs.application == application
        index = np.minimum(np.searchsorted(packed.nodes, jobs.nodes[mine]), len(packed.nodes) - 1)
        time_s[mine] = truth.time_ms[packed.row[index]] / MS
    factor = truth.time_factor if len(truth.time_factor) else 1.0
    return time_s * jobs.time_scale * factor

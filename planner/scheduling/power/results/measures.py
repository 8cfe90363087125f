"""Measures of a power-aware schedule: turnaround, energy, and true power against the bound.

References
----------
Patki (2015), section 5.6: turnaround, utilisation of power, and users who are altruistic. Jain,
Chiu and Hawe (1984) for the fairness index.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.problem import MS, PowerProblem, PowerSchedule
from planner.scheduling.power.results.power_steps import Pieces, PowerSteps, pieces_of, power_steps

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_MWMS_PER_J = 1e6
_SAME_S = 1e-9


@dataclass(frozen=True)
class Exceedance:
    """Times at which power is above what jobs may use together.

    Attributes
    ----------
    count
        Intervals without a gap.
    largest_w
        Largest excess [W].
    duration_s
        Total length [s].
    """

    count: int
    largest_w: float
    duration_s: float


@dataclass(frozen=True, eq=False)
class PowerMeasures:
    """Measures of a schedule; arrays of shape ``(jobs,)``, NaN for jobs that did not run.

    Attributes
    ----------
    turnaround_s, wait_s
        From submission to end, and to start [s].
    mean_turnaround_s, mean_wait_s
        Means over the jobs that ran [s]; NaN if none did.
    makespan_s
        From the first submission of the log to the last end [s].
    energy_j
        True energy of each job in the meaning of the charge, killed ones up to their end [J].
    charged_j
        The same of what the job is charged [J].
    idle_energy_j
        What all nodes draw next to packages and memory over the makespan [J].
    steps
        True power and charge over time.
    mean_power_w, power_utilisation
        Mean true power over the makespan [W], and its share of what jobs may use together.
    above_by_power, above_by_charge
        Times at which true power, or the charge, is above what jobs may use together.
    fairness
        Jain's index of ``requested time / turnaround``, from ``1 / jobs`` to 1; NaN if no job ran.
    rejected, killed, rounded
        Numbers of jobs.
    """

    turnaround_s: Floats
    wait_s: Floats
    mean_turnaround_s: float
    mean_wait_s: float
    makespan_s: float
    energy_j: Floats
    charged_j: Floats
    idle_energy_j: float
    steps: PowerSteps
    mean_power_w: float
    power_utilisation: float
    above_by_power: Exceedance
    above_by_charge: Exceedance
    fairness: float
    rejected: int
    killed: int
    rounded: int

    @property
    def total_energy_j(self) -> float:
        """Energy of all jobs, idle energy excluded [J]."""
        return float(np.nansum(self.energy_j))


def measures(schedule: PowerSchedule, problem: PowerProblem) -> PowerMeasures:
    """Measure a schedule that the checker finds in order."""
    jobs, ran = problem.jobs, schedule.runs
    pieces = pieces_of(schedule, problem)
    steps = power_steps(problem, pieces)
    turnaround, wait = (
        np.where(ran, (moment - jobs.submit_ms) / MS, np.nan)
        for moment in (schedule.end_ms, schedule.start_ms)
    )
    makespan = makespan_s(schedule, problem)
    mean_power = _mean_w(steps)
    return PowerMeasures(
        turnaround_s=turnaround,
        wait_s=wait,
        mean_turnaround_s=_mean(turnaround[ran]),
        mean_wait_s=_mean(wait[ran]),
        makespan_s=makespan,
        energy_j=np.where(ran, energies_j(pieces, pieces.true_mw, len(jobs)), np.nan),
        charged_j=np.where(ran, energies_j(pieces, pieces.charge_mw, len(jobs)), np.nan),
        idle_energy_j=problem.nodes * problem.idle_mw / MS * makespan,
        steps=steps,
        mean_power_w=mean_power,
        power_utilisation=mean_power * MS / problem.jobs_mw,
        above_by_power=exceedance(steps.time_ms, steps.true_mw, problem.jobs_mw),
        above_by_charge=exceedance(steps.time_ms, steps.charge_mw, problem.jobs_mw),
        fairness=jains_index(jobs.requested_ms[ran] / MS / turnaround[ran]),
        rejected=int((~ran).sum()),
        killed=int(schedule.killed.sum()),
        rounded=int(schedule.rounded.sum()),
    )


def makespan_s(schedule: PowerSchedule, problem: PowerProblem) -> float:
    """Return the time from the first submission of the log to the last end [s]; 0 if none ran."""
    if not schedule.runs.any():
        return 0.0
    last = int(schedule.end_ms[schedule.runs].max())
    return (last - int(problem.jobs.submit_ms[0])) / MS


def energies_j(pieces: Pieces, mw: Integers, jobs: int) -> Floats:
    """Return what each job uses at the power of its pieces [J]; shape ``(jobs,)``."""
    energy = mw * (pieces.end_ms - pieces.begin_ms) / _MWMS_PER_J
    return np.bincount(pieces.job, weights=energy, minlength=jobs).astype(np.float64)


def exceedance(time_ms: Integers, mw: Integers, bound_mw: int) -> Exceedance:
    """Return how often, by how much and for how long power is above a bound."""
    over = mw > bound_mw
    begins = over & ~np.concatenate([[False], over[:-1]])
    length = np.diff(time_ms)[over].sum()
    largest = int((mw - bound_mw).max(initial=0))
    return Exceedance(int(begins.sum()), largest / MS, int(length) / MS)


def jains_index(values: Floats) -> float:
    """``(sum x)^2 / (n sum x^2)``: 1 if all are equal, ``1 / n`` if one has all; NaN for none."""
    if not len(values):
        return float("nan")
    return float(values.sum() ** 2 / (len(values) * (values**2).sum()))


@dataclass(frozen=True)
class Altruism:
    """Numbers of jobs that end sooner, alike and later than in a baseline schedule of their log.

    Jobs that do not run in both schedules count nowhere.
    """

    better: int
    same: int
    worse: int


def altruism(turnaround_s: Floats, baseline_s: Floats) -> Altruism:
    """Compare turnarounds with a baseline, as Traditional or Adaptive without a threshold.

    References
    ----------
    Patki (2015), section 5.6.3.
    """
    gain = baseline_s - turnaround_s
    both = gain[~np.isnan(gain)]
    return Altruism(
        int((both > _SAME_S).sum()),
        int((np.abs(both) <= _SAME_S).sum()),
        int((both < -_SAME_S).sum()),
    )


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _mean_w(steps: PowerSteps) -> float:
    """Return the mean true power over all steps [W]."""
    length = np.diff(steps.time_ms)
    total = int(length.sum())
    return float((steps.true_mw * length / MS).sum() / total) if total else 0.0

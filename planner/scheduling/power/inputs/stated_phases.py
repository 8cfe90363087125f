"""Power phases that a scenario states, as sequences of the truth.

A phase is a share of a job's work with watts of its own. What a job does in a phase follows from
the table as in any other: a configuration does ``1 / time`` of the work a second, so a larger
package cap speeds up all phases alike. No policy sees a phase; ``adaptive-lending-measured`` sees
what share of its charge each running job draws at the moment.

References
----------
Patki (2015), section 7.3.3: phases of applications and redistribution of power (further work).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from planner.scheduling.power.inputs.logs import PowerLog
from planner.scheduling.power.truth import PowerTruth
from scenarios.model.schedule import Schedule, ScheduleLog, SchedulePhase

_Phases = tuple[SchedulePhase, ...]
_ONE: _Phases = (SchedulePhase(work_share=1.0, power_share=1.0),)
"""The single phase of a job without phases, in a log where other jobs have phases."""


def with_phases(
    truth: PowerTruth, schedule: Schedule, log: PowerLog, applications: Sequence[str]
) -> PowerTruth:
    """Give the truth the phases of a log's jobs: their own, or those of their application.

    Parameters
    ----------
    applications
        Names, as the job details table has them.
    """
    by_name = {application.name: application.phases for application in schedule.applications}
    general = [by_name.get(name, ()) for name in applications]
    own = _own(next(stated for stated in schedule.logs if stated.name == log.name), log)
    # Each sequence once, in the order in which it first occurs: codes repeat from run to run.
    sequences = dict.fromkeys([*general, *own.values()])
    if not any(sequences):
        return truth
    index = {phases: code for code, phases in enumerate(sequences)}
    of_job = np.array([index[phases] for phases in general])[log.jobs.application]
    for job, phases in own.items():
        of_job[job] = index[phases]
    completed = [phases or _ONE for phases in sequences]
    return replace(
        truth,
        phase_first=np.cumsum([0, *map(len, completed)]),
        phase_share=np.array([phase.work_share for phases in completed for phase in phases]),
        phase_intensity=np.array([phase.power_share for phases in completed for phase in phases]),
        phase_of=of_job,
    )


def _own(stated: ScheduleLog, log: PowerLog) -> dict[int, _Phases]:
    """Return phases of listed jobs that state some, by place in the log; numbers count from 1."""
    if not any(job.phases for job in stated.jobs):
        return {}
    numbers = enumerate(log.jobs.number.tolist())
    return {
        index: phases for index, number in numbers if (phases := stated.jobs[number - 1].phases)
    }

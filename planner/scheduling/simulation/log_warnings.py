"""Warnings about missing or unused data of a log, which are shown with each headline."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from planner.formatting import plural
from scenarios.job_logs.job_log import MISSING
from scenarios.job_logs.swf_header import UNKNOWN_SIZE
from scenarios.job_logs.time_limits import without_limit
from scenarios.job_logs.unused import NOT_SIMULATED

if TYPE_CHECKING:
    from scenarios.job_logs.job_log import JobLog

FEW = 0.01
"""Share of the jobs without a time limit above which a warning says so."""
_MOST_NAMES = 5


def log_warnings(
    log: JobLog,
    *,
    given: int | None = None,
    clusters: Collection[str] = (),
    larger: int | None = None,
    limits: bool = True,
    remedy: str = "give each its own machine with --cluster PARTITION=PROCESSORS",
) -> list[str]:
    """Everything about a log that a reader of the answer must know, the gravest first.

    Parameters
    ----------
    log
        The jobs.
    given
        Processors of the machine that the user gives; by default what the log says.
    clusters
        Partitions that have a machine of their own.
    larger
        Jobs that are larger than the machine and no longer in ``log``; by default those in it.
    limits
        Whether to warn of jobs without a time limit; a study of requests has its own words.
    remedy
        What to do about partitions that share one machine.
    """
    machine = log.machine_processors if given is None else given
    warnings = [
        warning for warning in log.warnings if machine is None or UNKNOWN_SIZE not in warning
    ]
    warnings += _unlimited(log) if limits else []
    if not clusters:
        warnings += _too_large(log, machine, larger)
        warnings += _shared(log, remedy)
    return warnings + _not_simulated(log)


def _unlimited(log: JobLog) -> list[str]:
    much = without_limit(log)
    if much <= FEW * len(log):
        return []
    text = f"{plural(much, 'job')} ({_share(much, len(log))})"
    message = (
        f"{text} without a time limit: the scheduler knows their true run times, so waits look "
        "too short; set a limit with --default-limit"
    )
    return [message]


def _too_large(log: JobLog, machine: int | None, larger: int | None) -> list[str]:
    if larger is None:
        larger = 0 if machine is None else int((log.processors > machine).sum())
        jobs = len(log)
    else:
        jobs = len(log) + larger
    if 2 * larger <= jobs:
        return []
    size = "the machine" if machine is None else f"the machine of {plural(machine, 'processor')}"
    message = f"most jobs ({larger:,} of {jobs:,}) are larger than {size}"
    return [f"{message}: check its size in the header, or give --processors"]


def _shared(log: JobLog, remedy: str) -> list[str]:
    codes = np.unique(log.partition[log.partition != MISSING]).tolist()
    if len(codes) < 2:
        return []
    names = log.names.get("partition", ())
    listed = ", ".join(names[code] if names else str(code) for code in codes[:_MOST_NAMES])
    more = ", ..." if len(codes) > _MOST_NAMES else ""
    return [f"jobs of {len(codes)} partitions ({listed}{more}) share one machine; {remedy}"]


def _not_simulated(log: JobLog) -> list[str]:
    counts = {
        words.removeprefix(NOT_SIMULATED): much
        for words, much in log.counts.items()
        if words.startswith(NOT_SIMULATED)
    }
    if not counts:
        return []
    listed = ", ".join(f"{words} ({plural(much, 'job')})" for words, much in counts.items())
    return [f"the simulation ignores some of the log: {listed}; waits caused by these are missing"]


def _share(much: int, of: int) -> str:
    """A share in per cent; never 100 % where one is missing."""
    percent = 100 * much / of
    if much == of:
        return "100 %"
    return f"{min(percent, 99.9):.3g} %"

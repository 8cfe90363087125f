"""What every study of a job log states of the log: its source, its digest, and what it lacks."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import numpy as np

from planner.finding import Finding, finding, risks_of
from scenarios.formatting import clipped
from scenarios.job_logs.job_log import MISSING
from scenarios.job_logs.origin import synthetic_words
from scenarios.job_logs.swf_header import UNKNOWN_SIZE
from scenarios.job_logs.time_limits import without_limit
from scenarios.job_logs.unused import NOT_SIMULATED

if TYPE_CHECKING:
    from scenarios.job_logs.job_log import JobLog


FEW = 0.01
"""Share of the jobs without a time limit above which a warning says so."""


def log_source(log: JobLog) -> Finding:
    """The file of a log, or its model and seed; no file says that its jobs are real."""
    model, name = (synthetic_words(log.header), "text"), (log.file or log.name, "text")
    if log.sha256:
        if model[0]:
            return finding("confidence", "source-marked", log=name, model=model)
        return finding("confidence", "source-file", log=name)
    if model[0]:
        return finding("confidence", "source-synthetic", model=model)
    return finding("confidence", "source-python")


def source(log: JobLog) -> str:
    """The file of a log, or its model and seed, as the data files have it."""
    synthetic = synthetic_words(log.header)
    if log.sha256:
        called = f", which its header calls synthetic ({synthetic})" if synthetic else ""
        return f"simulated on the log in {clipped(log.file or log.name)}{called}"
    if synthetic:
        return f"simulated on a synthetic log ({synthetic})"
    return "simulated on a log that was made in Python"


def log_remarks(
    log: JobLog,
    *,
    given: int | None = None,
    clusters: Collection[str] = (),
    larger: int | None = None,
    limits: bool = True,
    remedy: str = "own-machine",
) -> Iterator[Finding]:
    """What a reader of the answer must know of a log, the gravest first.

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
        What to do about partitions that share one machine, a word of the vocabulary ``remedy``.
    """
    machine = log.machine_processors if given is None else given
    yield from risks_of(
        each for each in log.remarks if machine is None or each.kind != UNKNOWN_SIZE
    )
    unlimited = without_limit(log)
    if limits and unlimited > FEW * len(log):
        yield finding("risk", "log-unlimited", jobs=((unlimited, len(log)), "of:job"))
    if not clusters:
        yield from _too_large(log, machine, larger)
        yield from _shared(log, remedy)
    for words, much in log.counts.items():
        if words.startswith(NOT_SIMULATED):
            what = (words.removeprefix(NOT_SIMULATED), "ignored")
            yield finding("risk", "log-ignored", what=what, jobs=(much, "job"))


def _too_large(log: JobLog, machine: int | None, larger: int | None) -> Iterator[Finding]:
    if machine is None:
        return
    beyond = int((log.processors > machine).sum()) if larger is None else larger
    jobs = len(log) + (larger or 0)
    if 2 * beyond > jobs:
        yield finding("risk", "log-larger", jobs=((beyond, jobs), "of:job"),
                      machine=(machine, "processor"))  # fmt: skip


def _shared(log: JobLog, remedy: str) -> Iterator[Finding]:
    codes = np.unique(log.partition[log.partition != MISSING]).tolist()
    if len(codes) > 1:
        names = log.names.get("partition", ())
        listed = tuple(names[code] if names else str(code) for code in codes)
        yield finding("risk", "log-partitions", partitions=(listed, "text"),
                      remedy=(remedy, "remedy"))  # fmt: skip


def log_inputs(log: JobLog) -> Iterator[tuple[str, str]]:
    """Name and SHA-256 of the file of a log, if it was read from one."""
    if log.sha256:
        yield log.file or log.name, log.sha256

"""What every study of a job log states of the log: its source, its digest, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from planner.finding import Finding, finding
from planner.scheduling.simulation.log_warnings import log_warnings
from scenarios.formatting import clipped
from scenarios.job_logs.origin import synthetic_words

if TYPE_CHECKING:
    from scenarios.job_logs.job_log import JobLog


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


def log_remarks(log: JobLog, **how: Any) -> Iterator[Finding]:
    """What a reader of the answer must know of the log; as :func:`log_warnings`."""
    for text in log_warnings(log, **how):
        yield finding("risk", "remark", text=(text, "remark"))


def log_inputs(log: JobLog) -> Iterator[tuple[str, str]]:
    """Name and SHA-256 of the file of a log, if it was read from one."""
    if log.sha256:
        yield log.file or log.name, log.sha256

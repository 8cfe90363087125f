"""Jobs of texts with dates: counted from the first submission, then cleaned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from scenarios.faults import printable
from scenarios.job_logs.cleaning import Cleaning, cleaned
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.raw_jobs import RawJobs
from scenarios.job_logs.swf import log_name
from scenarios.tables.cell_text import one_line

_LEAST_UNIX_S = 1 << 28
"""Mid-1978: earlier times are counted from some zero of their own, and stay as they are."""


def counted_from_the_first(
    raw: RawJobs, clean: Cleaning | None, path: Path, file_name: str, sha256: str
) -> JobLog:
    """Apply the rules of cleaning to jobs whose submit times may be those of a calendar.

    Raises
    ------
    ScenarioError
        As ``cleaned``.
    """
    header = {}
    submitted_s = raw.submit_s[raw.submit_s >= 0]
    if len(submitted_s) and (first := int(submitted_s.min())) >= _LEAST_UNIX_S:
        header["UnixStartTime"] = str(first)
        raw = replace(raw, submit_s=np.where(raw.submit_s >= 0, raw.submit_s - first, -1))
    return cleaned(
        raw,
        clean or Cleaning(),
        file_name=file_name,
        name=log_name(path),
        header=header,
        sha256=sha256,
        file=printable(one_line(path.name)),
    )

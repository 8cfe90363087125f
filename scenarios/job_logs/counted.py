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
from scenarios.job_logs.time_rules import LEAST_UNIX_S, known_runs, known_submissions
from scenarios.tables.cell_text import one_line


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
    submit_s = known_submissions(raw.submit_s)
    known = submit_s >= 0
    if known.any() and (first := int(submit_s[known].min())) >= LEAST_UNIX_S:
        header["UnixStartTime"] = str(first)
        submit_s = np.where(known, submit_s - first, -1)
        raw = replace(raw, submit_s=submit_s, run_s=known_runs(raw.run_s))
    return cleaned(
        raw,
        clean or Cleaning(),
        file_name=file_name,
        name=log_name(path),
        header=header,
        sha256=sha256,
        file=printable(one_line(path.name)),
    )

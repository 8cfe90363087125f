"""Where the real traces lie, and lines of job logs for tests."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from scenarios.job_logs.job_log import JobLog

BROKEN = Path(__file__).parents[2] / "data" / "broken" / "job_logs"


def swf_line(number: Any = 1, submit: Any = 0, run: Any = 60, procs: Any = 4, **fields: Any) -> str:
    """A line of 18 fields; others by their number in the standard, ``f9=100``."""
    values = [number, submit, -1, run, procs, -1, -1, procs, 100, -1, 1, 3, 2, -1, 1, -1, -1, -1]
    for name, value in fields.items():
        values[int(name[1:]) - 1] = value
    return " ".join(map(str, values)) + "\n"


def different(left: JobLog, right: JobLog, *but: str) -> list[str]:
    """Attributes in which two logs differ."""
    results = []
    for field in dataclasses.fields(JobLog):
        one, other = getattr(left, field.name), getattr(right, field.name)
        same = type(one) is type(other)
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
            same = one.dtype == other.dtype and np.array_equal(one, other)
        elif same:
            same = bool(one == other)
        if not same and field.name not in (*but, "columns"):
            results.append(field.name)
    return results

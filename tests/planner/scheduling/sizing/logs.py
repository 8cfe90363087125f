"""Small logs for sizing: by hand, and of whole weeks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.scheduling.sizing.periods import WEEK_S
from scenarios.job_logs.job_log import MISSING, JobLog

Row = tuple[int, int, int, int]
"""Submit time, run time, processors, user."""


def log_of(
    rows: Sequence[Row], machine: int | None = 4, names: tuple[str, ...] = (), sha256: str = "ab"
) -> JobLog:
    submit, run, processors, user = np.array(rows, np.int64).reshape(-1, 4).T.copy()
    missing = np.full(len(rows), MISSING, np.int64)
    codes = missing.astype(np.int32)
    return JobLog(
        "made", 10 * np.arange(1, len(rows) + 1), submit, run, processors, run.copy(),
        user.astype(np.int32), codes, codes, codes, missing,
        names={"user": names} if names else {}, machine_processors=machine, sha256=sha256,
        header={"MaxProcs": str(machine)},
    )  # fmt: skip


def weekly(weeks: int, seed: int = 0, jobs: int = 60, users: int = 5, rest_s: int = 0) -> JobLog:
    """So many whole weeks, each with jobs of its own, and a rest."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = [(0, 60, 1, 0), (weeks * WEEK_S + rest_s, 60, 1, 0)]
    for week in range(weeks + bool(rest_s)):
        until = WEEK_S if week < weeks else rest_s
        for _ in range(jobs):
            submit = week * WEEK_S + int(rng.integers(1, until))
            run, size = int(rng.integers(60, 40_000)), int(rng.integers(1, 9))
            rows.append((submit, run, size, int(rng.integers(0, users))))
    return log_of(sorted(rows), 16)

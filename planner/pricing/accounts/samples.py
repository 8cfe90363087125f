"""Raw samples of the log as blocks, for estimators that need more than sums."""

from __future__ import annotations

import sqlite3

import numpy as np

from planner.errors import InputError
from planner.pricing.accounts.sums import NOBODY, OWN, unpacked
from planner.pricing.samples import PLACEBO, Blocks, blocks_of

_ALONE, _COMPANY = 0, 1


def logged_blocks(connection: sqlite3.Connection, job: int, node: int) -> Blocks:
    """Blocks of one job on one node.

    Raises
    ------
    InputError
        The log holds sums only, the samples are damaged, or the job was measured with different K.
    """
    rows = connection.execute(
        "SELECT time_us, kind, samples FROM rounds WHERE job = ? AND node = ?"
        " ORDER BY minute, number",
        (job, node),
    ).fetchall()
    if not rows:
        message = f"the log has no raw samples of job {job}"
        raise InputError(f"{message}; price it from sums, or log raw samples from the start")
    try:
        samples = [unpacked(kind, stored) for _, kind, stored in rows]
    except ValueError as error:
        message = f"samples of job {job} are damaged ({error})"
        raise InputError(f"{message}; restore the log from a backup") from None
    if len({sample.instructions.shape for sample in samples}) > 1:
        raise InputError(f"job {job} was measured with different K; price it from sums")
    places = {OWN: _ALONE, NOBODY: PLACEBO}
    return blocks_of(
        np.stack([sample.instructions for sample in samples])[:, :, :, None],
        np.stack([sample.cycles for sample in samples])[:, :, :, None],
        np.array([places.get(sample.kind, _COMPANY) for sample in samples], dtype=np.int64),
        np.array([time_us for time_us, _, _ in rows], dtype=np.float64),
        _ALONE,
        np.stack([sample.waiting for sample in samples])[:, :, None],
    )

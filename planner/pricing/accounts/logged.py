"""Sums of the log as arrays of IPC, for estimates with intervals of many jobs at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.errors import InputError
from planner.pricing.accounts.policies import EndedJob
from planner.pricing.accounts.sums import COLUMNS, PLACE
from planner.pricing.sums import Floats, PairSums, Sums

_MILLIONTHS, _PRODUCTS = 1e-6, 1e-9


def logged_sums(jobs: Sequence[EndedJob]) -> Sums:
    """Sums over the blocks of shutters, one row per job.

    Raises
    ------
    InputError
        A job ran on several nodes: its sums belong to nodes that were disturbed differently.
    """
    many = [job.name for job in jobs if len(job.nodes) > 1]
    if many:
        raise InputError(f"job {many[0]} ran on several nodes; estimate each node by itself")
    nothing = (0,) * len(COLUMNS)
    table = np.array([job.nodes[0] if job.nodes else nothing for job in jobs], dtype=np.float64)
    return _sums(table.reshape(-1, len(COLUMNS)))


def _sums(table: Floats) -> Sums:
    return Sums(
        _pair(table, "shutter_all"),
        _pair(table, "shutter_filtered"),
        _MILLIONTHS * _column(table, "shutter_all_ratio"),
        _PRODUCTS * _column(table, "shutter_all_ratio_ratio"),
    )


def _pair(table: Floats, group: str) -> PairSums:
    return PairSums(
        _column(table, f"{group}_count"),
        _MILLIONTHS * _column(table, f"{group}_co"),
        _MILLIONTHS * _column(table, f"{group}_during"),
        _PRODUCTS * _column(table, f"{group}_co_co"),
        _PRODUCTS * _column(table, f"{group}_during_during"),
        _PRODUCTS * _column(table, f"{group}_co_during"),
    )


def _column(table: Floats, name: str) -> Floats:
    return table[:, PLACE[name]]

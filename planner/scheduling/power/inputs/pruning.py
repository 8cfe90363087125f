"""Rows of a large job details table that no scheduler has a reason to choose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.inputs.packed import packed_of
from planner.scheduling.power.problem import Integers, JobDetails


def undominated_or_packed(details: JobDetails) -> NDArray[np.bool_]:
    """Flag rows that no other row of the application is better than, and all packed ones.

    A row is dropped if another one needs at most as many nodes, watts and time, and less of one
    of them; of equal rows the first is kept. A policy that chooses the fastest row within some
    nodes and watts chooses as fast a row from what is kept. Traditional needs the packed ones.
    """
    selected = np.zeros(len(details), dtype=np.bool_)
    for application in range(len(details.applications)):
        part = details.rows(application)
        columns = (details.nodes[part], details.charge_mw[part], details.time_ms[part])
        selected[part] = _undominated(np.column_stack(columns))
        selected[packed_of(details, application).row] = True
    return selected


def _undominated(points: Integers) -> NDArray[np.bool_]:
    """Flag rows that no other one is at most as large as in every column."""
    _, first = np.unique(points, axis=0, return_index=True)
    distinct = points[first]  # in lexicographic order: only earlier ones can dominate
    best = np.array(
        [not (distinct[:index] <= row).all(axis=1).any() for index, row in enumerate(distinct)],
        dtype=np.bool_,
    )
    selected = np.zeros(len(points), dtype=np.bool_)
    selected[first[best]] = True
    return selected


def only_rows(details: JobDetails, selected: NDArray[np.bool_]) -> JobDetails:
    """Return the table with some of its rows."""
    ends = np.concatenate([[0], np.cumsum(selected)])[details.first]
    return replace(
        details,
        first=ends,
        nodes=details.nodes[selected],
        cores_per_node=details.cores_per_node[selected],
        package_cap_w=details.package_cap_w[selected],
        time_ms=details.time_ms[selected],
        charge_mw=details.charge_mw[selected],
    )

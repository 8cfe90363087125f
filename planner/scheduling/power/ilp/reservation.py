"""A reservation for the first waiting job: where it ends earliest, if runs end as expected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.events.moment import PowerJob, PowerMoment
from planner.scheduling.power.ilp.candidates import expected_ms

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Reservation:
    """A planned start, and what is free then.

    Attributes
    ----------
    start_ms
        Planned start; now, if the job fits [ms].
    row
        Configuration: row of the job details table.
    nodes, charge_mw
        What the configuration needs [mW].
    end_ms
        Planned end [ms].
    free_nodes, free_mw
        What is free at the start, if nothing else starts before [mW].
    """

    start_ms: int
    row: int
    nodes: int
    charge_mw: int
    end_ms: int
    free_nodes: int
    free_mw: int


def reservation_of(now: PowerMoment, job: PowerJob, row: Integers) -> Reservation:
    """Reserve the configuration that ends first, of several the one that starts first.

    The planned end never moves back while all keep the reservation and runs end as expected. The
    job then ends at the latest as first planned, so it does not wait for ever.

    Parameters
    ----------
    row
        Configurations of the job, each of which the empty cluster can run.
    """
    ends = now.ends()
    instant = np.array([now.time_ms, *(end[0] for end in ends)])
    nodes = np.cumsum([now.free_nodes, *(end[1] for end in ends)])
    charge = np.cumsum([now.free_mw, *(end[2] for end in ends)])
    need_nodes, need_mw = now.details.nodes[row], now.details.charge_mw[row]
    # Neither sum ever falls: each suffices from its own index on, both from the later one.
    first = np.maximum(np.searchsorted(nodes, need_nodes), np.searchsorted(charge, need_mw))
    start = instant[first]
    end = start + expected_ms(job, now.details.time_ms[row])
    # The last key counts most: planned end, then start, charge, nodes and place.
    best = int(np.lexsort((row, need_nodes, need_mw, start, end))[0])
    last = int(np.searchsorted(instant, start[best], side="right")) - 1  # ends at one instant
    return Reservation(
        int(start[best]),
        int(row[best]),
        int(need_nodes[best]),
        int(need_mw[best]),
        int(end[best]),
        int(nodes[last]),
        int(charge[last]),
    )

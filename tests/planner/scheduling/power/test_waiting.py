"""The index of waiting jobs against a walk through all of them."""

from __future__ import annotations

import numpy as np

from planner.scheduling.power.loop.waiting import (
    REQUESTED,
    Least,
    Needs,
    Room,
    Way,
    add,
    drop,
    first_waiting,
    next_that_may_start,
    next_waiting,
    nobody,
)

JOBS = 300


def test_it_finds_who_may_start_as_a_walk_through_all_jobs_does() -> None:
    rng = np.random.default_rng(0)
    wish, smaller = (Way(*(rng.integers(1, 50, JOBS) for _ in range(3))) for _ in range(2))
    share_mw, requested = (rng.integers(1, 50, JOBS) for _ in range(2))
    needs = Needs(Least(wish, smaller, share_mw), requested)
    waiting, waits = nobody(JOBS), np.zeros(JOBS, np.bool_)
    for arrived in range(1, JOBS + 1):
        if rng.random() < 0.9:  # the others are rejected
            add(needs, waiting, arrived - 1)
            waits[arrived - 1] = True
        for job in np.flatnonzero(waits & (rng.random(JOBS) < 0.01)).tolist():
            drop(needs, waiting, job)
            waits[job] = False
        nodes, mw, spare_nodes, spare_mw, until_ms = rng.integers(0, 30, 5).tolist()
        room = Room(nodes, mw, spare_nodes, spare_mw, until_ms)
        may = fits(wish, room) | ((share_mw > mw) & fits(smaller, room))
        begin = int(rng.integers(0, arrived))
        assert first_waiting(waiting, arrived) == first(waits, 0, arrived)
        assert next_waiting(waiting, begin, arrived) == first(waits, begin, arrived)
        result = next_that_may_start(needs, waiting, room, begin, arrived)
        assert result == first(waits & may, begin, arrived)
        assert waiting.counters[REQUESTED] == needs.requested[waits].sum()


def fits(way: Way, room: Room) -> np.ndarray:
    beyond = (way.nodes <= room.spare_nodes) & (way.mw <= room.spare_mw)
    now = (way.nodes <= room.nodes) & (way.mw <= room.mw)
    return now & (beyond | (way.expected_ms <= room.until_ms))


def first(flags: np.ndarray, begin: int, end: int) -> int:
    indices = np.flatnonzero(flags[begin:end])
    return begin + int(indices[0]) if len(indices) else end

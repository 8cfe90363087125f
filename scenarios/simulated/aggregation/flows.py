"""Messages as fluid: each goes as fast as its stream allows and what it shares leaves it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenarios.simulated.machine import Floats
from solvers.compiled import counted, counted_entry

Booleans = NDArray[np.bool_]

_DONE = 1e-9
"""Part of a message or of a capacity that counts as none."""


@dataclass(frozen=True, eq=False)
class Flows:
    """Messages and the shared parts that they cross.

    Attributes
    ----------
    start_s
        When each begins to move data, shape ``(flows,)``.
    size_b
        Bytes, above 0; infinite for a flow that never ends.
    stream_b_s
        Rate of a flow that is alone.
    parts
        Shared parts that it crosses, shape ``(flows, crossings)``.
    weight
        Bytes that pass a part for each byte of the message, same shape; 0 where a flow crosses
        fewer parts.
    capacity_b_s
        Capacity of each part, shape ``(parts,)``.
    """

    start_s: Floats
    size_b: Floats
    stream_b_s: Floats
    parts: NDArray[np.int64]
    weight: Floats
    capacity_b_s: Floats


def ends_s(flows: Flows) -> Floats:
    """When each message has arrived; infinite flows stay infinite.

    Between two events (a start, an end) rates are max-min fair: all rise together until a flow
    reaches its stream's rate or a part is full, then the rest rise on.

    References
    ----------
    Bertsekas, Gallager (1992), Data networks, 6.5.2: max-min fair rates by progressive filling.
    """
    ends = np.full(len(flows.size_b), np.inf)
    remaining_b = flows.size_b.copy()
    waits = np.isfinite(remaining_b)
    started = np.zeros(len(remaining_b), dtype=bool)
    now = float(flows.start_s.min())
    while waits.any():
        started |= flows.start_s <= now * (1 + 1e-12)
        active = np.flatnonzero(started & (waits | np.isinf(remaining_b)))
        rate = fair_rates(flows, active)
        with np.errstate(invalid="ignore"):
            lasts = remaining_b[active] / rate
        to_come = flows.start_s[~started]
        step = min(lasts.min(initial=np.inf), to_come.min(initial=np.inf) - now)
        over = active[lasts <= step * (1 + _DONE)]
        finite = active[np.isfinite(remaining_b[active])]
        remaining_b[finite] -= step * rate[np.isfinite(remaining_b[active])]
        now += step
        ends[over], remaining_b[over], waits[over] = now, 0.0, False
    return ends


def fair_rates(flows: Flows, active: NDArray[np.int64]) -> Floats:
    """Max-min fair rates of the active flows [B/s]."""
    some = flows.parts[active], flows.weight[active], flows.stream_b_s[active]
    return _fill(*some, flows.capacity_b_s.copy())


@counted_entry
def _fill(parts: NDArray[np.int64], weight: Floats, stream: Floats, capacity: Floats) -> Floats:
    """Raise all rates together, until each has met its stream's rate or a full part."""
    room, load = capacity.copy(), np.empty_like(capacity)
    full = np.zeros(len(room), np.bool_)
    rate, rises = np.zeros(len(stream)), np.ones(len(stream), np.bool_)
    while rises.any():
        _add_up(parts, weight, rises, load)
        step = _least_step(room, load, stream - rate, rises)
        rate[rises] += step
        room -= step * load
        full |= (load > 0) & (room <= _DONE * capacity)
        for flow in np.flatnonzero(rises):
            blocked = (full[parts[flow]] & (weight[flow] > 0)).any()
            rises[flow] = not blocked and rate[flow] < stream[flow] * (1 - _DONE)
    return rate


@counted
def _add_up(parts: NDArray[np.int64], weight: Floats, rises: Booleans, load: Floats) -> None:
    """What each part has to carry for one more byte per second of each rate that rises."""
    load[:] = 0.0
    for flow in np.flatnonzero(rises):
        for crossing, part in enumerate(parts[flow]):
            load[part] += weight[flow, crossing]


@counted
def _least_step(room: Floats, load: Floats, below: Floats, rises: Booleans) -> float:
    """By how much rates can rise until the first flow or part is at its limit."""
    step = np.inf
    for part in np.flatnonzero(load > 0):
        step = min(step, room[part] / load[part])
    for flow in np.flatnonzero(rises):
        step = min(step, below[flow])
    return step

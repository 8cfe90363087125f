"""Messages as fluid: each goes as fast as its stream allows and what it shares leaves it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenarios.simulated.machine import Floats

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
        Of each part, shape ``(parts,)``.
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
    left = flows.size_b.copy()
    waits = np.isfinite(left)
    started = np.zeros(len(left), dtype=bool)
    now = float(flows.start_s.min())
    while waits.any():
        started |= flows.start_s <= now * (1 + 1e-12)
        active = np.flatnonzero(started & (waits | np.isinf(left)))
        rate = fair_rates(flows, active)
        with np.errstate(invalid="ignore"):
            lasts = left[active] / rate
        to_come = flows.start_s[~started]
        step = min(lasts.min(initial=np.inf), to_come.min(initial=np.inf) - now)
        over = active[lasts <= step * (1 + _DONE)]
        finite = active[np.isfinite(left[active])]
        left[finite] -= step * rate[np.isfinite(left[active])]
        now += step
        ends[over], left[over], waits[over] = now, 0.0, False
    return ends


def fair_rates(flows: Flows, active: NDArray[np.int64]) -> Floats:
    """Max-min fair rates of the active flows [B/s]."""
    parts, weight = flows.parts[active], flows.weight[active]
    stream = flows.stream_b_s[active]
    room = flows.capacity_b_s.copy()
    full = np.zeros(len(room), dtype=bool)
    rate = np.zeros(len(active))
    rises = np.ones(len(active), dtype=bool)
    while rises.any():
        load = np.bincount(parts[rises].ravel(), weights=weight[rises].ravel(), minlength=len(room))
        used = load > 0
        step = min((room[used] / load[used]).min(initial=np.inf), (stream - rate)[rises].min())
        rate[rises] += step
        room -= step * load
        full |= used & (room <= _DONE * flows.capacity_b_s)
        blocked = (full[parts] & (weight > 0)).any(axis=1)
        rises &= ~blocked & (rate < stream * (1 - _DONE))
    return rate

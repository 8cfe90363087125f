"""How much of the machine each user, group and queue has used, in windows of time. Compiled.

Usage = sum over i from 1 to n of window(i) decay ** i, where window 1 is the present one. Whole
processor-seconds are counted, up to the second, so that it does not matter when one looks: what
was used in the present window up to a time is ``accrued + rate * time``.

References
----------
Smith, Hammond and Jarvis (2011). The effect of an application performance modelling tool. UKPEW,
section 4.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled


class FairshareUsage(NamedTuple):
    """Use by kind (user, group, queue) and party; the last party of each kind is everybody.

    Attributes
    ----------
    accrued, rate
        Accrued use and its rate in the present window; shape ``(kinds, parties + 1)``.
    past
        Windows 2 to n, the newest first; shape ``(kinds, parties + 1, n - 1)``.
    old
        Their weighted sum.
    power
        ``decay ** i``, from 0 to n.
    """

    accrued: NDArray[np.int64]
    rate: NDArray[np.int64]
    past: NDArray[np.int64]
    old: NDArray[np.float64]
    power: NDArray[np.float64]


def nothing_used(kinds: int, parties: int, windows: int, decay: float) -> FairshareUsage:
    """Return empty arrays for this number of parties of each kind."""
    shape = (kinds, parties + 1)
    power = np.array([decay**i for i in range(windows + 1)])
    past = np.zeros((*shape, windows - 1), np.int64)
    return FairshareUsage(
        np.zeros(shape, np.int64), np.zeros(shape, np.int64), past, np.zeros(shape), power
    )


@compiled
def begin_use(usage: FairshareUsage, kind: int, party: int, processors: int, time: int) -> None:
    """Let a party of a kind use processors from a time on; or, if they are below 0, leave them."""
    # The last party is everybody, whose use is the denominator of each share.
    everybody = U(usage.rate.shape[1] - 1)
    for account in (U(party), everybody):
        # `accrued + rate * time` stays the same at `time`, so no window needs a loop over jobs.
        usage.accrued[U(kind), account] -= processors * time
        usage.rate[U(kind), account] += processors


@compiled
def used(usage: FairshareUsage, kind: int, party: int, time: int) -> float:
    """Usage at a time of the present window [processor-seconds, weighted]."""
    present = usage.accrued[U(kind), U(party)] + usage.rate[U(kind), U(party)] * time
    # The present window has the weight decay ** 1, as the sum of the paper begins at i = 1.
    weighted: float = present * usage.power[U(1)] + usage.old[U(kind), U(party)]
    return weighted


@compiled
def next_window(usage: FairshareUsage, time: int) -> None:
    """Let the present window become the second one, at a time."""
    kinds, parties = usage.rate.shape
    older = usage.past.shape[2]
    for kind in range(kinds):
        for party in range(parties):
            k, p = U(kind), U(party)
            present = usage.accrued[k, p] + usage.rate[k, p] * time
            # `rate` stays, so `accrued` lets the use of running jobs begin at 0 in the new window.
            usage.accrued[k, p] -= present
            weighted = 0.0
            # Each window moves one place on, and the oldest falls out as the last `present`.
            for i in range(older):
                present, usage.past[k, p, U(i)] = usage.past[k, p, U(i)], present
                weighted += usage.past[k, p, U(i)] * usage.power[U(i + 2)]
            usage.old[k, p] = weighted


@compiled
def nobody_used(usage: FairshareUsage) -> bool:
    """Return whether all windows are empty, and stay so."""
    if usage.rate.shape[0] == 0:
        return True
    # Each kind counts the same processor-seconds for everybody, so the first one answers for all.
    everybody = U(usage.rate.shape[1] - 1)
    rate, accrued = usage.rate[U(0), everybody], usage.accrued[U(0), everybody]
    return bool(rate == 0 and accrued == 0 and usage.old[U(0), everybody] == 0)

"""Gains and losses of users when nodes are shared: bills, waits and turnarounds by user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from planner.sharing_nodes.queues.bills import Bills
from planner.sharing_nodes.queues.measures import SharedMeasures
from planner.sharing_nodes.queues.problem import Floats, Integers, SharedJobs

_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class UserTable:
    """One value per user, of the users' measured jobs; shape ``(users,)``.

    Attributes
    ----------
    user
        Code of the user, ascending; -1 for jobs without one.
    jobs
        Measured jobs.
    before_su
        Bill in the baseline, where each job runs alone on whole nodes [SU].
    after_su
        Bill with shared nodes, by policy [SU].
    wait_before_s, wait_after_s, turnaround_before_s, turnaround_after_s
        Means over the user's jobs [s].
    """

    user: Integers
    jobs: Integers
    before_su: Floats
    after_su: Mapping[str, Floats]
    wait_before_s: Floats
    wait_after_s: Floats
    turnaround_before_s: Floats
    turnaround_after_s: Floats

    def __len__(self) -> int:
        return len(self.user)


@dataclass(frozen=True)
class Sides:
    """How many users, or jobs, gain and lose by a policy.

    Attributes
    ----------
    pays_less, pays_same, pays_more
        Users by bill after against before.
    largest_rise
        Largest rise of a bill, as a share of the bill before; 0 if none rises.
    sooner, later
        Users by mean turnaround after against before.
    pays_more_and_later
        Users who lose in both ways.
    """

    policy: str
    pays_less: int
    pays_same: int
    pays_more: int
    largest_rise: float
    sooner: int
    later: int
    pays_more_and_later: int

    @property
    def count(self) -> int:
        """All of them."""
        return self.pays_less + self.pays_same + self.pays_more


def user_table(
    jobs: SharedJobs,
    before: tuple[SharedMeasures, Bills],
    after: tuple[SharedMeasures, Mapping[str, Bills]],
) -> UserTable:
    """Compare the users' measured jobs, those that ran both before and after.

    Parameters
    ----------
    before
        The baseline's measures and bills.
    after
        Measures with shared nodes, and bills by policy.
    """
    (measures, bill), (shared, policies) = before, after
    counted = ~np.isnan(measures.wait_s) & ~np.isnan(shared.wait_s)
    user, code = np.unique(jobs.user[counted], return_inverse=True)
    number = np.bincount(code, minlength=len(user))

    def summed(values: Floats) -> Floats:
        return np.bincount(code, weights=values[counted], minlength=len(user)).astype(np.float64)

    return UserTable(
        user=user,
        jobs=number.astype(np.int64),
        before_su=summed(bill.price_su),
        after_su={name: summed(priced.price_su) for name, priced in policies.items()},
        wait_before_s=summed(measures.wait_s) / number,
        wait_after_s=summed(shared.wait_s) / number,
        turnaround_before_s=summed(measures.turnaround_s) / number,
        turnaround_after_s=summed(shared.turnaround_s) / number,
    )


def sides(table: UserTable, policy: str) -> Sides:
    """Return how many users gain and lose by a policy."""
    return sides_of(
        policy,
        (table.before_su, table.after_su[policy]),
        (table.turnaround_before_s, table.turnaround_after_s),
    )


def sides_of(
    policy: str, bills_su: tuple[Floats, Floats], turnarounds_s: tuple[Floats, Floats]
) -> Sides:
    """Return how many gain and lose, by their bills and turnarounds before and after."""
    (before_su, after_su), (before_s, after_s) = bills_su, turnarounds_s
    change, time = after_su - before_su, after_s - before_s
    small = _SAME * np.maximum(before_su, 1.0)
    more, later = change > small, time > _SAME
    share = change / np.where(before_su > 0, before_su, np.inf)
    return Sides(
        policy,
        pays_less=int((change < -small).sum()),
        pays_same=int((np.abs(change) <= small).sum()),
        pays_more=int(more.sum()),
        largest_rise=float(max(share.max(initial=0.0), 0.0)),
        sooner=int((time < -_SAME).sum()),
        later=int(later.sum()),
        pays_more_and_later=int((more & later).sum()),
    )

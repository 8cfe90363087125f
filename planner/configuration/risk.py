"""What repetitions of a configuration say of the risk in choosing it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from planner.configuration.selection import Bound
from planner.configuration.table import Configuration
from planner.configuration.wording import seconds, watts
from scenarios.measurements import Runs

WIDE = 1.2
"""Repetitions that differ by more than this factor are pointed out."""


@dataclass(frozen=True)
class Risk:
    """The repetitions of one configuration.

    Attributes
    ----------
    repetitions
        How many runs there are of it; with one, nothing is known of its spread.
    best_s, median_s, worst_s
        Run times of the fastest, the middle and the slowest [s].
    largest_power_w
        Power of the repetition that drew most [W].
    runs_over_bound
        How many of them drew more than the bound.
    """

    repetitions: int
    best_s: float
    median_s: float
    worst_s: float
    largest_power_w: float
    runs_over_bound: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def doubts(
    application: str, chosen: Configuration, seen: Risk, bound_w: float, *, predicted: bool = False
) -> list[str]:
    """What the repetitions of a chosen configuration warn of."""
    found, name = [], f"{application} {chosen}"
    remedy = (
        "leave a larger guard band"
        if predicted
        else ("choose by --repetition worst, or with a guard band")
    )
    if seen.runs_over_bound:
        found.append(
            f"{name}: {seen.runs_over_bound} of its {seen.repetitions} repetitions drew more "
            f"than {watts(bound_w)}, up to {watts(seen.largest_power_w)}; {remedy}."
        )
    if seen.worst_s > WIDE * seen.best_s:
        found.append(
            f"{name}: its repetitions took {seconds(seen.best_s)} to {seconds(seen.worst_s)}; the "
            "slowest may have met a straggling node."
        )
    return found


def risk(runs: Runs, chosen: Configuration, bound_w: float) -> Risk:
    """Look at all repetitions of a configuration.

    Raises
    ------
    LookupError
        It was never run.
    """
    same = (
        (runs.nodes == chosen.nodes)
        & (runs.cores_per_node == chosen.cores_per_node)
        & (runs.package_cap_w == chosen.package_cap_w)
    )
    if not same.any():
        raise LookupError(f"{chosen} was never run")
    times, powers = runs.time_s[same], runs.power_w[same]
    return Risk(
        int(same.sum()),
        float(times.min()),
        float(np.median(times)),
        float(times.max()),
        float(powers.max()),
        int((~Bound(bound_w).holds(powers)).sum()),
    )

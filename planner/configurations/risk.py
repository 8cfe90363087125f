"""The risk in choosing a configuration, from its repeated runs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from planner.configurations.selection import Bound
from planner.configurations.table import Configuration, groups, median_run
from scenarios.measurements.runs import Runs
from scenarios.measurements.spread import RepetitionSpread, Straggler

WIDE = 1.2
"""A warning is given for repetitions that differ by more than this factor."""


@dataclass(frozen=True)
class Risk:
    """The repetitions of one configuration.

    Attributes
    ----------
    repetitions
        How many runs there are of it; with one, nothing is known of its spread.
    best_s, median_s, worst_s
        Run times of the fastest run, the median run
        (:func:`~planner.configurations.table.median_run`) and the slowest run [s].
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

    @property
    def wide(self) -> bool:
        """Whether the slowest run took 20 % longer than the fastest: perhaps on a slow node."""
        return self.worst_s > WIDE * self.best_s


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
    repetitions = runs.take(same)
    times, powers = repetitions.time_s, repetitions.power_w
    return Risk(
        int(same.sum()),
        float(times.min()),
        float(times[median_run(groups(repetitions)[0])]),
        float(times.max()),
        float(powers.max()),
        int((~Bound(bound_w).holds(powers)).sum()),
    )


def of_chosen(
    spreads: Sequence[RepetitionSpread], chosen: Collection[tuple[str, Configuration]]
) -> list[Straggler]:
    """Return the slow runs of some configurations, each given with its application."""
    keys = {(name, (each.nodes, each.cores_per_node, each.package_cap_w)) for name, each in chosen}
    slow = (straggler for spread in spreads for straggler in spread.stragglers)
    return [each for each in slow if (each.application, each.configuration) in keys]

"""The risk in choosing a configuration, from its repeated runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from planner.configurations.selection import Bound
from planner.configurations.table import Configuration, Repetition, groups, median_run
from planner.formatting import percent, plural, run_times, spanned, watts, words
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def time_words(time_s: float, seen: Risk | None, repetition: Repetition) -> tuple[str, str]:
    """Format a time, and in brackets which run took it, with the median and the fastest run.

    Both have equal digits. The brackets are empty where there was one run or none.

    Examples
    --------
    >>> three = Risk(3, 6.049253, 6.06, 6.244, 3419.0, 0)
    >>> " ".join(time_words(6.06, three, "median"))
    '6.060 s (median of 3 runs; fastest 6.049 s)'
    """
    if seen is None or seen.repetitions == 1:
        return run_times(time_s)[0], ""
    time, fastest, median = run_times(time_s, seen.best_s, seen.median_s)
    of = f"of {seen.repetitions} runs"
    every: dict[Repetition, str] = {
        "median": f"(median {of}; fastest {fastest})",
        "best": f"(fastest {of}; median {median})",
        "worst": f"(slowest {of}; median {median}, fastest {fastest})",
    }
    return time, every[repetition]


def other_run(repetition: Repetition) -> tuple[str, Callable[[Risk], float]]:
    """Return heading and time [s] of the run that is shown next to the representative one."""
    if repetition == "median":
        return "fastest run", lambda seen: seen.best_s
    return "median run", lambda seen: seen.median_s


def repetition_warnings(
    application: str, chosen: Configuration, seen: Risk, bound_w: float
) -> list[str]:
    """List the warnings that follow from the repetitions of a chosen configuration."""
    warnings = []
    name = (
        f"{application} on {plural(chosen.nodes, 'node')} x "
        f"{plural(chosen.cores_per_node, 'core')} per node, package cap {chosen.package_cap_w:g} W"
    )
    remedy = "Use --repetition worst or --guard to stay below the bound."
    if seen.runs_over_bound:
        warnings.append(
            f"{name}: {seen.runs_over_bound} of {seen.repetitions} runs drew more than "
            f"{watts(bound_w)}, up to {watts(seen.largest_power_w)}. {remedy}"
        )
    if seen.wide:
        fastest, slowest = run_times(seen.best_s, seen.worst_s)
        warnings.append(
            f"{name}: its runs took {spanned(fastest, slowest)}. The slowest run may have used a "
            "slow node."
        )
    return warnings


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


def slow_runs(
    spreads: Sequence[RepetitionSpread], best: Collection[tuple[str, Configuration]]
) -> list[str]:
    """Count the unusually slow runs of all applications, as a risk; nothing without any.

    It also says whether they are runs of the ``best`` configurations.
    """
    slow = [straggler for spread in spreads for straggler in spread.stragglers]
    if not slow:
        return []
    touched = list(dict.fromkeys(each.application for each in of_chosen(spreads, best)))
    whose = "the best configuration" if len(best) == 1 else "a best configuration"
    if touched and len(best) > 1:
        whose = f"the best configuration of {words(touched)}"
    none = "It is not a run" if len(slow) == 1 else "None is a run"
    some = "It is a run" if len(slow) == 1 else "Some are runs"
    where = f"{some if touched else none} of {whose}."
    repeated = sum(spread.runs for spread in spreads)
    verb = "run is" if len(slow) == 1 else "runs are"
    most = percent(max(straggler.ratio for straggler in slow) - 1)
    line = f"{len(slow):,} of {repeated:,} repeated {verb} unusually slow: up to {most} above the "
    return [f"{line}best run of the same configuration. {where} A slow node may be the cause."]


def how_often(risks: Sequence[Risk]) -> list[str]:
    """State how often several configurations were run, and how far their runs lie apart."""
    if not risks:
        return []
    counts = sorted({seen.repetitions for seen in risks})
    fewest = "" if len(counts) == 1 else f"{counts[0]:,} to "
    widest = max(seen.worst_s / seen.best_s - 1 for seen in risks)
    spread = f"; the slowest run is at most {percent(widest, 'up')} above the fastest"
    often = f"{fewest}{plural(counts[-1], 'time')}"
    return [f"Each of them was run {often}{spread if counts[-1] > 1 else ''}."]

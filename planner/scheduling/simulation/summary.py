"""Which policy makes jobs wait least, and whether that may be chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.formatting import plural, seconds
from planner.scheduling.simulation.batch_means import BATCHES, MeanInterval
from planner.scheduling.simulation.wait_text import (
    apart,
    interval_ends,
    jobs,
    longest,
    share,
    source,
)

if TYPE_CHECKING:
    from planner.scheduling.simulation.comparison import PolicyComparison
    from planner.scheduling.simulation.result import SimulationResult


def headline(study: SimulationResult) -> str:
    """The answer in one sentence."""
    machine = study.simulations[0].schedule.machine_processors
    where = f"{study.log.name} on {plural(machine, 'processor')}"
    how = source(study.log)
    order = study.ranking
    if not order:
        if study.counted[0].rejected and not study.simulations[0].schedule.started.any():
            return f"No job of {where} starts: each asks for more processors; {how}."
        return f"No measured job of {where} starts; {how}."
    best = study.measures[order[0]]
    wait, use = best.wait_s, best.utilisation
    if wait is None:
        return ""
    text = "" if use is None else f", and {share(use)} of the machine is used"
    if len(order) == 1:
        return (
            f"Under {best.policy}, {where}: jobs wait {seconds(wait.mean)} on average, "
            f"{longest(wait, best.jobs)}{text}; {how}."
        )
    second = study.measures[order[1]]
    next_wait = second.wait_s.mean if second.wait_s else 0.0
    if next_wait == wait.mean:
        beside = f"{seconds(wait.mean)} on average, as under {second.policy}"
    else:
        beside = (
            f"{seconds(wait.mean)} on average, {apart(wait.mean, next_wait)} less than under "
            f"{second.policy}, the next"
        )
    return (
        f"Of {len(order)} policies, {best.policy} makes jobs wait least: {beside}; {where}, "
        f"{how}.{_turnarounds(study)}"
    )


def _turnarounds(study: SimulationResult) -> str:
    """Return which policy is best by turnaround, where waits do not compare."""
    if not molded(study):
        return ""
    means = {
        measure.policy: measure.turnaround_s.mean
        for measure in study.measures
        if measure.turnaround_s
    }
    policy, second = sorted(means, key=lambda name: means[name])[:2]
    return (
        f" Runs are not alike, so turnarounds decide: {policy} is best with "
        f"{seconds(means[policy])} on average, {apart(means[policy], means[second])} less than "
        f"{second}."
    )


def difference(study: SimulationResult, comparison: PolicyComparison) -> str:
    """How far two mean waits are apart: as the shown means are, where it is of the same jobs."""
    mean = abs(comparison.differences["wait"].mean)
    waits = {measure.policy: measure.wait_s.mean for measure in study.measures if measure.wait_s}
    if comparison.first in waits and comparison.second in waits:
        one, other = waits[comparison.first], waits[comparison.second]
        if abs(abs(other - one) - mean) <= 1e-6 * max(one, other):
            return apart(one, other)
    return seconds(mean)


def confidence(study: SimulationResult) -> str:
    """Return whether the answer may be chance."""
    order = study.ranking
    if not order:
        return ""
    if len(order) == 1:
        return _of_one(study.mean_wait)
    best, second = (study.measures[index].policy for index in order[:2])
    if study.lead is None:
        fewest = 2 * BATCHES
        counted = jobs(study.measures[order[0]].jobs)
        return (
            f"{counted} are too few for an interval, which takes {fewest}: the order of the "
            "policies may be chance."
        )
    interval = study.lead.differences["wait"]
    if interval.mean == 0 and interval.half_width == 0:
        return f"In every batch of jobs the waits under {best} and {second} are alike."
    if interval.tells_apart:
        but = ", unless the interval is too narrow: see the warning" if interval.warning else ""
        return (
            f"Under {second} jobs wait {seconds(interval.low)} to {seconds(interval.high)} longer "
            f"({_percent(interval)} interval by batch means): more than chance{but}."
        )
    return (
        f"Under {second} jobs wait between {' and '.join(interval_ends(interval))} "
        f"({_percent(interval)} interval by batch means): that may be chance."
    )


def molded(study: SimulationResult) -> list[str]:
    """That waits do not compare where jobs ran longer or shorter for what they were given."""
    messages = []
    for measure, schedule in zip(study.measures, study.counted, strict=True):
        changed = int((schedule.processors != schedule.asked_processors).sum())
        if not changed:
            continue
        means = ", ".join(
            f"{seconds(other.turnaround_s.mean)} under {other.policy}"
            for other in study.measures
            if other.turnaround_s
        )
        messages.append(
            f"under {measure.policy} {changed:,} of {jobs(len(schedule))} ran on other processors "
            "than they asked for, and longer or shorter as an assumed speedup says: compare mean "
            f"turnarounds ({means}), not waits"
        )
    return messages


def starving(study: SimulationResult) -> list[str]:
    """That EASY++ as published may starve jobs, with its longest wait."""
    return [
        f"easy++ as published can starve jobs: its longest wait is "
        f"{seconds(measure.wait_s.largest)}; "
        "easy++-pass adds a scheduling pass at corrections of predictions"
        for measure in study.measures
        if measure.policy == "easy++" and measure.estimates == "tsafrir" and measure.wait_s
    ]


def _of_one(mean: MeanInterval | None) -> str:
    if mean is None:
        return f"Fewer than {2 * BATCHES} jobs are too few for an interval of the mean wait."
    return (
        f"The {_percent(mean)} interval of the mean wait by batch means is "
        f"{seconds(max(0.0, mean.low))} to {seconds(mean.high)}."
    )


def _percent(interval: MeanInterval) -> str:
    return f"{100 * interval.confidence:g} %"

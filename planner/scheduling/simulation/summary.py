"""Which policy makes jobs wait least, and whether that may be chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.formatting import capitalised, own_unit, spanned, words
from planner.replications.batch_means import BATCHES, MeanInterval
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.trimming import ALL_JOBS
from planner.scheduling.simulation.wait_text import apart, jobs, longest, one_unit, share, source

if TYPE_CHECKING:
    from planner.scheduling.simulation.comparison import PolicyComparison
    from planner.scheduling.simulation.result import SimulationResult


def headline(study: SimulationResult) -> str:
    """The answer in one sentence."""
    order = study.ranking
    if not order:
        if study.counted[0].rejected and not study.simulations[0].schedule.started.any():
            return f"No job of {study.log.name} starts: each needs more processors than there are."
        return f"No measured job of {study.log.name} starts."
    best = study.measures[order[0]]
    wait = best.wait_s
    if wait is None:
        return ""
    name = in_prose(best.policy)
    if len(order) == 1:
        return f"Under {name} the mean wait is {own_unit(wait.mean)}."
    ranked = [study.measures[index] for index in order]
    return _ranked("wait", {item.policy: item.wait_s.mean for item in ranked if item.wait_s})


def _ranked(quantity: str, means_s: dict[str, float]) -> str:
    """Return which of several policies have the least mean, and the next one's."""
    ranked = sorted(means_s, key=lambda policy: means_s[policy])  # stable: ties keep their order
    shortest_s = means_s[ranked[0]]
    best = [in_prose(policy) for policy in ranked if means_s[policy] == shortest_s]
    if len(best) == len(ranked):
        return f"The mean {quantity} is equal under {words(best)}: {own_unit(shortest_s)}."
    following = ranked[len(best)]
    one, other = one_unit(shortest_s, means_s[following])
    verb = "has" if len(best) == 1 else "tie for"
    against = f"{one}, against {other}"
    if one == other:
        against = f"{one}, {apart(shortest_s, means_s[following])} less than"
    return (
        f"{capitalised(words(best))} {verb} the shortest mean {quantity}: {against} under "
        f"{in_prose(following)}."
    )


def findings(study: SimulationResult) -> list[str]:
    """What else the answer rests on: long waits and use under the best, and turnarounds."""
    order = study.ranking
    if not order:
        return []
    best = study.measures[order[0]]
    if best.wait_s is None:
        return []
    text = f"Under {in_prose(best.policy)} {longest(best.wait_s, best.jobs)}"
    if best.utilisation is not None:
        text += f"; utilisation is {share(best.utilisation)}"
    return [f"{text}.", *turnarounds(study)]


def measured_jobs(study: SimulationResult) -> str:
    """Return which jobs warm-up and cool-down leave out; empty where none were requested."""
    measured, schedule = study.measured, study.simulations[0].schedule
    if measured.rule == ALL_JOBS:
        return ""
    index = measured.jobs.nonzero()[0]
    total = len(schedule)
    first, last = (int(index[0]), int(index[-1])) if len(index) else (total, total - 1)
    by_mser = study.settings.trim.warm_up is None
    omitted = []
    if first:
        span_s = int(schedule.submit_s[min(first, total - 1)] - schedule.submit_s[0])
        found = ", found by MSER-5" if by_mser else ""
        omitted.append(
            f"the first {_jobs_of(first)} (warm-up{found}: {own_unit(span_s)} of submissions)"
        )
    if total - 1 - last:
        omitted.append(f"the last {_jobs_of(total - 1 - last)} (cool-down)")
    none = "MSER-5 finds no warm-up. " if by_mser and not first else ""
    if not omitted:
        return none + (
            "The only job is measured." if total == 1 else f"All {jobs(total)} are measured."
        )
    counted = int(measured.jobs.sum())
    one = first + total - 1 - last == 1
    return (
        f"{none}{capitalised(words(omitted))} {'is' if one else 'are'} simulated but not measured; "
        f"{jobs(counted)} {'is' if counted == 1 else 'are'} measured."
    )


def _jobs_of(number: int) -> str:
    return "job" if number == 1 else jobs(number)


def turnarounds(study: SimulationResult) -> list[str]:
    """Return which policy is best by turnaround, where waits do not compare."""
    if not molded(study):
        return []
    means = {
        measure.policy: measure.turnaround_s.mean
        for measure in study.measures
        if measure.turnaround_s
    }
    if len(means) < 2:
        return []
    ranked = _ranked("turnaround", means)
    return [f"{ranked} Runs differ between the policies, so turnarounds decide."]


def difference(comparison: PolicyComparison) -> str:
    """How far two mean waits are apart, in a person's unit."""
    return own_unit(abs(comparison.differences["wait"].mean))


def confidence(study: SimulationResult) -> str:
    """Return where the jobs are from, and whether the answer may be chance."""
    return f"{capitalised(source(study.log))}. {chance(study)}".strip()


def chance(study: SimulationResult) -> str:
    """Return whether the order of the best two policies may be chance."""
    order = study.ranking
    if not order:
        return ""
    if len(order) == 1:
        return _of_one(study.mean_wait)
    best, second = (in_prose(study.measures[index].policy) for index in order[:2])
    if study.lead is None:
        counted = study.measures[order[0]].jobs
        verb = "is" if counted == 1 else "are"
        return (
            f"{capitalised(jobs(counted))} {verb} too few for a confidence interval (at least "
            f"{2 * BATCHES}): the order of the policies may be chance."
        )
    interval = study.lead.differences["wait"]
    if interval.mean == 0 and interval.half_width == 0:
        return f"The waits under {best} and {second} are equal in every batch of jobs."
    if interval.tells_apart:
        but = ", unless the interval is too narrow (see the warning)" if interval.warning else ""
        low, high = one_unit(interval.low, interval.high)
        return (
            f"The mean wait under {second} is {spanned(low, high)} longer ({_percent(interval)} "
            f"interval, batch means): more than chance{but}."
        )
    low, high = one_unit(abs(interval.low), abs(interval.high))
    return (
        f"Under {second} the mean wait is between {low} {_longer(interval.low)} and {high} "
        f"{_longer(interval.high)} ({_percent(interval)} interval, batch means): this may be "
        "chance."
    )


def _longer(difference_s: float) -> str:
    return "shorter" if difference_s < 0 else "longer"


def molded(study: SimulationResult) -> list[str]:
    """That waits do not compare where jobs ran longer or shorter for what they were given."""
    messages = []
    for measure, schedule in zip(study.measures, study.counted, strict=True):
        changed = int((schedule.processors != schedule.asked_processors).sum())
        if not changed:
            continue
        others = [other for other in study.measures if other.turnaround_s]
        times = one_unit(*(other.turnaround_s.mean for other in others if other.turnaround_s))
        means = ", ".join(
            f"{time} under {in_prose(other.policy)}"
            for time, other in zip(times, others, strict=True)
        )
        messages.append(
            f"under {in_prose(measure.policy)} {changed:,} of {jobs(len(schedule))} ran on other "
            "processor counts than requested; an assumed speedup sets their run times. Compare "
            f"mean turnarounds ({means}), not waits"
        )
    return messages


def starving(study: SimulationResult) -> list[str]:
    """That EASY++ as published may starve jobs, with its longest wait."""
    return [
        f"EASY++ as published can starve jobs: its longest wait is "
        f"{own_unit(measure.wait_s.largest)}. "
        "easy++-pass adds a scheduling pass when predictions are corrected"
        for measure in study.measures
        if measure.policy == "easy++" and measure.estimates == "tsafrir" and measure.wait_s
    ]


def _of_one(mean: MeanInterval | None) -> str:
    if mean is None:
        return f"A confidence interval of the mean wait takes at least {2 * BATCHES} jobs."
    if mean.low <= 0 < mean.high:
        return (
            f"The {_percent(mean)} interval of the mean wait is 0 to {own_unit(mean.high)} (batch "
            "means; cut at 0, as no wait is negative)."
        )
    low, high = one_unit(max(0.0, mean.low), mean.high)
    ends = spanned(low, high)
    return f"The {_percent(mean)} interval of the mean wait is {ends} (batch means)."


def _percent(interval: MeanInterval) -> str:
    return f"{100 * interval.confidence:g} %"

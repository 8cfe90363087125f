"""Why shared nodes change a queue, what the other rules do, and what the figures rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from planner.formatting import capitalised, given, percent, plural
from planner.scheduling.shared.replications import REVENUE
from planner.study import Explanation

if TYPE_CHECKING:
    from planner.colocation.queue_laws import SharingLaw
    from planner.colocation.queue_load import LoadResult
    from planner.scheduling.shared.replications import MeasureChange

_SEARCH = "partner search"
_FAIR = "fair price"
_MOST_ALTERNATIVES = 3
_LEAST, _MOST = 0.01, 10.0
"""Ratios beyond which the ends of an interval are not written out."""
_MEANINGS = {
    "first fit": "the first partner that gains; guarantees no speed",
    "rolling matching": "the best pairs of the whole queue",
    "partner search, oracle gains": "true speeds known",
}


class SharedQueue(Protocol):
    """The parts of a study that explain its headline."""

    @property
    def law(self) -> SharingLaw:
        """Speeds that scores follow, and those that decisions rest on."""
        ...

    @property
    def floor(self) -> float:
        """Least relative speed that users accept."""
        ...

    @property
    def results(self) -> tuple[LoadResult, ...]:
        """By offered load."""
        ...

    @property
    def first(self) -> LoadResult:
        """The first load."""
        ...


def explanation_of(study: SharedQueue) -> Explanation:
    """Return what the first page adds to the headline."""
    return Explanation(
        reasons=tuple(_reasons(study.first)),
        alternatives=tuple(_alternatives(study.first)),
        robustness=tuple(_robustness(study)),
        assumptions=tuple(_assumptions(study)),
        next_steps=tuple(_next_steps(study.first)),
    )


def _reasons(result: LoadResult) -> Iterator[str]:
    yield (
        "On whole nodes, EASY starts the first job of the queue as soon as it fits. Later jobs may "
        "start before it if they do not delay it."
    )
    jobs, shared = (result.change(_SEARCH, name).after for name in ("jobs", "shared_jobs"))
    share = f"; {percent(shared / jobs)} of the jobs share nodes" if jobs else ""
    yield f"Partner search lets a job join the best partner for which sharing pays{share}."
    wait = result.change(_SEARCH, "mean_wait_s")
    if wait.ratio is not None and wait.low is not None and wait.high is not None:
        yield (
            f"The wait with partner search over that on whole nodes is {wait.ratio:.2f} (geometric "
            f"mean over mappings, 95 % interval {_low(wait.low)} to {_high(wait.high)})."
        )
    work = result.change(_SEARCH, "throughput")
    yield (
        f"A node-hour does {percent(work.after)} of the work of a node-hour on whole nodes"
        f"{chance_of(work)}."
    )
    revenue = result.change(_SEARCH, f"{REVENUE}{_FAIR}")
    if revenue.ratio is not None:
        yield (
            f"Revenue at fair prices, with discounts for lost speed, is {percent(revenue.ratio)} "
            f"of that on whole nodes{chance_of(revenue)}."
        )


def chance_of(change: MeasureChange) -> str:
    """Return a remark on a change that may be chance; else nothing."""
    return " (this may be chance)" if change.may_be_chance else ""


def _low(ratio: float) -> str:
    """The lower end of an interval; below a hundredth its digits say nothing."""
    return f"{ratio:.2f}" if ratio >= _LEAST else f"below {_LEAST}"


def _high(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio <= _MOST else f"more than {_MOST:g}"


def _named(rule: str) -> str:
    meaning = _MEANINGS.get(rule, "")
    return f"{capitalised(rule)} ({meaning})" if meaning else capitalised(rule)


def _alternatives(result: LoadResult) -> Iterator[str]:
    for rule in [name for name in result.rules if name != _SEARCH][:_MOST_ALTERNATIVES]:
        name, change = "mean wait", result.change(rule, "mean_wait_s")
        if change.ratio is None:
            name, change = "mean turnaround", result.change(rule, "mean_turnaround_s")
        if change.ratio is None:
            continue
        revenue = result.change(rule, f"{REVENUE}{_FAIR}").ratio
        money = "" if revenue is None else f", fair revenue {revenue:.2f} times"
        yield (
            f"{_named(rule)}: {name} {change.ratio:.2f} times{money} that on whole nodes"
            f"{chance_of(change)}."
        )


def _robustness(study: SharedQueue) -> Iterator[str]:
    for result in study.results:
        seeds: Sequence[int] = result.replications.seeds
        wait = result.change(_SEARCH, "mean_wait_s")
        where = f" at load {result.load:.3g}" if len(study.results) > 1 else ""
        yield (
            f"Mean wait is shorter in {wait.lower_in:,} of {plural(len(seeds), 'mapping')} of "
            f"users to applications{where}."
        )


def _assumptions(study: SharedQueue) -> Iterator[str]:
    watts = study.law.watts
    yield (
        f"Users accept {given(study.floor)} of their speed on whole nodes or more (the floor), "
        "unless stated."
    )
    yield (
        f"A node draws {watts.idle:g} W idle, {watts.half:g} W with one job and {watts.shared:g} W "
        "with two."
    )


def _next_steps(result: LoadResult) -> Iterator[str]:
    yield "Record the application of each job in your accounting, and repeat this with that log."
    if result.change(_SEARCH, "mean_wait_s").may_be_chance:
        yield "Run more mappings: they narrow the intervals."
    yield "Measure the pairs that share most often on your own nodes."

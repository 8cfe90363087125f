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

_SEARCH = "partner search"
_FAIR = "fair price"
_MOST_ALTERNATIVES = 3
_LEAST, _MOST = 0.01, 10.0
"""Ratios beyond which the ends of an interval are not written out."""
_MEANINGS = {
    "first fit": "the first partner that gains, no floors",
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
    wait = result.change(_SEARCH, "mean_wait_s")
    if wait.ratio is not None and wait.low is not None and wait.high is not None:
        yield (
            "Partner search lets a job join the best partner for which sharing pays. Mean wait is "
            f"{wait.ratio:.2f} times that on whole nodes."
        )
        yield f"The 95 % interval of this ratio is {_low(wait.low)} to {_high(wait.high)}."
    jobs, shared = (result.change(_SEARCH, name).after for name in ("jobs", "shared_jobs"))
    if jobs:
        yield f"{percent(shared / jobs)} of the jobs share nodes."
    work = result.change(_SEARCH, "throughput").after
    yield f"A node-hour does {percent(work)} of the work of a node-hour on whole nodes."
    revenue = result.change(_SEARCH, f"{REVENUE}{_FAIR}").ratio
    if revenue is not None:
        yield f"Revenue at fair prices is {percent(revenue)} of that on whole nodes."


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
        wait = result.change(rule, "mean_wait_s")
        if wait.ratio is not None:
            yield f"{_named(rule)}: mean wait {wait.ratio:.2f} times that on whole nodes."
        else:
            turnaround = result.change(rule, "mean_turnaround_s").ratio
            if turnaround is not None:
                yield (
                    f"{_named(rule)}: mean turnaround {turnaround:.2f} times that on whole nodes."
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
    yield f"Users accept {given(study.floor)} of their speed on whole nodes, unless stated."
    yield (
        f"A node draws {watts.idle:g} W idle, {watts.half:g} W with one job and {watts.shared:g} W "
        "with two."
    )


def _next_steps(result: LoadResult) -> Iterator[str]:
    yield "Record the application of each job in your accounting, and repeat this with that log."
    if result.change(_SEARCH, "mean_wait_s").may_be_chance:
        yield "Run more mappings: they narrow the intervals."
    yield "Measure the pairs that share most often on your own nodes."

"""Why shared nodes change a queue, what the other rules do, and what the figures rest on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from planner.formatting import capitalised, durations, given, percent, words
from planner.sharing_nodes.queues.replications import REVENUE
from planner.worded_study import Explanation

if TYPE_CHECKING:
    from planner.sharing_nodes.queue_gains.laws import SharingLaw
    from planner.sharing_nodes.queue_gains.load import LoadResult
    from planner.sharing_nodes.queues.replications import MeasureChange

_SEARCH = "partner search"
_FAIR = "fair price"
_MOST_ALTERNATIVES = 3
_MAPPINGS = 5
"""Mappings that are the least for useful intervals."""
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

    @property
    def mappings(self) -> str:
        """The number of mappings, and what they map."""
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
    jobs, met = (result.change(_SEARCH, name).after for name in ("jobs", "partnered_jobs"))
    share = f"; {percent(met / jobs)} of the jobs have a partner for some time" if jobs else ""
    yield f"Partner search lets a job join the best partner for which sharing pays{share}."
    work = result.change(_SEARCH, "throughput")
    yield f"A node-hour does {percent(work.after)} of the work of a node-hour on whole nodes."
    revenue = result.change(_SEARCH, f"{REVENUE}{_FAIR}")
    if revenue.ratio is not None:
        yield (
            f"Revenue at fair prices, with discounts for lost speed, is {percent(revenue.ratio)} "
            "of that on whole nodes."
        )


def chance_of(change: MeasureChange) -> str:
    """Return a remark on a change that may be chance; else nothing."""
    return " (this may be chance)" if change.may_be_chance else ""


def _chances(result: LoadResult) -> Iterator[str]:
    """Yield once which changes may be chance; the headline says it of mean wait and energy."""
    chance = [
        noun
        for noun, quantity in (
            ("work per node-hour", "throughput"),
            ("fair revenue", f"{REVENUE}{_FAIR}"),
        )
        if result.change(_SEARCH, quantity).may_be_chance
    ]
    rules = _others(result)
    others = [rule for rule in rules if result.change(rule, "mean_wait_s").may_be_chance]
    if others:
        which = "the other rules" if others == rules else words(f"'{rule}'" for rule in others)
        chance.append(f"mean wait with {which}")
    if chance:
        yield f"The 95 % intervals of these ratios contain 1: {words(chance)}."


def _named(rule: str) -> str:
    meaning = _MEANINGS.get(rule, "")
    return f"{capitalised(rule)} ({meaning})" if meaning else capitalised(rule)


def _others(result: LoadResult) -> list[str]:
    return [name for name in result.rules if name != _SEARCH][:_MOST_ALTERNATIVES]


def _alternatives(result: LoadResult) -> Iterator[str]:
    for rule in _others(result):
        wait = result.change(rule, "mean_wait_s")
        revenue = result.change(rule, f"{REVENUE}{_FAIR}").ratio
        money = "" if revenue is None else f", fair revenue {percent(revenue)} of whole nodes"
        ours, _ = durations(wait.after, wait.before, every_one=True)
        yield f"{_named(rule)}: mean wait {ours}{money}."


def _robustness(study: SharedQueue) -> Iterator[str]:
    for result in study.results:
        wait = result.change(_SEARCH, "mean_wait_s")
        where = f" at load {result.load:.2f}" if len(study.results) > 1 else ""
        yield f"Mean wait is shorter in {wait.lower_in:,} of {study.mappings}{where}."
    yield from _chances(study.first)


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
        seeds = max(_MAPPINGS, 2 * len(result.replications.seeds))
        yield f"Run more mappings, such as --seeds {seeds}: they narrow the intervals."
    yield "Measure the pairs that share most often on your own nodes."

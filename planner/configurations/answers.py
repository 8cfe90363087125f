"""What the pages of a choice of configurations answer: a few facts for each question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from planner.configurations.gains_at_bounds import bars
from planner.configurations.risk import of_chosen
from planner.configurations.table import groups
from planner.finding import Fact, finding

if TYPE_CHECKING:
    from planner.configurations.result import ConfigurationResult
    from scenarios.measurements.runs import Runs
    from scenarios.measurements.spread import RepetitionSpread

FEW_SLOW = 12
"""Slow runs that are listed one by one; more are summarised by application."""


def gained(result: ConfigurationResult) -> Iterator[Fact]:
    """The largest and the smallest speed-up over packed-max of those that are certain."""
    found = []
    for answer in result.answers:
        packed = {each.bound_w: each.packed_max for each in answer.at_bounds}
        packed[answer.question.bound.bound_w] = answer.packed_max
        for bound_w, gain, _ in bars(answer):
            if gain is not None:
                unsure = answer.unsteady(packed[bound_w])
                found.append((gain.speedup, answer.application, bound_w, unsure))
    sure = [each[:3] for each in found if not each[3]]
    for key, pick in (("most_gained", max), ("least_gained", min)):
        if sure and (key == "most_gained" or len({each[0] for each in sure}) > 1):
            speedup, name, bound_w = pick(sure, key=lambda each: each[0])
            note = finding("note", "at-bound", application=(name, "text"),
                           bound=(bound_w, "W given"))  # fmt: skip
            yield Fact(key, speedup, "factor", note)
    if len(sure) < len(found):
        part = (len(found) - len(sure), len(found))
        yield Fact("unsure_gains", part, "of:count", finding("note", "differ"))


def is_unsure(result: ConfigurationResult) -> bool:
    """Whether a speed-up at some round bound is uncertain."""
    return any(
        answer.unsteady(other)
        for answer in result.answers
        for at_bound in answer.at_bounds
        for other in (at_bound.packed_max, at_bound.worst_case)
    )


def common_choices(result: ConfigurationResult) -> Iterator[Fact]:
    """The common choices that lose least and most, of those that every application has.

    Uncertain speed-ups are left out.
    """
    speedups: dict[str, list[float]] = {}
    for answer in result.answers:
        for choice in answer.compared:
            if choice.gain is not None and not answer.unsteady(choice.configuration):
                speedups.setdefault(choice.name, []).append(choice.gain.speedup)
    every = {name: found for name, found in speedups.items() if len(found) == len(result.answers)}
    for key, pick in (("least_lost", min), ("most_lost", max)):
        if every and (key == "least_lost" or len({max(each) for each in every.values()}) > 1):
            name = pick(every, key=lambda each: max(every[each]))
            span = ((min(every[name]), max(every[name])), "interval:factor")
            yield Fact(key, name, "choice", finding("note", "best-over", speedups=span))


def saved(result: ConfigurationResult) -> Iterator[Fact]:
    """The most power that a configuration nearly as fast as the best saves."""
    found = [
        (answer.best.power_w - near.configuration.power_w, answer, near)
        for answer in result.answers
        for near in answer.near_optimal
    ]
    power_w, answer, near = max(found, key=lambda each: each[0])
    if power_w > 0:
        note = finding(
            "note", "slower", application=(answer.application, "text"),
            configuration=(near.configuration.short, "exact"), slower=(near.slowdown, "share"),
        )  # fmt: skip
        yield Fact("saved", power_w, "W", note)


def changes(result: ConfigurationResult) -> Iterator[Fact]:
    """How often the best configuration changes with the bound."""
    pairs = [pair for answer in result.answers for pair in pairwise(answer.curve.winners)]
    ends = [float(end) for answer in result.answers for end in answer.curve.from_w]
    note = finding("note", "over-bounds", bounds=((min(ends), max(ends)), "interval:W"))
    yield Fact("changes", len(pairs), "count", note if pairs else None)
    if pairs:
        for key, name in (("changes_nodes", "nodes"), ("changes_cores", "cores_per_node")):
            other = sum(getattr(one, name) != getattr(next_, name) for one, next_ in pairs)
            yield Fact(key, (other, len(pairs)), "of:count")


def relative(result: ConfigurationResult) -> list[dict[str, Any]]:
    """The best time from each bound on over the least time at any bound."""
    return [
        {"application": answer.application, "from_w": float(low),
         "relative_best": winner.time_s / answer.curve.winners[-1].time_s}
        for answer in result.answers
        for low, winner in zip(answer.curve.from_w, answer.curve.winners, strict=True)
    ]  # fmt: skip


def around(result: ConfigurationResult, at_bounds: Sequence[dict[str, Any]]) -> list[Any]:
    """The rows whose bound is close to the requested one."""
    bound_w = result.question.bound.bound_w
    return [row for row in at_bounds if 2 / 3 <= row["bound_w"] / bound_w <= 3 / 2]


def ranges(result: ConfigurationResult) -> list[dict[str, Any]]:
    """Between which bounds the best configuration of each application is the best."""
    found = []
    for answer in result.answers:
        curve = answer.curve
        if answer.best not in curve.winners:
            continue
        at = curve.winners.index(answer.best)
        row: dict[str, Any] = {"application": answer.application, "best": str(answer.best),
                               "from_w": float(curve.from_w[at])}  # fmt: skip
        if at + 1 < len(curve.winners):
            then = curve.winners[at + 1]
            row |= {"until_w": float(curve.from_w[at + 1]), "then": str(then),
                    "then_time_s": then.time_s}  # fmt: skip
        found.append(row)
    return found


def slow(spreads: Sequence[RepetitionSpread]) -> Iterator[Fact]:
    """How many repeated runs are unusually slow, and what they have in common."""
    repeated = sum(spread.runs for spread in spreads if spread.known)
    found = [each for spread in spreads for each in spread.stragglers]
    if not repeated:
        return
    yield Fact("slow_runs", (len(found), repeated), "of:run")
    if found:
        nodes, cores = [each.nodes for each in found], [each.cores_per_node for each in found]
        yield Fact("slow_nodes", (min(nodes), max(nodes)), "interval:count")
        yield Fact("slow_cores", (min(cores), max(cores)), "interval:count")


def slow_best(result: ConfigurationResult) -> Iterator[Fact]:
    """How many of the best configurations have a slow run."""
    if any(spread.stragglers for spread in result.spreads):
        best = [(answer.application, answer.best) for answer in result.answers]
        touched = {each.application for each in of_chosen(result.spreads, best)}
        yield Fact("slow_best", (len(touched), len(best)), "of:application")


def slow_table(spreads: Sequence[RepetitionSpread]) -> str:
    """The name of the table of slow runs that a page has room for."""
    few = sum(len(spread.stragglers) for spread in spreads) <= FEW_SLOW
    return "stragglers" if few else "slow runs"


def counted(runs: Sequence[Runs]) -> Iterator[Fact]:
    """How much was measured."""
    yield Fact("measured_runs", sum(map(len, runs)), "count")
    yield Fact("measured_configurations", sum(len(groups(each)) for each in runs), "count")

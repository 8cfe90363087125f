"""What a log with shared nodes states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, finding, risks_of
from planner.scheduling.simulation.log_facts import log_inputs, log_remarks, log_source
from planner.sharing_nodes.queue_gains import rows
from planner.sharing_nodes.queue_gains.result import (
    FIRST_FIT,
    MATCHING,
    SEARCH,
    direction,
    may_be_chance,
    unchanged,
)
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, in_data, table

if TYPE_CHECKING:
    from planner.sharing_nodes.queue_gains.result import QueueResult
    from planner.sharing_nodes.queues.replications import MeasureChange

FEW = 5
"""Mappings below which intervals say little: a t distribution with fewer than 4 degrees."""
FEW_USERS = 5
"""Users below which nothing can be said about users."""
MEASURES = ("mean_wait_s", "throughput", "energy_kwh")
"""Measures of partner search that the answer is about."""
_ABOVE = 1.005
"""Relative speed that prints as more than 100 %."""


def study_of(result: QueueResult) -> Study:
    """The study of a log with and without shared nodes."""
    law = {_source(result): result.law.sha256} if result.law.sha256 else {}
    data, tables = in_data(_tables(result), *_IN_DATA)
    return stated(
        result, _headline, _confidence, _facts, _risks, _next_steps, _questions, tables, _figures,
        command="colocate",
        texts="colocate-log",
        title=finding("note", "question", log=(result.jobs.file or result.log, "text")),
        data={"settings": dict(result.settings), **data},
        provenance=provenance_of(result.command, dict(log_inputs(result.jobs)) | law),
    )  # fmt: skip


def _source(result: QueueResult) -> str:
    """Name of the bundled law, or of the file of the table without its folder."""
    return Path(result.law.name).name


def _mapped(result: QueueResult) -> tuple[str, str]:
    """What a mapping gives applications to: jobs, where the log names no user."""
    return "users" if result.users else "jobs", "mapped"


def _headline(result: QueueResult) -> Finding:
    wait = result.first.change(SEARCH, "mean_wait_s")
    if not result.first.change(SEARCH, "partnered_jobs").after:
        return finding("headline", "no-partner")
    if unchanged(wait):
        return finding("headline", "unchanged", wait=(wait.after, "s"))
    if result.other is not None and not may_be_chance(wait):
        second = result.other.change(SEARCH, "mean_wait_s")
        return finding("headline", "waits-laws", after=(wait.after, "s"),
                       other=(second.after, "s"), before=(wait.before, "s"))  # fmt: skip
    return finding("headline", "unclear" if may_be_chance(wait) else "waits",
                   after=(wait.after, "s"), before=(wait.before, "s"))  # fmt: skip


def _confidence(result: QueueResult) -> Iterator[Finding]:
    """What the answer rests on."""
    yield log_source(result.jobs)
    if result.first.load:
        yield finding("confidence", "load", load=(result.first.load, "share"))
    else:
        yield finding("confidence", "at-once")
    yield finding("confidence", "mappings", mapped=_mapped(result),
                  mappings=(result.seeds, "count"))  # fmt: skip
    exact = result.law.predicted is result.law.true
    yield finding("confidence", "exact-speeds" if exact else "predicted-speeds")
    yield from _of_laws(result)


def _of_laws(result: QueueResult) -> Iterator[Finding]:
    """Whether the wait depends on the law of shared cores."""
    if result.other is None:
        if result.law.cores_law:
            yield finding("confidence", "one-law", law=(result.law.cores_law, "cores"))
        return
    wait, other = (load.change(SEARCH, "mean_wait_s") for load in (result.first, result.other))
    yield finding("confidence", "both-laws", after=(wait.after, "s"), other=(other.after, "s"),
                  before=(wait.before, "s"))  # fmt: skip
    if direction(wait) == direction(other):
        yield finding("confidence", "laws-agree")


def _facts(result: QueueResult) -> Iterator[Fact]:
    yield from _of_waits(result)
    yield from _of_work(result)
    yield from _of_partners(result)


def _of_waits(result: QueueResult) -> Iterator[Fact]:
    wait = result.first.change(SEARCH, "mean_wait_s")
    if wait.ratio is not None:
        yield Fact("wait", wait.ratio, "factor", _interval(wait, "factor"))
    else:
        ends = (wait.difference.low, wait.difference.high)
        yield Fact("difference", wait.difference.mean, "s",
                   finding("note", "interval", ends=(ends, "interval:s")))  # fmt: skip
    yield Fact("shorter", (wait.lower_in, result.seeds), "of:mapping")


def _of_work(result: QueueResult) -> Iterator[Fact]:
    first = result.first
    energy = first.change(SEARCH, "energy_kwh")
    if energy.ratio is not None:
        yield Fact("energy", energy.ratio - 1, "change", _interval(energy, "change"))
    yield Fact("work", first.change(SEARCH, "throughput").after, "share")


def _of_partners(result: QueueResult) -> Iterator[Fact]:
    """Jobs with a partner, and those below their floor."""
    first = result.first
    jobs, shared, partnered = (result.summed(first, SEARCH, name)
                               for name in ("jobs", "shared_jobs", "partnered_jobs"))  # fmt: skip
    yield Fact("partnered", (partnered, jobs), "of:job",
               finding("note", "open", jobs=(shared, "count")))  # fmt: skip
    if shared:
        plain = (first.replications.below[FIRST_FIT],
                 result.summed(first, FIRST_FIT, "shared_jobs"))  # fmt: skip
        yield Fact("below", (first.replications.below[SEARCH], shared), "of:job",
                   finding("note", "first-fit", jobs=(plain, "of:count")))  # fmt: skip


def _interval(change: MeasureChange, unit: str) -> Finding:
    less = 1 if unit == "change" else 0
    ends = tuple(None if end is None else end - less for end in (change.low, change.high))
    return finding("note", "interval", ends=(ends, f"interval:{unit}"))


def _risks(result: QueueResult) -> Iterator[Finding]:
    """What may make the answer wrong."""
    yield finding("risk", "no-applications", mapped=_mapped(result))
    if result.seeds < FEW:
        yield finding("risk", "few-mappings", mappings=(result.seeds, "count"))
    chance = tuple(name for name in MEASURES if _is_chance(result.first.change(SEARCH, name)))
    if chance:
        yield finding("risk", "chance", measures=(chance, "changed"))
    if result.other is not None:
        both = [load.change(SEARCH, "mean_wait_s") for load in (result.first, result.other)]
        if direction(both[0]) != direction(both[1]):
            yield finding("risk", "laws-differ")
    yield from risks_of(result.law.remarks)
    yield from log_remarks(result.jobs, given=result.problem.nodes, larger=0, limits=False,
                           remedy="own-study")  # fmt: skip
    every = len(result.law.known) * (len(result.law.known) + 1) // 2
    if result.pairs < every:
        yield finding("risk", "unmeasured", pairs=((every - result.pairs, every), "of:pair"))
    yield from _of_log(result)
    if not result.admitted:
        yield finding("risk", "no-pair", floor=(result.floor, "share given"),
                      gain=(result.least_gain, "share given"))  # fmt: skip
    yield from _broken_promises(result)
    if result.broken:
        rule, first = result.broken[0]
        yield finding("risk", "checker", errors=(len(result.broken), "count"),
                      rule=(rule, "rule"), job=(first.job, "id"),
                      what=(first.kind, "violation"))  # fmt: skip


def _is_chance(change: MeasureChange) -> bool:
    return may_be_chance(change) and not unchanged(change)


def _of_log(result: QueueResult) -> Iterator[Finding]:
    """What the log does not say, or says in vain."""
    if result.users == 1 and not result.nameless:
        yield finding("risk", "one-user")
    if not result.users:
        yield finding("risk", "no-users")
    elif result.users < FEW_USERS:
        yield finding("risk", "few-users", users=(result.users, "count"))
    if result.users and result.nameless:
        yield finding("risk", "nameless", jobs=(result.nameless, "count"))
    larger = int((~result.problem.fits).sum())
    if larger:
        yield finding("risk", "too-large", jobs=((larger, len(result.jobs)), "of:job"),
                      nodes=(result.problem.nodes, "node"))  # fmt: skip
    if result.law.halves_per_node == 2 and MATCHING not in result.first.rules:
        yield finding("risk", "no-matching")


def _broken_promises(result: QueueResult) -> Iterator[Finding]:
    """Floors that more jobs broke than errors of predictions explain, and late starts."""
    for row in rows.floors(result):
        where: dict[str, Any] = {"rule": (row["rule"], "rule"), "load": (row["load"], "share")}
        if (row["broken_share"] or 0) > result.alpha:
            jobs = (row["floors_broken"], row["shared_jobs"])
            yield finding("risk", "floors-broken", jobs=(jobs, "of:job"),
                          alpha=(result.alpha, "share given"), **where)  # fmt: skip
        if row["late_starts"]:
            yield finding("risk", "late", jobs=(row["late_starts"], "count"), **where)


def _next_steps(result: QueueResult) -> Iterator[Finding]:
    alone = not result.first.change(SEARCH, "partnered_jobs").after
    yield finding("next step", "loosen" if alone else "record")
    if _is_chance(result.first.change(SEARCH, "mean_wait_s")):
        yield finding("next step", "more-mappings",
                      mappings=(max(FEW, 2 * result.seeds), "id"))  # fmt: skip
    shared = next(rows.pairs(result), None)
    if shared is not None and result.law.predicted is not result.law.true:
        yield finding("next step", "measure", a=(shared["a"], "text"), b=(shared["b"], "text"))


def _questions(result: QueueResult) -> tuple[Question, ...]:
    rules = tuple(f"rule-{rule}" for rule in result.first.rules)
    above = _above(result)
    return (
        Question("waits", facts=tuple(_of_waits(result)),
                 tables=("floors of users",) if result.floors else (),
                 figures=("loads",) if _several(result) else (), texts=("waits", *rules)),
        Question("others", facts=tuple(_of_work(result)), tables=("other ratios",),
                 figures=("measures",), texts=("others",)),
        Question("floors", facts=tuple(_of_partners(result)), tables=("floors",),
                 texts=("floors",)),
        Question("pairs", facts=tuple(_two_jobs(result)), tables=("pairs",),
                 texts=("pairs", *((above,) if above else ()))),
        Question("users", tables=("users",) if result.users >= FEW_USERS else ("no users",),
                 texts=("users",)),
        Question("measures", tables=("times", "amounts"), texts=("measures",)),
        Question("method", facts=tuple(_method(result)),
                 texts=("method", *(("table",) if result.law.sha256 else ()))),
    )  # fmt: skip


def _above(result: QueueResult) -> str:
    """Why a speed is above that on whole nodes, where the pairs that share have one."""
    law, names = result.law, result.law.predicted.applications
    true = law.relative(law.true)
    above = [
        float(true[names.index(row[one]), names.index(row[other])])
        for row in rows.pairs(result)
        for one, other in (("a", "b"), ("b", "a"))
        if row[f"speed_{one}"] >= _ABOVE
    ]
    if not above:
        return ""
    if max(above) <= 1:
        return "above-error"
    return "above-table" if law.halves_per_node == 1 else "above-halves"


def _two_jobs(result: QueueResult) -> Iterator[Fact]:
    measures = result.measures(SEARCH)
    if measures.shared_node_hours:
        yield Fact("two_jobs", measures.shared_node_hours / measures.node_hours, "share")


def _method(result: QueueResult) -> Iterator[Fact]:
    """Settings, and what was simulated."""
    law, problem = result.law, result.problem
    yield Fact("law", _source(result), "law")
    yield Fact("pairs", (result.admitted, result.pairs), "of:pair")
    yield Fact("floor", result.floor, "share given")
    yield Fact("least_gain", result.least_gain, "share given")
    yield Fact("alpha", result.alpha, "share given")
    yield Fact("jobs", int(problem.fits.sum()), "count")
    yield Fact("nodes", problem.nodes, "count")
    yield Fact("processors_per_node", result.processors_per_node, "count")
    yield Fact("cores_per_node", problem.cores_per_node, "count")
    yield Fact("loads", tuple(load.load for load in result.results), "share")
    if result.logged_load is not None:
        yield Fact("logged_load", result.logged_load, "share")
    yield Fact("idle_w", law.watts.idle, "W given")
    yield Fact("one_w", law.watts.half, "W given")
    yield Fact("whole_w", law.watts.whole, "W given")
    yield Fact("two_w", law.watts.shared, "W given")
    yield Fact("checked", result.checked, "flag")


def _tables(result: QueueResult) -> Iterator[Table]:
    keys = {"load": "share", "rule": "rule"}
    one_load = set() if len(result.results) > 1 else {"load"}
    ratios = dict.fromkeys(("wait_ratio", "wait_low", "wait_high"), "ratio")
    others = dict.fromkeys(("turnaround_ratio", "slowdown_ratio", "throughput", "energy_ratio",
                            "revenue_ratio"), "ratio")  # fmt: skip
    waits = keys | {"wait_before_s": "s", "wait_after_s": "s"} | ratios | others
    yield table("waits", waits, rows.waits(result), hidden=one_load | {*others},
                limits=dict.fromkeys(ratios | others, 1.0))  # fmt: skip
    yield table("floors", {**keys, "jobs": "count", "shared_jobs": "count",
                "partnered_jobs": "count", "below_floor": "count", "slowest": "share",
                "floors_broken": "count", "broken_share": "share", "longest_before_s": "s",
                "longest_after_s": "s", "late_starts": "count"}, rows.floors(result),
                hidden=one_load | {"jobs", "floors_broken", "broken_share"})  # fmt: skip
    yield table("pairs", {"a": "text", "b": "text", "speed_a": "share", "speed_b": "share",
                "work": "share", "share": "share"}, rows.pairs(result))  # fmt: skip
    yield table("users", {**keys, "sooner": "number", "later": "number",
                "pays_more_practice": "number", "pays_more_fair": "number",
                "pays_more_oracle": "number"}, rows.users(result), hidden=one_load)  # fmt: skip
    compared = {"ratio": "ratio", "low": "ratio", "high": "ratio", "lower_in": "count"}
    sides = dict.fromkeys(("ratio", "low", "high"), 1.0)
    both = {"quantity": "measure", "before": "number", "after": "number"}
    yield table("differences", keys | both | compared, rows.differences(result), limits=sides,
                hidden=one_load)  # fmt: skip
    yield table("other ratios", keys | others, at="/waits", hidden=one_load,
                limits=dict.fromkeys(others, 1.0))  # fmt: skip
    for name, unit in (("times", "s"), ("amounts", "ratio")):  # each value in its own digits
        units = {"quantity": "measure", "before": unit, "after": unit, **compared}
        yield table(name, units, rows.of_search(result, times=name == "times"),
                    limits=sides | {"before": 0.0, "after": 0.0})  # fmt: skip
    drawn = dict.fromkeys(("change", "change_low", "change_high"), "change")
    yield table("drawn rules", {"rule": "rule"} | drawn, rows.drawn_rules(result))
    yield table("drawn measures", {"quantity": "changed"} | drawn, rows.drawn_measures(result))
    if result.floors:
        yield table("floors of users", {"user": "text", "floor": "share given"},
                    ({"user": user, "floor": floor}
                     for user, floor in result.floors.items()))  # fmt: skip


_IN_DATA = ("waits", "floors", "pairs", "users", "differences")


def _figures(result: QueueResult) -> Iterator[Figure]:
    for name, x in (("rules", "rule"), ("measures", "quantity")):
        known = rows.drawn_rules(result) if name == "rules" else rows.drawn_measures(result)
        if any(row["change"] for row in known):
            yield Figure(name, "intervals", f"drawn {name}", x, ("change",), low="change_low",
                         high="change_high", limits=(Limit("x", 0.0, "whole-nodes"),),
                         scale={"x": "cut"})  # fmt: skip
    if _several(result):
        yield Figure("loads", "lines", "waits", "load", ("wait_ratio",), series="rule",
                     limits=(Limit("y", 1.0),))  # fmt: skip


def _several(result: QueueResult) -> bool:
    """Whether ratios of waits are known at one of several loads."""
    return len(result.results) > 1 and any(row["wait_ratio"] for row in rows.waits(result))

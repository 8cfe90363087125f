"""What a day of jobs on shared nodes states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, Severity, finding
from planner.scheduling.simulation.log_facts import FEW, log_inputs, log_remarks, log_source
from planner.sharing_nodes.queue_bills import rows
from planner.sharing_nodes.queue_bills.result import LEAST_CHANGE, OURS, TODAY
from planner.sharing_nodes.queues.comparison import ORACLE
from planner.sharing_nodes.queues.measures import NodeWatts
from planner.sharing_nodes.queues.rules import HALF_IDLE
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, filled, in_data, table
from scenarios.job_logs.job_log import MISSING
from scenarios.job_logs.time_limits import without_limit

if TYPE_CHECKING:
    from planner.sharing_nodes.queue_bills.result import QueuePriceResult

FEW_MAPPINGS = 5
"""Mappings below which intervals are very wide: Student's t is then above 2.8."""
WIDE = 20.0
"""Largest over smallest ratio of turnarounds from which an axis is logarithmic."""
_CHANGES = (("turnaround", "mean_turnaround_s"), ("hours", "node_hours"))
"""What the headline compares."""


def study_of(result: QueuePriceResult) -> Study:
    """The study of a day."""
    log, mappings = result.log, Fact("mappings", result.mappings, "count")
    data, tables = in_data(filled(_tables(result)), *_IN_DATA)
    return stated(
        result, _headline, _confidence, _facts, _reasons, _risks, _next_steps, _questions, tables,
        _figures,
        command="price",
        texts="price-log",
        title=finding("note", "question", log=(log.file or log.name, "text")),
        data={"settings": dict(result.settings), **data},
        decision="rules" if result.replications is None else "means",
        provenance=provenance_of(result.command, log_inputs(log), mappings),
    )  # fmt: skip


def changed(ratio: float) -> float:
    """A change, 0 where it is too small to count."""
    return ratio - 1 if abs(ratio - 1) >= LEAST_CHANGE else 0.0


def verdict(changes: tuple[float, float], *, single: bool, doubtful: tuple[bool, bool]) -> str:
    """Whether sharing is worthwhile, by the changes of mean turnaround and of node-hours.

    Parameters
    ----------
    single
        Whether the changes come from one mapping, so that none is certain.
    doubtful
        Which changes may be chance; what does not change has no doubt.

    Examples
    --------
    >>> verdict((-0.2, -0.03), single=False, doubtful=(False, False))
    'worthwhile'
    >>> verdict((-0.2, 0.0), single=False, doubtful=(False, True))
    'worthwhile'
    """
    if single and any(changes):
        return "not-shown-single"
    if any(change and doubt for change, doubt in zip(changes, doubtful, strict=True)):
        return "not-shown"
    if min(changes) < 0:
        return "trade" if max(changes) > 0 else "worthwhile"
    return "not-worthwhile"


def _headline(result: QueuePriceResult) -> Finding:
    """What sharing changes."""
    turnaround, hours = (changed(result.ratio(quantity)) for _, quantity in _CHANGES)
    over = [result.change(quantity) for _, quantity in _CHANGES]
    first, second = (change is not None and change.may_be_chance for change in over)
    kind = verdict((turnaround, hours), single=over[0] is None, doubtful=(first, second))
    return finding("headline", kind, turnaround=(turnaround, "change"), hours=(hours, "change"))


def _confidence(result: QueuePriceResult) -> Iterator[Finding]:
    """What the figures rest on."""
    yield log_source(result.log)
    problem = result.comparison.problem
    yield finding("confidence", "speeds", applications=(len(problem.speeds), "application"))
    if result.replications is None:
        yield finding("confidence", "single")
        return
    yield finding("confidence", "mappings", mappings=(result.mappings, "count"),
                  jobs=(int(problem.fits.sum()), "job"))  # fmt: skip
    yield from _chance(result, "confidence")


def _chance(result: QueuePriceResult, severity: Severity) -> Iterator[Finding]:
    """Whether the changes of the headline may be chance; nothing with one mapping."""
    for name, quantity in _CHANGES:
        change = result.change(quantity)
        if change is None or change.low is None or change.high is None:
            continue
        if changed(result.ratio(quantity)):
            interval = ((change.low - 1, change.high - 1), "interval:change")
            kind = f"{name}-chance" if change.may_be_chance else f"{name}-clear"
            yield finding(severity, kind, interval=interval,
                          fewer=((change.lower_in, result.mappings), "of:mapping"))  # fmt: skip


def _facts(result: QueuePriceResult) -> Iterator[Fact]:
    yield from _means(result)
    yield _earned(result)
    yield from _sides(result)
    yield _rule(result)


def _reasons(result: QueuePriceResult) -> Iterator[Finding]:
    yield _use(result, "reason")


def _means(result: QueuePriceResult) -> Iterator[Fact]:
    """Mean turnaround and node-hours with shared nodes, and on whole nodes."""
    means = {row["rule"]: row for row in result.means}
    ours, today = means[result.best.rule], means[result.comparison.baseline.rule]
    yield Fact("turnaround", ours["mean_turnaround_s"], "s",
               finding("note", "whole-time", before=(today["mean_turnaround_s"], "s")))  # fmt: skip
    yield Fact("node_hours", ours["node_hours"], "number",
               finding("note", "whole-hours", before=(today["node_hours"], "number")))  # fmt: skip


def _earned(result: QueuePriceResult) -> Fact:
    fair = (result.revenue_ratio(ORACLE) - 1, "change")
    return Fact("revenue", result.revenue_ratio(OURS) - 1, "change",
                finding("note", "fair", change=fair))  # fmt: skip


def _rule(result: QueuePriceResult) -> Fact:
    return Fact("rule", result.best.rule, "rule", finding("note", "shortest"))


def _sides(result: QueuePriceResult) -> Iterator[Fact]:
    """How many pay less, and how many have their results sooner."""
    payers = result.payers
    sides = payers.sides
    more = finding("note", "more", more=(sides.pays_more, "count"),
                   rise=(sides.largest_rise, "share"))  # fmt: skip
    yield Fact("pays_less", (sides.pays_less, sides.count), f"of:{payers.noun}", more)
    later = finding("note", "later", later=(sides.later, "count"))
    yield Fact("sooner", (sides.sooner, sides.count), f"of:{payers.noun}", later)


def _risks(result: QueuePriceResult) -> Iterator[Finding]:
    """Assumptions, what the log does not say, and broken promises."""
    log, comparison = result.log, result.comparison
    yield finding("risk", "mapped")
    yield finding("risk", "one-day")
    if 1 < result.mappings < FEW_MAPPINGS:
        yield finding("risk", "few-mappings", mappings=(result.mappings, "count"))
    problem, measured = comparison.problem, comparison.measured
    larger = measured & ~problem.fits
    if larger.any():
        yield finding(
            "risk", "left-out", jobs=((int(larger.sum()), int(measured.sum())), "of:job"),
            most=(int(problem.jobs.nodes[measured].max()), "node"), machine=(problem.nodes, "node"),
        )  # fmt: skip
    nameless, unlimited = int((log.user == MISSING).sum()), without_limit(log)
    if nameless:
        yield finding("risk", "nameless", jobs=((nameless, len(log)), "of:job"))
    if unlimited > FEW * len(log):
        yield finding("risk", "unlimited", jobs=((unlimited, len(log)), "of:job"))
    yield from log_remarks(log, given=problem.nodes, larger=0, limits=False,
                           remedy="own-price")  # fmt: skip
    for outcome in comparison.outcomes:
        if outcome.measures.late_starts:
            yield finding("risk", "late", rule=(outcome.rule, "rule"),
                          jobs=(outcome.measures.late_starts, "count"))  # fmt: skip
    if result.broken:
        rule, first = result.broken[0]
        yield finding("risk", "broken", errors=(len(result.broken), "count"),
                      rule=(rule, "rule"), job=(first.job, "id"),
                      what=(first.kind, "violation"))  # fmt: skip


def _next_steps(result: QueuePriceResult) -> Iterator[Finding]:
    if result.mappings < FEW_MAPPINGS:
        yield finding("next step", "more-mappings")
    yield finding("next step", "record")
    yield finding("next step", "other-days")


def _questions(result: QueuePriceResult) -> tuple[Question, ...]:
    users = result.payers.noun == "user"
    one = "bills" if users else "no-users"
    many = "means-several" if result.replications else "means-day"
    return (
        Question("rules", facts=(_rule(result), *_means(result)), texts=("rules", many)),
        Question("hours", findings=(_use(result, "note"),), texts=("hours",)),
        Question("revenue", facts=(_earned(result), *_half_idle(result)), tables=("revenue",),
                 texts=("revenue",)),
        Question("bills", facts=tuple(_sides(result)), tables=("sides",) if users else (),
                 figures=("bills", "sooner") if users else (), texts=(one,)),
        Question("chance", findings=tuple(_chance(result, "note")), tables=("changes",),
                 texts=("chance",) if result.replications else ()),
        Question("method", facts=tuple(_method(result)), texts=("method",)),
        Question("users", tables=("bills",) if users else ()),
    )  # fmt: skip


def _use(result: QueuePriceResult, severity: Severity) -> Finding:
    """Why node-hours change."""
    use = result.use
    return finding(
        severity, "hours-why", change=(use.added + use.core_hours, "change"),
        added=(use.added, "change"), jobs=(use.core_hours, "change"), empty=(use.empty, "share"),
    )  # fmt: skip


def _half_idle(result: QueuePriceResult) -> Iterator[Fact]:
    """Why revenue changes where no job has a partner."""
    if any(outcome.rule == HALF_IDLE.name for outcome in result.comparison.outcomes):
        ratio = result.revenue_ratio(TODAY, HALF_IDLE.name)
        yield Fact("half_idle", changed(ratio), "change")


def _method(result: QueuePriceResult) -> Iterator[Fact]:
    problem, watts = result.comparison.problem, NodeWatts()
    yield Fact("jobs_of_the_day", int(result.comparison.measured.sum()), "count")
    yield Fact("jobs_simulated", int(problem.fits.sum()), "count")
    yield Fact("nodes", problem.nodes, "count")
    yield Fact("cores", problem.cores_per_node, "count")
    yield Fact("reference", result.comparison.reference, "rule")
    for key, power_w in (("idle", watts.idle), ("half", watts.half), ("whole", watts.whole)):
        yield Fact(f"watts_{key}", power_w, "W")


def _tables(result: QueuePriceResult) -> Iterator[Table]:
    measures = {"partnered_jobs": "number", "mean_wait_s": "s", "mean_turnaround_s": "s",
                "node_hours": "number", "throughput": "share", "energy_kwh": "number",
                "makespan_s": "s"}  # fmt: skip
    counts = dict.fromkeys(("jobs", "shared_jobs", "partnered_jobs"), "count")
    single = {
        f"measures.{key}": unit
        for key, unit in {**counts, **measures, "partnered_jobs": "count"}.items()
    }
    yield table("rules", {"rule": "rule", **single}, result.comparison.outcomes,
                labels={key: key.removeprefix("measures.") for key in single})  # fmt: skip
    yield table("means", {"rule": "rule", **measures},
                () if result.replications is None else result.means)  # fmt: skip
    yield table("parts", {"rule": "rule", "part": "part", "hours": "number"}, rows.parts(result))
    errors = {"mean_discount": "share", "largest_discount": "share", "mean_error": "share",
              "largest_error": "share", "bias": "share"}  # fmt: skip
    prices = {"rule": "rule", "policy": "price", "revenue_su": "number", "revenue_ratio": "share",
              **errors}  # fmt: skip
    yield table("prices", prices, result.comparison.prices)
    most = ("largest_discount", "largest_error")
    yield table("revenue", {key: unit for key, unit in prices.items() if key not in most},
                rows.revenue(result, prices))  # fmt: skip
    yield table("sides", {"rule": "rule", "policy": "price", "pays_less": "count",
                "pays_same": "count", "pays_more": "count", "largest_rise": "share",
                "sooner": "count", "later": "count", "pays_more_and_later": "count"},
                rows.sides(result), hidden={"sooner", "later"})  # fmt: skip
    billed = ("before", "state_of_practice", "poppa", "headroom", "oracle")
    yield table("bills", {"user": "text", "jobs": "count",
                **{f"{key}_su": "number" for key in billed},
                "turnaround_before_s": "s", "turnaround_after_s": "s"}, rows.bills(result),
                total=len(result.comparison.users[result.best.rule]))  # fmt: skip
    yield table("bill ratios", {"policy": "price", "users": "share given", "ratio": "ratio"},
                rows.bill_ratios(result))  # fmt: skip
    yield table("turnaround ratios", {"users": "share given", "ratio": "ratio"},
                rows.turnaround_ratios(result))  # fmt: skip
    yield table("differences", {"rule": "rule", "quantity": "quantity", "before": "number",
                "after": "number", "ratio": "ratio", "low": "ratio", "high": "ratio",
                "lower_in": "count"}, rows.differences(result))  # fmt: skip
    yield table("changes", {"quantity": "quantity", "change": "change", "low": "change",
                "high": "change", "lower_in": "count"}, rows.changes(result))  # fmt: skip


_IN_DATA = ("rules", "prices", "sides", "bills", "differences")


def _figures(result: QueuePriceResult) -> Iterator[Figure]:
    yield Figure("turnaround", "stacks", "parts", "rule", ("hours",), series="part")
    if result.payers.noun == "user":
        whole = (Limit("y", 1.0),)
        yield Figure("bills", "lines", "bill ratios", "users", ("ratio",), series="policy",
                     limits=whole)  # fmt: skip
        ratios = [row["ratio"] for row in rows.turnaround_ratios(result)]
        wide = {"y": "log"} if max(ratios) > WIDE * min(ratios) else {}
        yield Figure("sooner", "lines", "turnaround ratios", "users", ("ratio",), limits=whole,
                     scale=wide)  # fmt: skip

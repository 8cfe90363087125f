"""What a day of jobs on shared nodes states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, finding
from planner.scheduling.simulation.log_facts import log_inputs, log_remarks, log_source
from planner.scheduling.simulation.log_warnings import FEW
from planner.sharing_nodes.queue_bills import rows
from planner.sharing_nodes.queue_bills.result import LEAST_CHANGE, OURS, TODAY
from planner.sharing_nodes.queues.comparison import ORACLE
from planner.sharing_nodes.queues.measures import NodeWatts
from planner.sharing_nodes.queues.rules import HALF_IDLE
from planner.study import Question, Study, provenance_of, stated
from planner.table import Column, Table
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
    return stated(
        result, _headline, _confidence, _facts, _risks, _next_steps, _questions, _tables, _figures,
        command="price",
        texts="price-log",
        title=finding("note", "question", log=(log.file or log.name, "text")),
        data=_data(result),
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
    for name, quantity in _CHANGES:
        change = result.change(quantity)
        if change is None or change.low is None or change.high is None:
            continue
        if changed(result.ratio(quantity)):
            interval = ((change.low - 1, change.high - 1), "interval:change")
            kind = f"{name}-chance" if change.may_be_chance else f"{name}-clear"
            yield finding("confidence", kind, interval=interval,
                          fewer=((change.lower_in, result.mappings), "of:mapping"))  # fmt: skip


def _facts(result: QueuePriceResult) -> Iterator[Fact]:
    means = {row["rule"]: row for row in result.means}
    ours, today = means[result.best.rule], means[result.comparison.baseline.rule]
    yield Fact("turnaround", ours["mean_turnaround_s"], "s",
               finding("note", "whole-time", before=(today["mean_turnaround_s"], "s")))  # fmt: skip
    yield Fact("node_hours", ours["node_hours"], "number",
               finding("note", "whole-hours", before=(today["node_hours"], "number")))  # fmt: skip
    fair = (result.revenue_ratio(ORACLE) - 1, "change")
    yield Fact("revenue", result.revenue_ratio(OURS) - 1, "change",
               finding("note", "fair", change=fair))  # fmt: skip
    payers = result.payers
    sides = payers.sides
    more = finding("note", "more", more=(sides.pays_more, "count"),
                   rise=(sides.largest_rise, "share"))  # fmt: skip
    yield Fact("pays_less", (sides.pays_less, sides.count), f"of:{payers.noun}", more)
    later = finding("note", "later", later=(sides.later, "count"))
    yield Fact("sooner", (sides.sooner, sides.count), f"of:{payers.noun}", later)
    yield Fact("rule", result.best.rule, "rule", finding("note", "shortest"))


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
                           remedy="price a log of each to keep them apart")  # fmt: skip
    for outcome in comparison.outcomes:
        if outcome.measures.late_starts:
            yield finding("risk", "late", rule=(outcome.rule, "rule"),
                          jobs=(outcome.measures.late_starts, "count"))  # fmt: skip
    if result.broken:
        yield finding("risk", "broken", errors=(len(result.broken), "count"),
                      first=(result.broken[0], "remark"))  # fmt: skip


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
        Question("rules", texts=("rules", many)),
        Question("hours", facts=tuple(_use(result)), texts=("hours",)),
        Question("revenue", facts=tuple(_half_idle(result)), tables=("revenue",),
                 texts=("revenue",)),
        Question("bills", tables=("sides",) if users else (),
                 figures=("bills", "sooner") if users else (), texts=(one,)),
        Question("chance", tables=("changes",), texts=("chance",) if result.replications else ()),
        Question("method", facts=tuple(_method(result)), texts=("method",)),
        Question("users", tables=("bills",) if users else ()),
    )  # fmt: skip


def _use(result: QueuePriceResult) -> Iterator[Fact]:
    use = result.use
    yield Fact("hours_change", use.added + use.core_hours, "change")
    yield Fact("added", use.added, "change")
    yield Fact("core_hours", use.core_hours, "change")
    yield Fact("empty", use.empty, "share")


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


def _tables(result: QueuePriceResult) -> tuple[Table, ...]:
    hidden: dict[str, Any] = {"shown": False}
    rule, policy, jobs = Column("rule", "rule"), Column("policy", "price"), Column("jobs", "count")
    measures = (("partnered_jobs", "number"), ("mean_wait_s", "s"), ("mean_turnaround_s", "s"),
                ("node_hours", "number"), ("throughput", "share"), ("energy_kwh", "number"),
                ("makespan_s", "s"))  # fmt: skip
    ratio, several = Column("ratio", "ratio"), result.replications is not None
    billed = ("before", "state_of_practice", "poppa", "headroom", "oracle")
    every = (
        Table(
            "rules",
            (rule, Column("measures.jobs", "count", label="jobs"),
             Column("measures.shared_jobs", "count", label="shared_jobs"),
             *(Column(f"measures.{key}", "count" if key == "partnered_jobs" else unit, label=key)
               for key, unit in measures)),
            at="/rules",
        ),
        Table("means", (rule, *(Column(key, unit) for key, unit in measures)),
              tuple(result.means) if several else ()),
        Table("parts", (rule, Column("part", "part"), Column("hours", "number")),
              tuple(rows.parts(result))),
        Table("prices", _prices(largest=True), at="/prices"),
        Table("revenue", _prices(largest=False), tuple(rows.revenue(result))),
        Table(
            "sides",
            (rule, policy, *(Column(key, "count") for key in
                             ("pays_less", "pays_same", "pays_more")),
             Column("largest_rise", "share"), Column("sooner", "count", **hidden),
             Column("later", "count", **hidden), Column("pays_more_and_later", "count")),
            at="/sides",
        ),
        Table(
            "bills",
            (Column("user", "text"), jobs, *(Column(f"{key}_su", "number") for key in billed),
             Column("turnaround_before_s", "s"), Column("turnaround_after_s", "s")),
            at="/bills", total=len(result.comparison.users[result.best.rule]),
        ),
        Table("bill ratios", (policy, Column("users", "share given"), ratio),
              tuple(rows.bill_ratios(result))),
        Table("turnaround ratios", (Column("users", "share given"), ratio),
              tuple(rows.turnaround_ratios(result))),
        Table(
            "differences",
            (rule, Column("quantity", "quantity"), Column("before", "number"),
             Column("after", "number"), ratio, Column("low", "ratio"), Column("high", "ratio"),
             Column("lower_in", "count")),
            at="/differences" if several else "",
        ),
        Table(
            "changes",
            (Column("quantity", "quantity"), Column("change", "change"),
             Column("low", "change"), Column("high", "change"), Column("lower_in", "count")),
            tuple(rows.changes(result)),
        ),
    )  # fmt: skip
    return tuple(table for table in every if table.rows or table.at)


def _prices(*, largest: bool) -> tuple[Column, ...]:
    """Columns of prices; with the largest discounts and errors, which are in the workbook."""
    keys = ("mean_discount", "largest_discount", "mean_error", "largest_error", "bias")
    return (
        Column("rule", "rule"), Column("policy", "price"), Column("revenue_su", "number"),
        Column("revenue_ratio", "share"),
        *(Column(key, "share") for key in keys if largest or not key.startswith("largest")),
    )  # fmt: skip


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


def _data(result: QueuePriceResult) -> dict[str, Any]:
    """The members of price.json besides the study; tables without rows are left out."""
    found = {
        "rules": rows.rules(result),
        "prices": rows.prices(result),
        "sides": rows.sides(result),
        "bills": rows.bills(result),
        "differences": rows.differences(result),
    }
    return {
        "settings": dict(result.settings),
        **{name: each for name, each in found.items() if each},
    }

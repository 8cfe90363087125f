"""What a study of prices states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, finding
from planner.formatting import given
from planner.pricing import rows
from planner.pricing.overhead import dilation, sleep_fraction
from planner.question import price_group_of
from planner.study import Question, Study, provenance_of, stated
from planner.table import Column, Table

if TYPE_CHECKING:
    from planner.pricing.result import PriceResult
    from scenarios.model.price import Price
    from scenarios.model.scenario import Scenario

NOTABLE = 0.005
"""Fall of revenue from which it is a loss."""
MATTERS = 0.001
"""Difference of two mean price errors from which it decides."""
NARROW = 0.9
"""Share of 95 % intervals with the true value below which they are too narrow."""
_RISE_PLACES = 3
"""Decimals of the change of prices by a tariff: a linear program leaves noise behind them."""


def study_of(scenario: Scenario, result: PriceResult, command: tuple[str, ...]) -> Study:
    """The study of the prices of a scenario."""
    question = price_group_of(scenario)
    return stated(
        result, _headline, _confidence, _facts(question, result), _risks(scenario, result),
        _next_steps, _questions(question, result), _tables(question, result), _figures,
        command="price",
        title=finding("note", "question", scenario=(scenario.title or scenario.name, "text")),
        data=_data(scenario, result),
        provenance=provenance_of(command, scenario.provenance.files, *_settings(result)),
    )  # fmt: skip


def _settings(result: PriceResult) -> Iterator[Fact]:
    first, last = result.seeds[0], result.seeds[-1]
    yield Fact("seeds", (first, last), "interval:id")


def _share(value: float) -> tuple[float, str]:
    return value, "share"


def _errors(result: PriceResult) -> tuple[float, float]:
    """Mean price errors of Headroom's prices, and of those by run time."""
    fairness = result.fairness
    return fairness["headroom"].price_error, fairness["state-of-practice"].price_error


def _headline(result: PriceResult) -> Finding:
    """By what to charge, and how fair that is."""
    ours, today = _errors(result)
    kind = "charge" if ours < today - MATTERS else "alike" if ours < today else "keep"
    return finding("headline", kind, ours=_share(ours), today=_share(today))


def _confidence(result: PriceResult) -> Iterator[Finding]:
    """What the prices rest on."""
    score, seeds = result.our_score, len(result.seeds)
    yield finding("confidence", "pairs", applications=(len(result.applications), "application"),
                  seeds=(seeds, "count"))  # fmt: skip
    yield finding("confidence", "polling", error=(score.polling_error, "share given"))
    if seeds > 1:
        yield finding("confidence", "spread", deviation=_share(score.spread))
    else:
        yield finding("confidence", "one-seed")


def _facts(question: Price, result: PriceResult) -> Iterator[Fact]:
    fairness, score = result.fairness, result.our_score
    ours, today, fair = (fairness[name] for name in ("headroom", "state-of-practice", "oracle"))
    yield Fact("mean_price", -ours.mean_discount, "change",
               finding("note", "fair-mean", fair=(-fair.mean_discount, "change")))  # fmt: skip
    yield Fact("dearest", -today.least_discount, "change",
               finding("note", "mean", mean=(-today.mean_discount, "change")))  # fmt: skip
    yield Fact("revenue", result.revenue_change, "change",
               finding("note", "alone", change=(ours.revenue_ratio - 1, "change")))  # fmt: skip
    poppa = result.poppa_score.mean_absolute_error
    yield Fact("run_time_error", *_share(score.mean_absolute_error),
               finding("note", "poppa", error=_share(poppa)))  # fmt: skip
    hardest = result.hardest_score
    if hardest.polling_error > score.polling_error:
        errors = {"worst": (hardest.polling_error, "share given"),
                  "usual": (score.polling_error, "share given")}  # fmt: skip
        note = finding("note", "instead", **errors)
        yield Fact("harder", *_share(hardest.price_error), note)
    accepted = (question.overhead_budget, "share given")
    yield Fact("overhead", dilation(result.shutter), "share at most",
               finding("note", "accepted", budget=accepted))  # fmt: skip


def _risks(scenario: Scenario, result: PriceResult) -> Iterator[Finding]:
    """Where prices are wrong or cost more than the site accepts."""
    question = price_group_of(scenario)
    yield finding("risk", "simulated")
    change, overhead = result.revenue_change, dilation(result.shutter)
    if change < -NOTABLE:
        yield finding("risk", "revenue-falls", change=(change, "change"))
    if overhead > question.overhead_budget:
        yield finding("risk", "slow", overhead=(overhead, "share at most"),
                      budget=(question.overhead_budget, "share given"))  # fmt: skip
    if result.our_score.coverage < NARROW:
        yield finding("risk", "narrow", coverage=_share(result.our_score.coverage))
    if result.shutter.jobs > 2:
        yield finding("risk", "pairs-only", jobs=(result.shutter.jobs, "job"))
    for text in scenario.warnings:
        yield finding("risk", "remark", text=(text, "remark"))


def _next_steps(result: PriceResult) -> Iterator[Finding]:
    yield finding("next step", "measure")
    yield finding("next step", "tariff", rise=(_rise(result), "interval:change"))


def _rise(result: PriceResult) -> tuple[float, float]:
    low, high = (round(each, _RISE_PLACES) for each in result.tariff_rise)
    return low, high


def _questions(question: Price, result: PriceResult) -> tuple[Question, ...]:
    names = dict.fromkeys(score.estimator for score in result.scores)
    estimators = tuple(f"estimator-{name}" for name in names)
    sequential = "-sequential" if result.shutter.literal else ""
    return (
        Question("paid", tables=("prices",), texts=("paid", "fairness"), equations=("fair",)),
        Question("revenue", facts=(Fact("tariff", _rise(result), "interval:change"),),
                 tables=("revenue",), texts=("revenue",)),
        Question("accuracy", facts=tuple(_charged(result)), figures=("errors",),
                 texts=("accuracy",)),
        Question("applications", facts=tuple(_losses(result)), tables=("applications",),
                 figures=("degradation",), texts=("applications",)),
        Question("cost", facts=tuple(_measuring(result)), tables=("settings",),
                 figures=("overhead", "settings"), texts=("cost",),
                 equations=(f"paused{sequential}", "overhead")),
        Question("estimators", tables=("estimators",), texts=("estimators", *estimators)),
        Question("method", facts=tuple(_method(question)), texts=("method", question.law)),
        Question("node", tables=("simulated_node",)),
    )  # fmt: skip


def _charged(result: PriceResult) -> Iterator[Fact]:
    yield Fact("charged_by", result.our_score.estimator, "estimator")
    yield Fact("polling_error", result.our_score.polling_error, "share given")
    yield Fact("coverage", *_share(result.our_score.coverage))


def _losses(result: PriceResult) -> Iterator[Fact]:
    """Who loses most and least, and who slows others most; of one application there is no most."""
    if len(result.applications) < 2:
        return
    own, given_to = result.degradation.mean(axis=1), result.degradation.mean(axis=0)
    for key, means, index in (
        ("loses_most", own, int(own.argmax())),
        ("loses_least", own, int(own.argmin())),
        ("slows_most", given_to, int(given_to.argmax())),
    ):
        kind = "partners-lose" if key == "slows_most" else "loses"
        note = finding("note", kind, lost=_share(float(means[index])))
        yield Fact(key, result.applications[index], "text", note)


def _measuring(result: PriceResult) -> Iterator[Fact]:
    shutter = result.shutter
    yield Fact("measure", shutter.measure_us, "us")
    yield Fact("gap", shutter.gap_us, "us")
    yield Fact("samples", shutter.repeats, "count")
    yield Fact("jobs", shutter.jobs, "count")
    yield Fact("paused", sleep_fraction(shutter), "share at most")
    yield Fact("pause", result.in_use.shutter.base_us, "us")
    yield Fact("node_pause", result.node_pause_us, "us")


def _method(question: Price) -> Iterator[Fact]:
    yield Fact("law", question.law, "law")
    yield Fact("windows", question.shutter.windows, "windows")
    yield Fact("placebo", question.shutter.placebo_share, "share given")
    yield Fact("noise", question.counters.noise, "share given")
    yield Fact("sampler_noise", question.counters.sampler_noise, "share given")
    if not question.mix:
        shortest, longest = min(question.run_times_s), max(question.run_times_s)
        yield Fact("run_times", (shortest, longest), "interval:s given")


def _tables(question: Price, result: PriceResult) -> tuple[Table, ...]:
    hidden: dict[str, Any] = {"shown": False}
    policy, application = Column("policy", "price"), Column("application", "text")
    several = {} if len(result.seeds) > 1 else hidden
    time, size = Column("measure_us", "us"), Column("gap_us", "us")
    error, overhead = Column("price_error", "share"), Column("overhead", "share given")
    random = Column("price_error", "share", label="random_error")
    index = Column("jain", "number")
    tables = (
        Table(
            "paid",
            (policy, *(Column(f"{key}_price", "share") for key in
                       ("mean", "lowest", "p05", "highest")), error),
            tuple(rows.paid(result)),
        ),
        Table(
            "prices",
            (policy, *(Column(key, "share", **hidden) for key in
                       ("mean_discount", "min_discount", "p95_discount", "max_discount")),
             Column("revenue", "share"), index, Column("mean_envy", "share"),
             Column("envious", "share"), Column("phantom_discount", "share"), error),
            at="/prices",
        ),
        Table(
            "estimators",
            (Column("estimator", "estimator"), Column("polling_error", "share given"),
             Column("mean_absolute_error", "share"), Column("spread", "share", **several),
             Column("largest_error", "share"), Column("bias", "share"),
             Column("phantom_discount", "share", **hidden), error,
             Column("price_bias", "share", **hidden), Column("coverage", "share")),
            at="/estimators",
        ),
        Table(
            "applications",
            (application, Column("mean_degradation", "share"),
             Column("largest_degradation", "share"), Column("worst_partner", "text"),
             Column("poppa_error", "share"), Column("our_error", "share")),
            at="/applications",
        ),
        Table(
            "cells",
            (application, Column("partner", "text"), Column("lost", "share"),
             Column("headroom", "change"), Column("poppa", "change")),
            tuple(rows.cells(result)),
        ),
        Table(
            "settings",
            (Column("setting", "setting"), overhead, random, time, size,
             Column("repeats", "count"), Column("marked", "flag", **hidden)),
            tuple(rows.settings(result)),
        ),
        Table(
            "frontier",
            (Column("shutter.measure_us", "us"), Column("shutter.gap_us", "us"),
             Column("shutter.repeats", "count"), overhead, random),
            at="/frontier",
        ),
        Table(
            "overhead_by_length",
            (Column("jobs", "job"), time, Column("sleep_fraction", "share"),
             Column("dilation", "share")),
            at="/overhead_by_length",
        ),
        Table(
            "revenue",
            (Column("price", "charged"), Column("first_month", "share"),
             Column("next_month", "share")),
            at="/revenue",
        ),
    )  # fmt: skip
    if question.law != "contention":
        return tables
    numbers = (Column("name", "text"), Column("value", "text"), Column("origin", "origin"),
               Column("reason", "text"))  # fmt: skip
    return (*tables, Table("simulated_node", numbers, at="/simulated_node"))


def _figures(result: PriceResult) -> Iterator[Figure]:
    yield Figure("paid", "intervals", "paid", "policy", ("mean_price",), low="lowest_price",
                 high="highest_price", limits=(Limit("x", 1.0, "alone"),))  # fmt: skip
    largest = {name: _share(float(np.abs(score.errors).max())) for name, score in
               (("ours", result.our_score), ("poppa", result.poppa_score))}  # fmt: skip
    yield Figure("errors", "map", "cells", "partner", ("headroom",), across="application",
                 finding=finding("note", "largest-errors", **largest))  # fmt: skip
    worst = np.unravel_index(result.degradation.argmax(), result.degradation.shape)
    names = [(result.applications[index], "text") for index in worst]
    yield Figure(
        "degradation", "map", "cells", "partner", ("lost",), across="application",
        finding=finding("note", "largest-loss", application=names[0], partner=names[1],
                        lost=_share(float(result.degradation[worst]))),
    )  # fmt: skip
    in_use = Limit("x", result.shutter.measure_us)
    yield Figure("overhead", "lines", "overhead_by_length", "measure_us", ("dilation",),
                 series="jobs", limits=(in_use,), scale={"x": "log"})  # fmt: skip
    yield Figure("settings", "lines", "settings", "overhead", ("price_error",),
                 series="setting", marked="marked")  # fmt: skip


def _data(scenario: Scenario, result: PriceResult) -> dict[str, Any]:
    """The members of price.json besides the study."""
    question, shutter = price_group_of(scenario), result.shutter
    return {
        "settings": {
            "scenario": scenario.name,
            "applications": ", ".join(result.applications),
            "jobs_per_node": shutter.jobs,
            "law": question.law,
            "shutter_us": shutter.measure_us,
            "gap_us": shutter.gap_us,
            "repeats": shutter.repeats,
            "windows": question.shutter.windows,
            "placebo_share": question.shutter.placebo_share,
            "counter_noise": question.counters.noise,
            "polling_errors": ", ".join(map(given, question.counters.polling_errors)),
            "seeds": len(result.seeds),
        },
        "prices": rows.prices(result),
        "estimators": rows.estimators(result),
        "applications": rows.applications(result),
        "frontier": rows.frontier(result),
        "overhead_by_length": rows.overhead_by_length(result),
        "revenue": rows.revenue(result),
        "simulated_node": rows.simulated_node(result),
        "overhead": {"sleep_fraction": sleep_fraction(shutter), "dilation": dilation(shutter)},
        "seeds": list(result.seeds),
    }

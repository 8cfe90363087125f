"""What a study of prices states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, finding, risks_of
from planner.formatting import given
from planner.pricing import rows
from planner.pricing.fairness import Fairness
from planner.pricing.overhead import dilation, sleep_fraction
from planner.question import price_group_of
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, in_data, table

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

_EQUAL = 1e-12
"""Losses that differ by less are equal."""
_ERROR_PLACES = 4
"""Decimals of the random error of prices."""


_NEXT_STEPS = (finding("next step", "measure"), finding("next step", "tariff"))
_MOST_SIDE_BY_SIDE = 12
"""Applications of which two maps fit next to each other."""


def study_of(scenario: Scenario, result: PriceResult, command: tuple[str, ...]) -> Study:
    """The study of the prices of a scenario."""
    question = price_group_of(scenario)
    data, tables = in_data(_tables(question, result), *_IN_DATA)
    return stated(
        result, _headline, _confidence, _facts(question, result), _reasons, _alternatives,
        _assumptions(question, result), _risks(scenario, result), _NEXT_STEPS,
        _questions(question, result), tables, _figures,
        command="price",
        title=finding("note", "question", scenario=(scenario.title or scenario.name, "text")),
        data=_data(scenario, result, data),
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
    errors = {"ours": _share(ours), "today": _share(today)}
    if ours < today - MATTERS:
        return finding("headline", "charge", **errors, **_in_month(result))
    return finding("headline", "alike" if ours < today else "keep", **errors)


def _confidence(result: PriceResult) -> Iterator[Finding]:
    """What the prices rest on."""
    score, seeds = result.our_score, len(result.seeds)
    yield finding("confidence", "pairs", applications=(len(result.applications), "application"),
                  seeds=(seeds, "count"))  # fmt: skip
    if seeds > 1:
        yield finding("confidence", "spread", deviation=_share(score.spread))
    else:
        yield finding("confidence", "one-seed")


def _facts(question: Price, result: PriceResult) -> Iterator[Fact]:
    fairness = result.fairness
    ours, fair = fairness["headroom"], fairness["oracle"]
    yield Fact("mean_price", -ours.mean_discount, "change",
               finding("note", "fair-mean", fair=(-fair.mean_discount, "change")))  # fmt: skip
    poppa = result.poppa_score.mean_absolute_error
    yield Fact("run_time_error", *_share(result.our_score.mean_absolute_error),
               finding("note", "poppa", error=_share(poppa)))  # fmt: skip
    accepted = (question.overhead_budget, "share given")
    yield Fact("overhead", dilation(result.shutter), "share at most",
               finding("note", "accepted", budget=accepted))  # fmt: skip


def _by_run_time(result: PriceResult) -> dict[str, tuple[float, str]]:
    """Mean and highest price by run time, against running alone."""
    today = result.fairness["state-of-practice"]
    return {"mean": (-today.mean_discount, "change"), "highest": (_highest(today), "change")}


def _highest(charged: Fairness) -> float:
    """The highest price of a policy against running alone; without what rounding leaves of 0."""
    return -round(charged.least_discount, 12)


def _reasons(result: PriceResult) -> Iterator[Finding]:
    """What is wrong with prices by run time, what the site earns, and how robust the prices are."""
    fairness, score, hardest = result.fairness, result.our_score, result.hardest_score
    yield finding("reason", "by-run-time", **_by_run_time(result))
    ours, today = (fairness[name].revenue_ratio for name in ("headroom", "state-of-practice"))
    yield finding("reason", "revenue-alone", ours=_share(ours), today=_share(today))
    yield finding("reason", "with-tariff", rise=(_rise(result), "interval:change"),
                  change=(_with_tariff(result), "change"))  # fmt: skip
    if hardest.polling_error > score.polling_error and hardest.price_error < _errors(result)[1]:
        yield finding(
            "reason", "harder", error=_share(hardest.price_error),
            worst=(hardest.polling_error, "share given"),
            usual=(score.polling_error, "share given"),
        )  # fmt: skip


def _alternatives(result: PriceResult) -> Iterator[Finding]:
    """The published method."""
    yield finding("alternative", "poppa-price",
                  error=_share(result.fairness["poppa"].price_error))  # fmt: skip


def _assumptions(question: Price, result: PriceResult) -> Iterator[Finding]:
    """What decides the prices if it is otherwise."""
    yield finding("assumption", "fair")
    yield finding("assumption", "law-of", law=(question.law, "law"))
    yield finding("assumption", "polling", error=(result.our_score.polling_error, "share given"))


def _with_tariff(result: PriceResult) -> float:
    """Revenue of the next month with the tariff, against prices by run time."""
    month = result.month
    return round(month.next_ratio / month.run_time_ratio - 1, _RISE_PLACES)


def _in_month(result: PriceResult) -> dict[str, tuple[float, str]]:
    """Revenue of a simulated month against prices by run time, without and with the tariff."""
    month = result.month
    return {"change": (month.unadjusted_ratio / month.run_time_ratio - 1, "change"),
            "tariff": (_with_tariff(result), "change")}  # fmt: skip


def _pays(result: PriceResult) -> Finding:
    """What jobs pay on average."""
    names = {"ours": "headroom", "fair": "oracle", "today": "state-of-practice"}
    means = {key: -result.fairness[name].mean_discount for key, name in names.items()}
    return finding("note", "pays", **{key: (mean, "change") for key, mean in means.items()})


def _earned(result: PriceResult) -> Finding:
    """Revenue over all pairs, and in a simulated month with and without the tariff."""
    month = _in_month(result)
    return finding("note", "earned", pairs=(result.revenue_change, "change"),
                   month=month["change"], tariff=month["tariff"])  # fmt: skip


def _predicted(result: PriceResult) -> Iterator[Finding]:
    """How well run times are predicted, and how certain that is stated to be."""
    score = result.our_score
    yield finding("note", "predicted", estimator=(score.estimator, "estimator"),
                  ours=_share(score.mean_absolute_error),
                  poppa=_share(result.poppa_score.mean_absolute_error))  # fmt: skip
    yield finding("note", "covered", coverage=_share(score.coverage))


def _costs(question: Price, result: PriceResult) -> Iterator[Finding]:
    """The overhead with and without a cost of each pause, and the random error that it allows."""
    yield finding(
        "note", "costs", overhead=(dilation(result.shutter), "share at most"),
        paused=(round(result.in_use.overhead, rows.PLACES), "share at most"),
        pause=(result.in_use.shutter.base_us, "us"),
        budget=(question.overhead_budget, "share given"),
    )  # fmt: skip
    best, used = (
        (round(each.price_error, _ERROR_PLACES), "share given")
        for each in (result.chosen, result.in_use)
    )
    yield finding("note", "random", used=used, best=best)


def _risks(scenario: Scenario, result: PriceResult) -> Iterator[Finding]:
    """Where prices are wrong or cost more than the site accepts."""
    question = price_group_of(scenario)
    yield finding("risk", "simulated")
    overhead, earned = dilation(result.shutter), _in_month(result)
    if earned["change"][0] < -NOTABLE:
        yield finding("risk", "revenue-falls", **earned)
    if overhead > question.overhead_budget:
        yield finding("risk", "slow", overhead=(overhead, "share at most"),
                      budget=(question.overhead_budget, "share given"))  # fmt: skip
    if result.our_score.coverage < NARROW:
        yield finding("risk", "narrow", coverage=_share(result.our_score.coverage))
    if result.shutter.jobs > 2:
        yield finding("risk", "pairs-only", jobs=(result.shutter.jobs, "job"))
    yield from risks_of(scenario.remarks)


def _rise(result: PriceResult) -> tuple[float, float]:
    low, high = (round(each, _RISE_PLACES) for each in result.tariff_rise)
    return low, high


def _questions(question: Price, result: PriceResult) -> tuple[Question, ...]:
    names = dict.fromkeys(score.estimator for score in result.scores)
    estimators = tuple(f"estimator-{name}" for name in names)
    many = ("maps",) if len(result.applications) > rows.MOST_DRAWN else ()
    sequential = "-sequential" if result.shutter.literal else ""
    return (
        Question("paid", findings=(_pays(result),), texts=("paid", "fairness"),
                 equations=("fair",)),
        Question("fairness", tables=("prices",)),
        Question("revenue", findings=(_earned(result),), tables=("earned",),
                 texts=("revenue",)),
        Question("accuracy", findings=tuple(_predicted(result)), figures=("errors",),
                 tables=("applications",), texts=("accuracy", *many)),
        Question("applications", findings=tuple(_losses(result)),
                 figures=("degradation",), texts=("applications",)),
        Question("cost", findings=tuple(_costs(question, result)),
                 tables=("compared_settings",), figures=("overhead", "settings"),
                 texts=("cost", "computed")),
        Question("settings", facts=tuple(_measuring(result)), texts=("symbols",),
                 equations=(f"paused{sequential}", "overhead")),
        Question("estimators", tables=("estimators",), texts=("estimators", *estimators)),
        Question("method", facts=tuple(_method(question)), texts=("method", question.law)),
        Question("node", tables=("simulated_node",)),
    )  # fmt: skip


def _losses(result: PriceResult) -> Iterator[Finding]:
    """Who loses most and least, and who slows others most; of one application there is no most."""
    if len(result.applications) < 2:
        return
    own, given_to = result.degradation.mean(axis=1), result.degradation.mean(axis=0)
    if own.max() - own.min() > _EQUAL:
        most, least = float(own.max()), float(own.min())
        yield finding(
            "note", "loses", most=(_at(result, own, most), "text"), lost=_share(most),
            least=(_at(result, own, least), "text"), little=_share(least),
        )  # fmt: skip
    if given_to.max() - given_to.min() > _EQUAL:
        lost = float(given_to.max())
        yield finding("note", "partners-lose", lost=_share(lost),
                      applications=(_at(result, given_to, lost), "text"))  # fmt: skip
    worst = {row["worst_partner"] for row in rows.applications(result)}
    if _is_common(worst, result):
        yield finding("note", "worst-partner", partner=(worst.pop(), "text"))


def _at(result: PriceResult, means: NDArray[np.float64], mean: float) -> tuple[str, ...]:
    """The applications whose mean is this one."""
    return tuple(
        name for name, each in zip(result.applications, means, strict=True)
        if abs(each - mean) <= _EQUAL
    )  # fmt: skip


def _is_common(worst: Collection[str], result: PriceResult) -> bool:
    """Whether all of several applications lose something, and most with one partner."""
    lose = bool((result.degradation.max(axis=1) > 0).all())
    return lose and len(worst) == 1 < len(result.applications)


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
    yield Fact("windows", question.shutter.windows, "windows")
    yield Fact("placebo", question.shutter.placebo_share, "share given")
    yield Fact("noise", question.counters.noise, "share given")
    yield Fact("sampler_noise", question.counters.sampler_noise, "share given")
    if not question.mix:
        shortest, longest = min(question.run_times_s), max(question.run_times_s)
        yield Fact("run_times", (shortest, longest), "interval:s given")


def _tables(question: Price, result: PriceResult) -> Iterator[Table]:
    single = set() if len(result.seeds) > 1 else {"spread"}
    random = {"price_error": "random_error"}
    yield table("paid", {"policy": "price", "mean_price": "share", "lowest_price": "share",
                "p05_price": "share", "highest_price": "share", "price_error": "share"},
                rows.paid(result))  # fmt: skip
    yield table("prices", {"policy": "price", "mean_discount": "share", "min_discount": "share",
                "p95_discount": "share", "max_discount": "share", "revenue": "share",
                "jain": "ratio", "mean_envy": "share", "envious": "share",
                "phantom_discount": "share", "price_error": "share"}, rows.prices(result),
                hidden={"mean_discount", "min_discount", "p95_discount", "max_discount"},
                limits={"jain": 1.0})  # fmt: skip
    yield table("estimators", {"estimator": "estimator", "polling_error": "share given",
                "mean_absolute_error": "share", "spread": "share", "largest_error": "share",
                "bias": "share", "phantom_discount": "share", "price_error": "share",
                "price_bias": "share", "coverage": "share"}, result.scores,
                hidden=single | {"phantom_discount", "price_bias"})  # fmt: skip
    worst = {row["worst_partner"] for row in rows.applications(result)}
    yield table("applications", {"application": "text", "mean_degradation": "share",
                "largest_degradation": "share", "worst_partner": "text", "poppa_error": "share",
                "our_error": "share"}, rows.applications(result),
                hidden=("worst_partner",) if _is_common(worst, result) else ())  # fmt: skip
    yield table("cells", {"application": "text", "partner": "text", "lost": "share",
                "headroom": "change", "poppa": "change"}, rows.cells(result))  # fmt: skip
    rated = {"setting": "setting", "overhead": "share at most", "price_error": "share given",
             "measure_us": "us", "gap_us": "us", "repeats": "count"}  # fmt: skip
    headings = random | {"overhead": "overhead_with_pauses"}
    yield table("settings", rated | {"marked": "flag"}, rows.settings(result), hidden={"marked"},
                labels=headings)  # fmt: skip
    yield table("compared_settings", rated, rows.settings(result)[:2], labels=headings)
    yield table("frontier", {"shutter.measure_us": "us", "shutter.gap_us": "us",
                "shutter.repeats": "count", "overhead": "share given", "price_error": "share"},
                result.frontier, labels=headings)  # fmt: skip
    yield table("overhead_by_length", {"jobs": "job", "measure_us": "us",
                "sleep_fraction": "share", "dilation": "share"},
                rows.overhead_by_length(result))  # fmt: skip
    yield table("overhead_near", {"jobs": "job", "measure_ms": "number", "dilation": "share"},
                rows.overhead_near(result))  # fmt: skip
    yield table("earned", {"price": "charged", "pairs": "share", "month": "share"},
                rows.earned(result))  # fmt: skip
    yield table("revenue", {"price": "charged", "first_month": "share", "next_month": "share"},
                result.tariff)  # fmt: skip
    if question.law == "contention":
        yield table("simulated_node", {"name": "quotation", "value": "quotation",
                    "origin": "origin", "reason": "quotation"}, at="/simulated_node")  # fmt: skip


_IN_DATA = ("prices", "estimators", "applications", "frontier", "overhead_by_length", "revenue")


def _figures(result: PriceResult) -> Iterator[Figure]:
    prices = {"today": "state-of-practice", "ours": "headroom"}
    highest = {name: (_highest(result.fairness[price]), "change")
               for name, price in prices.items()}  # fmt: skip
    yield Figure("paid", "intervals", "paid", "policy", ("mean_price",), low="lowest_price",
                 high="highest_price", limits=(Limit("x", 1.0, "alone"),),
                 finding=finding("note", "highest", **highest))  # fmt: skip
    largest = {name: _share(float(np.abs(score.errors).max())) for name, score in
               (("ours", result.our_score), ("poppa", result.poppa_score))}  # fmt: skip
    both = len(result.applications) <= _MOST_SIDE_BY_SIDE
    maps = ("poppa", "headroom") if both else ("headroom",)
    yield Figure("errors", "map", "cells", "partner", maps, across="application",
                 finding=finding("note", "largest-errors", **largest))  # fmt: skip
    worst = np.unravel_index(result.degradation.argmax(), result.degradation.shape)
    names = [(result.applications[index], "text") for index in worst]
    yield Figure(
        "degradation", "map", "cells", "partner", ("lost",), across="application",
        finding=finding("note", "largest-loss", application=names[0], partner=names[1],
                        lost=_share(float(result.degradation[worst]))),
    )  # fmt: skip
    in_use = Limit("x", result.shutter.measure_us / 1000)
    yield Figure("overhead", "lines", "overhead_near", "measure_ms", ("dilation",),
                 series="jobs", limits=(in_use,))  # fmt: skip
    yield Figure("settings", "lines", "settings", "overhead", ("price_error",),
                 series="setting", marked="marked")  # fmt: skip


def _data(scenario: Scenario, result: PriceResult, of_tables: Mapping[str, Any]) -> dict[str, Any]:
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
        **of_tables,
        "simulated_node": [asdict(number) for number in result.numbers],
        "overhead": {"sleep_fraction": sleep_fraction(shutter), "dilation": dilation(shutter)},
        "seeds": list(result.seeds),
    }

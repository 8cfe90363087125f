"""The document on prices of shared nodes: questions with figures, long tables at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from planner.command_row import command_line
from planner.formatting import DASH, capitalised, given, given_time, percent, plural
from planner.pricing.month import JOBS, USERS
from planner.pricing.overhead import dilation
from planner.pricing.study import PriceStudy, raised
from planner.pricing.tables import (
    ACCURACY,
    APPLICATIONS,
    BELOW,
    BOARD,
    FAIRNESS,
    POLICIES,
)
from planner.question import price_group_of
from planner.worded_table import Column, hidden
from reports.blocks import Drawn, Page, figures, grid, text
from reports.grid import table, table_of
from reports.skeleton import paged, provenance_page, title_page
from reports.standard import first_page
from reports.style import Picture
from reports.tabled import named_table, table_blocks
from scenarios.simulated.shared_node.settings import NodeSettings

_BOOK = "price.xlsx"


def document(study: PriceStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    return paged(_front_with(pictures), _prices, _accuracy, _applications, _cost, _revenue,
                 _method, _fairness, _estimators, _settings, _node,
                 _provenance)(study, pictures)  # fmt: skip


def _front_with(pictures: Sequence[Picture]) -> Callable[[PriceStudy], dict[str, Any]]:
    def front(study: PriceStudy) -> dict[str, Any]:
        rows = table_of(BOARD, study.result.price_rows())
        first = replace(first_page(study, pictures), table=rows, balanced=True)
        return title_page(study, study.title, study.title, first=first)

    return front


def _prices(study: PriceStudy, drawn: Drawn) -> Page:
    ours, fair = study.result.fairness["headroom"], study.result.fairness["oracle"]
    answer = (
        f"On average, jobs pay {_less(ours.mean_discount)} than alone at Headroom's prices, and "
        f"{_less(fair.mean_discount)} at fair prices."
    )
    columns = (
        BOARD[0],
        Column(lambda row: _PRICES.get(row.policy, ""), "what a job pays", width=4),
        BOARD[1],
        BELOW,
    )
    prices = table_of(columns, study.result.price_rows())
    blocks = (
        text(_SPEED),
        grid(prices, "The four prices, relative to that of running alone, over all pairs"),
        *figures(drawn, "prices", _FIRST),
    )
    return Page("What do users pay?", answer, blocks)


def _less(discount: float) -> str:
    """Return a discount in words; below 0 it is a surcharge."""
    return f"{percent(abs(discount), places=1)} {'less' if discount >= 0 else 'more'}"


_SPEED = (
    "The speed that a job keeps is its run time alone, divided by its run time with a partner on "
    "the node. A fair price is the price by run time, times the square of this speed. So a job "
    "that keeps 80 % of its speed pays 80 % of its price alone."
)
_FIRST = (
    "Prices are relative to those of running alone, over all pairs. Fair price: by the true run "
    "times, which only a simulation knows (oracle). POPPA: a published method; its Algorithm 4 "
    "estimates interference. Price error: difference from the fair price, relative to it. Waiting "
    "ranks: MPI processes that wait for messages; they execute instructions, too."
)
_PRICES = {
    "state-of-practice": "Rate x cores x run time, even if the partner slows the job down.",
    "poppa": "The price by run time, times the square of the speed that the job keeps, as "
    "POPPA's Algorithm 4 estimates it.",
    "oracle": "The same with true run times. This is the fair price, but no site knows it.",
    "headroom": "The same with Headroom's estimate, and without the bias that squaring an "
    "uncertain estimate brings.",
}


def _fairness(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    caption = f"How fair each price is; {_BOOK} has more columns"
    rows = table_of(FAIRNESS, study.result.price_rows())
    return Page("Appendix: fairness", "", (text(_FAIRNESS), grid(rows, caption)))


_FAIRNESS = (
    "Jain's index is 1 if all jobs pay the same share of their fair "
    "price. Envy is what a job pays above the job that pays least, both relative to the fair "
    "price. Jobs with envy are those above 2 %: a few prices that are too low are enough for many "
    "such jobs. A phantom discount is one for a job that no other job "
    "disturbs; it should be 0. The price error is the difference from the fair price, relative to "
    "it."
)


def _accuracy(study: PriceStudy, drawn: Drawn) -> Page:
    poppa, ours = study.result.poppa_score, study.result.our_score
    error = percent(ours.mean_absolute_error, places=1)
    answer = f"Headroom predicts run times with a partner; the mean error is {error}."
    if poppa is not None:
        base = percent(poppa.mean_absolute_error, places=1)
        answer = (
            f"Headroom predicts run times with a partner with a mean error of {error}, POPPA's "
            f"Algorithm 4 with one of {base}."
        )
    blocks = (text(_PAUSES), *figures(drawn, "estimators", _SIGNS))
    return Page("How well is interference measured?", answer, blocks)


_PAUSES = (
    "All jobs of a node but one are paused for a few milliseconds. That job's instructions per "
    "cycle (IPC), alone and with the others, turn its run time alone into that with the partner. "
    "Both methods get the same counters."
)
_SIGNS = (
    "Mean over the seeds. Red: the run time with the partner is predicted too long (interference "
    "overestimated); blue: too short."
)


def _applications(study: PriceStudy, drawn: Drawn) -> Page:
    rows = study.result.application_rows()
    most = max(rows, key=lambda row: row.mean_degradation)
    least = min(rows, key=lambda row: row.mean_degradation)
    answer = (
        f"{most.application} loses most, {percent(most.mean_degradation, places=1)} of its speed "
        f"on average; {least.application} loses least, "
        f"{percent(least.mean_degradation, places=1)}."
    )
    losses_by = study.result.degradation.mean(axis=0)
    hurts = int(losses_by.argmax())
    partner = (
        f"As a partner, {study.result.applications[hurts]} slows others most: jobs next to it "
        f"lose {percent(float(losses_by[hurts]), places=1)} of their speed on average."
    )
    definition = (
        "Degradation is the share of its speed that an application loses to its partner on the "
        "node. Rows: application; columns: partner."
    )
    partners = {row.worst_partner for row in rows}
    one = len(partners) == 1
    unknown = ("poppa_error",) if study.result.poppa_score is None else ()
    columns = hidden(APPLICATIONS, *(("worst_partner",) if one else ()), *unknown)
    always = f"; the worst partner is always {next(iter(partners))}" if one else ""
    caption = (
        "True degradation, and mean absolute error of the predicted run time with a partner, over "
        f"all partners{always}"
    )
    losses = grid(table_of(columns, rows), caption)
    blocks = (text(f"{definition} {partner}"), *figures(drawn, "applications"), losses)
    return Page("Which applications lose most speed?", answer, blocks)


def _cost(study: PriceStudy, drawn: Drawn) -> Page:
    question, shutter = price_group_of(study.scenario), study.result.shutter
    answer = (
        f"With S = {shutter.measure_us / 1e3:g} ms and P = {shutter.gap_us / 1e3:g} ms, measuring "
        f"makes jobs {percent(dilation(shutter), places=2)} longer; the site accepts up to "
        f"{given(question.overhead_budget)}."
    )
    shortest, longest = min(question.run_times_s), max(question.run_times_s)
    mix = (
        "the job mix of the scenario"
        if question.mix
        else f"jobs of {given_time(shortest)} to {given_time(longest)}"
    )
    source = (
        f"Computed by a formula for {mix}: only random errors of counters and phases count, and "
        "the IPC of waiting ranks is exact. These errors do not compare with the simulated ones on "
        f"the first page. {_pause_cost(study)}"
    )
    blocks = (
        text(_ROUND),
        *figures(drawn, "overhead_by_length"),
        *figures(drawn, "frontier", source),
    )
    return Page("What does measuring cost?", answer, blocks)


def _pause_cost(study: PriceStudy) -> str:
    """Return what a pause costs in the computed overheads, and on the simulated node."""
    node = NodeSettings()
    simulated_us = 2 * (node.signal_us + node.read_us)
    return (
        f"The overhead here includes {study.result.in_use.shutter.base_us / 1e3:g} ms for each "
        "pause, the most that the paper reports; on the simulated node, a pause takes "
        f"{simulated_us / 1e3:g} ms."
    )


_ROUND = (
    "In one round, all jobs run for a time S, then one job runs alone for S, then all jobs run for "
    "S again. P is the gap until the next round. The overhead is how much longer jobs run."
)


def _revenue(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    if not study.result.tariff:
        return None
    month = study.result.month
    less, with_tariff = (
        _less(1 - ratio / month.run_time_ratio)
        for ratio in (month.unadjusted_ratio, month.next_ratio)
    )
    answer = (
        f"In a simulated month, the site earns {less} at Headroom's prices than by run time; with "
        f"a tariff, {with_tariff}."
    )
    months = {"state-of-practice": month.run_time_ratio, "headroom": month.unadjusted_ratio}
    rows = [
        (POLICIES.get(row.policy, row.policy), _share(row.revenue), _share(months.get(row.policy)))
        for row in study.result.price_rows()
    ]
    rows.append(("Headroom, with a tariff", DASH, _share(month.next_ratio)))
    columns = (("Price", False), ("All pairs equally frequent", True), ("Simulated month", True))
    revenue = table(columns, (2, 2, 2), rows)
    tariff = (
        f"{_TARIFF} Here it changes each price by {raised(study.result.tariff_rise)}, also that of "
        "a job that no other job disturbs. It is fitted to one month, where revenue is "
        f"{percent(month.fitted_ratio, places=1)}. The table shows the next month."
    )
    caption = (
        "Revenue, relative to what the same jobs would pay if they ran alone (dash: not simulated)"
    )
    blocks = (text(_MONTH), grid(revenue, caption), text(tariff))
    return Page("What does the site earn?", answer, blocks)


def _share(value: float | None) -> str:
    return DASH if value is None else percent(value, places=1)


_MONTH = (
    f"A month has {JOBS:,} jobs of {USERS} users with favourite applications and random partners, "
    "run times and cores. A few large jobs make much of its revenue, so it differs from that of "
    "equally frequent pairs."
)
_TARIFF = (
    "A tariff is a factor on Headroom's prices, with which the site earns as much as if all jobs "
    "ran alone."
)


def _method(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    question = price_group_of(study.scenario)
    seeds = plural(len(study.result.seeds), "seed")
    rows = {
        "Jobs": "Every pair of applications shares a simulated node; each job has half of each "
        "socket.",
        "Interference": _LAWS[question.law],
        "Counters": "Every reading of IPC has a relative noise of "
        f"{given(question.counters.noise)}. The share of time that ranks wait is read with an "
        f"error of {given(question.counters.sampler_noise)[:-2]} points. "
        f"{given(question.shutter.placebo_share)} of the rounds pause no job (placebo).",
        "Estimates": "Estimators see counters only. Their predictions are compared with true run "
        f"times, and the errors averaged over pairs and {seeds}.",
        "Discount": "Relative to the price of running alone; if negative, it is a surcharge.",
        "Further reading": 'The page "Estimators and prices for shared nodes" of the '
        "documentation has the formulas.",
    }
    method = table((("Part", False), ("How it is done", False)), (1, 4), rows.items())
    return Page("Appendix: method", "", (grid(method, "Method"),))


_LAWS = {
    "contention": "Jobs compete for cache and memory bandwidth (law: contention). An appendix "
    "lists its parameters; those of each application are in "
    "scenarios/simulated/shared_node/applications.py.",
    "sensitivity": "Each job has a curve of its speed over the pressure of the others (law: "
    "sensitivity, scenarios/simulated/shared_node/second_law.py).",
}
"""How simulated jobs slow each other down, by name of the law."""


def _estimators(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    written = named_table(study, "estimators")
    columns = [column for column in written.columns if column.key in ACCURACY]
    names = dict.fromkeys(score.estimator for score in study.result.scores)
    rows = [(name, ESTIMATOR_TEXTS.get(name, "An estimator of your own.")) for name in names]
    texts = table((("Estimator", False), ("What it computes", False)), (1, 4), rows)
    blocks = (
        grid(texts, "Estimators of the speed that a job keeps"),
        text(_POLLING),
        grid(table_of(columns, written.rows), f"{written.caption}; {_BOOK} has more columns"),
        text(_FILTER),
    )
    return Page("Appendix: estimators", "", blocks)


ESTIMATOR_TEXTS = {
    "algorithm-4": "POPPA's: mean IPC together, divided by mean IPC alone, over "
    "filtered rounds (those in which each job is fastest alone).",
    "unfiltered": "As algorithm-4, over all rounds.",
    "block-ratios": "Mean of the ratios of single rounds.",
    "symmetric": "As block-ratios, over rounds whose samples before and after the pause agree.",
    "placebo": "Algorithm 4, corrected by rounds that pause no job.",
    "spin": "Ratio within groups of like rounds, without the instructions of waiting ranks.",
    "shrinkage": "Spin, moved towards the mean of the earlier runs of the job.",
}
"""What each built-in estimator computes."""
_FILTER = (
    "Algorithm 4 filters rounds: it drops those in which a job is not fastest while it runs alone. "
    "If noise decides this, the estimate of the speed that a job keeps is too low."
)
_POLLING = (
    "Ranks that wait for messages execute instructions, too. Their IPC (polling IPC) has to be "
    "known, so it is tried with errors. Each method gives a 95 % interval of the speed that a job "
    "keeps. About 95 % of these should contain the true value."
)


def _settings(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    best = table_blocks(study, "frontier")
    note = text(
        "S is the length of a measurement, P the gap between rounds, K the samples in S. "
        f"{_pause_cost(study)}"
    )
    return Page("Appendix: settings of the measurement", "", (note, *best)) if best else None


def _node(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    if price_group_of(study.scenario).law != "contention":
        return None
    blocks = tuple(table_blocks(study, "simulated_node"))
    return Page("Appendix: the simulated node", "", blocks)


def _provenance(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    command = ("Command", command_line(study.command) or "run from Python")
    rows = [
        (capitalised(_LABELS.get(name, name)), _text(name, value))
        for name, value in study.settings.items()
    ]
    return provenance_page(study, [command, *rows, *study.provenance])


_LABELS = {
    "jobs_per_node": "jobs per node",
    "law": "law of interference",
    "shutter_us": "length of a measurement, S",
    "gap_us": "gap between rounds, P",
    "repeats": "samples in a row, K",
    "windows": "windows of measurement",
    "placebo_share": "share of placebo rounds",
    "counter_noise": "relative noise of counters",
    "polling_errors": "errors of the IPC of waiting ranks",
}


def _text(name: str, value: Any) -> str:
    if name.endswith("_us"):
        return f"{value / 1e3:,g} ms"
    return given(value) if isinstance(value, float) else str(value)

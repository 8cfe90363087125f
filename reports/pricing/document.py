"""The document on prices of shared nodes: questions with figures, long tables at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from planner.formatting import capitalised, given, given_time, percent, plural
from planner.pricing.month import JOBS, USERS
from planner.pricing.overhead import dilation
from planner.pricing.question import price_group_of
from planner.pricing.strategic import REMEDIES, CheatingGain
from planner.pricing.study import OUR_NAMES, PriceStudy, longer
from planner.pricing.tables import (
    ACCURACY,
    APPLICATIONS,
    BELOW,
    BOARD,
    FAIRNESS,
    POLICIES,
    charged_by,
)
from planner.table import Column, hidden
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.grid import table, table_of
from reports.skeleton import command_line, paged, provenance_page, title_page
from reports.standard import first_page
from reports.style import Picture
from reports.tabled import named_table

_BOOK = "price.xlsx"


def document(study: PriceStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    return paged(_front_with(pictures), _prices, _accuracy, _applications, _cost, _revenue,
                 _gaming, _method, _fairness, _estimators, _gains, _settings, _node, _paper,
                 _provenance)(study, pictures)  # fmt: skip


def _front_with(pictures: Sequence[Picture]) -> Callable[[PriceStudy], dict[str, Any]]:
    def front(study: PriceStudy) -> dict[str, Any]:
        rows = table_of(BOARD, study.result.price_rows())
        first = replace(first_page(study, pictures), table=rows)
        return title_page(study, study.title, study.title, first=first)

    return front


def _table(study: PriceStudy, name: str) -> list[Block]:
    """Return a table by its name; nothing where it is empty."""
    written = named_table(study, name)
    return [grid(table_of(written.columns, written.rows), written.caption)] if written.rows else []


def _prices(study: PriceStudy, drawn: Drawn) -> Page:
    ours, fair = study.result.fairness["headroom"], study.result.fairness["oracle"]
    answer = (
        f"On average, jobs pay {_less(ours.mean_discount)} than alone at Headroom's prices, and "
        f"{_less(fair.mean_discount)} at fair prices."
    )
    columns = (
        BOARD[0],
        Column(lambda row: _PRICES.get(row.policy, ""), "what a job pays", width=4),
        replace(BOARD[1], heading="mean"),
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
    "the node. A fair price falls with the square of this speed."
)
_FIRST = (
    "Prices are relative to those of running alone, over all pairs. Fair price: by the true run "
    "times, which only a simulation knows (oracle). POPPA: a published method; its Algorithm 4 "
    "estimates interference. Price error: difference from the fair price, relative to it. IPC of "
    "waiting ranks: processes that wait for messages execute instructions, too."
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
    base = ""
    if poppa is not None:
        base = f", POPPA's Algorithm 4 with {percent(poppa.mean_absolute_error, places=1)}"
    answer = f"Headroom predicts run times with a mean error of {error}{base}."
    blocks = (text(_PAUSES), *figures(drawn, "estimators", _SIGNS))
    return Page("How well is interference measured?", answer, blocks)


_PAUSES = (
    "For a few milliseconds all jobs of a node but one are paused. The instructions per cycle "
    "(IPC) of the remaining job show how fast it runs alone. Both methods get the same counters."
)
_SIGNS = (
    "Mean over the seeds of each pair. Red: interference is overestimated; blue: underestimated."
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
        f"True degradation, and mean absolute error of the predicted run time, over all partners"
        f"{always}"
    )
    losses = grid(table_of(columns, rows), caption)
    blocks = (text(definition), *figures(drawn, "applications"), losses)
    return Page("Which applications lose most speed?", answer, blocks)


def _cost(study: PriceStudy, drawn: Drawn) -> Page:
    question, shutter = price_group_of(study.scenario), study.result.shutter
    answer = (
        f"With S = {shutter.measure_us / 1e3:g} ms and P = {shutter.gap_us / 1e3:g} ms, measuring "
        f"makes jobs {percent(dilation(shutter))} longer; the site accepts up to "
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
        "the first page. The overhead here includes "
        f"{study.result.in_use.shutter.base_us / 1e3:g} ms for each pause."
    )
    blocks = (
        text(_ROUND),
        *figures(drawn, "overhead_by_length"),
        *figures(drawn, "frontier", source),
    )
    return Page("What does measuring cost?", answer, blocks)


_ROUND = (
    "In one round, all jobs run for a time S, then one job runs alone for S, then all jobs run for "
    "S again. P is the gap until the next round. The overhead is how much longer jobs run."
)


def _revenue(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    if not study.result.tariff:
        return None
    fair, tariff = study.result.tariff[0], study.result.tariff[-1]
    answer = (
        f"In a simulated month at Headroom's prices, revenue is "
        f"{percent(fair.next_month, places=1)} of that from the same jobs alone; with a tariff, "
        f"{percent(tariff.next_month, places=1)}."
    )
    every = "; ".join(
        f"{POLICIES.get(row.policy, row.policy)}: {percent(row.revenue, places=1)}"
        for row in study.result.price_rows()
    )
    pairs = (
        f"If all pairs are equally frequent, revenue relative to running alone is: {every}. In a "
        "month, other jobs weigh more, so shares differ."
    )
    fitted = (
        ""
        if tariff.first_month is None
        else f" In that first month, revenue is {percent(tariff.first_month, places=1)}."
    )
    blocks = (text(pairs), text(f"{_TARIFF}{fitted}"))
    return Page("What does the site earn?", answer, blocks)


_TARIFF = (
    f"Each month has {JOBS:,} jobs of {USERS} users with favourite applications and random "
    "partners, run times and cores. A tariff raises Headroom's prices so that the site earns as "
    "much as if all jobs ran alone. It is fitted to one month, and tried on the next one."
)


def _gaming(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    if not study.result.gains:
        return None
    ours = [gain for gain in study.result.gains if gain.estimator in OUR_NAMES]
    others = [gain for gain in study.result.gains if gain.estimator not in OUR_NAMES]
    answer = _cheated(ours) if ours else "No tactic was tried on Headroom's prices."
    untried = dict.fromkeys(
        gain.tactic for gain in others if gain.tactic not in {one.tactic for one in ours}
    )
    notes = [_HONEST]
    if others:
        worst = min(others, key=lambda gain: gain.price)
        notes.append(
            f"The lowest price by any other method is {percent(worst.price)}, by {worst.tactic} "
            f"against {charged_by(worst)}."
        )
    notes += [f"Headroom's prices were not tried against {tactic}." for tactic in untried]
    tactics = [
        (tactic.capitalize(), TACTICS[tactic], remedy) for tactic, remedy in REMEDIES.items()
    ]
    columns = (("Tactic", False), ("What the user does", False), ("Remedy of the site", False))
    remedies = grid(table(columns, (0.9, 2, 4), tactics), "Tactics and remedies")
    return Page("Can users cheat?", answer, (text(" ".join(notes)), remedies))


def _cheated(gains: Sequence[CheatingGain]) -> str:
    """Return whether any tactic lowers the price."""
    best = min(gains, key=lambda gain: gain.price)
    saved = percent(1 - best.price)
    if best.price > 1 - _SMALL:
        return f"No tactic that was tried lowers Headroom's price by more than {given(_SMALL)}."
    return f"Yes: {best.tactic} makes Headroom's price {saved} lower{longer(best)}."


_SMALL = 0.005
_HONEST = (
    "Gains are computed for a job that keeps 85 % of its speed, relative to the price of the same "
    "job without the tactic."
)

TACTICS = {
    "polling": "The job executes useless instructions all the time.",
    "stalling": "The job wastes cycles unless it runs alone.",
    "short phases": "The job changes its speed as often as it is measured.",
    "splitting": "The job is submitted in parts.",
}
"""What a user does to game the measurement."""


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
        "Discount": "It is relative to the price of running alone. A negative discount is a "
        "surcharge.",
        "Revenue": "It is relative to what the same jobs would pay if they ran alone.",
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
    )
    return Page("Appendix: estimators", "", blocks)


ESTIMATOR_TEXTS = {
    "algorithm-4": "POPPA's: mean IPC together, divided by mean IPC alone, over filtered rounds.",
    "unfiltered": "The same over all rounds.",
    "block-ratios": "Mean of the ratios of single rounds.",
    "symmetric": "The same over rounds whose samples before and after the pause agree.",
    "placebo": "Algorithm 4, corrected by rounds that pause no job.",
    "spin": "Ratio within groups of like rounds, without the instructions of waiting ranks.",
    "shrinkage": "Spin, moved towards the mean of the earlier runs of the job.",
}
"""What each built-in estimator computes."""
_POLLING = (
    "Ranks that wait for messages execute instructions, too. Their IPC (polling IPC) has to be "
    "known, so it is tried with errors. About 95 % of the intervals should contain the true value."
)


def _gains(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    columns = {column.key: column for column in named_table(study, "strategic").columns}
    blocks: list[Block] = []
    for tactics, caption, strength in _STRENGTHS:
        gains = [gain for gain in study.result.gains if gain.tactic in tactics]
        if not gains:
            continue
        shown = [
            *((columns["tactic"],) if len(tactics) > 1 else ()),
            columns["estimator"],
            replace(columns["strength"], heading=strength),
            columns["price"],
            *((columns["run_time"],) if any(gain.run_time != 1 for gain in gains) else ()),
        ]
        blocks.append(grid(table_of(shown, gains), caption))
    note = text(
        f"A price below 100 % means that the user gains. {_HONEST} A window is the time S of one "
        "measurement. Where no run time is shown, it does not change."
    )
    return Page("Appendix: tactics of users", "", (note, *blocks)) if blocks else None


_STRENGTHS = (
    (("polling", "stalling"), "Wasted cycles: price and run time", "wasted share"),
    (("short phases",), "Short phases: price", "length of a phase"),
    (("splitting",), "A job in parts: price", "number of parts"),
)
"""Tables of tactics: which, caption, and heading of their strength."""


def _settings(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    blocks = tuple(block for name in ("frontier", "adaptive") for block in _table(study, name))
    note = text(
        "S is the length of a measurement, P the gap between rounds, K the samples in S. Overheads "
        "of the best settings include the cost of each pause. With adaptive rounds, the gap grows "
        "with the age of a job; short jobs may miss the aim."
    )
    return Page("Appendix: settings of the measurement", "", (note, *blocks)) if blocks else None


def _node(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    law = price_group_of(study.scenario).law
    names = (*(("simulated_node",) if law == "contention" else ()), "filter_bias")
    blocks = tuple(block for name in names for block in _table(study, name))
    return Page("Appendix: the simulated node", "", blocks)


def _paper(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    return Page("Appendix: the paper's numbers", "", (text(_KINDS), *_table(study, "printed")))


_KINDS = (
    "Kinds of numbers: arithmetic follows from the paper's equations, simulated and fitted come "
    "from the simulated node. A flag (F1 to F8) marks a place where the paper contradicts itself "
    f"or lacks a number. The overhead at each length of a measurement is in {_BOOK}."
)


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

"""The document on prices of shared nodes: questions with figures, long tables at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from planner.formatting import capitalised, given, percent, plural
from planner.pricing.overhead import dilation
from planner.pricing.question import price_group_of
from planner.pricing.strategic import REMEDIES
from planner.pricing.study import PriceStudy
from planner.pricing.tables import ACCURACY, APPLICATIONS, BOARD, FAIRNESS
from planner.table import Table, hidden
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.grid import table, table_of
from reports.skeleton import command_line, paged, provenance_page, title_page
from reports.standard import first_page
from reports.style import Picture

_BOOK = "price.xlsx"


def document(study: PriceStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    return paged(_front_with(pictures), _prices, _accuracy, _applications, _cost, _revenue,
                 _gaming, _method, _estimators, _gains, _settings, _paper,
                 _provenance)(study, pictures)  # fmt: skip


def _front_with(pictures: Sequence[Picture]) -> Callable[[PriceStudy], dict[str, Any]]:
    def front(study: PriceStudy) -> dict[str, Any]:
        rows = table_of(BOARD, study.result.price_rows())
        first = replace(first_page(study, pictures), table=rows)
        return title_page(study, study.title, study.title, first=first)

    return front


def _written(study: PriceStudy, name: str) -> Table:
    return next(item for item in study.shown if item.name == name)


def _table(study: PriceStudy, name: str) -> list[Block]:
    """Return a table by its name; nothing where it is empty."""
    written = _written(study, name)
    return [grid(table_of(written.columns, written.rows), written.caption)] if written.rows else []


def _prices(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn  # its figure is on the first page
    ours, fair = study.result.fairness["headroom"], study.result.fairness["oracle"]
    answer = (
        f"On average, jobs pay {_less(ours.mean_discount)} than alone at Headroom's prices, and "
        f"{_less(fair.mean_discount)} at fair prices."
    )
    prices = table((("Price", False), ("What a job pays", False)), (1, 4), _PRICES.items())
    caption = f"How fair each price is; {_BOOK} has more columns"
    blocks = (
        text(_SPEED),
        grid(prices, "The four prices"),
        text(_FAIRNESS),
        grid(table_of(FAIRNESS, study.result.price_rows()), caption),
    )
    return Page("What do users pay?", answer, blocks)


def _less(discount: float) -> str:
    """Return a discount in words; below 0 it is a surcharge."""
    return f"{percent(abs(discount), places=1)} {'less' if discount >= 0 else 'more'}"


_SPEED = (
    "The speed that a job keeps is its run time alone, divided by its run time with a partner on "
    "the node. A fair price falls with the square of this speed."
)
_PRICES = {
    "by run time": "Rate x cores x run time, as today, even if the partner slows the job down.",
    "POPPA": "The price by run time, times the square of the speed that the job keeps, as "
    "POPPA's Algorithm 4 estimates it.",
    "oracle": "The same with true run times. This is the fair price, but no site knows it.",
    "Headroom": "The same with Headroom's estimate, and without the bias that squaring an "
    "uncertain estimate brings.",
}
_FAIRNESS = (
    "How to read the next table: Jain's index is 1 if all jobs pay the same share of their fair "
    "price. Envy is what a job pays above the job that pays least, both relative to the fair "
    "price; up to 2 % does not count. A phantom discount is one for a job that no other job "
    "disturbs; it should be 0. The price error is the difference from the fair price, relative to "
    "it."
)


def _accuracy(study: PriceStudy, drawn: Drawn) -> Page:
    poppa, ours = study.result.poppa_score, study.result.our_score
    error = percent(ours.mean_absolute_error, places=1)
    base = ""
    if poppa is not None:
        base = f", against {percent(poppa.mean_absolute_error, places=1)} with Algorithm 4"
    answer = f"Headroom predicts run times with a mean error of {error}{base}."
    unknown = ("poppa_error",) if poppa is None else ()
    columns = hidden(_APPLICATIONS_ERRORS, *unknown)
    rows = table_of(columns, study.result.application_rows())
    caption = "Mean absolute error of the predicted run time, by application"
    blocks = (text(_PAUSES), *figures(drawn, "estimators", _SIGNS), grid(rows, caption))
    return Page("How well is interference measured?", answer, blocks)


_PAUSES = (
    "For a few milliseconds all jobs of a node but one are paused. The instructions per cycle "
    "(IPC) of the remaining job show how fast it runs alone. Both methods get the same counters."
)
_SIGNS = "Red: interference is overestimated; blue: underestimated."


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
    columns = hidden(_APPLICATIONS_LOSSES, *(("worst_partner",) if one else ()))
    always = f"; the worst partner is always {next(iter(partners))}" if one else ""
    caption = f"True degradation by application, over all partners{always}"
    losses = grid(table_of(columns, rows), caption)
    blocks = (text(definition), *figures(drawn, "applications"), losses)
    return Page("Which applications lose most speed?", answer, blocks)


_ERRORS = ("poppa_error", "our_error")
_APPLICATIONS_ERRORS = [
    column for column in APPLICATIONS if column.key in ("application", *_ERRORS)
]
_APPLICATIONS_LOSSES = [column for column in APPLICATIONS if column.key not in _ERRORS]


def _cost(study: PriceStudy, drawn: Drawn) -> Page:
    budget = price_group_of(study.scenario).overhead_budget
    answer = (
        f"Measuring makes jobs {percent(dilation(study.result.shutter))} longer; the site accepts "
        f"up to {given(budget)}."
    )
    blocks = (
        text(_ROUND),
        *figures(drawn, "overhead_by_length"),
        *figures(drawn, "frontier"),
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
        f"At fair prices, {percent(fair.next_month, places=1)} of what the same jobs pay alone; "
        f"with a tariff, {percent(tariff.next_month, places=1)}."
    )
    blocks = (text(_TARIFF), *_table(study, "revenue"))
    return Page("What does the site earn?", answer, blocks)


_TARIFF = (
    "A tariff raises fair prices so that the site earns as much as if all jobs ran alone. It is "
    "fitted to one simulated month, and tried on the next one."
)


def _gaming(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    if not study.result.gains:
        return None
    own = ("headroom", study.result.our_score.estimator)
    ours = [gain for gain in study.result.gains if gain.estimator in own]
    others = [gain for gain in study.result.gains if gain.estimator not in own]
    answer = " ".join(
        f"The lowest price against {whose} is {percent(best.price)} of the honest one, by "
        f"{best.tactic}."
        for whose, gains in (("Headroom", ours), ("other estimators", others))
        if gains and (best := min(gains, key=lambda gain: gain.price))
    )
    tactics = [
        (tactic.capitalize(), TACTICS[tactic], remedy) for tactic, remedy in REMEDIES.items()
    ]
    columns = (("Tactic", False), ("What the user does", False), ("Remedy of the site", False))
    remedies = grid(table(columns, (0.9, 2, 4), tactics), "Tactics and remedies")
    return Page("Can users cheat?", answer, (remedies,))


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
        "Interference": f"The law of the simulated node is {question.law}. The appendix on the "
        "paper lists its parameters.",
        "Counters": "Every reading of IPC has a relative noise of "
        f"{given(question.counters.noise)}; {given(question.shutter.placebo_share)} of the rounds "
        "pause no job (placebo).",
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


def _estimators(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    written = _written(study, "estimators")
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
    blocks = tuple(_table(study, "strategic"))
    note = text("A price below 100 % means that the user gains.")
    return Page("Appendix: tactics of users", "", (note, *blocks)) if blocks else None


def _settings(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    blocks = tuple(block for name in ("frontier", "adaptive") for block in _table(study, name))
    note = text("S is the length of a measurement, P the gap between rounds, K the samples in S.")
    return Page("Appendix: settings of the measurement", "", (note, *blocks)) if blocks else None


def _paper(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    names = ("printed", "simulated_node", "filter_bias")
    blocks = tuple(block for name in names for block in _table(study, name))
    return Page("Appendix: the paper's numbers and the simulated node", "", (text(_KINDS), *blocks))


_KINDS = (
    "Kinds of numbers: arithmetic follows from the paper's equations, simulated and fitted come "
    "from the simulated node. A flag (F1 to F8) marks a place where the paper contradicts itself "
    f"or lacks a number. The overhead at each length of a measurement is in {_BOOK}."
)


def _provenance(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    command = ("Command", command_line(study.command) or "run from Python")
    rows = [
        (capitalised(_LABELS.get(name, name)), _text(value))
        for name, value in study.settings.items()
    ]
    return provenance_page(study, [command, *rows, *study.provenance])


_LABELS = {
    "jobs_per_node": "jobs per node",
    "law": "law of interference",
    "shutter_us": "length of a measurement, S [us]",
    "gap_us": "gap between rounds, P [us]",
    "repeats": "samples in a row, K",
    "windows": "windows of measurement",
    "placebo_share": "share of placebo rounds",
    "counter_noise": "relative noise of counters",
    "polling_errors": "errors of the IPC of waiting ranks",
}


def _text(value: Any) -> str:
    return f"{value:,g}" if isinstance(value, float) else str(value)

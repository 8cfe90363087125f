"""How far repetitions differ, of all configurations and of the best."""

from __future__ import annotations

from collections.abc import Sequence

from planner.configurations.confidence import predictions
from planner.configurations.repeats import Repeats, count_wide
from planner.configurations.risk import Risk
from planner.configurations.study import ConfigurationStudy
from planner.formatting import DASH, capitalised, clipped, percent, plural, seconds, watts
from reports.blocks import (
    Block,
    Drawn,
    Page,
    bullets,
    figures,
    grid,
    partly,
    subheading,
    text,
)
from reports.compact import compact
from reports.configuration.figures.repetitions import repeated
from reports.configuration.summary import MOST_APPLICATIONS, answers, name
from reports.grid import table
from scenarios.measurements.spread import RepetitionSpread

_MOST_SENTENCES, _LONGEST = 24, 400
_MOST_STRAGGLERS = 8
BOOK = "configure.xlsx"
OF_RISK = (
    ("Runs", True), ("Fastest", True), ("Median", True), ("Slowest", True), ("Largest power", True),
)  # fmt: skip
_SOURCE = "Configurations that were run more than once (their number in brackets)."


def page(study: ConfigurationStudy, pictures: Drawn) -> Page:
    """Make the page on repetitions from its parts."""
    every = repeated(study)
    answer = (
        f"{count_wide(every)}."
        if every
        else "Nothing was run more than once, so variation and slow runs are unknown."
    )
    blocks = tuple(block for part in PARTS for block in part(study, pictures))
    return Page("How much do repeated runs vary?", answer, blocks)


def _overall(study: ConfigurationStudy, pictures: Drawn) -> list[Block]:
    columns = (
        ("Application", False), ("Configurations", True), ("Run more than once", True),
        ("Median", True), ("90th percentile", True), ("Largest", True),
        ("Largest in power", True),
    )  # fmt: skip
    rows = [_row(repeat) for repeat in study.repeats[:MOST_APPLICATIONS]]
    caption = partly(
        "How much slower the slowest run is than the fastest", len(rows), len(study.repeats), BOOK
    )
    body = table(columns, (1.4, 1, 1, 1, 1, 0.8, 0.9), rows)
    drawn = figures(pictures, "repetitions", _SOURCE)
    return [*drawn, *(compact(body, caption, small=True) if len(rows) > 1 or not drawn else [])]


def _row(repeats: Repeats) -> tuple[str, ...]:
    head = (
        clipped(repeats.application, 40),
        f"{repeats.configurations:,}",
        f"{repeats.repeated:,}",
    )
    if not repeats.repeated:
        return (*head, DASH, DASH, DASH, DASH)
    middle, high, widest = (percent(share) for share in repeats.quantiles(0.5, 0.9, 1.0))
    return (*head, middle, high, widest, percent(float(repeats.power[-1])))


def _of_the_best(study: ConfigurationStudy, _pictures: Drawn) -> list[Block]:
    columns = (
        ("Application", False), ("Best", False), *OF_RISK, ("Over the bound", True),
    )  # fmt: skip
    rows = []
    for answer in answers(study):
        risk = answer.risk
        if risk is None:
            rows.append((name(answer), str(answer.best), "0", *[DASH] * 5))
            continue
        rows.append(
            (
                name(answer), str(answer.best), *risk_cells(risk),
                str(risk.runs_over_bound) if risk.runs_over_bound else "none",
            )
        )  # fmt: skip
    message = {
        "median": "This report shows the time and power of the median run of each configuration",
        "best": "This report shows the time and power of the fastest run of each configuration",
        "worst": "This report shows the longest time and the largest power of each configuration",
    }[study.question.repetition] + "."
    if predictions(study.answers)[1]:
        message += " Configurations that were not run are predicted."
    body = table(columns, (1.2, 1.4, 0.5, 0.85, 0.85, 0.85, 0.9, 0.8), rows)
    caption = partly("Runs of the best configurations", len(rows), len(study.answers), BOOK)
    return [text(message), *compact(body, caption, small=True)]


def risk_cells(risk: Risk) -> tuple[str, ...]:
    """How often it was run, its times and its largest power: the cells under ``OF_RISK``."""
    return (
        str(risk.repetitions), seconds(risk.best_s), seconds(risk.median_s), seconds(risk.worst_s),
        watts(risk.largest_power_w),
    )  # fmt: skip


def _stragglers(study: ConfigurationStudy, _pictures: Drawn) -> list[Block]:
    return stragglers(study.spreads, BOOK, briefly=len(study.spreads) > 1)


def stragglers(
    spreads: Sequence[RepetitionSpread], book: str, *, briefly: bool = False
) -> list[Block]:
    """Runs that took far longer than others of their configuration.

    ``book`` is the workbook that has all; ``briefly`` with one sentence for each application.
    """
    blocks: list[Block] = [subheading("Unusually slow runs")]
    straggling = [spread for spread in spreads if spread.stragglers]
    sentences = [
        f"{capitalised(clipped(line, _LONGEST + 1))}."
        for spread in spreads
        for line in spread.findings()[: 1 if briefly else None]
    ]
    if straggling:
        blocks.append(
            text(
                "A slow run is separated from the others by a gap of more than 5 % and more than "
                "the typical variation. Slow runs are never averaged with others: a slow node may "
                "be the cause."
            )
        )
    if sentences:
        more_sentences = len(sentences) - _MOST_SENTENCES
        more = [f"{plural(more_sentences, 'further finding')}: see {book}."] * (more_sentences > 0)
        blocks.append(bullets([*sentences[:_MOST_SENTENCES], *more]))
    worst = sorted(
        (s for spread in straggling for s in spread.stragglers), key=lambda spread: -spread.ratio
    )
    if worst:
        columns = (
            ("Application", False), ("Configuration", False), ("Repetition", True),
            ("Time", True), ("Best run", True), ("Slower by", True),
        )  # fmt: skip
        rows = [
            (
                clipped(straggler.application, 40),
                f"({straggler.nodes} x {straggler.cores_per_node}, {straggler.package_cap_w:g} W)",
                str(straggler.repetition),
                seconds(straggler.time_s),
                seconds(straggler.best_time_s),
                percent(straggler.ratio - 1),
            )
            for straggler in worst[:_MOST_STRAGGLERS]
        ]
        caption = partly("Slow runs, the slowest first", len(rows), len(worst), book)
        body = table(columns, (1.3, 1.5, 0.8, 0.8, 1.1, 0.9), rows)
        blocks.append(grid(body, caption, small=True))
    return blocks


PARTS = (_overall, _of_the_best, _stragglers)

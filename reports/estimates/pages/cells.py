"""What the sampled users gain by uptake and largest error."""

from __future__ import annotations

import numpy as np

from planner.formatting import DASH, capitalised, duration, given, plural
from planner.replications.spread import spread
from planner.scheduling.estimates.gain_text import deviation, seeds
from planner.scheduling.estimates.result import Measure, UptakeCell
from planner.scheduling.estimates.study import EstimateStudy
from reports.blocks import Block, Drawn, Page, figures, partly, text
from reports.compact import compact
from reports.estimates.cells import (
    case_text,
    cell_map,
    finding,
    gains_at_uptakes,
    uptakes_shown,
)
from reports.estimates.gain_text import BOOK, NOUNS, in_table, ranges, whose
from reports.grid import Table, table
from reports.numbers import fixed

_MOST_ROWS = 12
_SINGLE = "The longest wait is that of a single job, so chance affects it more than the mean."


def mean(study: EstimateStudy, drawings: Drawn) -> Page:
    """The mean wait; of few cases the longest wait too, in one table."""
    if cell_map(study, "mean_s").is_few:
        spread_text = _against_spread(study)
        message = f"{finding(study, 'max_s')}. {_SINGLE}"
        few = [*([text(spread_text)] if spread_text else []), text(message), *_few(study)]
        return Page(_heading(study), f"{finding(study, 'mean_s')}.", tuple(few))
    blocks = _blocks(study, drawings, "mean_s", "mean", _against_spread(study))
    return Page(_heading(study), f"{finding(study, 'mean_s')}.", tuple(blocks))


def longest(study: EstimateStudy, drawings: Drawn) -> Page | None:
    """The longest wait; nothing of few cases."""
    if cell_map(study, "max_s").is_few:
        return None
    rises = [gain < 0 for gain, _ in gains_at_uptakes(study, "max_s")]
    message = _SINGLE
    if any(rises) and not all(rises):
        message = f"It rises in {sum(rises):,} of {plural(len(rises), 'case')}. {message}"
    blocks = _blocks(study, drawings, "max_s", "longest", message)
    return Page("Does the longest wait rise or fall?", f"{finding(study, 'max_s')}.", tuple(blocks))


def _few(study: EstimateStudy) -> list[Block]:
    """A row without the tool and one for each case."""
    cells = cell_map(study, "mean_s")
    pairs = [
        (mean, most)
        for mean, most in zip(study.cells("mean_s"), study.cells("max_s"), strict=True)
        if mean.uptake in cells.uptakes
    ]
    gains = [DASH if mean.gain is None else in_table(mean.gain.mean) for mean, _ in pairs]
    spans = ranges(gains, [mean.gain for mean, _ in pairs])
    rows = [("no tool", _no_tool(study, "mean_s"), *[DASH] * 3, _no_tool(study, "max_s"), DASH)]
    rows += [
        (
            case_text(cells, mean.uptake, mean.error),
            duration(mean.value.mean),
            gain,
            DASH if study.one_user else deviation(mean.gain),
            span,
            duration(most.value.mean),
            DASH if most.gain is None else in_table(most.gain.mean),
        )
        for (mean, most), gain, span in zip(pairs, gains, spans, strict=True)
    ]
    columns = (
        ("Tool", False), ("Mean wait", True), ("Gain", True), ("Deviation (points)", True),
        ("Range", True), ("Longest wait", True), ("Gain, longest", True),
    )  # fmt: skip
    over_seeds = "" if study.one_user else ", means over seeds"
    whole = f"Waits of {'all jobs' if study.everybody_sampled else 'the sampled users'} and gains"
    caption = f"{whole}, simulated{over_seeds}"
    return compact(table(columns, (1.7, 0.9, 1.1, 1, 1.6, 1, 1.1), rows), caption, small=True)


def _no_tool(study: EstimateStudy, measure: Measure) -> str:
    """Return a wait without the tool, a mean over seeds."""
    waits = [getattr(study.no_tool.groups[seed], measure) for seed in study.settings.seeds]
    value = spread([wait for wait in waits if wait is not None])
    return DASH if value is None else duration(value.mean)


def _heading(study: EstimateStudy) -> str:
    if study.everybody_sampled:
        return "How much shorter are waits with better estimates?"
    return "What do the sampled users gain?"


def _blocks(
    study: EstimateStudy, drawings: Drawn, measure: Measure, kind: str, finding: str
) -> list[Block]:
    table, total = _table(study, measure)
    seeds_text = "" if study.one_user else ", over seeds"
    caption = f"{capitalised(whose(study, measure))} and its gain, simulated{seeds_text}"
    return [
        *figures(
            drawings,
            kind,
            _source(study, measure),
            title=f"Change of the {NOUNS[measure]}, by uptake and error",
        ),
        *([text(finding)] if finding else []),
        *compact(
            table,
            partly(caption, len(table["rows"]), total, BOOK),
            small=True,
            keep=("Largest error", capitalised(NOUNS[measure]), "Gain"),
        ),
    ]


def _source(study: EstimateStudy, measure: Measure) -> str:
    cells = cell_map(study, measure)
    message = (
        f"Each cell: by how many percent {whose(study, measure)} is shorter (blue) or longer "
        "(orange, minus) than without the tool; from twice as long on, the ratio (×)."  # noqa: RUF001
    )
    if cells.has_spread:
        message += " Bold: all seeds agree on the sign. Right: standard deviation between seeds."
        if cells.uptakes[-1] == 1:
            message += " At 100 % it is between groups of users in one schedule, not an error."
    elif study.one_user:
        return f"{message} Simulated."
    elif len(set(study.settings.seeds)) > 1:
        message += " All seeds give the same gains."
    else:
        message += " One seed: the deviation is unknown."
    if cells.uptakes[0] < study.workload.seed_group:
        share = given(study.workload.seed_group)
        message += f" Cells from {share} on count: all sampled users have the tool. Below, some or "
        message += "none of them do."
    return f"{message} Simulated, {seeds(study)}."


def _against_spread(study: EstimateStudy) -> str:
    pairs = gains_at_uptakes(study, "mean_s")
    if not pairs or not cell_map(study, "mean_s").has_spread:
        return ""
    agreed = sum(agreed for _, agreed in pairs)
    message = (
        f"All seeds agree whether the tool helps in {agreed:,} of {plural(len(pairs), 'cell')}."
    )
    cells = cell_map(study, "mean_s")
    rows = [cells.uptakes.index(uptake) for uptake in uptakes_shown(study)]
    points = fixed(100 * float(np.nanmedian(cells.deviation[rows])), 1)
    if points == "0.0":
        return message
    return (
        f"{message} The median deviation between seeds is {points} points: a single sample of "
        "users, as in the paper, is no more exact than that."
    )


def _table(study: EstimateStudy, measure: Measure) -> tuple[Table, int]:
    columns = [
        ("Uptake", True), ("Largest error", True), (capitalised(NOUNS[measure]), True),
        ("Deviation", True), ("Gain", True), ("Deviation (points)", True), ("Range", True),
    ]  # fmt: skip
    widths = [0.7, 0.8, 1, 1, 0.8, 1, 1.6]
    cells, one = study.cells(measure), study.one_user
    every = [cell for cell in cells if cell.uptake] or cells
    rows = []
    chosen = _chosen(study, measure)
    gains = [DASH if cell.gain is None else in_table(cell.gain.mean) for cell in chosen]
    spans = ranges(gains, [cell.gain for cell in chosen])
    for cell, gain, span in zip(chosen, gains, spans, strict=True):
        value = cell.value
        rows.append(
            (
                given(cell.uptake),
                given(cell.error),
                duration(value.mean),
                DASH if one or value.deviation is None else duration(value.deviation),
                gain,
                DASH if one else deviation(cell.gain),
                span,
            )
        )
    if len({row[0] for row in rows}) == 1:  # then the caption says it
        columns[:2], widths[:2] = columns[1::-1], widths[1::-1]
        rows = [(row[1], row[0], *row[2:]) for row in rows]
    return table(columns, widths, rows), len(every)


def _chosen(study: EstimateStudy, measure: Measure) -> list[UptakeCell]:
    """All cells where they are few, else those of the outermost and middle uptakes and errors."""
    by_uptake = sorted(study.cells(measure), key=lambda cell: (cell.uptake, cell.error))
    every = [cell for cell in by_uptake if cell.uptake] or by_uptake
    if len(every) <= _MOST_ROWS:
        return every
    uptakes, errors = (_outer(sorted(set(values))) for values in (
        [cell.uptake for cell in every if cell.uptake >= study.workload.seed_group]
        or [cell.uptake for cell in every],
        [cell.error for cell in every],
    ))  # fmt: skip
    return [cell for cell in every if cell.uptake in uptakes and cell.error in errors]


def _outer(values: list[float]) -> set[float]:
    return {values[0], values[len(values) // 2], values[-1]}

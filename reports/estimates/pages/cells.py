"""What the seed group gains by uptake and largest error."""

from __future__ import annotations

import numpy as np

from planner.formatting import DASH, given, plural, seconds
from planner.scheduling.estimates.gain_text import deviation, seeds
from planner.scheduling.estimates.result import Measure, UptakeCell
from planner.scheduling.estimates.study import EstimateStudy
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.estimates.cells import cell_map, finding, gains_at_uptakes, uptakes_shown
from reports.estimates.gain_text import BOOK, ends, in_table
from reports.grid import Table, table
from reports.numbers import fixed

_MOST_ROWS = 12


def mean(study: EstimateStudy, drawings: Drawn) -> Page:
    """The mean queue time."""
    blocks = _blocks(study, drawings, "mean_s", "mean", _against_spread(study))
    return Page("What does the seed group gain?", f"{finding(study, 'mean_s')}.", tuple(blocks))


def longest(study: EstimateStudy, drawings: Drawn) -> Page:
    """The longest queue time, on which the paper contradicts itself."""
    rises = [gain < 0 for gain, _ in gains_at_uptakes(study, "max_s")]
    message = (
        "The paper contradicts itself: its list of contributions has lower longest queue times, "
        "its section 5 higher ones for Intrepid and Blue Horizon."
    )
    if rises:
        here = "rises in all" if all(rises) else f"rises in {sum(rises):,} of"
        here = here if any(rises) else "rises in none of"
        cells = plural(len(rises), "cell")
        message += f" Here the longest queue time {here} {cells}, as a mean over seeds."
    message += " It is the wait of a single job, and so hangs on chance more than the mean does."
    blocks = _blocks(study, drawings, "max_s", "longest", message)
    return Page("What becomes of the longest wait?", f"{finding(study, 'max_s')}.", tuple(blocks))


def _blocks(
    study: EstimateStudy, drawings: Drawn, measure: Measure, kind: str, finding: str
) -> list[Block]:
    table, total = _table(study, measure)
    caption = "Seed group, simulated: queue time and gain over seeds"
    return [
        *figures(drawings, kind, _source(study, measure)),
        *([text(finding)] if finding else []),
        grid(table, partly(caption, len(table["rows"]), total, BOOK), small=True),
    ]


def _source(study: EstimateStudy, measure: Measure) -> str:
    cells = cell_map(study, measure)
    message = (
        "Each cell: by how many per cent the seed group's queue time is shorter (blue) or longer "
        "(orange, minus) than that of the same users without the tool; from twice as long on, how "
        "many times as long (×)."  # noqa: RUF001
    )
    if cells.has_spread:
        message += " Bold: all seeds agree on the sign. Right: standard deviation between seeds."
        if cells.uptakes[-1] == 1:
            message += (
                " At 100 % they are groups of users in one schedule, so it is no error there."
            )
    else:
        message += " One seed: no spread is known."
    if cells.uptakes[0] < study.workload.seed_group:
        share = given(study.workload.seed_group)
        message += f" From {share} on the whole seed group uses the tool, and these cells count; "
        message += "below, a part of it or nobody does."
    return f"{message} Simulated, {seeds(study)}."


def _against_spread(study: EstimateStudy) -> str:
    pairs = gains_at_uptakes(study, "mean_s")
    if not pairs or not cell_map(study, "mean_s").has_spread:
        return ""
    agreed = sum(agreed for _, agreed in pairs)
    message = (
        f"In {agreed:,} of {plural(len(pairs), 'cell')} all seeds agree whether the tool helps."
    )
    cells = cell_map(study, "mean_s")
    rows = [cells.uptakes.index(uptake) for uptake in uptakes_shown(study)]
    points = fixed(100 * float(np.nanmedian(cells.deviation[rows])), 1)
    if points == "0.0":
        return message
    return (
        f"{message} The median of the deviations between seeds is {points} points: one draw of the "
        "seed group, as the paper has, tells a gain no more exactly than that."
    )


def _table(study: EstimateStudy, measure: Measure) -> tuple[Table, int]:
    columns = (
        ("Uptake", True), ("Largest error", True), ("Queue time", True), ("Deviation", True),
        ("Gain", True), ("Deviation (points)", True), ("Least to most", True),
    )  # fmt: skip
    every = study.cells(measure)
    rows = []
    for cell in _chosen(study, measure):
        value = cell.value
        rows.append(
            (
                given(cell.uptake),
                given(cell.error),
                seconds(value.mean),
                DASH if value.deviation is None else seconds(value.deviation),
                DASH if cell.gain is None else in_table(cell.gain.mean),
                deviation(cell.gain),
                ends(cell.gain),
            )
        )
    return table(columns, (0.7, 0.8, 1, 1, 0.8, 1, 1.6), rows), len(every)


def _chosen(study: EstimateStudy, measure: Measure) -> list[UptakeCell]:
    """All cells where they are few, else those of the outermost and middle uptakes and errors."""
    every = sorted(study.cells(measure), key=lambda cell: (cell.uptake, cell.error))
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

"""Energy and time of each pattern: the figure and every number, predicted and true."""

from __future__ import annotations

from typing import Any

from planner.aggregation.aggregate import AggregationStudy
from planner.aggregation.selection import Candidate
from planner.aggregation.summary import energy, percent, ratio
from planner.aggregation.tables import mark, pattern_rows
from planner.formatting import count, seconds
from planner.worded_table import Column
from reports.aggregation.figures.patterns import MOST
from reports.aggregation.pages.front import ABOVE, BOOK, WITHIN, energy_ratio, slower_than
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.grid import table_of
from reports.numbers import fixed

_MOST_ROWS = 30


def _ipc(row: dict[str, Any]) -> str:
    return f"{fixed(row['ipc'], 3)}{'*' if row['ipc_sampled'] else ''}"


def _bound_over_true(row: dict[str, Any]) -> str | None:
    true_s = row["true_communication_s"]
    return fixed(row["communication_bound_s"] / true_s, 2) if true_s else None


def _ipc_off(row: dict[str, Any]) -> float:
    ratio_: float = row["ipc"] / row["true_ipc"]
    return ratio_ - 1


def _time_off(row: dict[str, Any]) -> float:
    true_s: float = row["true_compute_s"] + row["true_communication_s"]
    time_s: float = row["compute_s"] + row["communication_bound_s"]
    return time_s / true_s - 1


def _marks(row: dict[str, Any]) -> list[str]:
    return ["chosen"] * row["chosen"] + ["best"] * row["true_best"]


def page(study: AggregationStudy, drawn: Drawn) -> Page:
    """Figure, predictions, truth."""
    source = "Columns: predicted. Dashed: slowdown limit."
    rows = pattern_rows(study)
    total = len(rows)
    if total > MOST:
        source += f" Shown: pattern 1 and those with the largest predicted savings, of {total}."
    blocks: list[Block] = [
        *figures(drawn, "patterns", source),
        text(
            "A pattern states how many ranks run on each node, socket and die; its layout is "
            "sockets x dies x cores used. IPC is instructions per cycle; with * it was measured, "
            "not predicted. Messages: an upper limit of their time. Pattern "
            f"{study.reference.pattern.id} is one rank per node."
        ),
        grid(
            table_of(_predicted(study), rows[:_MOST_ROWS]),
            partly(
                "Predicted: times of one iteration, energy of the whole run",
                min(total, _MOST_ROWS),
                total,
                BOOK,
            ),
        ),
    ]
    if study.truths is not None:
        blocks.append(text(_off(rows)))
    title = "How much energy and time does each pattern take?"
    return Page(title, _answer(study), tuple(blocks))


def _off(rows: list[dict[str, Any]]) -> str:
    """The largest errors on the simulated node."""
    true = [row for row in rows if row["feasible"]]
    ipc = max(abs(_ipc_off(row)) for row in true)
    time = max(abs(_time_off(row)) for row in true)
    return (
        f"On the simulated node, predictions of IPC are off by at most {percent(ipc)}, those of "
        f"time by at most {percent(time)}. The appendix compares predictions with the truth."
    )


def true_blocks(study: AggregationStudy) -> list[Block]:
    """What the simulated node shows of every pattern; nothing where the truth is not known."""
    if study.truths is None:
        return []
    true = [row for row in pattern_rows(study) if row["feasible"]]
    caption = "Ground truth of the simulated node (not visible to the method)"
    return [
        text(
            "The simulated node shows how good the predictions are. Limit over true: the predicted "
            "upper limit of message times over the true times. Best: least energy of all patterns "
            "within the slowdown limit, by trying all."
        ),
        grid(
            table_of(_true(study), true[:_MOST_ROWS]), partly(caption, _MOST_ROWS, len(true), BOOK)
        ),
    ]


def _answer(study: AggregationStudy) -> str:
    """Energy and time of the chosen pattern and of one rank per node."""
    chosen, reference = study.chosen, study.reference
    if chosen is reference:
        return f"One rank per node is chosen: {_taken(chosen)}."
    return (
        f"Pattern {chosen.pattern.id} (chosen) takes {_taken(chosen)}; one rank per node takes "
        f"{_taken(reference)}."
    )


def _taken(candidate: Candidate) -> str:
    used = "" if candidate.energy_j is None else f" and {energy(candidate.energy_j)} in all"
    return f"{seconds(candidate.time_s)} for an iteration{used}"


def _predicted(study: AggregationStudy) -> tuple[Column, ...]:
    return (
        Column("pattern", "Pattern", number=True, width=0.75),
        Column("{processors} x {dies} x {cores}".format_map, "Layout", width=0.85),
        Column("nodes", "Nodes", count, number=True, width=0.65),
        Column(lambda row: _ipc(row) if row["feasible"] else None, "IPC", number=True, width=0.7),
        Column("compute_s", "Compute", seconds, number=True, width=0.95),
        Column("communication_bound_s", "Messages", seconds, number=True, width=1.05),
        Column("slowdown", slower_than(study), percent, number=True, width=0.95),
        Column("energy_j", "Energy", energy, number=True, width=0.95),
        Column("saving", energy_ratio(study), ratio, number=True, width=0.95),
        Column(lambda row: row["why_not"] or mark(row, ABOVE) or WITHIN, "Choice", width=1.25),
    )


def _true(study: AggregationStudy) -> tuple[Column, ...]:
    return (
        Column("pattern", "Pattern", number=True, width=0.75),
        Column("true_ipc", "IPC", "{:.3f}".format, number=True, width=0.7),
        Column(_ipc_off, "IPC error", percent, number=True, width=0.8),
        Column("true_communication_s", "Messages", seconds, number=True, width=1.05),
        Column(_bound_over_true, "Limit over true", number=True, width=0.85),
        Column(_time_off, "Time error", percent, number=True, width=0.8),
        Column("true_slowdown", slower_than(study), percent, number=True, width=0.95),
        Column("true_energy_j", "Energy", energy, number=True, width=0.95),
        Column("true_saving", energy_ratio(study), ratio, number=True, width=0.95),
        Column(lambda row: ", ".join(_marks(row)), "Choice", width=1.1),
    )

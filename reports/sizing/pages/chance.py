"""How far the answer may be chance: sizes of logs of drawn weeks."""

from __future__ import annotations

from planner.formatting import DASH
from planner.scheduling.sizing.study import SizingStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, grid
from reports.grid import table
from reports.sizing.figures.resampled import finding

_RULES = (
    (
        "Whole weeks of the log, by submit time, are drawn with replacement and laid one after "
        "the other; each such log grows as the log did, with draws of its own, and is sized by "
        "the same search."
    ),
    (
        "A job belongs to the week in which it was submitted and runs on into whatever week comes "
        "next. The last week of the log, which is not whole, is left out."
    ),
    (
        "The interval leaves out one draw in twenty at either end; a draw without an answer "
        "counts as larger than all. It tells chance within this log, not whether years to come "
        "are like it."
    ),
)


def page(study: SizingStudy, drawings: Drawn) -> Page | None:
    """Dots, interval and rules; nothing where no weeks were drawn."""
    if not study.resampled:
        return None
    word = study.periods.word if study.periods else "week"
    source = (
        f"A dot for each log of drawn {word}s; bar: from 5 to 95 % of the draws, with the median; "
        f"dotted: the log itself. Simulated, seed {study.settings.seed}."
    )
    columns = (
        ("Policy", False), ("Log itself", True), ("Median", True), ("5 %", True), ("95 %", True),
        ("Draws", True), ("Without answer", True),
    )  # fmt: skip
    rows = [
        (
            resampled.policy,
            *(DASH if n is None else f"{n:,}"
              for n in (sizing.nodes, resampled.median, resampled.low, resampled.high)),
            f"{len(resampled.nodes):,}",
            f"{resampled.without:,}",
        )
        for sizing, resampled in zip(study.sizings, study.resampled, strict=True)
    ]  # fmt: skip
    blocks: list[Block] = [
        *figures(drawings, "drawn", source),
        grid(table(columns, (1.2, 1, 1, 1, 1, 0.8, 1.2), rows), "Nodes that drawn logs need"),
        bullets([_named(line, word) for line in _RULES]),
    ]
    return Page("May it be chance?", f"{finding(study)}.", tuple(blocks))


def _named(line: str, word: str) -> str:
    return line if word == "week" else line.replace("weeks", f"{word}s").replace("week", word)

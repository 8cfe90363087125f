"""How uncertain the answer is: sizes of logs of resampled weeks."""

from __future__ import annotations

from planner.formatting import DASH, capitalised
from planner.scheduling.policies.display import in_table
from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.summary import unit_of
from reports.blocks import Block, Drawn, Page, bullets, figures
from reports.compact import compact
from reports.grid import table
from reports.sizing.figures.resampled import finding

_RULES = (
    (
        "Whole weeks of the log, by submission time, are sampled with replacement and put one "
        "after the other. Each such log grows as the original did, with its own random numbers, "
        "and the same search sizes it."
    ),
    (
        "A job belongs to the week in which it is submitted, and may run on into the next week. "
        "The last, incomplete week of the log is left out."
    ),
    (
        "The 90 % interval leaves out 5 % of the logs at either end; a log without an answer "
        "counts "
        "as the largest. The interval covers chance within this log, not changes in later years."
    ),
)


def page(study: SizingStudy, drawings: Drawn) -> Page | None:
    """Dots, interval and rules; nothing where no weeks were resampled."""
    if not study.resampled:
        return None
    word = study.periods.word if study.periods else "week"
    source = (
        f"One dot for each log of resampled {word}s; bar: 90 % interval with the median; "
        f"dotted: the log itself. Simulated, seed {study.settings.seed}."
    )
    columns = (
        ("Policy", False), ("Log itself", True), ("Median", True), ("5th percentile", True),
        ("95th percentile", True), ("Logs", True), ("Without answer", True),
    )  # fmt: skip
    rows = [
        (
            in_table(resampled.policy),
            *(DASH if n is None else f"{n:,}"
              for n in (sizing.nodes, resampled.median, resampled.low, resampled.high)),
            f"{len(resampled.nodes):,}",
            f"{resampled.without:,}",
        )
        for sizing, resampled in zip(study.sizings, study.resampled, strict=True)
    ]  # fmt: skip
    blocks: list[Block] = [
        *figures(drawings, "drawn", source, title="Sizes that resampled logs need"),
        *compact(
            table(columns, (1.2, 1, 1, 1, 1, 0.8, 1.2), rows),
            f"{capitalised(unit_of(study.rules.node_processors))}s that resampled logs need",
        ),
        bullets([_named(line, word) for line in _RULES]),
    ]
    return Page("How uncertain is this?", f"{finding(study)}.", tuple(blocks))


def _named(line: str, word: str) -> str:
    return line if word == "week" else line.replace("weeks", f"{word}s").replace("week", word)

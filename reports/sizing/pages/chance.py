"""How uncertain the answer is: sizes of logs of resampled weeks."""

from __future__ import annotations

from planner.formatting import DASH, capitalised, plural
from planner.scheduling.policies.display import in_table
from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.summary import sized_in, unit_of
from reports.blocks import Block, Drawn, Page, bullets, figures, text
from reports.compact import compact
from reports.grid import Table, table
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
        *_sizes(study, table(columns, (1.2, 1, 1, 1, 1, 0.8, 1.2), rows)),
        *([text(why)] if (why := _why(study, word)) else []),
        bullets([_named(line, word) for line in _RULES]),
    ]
    return Page("How uncertain is this?", f"{finding(study)}.", tuple(blocks))


def _sizes(study: SizingStudy, sizes: Table) -> list[Block]:
    """A row for each policy; of one policy a sentence of what the figure does not show."""
    if len(sizes["rows"]) > 1:
        unit = capitalised(unit_of(study.rules.node_processors))
        return compact(sizes, f"{unit}s that resampled logs need")
    (resampled,) = study.resampled
    if resampled.median is None or not resampled.without:
        return []
    logs = plural(len(resampled.nodes), "log")
    return [text(f"No size tried suffices for {resampled.without:,} of {logs}.")]


def _why(study: SizingStudy, word: str) -> str:
    """Why resampled logs may need less than the log itself."""
    smaller = any(
        size is not None and sizing.nodes and size < sizing.nodes
        for sizing, resampled in zip(study.sizings, study.resampled, strict=True)
        for size in resampled.nodes
    )
    if not smaller:
        return ""
    largest = sized_in(study.bounds.fewest, study)
    return (
        f"A resampled log may need less than the log: it can lack {word}s with much work, and it "
        f"has another order. Without the {word} of job {study.bounds.largest_job} it may also need "
        f"less than the {largest} of this job."
    )


def _named(line: str, word: str) -> str:
    return line if word == "week" else line.replace("weeks", f"{word}s").replace("week", word)

"""A page of the report: one question, its answer in one sentence, and what shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from reports.grid import Table
from reports.style import Picture

Block = dict[str, Any]
"""``kind`` and what the template needs of it."""
Drawn = Mapping[str, Sequence[Picture]]
"""Pictures by kind."""


@dataclass(frozen=True)
class Page:
    """One question.

    Attributes
    ----------
    heading
        The question.
    answer
        One sentence; empty where the page only documents.
    blocks
        Text, tables, figures, in order.
    """

    heading: str
    answer: str
    blocks: tuple[Block, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for the template."""
        return asdict(self)


def by_kind(pictures: Sequence[Picture]) -> Drawn:
    """Pictures as the pages look them up, in the order in which they were drawn."""
    pictures_by_kind: dict[str, list[Picture]] = {}
    for picture in pictures:
        pictures_by_kind.setdefault(picture.kind, []).append(picture)
    return pictures_by_kind


def text(words: str) -> Block:
    """Return a paragraph."""
    return {"kind": "text", "words": words}


def bullets(lines: Sequence[str]) -> Block:
    """Return a list."""
    return {"kind": "bullets", "lines": list(lines)}


def grid(rows: Table, caption: str, *, small: bool = False) -> Block:
    """Return a table with its caption."""
    return {"kind": "table", "table": rows, "caption": caption, "small": small}


def partly(caption: str, rows_shown: int, total: int, book: str = "plan.xlsx") -> str:
    """Return the caption of a table that shows only some of its rows."""
    return (
        caption if rows_shown >= total else f"{caption}: {rows_shown} of {total:,}, all in {book}"
    )


def only(rows_shown: int, total: int, noun: str, book: str = "plan.xlsx") -> str:
    """Return a sentence for a figure that shows only some; empty where it shows all.

    Examples
    --------
    >>> only(24, 1_300, "codes", "aggregate.xlsx"), only(24, 24, "codes")
    (' The figure shows 24 of 1,300 codes; all are in aggregate.xlsx.', '')
    """
    if rows_shown >= total:
        return ""
    return f" The figure shows {rows_shown:,} of {total:,} {noun}; all are in {book}."


def code(words: str) -> Block:
    """Return a block of lines from a file or a terminal, each of about 100 letters at most."""
    return {"kind": "code", "words": words}


def formulas() -> Block:
    """Return the model's formulas, which the template holds."""
    return {"kind": "formulas"}


def subheading(words: str) -> Block:
    """Return a heading within the page."""
    return {"kind": "subheading", "words": words}


def figures(figures_by_kind: Drawn, kind: str, source: str = "", *, title: str = "") -> list[Block]:
    """Return every picture of a kind, under its finding.

    ``title`` says what it shows instead, where the answer of the page states the finding.
    """
    return [
        {
            "kind": "picture",
            "file": f"{picture.name}.svg",
            "title": title or picture.title,
            "alternative": picture.alternative,
            "source": source,
        }
        for picture in figures_by_kind.get(kind, ())
    ]

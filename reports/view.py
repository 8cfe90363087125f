"""A study as people read it: every text of its pages, once for terminal, document and page."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from planner.finding import Fact, Finding
from planner.formatting import clipped
from planner.study import Question, Study
from planner.table import Column, Table
from reports.texts import Texts, findings

MOST_ROWS = 36
"""Rows of a table on paper."""
MOST_OF_WHOLE = 200
"""The same for tables that paper has as a whole."""
MOST_RISKS = 6
"""Risks on the first page; further ones have a page of their own."""
_ASIDES = {"why": "reason", "alternatives": "alternative", "assumptions": "assumption"}
"""Lists of the first page, by their labels: the severity of their findings."""
_LONGEST_FOOTER = 90
_COMMAND = "command"
_MOST_TILES, _LONGEST_TILE = 6, 4
"""Facts of a page above which they are a list; words of a value of a tile."""
_WIDEST_COMMAND = 88
"""Letters of a line of a command on a page."""
_NAMED = ("Headroom", "Python")
"""Versions with a row of their own."""


@dataclass(frozen=True)
class Tile:
    """A label with a value, and what it means."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True)
class Grid:
    """A table as texts: a caption, headings, which columns are set to the right, and rows."""

    caption: str
    headings: tuple[str, ...]
    right: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    summed: bool = False
    """Whether the last row has sums."""
    run_on: bool = False
    """Whether labels with values follow one another on paper, small."""


@dataclass(frozen=True)
class Equation:
    """An equation of the template by its name, and as words."""

    name: str
    words: str


@dataclass(frozen=True)
class Part:
    """A page: its heading and its content; figures and equations by their names.

    Commands are for a shell, as they are typed.
    """

    heading: str
    lines: tuple[str, ...] = ()
    tiles: tuple[Tile, ...] = ()
    commands: tuple[Tile, ...] = ()
    grids: tuple[Grid, ...] = ()
    figures: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    equations: tuple[Equation, ...] = ()


@dataclass(frozen=True)
class View:
    """All texts of a study.

    Attributes
    ----------
    subject, title, footer
        Above the title, the title, and at the foot of each page.
    headline, confidence
        The answer, and how far it can be relied on.
    tiles, first_risks, asides, decision, decision_notes, next_steps, figure
        The first page. Asides are lists with a heading each. Notes explain its table and figure,
        where their question has nothing else; the figure by its name, empty without one.
    risks
        All of them.
    parts
        The other pages.
    warnings
        What the writers could not show as it should be.
    """

    subject: str
    title: str
    footer: str
    headline: str
    confidence: str
    tiles: tuple[Tile, ...]
    risks: tuple[str, ...]
    first_risks: tuple[str, ...]
    asides: tuple[tuple[str, tuple[str, ...]], ...]
    decision: Grid | None
    decision_notes: tuple[str, ...]
    next_steps: tuple[str, ...]
    figure: str
    parts: tuple[Part, ...]
    language: str = "en"
    labels: dict[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def view(study: Study, most_rows: int = MOST_ROWS) -> View:
    """The texts of a study; tables with their first ``most_rows`` rows."""
    texts = Texts(study)
    first_figure = study.figures[0].name if study.figures else ""
    version = study.provenance.versions.get("Headroom", "")
    every = every_finding(study)
    unknown = sorted({each.kind for each in every if not texts.is_known(each)})
    risks = of(texts, study.findings, "risk")
    parts, notes = _parts(texts, first_figure, most_rows)
    return View(
        subject=texts.label("subject"),
        title=texts.finding(study.title),
        footer=f"{clipped(texts.finding(study.title), _LONGEST_FOOTER)} · Headroom {version}",
        headline=texts.finding(study.headline),
        confidence=" ".join(texts.finding(each) for each in study.confidence),
        tiles=tuple(_tile(texts, fact) for fact in study.facts),
        risks=risks,
        first_risks=risks[: _risks_on_first(risks)],
        asides=tuple(
            (texts.label(name), lines)
            for name, severity in _ASIDES.items()
            if (lines := of(texts, study.findings, severity))
        ),
        decision=grid(texts, study.table(study.decision), most_rows) if study.decision else None,
        decision_notes=notes,
        next_steps=of(texts, study.findings, "next step"),
        figure=first_figure,
        parts=(
            *parts,
            *_further(texts, risks),
            _appendix(texts),
        ),
        language=study.language,
        labels={name: str(text) for name, text in texts.catalogue.sections["labels"].items()},
        warnings=tuple(f"unknown kind {kind!r}" for kind in unknown),
    )


def every_finding(study: Study) -> list[Finding]:
    """Every finding of a study, also those of facts, figures and cells."""
    facts = [*study.facts, *(fact for each in study.questions for fact in each.facts)]
    return [
        study.title,
        study.headline,
        *study.confidence,
        *study.findings,
        *(each for question in study.questions for each in question.findings),
        *(fact.note for fact in facts if fact.note is not None),
        *(figure.finding for figure in study.figures if figure.finding is not None),
        *_in_cells(study),
    ]


def _in_cells(study: Study) -> Iterator[Finding]:
    for table in study.tables:
        keys = [column.key for column in table.columns if column.unit == "finding"]
        for row in study.rows(table.name) if keys else ():
            for key in keys:
                yield from findings(row.get(key))


def of(texts: Texts, findings: Sequence[Finding], severity: str) -> tuple[str, ...]:
    """The findings of a severity."""
    return tuple(_ended(texts, each) for each in findings if each.severity == severity)


def _ended(texts: Texts, finding: Finding) -> str:
    """A finding of a list, with a full stop."""
    text = texts.finding(finding)
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def grid(texts: Texts, table: Table, most_rows: int | None = MOST_ROWS) -> Grid:
    """A table as texts; a note tells how many rows are left out."""
    rows = texts.study.rows(table.name)
    every = max(table.total, len(rows))
    columns = shown_columns(table, rows)
    if most_rows is not None and table.whole:
        most_rows = MOST_OF_WHOLE
    shown = rows if most_rows is None else rows[:most_rows]
    sums = _sums(table, columns, rows) if len(shown) == every > 1 else {}
    shown = [*shown, sums] if sums else shown
    cells = [_cells(texts, column, shown) for column in columns]
    for column, of_column in zip(columns, cells, strict=True):
        if sums and column.key not in sums:
            of_column[-1] = texts.label("sum") if column is columns[0] else ""
    note, book = "", f"{texts.study.command}.xlsx"
    if not sums and len(shown) < every:
        note = texts.left_out(len(shown), len(rows), every, book)
    return Grid(
        texts.catalogue.text("tables", table.name),
        tuple(texts.heading(column) for column in columns),
        tuple(texts.is_number(column) for column in columns),
        tuple(zip(*cells, strict=True)),
        note,
        bool(sums),
    )


def _sums(
    table: Table, columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What is below the rows: sums of columns, behind the first one, which are in one unit."""
    summed = [each.key for each in columns[1:] if each.key in table.summed and not each.unit_at]
    known = {key: [row[key] for row in rows if row.get(key) is not None] for key in summed}
    return {
        key: sum(values) if all(isinstance(each, int) for each in values) else math.fsum(values)
        for key, values in known.items()
    }


def shown_columns(table: Table, rows: Sequence[Mapping[str, Any]]) -> list[Column]:
    """The columns for people of which a value is known."""
    return [
        column for column in table.columns
        if column.shown and any(row.get(column.key) is not None for row in rows)
    ]  # fmt: skip


def _cells(texts: Texts, column: Column, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    units = [row.get(column.unit_at) for row in rows] if column.unit_at else ()
    limits = [row.get(column.limit_at) for row in rows] if column.limit_at else ()
    return texts.column(column, [row.get(column.key) for row in rows], units, limits)


def _tile(texts: Texts, fact: Fact) -> Tile:
    note = "" if fact.note is None else texts.finding(fact.note)
    return Tile(texts.catalogue.text("facts", fact.key), texts.fact(fact), note)


def _parts(texts: Texts, first_figure: str, most_rows: int) -> tuple[list[Part], tuple[str, ...]]:
    """The questions, and notes of those that the first page answers.

    Notes without their table and figure, which have no rows, are left out.
    """
    parts, notes = [], list[str]()
    for question in texts.study.questions:
        part = _part(texts, question, first_figure, most_rows)
        if part is None:
            continue
        explained = {*question.tables, *question.figures}
        if not explained or part != Part(part.heading, texts=part.texts):
            parts.append(part)
        elif explained & {texts.study.decision, first_figure}:
            notes += part.texts
    return parts, tuple(notes)


def _part(texts: Texts, question: Question, first_figure: str, most_rows: int) -> Part | None:
    study = texts.study
    tables = [study.table(name) for name in question.tables if name != study.decision]
    tiles = [_tile(texts, fact) for fact in question.facts if fact.unit != _COMMAND]
    sentences = [tile for tile in tiles if len(tile.value.split(" ")) > _LONGEST_TILE]
    if len(tiles) > _MOST_TILES:  # a list, which has room for them
        sentences = []
    fixed = [line for key in question.texts for line in texts.catalogue.get("texts", key) or ()]
    part = Part(
        texts.catalogue.text("questions", question.name),
        (
            *(_ended(texts, each) for each in question.findings),
            *(f"{tile.label}: {tile.value}" for tile in sentences),
        ),
        tuple(tile for tile in tiles if tile not in sentences),
        tuple(_command(_tile(texts, fact)) for fact in question.facts if fact.unit == _COMMAND),
        tuple(grid(texts, table, most_rows) for table in tables if study.rows(table.name)),
        tuple(
            figure.name
            for figure in study.figures
            if figure.name in question.figures and figure.name != first_figure
        ),
        tuple(fixed),
        tuple(
            Equation(name, texts.catalogue.text("equations", name)) for name in question.equations
        ),
    )
    shown = (part.lines, part.tiles, part.commands, part.grids, part.figures, part.texts)
    return part if any(shown) else None


def _command(tile: Tile) -> Tile:
    return replace(tile, value=typed(tile.value))


def typed(command: str, widest: int = _WIDEST_COMMAND) -> str:
    r"""A command over several lines, as a shell takes it: each but the last ends with a backslash.

    Examples
    --------
    >>> print(typed("srun --cpu-bind=map_cpu:0,1,2,3,4,5 PROGRAM", 26))
    srun --cpu-bind=map_cpu:\
    0,1,2,3,4,5 PROGRAM
    """
    lines, line = [], ""
    for piece in re.findall(r"[^ ,:]*[ ,:]?", command):
        if len(line) + len(piece) >= widest:
            lines.append(line + "\\")
            line = ""
        line += piece
    return "\n".join([*lines, line])


def _further(texts: Texts, risks: tuple[str, ...]) -> tuple[Part, ...]:
    """The risks that the first page has no room for."""
    further = risks[_risks_on_first(risks) :]
    return (Part(texts.label("further_risks"), texts=further),) if further else ()


def _risks_on_first(risks: tuple[str, ...]) -> int:
    """One risk alone is not put on a later page."""
    return len(risks) if len(risks) == MOST_RISKS + 1 else MOST_RISKS


def _appendix(texts: Texts) -> Part:
    """What the terms of the tiles mean, and where the study comes from."""
    study = texts.study
    terms = tuple(
        (texts.catalogue.text("facts", fact.key), meaning)
        for fact in study.facts
        if (meaning := texts.catalogue.get("definitions", fact.key))
    )
    headings = (texts.label("term"), texts.label("meaning"))
    meanings = Grid("", headings, (False, False), terms, run_on=True)
    origin = study.provenance
    command = shlex.join(("headroom", *origin.words))
    named = {name: origin.versions[name] for name in _NAMED if name in origin.versions}
    others = [f"{name} {text}" for name, text in origin.versions.items() if name not in named]
    rows = (
        (texts.label("command"), command if origin.words else texts.label("from_python")),
        *((f"{texts.label('sha256')} {name}", digest) for name, digest in origin.inputs.items()),
        *((texts.catalogue.text("facts", f.key), texts.fact(f)) for f in origin.settings),
        *named.items(),
        (texts.label("libraries"), ", ".join(others)),
    )
    item = (texts.label("item"), texts.label("value"))
    origins = Grid("", item, (False, False), rows, run_on=True)
    if not terms:
        return Part(texts.label("provenance"), grids=(origins,))
    return Part(texts.label("terms"), grids=(meanings, origins))

"""A study as an Excel workbook: a sheet of facts, and one for each table, with raw numbers."""

from __future__ import annotations

import io
import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from planner.figure import Figure
from planner.finding import Fact
from planner.formatting import capitalised
from planner.study import Study
from planner.table import Column, Table
from reports.formula import Place, formula_text
from reports.native_chart import native_chart
from reports.sheets import (
    LONGEST_NAME,
    MOST_ROWS,
    Look,
    clean,
    finish,
    fit,
    opened,
    refuse,
    write,
)
from reports.texts import Texts
from reports.view import every_finding, of
from reports.workbook_columns import heading_with_unit, number_formats, plain, unit_in_words

_FACTS = (Column("item", "text"), Column("value", "text", unit_at="kind"), Column("unit", "text"))


def workbook(study: Study) -> bytes:
    """The bytes of the workbook: the same for the same study.

    Raises
    ------
    WorkbookWriteError
        A cell that the format cannot hold.
    """
    texts = Texts(study)
    buffer = io.BytesIO()
    with opened(buffer, texts.finding(study.title)) as book:
        look = Look(book)
        facts = [
            {"item": item, "value": value, "unit": unit_in_words(kind), "kind": kind}
            for item, value, kind in _facts(texts)
        ]
        first = _sheet(book, look, texts, Table("summary", _FACTS), facts)
        places = {table.name: _place(table, study.rows(table.name)) for table in study.tables}
        for table in study.tables:
            rows = study.rows(table.name)
            if not rows:
                continue
            sheet = _sheet(book, look, texts, table, rows, places)
            for figure in study.figures[:1]:
                if figure.table == table.name:
                    _chart(book, first, texts, figure, table, sheet.get_name(), rows)
    return buffer.getvalue()


def _place(table: Table, rows: Sequence[Mapping[str, Any]]) -> Place:
    """Where a table lies in the workbook."""
    from xlsxwriter.utility import xl_col_to_name

    letters = {column.key: xl_col_to_name(i) for i, column in enumerate(table.columns)}
    title = capitalised(table.name).replace("_", " ")[:LONGEST_NAME]
    return Place(title, min(len(rows), MOST_ROWS) + 1, letters)


def _facts(texts: Texts) -> Iterator[tuple[str, Any, str]]:
    """The first sheet: label, value and unit of every fact once, and what is for people besides."""
    study = texts.study
    yield texts.label("title"), texts.finding(study.title), ""
    yield texts.label("answer"), texts.finding(study.headline), ""
    confidence = " ".join(texts.finding(each) for each in study.confidence)
    yield texts.label("confidence"), confidence, ""
    facts = [*study.facts, *(fact for each in study.questions for fact in each.facts)]
    every = (*facts, *study.provenance.settings)
    for fact in {(fact.key, str(fact.value), fact.unit): fact for fact in every}.values():
        yield texts.catalogue.text("facts", fact.key), *_cell(texts, fact)
        if fact.note is not None:
            yield "", texts.finding(fact.note), ""
    for text in of(texts, every_finding(study), "risk"):
        yield texts.label("warning"), text, ""
    for text in of(texts, every_finding(study), "next step"):
        yield texts.label("next_steps"), text, ""
    for name, digest in study.provenance.inputs.items():
        yield f"{texts.label('sha256')} {name}", digest, ""
    yield texts.label("command"), shlex.join(("headroom", *study.provenance.words)), ""
    for name, version in study.provenance.versions.items():
        yield name, version, ""


def _cell(texts: Texts, fact: Fact) -> tuple[Any, str]:
    """A number as it is, with its unit; everything else as people read it."""
    if isinstance(fact.value, int | float) and not isinstance(fact.value, bool):
        return fact.value, fact.unit
    return texts.fact(fact), ""


def _sheet(
    book: Any, look: Look, texts: Texts, table: Table, rows: Sequence[Mapping[str, Any]],
    places: Mapping[str, Place] = MappingProxyType({}),
) -> Any:  # fmt: skip
    place = _place(table, rows)
    sheet, letters, last = book.add_worksheet(place.sheet), place.letters, place.last
    shown = rows[:MOST_ROWS]
    every = max(table.total, len(rows))
    summed = table.summed if len(shown) == every else ()
    for index, column in enumerate(table.columns):
        heading = heading_with_unit(texts, column)
        write(sheet, 0, index, heading, look.header)
        values = [plain(texts, column, row) for row in shown]
        formats = number_formats(column.unit, values)
        if column.unit_at:
            units = [row.get(column.unit_at) or "number" for row in shown]
            pairs = zip(units, values, strict=True)
            formats = [number_formats(unit, [value])[0] for unit, value in pairs]
        for line, (value, written) in enumerate(zip(values, formats, strict=True), start=1):
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            form = look.number(written) if is_number else look.text
            formula = column.formula or shown[line - 1].get(column.formula_at)
            if formula and is_number:
                text = formula_text(formula, line + 1, last, letters, places)
                _formula(sheet, line, index, text, form, value)
            else:
                write(sheet, line, index, value, form)
        if column.key in summed:
            text = formula_text(f"SUM({{{column.key}:all}})", last + 1, last, letters)
            known = [value for value in values if value is not None]
            form = look.number(number_formats(column.unit, known)[0] if known else "0")
            _formula(sheet, last, index, text, form, math.fsum(known))
        fit(sheet, index, heading, values)
    if summed:
        write(sheet, last, 0, texts.label("sum"), look.text)
    if every > len(shown):
        note = texts.left_out(len(shown), len(rows), every, f"{texts.study.command}.json")
        write(sheet, last, 0, note, look.text)
    finish(sheet, place.sheet, len(shown), len(table.columns))
    return sheet


def _chart(
    book: Any, first: Any, texts: Texts, figure: Figure, table: Table, sheet: str,
    rows: Sequence[Mapping[str, Any]],
) -> None:  # fmt: skip
    """The key figure next to the facts, over the cells of its own sheet."""
    chart = native_chart(book, texts, figure, sheet, table.columns, rows[:MOST_ROWS])
    if chart is not None:
        title = texts.catalogue.text("figures", figure.name)
        first.insert_chart(1, len(_FACTS) + 1, chart, {"description": clean(title)})


def _formula(sheet: Any, row: int, column: int, text: str, form: Any, value: float) -> None:
    refuse(sheet, row, column, sheet.write_formula(row, column, text, form, value))

"""The study's tables as an Excel workbook. Text is text: never a formula, never a link."""

from __future__ import annotations

import datetime as dt
import io
import math
from typing import Any

from planner.aggregation.aggregate import AggregationStudy
from planner.configurations.sharing.study import SharingStudy
from planner.configurations.study import ConfigurationStudy
from planner.designs.study import DesignStudy
from planner.placement.study import PlacementStudy
from planner.procurement.study import ProcurementStudy
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.sizing.study import SizingStudy
from reports.aggregation.pages.front import pairs as aggregation_pairs
from reports.aggregation.pages.front import title as aggregation_title
from reports.configuration.pages.front import pairs, title
from reports.estimates.pages.front import pairs as estimate_pairs
from reports.estimates.pages.front import title as estimate_title
from reports.placement.pages.front import pairs as placement_pairs
from reports.placement.pages.front import title as placement_title
from reports.sharing.pages.front import pairs as sharing_pairs
from reports.sharing.pages.front import title as sharing_title
from reports.simulation.pages.front import pairs as simulation_pairs
from reports.simulation.pages.front import title as simulation_title
from reports.sizing.pages.front import pairs as sizing_pairs
from reports.sizing.pages.front import title as sizing_title

_LARGEST_CELL = 32_000
_LONGEST_NAME = 31
_FIXED_DATE = dt.datetime(2000, 1, 1)  # XlsxWriter wants it naive


AnyStudy = (
    DesignStudy
    | ProcurementStudy
    | ConfigurationStudy
    | SharingStudy
    | SimulationStudy
    | SizingStudy
    | EstimateStudy
    | PlacementStudy
    | AggregationStudy
)


class WorkbookError(RuntimeError):
    """A cell could not be written; the message says which."""


def workbook(study: AnyStudy) -> bytes:
    """Make the workbook's bytes: the same for the same study.

    Raises
    ------
    WorkbookError
        A cell that the format cannot hold.
    """
    import xlsxwriter

    buffer = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = xlsxwriter.Workbook(buffer, options)
    book.set_properties(
        {"title": clean(_title(study)), "created": _FIXED_DATE, "author": "Headroom"}
    )
    look = _Look(
        book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"}),
        book.add_format({"valign": "top", "text_wrap": True}),
    )
    for name, rows in sheets(study).items():
        _sheet(book, name, rows, look)
    book.close()
    return buffer.getvalue()


def sheets(study: AnyStudy) -> dict[str, list[dict[str, Any]]]:
    """Every sheet's rows by its name: at most 31 characters, no two alike."""
    if isinstance(study, ConfigurationStudy):
        every = {"summary": pairs(study), **study.tables()}
    elif isinstance(study, SharingStudy):
        every = {"summary": sharing_pairs(study), **study.tables()}
    elif isinstance(study, SimulationStudy):
        every = {"summary": simulation_pairs(study), **study.tables()}
    elif isinstance(study, SizingStudy):
        every = {"summary": sizing_pairs(study), **study.tables()}
    elif isinstance(study, EstimateStudy):
        every = {"summary": estimate_pairs(study), **study.tables()}
    elif isinstance(study, PlacementStudy):
        every = {"summary": placement_pairs(study), **study.tables()}
    elif isinstance(study, AggregationStudy):
        every = {"summary": aggregation_pairs(study), **study.tables()}
    else:
        every = {"summary": _summary(study), **study.tables(), "inputs": _inputs(study)}
    named: dict[str, list[dict[str, Any]]] = {}
    for name, rows in every.items():
        short = name[:_LONGEST_NAME]
        for place in range(2, len(every) + 2):
            if short.lower() not in {each.lower() for each in named}:
                break
            ending = f"-{place}"
            short = name[: _LONGEST_NAME - len(ending)] + ending
        named[short] = rows
    return named


def _title(study: AnyStudy) -> str:
    if isinstance(study, ConfigurationStudy):
        return title(study)
    if isinstance(study, SimulationStudy):
        return simulation_title(study)
    if isinstance(study, SizingStudy):
        return sizing_title(study)
    if isinstance(study, EstimateStudy):
        return estimate_title(study)
    if isinstance(study, PlacementStudy):
        return placement_title(study)
    if isinstance(study, AggregationStudy):
        return aggregation_title(study)
    return sharing_title(study) if isinstance(study, SharingStudy) else study.scenario.title


class _Look:
    def __init__(self, header: Any, text: Any) -> None:
        self.header = header
        self.text = text


def _summary(study: DesignStudy | ProcurementStudy) -> list[dict[str, Any]]:
    pairs = [
        ("scenario", study.scenario.name),
        ("title", study.scenario.title),
        ("decision", study.sentence),
        ("stopped by time", "yes" if study.stopped_by_time else "no"),
    ]
    files = dict.fromkeys(study.scenario.provenance.files)
    pairs += [(f"SHA-256 of {name}", digest) for name, digest in files]
    return [{"what": what, "value": value} for what, value in pairs]


def _inputs(study: DesignStudy | ProcurementStudy) -> list[dict[str, Any]]:
    plain = study.scenario.model_dump(mode="json", exclude={"printed"}, exclude_none=True)
    return [{"input": path, "value": value} for path, value in _leaves(plain, "")]


def _leaves(value: Any, path: str) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [
            leaf
            for key, inner in value.items()
            for leaf in _leaves(inner, f"{path}.{key}" if path else key)
        ]
    if isinstance(value, list):
        if all(isinstance(each, int | float) for each in value):
            return [(path, ", ".join(f"{each:g}" for each in value))] if value else []
        return [
            leaf
            for place, inner in enumerate(value, 1)
            for leaf in _leaves(inner, f"{path}[{place}]")
        ]
    return [] if value == "" else [(path, value)]


def _sheet(book: Any, name: str, rows: list[dict[str, Any]], look: _Look) -> None:
    sheet = book.add_worksheet(name)
    columns = list(dict.fromkeys(column for row in rows for column in row))
    for place, column in enumerate(columns):
        _write(sheet, 0, place, column, look.header)
        longest = max([len(column), *(len(str(row.get(column, ""))) for row in rows)])
        sheet.set_column(place, place, min(max(9, longest + 1), 60))
    for line, row in enumerate(rows, start=1):
        for place, column in enumerate(columns):
            _write(sheet, line, place, row.get(column), look.text)
    sheet.freeze_panes(1, 0)


def _write(sheet: Any, row: int, column: int, value: Any, look: Any) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        code = sheet.write_boolean(row, column, value, look)
    elif isinstance(value, int | float) and math.isfinite(value):
        code = sheet.write_number(row, column, value, look)
    else:
        code = sheet.write_string(row, column, clean(str(value)), look)
    if code != 0:
        raise WorkbookError(
            f"cell {row + 1}:{column + 1} of {sheet.get_name()} was refused ({code})"
        )


def clean(text: str) -> str:
    """Text that a workbook can hold: no lone surrogates, no control characters, not endless."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    kept = "".join(c if c in "\t\n" or ord(c) >= 32 else "�" for c in text)
    return kept if len(kept) <= _LARGEST_CELL else kept[: _LARGEST_CELL - 1] + "…"

"""The workbook of an award: its formulas give the exact values, here and in LibreOffice."""

from __future__ import annotations

import io
import math
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from planner.award.doubles import Doubles
from planner.award.study import AwardStudy, award
from planner.table import Table
from reports.writers.workbook import workbook
from scenarios import load
from tests.planner.award.made import package, people, tender
from tests.planner.award.test_random_awards import drawn

SAMPLE = Path(__file__).parent / "sample" / "tender.toml"
RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>"""
"""Settings of a profile: formulas of a workbook are worked out anew whenever it is opened."""
SHEETS = (
    "lines", "prices", "operation", "figures", "evaluations", "points", "ranking", "delivered",
    "penalties", "scope", "values", "points_matrix",
)  # fmt: skip


def studies() -> dict[str, AwardStudy]:
    """The sample, and random tenders of every method."""
    made = {"sample": award(load(SAMPLE))}
    for seed in range(12):
        packages, criteria, scheme = drawn(seed)
        made[f"random {seed}"] = award(tender(packages, criteria, **scheme))
    return made


def sheets(study: AwardStudy) -> list[Table]:
    every = {each.name: each for each in study.study.tables}
    return [
        Table(name, every[name].columns, tuple(study.study.rows(name)))
        for name in SHEETS if name in every
    ]  # fmt: skip


@pytest.mark.parametrize("name", [*studies()])
def test_every_formula_gives_the_stored_value(name: str) -> None:
    found = sheets(studies()[name])
    doubles = Doubles(found)
    checked = 0
    for table in found:
        for column in table.columns:
            if column.key == "rank" or not (column.formula or column.formula_at):
                continue
            for at, row in enumerate(table.rows):
                stored: Any = row.get(column.key)
                formula = column.formula or row.get(column.formula_at)
                if formula and stored is not None:
                    value = doubles.value(table.name, column.key, at)
                    assert math.isclose(value, stored, rel_tol=1e-12, abs_tol=1e-12), column
                    checked += 1
        for row in table.rows:
            difference: Any = row.get("difference", 0.0)
            assert abs(difference) < 1e-9
    assert checked > 10


def test_a_tie_that_doubles_break_is_marked() -> None:
    # 0.1 + 0.2 = 0.3 in fractions; in doubles the sum is 4e-17 above 0.3
    points = [("A", "Q", "x", 0.1), ("A", "R", "x", 0.2), ("B", "Q", "x", 0.3), ("B", "R", "x", 0)]
    packages = [package("A"), package("B"), package("C")]
    points += [("C", "Q", "x", 0), ("C", "R", "x", 0)]
    study = award(tender(packages, [people("Q", 1), people("R", 1)], points=points))
    assert study.award.decisions[0].winners == ("A", "B")
    rows = {row["name"]: row["doubles_differ"] for row in study.study.rows("ranking")}
    assert rows == {"A": True, "B": True, "C": False}
    (column,) = [c for c in study.study.table("ranking").columns if c.key == "doubles_differ"]
    assert column.shown


def without_results(book: bytes) -> bytes:
    """A workbook whose formulas have no stored results."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(buffer, "w") as new:
        for each in old.infolist():
            content = old.read(each)
            if each.filename.startswith("xl/worksheets/"):
                content = re.sub(rb"(</f>)<v>[^<]*</v>", rb"\1", content)
            new.writestr(each, content)
    return buffer.getvalue()


def recalculated(books: dict[str, bytes], folder: Path) -> dict[str, CalamineWorkbook]:
    """The workbooks as LibreOffice works them out."""
    settings = folder / "profile" / "user" / "registrymodifications.xcu"
    settings.parent.mkdir(parents=True)
    settings.write_text(RECALCULATE, encoding="utf-8")
    (folder / "out").mkdir()
    paths = []
    for name, book in books.items():
        paths.append(folder / f"{name}.xlsx")
        paths[-1].write_bytes(without_results(book))
    program = shutil.which("soffice") or "soffice"
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    subprocess.run(
        [program, profile, "--headless", "--convert-to", "xlsx", "--outdir", folder / "out",
         *paths],
        check=True, capture_output=True, timeout=600,
    )  # fmt: skip
    return {
        name: CalamineWorkbook.from_path(str(folder / "out" / f"{name}.xlsx")) for name in books
    }


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="needs libreoffice-calc-nogui")
def test_libreoffice_gives_the_same_cents_and_points(tmp_path: Path) -> None:
    books = {name: workbook(each.study) for name, each in studies().items()}
    compared = 0
    for name, found in recalculated(books, tmp_path).items():
        ours = CalamineWorkbook.from_filelike(io.BytesIO(books[name]))
        for sheet in ours.sheet_names:
            theirs = found.get_sheet_by_name(sheet).to_python()
            for own, other in zip(ours.get_sheet_by_name(sheet).to_python(), theirs, strict=False):
                for one, two in zip(own, other, strict=False):
                    if isinstance(one, float):
                        assert isinstance(two, float), (name, sheet, own, other)
                        assert math.isclose(one, two, rel_tol=1e-12, abs_tol=1e-9), (name, sheet)
                        compared += 1
    assert compared > 1000

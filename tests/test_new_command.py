"""A new command costs one module, one study and one registry entry: here is one, in 60 lines."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from types import ModuleType

import click
import pypdf
import pytest
from click.testing import CliRunner
from python_calamine import load_workbook

from planner import registry
from planner.cli.answer import show_tables, tell, write_report
from planner.cli.main import Commands
from planner.cli.options import OutputOptions
from planner.cli.typed import command, group, option
from planner.formatting import watts
from planner.worded_study import TabledStudy
from planner.worded_table import Column, Table
from reports.standard import standard_report

COLUMNS = (
    Column("nodes", "Nodes", "{:,}".format, number=True),
    Column("power_w", "Power", watts, number=True),
)


@dataclass(frozen=True, repr=False)
class DrawStudy(TabledStudy):
    """What nodes draw."""

    each_w: float
    title = "Power of nodes"
    headline = "1,000 nodes draw the most."
    confidence = "Arithmetic."
    warnings = ("Nothing was measured.",)

    @property
    def settings(self) -> Mapping[str, float]:
        return {"power of a node (W)": self.each_w}

    @property
    def shown(self) -> tuple[Table, ...]:
        rows = [{"nodes": n, "power_w": n * self.each_w} for n in (1, 1000)]
        return (Table("power", "Power by nodes", COLUMNS, [*rows, {"nodes": 0}]),) * 2


REPORT = standard_report()


@dataclass(frozen=True, kw_only=True)
class DrawOptions:
    """Of ``headroom draw``."""

    each_w: float = option(type=float, default=250.0)
    output: OutputOptions = group(OutputOptions)  # noqa: RUF009 - a field


@command(DrawOptions)
def draw(asked: DrawOptions) -> None:
    """Say what nodes draw."""
    study, out = DrawStudy(asked.each_w), asked.output.out
    report = write_report(study, out, began=perf_counter(), progress=lambda _: None, inputs=())
    tell(study, show_tables, report, asked.output)


ENTRY = registry.Command(
    "draw", "toy.draw", "Say what nodes draw.",
    (registry.ReportedStudy(f"{__name__}:DrawStudy", "toy.report"),),
)  # fmt: skip


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> click.Group:
    for name, what in (("draw", draw), ("REPORT", REPORT)):
        module = ModuleType(f"toy.{'draw' if what is draw else 'report'}")
        setattr(module, name, what)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(registry, "COMMANDS", (*registry.COMMANDS, ENTRY))
    return Commands(name="headroom")


def test_it_has_help_json_and_a_table_in_the_terminal(commands: click.Group) -> None:
    run = CliRunner().invoke
    assert "draw" in run(commands, ["--help"]).output
    loaded = json.loads(run(commands, ["draw", "--each-w", "100", "--json"]).stdout)
    assert loaded["power"][1] == {"nodes": 1000, "power_w": 100_000.0}
    assert loaded["power"][2] == {"nodes": 0, "power_w": None}
    shown = run(commands, ["draw"]).output
    assert "1,000   250,000 W" in shown
    assert "0       –" in shown  # noqa: RUF001 - a dash is meant


def test_it_has_a_report_a_workbook_and_data(commands: click.Group, tmp_path: Path) -> None:
    done = CliRunner().invoke(commands, ["draw", "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    pages = pypdf.PdfReader(io.BytesIO((tmp_path / "out" / "report.pdf").read_bytes())).pages
    text = " ".join(" ".join(page.extract_text().split()) for page in pages)
    for words in (
        "Power of nodes",
        "1,000 nodes draw the most.",
        "250,000 W",
        "Nothing was measured.",
    ):
        assert words in text
    sheets = load_workbook(tmp_path / "out" / "draw.xlsx")
    assert sheets.sheet_names == ["Summary", "Power"]
    assert sheets.get_sheet_by_name("Power").to_python()[2] == [1000.0, 250_000.0]
    assert json.loads((tmp_path / "out" / "draw.json").read_text())["summary"]
    again = CliRunner().invoke(commands, ["draw", "-o", str(tmp_path / "out")])
    assert again.exit_code == 0, "its own files may be replaced"

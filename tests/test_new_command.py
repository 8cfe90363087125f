"""A new command costs one module, one study, one catalogue and one registry entry: here is one."""

from __future__ import annotations

import io
import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import click
import pypdf
import pytest
from click.testing import CliRunner
from python_calamine import load_workbook

from planner import registry
from planner.answer import Answer
from planner.cli.main import Commands
from planner.cli.options import OutputOptions
from planner.cli.runner import start
from planner.cli.typed import command, group, option
from planner.figure import Figure
from planner.finding import Fact, finding
from planner.study import Question, Study
from planner.table import Column, Table
from reports import messages

CATALOGUE = """
[labels]
subject = "Power of nodes"
[nouns]
node = ["node", "nodes"]
[findings]
question = "What do nodes draw?"
most = "{nodes} draw {power}"
counted = "Arithmetic."
unmeasured = "Nothing was measured, so the nodes may draw more."
[facts]
power = "Largest power"
[definitions]
power = "of all nodes"
[columns]
nodes = "Nodes"
power_w = "Power"
[tables]
power = "Power by nodes"
[figures]
power = "Power by nodes"
[questions]
power = "How much is it?"
"""


@dataclass(frozen=True, repr=False)
class DrawStudy(Answer):
    """What nodes draw."""

    each_w: float

    def _made(self) -> Study:
        rows = [{"nodes": n, "power_w": n * self.each_w} for n in (1, 1000)]
        power = (1000 * self.each_w, "W")
        return Study(
            command="draw",
            title=finding("note", "question"),
            headline=finding("headline", "most", nodes=(1000, "node"), power=power),
            data={"power": [*rows, {"nodes": 0, "power_w": None}]},
            confidence=(finding("confidence", "counted"),),
            facts=(Fact("power", *power),),
            findings=(finding("risk", "unmeasured"),),
            decision="power",
            questions=(Question("power", tables=("power",), figures=("power",)),),
            tables=(Table("power", (Column("nodes", "count"), Column("power_w", "W")),
                          at="/power"),),
            figures=(Figure("power", "bars", "power", "nodes", ("power_w",)),),
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class DrawOptions:
    """Of ``headroom draw``."""

    each_w: float = option(type=float, default=250.0)
    output: OutputOptions = group(OutputOptions)  # noqa: RUF009 - a field


@command(DrawOptions)
def draw(asked: DrawOptions) -> None:
    """Say what nodes draw."""
    start("draw", asked).finish(DrawStudy(asked.each_w))


ENTRY = registry.Command("draw", "toy.draw", "Say what nodes draw.", (f"{__name__}:DrawStudy",))


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> click.Group:
    module = ModuleType("toy.draw")
    module.draw = draw  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    shutil.copy(Path(messages.__file__).parent / "common.en.toml", tmp_path)
    (tmp_path / "draw.en.toml").write_text(CATALOGUE)
    monkeypatch.setattr(messages, "_FOLDER", tmp_path)
    monkeypatch.setattr(registry, "COMMANDS", (*registry.COMMANDS, ENTRY))
    return Commands(name="headroom")


def test_it_has_help_json_and_a_table_in_the_terminal(commands: click.Group) -> None:
    run = CliRunner().invoke
    assert "draw" in run(commands, ["--help"]).output
    loaded = json.loads(run(commands, ["draw", "--each-w", "100", "--json"]).stdout)
    assert loaded["power"][1] == {"nodes": 1000, "power_w": 100_000.0}
    assert loaded["power"][2] == {"nodes": 0, "power_w": None}
    shown = run(commands, ["draw"]).output
    assert "1,000 nodes draw 250 kW" in shown
    assert "Warning: Nothing was measured, so the nodes may draw more." in shown
    assert "–" in shown  # noqa: RUF001 - a dash is meant


def test_it_has_a_report_a_page_a_workbook_and_data(commands: click.Group, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(commands, ["draw", "--html", "-o", str(out)])
    assert done.exit_code == 0, done.output
    pages = pypdf.PdfReader(io.BytesIO((out / "report.pdf").read_bytes())).pages
    text = " ".join(" ".join(page.extract_text().split()) for page in pages)
    for words in ("What do nodes draw?", "1,000 nodes draw 250 kW", "Nothing was measured"):
        assert words in text
        assert words in (out / "report.html").read_text().replace("\xa0", " ")
    sheets = load_workbook(out / "draw.xlsx")
    assert sheets.sheet_names == ["Summary", "Power"]
    assert sheets.get_sheet_by_name("Power").to_python()[2] == [1000.0, 250_000.0]
    assert json.loads((out / "draw.json").read_text())["summary"]
    again = CliRunner().invoke(commands, ["draw", "-o", str(out)])
    assert again.exit_code == 0, "its own files may be replaced"

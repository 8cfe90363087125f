"""``headroom check --propose``: files that it writes, that a scenario uses, and that stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import scenarios
from scenarios.tables.spreadsheet import read_cells
from tests.planner.cli.commands import answered, ran
from tests.scenarios.quote_files import workbook

ROWS: list[list[Any]] = [
    ["Angebot der Muster GmbH"],
    ["Modell", "Preis [EUR]", "Leerlauf [W]", "Volllast [kW]", "Kerne"],
    ["M 1", 9000, 100, 0.4, 64],
    ["M 2", 12000, None, 0.7, 128],
    ["Summe", 21000],
]
QUESTIONS = "questions-Muster-GmbH.xlsx"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "angebot.xlsx").write_bytes(workbook({"Preise": ROWS}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scenario(folder: Path) -> Path:
    path = folder / "site.toml"
    path.write_text(
        'format = 1\nname = "site"\ntitle = "Site"\nquotes_file = "quotes.toml"\n'
        '[machine]\nname = "Old"\ncores = 1000\nutilisation = 0.8\n'
        '[budget]\ncurrency = "EUR"\ncapital = 1000000\nlifetime_years = 4\n'
        "maintenance_fraction_per_year = 0.1\nenergy_price_per_kwh = 0.1\n"
    )
    return path


def test_a_proposal_has_mapping_understanding_and_questions(folder: Path) -> None:
    answer = answered("check", "angebot.xlsx", "--propose", "quotes.toml")
    assert answer["written"] == ["quotes.toml", "quotes-understood.xlsx", QUESTIONS]
    values = read_cells(folder / "quotes-understood.xlsx", "")
    assert values.rows[0] == ("Node type", "Vendor", "Field", "Value", "Unit", "Found at")
    assert ("M-1", "Muster GmbH", "peak_w", 400.0, "W", "Preise!D3") in values.rows
    asked = read_cells(folder / QUESTIONS, "").rows
    assert asked[0][:5] == ("node type", "field", "question", "found at", "answer")
    assert any(row[:2] == ("M-2", "idle_w") and row[3] == "Preise!C4" for row in asked)


def test_a_scenario_uses_the_file_without_a_copy(folder: Path) -> None:
    rows = [*ROWS[:3], ["M 2", 12000, 150, 0.7, 128]]
    (folder / "angebot.xlsx").write_bytes(workbook({"Preise": rows}))
    ran("check", "angebot.xlsx", "--propose", "quotes.toml")
    loaded = scenarios.load(str(scenario(folder)))
    assert [each.name for each in loaded.node_types] == ["M-1", "M-2"]
    assert tuple(name for name, _ in loaded.provenance.files if name != "site.toml") == (
        "quotes.toml",
        "angebot.xlsx",
    )


def test_the_file_alone_is_not_a_scenario(folder: Path) -> None:
    ran("check", "angebot.xlsx", "--propose", "quotes.toml")
    assert "quotes_file = 'quotes.toml'" in ran("check", "quotes.toml").output


def test_an_error_in_the_file_has_its_line_there(folder: Path) -> None:
    ran("check", "angebot.xlsx", "--propose", "quotes.toml")
    text = (folder / "quotes.toml").read_text().replace("price =", "prise =")
    (folder / "quotes.toml").write_text(text)
    line = next(i for i, each in enumerate(text.splitlines(), 1) if each.startswith("prise"))
    output = ran("check", str(scenario(folder))).output
    assert f"quotes.toml:{line}: quotes[1].columns.prise" in output


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("quotes.toml", "", "has no [[quotes]]"),
        ("quotes.toml", "format = 1\n", "unknown key 'format'"),
        ("quotes.toml", "[[quotes]\n", "not valid TOML"),
        ("none.toml", "", "none.toml"),
        ("../quotes.toml", "", "is not in the scenario's folder"),
    ],
)
def test_a_wrong_file_of_quotes_is_explained(
    folder: Path, name: str, text: str, message: str
) -> None:
    (folder / "quotes.toml").write_text(text)
    path = scenario(folder)
    path.write_text(path.read_text().replace("quotes.toml", name))
    done = ran("check", str(path))
    assert done.exit_code == 2
    assert message in done.output


def test_what_a_person_changed_stays(folder: Path) -> None:
    ran("check", "angebot.xlsx", "--propose", "quotes.toml")
    assert ran("check", "angebot.xlsx", "--propose", "quotes.toml").exit_code == 0
    changed = (folder / "quotes.toml").read_text() + "# mine\n"
    (folder / "quotes.toml").write_text(changed)
    done = ran("check", "angebot.xlsx", "--propose", "quotes.toml")
    assert done.exit_code == 2
    assert "--force" in done.output
    assert (folder / "quotes.toml").read_text() == changed
    assert ran("check", "angebot.xlsx", "--propose", "quotes.toml", "--force").exit_code == 0
    assert "# mine" not in (folder / "quotes.toml").read_text()


def test_an_input_is_never_replaced(folder: Path) -> None:
    before = (folder / "angebot.xlsx").read_bytes()
    done = ran("check", "angebot.xlsx", "--propose", "angebot.xlsx", "--force")
    assert done.exit_code == 2
    assert (folder / "angebot.xlsx").read_bytes() == before


def test_answers_that_came_back_are_used_and_kept(folder: Path) -> None:
    ran("check", "angebot.xlsx", "--propose", "quotes.toml")
    rows = [list(row) for row in read_cells(folder / QUESTIONS, "").rows]
    rows = [[*row, None][:5] for row in rows]
    for row in rows:
        if row[:2] == ["M-2", "idle_w"]:
            row[4] = "140 W"
    (folder / QUESTIONS).write_bytes(workbook({"Questions": rows}))
    kept = (folder / QUESTIONS).read_bytes()
    answer = answered("check", "angebot.xlsx", "--propose", "quotes.toml", "--force")
    values = {(each["node_type"], each["field"]): each["value"] for each in answer["understood"]}
    assert values["M-2", "idle_w"] == 140
    assert (folder / QUESTIONS).read_bytes() == kept
    loaded = scenarios.load(str(scenario(folder)))
    assert loaded.node_type("M-2").idle_w == 140


def test_options_that_do_not_belong_together_are_refused(folder: Path) -> None:
    assert "several FILEs" in ran("check", "angebot.xlsx", "angebot.xlsx").output
    assert "--like" in ran("check", "angebot.xlsx", "--like", "old.toml").output


def test_an_earlier_file_is_named_in_the_comments(folder: Path) -> None:
    ran("check", "angebot.xlsx", "--propose", "quotes.toml")
    ran("check", "angebot.xlsx", "--propose", "next.toml", "--like", "quotes.toml")
    assert "as in quotes.toml" in (folder / "next.toml").read_text()


def test_lines_of_a_package_are_shown_written_and_asked_about(folder: Path) -> None:
    rows: list[list[Any]] = [
        ["Item", "Qty", "Unit price (EUR)"],
        ["Compute node", 16, 14000],
        ["Rack", 1, 3000.5],
        ["Switch", 1, 9000],
        ["Zyx", 1, 50],
        ["Total", None, 236050.5],
    ]
    (folder / "package.xlsx").write_bytes(workbook({"P": [["Offer of Acme Ltd"], *rows]}))
    done = ran("check", "package.xlsx", "--propose", "quotes.toml")
    assert "0 node types, 1 package, 3 questions" in done.output
    assert "3,000.50" in done.output
    cells = read_cells(folder / "quotes-understood.xlsx", "", "Lines of packages").rows
    assert [*cells[2][1:7]] == ["rack", None, "Rack", 1, 3000.5, 3000.5]
    asked = read_cells(folder / "package-questions-Acme-Ltd.xlsx", "").rows
    assert [row[:2] for row in asked[1:]] == [("6: Zyx", "kind")]
    of_nodes = read_cells(folder / "questions-Acme-Ltd.xlsx", "").rows
    assert [row[1] for row in of_nodes[1:]] == ["idle_w", "peak_w"]
    answer = answered("check", "package.xlsx", "--propose", "quotes.toml")
    assert [each["kind"] for each in answer["package_lines"]][:2] == ["node", "rack"]

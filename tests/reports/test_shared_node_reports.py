"""The reports on two runs: questions, answers, and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import headroom as hr
from planner.command_row import command_row
from planner.differences.study import compare_runs
from planner.worded_study import Study
from reports.registered import report_of
from scenarios.reading.replaced import with_values
from tests.reports.shown import tables, texts

MINUS = "\N{MINUS SIGN}"


def document(study: Study) -> dict[str, Any]:
    report = report_of(study)
    return report.document(study, report.pictures(study))


def page(shown: dict[str, Any], heading: str) -> dict[str, Any]:
    return next(page for page in shown["pages"] if page["heading"] == heading)


def test_what_python_made_has_no_command() -> None:
    assert command_row(()) == ("command", "made from Python")


def plan(bound_w: float, score: float, **further: Any) -> dict[str, Any]:
    return {
        "format": 1, "headroom": "0.1.0", "scenario": {}, "options": {"seed": 0},
        "summary": f"Buy for {score}.",
        "decision": {"status": "optimal", "plan": {"score": score, "it_power_w": 2 * bound_w}},
        "inputs": {"power": {"bound_w": bound_w}},
    } | further  # fmt: skip


def compared(first: dict[str, Any], second: dict[str, Any], folder: Path) -> dict[str, Any]:
    for name, one in (("a", first), ("b", second)):
        (folder / name).mkdir()
        (folder / name / "plan.json").write_text(json.dumps(one))
    return document(compare_runs(folder / "a", folder / "b"))


def test_two_runs_are_compared_with_a_figure_of_relative_changes(tmp_path: Path) -> None:
    shown = compared(plan(100.0, 4.0), plan(50.0, 3.0), tmp_path)
    assert shown["figure"]["title"] == "IT power changes most in this figure: 50 % lower"
    answer = page(shown, "What was given differently?")["answer"]
    assert answer == "One value only: power bound from 100 W to 50 W."
    assert shown["certificate"] == "Input: power bound from 100 W to 50 W."
    assert shown["table"]["rows"][0] == ["Score", "4", "3", f"{MINUS}1"]
    said = texts(shown)
    assert "First run (a): Buy for 4.0." in said
    assert "Second run (b): status optimal." in said
    assert "The version of Headroom and the options are the same." in said
    assert f"headroom diff {tmp_path / 'a'} {tmp_path / 'b'} -o DIR" in said


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (-2.0, -3.0, "Score: 50 % lower"),
        (-3.0, -2.0, "Score: 33 % higher"),
        (2.0, 3.0, "Score: 50 % higher"),
        (2.0, 0.0, "Score: 100 % lower"),
        (-0.1, 0.2, ""),  # a share of -0.1 would be a fall of 300 %
        (0.0, 2.0, ""),
        (0.1, 2.0, ""),
    ],
)
def test_a_rise_is_called_a_rise_whatever_the_sign(
    first: float, second: float, words: str, tmp_path: Path
) -> None:
    shown = compared(plan(100.0, first), plan(100.0, second), tmp_path)
    assert (shown["figure"]["title"] if shown["figure"] else "") == words
    assert shown["table"]["rows"][0][0] == "Score"


def test_results_are_listed_once_and_the_method_says_what_was_compared(tmp_path: Path) -> None:
    costs = ("capital", "hardware", "installation", "fixed_capital", "staff_per_year", "total_cost",
             "maintenance_per_year", "energy_cost_per_year")  # fmt: skip
    many = [{"currency": "EUR"} | dict.fromkeys(costs, value) for value in (1.0, 2.0)]
    shown = compared(plan(9.0, 1.0, cost=many[0]), plan(9.0, 2.0, cost=many[1]), tmp_path)
    further = page(shown, "What else came out differently?")
    assert further["answer"] == "1 further result differs, in addition to the 8 on the first page."
    (rows,) = tables(further)
    first = [row[0] for row in shown["table"]["rows"]]
    assert "Capital [EUR]" in first
    assert not {row[0] for row in rows} & set(first)
    method = texts(page(shown, "Appendix: method"))
    assert "10 values differ; the workbook diff.xlsx lists all." in method
    assert "entries without a name by their position" in method
    assert "All values" not in method


def test_runs_in_folders_of_one_name_have_longer_names(tmp_path: Path) -> None:
    for month, score in (("may", 1.0), ("june", 2.0)):
        (tmp_path / month / "site").mkdir(parents=True)
        (tmp_path / month / "site" / "plan.json").write_text(json.dumps(plan(9.0, score)))
    study = compare_runs(tmp_path / "may" / "site", tmp_path / "june" / "site" / "plan.json")
    assert study.title == "june/site compared with may/site"
    assert compare_runs(study.first, study.first).names == ("first run", "second run")


def test_a_run_without_a_plan_and_money_of_two_currencies(tmp_path: Path) -> None:
    cost = [{"currency": name, "capital": value} for name, value in (("EUR", 5.0), ("USD", 6.0))]
    bill = [{"item": "node", "vendor": "V", "quantity": 3}]
    first = plan(9.0, 1.0, cost=cost[0], bill_of_materials=bill)
    second = plan(9.0, 1.0, decision={"status": "infeasible"}, cost=cost[1])
    shown = compared(first, second, tmp_path)
    assert shown["decision"] == "Decision: the first run has a plan, the second has none."
    assert "Capital" in [row[0] for row in shown["table"]["rows"]]


def test_two_designs_and_two_core_hours_are_compared(tmp_path: Path) -> None:
    site = hr.load("thesis-7kw")
    more = with_values(site, {"power.bound_w": 8000.0})
    shown = compared(hr.plan(site).to_dict(), hr.plan(more).to_dict(), tmp_path)
    assert shown["decision"].startswith(
        "Decision: the overprovisioned design (35 older nodes) instead of the worst-case design "
        "(18 high-end nodes)."
    )
    assert [row[0] for row in shown["table"]["rows"][:3]] == [
        "Design", "Speedup of overprovisioning over the mix", "SPhot: speedup",
    ]  # fmt: skip
    hopper = hr.plan("hopper-2010").to_dict()
    dearer = json.loads(json.dumps(hopper))
    dearer["cost_per_core_hour"]["cost_per_core_hour"] *= 2
    (tmp_path / "hours").mkdir()
    shown = compared(hopper, dearer, tmp_path / "hours")
    assert shown["decision"] == (
        "The cost of a core-hour rises by 100 % (from 0.01847 to 0.03694 USD)."
    )
    dearer["cost_per_core_hour"]["cost_per_core_hour"] *= 0.50001
    (tmp_path / "near").mkdir()
    shown = compared(hopper, dearer, tmp_path / "near")
    assert shown["decision"] == "The cost of a core-hour rises by 0.002 %."


def test_integers_are_shown_in_full_or_cut(tmp_path: Path) -> None:
    def counted(value: int) -> dict[str, Any]:
        return {"year": 2026, "decision": {"status": "x", "plan": {"score": value}}}

    first, second = counted(10**400), counted(12_345)
    second["year"] = 2027
    for name, plan in (("a", first), ("b", second)):
        (tmp_path / name).mkdir()
        data = {"format": 1, "scenario": {}} | plan
        (tmp_path / name / "plan.json").write_text(json.dumps(data))
    study = compare_runs(tmp_path / "a", tmp_path / "b")
    assert study.explanation
    cells = [
        [column.cell(row) for column in table.columns[1:3]]
        for table in study.shown for row in table.rows
    ]  # fmt: skip
    assert ["2026", "2027"] in cells
    largest = next(first for first, second in cells if second == "12,345")
    assert largest.startswith("10,000,000,")
    assert len(largest) == 48


def test_what_is_reached_of_a_requirement_has_its_unit(tmp_path: Path) -> None:
    def reached(value: float) -> list[dict[str, Any]]:
        units = {"memory in all": "GB", "delivery of all nodes": "days", "vendors": ""}
        units["memory of every node, whose name is much longer than a line of a table is"] = "GB"
        return [{"what": what, "reached": value, "unit": unit} for what, unit in units.items()]

    runs = [plan(9.0, 1.0, mandates=reached(value)) for value in (1.0, 2.0)]
    shown = compared(runs[0], runs[1], tmp_path)
    names = [row[0] for row in shown["table"]["rows"]]
    assert "Memory in all, as reached [GB]" in names
    assert "Delivery of all nodes, as reached [days late]" in names
    assert "Vendors, as reached" in names
    (long,) = [name for name in names if "much longer" in name]
    assert long.endswith("… [GB]")
    assert len(long) == 60
    assert "GB" not in shown["figure"]["title"]  # a share has no unit


def test_runs_with_other_options_or_versions_are_told_apart(tmp_path: Path) -> None:
    other = plan(100.0, 3.0, headroom="0.2.0", options={"seed": 1})
    said = texts(compared(plan(100.0, 4.0), other, tmp_path))
    assert "The runs come from different versions of Headroom." in said
    assert "The runs have different options" in said
    assert "Nothing: both runs have the same input." in said


def test_without_a_common_number_the_results_are_on_the_first_page(tmp_path: Path) -> None:
    shown = compared(plan(100.0, 4.0), plan(50.0, 3.0, decision={"status": "infeasible"}), tmp_path)
    assert shown["figure"] is None
    assert [row[0] for row in shown["table"]["rows"]] == ["Score", "IT power [W]"]
    assert [column["name"] for column in shown["table"]["columns"]] == ["Value", "a"]
    assert "Second run (b): status infeasible." in texts(shown)

"""The bundled tenders: copied, checked, awarded and planned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from planner.award.model_score import joint_score, package_scores
from planner.cli.main import main
from scenarios import load

NAMES = ("tender-university", "tender-centre")
WINNERS = {
    "tender-university": ["north-cpu-small", "north-gpu"],
    "tender-centre": ["a-cpu", "a-gpu"],
}

SHEETS = {"tender-university": ("tender-university-north.xlsx", "tender-university-west.csv")}


def run(*words: str) -> str:
    result = CliRunner().invoke(main, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_tender_is_copied_checked_and_awarded(name: str, tmp_path: Path) -> None:
    run("init", str(tmp_path / "case"), "--from", name)
    file = tmp_path / "case" / f"{name}.toml"
    written = {path.name for path in (tmp_path / "case").iterdir()}
    assert written == {f"{name}.toml", f"{name}-points.csv", *SHEETS.get(name, ())}
    assert "is valid" in run("check", str(file))
    answer = json.loads(run("plan", str(file), "--award", "--no-report", "--json"))
    assert [lot["winners"] for lot in answer["lots"]] == [[each] for each in WINNERS[name]]
    assert {row["package"] for row in answer["delivered"]}
    assert all(row["expected_penalty"] > 0 for row in answer["penalties"])


def test_the_university_plans_on_committed_figures() -> None:
    """HPL of 756 TF is required: (756 - 620)/208 of one package, (756 - 208)/620 of the other."""
    words = ("plan", "tender-university", "--solver", "highs", "--no-report", "--json")
    answer = json.loads(run(*words))
    least = {
        row["name"]: row["least"] for row in answer["delivered"] if row["figure"] == "HPL [TF]"
    }
    assert least == {
        "north-cpu": pytest.approx(136 / 208, abs=2e-6),
        "north-gpu": pytest.approx(548 / 620, abs=2e-6),
    }
    (to_buy,) = (each["rows"] for each in answer["study"]["tables"] if each["name"] == "to_buy")
    assert to_buy[2:] == [
        {"label": "vendor discount", "label_unit": "item", "vendor": "North", "amount": -22945.4}
    ]  # 2 % of 656,470 + 490,800


@pytest.mark.slow
def test_money_binds_in_the_centre() -> None:
    answer = json.loads(run("plan", "tender-centre", "--solver", "highs", "--no-report", "--json"))
    bound = {row["resource"] for row in answer["limits"] if row["bound"]}
    assert bound == {"capital"}
    assert {row["name"] for row in answer["packages"]} == {"a-cpu", "a-gpu"}


def test_the_award_has_a_score_although_two_packages_share_a_node_type() -> None:
    """Both packages of North for CPU nodes have the same type; HPL runs on their figures."""
    scenario = load("tender-university")
    offers = {each.name: each for each in scenario.packages}
    large, small = (
        joint_score(scenario, [offers[name], offers["north-gpu"]])
        for name in ("north-cpu", "north-cpu-small")
    )
    assert large > small > 0
    assert package_scores(scenario, scenario.packages)["north-cpu"] == 0  # no machine learning

"""Two runs compared: what is listed, what it is called, and what it is not called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import headroom as hr
from planner.differences.study import DifferenceStudy, compare_runs
from reports.texts import Texts
from reports.view import grid, view
from scenarios.reading.replaced import with_values
from tests.claims.diff import purchase

IVY = {"name": "ivy", "price": 10, "lead_weeks": None, "minimum_quantity": None}
XEON = {"name": "xeon-2.4", "price": 5, "peak_w": 300}


def compared(first: dict[str, Any], second: dict[str, Any], folder: Path) -> DifferenceStudy:
    for name, plan in (("a", first), ("b", second)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "plan.json").write_text(json.dumps({"format": 2, "scenario": {}} | plan))
    return compare_runs(folder / "a", folder / "b")


@pytest.mark.parametrize(
    ("first", "second", "entries", "inputs"),
    [
        ([IVY], [IVY, XEON], {"node_types.xeon-2.4": "added"}, {}),
        ([IVY, XEON], [IVY], {"node_types.xeon-2.4": "removed"}, {}),
        (
            [IVY],
            [IVY | {"lead_weeks": 3, "minimum_quantity": 8}],
            {},
            {
                "node_types.ivy.lead_weeks": (None, 3),
                "node_types.ivy.minimum_quantity": (None, 8),
            },
        ),
        ([XEON], [XEON | {"price": 6}], {}, {"node_types.xeon-2.4.price": (5, 6)}),
    ],
)
def test_only_new_entries_are_called_added(
    first: list[dict[str, Any]],
    second: list[dict[str, Any]],
    entries: dict[str, str],
    inputs: dict[str, tuple[Any, Any]],
    tmp_path: Path,
) -> None:
    one, other = ({"inputs": {"node_types": types}} for types in (first, second))
    data = compared(one, other, tmp_path).study.data
    assert {row["entry"]: row["happened"] for row in data["entries"]} == entries
    assert {row["where"]: (row["first"], row["second"]) for row in data["inputs"]} == inputs


@pytest.mark.parametrize(
    ("first", "second", "change"),
    [
        (-2.0, -3.0, -0.5), (-3.0, -2.0, 1 / 3), (2.0, 3.0, 0.5), (2.0, 0.0, -1.0),
        (-0.1, 0.2, None), (0.0, 2.0, None),
    ],
)  # fmt: skip
def test_a_rise_is_called_a_rise_whatever_the_sign(
    first: float, second: float, change: float | None, tmp_path: Path
) -> None:
    one, other = (purchase(decision__plan__score=score) for score in (first, second))
    study = compared(one, other, tmp_path).study
    row = study.data["results"][0]
    assert row["what"]["values"]["value"] == "score"
    assert row["change"] == (None if change is None else pytest.approx(change))
    assert [figure.name for figure in study.figures] == ([] if change is None else ["results"])


def test_runs_in_folders_of_one_name_have_longer_names(tmp_path: Path) -> None:
    for month, score in (("may", 1.0), ("june", 2.0)):
        (tmp_path / month / "site").mkdir(parents=True)
        plan = purchase(decision__plan__score=score)
        (tmp_path / month / "site" / "plan.json").write_text(json.dumps(plan))
    study = compare_runs(tmp_path / "may" / "site", tmp_path / "june" / "site" / "plan.json")
    assert study.names == ("may/site", "june/site")
    assert compare_runs(study.first, study.first).names == ("first run", "second run")


def test_numbers_beyond_any_double_are_text(tmp_path: Path) -> None:
    one, other = (purchase(decision__plan__score=score) for score in (10**400, 12_345))
    study = compared(one, other, tmp_path)
    row = study.study.data["results"][0]
    assert (row["first"], row["second"]) == (f"1{'0' * 400}", "12345")
    assert view(study.study).decision is not None
    json.dumps(study.to_dict(), allow_nan=False)


def test_designs_of_two_plans_are_compared(tmp_path: Path) -> None:
    site = hr.load("thesis-7kw")
    more = with_values(site, {"power.bound_w": 8000.0})
    study = compared(hr.plan(site).to_dict(), hr.plan(more).to_dict(), tmp_path).study
    assert study.headline.kind == "design-other"
    assert study.headline.values == {"design": "overprovisioned", "before": "worst-case"}
    hopper = hr.plan("hopper-2010").to_dict()
    dearer = json.loads(json.dumps(hopper))
    dearer["cost_per_core_hour"]["cost_per_core_hour"] *= 2
    study = compared(hopper, dearer, tmp_path).study
    (fact,) = (fact for fact in study.facts if fact.key == "core_hour")
    assert fact.note is not None
    assert fact.note.values["change"] == pytest.approx(1.0)


def test_every_table_is_shown(tmp_path: Path) -> None:
    runs = (purchase(), purchase(inputs__power__bound_w=9.0, decision__plan__score=2.0))
    study = compared(*runs, tmp_path).study
    texts = Texts(study)
    assert grid(texts, study.table("inputs")).rows[0][0] == "power.bound_w"
    assert grid(texts, study.table("results")).rows[0][:3] == ("Score", "1.2500", "2.0000")

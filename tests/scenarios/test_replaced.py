"""A replaced value is judged as the same value in a file would be."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scenarios
from scenarios import Scenario, ScenarioError
from scenarios.reading.replaced import with_values
from tests.scenarios.test_catalogue import BUNDLED, DATA

THESIS = (DATA / "thesis-7kw.toml").read_text()


@pytest.fixture(scope="module")
def thesis() -> Scenario:
    return scenarios.load("thesis-7kw")


@pytest.fixture(scope="module")
def center() -> Scenario:
    return scenarios.load("rfp-center")


def faults(scenario: Scenario, changes: dict[str, Any]) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        with_values(scenario, changes)
    return [str(fault) for fault in caught.value.faults]


def edited(folder: Path, *swaps: tuple[str, str]) -> Path:
    text = THESIS
    for old, new in swaps:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = folder / "thesis-7kw.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_replacing_nothing_changes_nothing(path: Path) -> None:
    scenario = scenarios.load(path)
    assert with_values(scenario, {}) == scenario


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        ("power.bound_w", 8e3, "bound_w = 7000", "bound_w = 8000"),
        ("power.bound_w", np.float64(8e3), "bound_w = 7000", "bound_w = 8000"),
        ("node_types.ivy-bridge.price", 3000, "price = 3300", "price = 3000"),
        ("node_types[1].price", np.int64(3000), "price = 3300", "price = 3000"),
        ("node_types[ivy-bridge].cores", 12, "cores = 24", "cores = 12"),
        ("workloads.SPhot.time.intercept_s", 80, "intercept_s = 73.07", "intercept_s = 80"),
        ("node_types.sandy-bridge.package_caps_w[5]", 110, "95, 115]", "95, 110]"),
        ("rack", {"nodes": 8}, "nodes = 16\nprice = 2000", "nodes = 8"),
        ("switch.ports", None, "ports = 36\n", ""),
    ],
)
def test_a_replaced_value_equals_an_edited_file(
    tmp_path: Path, thesis: Scenario, path: str, value: Any, old: str, new: str
) -> None:
    before = re.search(r"\[rack\][^\[]*", THESIS)
    assert before is not None
    swaps = [(old, new)]
    if path == "rack":
        swaps = [(before[0], "[rack]\nnodes = 8\n")]
    read = scenarios.load(edited(tmp_path, *swaps))
    assert with_values(thesis, {path: value}).with_provenance(read.provenance) == read


def test_a_list_that_only_has_its_default_can_be_changed_in_part(thesis: Scenario) -> None:
    case = with_values(thesis, {"overprovisioning.sweep.cost_ratios": None}).overprovisioning
    assert case is not None
    assert case.sweep.cost_ratios == (1.5, 1.75, 2.0, 2.25)
    changed = with_values(thesis, {"overprovisioning.sweep.performance_fractions[2]": 0.25})
    assert changed.overprovisioning is not None
    assert changed.overprovisioning.sweep.performance_fractions == (0.1, 0.25, 0.4)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"power.bound_W": 8e3},
            "thesis-7kw: power.bound_W: unknown key 'bound_W'; did you mean 'bound_w'?",
        ),
        ({"pwer.bound_w": 8e3}, "thesis-7kw: pwer: unknown key 'pwer'; did you mean 'power'?"),
        (
            {"node_types.ivy-brige.price": 1},
            (
                "thesis-7kw: node_types.ivy-brige.price: node_types has no entry named "
                "'ivy-brige'; did you mean 'ivy-bridge' or 'sandy-bridge'?"
            ),
        ),
        (
            {"node_types[3].price": 1},
            "thesis-7kw: node_types[3].price: node_types has 2 entries, counted from 1",
        ),
        (
            {"node_types.ivy-bridge.price.x": 1},
            (
                "thesis-7kw: node_types.ivy-bridge.price.x: node_types[1].price = 3300.0 is not a "
                "table or list; end the path there"
            ),
        ),
        (
            {"node_types.sandy-bridge.package_caps_w.first": 50},
            (
                "thesis-7kw: node_types.sandy-bridge.package_caps_w.first: "
                "node_types[2].package_caps_w has no named entries; write its number, as in "
                "node_types[2].package_caps_w[1]"
            ),
        ),
        (
            {"power.bound_w": "7 kW"},
            (
                "thesis-7kw: power.bound_w: '7 kW' should be a number; write it without "
                "quotation marks or unit"
            ),
        ),
        (
            {"power": None},
            "thesis-7kw: overprovisioning: the power bound is missing; add [power] with bound_w",
        ),
        (
            {"overprovisioning.older": "haswell"},
            (
                "thesis-7kw: overprovisioning.older: there is no node type 'haswell'; there are "
                "ivy-bridge, sandy-bridge"
            ),
        ),
        (
            {"workloads[1].time": {"kind": "table", "node_type": "sandy-bridge", "file": "t.csv"}},
            (
                "thesis-7kw: workloads: 't.csv' was not read when the scenario was loaded; "
                "give the "
                "values themselves"
            ),
        ),
    ],
)
def test_a_fault_names_path_value_and_remedy(
    thesis: Scenario, changes: dict[str, Any], said: str
) -> None:
    assert faults(thesis, changes) == [said]


@pytest.mark.parametrize(
    "path", ["", ".", "power.", ".power", "power..bound_w", "power[", "x" * 2000]
)
def test_what_is_no_path_is_refused(thesis: Scenario, path: str) -> None:
    said = faults(thesis, {path: 1})
    assert len(said) == 1
    assert "is not a key path" in said[0] or "unknown key" in said[0]


def test_all_faults_come_at_once(thesis: Scenario) -> None:
    said = faults(thesis, {"power.bound_w": -1, "rack.nodes": 0, "switch.prize": 1})
    assert [each.split(": ")[1] for each in said] == ["power.bound_w", "rack.nodes", "switch.prize"]


@pytest.mark.parametrize("value", [-1, 0, 1e16, True, "7000", [7000], float("nan"), None])
def test_a_wrong_value_is_told_in_the_words_of_a_file(
    tmp_path: Path, thesis: Scenario, value: Any
) -> None:
    written = json.dumps(value).replace("NaN", "nan")
    line = "" if value is None else f"bound_w = {written}"
    with pytest.raises(ScenarioError) as caught:
        scenarios.load(edited(tmp_path, ("bound_w = 7000", line)))
    ours = faults(thesis, {"power.bound_w": value})
    assert ours == [f"thesis-7kw: {f.where}: {f.message}" for f in caught.value.faults]


def test_names_may_hold_dots_and_brackets(thesis: Scenario) -> None:
    odd = with_values(thesis, {"workloads.SPhot.name": "S. [2]"})
    assert with_values(odd, {"workloads.S. [2].weight": 3}).workloads[0].weight == 3


def test_sheets_of_quotes_are_not_read_again(center: Scenario) -> None:
    assert "replace node_types, or load another scenario" in faults(center, {"quotes": None})[0]
    assert "read in 'USD'" in faults(center, {"budget.currency": "EUR"})[0]
    cheaper = with_values(center, {"node_types.a-mi300a.price": 1e4})
    assert cheaper.node_type("a-mi300a").price == 1e4


def test_doubts_are_those_of_the_new_values(center: Scenario) -> None:
    late = with_values(center, {"procurement.decided_on": dt.date(1926, 11, 22)})
    assert "scenario-year" in [each.kind for each in late.remarks]
    day = center.procurement and center.procurement.decided_on
    assert with_values(late, {"procurement.decided_on": day}).remarks == center.remarks


def test_what_was_replaced_is_part_of_the_provenance(thesis: Scenario) -> None:
    changed = with_values(
        with_values(thesis, {"power.bound_w": 8e3, "rack.nodes": 8}), {"power.bound_w": 9e3}
    )
    assert changed.provenance.files == thesis.provenance.files
    assert dict(changed.provenance.changes) == {"rack.nodes": "8", "power.bound_w": "9000.0"}

"""Names that a person reads as one: an error with both places, never two vendors or workloads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios import ScenarioError
from scenarios.aggregation import read_measurements as read_folder
from scenarios.aggregation import write_measurements
from scenarios.alike import alike
from scenarios.formatting import folded, nearest
from scenarios.measurements.reader import read_measurements
from tests.scenarios.aggregation.folders import synthetic
from tests.scenarios.quote_files import comma_separated
from tests.scenarios.sample_changes import QUOTES, REQUEST, faults

ONE_NAME = "differ only in case or blanks; use the same name for both"


@pytest.mark.parametrize(
    "other",
    ["NORTH", "north", "Nor\u00a0th", "No rth", "\uff2eorth", "No\u200brth", "nOrTh\u2009"],
)
def test_a_vendor_in_two_spellings_is_an_error_with_both_rows(tmp_path: Path, other: str) -> None:
    result = faults(tmp_path, [(QUOTES, "North;north-gpu", f"{other};north-gpu")])
    (one,) = result
    if "\u200b" in other:  # the cell itself is refused
        assert one == "quotes.csv:3: A3: contains the control character U+200B; delete it"
        return
    assert one.startswith("quotes.csv:3: vendor: ")
    assert one.endswith(f" and 'North' (quotes.csv:2) {ONE_NAME}")


def test_vendors_of_two_spellings_are_named_once_each(tmp_path: Path) -> None:
    changes = [(QUOTES, "North;north-gpu", "NORTH;north-gpu"), (QUOTES, "East;", "NORTH;"),
               (QUOTES, "South;", "north;")]  # fmt: skip
    first, second = faults(tmp_path, changes)
    assert first == f"quotes.csv:3: vendor: 'NORTH' and 'North' (quotes.csv:2) {ONE_NAME}"
    assert second == f"quotes.csv:5: vendor: 'north' and 'North' (quotes.csv:2) {ONE_NAME}"


def test_a_typed_vendor_and_a_quoted_one_name_line_and_row(tmp_path: Path) -> None:
    typed = (
        '[[node_types]]\nname = "t"\nvendor = "EAST"\nkind = "GPU"\nprice = 9000\nidle_w = 100\n'
        "peak_w = 400\nnodes_per_rack = 4\ncompute_rate = 1\nbandwidth_gb_s = 1\n\n[[quotes]]"
    )
    kind, vendor = faults(tmp_path, [(REQUEST, "[[quotes]]", typed)])
    assert vendor.startswith("quotes.csv:4: vendor: 'East' and 'EAST' (line ")
    assert kind.startswith("quotes.csv:3: kind: 'gpu' and 'GPU' (line ")


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('"more molecular dynamics"\n', '"As  today"\n', "demands[2].name: 'As  today' and 'as t"),
        ('name = "high", price', 'name = "as Today", price', "budget.energy_prices[2].name: 'as T"),
        ('name = "climate"\n', 'name = "Molecular Dynamics"\n', "workloads[2].name: 'Molecular D"),
    ],
)
def test_demands_prices_and_workloads_too(tmp_path: Path, old: str, new: str, where: str) -> None:
    results = [fault for fault in faults(tmp_path, [(REQUEST, old, new)]) if ONE_NAME in fault]
    assert len(results) == 1
    assert f" {where}" in results[0]
    assert " (line " in results[0]


def test_node_types_that_differ_only_in_case_name_both_rows(tmp_path: Path) -> None:
    (result,) = faults(tmp_path, [(QUOTES, "East;east-96", "East;North-64")])
    assert result == f"quotes.csv:4: name: 'North-64' and 'north-64' (quotes.csv:2) {ONE_NAME}"


def test_applications_of_measurements_name_both_lines(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["application", "nodes", "cores_per_node", "package_cap_w", "time_s", "package_power_w"],
        ["BT-MZ", 1, 8, 115, 10, 100],
        ["BT-MZ", 2, 8, 115, 6, 190],
        ["bt-mz", 4, 8, 115, 4, 350],
    ]
    path = tmp_path / "runs.csv"
    path.write_bytes(comma_separated(rows))
    with pytest.raises(ScenarioError) as caught:
        read_measurements(path, file_name="runs.csv")
    message = f"runs.csv:4: application: 'bt-mz' and 'BT-MZ' (line 2) {ONE_NAME}"
    assert [str(fault) for fault in caught.value.faults] == [message]


def test_training_codes_of_a_folder_name_both_lines(tmp_path: Path) -> None:
    folder = tmp_path / "ring"
    write_measurements(synthetic(exchange_b=100.0), folder)
    path = folder / "training.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    last = len(lines) - 1
    code = lines[last].partition(",")[0]
    lines[last] = code.upper() + lines[last][len(code) :]
    first = next(i for i, line in enumerate(lines, 1) if line.startswith(f"{code},"))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        read_folder(folder)
    names = f"{code.upper()!r} and {code!r} (line {first})"
    assert f"{path}:{last + 1}: {names} {ONE_NAME}" in [str(e) for e in caught.value.faults]


def test_the_remedy_for_an_unknown_name_is_the_one_that_differs_in_case() -> None:
    assert nearest("NORTH", ["South", "North", "NORT"]) == "did you mean 'North'?"


@given(st.text(max_size=12), st.text(max_size=12))
def test_alike_is_an_equivalence_that_blanks_and_case_do_not_leave(one: str, other: str) -> None:
    assert folded(f" {one}\u00a0\t") == folded(one)
    assert folded(folded(one)) == folded(one)
    result = list(alike([(one, 1), (other, 2), (one, 3)]))
    assert len(result) == (one != other and folded(one) == folded(other))

"""A file of another kind in the place of a scenario: the error says what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios import ScenarioError, load
from scenarios.sample import write_sample
from tests.planner.cli.commands import ran

TEXTS = {
    "SWF": ("; MaxProcs: 64\n1 0 -1 60 1\n", "a job log in SWF; use it with `headroom simulate`"),
    "runs": ("application,nodes,package_cap_w,time_s\na,1,50,2.0\n", "headroom configure"),
    "pairs": ("a;b;solo_a_s;solo_b_s;co_a_s;co_b_s\n", "a table of pairs"),
    "log": ("\n# jobs\njob\tsubmit_s\trun_s\n1\t2\t3\n", "a job log; use it"),
    "matrix": ("0,1,2\n1,0,3\n2,3,0\n", "a matrix of numbers; use a matrix of messages"),
    "quotes": ("Vendor,Node price,Model\n", "a table with the columns Vendor, Node price, Model"),
    "JSON": ('{"name": "x"}', "a scenario is a TOML file"),
    "scheduler": ("iteration_s = 60\n[priority]\n", "`headroom simulate --maui`"),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_a_file_of_another_kind_is_told(kind: str, tmp_path: Path) -> None:
    text, said = TEXTS[kind]
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        load(path)
    assert said in str(caught.value)
    assert "not a scenario" in str(caught.value)


@pytest.mark.parametrize("text", ["name == 3\n", "name = 'a'\nname = 'b'\n", "just words\n"])
def test_faulty_toml_is_told_as_such(text: str, tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match="not valid TOML"):
        load(path)


@pytest.mark.parametrize("first", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"])
def test_a_workbook_is_told_with_the_place_of_quotes(first: bytes, tmp_path: Path) -> None:
    path = tmp_path / "quotes.xlsx"
    path.write_bytes(first + bytes(2 << 20))
    with pytest.raises(ScenarioError, match=r"is a workbook, not a scenario.*\[\[quotes\]\]"):
        load(path)


@pytest.mark.parametrize(
    ("written", "remedy"),
    [
        ("60,000,000", "; write 60_000_000"),
        ("60.000.000  # EUR", "; write 60_000_000"),
        ("60 000", "; write 60_000"),
        ("60,00", ""),
        ("60,000.000", ""),
    ],
)
def test_separated_thousands_are_told_with_the_number_to_write(
    written: str, remedy: str, tmp_path: Path
) -> None:
    path = tmp_path / "file.toml"
    path.write_text(f"format = 1\n[budget]\ncapital = {written}\nlifetime_years = 4\n")
    with pytest.raises(ScenarioError) as caught:
        load(path)
    (line,) = str(caught.value).splitlines()
    assert ":3: not valid TOML: " in line
    assert line.endswith(f"){remedy}")


@pytest.mark.parametrize("command", ["configure", "share"])
def test_a_scenario_in_the_place_of_runs_is_told(command: str, tmp_path: Path) -> None:
    write_sample(tmp_path)
    path = str(tmp_path / "procurement.toml")
    nodes = ("--nodes", "4") if command == "share" else ()
    done = ran(command, path, "--power-bound", "3500", *nodes)
    assert done.exit_code == 2
    assert "is a scenario, not a table; use it with `headroom plan`" in done.output


def test_an_option_that_is_a_key_of_the_scenario_is_told_with_its_table(tmp_path: Path) -> None:
    for option, remedy in (
        ("--budget", "set capital in [budget] of the scenario file"),
        ("--capital", "set capital in [budget] or capital in [[lots]] of the scenario file"),
        ("--power-bound", "set bound_w in [power] of the scenario file"),
        ("--lead-weeks", "set lead_weeks in [[node_types]] of the scenario file"),
        ("--network", "set leaf_"),
        ("--rack", "set "),
    ):
        for command in ("plan", "check"):
            done = ran(command, "rfp-center", option, "5e6")
            assert done.exit_code == 2
            assert f"No such option '{option}'; {remedy}" in done.output
    done = ran("plan", "rfp-center", "--slver", "cbc")
    assert "Did you mean" in done.output


def test_a_folder_is_told_with_its_scenarios(tmp_path: Path) -> None:
    with pytest.raises(
        ScenarioError, match="it contains no scenario; `headroom init` writes an example"
    ):
        load(tmp_path)
    write_sample(tmp_path)
    with pytest.raises(
        ScenarioError, match=r"give the path of a scenario in it: .*procurement.toml"
    ):
        load(tmp_path)

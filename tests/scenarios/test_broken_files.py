"""One deliberately broken file per fault that the readers know, with its exact messages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scenarios import ScenarioError
from scenarios.reading.reader import read_scenario

BROKEN = Path(__file__).parent.parent / "data" / "broken"


def expected(folder: Path) -> dict[str, list[str]]:
    """The messages by file name; expected.txt holds a block for each file."""
    blocks = (folder / "expected.txt").read_text(encoding="utf-8").split("# ")[1:]
    return {lines[0]: lines[1:] for lines in (block.strip().split("\n") for block in blocks)}


EXPECTED = expected(BROKEN)


def messages(name: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(BROKEN)
    with pytest.raises(ScenarioError) as caught:
        read_scenario(Path(f"{name}.toml"))
    return str(caught.value).split("\n")


def without_parser_words(message: str) -> str:
    """What tomllib says of a syntax error depends on the version of Python."""
    known, syntax, _ = message.partition("not valid TOML: ")
    return known + syntax


@pytest.mark.parametrize("name", EXPECTED)
def test_every_fault_of_a_file_is_named_with_place_and_remedy(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = [without_parser_words(message) for message in messages(name, monkeypatch)]
    assert results == [without_parser_words(item) for item in EXPECTED[name]]


def test_every_broken_file_is_tried() -> None:
    scenarios = {path.stem for path in BROKEN.glob("*.toml")}
    assert scenarios == {*EXPECTED, "whole"}
    text = "".join(path.read_text(encoding="utf-8") for path in BROKEN.glob("*.toml"))
    assert {path.name for path in BROKEN.glob("*.csv") if path.name not in text} == set()


def test_the_file_that_the_broken_ones_vary_is_whole() -> None:
    assert read_scenario(BROKEN / "whole.toml").name == "small"


def test_faults_keep_the_order_of_the_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [int(message.split(":")[1]) for message in messages("several", monkeypatch)]
    assert len(lines) == 5
    assert lines == sorted(lines)


def table_scenario(folder: Path, file: str) -> Path:
    text = (BROKEN / "csv-missing.toml").read_text(encoding="utf-8")
    path = folder / "scenario.toml"
    path.write_text(text.replace("times-missing.csv", file), encoding="utf-8")
    return path


GOOD_TIMES = "nodes,time_s\n2,90\n20,30\n"


@pytest.mark.parametrize("link_folder", [False, True])
def test_a_link_out_of_the_folder_is_refused(tmp_path: Path, *, link_folder: bool) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "times.csv").write_text(GOOD_TIMES)
    if link_folder:
        (inside / "link").symlink_to(outside)
    else:
        (inside / "times.csv").symlink_to(outside / "times.csv")
    scenario = table_scenario(inside, "link/times.csv" if link_folder else "times.csv")
    with pytest.raises(ScenarioError, match="is outside the scenario's folder"):
        read_scenario(scenario)


def test_a_link_in_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "circle.csv").symlink_to("circle.csv")
    with pytest.raises(ScenarioError, match=r"circle\.csv"):
        read_scenario(table_scenario(tmp_path, "circle.csv"))


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "times.csv").write_text(GOOD_TIMES)
    (tmp_path / "link.csv").symlink_to("times.csv")
    scenario = read_scenario(table_scenario(tmp_path, "link.csv"))
    assert scenario.workloads[0].run_time.measured_nodes == (2, 20)


@pytest.mark.parametrize(
    "text",
    [
        GOOD_TIMES,
        "\ufeff" + GOOD_TIMES,
        GOOD_TIMES.replace("\n", "\r\n"),
        GOOD_TIMES.replace("\n", "\r"),
        "# two points\n\nnote, time_s ,nodes\n'a',90,2\n\"x, y\",30,20",
    ],
)
def test_measurements_are_read_in_every_usual_form(tmp_path: Path, text: str) -> None:
    (tmp_path / "times.csv").write_bytes(text.encode())
    time = read_scenario(table_scenario(tmp_path, "times.csv")).workloads[0].run_time
    assert time.kind == "table"
    assert (time.nodes, time.time_s) == ((2, 20), (90.0, 30.0))


@pytest.mark.parametrize("number", ["1_0", "0x10", "1,5", "\u0661", "inf", "", "1e", ".", "--1"])
def test_what_only_python_calls_a_number_is_refused(tmp_path: Path, number: str) -> None:
    (tmp_path / "times.csv").write_text(f'nodes,time_s\n2,"{number}"\n20,30\n', encoding="utf-8")
    with pytest.raises(
        ScenarioError,
        match=r"times\.csv:2: time_s: (.* is not a number|is blank|'1e': 'e' is not a unit)",
    ):
        read_scenario(table_scenario(tmp_path, "times.csv"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    path = table_scenario(tmp_path, "times.csv")
    path.chmod(0)
    with pytest.raises(ScenarioError, match="cannot be read"):
        read_scenario(path)

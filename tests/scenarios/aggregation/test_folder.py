"""Folders of measurements: what is written is read again; every fault has its place and remedy."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.aggregation import NodeMeasurements, read_measurements, write_measurements
from scenarios.aggregation.measurements import FILES
from scenarios.faults import Fault, ScenarioError
from scenarios.remark import remark
from tests.scenarios.aggregation.folders import synthetic
from tests.sizes import few


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "ring"
    write_measurements(synthetic(exchange_b=100.0), folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "ring"))


def same(a: NodeMeasurements, b: NodeMeasurements) -> None:
    """Every number to the last bit."""
    for name in ("source", "node", "clock_ghz", "memory_gb", "events"):
        assert getattr(a, name) == getattr(b, name)
    for name in ("training", "messages", "exchanges"):
        assert [replace(r, line=0) for r in getattr(a, name)] == list(getattr(b, name))
    ours, theirs = a.program, b.program
    assert ours.samples == theirs.samples
    for name in ("name", "instructions", "iterations", "memory_gb"):
        assert getattr(ours, name) == getattr(theirs, name)
    for name in ("tasks", "block_b", "source", "target", "size_b", "count"):
        assert np.array_equal(getattr(ours.traffic, name), getattr(theirs.traffic, name))


def test_what_is_written_is_read_again(whole: Path) -> None:
    result = read_measurements(whole)
    same(result, synthetic(exchange_b=100.0))
    assert set(result.sha256) == set(FILES)
    assert (result.folder, result.simulated, result.remarks) == (str(whole), False, ())


def test_what_was_not_metered_or_counted_stays_empty(tmp_path: Path) -> None:
    made = synthetic()
    first, *others = made.training  # pattern 1, where no events are needed
    made = replace(made, training=(replace(first, power_w=None, events=()), *others))
    write_measurements(made, tmp_path / "x")
    same(read_measurements(tmp_path / "x"), made)


def test_hostile_names_come_back(tmp_path: Path) -> None:
    made = synthetic()
    name = '=1+1, "quoted" $x_2$ \\ ü'
    runs = tuple(replace(run, code=f"{name} {run.code}") for run in made.training)
    made = replace(made, training=runs, program=replace(made.program, name=name))
    write_measurements(made, tmp_path / "x")
    same(read_measurements(tmp_path / "x"), made)


def test_measurements_are_never_written_over(whole: Path) -> None:
    before = (whole / "traffic.csv").read_bytes()
    with pytest.raises(
        ScenarioError, match=r"traffic\.csv: is there already and would be lost; give"
    ):
        write_measurements(synthetic(tasks=16), whole)
    assert (whole / "traffic.csv").read_bytes() == before


def test_simulated_files_say_so(folder: Path) -> None:
    path = folder / "traffic.csv"
    path.write_text(path.read_text().replace("# source: worked", "# source: zero\n# source: x"))
    assert read_measurements(folder).source == "worked out by a formula; zero"
    path.write_text(path.read_text().replace("# source: zero", "# source: Simulated zero"))
    other = folder / "node.csv"
    other.write_text(other.read_text().replace("# source: worked", "# source: Measured, worked"))
    result = read_measurements(folder)
    assert result.simulated
    text = "Simulated zero; Measured, worked out by a formula; worked out by a formula"
    assert result.source == text


def test_messages_of_a_task_to_itself_are_left_out_and_counted(folder: Path) -> None:
    lines = (folder / "traffic.csv").read_text().count("\n")
    with (folder / "traffic.csv").open("a") as stream:
        stream.write("3,3,100,1\n4,4,100,1\n")
    result = read_measurements(folder)
    assert len(result.program.traffic.source) == 8
    left_out = remark("tasks-to-itself", rows=(2, "row"), line=(lines + 1, "id"))
    assert result.remarks == (left_out,)


def changed(file: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def added(file: str, line: str) -> Callable[[Path], None]:
    def add(folder: Path) -> None:
        with (folder / file).open("a", encoding="utf-8") as stream:
            stream.write(line + "\n")

    return add


def gone(file: str) -> Callable[[Path], None]:
    return lambda folder: (folder / file).unlink()


BROKEN: list[tuple[Callable[[Path], None], str]] = [
    (
        gone("node.csv"),
        "node.csv: does not exist; give the path of a folder with node.csv, program",
    ),
    (
        changed("node.csv", "2,2,2,", "2,0,2,"),
        "node.csv:3: dies: '0' is not from 1 to 16; correct it",
    ),
    (added("node.csv", "2,2,2,2.0,8.0"), "node.csv:4: is a second row; give one"),
    (
        changed("node.csv", ",8.0", ",-8"),
        "node.csv:3: memory_gb: '-8' is not above 0 and at most 1e+06 GB",
    ),
    (
        changed("program.csv", "ring,8", ",8"),
        "program.csv:3: name: is empty; write a text",
    ),
    (
        changed("program.csv", "1000000000.0", "many"),
        "program.csv:3: instructions: 'many' is not a number; write it in digits",
    ),
    (
        changed("program.csv", "tasks,", "ranks,"),
        "program.csv:2: there is no column 'tasks' (columns: 'name', 'ranks', 'instructions', ",
    ),
    (
        changed("program.csv", "iterations,", "iterations,note,"),
        "program.csv:2: column 'note' is unknown; ",
    ),
    (
        changed("samples.csv", "stalls", "stall"),
        "samples.csv: the event 'stalls' is missing, although the other file has it; count it",
    ),
    (
        changed("samples.csv", "misses,stalls", "misses,misses"),
        "samples.csv:2: misses: 'misses' is the heading of two columns; rename one",
    ),
    (
        changed("samples.csv", "\n4,", "\n5,"),
        "samples.csv:4: pattern 5 is measured twice; give one",
    ),
    (
        changed("samples.csv", "\n4,", "\nfour,"),
        "samples.csv:3: pattern: 'four' is not a number",
    ),
    (
        added("training.csv", "code-0,set 0,3,1.1,200,0.1,0.1"),
        "training.csv:99: code-0 set 0, pattern 3, is measured twice; give one mean",
    ),
    (
        added("training.csv", "x,y,1,0,,0,0"),
        "training.csv:99: ipc: '0' is not above 0",
    ),
    (added("training.csv", "x,y,1,nan,,0,0"), "training.csv:99: ipc: 'nan' is not a number"),
    (added("training.csv", "x,y,1,1,,0.1,"), "training.csv:99: stalls: is blank; fill it in"),
    (
        added("training.csv", "x,y,1"),
        "training.csv:99: 3 cells, but 7 headings; give one cell for each heading",
    ),
    (
        added("training.csv", 'x,"y,1'),
        "training.csv:99: is not CSV (unexpected end of",
    ),
    (
        added("traffic.csv", "0,8,1,1"),
        "traffic.csv:11: target: '8' is not from 0 to 7, the program's tasks",
    ),
    (
        added("traffic.csv", "0,1,-1,1"),
        "traffic.csv:11: bytes: '-1' is not from 0 to 1e+15 B",
    ),
    (added("traffic.csv", "0,1,1,0"), "traffic.csv:11: count: '0' is not above 0"),
    (
        added("message-times.csv", "1,,socket,8,1"),
        "message-times.csv:207: sharing: 'socket' is unknown; there are",
    ),
    (
        added("message-times.csv", "lone,,die,8,1"),
        "message-times.csv:207: pattern: 'lone' is not a number",
    ),
    (
        added("message-times.csv", "1,,die,0,1"),
        "message-times.csv:207: bytes: '0' is not above 0",
    ),
    (
        added("exchange-times.csv", "1,8,1e999"),
        "exchange-times.csv:27: time_s: '1e999' is not above 0",
    ),
    (
        changed("exchange-times.csv", "time_s", "time_w"),
        "exchange-times.csv:2: time_w: column 'time_w' is unknown; if it is 'time_s', rename it",
    ),
]


@pytest.mark.parametrize(("change", "expected"), BROKEN, ids=[e[:50] for _, e in BROKEN])
def test_a_fault_has_its_place_value_and_remedy(
    folder: Path, change: Callable[[Path], None], expected: str
) -> None:
    change(folder)
    with pytest.raises(ScenarioError) as caught:
        read_measurements(folder)
    lines = [line.removeprefix(f"{folder}/") for line in str(caught.value).splitlines()]
    assert any(line.startswith(expected) for line in lines), lines


def test_all_faults_of_all_files_come_at_once(folder: Path) -> None:
    for change, _ in (BROKEN[1], BROKEN[5], BROKEN[11], BROKEN[19], BROKEN[21]):
        change(folder)
    with pytest.raises(ScenarioError) as caught:
        read_measurements(folder)
    assert len(caught.value.faults) == 5
    gone("samples.csv")(folder)
    with pytest.raises(ScenarioError) as caught:
        read_measurements(folder)
    assert {Path(f.file).name for f in caught.value.faults} == {
        "node.csv", "program.csv", "samples.csv", "traffic.csv", "message-times.csv",
    }  # fmt: skip


def test_every_cell_of_a_row_is_told_and_nothing_is_made_of_it(folder: Path) -> None:
    changed("node.csv", "2,2,2,2.0,8.0", "2,0,2,-1,8.0")(folder)
    for _ in range(2):  # no pattern, so not one that is there twice
        added("training.csv", "code-0,set 0,none,1.1,200,0.1,0.1")(folder)
    with pytest.raises(ScenarioError) as caught:
        read_measurements(folder)
    faults = [f"{fault.where}: {fault.message.split()[0]}" for fault in caught.value.faults]
    assert faults == [
        "clock_ghz: '-1'", "dies: '0'", "pattern: 'none'", "pattern: 'none'",
    ]  # fmt: skip


def test_what_else_is_wrong_is_asked_for_with_the_files_that_are_whole(folder: Path) -> None:
    seen = []

    def further(found: NodeMeasurements, whole: frozenset[str]) -> list[Fault]:
        seen.append((found.node, whole))
        return [Fault(str(folder / "samples.csv"), 3, "", "is odd; make it even")]

    changed("program.csv", "ring,8", "ring,none")(folder)
    with pytest.raises(ScenarioError) as caught:
        read_measurements(folder, further)
    assert seen == [((2, 2, 2), frozenset(FILES) - {"program.csv"})]
    assert [f.line for f in caught.value.faults] == [3, 3]


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="does not exist; give a folder of measurements"):
        read_measurements(tmp_path / "nothing")
    (tmp_path / "file").write_text("")
    with pytest.raises(ScenarioError, match="is not a folder; give a folder of measurements"):
        read_measurements(tmp_path / "file")


@pytest.mark.parametrize("file", FILES)
def test_an_empty_file_is_refused(folder: Path, file: str) -> None:
    (folder / file).write_text("# source: nobody\n")
    with pytest.raises(ScenarioError, match=rf"{file}: contains no rows; write the headings "):
        read_measurements(folder)
    first = (folder / file).read_text() + "pattern\n"
    (folder / file).write_text(first)
    with pytest.raises(ScenarioError, match=r"there is no column '\w+' \(columns: 'pattern'\)"):
        read_measurements(folder)


@pytest.fixture(scope="module")
def fuzzed(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(whole, tmp_path_factory.mktemp("fuzzed") / "ring"))


def survives(folder: Path) -> None:
    """Measurements, or faults with a message and a place; never another exception."""
    faults: tuple[Fault, ...] = ()
    try:
        assert isinstance(read_measurements(folder), NodeMeasurements)
    except ScenarioError as error:
        faults = error.faults
    for fault in faults:
        assert fault.message
        assert str(fault).isprintable()
        assert 0 <= fault.line <= 400


@settings(deadline=None, max_examples=few(40))
@given(data=st.binary(max_size=200), file=st.sampled_from(FILES))
def test_random_bytes(fuzzed: Path, whole: Path, data: bytes, file: str) -> None:
    (fuzzed / file).write_bytes(data)
    survives(fuzzed)
    shutil.copy(whole / file, fuzzed / file)


CELLS = [
    *["", "-1", "0", "1e999", "nan", "inf", chr(0xFF11), "alone"],
    *("9" * 40, '"', "x,y", "\x00", "\x1b[31m"),
]


@settings(deadline=None, max_examples=few(80))
@given(seed=st.integers(0, 10**9), file=st.sampled_from(FILES))
def test_random_cells(fuzzed: Path, whole: Path, seed: int, file: str) -> None:
    rng = random.Random(seed)
    lines = (whole / file).read_text().splitlines()[:20]
    position = rng.randrange(len(lines))
    cells = lines[position].split(",")
    cells[rng.randrange(len(cells))] = rng.choice(CELLS)
    lines[position] = ",".join(cells)
    (fuzzed / file).write_text("\n".join(lines))
    survives(fuzzed)
    shutil.copy(whole / file, fuzzed / file)

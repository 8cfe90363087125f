"""Schedules survive writing and reading; broken files are refused with line, value and remedy."""

from __future__ import annotations

import gzip
import sys
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.errors import InputError
from planner.scheduling.simulation.schedule import NEVER, JobSchedule
from planner.scheduling.simulation.schedule_file import COLUMNS, write_schedule
from planner.scheduling.simulation.schedule_reader import NOT_ACCEPTED, read_schedule
from scenarios.faults import ScenarioError
from tests.planner.scheduling.simulation.literal import drawn_log, easy, made_log, schedule_of
from tests.planner.scheduling.simulation.published import published
from tests.shared_data import needs_data
from tests.sizes import few


def same(one: JobSchedule, other: JobSchedule) -> bool:
    arrays = [
        field.name for field in fields(one) if isinstance(getattr(one, field.name), np.ndarray)
    ]
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)


@pytest.mark.parametrize("name", ["s.csv", "s.csv.gz", "S.CSV.GZ"])
def test_a_schedule_survives_writing_and_reading(tmp_path: Path, name: str) -> None:
    schedule = easy(drawn_log(np.random.default_rng(1), 50, 8), 8, "batch")
    write_schedule(schedule, tmp_path / name)
    assert same(read_schedule(tmp_path / name, 8), schedule)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_same_schedule_gives_the_same_bytes(tmp_path: Path) -> None:
    schedule = easy(drawn_log(np.random.default_rng(1), 50, 8), 8, "batch")
    for name in ("a.csv.gz", "b.csv.gz"):
        write_schedule(schedule, tmp_path / name)
    one = (tmp_path / "a.csv.gz").read_bytes()
    assert one == (tmp_path / "b.csv.gz").read_bytes()
    assert one[4:8] == bytes(4), "gzip's header holds no time of writing"


def test_the_file_worked_by_hand(tmp_path: Path) -> None:
    log = made_log([(0, 100, 4, 100), (10, 4, 4, 60), (20, 9, 9, 9)], [3, 4, 4])
    schedule = replace(
        schedule_of(log, 4, np.array([0, 100, NEVER])),
        killed=np.array([False, True, False]),
        rejected={3: "needs 9, has 4"},
    )
    write_schedule(schedule, tmp_path / "jobs.csv")
    assert (tmp_path / "jobs.csv").read_text().splitlines() == [
        "job,submit,start,run,processors,requested,end,wait,turnaround,bounded_slowdown,user,killed,rejected",
        "1,0,0,100,4,100,100,0,100,1.0,3,0,",
        "2,10,100,4,4,60,104,90,94,9.4,4,1,",
        '3,20,-1,9,9,9,,,,,4,0,"needs 9, has 4"',
    ]
    again = read_schedule(tmp_path / "jobs.csv", 4)
    assert same(again, schedule)
    assert again.rejected == {3: NOT_ACCEPTED}


def test_parquet_holds_the_same_table(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    schedule = easy(drawn_log(np.random.default_rng(1), 50, 8), 8, "batch")
    write_schedule(schedule, tmp_path / "s.parquet")
    table = parquet.read_table(tmp_path / "s.parquet")
    assert tuple(table.column_names[: len(COLUMNS)]) == COLUMNS
    assert table["start"].to_pylist() == schedule.start_s.tolist()


def test_names_that_say_no_format_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = schedule_of(made_log([]), 4, np.zeros(0, np.int64))
    with pytest.raises(InputError, match=r"s.txt: choose a name that ends in .csv"):
        write_schedule(schedule, tmp_path / "s.txt")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match="Parquet needs pyarrow: pip install"):
        write_schedule(schedule, tmp_path / "s.parquet")
    assert list(tmp_path.iterdir()) == []


def read(tmp_path: Path, content: str | bytes) -> JobSchedule:
    path = tmp_path / "given.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_schedule(path, 16)


HEAD = "job,submit,start,run,procs,req\n"


def test_columns_come_in_any_order_and_rows_are_put_into_that_of_submission(
    tmp_path: Path,
) -> None:
    rows = ["9,5,a,7,5,3,4", "", "8,2,b,6,4,2,2", "8,2,,5,4,2,2", ""]
    schedule = read(tmp_path, "\r\n".join(["\ufeffreq , Start,remark,JOB,run,procs,submit", *rows]))
    assert schedule.number.tolist() == [5, 6, 7]
    assert schedule.submit_s.tolist() == [2, 2, 4]
    assert schedule.requested_s.tolist() == [8, 8, 9]
    assert schedule.user.tolist() == [-1] * 3
    assert schedule.machine_processors == 16


def test_whole_numbers_may_be_written_as_decimals_and_quoted(tmp_path: Path) -> None:
    schedule = read(tmp_path, HEAD + '1,0.0,"3",2e1,1,30\n2,1,,5,1,5\n')
    assert schedule.run_s.tolist() == [20, 5]
    assert schedule.start_s.tolist() == [3, NEVER]
    assert schedule.rejected == {2: NOT_ACCEPTED}


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_a_file_of_headings_only_holds_no_jobs(tmp_path: Path, end: str) -> None:
    with pytest.raises(
        ScenarioError, match=r"^given\.csv: contains no jobs below the headings; add them"
    ):
        read(tmp_path, HEAD + end)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (HEAD + "1,0,0,5,1,5\n2,0,x,5,1,5\n", "given.csv:3: start: 'x' is not a number; write it"),
        (HEAD + "\n1,0,0,5,,5\n", "given.csv:3: procs: is blank; fill it in"),
        (HEAD + "1,0,0,5.5,1,5\n", "2: run: '5.5' is not a whole number"),
        (HEAD + "1.5,0,0,5,1,5\n", "2: job: '1.5' is not a whole number"),
        (HEAD + "1,0,0,nan,1,5\n", "2: run: 'nan' is not a number"),
        (HEAD + "1,0,0,1_000,1,5000\n", "2: run: '1_000' is not a number"),
        (HEAD + "1,0,0,5,\u0664,5\n", "2: procs: '\u0664' is not a number"),
        (HEAD + "1,0,0,infinity,1,5\n", "2: run: 'infinity' is not a number"),
        (
            HEAD + "1,0,0,1,4,1,4\n",
            "2: '4' is to the right of the last heading; give one cell",
        ),
        (HEAD + "1,0,0,5,1,5\n2,0,0,5,1,5,\n", "3: 7 cells, but 6 headings; give one cell"),
        (
            HEAD.replace("submit,start", "start,submit") + '"1",0,0,1,4,1,4\n',
            "2: '4' is to the right",
        ),
        (
            HEAD + f"1,{10**12},0,5,1,5\n",
            "2: submit: '1000000000000' is not from -274,877,906,944 to",
        ),
        (HEAD + f"1,{10**30},0,5,1,5\n", "is not from -274,877,906,944 to 274,877,906,944 s"),
        (HEAD + "1,1e30,0,5,1,5\n", "2: submit: '1e30' is not from"),
        (HEAD + "1,0,99999999999999999999,5,1,5\n", "2: start: '99999999999999999999' is not from"),
        (HEAD + "1,0,0,5,1,-9223372036854775808\n", "2: req: '-9223372036854775808' is not from"),
        (HEAD + "1,0,0\n", "2: 3 cells, but 6 headings; give one cell for each heading"),
        (
            "job,submit,start,run,procs\n",
            "1: there is no column 'requested' (columns: 'job', 'submit'",
        ),
        (
            "job,job,submit,start,run,procs,req\n",
            "1: job: 'job' and 'job' could both be job; rename one",
        ),
        ("procs," + HEAD + "", "'procs' and 'procs' could both be processors"),
        ("", "contains no jobs; write the headings job,submit,start,run,"),
        (b"\xff\xfea", "1: byte 0x61 is not UTF-16; save the file as UTF-8"),
        (b"\xff\xfb", "1: byte 0xff is not UTF-8; save the file as UTF-8"),
        (b"\x1f\x8bxxxxxxxxxx", "is damaged"),
        (gzip.compress(HEAD.encode(), mtime=0)[:-9], "ends in the middle of its compressed data"),
    ],
)
def test_broken_files_are_refused_with_line_value_and_remedy(
    tmp_path: Path, content: str | bytes, words: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        read(tmp_path, content)
    assert words in str(caught.value)


def test_all_faults_are_listed_up_to_a_hundred(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        read(tmp_path, HEAD + "1,0,0,a,b,5\n" * 3)
    assert len(caught.value.faults) == 6
    with pytest.raises(ScenarioError) as caught:
        read(tmp_path, HEAD + "1,0,0,a,b,5\n" * 300)
    assert len(caught.value.faults) == 101
    assert "further faults; correct these first" in str(caught.value)


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="does not exist; give the path of a schedule"):
        read_schedule(tmp_path / "none.csv", 4)


@settings(max_examples=few(150), deadline=None)
@given(st.lists(st.sampled_from([",", "\n", "1", "-", "x", '"', "\r", " ", "0", "."]), max_size=60))
def test_any_text_is_a_schedule_or_a_scenario_error(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    try:
        schedule = read(folder, HEAD + "".join(parts))
    except ScenarioError as error:
        assert error.faults  # noqa: PT017
    else:
        assert isinstance(schedule, JobSchedule)


@needs_data
def test_a_large_published_schedule_is_read_whole(tmp_path: Path) -> None:
    schedule = published("SDSC-BLUE_EASY_pyss-predictsim-2015")
    assert len(schedule) == 232_542
    write_schedule(schedule, tmp_path / "again.csv.gz")
    assert same(read_schedule(tmp_path / "again.csv.gz", 1152), schedule)

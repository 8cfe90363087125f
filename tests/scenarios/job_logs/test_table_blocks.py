"""Tables read in blocks, column by column, give what they give line by line."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import fields
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from scenarios.faults import ScenarioError
from scenarios.job_logs import blocks, lines, table_blocks
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log
from tests.sizes import few

_SACCT = (
    "JobID", "Submit", "Start", "End", "Elapsed", "Timelimit", "AllocCPUS", "AllocNodes",
    "NodeList", "ReqMem", "AllocTRES", "State", "User", "Account", "QOS", "Partition",
)  # fmt: skip
_STATES = ("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED by 1000", "PENDING", "RUNNING", "NEW_ONE")
_ODD = {
    "JobID": ("12.batch", "12.0", "7_[1-3]", "x", "", "3+1", "12345678901234567890", "12_3_4"),
    "Submit": (
        "Unknown", "2026-02-30T00:00:00", "2026-03-09 10:00", "1769000000", "2026-03-09T10:00:00Z",
        "2026-03-09T10:00:00.25", "1970-01-01T00:00:00", "2026-10-25T02:30:00",
        "2026-03-29T02:30:00",
    ),
    "Start": ("Unknown", "None", "2026-10-25T02:10:00", "0000-00-00T00:00:00"),
    "End": ("Unknown", "2026-13-01T00:00:00", "2026-01-01T24:00:00"),
    "Elapsed": ("00:61:00", "5", "03:04.5", "1-02", "1 day, 02:03:04", "x", "00:00:00.0000001"),
    "Timelimit": ("UNLIMITED", "Partition_Limit", "30", "90.5", "", "00:60:00", "365-00:00:00"),
    "AllocCPUS": ("0", "1K", "2.5", "-3", "", "x", "4.0"),
    "State": ("completed", "", "REQUEUED", "weird|shift"),
    "User": ("", "Unknown", "root", "ann b", "Łukasz", "-1"),
}  # fmt: skip


def _sacct_lines(source: random.Random, jobs: int) -> list[list[str]]:
    """Rows of sacct, most of them plain."""
    now = dt.datetime(2026, source.choice([1, 3, 10]), 24)
    rows = []
    for number in range(jobs):
        now += dt.timedelta(seconds=source.randrange(9000))
        start = now + dt.timedelta(seconds=source.choice([0, 30, 5000]))
        run = source.randrange(1, 200_000)
        cpus = source.choice([1, 4, 64])
        row = [
            str(100 + number), f"{now:%Y-%m-%dT%H:%M:%S}", f"{start:%Y-%m-%dT%H:%M:%S}",
            f"{start + dt.timedelta(seconds=run):%Y-%m-%dT%H:%M:%S}",
            f"{run // 86400}-" * (run >= 86400) + f"{dt.timedelta(seconds=run % 86400)!s:0>8}",
            source.choice(["01:00:00", "2-00:00:00", "120"]), str(cpus), source.choice(["1", "2"]),
            source.choice(["n1", "n[1-2]", ""]), "4G", f"cpu={cpus},mem=4G", source.choice(_STATES),
            f"u{source.randrange(9)}", "a", "normal", source.choice(["fast", "slow"]),
        ]  # fmt: skip
        for index, heading in enumerate(_SACCT):
            if heading in _ODD and source.random() < 0.02:
                row[index] = source.choice(_ODD[heading])
        rows.append(row)
        if source.random() < 0.3:
            rows.append([f"{row[0]}.batch", *row[1:5], "", *row[6:]])
        if source.random() < 0.01:
            rows.append(source.choice([[*_SACCT], [""], row[:7], ["#", "x"], [*row, "more"]]))
    return rows


def both(path: Path, monkeypatch: pytest.MonkeyPatch, **how: Any) -> tuple[Any, Any]:
    """What is read in blocks, and line by line; errors as their texts."""
    answers: list[JobLog | str] = []
    for large in (0, 1 << 60):
        monkeypatch.setattr(table_blocks, "LARGE", large)
        try:
            answers.append(read_job_log(path, **how))
        except ScenarioError as error:
            answers.append(str(error))
    return answers[0], answers[1]


def assert_equal(fast: JobLog | str, literal: JobLog | str) -> None:
    if isinstance(fast, str) or isinstance(literal, str):
        assert fast == literal
        return
    for each in fields(JobLog):
        ours, theirs = getattr(fast, each.name), getattr(literal, each.name)
        if isinstance(theirs, np.ndarray):
            np.testing.assert_array_equal(ours, theirs, each.name)
            assert ours.dtype == theirs.dtype
        else:
            assert ours == theirs, each.name


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Small blocks; whether each was taken whole."""
    monkeypatch.setattr(blocks.LogBlocks._read, "__defaults__", (700,))
    monkeypatch.setattr(blocks, "_BLOCK", 4000)
    answers, read = [], table_blocks.BlockReader.__call__

    def noted(reader: table_blocks.BlockReader, block: bytes, before: int) -> bool:
        answers.append(read(reader, block, before))
        return answers[-1]

    monkeypatch.setattr(table_blocks.BlockReader, "__call__", noted)
    return answers


@pytest.mark.parametrize("seed", range(few(80)))
@pytest.mark.parametrize("form", ["sacct", "csv"])
def test_the_same_jobs_errors_and_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: list[bool], seed: int, form: str
) -> None:
    source = random.Random(seed)
    delimiter = "|" if form == "sacct" else source.choice([",", ";", "\t"])
    rows = [[*_SACCT], *_sacct_lines(source, 120)]
    if form == "csv":
        rows = [[cell.replace(delimiter, " ") for cell in row] for row in rows]
        if source.random() < 0.5:
            rows[source.randrange(len(rows))][-1] = '"quo""ted"'
    path = tmp_path / "log.txt"
    end = source.choice(["\n", "\r\n"])
    path.write_text(end.join(map(delimiter.join, rows)) + end, newline="", encoding="utf-8")
    clean = Cleaning(unreadable=source.choice(["leave out", "leave out", "fault"]))
    zone = source.choice(["UTC", "Europe/Berlin", "Australia/Lord_Howe"])
    fast, literal = both(path, monkeypatch, form=form, clean=clean, zone=zone)
    assert_equal(fast, literal)
    assert any(taken) or isinstance(fast, str) or form == "csv"


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu"])
def test_every_half_hour_of_a_year_in_a_zone(zone: str) -> None:
    table_zone = ZoneInfo(zone)
    reader = table_blocks.BlockReader.__new__(table_blocks.BlockReader)
    reader.table = type("Table", (), {"zone": table_zone})()
    reader.hours = {}
    hours = np.arange(24 * 366) + 24 * 20454
    begins, known = reader._zoned(hours)
    assert known.mean() > 0.99
    for hour, begin in zip(hours[known].tolist(), begins[known].tolist(), strict=True):
        for minute in (0, 30):
            local = dt.datetime(1970, 1, 1) + dt.timedelta(hours=hour, minutes=minute)
            exact = local.replace(tzinfo=table_zone).timestamp()
            assert begin + 60 * minute == exact


def test_a_quotation_mark_ends_reading_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: list[bool]
) -> None:
    rows = [f"{n},{n},{n + 5},9,4,ann" for n in range(1, 900)]
    rows[400] = '401,401,406,9,4,"a\nb,c"'
    path = tmp_path / "log.csv"
    path.write_text("\n".join(["job,submit,start,run,processors,user", *rows]))
    fast, literal = both(path, monkeypatch)
    assert_equal(fast, literal)
    assert "a b,c" in str(fast.names)
    assert taken == [True], "of four blocks, the first has the headings, the third the mark"


_LEAVE_OUT = Cleaning(unreadable="leave out")
_HEADINGS = "job,submit,run,processors,user,nodelist"


@pytest.mark.usefixtures("taken")
@pytest.mark.parametrize("words", ["# a remark", "words", ""])
def test_blocks_without_a_whole_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    rows = [f"{n},{n},9,4,ann,n1" for n in range(1, 300)]
    path = tmp_path / "log.csv"
    path.write_text("\n".join([_HEADINGS, *rows[:150], *[words] * 5000, *rows[150:]]))
    assert_equal(*both(path, monkeypatch, clean=_LEAVE_OUT))


@pytest.mark.parametrize("length", [99_000, 131_000, 140_000])
def test_a_cell_that_is_too_long_for_csv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    rows = [f"{n},{n},9,4,ann,n1" for n in range(1, 9000)]
    rows[8000] += length * "1"
    path = tmp_path / "log.csv"
    path.write_text("\n".join([_HEADINGS, *rows]))
    fast, literal = both(path, monkeypatch, clean=_LEAVE_OUT)
    assert_equal(fast, literal)
    assert ("field larger than" in str(literal)) == (length > 2**17)


@pytest.mark.usefixtures("taken")
def test_more_hosts_than_there_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [f"{n},{n},9,4,ann,n[1-5]" for n in range(1, 900)]
    rows[800] = f"801,801,9,4,ann,n{'[0-99999]' * 4}"
    path = tmp_path / "log.csv"
    path.write_text("\n".join([_HEADINGS, *rows]))
    fast, literal = both(path, monkeypatch)
    assert_equal(fast, literal)
    assert fast.counts["fewer cores than nodes"] == len(rows) - 1


@pytest.mark.usefixtures("taken")
def test_an_error_ends_the_reading_of_further_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [f"{n},{n},9,4,COMPLETED,01:00:00,02:00:00" for n in range(1, 900)]
    rows[800] = "801,801,9,4,COMPLETED,x,30"
    path = tmp_path / "log.csv"
    path.write_text(
        "\n".join(["JobID,Submit,Elapsed,AllocCPUS,State,TimelimitRaw,Timelimit", *rows])
    )
    fast, literal = both(path, monkeypatch, clean=_LEAVE_OUT)
    assert_equal(fast, literal)
    assert [each.kind for each in fast.remarks] == ["log-unreadable"]


def test_parquet_is_read_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: list[bool]
) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(lines, "_BLOCK", 3000)
    number = np.arange(900)
    names = [f"u{n % 7}" if n % 100 else "a\n\x1f\x00b" for n in number.tolist()]
    submitted = np.datetime64("2026-03-09T12:00:00") + number * np.timedelta64(61, "s")
    table = {
        "job": number + 1,
        "submit": submitted,
        "run_s": number % 50 + 1,
        "processors": number % 9 + 1,
    }
    path = tmp_path / "log.parquet"
    parquet.write_table(arrow.table({**table, "user": names}), path)
    fast, literal = both(path, monkeypatch)
    assert_equal(fast, literal)
    assert len(fast) == len(number)
    assert any(taken)

"""What draws of tables seldom have: each case by hand, in blocks and line by line."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from scenarios.job_logs import gathered, table_blocks
from scenarios.job_logs.cell_columns import Cells, local_times
from tests.scenarios.job_logs.test_table_blocks import assert_equal, both, taken

__all__ = ["taken"]
HEADINGS = "job,submit,start,run,processors,user"
ROWS = [f"{n},{n},{n + 5},9,4,ann" for n in range(1, 900)]


def column(texts: list[str]) -> Cells:
    data = "\n".join([*texts, ""]).encode()
    ends = np.cumsum([len(text) + 1 for text in texts]) - 1
    begins = ends - [len(text) for text in texts]
    return Cells(data, np.arange(len(texts), dtype=np.int32), begins, ends)


def test_dates_are_those_of_the_calendar() -> None:
    days = [
        f"{y}-{m:02}-{d:02}"
        for y in (1970, 1971, 1999, 2000, 2023, 2024, 2100, 2199, 2200)
        for m in range(14)
        for d in range(34)
    ]
    clocks = ["00:00:00", "23:59:59", "24:00:00", "12:60:00", "12:00:60"]
    texts = [f"{day}T{clocks[at % len(clocks)]}" for at, day in enumerate(days)]
    codes, hours, rest = local_times(column(texts))
    found = dict(zip(codes.tolist(), (hours * 3600 + rest).tolist(), strict=True))
    for at, text in enumerate(texts):
        try:
            moment = dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)
        except ValueError:
            moment = None
        known = moment is not None and 1971 <= moment.year < 2200
        assert found.get(at) == (moment.timestamp() if moment and known else None), text


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Lord_Howe"])
def test_hours_in_which_clocks_change_are_left(zone: str) -> None:
    reader = table_blocks.BlockReader.__new__(table_blocks.BlockReader)
    reader.table = type("Table", (), {"zone": ZoneInfo(zone)})()
    reader.hours = {}
    hours = np.arange(24 * 366) + 24 * 20454
    known = reader._zoned(hours)[1]
    changes = 0
    for hour, fine in zip(hours.tolist(), known.tolist(), strict=True):
        local = dt.datetime(1970, 1, 1) + dt.timedelta(hours=hour)
        zoned = [
            (local + dt.timedelta(minutes=minute)).replace(tzinfo=ZoneInfo(zone), fold=fold)
            for minute in (0, 59)
            for fold in (0, 1)
        ]
        twice = zoned[0].timestamp() < zoned[1].timestamp() or (
            zoned[2].timestamp() < zoned[3].timestamp()
        )
        assert not (fine and twice)
        changes += twice
    assert changes > 0


@pytest.mark.parametrize(
    ("headings", "line"),
    [
        (HEADINGS, ",,,,,"),  # no job
        (HEADINGS, ",,,,,bob"),
        (HEADINGS, HEADINGS),
        (HEADINGS, "  # a comment"),
        (HEADINGS, "900,900,905,9,4"),
        (HEADINGS, "900,900,905,9,4,ann,more"),
        (HEADINGS, "900,900,905,9,4,ann,"),
        ("1,2,3,4,5,6", "1,2,3,4,5,6"),  # headings that could be a job
        ("JobID,Submit,Start,Elapsed,AllocCPUS,Timelimit", "7,2026-01-01T00:00:00,,9,4,120"),
    ],
)
def test_a_line_in_the_middle_is_read_in_both_ways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: list[bool], headings: str, line: str
) -> None:
    path = tmp_path / "log.csv"
    rows = ROWS if "Timelimit" not in headings else [row.replace("ann", "") for row in ROWS]
    path.write_text("\n".join([headings, *rows[:500], line, *rows[500:], ""]))
    names = ("number", "submit_s", "start_s", "run_s", "processors", "user")
    columns = dict(zip(names, "123456", strict=True)) if headings.startswith("1") else None
    fast, literal = both(path, monkeypatch, columns=columns, form="csv")
    assert_equal(fast, literal)
    assert all(taken)


def test_a_job_too_many_is_named_by_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: list[bool]
) -> None:
    monkeypatch.setattr(gathered, "MOST_JOBS", 700)
    path = tmp_path / "log.csv"
    path.write_text("\n".join([HEADINGS, *ROWS, ""]))
    fast, literal = both(path, monkeypatch)
    assert_equal(fast, literal)
    assert "more than 700 jobs" in str(fast)
    assert any(taken)

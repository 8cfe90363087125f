"""Jobs without a time limit: counted, given the limit of a rule, never passed on as a request."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios import ScenarioError
from scenarios.job_logs.cleaning import NO_REQUEST
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log
from scenarios.job_logs.time_limits import (
    GIVEN,
    OUTRAN,
    parse_limit,
    with_limits,
    without_limit,
)
from scenarios.job_logs.write_swf import write_swf
from scenarios.tables.cell_text import CellError

ROWS = [
    ("1", "01:00:00", "UNLIMITED", "gpu"),
    ("2", "01:00:00", "Partition_Limit", "cpu"),
    ("3", "01:00:00", "02:00:00", "cpu"),
    ("4", "05:00:00", "", "cpu"),
    ("5", "03:00:00", "-1", "gpu"),
]


def log_of(folder: Path) -> JobLog:
    lines = ["JobID|Submit|Elapsed|Timelimit|NCPUS|Partition"]
    lines += [f"{n}|2026-03-09T12:00:0{n}|{run}|{limit}|4|{p}" for n, run, limit, p in ROWS]
    (folder / "jobs.txt").write_text("\n".join(lines) + "\n")
    return read_job_log(folder / "jobs.txt", file_name="jobs.txt")


def test_jobs_without_a_limit_are_known_by_name(tmp_path: Path) -> None:
    log = log_of(tmp_path)
    assert log.no_limit is not None
    assert log.no_limit.tolist() == [True, True, False, True, True]
    assert log.requested_s.tolist() == [3600, 3600, 7200, 18_000, 10_800]  # their run times
    assert (log.counts[NO_REQUEST], without_limit(log)) == (4, 4)


def test_a_partition_has_its_own_rule_and_the_others_the_general_one(tmp_path: Path) -> None:
    log = with_limits(log_of(tmp_path), {"gpu": 7200, "": 86_400})
    assert log.requested_s.tolist() == [7200, 86_400, 7200, 86_400, 10_800]
    assert log.counts[GIVEN] == 3
    assert log.counts[OUTRAN] == 1  # job 5 ran for 3 h in a partition of 2 h
    assert NO_REQUEST not in log.counts
    assert without_limit(log) == 1
    assert (log.run_s <= log.requested_s).all()


def test_a_rule_for_one_partition_leaves_the_others_alone(tmp_path: Path) -> None:
    log = with_limits(log_of(tmp_path), {"cpu": 86_400})
    assert log.requested_s.tolist() == [3600, 86_400, 7200, 86_400, 10_800]
    assert (log.counts[GIVEN], log.counts[NO_REQUEST], without_limit(log)) == (2, 2, 2)
    everything = with_limits(log_of(tmp_path), {"": 86_400})
    assert everything.no_limit is None
    assert everything.unaccounted == 0


def test_an_unknown_partition_is_an_error_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(
        ScenarioError, match=r"there are no jobs of a partition 'gpus'; did you mean"
    ):
        with_limits(log_of(tmp_path), {"gpus": 60})


def test_a_written_log_does_not_turn_run_times_into_requests(tmp_path: Path) -> None:
    write_swf(tmp_path / "again.swf", log_of(tmp_path))
    again = read_job_log(tmp_path / "again.swf")
    assert without_limit(again) == 4
    assert again.requested_s.tolist() == log_of(tmp_path).requested_s.tolist()
    write_swf(tmp_path / "ruled.swf", with_limits(again, {"": 86_400}))
    assert without_limit(read_job_log(tmp_path / "ruled.swf")) == 0


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("90s", ("", 90)), ("30min", ("", 1800)), ("1.5h", ("", 5400)), ("2d", ("", 172_800)),
        ("gpu=01:30:00", ("gpu", 5400)), ("a=b = 1-00:00:00", ("a=b", 86_400)),
    ],
)  # fmt: skip
def test_limits_have_units(text: str, limit: tuple[str, int]) -> None:
    assert parse_limit(text) == limit


@pytest.mark.parametrize(
    "text", ["", "60", "gpu=", "=2h", "1_0h", "0s", "infinite", "gpu=60", "9" * 9 + "d"]
)
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(CellError, match=r"write|give"):
        parse_limit(text)

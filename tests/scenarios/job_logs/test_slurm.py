"""Slurm's two kinds of accounting, with the traps that they have."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scenarios import ScenarioError
from scenarios.job_logs.cell_values import (
    count,
    duration,
    energy_j,
    time_limit,
    unix_time,
    zone_named,
)
from scenarios.job_logs.cleaning import DUPLICATE, NO_REQUEST, UNKNOWN_STATE, Cleaning
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.raw_jobs import UNFINISHED
from scenarios.job_logs.reader import read_job_log
from scenarios.job_logs.slurm_jobs import job_number, status_of
from scenarios.remark import remark
from scenarios.tables.cell_text import CellError

NOON = 1_773_057_600  # 2026-03-09T12:00:00 UTC: 20,521 days of 86,400 s and half a day
HEADINGS = "JobID|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|State|User|Account|QOS|Partition"
JOB = {
    "JobID": "1",
    "Submit": "2026-03-09T12:00:00",
    "Start": "2026-03-09T12:01:00",
    "End": "2026-03-09T13:01:00",
    "Elapsed": "01:00:00",
    "Timelimit": "02:00:00",
    "AllocCPUS": "4",
    "State": "COMPLETED",
    "User": "ann",
    "Account": "phys",
    "QOS": "normal",
    "Partition": "big",
}


def line(**cells: str) -> str:
    return "|".join({**JOB, **cells}.values())


def sacct(folder: Path, *lines: str, **how: Any) -> JobLog:
    path = folder / "jobs.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_job_log(path, form="sacct", file_name="jobs.txt", **how)


def test_jobs_by_hand(tmp_path: Path) -> None:
    log = sacct(
        tmp_path,
        HEADINGS,
        line(),
        line(
            JobID="2", Submit="2026-03-09T12:00:30", User="bo", State="TIMEOUT", Partition="small"
        ),
        line(JobID="3", Submit="2026-03-09T11:59:00", Elapsed="1-02:03:04", Timelimit="2-00:00:00"),
    )
    assert log.number.tolist() == [3, 1, 2]
    assert log.submit_s.tolist() == [0, 60, 90]
    assert log.header == {"UnixStartTime": str(NOON - 60)}
    assert log.wait_s.tolist() == [120, 60, 30]
    assert log.run_s.tolist() == [93_784, 3600, 3600]  # 86,400 + 7,200 + 180 + 4
    assert log.requested_s.tolist() == [172_800, 7200, 7200]
    assert log.processors.tolist() == [4, 4, 4]
    assert log.names == {
        "user": ("ann", "bo"),
        "group": ("phys",),
        "queue": ("normal",),
        "partition": ("big", "small"),
    }
    assert log.user.tolist() == [0, 0, 1]
    assert log.partition.tolist() == [0, 0, 1]
    assert log.energy_j is None


def test_what_is_no_job_is_left_out_and_counted(tmp_path: Path) -> None:
    waits = {"Start": "Unknown", "End": "Unknown", "Elapsed": "00:00:00"}
    log = sacct(
        tmp_path,
        HEADINGS,
        line(),
        *(line(JobID=f"1.{step}") for step in ("batch", "extern", "0", "interactive")),
        line(JobID="2_[5-9%2]", State="PENDING", **waits),
        line(JobID="3", State="PENDING", **waits),
        line(JobID="4", State="RUNNING", End="Unknown"),
        line(JobID="5", State="CANCELLED by 1000", **{**waits, "End": "2026-03-09T12:30:00"}),
        line(JobID="6", State="CANCELLED by 1000", Elapsed="00:00:00"),
        line(JobID="7+0.batch"),
        HEADINGS,
        line(JobID="8", State="CANCELLED+"),
        "",
    )
    assert log.number.tolist() == [1, 8]
    assert log.counts == {
        "jobs read": 6,
        "jobs kept": 2,
        "no job: a step of a job": 5,
        "no job: waiting tasks of an array": 1,
        "no job: repeated headings": 1,
        "left out: still waiting or running": 2,
        "left out: never started": 1,
        "left out: a run time of 0": 1,
    }
    assert log.unaccounted == 0


def test_states_that_are_not_known_are_counted_and_their_jobs_taken_as_run(tmp_path: Path) -> None:
    waits = {"Start": "Unknown", "End": "Unknown", "Elapsed": "00:00:00"}
    log = sacct(
        tmp_path,
        HEADINGS,
        line(),
        line(JobID="2", State="POWER_UP_NODE by 0"),
        line(JobID="3", State="LOST"),
        line(JobID="4", State="LOST"),
        line(JobID="5", State="LOST", **waits),
    )
    assert log.number.tolist() == [1, 2, 3, 4]
    assert log.counts[UNKNOWN_STATE] == 3
    states = ("POWER_UP_NODE by 0 (3)", "LOST (4)")
    assert log.remarks == (
        remark("log-unknown-state", jobs=(3, "job"), states=(states, "text"), line=(3, "id")),
    )
    rules = Cleaning(cancelled="leave out", failed="leave out")
    assert (
        sacct(tmp_path, HEADINGS, line(), line(JobID="2", State="LOST"), clean=rules).counts[
            UNKNOWN_STATE
        ]
        == 1
    )  # nobody knows that it failed
    many = sacct(tmp_path, HEADINGS, *(line(JobID=str(n), State=f"S{n}") for n in range(9)))
    assert many.remarks[0].values["states"] == (tuple(f"S{n} ({n + 2})" for n in range(5)), "text")


def test_tasks_of_arrays_and_parts_of_heterogeneous_jobs_are_jobs(tmp_path: Path) -> None:
    ids = ["12", "12_0", "12_4", "13+0", "13+1"]
    log = sacct(tmp_path, HEADINGS, *(line(JobID=item) for item in ids))
    assert log.number.tolist() == [
        12,
        12 + 10**10,
        12 + 5 * 10**10,
        13 + 5_000_000 * 10**10,
        13 + 5_000_001 * 10**10,
    ]
    raw = sacct(tmp_path, f"{HEADINGS}|JobIDRaw", f"{line(JobID='12_4')}|17")
    assert raw.number.tolist() == [17]


@pytest.mark.parametrize("limit", ["Partition_Limit", "UNLIMITED", "", "Unknown"])
def test_a_limit_that_is_none_is_a_missing_one(tmp_path: Path, limit: str) -> None:
    log = sacct(tmp_path, HEADINGS, line(Timelimit=limit))
    assert log.requested_s.tolist() == [3600]
    assert log.counts[NO_REQUEST] == 1


def test_raw_fields_go_before_the_others(tmp_path: Path) -> None:
    headings = f"{HEADINGS}|ElapsedRaw|TimelimitRaw|ConsumedEnergyRaw|ConsumedEnergy|"
    log = sacct(
        tmp_path,
        headings,
        line() + "|3599|90|123456|123.46K|",
        line(JobID="2") + "||||1.5K|",
        line(JobID="3") + "|1||18446744073709551614||",
    )
    assert log.run_s.tolist() == [3599, 3600, 1]
    assert log.requested_s.tolist() == [5400, 7200, 7200]  # raw limits are minutes
    assert log.energy_j is not None
    assert np.array_equal(log.energy_j, [123_456, 1500, np.nan], equal_nan=True)


def test_processors_are_those_allocated_or_else_requested(tmp_path: Path) -> None:
    log = sacct(
        tmp_path,
        f"{HEADINGS}|ReqCPUS",
        line() + "|9",
        line(JobID="2", AllocCPUS="0") + "|9",
        line(JobID="3", AllocCPUS="") + "|2K",
    )
    assert log.processors.tolist() == [4, 9, 2048]


def test_columns_go_before_the_names_that_are_known(tmp_path: Path) -> None:
    headings = f"{HEADINGS}|Eligible|AllocNodes"
    columns = {"submit_s": "Eligible", "processors": "allocnodes", "group": "QOS"}
    log = sacct(tmp_path, headings, f"{line()}|2026-03-09T12:00:50|2", columns=columns)
    assert (log.wait_s[0], log.processors[0], log.names["group"]) == (10, 2, ("normal",))
    with pytest.raises(
        ScenarioError, match=r"jobs.txt:1: there is no heading 'Queued' for submit_s; there are"
    ):
        sacct(tmp_path, HEADINGS, line(), columns={"submit_s": "Queued"})
    with pytest.raises(ScenarioError, match=r"there is no column 'submt'; did you mean"):
        sacct(tmp_path, HEADINGS, line(), columns={"submt": "Submit"})


def test_start_and_end_give_the_run_time(tmp_path: Path) -> None:
    log = sacct(
        tmp_path,
        "NCPUS|End|Start|Submit|JobID",
        "4|2026-03-09T13:01:00|2026-03-09T12:01:00|2026-03-09T12:00:00|1",
        "4|Unknown|2026-03-09T12:01:00|2026-03-09T12:00:00|2",
        "4|Unknown|Unknown|2026-03-09T12:00:00|3",
    )
    assert log.run_s.tolist() == [3600]
    assert log.counts["left out: still waiting or running"] == 1
    assert log.counts["left out: never started"] == 1


def test_a_job_that_was_queued_again(tmp_path: Path) -> None:
    again = line(Start="2026-03-09T14:00:00", End="2026-03-09T14:10:00", Elapsed="00:10:00")
    first = line(State="NODE_FAIL")
    log = sacct(tmp_path, HEADINGS, first, again, clean=Cleaning(duplicates="last"))
    assert log.run_s.tolist() == [600]
    assert log.counts[DUPLICATE] == 1
    with pytest.raises(ScenarioError, match="job 1: is already in line 2"):
        sacct(tmp_path, HEADINGS, first, again)


def test_a_job_without_a_submit_time_is_left_out(tmp_path: Path) -> None:
    log = sacct(tmp_path, HEADINGS, line(), line(JobID="2", Submit="Unknown"))
    assert log.number.tolist() == [1]
    assert log.counts["left out: no submit time"] == 1


def test_local_times_need_their_zone(tmp_path: Path) -> None:
    lines = [line(Submit="2026-03-29T01:30:00", Start="2026-03-29T03:30:00")]  # clocks go forward
    assert sacct(tmp_path, HEADINGS, *lines).wait_s.tolist() == [7200]
    assert sacct(tmp_path, HEADINGS, *lines, zone="Europe/Berlin").wait_s.tolist() == [3600]
    for wrong in ("Mars/Olympus", "../etc/passwd", "", "a\0b", "a/" * 900 + "b"):
        with pytest.raises(ScenarioError, match=r"jobs.txt: zone: there is no time zone"):
            sacct(tmp_path, HEADINGS, *lines, zone=wrong)


def test_seconds_since_1970_and_times_with_their_own_zone(tmp_path: Path) -> None:
    log = sacct(
        tmp_path,
        HEADINGS,
        line(Submit=str(NOON), Start=str(NOON + 5)),
        line(JobID="2", Submit="2026-03-09T13:00:00+01:00", Start="2026-03-09T12:00:07Z"),
    )
    assert log.submit_s.tolist() == [0, 0]
    assert log.wait_s.tolist() == [5, 7]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:00:01", 1),
        ("1-02:03:04", 93_784),
        ("02:03", 123),
        ("02:03.5", Decimal("123.5")),
        ("100:00:00", 360_000),
        ("2-12", 216_000),
        ("2-12:30", 217_800),
        ("365-00:00:00", 31_536_000),
        ("90", 90),
        ("90:30", 5430),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize(
    "text", ["1:2:3:4", "-1:00", "1-", "1:60:00", "1-00:00:61", "::", "a", "1 h", "1-25x", "\u0661"]
)
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(CellError, match="is not a duration"):
        duration(text)


def test_other_values() -> None:
    utc = zone_named("UTC", "")
    assert unix_time("1970-01-02T00:00:01", utc) == 86_401
    assert unix_time("1970-01-01 00:00:01.25", utc) == Decimal("1.25")
    assert time_limit("30") == 1800
    assert (count("4K"), count("1.5k".upper()), count("0")) == (4096, 1536, 0)
    assert (energy_j("2M"), energy_j("12.5")) == (2e6, 12.5)
    assert np.isnan(energy_j("16.00E"))  # what Slurm prints for 2 ** 64 - 2
    assert (status_of("CANCELLED by 7"), status_of("completed"), status_of("")) == (5, 1, -1)
    assert status_of("PENDING") == UNFINISHED
    for wrong in ("2026-13-01T00:00:00", "2026-01-01T25:00:00", "20260101T000000", "1e400"):
        with pytest.raises(CellError):
            unix_time(wrong, utc)
    for wrong in ("1.5", "K", "9G", "1e400"):
        with pytest.raises(CellError):
            count(wrong)
    for wrong in ("", "1_", "_1", "1_2_3", "1+2+3", "12345678901_1", "\u0661"):
        with pytest.raises(CellError):
            job_number(wrong)


JOBCOMP = (
    "JobId={job} UserId=ann(1000) GroupId=phys(100) Name={name} JobState={state} Partition=big "
    "TimeLimit={limit} StartTime={start} EndTime=2026-03-09T13:01:00 NodeList=n[1-2] NodeCnt=2 "
    "ProcCnt=64 WorkDir=/home/ann/my files ReservationName= Tres=cpu=64,node=2 Account=physics "
    "QOS=normal WcKey= Cluster=c SubmitTime=2026-03-09T12:00:00 EligibleTime=2026-03-09T12:00:00 "
    "DerivedExitCode=0:0 ExitCode=0:0 \n"
)
FINISHED = {
    "job": 1,
    "name": "a job of mine",
    "state": "COMPLETED",
    "limit": "120",
    "start": "2026-03-09T12:01:00",
}


def jobcomp(folder: Path, *jobs: dict[str, Any], **how: Any) -> JobLog:
    path = folder / "jobs.log"
    path.write_text("".join(JOBCOMP.format(**{**FINISHED, **job}) for job in jobs))
    return read_job_log(path, form="jobcomp", **how)


def test_jobs_of_filetxt_by_hand(tmp_path: Path) -> None:
    log = jobcomp(
        tmp_path,
        {},
        {"job": 2, "limit": "Partition_Limit", "start": "2026-03-09T12:31:00"},
        {"job": 3, "state": "TIMEOUT", "limit": "1-00:00:00", "name": "k=v NodeCount=9 = "},
        {"job": 4, "start": "Unknown", "state": "CANCELLED"},
        {"job": 5, "state": "RUNNING"},
        {"job": 6, "name": "x JobState=FAILED ProcCnt=9999"},
        {"job": 7, "start": "2026-03-09T13:01:00", "state": "CANCELLED"},
    )
    assert log.number.tolist() == [1, 2, 3]
    assert log.run_s.tolist() == [3600, 1800, 3600]
    assert log.requested_s.tolist() == [7200, 1800, 86_400]
    assert log.wait_s.tolist() == [60, 1860, 60]
    assert log.processors.tolist() == [64, 64, 64]
    assert log.header == {"UnixStartTime": str(NOON)}
    assert log.names == {
        "user": ("ann",),
        "group": ("phys",),
        "queue": ("normal",),
        "partition": ("big",),
    }
    assert log.counts == {
        "jobs read": 7,
        "jobs kept": 3,
        "left out: never started": 1,
        "left out: still waiting or running": 1,
        "left out: a key is listed twice (perhaps within a job's name)": 1,
        "left out: a run time of 0": 1,
        NO_REQUEST: 1,
        "not simulated: nodes": 3,
    }


def test_an_old_log_has_the_eligible_time_only(tmp_path: Path) -> None:
    text = JOBCOMP.format(**FINISHED).replace("SubmitTime=2026-03-09T12:00:00 ", "")
    text = text.replace("EligibleTime=2026-03-09T12:00:00", "EligibleTime=2026-03-09T12:00:20")
    (tmp_path / "old.log").write_text(text)
    assert read_job_log(tmp_path / "old.log").wait_s.tolist() == [40]

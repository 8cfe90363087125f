"""One reader for all forms: which form a file has, and tables of jobs."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scenarios import ScenarioError
from scenarios.job_logs.cleaning import DUPLICATE, Cleaning
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import form_of, read_job_log
from scenarios.remark import remark
from tests.scenarios.job_logs.logs import different, swf_line
from tests.shared_data import TRACES, needs_data

SACCT = "JobID|Submit|Elapsed|NCPUS\n1|2026-03-09T12:00:00|01:00:00|4\n"
JOBCOMP = (
    "JobId=1 JobState=COMPLETED StartTime=2026-03-09T12:00:00 EndTime=2026-03-09T13:00:00 "
    "ProcCnt=4 SubmitTime=2026-03-09T12:00:00\n"
)
CSV = "job,submit,run,procs\n1,0,3600,4\n"
SWF = swf_line(1, 0, 3600, 4)


def read(folder: Path, text: str, name: str = "jobs.csv", **how: Any) -> JobLog:
    (folder / name).write_text(text, encoding="utf-8")
    return read_job_log(folder / name, file_name=name, **how)


@pytest.mark.parametrize(
    "name", ["jobs", "jobs.txt", "jobs.log", "jobs.txt.gz", "JOBS.SWF", "j.csv"]
)
@pytest.mark.parametrize(
    ("text", "form"),
    [
        (SWF, "swf"),
        ("; Version: 2.2\n\n" + SWF, "swf"),
        (SACCT, "sacct"),
        ("user|jobidraw|jobid\n", "sacct"),
        ("\n\n" + SACCT, "sacct"),
        (JOBCOMP, "jobcomp"),
        (CSV, "csv"),
        ("# from somewhere\n" + CSV.replace(",", ";"), "csv"),
        ("\ufeff" + CSV.replace(",", "\t"), "csv"),
    ],
)
def test_the_form_is_told_by_the_content(tmp_path: Path, name: str, text: str, form: str) -> None:
    data = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    assert form_of(tmp_path / name, name) == form


def test_the_suffix_tells_where_the_content_does_not(tmp_path: Path) -> None:
    (tmp_path / "a.swf").write_text("nothing\n")
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"nothing\n"))
    assert form_of(tmp_path / "a.swf", "") == "swf"
    assert form_of(tmp_path / "a.csv.gz", "") == "csv"


@pytest.mark.parametrize("text", [SWF, SACCT, JOBCOMP, CSV])
def test_all_forms_give_the_same_job(tmp_path: Path, text: str) -> None:
    log = read(tmp_path, text, "jobs.txt")
    numbers = (log.number, log.submit_s, log.run_s, log.processors)
    assert [number.tolist() for number in numbers] == [[1], [0], [3600], [4]] or text == SWF
    assert (log.name, log.unaccounted, len(log.sha256)) == ("jobs", 0, 64)


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ScenarioError, match=r"form: 'swff' is not a form of job logs; did you mean"
    ):
        read(tmp_path, CSV, form="swff")
    with pytest.raises(ScenarioError, match="columns: a log of the form swf has no headings"):
        read(tmp_path, SWF, columns={"run_s": "run"})
    with pytest.raises(ScenarioError, match=r"jobs\.csv:1: 2 fields"):
        read(tmp_path, "1 2\n", form="swf")


@pytest.mark.parametrize(
    "text",
    [
        CSV,
        CSV.replace("\n", "\r\n"),
        CSV.replace(",", " ; "),
        CSV.replace(",", "\t"),
        "\n# a comment, with commas\n" + CSV + "\n\n# the end\n,,,\n",
        'Job,"Submit time",Note,Run Time [h],Procs\n1,0,"a\nb, c",1,4\n',
        "number,submit_s,run_s,processors,requested_s,user,queue\n1,0,3600,4,,,-1\n",
        "job,submit,run,procs\n1.0,0.0,3600.0,4.0\n",
        "id,submitted,started,ended,cores\n1,0,60,3660,4\n",
        "job,submit,run,procs\n1,2026-03-09T12:00:00,01:00:00,4\n",
        "job,submit [min],run,procs\n1,0,0-01,4\n",
    ],
)
def test_a_table_is_read_in_every_usual_form(tmp_path: Path, text: str) -> None:
    log = read(tmp_path, text, form="csv")
    assert log.number.tolist() == [1]
    assert (log.submit_s[0], log.run_s[0], log.processors[0]) == (0, 3600, 4)
    assert (log.requested_s[0], log.user[0], log.queue[0]) == (3600, -1, -1)
    assert log.wait_s[0] == (60 if "started" in text else -1)


def test_what_stands_in_quotation_marks_is_a_value(tmp_path: Path) -> None:
    text = 'job,user,submit,run,procs\n1,"ann\n\n#1\nb",0,60,4\n# 2\n3,#,0,60,4\n'
    assert read(tmp_path, text).names == {"user": ("ann #1 b", "#")}
    with pytest.raises(ScenarioError, match=r"jobs\.csv:8: procs: 'x' is not a whole number"):
        read(tmp_path, text + "4,,0,60,x\n")


def test_columns_of_a_table_by_the_users_word(tmp_path: Path) -> None:
    text = "Queued at,Took (min),On,who,Group\n5,2,8,ann,12\n6,0.51,8,,7\n7,1,8,bo,12\n"
    columns = {"submit_s": "queued AT", "run_s": "Took", "processors": "On", "user": "who"}
    log = read(tmp_path, text, columns=columns)
    assert log.number.tolist() == [1, 2, 3]
    assert log.run_s.tolist() == [120, 31, 60]  # 30.6 s
    assert log.names == {"user": ("ann", "bo")}
    assert log.user.tolist() == [0, -1, 1]
    assert log.group.tolist() == [12, 7, 12]  # numbers are their own codes
    assert log.remarks == (remark("log-rounded", jobs=(1, "job")),)


def test_numbers_of_tasks_are_read_from_tables(tmp_path: Path) -> None:
    log = read(tmp_path, CSV + "50000000124,0,60,4\n12_4,0,60,4\n")
    assert log.number.tolist() == [1, 50_000_000_124, 50_000_000_012]


def test_rules_of_cleaning_reach_every_form(tmp_path: Path) -> None:
    rules = Cleaning(duplicates="first")
    for text in (SWF + SWF, SACCT + SACCT.split("\n")[1], JOBCOMP * 2, CSV + CSV.split("\n")[1]):
        log = read(tmp_path, text, "jobs.txt", clean=rules)
        assert log.counts[DUPLICATE] == 1
        assert log.unaccounted == 0


def test_text_is_refused_where_it_ends_oddly(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"jobs\.csv:4: contains a zero byte"):
        read(tmp_path, CSV + "\n2,0\0,60,4\n", form="csv")
    packed = gzip.compress(
        (
            "job,submit,run,procs\n"
            + "".join(f"{n},{n * n},{n % 7919 + 1},4\n" for n in range(1, 20_000))
        ).encode()
    )
    (tmp_path / "cut.csv.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(
        ScenarioError, match=r"cut\.csv\.gz:\d{4,5}: the compressed data end too early"
    ):
        read_job_log(tmp_path / "cut.csv.gz")


@needs_data
def test_a_published_schedule_has_the_jobs_of_its_trace() -> None:
    trace = read_job_log(TRACES / "SDSC-SP2-10k.swf.gz")
    schedule = read_job_log(TRACES / "SDSC-SP2-10k_easy_pyss-2007.csv.gz")
    but = "name file header machine_processors sha256 user group wait_s"
    assert different(trace, schedule, *but.split()) == []
    assert np.mean(schedule.wait_s) == pytest.approx(6719.4663, abs=1e-4)  # as published


def test_a_blank_cell_too_many_may_come_from_a_comma_in_a_number(tmp_path: Path) -> None:
    rows = "submit,run,procs,user\n0,60,4,\n0,1,000,4,\n"
    with pytest.raises(ScenarioError, match=r"^jobs\.csv:3: 5 cells, but 4 headings"):
        read(tmp_path, rows)

"""Logs as schedulers, databases and programs write them: each dialect has its own traps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scenarios import ScenarioError
from scenarios.job_logs.cleaning import UNNUMBERED, Cleaning
from scenarios.job_logs.gathered import UNREADABLE
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log
from scenarios.job_logs.time_rules import HOUR_TWICE, NEVER_STARTED, STARTED_EARLY, STILL
from scenarios.remark import remark
from tests.scenarios.job_logs.test_foreign import TIMES, pbs
from tests.scenarios.job_logs.test_slurm import HEADINGS, line
from tests.shared_data import CASES, needs_cases

NOON = 1_773_057_600  # 2026-03-09T12:00:00 UTC
LENIENT = Cleaning(unreadable="leave out")


def read(folder: Path, text: str, name: str = "jobs.txt", **how: Any) -> JobLog:
    (folder / name).write_text(text)
    return read_job_log(folder / name, file_name=name, **how)


def case(number: str, **how: Any) -> JobLog:
    folder = next(CASES.glob(f"{number}-*"))
    (path,) = (p for p in folder.iterdir() if p.stem in ("jobs", "workload"))
    return read_job_log(path, file_name=path.name, **how)


@needs_cases
def test_a_running_job_of_a_table_is_left_out() -> None:
    log = case("04")
    assert log.number.tolist() == [91]
    assert log.counts[STILL] == 1


@needs_cases
def test_limits_under_the_names_of_slurm_are_minutes_and_said_to_be() -> None:
    log = case("05")
    assert log.requested_s.tolist() == [7200] * 5
    assert log.killed is None
    assert log.remarks == (remark("log-limits-in-minutes", column=("time_limit", "text")),)
    hours = case("05", columns={"requested_s": "time_limit [h]"})
    assert hours.requested_s.tolist() == [120 * 3600] * 5
    assert hours.remarks == ()
    cut = case("05", columns={"requested_s": "time_limit [s]"})
    assert cut.run_s.tolist() == [120] * 5
    assert cut.remarks == (remark("log-beyond-limits", jobs=((5, 5), "of:job")),)


@needs_cases
def test_the_unit_of_a_time_goes_before_its_range() -> None:
    log = case("06")
    assert log.submit_s.tolist() == [0, 10]
    assert log.run_s.tolist() == [3600, 3600]
    assert log.header == {"UnixStartTime": "1609459200"}


@needs_cases
def test_the_second_of_two_equal_hours_is_taken_where_the_order_demands_it() -> None:
    log = case("09", zone="Europe/Berlin")
    assert dict(zip(log.number.tolist(), log.run_s.tolist(), strict=True)) == {41: 1200, 43: 600}
    assert log.counts[HOUR_TWICE] == 1
    assert log.remarks == (remark("log-hour-twice", jobs=(1, "job")),)


@pytest.mark.parametrize(
    ("times", "elapsed", "wait", "run"),
    [
        (("01:50", "02:10", "02:40"), "", 1200, 1800),
        (("01:50", "02:40", "02:10"), "", 3000, 1800),
        (("01:50", "02:10", "02:40"), "01:30:00", 1200, 5400),  # only the end is the second
        (("01:50", "02:10", "03:10"), "01:00:00", 4800, 3600),  # the start is the second one
        (("02:50", "02:10", "02:40"), "00:30:00", 1200, 1800),
    ],
)
def test_hours_that_occur_twice_by_hand(
    tmp_path: Path, times: tuple[str, ...], elapsed: str, wait: int, run: int
) -> None:
    submit, start, end = (f"2025-10-26T{each}:00" for each in times)
    text = f"{HEADINGS}\n{line(Submit=submit, Start=start, End=end, Elapsed=elapsed)}\n"
    log = read(tmp_path, text, zone="Europe/Berlin", clean=Cleaning(overruns="keep"))
    assert (log.wait_s.tolist(), log.run_s.tolist()) == ([wait], [run])


def test_the_order_of_the_file_moves_no_time_in_the_hour_that_occurs_twice(tmp_path: Path) -> None:
    rows = [("2", "02:20", "02:20", "02:25"), ("1", "02:05", "02:05", "02:50")]
    lines = [
        line(JobID=number, Elapsed="", **{
            name: f"2025-10-26T{time}:00"
            for name, time in zip(("Submit", "Start", "End"), times, strict=True)
        })
        for number, *times in rows
    ]  # fmt: skip
    log = read(tmp_path, "\n".join([HEADINGS, *lines]) + "\n", zone="Europe/Berlin")
    assert (log.number.tolist(), log.submit_s.tolist()) == ([1, 2], [0, 900])


def test_numbers_of_states_are_those_of_the_format_but_in_slurms_database(tmp_path: Path) -> None:
    heads = "job_id,submit_time,start_time,end_time,cores,status\n"
    rows = "1,0,1,60,4,1\n2,1,2,60,4,1\n3,2,3,60,4,5.0\n4,3,4,60,4,-1.0\n"
    log = read(tmp_path, heads + rows, "jobs.csv", clean=Cleaning(cancelled="leave out"))
    assert (log.number.tolist(), log.remarks) == ([1, 2, 4], ())


def test_a_state_that_sacct_cut_is_known(tmp_path: Path) -> None:
    text = "\n".join([HEADINGS, line(), line(JobID="2", State="OUT_OF_ME+")]) + "\n"
    assert read(tmp_path, text, clean=Cleaning(failed="leave out")).number.tolist() == [1]


def test_floats_of_pandas_are_whole_numbers_in_every_column(tmp_path: Path) -> None:
    text = "id_job,time_submit,time_start,time_end,timelimit,cpus_req,state\n"
    text += f"1.0,{NOON}.0,{NOON + 5}.0,{NOON + 65}.0,4294967295.0,4.0,3.0\n"
    log = read(tmp_path, text, "jobs.csv")
    assert log.no_limit is not None
    table = "job,submit,wait,run,start,end,cores\n1,5,-1.0,-1.0,7,67,4\n"
    log = read(tmp_path, table, "other.csv")
    assert (log.wait_s.tolist(), log.run_s.tolist()) == ([2], [60])


def test_what_is_remarked_is_of_jobs_that_are_kept(tmp_path: Path) -> None:
    text = "job,submit,start,run,cores,state\n1,5.5,2,60,0,ODD\n2,6,7,60,4,\n3,7,8,60,4,STRANGE\n"
    log = read(tmp_path, text, "jobs.csv")
    states = (("STRANGE (4)",), "text")
    assert log.remarks == (
        remark("log-unknown-state", jobs=(1, "job"), states=states, line=(4, "id")),
    )


def test_long_numbers_that_are_used_again_are_refused(tmp_path: Path) -> None:
    text = "job,submit,run,cores\n1,0,60,4\n1,5,60,4\n100000000000000001,6,60,4\n"
    with pytest.raises(ScenarioError, match="a number is used by 2 jobs"):
        read(tmp_path, text, "jobs.csv")


@needs_cases
def test_a_bad_line_is_left_out_with_its_count_if_the_rule_says_so() -> None:
    with pytest.raises(ScenarioError, match=r"jobs.txt:3: Elapsed: 'INVALID'.*unreadable=leave"):
        case("12")
    log = case("12", clean=LENIENT)
    assert log.number.tolist() == [71]
    assert log.counts[UNREADABLE] == 1
    first = "3: Elapsed: 'INVALID' is not a duration; write seconds, or as in 1-02:03:04"
    assert log.remarks == (
        remark("log-unreadable", lines=(1, "line"), first=((first,), "message")),
    )
    assert (log.counts["jobs read"], log.unaccounted) == (2, 0)


@pytest.mark.parametrize("place", ["job", "row"])
def test_what_has_no_lines_is_counted_in_its_own_parts(tmp_path: Path, place: str) -> None:
    jobs = [{"id": n, "subtime": time, "res": 4, "profile": "p"} for n, time in ((1, 0), (2, "x"))]
    path = tmp_path / "jobs"
    if place == "job":
        profiles = {"p": {"type": "delay", "delay": 60}}
        path.write_text(json.dumps({"nb_res": 8, "jobs": jobs, "profiles": profiles}))
    else:
        pandas = pytest.importorskip("pandas")
        table = {"job": [1, 2], "submit": ["0", "x"], "run": [60, 60], "cores": [4, 4]}
        pandas.DataFrame(table).to_parquet(path)
    with pytest.raises(ScenarioError, match=rf"jobs: {place} 2: sub\w+: 'x' is not"):
        read_job_log(path, form="json" if place == "job" else "parquet")
    log = read_job_log(path, form="json" if place == "job" else "parquet", clean=LENIENT)
    (found,) = (each for each in log.remarks if each.kind == "log-unreadable")
    assert found.values["lines"] == (1, place)


@pytest.mark.parametrize(
    ("text", "torn"),
    [
        ("; MaxProcs: 8\n1 0 0 60 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1\n", "2 5 0 6"),
        (f"{HEADINGS}\n{line()}\n", line(JobID="2")[:60]),
        (pbs(), pbs("2.server")[:40]),
        ("job,submit,run,procs\n1,0,60,4\n", "2,5"),
    ],
)
def test_a_torn_last_record_is_left_out_if_the_rule_says_so(
    tmp_path: Path, text: str, torn: str
) -> None:
    with pytest.raises(ScenarioError):
        read(tmp_path, text + torn)
    log = read(tmp_path, text + torn, clean=LENIENT)
    assert (len(log), log.counts[UNREADABLE]) == (1, 1)


@needs_cases
def test_any_delimiter_of_sacct_is_read() -> None:
    log = case("13")
    assert log.run_s.tolist() == [7 * 3600 + 36 * 60 + 3]
    assert log.requested_s.tolist() == [(6 * 24 + 23) * 3600 + 59 * 60]


@pytest.mark.parametrize("delimiter", ["|", "^", "||", ";;", "~", "\u00a7"])
def test_delimiters_of_sacct(tmp_path: Path, delimiter: str) -> None:
    text = f"{HEADINGS}\n{line()}\n".replace("|", delimiter)
    assert read(tmp_path, text).processors.tolist() == [4]


def test_sacct_of_fixed_width_is_read_and_a_cut_name_does_not_matter(tmp_path: Path) -> None:
    widths = [12, 10, 19, 19, 19, 10, 10, 10, 10]
    rows = [
        ["JobID", "JobName", "Submit", "Start", "End", "Elapsed", "Timelimit", "AllocCPUS",
         "State"],
        ["-" * width for width in widths],
        ["7", "a long na+", "2026-03-09T12:00:00", "2026-03-09T12:01:00", "2026-03-09T13:01:00",
         "01:00:00", "02:00:00", "4", "CANCELLED+"],
        ["7.batch", "batch", "2026-03-09T12:00:00", "2026-03-09T12:01:00", "2026-03-09T13:01:00",
         "01:00:00", "", "4", "CANCELLED"],
    ]  # fmt: skip
    text = "".join(
        " ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) + " \n"
        for row in rows
    )
    log = read(tmp_path, text)
    assert (log.number.tolist(), log.run_s.tolist()) == ([7], [3600])
    assert log.counts["no job: a step of a job"] == 1


@needs_cases
def test_a_number_that_slurm_used_again_is_another_job() -> None:
    log = case("14")
    assert log.number.tolist() == [1272, 1272 + 10**17]
    assert log.remarks == (remark("log-number-again", jobs=(1, "job")),)


def test_jobs_without_a_number_get_one(tmp_path: Path) -> None:
    rows = "job,submit,run,cores\n,0,60,1\n7,0,60,1\n,0,60,1\nNaN,5,60,1\n"
    log = read(tmp_path, rows, "jobs.csv")
    assert log.number.tolist() == [8, 7, 9, 10]
    assert log.counts[UNNUMBERED] == 3
    assert log.remarks == ()


def test_tables_of_pandas_are_read(tmp_path: Path) -> None:
    heads = "job_id,submit_time,start_time,end_time,run_time,time_limit,num_cpus,job_state\n"
    row = "{}.0,2020-05-05 10:00:00+00:00,2020-05-05 10:00:05+00:00,{},{},120.0,4,COMPLETED\n"
    ended = "2020-05-05 11:00:05+00:00"
    text = heads + row.format(1, ended, "0 days 01:00:00") + row.format(2, "NaT", "NaT")
    log = read(tmp_path, text, "jobs.csv")
    assert (log.number.tolist(), log.run_s.tolist()) == ([1], [3600])
    assert (log.requested_s.tolist(), log.counts[STILL]) == ([7200], 1)


def test_parquet_is_read_as_the_same_table(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {
        "job_id": pa.array([1.0, 2.0, None]),
        "submit_time": pa.array([0, 60, 120], pa.timestamp("s", "UTC")),
        "start_time": pa.array([5_000, None, 130_000], pa.timestamp("ms", "UTC")),
        "end_time": pa.array([3_605_000, None, 1_930_000], pa.timestamp("ms", "UTC")),
        "run_time": pa.array([3_600_000, None, 1_800_000], pa.duration("ms")),
        "time_limit": pa.array([120, 120, 120]),
        "num_cpus": pa.array([4, 4, 8], pa.int16()),
        "job_state": pa.array(["COMPLETED", "CANCELLED", "TIMEOUT"]).dictionary_encode(),
        "nodes": pa.array([["a"], [], ["b"]]),
        "raw": pa.array([b"\\xff", b"a", None]),
    }
    parquet.write_table(pa.table(columns), tmp_path / "jobs.parquet")
    log = read_job_log(tmp_path / "jobs.parquet")
    assert (log.number.tolist(), log.wait_s.tolist()) == ([1, 2], [5, 10])
    assert (log.run_s.tolist(), log.requested_s.tolist()) == ([3600, 1800], [7200, 7200])
    assert log.counts[NEVER_STARTED] == 1
    assert {each.holds: each.heading for each in log.columns}["run_s"] == "run_time [ms]"
    whole = (tmp_path / "jobs.parquet").read_bytes()
    for broken in (b"PAR1", whole[:-9], whole[:300] + whole[400:], b"PAR1" + b"\0" * 99):
        (tmp_path / "broken.parquet").write_bytes(broken)
        with pytest.raises(ScenarioError):
            read_job_log(tmp_path / "broken.parquet")


@needs_cases
def test_a_workload_of_batsim_is_read() -> None:
    log = case("18")
    assert (log.run_s.tolist(), log.requested_s.tolist()) == ([50], [100])
    assert (log.processors.tolist(), log.machine_processors) == ([4], 4)


def test_profiles_of_batsim_without_a_length_are_counted(tmp_path: Path) -> None:
    jobs = [
        {"id": "w0!7", "subtime": 1, "walltime": 100, "res": 2, "profile": "d"},
        {"id": "8", "subtime": 2, "res": 2, "profile": "flops"},
        {"id": "9", "subtime": 2, "res": 2, "profile": "missing"},
        {"id": "10", "subtime": 2.5, "walltime": -1, "res": 3, "profile": "d"},
    ]
    profiles = {"d": {"type": "delay", "delay": 20.0}, "flops": {"type": "parallel", "cpu": [1]}}
    log = read(tmp_path, json.dumps({"nb_res": 4, "jobs": jobs, "profiles": profiles}))
    assert (log.number.tolist(), log.requested_s.tolist()) == ([7, 10], [100, 20])
    assert log.counts["left out: a profile whose length depends on a simulated platform"] == 2


def test_sacct_as_json_is_read(tmp_path: Path) -> None:
    job = {
        "job_id": 5,
        "time": {"submission": NOON, "start": NOON + 60, "end": NOON + 3660, "elapsed": 3600,
                 "limit": {"set": True, "infinite": False, "number": 90}},
        "state": {"current": ["COMPLETED"], "reason": "None"},
        "tres": {"allocated": [{"type": "cpu", "count": 8},
                               {"type": "mem", "count": 64000},
                               {"type": "gres", "name": "gpu:a100", "count": 2}]},
        "required": {"CPUs": 1}, "user": "ann", "account": "phys", "partition": "big", "qos": "n",
    }  # fmt: skip
    old = {**job, "job_id": 6, "state": {"current": "RUNNING"}, "required": {"CPUs": 4}}
    unset = {"submission": NOON, "start": 0, "end": 0, "elapsed": 0, "limit": 90}
    waits = {**job, "job_id": 7, "state": {"current": ["PENDING"]}, "time": unset}
    log = read(tmp_path, json.dumps({"meta": {}, "jobs": [job, old, waits]}))
    assert (log.number.tolist(), log.processors.tolist()) == ([5], [8])
    assert (log.requested_s.tolist(), log.wait_s.tolist()) == ([5400], [60])
    assert log.names == {
        "user": ("ann",),
        "group": ("phys",),
        "queue": ("n",),
        "partition": ("big",),
    }
    assert log.counts[STILL] == 2
    assert log.counts["not simulated: GPUs"] == 1
    assert log.counts["not simulated: memory"] == 1


@pytest.mark.parametrize(
    "text",
    ["{", '{"jobs": 3}', '{"a": []}', '{"jobs": [3], "profiles": {}}', '{"jobs": [[]]}',
     '{"jobs": [{"id": {}, "profile": []}], "profiles": {}}', "{" * 5000, '{"jobs": [{}]}'],
)  # fmt: skip
def test_other_json_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ScenarioError):
        read(tmp_path, text, "w.json")


def test_the_database_of_slurm_has_numbers_for_states_and_minutes_for_limits(
    tmp_path: Path,
) -> None:
    heads = (
        "id_job,id_user,id_qos,time_submit,time_start,time_end,timelimit,tres_alloc,cpus_req,state"
    )
    rows = [
        f'1,1000,1,{NOON},{NOON + 5},{NOON + 65},10,"1=8,2=4096,4=1,5=8",1,3',
        f'2,1000,1,{NOON},{NOON + 5},0,10,"1=8",1,1',
        f'3,1000,1,{NOON},0,{NOON + 9},10,"",2,4',
        f'4,1001,1,{NOON},{NOON + 5},{NOON + 605},4294967295,"1=2,2=1",2,6',
    ]
    log = read(tmp_path, "\n".join([heads, *rows]) + "\n", "job_table.csv")
    assert (log.number.tolist(), log.processors.tolist()) == ([1, 4], [8, 2])
    assert log.requested_s[0] == 600
    assert log.no_limit is not None
    assert log.no_limit.tolist() == [False, True]
    assert (log.counts[STILL], log.counts[NEVER_STARTED]) == (1, 1)


def test_jobs_of_batsims_results_are_read(tmp_path: Path) -> None:
    heads = ("job_id,workload_name,profile,submission_time,requested_number_of_resources,"
             "requested_time,success,final_state,starting_time,execution_time,finish_time,"
             "waiting_time\n")  # fmt: skip
    rows = "1,w,d,0,4,100,1,COMPLETED_SUCCESSFULLY,10,50,60,10\n2,w,d,5,2,9,0,REJECTED,,,,\n"
    log = read(tmp_path, heads + rows, "out_jobs.csv")
    assert (log.number.tolist(), log.wait_s.tolist(), log.run_s.tolist()) == ([1], [10], [50])


@pytest.mark.parametrize("prefix", ["20260309:", "accounting/20260309:12:", "log-"])
def test_what_grep_writes_before_a_line_does_not_matter(tmp_path: Path, prefix: str) -> None:
    log = read(tmp_path, prefix + pbs() + prefix + pbs("2-3.server"))
    assert log.number.tolist() == [1, 2 + 4 * 10**10]


@needs_cases
def test_no_page_says_that_lsf_has_no_limits() -> None:
    page = Path(__file__).parents[3] / "docs" / "job-logs.md"
    foreign = Path(__file__).parents[3] / "scenarios" / "job_logs" / "foreign.py"
    assert "no time limits" not in page.read_text(encoding="utf-8")
    assert "not in that file" not in foreign.read_text(encoding="utf-8")


@needs_cases
def test_a_start_before_the_submission_is_counted_and_said() -> None:
    log = case("23")
    assert log.wait_s.tolist() == [0, 60]
    assert log.counts[STARTED_EARLY] == 1
    assert log.remarks == (remark("log-started-early", jobs=(1, "job")),)


def test_a_start_one_second_too_early_is_a_wait_of_0_and_not_unknown(tmp_path: Path) -> None:
    log = read(tmp_path, "job,submit,start,run,cores\n1,9,8,60,4\n2,9,,60,4\n", "jobs.csv")
    assert log.wait_s.tolist() == [0, -1]
    assert log.counts[STARTED_EARLY] == 1


def test_the_times_of_pbs_may_lack_a_start(tmp_path: Path) -> None:
    late = TIMES.replace(f"end={NOON + 3660}", f"end={NOON + 10}")
    log = read(tmp_path, pbs() + pbs("2.server", times=late))
    assert log.counts["left out: ended before it started"] == 1
    assert log.remarks == (remark("log-ended-early", jobs=(1, "job")),)


@needs_cases
def test_a_job_of_pandas_that_never_started_is_left_out() -> None:
    log = case("11")
    assert (log.number.tolist(), log.run_s.tolist()) == ([1], [3540])
    assert log.counts[NEVER_STARTED] == 1


@pytest.mark.parametrize("blank", ["NaT", "<NA>", "\\N", "--", "None", "nan", "", "NULL", "N/A"])
def test_blanks_of_other_programs_are_blanks(tmp_path: Path, blank: str) -> None:
    text = f"job,submit,start,end,cores,user\n1,0,5,65,4,ann\n2,7,{blank},{blank},4,{blank}\n"
    log = read(tmp_path, text, "jobs.csv")
    assert (log.number.tolist(), log.user.tolist()) == ([1], [0])
    assert log.counts[NEVER_STARTED] == 1


def test_runs_of_more_than_a_month_are_said(tmp_path: Path) -> None:
    log = read(tmp_path, "job,submit,run,cores\n1,0,3600000,4\n2,5,60,4\n", "jobs.csv")
    assert log.remarks == (remark("log-long-runs", jobs=(1, "job"), longest=(3_600_000, "s")),)

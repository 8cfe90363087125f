"""Rules of cleaning: what each does, and that every job that was read is accounted for."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios import ScenarioError
from scenarios.job_logs.cleaning import AGAIN, DUPLICATE, Cleaning, cleaned
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.raw_jobs import RawJobs
from scenarios.job_logs.reader import read_job_log
from scenarios.job_logs.swf import read_swf
from scenarios.remark import remark
from tests.scenarios.job_logs.logs import swf_line

# job: submit, run, processors, requested, status
JOBS = {
    1: (0, 60, 4, 100, 1),
    2: (1, 120, 4, 100, 1),  # 20 s beyond its request
    3: (2, 0, 4, 100, 5),  # cancelled before it ran
    4: (3, 50, 4, 100, 5),  # cancelled while it ran
    5: (4, 50, 0, 100, 0),  # failed, without processors
    6: (-1, 50, 4, 100, 1),
    7: (6, -1, 4, 100, 1),
    8: (7, 50, 4, -1, 0),  # failed, without a request
    9: (8, 20, 4, 100, 2),  # the first part of job 1
}


PARTS = "left out: part of a job that was interrupted"


def log_of(folder: Path, extra: str = "", order: int = 1, **rules: Any) -> JobLog:
    lines = [
        swf_line(number, submit, run, procs, f9=requested, f11=status)
        for number, (submit, run, procs, requested, status) in JOBS.items()
    ]
    (folder / "log.swf").write_text("".join([*lines, extra][::order]))
    return read_swf(folder / "log.swf", clean=Cleaning(**rules))


def test_the_default_rules_by_hand(tmp_path: Path) -> None:
    log = log_of(tmp_path)
    assert log.number.tolist() == [1, 2, 4, 8]
    assert log.run_s.tolist() == [60, 100, 50, 50]
    assert log.requested_s.tolist() == [100, 100, 100, 50]
    assert log.killed is not None
    assert log.killed.tolist() == [False, True, False, False]
    assert log.counts == {
        "jobs read": 9,
        "jobs kept": 4,
        "left out: part of a job that was interrupted": 1,
        "left out: no submit time": 1,
        "left out: no processors": 1,
        "left out: no run time": 1,
        "left out: a run time of 0": 1,
        "no requested time: the run time taken": 1,
        "run cut at the requested time": 1,
    }
    assert list(log.counts)[:3] == ["jobs read", "jobs kept", PARTS]
    assert log.unaccounted == 0


def test_counts_have_one_order_whatever_the_order_of_the_jobs(tmp_path: Path) -> None:
    log = log_of(tmp_path, extra=swf_line(11, 3, "5.5"))
    again = log_of(tmp_path, extra=swf_line(11, 3, "5.5"), order=-1)
    assert list(log.counts) == list(again.counts)
    assert [words.startswith("left out: ") for words in log.counts] == [False] * 2 + [True] * 5 + [
        False
    ] * (len(log.counts) - 7)
    steps = "JobID|Submit|Elapsed|NCPUS", "1.0|||", "2_[1]|||", "3|2026-03-09T12:00:00|1:00|4"
    for lines in (steps, (steps[0], *steps[:0:-1])):
        (tmp_path / "jobs.txt").write_text("\n".join(lines))
        left_out = list(read_job_log(tmp_path / "jobs.txt").counts)[2:4]
        assert left_out == ["no job: a step of a job", "no job: waiting tasks of an array"]


@pytest.mark.parametrize(
    ("rules", "numbers"),
    [
        ({"zero_run": "keep"}, [1, 2, 3, 4, 8]),
        ({"zero_run": "keep", "cancelled": "leave out"}, [1, 2, 8]),
        ({"cancelled": "leave out"}, [1, 2, 8]),
        ({"failed": "leave out"}, [1, 2, 4]),
        ({"overruns": "leave out"}, [1, 4, 8]),
    ],
)
def test_each_rule_leaves_out_its_jobs(
    tmp_path: Path, rules: dict[str, Any], numbers: list[int]
) -> None:
    log = log_of(tmp_path, **rules)
    assert log.number.tolist() == numbers
    assert log.unaccounted == 0


def test_overruns_that_are_kept_raise_the_request(tmp_path: Path) -> None:
    log = log_of(tmp_path, overruns="keep")
    assert log.run_s.tolist() == [60, 120, 50, 50]
    assert log.requested_s.tolist() == [100, 120, 100, 50]
    assert log.killed is None
    assert log.counts["requested time raised to the run time"] == 1


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("no_submit", "log.swf:6: job 6: no submit time; correct it, or leave out these jobs"),
        ("no_processors", "log.swf:5: job 5: no processors; correct it, or leave out these jobs"),
    ],
)
def test_a_rule_may_call_what_it_finds_a_fault(tmp_path: Path, rule: str, message: str) -> None:
    rules: dict[str, Any] = {rule: "fault"}
    with pytest.raises(ScenarioError) as caught:
        log_of(tmp_path, **rules)
    assert str(caught.value) == f"{tmp_path}/{message} with --clean {rule}=leave-out"


@pytest.mark.parametrize(("rule", "kept"), [("first", [10, 11, 13]), ("last", [11, 14, 15])])
def test_of_jobs_with_one_number_and_time_the_first_or_the_last_is_kept(
    tmp_path: Path, rule: Any, kept: list[int]
) -> None:
    numbers = [7, 8, 7, 9, 9, 7]
    lines = [swf_line(n, 0, run=10 + at) for at, n in enumerate(numbers)]
    (tmp_path / "log.swf").write_text("".join(lines))
    log = read_swf(tmp_path / "log.swf", clean=Cleaning(duplicates=rule))
    assert sorted(log.run_s.tolist()) == kept
    assert log.counts[DUPLICATE] == 3
    assert log.unaccounted == 0


def test_a_number_that_is_used_again_is_another_job(tmp_path: Path) -> None:
    numbers = [7, 8, 7, 9, 9, 7]
    (tmp_path / "log.swf").write_text("".join(swf_line(n, at) for at, n in enumerate(numbers)))
    log = read_swf(tmp_path / "log.swf")
    again = 10**17
    assert log.number.tolist() == [7, 8, 7 + again, 9, 9 + again, 7 + 2 * again]
    assert log.counts[AGAIN] == 3
    assert log.remarks == (remark("log-number-again", jobs=(3, "job")),)
    lines = [swf_line(7, at) for at in range(95)]
    (tmp_path / "log.swf").write_text("".join(lines))
    with pytest.raises(ScenarioError, match="a number is used by 95 jobs; give each job a number"):
        read_swf(tmp_path / "log.swf")


def test_a_job_that_is_left_out_has_no_duplicate(tmp_path: Path) -> None:
    (tmp_path / "log.swf").write_text(swf_line(1, 0, 0) + swf_line(1, 5, 60))
    assert read_swf(tmp_path / "log.swf").submit_s.tolist() == [5]


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(ScenarioError) as caught:
        Cleaning(overruns="cut")  # type: ignore[arg-type]
    assert str(caught.value) == (
        "cleaning: overruns: is 'cut'; give one of 'kill', 'keep', 'leave out'"
    )


def test_jobs_that_are_taken_stay_accounted_for(tmp_path: Path) -> None:
    log = log_of(tmp_path)
    some = log.take(np.array([True, False, True, False]))
    assert some.number.tolist() == [1, 4]
    assert some.counts["jobs kept"] == 2
    assert some.counts["left out: not among those taken"] == 2
    fewer = some.take(np.array([1]))
    assert fewer.counts["left out: not among those taken"] == 3
    assert (some.unaccounted, fewer.unaccounted) == (0, 0)
    assert some.killed is not None
    assert some.killed.tolist() == [False, False]


@given(
    jobs=st.lists(
        st.tuples(
            st.integers(1, 6),  # number
            st.integers(-1, 5),  # submit
            st.integers(-1, 3),  # run
            st.integers(-1, 2),  # processors
            st.integers(-1, 3),  # requested
            st.integers(-1, 5),  # status
        ),
        max_size=12,
    ),
    rules=st.tuples(
        *(
            st.sampled_from(get_args(get_type_hint))
            for get_type_hint in get_type_hints(Cleaning).values()
        )
    ),
)
def test_no_job_is_lost_silently(jobs: list[tuple[int, ...]], rules: tuple[Any, ...]) -> None:
    number, submit, run, processors, requested, status = (
        np.array([job[item] for job in jobs], dtype=np.int64) for item in range(6)
    )
    codes = np.full(len(jobs), -1, dtype=np.int32)
    line = np.arange(1, len(jobs) + 1)
    raw = RawJobs(
        line, number, submit, line, run, processors, requested, codes, codes, codes, codes,
        status.astype(np.int8),
    )  # fmt: skip
    try:
        log = cleaned(raw, Cleaning(*rules), file_name="log", name="log")
    except ScenarioError:
        return
    assert log.unaccounted == 0
    assert log.counts["jobs read"] == len(jobs)
    assert log.counts["jobs kept"] == len(log) > 0
    assert all(count > 0 for count in log.counts.values())
    assert len(set(log.number.tolist())) == len(log)
    assert (log.submit_s[1:] >= log.submit_s[:-1]).all()
    assert ((log.run_s >= 0) & (log.run_s <= log.requested_s)).all()
    assert (log.processors > 0).all()
    same_second = zip(itertools.pairwise(log.submit_s), itertools.pairwise(log.wait_s), strict=True)
    assert all(a < b for (s, t), (a, b) in same_second if s == t)  # the wait is the line here

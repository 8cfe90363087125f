"""Logs: requests that fit the configurations, drawn and listed jobs, jobs from files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.power.inputs.file_logs import application_of, file_log
from planner.scheduling.power.inputs.logs import (
    KEPT,
    READ,
    ROUNDED_DOWN,
    ROUNDED_UP,
    TOO_LARGE,
    UNMEASURED,
    PowerLog,
    listed_log,
    synthetic_log,
)
from planner.scheduling.power.problem import JobDetails
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.swf import read_swf
from scenarios.model.schedule import ScheduleJob, ScheduleLog
from tests.shared_data import TRACES, needs_data

COUNTS = np.arange(8, 65, 4)


def details_of_two() -> JobDetails:
    """Two applications on the thesis's node counts: 6,400 and 12,800 node-seconds of packed work.

    Rows with fewer cores are twice as slow and must never matter for a request.
    """
    nodes = np.tile(np.repeat(COUNTS, 2), 2)
    cores = np.tile([8, 16], 2 * len(COUNTS))
    work = np.repeat([6400, 12_800], 2 * len(COUNTS))
    time_ms = work * 1000 // nodes * np.where(cores == 8, 2, 1)
    first = np.array([0, 2 * len(COUNTS), 4 * len(COUNTS)])
    cap = np.full(len(nodes), 115.0)
    return JobDetails(("a", "b"), first, nodes, cores, cap, time_ms, nodes * 170_000, "oracle")


DETAILS = details_of_two()
WEIGHTS = np.array([1.0, 3.0])


def synthetic(log: ScheduleLog, seed: int = 0, nodes: int = 64) -> PowerLog:
    return synthetic_log(
        log,
        DETAILS,
        DETAILS.time_ms,
        cluster_nodes=nodes,
        weights=WEIGHTS,
        unmeasured="round",
        seed=np.random.SeedSequence(seed),
    )


@pytest.mark.parametrize(
    ("kind", "smallest", "largest"), [("small", 8, 24), ("large", 40, 64), ("random", 8, 64)]
)
def test_drawn_logs_have_the_sizes_of_the_thesis(
    kind: Literal["small", "large", "random"], smallest: int, largest: int
) -> None:
    log = synthetic(ScheduleLog(name="x", kind=kind, job_count=2000))
    sizes = np.unique(log.jobs.nodes)
    assert sizes.tolist() == list(range(smallest, largest + 1, 4))
    assert np.bincount(log.jobs.application) == pytest.approx([1000, 1000], abs=100)
    assert log.jobs.weight.tolist() == WEIGHTS[log.jobs.application].tolist()
    assert np.diff(log.jobs.submit_ms).mean() == pytest.approx(300_000, rel=0.1)
    assert log.counts[READ] == log.counts[KEPT] == 2000


def test_a_drawn_log_has_30_jobs_and_requests_a_fifth_more_than_the_packed_time() -> None:
    log = synthetic(ScheduleLog(name="x", kind="random"))
    jobs = log.jobs
    assert len(jobs) == 30
    work = np.array([6400, 12_800])[jobs.application]
    packed_ms = work * 1000 // jobs.nodes  # rounded down in the table above
    assert jobs.requested_ms == pytest.approx(packed_ms * 1.2, abs=1)
    assert (jobs.requested_ms >= packed_ms * 1.2 - 1e-6).all()


def test_requests_do_not_depend_on_what_the_scheduler_knows() -> None:
    # Trap of the thesis: a table that promises half the time must not halve the requests.
    promised = JobDetails(
        DETAILS.applications,
        DETAILS.first,
        DETAILS.nodes,
        DETAILS.cores_per_node,
        DETAILS.package_cap_w,
        DETAILS.time_ms // 2,
        DETAILS.charge_mw,
    )
    same = synthetic_log(
        ScheduleLog(name="x", kind="random"),
        promised,
        DETAILS.time_ms,
        cluster_nodes=64,
        weights=WEIGHTS,
        unmeasured="round",
        seed=np.random.SeedSequence(0),
    )
    expected = synthetic(ScheduleLog(name="x", kind="random")).jobs.requested_ms
    assert same.jobs.requested_ms.tolist() == expected.tolist()


def test_the_same_seed_draws_the_same_log_and_another_one_another() -> None:
    log = ScheduleLog(name="x", kind="random")
    assert synthetic(log, 1).jobs.nodes.tolist() == synthetic(log, 1).jobs.nodes.tolist()
    assert synthetic(log, 1).jobs.submit_ms.tolist() != synthetic(log, 2).jobs.submit_ms.tolist()


def test_an_offered_load_sets_the_gap() -> None:
    # Every packed job has 6,400 or 12,800 node-seconds: 9,600 on average. Half of 64 nodes gives
    # 32 node-seconds a second: a job every 300 s.
    log = synthetic(ScheduleLog(name="x", kind="large", offered_load=0.5, job_count=4000))
    assert log.mean_gap_s == pytest.approx(300, rel=1e-3)  # times are cut to whole ms
    jobs = log.jobs
    work = jobs.nodes * np.array([6400, 12_800])[jobs.application] / jobs.nodes
    load = work.sum() / (64 * jobs.submit_ms[-1] / 1000)
    assert load == pytest.approx(0.5, rel=0.05)


def test_jobs_beyond_a_small_cluster_are_rejected_and_counted() -> None:
    log = synthetic(ScheduleLog(name="x", kind="random", job_count=1500), nodes=32)
    assert log.jobs.nodes.max() == 32
    # 8 to 32 in steps of 4 are 7 of 15 sizes
    assert log.counts[KEPT] == pytest.approx(700, abs=70)
    assert log.counts[TOO_LARGE] == 1500 - log.counts[KEPT]
    with pytest.raises(
        InputError, match=r"log x has no job that can run \(30 requests rejected: more"
    ):
        synthetic(ScheduleLog(name="x", kind="large"), nodes=32)


def listed(unmeasured: Literal["round", "reject"], *jobs: ScheduleJob, nodes: int = 80) -> PowerLog:
    log = ScheduleLog(name="l", kind="listed", jobs=jobs)
    return listed_log(log, DETAILS, cluster_nodes=nodes, weights=WEIGHTS, unmeasured=unmeasured)


JOBS = (
    ScheduleJob(application="b", nodes=9, requested_s=50.0, submit_s=20.0),
    ScheduleJob(application="a", nodes=2, requested_s=60.5, submit_s=10.0, priority=7.0),
    ScheduleJob(application="a", nodes=70, requested_s=70.0, submit_s=10.0),
    ScheduleJob(application="a", nodes=64, requested_s=80.0),
    ScheduleJob(application="a", nodes=81, requested_s=80.0),
)


def test_requests_are_rounded_to_measured_node_counts_and_counted() -> None:
    log = listed("round", *JOBS)
    assert log.jobs.number.tolist() == [4, 2, 3, 1]  # by submit time, then as listed
    assert log.jobs.submit_ms.tolist() == [0, 10_000, 10_000, 20_000]
    assert log.jobs.nodes.tolist() == [64, 8, 64, 12]
    assert log.jobs.requested_ms.tolist() == [80_000, 60_500, 70_000, 50_000]
    assert log.jobs.weight.tolist() == [1, 7, 1, 3]
    assert log.counts == {
        READ: 5, KEPT: 4, ROUNDED_UP: 2, ROUNDED_DOWN: 1, TOO_LARGE: 1, UNMEASURED: 0,
    }  # fmt: skip


def test_or_they_are_rejected_and_counted() -> None:
    log = listed("reject", *JOBS)
    assert log.jobs.number.tolist() == [4]
    assert log.counts == {
        READ: 5, KEPT: 1, ROUNDED_UP: 0, ROUNDED_DOWN: 0, TOO_LARGE: 1, UNMEASURED: 3,
    }  # fmt: skip


def test_a_listed_job_of_an_unknown_application_is_refused() -> None:
    with pytest.raises(InputError, match="log l: no application is called 'c'; there are a, b"):
        listed("round", ScheduleJob(application="c", nodes=8, requested_s=1.0))


SWF = """\
; MaxProcs: 640
1 100 0 50 40 -1 -1 45 600 -1 1 7 -1 -1 -1 -1 -1 -1
2 110 0 9  80 -1 -1 80  10 -1 1 8 -1 -1 -1 -1 -1 -1
3 130 0 70 640 -1 -1 640 100 -1 1 7 -1 -1 -1 -1 -1 -1
4 150 0 33 99 -1 -1 99 100 -1 1 9 -1 -1 -1 -1 -1 -1
"""


def swf(folder: Path, text: str = SWF) -> JobLog:
    (folder / "x.swf").write_text(text)
    return read_swf(folder / "x.swf")


def from_file(read: JobLog, log: ScheduleLog) -> PowerLog:
    return file_log(
        log,
        read,
        DETAILS,
        DETAILS.time_ms,
        cluster_nodes=64,
        weights=WEIGHTS,
        unmeasured="round",
    )


def test_a_job_from_a_file_takes_its_run_time_on_the_packed_nodes(tmp_path: Path) -> None:
    log = from_file(swf(tmp_path), ScheduleLog(name="f", kind="file", file="x.swf"))
    jobs = log.jobs
    # 640 processors on 64 nodes: 10 a node; 45, 80, 640 and 99 are 5, 8, 64 and 10 nodes
    assert jobs.nodes.tolist() == [8, 8, 64, 12]
    assert (log.counts[ROUNDED_UP], log.counts[KEPT]) == (2, 4)
    assert jobs.submit_ms.tolist() == [0, 10_000, 30_000, 50_000]
    assert jobs.requested_ms.tolist() == [600_000, 10_000, 100_000, 100_000]
    work = np.array([6400, 12_800])[jobs.application]
    packed_ms = work * 1000 // jobs.nodes
    assert jobs.time_scale * packed_ms == pytest.approx([50_000, 9000, 70_000, 33_000])
    assert log.true_factor.tolist() == [1, 1, 1, 1]
    assert jobs.application[0] == jobs.application[2]  # user 7


def test_a_scheduler_that_knows_requests_only_expects_those(tmp_path: Path) -> None:
    settings = ScheduleLog(name="f", kind="file", file="x.swf", expected_from="requested_time")
    log = from_file(swf(tmp_path), settings)
    exact = from_file(swf(tmp_path), ScheduleLog(name="f", kind="file", file="x.swf"))
    ratio = log.jobs.time_scale / exact.jobs.time_scale
    assert ratio == pytest.approx([12, 10 / 9, 100 / 70, 100 / 33])
    true = log.jobs.time_scale * log.true_factor
    assert true == pytest.approx(exact.jobs.time_scale)


def test_some_jobs_of_a_file_are_taken(tmp_path: Path) -> None:
    settings = ScheduleLog(name="f", kind="file", file="x.swf", first_job=2, job_count=2)
    log = from_file(swf(tmp_path), settings)
    assert log.jobs.number.tolist() == [2, 3]
    assert log.jobs.submit_ms.tolist() == [0, 20_000]
    beyond = ScheduleLog(name="f", kind="file", file="x.swf", first_job=5)
    with pytest.raises(InputError, match=r"first_job = 5, and x\.swf has 4 jobs"):
        from_file(swf(tmp_path), beyond)


def test_a_log_without_the_size_of_its_machine_needs_processors_per_node(tmp_path: Path) -> None:
    read = swf(tmp_path, SWF.partition("\n")[2])
    with pytest.raises(InputError, match="does not say how many processors"):
        from_file(read, ScheduleLog(name="f", kind="file", file="x.swf"))
    stated = ScheduleLog(name="f", kind="file", file="x.swf", processors_per_node=80.0)
    assert from_file(read, stated).jobs.nodes.tolist() == [8, 8, 8, 8]


def test_users_spread_over_applications_and_keep_theirs(tmp_path: Path) -> None:
    lines = [f"{n} {n} 0 9 8 -1 -1 8 9 -1 1 {n % 800} -1 -1 -1 -1 -1 -1" for n in range(1, 4001)]
    log = swf(tmp_path, "; MaxProcs: 64\n" + "\n".join(lines) + "\n")
    of = application_of(log, 8)
    assert np.bincount(of[:800]) == pytest.approx([100] * 8, abs=25)
    assert of[800:1600].tolist() == of[:800].tolist()
    unknown = read_swf(tmp_path / "x.swf")
    object.__setattr__(unknown, "user", np.full(len(unknown), MISSING, np.int32))
    assert np.bincount(application_of(unknown, 8)) == pytest.approx([500] * 8, abs=60)


@needs_data
def test_a_log_of_a_real_machine_is_mapped_whole() -> None:
    read = read_swf(TRACES / "SDSC-SP2.swf.gz")
    log = from_file(read, ScheduleLog(name="f", kind="file", file="x.swf", job_count=5000))
    assert log.counts[READ] == 5000
    assert log.counts[KEPT] + log.counts[TOO_LARGE] + log.counts[UNMEASURED] == 5000
    nodes = np.ceil(read.processors[:5000] / 2)  # 128 processors become 64 nodes
    assert log.counts[ROUNDED_UP] == int(((nodes < 8) | (nodes % 4 > 0)).sum())
    packed_ms = np.array([6400, 12_800])[log.jobs.application] * 1000 // log.jobs.nodes
    assert log.jobs.time_scale * packed_ms == pytest.approx(read.run_s[:5000] * 1000.0)

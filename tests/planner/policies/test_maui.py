"""The Maui-like scheduler against the literal nine stages, worked examples and laws."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from planner.policies.maui import MauiRun, Overruns
from planner.policies.task import Jobs, Task
from scenarios.maui import PARTIES, MauiConfiguration
from tests.planner.policies import maui_oracle

Rows = list[tuple[int, int, int, int, int, dict[str, str]]]


def configuration(**groups: Any) -> MauiConfiguration:
    return MauiConfiguration.model_validate({"name": "test", **groups})


def task_of(machine: int, rows: Rows) -> tuple[Task, np.ndarray]:
    columns = np.array([row[:5] for row in rows], np.int64).reshape(-1, 5).T.copy()
    submit, run, processors, request, planned = columns
    codes, names = {}, {}
    for kind in PARTIES:
        names[kind] = sorted({row[5][kind] for row in rows})
        codes[kind] = np.array([names[kind].index(row[5][kind]) for row in rows], np.int32)
    jobs = Jobs(submit, run, processors, request)
    task = Task(
        jobs, codes["user"], machine, group=codes["group"], queue=codes["queue"], names=names
    )
    return task, planned


def drawn_rows(rng: random.Random, machine: int, *, exact: bool) -> Rows:
    rows: Rows = []
    time, scale = rng.choice([0, 0, 977]), rng.choice([20, 90, 400])
    for _ in range(rng.randint(1, 22)):
        time += rng.choice([0, 0, 1, 30, rng.randint(0, scale)])
        run = rng.randint(0, scale) * rng.choice([1, 1, 5])
        request = max(1, run + rng.choice([0, 0, 1, rng.randint(0, 2 * scale), 20 * scale]))
        planned = request if exact else rng.randint(1, request)
        party = {"user": rng.choice("abc"), "group": rng.choice("gh"), "queue": rng.choice("12")}
        rows.append((time, run, rng.randint(1, machine), request, planned, party))
    return rows


def drawn_configuration(rng: random.Random, machine: int) -> MauiConfiguration:
    """Weights that doubles hold exactly, so that both ways of adding up agree."""
    weight = lambda: rng.choice([0, 0, 1, 2, 0.5, 64, -1])  # noqa: E731 - short and used often
    iteration = rng.choice([5, 7, 30, 30])
    throttles = [
        {
            "of": of,
            "name": rng.choice([None, None, "a", "g", "1"]),
            "max_jobs": rng.choice([None, 1, 3]),
            "max_processors": rng.choice([None, machine]),
            "max_idle_jobs": rng.choice([None, 1, 2]),
        }
        for of in PARTIES
        if rng.random() < 0.3
    ]
    return configuration(
        iteration_s=iteration,
        priority={
            "service": {
                "weight": rng.choice([1, 1, 2]),
                "queue_time": rng.choice([0, 1, 60, 60]),
                "expansion_factor": rng.choice([0, 0, 0, 4]),
                "bypass": weight(),
            },
            "resource": {"processors": weight(), "wall_time": rng.choice([0, 0, 0.25, -0.25])},
            "fairshare": {
                "weight": rng.choice([0, 1, 1, 1]),
                "user": rng.choice([0, 64, 1024]),
                "group": rng.choice([0, 0, 256]),
                "queue": rng.choice([0, 0, 512]),
            },
            "credential": {"user": {"a": weight()}, "queue": {"2": weight()}},
        },
        fairshare={
            "windows": rng.choice([1, 2, 5]),
            "window_s": iteration * rng.choice([1, 5, 40]),
            "decay": rng.choice([1.0, 0.5]),
            "user": {"b": 0.5},
        },
        backfill={
            "policy": rng.choice(["first-fit", "first-fit", "best-fit", "none"]),
            "depth": rng.choice([None, None, 1, 3]),
            "reservations": rng.choice([0, 1, 1, 1, 2, 4]),
        },
        throttles=tuple(throttles),
    )


@pytest.mark.parametrize("strategy", ["exact", "kill", "request", "extend"])
def test_every_start_is_that_of_the_nine_stages(strategy: str) -> None:
    for seed in range(250):
        rng = random.Random(seed)
        machine = rng.randint(1, 12)
        config = drawn_configuration(rng, machine)
        rows = drawn_rows(rng, machine, exact=strategy == "exact")
        factor = float("inf") if strategy == "request" else 2.0
        overruns = Overruns("extend" if strategy == "extend" else "kill", factor)
        task, planned = task_of(machine, rows)
        run = MauiRun(task, config, planned, overruns)
        run.advance()
        expected = maui_oracle.played(
            machine, config, rows, extends=strategy == "extend", factor=min(factor, 2.0**50)
        )
        found = run.records
        case = (seed, machine, config, rows)
        assert found.start.tolist() == [job.start for job in expected], case
        assert found.bypassed.tolist() == [job.bypassed for job in expected], case
        assert found.attempts.tolist() == [job.attempts for job in expected], case
        assert found.lost.tolist() == [job.lost for job in expected], case


@pytest.mark.slow
def test_on_a_real_log_every_start_is_that_of_the_nine_stages() -> None:
    log = read_job_log(traces() / "SDSC-SP2-10k.swf.gz")
    config = bundled_maui()
    rows: Rows = [
        (int(s), int(r), int(p), int(e), int(e), {"user": str(u), "group": "0", "queue": "0"})
        for s, r, p, e, u in zip(
            log.submit_s, log.run_s, log.processors, log.requested_s, log.user, strict=True
        )
    ]
    task, planned = task_of(128, rows)
    run = MauiRun(task, config, planned)
    run.advance()
    expected = maui_oracle.played(128, config, rows)
    assert run.records.start.tolist() == [job.start for job in expected]
    assert run.records.bypassed.tolist() == [job.bypassed for job in expected]

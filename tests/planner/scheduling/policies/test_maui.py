"""The Maui-like scheduler against the literal nine stages, worked examples and laws."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from planner.errors import PlanError
from planner.scheduling.policies import maui
from planner.scheduling.policies.maui import Maui, MauiRun, Overruns
from planner.scheduling.policies.maui_order import LONG_QUEUE
from planner.scheduling.policies.maui_state import NONE
from planner.scheduling.policies.problem import JobArrays, SchedulingProblem, Unavailable
from scenarios.job_logs.reader import read_job_log
from scenarios.maui.reader import bundled_maui
from scenarios.maui.settings import PARTIES, MauiConfiguration
from tests.planner.scheduling.policies import maui_oracle
from tests.shared_data import TRACES, needs_data
from tests.sizes import few

LOG = TRACES / "SDSC-SP2-10k.swf.gz"
LIMITS = ("max_jobs", "max_processors", "max_idle_jobs")
Rows = list[tuple[int, int, int, int, int, dict[str, str]]]


def configuration(**groups: Any) -> MauiConfiguration:
    return MauiConfiguration.model_validate({"name": "test", **groups})


def problem_of(machine: int, rows: Rows) -> tuple[SchedulingProblem, np.ndarray]:
    columns = np.array([row[:5] for row in rows], np.int64).reshape(-1, 5).T.copy()
    submit, run, processors, request, planned = columns
    codes: dict[str, np.ndarray] = {}
    names: dict[str, list[str]] = {}
    for kind in PARTIES:
        names[kind] = sorted({row[5][kind] for row in rows})
        codes[kind] = np.array([names[kind].index(row[5][kind]) for row in rows], np.int32)
    jobs = JobArrays(submit, run, processors, request)
    problem = SchedulingProblem(
        jobs, codes["user"], machine, group=codes["group"], queue=codes["queue"], names=names
    )
    return problem, planned


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

    def weight() -> float:
        return rng.choice([0, 0, 1, 2, 0.5, 64, -1])

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
    for throttle in throttles:
        if all(throttle[limit] is None for limit in LIMITS):
            throttle["max_jobs"] = 2
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
    for seed in range(few(120)):
        rng = random.Random(seed)
        machine = rng.randint(1, 12)
        config = drawn_configuration(rng, machine)
        rows = drawn_rows(rng, machine, exact=strategy == "exact")
        factor = float("inf") if strategy == "request" else 2.0
        overruns = Overruns("extend" if strategy == "extend" else "kill", factor)
        problem, planned = problem_of(machine, rows)
        run = MauiRun(problem, config, planned, overruns)
        run.advance()
        expected = maui_oracle.played(
            machine, config, rows, extends=strategy == "extend", factor=factor
        )
        records = run.records
        case = (seed, machine, config, rows)
        assert records.start.tolist() == [job.start for job in expected], case
        assert records.bypassed.tolist() == [job.bypassed for job in expected], case
        assert records.attempts.tolist() == [job.attempts for job in expected], case
        assert records.lost.tolist() == [job.lost for job in expected], case


def long_waits(rng: random.Random, machine: int) -> Rows:
    """Long jobs on most of the machine, and a queue behind them in which nothing happens."""
    party = {"user": "a", "group": "g", "queue": "1"}
    rows: Rows = []
    left = machine - rng.choice([1, 1, 2])
    while left > 0:
        wanted = rng.randint(1, left)
        run = rng.choice([700, 2000, 5000]) + rng.randint(0, 300)
        party = {"user": rng.choice("abcd"), "group": rng.choice("gh"), "queue": rng.choice("12")}
        rows.append((0, run, wanted, run + rng.choice([0, 0, 900]), run, party))
        left -= wanted
    for _ in range(rng.randint(3, 9)):
        run = rng.choice([100, 600, 3000]) + rng.randint(0, 300)
        wanted = rng.choice([1, 1, 2, rng.randint(1, machine), machine])
        party = {"user": rng.choice("abcd"), "group": rng.choice("gh"), "queue": rng.choice("12")}
        rows.append((rng.choice([1, 31, 95]), run, wanted, run + 900, run + 900, party))
    rows = [(s, r, p, e, e, party) for s, r, p, e, _, party in rows]
    return sorted(rows, key=lambda row: row[0])


def moving_order(rng: random.Random) -> MauiConfiguration:
    """Shares of the use that decide, so that the order changes with the time alone."""
    user, group, queue = rng.choice([(1, 0, 0), (1, 0, 0), (1, -1, 0), (2, 1, -1), (-1, 0, 2)])
    throttle = {"of": rng.choice(["user", "group"]), "max_jobs": rng.choice([1, 2])}
    return configuration(
        priority={
            "service": {
                "queue_time": 1.0,
                "expansion_factor": rng.choice([0, 0, 0, 64]),
                "bypass": rng.choice([0, 1, -1]),
            },
            "resource": {"processors": rng.choice([0, 4, 16])},
            "fairshare": {"weight": 128, "user": user, "group": group, "queue": queue},
        },
        fairshare={
            "windows": rng.choice([1, 2, 3]),
            "window_s": 30 * rng.choice([10, 40, 400]),
            "decay": rng.choice([1.0, 0.5, 0.25]),
        },
        backfill={
            "policy": rng.choice(["first-fit", "first-fit", "best-fit", "none"]),
            "depth": rng.choice([None, None, None, 2]),
            "reservations": rng.choice([1, 2, 2, 3]),
        },
        throttles=(throttle,) if rng.random() < 0.3 else (),
    )


def test_the_order_is_looked_at_again_when_time_alone_has_changed_it() -> None:
    # The last ones tell apart loops that forget later reservations, throttles or the decay.
    for seed in (*range(110), 594, 615, 653, 763, 1484):
        rng = random.Random(seed)
        machine = rng.randint(3, 10)
        config, rows = moving_order(rng), long_waits(rng, machine)
        expected = maui_oracle.played(machine, config, rows)
        assert starts(machine, rows, config) == [job.start for job in expected], (seed, rows)


def in_blocks(patch: pytest.MonkeyPatch, waiting: int, room: int) -> None:
    """Let the order of a queue be kept from this number of jobs on, in blocks of so many."""
    patch.setattr(maui, "LONG_QUEUE", waiting)
    patch.setattr(maui, "ROOM", room)


def keeping(config: MauiConfiguration) -> MauiConfiguration:
    """Return a configuration under which jobs of an account keep their order."""
    groups = config.model_dump()
    service, backfill = groups["priority"]["service"], groups["backfill"]
    service["bypass"], service["expansion_factor"] = abs(service["bypass"]), 0.0
    backfill["depth"], backfill["reservations"] = None, min(backfill["reservations"], 1)
    if backfill["policy"] == "best-fit":
        backfill["policy"] = "first-fit"
    return MauiConfiguration.model_validate(groups)


@pytest.mark.parametrize("strategy", ["kill", "extend"])
def test_in_a_kept_order_every_start_is_that_of_the_nine_stages(
    strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(few(60)):
        rng = random.Random(seed)
        machine = rng.randint(1, 12)
        config = keeping(drawn_configuration(rng, machine))
        rows = drawn_rows(rng, machine, exact=rng.random() < 0.5)
        in_blocks(monkeypatch, rng.choice([1, 1, 4]), rng.choice([2, 3, 4]))
        problem, planned = problem_of(machine, rows)
        run = MauiRun(
            problem, config, planned, Overruns("extend" if strategy == "extend" else "kill")
        )
        run.advance()
        expected = maui_oracle.played(machine, config, rows, extends=strategy == "extend")
        case = (seed, machine, config, rows)
        assert run.records.start.tolist() == [job.start for job in expected], case
        assert run.records.bypassed.tolist() == [job.bypassed for job in expected], case


def test_a_kept_order_is_looked_at_again_when_time_alone_has_changed_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for seed in range(few(60)):
        rng = random.Random(seed)
        machine = rng.randint(3, 10)
        config, rows = keeping(moving_order(rng)), long_waits(rng, machine)
        in_blocks(monkeypatch, 1, rng.choice([2, 3, 4]))
        expected = maui_oracle.played(machine, config, rows)
        assert starts(machine, rows, config) == [job.start for job in expected], (seed, rows)


@pytest.mark.parametrize(
    "groups",
    [
        {"priority": {"service": {"expansion_factor": 1.0}}},
        {"priority": {"service": {"bypass": -1.0}}},
        {"backfill": {"depth": 1}},
        {"backfill": {"reservations": 2}},
        {"backfill": {"policy": "best-fit"}},
    ],
)
def test_the_order_is_kept_under_no_other_weights_and_backfilling(groups: dict[str, Any]) -> None:
    problem, planned = problem_of(4, [job(0, 1, 4)])
    assert MauiRun(problem, bundled_maui(), planned).rules.long_queue == LONG_QUEUE
    assert MauiRun(problem, configuration(**groups), planned).rules.long_queue == NONE


def overload(rng: random.Random, machine: int) -> Rows:
    """More jobs than the machine can run in time; many of their priorities are near ties."""
    rows: Rows = []
    time, grain = rng.choice([0, 977, 12345678]), rng.choice([1, 30, 60, 60])
    users = rng.choice(["a", "ab", "abcdefgh"])
    for _ in range(rng.randint(20, 60)):
        run, wanted = rng.randint(0, 2000), rng.choice([1, 1, 2, machine // 2, machine])
        time += int(rng.random() * run * wanted / machine / 2) // grain * grain
        request = max(1, run + rng.choice([0, 0, 1, rng.randint(0, 4000)]))
        planned = rng.choice([request, request, rng.randint(1, request)])
        party = {"user": rng.choice(users), "group": rng.choice("gh"), "queue": "1"}
        rows.append((time, run, wanted, request, planned, party))
    return rows


def uneven_weights(rng: random.Random) -> MauiConfiguration:
    """Weights that doubles round, so that the time decides between jobs of nearly one priority."""
    return configuration(
        priority={
            "service": {
                "queue_time": rng.choice([0, 1, 1, 1, 0.1, 1 / 3, -0.5]),
                "bypass": rng.choice([0, 1, 1, 0.1, 1 / 3]),
            },
            "resource": {
                "processors": rng.choice([0, 1, 1, 0.1, -1]),
                "wall_time": rng.choice([0, 0, 1 / 60, -1 / 60]),
            },
            "fairshare": {
                "user": rng.choice([0, 10_000, 333.3]),
                "group": rng.choice([0, 0, 77.7]),
            },
        },
        fairshare={"window_s": rng.choice([300, 86_400]), "decay": 0.95, "user": {"b": 0.5}},
        backfill={"reservations": rng.choice([0, 1, 1, 1])},
        throttles=({"of": "user", "max_jobs": 3},) if rng.random() < 0.2 else (),
    )


def test_a_kept_order_and_a_sorted_queue_start_each_job_at_one_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for seed in range(few(80)):
        rng = random.Random(seed)
        machine = rng.choice([4, 16, 64])
        rows, config = overload(rng, machine), uneven_weights(rng)
        problem, planned = problem_of(machine, rows)
        runs = []
        for waiting, room in (
            (NONE, 2),
            (rng.choice([1, 1, 1, 20]), rng.choice([2, 3, 4, 16])),
        ):
            in_blocks(monkeypatch, waiting, room)
            run = MauiRun(problem, config, planned.copy())
            run.advance(rows[len(rows) // 2][0])
            run.advance()
            runs.append([column.tolist() for column in run.records])
        assert runs[0] == runs[1], (seed, rows, config)


def starts(machine: int, rows: Rows, config: MauiConfiguration) -> list[int]:
    result: list[int] = Maui(config).schedule(problem_of(machine, rows)[0]).start_s.tolist()
    return result


def job(
    submit: int, run: int, processors: int, request: int = 0, user: str = "a", queue: str = "1"
) -> tuple[int, int, int, int, int, dict[str, str]]:
    requested = max(request, run, 1)
    return (
        submit,
        run,
        processors,
        requested,
        requested,
        {"user": user, "group": "g", "queue": queue},
    )


BY_WAIT = {"service": {"queue_time": 1.0}}


def test_jobs_start_at_the_iteration_after_their_submission_and_end_to_the_second() -> None:
    rows = [job(0, 31, 4), job(1, 10, 4), job(30, 10, 4)]
    # Job 0 starts at 0 and ends at 31, which is seen at 60; job 1 ends at 70, seen at 90.
    assert starts(4, rows, configuration(priority=BY_WAIT)) == [0, 60, 90]
    assert starts(4, rows, configuration(iteration_s=1, priority=BY_WAIT)) == [0, 31, 41]


def test_preference_for_scale_reserves_for_the_larger_job() -> None:
    # At 90 s both wait; a processor is worth a minute, so the job of 3 comes before that of 1.
    rows = [job(0, 100, 4), job(10, 50, 1), job(20, 50, 3), job(20, 200, 2)]
    scale = configuration(priority=BY_WAIT | {"resource": {"processors": 1.0}})
    assert starts(4, rows, scale) == [0, 120, 120, 180]
    assert starts(4, rows, configuration(priority=BY_WAIT)) == [0, 120, 120, 180]
    rows = [job(0, 100, 4), job(10, 50, 2), job(20, 50, 3)]
    assert starts(4, rows, scale) == [0, 180, 120]
    assert starts(4, rows, configuration(priority=BY_WAIT)) == [0, 120, 180]


def test_fairshare_prefers_who_has_used_little_until_a_window_is_forgotten() -> None:
    fair = BY_WAIT | {"fairshare": {"user": 1000.0}}
    rows = [job(0, 60, 4, user="a"), job(10, 30, 4, user="a"), job(20, 30, 4, user="b")]
    one = configuration(priority=fair, fairshare={"windows": 2, "window_s": 6000, "decay": 0.5})
    assert starts(4, rows, one) == [0, 90, 60]
    # Two windows of 60 s later the first job is forgotten: the longer wait decides.
    late = [rows[0], job(200, 30, 4, user="a"), job(210, 30, 4, user="b")]
    late += [job(195, 20, 4, user="c")]
    late.sort(key=lambda row: row[0])
    short = configuration(priority=fair, fairshare={"windows": 2, "window_s": 60, "decay": 0.5})
    assert starts(4, late, one) == [0, 210, 270, 240]
    assert starts(4, late, short) == [0, 210, 240, 270]


def test_a_target_gives_a_user_a_share() -> None:
    fair = BY_WAIT | {"fairshare": {"user": 1000.0}}
    rows = [job(0, 60, 4, user="a"), job(0, 60, 4, user="b")]
    rows += [job(10, 30, 4, user="a"), job(20, 30, 4, user="b")]
    assert starts(4, rows, configuration(priority=fair, fairshare={"user": {"b": 0.9}})) == [
        60, 0, 150, 120,
    ]  # fmt: skip


def test_throttles_hold_a_user_to_its_jobs_and_others_pass() -> None:
    rows = [job(0, 100, 1), job(0, 100, 1), job(0, 100, 1, user="b"), job(0, 10, 1)]
    one = {"of": "user", "max_jobs": 1}
    started = starts(4, rows, configuration(priority=BY_WAIT, throttles=[one]))
    assert started == [0, 120, 0, 240]
    own = {"of": "user", "name": "a", "max_processors": 2}
    assert starts(4, rows, configuration(priority=BY_WAIT, throttles=[own])) == [0, 0, 0, 120]


def test_who_is_held_back_gains_no_queue_time() -> None:
    # Two jobs of a wait; with one considered at a time the third, of b, has waited longer than the
    # second of a, which is considered only when the first has started.
    rows = [job(0, 100, 4), job(1, 50, 4), job(2, 50, 4), job(31, 50, 4, user="b")]
    assert starts(4, rows, configuration(priority=BY_WAIT)) == [0, 120, 180, 240]
    held = configuration(priority=BY_WAIT, throttles=[{"of": "user", "max_idle_jobs": 1}])
    assert starts(4, rows, held) == [0, 120, 240, 180]


def test_best_fit_fills_the_gap_with_the_larger_job() -> None:
    rows = [job(0, 300, 2), job(0, 300, 4), job(1, 30, 1), job(2, 30, 2)]
    assert starts(4, rows, configuration(priority=BY_WAIT)) == [0, 300, 30, 60]
    best = configuration(priority=BY_WAIT, backfill={"policy": "best-fit"})
    assert starts(4, rows, best) == [0, 300, 60, 30]
    nobody = configuration(priority=BY_WAIT, backfill={"policy": "none"})
    assert starts(4, rows, nobody) == [0, 300, 600, 600]


def test_who_waits_counts_who_overtook_it() -> None:
    rows = [job(0, 300, 3), job(0, 300, 4), job(0, 30, 4), job(1, 30, 1), job(1, 30, 1)]
    run = MauiRun(*_with_plans(4, rows, configuration(priority=BY_WAIT)))
    run.advance()
    assert run.records.start.tolist() == [0, 300, 600, 30, 60]
    assert run.records.bypassed.tolist() == [0, 2, 2, 0, 0]


def test_a_job_that_was_overtaken_moves_up() -> None:
    # Jobs 1 and 3 want all; at 30 only job 2 overtakes job 1. At 330 job 3, which came later, has a
    # processor more; a bypass is worth two.
    rows = [job(0, 300, 4), job(0, 300, 4), job(1, 30, 1), job(200, 30, 5)]
    size = {"resource": {"processors": 1.0}}
    assert starts(5, rows, configuration(priority=size)) == [0, 330, 30, 300]
    bypass = size | {"service": {"bypass": 2.0}}
    assert starts(5, rows, configuration(priority=bypass)) == [0, 300, 30, 600]


def _with_plans(
    machine: int, rows: Rows, config: MauiConfiguration
) -> tuple[SchedulingProblem, MauiConfiguration, np.ndarray]:
    problem, planned = problem_of(machine, rows)
    return problem, config, planned


def test_a_killed_job_is_submitted_again_with_twice_the_estimate() -> None:
    submit, run, processors, request, party = 0, 100, 4, 1000, job(0, 1, 1)[5]
    rows = [(submit, run, processors, request, 40, party)]
    played = MauiRun(*_with_plans(4, rows, configuration()))
    played.advance()
    # Killed at 40; submitted again, read at 90; killed at 170; read at 210 with 160 s: enough.
    assert played.records.start.tolist() == [210]
    assert played.records.attempts.tolist() == [2]
    assert played.records.lost.tolist() == [40 + 80]
    longer = MauiRun(*_with_plans(4, rows, configuration()), Overruns("extend"))
    longer.advance()
    assert longer.records.start.tolist() == [0]
    assert longer.records.planned.tolist() == [40 + 60]


def test_an_estimate_grows_by_a_second_at_least_when_a_job_is_killed() -> None:
    # 1, 2, 3 and 4 s: times 1.25, in whole seconds, these stay what they are.
    rows = [(0, 4, 4, 100, 1, job(0, 1, 1)[5])]
    played = MauiRun(*_with_plans(4, rows, configuration()), Overruns("kill", 1.25))
    played.advance()
    assert played.records.start.tolist() == [180]
    assert played.records.attempts.tolist() == [3]
    assert played.records.lost.tolist() == [1 + 2 + 3]
    assert played.records.planned.tolist() == [4]


def test_a_start_that_changes_the_order_is_followed_by_another_look() -> None:
    # By estimates 500, 400, 200, 150 s jobs 1, 4, 3, 2. At 30 job 3 overtakes jobs 1 and 4, which
    # fall behind job 2: until 300 it leaves a processor to job 4, which job 1 did not.
    rows = [job(0, 300, 2), job(1, 500, 4), job(1, 150, 3), job(1, 200, 1), job(1, 400, 1)]
    loses = {"resource": {"wall_time": 1.0}, "service": {"bypass": -1000.0}}
    assert starts(4, rows, configuration(priority=loses))[3:] == [30, 60]


def test_a_job_that_has_been_read_keeps_its_estimate() -> None:
    run = MauiRun(*_with_plans(4, [job(0, 100, 4), job(200, 10, 4)], configuration()))
    run.advance(60)
    run.plan_with(np.array([1]), np.array([7]))
    with pytest.raises(PlanError, match="cannot change after submission"):
        run.plan_with(np.array([0]), np.array([7]))


def test_what_the_loop_cannot_do_is_refused() -> None:
    problem, _ = problem_of(4, [job(0, 1, 4)])
    with pytest.raises(PlanError, match="does not plan around outages"):
        Maui(configuration()).schedule(replace(problem, unavailable=(Unavailable(0, 9, 1),)))
    with pytest.raises(PlanError, match="does not plan with predictions"):
        Maui(configuration()).schedule(replace(problem, predicts=True))
    tight = configuration(throttles=[{"of": "queue", "name": "1", "max_processors": 3}])
    with pytest.raises(PlanError, match=r"1 job would never run: .* the first 3 of 4"):
        Maui(tight).schedule(problem)


@pytest.mark.parametrize("windows", [1, 3])
def test_the_time_of_the_log_s_zero_does_not_matter_in_whole_windows(windows: int) -> None:
    for seed in range(few(20)):
        rng = random.Random(seed)
        rows = drawn_rows(rng, 8, exact=True)
        groups: dict[str, Any] = {"service": {"queue_time": 1.0}, "fairshare": {"user": 64.0}}
        fairshare = {"windows": windows, "window_s": 600, "decay": 0.5}
        config = configuration(priority=groups, fairshare=fairshare)
        shift = 600 * rng.randint(1, 10**6)
        moved = [(row[0] + shift, *row[1:]) for row in rows]
        assert starts(8, moved, config) == [start + shift for start in starts(8, rows, config)]


@pytest.mark.slow
@needs_data
def test_on_a_real_log_every_start_is_that_of_the_nine_stages() -> None:
    log = read_job_log(LOG)
    config = bundled_maui()
    rows: Rows = [
        (int(s), int(r), int(p), int(e), int(e), {"user": str(u), "group": "0", "queue": "0"})
        for s, r, p, e, u in zip(
            log.submit_s, log.run_s, log.processors, log.requested_s, log.user, strict=True
        )
    ]
    problem, planned = problem_of(128, rows)
    run = MauiRun(problem, config, planned)
    run.advance()
    expected = maui_oracle.played(128, config, rows)
    assert run.records.start.tolist() == [job.start for job in expected]
    assert run.records.bypassed.tolist() == [job.bypassed for job in expected]

"""The live program from settings to the log. Mechanics only: nothing here is about accuracy."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from planner.errors import InputError
from planner.pricing.accounts.ledger import credit, open_account
from planner.pricing.accounts.schema import LogSettings, create, opened
from planner.pricing.controller import Controller, Round
from planner.pricing.live import linux
from planner.pricing.live.guard import Guard
from planner.pricing.live.linux import LinuxMachine, Target
from planner.pricing.live.run import LiveJob, LiveResult, LiveSettings, run_live
from planner.pricing.overhead import Shutter
from planner.pricing.replay import replay
from tests.planner.pricing.live.measuring import Clock, job
from tests.planner.pricing.live.test_watchdog import FOREVER_S, PATIENCE_S, state, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the live program needs Linux")
ROOT = Path(__file__).parents[4]
WORKER = Path(__file__).with_name("worker.py")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    connection = create(tmp_path / "log.db", LogSettings(raw=True))
    open_account(connection, "ann")
    credit(connection, "first", "ann", 1000)
    connection.close()
    return tmp_path / "log.db"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linux, "PmuCounters", Clock)


@pytest.fixture
def sleepers() -> Iterator[list[subprocess.Popen[bytes]]]:
    children = [subprocess.Popen(["sleep", "600"]) for _ in range(3)]
    yield children
    for child in children:
        child.kill()
        child.wait()


def run(
    log: Path, jobs: Sequence[LiveJob], run_s: float = PATIENCE_S, **changed: Any
) -> LiveResult:
    shutter = Shutter(1_000, 5_000)
    return run_live(LiveSettings(log, tuple(jobs), run_s, shutter, cores=4, **changed))


def at_round(monkeypatch: pytest.MonkeyPatch, events: dict[int, Callable[[], None]]) -> None:
    """Have things happen after the Controller has looked a number of times."""
    looks, step = itertools.count(1), Controller.step

    def stepped(self: Controller) -> Round | None:
        measured = step(self)
        events.get(next(looks), lambda: None)()
        return measured

    monkeypatch.setattr(Controller, "step", stepped)


@pytest.mark.usefixtures("counted")
def test_jobs_are_paused_measured_priced_and_none_stays_paused(
    log: Path, sleepers: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [LiveJob(job(f"j{k}"), Target((sleepers[k].pid,))) for k in range(2)]
    at_round(monkeypatch, {6: sleepers[0].kill, 8: sleepers[1].kill})
    result = run(log, jobs, placebo_every=4)
    assert result.stopped_by == "jobs ended"
    assert result.ended == ("j0", "j1")
    assert result.booked == 2
    assert result.rounds > 4
    assert 0 < result.longest_pause_us < 1e6 * result.watchdog_s
    assert result.counters == {"j0": "time", "j1": "time"}
    assert state(sleepers[2].pid) == "S"
    found = replay(log)
    assert found.matches
    assert found.unbooked == 0
    assert found.raw_rounds > 0


@pytest.mark.usefixtures("counted")
def test_the_program_ends_at_its_hard_end_and_jobs_run_on(
    log: Path, sleepers: list[subprocess.Popen[bytes]]
) -> None:
    jobs = [LiveJob(job(f"j{k}"), Target((sleepers[k].pid,))) for k in range(2)]
    result = run(log, jobs, run_s=1.0)
    assert result.stopped_by == "hard end"
    assert result.running == ("j0", "j1")
    assert [state(sleepers[k].pid) for k in range(2)] == ["S", "S"]
    assert replay(log).running == 2
    again = run(log, jobs, run_s=1.0)  # goes on with the same jobs in the log
    assert again.running == ("j0", "j1")
    assert not again.refusals


@pytest.mark.usefixtures("counted")
def test_a_started_again_program_ends_and_books_jobs_that_have_gone(
    log: Path, sleepers: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [LiveJob(job(f"j{k}"), Target((sleepers[k].pid,))) for k in range(2)]
    at_round(monkeypatch, {4: lambda: os.kill(os.getpid(), signal.SIGTERM)})
    assert run(log, jobs).running == ("j0", "j1")
    sleepers[0].kill()
    sleepers[0].wait()
    at_round(monkeypatch, {4: sleepers[1].kill})
    result = run(log, jobs)
    assert result.ended == ("j0", "j1")
    assert result.booked == 2
    assert "has ended" in result.refusals[0].reason
    assert replay(log).counts["ends_lost"] == 1


@pytest.mark.usefixtures("counted")
def test_a_signal_ends_the_program_after_its_round(
    log: Path, sleepers: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [LiveJob(job(f"j{k}"), Target((sleepers[k].pid,))) for k in range(2)]
    at_round(monkeypatch, {5: lambda: os.kill(os.getpid(), signal.SIGTERM)})
    before = signal.getsignal(signal.SIGTERM)
    assert run(log, jobs).stopped_by == "signal"
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.usefixtures("counted")
def test_commands_are_started_from_the_queue_as_there_is_room(log: Path) -> None:
    jobs = [LiveJob(job(f"j{k}", "sleep", "0.1", cores=2)) for k in range(3)]
    result = run(log, jobs)
    assert sorted(result.ended) == ["j0", "j1", "j2"]
    assert replay(log).matches


@pytest.mark.usefixtures("counted")
def test_jobs_that_cannot_be_measured_are_refused_and_the_others_run(
    log: Path, sleepers: list[subprocess.Popen[bytes]]
) -> None:
    jobs = [
        LiveJob(job("nobody's", user="eve"), Target((sleepers[0].pid,))),
        LiveJob(job("mine"), Target((os.getpid(),))),
        LiveJob(job("nothing")),
        LiveJob(job("missing", "/no/such/program")),
        LiveJob(job("good", "sleep", "0.1")),
    ]
    result = run(log, jobs)
    assert {refusal.job.name for refusal in result.refusals} == {
        "nobody's", "mine", "nothing", "missing",
    }  # fmt: skip
    assert result.ended == ("good",)
    found = replay(log)
    assert [priced.name for priced in found.jobs] == ["good"]
    assert found.running == 0


@pytest.mark.usefixtures("counted")
def test_a_job_that_ends_while_paused_is_counted_and_breaks_nothing(
    sleepers: list[subprocess.Popen[bytes]],
) -> None:
    guard = Guard(FOREVER_S, time.monotonic() + FOREVER_S)
    targets = {f"j{k}": Target((sleepers[k].pid,)) for k in range(2)}
    machine = LinuxMachine(guard, targets)
    numbers = [machine.launch(job(name)) for name in targets]
    machine.pause(numbers[0])
    wait_until(lambda: state(sleepers[0].pid) == "T")
    sleepers[0].kill()
    wait_until(lambda: machine.finished(numbers[0]))
    assert np.isnan(machine.read()[0][0])
    machine.resume(numbers[0])
    assert machine.exited_while_paused == 1
    assert not machine.finished(numbers[1])
    machine.close()


@pytest.mark.usefixtures("counted")
def test_windows_are_missing_once_the_watchdog_may_have_resumed_a_job(
    sleepers: list[subprocess.Popen[bytes]],
) -> None:
    guard = Guard(0.05, time.monotonic() + FOREVER_S)
    machine = LinuxMachine(guard, {"j": Target((sleepers[0].pid,))})
    number = machine.launch(job("j"))
    first, second = machine.read()
    assert first[0] == second[0]
    machine.pause(number)
    wait_until(lambda: state(sleepers[0].pid) == "S")  # the watchdog has resumed it
    machine.sleep_us(60_000)
    assert np.isnan(machine.read()[0][0])
    machine.resume(number)
    assert machine.overlong_pauses == 1
    machine.close()


def test_a_progress_counter_is_measured_where_there_is_no_pmu(log: Path, tmp_path: Path) -> None:
    """The whole way with two jobs that compute and count: what is read, not what it is worth."""
    files = [tmp_path / f"progress{k}" for k in range(2)]
    workers = [subprocess.Popen([sys.executable, WORKER, path, "5"]) for path in files]
    wait_until(lambda: all(path.exists() and any(path.read_bytes()) for path in files))
    jobs = [
        LiveJob(job(f"j{k}"), Target((worker.pid,), progress=path))
        for k, (worker, path) in enumerate(zip(workers, files, strict=True))
    ]
    result = run(log, jobs)
    for worker in workers:
        worker.wait()
    assert sorted(result.ended) == ["j0", "j1"]
    assert all("progress counter" in meaning for meaning in result.counters.values())
    assert replay(log).matches


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"run_s": 0}, "hard end"),
        ({"run_s": float("inf")}, "hard end"),
        ({"watchdog_s": 0.0005}, "one pause takes 0.001 s"),
        ({"watchdog_s": 1e9}, "at most 60 s"),
        ({"placebo_every": 1}, "every other round"),
        ({"flush_s": -1}, "after every round"),
        ({"policy": "popa"}, "'poppa'"),
    ],
)
def test_settings_that_could_leave_jobs_paused_are_refused(
    log: Path, changed: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        run(log, [], **changed)


def test_the_log_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        run(tmp_path / "none.db", [])


def assert_kills_leave_all_running(
    kills: int, log: Path, sleepers: list[subprocess.Popen[bytes]], seed: int
) -> None:
    """Kill the program at random moments of its rounds; it goes on with the same log each time."""
    rng = np.random.default_rng(seed)
    pids = [str(child.pid) for child in sleepers[:2]]
    command = [sys.executable, "-m", f"{__package__}.measuring", str(log), *pids]
    for _ in range(kills):
        before = measured_blocks(log)
        with subprocess.Popen(command, cwd=ROOT) as program:
            wait_until(lambda before=before: measured_blocks(log) > before)  # type: ignore[misc]
            time.sleep(rng.uniform(0, 0.1))
            program.kill()
        wait_until(lambda: [state(int(pid)) for pid in pids] == ["S", "S"])
        assert replay(log).matches
    for child in sleepers[:2]:
        assert state(child.pid) == "S"


def measured_blocks(log: Path) -> int:
    with contextlib.closing(opened(log, write=False)) as connection:
        (result,) = connection.execute("SELECT sum(shutter_all_count) FROM totals").fetchone()
    return int(result or 0)


def test_a_killed_program_leaves_all_running_and_a_log_that_goes_on(
    log: Path, sleepers: list[subprocess.Popen[bytes]]
) -> None:
    assert_kills_leave_all_running(2, log, sleepers, seed=1)


@pytest.mark.release
def test_forty_kills_of_the_program_leave_all_running(
    log: Path, sleepers: list[subprocess.Popen[bytes]]
) -> None:
    assert_kills_leave_all_running(40, log, sleepers, seed=2)

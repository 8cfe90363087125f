"""Whoever is interrupted, ended or killed leaves no solver and no file behind."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from solvers import SolverError, Status, Stop, solve
from solvers.backends import cbc
from solvers.backends.protocol import Claim, Limits
from solvers.certify import ask_backend
from solvers.process import client
from solvers.process.client import WORKER, Worker
from solvers.process.worker import serve
from tests.solvers.hard_models import market_split
from tests.solvers.test_battery import knapsack

needs_ps = pytest.mark.skipif(shutil.which("ps") is None, reason="needs ps to list processes")
ROOT = Path(__file__).parent.parent.parent
PATIENCE_S = 20.0
SWEPT_S = 5.0
SCRIPT = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from solvers import solve
from tests.solvers.hard_models import market_split
solve(market_split(), solver=sys.argv[1], proof="never")
"""


def processes() -> dict[int, tuple[int, str]]:
    """Process -> (parent, command) of everything that lives (zombies are dead)."""
    listing = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,args="],
        capture_output=True,
        text=True,
        check=True,
    )
    result = {}
    for line in listing.stdout.splitlines():
        pid, parent, state, *command = line.split(None, 3)
        if not state.startswith("Z"):
            result[int(pid)] = int(parent), " ".join(command)
    return result


def offspring(root: int) -> dict[int, str]:
    """Every living descendant of a process with its command."""
    every, result, frontier = processes(), dict[int, str](), {root}
    while frontier:
        frontier = {pid for pid, (parent, _) in every.items() if parent in frontier}
        result |= {pid: every[pid][1] for pid in frontier}
    return result


def wait_until(condition: Callable[[], object], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def is_at_work(root: int, solver: str) -> bool:
    """Whether the worker runs and, for CBC, its own process too."""
    commands = list(offspring(root).values())
    if solver == "cbc":
        return any("model.mps" in command for command in commands)
    return any("solvers.process.worker" in command for command in commands)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    assert not list(tmp_path.glob("headroom-*"))


@needs_ps
@pytest.mark.parametrize("solver", ["cbc", "highs"])
@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signal_leaves_no_solver_and_no_folder(
    solver: str, blow: signal.Signals, folder: Path
) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, solver],
        env=os.environ | {"TMPDIR": str(folder)},
        stderr=subprocess.DEVNULL,
    )
    try:
        assert wait_until(lambda: is_at_work(parent.pid, solver), PATIENCE_S)
        if solver == "cbc":
            assert list(folder.glob("headroom-*"))
        time.sleep(0.3)  # let HiGHS get past loading
        family = offspring(parent.pid)
        parent.send_signal(blow)
        assert wait_until(lambda: parent.poll() is not None, SWEPT_S)
        assert wait_until(lambda: not family.keys() & processes().keys(), SWEPT_S)
        assert wait_until(lambda: not list(folder.glob("headroom-*")), SWEPT_S)
        assert parent.returncode != 0
    finally:
        parent.kill()
        parent.wait()


@needs_ps
@pytest.mark.parametrize("solver", ["cbc", "highs"])
def test_killed_worker_is_an_error_and_the_next_solve_works(solver: str) -> None:
    solve(knapsack())  # starts the worker
    process = WORKER._process
    assert process is not None
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(ask_backend, solver, market_split(), Limits(), None)
        if solver == "cbc":
            assert wait_until(lambda: is_at_work(process.pid, "cbc"), PATIENCE_S)
        time.sleep(0.3)
        family = offspring(process.pid)
        process.kill()
        claim = future.result()
    assert (claim.status, claim.stop, claim.x) == (Status.UNKNOWN, Stop.ERROR, None)
    assert "died" in claim.message
    assert wait_until(lambda: not family.keys() & processes().keys(), SWEPT_S)
    assert solve(knapsack(), solver=solver).objective == 20.0


def test_failed_request_is_an_error_and_the_worker_lives_on() -> None:
    worker = Worker()
    try:
        with pytest.raises(SolverError, match="KeyError"):
            worker.ask("run", 99, Limits(), None)
        first = worker._process
        assert worker.ask("solve", "highs", knapsack(), Limits(), None).status is Status.OPTIMAL
        assert worker._process is first
    finally:
        worker.close()
    assert not worker.alive()


def test_worker_that_ignores_its_limit_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "GRACE_S", 0.3)
    worker = Worker()
    try:
        with pytest.raises(TimeoutError, match="did not answer"):
            worker.ask("solve", "cbc", market_split(), Limits(), None, time_limit_s=0.4)
        assert not worker.alive()
    finally:
        worker.close()


def test_cbc_that_overruns_its_limit_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cbc, "OVERTIME", 0.0)
    _, ended = cbc._run(["sleep", "600"], tmp_path, 0.1)
    assert "overran" in ended
    assert not cbc._RUNNING


def test_cbc_that_crashes_is_an_error(tmp_path: Path) -> None:
    assert cbc._run(["sh", "-c", "exit 3"], tmp_path, None)[1] == "CBC ended with code 3"
    assert "signal 9" in cbc._run(["sh", "-c", "kill -9 $$"], tmp_path, None)[1]


def test_verdict_past_the_time_limit_is_not_a_verdict() -> None:
    infeasible = Claim(Status.INFEASIBLE, Stop.FINISHED, "CBC")
    late = cbc._without_late_verdict(infeasible)
    assert (late.status, late.stop) == (Status.UNKNOWN, Stop.TIME)
    optimal = Claim(Status.OPTIMAL, Stop.FINISHED, "CBC")
    assert cbc._without_late_verdict(optimal) is optimal


def test_threads_share_one_worker_without_mixing_answers() -> None:
    def value(constant: float) -> float | None:
        solver = "cbc" if constant % 2 else "highs"
        return solve(knapsack(constant=constant), solver=solver).objective

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(value, map(float, range(24)))) == [20.0 + c for c in range(24)]


FORKED = f"""
import os, sys, threading, time
sys.path.insert(0, {str(ROOT)!r})
from solvers import Session, solve
from tests.solvers.hard_models import market_split
from tests.solvers.test_battery import knapsack
with Session(knapsack()) as session:
    print(session.solve().objective, flush=True)
    busy = threading.Thread(
        target=solve, args=(market_split(),), kwargs={{"time_limit_s": 2, "proof": "never"}}
    )
    busy.start()
    time.sleep(0.5)
    child = os.fork()  # while the other thread holds the worker
    if child == 0:
        print(solve(knapsack(), solver="both").objective, flush=True)
        session.change_costs([0], 99.0)
        print(session.solve().objective, flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    busy.join()
    print(session.solve().objective, flush=True)
"""


def test_forked_process_gets_a_worker_of_its_own() -> None:
    run = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKED],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    # with item 0 worth 99: it and item 2 (weights 3 + 2), 106
    assert run.stdout.split() == ["20.0", "20.0", "106.0", "20.0"], run.stderr
    assert run.returncode == 0


@pytest.mark.parametrize("solver", ["cbc", "highs"])
def test_module_in_the_current_folder_is_not_imported_by_the_worker(
    solver: str, tmp_path: Path
) -> None:
    for name in ("numpy", "highspy", "pulp", "solvers"):
        trap = f"open({str(tmp_path / 'sprung')!r}, 'w').close()\nraise SystemExit(9)\n"
        (tmp_path / f"{name}.py").write_text(trap)
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from solvers import solve\n"
        "from tests.solvers.test_battery import knapsack\n"
        "print(solve(knapsack(), solver=sys.argv[1]).objective)\n"
    )
    run = subprocess.run(
        [sys.executable, "-P", "-c", script, solver],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.stdout.strip() == "20.0", run.stderr
    assert not (tmp_path / "sprung").exists()


def test_interrupt_in_a_thread_free_process_ends_the_worker() -> None:
    worker = Worker()
    timer = threading.Timer(0.7, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            worker.ask("solve", "cbc", market_split(), Limits(), None)
        assert not worker.alive()
    finally:
        timer.join()
        worker.close()


def test_a_worker_ends_quietly_when_its_parent_dies_with_an_answer_unread() -> None:
    ours, theirs = multiprocessing.Pipe()
    working = threading.Thread(target=serve, args=(theirs,))
    working.start()
    ours.send(("solve", (), None))  # without its arguments: answered with a failure
    assert ours.poll(PATIENCE_S)
    ours.close()  # with data unread the other end is reset, not closed
    working.join(PATIENCE_S)
    assert not working.is_alive()

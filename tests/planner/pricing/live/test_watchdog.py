"""Whatever happens to the live program, what it paused continues. Mechanics only."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.pricing.live import watchdog
from planner.pricing.live.guard import Guard
from planner.pricing.live.pausing import CgroupPauser, SignalPauser
from planner.pricing.live.processes import Process, facts_of

ROOT = Path(__file__).parents[4]
PATIENCE_S = 60.0
FOREVER_S = 600.0

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the live program needs Linux")


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "600"]) as child:
        yield child
        child.kill()


def state(pid: int) -> str:
    facts = facts_of(pid)
    return facts.state if facts else "gone"


def wait_until(happens: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not happens():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.01)


@contextlib.contextmanager
def pausing(pid: int, limit_s: float, run_s: float = FOREVER_S) -> Iterator[tuple[int, int]]:
    """A program that has paused a process: its pid and that of its watchdog."""
    command = [sys.executable, "-m", f"{__package__}.paused", str(pid), str(limit_s), str(run_s)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        guard = int(program.stdout.readline())
        try:
            yield program.pid, guard
        finally:
            program.kill()


def test_kill_9_of_the_program_resumes_what_it_paused(sleeper: subprocess.Popen[bytes]) -> None:
    with pausing(sleeper.pid, FOREVER_S) as (program, guard):
        wait_until(lambda: state(sleeper.pid) == "T")
        os.kill(program, signal.SIGKILL)
        wait_until(lambda: state(sleeper.pid) == "S")
        wait_until(lambda: state(guard) in {"gone", "Z"})


def test_a_program_that_hangs_does_not_keep_a_job_paused(sleeper: subprocess.Popen[bytes]) -> None:
    with pausing(sleeper.pid, 0.2) as (program, _):
        os.kill(program, signal.SIGSTOP)
        wait_until(lambda: state(sleeper.pid) == "S")
        os.kill(sleeper.pid, signal.SIGSTOP)  # a signal that the program sent late
        wait_until(lambda: state(sleeper.pid) == "S")


def test_signals_that_end_programs_do_not_end_the_watchdog(
    sleeper: subprocess.Popen[bytes],
) -> None:
    with pausing(sleeper.pid, FOREVER_S) as (program, guard):
        wait_until(lambda: state(sleeper.pid) == "T")
        for name in watchdog.IGNORED:
            os.kill(guard, getattr(signal, name))
        os.kill(program, signal.SIGKILL)
        wait_until(lambda: state(sleeper.pid) == "S")


def test_after_the_hard_end_the_watchdog_ends_a_program_that_does_not(
    sleeper: subprocess.Popen[bytes],
) -> None:
    with pausing(sleeper.pid, FOREVER_S, run_s=3.0) as (program, _):
        wait_until(lambda: state(sleeper.pid) == "S")
        wait_until(lambda: state(program) in {"gone", "Z"})


def test_without_its_watchdog_the_program_pauses_nobody(sleeper: subprocess.Popen[bytes]) -> None:
    guard = Guard(1.0, time.monotonic() + FOREVER_S)
    os.kill(guard.pid, signal.SIGKILL)
    wait_until(lambda: state(guard.pid) == "Z")
    with pytest.raises(InputError, match="no job is paused without it"):
        guard.pausing()
    guard.close()


def test_a_clean_end_leaves_alone_what_somebody_else_stopped(
    sleeper: subprocess.Popen[bytes],
) -> None:
    pauser = SignalPauser([Process(sleeper.pid)])
    guard = Guard(FOREVER_S, time.monotonic() + FOREVER_S)
    guard.watch(pauser.targets())
    guard.pausing()
    pauser.pause()
    pauser.resume()
    guard.resumed()
    os.kill(sleeper.pid, signal.SIGSTOP)
    wait_until(lambda: state(sleeper.pid) == "T")
    pauser.pause()  # it is stopped already: not ours to resume
    pauser.resume()
    guard.close()
    assert state(sleeper.pid) == "T"


def test_a_reused_pid_is_never_resumed(sleeper: subprocess.Popen[bytes]) -> None:
    os.kill(sleeper.pid, signal.SIGSTOP)
    wait_until(lambda: state(sleeper.pid) == "T")
    facts = facts_of(sleeper.pid)
    assert facts is not None
    watchdog.resume({"pid": sleeper.pid, "start": facts.start - 1})  # the one that had it before
    assert state(sleeper.pid) == "T"
    watchdog.resume({"pid": sleeper.pid, "start": facts.start})
    wait_until(lambda: state(sleeper.pid) == "S")


def test_a_frozen_cgroup_is_thawed(tmp_path: Path) -> None:
    (tmp_path / "cgroup.freeze").write_text("0\n")
    (tmp_path / "cgroup.procs").write_text("1\n")
    pauser = CgroupPauser(tmp_path)
    pauser.pause()
    assert (tmp_path / "cgroup.freeze").read_text() == "1"
    with pytest.raises(InputError, match="is frozen already"):
        CgroupPauser(tmp_path)
    for target in pauser.targets():
        watchdog.resume(target)
    assert (tmp_path / "cgroup.freeze").read_text() == "0"


def test_a_cgroup_that_cannot_be_frozen_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no cgroup\.freeze"):
        CgroupPauser(tmp_path)
    (tmp_path / "cgroup.freeze").write_text("0")
    (tmp_path / "cgroup.procs").write_text(f"{os.getpid()}\n")
    with pytest.raises(InputError, match="holds this program"):
        CgroupPauser(tmp_path)


def test_a_cgroup_that_is_gone_has_nothing_to_pause(tmp_path: Path) -> None:
    folder = tmp_path / "job"
    folder.mkdir()
    (folder / "cgroup.freeze").write_text("0")
    pauser = CgroupPauser(folder)
    (folder / "cgroup.freeze").unlink()
    folder.rmdir()
    pauser.pause()
    pauser.resume()

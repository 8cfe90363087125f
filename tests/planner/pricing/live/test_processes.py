"""Which processes the live program may pause, and which it refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.pricing.live.counters import PmuCounters, ProgressCounters
from planner.pricing.live.linux import refuse_real_time
from planner.pricing.live.perf import TASK_CLOCK, opened, threads_of
from planner.pricing.live.processes import Process, ancestors, facts_of
from tests.planner.pricing.live.test_watchdog import state, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the live program needs Linux")
NOBODY = 65534


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "600"]) as child:
        yield child
        child.kill()


def test_a_process_is_known_by_its_start_and_seen_to_end(sleeper: subprocess.Popen[bytes]) -> None:
    process = Process(sleeper.pid)
    assert not process.exited()
    sleeper.kill()
    wait_until(process.exited)  # it is not yet collected
    sleeper.wait()
    assert not process.signal(signal.SIGCONT)
    process.close()


def test_a_process_that_ends_while_paused_is_no_error(sleeper: subprocess.Popen[bytes]) -> None:
    process = Process(sleeper.pid)
    process.signal(signal.SIGSTOP)
    wait_until(process.stopped)
    sleeper.kill()
    sleeper.wait()
    assert not process.stopped()
    assert not process.signal(signal.SIGCONT)
    process.close()


def test_without_pidfds_a_reused_pid_gets_no_signal(
    sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    process = Process(sleeper.pid)
    assert process.signal(signal.SIGSTOP)
    wait_until(process.stopped)
    process.start -= 1
    assert not process.signal(signal.SIGCONT)
    assert state(sleeper.pid) == "T"
    assert process.exited()


@pytest.mark.parametrize(
    ("pid", "message"),
    [
        (os.getpid(), "this program or one that started it"),
        (os.getppid(), "this program or one that started it"),
        (2**22 + 1, "does not exist"),
        (-1, "does not exist"),
        (0, "does not exist"),
    ],
    ids=["own", "parent", "none", "negative", "zero"],
)
def test_pids_that_must_not_be_paused_are_refused(pid: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Process(pid)


def test_the_system_is_refused() -> None:
    message = "belongs to the system" if os.getuid() == 0 else "not to you"
    with pytest.raises(InputError, match=message):
        Process(1)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start a process of somebody else")
def test_a_process_of_somebody_else_is_refused() -> None:
    with subprocess.Popen(["sleep", "600"], user=NOBODY) as child:
        wait_until(lambda: state(child.pid) == "S")
        with pytest.raises(InputError, match=f"belongs to user {NOBODY}"):
            Process(child.pid)
        child.kill()


def test_a_stopped_process_is_refused(sleeper: subprocess.Popen[bytes]) -> None:
    os.kill(sleeper.pid, signal.SIGSTOP)
    wait_until(lambda: state(sleeper.pid) == "T")
    with pytest.raises(InputError, match=f"kill -CONT {sleeper.pid}"):
        Process(sleeper.pid)


def test_an_ended_process_is_refused(sleeper: subprocess.Popen[bytes]) -> None:
    sleeper.kill()
    wait_until(lambda: state(sleeper.pid) == "Z")
    with pytest.raises(InputError, match="has ended"):
        Process(sleeper.pid)


def test_a_real_time_program_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_real_time()
    for policy in (os.SCHED_FIFO, os.SCHED_RR | os.SCHED_RESET_ON_FORK, 6):
        monkeypatch.setattr(os, "sched_getscheduler", lambda _pid, policy=policy: policy)
        with pytest.raises(InputError, match="real-time"):
            refuse_real_time()


def test_a_name_with_brackets_and_blanks_is_read(tmp_path: Path) -> None:
    link = tmp_path / "a) R (b"
    link.symlink_to("/bin/sleep")
    with subprocess.Popen([link, "600"]) as child:
        facts = facts_of(child.pid)
        assert facts is not None
        assert facts.parent == os.getpid()
        child.kill()


def test_this_program_descends_from_itself_and_its_parents() -> None:
    assert {os.getpid(), os.getppid(), 1} <= ancestors(os.getpid()) | {1}


def test_task_clock_counts_time_on_a_core() -> None:
    counter = opened(TASK_CLOCK, [os.getpid()])
    if counter is None:
        pytest.skip("this machine counts no task-clock for this user")
    first = counter.read()
    sum(range(100_000))
    assert counter.read() > first
    counter.close()


def test_an_ended_process_has_no_threads() -> None:
    assert threads_of(2**22 + 1) == []


def test_without_a_pmu_the_error_names_the_progress_counter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("planner.pricing.live.perf.opened", lambda _event, _pids: None)
    with pytest.raises(InputError, match="give each job a progress counter"):
        PmuCounters([os.getpid()])


def test_a_progress_counter_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    short = tmp_path / "short"
    short.write_bytes(bytes(4))
    still = tmp_path / "still"
    still.write_bytes(bytes(8))
    cases = {tmp_path / "none": "cannot be read", short: "4 bytes", tmp_path: "not a regular file"}
    for path, message in cases.items():
        with pytest.raises(InputError, match=message):
            ProgressCounters(path, [os.getpid()])
    with pytest.raises(InputError, match="did not advance"):
        ProgressCounters(still, [os.getpid()])

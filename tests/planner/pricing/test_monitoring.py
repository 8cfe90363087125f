"""Execution Managers and the monitor of a node, from the queue to the accounts."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.pricing.accounts.ledger import balances, credit, open_account
from planner.pricing.accounts.log import MeasurementLog
from planner.pricing.accounts.schema import LogSettings, create
from planner.pricing.accounts.units import HOUR_US, SU
from planner.pricing.controller import Controller
from planner.pricing.execution import (
    CentralQueue,
    JobGoneError,
    Node,
    QueuedJob,
)
from planner.pricing.monitoring import Monitor
from planner.pricing.overhead import Shutter
from planner.pricing.replay import replay
from tests.planner.pricing.scripted import ScriptedJob, ScriptedMachine


def job(
    name: str, cores: int = 8, priority: float = 0, submit: int = 0, user: str = "ann"
) -> QueuedJob:
    return QueuedJob(name, user, cores, 16, SU, priority, submit)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = create(tmp_path / "log.db", LogSettings(raw=True))
    for user in ("ann", "bob"):
        open_account(connection, user)
        credit(connection, f"first of {user}", user, 1000)
    yield connection
    connection.close()


def test_the_queue_gives_the_first_by_priority_then_time_then_name_that_fits() -> None:
    queue = CentralQueue([job("c"), job("b"), job("early", submit=-1), job("wide", 32, priority=9)])
    assert [taken.name for _ in range(3) if (taken := queue.take(16))] == ["early", "b", "c"]
    assert queue.take(16) is None
    assert [each.name for each in queue.refuse(16)] == ["wide"]


def test_the_queue_refuses_a_second_job_of_a_name_and_one_without_cores() -> None:
    queue = CentralQueue([job("a")])
    with pytest.raises(InputError, match="its own name"):
        queue.put(job("a"))
    with pytest.raises(InputError, match="at least 1"):
        queue.put(job("b", cores=0))
    with pytest.raises(InputError, match="not a whole number"):
        queue.put(job("b", cores="two"))  # type: ignore[arg-type]


def test_an_execution_manager_launches_its_job_reports_its_end_once_and_lets_it_go() -> None:
    machine = ScriptedMachine(script=lambda _: ScriptedJob(work_us=100))
    node = Node(machine, CentralQueue())
    manager = node.launch(job("a"))
    assert node.collect() == []
    machine.sleep_us(100)
    assert (node.collect(), node.collect(), node.running) == ([manager], [], [])
    assert machine.calls.count("release 0") == 1
    assert manager.end_us - manager.start_us == 100


def test_a_node_takes_jobs_while_cores_and_places_are_left() -> None:
    machine = ScriptedMachine(script=lambda _: ScriptedJob())
    node = Node(machine, CentralQueue([job("a"), job("b", 9), job("c"), job("d", 1)]), most_jobs=3)
    started = []
    while taken := node.queue.take(node.free_cores()):
        started.append(node.launch(taken).job.name)
    assert started == ["a", "c"]  # b does not fit next to a, and c leaves no core for d
    assert node.free_cores() == 0


def monitor(connection: sqlite3.Connection, jobs: list[QueuedJob], work_us: float) -> Monitor:
    machine = ScriptedMachine(script=lambda _: ScriptedJob(share=0.8, work_us=work_us))
    return Monitor(
        Node(machine, CentralQueue(jobs)),
        Controller(machine, Shutter()),
        MeasurementLog(connection, flush_us=1_000_000),
    )


def test_two_jobs_are_measured_priced_and_deducted(log: sqlite3.Connection) -> None:
    """Both run for 20 s at 80 % of their speed alone: the price is L C T 0.8^2."""
    site = monitor(log, [job("a"), job("b", user="bob")], 20e6)
    site.run()
    assert site.booked == 2
    ends = dict(log.execute("SELECT user, end_us FROM jobs"))
    for user, left in balances(log).items():
        today = SU * 16 * ends[user] / HOUR_US
        shared = 1.0 if user == "ann" else ends["ann"] / ends[user]
        performance = 0.8 * shared + 1 - shared
        assert 1000 * SU - left == pytest.approx(today * performance**2, rel=2e-3)


def test_what_was_booked_is_what_the_replay_finds_down_to_the_raw_samples(
    log: sqlite3.Connection, tmp_path: Path
) -> None:
    site = monitor(log, [job(name, user="bob") for name in "abcde"], 7e6)
    site.run()
    result = replay(tmp_path / "log.db")
    assert result.matches
    assert result.unbooked == 0
    assert len(result.jobs) == 5
    assert result.raw_rounds > 100


def test_jobs_that_cannot_run_are_refused_by_name_and_the_others_run(
    log: sqlite3.Connection,
) -> None:
    jobs = [job("wide", 32), job("eve's", user="eve"), job("a"), job("b")]
    site = monitor(log, jobs, 1e6)
    site.run()
    reasons = {refusal.job.name: refusal.reason for refusal in site.refusals}
    assert "the node has 16" in reasons["wide"]
    assert "no account" in reasons["eve's"]
    assert sorted(site.ended) == ["a", "b"]


def test_a_monitor_that_stops_leaves_jobs_running_in_the_log_and_the_next_one_goes_on(
    log: sqlite3.Connection,
) -> None:
    first = monitor(log, [job("a"), job("b")], 10e6)
    first.run(until=lambda: first.controller.rounds > 3)
    assert log.execute("SELECT count(*) FROM jobs WHERE end_us IS NULL").fetchone() == (2,)
    monitor(log, [job("a"), job("b")], 10e6).run()
    assert log.execute("SELECT count(*) FROM jobs WHERE end_us IS NULL").fetchone() == (0,)


def test_a_job_that_ended_while_no_program_was_there_is_ended_at_its_last_measurement_and_booked(
    log: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [job("a"), job("b", user="bob")]
    first = monitor(log, jobs, 10e6)
    first.run(until=lambda: first.controller.rounds > 20)
    (last_us,) = log.execute("SELECT max(last_us) FROM jobs").fetchone()
    again = monitor(log, [*jobs, job("never measured")], 10e6)

    def gone(queued: QueuedJob) -> int:
        raise JobGoneError(f"job {queued.name} has ended")

    monkeypatch.setattr(again.node.host, "launch", gone)
    again.run()
    assert (again.ended, again.booked) == (["a", "b"], 2)
    ends = log.execute("SELECT end_us, end_rule FROM jobs").fetchall()
    assert ends == [(last_us, "lost")] * 2
    assert replay(tmp_path / "log.db").unbooked == 0


def test_the_pricers_hook_sees_a_complete_log(log: sqlite3.Connection) -> None:
    site = monitor(log, [job("a"), job("b")], 3e6)
    seen: list[int] = []

    def hook(connection: sqlite3.Connection) -> int:
        seen.extend(
            count
            for (count,) in connection.execute(
                "SELECT shutter_all_count FROM totals JOIN jobs USING (job)"
                " WHERE end_us IS NOT NULL"
            )
        )
        return 0

    site.price_ended = hook
    site.run()
    assert seen
    assert min(seen) > 0


def test_what_was_measured_is_written_when_the_machine_fails(
    log: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = monitor(log, [job("a"), job("b")], 10e6)
    pause, pauses = site.node.host.pause, itertools.count()

    def failing(number: int) -> None:
        if next(pauses) == 4:
            raise InputError("the watchdog is gone")
        pause(number)

    monkeypatch.setattr(site.node.host, "pause", failing)
    with pytest.raises(InputError, match="watchdog"):
        site.run()
    (blocks,) = log.execute("SELECT sum(shutter_all_count) FROM totals").fetchone()
    assert blocks == 4

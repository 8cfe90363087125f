"""What a program holds in memory never reaches another job, and no repeated call counts twice."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from planner.errors import InputError
from planner.pricing.accounts.jobs import NewJob
from planner.pricing.accounts.ledger import balance, credit, open_account
from planner.pricing.accounts.log import MeasurementLog
from planner.pricing.accounts.pricer import settle
from planner.pricing.accounts.schema import LogSettings, create
from planner.pricing.accounts.sums import OWN, JobSample
from planner.pricing.accounts.units import HOUR_US, SU
from planner.pricing.replay import replay

S_US = 10**6
TABLES = ("jobs", "totals", "minutes", "rounds", "chain")


def new_site(path: Path) -> sqlite3.Connection:
    connection = create(path, LogSettings(raw=True))
    connection.execute("PRAGMA busy_timeout = 1")
    for user in ("ann", "bob"):
        open_account(connection, user)
        credit(connection, f"first of {user}", user, "100", 0)
    return connection


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "site.db"


@pytest.fixture
def site(path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(new_site(path)) as connection:
        yield connection


def job(name: str, user: str = "ann", start_us: int = 0) -> NewJob:
    return NewJob(name, user, cores=16, rate=SU, policy="poppa", start_us=start_us)


def sample() -> JobSample:
    cycles = np.full((3, 1), 1e6)
    return JobSample(OWN, np.array([[0.5], [1.0], [0.5]]) * cycles, cycles, np.full(3, np.nan))


def rows(connection: sqlite3.Connection) -> dict[str, list[Any]]:
    return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}


@pytest.mark.parametrize("measure", ["add_sample", "passed"])
def test_a_job_with_unwritten_measurements_is_not_withdrawn_and_no_other_job_gets_them(
    path: Path, site: sqlite3.Connection, measure: str
) -> None:
    log = MeasurementLog(site)
    first = log.begin(job("a"))
    if measure == "passed":
        log.passed(30 * S_US, [first])
    else:
        log.add_sample(first, 30 * S_US, sample())
    assert not log.withdraw(first)
    log.add_sample(first, 40 * S_US, sample())  # it goes on
    second = log.begin(job("b", "bob", 40 * S_US))
    log.passed(100 * S_US, [second])
    log.end(second, 40 * S_US + HOUR_US)
    log.end(first, 60 * S_US)
    settle(site)
    assert balance(site, "bob") == (100 - 16) * SU  # an hour alone on 16 cores
    assert replay(path).matches


def test_a_number_that_was_withdrawn_is_not_given_again(
    path: Path, site: sqlite3.Connection
) -> None:
    here, there = MeasurementLog(site, 0), MeasurementLog(site, 1)
    number = here.begin(job("a"))
    assert there.begin(job("a")) == number
    there.add_sample(number, 30 * S_US, sample())  # in the memory of the other node
    assert here.withdraw(number)
    numbers = [here.begin(job("b", "bob"))]
    here.withdraw(numbers[0])
    numbers.append(here.begin(job("c", "bob")))
    assert [number, *numbers] == [1, 2, 3]
    there.flush()
    assert there.late == 1
    assert site.execute("SELECT count(*) FROM minutes").fetchone() == (0,)
    assert replay(path).matches


def test_a_job_that_begins_again_in_the_same_program_pays_no_second_twice(
    site: sqlite3.Connection,
) -> None:
    log = MeasurementLog(site)
    number = log.begin(job("a"))
    log.add_sample(number, 30 * S_US, sample())
    assert log.begin(job("a")) == number
    log.add_sample(number, 50 * S_US, sample())
    log.end(number, 50 * S_US)
    assert site.execute("SELECT shared_us, gap_us FROM totals").fetchall() == [(50 * S_US, 0)]


CALLS: tuple[Callable[[MeasurementLog], object], ...] = (
    lambda log: log.begin(job("a")),
    lambda log: log.begin(job("b", "bob")),
    lambda log: log.add_sample(1, 30 * S_US, sample()),
    lambda log: log.passed(40 * S_US, [1, 2]),
    lambda log: log.passed(20 * S_US, [1, 2]),  # the clock steps back
    lambda log: log.flush(),
    lambda log: log.begin(job("c", "bob", 40 * S_US)),
    lambda log: log.withdraw(3),
    lambda log: log.end(1, HOUR_US),  # with a gap
    lambda log: log.leave(2),
    lambda log: log.begin(job("b", "bob")),
    lambda log: log.end_unseen(2),
)


@pytest.mark.parametrize("flush_us", [0, 3600 * S_US])
def test_calls_that_failed_twice_and_are_made_again_leave_the_same_log(
    tmp_path: Path, flush_us: int
) -> None:
    def written(name: str, failures: int) -> tuple[dict[str, list[Any]], int]:
        with contextlib.closing(new_site(tmp_path / name)) as connection:
            log = MeasurementLog(connection, flush_us=flush_us)
            for call in CALLS:
                tries = range(failures)
                if all(fails_while_locked(tmp_path / name, log, call) for _ in tries):
                    call(log)
            return rows(connection), log.late

    assert written("often", 2) == written("once", 0)


def fails_while_locked(
    path: Path, log: MeasurementLog, call: Callable[[MeasurementLog], object]
) -> bool:
    """Whether a call fails while another program writes; one that writes nothing does not."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            call(log)
        except InputError:
            return True
        return False


def test_a_call_that_is_refused_for_its_second_job_adds_nothing_to_the_first(
    site: sqlite3.Connection,
) -> None:
    log = MeasurementLog(site)
    number = log.begin(job("a"))
    with pytest.raises(InputError, match="was not begun"):
        log.passed(30 * S_US, [number, 7])
    log.flush()
    assert rows(site)["totals"] == []


def test_minutes_left_out_are_counted_once_however_often_writing_fails(
    path: Path, site: sqlite3.Connection
) -> None:
    here, there = MeasurementLog(site, 0), MeasurementLog(site, 1)
    number = here.begin(job("a"))
    there.begin(job("a"))
    there.add_sample(number, 30 * S_US, sample())
    here.end(number, 40 * S_US)
    second = there.begin(job("b", "bob"))
    there.add_sample(second, 30 * S_US, sample())
    site.execute(
        "CREATE TEMP TRIGGER full BEFORE INSERT ON main.totals"
        " BEGIN SELECT RAISE(ABORT, 'disk full'); END"
    )
    for _ in range(2):
        with pytest.raises(InputError, match="disk full"):
            there.flush()
    site.execute("DROP TRIGGER full")
    there.flush()
    assert there.late == 1


class _Interrupted(sqlite3.Connection):
    """The program is interrupted when a transaction has just been written."""

    armed = False

    def execute(self, *words: Any) -> sqlite3.Cursor:
        done = super().execute(*words)
        if words[0] == "COMMIT" and self.armed:
            self.armed = False
            raise KeyboardInterrupt
        return done


@pytest.mark.parametrize("flush_us", [0, 3600 * S_US])
def test_what_was_written_before_an_interruption_is_not_written_again(
    path: Path, flush_us: int
) -> None:
    with contextlib.closing(new_site(path)) as plain:
        log = MeasurementLog(plain, flush_us=flush_us)
        number = log.begin(job("a"))
        log.flush()
    with contextlib.closing(
        sqlite3.connect(path, factory=_Interrupted, isolation_level=None)
    ) as connection:
        log = MeasurementLog(connection, flush_us=flush_us)
        assert log.begin(job("a")) == number
        if flush_us:
            log.add_sample(number, 10 * S_US, sample())
        connection.armed = True
        with pytest.raises(KeyboardInterrupt):
            log.flush() if flush_us else log.add_sample(number, 10 * S_US, sample())
        log.add_sample(number, 25 * S_US, sample())
        log.flush()
        totals = connection.execute("SELECT shared_us FROM totals").fetchall()
        rounds = connection.execute("SELECT count(*) FROM rounds").fetchone()
    assert (totals, rounds) == ([(25 * S_US,)], (2,))

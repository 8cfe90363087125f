"""The loop of docs/pricing-log.md keeps every promise of the page: it calls begin, add_sample, end.

All bills are by hand: 16 cores at 1 SU, performance 0.8, so 10.24 SU an hour.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from planner.errors import InputError
from planner.pricing.accounts.jobs import NewJob, end_lost
from planner.pricing.accounts.ledger import credit, open_account
from planner.pricing.accounts.log import MeasurementLog
from planner.pricing.accounts.pricer import settle
from planner.pricing.accounts.schema import LogSettings, create, opened
from planner.pricing.accounts.sums import OWN, JobSample
from planner.pricing.accounts.units import HOUR_US, MINUTE_US, SU
from planner.pricing.replay import ReplayResult, replay

Call = Callable[[], object]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    connection = create(tmp_path / "site.db", LogSettings(raw=True))
    open_account(connection, "ann")
    credit(connection, "2027-01 physics", "ann", "100")
    connection.close()
    return tmp_path / "site.db"


@pytest.fixture
def site(path: Path) -> Iterator[sqlite3.Connection]:
    connection = opened(path)
    yield connection
    connection.close()


def sample() -> JobSample:
    cycles = np.full((3, 1), 8.3e6)
    return JobSample(OWN, np.array([[0.8], [1.0], [0.8]]) * cycles, cycles, np.full(3, np.nan))


def begin(log: MeasurementLog) -> int:
    return log.begin(NewJob("job 1", "ann", cores=16, rate=SU, policy="poppa", start_us=0))


def sampled(log: MeasurementLog, minutes: range) -> int:
    job = begin(log)
    for minute in minutes:
        log.add_sample(job, minute * MINUTE_US, sample())
    return job


def booked(path: Path) -> ReplayResult:
    connection = opened(path)
    settle(connection)
    connection.close()
    result = replay(path)
    assert result.matches
    return result


@pytest.mark.parametrize("minutes", [1, 2, 45])
def test_a_kill_without_any_flush_still_bills_up_to_the_last_sample(
    path: Path, site: sqlite3.Connection, minutes: int
) -> None:
    sampled(MeasurementLog(site), range(minutes + 1))
    site.close()  # the program is gone, with all that it had in memory
    after = opened(path)
    assert end_lost(after) == [1]
    after.close()
    assert booked(path).jobs[0].booked == minutes * 10_240_000 // 60 + (minutes == 1)
    # 1 minute: 170,666.67 micro-SU rounds up


def test_an_end_before_the_last_sample_is_moved_to_it(path: Path, site: sqlite3.Connection) -> None:
    log = MeasurementLog(site)
    log.end(sampled(log, range(46)), 15 * MINUTE_US)
    result = booked(path)
    assert result.jobs[0].booked == 7_680_000
    assert result.counts["ends_clock"] == 1


def test_an_end_before_the_last_sample_of_another_node_is_moved_to_it(
    path: Path, site: sqlite3.Connection
) -> None:
    first, second = MeasurementLog(site, 0), MeasurementLog(site, 1)
    job = sampled(second, range(46))
    sampled(first, range(11))
    second.leave(job)
    first.flush()  # takes back nothing of what the other node wrote
    first.end(job, 15 * MINUTE_US)
    assert booked(path).jobs[0].booked == 7_680_000


def test_gaps_and_steps_of_the_clock_are_counted_without_a_call_of_passed(
    path: Path, site: sqlite3.Connection
) -> None:
    log = MeasurementLog(site)
    job = begin(log)
    for minute in (1, 2, 20, 10, 21):
        log.add_sample(job, minute * MINUTE_US, sample())
    log.end(job, HOUR_US)
    counts = booked(path).counts
    assert counts["clock_backwards"] == 1
    assert counts["jobs_with_gaps"] == 1
    gap = site.execute("SELECT gap_us, shared_us FROM totals").fetchone()
    assert gap == ((18 + 39) * MINUTE_US, 3 * MINUTE_US)


def test_at_most_the_flush_time_of_samples_is_in_memory(site: sqlite3.Connection) -> None:
    log = MeasurementLog(site, flush_us=10 * MINUTE_US)
    job = begin(log)
    for minute in range(1, 45):
        log.add_sample(job, minute * MINUTE_US, sample())
        (last_us,) = site.execute("SELECT last_us FROM jobs").fetchone()
        assert minute * MINUTE_US - last_us < 10 * MINUTE_US


def test_a_clock_that_stays_back_is_still_written(site: sqlite3.Connection) -> None:
    log = MeasurementLog(site)
    job = sampled(log, range(60, 61))
    for minute in range(30):
        log.add_sample(job, minute * MINUTE_US, sample())
    (blocks,) = site.execute("SELECT shutter_all_count FROM totals").fetchone()
    assert blocks >= 30


def test_samples_after_the_end_are_counted_and_change_no_price(
    path: Path, site: sqlite3.Connection
) -> None:
    log = MeasurementLog(site)
    job = sampled(log, range(46))
    log.end(job, 45 * MINUTE_US)
    log.add_sample(job, HOUR_US, sample())
    log.passed(HOUR_US, [job])
    assert log.late == 2
    assert booked(path).jobs[0].booked == 7_680_000


def test_a_job_that_was_not_begun_and_a_time_of_another_unit_are_named(
    site: sqlite3.Connection,
) -> None:
    log = MeasurementLog(site)
    job = begin(log)
    unknown: tuple[Call, ...] = (
        lambda: log.add_sample(7, 0, sample()),
        lambda: log.passed(0, [7]),
        lambda: log.end(7, 0),
        lambda: log.end_unseen(7),
    )
    for call in unknown:
        with pytest.raises(InputError, match="job 7"):
            call()
    nanoseconds = 1_800_000_000 * 10**9
    late: tuple[Call, ...] = (
        lambda: log.add_sample(job, nanoseconds, sample()),
        lambda: log.passed(nanoseconds, [job]),
        lambda: log.end(job, nanoseconds),
    )
    for call in late:
        with pytest.raises(InputError, match="microseconds"):
            call()

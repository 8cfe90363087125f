"""The pricing log: bookings, prices from sums, and what logging costs, each against a rival.

- Bookings: 1,000 in one transaction, against one transaction per booking; both fully synchronous.
- Prices: 100,000 jobs from their sums, against pricing the same measurements from raw samples
  (1,000 jobs, scaled by the number of jobs).
- Logging: one round of two jobs added to sums, against one row per measurement in a transaction
  per round (the log without sums).

Prices are timed in CPU seconds, since a busy machine would decide otherwise.

Asserted: batches and single transactions book the same; 100,000 jobs are priced in 10 s; prices
from sums and from raw samples agree within the log's rounding.

    python benchmarks/bench_pricing_log.py
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from pathlib import Path

import numpy as np

from planner.pricing.accounts.jobs import NewJob, end_jobs, insert
from planner.pricing.accounts.ledger import balances, book, credit, open_account
from planner.pricing.accounts.log import MeasurementLog, raw_bytes
from planner.pricing.accounts.policies import sampled
from planner.pricing.accounts.pricer import ended_jobs, price, settle
from planner.pricing.accounts.schema import LogSettings, create, opened, settings_of, transaction
from planner.pricing.accounts.seals import NAMES, minute_digest
from planner.pricing.accounts.sums import COLUMNS, OWN, JobSample
from planner.pricing.accounts.units import HOUR_US, SU
from planner.pricing.estimators.ratio_of_means import Algorithm4
from planner.pricing.overhead import Shutter
from planner.pricing.replay import replay

JOBS = 100_000
SAMPLED_JOBS = 1_000
BLOCKS = 60
BOOKINGS = 2_000
LIMIT_S = 10.0
USERS = 100


def new_log(folder: Path, name: str, *, raw: bool = False) -> sqlite3.Connection:
    connection = create(folder / name, LogSettings(overdraft="start", raw=raw))
    for user in range(USERS):
        open_account(connection, f"user{user}")
        credit(connection, f"first of {user}", f"user{user}", 10_000)
    return connection


def samples(rng: np.random.Generator, blocks: int) -> list[JobSample]:
    ipc = rng.normal([[0.85], [1.0], [0.85]], 0.02, (blocks, 3, 1))
    cycles = np.full((3, 1), 8.3e6)
    return [JobSample(OWN, value * cycles, cycles, np.full(3, np.nan)) for value in ipc]


def fill(connection: sqlite3.Connection, jobs: int) -> None:
    """Ended jobs with the sums of one measured job each; written straight into the tables."""
    log = MeasurementLog(connection)
    first = log.begin(NewJob("job 0", "user0", 16, SU, "poppa", 0))
    for number, sample in enumerate(samples(np.random.default_rng(0), BLOCKS)):
        log.add_sample(first, number * 10**6, sample)
    log.end(first, HOUR_US)
    with transaction(connection):
        for job in range(2, jobs + 1):
            insert(connection, NewJob(f"job {job}", f"user{job % USERS}", 16, SU, "poppa", 0))
        connection.execute(
            f"INSERT INTO totals SELECT j.job, node, {NAMES}"  # noqa: S608 - constants
            " FROM jobs j, totals t WHERE t.job = 1 AND j.job > 1"
        )
        _copy_minutes(connection, jobs)
        connection.execute("UPDATE jobs SET last_us = (SELECT max(last_us) FROM minutes)")
        end_jobs(connection, [(job, HOUR_US + job, "seen") for job in range(2, jobs + 1)])


def _copy_minutes(connection: sqlite3.Connection, jobs: int) -> None:
    """The measured job's minutes for all jobs, each with its own digest."""
    rows = connection.execute(
        f"SELECT node, minute, last_us, {NAMES} FROM minutes WHERE job = 1"  # noqa: S608 - constants
    ).fetchall()
    marks = ", ".join("?" * (5 + len(COLUMNS)))
    connection.executemany(
        f"INSERT INTO minutes VALUES ({marks})",  # noqa: S608 - the same
        (
            (job, *row[:3], minute_digest((job, *row), ()), *row[3:])
            for job in range(2, jobs + 1)
            for row in rows
        ),
    )


def bookings(folder: Path) -> None:
    """Bookings a second, in batches and one by one."""
    rates = []
    totals = []
    for name, at_once in (("batches.db", 1_000), ("single.db", 1)):
        connection = new_log(folder, name)
        fill(connection, BOOKINGS)
        settings = settings_of(connection)
        prices = [price(job, settings) for job in ended_jobs(connection)]
        began = time.perf_counter()
        for first in range(0, len(prices), at_once):
            book(connection, prices[first : first + at_once])
        rates.append(BOOKINGS / (time.perf_counter() - began))
        totals.append(balances(connection))
        connection.close()
    if totals[0] != totals[1]:
        raise SystemExit("batches and single transactions do not book the same")
    print(
        f"bookings: {rates[0]:,.0f}/s in batches of 1,000, {rates[0] / rates[1]:.0f} x one "
        f"transaction per booking ({rates[1]:,.0f}/s)"
    )


def prices_from_sums(folder: Path) -> float:
    """CPU seconds for the prices of all jobs; booking and the replay are shown apart."""
    connection = new_log(folder, "sums.db")
    fill(connection, JOBS)
    settings = settings_of(connection)
    began = time.process_time()
    total = sum(price(job, settings).amount for job in ended_jobs(connection))
    seconds = time.process_time() - began
    began = time.process_time()
    settle(connection)
    booked = time.process_time() - began
    connection.close()
    began = time.process_time()
    result = replay(folder / "sums.db")
    replayed = time.process_time() - began
    if not result.matches or sum(job.price or 0 for job in result.jobs) != total:
        raise SystemExit("the replay differs")
    if seconds > LIMIT_S:
        raise SystemExit(f"{JOBS:,} jobs took {seconds:.1f} CPU s; the limit is {LIMIT_S:g} s")
    print(
        f"prices of {JOBS:,} jobs from sums: {seconds:.2f} CPU s (limit {LIMIT_S:g} s); priced and "
        f"booked: {booked:.2f} s; replay with all checks: {replayed:.2f} s"
    )
    return seconds


def prices_from_samples(folder: Path, sums_s: float) -> None:
    """The same from raw samples, by the estimator over arrays."""
    connection = new_log(folder, "raw.db", raw=True)
    log, rng = MeasurementLog(connection), np.random.default_rng(1)
    for job in range(SAMPLED_JOBS):
        number = log.begin(NewJob(f"job {job}", f"user{job % USERS}", 16, SU, "poppa", 0))
        for number_of_sample, sample in enumerate(samples(rng, BLOCKS)):
            log.add_sample(number, number_of_sample * 10**6, sample)
    log.flush()
    with transaction(connection):
        connection.execute("UPDATE jobs SET end_us = ?, end_rule = 'seen'", (HOUR_US,))
    settings = settings_of(connection)
    began = time.process_time()
    policy = sampled(Algorithm4(), remove_bias=False)
    raw = [policy(job, settings) for job in ended_jobs(connection)]
    seconds = (time.process_time() - began) * JOBS / SAMPLED_JOBS
    exact = [price(job, settings).amount / (16 * SU) for job in ended_jobs(connection)]
    apart = np.abs(np.array([float(share) for share in raw]) - exact)
    # A block within 1e-6 of delta may change sides when its windows are rounded.
    if np.median(apart) > 2e-6 or np.mean(apart > 1e-5) > 0.01:
        raise SystemExit("prices from sums and from samples differ")
    print(f"the same from {BLOCKS} raw blocks a job: {seconds / sums_s:.0f} x as long as from sums")
    connection.close()


def logging(folder: Path) -> None:
    """Cost of a round of two jobs in the log, against one row per measurement."""
    connection = new_log(folder, "rounds.db")
    log, rng = MeasurementLog(connection), np.random.default_rng(2)
    jobs = [log.begin(NewJob(f"job {k}", f"user{k}", 16, SU, "poppa", 0)) for k in range(2)]
    parts = samples(rng, 2_000)
    began = time.perf_counter()
    for number, sample in enumerate(parts):
        for job in jobs:
            log.add_sample(job, number * 200_000, sample)
        if number % 300 == 299:
            log.flush()
    log.flush()
    ours = (time.perf_counter() - began) / len(parts)
    connection.close()
    rows = sqlite3.connect(folder / "rows.db", isolation_level=None)
    rows.execute("PRAGMA journal_mode = WAL")
    rows.execute("PRAGMA synchronous = FULL")
    rows.execute("CREATE TABLE s (job, time_us, window, instructions, cycles)")
    began = time.perf_counter()
    for number, sample in enumerate(parts[:300]):
        with transaction(rows):
            rows.executemany(
                "INSERT INTO s VALUES (?, ?, ?, ?, ?)",
                [
                    (job, number, w, sample.instructions[w, 0], sample.cycles[w, 0])
                    for job in jobs
                    for w in range(3)
                ],
            )
    theirs = (time.perf_counter() - began) / 300
    rows.close()
    day = raw_bytes(Shutter(), 2, 86_400) / 1e6
    print(
        f"logging a round of two jobs: {1e6 * ours:.0f} us with a flush a minute, "
        f"1/{theirs / ours:.0f} of a transaction per round; raw samples add {day:.0f} MB a day"
    )


def sizes(folder: Path) -> None:
    connection = opened(folder / "sums.db")
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    (rows,) = connection.execute("SELECT count(*) FROM minutes").fetchone()
    connection.close()
    print(f"file: {pages * size / rows:,.0f} bytes for each job-minute, with its job and booking")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bookings(folder)
        prices_from_samples(folder, prices_from_sums(folder))
        logging(folder)
        sizes(folder)


if __name__ == "__main__":
    main()

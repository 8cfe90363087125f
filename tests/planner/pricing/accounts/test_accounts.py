"""Accounts, bookings and the log: by hand, and with everything that can be wrong."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from planner.errors import InputError
from planner.pricing.accounts.jobs import NewJob, end_lost
from planner.pricing.accounts.ledger import (
    Booking,
    balance,
    balances,
    book,
    credit,
    open_account,
)
from planner.pricing.accounts.log import MeasurementLog, raw_bytes
from planner.pricing.accounts.policies import FROM_RAW, POLICIES, sampled
from planner.pricing.accounts.pricer import ended_jobs, price, settle
from planner.pricing.accounts.schema import LogSettings, create, opened, settings_of
from planner.pricing.accounts.sums import OWN, PLACE, JobSample
from planner.pricing.accounts.units import HOUR_US, SU, micro_su, rounded_quotient
from planner.pricing.estimators.block_ratios import BlockRatios
from planner.pricing.estimators.estimator import Observation
from planner.pricing.filtered import Filter
from planner.pricing.overhead import Shutter
from planner.pricing.replay import replay
from tests.sizes import few

MINUTE = 60_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


@pytest.fixture
def site(path: Path) -> Iterator[sqlite3.Connection]:
    connection = create(path, LogSettings(raw=True))
    open_account(connection, "ann")
    credit(connection, "2027-01", "ann", "100")
    yield connection
    connection.close()


def job(name: str = "a", **changed: Any) -> NewJob:
    facts: dict[str, Any] = {
        "name": name, "user": "ann", "cores": 16, "rate": SU, "policy": "poppa", "start_us": 0,
    }  # fmt: skip
    return NewJob(**{**facts, **changed})


def sample(co: float = 0.8, alone: float = 1.0) -> JobSample:
    cycles = np.full((3, 1), 1e6)
    return JobSample(OWN, cycles * [[co], [alone], [co]], cycles, np.full(3, np.nan))


def run(log: MeasurementLog, name: str = "a", end_us: int = HOUR_US, co: float = 0.8) -> int:
    """A job that shares the node for all of its time, with a block in each minute."""
    number, other = log.begin(job(name)), log.begin(job(f"{name}'s partner"))
    for now in range(MINUTE // 2, end_us + 1, MINUTE // 2):
        log.add_sample(number, now, sample(co))
        log.passed(now, [number, other])
    log.end(number, end_us)
    return number


def test_an_hour_on_16_cores_at_80_percent_costs_16_times_0_64_su(
    site: sqlite3.Connection, path: Path
) -> None:
    number = run(MeasurementLog(site))
    assert settle(site) == 1
    assert balance(site, "ann") == (100 - 16 * 64 // 100) * SU - 240_000  # 10.24 SU
    assert settle(site) == 0
    assert replay(path).jobs[0].booked == 10_240_000
    assert number == 1


def test_the_policies_of_one_job_by_hand(site: sqlite3.Connection) -> None:
    run(MeasurementLog(site))
    (ended,) = ended_jobs(site)
    settings = settings_of(site)
    shares = {name: float(policy(ended, settings)) for name, policy in POLICIES.items()}
    assert shares.pop("state-of-practice") == 1
    assert shares == {name: pytest.approx(0.64) for name in shares}
    assert {"poppa", "block-ratios", "placebo", "spin"} <= shares.keys()


def test_the_interval_of_a_price_holds_it_and_is_that_of_the_estimate(
    site: sqlite3.Connection, path: Path
) -> None:
    """Ratios 0.7, 0.8, 0.9: mean 0.8, t(2) = 4.303, half-width 4.303 x 0.1 / sqrt(3) = 0.248."""
    log = MeasurementLog(site)
    for policy in ("poppa", "block-ratios", "steady"):
        number = log.begin(job(policy, policy=policy))
        for now, co in enumerate((0.7, 0.8, 0.9)):
            log.add_sample(number, now, sample(co))
        log.end(number, HOUR_US)
    poppa, ratios, steady = replay(path).jobs
    assert ratios.interval is not None
    ends = [16 * SU * (0.8 + sign * 0.24841) ** 2 for sign in (-1, 1)]
    assert list(ratios.interval) == pytest.approx(ends, rel=1e-3)
    assert poppa.interval is not None
    assert poppa.price is not None
    assert poppa.interval[0] < poppa.price < poppa.interval[1]
    assert steady.interval is None


def test_a_job_that_could_not_start_leaves_the_log_and_its_name_is_free(
    site: sqlite3.Connection, path: Path
) -> None:
    log = MeasurementLog(site)
    log.withdraw(log.begin(job()))
    assert replay(path).running == 0
    number = log.begin(job())
    log.add_sample(number, 1, sample())
    log.flush()
    log.withdraw(log.begin(job()))  # measured before: it stays
    assert replay(path).running == 1


def test_any_estimator_prices_raw_samples(site: sqlite3.Connection, path: Path) -> None:
    log = MeasurementLog(site)
    number = log.begin(job(policy="ours"))
    for now, co in enumerate((0.7, 0.8, 0.9, 0.8)):
        log.add_sample(number, now, sample(co))
    log.end(number, HOUR_US)
    (ended,) = ended_jobs(site)
    estimate = BlockRatios().estimate(Observation(ended.blocks(0)))
    assert estimate.perf == pytest.approx(0.8)
    policy = sampled(BlockRatios())
    share = policy(ended, settings_of(site))
    assert float(share) == pytest.approx(0.64 - estimate.variance)
    plain = sampled(BlockRatios(), remove_bias=False)(ended, settings_of(site))
    assert float(plain) == pytest.approx(0.64)
    assert settle(site, {"ours": policy}) == 1
    assert replay(path, {"ours": policy}).matches


def test_a_log_of_sums_says_that_an_estimator_needs_samples(tmp_path: Path) -> None:
    connection = create(tmp_path / "sums.db")
    open_account(connection, "ann")
    credit(connection, "x", "ann", 1)
    run(MeasurementLog(connection))
    (ended,) = ended_jobs(connection)
    with pytest.raises(InputError, match="no raw samples"):
        sampled(BlockRatios())(ended, settings_of(connection))
    connection.close()


def test_a_job_on_two_nodes_pays_by_the_slower_one(site: sqlite3.Connection, path: Path) -> None:
    logs = [MeasurementLog(site, node) for node in (0, 1)]
    number, _ = (log.begin(job()) for log in logs)
    for log, co in zip(logs, (0.9, 0.6), strict=True):
        log.add_sample(number, 1, sample(co))
    logs[1].leave(number)
    logs[0].end(number, HOUR_US)
    settle(site)
    result = replay(path)
    assert result.matches
    assert result.jobs[0].price == round(0.36 * 16 * SU)


def test_a_job_is_booked_once_whatever_its_price_is_later(site: sqlite3.Connection) -> None:
    number = run(MeasurementLog(site))
    assert book(site, [Booking(number, "ann", 5)]) == 1
    assert book(site, [Booking(number, "ann", 7)]) == 0
    assert balance(site, "ann") == 100 * SU - 5


def test_programs_that_settle_at_once_book_each_job_once(
    site: sqlite3.Connection, path: Path
) -> None:
    log = MeasurementLog(site)
    for index in range(40):
        log.end(log.begin(job(f"job {index}")), HOUR_US // 1000)

    def one_by_one(_: int) -> int:
        with contextlib.closing(opened(path)) as own:
            return settle(own, at_once=1)

    with ThreadPoolExecutor(3) as programs:
        booked = list(programs.map(one_by_one, range(3)))
    assert sum(booked) == 40
    assert balance(site, "ann") == 100 * SU - 40 * 16 * SU // 1000
    assert replay(path).matches


def test_bookings_are_all_or_nothing(site: sqlite3.Connection) -> None:
    number = run(MeasurementLog(site))
    with pytest.raises(InputError, match="has not ended"):
        book(site, [Booking(number, "ann", 5), Booking(number + 1, "ann", 5)])
    with pytest.raises(InputError, match="no price"):
        book(site, [Booking(number, "ann", -5)])
    assert balance(site, "ann") == 100 * SU
    assert site.execute("SELECT count(*) FROM bookings").fetchone() == (0,)


def test_a_credit_counts_once_per_name(site: sqlite3.Connection) -> None:
    assert credit(site, "gift", "ann", "0.5")
    assert not credit(site, "gift", "ann", "0.5")
    assert balance(site, "ann") == 100_500_000
    with pytest.raises(InputError, match="other values"):
        credit(site, "gift", "ann", "0.6")


def test_an_overdrawn_user_is_booked_in_full_and_starts_no_further_job(
    site: sqlite3.Connection, path: Path
) -> None:
    credit(site, "correction", "ann", -95)
    log = MeasurementLog(site)
    run(log)
    settle(site)
    assert balance(site, "ann") < 0
    with pytest.raises(InputError, match="add a credit"):
        log.begin(job("next"))
    assert replay(path).counts["overdrawn_accounts"] == 1


def test_a_site_may_let_overdrawn_users_start(tmp_path: Path) -> None:
    connection = create(tmp_path / "lenient.db", LogSettings(overdraft="start"))
    open_account(connection, "ann")
    assert MeasurementLog(connection).begin(job()) == 1
    connection.close()


def test_a_user_without_an_account_is_named_with_the_nearest(site: sqlite3.Connection) -> None:
    with pytest.raises(InputError, match=r"'anne' has no account.*did you mean 'ann'"):
        MeasurementLog(site).begin(job(user="anne"))
    with pytest.raises(InputError, match="no account"):
        credit(site, "x", "eve", 1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rate": -1}, "above 0"),
        ({"rate": 0}, "above 0"),
        ({"cores": 0}, "at least 1 core"),
        ({"rate": 10**12, "cores": 100}, "the limit is"),
    ],
)
def test_a_job_that_cannot_be_charged_is_refused(
    site: sqlite3.Connection, changed: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        MeasurementLog(site).begin(job(**changed))


def test_a_name_stands_for_one_job(site: sqlite3.Connection) -> None:
    log = MeasurementLog(site)
    number = log.begin(job())
    assert log.begin(job()) == number  # goes on
    with pytest.raises(InputError, match="another user"):
        log.begin(job(cores=8))
    log.end(number, 1)
    with pytest.raises(InputError, match="has ended already"):
        log.begin(job())


def test_a_gap_in_the_log_is_counted_and_priced_like_the_rest(
    site: sqlite3.Connection, path: Path
) -> None:
    log = MeasurementLog(site)
    number, other = log.begin(job()), log.begin(job("b"))
    log.passed(MINUTE, [number, other])
    log.add_sample(number, MINUTE, sample(0.9))
    log.passed(10 * MINUTE, [number, other])  # nobody looked for 9 minutes
    log.passed(11 * MINUTE, [number])
    log.end(number, 11 * MINUTE)
    (ended,) = ended_jobs(site)
    assert ended.nodes[0][PLACE["gap_us"]] == 9 * MINUTE
    share = float(POLICIES["poppa"](ended, settings_of(site)))
    assert share == pytest.approx(((0.9 + 1) / 2) ** 2)  # one minute shared, one alone
    assert replay(path).counts["jobs_with_gaps"] == 1


def test_a_clock_that_goes_backwards_is_counted_and_takes_no_time_away(
    site: sqlite3.Connection, path: Path
) -> None:
    log = MeasurementLog(site)
    number, other = log.begin(job()), log.begin(job("b"))
    log.passed(MINUTE, [number, other])
    log.passed(MINUTE // 2, [number, other])
    log.add_sample(number, MINUTE // 2, sample())
    log.end(number, 10)
    assert price(next(ended_jobs(site)), settings_of(site)).amount > 0
    result = replay(path)
    assert result.counts["clock_backwards"] == 1
    assert result.counts["ends_clock"] == 1
    assert result.jobs[0].time_us == MINUTE
    assert result.matches


def test_jobs_that_were_left_behind_end_at_their_last_measurement(
    site: sqlite3.Connection,
) -> None:
    log = MeasurementLog(site)
    number, selected = log.begin(job()), log.begin(job("kept"))
    log.passed(MINUTE, [number, selected])
    log.flush()
    assert end_lost(site, [selected]) == [number]
    log.add_sample(number, 2 * MINUTE, sample())
    log.flush()
    assert log.late == 1  # measurements of a job that has ended are counted, not written
    result = site.execute("SELECT end_us, end_rule FROM jobs WHERE job = ?", (number,)).fetchone()
    assert result == (MINUTE, "lost")


def test_a_shared_job_without_a_block_pays_todays_price_and_is_counted(
    site: sqlite3.Connection, path: Path
) -> None:
    log = MeasurementLog(site)
    number, other = log.begin(job()), log.begin(job("b"))
    log.passed(MINUTE, [number, other])
    log.end(number, MINUTE)
    settle(site)
    result = replay(path)
    assert result.jobs[0].price == result.jobs[0].todays_price == rounded_quotient(16 * SU, 60)
    assert result.counts["jobs_shared_without_block"] == 1


def test_an_unknown_policy_is_named_and_nothing_is_lost(site: sqlite3.Connection) -> None:
    log = MeasurementLog(site)
    number = log.begin(job(policy="popa"))
    log.end(number, 1)
    log.end(log.begin(job("b")), 1)
    with pytest.raises(InputError, match=r"'popa' is unknown.*'poppa'"):
        settle(site)
    assert site.execute("SELECT count(*) FROM bookings").fetchone() == (1,)  # the other job's
    assert settle(site, {**POLICIES, "popa": POLICIES["poppa"]}) == 1


@pytest.mark.parametrize("policy", FROM_RAW)
def test_a_policy_that_needs_samples_is_refused_where_a_log_keeps_sums(
    tmp_path: Path, policy: str
) -> None:
    connection = create(tmp_path / "sums.db")
    open_account(connection, "ann")
    credit(connection, "x", "ann", 1)
    with pytest.raises(InputError, match=f"policy '{policy}' needs raw samples"):
        MeasurementLog(connection).begin(job(policy=policy))
    connection.close()


def test_a_price_without_a_measurement_has_no_interval(tmp_path: Path) -> None:
    """Of a job whose blocks all fail the filter, with the full price then."""
    connection = create(tmp_path / "log.db", LogSettings(Filter(1e-6, "no-discount")))
    open_account(connection, "ann")
    credit(connection, "x", "ann", 100)
    log = MeasurementLog(connection)
    number, other = log.begin(job()), log.begin(job("b"))
    cycles = np.full((3, 1), 1e6)
    for now in range(MINUTE // 2, HOUR_US + 1, MINUTE // 2):
        uneven = JobSample(OWN, cycles * [[0.7], [1.0], [0.9]], cycles, np.full(3, np.nan))
        log.add_sample(number, now, uneven)
        log.passed(now, [number, other])
    log.end(number, HOUR_US)
    settle(connection)
    connection.close()
    (priced,) = replay(tmp_path / "log.db").jobs
    assert priced.price == priced.todays_price
    assert priced.interval is None


@pytest.mark.parametrize("amount", ["twelve", "nan", "inf", "1e400", 10**13])
def test_an_amount_that_is_no_amount_is_refused(amount: str | float) -> None:
    with pytest.raises(InputError):
        micro_su(amount, "credit")


@pytest.mark.parametrize("settings", [{"side_width": 0}, {"overdraft": "never"}])
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        LogSettings(**settings)


def test_settings_are_kept_with_the_log(tmp_path: Path) -> None:
    given = LogSettings(Filter(0.03, "no-discount"), 0.1, "start", raw=True)
    create(tmp_path / "a.db", given).close()
    connection = opened(tmp_path / "a.db")
    assert settings_of(connection) == given
    connection.close()


def test_files_that_are_no_log_are_named(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database")
    (tmp_path / "empty").touch()
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE a (b)")
    other.close()
    for name, message in {
        "missing": "does not exist", "": "is a folder", "text": "not a SQLite file",
        "empty": "not a SQLite file", "other.db": "of another program",
    }.items():  # fmt: skip
        with pytest.raises(InputError, match=message):
            replay(tmp_path / name)


def test_a_log_is_never_made_over_another_file(path: Path, site: sqlite3.Connection) -> None:
    with pytest.raises(InputError, match="exists already"):
        create(path)
    assert balances(site) == {"ann": 100 * SU}
    with pytest.raises(InputError, match="cannot be used"):
        create(path.parent / "nowhere" / "log.db")


def test_a_log_of_a_newer_version_is_refused(path: Path, site: sqlite3.Connection) -> None:
    site.execute("PRAGMA user_version = 3")
    with pytest.raises(InputError, match="has version 3"):
        opened(path)


@pytest.mark.parametrize("seed", range(few(100)))
def test_a_damaged_log_gives_an_error_and_no_traceback(
    path: Path, site: sqlite3.Connection, seed: int
) -> None:
    log = MeasurementLog(site)
    for name in "abc":
        run(log, name, 5 * MINUTE)
    settle(site)
    site.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(path.read_bytes())
    rng = np.random.default_rng(seed)
    for index in rng.integers(100, len(data), 40):
        data[index] = int(rng.integers(256))
    damaged = path.with_name("damaged.db")
    damaged.write_bytes(data)
    with contextlib.suppress(InputError):
        replay(damaged)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("UPDATE bookings SET amount = amount + 1", {"booking", "balance", "chain"}),
        ("UPDATE accounts SET balance = balance - 1", {"balance"}),
        (
            "UPDATE totals SET shutter_all_co = shutter_all_co + 1 WHERE job = 1",
            {"minutes", "chain"},
        ),
        ("UPDATE jobs SET end_us = end_us + 1000000 WHERE job = 1", {"booking", "chain"}),
        ("DELETE FROM rounds WHERE number = 0", {"samples", "digest", "chain"}),
        ("DELETE FROM minutes WHERE minute = 0", {"minutes", "owner", "chain"}),
    ],
)
def test_the_replay_sees_every_change_of_a_single_unit(
    path: Path, site: sqlite3.Connection, change: str, what: set[str]
) -> None:
    run(MeasurementLog(site))
    settle(site)
    assert replay(path).matches
    site.execute("PRAGMA foreign_keys = OFF")
    site.execute(change)
    assert {difference.what for difference in replay(path).differences} == what


def test_the_replay_writes_nothing(path: Path, site: sqlite3.Connection) -> None:
    run(MeasurementLog(site))
    before = site.execute("PRAGMA data_version").fetchone(), balances(site)
    assert replay(path).unbooked == 1
    assert (site.execute("PRAGMA data_version").fetchone(), balances(site)) == before


def test_the_size_of_raw_samples_is_stated_before_and_is_about_right(
    path: Path, site: sqlite3.Connection
) -> None:
    """4,000 rounds: the file grows by the stated size within a third."""
    log, number = MeasurementLog(site), 0
    number = log.begin(job())
    for now in range(4_000):
        log.add_sample(number, now, sample())
    log.flush()
    site.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutter = Shutter()
    stated = raw_bytes(shutter, 2, 2_000 * shutter.round_us / 1e6)
    assert 0.67 < path.stat().st_size / stated < 1.33

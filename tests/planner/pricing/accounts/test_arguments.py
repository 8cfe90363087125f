"""Values of a wrong type give a message with the value and a remedy, and change nothing."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from planner.errors import InputError
from planner.pricing.accounts.arguments import whole
from planner.pricing.accounts.jobs import NewJob, end_lost
from planner.pricing.accounts.ledger import Booking, balance, balances, book, credit, open_account
from planner.pricing.accounts.log import MeasurementLog
from planner.pricing.accounts.policies import POLICIES
from planner.pricing.accounts.pricer import ended_jobs, settle
from planner.pricing.accounts.schema import LogSettings, create, opened, settings_of
from planner.pricing.accounts.sums import OWN, JobSample
from planner.pricing.accounts.units import HOUR_US, SU, micro_su
from planner.pricing.filtered import Filter
from planner.pricing.replay import replay

ODD: tuple[Any, ...] = (None, "x", 1.5, True, b"1", [1], {}, object(), 10**30, float("nan"))
NOT_TEXT: tuple[Any, ...] = (None, 1, 1.5, b"ann", ["ann"], {}, "", "x" * 201, "a\nb", "\ud800")
Call = Callable[[Any], object]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "site.db"


@pytest.fixture
def site(path: Path) -> Iterator[sqlite3.Connection]:
    connection = create(path, LogSettings(raw=True))
    open_account(connection, "ann")
    credit(connection, "gift", "ann", "100")
    yield connection
    connection.close()


def job(**changed: Any) -> NewJob:
    facts: dict[str, Any] = {
        "name": "a", "user": "ann", "cores": 16, "rate": SU, "policy": "poppa", "start_us": 0,
    }  # fmt: skip
    return NewJob(**{**facts, **changed})


def sample(**changed: Any) -> JobSample:
    cycles = np.full((3, 1), 1e6)
    facts: dict[str, Any] = {
        "kind": OWN, "instructions": cycles, "cycles": cycles, "waiting": np.full(3, np.nan),
    }  # fmt: skip
    return JobSample(**{**facts, **changed})


def refused(call: Call, values: tuple[Any, ...]) -> None:
    for value in values:
        with pytest.raises(InputError, match=r"; |: "):
            call(value)


def test_whole_numbers_of_any_kind_are_taken_and_others_refused(
    path: Path, site: sqlite3.Connection
) -> None:
    log = MeasurementLog(site)
    number = log.begin(job())
    calls: dict[str, Call] = {
        "cores": lambda value: log.begin(job(name="b", cores=value)),
        "rate": lambda value: log.begin(job(name="b", rate=value)),
        "start": lambda value: log.begin(job(name="b", start_us=value)),
        "time of a sample": lambda value: log.add_sample(number, value, sample()),
        "job of a sample": lambda value: log.add_sample(value, 0, sample()),
        "time that passed": lambda value: log.passed(value, [number]),
        "jobs that passed": lambda value: log.passed(0, [value]),
        "end": lambda value: log.end(number, value),
        "job that ends": lambda value: log.end(value, 0),
        "job that ends unseen": log.end_unseen,
        "withdrawn job": log.withdraw,
        "node": lambda value: MeasurementLog(site, value),
        "step": lambda value: MeasurementLog(site, longest_step_us=value),
        "flush": lambda value: MeasurementLog(site, flush_us=value),
        "lost": lambda value: end_lost(site, [value]),
        "time of a credit": lambda value: credit(site, "c", "ann", 1, value),
        "booked job": lambda value: book(site, [Booking(value, "ann", 1)]),
        "price": lambda value: book(site, [Booking(number, "ann", value)]),
        "bookings at once": lambda value: settle(site, at_once=value),
    }
    for call in calls.values():
        refused(call, ODD)
    assert settle(site, at_once=np.int64(1)) == 0  # type: ignore[arg-type]
    refused(lambda value: settle(site, at_once=value), (0, -1))
    other = log.begin(job(name="numpy", cores=np.int32(2), rate=np.int64(SU), start_us=np.int8(3)))
    log.add_sample(np.int64(other), np.int64(9), sample())  # type: ignore[arg-type]
    log.end(other, np.int64(HOUR_US))  # type: ignore[arg-type]
    assert settle(site) == 1
    result = replay(path)
    assert result.matches
    assert result.running == 1
    assert result.raw_rounds == 1


def test_names_are_text(path: Path, site: sqlite3.Connection) -> None:
    log = MeasurementLog(site)
    calls: dict[str, Call] = {
        "account": lambda value: open_account(site, value),
        "balance": lambda value: balance(site, value),
        "credit": lambda value: credit(site, value, "ann", 1),
        "user of a credit": lambda value: credit(site, "c", value, 1),
        "job": lambda value: log.begin(job(name=value)),
        "user": lambda value: log.begin(job(user=value)),
        "policy": lambda value: log.begin(job(policy=value)),
        "user of a booking": lambda value: book(site, [Booking(1, value, 1)]),
        "rule": lambda value: log.end(log.begin(job()), 0, value),
    }
    for call in calls.values():
        refused(call, NOT_TEXT)
    assert balances(site) == {"ann": 100 * SU}
    assert replay(path).matches


def test_amounts_are_exact_and_absurd_ones_are_refused_at_once() -> None:
    refused(lambda value: micro_su(value, "credit"),
            (None, "x", [], {}, b"1", True, float("nan"), "1e999999999", "-1e999999999",
             Decimal("sNaN"), Fraction(10**40), 10**5000))  # fmt: skip
    tenths = ("0.1", 0.1, np.float64(0.1), Decimal("0.1"), Fraction(1, 10))
    assert {micro_su(each, "credit") for each in tenths} == {100_000}
    assert micro_su("1e-999999999", "credit") == 0
    assert micro_su(Decimal("0E+999999999"), "credit") == 0


def adding(log: MeasurementLog, number: int, name: str) -> Call:
    return lambda value: log.add_sample(number, 0, sample(**{name: value}))


def setting(name: str) -> Call:
    return lambda value: LogSettings(**{name: value})


def test_samples_of_a_wrong_kind_or_shape_are_refused(site: sqlite3.Connection) -> None:
    log = MeasurementLog(site)
    number = log.begin(job())
    changes: dict[str, tuple[Any, ...]] = {
        "kind": (3, -1, None, "own", 1.5),
        "instructions": (None, "x", [1, 2, 3], np.ones((2, 1)), np.ones((3, 0)), [["a"]] * 3),
        "cycles": (None, np.ones((3, 2)), np.ones(3)),
        "waiting": (None, np.ones(2), 1.0, np.ones((3, 1))),
    }
    for name, values in changes.items():
        refused(adding(log, number, name), values)
    refused(lambda value: log.add_sample(number, 0, value), (None, 1, np.ones((3, 1))))
    log.add_sample(number, 0, sample(instructions=[[1e6]] * 3))


def test_things_that_are_no_list_no_log_and_no_path_are_named(
    site: sqlite3.Connection, path: Path
) -> None:
    log = MeasurementLog(site)
    refused(lambda value: log.passed(0, value), (1, None, "ab"))
    refused(lambda value: book(site, value), (1, "ab", Booking(1, "ann", 1)))
    refused(lambda value: book(site, [value]), (1, ("ann", 1), None))
    refused(lambda value: end_lost(site, value), (1, "1"))
    refused(log.begin, (None, "job", {"name": "a"}))
    for call in (balances, settings_of, MeasurementLog, settle, end_lost,
                 lambda value: balance(value, "ann"), lambda value: open_account(value, "eve"),
                 lambda value: credit(value, "c", "ann", 1), lambda value: book(value, []),
                 lambda value: list(ended_jobs(value))):  # fmt: skip
        refused(call, (None, str(path), path))
    for open_log in (replay, opened, create):
        refused(open_log, (None, 1, b"site.db", ["site.db"], "a\0b"))
    refused(lambda value: replay(path, head=value), (1, "abc", b"0" * 64))
    refused(lambda value: create(path.with_name("new.db"), value), ("raw", {}, 1))


def test_settings_of_a_wrong_type_are_refused_and_numpys_numbers_survive(tmp_path: Path) -> None:
    for name in ("filter", "side_width", "overdraft", "raw"):
        refused(setting(name), (None, "x", [1], float("nan"), -1))
    refused(lambda value: Filter(delta=value), (None, "x", [1], float("nan"), -1))
    given = LogSettings(Filter(np.float64(0.03)), np.float64(0.1))
    create(tmp_path / "a.db", given).close()
    with contextlib.closing(opened(str(tmp_path / "a.db"))) as connection:
        assert settings_of(connection) == given


def test_a_policy_that_gives_no_share_is_named(site: sqlite3.Connection) -> None:
    log = MeasurementLog(site)
    log.end(log.begin(job(policy="ours")), HOUR_US)
    refused(lambda value: settle(site, {"ours": lambda _job, _settings: value}),
            (None, "x", float("nan"), float("inf"), [], -1))  # fmt: skip
    refused(lambda value: settle(site, value), (None, [], "poppa"))
    with pytest.raises(InputError, match="divides its sums by 0"):
        settle(site, {"ours": lambda _job, _settings: Fraction(1, 0)})
    assert settle(site, {**POLICIES, "ours": lambda _job, _settings: Fraction(1, 2)}) == 1
    assert balance(site, "ann") == 92 * SU


def test_errors_of_sqlite_say_what_to_do(site: sqlite3.Connection, path: Path) -> None:
    reader = opened(path, write=False)
    with contextlib.closing(reader), pytest.raises(InputError, match="open it for writing"):
        open_account(reader, "eve")
    site.execute("BEGIN")
    with pytest.raises(InputError, match="end your own transaction"):
        open_account(site, "eve")
    site.execute("ROLLBACK")
    site.close()
    for call in (lambda: balance(site, "ann"), lambda: open_account(site, "eve")):
        with pytest.raises(InputError, match="closed"):
            call()


def test_a_whole_number_has_its_range() -> None:
    assert whole(5, "cores") == 5
    with pytest.raises(InputError, match="give 0 to"):
        whole(-1, "node", 0)

"""The replay names whatever is done to a row of the log, and matches after every legal history."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from planner.errors import InputError
from planner.pricing.accounts.chain import START, link_digest
from planner.pricing.accounts.jobs import NewJob, end_lost
from planner.pricing.accounts.ledger import balances, credit, open_account
from planner.pricing.accounts.log import MeasurementLog
from planner.pricing.accounts.pricer import settle
from planner.pricing.accounts.schema import LogSettings, create, opened
from planner.pricing.accounts.sums import NOBODY, OTHER, OWN, JobSample
from planner.pricing.accounts.units import MINUTE_US, SU, micro_su
from planner.pricing.replay import ReplayResult, replay
from tests.planner.cli.commands import ran
from tests.sizes import few

TABLES = ("settings", "accounts", "credits", "jobs", "totals", "minutes", "rounds", "bookings",
          "chain")  # fmt: skip
USERS = ("ann", "bob", "eve")


def sample(rng: np.random.Generator, kind: int = OWN) -> JobSample:
    cycles = np.full((3, 1), 1e6)
    ipc = rng.normal([[0.8], [1.0], [0.8]], 0.01)
    return JobSample(kind, ipc * cycles, cycles, np.full(3, np.nan))


def job(name: str, user: str = "ann", policy: str = "poppa") -> NewJob:
    return NewJob(name, user, cores=16, rate=SU, policy=policy, start_us=0)


def filled(path: Path) -> None:
    """Booked, ended and running jobs on two nodes, a withdrawn one, credits and a refund."""
    rng = np.random.default_rng(0)
    connection = create(path, LogSettings(raw=True))
    for user in USERS:
        open_account(connection, user)
        credit(connection, f"gift of {user}", user, "100.5")
    logs = [MeasurementLog(connection, node) for node in (0, 1)]
    withdrawn = logs[0].begin(job("withdrawn"))
    logs[0].withdraw(withdrawn)
    for number, user in enumerate(("ann", "bob", "ann", "eve")):
        jobs = [log.begin(job(f"job {number}", user)) for log in logs]
        for minute in range(3):
            for log, each in zip(logs, jobs, strict=True):
                log.add_sample(each, (minute + number) * MINUTE_US, sample(rng))
        for log, each in zip(logs, jobs, strict=True):
            log.leave(each)
        if number < 3:
            logs[0].end(jobs[0], 10 * MINUTE_US)
        if number == 1:
            settle(connection)
            credit(connection, "refund", "ann", "-0.5", 7)
    connection.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("chain") / "site.db"
    filled(path)
    return path


@contextlib.contextmanager
def editor(path: Path) -> Iterator[sqlite3.Connection]:
    """What somebody with another program can do: no foreign keys, no CHECKs."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    with contextlib.closing(connection), connection:
        yield connection


def tampered(site: Path, change: Callable[[sqlite3.Connection], object]) -> Path:
    copy = site.with_name("copy.db")
    shutil.copyfile(site, copy)
    with editor(copy) as connection:
        change(connection)
    return copy


def running(sql: str) -> Callable[[sqlite3.Connection], object]:
    return lambda connection: connection.executescript(sql)


def is_named(path: Path, head: str | None = None) -> bool:
    try:
        return not replay(path, head=head).matches
    except InputError:
        return True


def columns(site: Path, table: str) -> list[str]:
    with editor(site) as connection:
        return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


def other(value: object) -> object:
    """Another value of the same type."""
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:]
    if value is None or isinstance(value, int):
        return (value or 0) + 1_000_000_007
    return f"{value}x"


def names_of_update(site: Path, table: str, names: list[str]) -> list[str]:
    """Columns whose change in some row the replay does not name."""
    missed = []
    for name in names:
        for place in ("ASC", "DESC"):

            def change(
                connection: sqlite3.Connection, name: str = name, place: str = place
            ) -> None:
                key = ", ".join(keys(connection, table))
                order = key.replace(",", f" {place},")
                row = f"({key}) = (SELECT {key} FROM {table} ORDER BY {order} {place} LIMIT 1)"
                (value,) = connection.execute(f"SELECT {name} FROM {table} WHERE {row}").fetchone()
                connection.execute(f"UPDATE {table} SET {name} = ? WHERE {row}", (other(value),))

            if not is_named(tampered(site, change)):
                missed.append(f"{table}.{name} {place}")
    return missed


def keys(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[5]]


@pytest.mark.parametrize("table", TABLES)
def test_an_update_of_any_column_is_named(site: Path, table: str) -> None:
    names = columns(site, table)
    if len(names) > 20:  # sums are alike
        names = [*names[:12], *names[12 :: len(names) // few(len(names)) + 1]]
    assert names_of_update(site, table, names) == []


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_an_update_of_every_column_is_named(site: Path, table: str) -> None:
    assert names_of_update(site, table, columns(site, table)) == []


@pytest.mark.parametrize("table", TABLES)
def test_a_deleted_row_is_named_and_so_is_a_truncated_table(site: Path, table: str) -> None:
    with editor(site) as connection:
        key = ", ".join(keys(connection, table))
        (rows,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    for index in {0, rows // 2, rows - 1}:
        query = (
            f"DELETE FROM {table} WHERE ({key}) ="
            f" (SELECT {key} FROM {table} ORDER BY {key} LIMIT 1 OFFSET {index})"
        )
        assert is_named(tampered(site, running(query)))
    assert is_named(tampered(site, running(f"DELETE FROM {table}")))


@pytest.mark.parametrize("table", TABLES)
def test_an_added_row_is_named(site: Path, table: str) -> None:
    def change(connection: sqlite3.Connection) -> None:
        row = [*connection.execute(f"SELECT * FROM {table}").fetchone()]
        names = columns(site, table)
        for index, name in enumerate(names):
            if name in keys(connection, table) or name == "name":
                row[index] = other(row[index])
            if name in {"balance", "amount"}:
                row[index] = 0
        marks = ", ".join("?" * len(row))
        connection.execute(f"INSERT INTO {table} VALUES ({marks})", row)

    assert is_named(tampered(site, change))


@pytest.mark.parametrize("table", TABLES)
def test_two_rows_that_swap_their_content_are_named(site: Path, table: str) -> None:
    def change(connection: sqlite3.Connection) -> None:
        names = columns(site, table)
        values = [name for name in names if name not in keys(connection, table)]
        values = values or names
        unique = {"name"} if table == "jobs" else set()
        values = [name for name in values if name not in unique]
        key = ", ".join(keys(connection, table))
        rows = connection.execute(
            f"SELECT {key}, {', '.join(values)} FROM {table} ORDER BY {key}"
        ).fetchall()
        width = len(keys(connection, table))
        first = rows[0]
        second = next(row for row in rows if row[width:] != first[width:])
        where = " AND ".join(f"{name} = ?" for name in keys(connection, table))
        sets = ", ".join(f"{name} = ?" for name in values)
        for here, there in ((first, second), (second, first)):
            connection.execute(
                f"UPDATE {table} SET {sets} WHERE {where}", (*there[width:], *here[:width])
            )

    if table == "accounts":  # equal balances would be no change
        with editor(site) as connection:
            assert len({*connection.execute("SELECT balance FROM accounts")}) > 1
    assert is_named(tampered(site, change))


MOVES = {
    "a booking": "UPDATE bookings SET user = 'eve' WHERE job = 2",
    "a job": "UPDATE jobs SET user = 'eve' WHERE job = 2",
    "a job with its booking": "UPDATE jobs SET user = 'eve' WHERE job = 2;"
    " UPDATE bookings SET user = 'eve' WHERE job = 2",
    "a job that is not booked": "UPDATE jobs SET user = 'eve' WHERE name = 'job 2'",
    "a running job": "UPDATE jobs SET user = 'ann' WHERE name = 'job 3'",
    "a credit": "UPDATE credits SET user = 'eve' WHERE name = 'gift of ann'",
    "measurements": "UPDATE minutes SET job = job + 10; UPDATE rounds SET job = job + 10;"
    " UPDATE totals SET job = job + 10; UPDATE minutes SET job = 3 - (job - 10) WHERE job < 13;"
    " UPDATE rounds SET job = 3 - (job - 10) WHERE job < 13;"
    " UPDATE totals SET job = 3 - (job - 10) WHERE job < 13;"
    " UPDATE minutes SET job = job - 10 WHERE job > 10;"
    " UPDATE rounds SET job = job - 10 WHERE job > 10;"
    " UPDATE totals SET job = job - 10 WHERE job > 10",
}
BALANCED = (
    "; UPDATE accounts SET balance = coalesce((SELECT sum(amount) FROM credits"
    " WHERE credits.user = accounts.user), 0) - coalesce((SELECT sum(amount) FROM bookings"
    " WHERE bookings.user = accounts.user), 0)"
)


@pytest.mark.parametrize("what", MOVES)
def test_a_row_that_moved_to_another_user_is_named_even_if_balances_fit(
    site: Path, what: str
) -> None:
    copy = tampered(site, running(MOVES[what] + BALANCED))
    result = replay(copy)
    assert not result.matches
    assert result.first_broken


@pytest.mark.parametrize(
    ("change", "link"),
    [
        ("UPDATE credits SET amount = amount + 1 WHERE name = 'gift of ann'", "credit gift of ann"),
        ("DELETE FROM bookings WHERE job = 2", "booking 2"),
        ("UPDATE chain SET facts = '[\"max\"]' WHERE number = 2", "its digest does not follow"),
        ("DELETE FROM chain WHERE number = 2", "link 2 is missing before it"),
        ("UPDATE rounds SET time_us = time_us + 1 WHERE job = 2", "end 2"),
    ],
)
def test_the_first_broken_link_is_named(site: Path, change: str, link: str) -> None:
    assert link in replay(tampered(site, running(change))).first_broken


def test_a_link_nested_beyond_the_reader_of_json_is_one_that_does_not_follow(site: Path) -> None:
    nested = f"UPDATE chain SET facts = '{'[' * 100_000}' WHERE number = 3"
    result = replay(tampered(site, running(nested)))
    assert result.first_broken.startswith("link 3: its digest")
    assert max(len(str(row)) for row in result.differences) < 1000


def without_the_last_booking(connection: sqlite3.Connection) -> None:
    """A forger removes the newest booking, its link and its effect on the balance."""
    connection.execute("DELETE FROM chain WHERE what = 'booking' AND number ="
                       " (SELECT max(number) FROM chain)")  # fmt: skip
    connection.execute("DELETE FROM bookings WHERE job = (SELECT max(job) FROM bookings)")
    connection.executescript(BALANCED[2:])


def written_again(connection: sqlite3.Connection) -> None:
    """A forger adds a credit in the past and computes all digests again."""
    connection.execute("UPDATE credits SET amount = amount + 5 WHERE name = 'gift of ann'")
    connection.execute(
        "UPDATE chain SET facts = replace(facts, '100500000', '100500005')"
        " WHERE facts LIKE '%gift of ann%'"
    )
    digest = START
    for number, what, facts in connection.execute(
        "SELECT number, what, facts FROM chain ORDER BY number"
    ).fetchall():
        digest = link_digest(digest, number, what, facts)
        connection.execute("UPDATE chain SET digest = ? WHERE number = ?", (digest, number))
    connection.executescript(BALANCED[2:])


@pytest.mark.parametrize("forge", [without_the_last_booking, written_again])
def test_a_perfect_forgery_is_found_with_the_head_that_was_kept_and_only_so(
    tmp_path: Path, forge: Callable[[sqlite3.Connection], None]
) -> None:
    path = tmp_path / "site.db"
    filled(path)
    with contextlib.closing(opened(path)) as connection:
        settle(connection)
    head = replay(path).head
    copy = tampered(path, forge)
    assert replay(copy).matches
    (found,) = replay(copy, head=head).differences
    assert (found.what, found.recorded) == ("head", head)


def test_a_kept_head_stays_in_the_chain_while_the_log_grows(tmp_path: Path) -> None:
    path = tmp_path / "site.db"
    filled(path)
    kept = replay(path)
    with contextlib.closing(opened(path)) as connection:
        settle(connection)
        credit(connection, "later", "eve", 1)
    result = replay(path, head=kept.head.upper())
    assert result.matches
    assert result.kept_link == kept.links < result.links
    with pytest.raises(InputError, match="64 hexadecimal digits"):
        replay(path, head="abc")


def test_the_command_prints_the_head_and_takes_one_that_was_kept(site: Path) -> None:
    head = replay(site).head
    done = ran("price", str(site), "--replay", "--head", head)
    assert done.exit_code == 0
    assert head in done.output
    assert json.loads(ran("price", str(site), "--replay", "--json").stdout)["head"] == head
    done = ran("price", str(site), "--replay", "--head", "0" * 64)
    assert done.exit_code == 1
    assert "no link has it" in done.output
    assert "64 hexadecimal digits" in ran("price", str(site), "--replay", "--head", "x").output
    copy = tampered(site, running("UPDATE bookings SET user = 'eve' WHERE job = 2"))
    assert "booking 2" in ran("price", str(copy), "--replay").output


def test_tables_with_other_types_or_a_trigger_are_refused(site: Path) -> None:
    loose = "ALTER TABLE bookings RENAME TO old; CREATE TABLE bookings AS SELECT * FROM old"
    trigger = "CREATE TRIGGER later AFTER INSERT ON bookings BEGIN DELETE FROM bookings; END"
    for change in (loose, trigger):
        copy = tampered(site, running(change))
        with pytest.raises(InputError, match=r"bookings|later"):
            replay(copy)


def test_a_log_without_a_chain_is_refused_with_what_to_do(site: Path) -> None:
    copy = tampered(site, running("PRAGMA user_version = 1"))
    with pytest.raises(InputError, match=r"without a chain of digests.*credit its balances"):
        replay(copy)


def test_an_old_sqlite_is_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    for make, path in ((opened, site), (create, site.with_name("new.db"))):
        with pytest.raises(InputError, match=r"needs 3\.37"):
            make(path)


class History:
    """Random legal events, with books that are kept apart from the log."""

    def __init__(self, path: Path, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.path = path
        self.credits = dict.fromkeys(USERS, Fraction(0))
        self.time_us = 0
        self.names = 0
        self.running: list[NewJob] = []
        create(path, LogSettings(overdraft="start", raw=bool(seed % 2))).close()
        self.start()
        for user in USERS:
            open_account(self.connection, user)

    def start(self) -> None:
        self.connection = opened(self.path)
        self.logs = [MeasurementLog(self.connection, node) for node in (0, 1)]
        self.numbers: dict[str, int] = {}

    def kill(self) -> None:
        self.connection.close()  # what was in memory is gone
        self.start()
        if self.rng.random() < 0.5:
            end_lost(self.connection)
            self.running = []
        for each in self.running:
            self.numbers[each.name] = self.logs[0].begin(each)  # goes on

    def pay(self) -> None:
        user = str(self.rng.choice(USERS))
        amount = f"{self.rng.normal(0, 10):.6f}"
        self.names += 1
        for _ in range(2):  # the second time it does nothing
            credit(self.connection, f"credit {self.names}", user, amount, self.time_us)
        self.credits[user] += Fraction(amount)

    def begin(self) -> None:
        self.names += 1
        policy = str(self.rng.choice(["poppa", "steady", "state-of-practice"]))
        each = NewJob(f"job {self.names}", USERS[self.names % 3], 3, 7, policy, self.time_us)
        number = self.logs[0].begin(each)
        if self.rng.random() < 0.3:
            self.logs[0].withdraw(number)
        else:
            self.numbers[each.name] = number
            self.running.append(each)

    def measure(self) -> None:
        for each in self.running:
            kind = int(self.rng.choice([OWN, OTHER, NOBODY]))
            number = self.numbers[each.name]
            self.logs[0].add_sample(number, self.time_us, sample(self.rng, kind))
            self.logs[0].passed(self.time_us + 5, [number])

    def end(self) -> None:
        if self.running:
            self.logs[0].end(self.numbers.pop(self.running.pop(0).name), self.time_us)

    def step(self) -> None:
        self.time_us += int(self.rng.integers(-10, 100)) * MINUTE_US // 30
        events = (self.kill, self.pay, self.begin, self.measure, self.measure, self.end,
                  lambda: settle(self.connection), self.logs[0].flush)  # fmt: skip
        events[self.rng.integers(len(events))]()

    def check(self, head: str | None) -> ReplayResult:
        result = replay(self.path, head=head)
        assert result.differences == ()
        booked = dict.fromkeys(USERS, 0)
        for each in result.jobs:
            booked[each.user] += each.booked or 0
        assert balances(self.connection) == {
            user: micro_su(self.credits[user], "credits") - booked[user] for user in USERS
        }
        return result


@pytest.mark.parametrize("seed", range(few(40)))
def test_a_legal_history_of_kills_lost_ends_refunds_and_credits_matches(
    tmp_path: Path, seed: int
) -> None:
    history = History(tmp_path / "site.db", seed)
    head = None
    for number in range(60):
        history.step()
        if number % 15 == 14:
            head = history.check(head).head
    history.connection.close()


def test_programs_that_write_at_once_make_one_chain(tmp_path: Path) -> None:
    path = tmp_path / "site.db"
    filled(path)

    def work(program: int) -> None:
        with contextlib.closing(opened(path)) as connection:
            log = MeasurementLog(connection, program)
            for index in range(8):
                open_account(connection, f"user {index}")
                credit(connection, f"{program} {index}", f"user {index}", "10")
                number = log.begin(job(f"{program} {index}", f"user {index}"))
                log.end(number, MINUTE_US)
                settle(connection)

    with ThreadPoolExecutor(3) as programs:
        list(programs.map(work, range(3)))
    result = replay(path)
    assert result.matches
    assert len(result.jobs) == 3 + 24

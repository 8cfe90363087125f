"""The SQLite file of a site: jobs, sums of measurements, raw samples, accounts and bookings.

Every column that counts money, time or measurements is a whole number (:mod:`.units`).
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from planner.errors import InputError
from planner.pricing.accounts.sums import COLUMNS, SummationRule
from planner.pricing.filtered import FALLBACKS, Filter

APPLICATION_ID = 0x48645072
VERSION = 1
_WAIT_S = 30.0
_HEAD = b"SQLite format 3\0"
_SUMS = ",\n    ".join(f"{name} INTEGER NOT NULL" for name in COLUMNS)

TABLES = f"""
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE accounts (
    user TEXT PRIMARY KEY,
    balance INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE credits (
    name TEXT PRIMARY KEY,
    user TEXT NOT NULL REFERENCES accounts,
    amount INTEGER NOT NULL,
    time_us INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE jobs (
    job INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    user TEXT NOT NULL REFERENCES accounts,
    cores INTEGER NOT NULL CHECK (cores > 0),
    rate INTEGER NOT NULL CHECK (rate > 0),
    policy TEXT NOT NULL,
    start_us INTEGER NOT NULL,
    last_us INTEGER NOT NULL,
    end_us INTEGER,
    end_rule TEXT
);
CREATE INDEX unended ON jobs (job) WHERE end_us IS NULL;
CREATE TABLE totals (
    job INTEGER NOT NULL REFERENCES jobs,
    node INTEGER NOT NULL,
    {_SUMS},
    PRIMARY KEY (job, node)
) WITHOUT ROWID;
CREATE TABLE minutes (
    job INTEGER NOT NULL REFERENCES jobs,
    node INTEGER NOT NULL,
    minute INTEGER NOT NULL,
    {_SUMS},
    PRIMARY KEY (job, node, minute)
) WITHOUT ROWID;
CREATE TABLE rounds (
    job INTEGER NOT NULL REFERENCES jobs,
    node INTEGER NOT NULL,
    number INTEGER NOT NULL,
    time_us INTEGER NOT NULL,
    minute INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    samples BLOB NOT NULL,
    PRIMARY KEY (job, node, number)
) WITHOUT ROWID;
CREATE TABLE bookings (
    job INTEGER PRIMARY KEY REFERENCES jobs,
    user TEXT NOT NULL REFERENCES accounts,
    amount INTEGER NOT NULL,
    time_us INTEGER NOT NULL
);
"""


@dataclass(frozen=True)
class LogSettings:
    """What a log was made with; it never changes.

    Attributes
    ----------
    filter
        Settings of Algorithm 4, which is applied to each block when it is written.
    side_width
        Blocks whose windows before and after differ by at most this share of their mean also go
        into sums of their own, which no side of the ratio chooses. 0.2 keeps three standard
        deviations of 5 % counter noise.
    overdraft
        ``book``: a job that has run is always booked, the balance may become negative, and a user
        whose balance is not positive starts no further job. ``start``: such users may start jobs.
    raw
        Whether raw samples are kept as well as sums.
    """

    filter: Filter = field(default_factory=Filter)
    side_width: float = 0.2
    overdraft: str = "book"
    raw: bool = False

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        if not 0 < self.side_width <= 2:
            message = f"side_width is {self.side_width:g}; give a share above 0 and at most 2"
            raise InputError(message)
        if self.overdraft not in {"book", "start"}:
            raise InputError(f"overdraft = {self.overdraft!r} is unknown; give book or start")


def create(path: Path, settings: LogSettings | None = None) -> sqlite3.Connection:
    """A new log, open for writing.

    Raises
    ------
    InputError
        Something has this path already, or the file cannot be written.
    """
    settings = LogSettings() if settings is None else settings
    if path.exists():
        raise InputError(f"{path} exists already; open it, or give a new name")
    temporary = path.with_name(f".{path.name[:50]}-{secrets.token_hex(8)}")
    try:
        with errors_of(path):
            _fill(temporary, settings)
            path.hardlink_to(temporary)
    except FileExistsError:
        raise InputError(f"{path} exists already; open it, or give a new name") from None
    finally:
        temporary.unlink(missing_ok=True)
    return opened(path)


def _fill(path: Path, settings: LogSettings) -> None:
    """Write an empty log, which gets its name only when it is complete."""
    connection = sqlite3.connect(path, isolation_level=None)
    with contextlib.closing(connection), transaction(connection):
        for statement in TABLES.split(";"):
            connection.execute(statement)
        connection.executemany(
            "INSERT INTO settings VALUES (?, ?)",
            list(_texts(settings).items()),
        )
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def opened(path: Path, *, write: bool = True) -> sqlite3.Connection:
    """An existing log.

    Raises
    ------
    InputError
        The file is missing, damaged, or no log of this version.
    """
    if not path.is_file():
        what = "is a folder, not a file" if path.is_dir() else "does not exist"
        raise InputError(f"{path} {what}; give the path of a pricing log")
    with errors_of(path):
        with path.open("rb") as stream:
            head = stream.read(len(_HEAD))
        if head != _HEAD:
            raise InputError(f"{path} is not a SQLite file; give the path of a pricing log")
        connection = _connected(path, write=write)
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    if mark != APPLICATION_ID:
        raise InputError(f"{path} is a SQLite file of another program; give a pricing log")
    if version != VERSION:
        message = f"{path} has version {version} of the pricing log; this program reads {VERSION}"
        raise InputError(f"{message}; use the program that wrote it")
    return connection


def settings_of(connection: sqlite3.Connection) -> LogSettings:
    """What a log was made with.

    Raises
    ------
    InputError
        A setting is missing or unreadable.
    """
    result = dict(connection.execute("SELECT key, value FROM settings"))
    try:
        fallback = next(name for name in FALLBACKS if name == result["fallback"])
        return LogSettings(
            Filter(float(result["delta"]), fallback),
            float(result["side_width"]),
            result["overdraft"],
            result["raw"] == "yes",
        )
    except (KeyError, ValueError, StopIteration) as error:
        message = f"the log's settings are damaged ({error}); restore the file from a backup"
        raise InputError(message) from None


def rule_of(settings: LogSettings) -> SummationRule:
    """When blocks are kept, in whole numbers."""
    return SummationRule(round(settings.filter.delta * 1e6), round(settings.side_width * 1e6))


def _texts(settings: LogSettings) -> dict[str, str]:
    return {
        "delta": repr(settings.filter.delta),
        "fallback": settings.filter.fallback,
        "side_width": repr(settings.side_width),
        "overdraft": settings.overdraft,
        "raw": "yes" if settings.raw else "no",
    }


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Everything inside is written, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextlib.contextmanager
def errors_of(path: Path) -> Iterator[None]:
    """SQLite's errors, and those of the file system, as errors that say what to do.

    Raises
    ------
    InputError
        In place of them.
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        remedy = "another program writes to it; try again" if "locked" in str(error) else _REMEDY
        raise InputError(f"{path} cannot be used ({error}); {remedy}") from None
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # names of damaged tables
        message = f"{path} is damaged ({error}); restore it from a backup"
        raise InputError(message) from None
    except FileExistsError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be used ({error.strerror}); {_REMEDY}") from None


_REMEDY = "check the folder, its rights and the space left"


def _connected(path: Path, *, write: bool = True) -> sqlite3.Connection:
    """A connection that commits only on request, and then completely."""
    mode = "rw" if write else "ro"
    quoted = str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    connection = sqlite3.connect(
        f"file:{quoted}?mode={mode}", uri=True, timeout=_WAIT_S, isolation_level=None
    )
    connection.execute("PRAGMA foreign_keys = ON")
    if write:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    return connection

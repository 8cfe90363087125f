"""The SQLite file of a site: jobs, sums of measurements, raw samples, accounts and bookings.

Every column that counts money, time or measurements is a whole number (:mod:`.units`).
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from numbers import Real
from pathlib import Path

from planner.errors import InputError
from planner.pricing.accounts.arguments import file_of, path_from
from planner.pricing.accounts.chain import SETTINGS, append
from planner.pricing.accounts.sums import COLUMNS, SummationRule
from planner.pricing.filtered import FALLBACKS, Filter
from scenarios.formatting import short

APPLICATION_ID = 0x48645072
VERSION = 2
"""Version 1 had no chain of digests."""
OLDEST_SQLITE = (3, 37)
"""The first with STRICT tables."""
END_RULES = ("seen", "lost", "clock")
"""How an end is known: seen, unseen, or moved to the last measurement."""
_WAIT_S = 30.0
_HEAD = b"SQLite format 3\0"
_SUMS = ",\n    ".join(f"{name} INTEGER NOT NULL" for name in COLUMNS)

TABLES = f"""
CREATE TABLE settings (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE accounts (
    user TEXT NOT NULL PRIMARY KEY,
    balance INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE credits (
    name TEXT NOT NULL PRIMARY KEY,
    user TEXT NOT NULL REFERENCES accounts,
    amount INTEGER NOT NULL,
    time_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE jobs (
    job INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    user TEXT NOT NULL REFERENCES accounts,
    cores INTEGER NOT NULL CHECK (cores > 0),
    rate INTEGER NOT NULL CHECK (rate > 0),
    policy TEXT NOT NULL,
    start_us INTEGER NOT NULL,
    last_us INTEGER NOT NULL CHECK (last_us >= start_us),
    end_us INTEGER CHECK (end_us >= last_us),
    end_rule TEXT CHECK (end_rule IN ({", ".join(f"'{rule}'" for rule in END_RULES)})),
    CHECK ((end_us IS NULL) = (end_rule IS NULL)),
    UNIQUE (job, user)
) STRICT;
CREATE INDEX unended ON jobs (job) WHERE end_us IS NULL;
CREATE TABLE totals (
    job INTEGER NOT NULL REFERENCES jobs,
    node INTEGER NOT NULL,
    {_SUMS},
    PRIMARY KEY (job, node)
) STRICT, WITHOUT ROWID;
CREATE TABLE minutes (
    job INTEGER NOT NULL,
    node INTEGER NOT NULL,
    minute INTEGER NOT NULL,
    last_us INTEGER NOT NULL,
    digest BLOB NOT NULL,
    {_SUMS},
    PRIMARY KEY (job, node, minute),
    FOREIGN KEY (job, node) REFERENCES totals
) STRICT, WITHOUT ROWID;
CREATE TABLE rounds (
    job INTEGER NOT NULL,
    node INTEGER NOT NULL,
    minute INTEGER NOT NULL,
    number INTEGER NOT NULL,
    time_us INTEGER NOT NULL,
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
    samples BLOB NOT NULL,
    PRIMARY KEY (job, node, minute, number),
    FOREIGN KEY (job, node, minute) REFERENCES minutes DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE bookings (
    job INTEGER PRIMARY KEY,
    user TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    time_us INTEGER NOT NULL,
    FOREIGN KEY (job, user) REFERENCES jobs (job, user)
) STRICT;
CREATE TABLE chain (
    number INTEGER PRIMARY KEY,
    what TEXT NOT NULL,
    facts TEXT NOT NULL,
    digest TEXT NOT NULL
) STRICT;
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
        given: object = self.filter
        if not isinstance(given, Filter):
            message = f"filter = {short(self.filter)} is not a Filter of planner.pricing.filtered"
            raise InputError(f"{message}; give one, such as Filter()")
        width: object = self.side_width
        if not (isinstance(width, Real) and 0 < float(width) <= 2):
            message = f"side_width is {short(self.side_width)}; give a share above 0 and at most 2"
            raise InputError(message)
        if self.overdraft not in ("book", "start"):
            raise InputError(f"overdraft = {short(self.overdraft)} is unknown; give book or start")
        raw: object = self.raw
        if not isinstance(raw, bool):
            raise InputError(f"raw = {short(self.raw)} is not a bool; give True or False")


def create(path: str | Path, settings: LogSettings | None = None) -> sqlite3.Connection:
    """A new log, open for writing.

    Parameters
    ----------
    path
        Path of the new file.
    settings
        What the log is made with; it never changes.

    Returns
    -------
    sqlite3.Connection
        Close it after use.

    Raises
    ------
    InputError
        Something has this path already, or the file cannot be written.
    """
    _check_sqlite()
    path = path_from(path)
    settings = LogSettings() if settings is None else settings
    if not isinstance(settings, LogSettings):
        raise InputError(f"settings = {short(settings)} are not LogSettings; give LogSettings()")
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
        append(connection, [(SETTINGS, settings_facts(connection))])
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def opened(path: str | Path, *, write: bool = True) -> sqlite3.Connection:
    """An existing log.

    Parameters
    ----------
    path
        Path of the file.
    write
        Whether it is opened for writing.

    Returns
    -------
    sqlite3.Connection
        Close it after use.

    Raises
    ------
    InputError
        The file is missing, damaged, or no log of this version.
    """
    _check_sqlite()
    path = path_from(path)
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
        without = ", without a chain of digests" if version == 1 else ""
        message = f"{path} has version {version} of the pricing log{without}"
        remedy = "replay it with the program that wrote it, and credit its balances to a new log"
        raise InputError(f"{message}; this program reads {VERSION}: {remedy}")
    with errors_of(path):
        _check_layout(path, connection)
    return connection


def _check_sqlite() -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        oldest = ".".join(map(str, OLDEST_SQLITE))
        message = f"this Python has SQLite {sqlite3.sqlite_version}; the pricing log needs {oldest}"
        raise InputError(f"{message} or later: use another Python")


def _check_layout(path: Path, connection: sqlite3.Connection) -> None:
    """Types, keys and owners hold only in tables as they were made, and without triggers."""
    present = _layout(connection)
    changed = {name for name, text in _own_layout().items() if present.get(name) != text}
    triggers = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    changed.update(name for (name,) in triggers)
    if changed:
        message = f"{path} has other tables than a pricing log ({', '.join(sorted(changed))})"
        raise InputError(f"{message}; restore it from a backup")


@cache
def _own_layout() -> dict[str, str]:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        return _layout(connection)


def _layout(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


def settings_of(connection: sqlite3.Connection) -> LogSettings:
    """What a log was made with.

    Raises
    ------
    InputError
        A setting is missing or unreadable.
    """
    with errors_of(file_of(connection)):
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


def settings_facts(connection: sqlite3.Connection) -> list[str]:
    """The settings as one row of the chain."""
    rows = connection.execute("SELECT key, value FROM settings ORDER BY key")
    return ["settings", *(text for row in rows for text in row)]


def rule_of(settings: LogSettings) -> SummationRule:
    """When blocks are kept, in whole numbers."""
    return SummationRule(round(settings.filter.delta * 1e6), round(settings.side_width * 1e6))


def _texts(settings: LogSettings) -> dict[str, str]:
    return {
        "delta": repr(float(settings.filter.delta)),
        "fallback": settings.filter.fallback,
        "side_width": repr(float(settings.side_width)),
        "overdraft": settings.overdraft,
        "raw": "yes" if settings.raw else "no",
    }


@dataclass
class Transaction:
    """Whether everything is in the file, even if the program is interrupted right then."""

    committed: bool = False


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection, state: Transaction | None = None) -> Iterator[None]:
    """Everything inside is written, or nothing.

    Parameters
    ----------
    state
        Says afterwards whether all is written.

    Raises
    ------
    InputError
        SQLite cannot write.
    """
    with errors_of(file_of(connection)):
        state, committing = state or Transaction(), False
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            committing = True
            connection.execute("COMMIT")
            state.committed = True
        except BaseException as error:
            if connection.in_transaction:  # SQLite itself rolls back when the disk is full
                connection.execute("ROLLBACK")
            elif committing and not isinstance(error, sqlite3.Error):  # after COMMIT went through
                state.committed = True
            raise


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
        remedy = next((text for part, text in _REMEDIES.items() if part in str(error)), _REMEDY)
        raise InputError(f"{path} cannot be used ({error}); {remedy}") from None
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError) as error:
        message = f"{path} cannot take this ({error})"
        raise InputError(f"{message}; give other values, and let one program write a job") from None
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # names of damaged tables
        message = f"{path} is damaged ({error}); restore it from a backup"
        raise InputError(message) from None
    except FileExistsError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be used ({error.strerror}); {_REMEDY}") from None


_REMEDY = "check the folder, its rights and the space left"
_REMEDIES = {
    "locked": "another program writes to it; try again",
    "within a transaction": "end your own transaction first",
    "readonly": "open it for writing",
}


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

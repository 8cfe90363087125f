"""Schedules written as tables: CSV, compressed by name, or Parquet."""

from __future__ import annotations

import gzip
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from planner.errors import InputError
from planner.scheduling.simulation.job_measures import bounded_slowdown, turnaround_s
from planner.scheduling.simulation.schedule import JobSchedule
from scenarios.writing import written_whole

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("job", "submit", "start", "run", "processors", "requested")
"""Columns of a schedule file: numbers, times in seconds; a start of -1 where there was none."""


def write_schedule(schedule: JobSchedule, path: Path) -> None:
    """Write when each job started and what became of it, in order of submission.

    The columns are ``COLUMNS``; ``end``, ``wait``, ``turnaround`` [s], ``bounded_slowdown``,
    ``user`` and ``killed`` (0 or 1), the times empty where a job never started; ``rejected``, why
    it was not accepted; and where jobs ran on other processors than they requested,
    ``asked_processors`` and ``asked_run``, the run time on these [s].

    The file is compressed where the name ends in ``.gz``, and Parquet where it ends in
    ``.parquet``. It appears whole or not at all; the same schedule gives the same bytes.

    Parameters
    ----------
    schedule
        Jobs and their starts.
    path
        Path of the file; its ending decides the format.

    Raises
    ------
    InputError
        Another name, or Parquet without pyarrow.
    OSError
        The file cannot be written.
    """
    import pandas as pd

    arrays = (
        schedule.number,
        schedule.submit_s,
        schedule.start_s,
        schedule.run_s,
        schedule.processors,
        schedule.requested_s,
    )
    table = pd.DataFrame(dict(zip(COLUMNS, arrays, strict=True)))
    never = ~schedule.started
    table["end"] = pd.Series(schedule.end_s, dtype="Int64").mask(never)
    table["wait"] = pd.Series(schedule.wait_s, dtype="Int64").mask(never)
    table["turnaround"] = pd.Series(turnaround_s(schedule), dtype="Int64").mask(never)
    table["bounded_slowdown"] = pd.Series(bounded_slowdown(schedule)).mask(never)
    table["user"] = schedule.user
    table["killed"] = schedule.killed.astype(int)
    table["rejected"] = [schedule.rejected.get(job, "") for job in schedule.number.tolist()]
    if schedule.own_processors is not None:
        table["asked_processors"] = schedule.asked_processors
        table["asked_run"] = schedule.asked_run_s
    _write(table, path)


def opening_of(path: Path) -> bytes:
    """Return how every schedule begins that is written under this name; of others nothing is known.

    Examples
    --------
    >>> opening_of(Path("s.csv.gz"))
    b'job,submit,start,run,processors,requested'
    """
    openings = {".parquet": b"PAR1", ".csv": ",".join(COLUMNS).encode()}
    return openings.get(Path(path.name.lower().removesuffix(".gz")).suffix, b"")


def refuse_name(path: Path) -> None:
    """Ask before simulating whether a schedule can be written under this name.

    Raises
    ------
    InputError
        Another ending than ``write_schedule`` knows, Parquet without pyarrow, or no such folder.
    """
    name = path.name.lower()
    if not name.endswith((".csv", ".csv.gz", ".parquet")):
        raise InputError(f"{path.name}: choose a name that ends in .csv, .csv.gz or .parquet")
    if not path.parent.is_dir():
        raise InputError(
            f"{path.parent} is not a folder; create it, or choose another for the schedule"
        )
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file for the schedule")
    if name.endswith(".parquet") and importlib.util.find_spec("pyarrow") is None:
        remedy = "pip install 'headroom-planner[parquet]', or choose a name that ends in .csv"
        raise InputError(f"{path.name}: Parquet needs pyarrow: {remedy}")


def _write(table: pd.DataFrame, path: Path) -> None:
    refuse_name(path)
    name = path.name.lower()
    if name.endswith(".parquet"):
        with written_whole(path) as stream:
            table.to_parquet(stream, engine="pyarrow", index=False)
        return
    with written_whole(path) as stream:
        if name.endswith(".gz"):
            with gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packed:
                _write_csv(table, packed)
        else:
            _write_csv(table, stream)


def _write_csv(table: pd.DataFrame, stream: gzip.GzipFile | BinaryIO) -> None:
    table.to_csv(stream, index=False, lineterminator="\n")

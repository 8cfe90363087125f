"""Writer of the Standard Workload Format, version 2.2."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from scenarios.faults import printable
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.swf_header import ENTRY, LONGEST, NAMED, NAMED_CODE
from scenarios.tables.cell_text import one_line
from scenarios.writing import written_whole

_BLOCK = 10_000
_OURS = ("Version", "MaxJobs", "MaxRecords", "MaxProcs", "Cleaning", *NAMED)

OPENING = b"; Version: 2.2"
"""How every written log begins."""


def write_swf(path: Path | str, log: JobLog, *, header: Mapping[str, str] | None = None) -> None:
    """Write a log, gzipped if the name ends in ``.gz``; the same log gives the same bytes.

    ``read_swf`` reads the same jobs, names and size of the machine (with ``zero_run="keep"``
    where jobs ran for less than a second). Processors are written as allocated and as requested.
    Energies, and which runs were cut, have no place in the format.

    Parameters
    ----------
    path
        Where to; a file with other content stays.
    log
        Jobs; what the log says of itself is written too, and the counts of its cleaning.
    header
        Further keys, or others than the log's.

    Raises
    ------
    OSError
        The file cannot be written.
    ValueError
        A key or a name cannot be written so that it would be read as it is.
    """
    path = Path(path)
    text = "".join(f"; {line}\n" for line in _header(log, header or {}))
    with written_whole(path) as whole, _packed(whole, path) as stream:
        stream.write(text.encode())
        for rows in _blocks(len(log)):
            stream.write(_lines(log, rows))


@contextlib.contextmanager
def _packed(stream: BinaryIO, path: Path) -> Iterator[BinaryIO | gzip.GzipFile]:
    if path.suffix.lower() != ".gz":
        yield stream
        return
    with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed:
        yield packed


def _header(log: JobLog, more: Mapping[str, str]) -> Iterator[str]:
    yield OPENING.decode().removeprefix("; ")
    for key, value in {**log.header, **more}.items():
        if key not in _OURS:
            for line in value.split("\n"):
                yield _entry(key, line)
    yield f"MaxJobs: {len(log)}"
    yield f"MaxRecords: {len(log)}"
    if log.machine_processors is not None:
        yield f"MaxProcs: {log.machine_processors}"
    for key, target in NAMED.items():
        for code, name in enumerate(log.names.get(target, ())):
            yield f"{key}: {_named(code, name)}"
    for words, much in log.counts.items():
        yield f"Cleaning: {much} {_writable(words)}"


def _entry(key: str, value: str) -> str:
    entry = f"{_writable(key)}: {_writable(value)}".rstrip()
    matched = ENTRY.fullmatch(f"; {entry}")
    if matched is None or matched[1] != key:
        raise ValueError(f"{key!r} cannot be the key of a header; write letters, digits and blanks")
    return entry


def _writable(text: str) -> str:
    """Return a text that fits on one line and is read back unchanged."""
    if printable(one_line(text)) != text:
        raise ValueError(
            f"{text!r} is not allowed in a header; write it on one line, without control characters"
        )
    if len(text.encode()) > LONGEST - 100:
        raise ValueError(f"{text[:40]!r}... is too long for a header; shorten it")
    return text


def _named(code: int, name: str) -> str:
    text = f"{code} {_writable(name)}"
    matched = NAMED_CODE.fullmatch(text)
    if matched is None or matched[2] != name:
        raise ValueError(f"{name!r} cannot be the name of a code; begin it with a letter")
    return text


def _blocks(jobs: int) -> Iterator[slice]:
    return (slice(first, first + _BLOCK) for first in range(0, jobs, _BLOCK))


def _lines(log: JobLog, rows: slice) -> bytes:
    missing: NDArray[np.int64] = np.full(len(log.number[rows]), -1, dtype=np.int64)
    processors = log.processors[rows]
    requested = log.requested_s[rows]
    if log.no_limit is not None:  # or the run time would be taken for a request
        requested = np.where(log.no_limit[rows], -1, requested)
    fields = (
        log.number[rows],
        log.submit_s[rows],
        log.wait_s[rows],
        log.run_s[rows],
        processors,
        missing,
        missing,
        processors,
        requested,
        missing,
        missing,
        log.user[rows],
        log.group[rows],
        missing,
        log.queue[rows],
        log.partition[rows],
        missing,
        missing,
    )
    columns = (column.tolist() for column in fields)
    return "".join(f"{' '.join(map(str, row))}\n" for row in zip(*columns, strict=True)).encode()

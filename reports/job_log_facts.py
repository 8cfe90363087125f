"""What every report on a job log says of the log: its name, its origin and its digest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from planner.command_row import command_line
from planner.formatting import clipped
from planner.scheduling.simulation.wait_text import source
from reports.report import Facts
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.origin import header_words

Files = Iterable[tuple[str, str]]
"""Name and SHA-256 of each further file that was read."""


def short_name(log: JobLog) -> str:
    """Return the log's file, or else its name, short enough for a footer."""
    return clipped(log.file or log.name, 80)


def log_facts(log: JobLog, files: Files, command: Sequence[str]) -> Facts:
    """Return rows of the first sheet of the workbook."""
    return [
        ("log", log.name),
        ("SHA-256 of the log", log.sha256 or "none: not read from a file"),
        ("source", source(log)),
        ("origin of the jobs", header_words(log.header)),
        *_digests(files),
        ("command", command_line(command) or None),
    ]


def log_rows(log: JobLog, files: Files) -> list[tuple[str, str]]:
    """Return rows of the provenance."""
    return [
        ("Log", short_name(log)),
        ("Origin of the jobs", header_words(log.header)),
        ("SHA-256", log.sha256 or f"none: {source(log)}"),
        *_digests(files),
    ]


def _digests(files: Files) -> list[tuple[str, str]]:
    return [(f"SHA-256 of {name}", digest) for name, digest in files]

"""A file of jobs: what the user says of it, and how its rows become a log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from scenarios.faults import Fault, printable
from scenarios.job_logs.blocks import LogBlocks
from scenarios.job_logs.cleaning import Cleaning, cleaned
from scenarios.job_logs.gathered import Gathered
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.job_table import JobTable, job_table
from scenarios.job_logs.lines import Lines
from scenarios.job_logs.swf import log_name
from scenarios.job_logs.time_rules import LEAST_UNIX_S, known_runs, known_submissions
from scenarios.tables.cell_text import one_line


@dataclass
class LogFile:
    """A log that is being read.

    Attributes
    ----------
    path, file_name, columns, clean, zone
        As in :func:`scenarios.job_logs.reader.read_job_log`.
    gathered
        The jobs so far.
    """

    path: Path
    file_name: str
    columns: Mapping[str, str] | None = None
    clean: Cleaning = field(default_factory=Cleaning)
    zone: str = "UTC"

    def __post_init__(self) -> None:
        self.gathered = Gathered(self.file_name, lenient=self.clean.unreadable == "leave out")
        self.blocks = LogBlocks(self.path, self.file_name)
        self.lines = Lines(self.blocks)

    def beginning(self) -> list[str]:
        """The first lines; the last one may be cut."""
        return self.blocks.beginning().decode("utf-8-sig", "replace").split("\n")

    @property
    def size(self) -> int:
        """Bytes of the file, as it is packed."""
        return self.path.stat().st_size

    def placed(self, fault: Fault) -> Fault:
        """An error in the words of the file: its number is of a line, a row or a job."""
        return replace(fault, place=self.gathered.place) if fault.line else fault

    def table(self, headings: Sequence[str], **how: Any) -> JobTable:
        """The columns of the file; as :func:`~scenarios.job_logs.job_table.job_table`."""
        table = job_table(headings, self.file_name, zone=self.zone, **how)
        self.gathered.present = table.columns.keys()
        return table

    def read_blocks(
        self,
        table: JobTable,
        delimiter: str,
        cells: Callable[[str], list[str] | None],
        *,
        size: int,
        quotes: bool = False,
    ) -> None:
        """Let whole blocks of lines be read column by column, where they can be.

        Parameters
        ----------
        table, delimiter, cells
            As in :class:`~scenarios.job_logs.table_blocks.BlockReader`.
        size
            Bytes of the file.
        quotes
            Whether a cell in quotation marks may hold delimiters and line ends.
        """
        from scenarios.job_logs.table_blocks import LARGE, BlockReader

        if size < LARGE or not delimiter.isascii():
            return
        read = BlockReader(table, self.gathered, delimiter, cells)

        def take(block: bytes, before: int) -> bool:
            return not (quotes and self.lines.quoted) and read(block, before)

        self.lines.take = take

    def log(self, table: JobTable | None, *, sha256: str = "") -> JobLog:
        """All jobs, cleaned. Submit times of a calendar are counted from the first.

        Parameters
        ----------
        table
            The columns; ``None`` where the file has none.
        sha256
            Hash of a file without lines.

        Raises
        ------
        ScenarioError
            There were errors, or no job is left.
        """
        raw = self.gathered.jobs(self.lines.error, self.lines.number)
        if table is not None:
            raw = replace(
                raw,
                remarks=(*raw.remarks, *table.minutes(self.gathered.bare)),
                columns=table.understood(self.gathered.samples),
            )
        header = {}
        submit_s = known_submissions(raw.submit_s)
        known = submit_s >= 0
        if known.any() and (first := int(submit_s[known].min())) >= LEAST_UNIX_S:
            header["UnixStartTime"] = str(first)
            submit_s = np.where(known, submit_s - first, -1)
            raw = replace(raw, submit_s=submit_s, run_s=known_runs(raw.run_s))
        return cleaned(
            raw,
            self.clean,
            file_name=self.file_name,
            name=log_name(self.path),
            header=header,
            sha256=sha256 or self.blocks.sha256,
            file=printable(one_line(self.path.name)),
        )

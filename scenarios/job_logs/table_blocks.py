"""Blocks of lines of a table, read column by column: each distinct text of a column is read once.

What a cell holds is for :class:`~scenarios.job_logs.job_table.JobTable` alone to say. A line with
anything unusual is read by it, in its turn, so that both ways find the same jobs and errors.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scenarios.job_logs.cell_columns import Cells, clocks, local_times
from scenarios.job_logs.cell_values import Seconds, is_unknown, microseconds, repeated_s, unix_time
from scenarios.job_logs.gathered import Gathered
from scenarios.job_logs.held_nodes import BELOW_NODES, held_nodes
from scenarios.job_logs.job_log import MISSING, NO_JOB, Integers, Mask
from scenarios.job_logs.job_table import MOMENT_NAMES, Column, JobTable
from scenarios.job_logs.raw_jobs import OTHER_STATUS
from scenarios.job_logs.slurm_jobs import reason_left_out
from scenarios.job_logs.time_rules import ABSENT, TIMES
from scenarios.job_logs.unused import unused_bits
from scenarios.tables.cell_text import CellError
from scenarios.understood import SAMPLES

LARGE = 1 << 20
"""Bytes; a smaller file is read line by line, which takes less than compiling."""

_MOST_UNUSUAL = 0.25
_MOST_KEPT = 1 << 18
_UNKNOWN, _VALUE, _UNUSUAL = range(3)
_LONGEST = 100_000  # bytes of a line; a longer cell of CSV than 128 KiB is an error


@dataclass
class Values:
    """What the codes of a column hold: value, and whether it is unknown, a value, or unusual."""

    value: NDArray[Any]
    kind: NDArray[np.int8]


class BlockReader:
    """Reads blocks of whole lines into the jobs that are gathered.

    Parameters
    ----------
    table
        The columns of the file.
    gathered
        The jobs so far.
    delimiter
        Between cells: one character of ASCII.
    cells
        The cells of a line; ``None`` where it is blank or a comment.
    """

    def __init__(
        self,
        table: JobTable,
        gathered: Gathered,
        delimiter: str,
        cells: Callable[[str], list[str] | None],
    ) -> None:
        self.table, self.gathered = table, gathered
        self.delimiter, self.cells = ord(delimiter), cells
        numbers = (column.index for columns in table.columns.values() for column in columns)
        names = (index for places in table.names.values() for index in places)
        others = (*(index for index, _ in table.unused), *table.nodes)
        self.places = sorted({*numbers, *names, *others})
        self.known: dict[tuple[str, int], dict[str, tuple[Any, int]]] = {}
        self.hours: dict[int, int | None] = {}

    def __call__(self, block: bytes, before: int) -> bool:
        """Read the lines of a block, unless they are better read one by one.

        Parameters
        ----------
        before
            Lines of the file before the block.
        """
        if len(self.gathered.samples) < SAMPLES:
            return False
        columns, line_ends, widths = self._scanned(block)
        unusual = _odd(block, line_ends) | (widths != len(self.table.headings))
        if unusual.mean() > _MOST_UNUSUAL or np.diff(line_ends, prepend=-1).max() > _LONGEST:
            return False  # from here on each column has a text
        unusual |= columns[self.places[0]].holds(self.table.headings[self.places[0]])
        skipped, reasons = self._left_out(columns, unusual)
        jobs = _Jobs(self, columns, ~(unusual | skipped))
        unusual |= jobs.unusual
        if unusual.mean() > _MOST_UNUSUAL:
            return False
        for words in reasons:
            self.gathered.counts[words] = self.gathered.counts.get(words, 0) + reasons[words]
        self._in_turn(block, line_ends, jobs, unusual, before)
        return True

    def _scanned(self, block: bytes) -> tuple[dict[int, Cells], Integers, NDArray[np.int32]]:
        """The wanted columns by their places, and for each line its end and its number of cells."""
        from scenarios.job_logs.cell_scan import scan_cells

        lines, wanted = block.count(b"\n"), len(self.places)
        slots = np.full(self.places[-1] + 1, -1, np.int32)
        slots[self.places] = np.arange(wanted)
        line_ends, widths = np.empty(lines, np.int64), np.empty(lines, np.int32)
        codes = np.zeros((wanted, lines), np.int32)
        begins, ends = np.zeros((2, wanted, lines), np.int64)
        buckets = np.full((wanted, 2 << lines.bit_length()), -1, np.int32)
        distinct = np.zeros(wanted, np.int64)
        scan_cells(
            np.frombuffer(block, np.uint8), self.delimiter, slots, line_ends, widths, codes,
            begins, ends, buckets, distinct,
        )  # fmt: skip
        columns = {
            place: Cells(block, codes[slot], begins[slot, :much], ends[slot, :much])
            for slot, (place, much) in enumerate(zip(self.places, distinct.tolist(), strict=True))
        }
        return columns, line_ends, widths

    def _left_out(self, columns: Mapping[int, Cells], unusual: Mask) -> tuple[Mask, dict[str, int]]:
        """Which lines are steps or waiting arrays, and how many for each reason."""
        skipped, counts = np.zeros(len(unusual), np.bool_), dict[str, int]()
        for column in self.table.columns.get("number", ()) if self.table.steps else ():
            cells = columns[column.index]
            others = np.flatnonzero(~cells.whole[1])
            words = np.array([reason_left_out(text) for text in cells.some(others)], np.str_)
            for reason in filter(None, sorted({*words.tolist()})):
                meets = np.zeros(len(cells.begins), np.bool_)
                meets[others[words == reason]] = True
                meets = meets[cells.codes] & ~(unusual | skipped)
                counts[reason] = counts.get(reason, 0) + int(np.count_nonzero(meets))
                skipped |= meets
        return skipped, {f"{NO_JOB}{reason}": much for reason, much in counts.items() if much}

    def _in_turn(
        self, block: bytes, line_ends: Integers, jobs: _Jobs, unusual: Mask, before: int
    ) -> None:
        """Add the jobs of a block, and read its unusual lines between them."""
        fine = np.flatnonzero(jobs.wanted & ~unusual)
        done = 0
        for row in np.flatnonzero(unusual).tolist():
            until = int(np.searchsorted(fine, row))
            jobs.add(fine[done:until], before)
            done = until
            begin = 0 if row == 0 else int(line_ends[row - 1]) + 1
            line = block[begin : int(line_ends[row])].decode("utf-8", "backslashreplace")
            cells = self.cells(line)
            if cells is not None:
                self.table.read(cells, before + row + 1, self.gathered)
        jobs.add(fine[done:], before)

    def read(self, name: str, column: Column, cells: Cells, lines: Mask) -> Values:
        """What the texts of a column say in some lines, each read once."""
        much = len(cells.begins)
        value: NDArray[Any] = np.zeros(much, np.float64 if name == "energy_j" else np.int64)
        kind = np.full(much, _UNUSUAL, np.int8)
        if name in MOMENT_NAMES:
            self._moments(cells, value, kind)
        elif name in TIMES:
            codes, seconds = clocks(cells)
            value[codes], kind[codes] = seconds * 1_000_000, _VALUE
        elif name == "number":
            value, plain = cells.whole
            kind[plain] = _VALUE
        used = np.zeros(much, np.bool_)
        used[cells.codes[lines]] = True
        left = np.flatnonzero(used & (kind == _UNUSUAL))
        known = self.known.setdefault((name, column.index), {})
        if len(known) > _MOST_KEPT:
            known.clear()
        for code, text in zip(left.tolist(), cells.some(left), strict=True):
            found = known.get(text)
            if found is None:
                found = known[text] = self._cell(name, column, text)
            value[code], kind[code] = found
        return Values(value, kind)

    def _cell(self, name: str, column: Column, text: str) -> tuple[Any, int]:
        try:
            value = self.table.value(name, column, text)
        except CellError:
            return 0, _UNUSUAL
        if value is None:
            return 0, _UNKNOWN
        if (
            name in MOMENT_NAMES
            and self.table.zone is not dt.UTC
            and repeated_s(text, self.table.zone)
        ):
            return 0, _UNUSUAL
        if name == "state" and value == OTHER_STATUS:
            return 0, _UNUSUAL
        if name not in TIMES:
            return value, _VALUE
        if isinstance(value, Decimal) and value.scaleb(6) % 1:
            return 0, _UNUSUAL  # above 0, but less than a microsecond
        return microseconds(cast("Seconds", value)), _VALUE

    def _moments(self, cells: Cells, value: Integers, kind: NDArray[np.int8]) -> None:
        """Read times as in 2026-03-09T12:00:00; all other texts are left."""
        codes, hours, rest = local_times(cells)
        begins, known = self._zoned(hours)
        value[codes[known]] = (begins + rest)[known] * 1_000_000
        kind[codes[known]] = _VALUE

    def _zoned(self, hours: Integers) -> tuple[Integers, Mask]:
        """When local hours begin [s since 1970], where no clock is changed within them."""
        if self.table.zone is dt.UTC:
            return hours * 3600, np.ones(len(hours), np.bool_)
        used, place = np.unique(hours, return_inverse=True)
        for hour in used.tolist():
            if hour not in self.hours:
                self.hours[hour] = self._hour(hour)
        begins = np.array([self.hours[hour] or 0 for hour in used.tolist()], np.int64)
        known = np.array([self.hours[hour] is not None for hour in used.tolist()], np.bool_)
        return begins[place], known[place]

    def _hour(self, hour: int) -> int | None:
        local = dt.datetime(1970, 1, 1) + dt.timedelta(hours=hour)
        first, last = (f"{local:%Y-%m-%dT%H}:{rest}" for rest in ("00:00", "59:59"))
        begins, ends = (int(unix_time(text, self.table.zone)) for text in (first, last))
        twice = any(repeated_s(text, self.table.zone) for text in (first, last))
        return begins if ends - begins == 3599 and not twice else None


class _Jobs:
    """The jobs of a block, and which lines have something unusual."""

    def __init__(self, reader: BlockReader, columns: Mapping[int, Cells], wanted: Mask) -> None:
        table, self.gathered = reader.table, reader.gathered
        self.wanted, self.unusual = wanted, np.zeros(len(wanted), np.bool_)
        self.columns, self.table = columns, table
        self.values: dict[str, NDArray[Any]] = {}
        anything = np.zeros(len(wanted), np.bool_)
        for name in table.columns:
            self.values[name], known = self._property(reader, name)
            anything |= known
        self.unusual |= wanted & ~anything
        self.names = {name: self._names(name) for name in table.names}
        self.unused = np.zeros(len(wanted), np.int64)
        for index, name in table.unused:
            self.unused |= columns[index].each(partial(_bits, name))
        self.below = np.zeros(len(wanted), np.bool_)
        if table.nodes and "processors" in self.values:
            held = np.zeros(len(wanted), np.int64)
            for index in table.nodes:
                held = np.maximum(held, columns[index].each(lambda text: held_nodes([text])))
            processors = self.values["processors"]
            self.below = (processors > 0) & (processors < held)

    def _property(self, reader: BlockReader, name: str) -> tuple[NDArray[Any], Mask]:
        """The first value above 0 of several columns, else the first; and where there is one."""
        lines = len(self.wanted)
        kind = np.float64 if name == "energy_j" else np.int64
        missing = np.nan if name == "energy_j" else ABSENT if name in TIMES else MISSING
        value, known = np.full(lines, missing, kind), np.zeros(lines, np.bool_)
        settled = ~self.wanted
        for column in self.table.columns[name]:
            settled |= self.unusual
            if settled.all():
                break
            cells = self.columns[column.index]
            said = reader.read(name, column, cells, ~settled)
            kinds, values = said.kind[cells.codes], said.value[cells.codes]
            self.unusual |= ~settled & (kinds == _UNUSUAL)
            here = ~settled & (kinds == _VALUE)
            if column.index in self.table.in_minutes and column.index not in self.gathered.bare:
                bare = cells.each(lambda text: text.strip().isdecimal()).astype(np.bool_)
                if (bare & here).any():
                    self.gathered.bare.add(column.index)
            above = here & ((values > 0) | (name == "state"))
            value = np.where(above | (here & ~known), values, value)
            known |= here
            settled |= above
        return value, known

    def _names(self, name: str) -> NDArray[np.int32]:
        """Codes of the names in the first column that has one."""
        coded = self.gathered.names[name]
        codes, settled = np.full(len(self.wanted), MISSING, np.int32), ~self.wanted
        for index in self.table.names[name]:
            cells = self.columns[index]
            filled = ~cells.each(is_unknown).astype(np.bool_) & ~settled
            used = np.unique(cells.codes[filled])
            said = np.full(len(cells.begins), MISSING, np.int32)
            said[used] = [coded.code(text) for text in cells.some(used)]
            codes = np.where(filled, said[cells.codes], codes)
            settled |= filled
        return codes

    def add(self, rows: Integers, before: int) -> None:
        """Append some lines' jobs to those gathered."""
        if not len(rows):
            return
        values = {name: column[rows] for name, column in self.values.items()}
        names = {name: codes[rows] for name, codes in self.names.items()}
        noted = np.flatnonzero(self.below[rows])
        self.gathered.extend(
            rows + before + 1, values, names, self.unused[rows], dict.fromkeys(noted, BELOW_NODES)
        )


def _bits(name: str, text: str) -> int:
    return unused_bits([(name, text)])


def _odd(block: bytes, line_ends: Integers) -> Mask:
    """Which lines begin with a blank, a comment's sign or no ASCII."""
    begins = np.r_[0, line_ends[:-1] + 1]
    first = np.frombuffer(block, np.uint8)[begins]
    odd: Mask = (first <= ord(" ")) | (first == ord("#")) | (first > ord("~"))
    return odd

"""Jobs gathered one by one from a text, and the names in it turned into codes."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scenarios.faults import LINE, Fault, ScenarioError, printable
from scenarios.job_logs.cell_values import microseconds
from scenarios.job_logs.job_log import LEFT_OUT, MISSING, MOST_JOBS, NO_JOB, Codes, Integers, Mask
from scenarios.job_logs.raw_jobs import MOST_FAULTS, OTHER_STATUS, RawJobs, refusal
from scenarios.job_logs.time_rules import ABSENT, TIMES, Times, settled
from scenarios.remark import Remark, remark
from scenarios.tables.cell_text import one_line

NAMED = ("user", "group", "queue", "partition")
UNREADABLE = f"{LEFT_OUT}unreadable"
_NUMBERS = ("line", "number", "processors", "state")
_LONGEST_NAME = 120
_FIRST_FAULTS = 3
_CODES = 1 << 31
_NO_NAMES = frozenset({"", "-1", "(null)", "Unknown"})
_NO_CODES = np.empty(0, dtype=np.int32)


@dataclass
class NameCodes:
    """Codes of names, in the order of their first appearance."""

    known: dict[str, int] = field(default_factory=dict)
    codes: array[int] = field(default_factory=lambda: array("i"))

    def add(self, text: str) -> None:
        """Append the code of a name; a blank is none."""
        self.codes.append(self.code(text))

    def result(self, kept: Integers) -> tuple[Codes, tuple[str, ...] | None]:
        """Codes and names of some rows; numbers are their own codes, if all names are numbers."""
        codes = np.frombuffer(self.codes, dtype=np.int32)[kept] if self.codes else _NO_CODES
        used, first = np.unique(codes, return_index=True)
        used = used[np.argsort(first, kind="stable")]
        used = used[used != MISSING]
        every = list(self.known)
        names = [every[code] for code in used.tolist()]
        numbers = [_number(name) for name in names]
        table = np.full(len(every) + 1, MISSING, dtype=np.int32)
        if MISSING in numbers:
            table[used] = np.arange(len(used))
            return table[codes], tuple(names)
        table[used] = numbers
        return table[codes], None

    def code(self, text: str) -> int:
        """The code of a name; a blank has none."""
        if text.strip() in _NO_NAMES:
            return MISSING
        code = self.known.get(text)
        if code is None:
            name = printable(one_line(text))[:_LONGEST_NAME]
            code = self.known.setdefault(name, len(self.known))
        return code


def _number(name: str) -> int:
    """Return the number that a name is, or ``MISSING``."""
    plain = name.isascii() and name.isdecimal() and len(name) < 11 and str(int(name)) == name
    return int(name) if plain and int(name) < _CODES else MISSING


@dataclass
class Gathered:
    """Collect jobs, errors and counts while a text is read.

    Attributes
    ----------
    file_name
        What the file is called in messages.
    lenient
        Whether records that cannot be read are left out and counted.
    faulty
        Errors so far.
    present
        What the file has columns for.
    samples
        Cells of the first jobs.
    bare
        Columns of limits in minutes that have numbers without a unit.
    """

    file_name: str
    lenient: bool = False
    faulty: int = 0
    numbers: dict[str, array[int]] = field(
        default_factory=lambda: {name: array("q") for name in _NUMBERS}
    )
    times: dict[str, array[int]] = field(
        default_factory=lambda: {name: array("q") for name in TIMES}
    )
    names: dict[str, NameCodes] = field(
        default_factory=lambda: {name: NameCodes() for name in NAMED}
    )
    unused: array[int] = field(default_factory=lambda: array("b"))
    energy_j: array[float] = field(default_factory=lambda: array("d"))
    faults: list[Fault] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    repeated: dict[int, Mapping[str, int]] = field(default_factory=dict)
    unknown: dict[int, str] = field(default_factory=dict)
    noted: dict[int, str] = field(default_factory=dict)
    present: Collection[str] = ()
    place: str = LINE
    samples: list[Sequence[str]] = field(default_factory=list)
    bare: set[int] = field(default_factory=set)
    _last_faulty_line: int = -1

    def leave_out(self, words: str) -> None:
        """Count a job that a rule of the reader leaves out."""
        self.note(LEFT_OUT + words)

    def no_job(self, words: str) -> None:
        """Count a line that is not a job."""
        self.note(NO_JOB + words)

    def note(self, words: str) -> None:
        """Count a job that a rule of the reader touches."""
        self.counts[words] = self.counts.get(words, 0) + 1

    def fault(self, line: int, where: str, message: str) -> None:
        """Add an error; with more than a hundred, the reading ends.

        Raises
        ------
        ScenarioError
            There are more than a hundred.
        """
        self.faulty += 1
        if self.lenient and line != self._last_faulty_line:
            self.note(UNREADABLE)
        self._last_faulty_line = line
        if not self.lenient or len(self.faults) < _FIRST_FAULTS:
            self.faults.append(Fault(self.file_name, line, where, message))
        if len(self.faults) > MOST_FAULTS:
            raise refusal(self.file_name, self.faults, unreadable=bool(self.energy_j))

    def add(
        self,
        line: int,
        values: Mapping[str, Any],
        names: Mapping[str, str],
        unused: int,
        repeated: Mapping[str, int],
        state: str = "",
        noted: str = "",
    ) -> None:
        """Add a job; what is not given is missing.

        Parameters
        ----------
        line
            Where it is.
        values
            Times [s], number, processors, state and energy [J].
        names
            Names of its user, group, queue and partition.
        unused
            What it has that a simulation does not use.
        repeated
            Seconds until a moment occurs again, by its name.
        state
            The state as it is written.
        noted
            Counts the job if it ran: what was chosen for it.

        Raises
        ------
        ScenarioError
            There are more jobs than a log may hold.
        """
        row = len(self.energy_j)
        for name, column in self.times.items():
            value = values.get(name)
            column.append(ABSENT if value is None else microseconds(value))
        self.numbers["line"].append(line)
        for name in _NUMBERS[1:]:
            self.numbers[name].append(int(values.get(name, MISSING)))
        for name, codes in self.names.items():
            codes.add(names.get(name, ""))
        self.unused.append(unused)
        self.energy_j.append(float(values.get("energy_j", "nan")))
        if repeated:
            self.repeated[row] = repeated
        if values.get("state") == OTHER_STATUS:
            self.unknown[row] = state
        if noted:
            self.noted[row] = noted
        if row >= MOST_JOBS:
            raise self._too_many(line)

    def extend(
        self,
        lines: Integers,
        values: Mapping[str, NDArray[Any]],
        names: Mapping[str, Codes],
        unused: Integers,
        noted: Mapping[int, str],
    ) -> None:
        """Add many jobs; what is not given is missing.

        Parameters
        ----------
        lines
            Where they are.
        values
            Times [us], numbers, processors, states and energies [J].
        names
            Codes of their users, groups, queues and partitions.
        unused
            What they have that a simulation does not use.
        noted
            By a job's place among them: what was chosen for it.

        Raises
        ------
        ScenarioError
            There are more jobs than a log may hold.
        """
        row, much = len(self.energy_j), len(lines)
        if row + much > MOST_JOBS:
            raise self._too_many(int(lines[MOST_JOBS - row]))
        for name, column in self.times.items():
            column.frombytes(values.get(name, np.full(much, ABSENT)).tobytes())
        self.numbers["line"].frombytes(lines.tobytes())
        for name in _NUMBERS[1:]:
            self.numbers[name].frombytes(values.get(name, np.full(much, MISSING)).tobytes())
        for name, coded in self.names.items():
            codes = names.get(name, np.full(much, MISSING, np.int32))
            coded.codes.frombytes(codes.tobytes())
        self.unused.frombytes(unused.astype(np.int8).tobytes())
        self.energy_j.frombytes(values.get("energy_j", np.full(much, np.nan)).tobytes())
        self.noted |= {row + int(place): words for place, words in noted.items()}

    def _too_many(self, line: int) -> ScenarioError:
        message = f"contains more than {MOST_JOBS} jobs; split it"
        return refusal(self.file_name, [Fault(self.file_name, line, "", message)])

    def jobs(self, error: str, last_line: int) -> RawJobs:
        """Return all jobs that ran, if there was no error in the file or in reading it.

        Raises
        ------
        ScenarioError
            There was an error.
        """
        if error:
            ends = Fault(self.file_name, last_line + 1 if last_line else 0, "", error)
            raise refusal(self.file_name, [*self.faults, ends])
        if self.faults and not self.lenient:
            raise refusal(self.file_name, self.faults, unreadable=bool(self.energy_j))
        columns = {name: np.asarray(column, np.int64) for name, column in self.numbers.items()}
        times = Times(**{name: np.asarray(column, np.int64) for name, column in self.times.items()})
        jobs, counts = settled(times, columns["state"], self.repeated, self.present)
        rows = jobs.rows
        place = {int(row): at for at, row in enumerate(rows)} if self.noted or self.unknown else {}
        columns = {name: column[rows] for name, column in columns.items()}
        if "number" not in self.present:
            columns["number"] = rows + 1
        coded = {name: strings.result(rows) for name, strings in self.names.items()}
        energy = np.asarray(self.energy_j, np.float64)[rows]
        return RawJobs(
            line=columns["line"],
            number=columns["number"],
            processors=columns["processors"],
            status=columns["state"].astype(np.int8),
            submit_s=jobs.submit_s,
            wait_s=jobs.wait_s,
            run_s=jobs.run_s,
            requested_s=jobs.requested_s,
            user=coded["user"][0],
            group=coded["group"][0],
            queue=coded["queue"][0],
            partition=coded["partition"][0],
            energy_j=None if np.isnan(energy).all() else energy,
            names={name: names for name, (_, names) in coded.items() if names is not None},
            counts=dict(sorted((self.counts | counts).items())),
            unused=np.asarray(self.unused, np.int8)[rows],
            unknown_states={
                place[row]: self.unknown[row] for row in self.unknown.keys() & place.keys()
            },
            marks={**jobs.marks, **self._noted(place, len(rows))},
            remarks=self._unreadable(),
        )

    def _noted(self, place: Mapping[int, int], jobs: int) -> dict[str, Mask]:
        """What was chosen for which of the jobs that ran."""
        marks = {words: np.zeros(jobs, np.bool_) for words in self.noted.values()}
        for row in self.noted.keys() & place.keys():
            marks[self.noted[row]][place[row]] = True
        return marks

    def _unreadable(self) -> tuple[Remark, ...]:
        return unreadable_lines(self.counts.get(UNREADABLE, 0), self.faults, self.place)


def unreadable_lines(much: int, first: Sequence[Fault], place: str = LINE) -> tuple[Remark, ...]:
    """What is remarked on lines that are left out since they cannot be read, if there are any.

    Files without lines have rows or jobs.
    """
    if not much:
        return ()
    parts = ((str(each.line), each.where, each.message) for each in first[:_FIRST_FAULTS])
    shown = tuple(": ".join(filter(None, each)) for each in parts)
    return (remark("log-unreadable", lines=(much, place), first=(shown, "message")),)

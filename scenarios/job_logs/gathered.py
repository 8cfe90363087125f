"""Jobs gathered one by one from a text, and the names in it turned into codes."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scenarios.faults import Fault, printable
from scenarios.job_logs.cell_values import Seconds, whole_seconds
from scenarios.job_logs.cleaning import ROUNDED
from scenarios.job_logs.job_log import LEFT_OUT, MISSING, MOST_JOBS, Codes
from scenarios.job_logs.raw_jobs import MOST_FAULTS, RawJobs, refusal
from scenarios.tables.cell_text import one_line

_NUMBERS = ("line", "number", "submit_s", "wait_s", "run_s", "processors", "requested_s", "status")
NAMED = ("user", "group", "queue", "partition")
_LONGEST_NAME = 120
_LONGEST_STATE, _MOST_STATES = 40, 5
_CODES = 1 << 31
_NO_NAMES = frozenset({"", "-1", "(null)", "Unknown"})


@dataclass
class NameCodes:
    """Codes of names, in the order of their first appearance."""

    known: dict[str, int] = field(default_factory=dict)
    codes: array[int] = field(default_factory=lambda: array("i"))

    def add(self, text: str) -> None:
        """Append the code of a name; a blank is none."""
        self.codes.append(MISSING if text.strip() in _NO_NAMES else self._code(text))

    def result(self) -> tuple[Codes, tuple[str, ...] | None]:
        """Codes and names; numbers are their own codes, if all names are numbers."""
        codes = np.frombuffer(self.codes, dtype=np.int32).copy() if self.codes else _NO_CODES
        numbers = [_number(name) for name in self.known]
        if MISSING in numbers:
            return codes, tuple(self.known)
        if not numbers:
            return codes, None
        table = np.array([*numbers, MISSING], dtype=np.int32)
        return table[codes], None

    def _code(self, text: str) -> int:
        code = self.known.get(text)
        if code is None:
            name = printable(one_line(text))[:_LONGEST_NAME]
            code = self.known.setdefault(name, len(self.known))
        return code


_NO_CODES = np.empty(0, dtype=np.int32)


def _number(name: str) -> int:
    """Return the number that a name is, or ``MISSING``."""
    plain = name.isascii() and name.isdecimal() and len(name) < 11 and str(int(name)) == name
    return int(name) if plain and int(name) < _CODES else MISSING


@dataclass
class Gathered:
    """Collect jobs, errors and counts while a text is read."""

    file_name: str
    numbers: dict[str, array[int]] = field(
        default_factory=lambda: {name: array("q") for name in _NUMBERS}
    )
    names: dict[str, NameCodes] = field(
        default_factory=lambda: {name: NameCodes() for name in NAMED}
    )
    unused: array[int] = field(default_factory=lambda: array("b"))
    energy_j: array[float] = field(default_factory=lambda: array("d"))
    faults: list[Fault] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    unknown_states: dict[str, int] = field(default_factory=dict)

    def leave_out(self, words: str) -> None:
        """Count a job that a rule of the reader leaves out."""
        self.note(LEFT_OUT + words)

    def note(self, words: str) -> None:
        """Count a job that a rule of the reader touches."""
        self.counts[words] = self.counts.get(words, 0) + 1

    def unknown_state(self, text: str, line: int) -> None:
        """Remember an unknown state, and the line where it first occurs."""
        word = printable(one_line(text))[:_LONGEST_STATE]
        if len(self.unknown_states) < _MOST_STATES:
            self.unknown_states.setdefault(word, line)

    def fault(self, line: int, where: str, message: str) -> None:
        """Add an error; with more than a hundred, the reading ends.

        Raises
        ------
        ScenarioError
            There are more than a hundred.
        """
        self.faults.append(Fault(self.file_name, line, where, message))
        if len(self.faults) > MOST_FAULTS:
            raise refusal(self.file_name, self.faults)

    def add(
        self,
        numbers: Mapping[str, int],
        times: Mapping[str, Seconds],
        names: Mapping[str, str],
        energy_j: float,
        unused: int = 0,
    ) -> None:
        """Add a job; times are rounded, and what is not given is missing.

        Raises
        ------
        ScenarioError
            There are more jobs than a log may hold.
        """
        whole = {name: whole_seconds(value) for name, value in times.items()}
        if any(whole[name] != value for name, value in times.items()):
            self.note(ROUNDED)
        for name, column in self.numbers.items():
            column.append(numbers[name] if name in numbers else whole.get(name, MISSING))
        for name, column_of_names in self.names.items():
            column_of_names.add(names.get(name, ""))
        self.unused.append(unused)
        self.energy_j.append(energy_j)
        if len(self.energy_j) > MOST_JOBS:
            message = f"contains more than {MOST_JOBS} jobs; split it"
            raise refusal(self.file_name, [Fault(self.file_name, numbers["line"], "", message)])

    def jobs(self, error: str, last_line: int) -> RawJobs:
        """Return all jobs, if there was no error in the file or in reading it.

        Raises
        ------
        ScenarioError
            There was an error.
        """
        if error:
            self.faults.append(Fault(self.file_name, last_line + 1 if last_line else 0, "", error))
        if self.faults:
            raise refusal(self.file_name, self.faults)
        columns: dict[str, Any] = {
            name: np.array(column, dtype=np.int8 if name == "status" else np.int64)
            for name, column in self.numbers.items()
        }
        coded = {name: strings.result() for name, strings in self.names.items()}
        codes: dict[str, Any] = {name: indices for name, (indices, _) in coded.items()}
        energy = np.array(self.energy_j, dtype=np.float64)
        return RawJobs(
            **columns,
            **codes,
            energy_j=None if np.isnan(energy).all() else energy,
            names={name: names for name, (_, names) in coded.items() if names is not None},
            counts=dict(sorted(self.counts.items())),
            unused=np.array(self.unused, dtype=np.int8),
            unknown_states=self.unknown_states,
        )

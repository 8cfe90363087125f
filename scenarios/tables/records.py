"""Records of a table in text: cells between delimiters, each record with its first line."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator

from scenarios.faults import Fault, ScenarioError


class NotCsvError(ScenarioError):
    """A record of a table is not CSV."""


Record = tuple[int, list[str]]
"""First line of a record, from 1, and its cells."""


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines of a text that end with LF, with their numbers from 1."""
    begin, number = 0, 0
    while begin < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        number += 1
        yield number, text[begin:end]
        begin = end + 1


def records(
    lines: Iterable[tuple[int, str]],
    delimiter: str,
    shown: str,
    *,
    comments: str = "#",
    on_comment: Callable[[int, str], None] | None = None,
) -> Iterator[Record]:
    """Yield the records that have a filled cell.

    Parameters
    ----------
    lines
        Numbers and texts of lines, without their ends.
    delimiter
        Between cells. A cell in quotation marks may hold it, and line ends.
    shown
        What to call the file in messages.
    comments
        Signs with which a line begins that is a comment; empty where no line is one.
    on_comment
        Called with each comment and the number of its line.

    Raises
    ------
    ScenarioError
        A record is not CSV; the error has the line at which it begins.
    """
    fresh, begins = True, 0

    def kept() -> Iterator[str]:
        nonlocal fresh, begins
        for number, line in lines:
            if fresh:
                start = line.lstrip()[:1]
                if not start:
                    continue
                if start in comments:
                    if on_comment is not None:
                        on_comment(number, line)
                    continue
                fresh, begins = False, number
            yield f"{line}\n"

    try:
        for cells in csv.reader(kept(), delimiter=delimiter, strict=True):
            fresh = True
            if any(cells) and any(cell.strip() for cell in cells):
                yield begins, cells
    except csv.Error as error:
        message = f"is not CSV ({error}); close its quotation marks, or shorten the cell"
        raise NotCsvError([Fault(shown, begins, "", message)]) from None

"""A workbook's cells as JSON, in a process of its own that a hostile file may wear out.

Calamine aborts on a far cell and takes gigabytes for a zip bomb. So the zip is streamed and every
XML part scanned first, under limits on what is really unpacked; calamine then gets a fresh zip of
the scanned bytes, and reads no other.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import io
import json
import math
import posixpath
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

MOST_ROWS = 2000
MOST_COLUMNS = 200
MOST_MEMBERS = 1000
MOST_UNPACKED = 64 << 20
MOST_RATIO = 250
MOST_ELEMENTS = 2_000_000
MOST_MERGED = 1000
MOST_TEXT = 4000
MOST_CHARACTERS = 16 << 20
_SMALL = 1 << 20
_CHUNK = 1 << 16
_MEMORY = 1 << 30
_CPU_S = 20
_HANDED_ON = ("Types", "Relationships", "workbook", "sst", "styleSheet")
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})")
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    struct.error,
)


class WorkbookError(Exception):
    """The workbook as a whole cannot be used; the message says why and what to do."""


def column_letters(column: int) -> str:
    """Letters of a column that is counted from 0.

    Examples
    --------
    >>> column_letters(0), column_letters(25), column_letters(26)
    ('A', 'Z', 'AA')
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def corner(reference: str) -> tuple[int, int]:
    """Row and column, from 0, of a reference such as ``B7``.

    Raises
    ------
    WorkbookError
        It is none.
    """
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        raise WorkbookError(f"{reference[:40]!r} is no cell reference; save the workbook anew")
    column = 0
    for letter in found[1]:
        column = 26 * column + ord(letter) - 64
    return int(found[2]) - 1, column - 1


def sheet_prefix(name: str) -> str:
    """What stands before a cell's address: the sheet's name, quoted where Excel would."""
    if re.fullmatch(r"\w+", name):
        return f"{name}!"
    return "'" + name.replace("'", "''") + "'!"


def too_far(where: str) -> WorkbookError:
    """The error for a cell beyond all quotes."""
    message = (
        f"{where} lies beyond {MOST_ROWS} rows x {MOST_COLUMNS} columns; copy the quotes alone "
        "into a new sheet"
    )
    return WorkbookError(message)


@dataclass
class Part:
    """What one XML part says about itself; for a worksheet, what calamine would not tell.

    Attributes
    ----------
    sheets, targets
        Of the workbook: (name, relation) of each sheet; of relations: the part by identifier.
    filled
        Whether any cell has a value.
    far
        The first reference beyond the limits.
    merged
        Ranges.
    faults
        By row and column: why a cell has no value to use.
    """

    root: str = ""
    sheets: list[tuple[str, str]] = field(default_factory=list)
    targets: dict[str, str] = field(default_factory=dict)
    filled: bool = False
    far: str = ""
    merged: list[str] = field(default_factory=list)
    faults: dict[tuple[int, int], str] = field(default_factory=dict)


class Scanner:
    """Gathers a :class:`Part` while expat streams over its XML."""

    def __init__(self) -> None:
        self.part = Part()
        self._elements = 0
        self._row = self._column = -1
        self._type = self._formula = self._value = ""
        self._reading = False
        # a declared encoding is not believed: calamine takes UTF-8
        parser = self._parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def feed(self, data: bytes, *, last: bool = False) -> None:
        """Scan the next bytes.

        Raises
        ------
        WorkbookError
            Not XML, a document type, or too many elements.
        """
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            message = f"holds XML that is broken ({error}); save the workbook anew"
            raise WorkbookError(message) from None

    def _doctype(self, *_: object) -> None:
        raise WorkbookError("holds XML with a document type; no spreadsheet program writes it")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        self._elements += 1
        if self._elements > MOST_ELEMENTS:
            raise WorkbookError(f"holds more than {MOST_ELEMENTS} XML elements in one part")
        if not self.part.root:
            self.part.root = name
        if self.part.root == "worksheet":
            self._start_in_sheet(name, attributes)
        elif self.part.root == "workbook" and name == "sheet":
            relation = next((v for k, v in attributes.items() if k.endswith(":id")), "")
            self.part.sheets.append((attributes.get("name", ""), relation))
        elif self.part.root == "Relationships" and name == "Relationship":
            self.part.targets[attributes.get("Id", "")] = attributes.get("Target", "")

    def _start_in_sheet(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            given = attributes.get("r")
            self._row = self._row + 1 if given is None else corner(f"A{given}")[0]
            self._column = -1
            self._note_far(self._row, 0)
        elif name == "c":
            given = attributes.get("r")
            self._column += 1
            self._row = max(self._row, 0)
            if given is not None:
                self._row, self._column = corner(given)
            self._note_far(self._row, self._column)
            self._type, self._formula, self._value = attributes.get("t", ""), "", ""
        elif name == "f":
            self._formula = "f"
        elif name in {"v", "is"}:
            self._reading = True
            self._formula += name
        elif name == "dimension":
            self._note_far(*corner(attributes.get("ref", "A1").rpartition(":")[2]))
        elif name == "mergeCell":
            self._note_merged(attributes.get("ref", ""))

    def _note_far(self, row: int, column: int) -> None:
        if not self.part.far and (row >= MOST_ROWS or column >= MOST_COLUMNS):
            self.part.far = f"{column_letters(column)}{row + 1}"

    def _note_merged(self, reference: str) -> None:
        if len(self.part.merged) >= MOST_MERGED:
            raise WorkbookError(f"holds more than {MOST_MERGED} merged ranges; unmerge them")
        self.part.merged.append(reference)

    def _text(self, text: str) -> None:
        if self._reading:
            self._value = (self._value + text)[:20]

    def _end(self, name: str) -> None:
        name = name.rpartition(":")[2]
        if name in {"v", "is"}:
            self._reading = False
        elif name == "c" and self.part.root == "worksheet":
            self._end_cell()

    def _end_cell(self) -> None:
        """Note a cell's fault. An empty text is a formula's value: Excel stores it of ``=""``."""
        self.part.filled |= bool(self._value.strip()) or self._formula == "f"
        message = ""
        if self._type == "e":
            message = f"is the error {self._value}; correct the formula, or type the value"
        elif self._formula == "f" or (self._formula == "fv" and not self._value + self._type):
            message = "formula without a stored value; open the sheet and save it, or paste values"
        if message and not self.part.far:
            self.part.faults[self._row, self._column] = message


def unpack(data: bytes) -> Iterator[tuple[str, Part, bytes]]:
    """Name, scan and bytes of every XML part, never unpacking more than the limits.

    Raises
    ------
    WorkbookError
        Not a workbook, encrypted, damaged, or a zip bomb.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN:
        raise _no_workbook(data) from None
    members = archive.infolist()
    names = [member.filename for member in members]
    _check_names(names)
    room = MOST_UNPACKED
    for member in members:
        if not member.filename.endswith((".xml", ".rels")):
            continue
        if member.flag_bits & 1:
            raise WorkbookError("is encrypted; save it without a password")
        try:
            part, content = _scan_member(archive, member, room)
        except _BROKEN as error:
            message = f"{member.filename[:80]!r} in it is damaged ({error}); save the workbook anew"
            raise WorkbookError(message) from None
        room -= len(content)
        yield member.filename, part, content


def _no_workbook(data: bytes) -> WorkbookError:
    if data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        message = (
            "is an old .xls, or has a password; save it as .xlsx without a password, or as .csv"
        )
    elif data[:2] == b"PK":
        message = "is a damaged zip archive; save the workbook anew as .xlsx or .csv"
    else:
        message = "is no workbook; save it as .xlsx or .csv"
    return WorkbookError(message)


def _check_names(names: list[str]) -> None:
    if "[Content_Types].xml" not in names:
        kind = "an OpenDocument file" if "mimetype" in names else "a zip archive but no workbook"
        raise WorkbookError(f"is {kind}; save it as .xlsx or .csv")
    if "xl/workbook.bin" in names:
        raise WorkbookError("is a binary workbook; save it as .xlsx or .csv")
    if "xl/workbook.xml" not in names:
        raise WorkbookError("holds no workbook; save it as .xlsx or .csv")
    if len(names) > MOST_MEMBERS:
        message = f"holds {len(names)} parts, more than {MOST_MEMBERS}; copy the quotes into a new"
        raise WorkbookError(f"{message} workbook")
    if len({name.lower() for name in names}) < len(names):
        raise WorkbookError("holds two parts of one name; save the workbook anew")


def _scan_member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, room: int
) -> tuple[Part, bytes]:
    scanner = Scanner()
    content = bytearray()
    most = max(_SMALL, MOST_RATIO * member.compress_size)
    with archive.open(member) as stream:
        while data := stream.read(_CHUNK):
            content += data
            if len(content) > min(room, most):
                much = f"more than {MOST_UNPACKED >> 20} MiB"
                if len(content) <= room:
                    much = f"more than {MOST_RATIO} times its size"
                message = f"unpacks to {much}; copy the quotes alone into a new workbook"
                raise WorkbookError(message)
            scanner.feed(data)
    scanner.feed(b"", last=True)
    return scanner.part, bytes(content)


def choose(sheets: dict[str, Part], wanted: str | None) -> str:
    """Name of the sheet to read.

    Raises
    ------
    WorkbookError
        It is not there or empty, or several might be meant.
    """
    filled = [name for name, part in sheets.items() if part.filled]
    listed = ", ".join(repr(name[:80]) for name in list(sheets)[:20])
    if wanted is not None:
        if wanted not in sheets:
            message = f"no sheet {wanted[:80]!r}; there is {listed or 'none'}"
            raise WorkbookError(message)
        if wanted not in filled:
            raise WorkbookError(_blank(wanted))
        return wanted
    if not filled:
        raise WorkbookError("no sheet holds a value; save the quotes into it")
    if len(filled) > 1:
        some = ", ".join(repr(name[:80]) for name in filled[:20])
        raise WorkbookError(f"several sheets hold values: {some}; write sheet = one of them")
    return filled[0]


def _blank(sheet: str) -> str:
    return f"sheet {sheet[:80]!r} is empty; name the sheet of the quotes"


def read_workbook(data: bytes, wanted: str | None) -> dict[str, Any]:
    """Read the sheet's name and its rows from A1 on, each cell ready for JSON.

    A date is ``{"date": ISO}``; a cell that must not be used is ``{"fault": why, "text": shown}``.

    Raises
    ------
    WorkbookError
        The workbook as a whole cannot be used.
    """
    parts = {name: (part, content) for name, part, content in unpack(data)}
    relations = parts.get("xl/_rels/workbook.xml.rels", (Part(), b""))[0].targets
    members = {
        name: posixpath.normpath(posixpath.join("/xl", relations.get(relation, "")))[1:]
        for name, relation in parts["xl/workbook.xml"][0].sheets
    }
    if len(members) < len(parts["xl/workbook.xml"][0].sheets):
        raise WorkbookError("holds two sheets of one name; rename one of them")
    sheets = {
        name: parts[member][0]
        for name, member in members.items()
        if member in parts and parts[member][0].root == "worksheet"
    }
    chosen = choose(sheets, wanted)
    part = sheets[chosen]
    if part.far:
        raise too_far(f"{sheet_prefix(chosen)}{part.far}")
    kept = {
        name: content
        for name, (each, content) in parts.items()
        if name == members[chosen] or each.root in _HANDED_ON
    }
    rows = [[_plain(cell) for cell in row] for row in _calamine(kept, chosen)]
    _mark(rows, part)
    if not any(cell is not None for row in rows for cell in row):
        raise WorkbookError(_blank(chosen))
    return {"sheet": chosen, "rows": rows}


def _calamine(parts: dict[str, bytes], sheet: str) -> list[list[Any]]:
    from python_calamine import CalamineError, CalamineWorkbook

    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    stored.seek(0)
    try:
        workbook = CalamineWorkbook.from_filelike(stored)
        return workbook.get_sheet_by_name(sheet).to_python(skip_empty_area=False)
    except CalamineError as error:
        message = f"cannot be read ({str(error)[:200]}); save the workbook anew as .xlsx or .csv"
        raise WorkbookError(message) from None


def _plain(cell: object) -> Any:
    if isinstance(cell, dt.datetime):
        return {"date": cell.date().isoformat()}
    if isinstance(cell, dt.date):
        return {"date": cell.isoformat()}
    if isinstance(cell, str):
        if len(cell) > MOST_TEXT:
            return {"fault": f"holds {len(cell)} characters, more than {MOST_TEXT}; shorten it"}
        return cell or None
    if isinstance(cell, bool):
        return cell
    if isinstance(cell, int | float) and math.isfinite(cell):
        return float(cell)
    return {"fault": f"is {str(cell)[:40]!r}; format the cell as a number, a date or a text"}


def _mark(rows: list[list[Any]], part: Part) -> None:
    """Put the faults of the scan into the cells; only a merged range's first cell shows text."""
    if sum(len(str(cell)) for row in rows for cell in row) > MOST_CHARACTERS:
        message = f"holds more than {MOST_CHARACTERS} characters; copy the quotes into a new sheet"
        raise WorkbookError(message)
    for (row, column), message in part.faults.items():
        _reach(rows, row, column)
        rows[row][column] = {"fault": message}
    left = MOST_ROWS * MOST_COLUMNS
    for merged in part.merged:
        first, _, last = merged.partition(":")
        (top, start), (bottom, end) = corner(first), corner(last or first)
        shown = rows[top][start] if top < len(rows) and start < len(rows[top]) else None
        fault = f"is part of the merged range {merged}; unmerge it"
        for cells in rows[top : bottom + 1]:
            covered = cells[start : end + 1]
            left -= len(covered)
            if left < 0:
                raise WorkbookError("its merged ranges overlap; unmerge them")
            cells[start : end + 1] = [{"fault": fault} for _ in covered]
        if isinstance(shown, str):
            rows[top][start] = {"fault": fault, "text": shown}


def _reach(rows: list[list[Any]], row: int, column: int) -> None:
    """Lengthen the rows to that cell: calamine leaves out what is empty at the end."""
    rows.extend([] for _ in range(len(rows), row + 1))
    rows[row].extend(None for _ in range(len(rows[row]), column + 1))


def answer(request: bytes) -> str:
    """Answer a request: a line with the wanted sheet as JSON, then the workbook."""
    wanted, _, data = request.partition(b"\n")
    try:
        reply = read_workbook(data, json.loads(wanted))
    except WorkbookError as error:
        reply = {"error": str(error)}
    except MemoryError:
        reply = {"error": "needs too much memory; copy the quotes alone into a new workbook"}
    return json.dumps(reply, allow_nan=False)


def _limit_itself(parent: int) -> None:
    import resource

    for kind, wanted in (("AS", _MEMORY), ("CPU", _CPU_S), ("CORE", 0)):
        limit = getattr(resource, f"RLIMIT_{kind}")
        hard = resource.getrlimit(limit)[1]
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(ValueError):  # macOS has no limit of memory
            resource.setrlimit(limit, (most, most))
    if sys.platform == "linux":
        import ctypes
        import os
        import signal

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(1)


if __name__ == "__main__":
    _limit_itself(int(sys.argv[1]))
    sys.stdout.write(answer(sys.stdin.buffer.read()))

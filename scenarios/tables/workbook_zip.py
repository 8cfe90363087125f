"""The XML parts of a zipped workbook, under limits on what is really unpacked."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator

from scenarios.tables.cell_references import Limits, WorkbookError
from scenarios.tables.sheet_part import Part
from scenarios.tables.workbook_scan import Scanner

MOST_MEMBERS = 1000
MOST_RATIO = 250
_SMALL = 1 << 20
_CHUNK = 1 << 16
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


def unpack(data: bytes, limits: Limits) -> Iterator[tuple[str, Part, bytes]]:
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
    _check_names(names, limits)
    room = limits.unpacked_bytes
    for member in members:
        if not member.filename.endswith((".xml", ".rels")):
            continue
        if member.flag_bits & 1:
            raise WorkbookError("is encrypted; save it without a password")
        try:
            part, content = _scan_member(archive, member, room, limits)
        except _BROKEN as error:
            message = (
                f"{member.filename[:80]!r} in it is damaged ({error}); save the workbook again"
            )
            raise WorkbookError(message) from None
        room -= len(content)
        yield member.filename, part, content


_OF_SCENARIO = (
    re.compile(rb"^format[ \t]*=[ \t]*1\b", re.MULTILINE),
    re.compile(rb"^name[ \t]*=", re.MULTILINE),
)
_SCHEDULE = re.compile(rb"^\[schedule\]", re.MULTILINE)
_SEARCHED = 1 << 20


def _no_workbook(data: bytes) -> WorkbookError:
    if data[:2] == b"PK":
        message = "is a damaged zip archive; save the workbook again as .xlsx or .csv"
    elif all(key.search(data[:_SEARCHED]) for key in _OF_SCENARIO):
        command = "schedule" if _SCHEDULE.search(data[:_SEARCHED]) else "plan"
        message = f"is a scenario, not a table; use it with `headroom {command}`"
    else:
        message = "is not a workbook; save it as .xlsx or .csv"
    return WorkbookError(message)


def _check_names(names: list[str], limits: Limits) -> None:
    if "mimetype" in names:
        if "content.xml" not in names or "ods" not in limits.forms:
            raise WorkbookError("is an OpenDocument file; save it as .xlsx or .csv")
    elif "[Content_Types].xml" not in names:
        raise WorkbookError("is a zip archive, but not a workbook; save it as .xlsx or .csv")
    elif "xl/workbook.bin" in names:
        raise WorkbookError("is a binary workbook; save it as .xlsx or .csv")
    elif "xl/workbook.xml" not in names:
        raise WorkbookError("contains no workbook; save it as .xlsx or .csv")
    if len(names) > MOST_MEMBERS:
        message = f"contains {len(names)} parts, more than {MOST_MEMBERS}; copy the {limits.what}"
        raise WorkbookError(f"{message} into a new workbook")
    if len({name.lower() for name in names}) < len(names):
        raise WorkbookError("contains two parts with the same name; save the workbook again")


def _scan_member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, room: int, limits: Limits
) -> tuple[Part, bytes]:
    scanner = Scanner(limits)
    content = bytearray()
    most = max(_SMALL, MOST_RATIO * member.compress_size)
    with archive.open(member) as stream:
        while data := stream.read(_CHUNK):
            content += data
            if len(content) > min(room, most):
                much = f"more than {limits.unpacked_bytes >> 20} MiB"
                if len(content) <= room:
                    much = f"more than {MOST_RATIO} times its size"
                message = f"unpacks to {much}; copy the {limits.what} alone into a new workbook"
                raise WorkbookError(message)
            scanner.feed(data)
    scanner.feed(b"", last=True)
    return scanner.part, bytes(content)

"""The text of a table: plain or gzipped, in UTF-8 or UTF-16, with any line ends."""

from __future__ import annotations

import codecs
import hashlib
import re
import zlib
from pathlib import Path

from scenarios.faults import Fault, ScenarioError
from scenarios.files import LARGEST_BYTES, TextFile, read_bytes, with_line_feeds
from scenarios.tables.encodings import decoded

TEXT_SUFFIXES = (".csv", ".tsv", ".txt")
LARGEST_UNPACKED = 1 << 30
_GZIP = b"\x1f\x8b"
_NOT_TEXT = {
    b"PAR1": "is a Parquet file; use CSV",
    b"PK\x03\x04": "is a workbook or another zip file; correct its suffix, or save it as CSV",
}
_NO_TEXT = re.compile(
    rb"[\x00-\x08\x0e-\x1f\x7f]|\xc3[\x80-\xbf]|[\xc4\xc5][\x80-\x9f]|\xe2\x82\xac"
)
"""Bytes that no text of Windows holds; the last ones are letters and the euro in UTF-8."""
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def is_text(path: Path) -> bool:
    """Whether the name of a file says that it is a table in text, packed or not.

    Examples
    --------
    >>> is_text(Path("runs.CSV.gz")), is_text(Path("runs.xlsx"))
    (True, False)
    """
    return path.name.lower().removesuffix(".gz").endswith(TEXT_SUFFIXES)


def read_table_text(
    path: Path,
    shown: str,
    most: int = LARGEST_BYTES,
    remedy: str = "no table is that large",
    kind: str = "a text file",
    *,
    windows: bool = False,
) -> TextFile:
    """Read the text of a table; every line of it ends with LF.

    Parameters
    ----------
    path
        The file: UTF-8, or UTF-16 with a byte-order mark, which is dropped; plain or gzipped.
    shown
        What to call it in messages.
    most
        Bytes of the file.
    remedy, kind
        What to do with a larger file, and what to give instead of a wrong path.
    windows
        Whether a file that is not UTF-8 is read in the encoding of older programs, such as cp1252,
        that gives the letters of a language.

    Raises
    ------
    ScenarioError
        Missing, unreadable, no regular file, too large, damaged, or in another encoding.
    """
    data = read_bytes(path, shown, kind, most, remedy)
    for sign, words in _NOT_TEXT.items():
        if data.startswith(sign):
            raise _refusal(shown, words)
    digest = hashlib.sha256(data).hexdigest()
    content = unpacked(data, shown)
    try:
        text, encoding = _decoded(content, shown), ""
    except ScenarioError:
        if not windows or content.startswith(_WIDE) or _NO_TEXT.search(content):
            raise
        text, encoding = decoded(content)
        if not encoding:
            raise
    return TextFile(shown, with_line_feeds(text), digest, encoding)


def _decoded(data: bytes, shown: str) -> str:
    """The characters of a text, without the byte-order mark.

    Raises
    ------
    ScenarioError
        The bytes are in another encoding; the error has the line of the first wrong one.
    """
    wide = data.startswith(_WIDE)
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        found = "UTF-16" if wide else "UTF-8"
        message = f"byte 0x{data[error.start]:02x} is not {found}; save the file as UTF-8"
        raise ScenarioError([Fault(shown, line, "", message)]) from error
    if "\0" in text[:2]:
        message = (
            "contains a zero byte (perhaps UTF-16 without a byte-order mark); save it as UTF-8"
        )
        raise ScenarioError([Fault(shown, 1, "", message)])
    return text


def unpacked(data: bytes, shown: str) -> bytes:
    """The bytes of a file that may be gzipped, in one member or several.

    Raises
    ------
    ScenarioError
        The packed data are damaged, cut, or too much.
    """
    if not data.startswith(_GZIP):
        return data
    parts, much = [], 0
    try:
        while data:
            stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
            parts.append(stream.decompress(data, LARGEST_UNPACKED + 1 - much))
            much += len(parts[-1])
            if much > LARGEST_UNPACKED:
                raise _refusal(
                    shown, f"unpacks to more than {LARGEST_UNPACKED >> 20} MiB; split it"
                )
            if not stream.eof:
                raise _refusal(shown, "ends in the middle of its compressed data; copy it again")
            data = stream.unused_data.lstrip(b"\0")
    except zlib.error as error:
        message = f"is damaged ({error}); compress it again with gzip"
        raise _refusal(shown, message) from error
    return b"".join(parts)


def _refusal(shown: str, message: str) -> ScenarioError:
    return ScenarioError([Fault(shown, 0, "", message)])

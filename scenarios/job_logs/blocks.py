"""Whole lines of a plain or gzipped file, block by block: bounded in memory, size and patience."""

from __future__ import annotations

import codecs
import hashlib
import itertools
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from scenarios.faults import Fault, ScenarioError
from scenarios.files import not_a_file

LARGEST_BYTES = 4 << 30
"""Unpacked bytes of a log: some seventy million jobs in the Standard Workload Format."""

LONGEST_LINE = 1 << 20
BEGINNING = 1 << 16
_READ = 1 << 16
_BLOCK = 1 << 20
_MOST_MEMBERS = 1 << 17
_GZIP = b"\x1f\x8b"
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""What a text of a Windows shell begins with; it is read as UTF-8."""
_OTHER_PACKERS = {
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"PK\x03\x04": "zip",
    b"\x1f\x9d": "compress",
}


class LogBlocks:
    """The lines of a file, some megabyte at a time.

    Attributes
    ----------
    file_name
        What the file is called in messages.
    error
        Why the blocks end before the file does; empty while they do not.
    kind
        What to give instead of a wrong file.
    """

    def __init__(
        self, path: Path, file_name: str, largest: int = LARGEST_BYTES, *, kind: str = "a job log"
    ) -> None:
        self.file_name = file_name
        self.kind = kind
        self.error = ""
        self._path = path
        self._most = largest
        self._hash = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """Hash of what was read of the file, packed as it is."""
        return self._hash.hexdigest()

    def beginning(self, length: int = BEGINNING) -> bytes:
        """Return the first unpacked bytes, of an iteration of its own."""
        twin = LogBlocks(self._path, self.file_name, self._most, kind=self.kind)
        return next(line_feeds(twin._pieces()), b"")[:length]

    def __iter__(self) -> Iterator[bytes]:
        """Yield blocks that end with a line end; one is added to the last line if it has none.

        A byte-order mark is dropped. Lines may end with CR, LF or CRLF, here with LF alone.

        Raises
        ------
        ScenarioError
            Missing, unreadable, or no regular file.
        """
        rest = b""
        mark = codecs.BOM_UTF8
        for line_feed in line_feeds(self._pieces()):
            piece = line_feed.removeprefix(mark)
            mark = b""
            end = piece.rfind(b"\n") + 1
            if not end and len(rest) + len(piece) <= LONGEST_LINE:
                rest += piece
                continue
            if end:
                yield rest + piece[:end] if rest else piece[:end]
                rest = piece[end:]
            if len(rest) > LONGEST_LINE or not end:
                self.error = f"a line is longer than {LONGEST_LINE >> 20} MiB; give {self.kind}"
                return
        if rest and not self.error:
            yield rest + b"\n"

    def _pieces(self) -> Iterator[bytes]:
        """Yield the unpacked bytes, as UTF-8 where the file is UTF-16."""
        pieces = self._unpacked_pieces()
        first = next(pieces, b"")
        if not first.startswith(_WIDE):
            if first:
                yield first
            yield from pieces
            return
        decoder = codecs.getincrementaldecoder("utf-16")()
        for piece in itertools.chain((first,), pieces, (b"",)):
            try:
                yield decoder.decode(piece, final=not piece).encode()
            except UnicodeError:
                self.error = "is UTF-16 with broken characters; save it as UTF-8"
                return

    def _unpacked_pieces(self) -> Iterator[bytes]:
        with self._opened() as stream:
            first = self._read(stream)
            packer = next((n for sign, n in _OTHER_PACKERS.items() if first.startswith(sign)), "")
            if packer:
                self.error = f"is compressed with {packer}; unpack it, or compress it with gzip"
                return
            unpacked = 0
            pieces = self._plain if not first.startswith(_GZIP) else self._gunzipped
            for piece in pieces(stream, first):
                unpacked += len(piece)
                if unpacked > self._most:
                    self.error = f"is larger than {self._most >> 20} MiB unpacked; split it"
                    return
                yield piece

    def _opened(self) -> BinaryIO:
        try:
            regular = stat.S_ISREG(self._path.stat().st_mode)
            if regular:
                return self._path.open("rb", buffering=0)
        except FileNotFoundError:
            raise self._refusal(f"does not exist; give the path of {self.kind}") from None
        except (OSError, ValueError) as error:
            raise self._unreadable(error) from error
        raise self._refusal(f"{not_a_file(self._path)}; give the path of {self.kind}")

    def _read(self, stream: BinaryIO, much: int = _READ) -> bytes:
        try:
            data = stream.read(much)
        except OSError as error:
            raise self._unreadable(error) from error
        self._hash.update(data)
        return data

    def _plain(self, stream: BinaryIO, data: bytes) -> Iterator[bytes]:
        while data:
            yield data
            data = self._read(stream, _BLOCK)

    def _gunzipped(self, stream: BinaryIO, data: bytes) -> Iterator[bytes]:
        """Unpack the members of a gzip file one after the other, never much at once."""
        members = 1
        inflate = zlib.decompressobj(31)
        while data or (data := self._read(stream)):
            try:
                piece = inflate.decompress(data, _BLOCK)
            except zlib.error as error:
                self.error = f"the compressed data are damaged ({error}); copy the file again"
                return
            data = inflate.unconsumed_tail
            if piece:
                yield piece
            if inflate.eof:
                data = self._next_member(stream, inflate.unused_data)
                if not data:
                    return
                members += 1
                if members > _MOST_MEMBERS:
                    self.error = f"has more than {_MOST_MEMBERS} gzip members; compress it again"
                    return
                inflate = zlib.decompressobj(31)
        while piece := _flushed(inflate):
            yield piece
        self.error = "the compressed data end too early; copy the file again"

    def _next_member(self, stream: BinaryIO, data: bytes) -> bytes:
        """What follows a member, zeros left out; empty at the end, or where no member follows."""
        while not (data := data.lstrip(b"\0")):
            data = self._read(stream)
            if not data:
                return b""
        if len(data) == 1:
            data += self._read(stream)
        if data.startswith(_GZIP):
            return data
        self.error = "other data follow the compressed data; copy the file again"
        return b""

    def _unreadable(self, error: Exception) -> ScenarioError:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        return self._refusal(f"cannot be read: {reason}")

    def _refusal(self, message: str) -> ScenarioError:
        return ScenarioError([Fault(self.file_name, 0, "", message)])


def line_feeds(pieces: Iterator[bytes]) -> Iterator[bytes]:
    r"""Yield the pieces of a text with LF at the end of its lines, which may be CR, LF or CRLF.

    Examples
    --------
    >>> list(line_feeds(iter([b"a\r", b"\nb\r", b"c\r\n\r"])))
    [b'a', b'\nb', b'\nc\n', b'\n']
    """
    held = b""
    for chunk in pieces:
        piece = held + chunk if held else chunk
        held = b""
        if b"\r" in piece:
            if piece.endswith(b"\r"):  # a line feed may follow in the next piece
                piece, held = piece[:-1], b"\r"
            piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if piece:
            yield piece
    if held:
        yield b"\n"


def _flushed(inflate: zlib._Decompress) -> bytes:
    """Return what a decompressor still holds, a block at a time."""
    return b"" if inflate.eof else inflate.decompress(b"", _BLOCK)

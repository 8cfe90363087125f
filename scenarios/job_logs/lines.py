"""Lines of text in bounded blocks, with their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scenarios.job_logs.blocks import LogBlocks

_BLOCK = 1 << 20


class LinesInMemory:
    """Lines that are in memory, in blocks as those of a file."""

    error = ""

    def __init__(self, text: bytes) -> None:
        self._text = text

    def __iter__(self) -> Iterator[bytes]:
        begin, size = 0, len(self._text)
        while begin < size:
            end = self._text.rfind(b"\n", begin, begin + _BLOCK) + 1
            end = end or self._text.find(b"\n", begin) + 1 or size
            yield self._text[begin:end].removesuffix(b"\n") + b"\n"
            begin = end


class Lines:
    """The lines of a file, without their ends; bytes that are not UTF-8 are escaped.

    Attributes
    ----------
    number
        Number of the line that was given last.
    error
        Why the lines end before the file does; empty while they do not.
    quoted
        Whether a quotation mark occurred so far.
    take
        Called with each block and the lines before it: whether it took the whole block, whose
        lines are then not given.
    """

    take: Callable[[bytes, int], bool] = staticmethod(lambda *_: False)

    def __init__(self, blocks: LogBlocks | LinesInMemory) -> None:
        self.number = 0
        self.error = ""
        self.quoted = False
        self._blocks = blocks

    def __iter__(self) -> Iterator[str]:
        for block in self._blocks:
            if b"\0" in block:
                self.number += block[: block.index(b"\0")].count(b"\n")
                self.error = "contains a zero byte, so it is not a text file; give the log itself"
                return
            self.quoted = self.quoted or b'"' in block
            if self.take(block, self.number):
                self.number += block.count(b"\n")
                continue
            for line in block.decode("utf-8", "backslashreplace").removesuffix("\n").split("\n"):
                self.number += 1
                yield line
        self.error = self._blocks.error

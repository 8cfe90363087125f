"""Lines of text in bounded blocks, with their numbers."""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.job_logs.blocks import LogBlocks


class Lines:
    """The lines of a file, without their ends; bytes that are not UTF-8 are escaped.

    Attributes
    ----------
    number
        Number of the line that was given last.
    error
        Why the lines end before the file does; empty while they do not.
    """

    def __init__(self, blocks: LogBlocks) -> None:
        self.number = 0
        self.error = ""
        self._blocks = blocks

    def __iter__(self) -> Iterator[str]:
        for block in self._blocks:
            if b"\0" in block:
                self.number += block[: block.index(b"\0")].count(b"\n")
                self.error = "contains a zero byte, so it is not a text file; give the log itself"
                return
            for line in block.decode("utf-8", "backslashreplace").removesuffix("\n").split("\n"):
                self.number += 1
                yield line.removesuffix("\r")
        self.error = self._blocks.error

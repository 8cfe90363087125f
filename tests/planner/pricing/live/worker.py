"""A job for tests of the live program: it counts its progress, for a limited time."""

from __future__ import annotations

import mmap
import sys
import time
from pathlib import Path


def main(path: str, seconds: str) -> None:
    file = Path(path)
    file.write_bytes(bytes(8))
    until = time.monotonic() + float(seconds)
    with file.open("r+b") as stream:
        counter = memoryview(mmap.mmap(stream.fileno(), 8)).cast("Q")
        while time.monotonic() < until:
            counter[0] += 1


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])

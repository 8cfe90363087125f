"""What is said while loops are compiled, in this process and in its workers."""

from __future__ import annotations

import logging
import math
import sys
import time

_LOGGER = logging.getLogger("headroom.compiling")
_SECONDS_BETWEEN_LINES = 5.0
_SECONDS_A_FUNCTION = 0.25
"""On a usual machine."""


class _Telling(logging.Handler):
    """A line on stderr at the first function, and none within five seconds of the last one."""

    def __init__(self) -> None:
        super().__init__()
        self._began = self._last = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        now = time.monotonic()
        if not self._last:
            self._began = now
            seconds = math.ceil(_SECONDS_A_FUNCTION * vars(record).get("functions", 1))
            line = f"{record.getMessage()} (about {seconds} s, once on this machine) ..."
        elif now - self._last >= _SECONDS_BETWEEN_LINES:
            line = f"{now - self._began:.0f} s: {record.getMessage()}"
        else:
            return
        self._last = now
        sys.stderr.write(f"{line}\n")


def tell_compiling(*, told: bool) -> None:
    """Say what is compiled from now on, or be quiet."""
    _LOGGER.handlers = [_Telling()] if told else []
    _LOGGER.setLevel(logging.INFO)
    _LOGGER.propagate = False


def compiling_is_told() -> bool:
    """Whether this process says what it compiles."""
    return bool(_LOGGER.handlers)

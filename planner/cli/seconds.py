"""How long the parts of a run take, for ``run.json``: together as long as the run so far."""

from __future__ import annotations

import re
import time

_NUMBERED = re.compile(r"[ ,]*\d.*")


class Seconds:
    """Wall seconds by part, in the order in which the parts first began."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._part, self._since = "start", time.perf_counter()

    def begin(self, part: str) -> None:
        """What follows belongs to this part; what ends in a number is one part with its like."""
        self._end()
        self._part = _NUMBERED.sub("", part) or part

    def closed(self) -> dict[str, float]:
        """All parts; the next run of this process begins anew."""
        self._end()
        closed, self._seconds = self._seconds, {}
        return closed

    def _end(self) -> None:
        now = time.perf_counter()
        self._seconds[self._part] = self._seconds.get(self._part, 0.0) + now - self._since
        self._since = now


SECONDS = Seconds()
"""Those of this process."""

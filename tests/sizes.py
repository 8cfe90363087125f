"""How many cases a random test draws: few in ``make test``, all of them in ``make release``."""

from __future__ import annotations

import os

VARIABLE = "HEADROOM_TESTS"
ALL = "all"
_SHARE = 8
_LEAST = 4


def few(number: int, least: int = _LEAST) -> int:
    """How many of ``number`` cases run: an eighth, but ``least``; all where the variable says so.

    The cases of a test have a fixed order, so that what ``make test`` runs is the beginning of what
    ``make release`` runs.
    """
    if os.environ.get(VARIABLE) == ALL:
        return number
    return min(number, max(least, number // _SHARE))

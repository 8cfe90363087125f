"""Names of the policies in prose; files keep those that the command line takes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "fcfs": "FCFS",
        "easy": "EASY",
        "easy++": "EASY++",
        "easy++-pass": "EASY++ with extra passes",
        "conservative": "conservative backfilling",
        "sjf": "SJF",
        "sjf-easy": "SJF with EASY backfilling",
        "largest": "largest job first",
        "largest-easy": "largest job first with EASY backfilling",
        "maui": "Maui",
        "moldable": "moldable EASY",
    }
)


def in_prose(policy: str) -> str:
    """Return the name of a policy in a sentence; a policy of the user's own keeps its name.

    Examples
    --------
    >>> in_prose("easy"), in_prose("conservative"), in_prose("mine")
    ('EASY', 'conservative backfilling', 'mine')
    """
    return NAMES.get(policy, policy)

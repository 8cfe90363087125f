"""Names of the policies in prose and in tables; files keep those that the command line takes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from planner.formatting import capitalised

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
        "recorded": "the recorded schedule",
        "as in the file": "the schedule in the file",
    }
)

_OWN_SCHEDULES = ("recorded", "as in the file")


def in_prose(policy: str) -> str:
    """Return the name of a policy in a sentence; a policy of the user's own keeps its name.

    Examples
    --------
    >>> in_prose("easy"), in_prose("conservative"), in_prose("mine")
    ('EASY', 'conservative backfilling', 'mine')
    """
    return NAMES.get(policy, policy)


def in_table(policy: str) -> str:
    """Return the name of a policy in a table: as in a sentence, with a capital.

    The row of the log's own schedule keeps its name, which texts quote.

    Examples
    --------
    >>> in_table("easy"), in_table("conservative"), in_table("mine"), in_table("recorded")
    ('EASY', 'Conservative backfilling', 'mine', 'recorded')
    """
    named = policy in NAMES and policy not in _OWN_SCHEDULES
    return capitalised(NAMES[policy]) if named else policy

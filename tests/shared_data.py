"""The real data that lie outside the project: where they are, and which tests need them.

``HEADROOM_DATA`` names the folder; by default it is ``../shared/data`` of the checkout. With
``HEADROOM_DATA=none`` the tests that need the data do not run, and a list at the end names them.
PROVENANCE.md in that folder says where each file comes from.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VARIABLE = "HEADROOM_DATA"
NONE = "none"
_DEFAULT = Path(__file__).parents[2] / "shared" / "data"
_GIVEN = os.environ.get(VARIABLE, "")

DATA = _DEFAULT if _GIVEN in ("", NONE) else Path(_GIVEN).absolute()
TRACES = DATA / "traces"
COMMUNICATION = DATA / "communication"
MEASUREMENTS = DATA / "measurements"
SERVERS = DATA / "servers"
SPECPOWER = SERVERS / "specpower-2026-03-09.csv"
KNAPSACK = DATA / "knapsack"
CASES = DATA.parent / "cases"
"""Inputs that were once answered falsely: a folder each, with ``cmd`` and ``expected.txt``."""
RZMERL = MEASUREMENTS / "rzmerl-2013.csv"

needs_data = pytest.mark.needs_data
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason=f"needs the cases ({CASES})")


def available() -> bool:
    """Whether tests that need the data run: then a file that is missing is a failure."""
    return _GIVEN != NONE and DATA.is_dir()


def problem() -> str:
    """Why the tests cannot run as they were requested; empty if they can."""
    if _GIVEN in ("", NONE) or DATA.is_dir():
        return ""
    return (
        f"{VARIABLE}={_GIVEN} is not a folder; give the folder of the real data (README.md says "
        f"how to get it), or {VARIABLE}={NONE} to run only the tests that need none of it"
    )

"""One compilation for all tests of this folder."""

from __future__ import annotations

import pytest

from solvers.choice import solve_choice
from tests.solvers.choice.instances import random_choice


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    """Compile every loop once."""
    for resources in (2, 3):
        solve_choice(random_choice(1, "free", resources=resources))

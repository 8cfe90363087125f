"""One compilation for all tests of this folder."""

from __future__ import annotations

import numpy as np
import pytest

from solvers.partition import BY_NAME, Request
from tests.solvers.partition.instances import drawn


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    """Compile every loop once."""
    for name in ("kl", "dynamic"):
        BY_NAME[name].partition(Request(drawn(6, 1, negative=True), np.array([3, 3])))

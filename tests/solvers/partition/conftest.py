"""One compilation for all tests of this folder."""

from __future__ import annotations

import pytest

from solvers.partition import BY_NAME, Request, equal_parts
from tests.solvers.partition.instances import drawn


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    """Compile every loop once."""
    small, larger = drawn(6, 1, negative=True), drawn(90, 1, negative=True, density=0.1)
    for name, graph in (("kl", small), ("dynamic", small), ("multilevel", larger)):
        BY_NAME[name].partition(Request(graph, equal_parts(graph, 3)))

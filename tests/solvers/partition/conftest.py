"""One compilation for all tests of this folder."""

from __future__ import annotations

import pytest

from solvers.mapping.warm import warm


@pytest.fixture(scope="session", autouse=True)
def warmed() -> None:
    """Compile every loop once."""
    warm()

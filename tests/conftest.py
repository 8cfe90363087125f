"""What several tests share."""

from __future__ import annotations

import pytest

import planner
from planner.study import Study


@pytest.fixture(scope="session")
def thesis() -> Study:
    return planner.plan("thesis-7kw")


@pytest.fixture(scope="session")
def hopper() -> Study:
    return planner.plan("hopper-2010")

"""What several tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

import planner
from planner.study import Study

settings.register_profile("house", deadline=None, derandomize=True)  # no test asserts a time
settings.load_profile("house")


@pytest.fixture(scope="session")
def thesis() -> Study:
    return planner.compare_designs("thesis-7kw")


@pytest.fixture(scope="session")
def hopper() -> Study:
    return planner.compare_designs("hopper-2010")

"""What several tests share."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

import planner
from planner.study import Study

os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads of several workers wait for each other
settings.register_profile("house", deadline=None, derandomize=True)  # no test asserts a time
settings.load_profile("house")


@pytest.fixture(scope="session")
def thesis() -> Study:
    return planner.compare_designs("thesis-7kw")


@pytest.fixture(scope="session")
def hopper() -> Study:
    return planner.compare_designs("hopper-2010")

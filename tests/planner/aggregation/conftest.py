"""A small study, made once for all tests."""

from __future__ import annotations

import pytest

from benchmarks.studies.aggregation.validation import Study, study


@pytest.fixture(scope="session")
def small() -> Study:
    return study([0], families=("cliff", "queue"), codes=("lu", "ft"))

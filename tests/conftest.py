"""What several tests share."""

from __future__ import annotations

import gc
import math
import os
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

import planner
import solvers.compiled
from planner.cli import edges
from planner.designs.study import DesignStudy
from reports.show import show_studies
from tests import shared_data

os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads of several workers wait for each other
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs behind
edges.SECONDS_BETWEEN_LINES = math.inf  # what a command prints depends on no clock
solvers.compiled.MOST_INTERPRETED = 0  # what runs in a test depends on no test before it
show_studies()
settings.register_profile("house", deadline=None, derandomize=True)  # no test asserts a time
settings.load_profile("house")


def pytest_configure() -> None:
    gc.disable()  # what is imported and collected stays: half of the time would look for garbage
    problem = shared_data.problem()
    if problem:
        raise pytest.UsageError(problem)


@pytest.hookimpl(hookwrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, Any, None]:
    """Look for no examples in a file of tests that has none: that takes seconds in all."""
    result = yield
    if file_path.suffix == ".py" and ">>>" not in file_path.read_text(encoding="utf-8"):
        results = [item for item in result.get_result() if not isinstance(item, DoctestModule)]
        result.force_result(results)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs the real data where they are not there; a file that is missing fails."""
    if shared_data.available():
        return
    skip = pytest.mark.skip(reason=f"needs the real data ({shared_data.VARIABLE})")
    for item in items:
        if item.get_closest_marker(shared_data.needs_data.name) is not None:
            item.add_marker(skip)


def pytest_collection_finish() -> None:
    """What was collected is left out of the search for garbage, which begins here."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name every test that did not run for want of the data, so that no gap is silent."""
    if shared_data.available():
        return
    skipped = terminalreporter.stats.get("skipped", [])
    names = sorted(
        {report.nodeid for report in skipped if shared_data.VARIABLE in str(report.longrepr)}
    )
    terminalreporter.section(f"{len(names)} tests did not run: the real data are not there")
    for name in names:
        terminalreporter.write_line(name)
    terminalreporter.write_line(f"README.md says how to get the data ({shared_data.DATA}).")


@pytest.fixture(scope="session")
def thesis() -> DesignStudy:
    return planner.compare_designs("thesis-7kw")


@pytest.fixture(scope="session")
def hopper() -> DesignStudy:
    return planner.compare_designs("hopper-2010")

"""Stored evidence: what every method makes of measured cases, and up to which size it is usable."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.planner.formulations.stored import (
    GROWTH,
    LIMIT_S,
    MEASURED,
    Row,
    growth_rows,
    read,
    sharing_rows,
    usable_to,
)
from tests.shared_data import needs_data

EXACT = ("reference (CBC)", "reference (HiGHS)", "engine")
PATIENCE = 4
"""A machine may take so many times as long as the one that stored the evidence."""


def assert_same(now: Row, before: Row) -> None:
    assert (now.instance, now.method, now.status) == (before.instance, before.method, before.status)
    if before.objective is None:
        assert now.objective is None
    else:
        assert now.objective == pytest.approx(before.objective, rel=1e-9)


def by_instance(rows: list[Row]) -> dict[str, dict[str, Row]]:
    result: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in rows:
        result[row.instance][row.method] = row
    return result


def test_in_the_stored_cases_exact_methods_agree_and_no_heuristic_beats_them() -> None:
    cases = by_instance(read(MEASURED))
    assert len(cases) == 20
    for rows in cases.values():
        optimum = rows["engine"].objective
        assert optimum is not None
        for name in EXACT:
            assert rows[name].status == "optimal"
            assert rows[name].objective == pytest.approx(optimum, rel=1e-9)
        for row in rows.values():
            assert row.objective is None or row.objective >= optimum * (1 - 1e-9)
        assert len(rows) == 6


def test_the_stored_growth_says_where_each_method_stops() -> None:
    rows = read(GROWTH)
    for unit in ("jobs", "ranks"):
        here = [row for row in rows if unit in row.instance]
        reach = usable_to(here)
        assert all(reach[name] <= reach["engine"] for name in EXACT)
        for row in here:
            if row.objective is None:  # a method that has stopped is not tried on larger sizes
                later = [r for r in here if r.method == row.method and r.size > row.size]
                assert later == []
        for same in by_instance(here).values():
            values = {
                row.objective
                for row in same.values()
                if row.method in EXACT and row.objective is not None
            }
            assert max(values, default=0.0) == pytest.approx(min(values, default=0.0), rel=1e-9)


@needs_data
@pytest.mark.release
def test_every_method_makes_of_the_measured_cases_what_is_stored() -> None:
    for now, before in zip(sharing_rows(), read(MEASURED), strict=True):
        assert_same(now, before)


@needs_data
@pytest.mark.release
def test_what_was_usable_at_a_size_still_is() -> None:
    stored = [row for row in read(GROWTH) if row.objective is not None]
    again = growth_rows(PATIENCE * LIMIT_S, stored)
    for now, before in zip(again, stored, strict=True):
        assert_same(now, before)

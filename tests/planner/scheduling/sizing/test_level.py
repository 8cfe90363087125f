"""Service levels: how they are written, what they measure, and what is refused."""

from __future__ import annotations

import contextlib
import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.errors import InputError
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.measures import measure
from planner.scheduling.simulation.simulate import simulate
from planner.scheduling.sizing.level import MEASURES, STATISTICS, ServiceLevel, parse_level
from scenarios.job_logs.lublin import lublin_log
from tests.planner.scheduling.sizing.logs import log_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p95-bounded-slowdown<=20", ServiceLevel("p95", "bounded-slowdown", 20)),
        ("mean-wait<=600", ServiceLevel("mean", "wait", 600)),
        (" Max-Turnaround <= 1.5d ", ServiceLevel("max", "turnaround", 129_600)),
        ("median-wait≤2h", ServiceLevel("median", "wait", 7200)),
        ("p99-slowdown<=1e3", ServiceLevel("p99", "slowdown", 1000)),
        ("p90-wait<=0", ServiceLevel("p90", "wait", 0)),
        ("p90-wait<=5e-1", ServiceLevel("p90", "wait", 0.5)),
    ],
)
def test_a_level_is_read(text: str, expected: ServiceLevel) -> None:
    assert parse_level(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p97-wait<=3", "'p97' is not a statistic of a service level; choose one of mean"),
        ("mean-waits<=3", "'waits' is not a measure of a service level; choose one of wait"),
        ("p95-wait<3", "'p95-wait<3' is not a service level; write STATISTIC-MEASURE<=LIMIT"),
        ("", "is not a service level"),
        ("p95-wait<=", "is not a service level"),
        ("p95-wait<=1.2.3", "is not a service level"),
        ("p95-wait<=nan", "is not a service level"),
        ("p95-wait<=-3", "the limit -3 of p95-wait is not a number at least 0"),
        ("p95-slowdown<=0", "the limit 0 of p95-slowdown is not a number above 0"),
        ("p95-turnaround<=0", "the limit 0 of p95-turnaround is not a number above 0"),
        ("p95-wait<=1e999", "the limit inf of p95-wait"),
        ("p95-wait<=3y", "'y' is not a unit of time; there are s, min, h, d"),
        ("p95-slowdown<=3h", "slowdown has no unit; remove 'h'"),
    ],
)
def test_what_is_no_level_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        parse_level(text)


@given(st.text(max_size=60))
def test_any_text_is_a_level_or_refused(text: str) -> None:
    with contextlib.suppress(InputError):
        assert parse_level(text).limit >= 0


def test_values_are_those_of_the_simulation() -> None:
    schedule = simulate(lublin_log(300, 64, 2, load=0.9), POLICIES["easy"]).schedule
    flat = measure(schedule).to_dict()
    for statistic, name in itertools.product(STATISTICS, MEASURES):
        level = ServiceLevel(statistic, name, 1)
        assert level.value(schedule) == flat[level.key], level.name


def test_values_by_hand() -> None:
    # both ask for both processors: waits 0 and 90 s; turnarounds 100 and 95 s; 95 / max(5, 10)
    log = log_of([(0, 100, 2, 0), (10, 5, 2, 0)], 2)
    schedule = simulate(log, POLICIES["fcfs"]).schedule
    assert ServiceLevel("mean", "wait", 1).value(schedule) == 45
    assert ServiceLevel("max", "turnaround", 1).value(schedule) == 100
    assert ServiceLevel("max", "bounded-slowdown", 1).value(schedule) == 9.5
    assert ServiceLevel("max", "slowdown", 1).value(schedule) == 19
    assert ServiceLevel("p90", "wait", 81).keeps(ServiceLevel("p90", "wait", 81).value(schedule))
    assert not ServiceLevel("p90", "wait", 80.9).keeps(81.0)


def test_an_infinite_slowdown_is_no_value_and_keeps_nothing() -> None:
    log = log_of([(0, 100, 2, 0), (10, 0, 2, 0)], 2)
    schedule = simulate(log, POLICIES["fcfs"]).schedule
    level = ServiceLevel("mean", "slowdown", 1e9)
    assert level.value(schedule) is None
    assert not level.keeps(None)
    assert level.text(None) == "not defined"


@pytest.mark.parametrize("text", ["p95-bounded-slowdown<=6,500", "mean-wait<=6,500s"])
def test_commas_between_thousands_are_refused_by_name(text: str) -> None:
    with pytest.raises(InputError, match=r"has a comma in its limit 6,500; write 6500$"):
        parse_level(text)

"""The parts of a run are as long as the run, together."""

from __future__ import annotations

import time

import pytest

from planner.cli.seconds import Seconds


def test_parts_sum_to_the_whole_and_like_ones_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 1.0, 3.0, 6.0, 10.0, 15.0, 21.0, 28.0, 36.0])
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    parts = Seconds()
    for part in ("reading", "grid 1/25", "grid 2/25", "easy", "3"):
        parts.begin(part)
    closed = parts.closed()
    assert closed == {"start": 1.0, "reading": 2.0, "grid": 7.0, "easy": 5.0, "3": 6.0}
    assert sum(closed.values()) == 21.0
    parts.begin("reading")
    assert parts.closed() == {"3": 7.0, "reading": 8.0}

"""Reasons in docs/evidence/schedule.md: times within the fair share, errors of predicted power."""

from __future__ import annotations

import pytest

from benchmarks.studies.schedule.reasons import within_share, worst_rows
from benchmarks.studies.schedule.thesis_grid import scenario_at
from planner.scheduling.power.inputs.build import replicate


@pytest.mark.slow
def test_naive_is_faster_on_large_requests_and_slower_on_small_ones() -> None:
    details = replicate(scenario_at(0.1, "oracle"), 0).details
    large, small = (within_share(details, 64, 6500.0, kind) for kind in ("large", "small"))
    assert (round(large.ratio, 2), round(small.ratio, 2)) == (0.90, 1.24)
    assert (round(large.nodes), round(large.traditional_nodes)) == (47, 36)
    high = within_share(details, 64, 14720.0, "small")
    assert (round(high.nodes), round(high.traditional_nodes)) == (34, 16)


@pytest.mark.slow
def test_power_is_most_too_low_with_half_of_the_cores_and_without_a_cap() -> None:
    rows = worst_rows(range(10))
    assert sum((row.cores_per_node, row.package_cap_w) == (8, 115.0) for row in rows) == 57
    most = [max(row.too_low for row in rows if row.seed == seed) for seed in range(10)]
    assert sum(most) / len(most) == pytest.approx(0.295, abs=0.005)
    every = worst_rows([0], training_share=1.0)
    assert max(row.too_low for row in every) < 0.15

"""Chapter 5 of the thesis on the simulated cluster: what was stored, and what the page says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.studies.schedule.shapes import BOUNDS_W, LOGS, SHAPES, results, table, verdicts
from benchmarks.studies.schedule.thesis_grid import (
    LOADS,
    TABLES,
    cells,
    scenario_at,
    stored,
)
from planner.question import schedule_of
from planner.scheduling.power.schedule import default_policies, schedule

PAGE = (Path(__file__).parents[3] / "docs" / "evidence" / "schedule.md").read_text(encoding="utf-8")
SEEDS = 20


def test_every_load_log_bound_policy_and_seed_is_stored() -> None:
    parts = stored()["parts"]
    assert [(part["method"], part["node_counts"], part["load"]) for part in parts] == [
        (*table_, load) for table_ in TABLES for load in LOADS
    ]
    policies = default_policies(scenario_at(0.1, "model"))
    assert len(policies) == 7
    every = {(log, bound, policy) for log in LOGS for bound in BOUNDS_W for policy in policies}
    for part in parts:
        assert {(one["log"], one["bound_w"], one["policy"]) for one in part["cells"]} == every
        assert all(len(one["turnaround_ms"]) == SEEDS for one in part["cells"])
        assert all(one["rejected"] == 0 for one in part["cells"])


def test_the_loads_and_the_table_of_the_scenario_are_changed() -> None:
    question = schedule_of(scenario_at(0.7, "oracle", seeds=3))
    assert {log.offered_load for log in question.logs} == {0.7}
    assert (question.details.method, question.seeds) == ("oracle", 3)
    assert question.details.node_counts == "thesis"
    every = schedule_of(scenario_at(0.7, "model", node_counts="every")).details
    assert (every.method, every.node_counts, every.training_share) == ("model", "every", 0.1)


def test_the_page_shows_the_tables() -> None:
    assert "\n".join(table()) in PAGE
    assert "\n".join(table("every")) in PAGE


def test_the_findings_of_the_page_are_those_of_the_results() -> None:
    result = verdicts()
    assert result["Adaptive / Traditional, large logs"] == ["yes"] * 3
    assert result["Adaptive / Traditional, random logs"] == ["yes"] * 3
    assert result["Naive / Traditional, large logs at 6.5 kW"] == ["no"] * 3
    assert result["Adaptive / Traditional, small logs at 6.5 kW"] == ["yes", "not shown", "no"]
    assert len(result) == len(SHAPES)
    every = verdicts(node_counts="every")["Adaptive-any / Adaptive, large logs"]
    assert {*every} == {"yes"}  # a table that begins at 8 nodes hides it


def test_naive_is_never_shown_to_be_faster_than_adaptive() -> None:
    for load in LOADS:
        known = results(load)
        for log in LOGS:
            assert known.ratio([log], BOUNDS_W, "adaptive", "naive").mean <= 1.0005


def test_a_ratio_is_the_geometric_mean_over_logs_and_bounds() -> None:
    known = results(0.1)
    one, other = (known.turnaround_s["large", 8000.0, name] for name in ("naive", "traditional"))
    two, base = (known.turnaround_s["small", 8000.0, name] for name in ("naive", "traditional"))
    expected = np.exp(np.mean((np.log(one / other) + np.log(two / base)) / 2))
    result = known.ratio(["large", "small"], [8000.0], "naive", "traditional")
    assert result.mean == pytest.approx(expected)


@pytest.mark.slow
def test_a_cell_of_the_stored_results_returns() -> None:
    """Large logs at 6.5 kW and offered load 0.3: 20 seeds, 7 policies."""
    study = schedule(scenario_at(0.3, "model"), bounds_w=[6500.0], logs=["large"])
    key = ("model", "thesis", 0.3)
    (part,) = [one for one in stored()["parts"]
               if (one["method"], one["node_counts"], one["load"]) == key]  # fmt: skip
    expected = [one for one in part["cells"] if (one["log"], one["bound_w"]) == ("large", 6500.0)]
    for made, one in zip(cells(study.outcomes), expected, strict=True):
        assert made["policy"] == one["policy"]
        assert made["turnaround_ms"] == one["turnaround_ms"]
        assert made["sooner"] == pytest.approx(one["sooner"])

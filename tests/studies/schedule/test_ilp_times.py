"""ILP schedulers against greedy ones: what was stored is what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.studies.schedule.ilp_times import LOAD, POLICIES, SEEDS, picture, stored
from benchmarks.studies.schedule.thesis_grid import scenario_at
from planner.scheduling.power.results.comparisons import overall
from planner.scheduling.power.schedule import schedule

PAGE = (Path(__file__).parents[3] / "docs" / "schedule-evidence.md").read_text(encoding="utf-8")


def test_the_page_shows_what_was_stored() -> None:
    rows = stored()
    assert tuple(row["policy"] for row in rows) == POLICIES
    for row in rows:
        line = next(line for line in PAGE.splitlines() if line.startswith(f"| `{row['policy']}` | ")
                    and f"| {row['ratio']:.3f} |" in line)  # fmt: skip
        assert f"{row['fairness']:.3f}" in line
        if row["policy"] != "traditional":
            assert f"{row['low']:.3f} to {row['high']:.3f}" in line


def test_no_decision_fell_back() -> None:
    assert [row["fallbacks"] for row in stored()] == [0] * len(POLICIES)
    assert all(row["largest_gap"] <= 1e-3 for row in stored() if row["decisions"])


def test_the_title_of_the_figure_is_what_was_stored() -> None:
    rows = {row["policy"]: row["ratio"] for row in stored()}
    title = picture(stored()).title
    assert f"{1 - rows['ilp-engine-any']:.0%}".replace("%", " %") in title
    assert f"{1 - rows['ilp-highs-any-unfair']:.0%}".replace("%", " %") in title


@pytest.mark.slow
def test_the_quality_of_the_knapsack_returns() -> None:
    policies = ("traditional", "adaptive", "ilp-engine-any")
    study = schedule(scenario_at(LOAD, "model", SEEDS), policies=policies, bounds_w=[6500, 10000])
    known = {row["policy"]: row for row in stored()}
    for row in overall(study.outcomes, "traditional"):
        assert row.ratio == pytest.approx(known[row.policy]["ratio"], rel=1e-9)
        assert row.fairness == pytest.approx(known[row.policy]["fairness"], rel=1e-9)

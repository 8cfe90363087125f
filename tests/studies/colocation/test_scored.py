"""Choices on measured pairs, scored on the law: the stored results, and the program behind them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.studies.colocation.scored import (
    JOBS,
    SEEDS,
    all_groups,
    best_groups,
    measured_problem,
    predicted_speeds,
    scored,
    stored,
    table,
)
from planner.sharing_nodes.pairs.groups import GroupRules, grouped
from scenarios.simulated.shared_node.applications import TWELVE

PAGE = Path(__file__).parents[3] / "docs" / "colocate.md"


def test_the_page_shows_the_table() -> None:
    assert table(stored()) in PAGE.read_text(encoding="utf-8")


def test_no_choice_passes_the_proven_limit() -> None:
    rows = stored()
    assert {row["seed"] for row in rows} == set(range(SEEDS)) == set(range(20))
    assert len(rows) == 6 * SEEDS
    assert all(float(row["gain"]) <= float(row["limit"]) + 1e-5 for row in rows)
    for seed in range(SEEDS):
        gain = {row["policy"]: float(row["gain"]) for row in rows if row["seed"] == seed}
        assert gain["matching"] >= max(gain["random"], gain["first fit"], gain["greedy best pair"])


def test_counting_applications_finds_the_groups_of_the_single_jobs() -> None:
    kinds = np.random.default_rng(5).integers(len(TWELVE), size=9)
    problem = measured_problem(kinds, 5)
    available = np.bincount(kinds, minlength=len(TWELVE))
    chosen, limit = best_groups(available, 3, lambda group: predicted_speeds(problem, group))
    gain = sum(float(predicted_speeds(problem, group).sum()) - 1.0 for group in chosen)
    optimum = grouped(problem, GroupRules(size=3)).gain
    assert 0.995 * optimum <= gain + 1e-9 <= optimum + 1e-6
    assert limit >= optimum - 1e-6
    used = np.bincount([kind for group in chosen for kind in group], minlength=len(TWELVE))
    assert (used <= available).all()


def test_every_group_of_applications_is_listed_once() -> None:
    """12 applications, with repetition, make 78 pairs and 364 groups of three."""
    result = all_groups(3)
    assert len(result) == len({*result}) == 78 + 364
    assert JOBS == 24


@pytest.mark.release
def test_the_first_seed_is_as_stored() -> None:
    expected = [row for row in stored() if row["seed"] == 0]
    for row, other in zip(scored(0), expected, strict=True):
        assert row == pytest.approx(other, abs=1e-3)

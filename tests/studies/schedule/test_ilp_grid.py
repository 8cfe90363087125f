"""ILP schedulers under equal rules: what is stored, what the pages say, and a part once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.studies.schedule import ilp_grid, ilp_guards, ilp_tables
from benchmarks.studies.schedule.ilp_grid import (
    BOUNDS_W,
    COLUMNS,
    GridPart,
    cells,
    parts,
    run,
    stored,
)
from tests.shared_data import needs_data

DOCS = Path(__file__).parents[3] / "docs"
EVIDENCE = (DOCS / "evidence" / "schedule.md").read_text(encoding="utf-8")
PROGRAMS = (DOCS / "power-ilp.md").read_text(encoding="utf-8")
LOGS = 4


def part(name: str) -> GridPart:
    return next(one for one in parts() if one.name == name)


def test_every_part_is_stored_with_every_policy_log_bound_and_seed() -> None:
    known = stored()
    assert {*known} == {one.name for one in parts()}
    for one in parts():
        assert known[one.name]["seeds"] == one.seeds
        rows = known[one.name]["cells"]
        assert len(rows) == len(one.policies) * 2 * (1 if one.window else LOGS)
        assert {row["policy"] for row in rows} == {*one.policies}
        assert all(len(row[name]) == one.seeds for row in rows for name in COLUMNS)


def test_the_pages_show_the_stored_tables() -> None:
    for counts in ilp_grid.COUNTS:
        assert "\n".join(ilp_tables.synthetic(counts)) in EVIDENCE
        assert "\n".join(ilp_tables.guards(counts)) in EVIDENCE
    for known in ilp_grid.KNOWN:
        assert "\n".join(ilp_tables.machines(known)) in EVIDENCE
        assert "\n".join(ilp_tables.extremes(known)) in EVIDENCE
    assert "\n".join(ilp_tables.solvers()) in PROGRAMS
    assert "\n".join(ilp_tables.slots()) in PROGRAMS
    assert "\n".join(ilp_tables.pairs()) in EVIDENCE


@pytest.mark.parametrize("counts", ilp_grid.COUNTS)
def test_under_equal_rules_the_knapsack_is_shorter_and_any_run_time_is_another_rule(
    counts: Any,
) -> None:
    known = ilp_tables.cells_of(f"synthetic-{counts}")
    for policy in ("ilp-engine", "ilp-engine-20", "ilp-reserved-engine", "ilp-reserved-engine-20"):
        high = ilp_tables.ratio(known, policy).high
        assert high is not None
        assert high < 1
    anything = ilp_tables.ratio(known, "ilp-engine-any")
    assert (anything.mean > 1) == (counts == "every")


def test_a_reservation_keeps_the_longest_wait_short() -> None:
    for counts in ilp_grid.COUNTS:
        known = ilp_tables.cells_of(f"synthetic-{counts}")
        policies = ("ilp-reserved-engine", "adaptive", "ilp-engine")
        reserved, greedy, plain = (
            ilp_tables.values(known[policy], "longest_wait_s").max() for policy in policies
        )
        assert reserved < greedy < plain


@pytest.mark.parametrize("known", ilp_grid.KNOWN)
def test_under_equal_rules_the_knapsack_is_shorter_in_every_window(known: Any) -> None:
    longer = 0
    for window in ilp_tables.windows(known):
        plain, reserved, anything = (
            ilp_tables.ratio(window, policy).mean
            for policy in ("ilp-engine", "ilp-reserved-engine", "ilp-engine-any")
        )
        assert plain < reserved < 1
        longer += anything > 1
    assert longer >= 2  # of four windows with every node count


@pytest.mark.parametrize("counts", ilp_grid.COUNTS)
def test_at_equal_time_above_the_bound_programs_keep_most_of_their_lead(counts: Any) -> None:
    rows = {row["policy"]: row for row in ilp_guards.stored()[counts]["policies"]}
    base = np.array([seed["turnaround_s"] for seed in rows["adaptive"]["with"]])

    def ratio(policy: str, key: str) -> float:
        own = np.array([seed["turnaround_s"] for seed in rows[policy][key]])
        return float(np.exp(np.log(own / base).mean()))

    for policy in ("ilp-engine", "ilp-reserved-engine"):
        assert 1 - ratio(policy, "with") > (1 - ratio(policy, "without")) / 2
    assert (ratio("ilp-engine-any", "with") > 1) == (counts == "every")


def test_lending_on_a_predicted_table_is_above_the_bound_for_longer() -> None:
    known = ilp_tables.cells_of("synthetic-thesis")
    lent, plain = (known[policy] for policy in ("adaptive-lending", "adaptive"))
    above = [int((ilp_tables.values(rows, "bound_violations") > 0).sum()) for rows in (lent, plain)]
    assert above == [141, 100]
    hours = [ilp_tables.values(rows, "violation_s").sum() / 3600 for rows in (lent, plain)]
    assert [round(time_h, 2) for time_h in hours] == [13.15, 5.54]
    largest = {
        bound_w: [max(max(row["largest_violation_w"]) for row in rows if row["bound_w"] == bound_w)
                  for rows in (lent, plain)]
        for bound_w in BOUNDS_W
    }  # fmt: skip
    assert {bound_w: [round(excess) for excess in pair] for bound_w, pair in largest.items()} == {
        6500.0: [2520, 2520], 10_000.0: [1302, 1082]
    }  # fmt: skip


def test_solvers_give_one_turnaround() -> None:
    for counts in ilp_grid.COUNTS:
        known = ilp_tables.cells_of(f"solvers-{counts}")
        for policy, mine in known.items():
            base = known[_by_engine(policy)]
            ours, theirs = (ilp_tables.values(rows, "mean_turnaround_s") for rows in (mine, base))
            assert ours.mean() == pytest.approx(theirs.mean(), rel=0.03)
            assert ilp_tables.values(mine, "fallbacks").sum() == 0


def _by_engine(policy: str) -> str:
    return policy.replace("highs", "engine").replace("cbc", "engine")


def again(part: GridPart, policies: Sequence[str], **changes: Any) -> None:
    """Run policies of a part once more, with the first seed: every value is the same."""
    known = {(row["policy"], row["log"], row["bound_w"]): row
             for row in stored()[part.name]["cells"]}  # fmt: skip
    for row in cells(run(replace(part, policies=tuple(policies), seeds=1), **changes)):
        before = known[row["policy"], row["log"], row["bound_w"]]
        assert {name: row[name][0] for name in COLUMNS} == {
            name: before[name][0] for name in COLUMNS
        }


@pytest.mark.slow
@pytest.mark.parametrize("counts", ilp_grid.COUNTS)
def test_a_part_of_the_grid_gives_the_stored_results_again(counts: str) -> None:
    """Programs stop at nodes of branch and bound, so turnaround repeats."""
    one = part(f"synthetic-{counts}")
    again(one, one.policies, bounds_w=BOUNDS_W[:1])
    highs = [name for name in ilp_grid.SOLVERS if "highs" in name]
    again(part(f"solvers-{counts}"), highs, bounds_w=BOUNDS_W[1:])


@pytest.mark.slow
@needs_data
def test_a_window_of_a_machine_gives_the_stored_results_again() -> None:
    one = part("SP2-1-thesis")
    again(one, ("adaptive", "ilp-engine"))

"""The stored results of ILP schedulers: which cells there are, and a part of them once more."""

from __future__ import annotations

import pytest

from benchmarks.studies.schedule.ilp_grid import (
    CBC,
    ILP,
    POLICIES,
    REPEATED,
    Cell,
    cells,
    missing,
    stated,
    stored,
    table,
)


def test_every_stated_cell_is_stored_and_what_is_missing_is_named() -> None:
    known = stored()
    assert {cell.key for cell in known} == stated()
    assert len(known) == 8 * 40 + 4 * 8  # 2 greedy and 6 ILP policies, and 4 with CBC
    assert missing(known) == [f"{name}: 32 cells of seeds 1, 2, 3, 4" for name in CBC]
    assert missing([])[0] == "traditional: 40 cells of seeds 0, 1, 2, 3, 4"


def test_the_page_has_a_line_for_each_policy() -> None:
    lines = table(stored())
    assert [line.split("`")[1] for line in lines] == [*POLICIES]


@pytest.mark.slow
@pytest.mark.parametrize(("log", "bound_w"), [("large", 6500.0), ("random-1", 10_000.0)])
def test_a_part_of_the_grid_gives_the_stored_results_again(log: str, bound_w: float) -> None:
    """CBC and HiGHS stop at nodes of branch and bound, so every figure but seconds repeats."""
    known = {cell.key: cell for cell in stored()}
    again = cells(POLICIES, [0], bounds_w=[bound_w], logs=[log])
    assert {cell.policy for cell in again} == {*POLICIES}
    for cell in again:
        assert values(cell) == pytest.approx(values(known[cell.key]), rel=1e-6, nan_ok=True)


def values(cell: Cell) -> dict[str, float]:
    names = [name for name in REPEATED if name != "largest_gap" or cell.policy in ILP]
    return {name: cell.count(name) for name in names}

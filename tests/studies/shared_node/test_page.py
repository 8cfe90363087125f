"""The page about the shared node shows what the simulation gives today."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.studies.shared_node.docs_tables import as_markdown
from benchmarks.studies.shared_node.overheads import CONTENTIOUS, GROUPS, case, equation_10

PAGE = Path(__file__).parents[3] / "docs" / "evidence" / "shared-node.md"


@pytest.mark.release
def test_the_page_shows_the_tables_as_they_are_today() -> None:
    stored = PAGE.read_text(encoding="utf-8").split("<!-- tables -->\n")[1]
    rows = [line for line in stored.splitlines() if line.startswith("|")]
    assert rows == [line for line in as_markdown().splitlines() if line.startswith("|")]


@pytest.mark.parametrize("group", GROUPS)
def test_the_parts_of_an_overhead_add_up_and_have_their_signs(group: str) -> None:
    result = case(group, 2, 3200, seeds=[0], rounds=400)
    assert result.total < 0.01
    assert result.speed_up < 0 < result.base_cost
    assert result.total == pytest.approx(
        equation_10(2, 3200) + result.speed_up + result.refill + result.base_cost
    )
    assert (result.speed_up < -0.001) == (GROUPS[group] == CONTENTIOUS)

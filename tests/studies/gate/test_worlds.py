"""200 synthetic sites: the stored results keep what the gate guarantees, and can be repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.studies.gate.worlds import ALPHAS, KINDS, WORLDS, stored, summary, table, world
from scenarios.simulated.oversubscription import LAWS

PAGE = Path(__file__).parents[3] / "docs" / "evidence" / "gate.md"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("law", LAWS)
def test_the_average_rate_keeps_alpha(kind: object, alpha: float, law: str) -> None:
    result = summary(stored(law), getattr(kind, "name", ""), alpha)
    assert result["worlds"] == WORLDS == 200
    assert 0 < result["rate"] <= alpha + 2 * result["error"]


@pytest.mark.parametrize("law", LAWS)
def test_the_page_shows_the_table(law: str) -> None:
    assert "\n".join(table(law)) in PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "law"), [(0, LAWS[0]), (1, LAWS[0]), (77, LAWS[0]), (2, LAWS[1])])
def test_worlds_are_the_stored_ones(seed: int, law: str) -> None:
    expected = [row for row in stored(law) if row["seed"] == seed]
    for row, other in zip(world(seed, law), expected, strict=True):
        assert row == pytest.approx(other, abs=1e-3)

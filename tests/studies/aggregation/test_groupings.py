"""Ways to group, compared: laws of the rows, and summaries by hand."""

from __future__ import annotations

from math import sqrt

import pytest

from benchmarks.studies.aggregation.docs_tables import as_markdown
from benchmarks.studies.aggregation.groupings import (
    WAYS,
    Grouped,
    compared,
    summarised_ways,
)
from benchmarks.studies.aggregation.validation import Study


@pytest.fixture(scope="module")
def rows() -> tuple[Grouped, ...]:
    return compared([0], ("cliff",), ("lu", "ft"))


def test_every_code_is_grouped_in_every_way(rows: tuple[Grouped, ...]) -> None:
    assert [(g.code, g.way) for g in rows] == [(c, w.name) for c in ("lu", "ft") for w in WAYS]
    for g in rows:
        assert g.slowdown > 0.05 or g.saving <= g.best_saving


def test_an_exchange_of_all_does_not_care_who_shares_a_node(rows: tuple[Grouped, ...]) -> None:
    mine = [g for g in rows if g.code == "ft"]
    assert [g.communication_s for g in mine] == [mine[0].communication_s] * len(WAYS)
    # patterns of half the energy there are, but none that is not too slow
    assert {g.best_saving for g in mine} == {0.0}


def test_alone_on_a_node_grouping_changes_nothing(rows: tuple[Grouped, ...]) -> None:
    assert len({g.communication_s[1] for g in rows if g.code == "lu"}) == 1


def test_rank_order_is_what_the_study_scores(rows: tuple[Grouped, ...], small: Study) -> None:
    plain = rows[0]
    mine = ("cliff", "lu")
    (decision,) = (d for d in small.decisions if (d.family, d.code, d.method) == (*mine, "rank"))
    assert plain.chosen == decision.chosen
    assert plain.slowdown == pytest.approx(decision.slowdown)
    assert plain.saving == pytest.approx(decision.saving)
    (truths,) = (t for t in small.truths if (t.family, t.code) == mine)
    assert plain.communication_s == {p: o.communication_s for p, o in truths.outcomes.items()}


def grouped(
    way: str, seed: int, times: tuple[float, float], chosen: int, slowdown: float, saving: float
) -> Grouped:
    by_pattern = {1: 1.0, 2: times[0], 3: times[1]}
    return Grouped("queue", seed, "lu", way, by_pattern, chosen, slowdown, saving, 0.5)


def test_a_summary_by_hand() -> None:
    order, kl = WAYS[0].name, WAYS[1].name
    made = [
        grouped(way.name, seed, (2.0, 4.0), 2, 0.0, 0.5)
        for way in (WAYS[0], *WAYS[2:])
        for seed in (0, 1)
    ]
    # seed 0: half as long and as long as before; seed 1: as long and twice as long, too slow
    made += [
        grouped(kl, 0, (1.0, 4.0), 3, 0.05, 0.25),
        grouped(kl, 1, (2.0, 8.0), 2, 0.06, 0.5),
    ]
    result = {row.way: row for row in summarised_ways(made)}
    mine = result[kl]
    assert mine.ratio == pytest.approx(1.0)  # the fourth root of 0.5 x 1 x 1 x 2
    assert (mine.least, mine.most, mine.changed) == (0.5, 2.0, 0.5)
    assert (mine.other_choice, mine.too_slow) == (0.5, 0.5)
    # 0.25 of 0.5 and nothing of 0.5
    assert (mine.share, mine.share_least_seed, mine.share_most_seed) == (0.25, 0.0, 0.5)
    assert (result[order].changed, result[order].ratio, result[order].share) == (0, 1, 1)
    made[-1] = grouped(kl, 1, (2.0, 4.0), 2, 0.0, 0.5)
    assert {r.way: r for r in summarised_ways(made)}[kl].ratio == pytest.approx(sqrt(sqrt(0.5)))


def test_the_page_shows_every_way(rows: tuple[Grouped, ...], small: Study) -> None:
    lines = as_markdown(small, [], rows).splitlines()
    for row in summarised_ways(rows):
        assert any(
            line.startswith(f"| {row.family} | {row.way} | {row.changed:.0%} | {row.ratio:.3f} |")
            for line in lines
        )

"""Random small awards equal those of a slow program that was written apart."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from planner.award.award import award, withdrawals
from planner.award.from_scenario import tender_of
from planner.award.weights import weight_ranges
from tests.planner.award.by_hand import ByHand
from tests.planner.award.made import package, tender

CASES = 200
"""Each takes some milliseconds."""


def drawn(seed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]:
    """Packages, criteria and scheme of few values, so that many packages are equal."""
    rng = np.random.default_rng(seed)

    def some(*choices: Any) -> Any:
        return choices[int(rng.integers(len(choices)))]

    packages = [
        package(
            f"{vendor}{lot}-{copy}", float(rng.integers(2, 7)), lot=str(lot), vendor=vendor,
            figures={"F": float(rng.integers(1, 5)), "G": float(rng.integers(1, 5))},
        )
        for lot in range(int(rng.integers(1, 4)))
        for vendor in "ABC"[: int(rng.integers(1, 4))]
        for copy in range(int(rng.integers(1, 3)) if vendor == "A" else 1)
    ]  # fmt: skip
    method = some("points", "points", "points", "points_per_price", "corridor")
    line = {"formula": "linear", "full_at": some(4.0, {"times_best": 1}), "zero_at": 0.0}
    rising = {"better": "more"} | some({"formula": "ratio"}, line)
    falling = {"better": "less"} | some(
        {"formula": "ratio"},
        {"formula": "linear", "full_at": 1.0, "zero_at": 5.0},
        {"formula": "linear", "full_at": {"times_best": 1}, "zero_at": {"times_best": 3}},
    )
    price = {"name": "Price", "points": float(rng.integers(1, 6)), "value_from": "price",
             "better": "less", "formula": some("ratio", "two_sided"),
             "if_equal": "full"}  # fmt: skip
    if price["formula"] == "ratio":
        del price["if_equal"]
    criteria = [
        price,
        {"name": "F", "points": 3.5, "value_from": "figure", "figure": "F",
         **some(rising, falling)},
        {"name": "B", "points": 2.0, "value_from": "benchmarks",
         **some({"benchmarks": {"F": 1, "G": 2}} | rising,
                {"benchmarks": {"G": 2}} | some(rising, {"better": "less"}))},
        {"name": "Q", "points": 5.0, "value_from": "people", "formula": "as_given",
         "combine": some("mean", "median", "agreed")},
    ][: int(rng.integers(2, 5))]  # fmt: skip
    scheme: dict[str, Any] = {"method": method}
    if method == "corridor":
        scheme |= {"corridor": some(0.1, 0.25), "decides": some("points", "F", "Price")}
    if some(True, False):
        scheme |= {"decimals": int(rng.integers(0, 3)), "rounding": some("criterion", "total")}
    scheme["ties"] = some((), ("Price",), ("F", "Price"), ("points",))
    if some(True, False):
        scheme["most_lots_per_vendor"] = 1
        scheme["lots"] = some("published order", "best sum" if method == "points" else
                              "published order")  # fmt: skip
    scheme["points"] = [
        (each["name"], "Q", evaluator, float(rng.integers(0, 6)))
        for each in packages
        for evaluator in ("x", "agreed", "y")
        if len(criteria) == 4
    ]
    return packages, criteria, scheme


@pytest.mark.parametrize("seed", range(CASES))
def test_a_random_award_is_that_of_the_slow_program(seed: int) -> None:
    packages, criteria, scheme = drawn(seed)
    scenario = tender_of(tender(packages, criteria, **scheme))
    found, slow = award(scenario), ByHand(packages, criteria, scheme)
    for lot, raw in zip(found.lots, slow.lots().values(), strict=True):
        for each, of in zip(lot.judged, raw, strict=True):
            assert each.points == tuple(slow.points(of, c, raw) for c in criteria)
            assert (each.total, each.without_price) == slow.sums(of, raw)
            assert each.rank == slow.rank(of, raw)
    assert [{*each.winners} for each in found.decisions] == slow.winners()
    rest: dict[str, dict[str, set[str]]] = {}
    for one in withdrawals(scenario, found):
        if one.package not in rest:
            left = [other for other in packages if other["name"] != one.package]
            again = ByHand(left, criteria, scheme)
            rest[one.package] = dict(zip(again.lots(), again.winners(), strict=True))
        assert {*one.after} == rest[one.package].get(one.lot, set())


@pytest.mark.parametrize("seed", range(0, CASES, 4))
def test_the_winner_stays_in_its_ranges_and_nowhere_else(seed: int) -> None:
    packages, criteria, scheme = drawn(seed)
    scheme.pop("most_lots_per_vendor", None)
    scheme.pop("lots", None)
    found = award(tender_of(tender(packages, criteria, **scheme)))
    rng = np.random.default_rng(seed)
    for each in weight_ranges(found):
        winner = next(d.winner for d in found.decisions if d.lot == each.lot)
        ends = [end for one in each.intervals for end in (one.low, one.high) if end is not None]
        tried = [*ends, *(Fraction(int(n), 60) for n in rng.integers(0, 900, 12))]
        for points in tried:
            slow = ByHand(packages, criteria, scheme, {each.criterion: points}, rounds=False)
            names = slow.winners()[[*slow.lots()].index(each.lot)]
            stays = any(one.holds(points) for one in each.intervals)
            assert stays == (names == {winner}), (each, points)

"""Four published ways of awarding, worked by hand. Weights that are not published are invented.

Sources: notices and method pages of EuroHPC, LRZ and the German UfAB (Unterlage fuer Ausschreibung
und Bewertung von IT-Leistungen).
"""

from __future__ import annotations

from fractions import Fraction

from planner.award.award import withdrawals
from planner.award.from_scenario import tender_of
from planner.award.weights import Interval, weight_ranges
from tests.planner.award.made import (
    awarded,
    figure,
    package,
    people,
    points_of,
    price,
    tender,
    winners,
)


def test_eurohpc_has_40_30_20_10_points_for_technical_cost_services_and_added_value() -> None:
    # Published: technical 40, cost over performance 30, services 20, EU added value 10.
    # Invented: the ratio formula for the cost, and all values.
    criteria = [
        people("Technical", 40),
        price(30),
        people("Services", 20),
        people("EU added value", 10),
    ]
    points = [
        ("A", "Technical", "panel", 36), ("B", "Technical", "panel", 30),
        ("A", "Services", "panel", 15), ("B", "Services", "panel", 18),
        ("A", "EU added value", "panel", 4), ("B", "EU added value", "panel", 10),
    ]  # fmt: skip
    found = awarded(tender([package("A", 60.0), package("B", 50.0)], criteria, points=points))
    # A: 36 + 30 x 50/60 + 15 + 4 = 80;  B: 30 + 30 + 18 + 10 = 88
    assert points_of(found) == {
        "A": ["36", "25", "15", "4", "80"],
        "B": ["30", "30", "18", "10", "88"],
    }
    assert winners(found) == [("B",)]


def test_examuc_compares_each_committed_total_with_the_largest_commitment_of_all() -> None:
    # Published: committed totals relative to the largest commitment of all, weighted, ranked.
    # Invented: two benchmarks of weights 3 and 1, 100 points, and all values.
    criterion = {
        "name": "Stage 1", "points": 100, "value_from": "benchmarks", "better": "more",
        "benchmarks": {"GROMACS": 3, "HPL": 1}, "formula": "linear", "full_at": 1, "zero_at": 0,
    }  # fmt: skip
    packages = [
        package("A", figures={"GROMACS": 80, "HPL": 200}),
        package("B", figures={"GROMACS": 100, "HPL": 120}),
        package("C", figures={"GROMACS": 120, "HPL": 400}, statements={"accepts": False}),
    ]
    for each in packages[:2]:
        each["statements"] = {"accepts": True}
    functional = {"name": "Functional benchmarks", "statement": "accepts", "must_be": True}
    scenario = tender(packages, [criterion], exclusions=[functional])
    found = awarded(scenario)
    # C misses the threshold of the functional benchmarks. Largest of A and B: 100 and 200.
    # A: (3 x 80/100 + 1 x 200/200) / 4 = 0.85;  B: (3 + 0.6) / 4 = 0.9
    assert points_of(found) == {"A": ["85", "85"], "B": ["90", "90"]}
    assert [each.name for each in found.lots[0].excluded] == ["C"]
    assert winners(found) == [("B",)]
    without = withdrawals(tender_of(scenario), found)
    assert [(each.package, each.after) for each in without] == [("A", ("B",)), ("B", ("A",))]


def test_ufab_simple_takes_the_largest_quotient_of_points_over_price() -> None:
    # Published: performance points over price, the largest wins. Invented: all values.
    points = [("A", "Performance", "p", 900), ("B", "Performance", "p", 800)]
    packages = [package("A", 10_000.0), package("B", 8_500.0)]
    scenario = tender(
        packages, [people("Performance", 1000)], points=points, method="points_per_price"
    )
    found = awarded(scenario)
    # A: 900/10,000 = 9/100;  B: 800/8,500 = 8/85 = 0.0941
    assert [str(each.quotient) for each in found.lots[0].judged] == ["9/100", "8/85"]
    assert winners(found) == [("B",)]
    (own,) = weight_ranges(found)
    # points grow in proportion for both, so that B wins with any number above 0
    (interval,) = own.intervals
    assert interval == Interval(Fraction(0), None, False, False, next_low=("A", "B"))


def test_ufab_extended_lets_a_criterion_decide_within_the_corridor() -> None:
    # Published: quotients of at least (1 - corridor) x the largest stay, and a stated criterion
    # decides among them. Invented: a corridor of 10 %, and all values.
    points = [
        ("A", "Performance", "p", 900), ("B", "Performance", "p", 1000),
        ("C", "Performance", "p", 1000),
    ]  # fmt: skip
    packages = [package("A", 9_000.0), package("B", 11_111.11), package("C", 11_112.0)]
    corridor = {"method": "corridor", "corridor": 0.1, "decides": "points"}
    found = awarded(tender(packages, [people("Performance", 1000)], points=points, **corridor))
    # A: 0.1, so 0.09 stays. B: 1,000/11,111.11 = 0.090000009 stays, C: 0.08999 does not
    assert [each.stays for each in found.lots[0].judged] == [True, True, False]
    assert [each.rank for each in found.lots[0].judged] == [2, 1, 3]
    packages[1] = package("B", 10_000.0)
    packages[0] = package("A", 8_100.0)
    found = awarded(tender(packages, [people("Performance", 1000)], points=points, **corridor))
    # A: 900/8,100 = 1/9, so exactly 1/10 stays: the boundary is included
    assert [each.stays for each in found.lots[0].judged] == [True, True, False]
    assert winners(found) == [("B",)]


def test_points_are_rounded_half_up_where_the_scheme_says() -> None:
    packages = [package("A", 8.0, figures={"F": 7.0}), package("B", 9.0, figures={"F": 8.0})]
    criteria = [price(1), figure("F", 1)]
    # A: 1 and 7/8 = 0.875;  B: 8/9 = 0.888... and 1
    each = points_of(awarded(tender(packages, criteria, decimals=2)))
    assert each == {"A": ["1", "22/25", "47/25"], "B": ["89/100", "1", "189/100"]}
    total = points_of(awarded(tender(packages, criteria, decimals=1, rounding="total")))
    assert total == {"A": ["1", "7/8", "19/10"], "B": ["8/9", "1", "19/10"]}


def test_linear_points_are_clamped_and_two_sided_ones_span_all() -> None:
    packages = [package("A", 100.0), package("B", 150.0), package("C", 260.0)]
    line = price(40, formula="linear", full_at={"times_best": 1}, zero_at={"times_best": 2})
    # zero at 200: B: 40 x (200 - 150)/100 = 20;  C: below 0
    assert [*points_of(awarded(tender(packages, [line]))).values()] == [
        ["40", "40"], ["20", "20"], ["0", "0"],
    ]  # fmt: skip
    fixed = price(40, formula="linear", full_at=120, zero_at=200)
    # A is better than 120 and has no more than 40;  B: 40 x (200 - 150)/80 = 25
    assert [*points_of(awarded(tender(packages, [fixed]))).values()] == [
        ["40", "40"], ["25", "25"], ["0", "0"],
    ]  # fmt: skip
    both = price(40, formula="two_sided")
    # B: 40 x (260 - 150)/160 = 27.5
    assert points_of(awarded(tender(packages, [both])))["B"] == ["55/2", "55/2"]
    speeds = [
        package(name, figures={"F": value}) for name, value in zip("ABC", (2, 4, 10), strict=True)
    ]
    more = figure("F", 40, formula="two_sided")
    # more is better, so the worst is 2: B: 40 x (4 - 2)/8 = 10
    assert [*points_of(awarded(tender(speeds, [more]))).values()] == [
        ["0", "0"], ["10", "10"], ["40", "40"],
    ]  # fmt: skip


def test_evaluators_are_combined_as_stated() -> None:
    points = [("A", "Q", name, n) for name, n in (("x", 1), ("agreed", 4), ("y", 2), ("z", 9))]
    for combine, expected in (("mean", "4"), ("median", "3"), ("agreed", "4")):
        criteria = [people("Q", 10, combine=combine)]
        assert points_of(awarded(tender([package("A")], criteria, points=points))) == {
            "A": [expected, expected]
        }


def test_lots_in_order_and_by_sum_differ() -> None:
    packages = [
        package("n1", lot="1", vendor="N", figures={"F": 10}),
        package("s1", lot="1", vendor="S", figures={"F": 9}),
        package("n2", lot="2", vendor="N", figures={"F": 10}),
        package("s2", lot="2", vendor="S", figures={"F": 2}),
    ]
    criteria = [figure("F", 10)]
    order = awarded(tender(packages, criteria, most_lots_per_vendor=1))
    assert winners(order) == [("n1",), ("s2",)]  # 10 + 2
    assert order.decisions[1].passed_over == ("n2",)
    best = awarded(tender(packages, criteria, most_lots_per_vendor=1, lots="best sum"))
    assert winners(best) == [("s1",), ("n2",)]  # 9 + 10
    assert best.decisions[0].passed_over == ("n1",)


def test_choices_of_one_best_sum_are_a_tie_in_each_lot() -> None:
    packages = [
        package(f"{vendor}{lot}", lot=str(lot), vendor=vendor, figures={"F": value})
        for lot, value in ((1, 10), (2, 5))
        for vendor in ("N", "S")
    ]
    criteria = [figure("F", 10, formula="linear", full_at=10, zero_at=0)]
    best = awarded(tender(packages, criteria, most_lots_per_vendor=1, lots="best sum"))
    assert winners(best) == [("N1", "S1"), ("N2", "S2")]  # N1 and S2, or S1 and N2: 10 + 5


def test_a_group_wins_once_over_all_lots() -> None:
    packages = [
        package("p1", lot="1", figures={"F": 10}, group="g"),
        package("q1", lot="1", figures={"F": 9}),
        package("p2", lot="2", figures={"F": 10}, group="g"),
        package("q2", lot="2", figures={"F": 2}),
    ]
    order = awarded(tender(packages, [figure("F", 10)]))
    assert winners(order) == [("p1",), ("q2",)]
    assert order.decisions[1].passed_over == ("p2",)
    best = awarded(tender(packages, [figure("F", 10)], lots="best sum"))
    assert winners(best) == [("q1",), ("p2",)]
    assert best.decisions[0].passed_over == ("p1",)


def test_what_the_order_of_ties_leaves_equal_is_a_tie() -> None:
    packages = [package("A", 10.0, figures={"F": 5}), package("B", 10.0, figures={"F": 5})]
    found = awarded(tender(packages, [price(50), figure("F", 50)], ties=["Price"]))
    assert winners(found) == [("A", "B")]
    assert found.decisions[0].winner is None
    packages[1] = package("B", 20.0, figures={"F": 10})
    # A: 50 + 25;  B: 25 + 50: equal, and the lower price wins
    found = awarded(tender(packages, [price(50), figure("F", 50)], ties=["Price"]))
    assert winners(found) == [("A",)]
    (of_price, of_figure) = weight_ranges(found)
    # A: x + 25, B: x/2 + 50: A wins from x = 50 on, and there by its price
    (interval,) = of_price.intervals
    assert interval == Interval(Fraction(50), None, True, False, next_low=("B",))
    # A: 50 + x/2, B: 25 + x: A wins up to 50
    (interval,) = of_figure.intervals
    assert interval == Interval(Fraction(0), Fraction(50), True, True, next_high=("B",))


def test_a_winner_may_stay_at_one_number_of_points_alone() -> None:
    packages = [
        package("A", 10.0, figures={"F": 2}),
        package("B", 20.0, figures={"F": 1}),
        package("C", 30.0, figures={"F": 4}),
    ]
    points = [("A", "Q", "x", 5), ("B", "Q", "x", 6), ("C", "Q", "x", 3)]
    low = price(1, formula="linear", full_at=100, zero_at=200)  # a point for each
    found = awarded(tender(packages, [figure("F", 4), people("Q", 10), low], points=points,
                           ties=["Price"]))  # fmt: skip
    assert winners(found) == [("A",)]
    # A: 6 + x/2, B: 7 + x/4, C: 4 + x: B leads below x = 4 and C above; at 4 the lowest price wins
    of_figure = weight_ranges(found)[0]
    assert of_figure.intervals == (Interval(Fraction(4), Fraction(4), True, True, ("B",), ("C",)),)

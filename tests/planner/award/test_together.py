"""Awarded packages as one purchase, and who follows a winner, on tenders worked out by hand."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Any

import pytest

from planner.award.study import award
from planner.award.together import Purchase, purchase
from tests.planner.award.made import figure, package, price, tender


def check(found: Purchase, what: str) -> tuple[Any, Any, bool | None]:
    (one,) = [each for each in found.checks if each.what == what]
    return one.value, one.limit, one.met


def test_the_centre_is_paid_by_its_discount_alone() -> None:
    """16,453,000 + 20,873,300 less 1.5 %, and 4.6 + 48 PF over 3.3 TF x 5,860."""
    found = award("tender-centre").purchase
    assert found.gross == 37_326_300
    assert found.net == found.gross - Fraction("559894.5")
    assert check(found, "capital") == (found.net, 37_000_000, True)
    assert check(found, "throughput") == (
        Fraction("52.6") / Fraction("19.338"),
        Fraction(6, 5),
        True,
    )


def test_heirs_of_the_centre_are_followed_to_the_first_that_can_be_bought() -> None:
    """Without the vendor's discount only the cheapest CPU package is within 37,000,000."""
    cpu, gpu = award("tender-centre").successions
    assert [(each.package, int(each.purchase.net)) for each in cpu.successors] == [
        ("c-cpu", 37_609_100), ("b-cpu", 37_011_100), ("d-cpu", 36_986_400),
    ]  # fmt: skip
    assert [each.purchase.meets for each in cpu.successors] == [False, False, True]
    assert [each.package for each in gpu.successors] == ["c-gpu-large", "c-gpu"]
    missed = [[missed.what for missed in each.purchase.missed] for each in gpu.successors]
    assert missed == [["capital"], ["throughput"]]
    assert gpu.has_none


def test_power_at_peak_and_racks_of_the_centre_are_within_its_feed_and_room() -> None:
    """Nodes 640 x 1,253 + 340 x 3,224 W, with 25 W of switches each, 45 kW of storage, 21 racks of
    120 W, 4 cooling units of 6 kW and 15 kW of the site, at PUE 1.15 and 5.9 % of losses.
    """
    found = award("tender-centre")
    watts = 640 * 1253 + 340 * 3224 + 980 * 25 + 45_000 + 21 * 120 + 4 * 6000 + 15_000
    at_feed = watts * Fraction("1.15") / (1 - Fraction("0.059"))
    assert check(found.purchase, "power") == (at_feed, 2_500_000, True)
    assert check(found.purchase, "racks") == (21, 60, True)
    after = found.successions[0].successors[0].purchase
    value, _, met = check(after, "power")
    assert value > 2_500_000
    assert met is None  # caps may hold it


def test_the_gpu_package_of_the_university_may_fall_short_by_less_than_five_per_cent() -> None:
    """Required are 6 x 126 TF, which 166 + 620 TF exceed by 30."""
    rows = award("tender-university").study.rows("delivered")
    found = {(row["name"], row["figure"]): row["required"] for row in rows}
    assert found["north-gpu", "HPL [TF]"] == 590 / 620
    assert found["north-cpu-small", "HPL [TF]"] == 136 / 166
    assert found["north-gpu", "all"] == 590 / 620
    assert found["north-gpu", "HPCG [TF]"] is None


def test_the_second_gpu_package_of_the_university_misses_its_benchmark() -> None:
    cpu, gpu = award("tender-university").successions
    assert [each.package for each in cpu.successors if each.purchase.meets] == [
        "north-cpu", "south-cpu",
    ]  # fmt: skip
    assert gpu.has_none
    (left,) = gpu.successors
    assert check(left.purchase, "throughput") == (Fraction(166 + 140, 126), 6, False)


def test_a_lot_with_one_package_has_no_fallback_and_one_with_a_tie_is_left_open() -> None:
    alone = award(tender([package("A")], [price(5)])).successions
    assert [(each.successors, each.has_none) for each in alone] == [((), True)]
    tied = [package("A"), package("B", 2.0), package("C", 2.0)]
    (open_end,) = award(tender(tied, [price(5)])).successions
    assert (open_end.successors, open_end.has_none) == ((), False)


def test_a_formula_without_a_result_ends_a_succession() -> None:
    four = [package("A", 1.0), package("B", 2.0), package("C", 3.0), package("D", 3.0)]
    (found,) = award(tender(four, [price(5, formula="two_sided")])).successions
    assert [each.package for each in found.successors] == ["B"]
    assert not found.is_complete


@pytest.mark.parametrize(("weeks", "met"), [(4, True), (5, False), (None, None)])
def test_the_last_delivery_counts(weeks: int | None, met: bool | None) -> None:
    offers = [package("A", lot="1", delivery_weeks=2), package("B", lot="2")]
    offers[1] |= {} if weeks is None else {"delivery_weeks": weeks}
    day = dt.date(2027, 1, 1)
    more: dict[str, Any] = {
        "procurement": {"decided_on": day},
        "requirements": {"delivered_by": day + dt.timedelta(weeks=4)},
    }
    assert check(award(tender(offers, [price(5)], more=more)).purchase, "delivery")[2] is met


def test_switches_of_the_site_and_unknown_memory_are_left_to_the_plan() -> None:
    node = {"kind": "node", "item": "Node", "name": "n", "price": 1.0, "quantity": 2}
    network = {"leaf_node_ports": 2, "leaf_uplinks": 1, "spine_ports": 2, "leaf_price": 1,
               "spine_price": 1}  # fmt: skip
    more = {"node_types": [{"name": "n"}], "network": network, "budget": {"capital": 9},
            "requirements": {"total_memory_gb": 5, "capacity": 1}}  # fmt: skip
    offer = package("A") | {"lines": [node]}
    found = award(tender([offer], [price(5)], more=more))
    assert [each.met for each in found.purchase.checks] == [None, None, None]
    assert found.purchase.meets is None
    assert not any(each.purchase.meets for each in found.successions[0].successors)


def test_a_vendor_takes_all_its_packages_along() -> None:
    offers = [package("A1", 1.0, lot="1", vendor="A"), package("B1", 2.0, lot="1", vendor="B"),
              package("A2", 1.0, lot="2", vendor="A")]  # fmt: skip
    (found,) = award(tender(offers, [price(5)])).without_vendors
    assert (found.vendor, found.winners, found.purchase.packages) == ("A", (("B1",), ()), ("B1",))


def test_every_condition_is_shown_with_its_value() -> None:
    rows = award("tender-university").study.rows("conditions")
    north = [row for row in rows if row["package"] == "north-gpu"]
    assert [(row["condition"], row["value"], row["side"], row["limit"]) for row in north] == [
        ("insolvent", False, "must-be", False),
        ("turnover of at least 5 million EUR", 42e6, "least", 5e6),
        ("capital", 490_800.0, "most", 600_000.0),
        ("delivery", 24.0, "most", 30.0),
        ("low-price", pytest.approx(1 - 4908 / 5334), "below", 0.2),
    ]
    assert all(row["met"] for row in rows)


def test_an_excluded_package_is_not_bought() -> None:
    scenario = tender([package("A", figures={"F": 1}), package("B", 2.0, figures={"F": 9})],
                      [price(5), figure("F", 5, least=5)])  # fmt: skip
    found = award(scenario)
    assert found.purchase.packages == ("B",)
    assert purchase(found.tender, ["A", "B"]).gross == 3

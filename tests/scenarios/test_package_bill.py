"""Bills of packages, redone by hand."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from scenarios.model.tender import Package, PackageLine, VendorTerms
from scenarios.package_bill import PackageError, package_bill, vendor_bill

NODES = PackageLine(kind="node", item="Node", name="n", price=1000.005, quantity=33)
RACKS = PackageLine(kind="rack", item="Rack", name="r", price=900.0, per="node:n", every=16)
PDUS = PackageLine(kind="other", item="PDU", price=10.0, quantity=2.5, per="rack:r", watts=7.5)
SERVICE = PackageLine(kind="service", item="Service", price=99.99, per_year=True)


def package(*lines: PackageLine, **more: Any) -> Package:
    return Package(name="p", vendor="V", lot="L", lines=lines, **more)


def test_what_follows_is_rounded_up_line_by_line() -> None:
    bill = package_bill(package(PDUS, RACKS, NODES, SERVICE), {"n": 17})
    # 17 nodes fill 2 racks of 16; 2 racks x 2.5 = 5 PDUs
    assert [each.quantity for each in bill.lines] == [5, 2, 17, 1]
    # 50 + 1,800 + 17 x 1,000.005 = 17,000.085, half up 17,000.09
    assert bill.total == Decimal("18850.09")
    assert bill.per_year == Decimal("99.99")
    assert bill.units("rack") == 2
    assert bill.watts == 5 * 7.5


@pytest.mark.parametrize(
    ("rounding", "total"),
    [
        ("unit", "33000.33"),  # 1,000.005 -> 1,000.01 each, x 33
        ("line", "33000.17"),  # 33,000.165, half up
        ("total", "33000.17"),
    ],
)
def test_each_rounding_rounds_at_its_place(rounding: str, total: str) -> None:
    assert package_bill(package(NODES, rounding=rounding)).total == Decimal(total)


def test_lines_are_rounded_before_their_sum_or_not_at_all() -> None:
    one = PackageLine(kind="other", item="Cable", price=0.005)
    # three lines of half a cent: a cent each, or 1.5 cents together
    assert package_bill(package(one, one, one)).total == Decimal("0.03")
    assert package_bill(package(one, one, one, rounding="total")).total == Decimal("0.02")


def test_a_discount_comes_before_the_conversion() -> None:
    line = PackageLine(kind="storage", item="Store", price=1000.0)
    bill = package_bill(package(line, discount=0.015, currency="USD", rate=0.9237))
    assert bill.stated_discount == Decimal("15.00")
    assert bill.stated_total == Decimal("985.00")
    assert bill.total == Decimal("909.84")  # 985 x 0.9237 = 909.8445


def test_lines_of_every_year_are_discounted_and_converted_too() -> None:
    bill = package_bill(package(SERVICE, discount=0.015, currency="USD", rate=0.9237))
    assert bill.stated_per_year == Decimal("98.49")  # 99.99 x 0.985 = 98.49015
    assert bill.per_year == Decimal("90.98")  # 98.49 x 0.9237 = 90.975213
    assert bill.total == 0


def test_lines_of_one_name_are_followed_together() -> None:
    ten, seven = (NODES.model_copy(update={"quantity": count}) for count in (10, 7))
    assert package_bill(package(ten, RACKS, seven)).units("rack") == 2  # 17 nodes, 16 to a rack


def test_only_the_rounding_of_units_changes_the_unit_price() -> None:
    prices = [
        package_bill(package(NODES, rounding=rounding)).lines[0].unit_price
        for rounding in ("unit", "line", "total")
    ]
    assert prices == [Decimal("1000.01"), Decimal("1000.005"), Decimal("1000.005")]


def test_half_a_cent_of_a_rebate_grows() -> None:
    rebate = PackageLine(kind="other", item="Rebate", price=-0.125)
    assert package_bill(package(rebate)).total == Decimal("-0.13")


def test_the_last_discount_that_is_reached_holds_for_the_whole_sum() -> None:
    terms = VendorTerms.model_validate(
        {
            "vendor": "V", "minimum_total": 500.0,
            "discounts": [{"from_total": 1000.0, "fraction": 0.1},
                          {"from_total": 2000.0, "fraction": 0.2}],
        }
    )  # fmt: skip
    assert vendor_bill(terms, [Decimal("999.99")]).total == Decimal("999.99")
    assert vendor_bill(terms, [Decimal(400), Decimal(600)]).total == Decimal("900.00")
    assert vendor_bill(terms, [Decimal(2000)]).total == Decimal("1600.00")
    assert vendor_bill(terms, [Decimal("499.5")]).missing == Decimal("0.5")
    assert vendor_bill(terms, [Decimal("1000.05")]).total == Decimal("900.05")  # 900.045
    assert vendor_bill(None, [Decimal(1)]).total == Decimal("1.00")


def test_a_line_that_follows_nothing_or_itself_is_refused() -> None:
    with pytest.raises(PackageError, match=r"per = 'node:n' of 'Rack' is the name of no line"):
        package_bill(package(RACKS))
    circle = RACKS.model_copy(update={"per": "rack:r"})
    with pytest.raises(PackageError, match="follows itself in a circle"):
        package_bill(package(NODES, circle))

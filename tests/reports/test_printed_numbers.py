"""Printed numbers that belong together: products, sums, shares and differences, as a reader adds.

Every check works on the text of the tables alone, as somebody with a pocket calculator.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal

import pytest

from planner.formatting import DASH
from planner.procurement.study import ProcurementStudy
from reports.texts import Texts
from reports.view import grid
from tests.reports.procurements import answered, with_long_answers
from tests.reports.procurements import document as request_for_proposals

Rows = list[dict[str, str]]
_SIZES = {"k": 1_000, "M": 1_000_000}
_TIMES = "\N{MULTIPLICATION SIGN}"


def number(text: str) -> Decimal:
    """The first number of a cell, with its prefix or millions."""
    match = re.search(r"([-\u2212+]?[\d,]*\.?\d+)\s?([kM]?)", text)
    assert match is not None, text
    value = Decimal(match[1].replace(",", "").replace("\u2212", "-"))
    return value * _SIZES.get(match[2], 1)


def half_of_last_digit(text: str) -> Decimal:
    """Half of what the last digit of a cell counts."""
    match = re.search(r"([-\u2212+]?[\d,]*\.?\d+)\s?([kM]?)", text)
    assert match is not None, text
    exponent = Decimal(match[1].replace(",", "").replace("\u2212", "-")).as_tuple().exponent
    assert isinstance(exponent, int)
    return Decimal(1).scaleb(exponent) * _SIZES.get(match[2], 1) / 2


def are_equal(left: Decimal, right: Decimal, *rounded: str) -> bool:
    """Whether two amounts are equal but for the digits that some cells do not show."""
    return abs(left - right) <= sum(map(half_of_last_digit, rounded))


@pytest.fixture(scope="module", params=["whole", "cents", "discounts"])
def study(request: pytest.FixtureRequest) -> ProcurementStudy:
    """Prices in whole units, in cents, and after 5 % off a price in cents."""
    given = request_for_proposals()
    for index, node_type in enumerate(given["node_types"]):
        if request.param != "whole":
            node_type["price"] += 0.5 + 0.01 * index
        if request.param == "discounts":
            node_type["discounts"] = [{"from_quantity": 5, "fraction": 0.05}]
    given["requirements"] = {
        "nodes": 12, "total_memory_gb": 3000.5, "throughput": {"flow": 0.123},
        "shares": [{"vendor": "Vendor 0", "of": "spend", "most": 0.98765}],
    }  # fmt: skip
    given["budget"] |= {"operating_per_year": 150_000.0, "installation_fraction": 0.02}
    return with_long_answers(answered(given))


def rows_of(study: ProcurementStudy, name: str) -> Rows:
    """The printed rows of a table but for their sums, by its headings."""
    table = study.study.table(name)
    shown = grid(Texts(study.study), table)
    rows = shown.rows[:-1] if shown.summed else shown.rows
    return [dict(zip(shown.headings, row, strict=True)) for row in rows]


def sums_of(study: ProcurementStudy, name: str) -> dict[str, str]:
    """The printed sums of a table, by its headings."""
    shown = grid(Texts(study.study), study.study.table(name))
    assert shown.summed
    return dict(zip(shown.headings, shown.rows[-1], strict=True))


def test_the_bill_of_materials_multiplies_out_and_adds_up(study: ProcurementStudy) -> None:
    rows = rows_of(study, "bill_of_materials")
    for row in rows:
        if row["Quantity"] != DASH:
            quantity, price, amount = row["Quantity"], row["Price each"], row["Amount"]
            apart = abs(number(quantity) * number(price) - number(amount))
            assert apart <= number(quantity) * half_of_last_digit(price)
    assert study.plan is not None
    total = sum(number(row["Amount"]) for row in rows)
    assert float(total) == pytest.approx(study.plan.bill.capital, abs=0.01 * len(rows))
    printed = sums_of(study, "bill_of_materials")["Amount"]
    assert are_equal(number(printed), Decimal(study.plan.bill.capital), printed)
    bill = study.tables()["bill_of_materials"]
    assert math.fsum(row["amount"] for row in bill) == pytest.approx(study.plan.bill.capital)


def test_the_purchases_multiply_out(study: ProcurementStudy) -> None:
    for row in rows_of(study, "purchases"):
        product = number(row["Nodes"]) * number(row["Price each"])
        assert are_equal(product, number(row["Amount"]), row["Amount"])
    plan = study.plan
    assert plan is not None
    if len(rows_of(study, "purchases")) > 1:
        nodes = sum(purchase.nodes for purchase in plan.purchases)
        assert number(sums_of(study, "purchases")["Nodes"]) == nodes


def test_work_and_speed_are_multiples_of_the_reference(study: ProcurementStudy) -> None:
    assert study.scenario.reference is not None
    work = rows_of(study, "allocation")
    assert work
    for row in work:
        assert row["Work of a node"].endswith(_TIMES)
        assert row["Throughput"].endswith(_TIMES)
        reference = number(row["Share of the mix"]) / 100 * study.scenario.reference.nodes
        throughput = number(row["Nodes"]) * number(row["Work of a node"]) / reference
        assert float(throughput) == pytest.approx(float(number(row["Throughput"])), rel=5e-3)
    for row in rows_of(study, "capability"):
        assert row["Speed-up"].endswith(_TIMES)


def test_what_is_used_and_what_is_left_make_the_limit(study: ProcurementStudy) -> None:
    rows = rows_of(study, "limits")
    assert len(rows) >= 4
    for row in rows:
        used, left, limit = (row[name] for name in ("Used", "Left", "Limit"))
        assert are_equal(number(used) + number(left), number(limit), used, left, limit)
        share = 100 * number(used) / number(limit)
        slack = 100 * (half_of_last_digit(used) + half_of_last_digit(limit)) / number(limit)
        assert abs(share - number(row["Share used"])) <= slack + half_of_last_digit(
            row["Share used"]
        )
        assert number(row["Share used"]) < 100 or are_equal(number(left), Decimal(0), left, used)


def test_what_is_reached_meets_what_is_required_as_printed(study: ProcurementStudy) -> None:
    rows = rows_of(study, "mandates")
    assert len(rows) >= 4
    for row in rows:
        side = -1 if row["Must be"] == "At most" else 1
        assert side * (number(row["Reached"]) - number(row["Required"])) >= 0, row


def test_costs_over_the_life_add_up(study: ProcurementStudy) -> None:
    parts = rows_of(study, "cost_parts")
    assert study.cost is not None
    total = sum((number(row["Present value"]) for row in parts), Decimal(0))
    assert are_equal(
        total, Decimal(study.cost.total_cost), *(row["Present value"] for row in parts)
    )
    for row in parts:
        share = 100 * number(row["Present value"]) / total
        assert abs(share - number(row["Share"])) <= 2 * half_of_last_digit(row["Share"])


def test_scores_and_their_differences_agree(study: ProcurementStudy) -> None:
    best, *others = rows_of(study, "compared")
    for row in others:
        if row["Score"] == DASH:
            continue
        less = 100 * (number(row["Score"]) / number(best["Score"]) - 1)
        digits = 100 * 2 * half_of_last_digit(row["Score"]) / number(best["Score"])
        printed = row["Against the optimum"]
        assert abs(less - number(printed)) <= half_of_last_digit(printed) + digits
    for row in rows_of(study, "budget_power_grid"):
        if row["Gain over worst-case"] != DASH:
            gain = 100 * (number(row["Overprovisioned"]) / number(row["Worst-case"]) - 1)
            assert abs(gain - number(row["Gain over worst-case"])) <= 1


def test_the_front_has_one_unit_per_column(study: ProcurementStudy) -> None:
    rows = rows_of(study, "pareto")
    for name in ("Capital", "IT power", "Score"):
        cells = [row[name] for row in rows]
        assert len({"".join(re.findall(r"[^\d.,]", cell)) for cell in cells}) == 1, name
        assert len({half_of_last_digit(cell) for cell in cells}) == 1, name


@pytest.mark.parametrize(("table", "key"), [("regimes", "gain"), ("marginal_values", "interval")])
def test_ends_of_certain_changes_are_rounded_outwards(
    study: ProcurementStudy, table: str, key: str
) -> None:
    texts = Texts(study.study)
    (column,) = (each for each in study.study.table(table).columns if each.key == key)
    raw = [row[key] for row in study.study.rows(table) if row[key] is not None]
    assert raw
    for low, high in ((low, high) for low, high in raw if None not in (low, high)):
        printed = texts.column(column, [(low, high)])[0].split(" to ")
        ends = [number(text) / 100 if "%" in text else number(text) - 1 for text in printed]
        slack = Decimal("1e-12")
        assert ends[0] <= Decimal(low) + slack, printed
        assert Decimal(high) - slack <= ends[-1], printed


def test_a_quote_pays_at_the_printed_price(study: ProcurementStudy) -> None:
    """Whole cents, never above the price at which it certainly pays."""
    rows = [row for row in study.study.rows("losing_quotes") if row["certified_in"] is not None]
    assert rows
    for row in rows:
        exact = row["price"] * (1 - row["certified_in"])
        assert exact - 0.01 <= row["price_then"] <= exact
        assert math.isclose(100 * row["price_then"], round(100 * row["price_then"]), abs_tol=1e-6)


def test_ends_of_amounts_of_money_are_rounded_outwards(study: ProcurementStudy) -> None:
    texts = Texts(study.study)
    shown = texts.value((1_231_400.0, 1_234_900.0), "interval:money EUR").replace("\xa0", " ")
    assert shown == "1.231 to 1.235 M EUR"
    shown = texts.value((999_000.4, 1_234_900.0), "interval:money EUR").replace("\xa0", " ")
    assert shown == "999,000 EUR to 1.235 M EUR"


@pytest.mark.parametrize("unit", ["interval:change", "interval:certain change"])
def test_ends_of_changes_have_one_form(study: ProcurementStudy, unit: str) -> None:
    texts = Texts(study.study)
    for ends in ((0.042, 0.379), (0.462, 1.42), (0.5, 23.5), (1.5, 2.5)):
        shown = texts.value(ends, unit)
        assert (shown.count("%"), shown.count("×")) in ((2, 0), (0, 2)), shown  # noqa: RUF001
    assert texts.value((0.0, 1.134), "interval:change").replace("\xa0", " ") == "0.0 % to +113.4 %"

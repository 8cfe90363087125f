"""Printed numbers that belong together: products, sums, shares and differences, as a reader adds.

Every check works on the text of the report's tables alone, as somebody with a pocket calculator.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from planner.formatting import money, percent
from planner.procurement import summary
from planner.procurement.losing_quotes import LosingQuote
from planner.procurement.marginal_value import MarginalValue, ScoreChange
from planner.procurement.study import ProcurementStudy
from reports.procurement import document
from reports.procurement.figures import marginal_value
from reports.procurement.pages.purchase import in_one_unit
from tests.reports.procurements import answered, with_long_answers
from tests.reports.procurements import document as request_for_proposals

Rows = list[list[str]]


def number(text: str) -> Decimal:
    """The first number of a cell."""
    match = re.search(r"[-\u2212]?[\d,]*\.?\d+", text)
    assert match is not None, text
    return Decimal(match.group().replace(",", "").replace("\u2212", "-"))


def unit_of_last_digit(text: str) -> Decimal:
    exponent = number(text).as_tuple().exponent
    assert isinstance(exponent, int)
    return Decimal(1).scaleb(exponent)


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


def rows_of(study: ProcurementStudy, heading: str, caption: str) -> Rows:
    page = next(p for p in document(study, [])["pages"] if p["heading"] == heading)
    block: dict[str, Any] = next(
        b for b in page["blocks"] if b.get("caption", "").startswith(caption)
    )
    return [[cell.replace("\u200b", "") for cell in row] for row in block["table"]["rows"]]


def test_the_bill_of_materials_multiplies_out_and_adds_up(study: ProcurementStudy) -> None:
    rows = rows_of(study, "What is bought?", "Bill of materials")
    lines = [row for row in rows if row[2]]
    sums = {row[0]: number(row[4]) for row in rows if not row[2]}
    for _, _, quantity, item, amount in lines:
        assert number(quantity) * number(item) == number(amount)
    assert sum(number(row[4]) for row in lines) == sums["Total hardware"]
    whole = sums["Total hardware"] + sums["Installation"] + sums["Fixed outlay"]
    assert whole == sums["Total capital"]


def test_the_title_pages_purchase_multiplies_out(study: ProcurementStudy) -> None:
    for row in document(study, [])["table"]["rows"]:
        cells = [cell.replace("\u200b", "") for cell in row]
        if not cells[4]:
            continue  # what is not a node, and the sum
        scale = 1_000_000 if " M " in cells[5] else 1
        apart = abs(number(cells[2]) * number(cells[4]) - scale * number(cells[5]))
        assert apart <= scale * unit_of_last_digit(cells[5]) / 2


@pytest.mark.parametrize("millions", [False, True])
def test_the_title_pages_purchase_adds_up_to_the_capital(
    study: ProcurementStudy, *, millions: bool
) -> None:
    given = study.scenario.model_dump()
    given["budget"]["fixed_capital"] = 2e6 if millions else 0.0
    given["budget"]["capital"] += 2e6 if millions else 0.0
    whole = answered(given)
    assert whole.plan is not None
    rows = [
        [cell.replace("\u200b", "") for cell in row] for row in document(whole, [])["table"]["rows"]
    ]
    *lines, rest, total = rows
    assert rest[0] == (
        "Racks, installation and fixed outlay" if millions else "Racks and installation"
    )
    assert total[0] == "Total"
    assert total[5] == money(whole.plan.bill.capital, "USD", like=whole.plan.bill.capital)
    for column in (2, 3):
        assert sum(number(row[column]) for row in lines) == number(total[column])
    assert sum(number(row[5]) for row in (*lines, rest)) == pytest.approx(number(total[5]))
    bill = whole.tables()["bill_of_materials"]
    assert math.fsum(row["amount"] for row in bill) == pytest.approx(whole.plan.bill.capital)
    items = [row["item"] for row in bill if not row["vendor"]]
    assert items == ["rack", "installation", *(["fixed outlay"] if millions else [])]


def test_what_is_used_and_what_is_left_make_the_limit(study: ProcurementStudy) -> None:
    seen = 0
    for _, taken, limit, share, item in rows_of(study, "What is bought?", "Limits of the site"):
        if limit != "unlimited":
            assert number(taken) + number(item) == number(limit)
            assert taken.split()[1:] == limit.split()[1:] == item.split()[1:]
            part = 100 * number(taken) / number(limit)
            assert abs(part - number(share)) <= 2 * unit_of_last_digit(share)
            assert (number(share) == 100) <= (number(item) == 0)
            seen += 1
    assert seen >= 4


@pytest.mark.parametrize(
    ("value", "limit", "cells"),
    [
        (59_999_792.88, 6e7, ("59,999,793 USD", "60,000,000 USD", "207 USD")),
        (6e7, 6e7, ("60,000,000 USD", "60,000,000 USD", "0 USD")),
        (61e6, 6e7, ("61,000,000 USD", "60,000,000 USD", "−1,000,000 USD")),  # noqa: RUF001
    ],
)
def test_money_that_is_left_is_never_rounded_away(
    value: float, limit: float, cells: tuple[str, str, str]
) -> None:
    assert in_one_unit("capital", value, limit, "USD") == cells


def test_what_is_required_and_its_slack_make_what_is_reached(study: ProcurementStudy) -> None:
    rows = rows_of(study, "What is bought?", "Requirements met")
    assert len(rows) >= 4
    for what, least, reached, slack in rows:
        side = 1 if least.startswith("at least") else -1
        assert number(reached) - side * number(slack) == number(least), what


def test_costs_over_the_life_add_up(study: ProcurementStudy) -> None:
    rows = rows_of(study, "What does it cost over its life?", "Total cost of ownership")
    *parts, total = rows
    assert total[0] == "Total cost of ownership"
    yearly = [row for row in parts if row[1] != "once"]
    for column, mine in ((1, yearly), (2, parts), (3, parts)):
        apart = abs(sum(number(row[column]) for row in mine) - number(total[column]))
        assert apart <= len(mine) * unit_of_last_digit(total[column]) / 2
    for row in parts:
        share = 100 * number(row[2]) / number(total[2])
        assert abs(share - number(row[3])) <= unit_of_last_digit(row[3])


def test_scores_and_their_differences_agree(study: ProcurementStudy) -> None:
    assert study.plan is not None
    best = Decimal(f"{study.plan.score:.4f}")
    for row in rows_of(
        study,
        "Appendix: simpler methods, and systems as quoted",
        "Simpler methods and quoted systems",
    ):
        less = 100 * (number(row[1]) / best - 1)
        assert abs(less - number(row[2])) <= unit_of_last_digit(row[2]) / 2 + Decimal("0.02")
    for row in rows_of(study, "Appendix: scores by budget and power", "Scores by budget"):
        if row[5][-1] == "%":
            gain = 100 * (number(row[4]) / number(row[2]) - 1)
            assert abs(gain - number(row[5])) <= Decimal("0.15")


def test_the_price_at_which_a_quote_pays_is_that_of_the_printed_discount(
    study: ProcurementStudy,
) -> None:
    """23.008 % off is printed as 23.1 %: so the price is that of 23.1 % off."""
    names = [offer.name for offer in study.problem.offers]
    lost = tuple(LosingQuote(name, "V", 0.22992, 0.23008, "", 3) for name in names)
    rows = rows_of(
        replace(study, losing_quotes=lost),
        "What price would make a losing quote pay?",
        "Losing quotes",
    )
    for row in rows:
        into, quoted, then = number(row[4]), number(row[5]), number(row[6])
        assert into == Decimal("23.1")
        exact = quoted * (100 - into) / 100
        assert exact - unit_of_last_digit(row[6]) < then <= exact


def test_a_gain_is_said_in_the_digits_of_its_interval(study: ProcurementStudy) -> None:
    """A certain gain of 2.991 to 3.008 % is at least 2.99 %, beside +2.99 to +3.01 %."""
    sure = MarginalValue("capital", 0.05, 1.0, 0.02991, 0.03008, ScoreChange.CHANGES, 0.0, 0.03)
    title = marginal_value.finding(replace(study, marginal_values=(sure,)))
    assert title == "5 % more capital raises the score by at least 2.99 %"
    assert marginal_value.words(sure) == "+2.99 to +3.01 %"


def test_no_bound_is_printed_that_looks_like_the_score(study: ProcurementStudy) -> None:
    assert study.plan is not None
    near = replace(study.optimum, bound=study.plan.objective + 1e-7, proved=None)
    text = replace(study, optimum=near).confidence
    assert "more than 0.001 % better" in text
    assert f"{study.plan.score:.3f}" not in text
    data = document(replace(study, optimum=near), [])
    lines = [line for part in (*data["left"], *data["right"]) for line in part["lines"]]
    lines += [data["certificate"], *data["risks"]]
    for line in summary.power_value(
        study
    ):  # the score with unlimited capital may well be the plan's
        lines.remove(line)
    assert sum(line.count(f"{study.plan.score:.3f}") for line in lines) == 1


def test_the_front_and_its_limits_share_one_unit_per_column(study: ProcurementStudy) -> None:
    rows = rows_of(study, "How do cost, score and power trade off?", "The front")
    for column in range(2, len(rows[0]) - 1):
        cells = [row[column].replace(" ↑", "") for row in rows]
        assert len({" ".join(cell.split()[1:]) for cell in cells}) == 1
        assert len({unit_of_last_digit(cell) for cell in cells}) == 1


def test_the_probability_interval_contains_the_share(study: ProcurementStudy) -> None:
    result = study.monte_carlo
    assert result is not None
    low, high = result.holds_interval
    assert low <= result.same_types <= high
    assert math.isclose(low, 0.3006, abs_tol=5e-4)  # Wilson, 3 of 4
    assert percent(low) == "30 %"

"""What an award states in its sentences and facts, on tenders worked out by hand."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import pytest

from planner.award import leads
from planner.award.model_score import joint_score
from planner.award.nodes import share_of_nodes
from planner.award.study import AwardStudy, award
from planner.errors import InputError
from planner.finding import Finding
from reports.texts import Texts, sentences
from reports.view import every_finding
from scenarios.model.procurement import ShareLimit
from scenarios.package_bill import package_bill
from tests.claims.award_scores import priced_tender
from tests.claims.statements import facts
from tests.planner.award.by_hand import NODE, PUE
from tests.planner.award.made import figure, package, price, tender
from tests.planner.procurement.catalogues import scenario

CRITERIA = [price(50), figure("F", 50)]
BY_G = [price(10), figure("G", 50)]
BENCH = {"kind": "offered", "figure": "HPL", "reference_figure_of_merit": 1.0}
UNPOWERED = {"name": "n", "kind": "cpu", "memory_gb": 1.0, "vendor": "N"}
SITE: dict[str, Any] = {
    "node_types": [UNPOWERED | NODE],
    "reference": {"name": "Old", "nodes": 1}, "budget": {"utilisation": 1},
    "workloads": [{"name": "Bench", "weight": 0, "performance": BENCH},
                  {"name": "Work", "weight": 1, "performance": BENCH}],
    "power": {"bound_w": 20_000, "pue": PUE},
}  # fmt: skip
PEAK_W = 4 * 1000
"""Of the nodes of one package."""


def of_nodes(*, figures: bool = True) -> list[dict[str, Any]]:
    """A and B with four nodes each; A wins by figure G."""
    offers = [package("A", 10.0), package("B", 12.0)]
    for each, g in zip(offers, (10.0, 9.0), strict=True):
        each["lines"].append({"kind": "node", "name": "n", "item": "Node", "price": 0.0,
                              "quantity": 4})  # fmt: skip
        if figures:
            each["figures"] = [{"name": "HPL", "value": 10.0}, {"name": "G", "value": g}]
    return offers


def stated(found: AwardStudy, kind: str) -> list[Finding]:
    return [each for each in every_finding(found.study) if each.kind == kind]


def values(found: AwardStudy, kind: str) -> list[dict[str, Any]]:
    return [dict(each.values) for each in stated(found, kind)]


def texts(found: AwardStudy, kind: str) -> list[str]:
    return [*sentences(found.study, stated(found, kind))]


def fact(found: AwardStudy, key: str) -> Any:
    (one,) = [each for each in facts(found.study) if each.key == key]
    return one.value


@pytest.mark.parametrize(
    ("required", "judged", "ends"),
    [
        (9.5, BY_G, [{"packages": ("A",), "ends": (0.95,)}]),
        (10, BY_G, [{"packages": ("A",), "ends": (1.0,)}]),
        (15, [*BY_G, figure("HPL", 1)], []),
    ],
)
def test_a_required_figure_counts_where_it_is_met_whether_judged_or_not(
    required: float, judged: list[dict[str, Any]], ends: list[dict[str, Any]]
) -> None:
    """A has HPL 10; by G it wins down to a smaller share, by which the HPL would be missed."""
    more = SITE | {"requirements": {"throughput": {"Bench": required}}}
    found = award(tender(of_nodes(), judged, more=more))
    assert values(found, "stays-required") == ends
    (lot,) = values(found, "stays-delivered")
    assert lot["ends"][0] < 0.95
    assert "throughput" not in texts(found, "stays-delivered")[0]
    rows = [row["required"] for row in found.study.rows("delivered") if row["figure"] == "all"]
    assert rows == ([None] if required == 15 else [])


def test_without_a_required_throughput_none_is_named() -> None:
    found = award(tender(of_nodes(), BY_G, more=SITE))
    assert values(found, "stays-required") == []


def test_a_vendor_of_all_awards_has_not_won_a_tied_lot() -> None:
    lots = [
        package(f"{vendor}{lot}", cost, lot=lot, vendor=vendor, figures={"F": 5})
        for lot in "123"
        for vendor, cost in (("A", 10.0), ("B", 10.0 if lot == "3" else 12.0))
    ]
    found = award(tender(lots, CRITERIA))
    assert texts(found, "one-vendor") == [
        "All awarded lots go to one vendor: A. Its withdrawal reopens them."
    ]


@pytest.mark.parametrize(("bound_w", "power_met"), [(PEAK_W, True), (PEAK_W - 1, None)])
def test_a_successor_fits_where_power_is_left_to_the_plan(
    bound_w: float, power_met: bool | None
) -> None:
    found = award(tender(of_nodes(), BY_G, more=SITE | {"power": {"bound_w": bound_w, "pue": PUE}}))
    ((then,),) = [each.successors for each in found.successions]
    assert [each.met for each in then.purchase.checks] == [power_met]
    assert fact(found, "successor_fits") == (1, 1)


def test_a_successor_that_misses_the_capital_does_not_fit() -> None:
    found = award(tender(of_nodes(), BY_G, more={"node_types": SITE["node_types"],
                                                 "budget": {"capital": 11}}))  # fmt: skip
    assert fact(found, "successor_fits") == (0, 1)


def test_within_a_corridor_no_lead_is_stated() -> None:
    """B wins by F, with 50 / 12 points per price against 50 x 10/11 / 10 of A."""
    offers = [package("A", 10.0, figures={"F": 5}), package("B", 12.0, figures={"F": 5.5})]
    found = award(tender(offers, CRITERIA, method="corridor", corridor=0.2, decides="F"))
    assert found.award.decisions[0].winner == "B"
    assert not stated(found, "leads")
    assert not stated(found, "quotient-leads")
    (shown,) = [each for each in found.study.tables if each.name == "award"]
    assert not any(each.shown for each in shown.columns if each.key.endswith("_lead"))


def test_amounts_of_lines_that_others_have_free_or_not_are_not_called_theirs_alone() -> None:
    offers = [package(name, 10.0, figures={"F": 5}) for name in "ABC"]
    rack = {"kind": "rack", "name": "r", "item": "Rack"}
    offers[0]["lines"].append(rack | {"price": 3.0})
    offers[1]["lines"].append(rack | {"price": 0.0})
    offers[2]["lines"].append({"kind": "service", "item": "Support", "price": 1.0})
    assert texts(award(tender(offers, CRITERIA)), "scope-differs") == [
        "L: one-off amounts for rack, not in every package: A 3 USD.",
        "L: one-off amounts for service, not in every package: C 1 USD.",
    ]


def test_gross_prices_count_without_their_tax() -> None:
    # 119 with 19 % is 100, which is less than 110; of the rack 11.90 is 10
    offers = [package("A", 107.1, figures={"F": 5}), package("B", 110.0, figures={"F": 5})]
    offers[0] |= {"vat": 0.19}
    offers[0]["lines"].append({"kind": "rack", "name": "r", "item": "Rack", "price": 11.9})
    found = award(tender(offers, CRITERIA))
    (scope,) = values(found, "scope-differs")
    assert (scope["packages"], scope["amounts"]) == (("A",), (10.0,))
    (sheet,) = [each for each in found.study.tables if each.name == "prices"]
    (price_column,) = [each for each in sheet.columns if each.key == "price"]
    row = next(each for each in found.study.rows("prices") if each["package"] == "A")
    assert (row["stated"], row["vat"], row["price"]) == (119.0, 0.19, 100.0)
    assert price_column.formula == "ROUND({stated}*{rate}/(1+{vat}),2)"


def test_a_share_of_spend_counts_prices_without_tax() -> None:
    offers = of_nodes()
    for each, money in zip(offers, (119.0, 100.0), strict=True):
        each["lines"][-1]["price"] = money
    offers[0] |= {"vat": 0.19}
    bought = tender(offers, CRITERIA, more=SITE)
    share = ShareLimit(vendor="A", of="spend", least=0.1)
    bills = [package_bill(each) for each in bought.packages]
    assert share_of_nodes(bought, share, bills) == Fraction(1, 2)


def test_half_a_cent_of_a_rebate_is_rounded_away_from_zero() -> None:
    offers = [package("A", 9000.0, figures={"F": 5}), package("B", 9000.0, figures={"F": 4})]
    offers[0] |= {"rounding": "total"}
    offers[0]["lines"].append({"kind": "removal", "item": "Rebate", "price": -2345.345})
    (scope,) = values(award(tender(offers, CRITERIA)), "scope-differs")
    assert scope["amounts"] == (-2345.35,)


@pytest.mark.parametrize(
    ("more", "racks"),
    [
        ({"facility": {"racks": 2}, "rack": {"nodes": 2, "price": 1}}, (2, True)),
        ({"facility": {"racks": 1}, "rack": {"nodes": 2, "price": 1}}, (2, False)),
        ({"facility": {"racks": 9}}, (None, None)),
        (
            {"node_types": [UNPOWERED], "facility": {"racks": 2}, "rack": {"nodes": 2, "price": 1}},
            (2, True),
        ),
    ],
)
def test_racks_of_an_unknown_room_are_left_open(
    more: dict[str, Any], racks: tuple[int | None, bool | None]
) -> None:
    found = award(tender(of_nodes(), BY_G, more=SITE | more))
    (check,) = [each for each in found.purchase.checks if each.what == "racks"]
    assert (check.value, check.met) == racks


@pytest.mark.parametrize(
    ("node", "rack_w", "met"),
    [(NODE, 1000, True), (NODE, 999, False), ({}, 999, None)],
)
def test_a_node_above_the_power_of_a_rack_is_missed_with_its_power(
    node: dict[str, Any], rack_w: float, met: bool | None
) -> None:
    """No number of racks takes it, so that no rack places are counted."""
    more: dict[str, Any] = SITE | {
        "node_types": [UNPOWERED | node], "power": None,
        "facility": {"racks": 9, "rack_w": rack_w}, "rack": {"nodes": 2, "price": 1},
    }  # fmt: skip
    found = award(tender(of_nodes(), BY_G, more=more))
    every = {each.what: each.met for each in found.purchase.checks}
    assert every["rack power"] is met
    assert ("racks" in every) is (met is not False)
    (row,) = [e for e in found.study.rows("checks") if e["what"] == "rack power"]
    assert (row["value"], row["most"]) == (None if met is None else 1000, rack_w)
    missed = "The award exceeds peak power of one node, in a rack: 1 kW (allowed: at most 999 W)."
    begins = [each.startswith(missed) for each in texts(found, "award-together-above")]
    assert begins == [True] * (met is False)


@pytest.mark.parametrize(("per_year", "unit"), [(123_456.0, "value"), (123_456.78, "price USD")])
def test_no_cents_of_yearly_costs_are_cut(per_year: float, unit: str) -> None:
    offers = [package("A", 200_000.0, figures={"F": 5})]
    offers[0]["lines"].append({"kind": "service", "item": "S", "price": per_year, "per_year": True})
    (scope,) = [e for e in award(tender(offers, CRITERIA)).study.tables if e.name == "scope"]
    assert {e.unit for e in scope.columns if e.key in ("price", "per_year")} == {unit}


def test_the_total_cost_of_the_award_has_cents_and_needs_power_with_a_price_of_energy_only() -> (
    None
):
    """10.40, and 0.25 in each of two years."""
    offers = [package("A", 10.4), package("B", 12.4)]
    offers[0]["lines"] += [
        {"kind": "node", "name": "n", "item": "Node", "price": 0.0, "quantity": 1},
        {"kind": "service", "item": "S", "price": 0.25, "per_year": True},
    ]
    budget = {"lifetime_years": 2}
    more = {"node_types": [{"name": "n"}], "budget": budget}
    assert fact(award(tender(offers, [price(9)], more=more)), "life_cost") == 10.9
    more["budget"] = budget | {"energy_price_per_kwh": 0.1}
    dear = award(tender(offers, [price(9)], more=more))
    assert [each.key for each in facts(dear.study) if each.key == "life_cost"] == []


def test_the_example_of_total_cost_is_of_the_first_lot_that_it_judges() -> None:
    offers = [
        {**each, "name": f"{each['name']}{lot}", "lot": lot, "vendor": each["name"]}
        for lot in "12"
        for each in copy.deepcopy(of_nodes(figures=False))
    ]
    life = {"name": "Life", "points": 10, "value_from": "total cost", "better": "less",
            "lots": ["2"]}  # fmt: skip
    found = award(tender(offers, [price(10, lots=["1"]), life], more=SITE))
    assert [each["package"] for each in values(found, "total-cost-basis")] == ["A2"]


def yearly(of_a: float, vendors: str = "AB") -> list[dict[str, Any]]:
    """A for 10 and a yearly service, B for 14; the lifetime is four years."""
    offers = [package("A", 10.0, figures={"F": 5}), package("B", 14.0, figures={"F": 5})]
    offers[0]["lines"].append({"kind": "service", "item": "S", "price": of_a, "per_year": True})
    return [each | {"vendor": vendor} for each, vendor in zip(offers, vendors, strict=True)]


def test_yearly_costs_that_leave_the_scheme_without_a_result_are_named() -> None:
    """10 + 4 x 1 and 14 are equal, and a two-sided formula divides by their difference."""
    found = award(tender(yearly(1.0), [price(50, formula="two_sided"), figure("F", 50)]))
    assert texts(found, "yearly-open") == [
        "L: with yearly costs in the prices, the scheme has no result."
    ]


@pytest.mark.parametrize(
    ("vendors", "scheme"), [("VV", {}), ("AB", {"method": "points_per_price"})]
)
def test_a_winner_that_stays_is_named_without_a_lead_where_there_is_none(
    vendors: str, scheme: dict[str, Any]
) -> None:
    found = award(tender(yearly(0.5, vendors), CRITERIA, **scheme))
    assert values(found, "yearly-same") == [{"lot": "L"}]
    assert values(found, "yearly-stays") == []


def test_yearly_costs_may_leave_a_lot_without_a_winner() -> None:
    """A has 10 points, or 5 with its yearly costs; B of the same group has 8 in the other lot."""
    offers = [package("A", 10.0, lot="1", group="g"), package("C", 40.0, lot="1", group="g"),
              package("B", 10.0, lot="2", group="g", figures={"F": 5})]  # fmt: skip
    offers[0]["lines"].append({"kind": "service", "item": "S", "price": 5.0, "per_year": True})
    line = price(10, formula="linear", full_at=10, zero_at=50, lots=["1"])
    found = award(tender(offers, [line, figure("F", 8, lots=["2"])], lots="best sum"))
    assert [each.winner for each in found.award.decisions] == ["A", None]
    assert values(found, "yearly-open") == [{"lot": "1"}]


def test_yearly_costs_outside_the_price_are_in_one_sentence_for_each_lot() -> None:
    third = package("C", 30.0, figures={"F": 5})
    offers = [*yearly(0.5), third, copy.deepcopy(third) | {"name": "D", "vendor": "D"}]
    offers[2]["lines"].append({"kind": "service", "item": "S", "price": 1.0, "per_year": True})
    assert values(award(tender(offers, CRITERIA)), "yearly-outside") == [
        {"lot": "L", "packages": ("A", "C"), "amounts": (2.0, 4.0), "years": 4.0}
    ]


def test_without_a_later_award_none_is_said_to_miss_something() -> None:
    found = award(tender([package("A")], [price(5)]))
    assert texts(found, "no-fallback") == [
        "L: if A withdraws, no later award meets budget and requirements."
    ]


def test_an_award_whose_switches_no_spine_can_connect_has_score_0() -> None:
    """Six nodes on switches with two ports need three; a spine has ports for two."""
    (raw,) = priced_tender(506)
    tendered = scenario(raw)
    offers = [each for each in tendered.packages if each.name in ("L-0", "M-2")]
    assert joint_score(tendered, offers) == 0


def texts_of(found: AwardStudy, question: str) -> str:
    """The texts of a question, as a page has them."""
    (asked,) = [each for each in found.study.questions if each.name == question]
    own = Texts(found.study).catalogue.sections["texts"]
    return " ".join(line for key in asked.texts for line in own[key])


def test_a_rounded_end_of_a_weight_is_not_called_a_tie() -> None:
    """A has 10 points less p/3 for F and 1/7 more for G: they are equal at p = 3/7."""
    offers = [package("A", 10.0, figures={"F": 2, "G": 7}),
              package("B", 10.0, figures={"F": 3, "G": 6})]  # fmt: skip
    found = award(tender(offers, [figure("F", 0.1), figure("G", 1)]))
    (row,) = [row for row in found.study.rows("weights") if row["criterion"] == "F"]
    assert row["exact_high"] == "3/7"
    assert Texts(found.study).value(row["stays"], "inside:number") == "0 to 0.4285"
    text = texts_of(found, "weights")
    assert "Ends are rounded to the side where the winner wins." in text
    assert "nothing is rounded" not in text


def test_each_dash_of_delivered_figures_is_explained_at_its_column() -> None:
    """No figure of A is required and it wins by F and G; the least value of F is a threshold."""
    offers = [package("A", 10.0, figures={"F": 9, "G": 7}),
              package("B", 10.0, figures={"F": 8, "G": 6})]  # fmt: skip
    both = [figure("F", 30), figure("G", 50)]
    text = texts_of(award(tender(offers, both)), "delivered")
    assert "Value there: the figure at that fraction. A dash: there is no such" in text
    assert "Least for" not in text
    limited = texts_of(award(tender(offers, [both[0] | {"least": 4}, both[1]])), "delivered")
    assert "A dash: no threshold limits it." in limited
    more = SITE | {"requirements": {"throughput": {"Bench": 9.5}}}
    judged = [*BY_G, figure("HPL", 1)]
    required = award(tender(of_nodes(), judged, more=more))
    assert {row["figure"]: row["required"] for row in required.study.rows("delivered")} == {
        "all": 0.95, "G": None, "HPL": 0.95
    }  # fmt: skip
    assert "A dash: whether they miss one does not depend on it." in texts_of(required, "delivered")


def test_a_report_does_not_say_when_the_scheme_was_fixed_or_who_computed_its_hash() -> None:
    found = award(tender([package("A")], [price(5)]))
    (unpublished,) = texts(found, "unpublished")
    assert unpublished.startswith("No published hash of the scheme in the input: it does not show")
    assert texts(found, "hash")[0].startswith("SHA-256 of the scheme, computed for this report: ")


def test_a_computed_price_gap_is_not_called_stated() -> None:
    offers = [package("A", 10.0), package("B", 12.0)]
    found = award(tender(offers, [price(5)], low_price=0.5))
    (conditions,) = [each for each in found.study.tables if each.name == "conditions_by_lot"]
    assert [Texts(found.study).heading(each) for each in conditions.columns
            if each.key == "stated"] == ["Value"]  # fmt: skip


def test_prices_are_called_net_only_where_a_package_states_its_tax() -> None:
    for offer, due in ((package("A", 119.0), 119.0), (package("A", 119.0, vat=0.19), 100.0)):
        found = award(tender([offer], [price(5)]))
        text = texts_of(found, "prices")
        assert "Value-added tax that a package states is taken off; otherwise prices count" in text
        assert "net" not in text
        (asked,) = [each for each in found.study.questions if each.name == "prices"]
        assert ("prices" in asked.tables) is ("vat" in offer)
        assert fact(found, "price") == due


def test_a_straight_line_has_one_direction() -> None:
    found = award(tender([package("A")], [price(5, formula="linear", full_at=10, zero_at=20)]))
    (row,) = found.study.rows("criteria")
    assert Texts(found.study).value(row["formula"], "points-formula") == "straight line from P to 0"
    assert "gives P at the value in the column of all points" in texts_of(found, "points")


def test_limits_that_a_successor_does_not_meet_are_named_once_and_their_sum_once() -> None:
    offers = [package("A", 10.0), package("B", 20.0)]
    found = award(tender(offers, [price(50)], more={"budget": {"capital": 15}}))
    assert texts(found, "successor-misses") == [
        "L: if A withdraws, B follows. Limits not met then: capital."
    ]
    assert texts(found, "find-capital") == [
        "Decide on more capital, which is missing if these packages follow: B 5 USD."
    ]
    settle = ["Settle before signing what to do if the winner withdraws: L."]
    assert texts(found, "settle-fallback") == settle
    alone = award(tender([offers[0]], [price(50)]))
    assert texts(alone, "successor-misses") == []
    assert texts(alone, "settle-fallback") == settle


def test_a_successor_of_the_centre_lacks_capital_and_power_at_peak() -> None:
    """Without a-cpu the nodes draw 2.515 MW at their peak, where 2.5 MW are allowed."""
    found = award("tender-centre")
    assert texts(found, "successor-misses")[0].endswith("not met then: capital, power at peak.")
    row = found.study.rows("successors")[0]
    assert [each["kind"] for each in row["missed"]] == ["together-above", "together-caps"]
    checks = {each.what: each for each in found.successions[0].successors[0].purchase.checks}
    (caps,) = values(found, "plan-caps")
    assert checks["power"].above is not None
    assert dict(zip(caps["packages"], caps["over"], strict=True))["c-cpu"] == float(
        checks["power"].above
    )


def test_packages_of_one_label_are_told_apart_by_their_names() -> None:
    offers = [
        {**package(f"{vendor}{lot}", money, lot=lot, vendor=vendor, figures={"F": 5}),
         "label": "Base"}
        for lot, last in (("1", 12.0), ("2", 14.0))
        for vendor, money in (("A", 10.0), ("B", last))
    ]  # fmt: skip
    for each in offers:
        each["lines"].append({"kind": "service", "item": "S", "price": 1.0})
    offers[0]["lines"].pop()
    found = award(tender(offers, CRITERIA))
    (ahead,) = values(found, "leads")
    assert ahead["rivals"] == ("B1 (Base)", "B2 (Base)")
    assert ahead["leads"] == pytest.approx((50 - 50 * 10 / 13, 50 - 50 * 11 / 15))
    (scope,) = values(found, "scope-differs")
    assert (scope["lot"], scope["packages"]) == ("1", ("B1 (Base)",))


def test_only_a_formula_without_a_result_leaves_yearly_costs_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise InputError("something else")

    found = award(tender(yearly(0.5), CRITERIA))
    monkeypatch.setattr(leads, "judge", broken)
    with pytest.raises(InputError, match="something else"):
        stated(found, "yearly-open")


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (1 / 3, 1 / 3, "0.3333 to 0.3334"),
        (0.25, 0.25, "0.25"),
        (0.33331, 0.33339, "0.3333 to 0.3334"),
        (0.3333, 0.33339, "0.3333"),
        (0.33325, 0.33345, "0.3333 to 0.3334"),
        (0.0, 3 / 7, "0 to 0.4285"),
    ],
)
def test_a_range_within_one_step_is_rounded_outward(low: float, high: float, text: str) -> None:
    study = award(tender([package("A")], [price(5)])).study
    assert Texts(study).value((low, high), "inside:number") == text


def test_total_cost_says_that_it_leaves_out_the_fixed_power_of_the_site() -> None:
    budget = {"utilisation": 1, "energy_price_per_kwh": 0.2}
    costs = []
    for fixed_w in (0, 3000):
        power = {"bound_w": 20_000, "pue": PUE, "fixed_w": fixed_w}
        found = award(tender(of_nodes(), BY_G, more=SITE | {"budget": budget, "power": power}))
        costs.append(fact(found, "life_cost"))
        meaning = Texts(found.study).catalogue.sections["definitions"]["life_cost"]
        assert meaning.endswith("without staff, site's fixed power")
    assert costs[0] == costs[1]

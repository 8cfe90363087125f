"""The first page of a procurement, in both languages, and what stands on it nowhere else."""

from __future__ import annotations

import datetime as dt
import io
import math
import re
import zipfile
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from planner import stop_warning
from planner.formatting import capitalised
from planner.phrases import Templates
from planner.procurement import by_solver, summary
from planner.procurement.losing_quotes import LosingQuote
from planner.procurement.marginal_value import MarginalValue, ScoreChange
from planner.procurement.power_value import PowerValue, StepEffect
from planner.procurement.problem import Excluded
from planner.procurement.rules import in_words
from planner.procurement.study import ProcurementStudy
from reports.formula import Formula
from reports.procurement import document, pictures
from reports.procurement.vendors import vendor_comparison
from reports.workbook import sheets, workbook
from tests.reports.procurements import answered
from tests.reports.procurements import document as request

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def effect_of(
    resource: str, limit: float, low: float, high: float, change: float = 0.01
) -> MarginalValue:
    score_change = ScoreChange.CHANGES if low > 0 else ScoreChange.CONTAINS_ZERO
    return MarginalValue(resource, change, limit, low, high, score_change, low, low)


def test_the_headline_names_labels_and_has_at_most_twenty_words(short: ProcurementStudy) -> None:
    assert short.plan is not None
    assert short.headline == "Buy 55 nodes of Node 2 (Vendor 0) for 680,000 USD."
    plan = short.plan
    many = tuple(
        replace(plan.purchases[0], offer=index, nodes=10 * (index + 1)) for index in (0, 1, 2, 2, 2)
    )
    line = replace(short, plan=replace(plan, purchases=many)).headline
    assert line.startswith("Buy 30 nodes of Node 2 (Vendor 0), 30 of Node 2 (Vendor 0), 30 of")
    assert "and 30 of 2 further types for" in line
    assert "type-" not in line
    words = [word for word in line.split() if re.search(r"[^\W\d_]{2}", word)]
    assert len(words) <= 20


def test_long_labels_leave_vendors_and_types_out_of_the_headline(
    hostile: ProcurementStudy,
) -> None:
    assert len(hostile.headline.split()) <= 30
    assert hostile.headline.endswith(".")


STEP = PowerValue(1000.0, 0.01, StepEffect.CAPITAL, 200_001.0, 200_002.0, 2.0, 2.0)


def test_the_value_of_a_step_of_power_has_the_digits_that_are_known(
    short: ProcurementStudy,
) -> None:
    nothing = replace(STEP, effect=StepEffect.NOTHING, capital_low=0.0, capital_high=0.0)
    beyond = replace(
        STEP,
        effect=StepEffect.BEYOND_CAPITAL,
        capital_low=None,
        capital_high=None,
        unlimited_low=1.9999990,
        unlimited_high=1.9999991,
    )
    begin = "1 kW more IT power (+1 %)"
    for value, line in (
        (STEP, f"{begin} has the effect of 200,000 USD more capital."),
        (
            replace(STEP, capital_low=1_500_100.0, capital_high=1_623_000.0),
            f"{begin} has the effect of 1.5 M USD to 1.63 M USD more capital.",
        ),
        (
            replace(STEP, capital_low=0.0, capital_high=40.0),
            f"{begin} has the effect of at most 40 USD more capital.",
        ),
        (nothing, f"{begin} raises the score by less than 0.0001 %."),
        (
            beyond,
            f"{begin}: score 2.000000",
        ),
        (
            replace(STEP, effect=StepEffect.CAPITAL_UNKNOWN),
            f"The effect of {begin} cannot be given in money: the search for more capital ended",
        ),
    ):
        (result,) = summary.power_value(replace(short, power_value=value))
        assert result.startswith(line)
        assert replace(short, power_value=value).to_dict()["power_value"]["effect"] == value.effect
    assert summary.power_value(replace(short, power_value=None)) == []
    assert replace(short, power_value=None).to_dict()["power_value"] is None


def test_every_quote_that_is_not_bought_has_a_reason(short: ProcurementStudy) -> None:
    assert short.plan is not None
    bought = {purchase.name for purchase in short.plan.purchases}
    every = {node_type.name for node_type in short.scenario.node_types}
    assert {quote.name for quote in short.not_bought} == every - bought
    assert all(quote.reason and not quote.reason.endswith(".") for quote in short.not_bought)
    rows = short.to_dict()["not_bought"]
    assert [row["name"] for row in rows] == [quote.name for quote in short.not_bought]
    late = Excluded("type-0", "Vendor 0", "delivery on 2028-01-01 is later than 2027-12-31")
    left_out = replace(short, problem=replace(short.problem, excluded=(late,)))
    reasons = {quote.name: quote.reason for quote in left_out.not_bought}
    assert reasons["type-0"] == f"excluded: {late.reason}"
    paying = LosingQuote("type-0", "Vendor 0", 0.1, 0.12, "", 5)
    never = LosingQuote("type-1", "Vendor 1", 0.95, None, "it_power_w", 5)
    tested = replace(short, losing_quotes=(paying, never))
    reasons = {quote.name: quote.reason for quote in tested.not_bought}
    assert reasons["type-0"] == "too expensive: it pays from a discount of 12 %"
    assert reasons["type-1"] == "never pays, even at a discount of 95 % (held back by IT power)"


def test_a_quote_that_another_beats_in_everything_is_said_to_be_dominated() -> None:
    raw_scenario = request()
    raw_scenario["node_types"][0] |= {"price": 90_000.0, "peak_w": 900.0, "compute_rate": 200.0}
    raw_scenario["node_types"][0] |= {"bandwidth_gb_s": 300.0, "idle_w": 300.0}
    reasons = {quote.name: quote.reason for quote in answered(raw_scenario).not_bought}
    assert "is at least as good in price, charged power and every performance" in reasons["type-0"]


@pytest.mark.parametrize(
    ("merits", "figures"),
    [
        ((12.0,), "120.0 %"),
        ((12.0, 14.0), "120.0 % to 140.0 %"),
        ((12.0, 5.0), "50.0 % to 120.0 %"),
    ],
)
def test_a_quote_is_called_worse_only_where_it_is(merits: tuple[float, ...], figures: str) -> None:
    """Vendor 1 sells at least 900 nodes, for which the capital does not suffice; nor any larger.

    If it does more of all work, its least quantity keeps it out: 80 nodes would do more.
    """
    raw_scenario = request(types=2)
    raw_scenario["rack"] = None
    raw_scenario["workloads"] = [
        {
            "name": f"work-{number}",
            "weight": 1.0,
            "performance": {
                "kind": "table",
                "reference_figure_of_merit": 1.0,
                "rows": [
                    {"node_type": "type-0", "figure_of_merit": 10.0},
                    {"node_type": "type-1", "figure_of_merit": merit},
                ],
            },
        }
        for number, merit in enumerate(merits)
    ]
    del raw_scenario["demands"]
    first, second = raw_scenario["node_types"]
    for key in ("price", "peak_w", "idle_w"):
        second[key] = first[key]
    second |= {"minimum_quantity": 900, "maximum_quantity": 2000, "as_bid_quantity": 900}
    study = answered(raw_scenario)
    (quote,) = study.not_bought
    assert quote.name == "type-1"
    assert quote.rules == ("terms: least quantities",)
    rule = "without the least quantities of the quotes, the best plan buys it"
    assert quote.reason == f"kept out by a rule: {rule}"
    (unknown,) = replace(study, deciding=()).not_bought
    too_large = "too large: the limits of the site do not allow its least quantity, even alone"
    assert unknown.reason == too_large
    offers = (
        study.problem.offers[0],
        replace(study.problem.offers[1], tiers=study.problem.offers[0].tiers),
    )
    fitting = replace(study, deciding=(), problem=replace(study.problem, offers=offers))
    (compared,) = fitting.not_bought
    assert compared.reason == (
        f"{figures} of the work per unit of price and {figures} of the work per watt of the "
        "types bought"
    )


def late_and_early() -> ProcurementStudy:
    raw_scenario = request()
    raw_scenario["power"]["available_on"] = dt.date(2027, 6, 1)
    raw_scenario["procurement"]["decided_on"] = dt.date(2027, 1, 4)
    for node_type in raw_scenario["node_types"]:
        node_type["lead_weeks"] = 40
    return answered(raw_scenario)


def test_a_late_and_an_early_delivery_are_risks() -> None:
    study = late_and_early()
    (line,) = document(study, [])["risks"]
    assert line == (
        "The nodes 'Node 2' arrive 19 weeks after power is available (2027-06-01); the power "
        "planned for them is unused until then."
    )
    assert line in study.warnings
    raw_scenario = study.scenario.model_dump()
    for node_type in raw_scenario["node_types"]:
        node_type["lead_weeks"] = 4
    early = replace(study, scenario=type(study.scenario).model_validate(raw_scenario))
    assert early.warnings == (
        (
            "The nodes 'Node 2' arrive 17 weeks before power is available (2027-06-01); they "
            "cannot run until then."
        ),
    )
    assert document(early, [])["risks"] == list(early.warnings)
    assert not any("Negotiate" in step for step in summary.next_steps(early))
    (line,) = summary.risks(early, "de")
    assert line == (
        "Die Knoten „Node 2“ werden 17 Wochen vor Verfügbarkeit der Einspeisung (2027-06-01) "
        "geliefert und können bis dahin nicht laufen."
    )


@pytest.mark.parametrize(
    ("valid_until", "delivered_by", "english", "german"),
    [
        (
            dt.date(2027, 6, 30),
            dt.date(2027, 12, 31),
            "Vendor 0 2027-03-26 (for delivery by 2027-12-31).",
            "Vendor 0 2027-03-26 (für Lieferung bis 2027-12-31).",
        ),
        (
            dt.date(2027, 3, 26),
            dt.date(2027, 12, 31),
            "Vendor 0 2027-03-26 (the quote expires).",
            "Vendor 0 2027-03-26 (das Angebot läuft ab).",
        ),
        (
            dt.date(2027, 6, 30),
            None,
            "Vendor 0 2027-06-30 (the quote expires).",
            "Vendor 0 2027-06-30 (das Angebot läuft ab).",
        ),
        (
            None,
            dt.date(2027, 12, 31),
            "Vendor 0 2027-03-26 (for delivery by 2027-12-31).",
            "Vendor 0 2027-03-26 (für Lieferung bis 2027-12-31).",
        ),
    ],
)
def test_the_day_of_the_order_keeps_the_quote_and_the_required_delivery(
    valid_until: dt.date | None, delivered_by: dt.date | None, english: str, german: str
) -> None:
    study = late_and_early()
    given = study.scenario.model_dump()
    given["requirements"]["delivered_by"] = delivered_by
    for node_type in given["node_types"]:
        node_type["valid_until"] = valid_until
    dated = replace(study, scenario=type(study.scenario).model_validate(given))
    order = "Order by 2027-01-04 for these delivery dates. Last days: "
    assert summary.next_steps(dated)[0] == order + english
    assert summary.next_steps(dated, "de")[0].endswith(f"Letzte Tage: {german}")
    assert "Delivery dates assume an order on 2027-01-04." in summary.assumptions(dated)


def test_several_late_deliveries_are_one_risk() -> None:
    study = late_and_early()
    assert study.plan is not None
    (bought,) = study.plan.purchases
    other = next(i for i in range(len(study.problem.offers)) if i != bought.offer)
    name = study.problem.offers[other].name
    more = replace(bought, offer=other, name=name)
    plan = replace(study.plan, purchases=(bought, more))
    (line,) = summary.risks(replace(study, plan=plan))
    assert line.startswith("Nodes arrive after power is available (2027-06-01): 'Node 2' by 19 ")
    assert "' by 19 weeks; the power planned" in line


def test_what_is_used_up_is_listed_with_the_limits(short: ProcurementStudy) -> None:
    assert short.plan is not None
    vendors = len({purchase.vendor for purchase in short.plan.purchases})
    tight = replace(short, problem=replace(short.problem, most_vendors=vendors))
    line = f"Used up: {vendors} of at most {vendors} vendors."
    assert line in summary.limits(tight)
    assert line not in summary.limits(short)


def test_without_a_sound_quoted_system_the_alternatives_say_so(short: ProcurementStudy) -> None:
    quoted = [h for h in short.heuristics if h.plan.method.startswith("as quoted")]
    assert quoted
    broken = tuple(replace(entry, wrong=("nodes: 1",)) for entry in quoted)
    line = "No system as quoted by a vendor meets all requirements and limits."
    assert line in summary.alternatives(replace(short, heuristics=broken))
    assert line not in summary.alternatives(replace(short, heuristics=()))


def test_in_german_the_fixed_sentences_are_german_too() -> None:
    study = late_and_early()
    german = replace(study, scenario=study.scenario.model_copy(update={"language": "de"}))
    data = document(german, [])
    assert data["decision"] == "55 Knoten Node 2 (Vendor 0) für 680,000 USD kaufen."
    assert data["risks"][0].startswith("Die Knoten „Node 2“ werden 19 Wochen nach Verfügbarkeit")
    parts = {part["name"]: part["lines"] for part in (*data["left"], *data["right"])}
    assert parts["reasons"][0].endswith("; Old hat 1.")
    assert any("Lieferung von „Node 2“" in line for line in parts["next_steps"])
    english = document(study, [])
    for part in (*english["left"], *english["right"]):
        shared = set(part["lines"]) & set(parts[part["name"]])
        assert not shared, shared
    assert data["certificate"].startswith("Optimal: Kein Plan ist um mehr als ")
    figure = pictures(german)[0]
    assert figure.title.startswith("Überprovisionierung bringt ")
    assert "feste leistungsgrenzen" in figure.alternative.lower()
    assert german.headline == study.headline  # the terminal and plan.json stay English


@pytest.mark.parametrize("table", [summary.TEMPLATES, by_solver.TEMPLATES, stop_warning.TEMPLATES])
def test_both_languages_have_the_same_sentences_with_the_same_gaps(table: Templates) -> None:
    english, german = table["en"], table["de"]
    assert english.keys() == german.keys()
    for name, text in english.items():
        assert gaps(text) == gaps(german[name]), name


def test_one_guarantee_is_stated_and_it_is_the_proved_one(short: ProcurementStudy) -> None:
    bound = short.optimum.bound
    assert bound is not None
    wide = replace(short, optimum=replace(short.optimum, proved=bound + 0.014))
    data = document(wide, [])
    assert data["certificate"] == "No plan is more than 1.5 % better (proved)."
    everything = " ".join(
        text for part in (*data["left"], *data["right"]) for text in part["lines"]
    )
    assert not re.search(r"solvers' limit|more than [\d.]+ % (better|higher)", everything)
    assert wide.confidence.startswith(data["certificate"])
    near = replace(short, optimum=replace(short.optimum, proved=bound))
    assert near.confidence.startswith("Optimal: no plan is more than 0.001 % better (proved).")


def test_a_limit_that_nobody_proved_is_called_the_solvers(short: ProcurementStudy) -> None:
    claimed = replace(short, optimum=replace(short.optimum, proved=None))
    certificate = document(claimed, [])["certificate"]
    assert certificate.endswith(" % better (the solver's limit, not proved).")


def gaps(text: str) -> set[str]:
    """What a template is filled with; rules and the meaning of a score are in English only."""
    filled = {gap.partition(":")[0] for gap in re.findall(r"{(.*?)}", text)}
    return filled - {"meaning", "clash"}


def test_a_procurement_without_a_plan_fits_its_first_page(planless: ProcurementStudy) -> None:
    data = document(planless, [])
    parts = {part["name"]: part["lines"] for part in (*data["left"], *data["right"])}
    assert parts["reasons"][0].startswith("These rules cannot be met together; ")
    assert parts["next_steps"][0].startswith("Secure ")
    assert "Limits tested here" in data["description"]
    assert len(data["decision"].split()) <= 25
    diagnosis = planless.diagnosis
    assert diagnosis is not None
    ruled = replace(planless, diagnosis=replace(diagnosis, repairs=(), useful=(), ways=()))
    assert not any(line.startswith("Or ") for line in summary.choices(ruled))


def test_a_worse_machine_is_no_choice_where_a_useful_one_is(planless: ProcurementStudy) -> None:
    diagnosis = planless.diagnosis
    assert diagnosis is not None
    (repair, *_) = diagnosis.repairs
    both = replace(planless, diagnosis=replace(diagnosis, useful=(repair,), repairs=(repair,)))
    secured = [line for line in summary.choices(both) if line.startswith("Secure ")]
    assert len(secured) == 1
    assert secured[0].endswith("as good as the reference.")
    shown = [*summary.alternatives(both), *summary.next_steps(both)]
    assert sorted(shown) == sorted([*summary.choices(both), "Plan again with the choice made."])


def test_in_german_the_reasons_without_a_plan_are_german(planless: ProcurementStudy) -> None:
    scenario = planless.scenario.model_copy(update={"language": "de"})
    data = document(replace(planless, scenario=scenario), [])
    parts = {part["name"]: part["lines"] for part in (*data["left"], *data["right"])}
    assert parts["reasons"][0].startswith("Gemeinsam sind diese Vorgaben nicht erfüllbar")
    assert "Hier geprüfte Grenzen" in data["description"]
    assert "an der Einspeisung" in data["description"]
    assert data["table"]["columns"][0]["name"].startswith("Änderung")
    why = str(data["pages"][0])
    assert "under \u201cGründe\u201d on page 1" in why  # as the first page calls it
    assert "\u201cWhy\u201d" not in why
    english = document(planless, [])
    assert planless.diagnosis is not None
    clash = {capitalised(in_words(planless.problem, name)) for name in planless.diagnosis.clashing}
    for part in (*english["left"], *english["right"]):
        assert set(part["lines"]) & set(parts.get(part["name"], ())) <= clash


def cells(book: bytes, name: str) -> dict[str, tuple[str, str]]:
    """Formula and cached value of each cell of a sheet; a text has no formula."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        root = ET.fromstring(archive.read(name))
    found: dict[str, tuple[str, str]] = {}
    for cell in root.iter(f"{SHEET}c"):
        formula, value = cell.find(f"{SHEET}f"), cell.find(f"{SHEET}v")
        found[cell.attrib["r"]] = (
            "" if formula is None else formula.text or "",
            "" if value is None else value.text or "",
        )
    return found


def test_the_vendors_are_compared_by_live_formulas(hostile: ProcurementStudy) -> None:
    names = list(sheets(hostile))
    number = names.index("vendor_comparison") + 1
    found = cells(workbook(hostile), f"xl/worksheets/sheet{number}.xml")
    rows = sheets(hostile)["vendor_comparison"]
    columns = list(rows[0])
    letters = {column: chr(ord("A") + index) for index, column in enumerate(columns)}
    nodes, price = letters["nodes_bought"], letters["unit_price"]
    last = len(rows) + 1  # below the heading
    assert len(rows) == len(hostile.scenario.node_types) + 1
    for line, row in enumerate(rows[:-1], start=2):
        capital = found[f"{letters['capital']}{line}"]
        assert capital[0] == f"{nodes}{line}*{price}{line}"
        assert float(capital[1]) == pytest.approx(row["nodes_bought"] * row["unit_price"])
        share = found[f"{letters['capital_share']}{line}"][0]
        sums = f"SUM({letters['capital']}$2:{letters['capital']}${last - 1})"
        assert share == f"IF({sums}=0,0,{letters['capital']}{line}/{sums})"
        for column in ("vendor", "node_type", "quote"):
            assert found[f"{letters[column]}{line}"][0] == ""
    for column in ("nodes_bought", "capital", "power_w"):
        letter = letters[column]
        formula, value = found[f"{letter}{last}"]
        assert formula == f"SUM({letter}2:{letter}{last - 1})"
        assert float(value) == pytest.approx(sum(number_of(row[column]) for row in rows[:-1]))
    assert hostile.plan is not None
    bought = sum(purchase.nodes * purchase.unit_price for purchase in hostile.plan.purchases)
    assert float(found[f"{letters['capital']}{last}"][1]) == pytest.approx(bought)
    assert float(found[f"{letters['capital_share']}{last}"][1]) == pytest.approx(1.0)


def number_of(cell: Any) -> float:
    return float(cell.value if isinstance(cell, Formula) else cell or 0.0)


def test_power_of_statically_capped_nodes_is_that_under_their_caps() -> None:
    study = answered(request(procurement={"regime": "static"}))
    assert study.plan is not None
    capped = [purchase for purchase in study.plan.purchases if purchase.cap_w is not None]
    quotes = {quote.name: quote for quote in study.scenario.node_types}
    assert any(each.cap_w < max(quotes[each.name].package_caps_w) for each in capped)  # type: ignore[operator]
    name = "vendor_comparison"
    *rows, sums = sheets(study)[name]
    expected = dict.fromkeys(quotes, 0.0)
    for purchase in study.plan.purchases:
        quote = quotes[purchase.name]
        assert purchase.cap_w is not None
        expected[purchase.name] += purchase.nodes * quote.capped_w(purchase.cap_w)
    assert {row["quote"]: number_of(row["power_w"]) for row in rows} == pytest.approx(expected)
    assert number_of(sums["power_w"]) == pytest.approx(sum(expected.values()))
    found = cells(workbook(study), f"xl/worksheets/sheet{list(sheets(study)).index(name) + 1}.xml")
    letters = {column: chr(ord("A") + index) for index, column in enumerate(rows[0])}
    for line, row in enumerate(rows, start=2):
        nodes, watts = f"{letters['nodes_bought']}{line}", f"{letters['power_per_node_w']}{line}"
        formula, value = found[f"{letters['power_w']}{line}"]
        assert formula == f"{nodes}*{watts}"
        assert float(value) == pytest.approx(float(found[nodes][1]) * float(found[watts][1]))
        if not row["nodes_bought"]:
            assert found[watts][0] == f"{letters['peak_w']}{line}"


def test_power_without_a_peak_is_left_empty(short: ProcurementStudy) -> None:
    scenario = short.scenario
    first, *others = scenario.node_types
    types = (first.model_copy(update={"peak_w": None}), *others)
    unknown = replace(short, scenario=scenario.model_copy(update={"node_types": types}))
    *rows, sums = vendor_comparison(unknown)["vendor_comparison"]
    row = next(row for row in rows if row["quote"] == first.name)
    assert (row["power_per_node_w"], row["power_w"]) == (None, None)
    known = [number_of(row["power_w"]) for row in rows]
    assert number_of(sums["power_w"]) == pytest.approx(sum(known))


def test_without_a_plan_there_is_nothing_to_compare(planless: ProcurementStudy) -> None:
    assert vendor_comparison(planless) == {}


def test_the_printed_cost_is_the_price_of_the_printed_amount(planless: ProcurementStudy) -> None:
    """15.0039 kW are printed as 15.01 kW; at 12 a watt these cost 180,120, not 180,047."""
    diagnosis = planless.diagnosis
    assert diagnosis is not None
    repair = replace(
        diagnosis.repairs[0],
        added=(("it_power_w", 15_003.9),),
        cost=12 * 15_003.9,
        unit_prices=(12.0,),
    )
    study = replace(planless, diagnosis=replace(diagnosis, repairs=(repair,), useful=()))
    currency = study.problem.prices.currency
    assert repair.printed_cost == 180_120
    heads, (row,) = summary.changes(study)
    assert row[0].startswith("15.01 kW of IT power")
    assert row[1] == f"180,120 {currency}"
    assert heads[3] == "Capital without the change"
    assert f"180,120 {currency}" in summary.choices(study)[0]
    money = replace(repair, added=(("capital", 1000.0),), unit_prices=(1.0,))
    grown = replace(study, diagnosis=replace(diagnosis, repairs=(money,), useful=()))
    assert summary.changes(grown)[0][3] == "Capital of the machine"
    unpriced = replace(repair, cost=None, unit_prices=())
    assert unpriced.printed_cost is None


def test_a_machine_far_below_the_reference_is_said_to_only_meet_the_rules(
    planless: ProcurementStudy,
) -> None:
    diagnosis = planless.diagnosis
    assert diagnosis is not None
    (repair, *_) = diagnosis.repairs
    below = "only meets the rules: 0.3 % of the reference's score"
    for score, words in ((0.003, below), (1.2, "")):
        scored = replace(repair, plan=replace(repair.plan, objective=math.log(score)))
        study = replace(planless, diagnosis=replace(diagnosis, repairs=(scored,), useful=()))
        (row,) = summary.changes(study)[1]
        assert words in row[0]
        assert ("only meets" in row[0]) == bool(words)
    parts = {p["name"]: p["lines"] for p in document(planless, [])["right"]}
    assert any(line.startswith("The score compares with ") for line in parts["assumptions"])


@pytest.mark.parametrize(
    ("title", "begin"),
    [
        ("Nodes for 990 kW", "The title says 990 kW. Tested here: "),
        ("Nodes for 5 million", "Limits tested here: "),
        ("Nodes for {feed:.0f} W", "Limits tested here: "),
        ("Nodes of 700 W for {feed:.0f} W", "Limits tested here: "),
        ("Nodes for {kilowatts:.2f} kW", "Limits tested here: "),
        ("Nodes for {comma} kW", "Limits tested here: "),
        ("Nodes for 9.9,9.9,9 kW or 990 kW", "The title says 990 kW. Tested here: "),
    ],
)
def test_only_a_title_with_another_power_is_contradicted(
    planless: ProcurementStudy, title: str, begin: str
) -> None:
    prices, limits = planless.problem.prices, planless.problem.limits
    feed = limits.it_power_w * prices.feed_per_it
    comma = f"{feed / 1000:.2f}".replace(".", ",")
    titled = title.format(feed=feed, kilowatts=feed / 1000, comma=comma)
    scenario = planless.scenario.model_copy(update={"title": titled})
    study = replace(planless, scenario=scenario)
    assert summary.limits_tested(study).startswith(begin)
    german = summary.limits_tested(study, "de")
    assert german.startswith("Der Titel nennt") == begin.startswith("The title says")


def test_the_value_of_a_step_of_power_is_compared_with_the_price_of_that_step(
    short: ProcurementStudy,
) -> None:
    question = short.scenario.procurement
    assert question is not None
    none = replace(STEP, capital_low=None, capital_high=None)
    for value, price, end in (
        (STEP, 150.0, "It costs 150,000 USD: it pays."),
        (STEP, 500.0, "It costs 500,000 USD: it does not pay."),
        (replace(STEP, capital_low=150_000.0), 200.0, "USD more capital. It costs 200,000 USD."),
        (
            replace(none, effect=StepEffect.BEYOND_CAPITAL, unlimited_low=1.5, unlimited_high=1.5),
            100.0,
            "It costs 100,000 USD.",
        ),
        (replace(none, effect=StepEffect.ENDLESS), 1.0, "capital would buy endless nodes."),
    ):
        priced = question.model_copy(update={"repair_prices": {"it_power_w": price}})
        scenario = short.scenario.model_copy(update={"procurement": priced})
        (line,) = summary.power_value(replace(short, scenario=scenario, power_value=value))
        assert line.endswith(end)

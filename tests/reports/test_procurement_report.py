"""The study of a procurement and what its writers make of it: pages, risks, next steps, figures."""

from __future__ import annotations

import datetime as dt
import io
import json
import math
import re
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pypdf
import pytest
from PIL import Image
from python_calamine import CalamineWorkbook

from planner.finding import Fact, Finding
from planner.formatting import amount, unmarked
from planner.procurement.compared import Compared
from planner.procurement.labels import labels
from planner.procurement.losing_quotes import LosingQuote
from planner.procurement.outcome import Outcome
from planner.procurement.power_value import PowerValue, StepEffect
from planner.procurement.problem import Excluded
from planner.procurement.reach import Reach, Requirement
from planner.procurement.study import ProcurementStudy
from planner.study import read_study
from reports.figures import pictures
from reports.folder import USUAL, write_study
from reports.style import Picture
from reports.view import view
from reports.writers.data import data
from reports.writers.html import html
from reports.writers.pdf import pdf
from reports.writers.terminal import terminal
from reports.writers.workbook import workbook
from solvers import Status
from tests.reports.given import same_on_given_axes
from tests.reports.procurements import HOSTILE, answered
from tests.reports.procurements import document as request

KINDS = ("short", "full", "hostile", "planless", "bound")
SHORT = [
    "purchase", "cost", "not_bought", "ranking", "regimes", "marginal_values", "operation",
    "compared", "quotes", "work", "method", "certificates",
]  # fmt: skip
LONG = [
    "alternatives", "losing_quotes", "budget_power_grid", "pareto", "tornado", "monte_carlo",
]  # fmt: skip


@pytest.fixture(scope="module")
def bound() -> ProcurementStudy:
    """With mandates, lead times, a feed that comes late, and quoted systems that break rules."""
    raw_scenario = request(
        requirements={
            "nodes": 12, "total_memory_gb": 3000.0, "throughput": {"flow": 1.0},
            "time_to_solution_s": {"large run": 9e5}, "delivered_by": dt.date(2027, 12, 31),
            "shares": [{"vendor": "Vendor 0", "of": "spend", "least": 0.1}],
        }
    )  # fmt: skip
    raw_scenario["power"]["available_on"] = dt.date(2027, 6, 1)
    raw_scenario["procurement"] |= {"decided_on": dt.date(2027, 1, 4), "most_vendors": 2}
    for index, node_type in enumerate(raw_scenario["node_types"]):
        node_type |= {"lead_weeks": 20 + 10 * index, "as_bid_quantity": 2}
    raw_scenario["node_types"][1]["valid_until"] = dt.date(2027, 1, 1)
    return answered(raw_scenario)


def kinds(stated: tuple[Finding, ...], severity: str = "") -> dict[str, Finding]:
    return {each.kind: each for each in stated if severity in ("", each.severity)}


def risks(study: ProcurementStudy) -> dict[str, Finding]:
    return kinds(study.study.findings, "risk")


def steps(study: ProcurementStudy) -> dict[str, Finding]:
    return kinds(study.study.findings, "next step")


def facts(study: ProcurementStudy, page: str = "") -> dict[str, Fact]:
    every = study.study.facts
    for question in study.study.questions:
        every = question.facts if question.name == page else every
    return {fact.key: fact for fact in every}


# Pages


def test_every_question_that_was_asked_has_its_page(
    short: ProcurementStudy, full: ProcurementStudy, planless: ProcurementStudy
) -> None:
    def pages(study: ProcurementStudy) -> list[str]:
        return [question.name for question in study.study.questions]

    assert pages(short) == SHORT
    assert set(pages(full)) == {*SHORT, *LONG}
    assert pages(planless) == ["infeasible", "quotes", "work", "method", "certificates"]


def test_all_appendices_follow_the_questions_of_the_board(full: ProcurementStudy) -> None:
    appended = [part.heading.startswith("Appendix: ") for part in view(full.study).parts]
    assert appended == sorted(appended)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_method_has_its_symbols_before_its_sentences(
    full: ProcurementStudy, language: str
) -> None:
    scenario = full.scenario.model_copy(update={"language": language})
    parts = view(replace(full, scenario=scenario).study).parts
    (method,) = (part for part in parts if part.equations)
    defined = [re.match(r"\w: ", text) is not None for text in method.texts]
    assert defined.count(True) == 4
    assert defined == sorted(defined, reverse=True)


def test_a_column_without_a_unit_has_a_note_of_its_own(full: ProcurementStudy) -> None:
    (work,) = (part for part in view(full.study).parts if "workloads and" in part.heading)
    assert [each for each in work.grids if "Compute rate" in each.headings]
    assert sum(text.startswith("Compute rate: in one unit") for text in work.texts) == 1


def test_what_scores_1_stands_first_in_the_brackets_of_the_score(short: ProcurementStudy) -> None:
    (line,) = (line for line in terminal(short.study).splitlines() if line.startswith("Score: "))
    assert "(against Old (= 1): " in line
    assert line.endswith("; weighted mean of throughputs and of the speed of timed runs)")


@dataclass(frozen=True)
class Printed:
    """A study with its pictures and the pages of its document."""

    study: ProcurementStudy
    drawn: list[Picture]
    pages: list[pypdf.PageObject]


@pytest.fixture(scope="module", params=KINDS)
def printed(request: pytest.FixtureRequest, drawn: dict[str, list[Picture]]) -> Printed:
    study: ProcurementStudy = request.getfixturevalue(request.param)
    own = drawn.get(request.param) or pictures(study.study)
    return Printed(study, own, [*pypdf.PdfReader(io.BytesIO(pdf(study.study, own))).pages])


def test_every_writer_shows_every_study(printed: Printed) -> None:
    study, drawn = printed.study, printed.drawn
    shown = view(study.study)
    assert shown.warnings == ()
    assert unmarked(shown.headline) == study.headline
    assert len(study.study.facts) <= 6
    text = terminal(study.study)
    assert unmarked(shown.headline)[:30] in unmarked(text)
    assert len(printed.pages) <= 28
    page = html(study.study, drawn).decode()
    assert page.count("<figure>") == len(drawn)
    assert "<script" not in page
    assert read_study(data(study.study), "plan.json") == study.study
    for word in ("None", "nan ", "inf "):
        assert word not in text


@pytest.mark.parametrize("printed", ["hostile"], indirect=True)
def test_hostile_names_are_data(printed: Printed) -> None:
    text = "".join("".join(page.extract_text().split()) for page in printed.pages)
    assert "".join(HOSTILE[0][:30].split()) in text
    book = workbook(printed.study.study)
    names = CalamineWorkbook.from_filelike(io.BytesIO(book)).sheet_names
    assert len({name.lower() for name in names}) == len(names)
    assert max(map(len, names)) <= 31
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        parts = [n for n in archive.namelist() if n.startswith("xl/worksheets/sheet")]
        with_formulas = {part for part in parts if b"<f>" in archive.read(part)}
        ours = ("Vendor comparison", "To buy", "Purchases", "Bill of materials", "Cost parts",
                "Power parts")  # fmt: skip
        numbers = {names.index(name) + 1 for name in ours if name in names}
        assert with_formulas == {f"xl/worksheets/sheet{number}.xml" for number in numbers}
        assert HOSTILE[0][:20].encode() in archive.read("xl/sharedStrings.xml")


def test_names_stay_apart_however_alike_and_long(hostile: ProcurementStudy) -> None:
    for maximum in (26, 40):
        names = labels(hostile.problem, maximum)
        assert len(set(names)) == 40
        assert max(map(len, names)) <= maximum


def test_a_german_answer_has_the_same_data(short: ProcurementStudy) -> None:
    german = short.scenario.model_copy(update={"language": "de"})
    study = replace(short, scenario=german)
    printed = terminal(study.study)
    assert "Bindende Grenzen von Standort und Budget: " in printed
    assert "budget that bind" not in printed
    assert study.study.tables == short.study.tables


def test_times_are_in_run_json_only(
    planless: ProcurementStudy, short: ProcurementStudy, tmp_path: Path
) -> None:
    written = write_study(
        short.study, tmp_path / "a", formats=USUAL, further={}, seconds={"optimum": 1.0},
        solves=short.solve_times(), inputs=(),
    )  # fmt: skip
    assert {"report.pdf", "plan.json", "plan.xlsx", "run.json"} <= set(written.files)
    assert "figures/01-candidates.png" in written.files
    run = json.loads((tmp_path / "a" / "run.json").read_text(encoding="utf-8"))
    assert [solve["question"] for solve in run["solves"]] == [
        "optimum", "least cost", "least power", "worst-case provisioning", "static caps",
        "marginal value of each resource", "power in money", "why quotes are not bought",
    ]  # fmt: skip
    assert all(solve["wall_s"] >= 0 for solve in run["solves"])
    assert b"wall_s" not in data(short.study)
    assert b"wall_s" not in data(planless.study)


# The first page


def test_the_headline_names_labels_and_at_most_three_types(short: ProcurementStudy) -> None:
    plan = short.plan
    assert plan is not None
    assert short.study.headline.values == {
        "first": 55, "first_type": "Node 2", "money": 680_000.0,
    }  # fmt: skip
    many = tuple(
        replace(plan.purchases[0], offer=index, name=f"type-{index}", nodes=10 * (index + 1))
        for index in (0, 1, 2, 2, 2)
    )
    stated = replace(short, plan=replace(plan, purchases=many)).study.headline
    assert stated.kind == "buy-more"
    assert (stated.values["others"], stated.values["types"]) == (30, 2)


def test_the_tiles_have_what_the_plan_takes_and_its_limits(bound: ProcurementStudy) -> None:
    plan, tiles = bound.plan, facts(bound)
    assert plan is not None
    assert bound.cost is not None
    assert tiles["life"].value == bound.cost.total_cost
    assert tiles["power"].value == plan.it_power_w
    assert tiles["power"].note is not None
    assert tiles["power"].note.values["limit"] == bound.problem.limits.it_power_w


def test_a_run_stopped_by_time_says_so(
    short: ProcurementStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ProcurementStudy, "stopped_by_time", property(lambda _: True))
    again = replace(short)
    assert again.study.findings[0].kind == "stopped-by-time"
    assert "more-time" in steps(again)


@pytest.mark.parametrize(
    ("more", "level", "kind"),
    [
        (0.0, "proved", "optimal"),
        (0.014, "proved", "within"),
        (None, "claimed", "optimal"),
    ],
)
def test_one_guarantee_is_stated_with_its_level(
    short: ProcurementStudy, more: float | None, level: str, kind: str
) -> None:
    limit = short.optimum.bound
    assert limit is not None
    assert short.plan is not None
    proved = None if more is None else limit + more
    study = replace(short, optimum=replace(short.optimum, proved=proved))
    first, *others = study.study.confidence
    assert (first.kind, first.values["level"]) == (kind, level)
    assert not any("more" in each.values for each in others)
    least = math.expm1((limit if proved is None else proved) - short.plan.objective)
    assert first.values["more"] == pytest.approx(max(least, 1e-5), rel=1e-6)


def late_and_early() -> ProcurementStudy:
    raw_scenario = request()
    raw_scenario["power"]["available_on"] = dt.date(2027, 6, 1)
    raw_scenario["procurement"]["decided_on"] = dt.date(2027, 1, 4)
    for node_type in raw_scenario["node_types"]:
        node_type["lead_weeks"] = 40
    return answered(raw_scenario)


@pytest.fixture(scope="module")
def late() -> ProcurementStudy:
    return late_and_early()


def changed(study: ProcurementStudy, **groups: Any) -> ProcurementStudy:
    """The study with other members of its scenario; of each node type, those of ``node_types``."""
    given = study.scenario.model_dump()
    for entry in given["node_types"]:
        entry.update(groups.get("node_types", {}))
    for name, members in groups.items():
        if name != "node_types":
            given[name] |= members
    return replace(study, scenario=type(study.scenario).model_validate(given))


def test_a_late_and_an_early_delivery_are_risks(late: ProcurementStudy) -> None:
    """Forty weeks after 4 January are 132 days after the feed; four weeks are 120 before it."""
    stated = risks(late)
    assert stated["late"].values == {
        "types": ("Node 2",), "feed": "2027-06-01", "most": 132, "decided": "2027-01-04",
    }  # fmt: skip
    assert "deliver" in steps(late)
    early = changed(late, node_types={"lead_weeks": 4})
    assert risks(early)["early"].values["most"] == 120
    assert "late" not in risks(early)
    assert "deliver" not in steps(early)


def test_several_late_deliveries_are_one_risk(late: ProcurementStudy) -> None:
    assert late.plan is not None
    (bought,) = late.plan.purchases
    other = next(i for i in range(len(late.problem.offers)) if i != bought.offer)
    more = replace(bought, offer=other, name=late.problem.offers[other].name)
    plan = replace(late.plan, purchases=(bought, more))
    names = risks(replace(late, plan=plan))["late"].values["types"]
    assert names == ("Node 2", late.problem.offers[other].title)


@pytest.mark.parametrize(
    ("valid_until", "delivered_by", "kind", "day"),
    [
        (dt.date(2027, 6, 30), dt.date(2027, 12, 31), "order-late", "2027-03-26"),
        (dt.date(2027, 3, 26), dt.date(2027, 12, 31), "order-expires", "2027-03-26"),
        (dt.date(2027, 6, 30), None, "order-expires", "2027-06-30"),
        (None, dt.date(2027, 12, 31), "order-late", "2027-03-26"),
        (None, None, "", ""),
    ],
)
def test_the_day_of_the_order_keeps_the_quote_and_the_required_delivery(
    late: ProcurementStudy,
    valid_until: dt.date | None,
    delivered_by: dt.date | None,
    kind: str,
    day: str,
) -> None:
    dated = changed(
        late, requirements={"delivered_by": delivered_by}, node_types={"valid_until": valid_until}
    )
    orders = {name: step for name, step in steps(dated).items() if name.startswith("order")}
    assert [*orders] == ([kind] if kind else [])
    for step in orders.values():
        assert (step.values["vendor"], step.values["day"]) == ("Vendor 0", day)


def test_an_operating_budget_that_may_be_overspent_is_a_risk() -> None:
    """28 kW at 0.05 and at 0.20 a kWh: 13,490 and 53,961 a year at the feed, 33,700 expected."""
    raw_scenario = request()
    raw_scenario["budget"] |= {
        "operating_per_year": 40_000,
        "energy_prices": [
            {"name": "low", "price_per_kwh": 0.05, "probability": 0.8},
            {"name": "high", "price_per_kwh": 0.2, "probability": 0.2},
        ],
    }
    study = answered(raw_scenario)
    assert study.plan is not None
    kwh = study.plan.mean_it_w * study.problem.prices.feed_per_it * 8.76
    assert 0.2 * kwh > 40_000 > study.plan.operating
    values = risks(study)["overspent"].values
    assert (values["budget"], values["price"]) == (40_000, 0.2)
    assert values["probability"] == pytest.approx(0.2)
    assert values["cost"] == pytest.approx(0.2 * kwh)
    assert steps(study)["energy"].values["cost"] == pytest.approx(0.2 * kwh)
    decision = study.to_dict()["decision"]
    assert decision["operating_budget_overspent"]["probability"] == pytest.approx(0.2)
    every = raw_scenario["budget"] | {"operating_holds": "every"}
    assert "overspent" not in risks(answered(raw_scenario | {"budget": every}))


@pytest.mark.parametrize(
    ("budget", "units"),
    [
        (9_000_000, ("money USD up", "money USD")),
        (9_004_000, ("price USD", "price USD")),
        (999_000, ("price USD", "price USD")),
    ],
)
def test_a_cost_and_the_budget_that_it_exceeds_are_in_one_scale(
    budget: int, units: tuple[str, str]
) -> None:
    """In millions if that hides no digit of the budget; else both with all their digits."""
    raw_scenario = request()
    raw_scenario["budget"] |= {
        "operating_per_year": budget,
        "energy_prices": [
            {"name": "low", "price_per_kwh": 0.05, "probability": 0.99},
            {"name": "high", "price_per_kwh": 40.0, "probability": 0.01},
        ],
    }
    overspent = risks(answered(raw_scenario))["overspent"]
    cost = overspent.values["cost"]
    assert isinstance(cost, float)
    assert cost > 9_004_000
    assert (overspent.units["cost"], overspent.units["budget"]) == units


def test_without_a_sound_quoted_system_that_is_a_risk(short: ProcurementStudy) -> None:
    quoted = [h for h in short.heuristics if h.plan.method.startswith("as quoted")]
    assert quoted
    assert "no-quoted-system" not in risks(short)
    broken = tuple(replace(entry, wrong=("nodes: 1",)) for entry in quoted)
    assert "no-quoted-system" in risks(replace(short, heuristics=broken))
    assert "no-quoted-system" not in risks(replace(short, heuristics=()))


# Why the others are not bought


def test_every_quote_that_is_not_bought_has_a_reason(short: ProcurementStudy) -> None:
    assert short.plan is not None
    bought = {purchase.name for purchase in short.plan.purchases}
    every = {node_type.name for node_type in short.scenario.node_types}
    assert {quote.name for quote in short.not_bought} == every - bought
    rows = short.study.rows("not_bought")
    assert [row["name"] for row in rows] == [quote.name for quote in short.not_bought]
    assert [row["reason"] for row in rows] == [quote.reason for quote in short.not_bought]
    why = "delivery on 2028-01-01 is later than 2027-12-31"
    late = Excluded("type-0", "Vendor 0", why, ("requirement: delivery",))
    left_out = replace(short, problem=replace(short.problem, excluded=(late,)))
    reasons = {quote.name: quote for quote in left_out.not_bought}
    assert reasons["type-0"].reason == "excluded"
    assert reasons["type-0"].rules == ("requirement: delivery",)
    assert risks(left_out)["excluded"].values == {"quotes": ("type-0",)}
    paying = LosingQuote("type-0", "Vendor 0", 0.1, 0.12, (), 5)
    never = LosingQuote("type-1", "Vendor 1", 0.95, None, ("limit: it_power_w",), 5)
    tested = replace(short, losing_quotes=(paying, never))
    reasons = {quote.name: quote for quote in tested.not_bought}
    assert (reasons["type-0"].reason, reasons["type-0"].discount) == ("discount", 0.12)
    assert (reasons["type-1"].reason, reasons["type-1"].discount) == ("never", 0.95)


def test_a_quote_that_another_beats_in_everything_is_replaced_by_it() -> None:
    raw_scenario = request()
    raw_scenario["node_types"][0] |= {"price": 90_000.0, "peak_w": 900.0, "compute_rate": 200.0}
    raw_scenario["node_types"][0] |= {"bandwidth_gb_s": 300.0, "idle_w": 300.0}
    reasons = {quote.name: quote for quote in answered(raw_scenario).not_bought}
    assert reasons["type-0"].reason == "replaced"
    assert reasons["type-0"].other in ("Node 1", "Node 2")


@pytest.mark.parametrize(
    ("merits", "least", "most"),
    [((12.0,), 1.2, 1.2), ((12.0, 14.0), 1.2, 1.4), ((12.0, 5.0), 0.5, 1.2)],
)
def test_a_quote_is_called_worse_only_where_it_is(
    merits: tuple[float, ...], least: float, most: float
) -> None:
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
    assert (quote.name, quote.reason) == ("type-1", "rule")
    assert quote.rules == ("terms: least quantities",)
    (row,) = study.study.rows("deciding_rules")
    assert (row["rule"], row["quotes"]) == ("terms: least quantities", ["type-1"])
    (unknown,) = replace(study, deciding=()).not_bought
    assert unknown.reason == "too large"
    offers = (
        study.problem.offers[0],
        replace(study.problem.offers[1], tiers=study.problem.offers[0].tiers),
    )
    fitting = replace(study, deciding=(), problem=replace(study.problem, offers=offers))
    (compared,) = fitting.not_bought
    assert compared.reason == "figures"
    for ends in (compared.work_per_price, compared.work_per_watt):
        assert ends == pytest.approx((least, most))
    assert compared.speed is None


# Other pages


STEP = PowerValue(1000.0, 0.01, StepEffect.CAPITAL, 200_001.0, 200_002.0, 2.0, 2.0)
UNPRICED = replace(STEP, capital_low=None, capital_high=None)


@pytest.mark.parametrize(
    ("value", "price", "stated"),
    [
        (STEP, 150.0, ["power-in-money", "less"]),
        (STEP, 500.0, ["power-in-money", "more"]),
        (replace(STEP, capital_high=200_001.0), 200.001, ["power-in-money", "equal"]),
        (replace(STEP, capital_low=150_000.0), 200.0, ["power-in-money", "undecided"]),
        (replace(STEP, effect=StepEffect.NOTHING, capital_low=0.0, capital_high=0.0), 100.0, []),
        (replace(UNPRICED, effect=StepEffect.BEYOND_CAPITAL, unlimited_low=1.5,
                 unlimited_high=1.5), 100.0, ["power-beyond", "beyond any capital"]),
        (replace(UNPRICED, effect=StepEffect.ENDLESS), 1.0, ["power-open", "unknown"]),
        (replace(STEP, effect=StepEffect.CAPITAL_UNKNOWN), None, ["power-open"]),
        (None, None, []),
    ],
)  # fmt: skip
def test_the_value_of_a_step_of_power_is_compared_with_the_price_of_that_step(
    short: ProcurementStudy, value: PowerValue | None, price: float | None, stated: list[str]
) -> None:
    question = short.scenario.procurement
    assert question is not None
    prices = {} if price is None else {"it_power_w": price}
    priced = question.model_copy(update={"repair_prices": prices})
    scenario = short.scenario.model_copy(update={"procurement": priced})
    study = replace(short, scenario=scenario, power_value=value)
    (page,) = (each for each in study.study.questions if each.name == "marginal_values")
    of_power = [each for each in page.findings if each.kind.startswith(("power-", "step-"))]
    assert [each.values.get("pays", each.kind) for each in of_power] == stated
    for each in of_power:
        if "cost" in each.values:
            assert each.values["cost"] == pytest.approx(1000 * (price or 0))
    effect = study.to_dict()["power_value"]
    assert (None if effect is None else effect["effect"]) == (value and value.effect)


def scored(study: ProcurementStudy, **scores: float | None) -> ProcurementStudy:
    """The study with other scores per regime (``worst`` for worst-case), each with no gap."""
    names: dict[str, Any] = {"worst": "worst-case", "static": "static", "over": "overprovisioned"}
    regimes = dict(study.regimes)
    for name, score in scores.items():
        regimes[names[name]] = _outcome(regimes[names[name]], score)
    return replace(study, regimes=regimes)


def _outcome(outcome: Outcome, score: float | None) -> Outcome:
    if score is None or outcome.plan is None:
        return replace(outcome, plan=None, objective=None, bound=None, status=Status.INFEASIBLE)
    log = math.log(score)
    return replace(outcome, plan=replace(outcome.plan, objective=log), objective=log, bound=log)


@pytest.mark.parametrize(
    ("scores", "over_worst", "over_static", "is_reason"),
    [
        ({"worst": 1.0, "static": 1.25, "over": 1.5}, 0.5, 0.2, True),
        ({"worst": 1.0, "static": 1.0, "over": 1.0}, 0.0, 0.0, False),
        ({"worst": 1.25, "static": 1.25, "over": 1.0}, -0.2, -0.2, False),
        ({"worst": None, "static": 1.0, "over": 2.0}, None, 1.0, False),
        ({"worst": 1.0, "static": 1.0, "over": None}, None, None, False),
    ],
)
def test_the_gain_is_stated_whichever_way_it_goes(
    short: ProcurementStudy,
    scores: dict[str, float | None],
    over_worst: float | None,
    over_static: float | None,
    *,
    is_reason: bool,
) -> None:
    study = scored(short, **scores).study
    gains = {row["regime"]: row["gain"] for row in study.rows("regimes")}
    for name, gain in (("worst-case", over_worst), ("static", over_static)):
        expected = None if gain is None else pytest.approx([gain, gain], abs=1e-9)
        assert gains[name] == expected
    assert gains["overprovisioned"] is None
    reasons = [each.kind for each in study.findings if each.severity == "reason"]
    assert (reasons[:1] == ["gained"]) == ("gained" in reasons) == is_reason
    (page,) = (each for each in study.questions if each.name == "regimes")
    known = [gain for gain in (over_worst, over_static) if gain is not None]
    assert [each.kind for each in page.findings] == [
        *["no-gain"][: known.count(0.0)], *("gained" for gain in known if gain)
    ]  # fmt: skip


def test_a_regime_out_of_time_is_not_said_to_have_no_plan(short: ProcurementStudy) -> None:
    study = scored(short, worst=None, static=1.0, over=2.0)
    late = replace(study.regimes["worst-case"], status=Status.UNKNOWN)
    rows = replace(study, regimes=study.regimes | {"worst-case": late}).study.rows("regimes")
    assert {row["regime"]: row["status"] for row in rows}["worst-case"] == "unknown"


def test_of_a_broken_system_every_rule_is_listed(bound: ProcurementStudy) -> None:
    quoted = [each for each in bound.heuristics if each.plan.method.startswith("as quoted")]
    assert any(len(entry.wrong) > 2 for entry in quoted)
    listed = [(row["method"], row["rule"]) for row in bound.study.rows("violations")]
    for entry in quoted:  # a table of its own has what is reached of a required throughput
        rules = [rule for method, rule in listed if method == entry.plan.method]
        assert rules == [each for each in entry.wrong if not each.startswith("throughput of")]
        reached = [row for row in bound.study.rows("requirements") if row["missed"]]
        missed = [row for row in reached if row["method"] == entry.plan.method and row["demand"]]
        assert len(missed) == len(entry.wrong) - len(rules)
    (refused,) = bound.refused
    assert refused.method == "as quoted by Vendor 1"
    reason = "2 x type-1: the quote ended on 2027-01-01, before the decision on 2027-01-04"
    assert any(reason in rule for method, rule in listed if method == refused.method)
    methods = [row["method"] for row in bound.study.rows("compared")]
    assert methods[0] == "optimum"
    assert methods[-1] == "as quoted by Vendor 1"


def test_what_a_system_reaches_of_each_requirement_is_listed(bound: ProcurementStudy) -> None:
    reached = [each.reach for each in bound.heuristics if each.reach and each.reach.missed]
    rows = bound.study.rows("requirements")
    assert len(rows) == sum(len(reach.requirements) for reach in reached) > 0
    for row in rows:
        if row["unit"] != "s":
            assert row["alone"] >= row["together"] * (1 - 1e-9)
            assert row["missed"] == (row["together"] < row["required"] * (1 - 1e-6))


def test_systems_that_are_not_ranked_are_named(bound: ProcurementStudy) -> None:
    assert bound.ranking is not None
    assert bound.plan is not None
    missed = (Requirement("flow", "as now", 1.0, 0.9, 0.5, missed=True),)
    broken = Compared(bound.plan, ("throughput of ...", "b"), 0.0, Reach(missed, ()))
    ranking = replace(bound.ranking, left_out=(bound.plan.method,))
    study = replace(bound, ranking=ranking, heuristics=(broken,)).study
    (page,) = (each for each in study.questions if each.name == "ranking")
    assert kinds(page.findings)["not-ranked"].values == {"systems": (bound.plan.method,)}


def test_deliveries_and_mandates_have_their_rows(bound: ProcurementStudy) -> None:
    assert bound.plan is not None
    days = {20: ("2027-05-24", 8), 30: ("2027-08-02", -62), 40: ("2027-10-11", -132)}
    rows = bound.study.rows("delivery")
    assert len(rows) == len(bound.plan.purchases)
    for row in rows:
        assert (row["delivered_on"], row["days_before_power"]) == days[row["lead_weeks"]]
    nodes = sum(purchase.nodes for purchase in bound.plan.purchases)
    listed = {(row["what"], row["subject"]): row for row in bound.study.rows("mandates")}
    assert listed["nodes", ""]["slack"] == nodes - 12
    assert listed["memory", ""]["reached"] == 256 * nodes
    assert listed["time", "large run"]["asked"] == 9e5
    assert not listed["time", "large run"]["at_least"]
    assert {("share", "Vendor 0 share of spend"), ("vendors", ""), ("delivery", "")} <= {*listed}


def test_simulated_figures_name_draws_seed_and_spread(full: ProcurementStudy) -> None:
    """Three of four draws: Wilson's interval is 30 to 95 %."""
    stated = facts(full, "monte_carlo")
    assert (stated["draws"].value, facts(full, "method")["draws_seed"].value) == (4, 7)
    assert stated["holds"].value == 0.75
    assert stated["holds"].note is not None
    assert stated["holds"].note.values["ends"] == pytest.approx((0.3006, 0.9544), abs=5e-4)
    regrets = {row["share"]: row["regret"] for row in full.study.rows("regret_quantiles")}
    assert regrets[0.5] == pytest.approx(0.015)
    assert regrets[1.0] == 0.05


def test_the_front_marks_what_passes_a_limit_of_the_site(full: ProcurementStudy) -> None:
    rows = full.study.rows("pareto")
    assert [row["number"] for row in rows if row["beyond"]] == list(range(10, 31))


# Without a plan


def test_without_a_plan_the_study_has_why_and_what_would_do(planless: ProcurementStudy) -> None:
    diagnosis, study = planless.diagnosis, planless.study
    assert diagnosis is not None
    assert study.headline.kind == "no-plan-rules"
    assert study.headline.values == {"rules": len(diagnosis.clashing)}
    clash, level = study.confidence
    assert (clash.kind, level.kind) == ("clash", "ruled-out")
    assert "limit: it_power_w" in clash.values["rules"]  # type: ignore[operator]
    assert study.decision == "repairs"
    rows = study.rows("repairs")
    first = [row for row in rows if row["score"] is not None]
    assert len(first) == len((*diagnosis.useful, *diagnosis.repairs))
    (page, *_) = study.questions
    hopeless = kinds(page.findings)["hopeless"].values["resources"]
    assert hopeless == diagnosis.hopeless == ("capital", "racks")
    for repair in diagnosis.repairs:
        for name, more in repair.added:
            (row,) = (row for row in rows if row["resource"] == name)
            assert row["added"] == pytest.approx(more)
    assert "score" not in facts(planless)


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
    (row,) = study.study.rows("repairs")
    assert amount(row["added"], row["unit_up"]) == "15.01\xa0kW"
    assert row["cost"] == repair.printed_cost == 180_120
    assert steps(study)["secure-for"].values["cost"] == 180_120
    assert replace(repair, cost=None, unit_prices=()).printed_cost is None


def test_a_worse_machine_is_no_choice_where_a_useful_one_is(planless: ProcurementStudy) -> None:
    diagnosis = planless.diagnosis
    assert diagnosis is not None
    (repair, *_) = diagnosis.repairs
    both = replace(planless, diagnosis=replace(diagnosis, useful=(repair,), repairs=(repair,)))
    secured = [each for each in both.study.findings if each.kind.startswith("secure")]
    assert len(secured) == 1
    assert len(both.study.rows("repairs")) == 2


def test_a_search_that_ended_early_is_not_said_to_prove_that_no_plan_exists(
    planless: ProcurementStudy,
) -> None:
    stopped = replace(planless.optimum, status=Status.UNKNOWN)
    study = replace(planless, optimum=stopped, diagnosis=None).study
    assert study.headline.kind == "undecided"
    assert not {"clash", "ruled-out"} & kinds(study.confidence).keys()


# Figures


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("short", ["candidates", "life_cost", "marginal_values", "allocation"]),
        ("full", ["candidates", "life_cost", "marginal_values", "allocation",
                  "losing_quotes", "budget_power_grid", "pareto", "tornado"]),
        ("hostile", ["candidates", "life_cost", "marginal_values", "allocation",
                     "losing_quotes", "budget_power_grid", "pareto", "tornado"]),
        ("planless", []),
    ],
)  # fmt: skip
def test_every_figure_has_a_title_and_an_alternative(
    kind: str, names: list[str], drawn: dict[str, list[Picture]]
) -> None:
    result = drawn[kind]
    assert [picture.kind for picture in result] == names
    for picture in result:
        assert 10 < len(picture.title) < 220
        assert len(picture.alternative) > 40
        assert not any(word in picture.title for word in ("nan", "None", "inf "))
        with Image.open(io.BytesIO(picture.png)) as image:
            assert image.info["Title"] == picture.title


@pytest.mark.slow
def test_the_same_study_gives_the_same_report(
    full: ProcurementStudy, drawn: dict[str, list[Picture]]
) -> None:
    assert pictures(full.study) == drawn["full"]
    first = pdf(full.study, drawn["full"])
    assert pdf(full.study, drawn["full"]) == first


def test_a_report_is_tagged_has_title_and_language_and_no_date(planless: ProcurementStudy) -> None:
    reader = pypdf.PdfReader(io.BytesIO(pdf(planless.study, pictures(planless.study))))
    root: Any = reader.root_object
    assert root["/MarkInfo"]["/Marked"]
    assert b"pdfuaid" in root["/Metadata"].get_object().get_data()
    assert str(root["/Lang"]).startswith("en")
    assert reader.metadata is not None
    assert reader.metadata.title == view(planless.study).title
    assert reader.metadata.creation_date is None


def test_figures_are_the_same_on_given_axes(drawn: dict[str, list[Picture]]) -> None:
    assert same_on_given_axes(drawn["full"])

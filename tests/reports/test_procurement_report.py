"""The report of a procurement: one page per question, for every answer, with any names."""

from __future__ import annotations

import datetime as dt
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdf
import pytest

import reports
from planner.cli.plan_text import show_procurement
from planner.procurement.by_solver import SolverAnswer
from planner.procurement.compared import Compared
from planner.procurement.problem import Excluded
from planner.procurement.reach import Reach, Requirement
from planner.procurement.study import ProcurementStudy
from planner.procurement.summary import remarks
from reports.procurement import REPORT, document
from reports.procurement.pages.inputs import SOURCES
from reports.procurement.pages.shared_sources import Stated, factored
from reports.procurement.pages.site import site_sources
from reports.style import Picture
from reports.typeset import typeset
from reports.workbook import sheets
from solvers import Status
from tests.reports.procurements import HOSTILE, answered
from tests.reports.procurements import document as request

METHODS = "Appendix: simpler methods, and systems as quoted"
MONEY = ["What is bought?", "What does it cost over its life?"]
WEIGHTS = "Would other evaluation weights change the winner?"
GAIN, WORTH = "What does overprovisioning gain?", "What are more power, money and space worth?"
INPUTS = ["What was quoted, and for which site?", "Which workloads must it run?"]
LEFT_OUT = "What does the model leave out?"
PERFORMANCE = "Appendix: performance of the workloads"
HOW = [PERFORMANCE, "Appendix: how the machine runs", METHODS, "Appendix: each limit changed"]
LAST = [
    "Appendix: method", "Appendix: where the inputs come from",
    "Appendix: certificates and provenance",
]  # fmt: skip
SHORT = [
    *MONEY, "Why are the other quotes not bought?", WEIGHTS, GAIN, WORTH, LEFT_OUT, *INPUTS, *HOW,
    *LAST,
]  # fmt: skip
FULL = [
    *MONEY, WEIGHTS, "What else could be bought?", "What price would make a losing quote pay?",
    GAIN, "Where does overprovisioning pay?", WORTH, "How do cost, score and power trade off?",
    "Which input matters most?", "Does the decision hold?", LEFT_OUT, *INPUTS, *HOW,
    "Appendix: scores by budget and power", "Appendix: each input lowered and raised", *LAST,
]  # fmt: skip


def headings(study: ProcurementStudy) -> list[str]:
    return [page["heading"] for page in document(study, [])["pages"]]


def first_page(study: ProcurementStudy) -> str:
    """Every line of both columns of the first page."""
    data = document(study, [])
    return " ".join(line for part in (*data["left"], *data["right"]) for line in part["lines"])


def all_text(value: Any) -> str:
    """Every text of the document, without invisible places to break."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\u200b", "")


def test_every_question_that_was_asked_has_its_page(
    short: ProcurementStudy, full: ProcurementStudy, planless: ProcurementStudy
) -> None:
    assert headings(short) == SHORT
    assert headings(full) == FULL
    why = "Why does no plan exist, and what would make one?"
    assert headings(planless) == [why, LEFT_OUT, *INPUTS, PERFORMANCE, *LAST]


def test_all_appendices_follow_the_questions_of_the_board(full: ProcurementStudy) -> None:
    appended = [heading.startswith("Appendix: ") for heading in headings(full)]
    assert appended == sorted(appended)


def test_every_method_that_is_compared_is_explained(short: ProcurementStudy) -> None:
    (lines,) = [b["lines"] for b in page_of(short, METHODS)["blocks"] if b["kind"] == "bullets"]
    for heuristic in short.heuristics:
        method = heuristic.plan.method
        name = "as quoted by a vendor" if method.startswith("as quoted") else method
        assert sum(line.lower().startswith(f"{name}: ") for line in lines) == 1, method


def test_a_short_run_says_why_each_other_quote_is_not_bought(short: ProcurementStudy) -> None:
    rows = rows_of(
        page_of(short, "Why are the other quotes not bought?"), "Quotes that are not bought"
    )
    assert [row[2] for row in rows] == [quote.reason for quote in short.not_bought]
    assert rows


def test_the_numbers_of_the_pages_are_consecutive_however_full_the_first_one_is(
    short: ProcurementStudy, drawn: dict[str, list[Picture]]
) -> None:
    """Where the figure moves to the second page, the layout must still come to rest."""
    files = {f"{picture.name}.svg": picture.printed for picture in drawn["short"]}
    data = document(short, drawn["short"])
    for lines in range(0, 24, 4):
        data["risks"] = [f"risk {number}" for number in range(lines)]
        reader = pypdf.PdfReader(io.BytesIO(typeset(REPORT.template, data, files)))
        count = len(reader.pages)
        feet = [page.extract_text().split()[-3:] for page in reader.pages]
        assert feet == [[str(n), "/", str(count)] for n in range(1, count + 1)], lines


def test_each_page_begins_with_its_answer(full: ProcurementStudy) -> None:
    for page in document(full, [])["pages"]:
        if page["heading"] not in (LEFT_OUT, *LAST[1:]):
            assert page["answer"].endswith(".")
            assert len(page["answer"]) > 20


def test_the_summary_holds_money_power_score_gain_and_shortfall(short: ProcurementStudy) -> None:
    summary = first_page(short)
    assert short.plan is not None
    for part in (
        "to buy and",
        "at the feed; mean: ",
        "Overprovisioning scores",
        "lower score, for",
    ):
        assert part in summary
    assert "no plan is more than" in document(short, [])["certificate"]
    assert f"{short.plan.score:.3f}" in summary
    row = document(short, [])["table"]["rows"][0]
    assert row[2] == str(max(purchase.nodes for purchase in short.plan.purchases))


def test_tables_are_as_wide_as_their_columns_say(
    full: ProcurementStudy, planless: ProcurementStudy
) -> None:
    for study in (full, planless):
        for page in document(study, [])["pages"]:
            for block in page["blocks"]:
                if block["kind"] == "table":
                    table = block["table"]
                    assert {len(row) for row in table["rows"]} <= {len(table["columns"])}
                    assert len(table["widths"]) == len(table["columns"])
                    assert table["rows"], block["caption"]


def test_simulated_figures_name_draws_seed_and_spread(full: ProcurementStudy) -> None:
    pages = {page["heading"]: page for page in document(full, [])["pages"]}
    words = all_text(pages["Does the decision hold?"])
    assert "simulated: 4 cases, seed 7" in words
    assert "95 % interval" in words


def test_without_a_plan_the_report_says_why_and_what_would_do(planless: ProcurementStudy) -> None:
    data = document(planless, [])
    assert data["decision"].startswith("No plan exists: ")
    assert "IT power" in data["decision"]
    first = all_text(data["pages"][0])
    assert planless.diagnosis is not None
    for repair in planless.diagnosis.repairs:
        for name, _ in repair.added:
            assert {"it_power_w": "more IT power"}.get(name, "more") in first
    assert "Relaxing any of these alone does not help: capital and rack places" in first
    assert data["table"] is not None
    changes = [row[0] for row in data["table"]["rows"]]
    diagnosis = planless.diagnosis
    assert len(changes) == len((*diagnosis.useful, *diagnosis.repairs))
    method = all_text(page_of(planless, "Appendix: method"))
    assert "quoted systems" not in method


def test_excluded_quotes_and_many_warnings_are_all_found(short: ProcurementStudy) -> None:
    left_out = tuple(Excluded(f"late-{n}", "V", f"reason {n}") for n in range(9))
    study = replace(short, problem=replace(short.problem, excluded=left_out))
    data = document(study, [])
    assert not any("reason" in risk for risk in data["risks"])  # excluded quotes are not risks
    words = all_text(data["pages"])
    for n in range(9):
        assert words.count(f"reason {n}") == 2  # excluded quotes, all warnings


def test_of_very_many_quotes_those_bought_are_shown(short: ProcurementStudy) -> None:
    plan, node_types = short.plan, short.scenario.node_types
    assert plan is not None
    others = [entry for entry in node_types if entry.name not in {p.name for p in plan.purchases}]
    many = short.scenario.model_copy(update={"node_types": (*others * 50, *node_types)})
    page = page_of(replace(short, scenario=many), INPUTS[0])
    block = page["blocks"][0]
    assert block["caption"].startswith(f"Quotes: 60 of {len(many.node_types)}, all in plan.xlsx")
    assert f"[{plan.purchases[0].name}]" in block["table"]["rows"][0][0]


def test_a_run_stopped_by_time_says_so(
    short: ProcurementStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ProcurementStudy, "stopped_by_time", property(lambda _: True))
    assert document(short, [])["risks"][0].startswith("The search stopped at its time limit")


def test_hostile_names_are_data_and_the_pages_stay_few(
    hostile: ProcurementStudy, drawn: dict[str, list[Picture]]
) -> None:
    pdf = REPORT.pdf(hostile, drawn["hostile"])
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    assert len(pages) <= 28
    text = "".join("".join(page.extract_text().split()) for page in pages)
    assert "".join(HOSTILE[0][:30].split()) in text
    assert HOSTILE[0] in all_text(document(hostile, []))


def test_the_same_study_gives_the_same_tagged_report(
    full: ProcurementStudy, drawn: dict[str, list[Picture]]
) -> None:
    pdf = REPORT.pdf(full, drawn["full"])
    assert REPORT.pdf(full, drawn["full"]) == pdf
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    root: Any = reader.root_object
    assert root["/MarkInfo"]["/Marked"]
    assert b"pdfuaid" in root["/Metadata"].get_object().get_data()
    assert len(reader.pages) <= len(headings(full))  # pages flow


def test_everything_is_written_and_times_stand_in_run_json_only(
    planless: ProcurementStudy, short: ProcurementStudy, tmp_path: Path
) -> None:
    written = reports.write(short, tmp_path / "a", planned_s=1.0)
    assert {"report.pdf", "plan.json", "plan.xlsx", "run.json"} <= set(written.files)
    assert "figures/01-regimes.png" in written.files
    run = json.loads((tmp_path / "a" / "run.json").read_text(encoding="utf-8"))
    demanded = [solve["question"] for solve in run["solves"]]
    assert demanded == [
        "optimum", "least cost", "least power", "worst-case provisioning", "static caps",
        "marginal value of each resource", "power in money", "why quotes are not bought",
    ]  # fmt: skip
    assert all(solve["wall_s"] >= 0 for solve in run["solves"])
    assert "wall_s" not in reports.plan_json(short)
    assert "report.pdf" in reports.write(planless, tmp_path / "b").files


def test_the_workbook_has_every_table_and_no_formula_of_others(hostile: ProcurementStudy) -> None:
    names = list(sheets(hostile))
    assert set(hostile.tables()) <= set(names)
    assert len({name.lower() for name in names}) == len(names)
    assert max(map(len, names)) <= 31
    with zipfile.ZipFile(io.BytesIO(reports.workbook.workbook(hostile))) as book:
        parts = [n for n in book.namelist() if n.startswith("xl/worksheets/sheet")]
        assert len(parts) == len(names)
        with_formulas = [part for part in parts if b"<f>" in book.read(part)]
        assert with_formulas == [parts[names.index("vendor_comparison")]]
        assert HOSTILE[0][:20].encode() in book.read("xl/sharedStrings.xml")


def test_the_first_sheet_answers_with_score_money_power_warnings_and_exclusions(
    bound: ProcurementStudy, planless: ProcurementStudy
) -> None:
    assert bound.plan is not None
    assert bound.cost is not None
    rows = sheets(bound)["summary"]
    facts = {row["what"]: row["value"] for row in rows}
    assert facts["decision"] == bound.headline
    assert facts["score"] == bound.plan.score
    assert facts["score of the reference machine, Old"] == 1
    assert facts["capital [USD]"] == bound.plan.bill.capital
    assert facts["capital allowed [USD]"] == 900_000
    yearly = "operating cost per year"
    assert facts[f"{yearly}, expected [USD]"] == bound.cost.operating_per_year_expected
    assert facts[f"{yearly} allowed [USD]"] == "unlimited"
    assert facts["IT power, largest [W]"] == bound.plan.it_power_w
    assert facts["IT power allowed [W]"] == bound.problem.limits.it_power_w
    assert facts["nodes"] == sum(lot.nodes for lot in bound.plan.purchases)
    assert facts["racks"] == sum(bound.plan.bill.racks)
    assert facts["rack places"] == 4
    excluded = [row["value"] for row in rows if row["what"] == "excluded quote"]
    assert excluded == bound.unbuyable
    assert len(excluded) == 1
    warned = [row["value"] for row in rows if row["what"] == "warning"]
    assert sorted((*warned, *excluded)) == sorted(bound.warnings)
    assert [row["what"] for row in rows[-3:]] == ["Headroom", "Libraries", "Python"]
    without = {row["what"]: row["value"] for row in sheets(planless)["summary"]}
    assert without["decision"] == planless.headline
    assert "score" not in without
    assert without["excluded quotes"] == "none"


def test_long_sheet_names_are_cut_and_stay_apart(
    short: ProcurementStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = {"a" * 40: [{"x": 1}], "a" * 41: [{"x": 2}], "A" * 42: [{"x": 3}]}
    monkeypatch.setattr(ProcurementStudy, "tables", lambda _: long)
    names = list(sheets(short))
    assert names == [
        "summary",
        "a" * 31,
        "a" * 29 + "-2",
        "A" * 29 + "-3",
        "vendor_comparison",
        "inputs",
    ]


@pytest.fixture(scope="module")
def bound() -> ProcurementStudy:
    """With mandates, lead times, a feed that comes late, and bids that break rules."""
    raw_scenario = request(
        requirements={
            "nodes": 12, "total_memory_gb": 3000.0, "throughput": {"flow": 1.0},
            "time_to_solution_s": {"large run": 9e5}, "delivered_by": dt.date(2027, 12, 31),
            "shares": [{"vendor": "Vendor 0", "of": "spend", "least": 0.1}],
        }
    )  # fmt: skip
    raw_scenario["power"]["available_on"] = dt.date(2027, 6, 1)
    raw_scenario["procurement"] |= {"decided_on": dt.date(2027, 1, 4), "most_vendors": 2}
    for node_type_index, node_type in enumerate(raw_scenario["node_types"]):
        node_type |= {"lead_weeks": 20 + 10 * node_type_index, "as_bid_quantity": 2}
    raw_scenario["node_types"][1]["valid_until"] = dt.date(2027, 1, 1)
    return answered(raw_scenario)


def page_of(study: ProcurementStudy, heading: str) -> dict[str, Any]:
    result: dict[str, Any] = next(
        page for page in document(study, [])["pages"] if page["heading"] == heading
    )
    return result


def rows_of(page: dict[str, Any], caption: str) -> list[list[str]]:
    result: list[list[str]] = next(
        block["table"]["rows"] for block in page["blocks"] if block.get("caption") == caption
    )
    return [[cell.replace("\u200b", "") for cell in row] for row in result]


def test_deliveries_mandates_and_what_is_left_stand_with_the_purchase(
    bound: ProcurementStudy,
) -> None:
    page = page_of(bound, "What is bought?")
    assert bound.plan is not None
    delivered = rows_of(page, "Delivery of the nodes")
    assert len(delivered) == len(bound.plan.purchases)
    days = {"20": "2027-05-24", "30": "2027-08-02", "40": "2027-10-11"}  # from 4 January
    apart = {"20": "8 days before", "30": "62 days after", "40": "132 days after"}
    for row in delivered:
        weeks = row[2].removesuffix(" weeks")
        assert (row[3], row[4]) == (days[weeks], apart[weeks])
    caption = (
        "Requirements met, and by how much (slack); throughput as a multiple of the reference "
        "machine's"
    )
    selected = {row[0]: row[1:] for row in rows_of(page, caption)}
    nodes = sum(purchase.nodes for purchase in bound.plan.purchases)
    assert selected["Nodes"] == ["at least 12", f"{nodes}", f"{nodes - 12}"]
    memory = 256 * nodes
    assert selected["Memory in all"] == [
        "at least 3,000 GB",
        f"{memory:,} GB",
        f"{memory - 3000:,} GB",
    ]
    assert selected["Time to solution of large run"][0] == "at most 250 h"
    assert {
        "Vendor 0 share of spend",
        "Vendors",
    } <= set(selected)
    (work,) = [name for name in selected if name.startswith("Throughput of flow")]
    demands = [m for m in bound.mandates if m.what.startswith("throughput of flow")]
    assert work.startswith(f"Throughput of flow, least in {len(demands)} demands (")
    assert selected[work][2] == f"{min(m.slack for m in demands):.3f}"
    assert selected["Delivery of all nodes"][0] == "by 2027-12-31"
    used = "Limits of the site and quantities on offer, and how much of each is used"
    for row in rows_of(page, used):
        assert len(row) == 5
        assert row[4]


def test_every_rule_that_a_bid_breaks_stands_in_the_report(bound: ProcurementStudy) -> None:
    page = page_of(bound, METHODS)
    words = all_text(page)
    wrong = [
        heuristic for heuristic in bound.heuristics if heuristic.plan.method.startswith("as quoted")
    ]
    assert any(len(entry.wrong) > 2 for entry in wrong)
    for entry in wrong:
        missed = [reason for reason in entry.wrong if reason.startswith("throughput")]
        if missed:
            count = f"{len(missed)} required throughput{'s' * (len(missed) > 1)} missed"
            assert f"{count}: see the next table" in words
        for reason in entry.wrong:
            assert reason in missed or json.dumps(reason)[1:-1] in words
    (refused,) = bound.refused
    assert refused.method == "as quoted by Vendor 1"
    reason = "2 x type-1: the quote ended on 2027-01-01, before the decision on 2027-01-04"
    assert reason in words
    ways = [row[0] for row in rows_of(page, "Simpler methods and quoted systems")]
    assert {"as quoted by Vendor 0", "as quoted by Vendor 1"} <= set(ways)


def test_what_a_bid_reaches_of_each_requirement_stands_in_the_report(
    bound: ProcurementStudy,
) -> None:
    page = page_of(bound, METHODS)
    short = [
        heuristic
        for heuristic in bound.heuristics
        if heuristic.reach is not None and heuristic.reach.missed
    ]
    assert short
    rows = rows_of(page, "What methods that miss a requirement reach")
    assert len(rows) == sum(
        len(heuristic.reach.requirements) for heuristic in short if heuristic.reach
    )
    for row in rows:
        assert row[5] in ("yes", "no")
        if row[3][0].isdigit() and not row[1].startswith("time"):
            minimum, alone, together = (float(cell) for cell in row[2:5])
            assert alone >= together  # as printed
            assert (together < minimum) == (row[5] == "yes")
    used = rows_of(page, "Power, energy and cost of each method")
    assert {row[0] for row in used} == {heuristic.plan.method for heuristic in bound.heuristics}


def test_the_front_marks_what_passes_a_limit_of_the_site(full: ProcurementStudy) -> None:
    page = page_of(full, "How do cost, score and power trade off?")
    assert page["answer"].startswith("The best plan within the limits of the site scores ")
    assert "within the limits of the site scores 2.70 for" in page["answer"]
    rows = next(b["table"] for b in page["blocks"] if b["kind"] == "table")
    names = [column["name"] for column in rows["columns"]]
    assert names == ["No.", "Score", "IT power", "Capital", "Rack places", "Over the life"]
    limit, *points = rows["rows"]
    assert limit[0] == "Limit"
    money = names.index("Capital")
    for row in points:
        assert (int(row[0]) > 9) == row[money].endswith("↑")


def test_the_title_page_names_an_operating_budget_that_may_be_overspent() -> None:
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
    (line,) = [w for w in document(study, [])["risks"] if "operating budget" in w]
    assert line.startswith(
        "The yearly cost exceeds the operating budget with probability 20 %: at 0.2 "
    )
    assert f"a year costs {0.2 * kwh:,.0f} " in line
    assert study.warnings[0] == line
    decision = study.to_dict()["decision"]
    assert decision["operating_budget_overspent"]["probability"] == pytest.approx(0.2)
    every = raw_scenario["budget"] | {"operating_holds": "every"}
    assert not any("exceeds" in w for w in answered(raw_scenario | {"budget": every}).warnings)


def test_the_title_page_says_what_machines_a_gain_compares(short: ProcurementStudy) -> None:
    worst = short.regimes["worst-case"]
    assert worst.plan is not None
    cheap = replace(worst.plan, bill=replace(worst.plan.bill, capital=400_000.0))
    regimes = short.regimes | {"worst-case": replace(worst, plan=cheap)}
    changed = replace(short, regimes=regimes)
    currency = short.problem.prices.currency
    assert (
        f"worst-case provisioning (power for every node's peak), which costs 400,000 {currency} "
        "instead of"
    ) in first_page(changed)
    assert f"The best plan with worst-case provisioning costs 400,000 {currency}" in " ".join(
        remarks(changed)
    )


def test_the_terminal_says_what_the_title_page_says(
    full: ProcurementStudy, capsys: pytest.CaptureFixture[str]
) -> None:
    show_procurement(full)
    listed = capsys.readouterr().out
    assert remarks(full)
    for line in (full.headline, full.confidence, *remarks(full), *full.warnings):
        assert line in listed
    assert "The decision holds in 75 %" in listed
    assert "Limits that bind" in listed


def test_the_title_page_says_in_how_many_draws_the_decision_holds(full: ProcurementStudy) -> None:
    """Three of four draws: Wilson's interval is 30 to 95 %."""
    assert (
        "The decision holds in 75 % of 4 simulated cases (95 % interval 30 % to 95 %)."
    ) in first_page(full)


def test_the_title_page_says_what_a_score_is(bound: ProcurementStudy) -> None:
    summary = first_page(bound)
    assert "; Old scores 1." in summary
    assert "A score of 2 means twice its throughput and speed of single runs, as a" in summary
    assert "times the reference machine" not in summary


def test_the_title_page_tells_yearly_costs_apart(bound: ProcurementStudy) -> None:
    prices = replace(bound.problem.prices, energy_prices=((0.1, 0.5), (0.4, 0.5)), every_price=True)
    assert bound.cost is not None
    cost = replace(bound.cost, operating_per_year_expected=1.6e6, operating_per_year_highest=1.9e6)
    study = replace(bound, problem=replace(bound.problem, prices=prices), cost=cost)
    lines = first_page(study).replace(study.problem.prices.currency, "USD")
    assert "1.60 M USD a year to operate" in lines
    assert (
        "At the highest energy price a year costs 1.90 M USD, which the budget must bear." in lines
    )


def test_a_statement_of_several_inputs_is_listed_once() -> None:
    """It has the numbers of the first; "assumed" holds for each clause of its sentence."""
    stated = [
        Stated(f"n{watts}", f"power {watts} W: sheet; own {watts} {own}", "quotes")
        for watts, own in ((100, "a"), (200, "b"), (300, "c"))
    ]
    shared, own = factored(stated)
    (statement,) = shared
    assert statement.words == "power 100 W: sheet"
    assert statement.inputs == ("n100 (100)", "n200 (200)", "n300 (300)")
    assert own == [(f"n{w}", f"own {w} {x}") for w, x in ((100, "a"), (200, "b"), (300, "c"))]
    same = [Stated(name, "Assumed: x (a; b); y", "quotes") for name in "abcd"]
    shared, own = factored(same)
    assert [(each.words, each.inputs) for each in shared] == [
        ("Assumed: x (a; b); y", ("all 4 quotes",))
    ]
    assert own == []
    (only_shown,) = factored(same, {"quotes"})[0]
    assert only_shown.inputs == ("all 4 quotes shown",)


def test_thirty_numbers_that_differ_follow_each_input() -> None:
    texts = [" ".join(f"k{n}: {n + 40 * i}," for n in range(1, 31)) for i in range(3)]
    (statement,), _ = factored([Stated(f"w{i}", text, "w") for i, text in enumerate(texts)])
    assert statement.words == texts[0]
    assert statement.inputs[2] == f"w2 ({', '.join(str(n + 80) for n in range(1, 31))})"


def test_a_source_is_shown_as_stated_and_not_classified(short: ProcurementStudy) -> None:
    site = page_of(short, INPUTS[0])["blocks"][1]["table"]
    assert [column["name"] for column in site["columns"]] == ["Input", "Value"]


def test_every_quote_with_an_origin_is_listed_even_if_that_names_no_row(
    short: ProcurementStudy,
) -> None:
    def read_from(*origins: str) -> str:
        types = [
            node_type.model_copy(update={"origin": origins[number % len(origins)]})
            for number, node_type in enumerate(short.scenario.node_types)
        ]
        scenario = short.scenario.model_copy(update={"node_types": types})
        return all_text(page_of(replace(short, scenario=scenario), SOURCES))

    first, second = (node_type.title for node_type in short.scenario.node_types[:2])
    mixed = read_from("bids.csv:4", "letter of the vendor")
    assert "Where the quotes were read; in brackets: the row" in mixed
    assert f"{first} (4)" in mixed
    assert "letter of the vendor" in mixed
    assert second in mixed
    whole = read_from("letter of the vendor")
    assert f"Quotes were read from letter of the vendor: {first}, {second}" in whole
    assert f"in brackets, the row: {first} (4)" in read_from("bids.csv:4")


def test_a_search_that_ended_early_is_not_said_to_prove_that_no_plan_exists(
    planless: ProcurementStudy,
) -> None:
    stopped = replace(planless.optimum, status=Status.UNKNOWN)
    study = replace(planless, optimum=stopped, diagnosis=None)
    assert "No plan exists" not in all_text(document(study, []))
    assert study.headline == "No plan was found or ruled out before the search ended."
    assert "No plan exists: the program has no solution" in all_text(
        page_of(planless, "Appendix: method")
    )


def test_systems_that_are_not_ranked_name_what_they_miss(bound: ProcurementStudy) -> None:
    assert bound.ranking is not None
    assert bound.plan is not None
    requirements = (
        Requirement("flow", "as now", 1.0, 0.9, 0.5, missed=True),
        Requirement("flow", "more flow", 1.0, 0.9, 0.5, missed=True),
        Requirement("large run", "", 9.0, 9.5, 9.5, missed=True),
    )
    broken = Compared(bound.plan, ("throughput of ...", "b"), 0.0, Reach(requirements, ()))
    ranking = replace(bound.ranking, left_out=(bound.plan.method,))
    study = replace(bound, ranking=ranking, heuristics=(broken,))
    text = all_text(page_of(study, WEIGHTS))
    assert "which misses the required throughput of flow and time to solution of large run." in text


def test_a_proved_limit_has_its_row_and_all_gaps_are_those_of_their_limits(
    short: ProcurementStudy,
) -> None:
    bound = short.optimum.bound
    assert bound is not None
    wide = replace(short, optimum=replace(short.optimum, proved=bound + 0.014))
    rows = rows_of(
        page_of(wide, "Appendix: certificates and provenance"), "Certificates of the decision"
    )
    (proved,) = [row for row in rows if row[0] == "optimum, proved"]
    assert proved[4] == "1.5 %"
    assert proved[6] == "proved"


@pytest.mark.parametrize(
    ("found_by", "highs", "cbc", "words"),
    [
        ("HiGHS 1.15.1", 0.0, 0.01, ""),
        ("HiGHS 1.15.1", 0.01, 0.0, ", limit of CBC"),
        ("HiGHS 1.15.1", None, 0.0, ", limit of CBC"),
        ("HiGHS 1.15.1", None, None, ""),
        ("CBC 2.10.3", 0.0, 0.01, ", limit of HiGHS"),
        ("CBC 2.10.3", 0.0, 0.0, ""),
        ("cbc 2.10.3", 0.01, 0.0, ""),
    ],
)
def test_the_certificate_names_the_solver_whose_limit_is_shown(
    short: ProcurementStudy, found_by: str, highs: float | None, cbc: float | None, words: str
) -> None:
    best, bound = short.optimum, short.optimum.bound
    assert bound is not None
    answers = tuple(
        SolverAnswer(name, replace(best, bound=None if more is None else bound + more))
        for name, more in (("HiGHS", highs), ("CBC", cbc))
    )
    certificate = replace(best.certificate, solver=found_by)
    study = replace(short, optimum=replace(best, certificate=certificate), by_solver=answers)
    rows = rows_of(
        page_of(study, "Appendix: certificates and provenance"), "Certificates of the decision"
    )
    assert [row[7] for row in rows if row[0] == "optimum"] == [found_by + words]


def test_the_certificate_of_one_solver_names_no_other(short: ProcurementStudy) -> None:
    rows = rows_of(
        page_of(replace(short, by_solver=()), "Appendix: certificates and provenance"),
        "Certificates of the decision",
    )
    assert not any("limit of" in row[7] for row in rows)


def test_shadow_prices_that_are_all_zero_are_left_out(short: ProcurementStudy) -> None:
    assert short.marginal_values
    none = tuple(replace(e, by_dual=0.0, by_relaxation=0.0) for e in short.marginal_values)
    page = page_of(replace(short, marginal_values=none), "Appendix: each limit changed")
    assert len([block for block in page["blocks"] if block["kind"] == "table"]) == 1


def test_intervals_rest_on_the_solvers_limits_and_no_page_calls_them_certain(
    short: ProcurementStudy,
) -> None:
    """Only the exact proof is certain; the intervals follow from limits of the solvers."""
    page = page_of(short, "Appendix: each limit changed")
    assert page["answer"].startswith("Each interval holds if the limits of the solvers are right")
    assert "is certain" not in all_text(document(short, []))
    gain = page_of(short, "What does overprovisioning gain?")
    assert any(
        "if the solvers' limits are right" in block.get("caption", "") for block in gain["blocks"]
    )


def test_the_exact_proof_is_optimal_only_within_the_requested_gap(short: ProcurementStudy) -> None:
    reached = short.optimum.objective
    assert reached is not None
    for more, status in ((0.014, "bounded"), (short.options.gap / 2, "optimal")):
        study = replace(short, optimum=replace(short.optimum, proved=reached + more))
        rows = rows_of(
            page_of(study, "Appendix: certificates and provenance"), "Certificates of the decision"
        )
        (proved,) = [row for row in rows if row[0] == "optimum, proved"]
        assert proved[5] == status
        assert all(proved)


def test_a_clause_that_names_an_input_is_of_that_input_alone(short: ProcurementStudy) -> None:
    power = short.scenario.power
    assert power is not None
    source = "power bound: the contract; lists of 2026; carbon of energy: the grid"
    stated = power.model_copy(update={"source": source, "carbon_g_per_kwh": 238.0})
    study = replace(short, scenario=short.scenario.model_copy(update={"power": stated}))
    rows = dict(site_sources(study))
    assert rows["Power bound"] == "the contract"
    assert rows["Carbon of energy"] == "the grid"
    (shared,) = [name for name, text in rows.items() if text == "lists of 2026"]
    assert shared.startswith("Power bound, remaining for IT")
    given = page_of(study, INPUTS[0])["blocks"][1]["table"]
    assert ["Carbon of energy", "238 g CO2e per kWh"] in given["rows"]


def test_every_source_has_the_name_of_its_input_above_it(hostile: ProcurementStudy) -> None:
    page = page_of(hostile, "Appendix: where the inputs come from")
    tables = [block["table"] for block in page["blocks"] if "headings" in block.get("table", {})]
    for table in tables:
        assert table["headings"][0] == 0
        assert all(len(row) == 1 and row[0] for row in table["rows"])


def test_timed_runs_are_explained_only_where_there_are_some(
    short: ProcurementStudy, bound: ProcurementStudy
) -> None:
    for study in (short, bound):
        page = page_of(study, "Appendix: method")
        (block,) = [block for block in page["blocks"] if block["kind"] == "formulas"]
        assert block["timed"] == bool(study.problem.capabilities)
        assert ("A partition is" in all_text(page)) == block["timed"]

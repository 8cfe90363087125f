"""Price sheets of whole packages are read to the cent; what is unclear is asked."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest

import scenarios
from scenarios.model.quote_fields import short_name
from scenarios.proposal.lines import kind_of
from scenarios.proposal.notes import Text, tax_of, vendor_of
from scenarios.proposal.packages import Offer
from scenarios.proposal.proposal import propose
from scenarios.proposal.questions import Question, answered
from scenarios.proposal.render import render
from scenarios.proposal.understood import understood
from scenarios.proposal.understood_packages import ReadLine, understood_packages
from tests.scenarios.proposal.invented import rows_of_text
from tests.scenarios.proposal.packages import WORDS, Line, drawn_package
from tests.scenarios.quote_files import workbook
from tests.sizes import few

DATA = Path(scenarios.__file__).parent / "data"
SEEDS = range(1000, 1000 + few(60))
"""None of these was drawn while the words were chosen."""
SHEETS: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("package_sheets.toml").read_text(encoding="utf-8")
)["sheets"]
ROWS: list[list[Any]] = [
    ["Item", "Qty", "Unit price (EUR)", "Total (EUR)", "Idle power (W)", "Max power (W)"],
    ["Compute node A, 2x 96 cores", 32, 14000, 448000, 120, 900],
    ["Rack 42U", 2, 3000, 6000],
    ["Leaf switch", 1, 36000, 36000],
    ["Support per year", 1, 5000, 5000],
    ["Total", None, None, 490000],
]


def offered(folder: Path, rows: list[list[Any]]) -> tuple[Offer, list[ReadLine], list[Question]]:
    """Propose the mapping of a workbook with these rows."""
    (folder / "a.xlsx").write_bytes(workbook({"Prices": [["Offer of Acme Ltd"], *rows]}))
    (offer,) = propose([folder / "a.xlsx"], folder).offers
    lines, questions, _ = understood_packages([offer], folder)
    return offer, lines, questions


def changed(row: int, cells: list[Any]) -> list[list[Any]]:
    """Return the rows of the small sheet with one of them replaced."""
    return [cells if number == row else each for number, each in enumerate(ROWS)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_drawn_package_is_read_to_the_cent(seed: int, tmp_path: Path) -> None:
    sheet = drawn_package(seed)
    proposal = propose([sheet.write(tmp_path)], tmp_path)
    (offer,) = proposal.offers
    lines, questions, _ = understood_packages(proposal.offers, tmp_path)
    read = [
        Line(x.item, x.kind, x.quantity, round(100 * float(x.unit_price)), x.due == "each year")
        for x in lines
    ]
    assert read == sheet.lines
    assert (offer.entry["vendor"], offer.currency) == (sheet.vendor, "EUR")
    assert offer.printed is not None
    assert round(100 * offer.printed[0]) == sheet.cents
    assert questions == []
    figures: dict[str, dict[str, Any]] = {}
    for each in understood(proposal.mappings, tmp_path, "q.toml").values:
        if each.field in {"idle_w", "peak_w", "memory_gb"}:
            figures.setdefault(each.node_type, {})[each.field] = each.value
    assert figures == {short_name(name): facts for name, facts in sheet.figures.items()}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda each: each["name"])
def test_a_sheet_written_by_hand_is_read_right(sheet: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook({"Sheet": rows_of_text(sheet["text"])}))
    (offer,) = propose([path], tmp_path).offers
    lines, questions, _ = understood_packages([offer], tmp_path)
    assert [each.kind for each in lines] == sheet["kinds"]
    assert offer.entry["vendor"] == sheet["vendor"]
    assert offer.printed is not None
    assert float(offer.printed[0]) == sheet["total"]
    assert questions == []


LOTS: list[list[Any]] = [
    ["Offer of Acme Ltd"],
    ["Lot 1"],
    ["Description", "Qty", "Unit price (EUR)", "Total (EUR)"],
    ["Compute node AX-20: 2x 96 cores", "32 sets", 14000, 448000],
    ["Rack 42U", "2 sets", 3000, 6000],
    ["Leaf switch", "1 set", 36000, 36000],
    ["Total lot 1", None, None, 490000],
    ["Lot 2"],
    ["Description", "Qty", "Unit price (EUR)", "Total (EUR)"],
    ["GPU node AX-20G, 8 accelerators", "4 sets", 200000, 800000],
    ["Rack 42U", "1 set", 3000, 3000],
    ["Installation", "1 visit", 7000, 7000],
    ["Special discount", None, None, -10000],
    ["Total lot 2", None, None, 800000],
]


def test_two_lots_on_one_sheet_are_two_packages_with_types_of_a_technical_sheet(
    tmp_path: Path,
) -> None:
    data: list[list[Any]] = [
        ["Model", "Idle (W)", "Peak (W)", "Cores", "Memory (GB)"],
        ["AX-20G", 900, 7000, 112, 2048],
        ["AX-20", 120, 900, 192, 768],
    ]
    merged = ["A13:C13"]
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook({"Prices": LOTS, "Technical data": data}, merged))
    proposal = propose([path], tmp_path)
    lines, questions, _ = understood_packages(proposal.offers, tmp_path)
    assert questions == []
    found: dict[str, list[str]] = {}
    for line in lines:
        found.setdefault(line.package, []).append(line.kind)
    assert found == {
        "Acme-Ltd-package-1": ["node", "rack", "network"],
        "Acme-Ltd-package-2": ["node", "rack", "installation", "other"],
    }
    assert [each.printed[0] for each in proposal.offers if each.printed] == [490000, 800000]
    values = understood(proposal.mappings, tmp_path, "q.toml").values
    powers = {each.node_type: each.value for each in values if each.field == "peak_w"}
    assert powers == {"AX-20": 900, "AX-20G": 7000}
    names = [
        *proposal.offers[0].sheet["names"].values(),
        *proposal.offers[1].sheet["names"].values(),
    ]
    assert names == ["AX-20", "AX-20G"]


def test_titles_of_sections_that_are_merged_across_are_no_names(tmp_path: Path) -> None:
    rows = [
        ["Pos.", *ROWS[0]],
        ["A. Nodes"],
        *([f"A{at}", f"Node {at}", 10, 9000, 90000, 100, 800] for at in (1, 2, 3)),
        ["B. Other"],
        ["B1", *ROWS[2]],
        ["B2", *ROWS[3]],
        ["C. Sum"],
        ["", "Total", None, None, 312000],
    ]
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook({"Prices": rows}, ["A2:G2", "A6:G6", "A9:G9"]))
    (mapping,) = propose([path], tmp_path).mappings
    assert [mapping.found.text(row, "name") for row in mapping.rows.quotes] == [
        "Node 1", "Node 2", "Node 3",
    ]  # fmt: skip


def test_the_sheets_are_of_many_kinds() -> None:
    shapes = [drawn_package(seed).shape for seed in range(60)]
    assert {each["language"] for each in shapes} == {*WORDS}
    assert {each["figures"] for each in shapes} == {"none", "here", "second sheet"}


@pytest.mark.parametrize("name", ["tender-university-north.xlsx", "tender-university-west.csv"])
def test_the_sheets_of_the_bundled_tender_are_read(name: str, tmp_path: Path) -> None:
    loaded = scenarios.load("tender-university")
    package = next(p for p in loaded.packages if p.sheet is not None and p.sheet.file == name)
    (tmp_path / name).write_bytes((DATA / name).read_bytes())
    (offer,) = propose([tmp_path / name], tmp_path).offers
    lines, *_ = understood_packages([offer], tmp_path)
    stated = [(each.kind, each.item, each.price) for each in package.lines]
    assert [(each.kind, each.item, float(each.unit_price)) for each in lines] == stated
    assert offer.entry["vendor"] == package.vendor
    assert offer.printed is not None
    assert float(offer.printed[0]) == package.printed_total


def test_a_scenario_uses_the_proposed_file_once_the_lot_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(workbook({"Prices": [["Offer of Acme Ltd"], *ROWS]}))
    proposal = propose([tmp_path / "a.xlsx"], tmp_path)
    text = render(proposal, "quotes.toml")
    assert "packages" not in tomllib.loads(text)
    above, heading, below = text.partition("# [[packages]]")
    text = above + (heading + below)[2:].replace("\n# ", "\n")
    assert tomllib.loads(text)["packages"] == [each.entry for each in proposal.offers]
    quotes = tmp_path / "quotes.toml"
    quotes.write_text(text)
    (tmp_path / "site.toml").write_text(
        'format = 1\nname = "s"\ntitle = "S"\nquotes_file = "quotes.toml"\n'
        "[procurement]\n[power]\nbound_w = 1e5\n[budget]\ncapital = 1e6\n"
        'currency = "EUR"\n[reference]\nname = "r"\nnodes = 9\ncompute_rate = 80\n'
        'bandwidth_gb_s = 150\n[[workloads]]\nname = "w"\n[workloads.performance]\n'
        'kind = "roofline"\nclock_bound = 1\n[[lots]]\nname = "All"\n'
    )
    with pytest.raises(scenarios.ScenarioError) as error:
        scenarios.load(tmp_path / "site.toml")
    line = next(i for i, each in enumerate(text.splitlines(), 1) if each.startswith("lot ="))
    assert f"quotes.toml:{line}: packages[1].lot: there is no lot 'NAME OF" in str(error.value)
    quotes.write_text(text.replace("NAME OF THE LOT", "All"))
    loaded = scenarios.load(tmp_path / "site.toml")
    (package,) = loaded.packages
    assert package.printed_total == 490000
    (node,) = [each for each in package.lines if each.kind == "node"]
    assert (node.name, node.quantity, node.price) == (loaded.node_types[0].name, 32, 14000)
    assert loaded.node_types[0].peak_w == 900


def test_a_line_of_an_unknown_kind_is_asked_about(tmp_path: Path) -> None:
    offer, lines, questions = offered(tmp_path, changed(3, ["Zyx 9000", 1, 36000, 36000]))
    assert offer.sheet["kinds"]["5"] == lines[2].kind == "other"
    assert [(each.field, each.found_at) for each in questions] == [("kind", "Prices!A5")]


def test_an_amount_that_is_not_quantity_times_price_is_asked_about(tmp_path: Path) -> None:
    _, _, questions = offered(tmp_path, changed(2, ["Rack 42U", 2, 3000, 6500]))
    (question,) = questions
    assert (question.node_type, question.field) == ("4: Rack 42U", "total")
    assert question.found_at == "Prices!D4"
    assert "500.00 more than 2 x 3,000 = 6,000.00. If another number is wrong" in question.question


@pytest.mark.parametrize(
    ("cells", "field", "place"),
    [
        (["Rack 42U", 2, "on request", None], "price", "C4"),
        (["Rack 42U", 2, "on request", "on request"], "price", "C4"),
        (["Rack 42U", 2, "auf Anfrage", 6000], "price", "C4"),
        (["Rack 42U", 2, "-", "-"], "price", "C4"),
        (["Rack 42U", 2, "call us", "call us"], "price", "C4"),
        (["Rack 42U", 2, 3000, "call us"], "total", "D4"),
        (["Rack 42U", "two", 3000, 6000], "quantity", "B4"),
        (["Compute node B", None, 3000, 6000], "quantity", "B4"),
    ],
)
def test_a_cause_has_one_question(cells: list[Any], field: str, place: str, tmp_path: Path) -> None:
    _, _, questions = offered(tmp_path, changed(2, cells))
    assert [(each.field, each.found_at) for each in questions] == [(field, f"Prices!{place}")]


@pytest.mark.parametrize("price", ["on request", "not included"])
def test_a_node_without_a_price_is_a_node(price: str, tmp_path: Path) -> None:
    rows = changed(1, ["Compute node A", 32, price, None])
    _, lines, questions = offered(
        tmp_path, [*rows[:5], ["Cable", 20, 50, 1000], ["Fibre", 9, 20, 180]]
    )
    assert len(lines) == 5  # the others
    (question,) = questions
    assert (question.node_type, question.field) == ("3: Compute node A", "price")


def test_an_answer_to_a_price_on_request_is_read(tmp_path: Path) -> None:
    answer(tmp_path, "package-questions", "Line", ("4: Rack 42U", "price", 3000))
    offer, lines, questions = offered(tmp_path, changed(2, ["Rack 42U", 2, "on request", None]))
    assert (lines[1].amount, questions) == ("6000.00", [])
    assert "4" in offer.sheet["kinds"]


def test_questions_of_money_say_the_unit_of_the_answer(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["Item", "Qty", "Unit price (kEUR)", "Total (kEUR)"],
        ["Compute node A", 32, 14, 448],
        ["Rack 42U", 2, 3, 6.5],
        ["Leaf switch", 1, 36, 36],
        ["Total", None, None, 500],
    ]
    _, _, (question,) = offered(tmp_path, rows)
    assert question.question.endswith("Answer in EUR, or write the unit")
    for given in (6000, "6 kEUR"):
        answer(tmp_path, "package-questions", "Line", ("4: Rack 42U", "total", given))
        _, lines, (question,) = offered(tmp_path, rows)
        assert (lines[1].amount, question.field) == ("6000.00", "printed_total")
        assert question.question.endswith("490,000.00. Answer in EUR, or write the unit")


def test_a_total_that_does_not_follow_is_asked_about(tmp_path: Path) -> None:
    offer, _, questions = offered(tmp_path, changed(5, ["Total", None, None, 491000]))
    assert "DOES NOT FOLLOW" in offer.why["printed_total"]
    assert [(each.field, each.found_at) for each in questions] == [("printed_total", "Prices!D7")]


def answer(folder: Path, file: str, about: str, *answers: tuple[str, str, Any]) -> None:
    """Write a file of questions that came back filled in."""
    rows = [[line, field, "", "", given] for line, field, given in answers]
    headings = [about, "Field", "Question", "Found at", "Answer"]
    (folder / f"{file}-Acme-Ltd.xlsx").write_bytes(workbook({"Q": [headings, *rows]}))


def test_answers_go_before_what_the_price_sheet_states(tmp_path: Path) -> None:
    rows = changed(2, ["Rack 42U", 2, 3000, 6500])
    rows[3] = ["Zyx 9000", None, None, 36000]
    answers = ("4: Rack 42U", "price", "3,250"), ("5", "kind", "Network"), ("5", "watts", 400)
    total = ("Acme-Ltd-package", "printed_total", 490500)
    answer(tmp_path, "package-questions", "Line", *answers, total)
    offer, lines, questions = offered(tmp_path, rows)
    assert questions == []
    assert [(each.kind, each.amount) for each in lines[1:3]] == [
        ("rack", "6500.00"), ("network", "36000.00"),
    ]  # fmt: skip
    assert lines[1].price_cell == "package-questions-Acme-Ltd.xlsx: Q!E2"
    assert offer.printed == (Decimal(490500), "package-questions-Acme-Ltd.xlsx: Q!E5")
    assert offer.read(tmp_path).lines[2]["watts"] == 400


def test_answers_that_fit_no_line_are_errors(tmp_path: Path) -> None:
    answers = (
        ("99: Rack", "price", 3250),
        ("5", "weight", 1),
        ("4", "price", 1),
        ("4: R", "price", 2),
    )
    answer(tmp_path, "package-questions", "Line", *answers)
    _, _, questions = offered(tmp_path, ROWS)
    found = {each.found_at: each.question for each in questions}
    assert "row '99' has no line" in found["Q!E2"]
    assert "there is no field 'weight'" in found["Q!B3"]
    assert "price of row '4' is answered in Q!E4 too" in found["Q!E5"]


def test_an_answer_holds_for_the_line_that_it_names(tmp_path: Path) -> None:
    answer(tmp_path, "package-questions", "Line", ("4: Rack 42U", "price", 2500))
    rows = [*ROWS]
    rows.insert(2, ["Cable", 2, 100, 200])  # the sheet was sent again with a row more
    _, lines, questions = offered(tmp_path, rows)
    assert [each.amount for each in lines[1:3]] != ["5000.00", "6000.00"]
    assert any("row '4' is 'Cable', not the line of this" in each.question for each in questions)


def test_each_package_of_a_vendor_has_its_own_questions(tmp_path: Path) -> None:
    sheets = {name: [["Offer of Acme Ltd"], *changed(2, ["Rack 42U", 2, 3000, 6500])]
              for name in ("Lot 1", "Lot 2")}  # fmt: skip
    (tmp_path / "a.xlsx").write_bytes(workbook(sheets))
    _, questions, _ = understood_packages(propose([tmp_path / "a.xlsx"], tmp_path).offers, tmp_path)
    assert {each.file for each in questions} == {
        "package-questions-Acme-Ltd.xlsx", "package-questions-2-Acme-Ltd.xlsx",
    }  # fmt: skip


def test_questions_to_a_vendor_do_not_depend_on_those_to_others(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.xlsx", "b.xlsx")]
    for path, vendor in zip(paths, ("Acme Ltd", "Bolt Ltd"), strict=True):
        path.write_bytes(workbook({"Lot": [[f"Offer of {vendor}"], *ROWS]}))
    for order in (paths, paths[::-1]):
        assert {
            each.entry["vendor"]: each.questions for each in propose(order, tmp_path).offers
        } == {
            "Acme Ltd": "package-questions-Acme-Ltd.xlsx",
            "Bolt Ltd": "package-questions-Bolt-Ltd.xlsx",
        }


def test_nodes_whose_power_was_answered_are_quoted(tmp_path: Path) -> None:
    rows = [each[:4] for each in ROWS]
    (tmp_path / "a.xlsx").write_bytes(workbook({"Prices": [["Offer of Acme Ltd"], *rows]}))
    bare = propose([tmp_path / "a.xlsx"], tmp_path)
    *_, asked = understood_packages(bare.offers, tmp_path)
    assert (bare.mappings, {each.field for each in asked}) == ((), {"idle_w", "peak_w"})
    powers = {"idle_w": 120, "peak_w": "0.9 kW"}
    given = ((each.node_type, each.field, powers[each.field]) for each in asked)
    answer(tmp_path, "questions", "Node type", *given)
    proposal = propose([tmp_path / "a.xlsx"], tmp_path)
    answered(proposal.mappings, tmp_path)
    values = understood(proposal.mappings, tmp_path, "q.toml").values
    read = {each.field: each.value for each in values if each.field in powers}
    assert read == {"idle_w": 120, "peak_w": 900}
    assert {each.node_type for each in values} == {*proposal.offers[0].sheet["names"].values()}
    assert understood_packages(proposal.offers, tmp_path)[2] == []


def test_of_two_numbers_the_quantity_is_that_which_gives_the_total(tmp_path: Path) -> None:
    rows = changed(2, ["Rack 42U", "2 pairs / 4", 3000, 6000])
    offer, lines, questions = offered(tmp_path, rows)
    assert (lines[1].quantity, questions) == (2, [])
    assert offer.sheet["columns"]["quantity"]["values"] == {"2 pairs / 4": 2}


def test_gross_prices_have_their_tax(tmp_path: Path) -> None:
    rows = [["All prices include 19 % VAT"], *ROWS]
    offer, _, questions = offered(tmp_path, rows)
    assert (offer.entry["vat"], questions) == (0.19, [])
    assert offer.printed == (Decimal(490000), "Prices!D8")


def test_cores_that_may_be_of_the_node_are_asked_about(tmp_path: Path) -> None:
    asked = {}
    for cores in (96, 192):
        node = f"Node 2 x EPYC 9655 ({cores} cores), 768 GB DDR5, 0.3 kW / 1.2 kW"
        rows = [each[:4] for each in changed(1, [node, 32, 14000, 448000])]
        (tmp_path / "a.xlsx").write_bytes(workbook({"Prices": [["Offer of Acme Ltd"], *rows]}))
        mappings = propose([tmp_path / "a.xlsx"], tmp_path).mappings
        found = understood(mappings, tmp_path, "q.toml").questions
        asked[cores] = [each.question for each in found if each.field == "cores"]
    assert asked == {
        96: [], 192: ["Are 192 cores those of one processor, as was read, or of the node?"],
    }  # fmt: skip


def test_words_decide_no_price_or_quantity_that_they_do_not_state(tmp_path: Path) -> None:
    free = "not included"
    for cells in (["Rack 42U", 2, free, 6000], ["Rack 42U", "tbd", 3000, 6000]):
        _, _, questions = offered(tmp_path, changed(2, cells))
        assert questions, cells
    rows = changed(4, ["Support", 1, "5 kEUR / year", "5 kEUR / year"])
    _, lines, questions = offered(tmp_path, rows)
    assert (lines[-1].amount, questions) == ("5000.00", [])


def test_words_within_other_words_say_no_kind() -> None:
    for item in ("Mano de obra", "Main row", "Serveur d'entreprise", "Congestion control"):
        assert kind_of(item)[0] not in {"cooling", "removal", "login"}, item
    assert kind_of("Mano de obra")[0] != "node"


def test_sums_with_tax_do_not_make_prices_gross(tmp_path: Path) -> None:
    rows = [*ROWS[:-1], ["Subtotal", None, None, 490000], ["VAT 19%", None, None, 93100]]
    offer, _, _ = offered(tmp_path, [*rows, ["Total incl. 19% VAT", None, None, 583100]])
    assert "vat" not in offer.entry
    assert offer.printed == (Decimal(490000), "Prices!D7")


def test_a_line_with_quantity_and_price_is_no_sum_by_its_first_word(tmp_path: Path) -> None:
    rows = changed(4, ["Shipping and installation", 1, "EUR 5,000", "EUR 5,000"])
    _, lines, _ = offered(tmp_path, rows)
    assert (lines[-1].kind, lines[-1].amount) == ("installation", "5000.00")


def test_a_line_has_the_first_words_of_its_row_where_its_column_is_blank(tmp_path: Path) -> None:
    rows = [["No.", *each] if at == 0 else [at, *each] for at, each in enumerate(ROWS)]
    rows[-1][0] = None
    rows[-1][4] = 480000
    rows.insert(-1, ["Framework discount", None, None, None, -10000])
    offer, lines, questions = offered(tmp_path, rows)
    assert (lines[-1].item, lines[-1].amount, questions) == ("Framework discount", "-10000.00", [])
    assert offer.printed == (Decimal(480000), "Prices!E8")


def test_rows_of_another_table_below_are_no_lines(tmp_path: Path) -> None:
    rows = [*ROWS, ["Model", "Cores", "Idle", "Peak"], ["Node A", 96, 120, 900]]
    _, lines, questions = offered(tmp_path, rows)
    assert ([each.kind for each in lines], questions) == (
        ["node", "rack", "network", "service"], [],
    )  # fmt: skip


def test_lines_of_each_year_in_the_total_are_due_once(tmp_path: Path) -> None:
    offer, lines, _ = offered(tmp_path, changed(5, ["Total", None, None, 495000]))
    assert "per_year" not in offer.sheet
    assert {each.due for each in lines} == {"once"}
    assert any("due once" in each for each in offer.others)


def test_a_rebate_below_the_total_is_a_line(tmp_path: Path) -> None:
    rows = [*ROWS, ["Rabatt ohne Bedingung", None, None, -1000], ["Net", None, None, 489000]]
    offer, lines, questions = offered(tmp_path, rows)
    assert ([each.item for each in lines][4:], questions) == (["Rabatt ohne Bedingung"], [])
    assert offer.printed == (Decimal(489000), "Prices!D9")


def test_a_sum_without_the_lines_of_each_year_above_it_is_no_line(tmp_path: Path) -> None:
    rows = [*ROWS[:5], ["Rebate", None, None, -1000], ["Offer, once", None, None, 489000]]
    rows += [["VAT 19 %", None, None, 92910], ["Offer, once, gross", None, None, 581910]]
    offer, lines, questions = offered(tmp_path, rows)
    assert ([each.item for each in lines][3:], questions) == (["Support per year", "Rebate"], [])
    assert offer.printed == (Decimal(489000), "Prices!D8")


@pytest.mark.parametrize(
    ("item", "quantity", "unit", "years"),
    [
        ("Support per year", 5, "years", True),
        ("Support per year", 5, "yrs.", True),
        ("Wartung, je Jahr", 5, "Jahr", True),
        ("Wartung, jährlich", "5 Jahre", None, True),
        ("Wartung, jährlich", "5 Jahre", "psch", True),
        ("Maintenance, par an", 5, "ans", True),
        ("Mantenimiento anual", "5 años", None, True),
        ("Assistência técnica anual", 5, "ano(s)", True),
        ("Assistenza, canone annuo", 5, "anni", True),
        ("Onderhoud, jaarlijks", "5 jaar", None, True),
        ("Service, per år", 5, "år", True),
        ("Serwis, opłata roczna, rocznie", 5, "lat", True),
        ("Servis, ročně", 5, "roky", True),
        ("Tuki, vuosittain", 5, "vuotta", True),
        ("Támogatás, évente", 5, "év", True),
        ("Destek, yillik", 5, "y\u0131l", True),
        ("Mentenanță, pe an", 5, "ani", True),
        ("Support per year", 1, "year", True),
        ("Support per year", 5, "racks", False),
        ("Support per year", 5, None, False),
        ("Support per year", "5 racks", "year", False),
        ("Service, per år", 5, "rack/år", False),
    ],
)
def test_a_number_of_years_is_one_each_year(
    item: str, quantity: Any, unit: str | None, years: bool, tmp_path: Path
) -> None:
    number = 1 if quantity == 1 else 5
    cells = [item, quantity, unit, 5000, 5000 * number]
    rows: list[list[Any]] = [[*each[:2], None, *each[2:4]] for each in ROWS]
    rows[0][2] = "Unit"
    offer, lines, questions = offered(tmp_path, [*rows[:4], cells, rows[5]])
    assert questions == []
    assert (lines[-1].quantity, lines[-1].due) == (1 if years else number, "each year")
    assert lines[-1].amount == f"{5000 if years else 5000 * number}.00"
    assert offer.printed == (Decimal(490000), "Prices!E7")
    due_once = [*rows[:4], cells, ["Total", None, None, None, 490000 + 5000 * number]]
    offer, lines, questions = offered(tmp_path, due_once)
    assert (lines[-1].quantity, lines[-1].due, questions) == (number, "once", [])
    assert not {"per_year", "years"} & offer.sheet.keys()


@pytest.mark.parametrize(("unit", "interval"), [("pcs", "year"), (None, "5 years")])
def test_years_that_are_not_the_unit_of_the_quantity_do_not_count(
    unit: str | None, interval: str, tmp_path: Path
) -> None:
    rows: list[list[Any]] = [["Item", "Unit", "Qty", "Interval", "Unit price (EUR)", "Total (EUR)"]]
    rows += [[each[0], "pcs", each[1], None, *each[2:4]] for each in ROWS[1:4]]
    rows += [["Support per year", unit, 5, interval, 5000, 25000]]
    _, lines, _ = offered(tmp_path, rows)
    assert (lines[-1].quantity, lines[-1].due) == (5, "each year")


def test_a_line_for_each_node_follows_the_nodes_where_the_quantities_agree(tmp_path: Path) -> None:
    rows = changed(3, ["Cable per node", 32, 100, 3200])
    offer, _, _ = offered(tmp_path, rows)
    assert offer.sheet["per"] == {"5": "node:Compute-node-A-2x-96-cores"}
    rows = changed(3, ["Cable per node", 30, 100, 3000])
    assert "per" not in offered(tmp_path, rows)[0].sheet


LUMP = ["Installation", None, None, 36000]
OPTIONS = ["Options (not in the total)"]
OPTION = ["Second switch", 1, 30000, 30000]


@pytest.mark.parametrize(
    ("rows", "lump", "asked"),
    [
        ([["Subtotal", None, None, 454000], ROWS[3], LUMP], False, True),
        ([["Subtotal", None, None, 454000], ROWS[3], LUMP, ["Total", "", "", 526000]], True, False),
        (
            [["Subtotal", None, None, 454000], ROWS[3], LUMP, ["Total", "", "", 490000]],
            False,
            False,
        ),
        ([ROWS[3], ["Installation", None, None, 490000]], False, True),
        ([ROWS[3], ["Cluster", None, None, 490000]], False, False),
        ([ROWS[3], ["Installation", None, None, 42000], ["Total", "", "", 532000]], True, False),
        (
            [["Installation", None, None, 39000], ROWS[3], ["Rack 48U", 1, 3000, 3000]],
            False,
            True,
        ),
    ],
)
def test_a_lump_sum_as_large_as_other_lines_is_left_out_only_by_a_total_or_with_a_question(
    rows: list[list[Any]], lump: bool, asked: bool, tmp_path: Path
) -> None:
    _, lines, questions = offered(tmp_path, [*ROWS[:3], *rows])
    assert ("Installation" in [each.item for each in lines]) is lump
    assert [each.field for each in questions] == ["printed_total"] * asked
    assert all("Installation)" in each.question for each in questions)


@pytest.mark.parametrize("currency", ["EUR ", "€ ", "€"])
def test_amounts_behind_a_currency_make_a_sum(currency: str, tmp_path: Path) -> None:
    sums = [*ROWS[1:5], ["Cluster", None, None, 495000]]
    rows = [
        [*each[:2], *(money and f"{currency}{money:,}" for money in each[2:4])] for each in sums
    ]
    offer, lines, questions = offered(tmp_path, [ROWS[0][:4], *rows])
    assert ([each.item for each in lines], questions) == ([each[0] for each in ROWS[1:5]], [])
    assert offer.printed == (Decimal(495000), "Prices!D7")


@pytest.mark.parametrize("note", ["Prices hold until 2027.", "Note: 64 ports", "*on stock"])
def test_notes_do_not_end_options(note: str, tmp_path: Path) -> None:
    rows = [*ROWS, OPTIONS, [note], OPTION, [note], OPTION, ["Services"], ["Delivery", 1, 9, 9]]
    offer, lines, _ = offered(tmp_path, rows)
    assert [each.item for each in lines[4:]] == ["Delivery"]
    assert offer.sheet["skip_rows"] == [7, 10, 12]


def test_details_below_an_option_do_not_end_options(tmp_path: Path) -> None:
    rows = [["No.", *ROWS[0]], *([at, *each] for at, each in enumerate(ROWS[1:5]))]
    rows += [OPTIONS, [5, *OPTION], [None, "64 ports, managed"], [6, *OPTION]]
    offer, _, _ = offered(tmp_path, rows)
    assert offer.sheet["skip_rows"] == [8, 10]


def test_a_blank_row_ends_what_is_due_each_year(tmp_path: Path) -> None:
    lines = [*ROWS[:4], ["Charged annually"], [], ["Support", 1, 5, 5], [], ["Delivery", 1, 9, 9]]
    assert [each.due for each in offered(tmp_path, lines)[1][3:]] == ["each year", "once"]
    spaced = [each for line in lines[1:] if line for each in (line, [])]
    assert [each.due for each in offered(tmp_path, [ROWS[0], *spaced])[1][3:]] == ["each year"] * 2


def test_a_blank_row_in_a_csv_file_is_none_within_a_cell(tmp_path: Path) -> None:
    text = 'Item;Qty;Price (EUR)\nNode;9;100\n"Rack\n42U";1;50\nSwitch;1;50\nAnnually, per year:\n'
    text += 'Support;1;70\n"Licence\n(A)";1;5\nSoftware;1;6\n\nDelivery;1;9\n'
    (tmp_path / "a.csv").write_text(text)
    lines, *_ = understood_packages(propose([tmp_path / "a.csv"], tmp_path).offers, tmp_path)
    assert [each.due for each in lines] == ["once"] * 3 + ["each year"] * 3 + ["once"]


def test_a_blank_row_ends_options_if_the_total_says_so(tmp_path: Path) -> None:
    rows = [*ROWS[:3], ["Options"], OPTION, [], ROWS[3]]
    assert len(offered(tmp_path, [*rows, ["Delivery", 1, 9, 9], ["Total", "", "", 490009]])[1]) == 4
    rows = [*ROWS[:5], ["Options"], OPTION, [], OPTION]
    assert len(offered(tmp_path, rows)[1]) == 4


def test_included_lines_cost_nothing_and_options_are_left_out(tmp_path: Path) -> None:
    rows = changed(4, ["Installation", 1, "included", None])
    rows.insert(5, ["Option: second switch", 1, 30000, 30000])
    offer, lines, questions = offered(tmp_path, rows)
    assert (lines[-1].kind, float(lines[-1].unit_price)) == ("installation", 0)
    assert offer.sheet["skip_rows"] == [7, 8]
    assert questions == []


@pytest.mark.parametrize(
    ("item", "optional"),
    [
        ("Upgradeable storage, 2 PB", False),
        ("Supplementary rack", False),
        ("Upgrade to 2 TB", True),
        ("Speicheroption", True),
        ("Optional rack", True),
    ],
)
def test_whole_words_say_that_a_line_is_an_option(
    item: str, optional: bool, tmp_path: Path
) -> None:
    offer, _, _ = offered(tmp_path, changed(3, [item, 1, 36000, 36000]))
    assert ("5" in offer.sheet["kinds"]) is not optional


def test_a_price_list_of_nodes_with_accessories_is_no_package(tmp_path: Path) -> None:
    rows = [each for each in ROWS if not str(each[0]).startswith(("Support", "Leaf"))]
    (tmp_path / "a.xlsx").write_bytes(workbook({"Prices": rows}))
    assert propose([tmp_path / "a.xlsx"], tmp_path).offers == ()


@pytest.mark.parametrize("seed", range(few(40)))
def test_no_price_sheet_breaks_the_proposal(seed: int, tmp_path: Path) -> None:
    """The small sheet with some cells at random: signs, words, dates, long texts, blanks."""
    rng = Random(seed)
    cells = ["", None, -5, 0, 1.5, 1e12, "incl.", "12 pcs", "=1+1", "-", "Total", "\u7bc0\u9ede"]
    cells += ["included " * 30, "31.12.2027", "Rack", "3,5", "per year", "1.234,50 EUR", "Option"]
    rows = [[*each, *[None] * (6 - len(each))] for each in ROWS]
    for _ in range(rng.randint(1, 8)):
        rows[rng.randrange(1, len(rows))][rng.randrange(6)] = rng.choice(cells)
    rows.insert(1, [rng.choice(["Compute nodes", "\u7bc0\u9ede"])])
    (tmp_path / "a.xlsx").write_bytes(workbook({"Prices": rows}))
    proposal = propose([tmp_path / "a.xlsx"], tmp_path)
    understood_packages(proposal.offers, tmp_path)
    alone = replace(proposal, mappings=())  # next to quotes a package is a comment
    written = tomllib.loads(render(alone, "q.toml")).get("packages", [])
    assert written == [each.entry for each in proposal.offers]


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ("Storage server, 24 drives", "storage"),
        ("Rackmontage", "installation"),
        ("Compute node incl. 5 years of support", "node"),
        ("Ersatzknoten", "spare"),
        ("Maintenance des commutateurs", "service"),
        ("Retirada del sistema antiguo", "removal"),
        ("Wasserkühlung (CDU)", "cooling"),
        ("Sundries", ""),
        ("Ethernet compute node CN-12", "node"),
        ("Trainingsknoten, 8 GPU", "node"),
        ("AI training nodes type B", "node"),
        ("Pre-installed compute nodes", "node"),
        ("Pre-installed rack", "rack"),
        ("Nœud de calcul refroidi par eau", "node"),
        ("Service node", "login"),
        ("Installation Rechenknoten", "installation"),
        ("Verkabelung Server", "network"),
        ("Hanteringsnod", ""),  # the section says whether it is one for logins
        ("Cooling of storage racks", "cooling"),
        ("Rack of nodes", "rack"),
        ("Set of nodes", "node"),
    ],
)
def test_the_words_of_an_item_say_its_kind(item: str, kind: str) -> None:
    assert kind_of(item)[0] == kind


@pytest.mark.parametrize(
    "title", ["MUSTER RECHNER GMBH", "CALCOLO ALPINO S.R.L.", "WISLA SP. Z O.O."]
)
def test_a_legal_form_in_capitals_is_one(title: str, tmp_path: Path) -> None:
    assert vendor_of([Text(f"Los 2 - {title} - 2027", "A1")], tmp_path / "a.csv").value == title


@pytest.mark.parametrize("mark", [".", ","])
@pytest.mark.parametrize("own", [".", ","])
def test_a_figure_in_an_item_may_have_another_decimal_mark(
    own: str, mark: str, tmp_path: Path
) -> None:
    node = "Node 2 x EPYC 9655 (96 cores), 768 GB DDR5, 0.3 kW / 1.2 kW".replace(".", own)
    texts = [["14,000.50", "448,016.00"], ["3,000.25", "6,000.50"], ["36,000.75", "36,000.75"]]
    marks = str.maketrans(",.", ".,") if mark == "," else {}
    cells = [[each.translate(marks) for each in row] for row in texts]
    items = zip((node, "Rack 42U", "Switch"), (32, 2, 1), cells, strict=True)
    offered(tmp_path, [ROWS[0][:4], *([item, count, *money] for item, count, money in items)])
    mappings = propose([tmp_path / "a.xlsx"], tmp_path).mappings
    values = understood(mappings, tmp_path, "q.toml").values
    read = {each.field: each.value for each in values if each.field in {"price", "peak_w"}}
    assert read == {"price": 14000.5, "peak_w": 1200}


@pytest.mark.parametrize(
    ("note", "net"),
    [
        ("VAT to be added", True),
        ("20 % VAT will be added", True),
        ("VAT is not included", True),
        ("Die Mehrwertsteuer kommt hinzu", True),
        ("MwSt. nicht enthalten", True),
        ("La TVA s'ajoute aux prix", True),
        ("TVA non comprise", True),
        ("Se añadirá el IVA vigente", True),
        ("IVA da aggiungere", True),
        ("vermeerderd met 21 % btw", True),
        ("Moms tillkommer", True),
        ("mva kommer i tillegg", True),
        ("Do cen zostanie doliczony VAT", True),
        ("DPH bude připočtena", True),
        ("Aos preços acresce IVA", True),
        ("alv lisätään hintaan", True),
        ("Value added tax is included", False),
        ("TVA (taxe sur la valeur ajoutée) comprise", False),
        ("imposto sobre o valor acrescentado (IVA) incluído", False),
    ],
)
def test_a_note_says_whether_prices_are_net(note: str, net: bool) -> None:
    found = tax_of([Text(note, "A1")])
    assert (bool(found[0]), bool(found[1])) == (net, not net)

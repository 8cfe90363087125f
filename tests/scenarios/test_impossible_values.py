"""Values that no site, node or bid can have: a fault with its place and remedy, or a warning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import scenarios
from scenarios import ScenarioError
from scenarios.model.procurement import MeasuredTimes, Merits
from tests.scenarios.quote_files import comma_separated, workbook
from tests.scenarios.sample_changes import (
    QUOTES,
    REQUEST,
    SAMPLE,
    faults,
    remarked,
    written,
)

ROOFLINE = 'kind = "roofline"\nclock_bound = 0.05\npower_intensity = 0.75\n'
DECIDED = "decided_on = 2027-01-15\n"
NORTH = "2027-06-30;410"


# dates


def test_bids_that_end_need_the_day_of_the_decision(tmp_path: Path) -> None:
    (found,) = faults(tmp_path, [(REQUEST, DECIDED, "")])
    assert found == (
        "procurement.toml:10: procurement: decided_on is missing, and 4 quotes state "
        "valid_until "
        "(the first: 'north-64'); without it, Headroom cannot tell which quotes have "
        "expired. Add the day of the order"
    )


def test_lead_times_need_it_where_the_feed_has_a_day(tmp_path: Path) -> None:
    undated = [(REQUEST, DECIDED, ""), (REQUEST, 'valid_until = "Valid until"\n', "")]
    (found,) = faults(tmp_path, list(undated))
    assert "4 quotes state lead_weeks" in found
    undated.append((REQUEST, "available_on = 2027-06-01\n", ""))
    assert remarked(tmp_path, list(undated)) == []


def test_a_delivery_that_is_asked_for_needs_it_too(tmp_path: Path) -> None:
    asked = (REQUEST, "nodes = 60\n", "nodes = 60\ndelivered_by = 2028-01-31\n")
    found = faults(tmp_path, [(REQUEST, DECIDED, ""), asked])
    assert found[1] == (
        "procurement.toml:69: requirements.delivered_by: lead times count from "
        "procurement.decided_on, which is missing; add it"
    )


def test_no_delivery_precedes_the_decision(tmp_path: Path) -> None:
    asked = (REQUEST, "nodes = 60\n", "nodes = 60\ndelivered_by = 2026-01-31\n")
    assert faults(tmp_path, [asked]) == [
        (
            "procurement.toml:70: requirements.delivered_by: 2026-01-31 is before "
            "procurement.decided_on = 2027-01-15; correct one of them"
        )
    ]


# limits of the site


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("fixed_w = 8_000 ", "fixed_w = 250_000 ",
         ("procurement.toml:22: power.fixed_w: fixed_w = 250000 leaves no power for nodes "
            "under bound_w = "
            "250000, which is 208333 W of IT power,; check the unit of both (W)")),
        ("bound_w = 250_000", "bound_w = 9_700",
         ("procurement.toml:19: power.bound_w: bound_w = 9700, which is 8083.33 W of IT power, "
            "less fixed_w = 8000 is too little for one idle node of any type, which draws 160 W "
            "or more; check the unit (W)")),
        ("fixed_capital = 400_000", "fixed_capital = 5_000_000",
         (
            "procurement.toml:40: budget.fixed_capital: fixed_capital = 5000000 EUR leaves no "
            "money for nodes from capital = 5000000 EUR; check the unit of both (EUR)"
)),
        ("capital = 5_000_000", "capital = 405_000",
         ("procurement.toml:34: budget.capital: capital = 405000 EUR less fixed_capital = 400000 "
          "is too little for one node of any type, which costs 6400 EUR or more; check the unit "
          "(EUR)")),
        ("operating_per_year = 1_200_000", "operating_per_year = 1_200",
         (
            "procurement.toml:35: budget.operating_per_year: operating_per_year = 1200 EUR does "
            "not cover staff_per_year = 150000 EUR; check the unit of both (EUR)"
)),
        ("rack_w = 60_000", "rack_w = 60",
         (
            "procurement.toml:28: facility.rack_w: rack_w = 60 W is below the peak power "
            "of every node type (560 W or more); check the unit (W)"
)),
    ],
)  # fmt: skip
def test_a_limit_that_no_single_node_fits_is_a_mistake_of_units(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert faults(tmp_path, [(REQUEST, old, new)]) == [message]


# watts of measured runs

DRAWN = [
    (179, "179 is below idle_w = 180 of 'north-64'; correct one of them"),
    (921, "921 is above peak_w = 920 of 'north-64'; correct one of them"),
    (761, ("761 is above the 760 W that a node of 'north-64' may draw with cap_w = 280 (peak_w = "
     "920 less 2 x 80 W); correct drawn_w, cap_w or capped_packages of the node type")),
]  # fmt: skip


def table(drawn_w: float) -> str:
    row = f'node_type = "north-64", cap_w = 280, figure_of_merit = 3, drawn_w = {drawn_w}'
    return f'kind = "table"\nreference_figure_of_merit = 1\nrows = [\n{{ {row} }}]\n'


def times(drawn_w: float) -> str:
    line = 'kind = "linear", node_type = "north-64", slope_s_per_node = -1, intercept_s = 99'
    run = f"cap_w = 280, drawn_w = {drawn_w}, time = {{ {line}, measured_nodes = [1, 9] }}"
    return f'kind = "times"\nreference_time_s = 9\nruns = [\n{{ {run} }}]\n'


@pytest.mark.parametrize(("drawn_w", "message"), DRAWN)
def test_watts_that_no_run_can_draw_are_named_with_their_line(
    tmp_path: Path, drawn_w: float, message: str
) -> None:
    for key, model in (("rows", table), ("runs", times)):
        (found,) = faults(tmp_path, [(REQUEST, ROOFLINE, model(drawn_w))])
        where = f"procurement.toml:128: workloads[3].performance.{key}[1].drawn_w"
        assert found == f"{where}: drawn_w = {message}"


@pytest.mark.parametrize("drawn_w", [180, 760])
def test_watts_at_the_very_bounds_are_taken(tmp_path: Path, drawn_w: float) -> None:
    for model in (table, times):
        assert remarked(tmp_path, [(REQUEST, ROOFLINE, model(drawn_w))]) == []


def test_watts_of_a_file_are_named_there(tmp_path: Path) -> None:
    model = 'kind = "table"\nreference_figure_of_merit = 1\nfile = "m.csv"\n'
    rows = "node_type,cap_w,figure_of_merit,drawn_w\nnorth-64,280,3,7000\n"
    (tmp_path / "m.csv").write_text(rows, encoding="utf-8")
    (found,) = faults(tmp_path, [(REQUEST, ROOFLINE, model)])
    assert found.startswith("m.csv:2: drawn_w: drawn_w = 7000 is above peak_w = 920")


# prices


def test_two_prices_say_nothing_of_each_other(tmp_path: Path) -> None:
    lines = (SAMPLE / QUOTES).read_text(encoding="utf-8").splitlines(keepends=True)
    changes = [(QUOTES, lines[3] + lines[4], ""), (QUOTES, "14,9 kEUR", "14,90")]
    assert remarked(tmp_path, changes) == []


def test_the_bundled_scenarios_and_the_sample_raise_no_doubt() -> None:
    samples = (str(SAMPLE / REQUEST), str(SAMPLE / "designs.toml"))
    for name in (*scenarios.names(), *samples):
        sums_and_notes = {"quotes-left-out"} if name == "tender-university" else set()
        assert {each.kind for each in scenarios.load(name).remarks} == sums_and_notes


# quantities and names

MOST = 'source = "Remark"\nmaximum_quantity = "Rate"'  # 410 of the first quote


def test_a_proposal_beyond_what_is_on_offer_names_both_cells(tmp_path: Path) -> None:
    changes = [(REQUEST, 'source = "Remark"', MOST), (QUOTES, "6 %;240;", "6 %;411;")]
    assert faults(tmp_path, changes)[0] == (
        "quotes.csv:2: G2: as_bid_quantity = 411 is above maximum_quantity = 410 (R2); correct one "
        "of them"
    )


def test_a_proposal_below_the_least_that_is_sold_is_one_too(tmp_path: Path) -> None:
    least = MOST.replace("maximum", "minimum")
    assert faults(tmp_path, [(REQUEST, 'source = "Remark"', least)])[0] == (
        "quotes.csv:2: G2: as_bid_quantity = 240 is below minimum_quantity = 410 (R2); correct one "
        "of them"
    )


@pytest.mark.parametrize(
    ("old", "message"),
    [("maximum_quantity = 9", "as_bid_quantity = 10 is above maximum_quantity = 9"),
     ("minimum_quantity = 11", "as_bid_quantity = 10 is below minimum_quantity = 11")],
)  # fmt: skip
def test_a_typed_node_type_is_checked_alike(tmp_path: Path, old: str, message: str) -> None:
    typed = (
        '[[node_types]]\nname = "t"\nvendor = "T"\nprice = 9000\nidle_w = 100\npeak_w = 400\n'
        f"compute_rate = 1\nbandwidth_gb_s = 1\nas_bid_quantity = 10\n{old}\n\n[[quotes]]"
    )
    (found,) = faults(tmp_path, [(REQUEST, "[[quotes]]", typed)])
    assert message in found
    assert found.startswith("procurement.toml:")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "more molecular dynamics"', 'name = "as today"',
         "procurement.toml:133: demands[2].name: 'as today' is also the name of entry 1"),
        ('name = "high", price', 'name = "as today", price',
         "procurement.toml:44: budget.energy_prices[2].name: 'as today' is also the name of entry"),
    ],
)  # fmt: skip
def test_scenarios_of_demand_and_price_have_names_of_their_own(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    (found,) = faults(tmp_path, [(REQUEST, old, new)])
    assert found.startswith(message)


def test_a_demand_for_nothing_is_named(tmp_path: Path) -> None:
    names = ("molecular dynamics", "climate", "electronic structure")
    nothing = ", ".join(f'"{name}" = 0' for name in names)
    (found,) = faults(tmp_path, [(REQUEST, '"molecular dynamics" = 2', nothing)])
    assert found == (
        "procurement.toml:135: demands[2].factors: the factors of all workloads are 0; "
        "correct at least one"
    )


def test_one_name_in_two_sheets_names_both_rows(tmp_path: Path) -> None:
    second = workbook({"Late offer": [["Model", "Vendor", "Price", "Idle", "Peak"],
                                      ["north 64", "N", 15000, 100, 400]]})  # fmt: skip
    (tmp_path / "second.xlsx").write_bytes(second)
    columns = 'name = "Model"\nvendor = "Vendor"\nprice = "Price"\nidle_w = "Idle"\npeak_w = "Peak"'
    quotes = f'[[quotes]]\nfile = "second.xlsx"\n[quotes.columns]\n{columns}\n\n[[workloads]]'
    (found, *_) = faults(
        tmp_path, [(REQUEST, '[[workloads]]\nname = "mol', quotes + '\nname = "mol')]
    )
    assert found == (
        "second.xlsx: 'Late offer'!2: name: 'north-64' is also the name of quotes.csv:2; "
        "names must be unique"
    )


def test_a_file_that_is_missing_is_named_once(tmp_path: Path) -> None:
    text = (SAMPLE / REQUEST).read_text(encoding="utf-8")
    table_ = text[text.index("[[quotes]]") : text.index("[[workloads]]")]
    found = faults(tmp_path, [(REQUEST, table_, table_ * 3), (REQUEST, QUOTES, "none.xlsx")])
    missing, unsure = found
    assert missing == "none.xlsx: does not exist; give the path of a workbook or CSV file"
    assert unsure.startswith(f"{REQUEST}: not checked until all quotes can be read: ")


def test_a_cap_ten_times_too_high_is_named_and_not_the_lowest(tmp_path: Path) -> None:
    assert faults(tmp_path, [(QUOTES, "240/280/320/360", "240/280/320/3600")]) == [
        (
            "quotes.csv:2: J2: the highest of package_caps_w, 3600 W on each of 2 packages, is "
            "more than the whole node's peak_w = 920; correct that cap, capped_packages or peak_w"
        )
    ]
    assert faults(tmp_path, [(QUOTES, "240/280/320/360", "24/280/320/460")]) == [
        (
            "quotes.csv:2: J2: the lowest of package_caps_w, 24 W, takes 2 x 436 W from peak_w = "
            "920: a node would draw 48 W, less than its idle_w = 180; raise that cap, or correct "
            "capped_packages or peak_w"
        )
    ]


# names as they stand in a sheet


def test_a_quote_may_be_named_as_in_its_sheet(tmp_path: Path) -> None:
    rename = (QUOTES, "North;north-64;", "North;North 64 (µ);")
    model = table(700).replace("north-64", "North 64 (µ)")
    read = scenarios.load(written(tmp_path, [rename, (REQUEST, ROOFLINE, model)]))
    merits = read.workloads[2].performance
    assert isinstance(merits, Merits)
    assert merits.rows[0].node_type == read.node_types[0].name == "North-64"
    model = times(700).replace("north-64", "North 64 (µ)")
    read = scenarios.load(written(tmp_path, [rename, (REQUEST, ROOFLINE, model)]))
    measured = read.workloads[2].performance
    assert isinstance(measured, MeasuredTimes)
    assert measured.runs[0].time.node_type == "North-64"


def test_so_may_it_be_in_a_file_of_merits(tmp_path: Path) -> None:
    model = 'kind = "table"\nreference_figure_of_merit = 1\nfile = "m.csv"\n'
    data = comma_separated([["node_type", "figure_of_merit"], ["north 64", 3]])
    (tmp_path / "m.csv").write_bytes(data.replace(b'"node_type","figure_of_merit"',
                                                  b"node_type,figure_of_merit"))  # fmt: skip
    read = scenarios.load(written(tmp_path, [(REQUEST, ROOFLINE, model)]))
    merits = read.workloads[2].performance
    assert isinstance(merits, Merits)
    assert merits.rows[0].node_type == "north-64"


def test_a_name_that_fits_no_quote_has_one_fault(tmp_path: Path) -> None:
    model = table(700).replace("north-64", "north 65")
    (found,) = faults(tmp_path, [(REQUEST, ROOFLINE, model)])
    assert found.startswith(
        "procurement.toml:128: workloads[3].performance.rows[1].node_type: there is no node type "
        "'north 65'; did you mean 'north-64'"
    )


# words


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "repair_prices = { it_power_w = 12",
            "weights = { performanc = 1 }\nrepair_prices = { it_power_w = 12",
            "procurement.weights.performanc: unknown key 'performanc'; did you mean 'performance'?",
        ),
        (
            "racks = 20_000 }",
            "rack = 20_000 }",
            "procurement.repair_prices.rack: unknown key 'rack'; did you mean 'racks'?",
        ),
        (
            DECIDED,
            'decided_on = "2027-01-15"\n',
            (
                "procurement.decided_on: '2027-01-15' should be a date; write it without quotation "
                "marks or time of day, as in 2027-03-31"
            ),
        ),
        (
            DECIDED,
            "decided_on = 2027-01-15T12:00:00\n",
            "procurement.decided_on: 2027-01-15 12:00:00 should be a date",
        ),
        (
            'kinds = ["cpu", "gpu"]',
            'kinds = "cpu"',
            "workloads[1].kinds: 'cpu' should be a list; write it in square brackets",
        ),
        (
            '"molecular dynamics" = 2 }',
            '"" = 2 }',
            "demands[2].factors.: there is no workload ''",
        ),
    ],
)
def test_no_word_of_a_library_reaches_the_user(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    found = faults(tmp_path, [(REQUEST, old, new)])
    assert any(re.match(rf"procurement.toml:[0-9]+: {re.escape(message)}", e) for e in found), found
    for each in found:
        for word in ("[key]", "tuple", "constrained", "pattern", "dict", "Input", "pydantic"):
            assert word not in each


JARGON = re.compile(r"\[key\]|tuple|constrained|pattern|dict|Input|pydantic|valid (number|string)")
WORSE = ['""', "-1", "nan", "[]", "[[1]]", "{}", "{ a = 1 }", "2027-01-01T00:00:00"]


@pytest.mark.parametrize("worse", WORSE)
def test_whatever_stands_for_a_value_has_a_fault_in_plain_words(tmp_path: Path, worse: str) -> None:
    path = written(tmp_path, [(REQUEST, ROOFLINE, times(700))])
    lines = path.read_text(encoding="utf-8").splitlines()
    said: list[str] = []
    changed = 0
    for place, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        if not equals or line.startswith(("#", "{")):
            continue
        path.write_text("\n".join([*lines[:place], f"{key} = {worse}", *lines[place + 1 :]]))
        changed += 1
        try:
            scenarios.load(path)
        except ScenarioError as error:
            said += str(error).replace(str(tmp_path), "").splitlines()
    assert changed > 90
    assert [each for each in said if JARGON.search(each)] == []

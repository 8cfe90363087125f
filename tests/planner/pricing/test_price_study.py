"""headroom price: prices and estimators, from a scenario and from a log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import headroom as hr
from planner.errors import InputError
from planner.formatting import DASH
from planner.pricing.estimators.registry import ESTIMATORS
from planner.pricing.price import _numbers
from planner.pricing.study import PriceStudy
from planner.question import price_group_of
from planner.sharing_nodes.queue_bills.explanation import (
    NodeUse,
    means_by_rule,
    node_use,
    turnarounds,
)
from planner.sharing_nodes.queue_bills.study import QueuePriceStudy, verdict
from planner.sharing_nodes.queue_bills.tables import BILLS_COLUMNS, PRICES_COLUMNS, RULES_COLUMNS
from planner.worded_table import Column
from reports.grid import grouped, table
from reports.pricing.document import ESTIMATOR_TEXTS
from reports.pricing.document import document as price_document
from reports.queue_prices.document import document as day_document
from scenarios import ScenarioError
from scenarios.reading.replaced import with_values
from tests.planner.cli.commands import ran

SMALL = {"price.applications": ["LAMMPS", "MILC"], "price.counters.polling_errors": [0.1]}


@pytest.fixture(scope="module")
def study() -> PriceStudy:
    return hr.price(with_values(hr.load("poppa-12-codes"), SMALL), seeds=2)


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> QueuePriceStudy:
    return hr.price_log(_log(tmp_path_factory.mktemp("price")), nodes=8, seeds=2)


def _log(folder: Path) -> Path:
    """Twelve users, each with a few jobs of one or two nodes in one day."""
    rows = [
        f"{number},{600 * number},{1800 + 300 * (number % 5)},{1 + number % 2},u{number % 12}"
        for number in range(48)
    ]
    path = folder / "log.csv"
    path.write_text("number,submit,run,processors,user\n" + "\n".join(rows) + "\n")
    return path


def test_overhead_is_that_of_equations_9_and_10(study: PriceStudy) -> None:
    overhead = study.to_dict()["overhead"]
    assert overhead["sleep_fraction"] == pytest.approx(3200 / (2 * (3 * 3200 + 200_000)))
    assert overhead["dilation"] == pytest.approx(0.0076923, abs=1e-7)


@pytest.mark.parametrize(("jobs", "expected"), [(3, 0.01028278), (4, 0.01158)])
def test_overhead_of_more_jobs_needs_no_other_option(jobs: int, expected: float) -> None:
    study = hr.price(with_values(hr.load("poppa-12-codes"), SMALL), seeds=1, jobs_per_node=jobs)
    assert study.to_dict()["overhead"]["dilation"] == pytest.approx(expected, abs=5e-6)
    assert any("Only the overhead" in line for line in study.warnings)


def test_json_has_the_keys_that_other_tools_rely_on(study: PriceStudy) -> None:
    plain = json.loads(json.dumps(study.to_dict()))
    assert plain["seeds"] == [0, 1]
    assert {each["policy"] for each in plain["prices"]} == {
        "state-of-practice",
        "poppa",
        "oracle",
        "headroom",
    }
    for key in ("mean_discount", "max_discount", "revenue"):
        assert all(isinstance(each[key], float) for each in plain["prices"])
    wanted = ("mean_absolute_error", "largest_error", "bias", "phantom_discount", "price_error")
    for each in plain["estimators"]:
        assert each["estimator"]
        assert all(isinstance(each[key], float) for key in wanted)


def test_the_oracle_is_fair_and_billing_run_time_is_not(study: PriceStudy) -> None:
    prices = {each["policy"]: each for each in study.to_dict()["prices"]}
    assert prices["oracle"]["price_error"] == pytest.approx(0, abs=1e-12)
    assert prices["oracle"]["jain"] == pytest.approx(1)
    assert prices["state-of-practice"]["mean_discount"] < 0
    assert prices["headroom"]["price_error"] < prices["poppa"]["price_error"]


def test_a_pair_of_prices_by_run_time_and_by_the_oracle_is_one_matrix(study: PriceStudy) -> None:
    degradation = study.result.degradation
    prices = {each["policy"]: each for each in study.to_dict()["prices"]}
    assert prices["oracle"]["max_discount"] == pytest.approx(float(degradation.max()))
    inflated = 1 / (1 - float(degradation.max())) - 1
    assert -prices["state-of-practice"]["min_discount"] == pytest.approx(inflated, abs=0.02)


def test_the_same_seeds_give_the_same_numbers(study: PriceStudy) -> None:
    again = hr.price(with_values(hr.load("poppa-12-codes"), SMALL), seeds=2)
    assert again.to_dict() == study.to_dict()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"price.applications": ["MILK"]}, "MILC"),
        ({"price.estimators": ["algorithm-5"]}, "algorithm-4"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        hr.price(with_values(hr.load("poppa-12-codes"), changes), seeds=1)


def test_an_application_that_is_named_twice_is_refused() -> None:
    with pytest.raises(ScenarioError, match="twice"):
        with_values(hr.load("poppa-12-codes"), {"price.applications": ["CG", "CG"]})


def test_other_commands_say_which_command_answers() -> None:
    done = ran("plan", "poppa-12-codes")
    assert done.exit_code == 2
    assert "use it with headroom price" in done.output
    done = ran("price", "thesis-7kw")
    assert done.exit_code == 2
    assert "asks what to buy, not what users pay" in done.output


def test_a_day_has_bills_by_user_and_intervals_over_mappings(day: QueuePriceStudy) -> None:
    tables = day.tables()
    assert next(row["rule"] for row in tables["rules"]) == "whole nodes"
    assert sum(row["jobs"] for row in tables["bills"]) == day.settings["jobs_of_the_day"]
    for each in tables["sides"]:
        assert each["pays_less"] + each["pays_same"] + each["pays_more"] == len(tables["bills"])
    assert {row["quantity"] for row in tables["differences"]} >= {"mean_wait_s", "node_hours"}
    assert all(row["mean_error"] == 0 for row in tables["prices"] if row["policy"] == "oracle")


def test_a_day_that_the_log_does_not_have_is_refused(tmp_path: Path) -> None:
    done = ran("price", str(_log(tmp_path)), "--nodes", "8", "--day", "9")
    assert done.exit_code == 2
    assert "day 9" in done.output


def test_replay_and_live_exclude_each_other(tmp_path: Path) -> None:
    done = ran("price", "x.db", "--replay", "--live-job", "a,b,1,2")
    assert done.exit_code == 2
    assert "exclude each other" in done.output
    for job in ("a,b", "a,b,\u00b2,1"):
        done = ran("price", "x.db", "--live-job", job)
        assert done.exit_code == 2
        assert "NAME,USER,CORES,PID" in done.output
    path = tmp_path / "site.db"
    path.write_text("no database")
    done = ran("price", str(path), "--replay")
    assert done.exit_code == 2
    assert "Traceback" not in done.output


def test_reports_have_their_figures(
    study: PriceStudy, day: QueuePriceStudy, tmp_path: Path
) -> None:
    for number, each in enumerate((study, day)):
        written = hr.report(each, tmp_path / str(number))
        assert written.report.stat().st_size > 0
    assert {*hr.figures(study)} == {
        "01-prices", "02-errors", "03-degradation", "04-overhead", "05-frontier",
    }  # fmt: skip
    assert {*hr.figures(day)} == {"00-rules", "01-bills", "02-turnaround"}


def test_a_terminal_has_the_short_tables_and_names_the_others(
    monkeypatch: pytest.MonkeyPatch, study: PriceStudy
) -> None:
    monkeypatch.setattr("planner.pricing.price.price", lambda *_args, **_options: study)
    output = ran("price", "poppa-12-codes").output
    assert "by pricing policy" in output
    assert "more tables are in the report (-o DIR) and in --json: estimators, frontier" in output


def test_one_seed_shows_no_spread_but_json_keeps_the_key(study: PriceStudy) -> None:
    one = replace(study, result=replace(study.result, seeds=(0,)))
    shown = {table.name: table for table in one.shown}
    assert "s.d. over seeds" not in shown["estimators"].headings()
    assert "spread" in shown["estimators"].plain()[0]
    assert "s.d. over seeds" in {t.name: t for t in study.shown}["estimators"].headings()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("poppa-12-codes", "--day", "3"), "--day has no effect here: it is for a job log"),
        (("{log}", "--shutter-gap", "5"), "--shutter-gap has no effect here"),
        (("{log}", "--replay", "-o", "out"), "-o has no effect here"),
        (("{log}", "--head", "0" * 64), "--head has no effect here: it is for --replay"),
        (("{database}", "--head", "0" * 64), "is a pricing log, not a job log; add --replay"),
        (("{database}",), "is a pricing log, not a job log; add --replay"),
        (("{folder}",), "is a folder, not a file; give the path of a job log"),
        (("{log}",), "give the number of its nodes (--nodes"),
        (("{log}", "--nodes", "8", "--column", "user=owner"), "no heading 'owner'"),
        (("thesis-rmap",), "use it with headroom schedule"),
    ],
)
def test_what_goes_with_another_kind_of_input_is_refused(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    (tmp_path / "site.db").write_bytes(b"SQLite format 3\0")
    names = {"log": _log(tmp_path), "database": tmp_path / "site.db", "folder": tmp_path}
    done = ran("price", *(word.format_map(names) for word in words))
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())


def test_bills_name_the_users_of_the_log(day: QueuePriceStudy) -> None:
    users = {row["user"] for row in day.tables()["bills"]}
    assert users == {f"u{number}" for number in range(12)}
    assert not any("No user" in line for line in day.warnings)


def test_a_day_without_a_job_that_fits_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("number,submit,run,processors\n1,0,60,1\n2,86400,60,3\n3,86401,60,2\n")
    with pytest.raises(InputError, match="no job of the day fits 1 node; the smallest takes 2:"):
        hr.price_log(path, nodes=1, day=2)
    path.write_text("number,submit,run,processors\n1,0,60,3\n")
    with pytest.raises(InputError, match=r"no job of .*log.csv fits 2 nodes; .* takes 3: give"):
        hr.price_log(path, nodes=2)


@pytest.mark.parametrize(
    ("columns", "key"),
    [(RULES_COLUMNS, "measures.node_hours"), (RULES_COLUMNS, "measures.energy_kwh"),
     (PRICES_COLUMNS, "revenue_su"), (BILLS_COLUMNS, "before_su")],
)  # fmt: skip
def test_an_amount_of_a_short_log_is_not_printed_as_zero(
    columns: Sequence[Column], key: str
) -> None:
    (column,) = (each for each in columns if each.key == key)
    amounts = (0.004444, 0.4, 12_345.6)
    assert [column.text(amount) for amount in amounts] == ["0.004444", "0.4", "12,346"]


@pytest.mark.slow
def test_a_log_without_users_and_jobs_that_do_not_fit_are_warnings(tmp_path: Path) -> None:
    rows = [f"{number},{600 * number},1800,{1 + number % 2}" for number in range(12)]
    path = tmp_path / "log.csv"
    path.write_text("number,submit,run,processors\n" + "\n".join(rows) + "\n")
    study = hr.price_log(path, nodes=1)
    warnings = " ".join(study.warnings)
    assert "No user is given for 12 of 12 jobs of the log" in warnings
    assert (
        "6 of the day's 12 jobs were left out, needing up to 2 nodes; the machine has 1."
        in warnings
    )
    assert (study.settings["jobs_of_the_day"], study.settings["jobs_simulated"]) == (12, 6)
    assert "lack a time limit" in warnings
    pages = {page["heading"]: page for page in day_document(study, ())["pages"]}
    bills = pages["Who pays less, and who pays more?"]
    assert "The log names no users" in str(bills["blocks"][0])
    assert "of 6 jobs" in bills["answer"]  # not of users, as the log names none
    assert [block["kind"] for block in bills["blocks"]] == ["text"]
    assert "user" not in " ".join(study.explanation.reasons)


def test_a_day_has_whole_nodes_as_reference_and_one_row_for_equal_prices(
    day: QueuePriceStudy,
) -> None:
    pages = {page["heading"]: page for page in day_document(day, ())["pages"]}
    blocks = pages["How much does the site earn?"]["blocks"]
    (rows,) = (block["table"]["rows"] for block in blocks if block["kind"] == "table")
    assert rows[0][:2] == ["whole nodes", "by run time"]
    (idle,) = (row for row in rows if row[0] == "half idle")
    assert idle[1] == "all prices"
    assert {*idle[4:]} == {DASH}  # no job shared a node
    uncertain = pages["How uncertain is this?"]["blocks"][-1]["table"]["rows"]
    units = {cell.split()[-1] for row in uncertain for cell in row[1:3] if cell[-1:].isalpha()}
    assert len(units) == 1


@pytest.mark.parametrize(
    ("time", "hours", "doubts", "start"),
    [
        (0.9, 1.1, ("may be chance", ""), "Sharing is not shown to be worthwhile: "),
        (0.9, 0.9, ("", "may be chance"), "Sharing is not shown to be worthwhile: "),
        (0.9, 1.1, ("", "may be chance"), "Sharing is not shown to be worthwhile: "),
        (0.9, 0.9, ("", ""), "Sharing is worthwhile: "),
        (0.9, 1.0, ("", ""), "Sharing is worthwhile: "),
        (0.9, 1.1, ("", ""), "Sharing is a trade: "),
        (1.1, 0.9, ("", ""), "Sharing is a trade: "),
        (1.1, 1.1, ("", ""), "Sharing is not worthwhile: "),
    ],
)
def test_the_headline_of_a_day_says_whether_sharing_pays(
    time: float, hours: float, doubts: tuple[str, str], start: str
) -> None:
    assert verdict(time, hours, *doubts).startswith(start)


def test_the_headline_of_a_day_doubts_each_change_and_names_none_of_0_per_cent() -> None:
    assert verdict(0.8, 1.03, "", "may be chance").endswith("rise by 3.0 % (may be chance).")
    assert verdict(0.8, 1.00001, "").endswith("falls by 20 % and node-hours are unchanged.")
    assert verdict(0.8, 1.03, "x", "x").count("(") == 1
    assert verdict(1.0, 1.0, "may be chance", "may be chance") == (
        "Sharing is not worthwhile: mean turnaround is unchanged and node-hours are unchanged."
    )
    assert verdict(1.0, 0.97, "may be chance", "may be chance") == (
        "Sharing is not shown to be worthwhile: mean turnaround is unchanged and node-hours fall "
        "by 3.0 % (may be chance)."
    )


def test_the_pages_of_prices_answer_with_numbers_and_explain_their_terms(study: PriceStudy) -> None:
    plain = price_document(replace(study, command=("price", "poppa-12-codes")), ())
    pages = {page["heading"]: page for page in plain["pages"]}
    assert plain["kicker"] == "Prices of shared nodes"
    assert all("%" in page["answer"] for page in pages.values() if page["answer"])
    worst = max(study.result.application_rows(), key=lambda row: row.mean_degradation)
    assert pages["Which applications lose most speed?"]["answer"].startswith(worst.application)
    names = dict.fromkeys(score.estimator for score in study.result.scores)
    explained = pages["Appendix: estimators"]["blocks"][0]["table"]["rows"]
    assert [name for name, _ in explained] == [*names]
    assert pages["Appendix: provenance"]["blocks"][0]["table"]["rows"][0] == [
        "Command", "headroom price poppa-12-codes",
    ]  # fmt: skip
    tables = [block["table"] for page in pages.values() for block in page["blocks"]
              if block["kind"] == "table"]  # fmt: skip
    assert max(len(table["columns"]) for table in tables) <= 8
    assert all(name[:1] == name[:1].upper() for table in tables
               for name in (column["name"] for column in table["columns"]))  # fmt: skip


def test_every_estimator_is_explained() -> None:
    assert {*ESTIMATOR_TEXTS} == {*ESTIMATORS}


def test_the_pages_of_a_day_explain_rules_and_compare_bills(day: QueuePriceStudy) -> None:
    pages = {page["heading"]: page for page in day_document(day, ())["pages"]}
    rules = pages["Which rules are compared?"]["blocks"][0]["table"]["rows"]
    assert pages["Which rules are compared?"]["answer"].startswith("Four rules: whole nodes; ")
    assert "A rule of your own." not in [text for _, text in rules]
    assert pages["Who pays less, and who pays more?"]["answer"].startswith(
        "Headroom's prices lower"
    )
    measures = [row[0] for row in pages["How uncertain is this?"]["blocks"][-1]["table"]["rows"]]
    assert "mean turnaround" in measures
    assert not any("_" in name for name in measures)


@pytest.mark.parametrize(
    ("changes", "origins"),
    [
        ({}, ("set by the scenario", "default")),
        ({"price.counters.sampler_noise": 0.03}, ("set by the scenario", "set by the scenario")),
    ],
)
def test_only_what_a_scenario_sets_is_said_to_be_set_by_it(
    changes: dict[str, Any], origins: tuple[str, str]
) -> None:
    question = price_group_of(with_values(hr.load("poppa-12-codes"), changes))
    numbers = {number.name: number for number in _numbers(question)}
    noise = numbers["counter noise, sampler noise"]
    assert noise.value == f"5 %, {100 * question.counters.sampler_noise:g} points"
    assert [part.rstrip(")").split("(")[-1] for part in noise.reason.split("), ")] == [*origins]


def test_the_headline_says_what_to_charge_and_risks_what_the_site_loses(study: PriceStudy) -> None:
    assert study.headline.startswith("Charge by measured interference: ")
    fairness = dict(study.result.fairness)
    fairness["headroom"], fairness["state-of-practice"] = (
        fairness["state-of-practice"], fairness["headroom"],
    )  # fmt: skip
    swapped = replace(study, result=replace(study.result, fairness=fairness))
    assert swapped.headline.startswith("Keep prices by run time: ")
    assert any("The site earns" in line for line in study.warnings)
    assert not any("The site earns" in line for line in swapped.warnings)


def test_a_tariff_has_its_size_and_revenue_is_compared_with_that_by_run_time(
    study: PriceStudy,
) -> None:
    month = study.result.month
    assert month.run_time_ratio > 1 > month.unadjusted_ratio
    low, high = study.result.tariff_rise
    assert month.next_ratio == pytest.approx(month.unadjusted_ratio * (1 + high), abs=0.01)
    assert 0 < low <= high
    pages = {page["heading"]: page for page in price_document(study, ())["pages"]}
    rows = pages["What does the site earn?"]["blocks"][1]["table"]["rows"]
    assert [row[0] for row in rows][-1] == "Headroom, with a tariff"


def test_the_first_table_of_a_day_names_the_jobs_of_each_group(
    day: QueuePriceStudy, tmp_path: Path
) -> None:
    one = day_document(replace(day, replications=None), ())
    assert "groups" not in one["table"]  # the log has no other day
    rows = [f"{number},{3600 * number},1800,1,u{number % 12}" for number in range(48)]
    path = tmp_path / "log.csv"
    path.write_text("number,submit,run,processors,user\n" + "\n".join(rows) + "\n")
    second = day_document(hr.price_log(path, nodes=8, day=2), ())["table"]["groups"]
    assert [(group["name"], group["columns"]) for group in second] == [
        ("", 1),
        ("24 jobs of the day", 3),
        ("all 48 jobs, with the week before", 4),
    ]
    with pytest.raises(ValueError, match="groups"):
        grouped(table((("a", False),), (1,), []), (("b", 2),))


def test_an_overhead_above_the_accepted_one_is_a_warning_and_no_limit_binds(
    study: PriceStudy,
) -> None:
    line = "Measuring makes jobs 0.77 % longer; the site accepts 1 %."
    assert line in study.explanation.reasons
    assert study.explanation.limits == ()  # it does not bind
    strict = replace(study, scenario=with_values(study.scenario, {"price.overhead_budget": 0.005}))
    assert not any("the site accepts" in reason for reason in strict.explanation.reasons)
    assert any("0.77 % longer; the site accepts 0.5 %" in line for line in strict.warnings)


def test_node_hours_change_by_empty_halves_and_by_the_core_hours_of_jobs(
    day: QueuePriceStudy,
) -> None:
    several, one = day.replications, replace(day, replications=None)
    assert several is not None
    hours = several.change(day.best.rule, "node_hours")
    use = node_use(day)
    assert 1 + use.added + use.core_hours == pytest.approx(hours.after / hours.before)
    measures = one.best.measures  # counted from the meetings of jobs, and not from core-hours
    assert node_use(one).empty == pytest.approx(measures.idle_half_hours / measures.node_hours)
    assert f"{use.text}." in day.explanation.reasons
    uncertain = next(
        page
        for page in day_document(day, ())["pages"]
        if page["heading"] == "How uncertain is this?"
    )
    assert use.text in str(uncertain["blocks"][1])
    assert "geometric mean" in uncertain["blocks"][-1]["caption"]


def test_causes_of_node_hours_have_their_signs() -> None:
    assert NodeUse(0.28, 0.163, -0.013).text == (
        "Empty halves add 16.3 % to node-hours: nodes have one for 28 % of the time in use; "
        "jobs take 1.3 % fewer core-hours"
    )
    assert NodeUse(0.28, 0.163, 0.02).text.endswith("jobs take 2.0 % more core-hours")
    assert NodeUse(0.0, 0.0, 0.0).text == (
        "Halves of nodes in use are hardly ever empty; jobs take as many core-hours as on whole "
        "nodes"
    )


def test_the_first_page_of_a_day_shows_the_jobs_and_mappings_of_its_headline(
    day: QueuePriceStudy,
) -> None:
    several = day.replications
    assert several is not None
    rows = {row["rule"]: row["measures"] for row in means_by_rule(day)}
    change = several.change(day.best.rule, "mean_turnaround_s")
    assert rows[day.best.rule]["mean_turnaround_s"] == change.after
    assert rows["whole nodes"]["mean_turnaround_s"] == change.before
    ours, today = turnarounds(day)
    assert any(f"{ours} instead of {today}" in reason for reason in day.explanation.reasons)
    first = day_document(day, ())["table"]
    by_rule = {row[0]: row for row in first["rows"]}
    assert by_rule["whole nodes"][3] == today
    assert by_rule["shared, may start alone"][3] == ours
    assert [group["name"] for group in first["groups"]] == ["", "all 48 jobs; means of 2 mappings"]


def test_predicted_run_times_are_those_with_the_partner(study: PriceStudy) -> None:
    pages = {page["heading"]: page for page in price_document(study, ())["pages"]}
    page = pages["How well is interference measured?"]
    assert "with a partner" in page["answer"]
    assert "turn its run time alone into that with the partner" in str(page["blocks"][0])
    slows = study.result.applications[int(study.result.degradation.mean(axis=0).argmax())]
    lost = pages["Which applications lose most speed?"]["blocks"][0]
    assert f"As a partner, {slows} slows others most" in str(lost)

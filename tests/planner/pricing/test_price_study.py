"""headroom price: prices and estimators, from a scenario and from a log."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import headroom as hr
from planner.answer import Answer
from planner.errors import InputError
from planner.pricing.estimators.registry import ESTIMATORS
from planner.pricing.price import _numbers
from planner.pricing.study import PriceStudy
from planner.question import price_group_of
from planner.sharing_nodes.queue_bills.facts import changed, verdict
from planner.sharing_nodes.queue_bills.study import QueuePriceStudy
from reports.messages import catalogue
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


def kinds(answer: Answer) -> set[str]:
    """Kinds of the headline and of the findings."""
    return {each.kind for each in (answer.study.headline, *answer.study.findings)}


def test_overhead_is_that_of_equations_9_and_10(study: PriceStudy) -> None:
    overhead = study.to_dict()["overhead"]
    assert overhead["sleep_fraction"] == pytest.approx(3200 / (2 * (3 * 3200 + 200_000)))
    assert overhead["dilation"] == pytest.approx(0.0076923, abs=1e-7)


@pytest.mark.parametrize(("jobs", "expected"), [(3, 0.01028278), (4, 0.01158)])
def test_overhead_of_more_jobs_needs_no_other_option(jobs: int, expected: float) -> None:
    study = hr.price(with_values(hr.load("poppa-12-codes"), SMALL), seeds=1, jobs_per_node=jobs)
    assert study.to_dict()["overhead"]["dilation"] == pytest.approx(expected, abs=5e-6)
    assert "pairs-only" in kinds(study)


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
        "01-paid", "02-errors", "03-degradation", "04-overhead", "05-settings",
    }  # fmt: skip
    assert {*hr.figures(day)} == {"01-turnaround", "02-bills", "03-sooner"}


def test_one_seed_shows_no_spread_but_json_keeps_the_key(study: PriceStudy) -> None:
    one = replace(study, result=replace(study.result, seeds=(0,)))
    for answer, is_shown in ((one, False), (study, True)):
        (spread,) = (column for column in answer.study.table("estimators").columns
                     if column.key == "spread")  # fmt: skip
        assert spread.shown == is_shown
        assert "spread" in answer.study.data["estimators"][0]


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
    assert "nameless" not in kinds(day)


def test_a_day_without_a_job_that_fits_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("number,submit,run,processors\n1,0,60,1\n2,86400,60,3\n3,86401,60,2\n")
    with pytest.raises(InputError, match="no job of the day fits 1 node; the smallest takes 2:"):
        hr.price_log(path, nodes=1, day=2)
    path.write_text("number,submit,run,processors\n1,0,60,3\n")
    with pytest.raises(InputError, match=r"no job of .*log.csv fits 2 nodes; .* takes 3: give"):
        hr.price_log(path, nodes=2)


@pytest.mark.slow
def test_a_log_without_users_and_jobs_that_do_not_fit_are_warnings(tmp_path: Path) -> None:
    rows = [f"{number},{600 * number},1800,{1 + number % 2}" for number in range(12)]
    path = tmp_path / "log.csv"
    path.write_text("number,submit,run,processors\n" + "\n".join(rows) + "\n")
    study = hr.price_log(path, nodes=1)
    assert {"nameless", "left-out", "unlimited"} <= kinds(study)
    assert (study.settings["jobs_of_the_day"], study.settings["jobs_simulated"]) == (12, 6)
    assert (study.payers.noun, study.payers.sides.count) == ("job", 6)
    assert "sides" not in {name for page in study.study.questions for name in page.tables}


def test_a_day_has_whole_nodes_as_reference_and_no_discount_where_no_job_shares(
    day: QueuePriceStudy,
) -> None:
    first, *others = day.study.rows("revenue")
    assert (first["rule"], first["policy"], first["revenue_ratio"]) == (
        "whole nodes", "state of practice", 1.0,
    )  # fmt: skip
    idle = [row for row in others if row["rule"] == "half idle"]
    assert len({row["revenue_su"] for row in idle}) == 1
    assert {row[key] for row in idle for key in ("mean_discount", "mean_error", "bias")} == {None}


@pytest.mark.parametrize(
    ("ratios", "doubtful", "kind"),
    [
        ((0.9, 1.1), (True, False), "not-shown"),
        ((0.9, 0.9), (False, True), "not-shown"),
        ((0.9, 1.1), (False, True), "not-shown"),
        ((0.9, 0.9), (False, False), "worthwhile"),
        ((0.9, 1.0), (False, False), "worthwhile"),
        ((0.8, 1.00001), (False, True), "worthwhile"),
        ((0.9, 1.1), (False, False), "trade"),
        ((1.1, 0.9), (False, False), "trade"),
        ((1.1, 1.1), (False, False), "not-worthwhile"),
        ((1.0, 1.0), (True, True), "not-worthwhile"),
        ((1.0, 0.97), (True, True), "not-shown"),
    ],
)
def test_the_headline_of_a_day_says_whether_sharing_pays(
    ratios: tuple[float, float], doubtful: tuple[bool, bool], kind: str
) -> None:
    first, second = map(changed, ratios)
    assert verdict((first, second), single=False, doubtful=doubtful) == kind
    one = "not-shown-single" if first or second else "not-worthwhile"
    assert verdict((first, second), single=True, doubtful=(False, False)) == one


def test_every_estimator_has_a_name_and_is_explained() -> None:
    texts = catalogue("price").sections
    assert {*texts["words"]["estimator"]} == {*ESTIMATORS}
    assert {f"estimator-{name}" for name in ESTIMATORS} <= {*texts["texts"]}


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
    assert {"charge", "revenue-falls"} <= kinds(study)
    fairness = dict(study.result.fairness)
    fairness["headroom"], fairness["state-of-practice"] = (
        fairness["state-of-practice"], fairness["headroom"],
    )  # fmt: skip
    swapped = replace(study, result=replace(study.result, fairness=fairness))
    assert "keep" in kinds(swapped)


def test_a_tariff_has_its_size_and_revenue_is_compared_with_that_by_run_time(
    study: PriceStudy,
) -> None:
    month = study.result.month
    assert month.run_time_ratio > 1 > month.unadjusted_ratio
    low, high = study.result.tariff_rise
    assert month.next_ratio == pytest.approx(month.unadjusted_ratio * (1 + high), abs=0.01)
    assert 0 < low <= high


def test_an_overhead_above_the_accepted_one_is_a_risk(study: PriceStudy) -> None:
    assert "slow" not in kinds(study)
    strict = replace(study, scenario=with_values(study.scenario, {"price.overhead_budget": 0.005}))
    assert "slow" in kinds(strict)


def test_a_law_without_parameters_has_no_page_of_them(study: PriceStudy) -> None:
    other = replace(study, scenario=with_values(study.scenario, {"price.law": "sensitivity"}))
    for answer, names in ((study, ["simulated_node"]), (other, [])):
        pages = [name for page in answer.study.questions for name in page.tables]
        assert [name for name in pages if name == "simulated_node"] == names


def test_node_hours_change_by_empty_halves_and_by_the_core_hours_of_jobs(
    day: QueuePriceStudy,
) -> None:
    several, one = day.replications, replace(day, replications=None)
    assert several is not None
    hours, use = several.change(day.best.rule, "node_hours"), day.use
    assert 1 + use.added + use.core_hours == pytest.approx(hours.after / hours.before)
    measures = one.best.measures  # counted from the meetings of jobs, and not from core-hours
    assert one.use.empty == pytest.approx(measures.idle_half_hours / measures.node_hours)


def test_the_first_page_of_a_day_shows_the_jobs_and_mappings_of_its_headline(
    day: QueuePriceStudy,
) -> None:
    several = day.replications
    assert several is not None
    rows = {row["rule"]: row for row in day.study.rows(day.study.decision)}
    change = several.change(day.best.rule, "mean_turnaround_s")
    assert rows[day.best.rule]["mean_turnaround_s"] == change.after
    assert rows["whole nodes"]["mean_turnaround_s"] == change.before
    turnaround = next(fact for fact in day.study.facts if fact.key == "turnaround")
    assert turnaround.value == change.after
    assert replace(day, replications=None).study.decision == "rules"


def test_the_rule_shown_is_the_best_over_all_mappings(day: QueuePriceStudy) -> None:
    several = day.replications
    assert several is not None
    means = {rule: several.change(rule, "mean_turnaround_s").after
             for rule in ("share, spread", "share, wait")}  # fmt: skip
    assert day.best.rule == min(means, key=lambda rule: means[rule])


def test_lines_of_many_users_have_few_points(tmp_path: Path) -> None:
    rows = [f"{number},{60 * number},1800,1,u{number % 90}" for number in range(180)]
    path = tmp_path / "log.csv"
    path.write_text("number,submit,run,processors,user\n" + "\n".join(rows) + "\n")
    ratios = hr.price_log(path, nodes=8).study.rows("turnaround ratios")
    assert len(ratios) == 40
    assert ratios[-1]["users"] == 1.0
    assert sorted(row["ratio"] for row in ratios) == [row["ratio"] for row in ratios]

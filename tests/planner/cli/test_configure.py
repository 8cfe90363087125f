"""`headroom configure` and `headroom share` as a user meets them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from planner.cli.configure import MODELS
from planner.cli.main import main
from planner.cli.values import grid_of
from planner.configurations.prediction.chosen import CHOSEN
from planner.configurations.prediction.families import MODELS as FAMILIES
from planner.configurations.prediction.families import model_named
from planner.configurations.prediction.predicted import Grid
from planner.configurations.prediction.processor import E5_2670, of_node
from planner.configurations.provisioning import NodeMaximum
from tests.planner.made_runs import HEADER, write_runs
from tests.shared_data import RZMERL, needs_data


def headroom(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def answer(*arguments: object) -> dict[str, Any]:
    result = headroom(*arguments, "--json")
    assert result.exit_code == 0, result.output
    plain: dict[str, Any] = json.loads(result.stdout)
    return plain


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_runs(tmp_path_factory.mktemp("runs") / "one.csv")


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_runs(tmp_path_factory.mktemp("runs") / "three.csv", ("a", "b=2", "c"))


@needs_data
def test_the_thesis_s_row_from_its_raw_data() -> None:
    result = answer(
        "configure", RZMERL, "--power-bound", 3500, "--application", "BT-MZ", "--repetition", "best"
    )
    assert result["best"] == {
        "nodes": 30,
        "cores_per_node": 14,
        "package_cap_w": 51.0,
        "time_s": pytest.approx(6.05, abs=0.005),
        "power_w": pytest.approx(3418, abs=0.5),
    }
    packed, rated = result["canonical"]["packed-max"], result["worst_case"]
    assert (packed["nodes"], packed["cores_per_node"], packed["package_cap_w"]) == (16, 16, 115.0)
    assert (round(packed["time_s"], 2), round(packed["power_w"])) == (7.26, 3232)
    assert (rated["nodes_by_rating"], rated["nodes"]) == (12, 12)
    assert (round(rated["time_s"], 2), round(rated["power_w"])) == (9.9, 2398)
    assert rated["node_maximum_w"] == 290.0
    lines = {item["bound_w"]: item["line_fit"] for item in result["at_bounds"]}
    slopes = [lines[bound]["slope_s_per_node"] for bound in (2500.0, 3500.0, 6500.0)]
    assert slopes == pytest.approx([0.375, -0.0693, -0.236], abs=5e-4)
    assert lines[3500.0]["intercept_s"] == pytest.approx(8.479, abs=5e-4)


@needs_data
def test_every_application_of_the_real_table_at_once() -> None:
    result = answer("configure", RZMERL, "--power-bound", 3500)
    assert list(result["applications"]) == ["BT-MZ", "SC", "SM", "NSM", "NSC"]
    assert result["applications"]["BT-MZ"]["best"]["nodes"] == 30


def test_json_says_what_was_asked_and_what_counts_as_power(one: Path) -> None:
    result = answer("configure", one, "--power-bound", 2000, "--guard", 5, "--tolerance", 20)
    assert (result["application"], result["bound_w"], result["guard"]) == ("solver", 2000, 0.05)
    assert result["best"]["power_w"] <= 1900
    assert result["power_counts"] == "packages and memory"
    assert {"packed-max", "packed-min", "spread-max", "spread-min"} == set(result["canonical"])
    assert len(result["near_optimal"]) > 1
    assert result["near_optimal"][0]["slowdown"] == 0.0
    assert result["near_optimal"][-1]["slowdown"] <= 0.2
    gain = result["canonical"]["packed-max"]["gain_of_best"]
    assert 1 - 1 / gain["speedup"] == pytest.approx(gain["time_reduction"])


def test_output_names_the_decision_and_every_baseline(one: Path) -> None:
    shown = headroom("configure", one, "--power-bound", 2000).stdout
    for words in ("Under 2,000 W, solver runs fastest as", "Packed-max", "Spread-min", "by rating"):
        assert words in shown


def test_quiet_prints_nothing(one: Path) -> None:
    assert headroom("configure", one, "--power-bound", 2000, "-q").output == ""


def test_a_bound_below_everything_is_no_plan_and_names_the_cheapest(one: Path) -> None:
    result = headroom("configure", one, "--power-bound", 100)
    assert result.exit_code == 1
    assert "of (4 x 4, 51 W). Raise the bound" in result.output


def test_applications_without_an_answer_do_not_hide_the_others(tmp_path: Path) -> None:
    lines = [HEADER, "big,4,4,51,1,10,900,0", "small,1,4,51,1,10,90,0"]
    (tmp_path / "two.csv").write_text("\n".join(lines))
    result = headroom("configure", tmp_path / "two.csv", "--power-bound", 500)
    assert result.exit_code == 0
    assert "small runs fastest as (1 x 4, 51 W)" in result.output
    refused = "Warning: No answer for big: (4 x 4, 51 W) draws least, 900 W. Raise the bound to 900"
    assert refused in result.output.replace("\xa0", " ")
    assert headroom("configure", tmp_path / "two.csv", "--power-bound", 50).exit_code == 1


def test_an_unknown_application_lists_the_nearest(three: Path) -> None:
    result = headroom("configure", three, "--power-bound", 2000, "-A", "b")
    assert result.exit_code == 2
    assert "has no application 'b'; did you mean 'b=2'?" in result.output


def test_some_applications_make_a_weighted_mix(three: Path) -> None:
    result = answer(
        "configure", three, "--power-bound", 2000, "-A", "a", "-A", "c", "--weight", "a=3",
        "--fixed-cost-nodes", 10,
    )  # fmt: skip
    assert list(result["applications"]) == ["a", "c"]
    assert result["weights"] == {"a": 3.0, "c": 1.0}
    assert result["mix_degree"]["money_nodes"] in (4, 8, 12, 16, 20)


def test_capitals_do_not_count_in_the_application_of_a_weight(three: Path) -> None:
    words = ("configure", three, "--power-bound", 2000, "--weight", "A=3", "--weight", "B=2=2")
    assert answer(*words)["weights"] == {"a": 3.0, "b=2": 2.0, "c": 1.0}
    twice = headroom(*words, "--weight", "a=1")
    assert twice.exit_code == 2
    assert "a is given twice; keep one" in twice.output


def test_power_of_packages_alone_has_no_memory_in_the_worst_case(tmp_path: Path) -> None:
    lines = ["id,job_id,nodes,cores,pkg_cap,exec_time,tot_pkg"]
    lines += [f"{n},7,{n},16,115,{100 / n},{200 * n}" for n in (1, 2, 4, 8)]
    (tmp_path / "jobs.csv").write_text("\n".join(lines))
    result = answer("configure", tmp_path / "jobs.csv", "--power-bound", 920)
    assert result["application"] == "7"
    assert result["power_counts"] == "packages"
    assert (result["worst_case"]["node_maximum_w"], result["worst_case"]["nodes"]) == (230.0, 4)
    over = answer(
        "configure", tmp_path / "jobs.csv", "--power-bound", 920, "--socket-dram-power", 30
    )
    assert (over["worst_case"]["node_maximum_w"], over["worst_case"]["nodes"]) == (290.0, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--power-bound", "0"], "power-bound"),
        (["--power-bound", "nan"], "'nan' is not a number"),
        (["--power-bound", "10", "--guard", "-1"], "guard"),
        (["--power-bound", "10", "--sockets", "0"], "sockets"),
        (["--power-bound", "2000", "--weight", "much"], "is not APPLICATION=WEIGHT"),
        (["--power-bound", "2000", "--weight", "solver=-1"], "the weight of solver is -1"),
        (
            ["--power-bound", "2000", "--weight", "solver=nan"],
            "the weight of solver: 'nan' is not a number",
        ),
        (["--power-bound", "2000", "--weight", "solver=0"], "all weights of the mix are 0"),
        (["--power-bound", "2000", "--weight", "solver=much"], "'much' is not a number"),
        (["--power-bound", "2000", "--weight", "other=1"], "has no application 'other'"),
        (["--power-bound", "2000", "--column", "time_s=Wall"], "Wall"),
        ([], "power-bound"),
    ],
)
def test_wrong_usage_is_status_2(one: Path, arguments: list[str], message: str) -> None:
    result = headroom("configure", one, *arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_every_family_of_models_can_be_asked_for() -> None:
    from planner.configurations.prediction.families import MODELS as FAMILIES

    assert tuple(FAMILIES) == MODELS


def test_axes_of_a_grid_are_ranges_with_both_ends_or_lists() -> None:
    result = grid_of(("nodes=8:13:2", "caps=51,65.5,51"))
    assert result == Grid((8, 10, 12), (), (51.0, 65.5, 51.0))
    assert grid_of(("cores=4:6", "caps=50:51:0.5")) == Grid((), (4, 5, 6), (50.0, 50.5, 51.0))
    assert grid_of(()) is None


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        (["nodes"], "is not NAME=VALUE"),
        (["nodes=8:"], "is neither first:last:step nor a list"),
        (["nodes=8:4:1"], "is neither first:last:step nor a list"),
        (["nodes=1:9:0"], "is neither first:last:step nor a list"),
        (["nodes=1:9:2:1"], "is neither first:last:step nor a list"),
        (["nodes=4,many"], "is neither first:last:step nor a list"),
        (["caps=0,51"], "is neither first:last:step nor a list"),
        (["caps=nan"], "is neither first:last:step nor a list"),
        (["cores=4.5"], "cores must be whole numbers"),
        (["racks=4"], "'racks' is not an axis; give nodes, cores or caps"),
        (["nodes=1:99999", "caps=1:9"], "configurations; give at most 100,000"),
    ],
)
def test_a_grid_that_cannot_be_read_is_refused(one: Path, axes: list[str], message: str) -> None:
    words = [word for axis in axes for word in ("--grid", axis)]
    result = headroom("configure", one, "--power-bound", 2000, "--model", "log-polynomial", *words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_a_grid_without_predictions_is_wrong_usage(one: Path) -> None:
    result = headroom("configure", one, "--power-bound", 2000, "--grid", "nodes=4")
    assert result.exit_code == 2
    assert "--grid needs --model or --next" in result.output


def few(path: Path, places: Sequence[tuple[int, int, int]]) -> Path:
    lines = [f"code,{n},{c},{p},1,{900 / (n * c)},{n * (40 + c)},0" for n, c, p in places]
    path.write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
    return path


def test_a_model_says_how_many_configurations_it_needs(tmp_path: Path) -> None:
    table = few(tmp_path / "few.csv", [(1, 4, 51), (2, 8, 80), (4, 16, 115)])
    for name, least in (("log-polynomial", 10), ("physical", 4), ("physical+process", 4)):
        result = headroom("configure", table, "--power-bound", 900, "--model", name)
        assert result.exit_code == 2
        words = " ".join(result.output.split())
        assert f"{name} needs {least} different configurations, but the file has 3" in words


def test_few_runs_are_followed_by_some_that_cover_the_space(tmp_path: Path) -> None:
    table = few(tmp_path / "few.csv", [(1, 4, 51), (4, 16, 115)])
    whole = answer("configure", table, "--power-bound", 900, "--next", 3)
    assert whole["too_few"] == [{"application": "code", "configurations": 2, "needed": 4}]
    shown = headroom("configure", table, "--power-bound", 900, "--next", 3)
    words = " ".join(shown.output.split())
    assert "code: a prediction needs 4 different configurations, but the file has 2." in words
    assert "Make these runs, add them to the file, and repeat this." in words
    result = whole["next_runs"]
    assert [item["why"] for item in result] == ["covers the range"] * 3
    places = {(item["nodes"], item["cores_per_node"], item["package_cap_w"]) for item in result}
    assert len(places - {(1, 4, 51.0), (4, 16, 115.0)}) == 3
    beyond = answer("configure", table, "--power-bound", 900, "--next", 1, "--grid", "nodes=8")
    assert beyond["next_runs"][0]["nodes"] == 8


def test_where_everything_was_run_nothing_is_suggested(tmp_path: Path) -> None:
    table = few(tmp_path / "few.csv", [(1, 4, 51), (4, 4, 51)])
    shown = headroom("configure", table, "--power-bound", 900, "--next", 2)
    assert headroom("configure", table, "--power-bound", 900, "--next", 2, "-q").stdout == ""
    assert shown.exit_code == 0
    assert shown.output.startswith("code: 0 of 2 runs are suggested")


def test_a_choice_among_predictions_keeps_a_guard(one: Path) -> None:
    words = (
        "configure", one, "--power-bound", 2000, "--model", "log-polynomial", "--grid",
        "nodes=5:19:2",
    )  # fmt: skip
    result = answer(*words)
    assert (result["model"], result["predicted"]) == ("log-polynomial", True)
    assert (result["guard"], result["prediction_guard"]) == (0.0, 0.03)
    assert result["predicted_configurations"] == result["configurations"] == 120
    assert result["best"]["power_w"] <= 0.97 * 2000
    assert result["growth_rule"] == "grid"
    free = answer(*words, "--guard", 0)
    assert (free["guard"], free["prediction_guard"]) == (0.0, 0.0)
    assert free["best"]["power_w"] > 0.97 * 2000
    remaining = answer(*words, "--guard", 10)
    assert (remaining["guard"], remaining["prediction_guard"]) == (0.1, 0.0)
    assert remaining["best"]["power_w"] <= 0.9 * 2000
    small = headroom("configure", few(one.parent / "few.csv", [(1, 4, 51), (2, 4, 51)]),
                     "--power-bound", 900, "--full")  # fmt: skip
    assert small.exit_code == 2
    assert "needs an application with at least 40 configurations" in small.output


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    result = headroom("configure", tmp_path / "none.csv", "--power-bound", 100)
    assert result.exit_code == 2
    assert "does not exist" in result.output


def test_jobs_share_nodes_and_watts(three: Path) -> None:
    result = answer(
        "share", three, "--power-bound", 4000, "--nodes", 40, "--job", "a=2", "--job", "b=2",
        "--job", "a",
    )  # fmt: skip
    plan = result["plan"]
    assert [(item["name"], item["weight"]) for item in plan["jobs"]] == [
        ("a", 2.0),
        ("b=2", 1.0),
        ("a", 1.0),
    ]
    assert plan["certificate"]["status"] == "optimal"
    assert plan["power_w"] <= 4000
    assert plan["nodes"] <= 40
    times = np.array([item["weight"] * item["time_s"] for item in plan["jobs"]])
    assert plan["weighted_time_s"] == pytest.approx(times.sum())
    for rule in result["rules"].values():
        assert rule["weighted_time_s"] >= plan["weighted_time_s"] * (1 - 1e-6)
    shown = headroom(
        "share", three, "--power-bound", 4000, "--nodes", 40, "--objective", "makespan"
    )
    assert "; rules of thumb " in shown.output


def test_jobs_that_cannot_run_at_once_say_what_is_short(three: Path) -> None:
    result = headroom("share", three, "--power-bound", 4000, "--nodes", 11)
    assert result.exit_code == 1
    assert "3 jobs cannot run at once on 11 nodes" in result.output
    unknown = headroom("share", three, "--power-bound", 4000, "--nodes", 11, "--job", "x")
    assert unknown.exit_code == 2


def test_what_is_doubtful_about_a_model_stands_in_the_warnings(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    lines = [HEADER]
    for n, c, p in ((n, c, p) for n in (1, 2, 4) for c in (4, 8) for p in (51, 80, 115)):
        lines.append(f"noise,{n},{c},{p},1,{np.exp(random.normal(3, 2)):.3f},{90 * n:.0f},{9 * n}")
    (tmp_path / "noise.csv").write_text("\n".join(lines))
    settings = (
        "configure",
        tmp_path / "noise.csv",
        "--power-bound",
        500,
        "--model",
        "log-polynomial",
    )
    warnings = answer(*settings)["warnings"]
    assert warnings[0].startswith("The model does not fit the runs of noise: log-polynomial")
    beyond = answer(*settings, "--grid", "nodes=1:8", "--grid", "caps=5,80")["warnings"]
    assert {
        "Extrapolated for noise: nodes of 1 to 8, measured 1 to 4.",
        "Extrapolated for noise: caps [W] of 5 to 80, measured 51 to 115.",
    } <= {*beyond}


def test_models_are_of_the_node_that_is_asked_for() -> None:
    other = replace(E5_2670, sockets=4, turbo_cap_w=500.0)
    for name in MODELS:
        model = model_named(name, other)
        assert model.name == name
        processor = getattr(model, "processor", None) or getattr(
            getattr(model, "physical", None), "processor", None
        )
        assert processor == (None if name == "log-polynomial" else other)
    assert model_named("physical+process") == FAMILIES["physical+process"]
    assert of_node(NodeMaximum(4, 500.0, 0.0)) == other
    chosen = CHOSEN.on(other)
    assert chosen.model.physical.processor == other
    assert chosen.design == replace(CHOSEN.design, model=chosen.model, processor=other)
    assert CHOSEN.on(E5_2670) == CHOSEN


@pytest.mark.slow
def test_next_runs_are_of_the_node_that_is_asked_for(one: Path) -> None:
    grid = ("--grid", "nodes=1:32", "--grid", "caps=51:115:4")
    settings = ("configure", one, "--power-bound", 5000, "--next", 4, *grid)
    assert len(answer(*settings)["next_runs"]) == 4
    assert answer(*settings) == answer(*settings, "--sockets", 2, "--socket-tdp", 115)
    assert answer(*settings) != answer(*settings, "--sockets", 1, "--socket-tdp", 60)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--next", "2", "-o", "out"], "--next only suggests runs"),
        (["--next", "2", "--model", "physical"], "--next only suggests runs"),
        (["--next", "2", "--grid", "nodes=1", "--grid", "nodes=2"], "nodes is given twice"),
        (["--weight", "solver"], "'solver' is not APPLICATION=WEIGHT"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    one: Path, arguments: list[str], message: str
) -> None:
    result = headroom("configure", one, "--power-bound", 2000, *arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_a_guard_band_and_doubts_stand_beside_the_decision(tmp_path: Path) -> None:
    lines = [HEADER, *(f"a,8,16,115,{r},{t},900,0" for r, t in ((1, 10), (2, 19), (3, 19)))]
    (tmp_path / "slow.csv").write_text("\n".join(lines))
    settings = ("configure", tmp_path / "slow.csv", "--power-bound", 1000, "--guard", 5)
    shown = headroom(*settings, "--repetition", "best").output
    assert shown.startswith("Under 1,000 W, a runs fastest as")
    doubt = "The fastest run of a (8 x 16, 115 W) is not typical: the median run took 19.0 s."
    assert shown.count(doubt) == 1
    assert "is not typical" not in headroom(*settings).output


def test_rules_are_measured_against_the_best_bound(three: Path) -> None:
    result = answer("share", three, "--power-bound", 4000, "--nodes", 40)
    assert result["bound"] == pytest.approx(result["plan"]["weighted_time_s"])
    unknown = headroom("share", three, "--power-bound", 4000, "--nodes", 40, "--job", "d")
    assert "has no application 'd'" in unknown.output


def test_a_bound_above_every_configuration_and_simulated_runs_are_stated(tmp_path: Path) -> None:
    """A bound of 3.5 MW limits nothing; thousands are separated; the runs are called simulated."""
    path = tmp_path / "runs.csv"
    rows = [
        f"lu,{nodes},{cores},{cap},{100 / nodes / cores / cap:.6f},{150 * nodes}"
        for nodes in (1, 2, 4) for cores in (8, 16) for cap in (51, 115)
    ]  # fmt: skip
    lines = ["application,nodes,cores_per_node,package_cap_w,time_s,package_power_w", *rows]
    note = "# source: simulated by a model, seed 3"
    path.write_text("\n".join([note, *lines]) + "\n")
    words = ["configure", str(path), "--power-bound", "3.5MW"]
    text = CliRunner().invoke(main, words).output
    assert "Under 3,500,000 W, lu runs fastest" in text
    assert "Use 4 nodes " in text
    assert "A bound of 3,500,000 W limits nothing" in text
    assert "The runs are simulated; the file states: simulated by a model, seed 3" in text
    path.write_text("\n".join(["# not simulated", *lines]) + "\n")
    text = CliRunner().invoke(main, [*words[:-1], "500"]).output
    assert "simulated" not in text
    assert "limits nothing" not in text

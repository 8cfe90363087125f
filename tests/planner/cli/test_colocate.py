"""``headroom colocate``: what other tools read, and what a person is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import headroom as hr
from planner.cli.main import main

TABLE = """a,b,solo_a_s,solo_b_s,co_a_s,co_b_s
x,y,10,10,12,11
x,z,10,20,20,40
y,z,10,20,12,22
w,w,5,5,6,6.5
w,x,5,10,6,12
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(TABLE)
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["colocate", *map(str, words)])


def answer(*words: object) -> dict[str, Any]:
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


def test_the_json_is_what_other_tools_rely_on(table: Path) -> None:
    result = answer(table)
    assert {"pairs", "alone", "gain", "bound", "gap", "policies"} <= {*result}
    assert result["pairs"] == [["x", "w"], ["y", "z"]]
    assert result["alone"] == []
    # 10/12 + 5/6 - 1 and 10/12 + 20/22 - 1
    assert result["gain"] == pytest.approx(2 / 3 + 10 / 12 + 20 / 22 - 1)
    assert result["gain"] <= result["bound"] <= result["gain"] * (1 + 1e-9)
    assert 0 <= result["gap"] < 1e-9
    by_name = {row["policy"]: row for row in result["policies"]}
    assert by_name["none"]["gain"] == 0
    assert by_name["first fit"]["gain"] == pytest.approx(10 / 12 + 10 / 11 - 1)
    assert by_name["first fit"]["max_slowdown"] == 1.2
    assert by_name["matching"]["gain"] == result["gain"]
    assert {"random", "greedy best pair", "bottleneck: least slowdown"} <= by_name.keys()


def test_a_name_may_occur_several_times(table: Path) -> None:
    result = answer(table, "--jobs", "w,w,w, x,z", "--least-speed", "50%")
    assert sorted(map(sorted, result["pairs"])) == [["w", "w"], ["w", "x"]]
    assert result["alone"] == ["z"]


def test_an_application_may_have_a_count_of_jobs(table: Path) -> None:
    listed = answer(table, "--jobs", "w,w,w,x,z,w")
    for words in (("w=3,x,Z=1,w",), ("W=3, x", "--jobs", "z , w = 1")):
        mixed = answer(table, "--jobs", *words)
        for each in (mixed, listed):
            each["study"]["provenance"].pop("words", None)
        assert mixed == listed
    assert hr.colocate(table, {"w": 4, "x": 1}).plan.problem.names == ("w",) * 4 + ("x",)
    many = answer(table, "--jobs", "x=4000,y=3000,w=1")
    assert len(many["pairs"]) * 2 + len(many["alone"]) == 7001


def test_an_application_may_hold_an_equals_sign(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(TABLE.replace("x,", "x=2,"))
    result = answer(path, "--jobs", "x=2,x=2=3,w")
    jobs = [job for pair in [*result["pairs"], result["alone"]] for job in pair]
    assert sorted(jobs) == ["w", *4 * ["x=2"]]


def test_owners_may_have_counts_too(table: Path) -> None:
    words = ("--jobs", "x=2,y=2", "--group-size", 3, "--floor", "u=0.9")
    counted = answer(table, *words, "--users", "u=2,v=2")
    assert counted["groups"] == answer(table, *words, "--users", "u,u,v,v")["groups"]


def test_a_million_jobs_are_refused_with_a_remedy(table: Path) -> None:
    for words in ("x=1000000", "w=999999,x"):
        done = run(table, "--jobs", words)
        assert done.exit_code == 2
        message = "1,000,000 jobs are too many; pair at most 100,000 at once, such as one of 10 of"
        assert message in done.output
    with pytest.raises(hr.InputError, match="jobs: count of 'x' = 0; give at least 1"):
        hr.colocate(table, {"x": 0})
    with pytest.raises(hr.InputError, match=r"jobs: count of 'x' = 1\.5 is not a finite whole"):
        hr.colocate(table, {"x": 1.5})  # type: ignore[dict-item] # refused


def test_the_limits_of_a_log_hold_for_a_table_with_the_same_defaults(table: Path) -> None:
    """In w with w, one job runs at 5/6.5 = 77 % of its speed."""
    words = ("--jobs", "w,w,y,z")
    result = answer(table, *words)
    assert result["pairs"] == [["y", "z"]]
    assert (result["least_gain"], result["least_speed"], result["pairs_left_out"]) == (0.05, 0.8, 1)
    both = [["w", "w"], ["y", "z"]]
    assert sorted(answer(table, *words, "--least-speed", "0.76")["pairs"]) == both
    nothing = answer(table, *words, "--least-gain", "80%")
    assert nothing["pairs"] == []
    shown = run(table, *words, "--least-gain", "80%").output
    assert "no pair that gains keeps the limits" in shown
    assert "break a limit: y+z, w+w (gain at least 80 %, speed at least 80 %)" in shown


def test_capitals_do_not_count_in_names_of_applications(table: Path) -> None:
    first, second = answer(table, "--jobs", "W,x,Z"), answer(table, "--jobs", "w,x,z")
    assert first["study"]["provenance"].pop("words") != second["study"]["provenance"].pop("words")
    assert first == second


def test_one_job_runs_alone(table: Path) -> None:
    result = answer(table, "--jobs", "x")
    assert (result["pairs"], result["alone"], result["gain"], result["gap"]) == (
        [],
        ["x"],
        0.0,
        0.0,
    )
    assert "Every job runs alone" in run(table, "--jobs", "x").output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--jobs", "x,yy"), "did you mean 'y'"),
        (("--jobs", "x,,y"), "a name is empty"),
        (("--jobs", ""), "a name is empty"),
        (("--jobs", "x=0"), "--jobs: count of 'x' = 0; give at least 1, or leave it out"),
        (("--jobs", "y,x=-4"), "--jobs: count of 'x' = -4; give at least 1"),
        (("--jobs", "x=many"), "--jobs: count of x: 'many' is not a whole number"),
        (("--jobs", "x=2.5"), "--jobs: count of x: '2.5' is not a whole number"),
        (("--jobs", "x="), "--jobs: count of x: '' is not a whole number"),
        (("--jobs", "=4"), "'=4' is not NAME=COUNT"),
        (("--jobs", "yy=4"), "did you mean 'y'"),
        (("--jobs", f"x={10**30}"), "jobs are too many"),
        (("--floor", "u=0.5"), "it is for --group-size or --log"),
        (("--group-size", "3", "--users", "u"), "1 user for 4 jobs"),
        (("--group-size", "3", "--floor", "u=half"), "half"),
        (("--share", "0"), "--share"),
        (("--sheet", "one"), "has no sheet"),
    ],
)
def test_wrong_words_are_refused_with_a_remedy(
    table: Path, words: tuple[str, ...], message: str
) -> None:
    done = run(table, *words)
    assert done.exit_code == 2
    assert message in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "words",
    [
        ("tangram-two-node", "--share", "0.9"),
        ("tangram-two-node", "--seed", "3"),
        ("tangram-two-node", "--limit", "1.1"),
        ("{table}", "--seeds", "2"),
        ("{table}", "--users", "u,u"),
        ("{table}", "--limit", "1.1"),
        ("{table}", "--log", "jobs.csv", "--next-pairs", "3"),
    ],
)
def test_an_option_without_effect_is_refused(table: Path, words: tuple[str, ...]) -> None:
    done = run(*(word.format(table=table) for word in words))
    assert done.exit_code == 2
    assert "has no effect here: it is for " in done.output


def test_a_broken_table_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.csv"
    path.write_text(TABLE + "y,w,0,5,6,7\n")
    done = run(path)
    assert done.exit_code == 2
    assert "broken.csv:7" in done.output
    assert "solo_a_s: '0' is not from 1e-09" in done.output


def test_groups_keep_floors_and_budget(table: Path) -> None:
    words = ("--jobs", "x,y,z,w", "--group-size", 3, "--users", "u,u,v,v", "--balanced")
    result = answer(table, *words, "--floor", "u=0.9")
    assert result["groups"]["gap"] == pytest.approx(0, abs=1e-6)
    done = run(table, *words, "--floor", "u=0.9")
    assert "Speeds in groups of three or more are products of measured pairs" in done.output
    assert result["groups_of_jobs"]


def test_the_report_has_its_figures(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run(table, "-o", out)
    assert done.exit_code == 0, done.output
    names = {path.stem for path in (out / "figures").glob("*.svg")}
    assert names == {"01-degradation"}


def test_the_same_seed_gives_the_same_bytes(table: Path) -> None:
    assert run(table, "--json").stdout == run(table, "--json").stdout


@pytest.mark.slow
def test_5000_jobs_of_a_hundred_applications_are_paired(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    names = [f"app{k}" for k in range(100)]
    rows = (
        f"{a},{b},1,1,{1 / x},{1 / y}"
        for i, a in enumerate(names)
        for b in names[i:]
        for x, y in [rng.uniform(0.4, 1, 2)]
    )
    path = tmp_path / "large.csv"
    path.write_text("\n".join([TABLE.splitlines()[0], *rows]))
    result = answer(path, "--jobs", ",".join(names * 50))
    assert len(result["pairs"]) == 2500
    assert result["gap"] < 1e-9

"""``--vary`` over options: what each case says is what the command says with its values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from planner.sweeps.columns import unpacked
from scenarios.sample import write_sample
from tests.planner.cli.commands import answered, ran
from tests.planner.sweeps.test_sweep import texts

DRAWN = ("simulate", "lublin", "--jobs", "60", "--processors", "64")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("runs")
    write_sample(folder)
    return str(folder / "runs.csv")


def rows(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted(folder.glob("cases-*")):
        columns, _ = unpacked(path.read_bytes(), path.suffix[1:])
        found += [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]
    return found


def test_each_case_of_share_is_what_share_says(runs: str, tmp_path: Path) -> None:
    words = ("share", runs, "--vary", "power-bound=3kW:4kW:2", "--vary", "nodes=20,60")
    summary = answered(*words, "-o", str(tmp_path))
    assert (summary["cases"], summary["errors"]) == (4, 2)
    assert "cannot run at once on 20 nodes under 3,000 W" in summary["first_error"]
    cases = rows(tmp_path)
    assert [(case["power-bound"], case["nodes"]) for case in cases] == [
        (3000, 20), (3000, 60), (4000, 20), (4000, 60),
    ]  # fmt: skip
    for case in (cases[1], cases[3]):
        alone = answered("share", runs, "--power-bound", str(case["power-bound"]), "--nodes", "60")
        plan, greedy = alone["plan"], alone["rules"]["greedy"]
        assert case["weighted_time_s"] == plan["weighted_time_s"]
        assert case["limit_s"] == plan["certificate"]["bound"]
        assert (case["makespan_s"], case["nodes_used"]) == (plan["makespan_s"], plan["nodes"])
        assert case["weighted_time_s.greedy"] == greedy["weighted_time_s"]
        assert (case["status"], case["error"]) == (plan["certificate"]["status"], None)


def test_each_case_of_a_model_is_what_simulate_says(tmp_path: Path) -> None:
    words = (*DRAWN, "--policy", "fcfs,easy", "--vary", "load=50%:90%:2", "--vary", "seed=1,2")
    answered(*words, "-o", str(tmp_path))
    cases = rows(tmp_path)
    assert [(case["load"], case["seed"]) for case in cases] == [
        (0.5, 1), (0.5, 2), (0.9, 1), (0.9, 2),
    ]  # fmt: skip
    for case in cases:
        how = ("--load", str(case["load"]), "--seed", str(case["seed"]))
        alone = answered(*DRAWN, "--policy", "fcfs,easy", *how)
        for measured in alone["policies"]:
            assert case[f"mean_wait_s.{measured['policy']}"] == measured["mean_wait_s"]
            assert case[f"utilisation.{measured['policy']}"] == measured["utilisation"]


def test_a_log_in_a_file_and_several_seeds_are_swept_too(runs: str, tmp_path: Path) -> None:
    log = str(Path(runs).parent / "jobs.swf")
    answered("simulate", log, "--vary", "processors=64,128", "-o", str(tmp_path / "file"))
    for case in rows(tmp_path / "file"):
        alone = answered("simulate", log, "--processors", str(case["processors"]))
        assert case["mean_wait_s.easy"] == alone["mean_wait_s"]
    seeds = (*DRAWN, "--seeds", "3")
    answered(*seeds, "--vary", "load=0.5,0.9", "-o", str(tmp_path / "seeds"))
    waits = [
        [answered(*DRAWN, "--load", load, "--seed", seed)["mean_wait_s"]
         for seed in "012"]
        for load in ("0.5", "0.9")
    ]  # fmt: skip
    assert [case["mean_wait_s.easy"] for case in rows(tmp_path / "seeds")] == [
        pytest.approx(sum(three) / 3) for three in waits
    ]


def test_processes_and_parts_write_the_files_of_one(runs: str, tmp_path: Path) -> None:
    words = ("share", runs, "--nodes", "60", "--vary", "power-bound=3kW:4kW:3", "-o")
    answered(*words, str(tmp_path / "one"))
    answered(*words, str(tmp_path / "two"), "--workers", "2")
    for part in ("2/2", "1/2"):
        answered(*words, str(tmp_path / "parts"), "--shard", part)
    assert texts(tmp_path / "one") == texts(tmp_path / "two") == texts(tmp_path / "parts")


def test_a_changed_file_or_option_needs_another_folder(runs: str, tmp_path: Path) -> None:
    file, out = tmp_path / "runs.csv", tmp_path / "out"
    file.write_bytes(Path(runs).read_bytes())
    words = ("share", str(file), "--nodes", "60", "--vary", "power-bound=3kW,4kW", "-o", str(out))
    answered(*words)
    before = texts(out)
    refused = ran(*words, "--objective", "makespan")
    assert "holds another sweep (runs, power-bound: 2 from 3000.0 to 4000.0" in refused.output
    file.write_text("\n".join(file.read_text().splitlines()[:-1]) + "\n")
    assert ran(*words).exit_code == 2
    assert texts(out) == before


def test_the_script_leaves_out_what_is_varied(runs: str, tmp_path: Path) -> None:
    script = tmp_path / "array.sh"
    words = ("share", runs, "--nodes", "60", "--vary", "power-bound=3kW:4kW:3")
    ran(*words, "--guard", "5%", "--write-array", str(script))
    last = script.read_text().splitlines()[-1]
    assert last.startswith(f"exec headroom share {runs} --nodes 60 --guard 5% --vary power-bound=")
    assert "--power-bound" not in last


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nodes=1:4:3",), "2.5 would be a value; it takes whole numbers only"),
        (("nodes=1.5,2",), "'1.5' is not a valid integer"),
        (("nodes=0:4:3",), "0 is not in the range"),
        (("nodes=-4",), "-4 is not in the range"),
        (("nodes=8:8:4",), "START and STOP are equal, and COUNT = 4; a single value is KEY=VALUE"),
        (("power-bound=3kV:4kW:2",), "'kV' is not a unit of power"),
        (("power-bound=1:2",), "as in power-bound=3kW:6kW:4"),
        (("method=1,2",), "method is not an option with a number; there are power-bound, nodes"),
        (("node=1,2",), "node is not an option with a number; did you mean 'nodes'?"),
        (("workers=1,2",), "workers is not an option with a number"),
        (("nodes=1,2", "--heuristic", "a.py:B"), "--heuristic has no effect here"),
        (("nodes=1,2", "--job", "none"), "has no application 'none'"),
        (("nodes=1,2", "--html"), "--html has no effect here"),
    ],
)
def test_wrong_words_are_an_error_before_any_file(
    runs: str, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    given: tuple[str, ...] = () if "power-bound" in words[0] else ("--power-bound", "3kW")
    given += () if "nodes" in words[0] else ("--nodes", "9")
    done = ran("share", runs, *given, "-o", str(tmp_path / "out"), "--vary", *words)
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("lublin", "--vary", "load=50:90:3"), "for 50 per cent write 50%"),
        (("poisson-small", "--vary", "load=0.5"), "--load is for the lublin model"),
        (("lublin", "--vary", "explain=1,2"), "explain is not an option with a number"),
        (("lublin", "--vary", "load=0.5", "--load", "0.5"), "--load is varied; leave it out"),
        (("lublin", "--vary", "load=0.5", "--policy", "a.py:B"), "a.py:B is your own; a sweep"),
        (("lublin", "--vary", "seeds=2", "--cluster", "a=4"), "--cluster is for one log"),
        (("lublin", "--vary", "load=0.5", "--check"), "--check has no effect here"),
        (("lublin", "--shard", "1/2"), "--shard is for sweeps"),
        (("jobs.swf", "--vary", "seed=1,2"), "--vary seed=... is for synthetic logs"),
    ],
)
def test_wrong_words_of_simulate_are_an_error_before_any_file(
    tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    done = ran("simulate", *words, "-o", str(tmp_path / "out"))
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert not [*tmp_path.iterdir()]


def test_a_required_option_is_missed_unless_it_is_varied(runs: str) -> None:
    assert "Missing option '--nodes'" in ran("share", runs, "--power-bound", "3kW").output
    bound = ("--vary", "power-bound=3kW,4kW")
    assert "Missing option '--nodes'" in ran("share", runs, *bound).output


def test_the_terminal_shows_the_first_error(runs: str, tmp_path: Path) -> None:
    words = ("share", runs, "--power-bound", "3kW", "--vary", "nodes=1,2", "-o", str(tmp_path))
    lines = ran(*words).output.splitlines()
    assert lines[0] == "Cases: 2; without a result: 2"
    assert lines[1].startswith("First error: ")
    assert "cannot run at once on 1 node" in lines[1]
    assert json.loads((tmp_path / "summary.json").read_text())["first_error"] in lines[1]

"""The examples of docs/own-parts.md run as they are printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import headroom as hr
from planner.cli.main import main
from planner.configurations.sharing.own import HEURISTIC as SHARING
from planner.parts import own_part
from planner.placement.own import find_algorithm
from planner.procurement.checker import violations
from planner.procurement.from_scenario import problem_from
from planner.procurement.own import HEURISTIC, nodes_by
from planner.scheduling.estimates.predictors.predictor import known_of
from planner.scheduling.estimates.predictors.registry import find_predictor
from planner.scheduling.policies.registry import find_policy
from scenarios.job_logs.lublin import lublin_log
from scenarios.job_logs.write_swf import write_swf
from scenarios.sample import write_sample

PAGE = (Path(__file__).parents[1] / "docs" / "own-parts.md").read_text(encoding="utf-8")
FILES = {
    code.split(maxsplit=2)[1]: code for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
}
SHOWN_AS = {"ShortestEasy": "shortest-easy", "LastOne": "last-one"}
COMMANDS = re.findall(r"\$ headroom (.*)", PAGE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    for name, code in FILES.items():
        (folder / name).write_text(code)
    write_sample(folder / "sample")
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 90, (12, 12))
    (folder / "matrix.csv").write_text("\n".join(",".join(map(str, row)) for row in rows))
    write_swf(folder / "log.swf", lublin_log(300, 256, 1, load=0.8, estimate_factor=3.0))
    return folder


def test_the_page_has_one_example_of_each_kind() -> None:
    assert sorted(FILES) == [
        "frugal.py", "heaviest_first.py", "last_one.py", "lightest.py", "shortest_easy.py",
    ]  # fmt: skip
    assert [words.split()[0] for words in COMMANDS] == [
        "simulate", "plan", "share", "place", "estimate",
    ]  # fmt: skip
    assert len(FILES["shortest_easy.py"].splitlines()) <= 32


def test_the_policy_is_compared_with_easy_over_logs(folder: Path) -> None:
    policy = find_policy(f"{folder}/shortest_easy.py:ShortestEasy")
    logs = [lublin_log(300, 256, seed, load=0.9, estimate_factor=3.0) for seed in range(4)]
    simulation = hr.simulate_logs(logs, ["easy", policy])
    assert simulation.policies == ("easy", "shortest-easy")
    assert [name for name, _ in simulation.files] == ["shortest_easy.py"]
    assert simulation.comparisons[0].differences["wait"].mean < 0
    assert simulation.rules[1].startswith("EASY backfilling that tries the shortest estimate first")


def test_the_procurement_heuristic_chooses_a_machine(folder: Path) -> None:
    problem = problem_from(hr.load(folder / "sample" / "procurement.toml"))
    frugal = own_part(f"{folder}/frugal.py:frugal", HEURISTIC)
    plan = frugal(problem)
    assert nodes_by(frugal, problem) == plan.nodes
    assert sum(plan.nodes) > 0
    assert all("GPU share of spend" in wrong for wrong in violations(problem, plan))


def test_the_sharing_heuristic_stands_beside_the_plan(folder: Path) -> None:
    lightest = own_part(f"{folder}/lightest.py:lightest", SHARING)
    runs = folder / "sample" / "runs.csv"
    result = hr.share(runs, bound_w=6000, nodes=64, heuristics=[lightest])
    own = result.shared.rules["lightest"]
    above = result.shared.above_bound(own)
    assert above is not None
    assert above > 0
    assert own.power_w == min(plan.power_w for plan in result.plans)
    assert result.to_dict()["files"].keys() == {"lightest.py"}


def test_the_placement_algorithm_is_better_than_the_order_of_ranks(folder: Path) -> None:
    own = find_algorithm(f"{folder}/heaviest_first.py:heaviest_first")
    assert own.name == "heaviest_first"
    result = hr.place(folder / "matrix.csv", nodes=3, method=own.algorithm)  # type: ignore[attr-defined]
    tried = {item.name: item.value for item in result.tried}
    assert tried["portfolio"] <= tried["heaviest_first"] < tried["order"]


def test_the_predictor_knows_only_jobs_that_have_ended(folder: Path) -> None:
    log = lublin_log(3, 32, 0)
    passing = find_predictor(f"{folder}/last_one.py:LastOne").begin(known_of(log))
    rows = np.arange(3)
    requests = np.maximum(log.requested_s, 1).tolist()
    assert passing.predict(rows).tolist() == requests
    passing.learn(rows[:1], np.array([1]))
    assert passing.predict(rows).tolist() == [1, 1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: str(words).split()[0])
def test_the_commands_run_and_print_what_the_page_shows(
    folder: Path, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(main, shlex.split(words))
    assert done.exit_code == 0, done.output
    name = words.partition(".py:")[2].split()[0]
    data = CliRunner().invoke(main, [*shlex.split(words), "--json"])
    assert SHOWN_AS.get(name, name) in done.output + data.output
    shown = re.search(rf"\$ headroom {re.escape(words)}\n(.*?)```", PAGE, re.DOTALL)
    assert shown is not None
    for line in shown[1].splitlines():
        assert line in done.output

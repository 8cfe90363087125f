"""``headroom schedule``: JSON for other tools, errors with a remedy, a report."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from planner.cli.main import main

KEYS = {
    "policy", "bound_w", "log", "seed", "jobs", "mean_turnaround_s", "energy_j",
    "bound_violations", "optimum", "bound", "gap",
}  # fmt: skip
JOB = {"job", "nodes", "cores_per_node", "package_cap_w", "start_s", "turnaround_s"}


def invoke(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["schedule", *map(str, words)])
    return result.exit_code, result.output


def test_json_has_every_run_with_its_jobs() -> None:
    code, text = invoke("thesis-table-5-2", "--json")
    assert code == 0
    runs = json.loads(text)["policies"]
    assert [run["policy"] for run in runs] == ["traditional", "naive", "adaptive"]
    assert all(run.keys() >= KEYS for run in runs)
    assert all(job.keys() >= JOB for run in runs for job in run["jobs"])
    assert [run["jobs"][0]["start_s"] for run in runs] == [1000, 1000, 0]
    assert [run["bound_violations"] for run in runs] == [0, 0, 0]


def test_the_limit_in_hindsight_is_that_of_the_fastest_start() -> None:
    code, text = invoke("thesis-table-5-2", "--json", "--optimum", "turnaround")
    assert code == 0, text
    runs = {run["policy"]: run for run in json.loads(text)["policies"]}
    assert runs["adaptive"]["bound"] <= 439.2
    assert runs["adaptive"]["gap"] < runs["naive"]["gap"]


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (("thesis-7kw",), "add [schedule]"),
        (("thesis-rmap", "--policy", "adaptiv"), "did you mean 'adaptive'"),
        (("thesis-rmap", "--log", "tiny"), "thesis-rmap has no log 'tiny'"),
        (("thesis-rmap", "--power-bound", "-5"), "--power-bound"),
        (("thesis-table-5-2", "--policy", "naive", "--policy", "naive"), "given 2 times"),
        (("thesis-table-5-2", "--policy", "adaptive", "--policy", "adaptive-0"), "is the same"),
    ],
)
def test_wrong_words_are_an_error_with_a_remedy(words: tuple[str, ...], remedy: str) -> None:
    code, text = invoke(*words)
    assert code == 2
    assert remedy in text
    assert "Traceback" not in text


def test_a_bound_below_every_configuration_is_no_plan() -> None:
    code, text = invoke("thesis-rmap", "--power-bound", 100, "--log", "large")
    assert code == 1
    assert text.startswith("no plan: under a bound of 100.0 W no job of log large can run")
    assert "raise the bound to at least that" in text


def test_names_stay_whole_in_wide_tables() -> None:
    chosen = ("--policy", "traditional-conservative", "--policy", "adaptive-best-fit")
    code, text = invoke("thesis-table-5-2", *chosen)
    assert code == 0
    assert "  Traditional-conservative  " in text
    assert "  Adaptive-best-fit  " in text


def test_names_of_the_user_stay_as_written() -> None:
    code, text = invoke("thesis-table-5-2", "--policy", "naive", "--policy", "ilp-engine-25")
    assert code == 0
    assert "  ilp-engine-25  " in text


def test_many_jobs_have_one_row_for_each_policy() -> None:
    bounds = [word for bound in range(9000, 16000, 1000) for word in ("--power-bound", bound)]
    names = ("naive", "adaptive", "adaptive-10", "adaptive-20")
    policies = [word for name in names for word in ("--policy", name)]
    code, text = invoke("thesis-table-5-2", *bounds, *policies)
    assert code == 0
    assert "Policies over all logs, bounds and seeds" in text
    assert text.count("Adaptive-20") <= 3

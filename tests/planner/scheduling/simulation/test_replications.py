"""Policies over several synthetic logs: means and paired differences with their intervals."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pypdf
import pytest
from click.testing import CliRunner
from python_calamine import load_workbook
from scipy import stats

from planner.cli.main import main
from planner.errors import InputError
from planner.scheduling.policies.known import POLICIES
from planner.scheduling.simulation.batch_means import over_replications
from planner.scheduling.simulation.replications import ReplicationStudy, replicate
from planner.scheduling.simulation.simulate import simulate
from scenarios.job_logs.lublin import lublin_log
from tests.planner.scheduling.policies.test_event_driven import Easy

SEEDS = range(3)
WORDS = ("simulate", "lublin", "--jobs", "200", "--load", "0.9", "--policy", "easy",
         "--policy", "sjf-easy")  # fmt: skip


@pytest.fixture(scope="module")
def found() -> ReplicationStudy:
    logs = (lublin_log(200, 256, seed, load=0.9) for seed in SEEDS)
    return replicate(logs, [POLICIES["easy"], POLICIES["sjf-easy"], Easy()], model="three")


def test_an_interval_over_logs_is_student_s_t() -> None:
    # Mean 2, standard deviation 1, t(2) = 4.303: half width 4.303 / sqrt(3) = 2.484.
    known = over_replications([1, 2, 3])
    assert known.mean == 2
    assert math.isclose(known.half_width, stats.t.ppf(0.975, 2) / math.sqrt(3))
    assert abs(known.half_width - 2.484) < 0.001
    assert known.batches == 3
    with pytest.raises(InputError, match="1 logs give no interval"):
        over_replications([1.0])


def test_differences_are_paired_log_by_log(found: ReplicationStudy) -> None:
    waits = np.array(
        [
            [
                simulate(
                    lublin_log(200, 256, seed, load=0.9), POLICIES[name]
                ).schedule.wait_s.mean()
                for name in ("easy", "sjf-easy")
            ]
            for seed in SEEDS
        ]
    )
    expected = stats.ttest_rel(waits[:, 1], waits[:, 0]).confidence_interval(0.95)
    wait = found.comparisons[0].differences["wait"]
    assert math.isclose(wait.low, expected.low)
    assert math.isclose(wait.high, expected.high)
    assert found.frames()["comparisons"]["less_in"][0] == (waits[:, 1] < waits[:, 0]).sum()
    assert [each["wait"].mean for each in found.means[:2]] == waits.mean(axis=0).tolist()


def test_a_policy_that_does_the_same_differs_by_nothing(found: ReplicationStudy) -> None:
    same = found.comparisons[1].differences["wait"]
    assert (same.mean, same.low, same.high, same.tells_apart) == (0, 0, 0, False)
    assert "which may be chance" in found.confidence
    assert found.warnings == ()


def test_one_log_is_refused() -> None:
    with pytest.raises(InputError, match="over 1 log there is no interval; give two or more"):
        replicate([lublin_log(20, 32, 0)], [POLICIES["easy"]])


def test_the_command_tells_means_and_paired_differences() -> None:
    done = CliRunner().invoke(main, [*WORDS, "--seeds", "3", "--seed", "4", "--json"])
    assert done.exit_code == 0, done.output
    plain: dict[str, Any] = json.loads(done.stdout)
    assert plain["settings"]["logs"] == "model lublin, seeds 4 to 6"
    assert plain["settings"]["command"].endswith("--seed 4 --seeds 3 -o DIR")
    assert len(plain["logs"]) == 6
    assert [row["quantity"] for row in plain["comparisons"]] == [
        "mean wait (s)", "mean bounded slowdown",
    ]  # fmt: skip
    shown = CliRunner().invoke(main, [*WORDS, "--seeds", "3"]).output
    assert "has the shortest mean wait" in shown
    assert "95 % interval of paired differences" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seeds", "3", "--explain", "1"), "--explain is for one log; leave it or --seeds out"),
        (("--seeds", "3", "--check"), "--check is for one log"),
        (("--seeds", "3", "--size-for", "mean-wait<=2h"), "--seeds is not for --size-for"),
    ],
)
def test_what_is_for_one_log_is_refused(words: tuple[str, ...], message: str) -> None:
    done = CliRunner().invoke(main, [*WORDS, *words])
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())


def test_a_log_in_a_file_has_no_seeds(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("number,submit,run,processors,user\n1,0,100,2,ann\n")
    done = CliRunner().invoke(main, ["simulate", str(log), "--seeds", "2"])
    assert done.exit_code == 2
    assert "--seeds is for synthetic logs" in done.output


@pytest.mark.slow
def test_the_report_compares_an_own_easy_with_easy_over_twenty_logs(tmp_path: Path) -> None:
    own = Path(__file__).parents[4] / "tests/planner/scheduling/policies/test_event_driven.py"
    out = tmp_path / "out"
    words = ["simulate", "lublin", "--jobs", "2000", "--load", "0.9", "--policy", "easy"]
    done = CliRunner().invoke(
        main, [*words, "--policy", f"{own}:Easy", "--seeds", "20", "-o", str(out)]
    )
    assert done.exit_code == 0, done.output
    pages = pypdf.PdfReader(io.BytesIO((out / "report.pdf").read_bytes())).pages
    text = " ".join(" ".join(page.extract_text().split()) for page in pages)
    for words_shown in ("over 20 synthetic logs", "my-easy", "Differences from easy"):
        assert words_shown in text
    sheets = load_workbook(out / "simulate.xlsx").sheet_names
    assert sheets == ["summary", "policies", "comparisons", "rules", "logs"]

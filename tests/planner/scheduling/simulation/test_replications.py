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
from planner.replications.batch_means import over_replications
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.replicated_result import LogMeans
from planner.scheduling.simulation.replications import ReplicationStudy, replicate
from planner.scheduling.simulation.simulate import simulate
from reports.figures import pictures
from reports.view import view
from scenarios.job_logs.lublin import lublin_log
from tests.planner.scheduling.policies.test_event_driven import Easy
from tests.reports.given import same_on_given_axes
from tests.reports.test_figure_kinds import painted

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
    with pytest.raises(InputError, match="an interval takes at least 2 logs, not 1"):
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
    assert [mean["wait"].mean for mean in found.means[:2]] == waits.mean(axis=0).tolist()


def test_a_policy_that_does_the_same_differs_by_nothing(found: ReplicationStudy) -> None:
    same = found.comparisons[1].differences["wait"]
    assert (same.mean, same.low, same.high, same.tells_apart) == (0, 0, 0, False)
    row = found.study.rows("differences")[1]
    assert (row["wait_s"], row["less_in"], row["apart"]) == (0, 0, False)
    assert found.warnings == ()


def made(*waits_s: tuple[float, ...]) -> ReplicationStudy:
    """A study of so many logs with the mean waits of each policy a, b, ... in each of them."""
    names = tuple("abcdef"[: len(waits_s)])
    logs = tuple(
        tuple(
            LogMeans(f"log {log}", name, waits[log], 1.0 + log, 0.5)
            for name, waits in zip(names, waits_s, strict=True)
        )
        for log in range(len(waits_s[0]))
    )
    return ReplicationStudy("made", names, names, logs)


HEADLINES = {
    "one policy": (made((30, 34)), "single", {"policy": "a", "wait": 32}),
    "better": (
        made((3600, 3600), (48_240, 48_240)), "shortest",
        {"best": ("a",), "wait": 3600, "next": "b", "longer": 44_640},
    ),
    "all equal": (made((0, 0, 0), (0, 0, 0)), "equal", {"policies": ("a", "b"), "wait": 0}),
    "two are equal, in total but not by log": (
        made((50, 30), (20, 20), (10, 30)), "shortest-unsure",
        {"best": ("b", "c"), "wait": 20, "next": "a", "longer": 20},
    ),
    "equal when rounded only": (
        made((36_002, 36_002), (36_000, 36_000)), "shortest",
        {"best": ("b",), "wait": 36_000, "next": "a", "longer": 2},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("study", "kind", "values"), HEADLINES.values(), ids=HEADLINES)
def test_the_headline_names_the_shortest_mean_wait_and_says_where_waits_are_equal(
    study: ReplicationStudy, kind: str, values: dict[str, Any]
) -> None:
    found = study.study.headline
    assert found.kind == kind
    assert {key: value for key, value in found.values.items() if key != "logs"} == values


# Two differences d1, d2 have the mean m = (d1 + d2) / 2 and the half width 12.706 |d1 - d2| / 2.
INTERVALS = {
    "equal": (made((5, 9), (5, 9)), (0, 0, 0), False),
    "alike in every log": (made((5, 9), (12, 16)), (7, 7, 7), True),
    "equal on average": (made((5, 9), (6, 8)), (0, -12.706, 12.706), False),
    "shorter": (made((7200, 7200), (3610, 3590)), (-3600, -3727.06, -3472.94), True),
}


@pytest.mark.parametrize(("study", "ends", "apart"), INTERVALS.values(), ids=INTERVALS)
def test_a_difference_has_a_direction_only_where_there_is_one(
    study: ReplicationStudy, ends: tuple[float, float, float], apart: bool
) -> None:
    (row,) = study.study.rows("differences")
    found = (row["wait_s"], *row["wait_interval"])
    assert found == pytest.approx(ends, abs=0.01)
    assert row["apart"] is apart
    plain = study.to_dict()["comparisons"][0]
    assert plain["quantity"] == "mean wait (s)"
    assert (plain["difference"], plain["difference_low"], plain["difference_high"]) == found


def test_one_log_is_refused() -> None:
    with pytest.raises(InputError, match="1 log gives no confidence interval; give two or more"):
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
    assert "shortest mean wait" in shown
    assert "(3 synthetic logs)" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seeds", "3", "--explain", "1"), "--explain is for one log; remove it or --seeds"),
        (("--seeds", "3", "--check"), "--check is for one log"),
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
    for words_shown in ("20 synthetic logs", "my-easy", "Differences from the first policy"):
        assert words_shown in text
    sheets = load_workbook(out / "simulate.xlsx").sheet_names
    assert sheets == ["Summary", "Policies", "Comparisons", "Differences", "Rules", "Logs"]


def test_the_report_has_a_method_and_its_differences(found: ReplicationStudy) -> None:
    headings = [part.heading for part in view(found.study).parts]
    assert headings[:4] == [
        "Is the difference more than chance?", "How much do the logs differ?",
        "What does this simulation leave out?", "Appendix: how the answer was found",
    ]  # fmt: skip
    alone = made((30, 34))
    assert headings[0] not in [part.heading for part in view(alone.study).parts]
    assert {row["estimates"] for row in found.study.rows("rules")} == {"user"}
    facts = {fact.key for question in found.study.questions for fact in question.facts}
    assert {"event_order", "offered_load", "requests"} <= facts


def test_figures_show_every_log_and_the_same_on_given_axes(found: ReplicationStudy) -> None:
    waits, differences = pictures(found.study)
    assert (waits.kind, differences.kind) == ("waits", "differences")
    assert same_on_given_axes([waits, differences])
    (axes,) = painted(found.study, "waits").axes
    dots = [x for line in axes.lines[::4] for x in np.asarray(line.get_xdata()).tolist()]
    assert sorted(dots) == sorted(run.wait for log in found.logs for run in log)

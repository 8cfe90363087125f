"""Policies over several synthetic logs: means and paired differences with their intervals."""

from __future__ import annotations

import io
import json
import math
import re
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
from planner.scheduling.simulation.replications import LogMeans, ReplicationStudy, replicate
from planner.scheduling.simulation.simulate import simulate
from reports.replications import document, pictures
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
    assert found.confidence.endswith(
        "Under my-easy the mean wait equals that under EASY in every log."
    )
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
    "one policy": (made((30, 34)), "Over 2 synthetic logs, the mean wait under a is 32.0 s."),
    "better": (
        made((3600, 3600), (48_240, 48_240)),
        "Over 2 synthetic logs, a has the shortest mean wait: 1.0 h, against 13.4 h under b.",
    ),
    "all equal": (
        made((0, 0, 0), (0, 0, 0)),
        "Over 3 synthetic logs, the mean wait is equal under a and b: 0 s.",
    ),
    "two are equal, in total but not by log": (
        made((50, 30), (20, 20), (10, 30)),
        (
            "Over 2 synthetic logs, b and c tie for the shortest mean wait: 20.0 s, against 40.0 s "
            "under a (may be chance)."
        ),
    ),
    "equal when rounded only": (
        made((36_002, 36_002), (36_000, 36_000)),
        "Over 2 synthetic logs, b has the shortest mean wait: 10.0 h, 2.00 s less than under a.",
    ),
    "short against long": (
        made((36_000, 36_000), (2, 4)),
        "Over 2 synthetic logs, b has the shortest mean wait: 3.00 s, against 10.0 h under a.",
    ),
}


@pytest.mark.parametrize(("study", "headline"), HEADLINES.values(), ids=HEADLINES)
def test_the_headline_names_the_shortest_mean_wait_and_says_where_waits_are_equal(
    study: ReplicationStudy, headline: str
) -> None:
    assert study.headline == headline


# Two differences d1, d2 have the mean m = (d1 + d2) / 2 and the half width 12.706 |d1 - d2| / 2.
INTERVALS = {
    "equal": (made((5, 9), (5, 9)), "Under b the mean wait equals that under a in every log."),
    "alike in every log": (
        made((5, 9), (12, 16)),
        "Under b the mean wait is 7.00 s longer than under a in every log.",
    ),
    "equal on average": (
        made((5, 9), (6, 8)),
        (
            "Under b the mean wait equals that under a (95 % interval of paired differences: "
            "12.7 s shorter to 12.7 s longer); this may be chance."
        ),
    ),
    "shorter": (
        made((7200, 7200), (3610, 3590)),
        (
            "Under b the mean wait is 60.0 min shorter than under a (95 % interval of paired "
            "differences: 57.9 min to 62.1 min shorter)."
        ),
    ),
    "of two sizes": (
        made((0, 0), (9001, -8999)),
        (
            "Under b the mean wait is 1.00 s longer than under a (95 % interval of paired "
            "differences: 31.8 h shorter to 31.8 h longer); this may be chance."
        ),
    ),
}


@pytest.mark.parametrize(("study", "sentence"), INTERVALS.values(), ids=INTERVALS)
def test_a_difference_has_a_direction_only_where_there_is_one(
    study: ReplicationStudy, sentence: str
) -> None:
    assert study.confidence == f"Simulated (made). {sentence}"


def test_a_row_of_differences_is_in_the_unit_that_suits_its_largest() -> None:
    # Differences of waits: 7,200 s and 21,600 s; mean 4 h, half width 12.706 x 2 h = 25.41 h.
    (comparisons,) = (
        item for item in made((0, 0), (7200, 21_600)).shown if item.name == "comparisons"
    )
    assert comparisons.cells() == [
        ("b", "mean wait", "+4.0 h", "−21.4 h", "+29.4 h", "0"),  # noqa: RUF001
        ("b", "mean bounded slowdown", "0.00", "0.00", "0.00", "0"),
    ]
    assert comparisons.plain()[0] | {"less_in": 0, "difference": 14_400.0} == comparisons.plain()[0]
    assert comparisons.plain()[0]["quantity"] == "mean wait (s)"


def test_a_small_difference_in_a_row_of_large_ones_is_not_shown_as_nothing() -> None:
    # 36 s +- 12.706 x 9,036 s.
    (comparisons,) = (
        item for item in made((0, 0), (9072, -9000)).shown if item.name == "comparisons"
    )
    assert comparisons.cells()[0][2:5] == ("+0.01 h", "−31.88 h", "+31.90 h")  # noqa: RUF001


TITLES = {
    "longer": (
        made((0, 0), (60, 61)),
        "Compared with a, mean waits are longer under b (by 60.5 s)",
    ),
    "shorter": (
        made((7200, 7200), (3610, 3590)),
        "Compared with a, mean waits are shorter under b (by 60.0 min)",
    ),
    "equal": (made((5, 9), (5, 9)), "Compared with a, mean waits are equal under b"),
    "chance": (made((5, 9), (6, 8)), "The difference of b from a may be chance"),
    "all": (
        made((60, 60), (130, 131), (20, 21), (60, 60), (10, 900)),
        (
            "Compared with a, mean waits are longer under b (by 70.5 s); shorter under c (by 39.5 "
            "s); equal under d; the difference of e from a may be chance"
        ),
    ),
}


@pytest.mark.parametrize(("study", "title"), TITLES.values(), ids=TITLES)
def test_the_figure_s_title_is_its_finding(study: ReplicationStudy, title: str) -> None:
    waits, picture = pictures(study)
    assert picture.title == title
    assert waits.title.startswith("Over 2 logs, the mean wait under a is shorter than under b in")


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
    assert re.search(r"^Over 3 synthetic logs, .+ has the shortest mean wait: ", shown)
    assert "95 % interval of paired differences" in shown


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
    for words_shown in ("over 20 synthetic logs", "my-easy", "Mean differences from EASY"):
        assert words_shown in text
    sheets = load_workbook(out / "simulate.xlsx").sheet_names
    assert sheets == ["Summary", "Policies", "Comparisons", "Rules", "Logs"]


def test_the_report_has_a_method_and_its_differences(found: ReplicationStudy) -> None:
    data = document(found, pictures(found))
    headings = [page["heading"] for page in data["pages"]]
    assert headings == [
        "Is the difference more than chance?", "How much do the logs differ?",
        "How was this simulated?", "What does this simulation leave out?", "Appendix: provenance",
    ]  # fmt: skip
    text = json.dumps(data)
    assert "Run-time estimates: the requested times." in text
    assert "Measured jobs: all jobs." in text
    assert data["description"] == "200 jobs in each log, on 256 processors"
    assert "EASY has a shorter mean wait than SJF with EASY backfilling in" in text
    captions = [b["caption"] for p in data["pages"] for b in p["blocks"] if b["kind"] == "table"]
    assert captions == [
        (
            "Mean differences from EASY with 95 % intervals, and in how many logs the value is "
            "lower than under it"
        ),
        "Every log under every policy: mean wait and mean bounded slowdown",
        "Provenance",
    ]
    assert "Offered load: " in text
    assert "Requested times equal the run times" in text
    assert found.by_slowdown in data["certificate"]


def test_reasons_are_the_differences_and_intervals_have_the_unit_of_their_mean() -> None:
    study = made((300, 4000), (330, 4300))  # means of 35.8 and 38.6 min
    first = document(study, [])
    assert first["left"][0]["lines"] == study.differences
    assert all(row[1].endswith(" min") for row in first["table"]["rows"])
    assert all(row[2].endswith(" min") for row in first["table"]["rows"])

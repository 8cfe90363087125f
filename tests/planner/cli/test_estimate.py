"""The command estimate: a study in small, what is kept of it, and input that is hostile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

from planner.cli.estimate import PREDICTORS, STRATEGIES
from planner.cli.values import percents
from planner.scheduling.estimates.tools import STRATEGIES as WORDS
from planner.scheduling.estimates.tools import TOOLS
from tests.planner.cli.commands import answered, ran

SMALL = ("--uptake", "0,20,100", "--error", "0,50,100", "--seeds", "2")
QUICK = (*SMALL, "--predictor", "none", "--no-weights", "--processors", "16")


def run(*words: str) -> Result:
    return ran("estimate", *words)


def found(*words: str) -> dict[str, Any]:
    return answered("estimate", *words)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A busy log of 300 jobs and ten users, whose requests are up to five times their run times."""
    rng = np.random.default_rng(7)
    lines = ["number,submit,run,processors,requested,user"]
    submit = 0
    for number in range(1, 301):
        submit += int(rng.integers(0, 300))
        run_s = int(rng.integers(1, 1000))
        settings = run_s + int(rng.integers(0, 4 * run_s + 1))
        lines.append(
            f"{number},{submit},{run_s},{rng.integers(1, 17)},{settings},u{rng.integers(0, 10)}"
        )
    path = tmp_path_factory.mktemp("estimate") / "log.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_names_on_the_command_line_are_those_of_the_study() -> None:
    assert set(PREDICTORS) == set(TOOLS)
    assert set(STRATEGIES) == set(WORDS)


def test_a_study_says_what_was_played_and_what_came_of_it(log: str) -> None:
    done = run(log, *SMALL, "--processors", "16")
    assert done.exit_code == 0, done.output
    assert "Jobs: 300 (users: 10; machine: 16 processors)" in done.output
    assert "Best predictor for all jobs" in done.output
    assert "Seeds: 2. They show little of the variation; use 10." in done.output


def test_the_same_command_gives_the_same_json(log: str) -> None:
    one = found(log, *QUICK)
    assert one == found(log, *QUICK, "--workers", "2")
    assert one["users"] == 10
    assert one["seed_group_users"] == 2
    cells = one["tables"]["mean queue time"]
    assert [(cell["uptake"], cell["error"]) for cell in cells] == [
        (uptake, error) for uptake in (0, 0.2, 1) for error in (0, 0.5, 1)
    ]
    assert all(cell["gain_mean"] == 0 for cell in cells if cell["uptake"] == 0)


def test_a_study_goes_on_from_the_files_of_its_cases(log: str, tmp_path: Path) -> None:
    folder = tmp_path / "cases"
    whole = found(log, *QUICK, "--keep", str(folder))
    files = sorted(folder.glob("*.json"))
    assert len(files) == 1 + 3 + 2 * 3  # without tool, all use it, two seeds of 20 %
    written = {path: path.stat().st_mtime_ns for path in files}
    files[0].unlink()
    files[1].unlink()
    assert found(log, *QUICK, "--keep", str(folder)) == whole
    results = [path for path in files if path.stat().st_mtime_ns == written[path]]
    assert results == files[2:]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--uptake", "0,120"), "120 % is not a share of the users; give 0 to 100"),
        (("--uptake", "a"), "neither FROM:TO:STEP nor a list"),
        (("--error", "-5"), "neither FROM:TO:STEP nor a list"),
        (("--error", "nan"), "neither FROM:TO:STEP nor a list"),
        (("--error", "0:100:0"), "a step of at least 0.1"),
        (("--error", "0:100"), "neither FROM:TO:STEP nor a list"),
        (("--uptake", "100:0:10"), "give the lower end first"),
        (("--error", "0,0.2,50"), "0.2 may be 0.2 % or 20 %; write 0.2% or 20%"),
        (("--uptake", "0,1"), "1 may be 1 % or 100 %; write 1% or 100%"),
        (("--uptake", "0:1:0.5"), "1 may be 1 % or 100 %; write 1% or 100%"),
        (("--seeds", "0"), "0 is not in the range"),
        (("--sampled-users", "0"), "is not in the range"),
        (("--sampled-users", "nan"), "'nan' is not a share"),
        (("--predictor", "none", "--predictor", "quantile"), "none excludes all others"),
        (("--predictor", "crystal"), "there is no predictor 'crystal'"),
        (("--processors", "0"), "0 is not in the range"),
        (("--maui", "nowhere.toml"), "nowhere.toml"),
    ],
)
def test_wrong_options_are_refused(words: tuple[str, ...], said: str, log: str) -> None:
    done = run(log, *words)
    assert done.exit_code == 2
    assert said in done.output


def test_a_log_that_names_nobody_is_one_user_s(tmp_path: Path) -> None:
    nobody = tmp_path / "nobody.csv"
    nobody.write_text("number,submit,run,processors,requested\n1,0,10,1,20\n2,0,10,4,50\n")
    done = run(str(nobody), "--processors", "4", *SMALL)
    assert done.exit_code == 0
    assert "Jobs: 2 (users: 1; machine: 4 processors)" in done.output
    assert "users cannot be sampled, and fair share has no effect" in done.output


def test_logs_that_cannot_be_studied_are_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.csv"
    large.write_text("number,submit,run,processors,requested,user\n1,0,10,8,20,ann\n")
    done = run(str(large), "--processors", "4")
    assert done.exit_code == 2
    assert "no job of large fits 4 processors" in done.output
    assert run(str(tmp_path / "missing.swf")).exit_code == 2
    drawn = run("lublin")
    assert drawn.exit_code == 2
    assert "has no users and exact requests" in drawn.output


def test_cases_that_cannot_be_kept_are_told_before_anything_is_played(
    log: str, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    done = run(log, *QUICK, "--keep", str(file))
    assert done.exit_code == 2
    assert "cannot be created (File exists); give another folder" in done.output


def test_percentages_are_read_as_shares() -> None:
    assert percents("0:100:10", "--error") == tuple(k / 10 for k in range(11))
    assert percents("20, 0,20", "--error") == (0.0, 0.2)
    assert percents("0:25:10", "--error") == (0.0, 0.1, 0.2)
    assert percents("0,1,50", "--error") == (0.0, 0.01, 0.5)
    assert percents("0.2%,20%", "--error") == (0.002, 0.2)
    assert percents("0:1%:0.5", "--error") == (0.0, 0.005, 0.01)


def test_jobs_without_a_request_and_names_without_jobs_are_said(tmp_path: Path) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_text("number,submit,run,processors,user\n1,0,10,1,ann\n2,0,10,4,bob\n")
    maui = tmp_path / "maui.toml"
    maui.write_text(
        'name = "here"\n[fairshare.user]\nann = 0.1\nzed = 0.2\n'
        "[priority.credential.queue]\nfast = 1\n"
        '[[throttles]]\nof = "group"\nname = "theirs"\nmax_jobs = 3\n'
    )
    warnings = found(str(bare), *QUICK, "--maui", str(maui))["warnings"]
    assert any("Jobs without a requested time: 2." in warning for warning in warnings)
    (named,) = (warning for warning in warnings if "Named in the configuration" in warning)
    assert "user zed, group theirs, queue fast" in named

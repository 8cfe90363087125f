"""The policy maui on the command line: where its configuration is from, and what is refused."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from planner.cli.main import main
from planner.cli.simulate_policies import policies_of
from planner.errors import InputError
from scenarios.job_logs.lublin import lublin_log
from scenarios.maui.reader import BUNDLED
from tests.planner.cli.commands import ran

HERE = 'name = "here"\nbackfill.reservations = 2\n'


def run(*words: str) -> Result:
    return ran("simulate", *words)


@pytest.fixture
def maui(tmp_path: Path) -> str:
    path = tmp_path / "maui.toml"
    path.write_text(HERE)
    return str(path)


def test_policies_without_maui_are_found_as_before() -> None:
    result = policies_of(("easy", "fcfs"), None, None)
    assert [policy.name for policy in result.policies] == ["easy", "fcfs"]
    assert result.files == ()
    (easy,) = policies_of(("easy",), 3, None).policies
    assert getattr(easy, "reservations", None) == 3


def test_a_configuration_without_its_policy_is_refused(maui: str) -> None:
    done = run("poisson-small", "--policy", "easy", "--maui", maui)
    assert done.exit_code == 2
    assert "--maui is for --policy maui; add that, or remove --maui" in done.output
    assert run("poisson-small", "--maui", maui).exit_code == 2
    with pytest.raises(click.UsageError, match="--maui is for"):
        policies_of(("easy",), None, maui)


@pytest.mark.parametrize("others", [(), ("easy",)])
def test_reservations_stand_in_the_file_alone(others: tuple[str, ...], maui: str) -> None:
    for file in (None, maui):
        with pytest.raises(InputError, match=r"backfill\.reservations there and remove --reserv"):
            policies_of((*others, "maui"), 1, file)
    done = run("poisson-small", "--policy", "maui", "--reservations", "2")
    assert done.exit_code == 2
    assert "remove --reservations" in done.output


def test_the_faults_of_the_file_are_all_printed_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("iteration_s = 0\n[fairshare]\ndecay = 2\n")
    done = run("poisson-small", "--policy", "maui", "--maui", str(path))
    assert done.exit_code == 2
    assert done.output.splitlines() == [
        f"{path}:1: iteration_s: 0 should be greater than or equal to 1; correct it",
        f"{path}:1: name: is missing; add it",
        (
            f"{path}:3: fairshare.decay: window i would weigh 2 ** i; give a number above 0 and "
            "at most 1"
        ),
    ]
    missing = run("poisson-small", "--policy", "maui", "--maui", str(tmp_path / "none.toml"))
    assert (missing.exit_code, "does not exist" in missing.output) == (2, True)


def test_nothing_is_written_in_the_place_of_the_configuration(maui: str, tmp_path: Path) -> None:
    (tmp_path / "hard.csv").hardlink_to(maui)
    words = ("poisson-small", "--policy", "maui", "--maui", maui)
    for option, file in (("--write-log", maui), ("--write-schedule", str(tmp_path / "hard.csv"))):
        done = run(*words, option, file)
        assert done.exit_code == 2
        assert f"{option} {file}: is also the file of --maui; give another name" in done.output
    assert Path(maui).read_text() == HERE


# With the scheduler itself


@pytest.mark.parametrize("given", [True, False])
def test_the_file_stands_in_the_answer_by_name_and_hash(given: bool, maui: str) -> None:
    words = ("--maui", maui) if given else ()
    done = run("poisson-small", "--policy", "maui", *words, "--json")
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert answer["policy"] == "maui"
    file, name = (Path(maui), "maui.toml") if given else (BUNDLED, "maui.toml, bundled")
    assert answer["files"] == {name: hashlib.sha256(file.read_bytes()).hexdigest()}
    assert "files" not in json.loads(run("poisson-small", "--json").stdout)


def test_the_report_names_the_file_its_hash_and_a_command_without_folders(maui: str) -> None:
    from planner.cli.simulate import simulate
    from planner.cli.simulate_inputs import words_with
    from planner.cli.simulate_options import SimulateOptions
    from planner.cli.typed import read
    from planner.scheduling.simulation.study import study

    log = lublin_log(50, 64, seed=1)
    chosen = policies_of(("maui", "fcfs"), None, maui)
    words = ["lublin", "--policy", "maui", "--policy", "fcfs", "--maui", maui]
    settings = read(SimulateOptions, simulate.make_context("simulate", words))
    command = words_with("simulate", settings, seeded=True)
    assert command == (
        "simulate", "lublin", "--policy", "maui", "--policy", "fcfs", "--maui", "maui.toml",
        "--seed", "0", "-o", "DIR",
    )  # fmt: skip
    content = replace(study(log, chosen.policies), command=command, files=chosen.files)
    digest = hashlib.sha256(HERE.encode()).hexdigest()
    origin = content.study.provenance
    assert origin.inputs["maui.toml"] == digest
    assert origin.words == command


def test_a_sample_from_init_plays_as_the_bundled_scheduler(tmp_path: Path) -> None:
    sample = BUNDLED.parent.parent / "sample" / "maui.toml"
    words = ("lublin", "--jobs", "300", "--load", "0.9", "--policy", "maui")
    own, bundled = (
        json.loads(run(*words, *file, "--json").stdout) for file in ((), ("--maui", str(sample)))
    )
    assert own["mean_wait_s"] == bundled["mean_wait_s"] > 0


def test_check_tells_a_scheduler_from_a_scenario(tmp_path: Path) -> None:
    good = tmp_path / "maui.toml"
    good.write_text(BUNDLED.read_text())
    done = CliRunner().invoke(main, ["check", str(good)])
    assert done.exit_code == 0
    assert (
        "maui: a valid configuration of the scheduler maui, with an iteration every 30 s"
        in done.output
    )
    bad = tmp_path / "bad.toml"
    bad.write_text('name = "bad"\n[fairshare]\nwindows = 0\n')
    done = CliRunner().invoke(main, ["check", str(bad)])
    assert done.exit_code == 2
    assert "bad.toml:3: fairshare.windows: 0 windows keep no history" in done.output

"""Headroom from Python: each function answers what the command of its name answers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import headroom as hr
import planner
from planner.answer import Answer
from planner.cli.main import main
from planner.registry import COMMANDS, loaded, named
from scenarios.sample import write_sample

MATRIX = "0,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n"
LOG = "number,submit,run,processors,user\n1,0,100,2,ann\n2,0,100,2,bob\n3,0,100,2,ann\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("python")
    write_sample(folder / "sample")
    (folder / "matrix.csv").write_text(MATRIX)
    (folder / "log.csv").write_text(LOG)
    return folder


def command(*words: object) -> dict[str, Any]:
    done = CliRunner().invoke(main, [*map(str, words), "--json"])
    assert done.exit_code == 0, done.output
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def plain(study: Answer) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(json.dumps(study.to_dict()))
    return answer


def test_the_module_is_this_project_s_and_not_its_namesake() -> None:
    assert hr.__file__ is not None
    assert Path(hr.__file__).parent == Path(__file__).parents[1]
    assert {name for name in dir(hr) if not name.startswith("__")} == {*hr.__all__}
    assert all(getattr(hr, name) is not None for name in hr.__all__)
    assert {*planner.__all__} <= {*dir(planner)}
    with pytest.raises(AttributeError, match="no attribute 'prices'"):
        hr.prices  # noqa: B018


def test_configure_and_share_equal_their_commands(folder: Path) -> None:
    runs = folder / "sample" / "runs.csv"
    result = hr.configure(runs, bound_w=3500)
    assert plain(result) == command("configure", runs, "--power-bound", 3500)
    shared = hr.share(runs, bound_w=6000, nodes=64)
    assert plain(shared) == command("share", runs, "--power-bound", 6000, "--nodes", 64)


def test_simulate_and_size_equal_their_commands(folder: Path) -> None:
    log = folder / "log.csv"
    result = plain(hr.simulate(log, ["easy", "fcfs"], processors=4))
    content = command("simulate", log, "--policy", "easy", "--policy", "fcfs", "--processors", 4)
    assert content["study"]["provenance"].pop("words")[0] == "simulate"
    assert result == content
    sized = plain(hr.size(log, "mean-wait<=40", resamples=0))
    content = command("size", log, "--for", "mean-wait<=40", "--resamples", 0)
    assert content["study"]["provenance"].pop("words")[0] == "size"
    assert sized == content


def test_place_is_the_placement_of_its_command(folder: Path) -> None:
    result = plain(hr.place(folder / "matrix.csv", nodes=2))
    content = command("place", folder / "matrix.csv", "--nodes", 2)
    assert {name: result[name] for name in ("groups", "cut")} == {
        name: content[name] for name in ("groups", "cut")
    }


def test_plan_equals_its_command_and_its_report_is_written(folder: Path, tmp_path: Path) -> None:
    scenario = hr.load(folder / "sample" / "designs.toml")
    study = hr.plan(scenario)
    out = tmp_path / "command"
    assert plain(study) == command("plan", folder / "sample" / "designs.toml", "-o", out)
    written = hr.report(study, tmp_path / "python")
    assert written.report.read_bytes() == (out / "report.pdf").read_bytes()


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_is_registered_whole(name: str) -> None:
    result = named(name)
    function = loaded(f"{result.module}:{result.module.rpartition('.')[2]}")
    assert function.help
    assert result.summary.endswith(".")
    assert len(result.summary) <= 80
    for answer in result.answers:
        assert issubclass(loaded(answer), Answer)


def test_a_command_of_another_name_is_none() -> None:
    with pytest.raises(LookupError, match="called 'prices'"):
        named("prices")


def test_a_study_is_short_in_the_terminal_and_safe_in_a_notebook(folder: Path) -> None:
    study = hr.configure(folder / "sample" / "runs.csv", bound_w=3500)
    assert repr(study) == f"<ConfigurationStudy: {study.headline}>"
    assert {*study.frames()} == {*study.tables()}
    named = hr.simulate(folder / "log.csv", processors=4)
    hostile = replace(named, log=replace(named.log, name="<script>", file="<script>"))
    assert "<script>" not in hostile._repr_html_()
    assert "&lt;script&gt;" in hostile._repr_html_()

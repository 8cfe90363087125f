"""``headroom slurm export``: files of a scenario for Slurm; nothing is replaced."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner

from planner.cli.main import main
from planner.scheduling.slurm.data_files import read_export
from planner.scheduling.slurm.from_scenario import fitting_nowhere
from tests.planner.scheduling.slurm.exports import table_5_2


def invoke(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["slurm", "export", *map(str, words)])
    return result.exit_code, result.output


def test_the_files_hold_the_cluster_the_bound_and_the_configurations(tmp_path: Path) -> None:
    folder = tmp_path / "slurm"
    code, text = invoke("thesis-table-5-2", "-o", folder, "--policy", "adaptive")
    assert code == 0, text
    export = read_export(folder)
    assert (export.nodes, export.bound_w, export.rule) == (60, 8000, "adaptive")
    rows = sorted((row.nodes, row.time_s, row.power_w) for row in export.applications["example"])
    assert rows == [(6, 447.9, 796.4), (8, 415.3, 783.8), (8, 439.2, 738.2)]
    assert "Licenses=watt:8000" in (folder / "headroom_slurm.conf").read_text()


def test_no_existing_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    code, text = invoke("thesis-table-5-2", "-o", tmp_path)
    assert code == 2
    assert "it exists with other content; --force replaces it); choose another folder" in text
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert (tmp_path / "README.md").read_text() == "mine"


def test_several_bounds_need_a_choice(tmp_path: Path) -> None:
    code, text = invoke("thesis-rmap", "-o", tmp_path / "slurm")
    assert code == 2
    assert "has the bounds 6500, 8000" in text


def test_a_scenario_of_another_kind_is_refused(tmp_path: Path) -> None:
    code, text = invoke("thesis-7kw", "-o", tmp_path / "slurm")
    assert code == 2
    assert "asks what to buy, not how to schedule jobs" in text


def test_a_bound_that_refuses_every_job_is_refused(tmp_path: Path) -> None:
    code, text = invoke("thesis-table-5-2", "--power-bound", "9", "-o", tmp_path / "slurm")
    assert code == 2
    assert "the power bound of 9 W is below the 739 W that the smallest configuration" in text
    assert "set --power-bound to at least 739 W" in text
    assert not (tmp_path / "slurm").exists()
    assert invoke("thesis-table-5-2", "--power-bound", "739", "-o", tmp_path / "slurm")[0] == 0


def test_applications_that_fit_nowhere_are_named() -> None:
    export = table_5_2("naive")
    assert fitting_nowhere(export) == ()
    assert fitting_nowhere(replace(export, bound_w=1_000.0)) == ("a",)
    assert fitting_nowhere(replace(export, nodes=5)) == ("sp",)
    assert fitting_nowhere(replace(export, bound_w=1_000.0, rule="traditional")) == ("a",)

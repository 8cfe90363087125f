"""``headroom slurm export``: files of a scenario for Slurm; nothing is replaced."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from planner.cli.main import main
from planner.scheduling.slurm.data_files import read_export


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
    assert "already exists; choose another folder" in text
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

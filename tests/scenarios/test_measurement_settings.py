"""Runs that differ in a column unknown to Headroom are no repetitions, unless the user says so."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from planner.cli.main import main
from scenarios.faults import ScenarioError
from scenarios.measurements.reader import read_measurements
from scenarios.measurements.runs import Measurements

HEAD = ["app", "nodes", "cores", "cap", "time_s", "package_power_w"]
RUNS: list[list[object]] = [
    ["lammps", 4, 16, 115, 30.1, 800],
    ["lammps", 4, 16, 115, 21.5, 810],
    ["lammps", 8, 16, 115, 16.0, 1600],
    ["lammps", 8, 16, 115, 11.2, 1610],
]


def table(path: Path, heading: str, column: list[object], rows: list[list[object]] = RUNS) -> Path:
    """The runs with one column more, as text, workbook or Parquet by the name of the file."""
    every: list[list[object]] = [[*HEAD, heading]]
    every += [[*row, cell] for row, cell in zip(rows, column, strict=True)]
    if path.suffix == ".csv":
        path.write_text("\n".join(",".join(map(str, row)) for row in every), encoding="utf-8")
    elif path.suffix == ".xlsx":
        import xlsxwriter

        with xlsxwriter.Workbook(path) as book:
            sheet = book.add_worksheet()
            for index, row in enumerate(every):
                sheet.write_row(index, 0, row)
    else:
        import pandas as pd

        pd.DataFrame(every[1:], columns=[*HEAD, heading]).to_parquet(path)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
def test_a_sweep_of_another_setting_is_refused_with_both_remedies(
    tmp_path: Path, suffix: str
) -> None:
    file = table(tmp_path / f"t{suffix}", "gpu_cap_w", [200, 300, 200, 300])
    with pytest.raises(ScenarioError) as refused:
        read_measurements(file)
    message = str(refused.value)
    assert "'gpu_cap_w' is 300 here and 200 in" in message
    assert "both for 'lammps' on 4 nodes x 16 cores at 115 W: these runs are not rep" in message
    assert "--group-by 'gpu_cap_w'" in message
    assert "--ignore 'gpu_cap_w'" in message


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
def test_grouping_makes_an_application_of_each_value(tmp_path: Path, suffix: str) -> None:
    file = table(tmp_path / f"t{suffix}", "gpu_cap_w", [200, 300, 200, 300])
    content = read_measurements(file, group_by=["GPU_CAP_W"])
    assert list(content.runs) == ["lammps (gpu_cap_w = 200)", "lammps (gpu_cap_w = 300)"]
    times = [run.time_s.tolist() for run in content.runs.values()]
    assert times == [[30.1, 16.0], [21.5, 11.2]]
    assert all((run.repetition == 1).all() for run in content.runs.values())


def test_what_does_not_matter_is_ignored_on_the_user_s_word(tmp_path: Path) -> None:
    file = table(tmp_path / "t.csv", "gpu_cap_w", [200, 300, 200, 300])
    content: Measurements = read_measurements(file, ignore=["gpu_cap_w"])
    assert content.runs["lammps"].repetition.tolist() == [1, 2, 1, 2]
    for option in ("group_by", "ignore"):
        named: dict[str, list[str]] = {option: ["gpu"]}
        with pytest.raises(ScenarioError, match="did you mean 'gpu_cap_w'"):
            read_measurements(file, **named)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("heading", "column"),
    [
        ("turbo", ["on", "off", "on", "off"]),
        ("gpu_cap_w", [100, 150, 200, 250]),  # all different, and yet a setting
        ("Input", ["small", "small", "large", "huge"]),
        ("alpha", [1, 2, 1, 2]),
    ],
)
def test_settings_are_refused(tmp_path: Path, heading: str, column: list[object]) -> None:
    with pytest.raises(ScenarioError, match="not repetitions"):
        read_measurements(table(tmp_path / "t.csv", heading, column))


@pytest.mark.parametrize(
    ("heading", "column"),
    [
        ("energy_j", [1.5, 2.5, 3.5, 4.5]),
        ("gpu_power_w", [201, 305, 207, 311]),
        ("job id", [7001, 7002, 7010, 7011]),
        ("date", ["2026-01-01", "2026-01-02", "2026-01-01", "2026-01-02"]),
        ("measured on", ["2026-01-01", "2026-01-02", "2026-01-01", "2026-01-02"]),
        ("remarks", ["", "again", "", ""]),
        ("gpu_cap_w", [200, 200, 300, 300]),  # does not differ within a configuration
    ],
)
def test_measured_values_and_labels_may_differ(
    tmp_path: Path, heading: str, column: list[object]
) -> None:
    content = read_measurements(table(tmp_path / "t.csv", heading, column))
    assert content.runs["lammps"].repetition.tolist() == [1, 2, 1, 2]


@pytest.mark.parametrize(("scale", "refused"), [(1.0, True), (3.14159, False)])
def test_long_different_numbers_of_many_runs_are_measured(
    tmp_path: Path, scale: float, *, refused: bool
) -> None:
    rows = [["x", 4, 16, 115, 30 + k, 800 + k] for k in range(12)]
    column: list[object] = [round(scale * 50 * (k + 1) * (1 + 0.1 * (k % 3)), 3) for k in range(12)]
    file = table(tmp_path / "t.csv", "alpha", column, rows)
    if refused:
        with pytest.raises(ScenarioError, match="not repetitions"):
            read_measurements(file)
    else:
        assert len(read_measurements(file).runs["x"]) == 12


def test_numbered_repetitions_of_another_setting_are_refused_too(tmp_path: Path) -> None:
    """The message before told to number repetitions that were numbered well."""
    rows = ["app,nodes,cores,cap,repetition,gpu cap,time_s,package_power_w"]
    rows += [f"a,4,16,115,{r},{g},{30 - g / 100},800" for g in (200, 300) for r in (1, 2)]
    (tmp_path / "t.csv").write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(ScenarioError, match="'gpu cap' is 300 here and 200 in line 3"):
        read_measurements(tmp_path / "t.csv")
    content = read_measurements(tmp_path / "t.csv", group_by=["gpu cap"])
    assert [run.repetition.tolist() for run in content.runs.values()] == [[1, 2], [1, 2]]


def test_the_command_refuses_then_groups_and_repeats_its_options(tmp_path: Path) -> None:
    file = table(tmp_path / "t.csv", "gpu_cap_w", [200, 300, 200, 300])
    results = ["configure", str(file), "--power-bound", "1700"]
    refused = CliRunner().invoke(main, results)
    assert refused.exit_code == 2
    assert "not repetitions" in refused.output
    shown = CliRunner().invoke(main, [*results, "--group-by", "gpu_cap_w"])
    assert shown.exit_code == 0
    for row in (r"lammps \(gpu_cap_w = 200\) +8 +16 +115 W +16.0 s",
                r"lammps \(gpu_cap_w = 300\) +8 +16 +115 W +11.2 s"):  # fmt: skip
        assert re.search(row, shown.output)
    from planner.cli.reading import ReadingOptions

    reading = ReadingOptions(columns=(), sheet=None, group_by=("gpu_cap_w",), ignore=("host",))
    assert reading.words() == ("--group-by", "gpu_cap_w", "--ignore", "host")
    shared = CliRunner().invoke(
        main,
        ["share", str(file), "--power-bound", "3400", "--nodes", "16", "--ignore", "gpu_cap_w"],
    )
    assert shared.exit_code == 0, shared.output


def test_values_are_compared_as_written_whatever_the_order(tmp_path: Path) -> None:
    order = np.random.default_rng(3).permutation(4)
    rows = [RUNS[k] for k in order]
    column: list[object] = [[200, 300, 200, 300][k] for k in order]
    with pytest.raises(ScenarioError, match="not repetitions"):
        read_measurements(table(tmp_path / "t.csv", "gpu_cap_w", column, rows))

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from scenarios.measurements.runs import Runs
from scenarios.simulated import (
    SimulatedCluster,
    campaign,
    find_application,
    write_measurements,
)

RUNS = {
    name: campaign(
        SimulatedCluster.build(8, 1), find_application(name), ([2, 8], [16, 4], [51, 115]), 2, 1
    )
    for name in ("BT-MZ", "NSC")
}


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def test_measurements_hold_every_column_to_the_last_bit(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    write_measurements(path, RUNS)
    header, *body = rows(path)
    assert header == [
        "application",
        "nodes",
        "cores_per_node",
        "package_cap_w",
        "repetition",
        "time_s",
        "package_power_w",
        "dram_power_w",
    ]
    values = np.array([row[1:] for row in body if row[0] == "BT-MZ"], dtype=float)
    runs = RUNS["BT-MZ"]
    assert runs.dram_power_w is not None
    for column, name in enumerate(header[1:]):
        assert (values[:, column] == getattr(runs, name)).all()


def test_memory_that_was_not_measured_is_left_empty(tmp_path: Path) -> None:
    one = RUNS["NSC"]
    bare = Runs("NSC", one.nodes, one.cores_per_node, one.package_cap_w, one.repetition,
                one.time_s, one.package_power_w)  # fmt: skip
    write_measurements(tmp_path / "runs.csv", {"NSC": bare})
    assert {row[-1] for row in rows(tmp_path / "runs.csv")[1:]} == {""}


def test_the_same_runs_give_the_same_bytes_and_nothing_else_is_left(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        write_measurements(tmp_path / name, RUNS)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.csv", "b.csv"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_measurements(path, {"\ud800": RUNS["NSC"]})
    with pytest.raises(ValueError, match="no runs to write"):
        write_measurements(path, {})
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["runs.csv"]

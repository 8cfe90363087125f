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
    measurements_text,
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
    path.write_text(measurements_text(RUNS), encoding="utf-8")
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
    path = tmp_path / "runs.csv"
    path.write_text(measurements_text({"NSC": bare}), encoding="utf-8")
    assert {row[-1] for row in rows(path)[1:]} == {""}


def test_the_same_runs_give_the_same_text() -> None:
    assert measurements_text(RUNS) == measurements_text(RUNS)


def test_no_runs_give_no_text() -> None:
    with pytest.raises(ValueError, match="no runs to write"):
        measurements_text({})

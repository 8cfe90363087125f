"""Power per socket next to the headline: whether the table holds sums."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from planner.cli.main import main
from planner.configurations.sockets import LEAST_SHARE, MOST_SHARE, socket_power
from planner.configurations.table import table_of
from scenarios.measurements.reader import read_measurements
from tests.planner.configurations.rzmerl import rzmerl
from tests.shared_data import RZMERL, needs_data

HEAD = "application,nodes,cores_per_node,package_cap_w,time_s,package_power_w"


def file_of(path: Path, *rows: str) -> Path:
    path.write_text("\n".join([HEAD, *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("command", [("configure",), ("share", "--nodes", "32")])
def test_watts_of_one_node_in_a_table_of_sums_are_warned_of(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    """210 W of 16 nodes with two sockets: 6.56 W a socket, of a cap of 115 W."""
    table = file_of(tmp_path / "t.csv", "x,8,16,115,16,212", "x,16,16,115,9,210")
    output = CliRunner().invoke(
        main, [command[0], str(table), "--power-bound", "900", *command[1:]]
    )
    text = " ".join(output.output.split())
    assert "A socket of x (16 x 16, 115 W) draws 6.563 W, far below its cap of 115 W." in text
    flat = "Package power does not grow with nodes: x. The first: 212 W on 8 nodes, 210 W on 16"
    assert flat in text


def test_two_sockets_of_a_small_table_are_plausible(tmp_path: Path) -> None:
    table = file_of(tmp_path / "t.csv", "x,2,16,115,16,368")
    output = CliRunner().invoke(main, ["configure", str(table), "--power-bound", "368"]).output
    assert output.startswith("Under 368 W, x runs fastest as")
    assert "A socket of" not in output


def test_a_socket_above_its_cap_is_warned_of(tmp_path: Path) -> None:
    table = file_of(tmp_path / "t.csv", "x,2,16,80,16,368")
    arguments = ["configure", str(table), "--power-bound", "900", "--socket-tdp", "80", "--json"]
    plain = json.loads(CliRunner().invoke(main, arguments).stdout)
    assert plain["socket_power"] == {"sockets": 2, "power_w": 92.0, "cap_w": 80.0, "share": 1.15}
    assert any("92 W, above its cap of 80 W" in warning for warning in plain["warnings"])
    four = json.loads(CliRunner().invoke(main, [*arguments, "--sockets", "4"]).stdout)
    assert four["socket_power"]["power_w"] == 46.0
    assert not any("above its cap" in warning for warning in four["warnings"])


@needs_data
@pytest.mark.parametrize("application", ["BT-MZ", "SC", "SM", "NSM", "NSC"])
def test_no_configuration_of_the_real_table_is_implausible(application: str) -> None:
    runs = rzmerl(application)
    table = table_of(runs)
    for row in range(len(table)):
        power = socket_power(runs, table.row(row), "median", 2)
        assert power is not None
        assert LEAST_SHARE <= power.share <= MOST_SHARE
    assert read_measurements(RZMERL).remarks == ()

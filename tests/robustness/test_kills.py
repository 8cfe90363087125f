"""Commands killed at random moments lose nothing, leave nothing and work again afterwards."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.robustness.campaign import SEED
from tests.robustness.killed_commands import COMMANDS, KILLS, command, stored
from tests.robustness.kills import FOREIGN, OUT, Place, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@pytest.mark.release
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_killed_twenty_five_times_loses_and_leaves_nothing(
    name: str, tmp_path: Path
) -> None:
    result = run(command(name, tmp_path / "inputs"), KILLS, SEED, tmp_path)
    assert result.broken == []
    assert sum(result.kills.values()) == KILLS


def test_the_kills_of_every_command_are_stored_and_broke_nothing() -> None:
    cells = [[cell.strip() for cell in line.split("|")] for line in stored().values()]
    assert [row[1] for row in cells] == list(COMMANDS)
    assert [int(row[2]) for row in cells] == [KILLS] * len(COMMANDS)
    assert {(row[5], row[6]) for row in cells} == {(str(SEED), "0")}


def test_a_lost_or_changed_foreign_file_is_noticed(tmp_path: Path) -> None:
    index = Place(tmp_path).prepare()
    assert index.lost() == []
    assert index.results() == {}
    first, second = FOREIGN[OUT][:2]
    (tmp_path / OUT / first).unlink()
    (tmp_path / OUT / second).write_bytes(b"")
    assert index.lost() == [f"{OUT}/{first}", f"{OUT}/{second}"]

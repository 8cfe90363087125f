"""Damaged input given to whole commands: an answer or a refusal, though a reader accepted it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from planner.cli.main import main
from tests.robustness.campaign import SEED, different
from tests.robustness.seeds import PLANS

_PLACE = ("--nodes", "2", "--time-limit", "1")
_SIMULATE = ("--check", "--processors", "64", "--policy", "easy", "--policy", "conservative")
COMMANDS: dict[str, tuple[str, Sequence[str]]] = {
    "scenario (TOML)": ("s.toml", ("check", "FILE")),
    "measurements (CSV)": ("r.csv", ("configure", "FILE", "--power-bound", "3500")),
    "job log (SWF)": ("j.swf", ("simulate", "FILE", *_SIMULATE)),
    "job log (CSV)": ("j.csv", ("simulate", "FILE", "--json", *_SIMULATE)),
    "job log (sacct)": ("j.txt", ("simulate", "FILE", *_SIMULATE)),
    "schedule (CSV)": ("s.csv", ("check-schedule", "FILE", "--processors", "16")),
    "communication matrix": ("m.csv", ("place", "FILE", *_PLACE)),
    "Matrix Market": ("m.mtx", ("place", "FILE", *_PLACE)),
    "METIS graph": ("m.graph", ("place", "FILE", *_PLACE)),
    "edge list": ("m.edges", ("place", "FILE", *_PLACE)),
    "plan.json of diff": ("plan.json", ("diff", "FILE", "OTHER", "--json")),
}


def statuses(reader: str, mutants: int, folder: Path) -> dict[int, int]:
    """How often a command ended with each status on damaged files."""
    name, words = COMMANDS[reader]
    given = {"FILE": str(folder / name), "OTHER": str(folder / "other.json")}
    (folder / "other.json").write_bytes(PLANS[0])
    result: dict[int, int] = {}
    for number, data in different(reader, mutants, SEED + 2):
        (folder / name).write_bytes(data)
        done = CliRunner().invoke(main, [given.get(word, word) for word in words])
        expected = done.exception is None or isinstance(done.exception, SystemExit)
        assert expected, f"mutant {number}: {done.exception!r}"
        result[done.exit_code] = result.get(done.exit_code, 0) + 1
    return result


@pytest.mark.parametrize("reader", COMMANDS)
def test_commands_answer_or_refuse_damaged_files(reader: str, tmp_path: Path) -> None:
    assert set(statuses(reader, 25, tmp_path)) <= {0, 1, 2}


@pytest.mark.release
@pytest.mark.parametrize("reader", COMMANDS)
def test_commands_answer_or_refuse_a_thousand_damaged_files(reader: str, tmp_path: Path) -> None:
    result = statuses(reader, 1000, tmp_path)
    assert set(result) <= {0, 1, 2}
    assert result[2] > 100
    assert result.get(0, 0) + result.get(1, 0) > 20

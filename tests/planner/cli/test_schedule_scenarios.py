"""Scenarios of scheduling in the commands that do not schedule."""

from __future__ import annotations

from pathlib import Path

import pytest

import scenarios
from tests.planner.cli.commands import answered, ran

EXAMPLE = Path(scenarios.__file__).parent / "data" / "thesis-table-5-2.toml"


def test_check_says_what_a_scheduling_scenario_holds() -> None:
    done = ran("check", "thesis-table-5-2")
    text = "thesis-table-5-2 is valid: 1 application, 1 job log, 1 power bound, 3 policies.\n"
    assert (done.exit_code, done.output) == (0, text)


@pytest.mark.parametrize("words", [("plan",), ("plan", "--dry-run"), ("compare",)])
def test_other_commands_say_which_one_schedules(words: tuple[str, ...]) -> None:
    done = ran(*words, "thesis-table-5-2")
    assert done.exit_code == 2
    assert done.output == (
        "thesis-table-5-2 asks how to schedule jobs under power bounds; use it with headroom "
        "schedule\n"
    )


def varied(folder: Path, nodes: int) -> str:
    """The example with a job that requests so many nodes."""
    text = EXAMPLE.read_text(encoding="utf-8")
    path = folder / "s.toml"
    changed = text.replace("nodes = 6, requested_s", f"nodes = {nodes}, requested_s")
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    return str(path)


def test_check_warns_of_requests_that_are_rounded(tmp_path: Path) -> None:
    answer = answered("check", varied(tmp_path, 5))
    assert answer["valid"]
    assert answer["warnings"] == [
        "log one-job: 1 of 1 requests rounded up to a measured node count"
    ]


def test_check_refuses_a_log_without_a_job_that_can_run(tmp_path: Path) -> None:
    done = ran("check", varied(tmp_path, 61))
    assert done.exit_code == 2
    assert "log one-job has no job that can run (1 requests rejected: more nodes" in done.output

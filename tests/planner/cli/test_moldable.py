"""Moldable jobs on the command line."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import Result

from tests.planner.cli.commands import answered, ran

DRAWN = ("lublin", "--jobs", "300", "--processors", "64", "--load", "1.1", "--policy", "moldable")


def run(*words: str) -> Result:
    return ran("simulate", *words)


def found(*words: str) -> dict[str, Any]:
    return answered("simulate", *words)


def test_the_speedup_is_the_one_asked_for_and_the_default_is_named() -> None:
    waits = {
        model: found(*DRAWN, *(("--speedup", model) if model else ()))["mean_turnaround_s"]
        for model in ("", "downey:p:1", "downey:64:1", "amdahl:0", "amdahl:0.2")
    }
    assert waits[""] == waits["downey:p:1"]
    assert len(set(waits.values())) == 4


def test_the_checker_holds_it_to_what_holds_for_every_schedule() -> None:
    answer = found(*DRAWN, "--policy", "easy", "--check")
    assert answer["violations"] == []
    assert answer["checked"] == ["easy"]


def test_it_is_compared_with_others_by_turnaround() -> None:
    done = run(*DRAWN, "--policy", "easy")
    assert done.exit_code == 0
    assert "Warning: Moldable EASY: " in done.stdout
    assert "compare turnarounds, not waits" in done.stdout
    assert "compare turnarounds" not in run(*DRAWN[:1], "--jobs", "60", "--policy", "easy").stdout


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ("--policy easy --speedup amdahl:0.1", 2, "--speedup is for moldable jobs"),
        ("--policy moldable --speedup gustafson", 2, "'gustafson' is not a speedup model; give"),
        ("--policy moldable --speedup amdahl:2", 2, "outside 0 to 1"),
        ("--policy moldable --explain 3", 2, "moldable cannot be explained"),
        ("--policy moldable --unavailable 0:9:1", 1, "does not plan around outages"),
        ("--policy moldable --estimates tsafrir", 1, "moldable does not plan with predictions"),
        ("--policy moldable --reservations 2", 2, "moldable has no number of reservations"),
    ],
)
def test_what_cannot_be_is_refused(words: str, code: int, says: str) -> None:
    done = run("poisson-small", *words.split())
    assert done.exit_code == code, done.output
    assert says in " ".join(done.output.split())

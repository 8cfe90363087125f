"""Where nobody watches, a long command says now and then how far it is."""

from __future__ import annotations

import math
import re

import pytest

from planner.cli import edges


@pytest.mark.parametrize(("seconds", "lines"), [(0, 2), (math.inf, 0)])
def test_a_line_says_how_far_a_command_is(
    seconds: float, lines: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(edges, "SECONDS_BETWEEN_LINES", seconds)
    with edges.counted_progress("runs", quiet=False) as say:
        say(1, 2)
        say(2, 2)
    shown = capsys.readouterr().err.splitlines()
    assert len(shown) == lines
    assert all(re.fullmatch(r"\d+ s: runs, [12] of 2", line) for line in shown)

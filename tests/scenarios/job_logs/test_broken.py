"""One deliberately broken log per fault that the readers know, with its exact messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios import ScenarioError
from scenarios.job_logs.reader import read_job_log
from tests.scenarios.job_logs.logs import BROKEN


def expected() -> dict[str, list[str]]:
    """The messages by file name; expected.txt holds a block for each file."""
    blocks = (BROKEN / "expected.txt").read_text(encoding="utf-8").split("# ")[1:]
    return {lines[0]: lines[1:] for lines in (block.strip().split("\n") for block in blocks)}


EXPECTED = expected()


@pytest.mark.parametrize("name", EXPECTED)
def test_every_fault_of_a_log_is_named_with_place_and_remedy(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(BROKEN)
    with pytest.raises(ScenarioError) as caught:
        read_job_log(Path(name))
    assert str(caught.value).split("\n") == EXPECTED[name]


def test_every_broken_log_is_tried() -> None:
    assert {path.name for path in BROKEN.iterdir()} == {*EXPECTED, "expected.txt"}

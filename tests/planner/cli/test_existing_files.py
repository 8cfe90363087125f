"""One rule for files that exist, whichever option names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.cli.main import main
from planner.cli.typed import WrittenPath
from planner.registry import COMMANDS
from tests.planner.cli.test_commands import here

DRAWN = ("simulate", "lublin", "--jobs", "40", "--processors", "64", "--seed", "1", "-q")
PLACED = ("place", "matrix.csv", "--nodes", "2", "-q")
SWEPT = ("plan", "hopper-2010", "--vary", "machine.utilisation=0.5,1", "-q")


def changed(words: tuple[str, ...], option: str, value: str) -> tuple[str, ...]:
    """Words with one option that has another value."""
    if option not in words:
        return (*words, option, value)
    place = words.index(option) + 1
    return (*words[:place], value, *words[place + 1 :])


OPTIONS = [
    (DRAWN, "--write-log", "log.swf", ("--seed", "2")),
    (DRAWN, "--write-schedule", "s.csv", ("--seed", "2")),
    (DRAWN, "--write-schedule", "t.csv.gz", ("--seed", "2")),
    (PLACED, "--write-rank-file", "ranks", ("--host", "a,b")),
    (PLACED, "--write-model", "m.lp", ("--nodes", "4")),
    (SWEPT, "--write-array", "array.sh", ("--gap", "0.1")),
]


@pytest.mark.parametrize(("words", "option", "name", "other"), OPTIONS)
def test_the_same_content_is_accepted_and_other_content_needs_force(
    tmp_path: Path, words: tuple[str, ...], option: str, name: str, other: tuple[str, str]
) -> None:
    (tmp_path / "matrix.csv").write_text("0,1,1,9\n1,0,9,1\n1,9,0,1\n9,1,1,0\n")
    words = (*words, option, name)
    assert here(*words, folder=tmp_path).status == 0
    before = (tmp_path / name).read_bytes()
    assert here(*words, folder=tmp_path).status == 0
    refused = here(*changed(words, *other), folder=tmp_path)
    assert refused.status == 2
    assert name in refused.err
    assert "--force replaces it" in refused.err
    assert (tmp_path / name).read_bytes() == before
    assert here(*changed(words, *other), "--force", folder=tmp_path).status == 0
    after = (tmp_path / name).read_bytes()
    assert after != before
    (tmp_path / name).write_text("my notes")
    early = here(*words, folder=tmp_path)
    assert (early.status, early.out) == (2, "")
    assert "--force replaces it" in early.err
    assert (tmp_path / name).read_text() == "my notes"


def test_every_command_that_writes_files_takes_force() -> None:
    for command in COMMANDS:
        loaded = main.get_command(None, command.name)  # type: ignore[arg-type]
        assert loaded is not None
        options = {name for param in loaded.params for name in param.opts}
        writes = any(isinstance(param.type, WrittenPath) for param in loaded.params)
        writes |= command.name == "report"  # into the folder that it reads
        assert ("--force" in options) == writes, command.name


def test_an_answer_that_cannot_be_written_is_printed_all_the_same(tmp_path: Path) -> None:
    words = DRAWN[:-1]
    assert here(*words, "--write-schedule", "s.csv", "-q", folder=tmp_path).status == 0
    ran = here(*changed(words, "--seed", "2"), "--write-schedule", "s.csv", folder=tmp_path)
    assert ran.status == 2
    assert "slowdown" in ran.out
    assert "s.csv: it exists with other content; --force replaces it" in ran.err

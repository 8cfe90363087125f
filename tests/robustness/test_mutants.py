"""Damaged input of every form: read, or refused in words that a person can be shown."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import pytest

from planner.cli.edges import explained
from planner.scheduling.simulation.schedule_reader import read_schedule
from scenarios.faults import Fault, ScenarioError
from tests.planner.cli.commands import ran
from tests.robustness import seeds
from tests.robustness.campaign import (
    MUTANTS,
    SEED,
    attempt,
    campaign,
    different,
    mutant,
    row,
    stored,
)
from tests.robustness.readers import READERS
from tests.sizes import few

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
FEW = few(100)
PATIENCE_S = 600


@pytest.mark.parametrize("reader", READERS)
def test_the_whole_input_that_mutants_are_made_of_is_read(reader: str, tmp_path: Path) -> None:
    for data in READERS[reader].seeds:
        assert attempt(reader, data, tmp_path)


def test_mutants_of_each_input_are_read_or_refused() -> None:
    result = campaign(list(READERS), FEW, SEED + 1, PATIENCE_S)
    assert {item.reader: item.failures for item in result if item.failed} == {}
    assert [item.reader for item in result if item.read + item.refused != FEW] == []


@pytest.mark.release
@pytest.mark.parametrize("reader", READERS)
def test_ten_thousand_mutants_are_read_or_refused_as_stored(reader: str) -> None:
    (result,) = campaign([reader], MUTANTS, SEED, PATIENCE_S)
    assert (result.failed, result.failures) == (0, [])
    assert row(result).split("|")[:5] == stored()[reader].split("|")[:5]


def test_each_reader_has_a_stored_result_without_other_exceptions() -> None:
    remaining = {
        name: [cell.strip() for cell in line.split("|")] for name, line in stored().items()
    }
    assert list(remaining) == list(READERS)
    assert {(cells[2], cells[3], cells[6]) for cells in remaining.values()} == {
        (f"{MUTANTS:,}", str(SEED), "0")
    }


def test_the_same_seed_gives_the_same_mutants() -> None:
    for reader in READERS:
        assert mutant(reader, 7, SEED) == mutant(reader, 7, SEED)
    results = [data for _, data in different("--warm-up", 500, SEED)]
    assert len({*results} - {*READERS["--warm-up"].seeds}) == 500


def test_a_reader_that_fails_in_other_ways_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error in (KeyError("a"), UnicodeDecodeError("utf-8", b"", 0, 1, ""), RecursionError()):

        def broken(_folder: Path, _data: bytes, error: Exception = error) -> object:
            raise error

        monkeypatch.setitem(READERS, "broken", READERS["--zone"].__class__((b"",), broken))
        with pytest.raises(AssertionError, match="internal error"):
            attempt("broken", b"", tmp_path)


def test_headings_without_end_do_not_fill_a_refusal(tmp_path: Path) -> None:
    many = ",".join([*seeds.SCHEDULES[0].decode().split("\n")[0].split(","), *["run"] * 10_000])
    (tmp_path / "s.csv").write_text(f"{many}\n")
    with pytest.raises(ScenarioError) as caught:
        read_schedule(tmp_path / "s.csv", 16)
    assert len(caught.value.faults) == 1  # all of them are one column too many
    assert len(str(caught.value)) < 300
    few = seeds.SCHEDULES[0].decode().split("\n")[0]
    rows = f"{','.join('x' * len(few.split(',')))}\n" * 10_000
    (tmp_path / "s.csv").write_text(f"{few}\n{rows}")
    with pytest.raises(ScenarioError) as caught:
        read_schedule(tmp_path / "s.csv", 16)
    assert len(caught.value.faults) == 101  # a hundred, and a line that counts the rest
    assert "further fault" in caught.value.faults[0].message
    assert len(str(Fault("jobs.txt", 2, "JobID" + "'" * 20_000, "is no number"))) < 300


def test_values_of_options_cannot_steer_a_terminal_or_fill_it() -> None:
    with pytest.raises(click.UsageError) as caught, explained():
        raise click.BadParameter("'x' of a\x1b[31m\u202e is no number", param_hint="--cluster")
    assert caught.value.format_message().endswith(r"'x' of a\x1b[31m\u202e is no number")
    message = ran("aggregate", "--patterns", "[" * 60_000).output
    assert len(message) < 5000
    assert "for example 2x1x4" in message

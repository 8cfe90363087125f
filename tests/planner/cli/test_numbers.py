"""Options take plain numbers: no text is read as another number than a person sees."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from planner.cli.main import main
from planner.cli.numbers import PlainNumber, PlainRange, PlainWhole, PlainWholeRange
from planner.cli.values import grid_of, percents, weighted
from planner.errors import InputError
from planner.plain_numbers import plain_decimal, plain_float, plain_whole
from planner.scheduling.policies.speedup import speedup_of

STRANGE = [
    "1_000",
    "\u0661\u0660",
    "\uff11",
    "nan",
    "inf",
    "Infinity",
    "0x10",
    "",
    " ",
    "1,5",
    "1 0",
]


@pytest.mark.parametrize("text", STRANGE)
def test_what_int_and_float_take_too_is_no_plain_number(text: str) -> None:
    for read in (plain_decimal, plain_float, plain_whole):
        with pytest.raises(ValueError, match=r"is not a (whole )?number; write digits"):
            read(text)


def test_thousands_are_refused_with_the_number_to_write() -> None:
    with pytest.raises(ValueError, match=r"'6,500' is not a whole number; write 6500, without"):
        plain_whole("6,500")


def test_plain_numbers_have_their_value() -> None:
    assert [plain_float(text) for text in ("2.5e3", "+.5", "-7", " 3 ")] == [2500, 0.5, -7, 3]
    assert [plain_whole(text) for text in ("007", "-7", "+1")] == [7, -7, 1]


def test_every_number_of_every_command_is_plain() -> None:
    numbers = (click.types.IntParamType, click.types.FloatParamType)
    results = [
        (name, option.name, option.type)
        for name in main.list_commands(click.Context(main))
        if (command := main.get_command(click.Context(main), name))
        for option in command.params
        if isinstance(option.type, numbers)
    ]
    assert len(results) > 40
    plain = PlainNumber | PlainRange | PlainWhole | PlainWholeRange
    assert [item for item in results if not isinstance(item[2], plain)] == []


@pytest.mark.parametrize("words", [["--jobs", "1_0"], ["--load", "0_1"], ["--warm-up", "0_0.1"]])
def test_options_refuse_an_underscore(words: list[str]) -> None:
    done = CliRunner().invoke(main, ["simulate", "lublin", *words])
    assert done.exit_code == 2
    assert words[1] in done.output


def test_ranges_are_kept() -> None:
    done = CliRunner().invoke(main, ["simulate", "lublin", "--load", "101"])
    assert "101 must be above 0 and at most 5; for 101 per cent write 101%" in done.output
    manual = " ".join(CliRunner().invoke(main, ["simulate", "--help"]).output.split())
    assert "--explain N Number of a job whose wait to explain" in manual
    assert "--processors N" in manual
    assert "None" not in manual


def test_lists_and_weights_are_plain_too() -> None:
    for text in ("0:1_00:10", "0,\u0662", "nan"):
        with pytest.raises(click.BadParameter):
            percents(text, "--uptake")
        with pytest.raises(click.BadParameter):
            grid_of((f"caps={text}",))
    for text in ("amdahl:0_1", "downey:1_0p:1", "downey:32:nan"):
        with pytest.raises(InputError, match="is not a speedup model"):
            speedup_of(text)
    with pytest.raises(click.BadParameter, match="the weight of a: '1_0' is not a number"):
        weighted("a=1_0", {"a"}, "--weight")

"""The command line speaks one language: help by subject, examples that run, units, capitals."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest

from planner.cli.help_page import SUBJECTS, HelpfulCommand
from planner.cli.main import main
from planner.registry import COMMANDS
from tests.example_inputs import write_example_inputs
from tests.planner.cli.commands import ran

WIDTH = 80
LONG = ("headroom plan rfp-center --full", "headroom init my-case")
"""Examples that take minutes, or that the inputs of the test are made by."""
EXAMPLES = [example for entry in COMMANDS for example in entry.examples if example not in LONG]
NAMES = [entry.name for entry in COMMANDS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("help")
    write_example_inputs(folder)
    (folder / "easy.csv").write_text("")
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_help_is_wider_than_a_terminal(name: str) -> None:
    lines = ran(name, "--help").output.splitlines()
    examples = lines.index("Examples:") if "Examples:" in lines else len(lines)
    assert [line for line in lines[:examples] if len(line) > WIDTH] == []


def test_the_list_of_commands_is_whole() -> None:
    text = " ".join(ran("--help").output.split())
    assert all(" ".join(entry.summary.split()) in text for entry in COMMANDS)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "schema"])
def test_the_help_ends_with_examples(name: str) -> None:
    lines = ran(name, "--help").output.rstrip().splitlines()
    assert lines.index("Examples:") < len(lines) - 1
    assert all(
        line.startswith(f"  headroom {name}") for line in lines[lines.index("Examples:") + 1 :]
    )


def test_long_helps_list_their_options_by_subject() -> None:
    text = ran("simulate", "--help").output
    order = ["Method:", "Input:", "Synthetic logs", "Machine:", "Chance:", "Output:"]
    assert sorted(order, key=text.index) == order


def test_every_name_with_a_subject_is_an_option_of_some_command() -> None:
    context = click.Context(main)
    options = {
        spelling.lstrip("-")
        for name in NAMES
        if (command := main.get_command(context, name))
        for parameter in command.params
        if not getattr(parameter, "hidden", False)
        for spelling in parameter.opts
    }
    assert {name for names in SUBJECTS.values() for name in names} - options == set()


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_words_of_an_example_are_read(example: str) -> None:
    program, name, *words = shlex.split(example)
    command = main.get_command(click.Context(main), name)
    assert program == "headroom"
    assert isinstance(command, HelpfulCommand)
    command.make_context(name, words)


SHORT = [
    "headroom check my-case/procurement.toml",
    "headroom configure my-case/runs.csv --power-bound 3.5kW",
    "headroom schedule thesis-table-5-2",
    "headroom place matrix.csv --nodes 2",
    "headroom colocate pairs.csv",
    "headroom compare thesis-7kw",
]


@pytest.mark.parametrize("example", SHORT)
def test_an_example_gives_its_answer(
    example: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert example in EXAMPLES
    monkeypatch.chdir(folder)
    done = ran(*shlex.split(example)[1:])
    assert done.exit_code == 0, done.output


def test_units_capitals_and_lists_mean_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    runs = ("configure", "my-case/runs.csv", "--json")
    first = ran(*runs, "--power-bound", "3.5kW", "-A", "sp-mz,lu-mz", "--guard", "5%")
    assert first.exit_code == 0, first.output
    for words in (
        ("--power-bound", "3500", "-A", "SP-MZ", "-A", "LU-MZ", "--guard", "0.05"),
        ("--power-bound", "3,500 W", "-A", "SP-MZ,LU-MZ", "--guard", "5"),
        ("--power-bound", "0.0035MW", "-A", "Sp-Mz", "-A", "lu-MZ", "--guard", "5 %"),
    ):
        assert ran(*runs, *words).output == first.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("configure", "x.csv", "--power-bound", "3kWh"), "'kWh' is not a unit of power; use W"),
        (("configure", "x.csv", "--power-bound", "0"), "must be above 0"),
        (("configure", "x.csv", "--power-bound", "1", "--guard", "1"), "may be 1 % or 100 %"),
        (("configure", "x.csv", "--power-bound", "1", "--guard", "100%"), "is not in the range"),
        (("plan", "thesis-7kw", "--time-limit", "5parsec"), "'parsec' is not a unit of time"),
        (("plan", "thesis-7kw", "--method", "Enginne"), "did you mean 'engine'?"),
        (("simulate", "lublin", "--policy", "eazy"), "did you mean 'easy'"),
        (("plan", "thesis-8kw"), "did you mean 'thesis-7kw'?"),
        (("init", "x", "--from", "rfp-centre"), "did you mean 'rfp-center' or 'tender-centre'?"),
    ],
)
def test_what_cannot_be_read_says_what_can(words: tuple[str, ...], message: str) -> None:
    done = ran(*words)
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())

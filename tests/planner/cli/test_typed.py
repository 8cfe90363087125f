"""Options are fields of a frozen dataclass: read from the command line, with the type they say."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from click.testing import CliRunner

from planner import cli
from planner.cli.files import read_files
from planner.cli.own_parts import PartName
from planner.cli.quantities import Factor, Quantity, Share
from planner.cli.typed import (
    WrittenPath,
    argument,
    command,
    first_given,
    group,
    option,
    parameters,
)
from planner.cli.values import words_of
from planner.registry import COMMANDS, loaded


@dataclass(frozen=True, kw_only=True)
class Inner:
    """A group."""

    gap: float = option(type=click.FloatRange(0, 1), default=0.25, help="How far.")
    parts: tuple[str, ...] = option("--part", multiple=True, type=PartName("part", ["a"]))


@dataclass(frozen=True, kw_only=True)
class Outer:
    """All options."""

    given: frozenset[str]
    files: tuple[str, ...] = argument(type=click.Path(), nargs=-1)
    inner: Inner = group(Inner)  # noqa: RUF009 - an option
    checks: bool = option("--checks/--no-checks", default=True)
    table: str | None = option("-t", "--table", type=click.Path())
    out: str | None = option("--out", type=WrittenPath())
    quiet: bool = option("--quiet", is_flag=True, recorded=False)


SEEN: list[Outer] = []


@command(Outer)
def two_words(asked: Outer) -> None:
    """Keep what is asked."""
    SEEN.append(asked)


def seen(*words: str) -> Outer:
    done = CliRunner().invoke(two_words, words)
    assert done.exit_code == 0, done.output
    return SEEN.pop()


def test_a_command_has_the_name_the_help_and_the_ranges_of_its_function_and_fields() -> None:
    assert two_words.name == "two-words"
    shown = CliRunner().invoke(two_words, ["--help"]).output
    assert "Keep what is asked." in shown
    assert "[default: 0.25" in shown
    order = ["--gap", "--part", "--checks", "-t", "--out", "--quiet"]
    assert sorted(order, key=shown.index) == order
    assert CliRunner().invoke(two_words, ["--gap", "2"]).exit_code == 2


def test_fields_hold_values_and_defaults_and_given_what_stands_on_the_command_line() -> None:
    bare = seen()
    assert bare == Outer(
        given=frozenset(), files=(), inner=Inner(gap=0.25, parts=()), checks=True, table=None,
        out=None, quiet=False,
    )  # fmt: skip
    full = seen("x", "y", "--gap", "0.25", "--no-checks", "-t", "t")
    assert full.given == {"--gap", "--checks", "-t", "--table", "files"}
    assert (full.files, full.checks, full.table) == (("x", "y"), False, "t")
    assert first_given(("--gap",), full.given) == "--gap"
    assert first_given(["--part"], full.given) == ""


def test_the_recorded_command_leaves_out_defaults_outputs_and_folders() -> None:
    settings = seen("d/x", "--gap", "0.25", "--no-checks", "-t", "d/t.csv", "--out", "o", "--quiet")
    assert words_of("two", settings) == ("two", "x", "--no-checks", "-t", "t.csv", "-o", "DIR")
    settings = seen("--part", "a", "--part", "d/own.py:f")
    words = ("--gap", "0.25", "--part", "a", "--part", "own.py:f")
    assert words_of("two", settings, {"gap": 0}) == ("two", *words, "-o", "DIR")
    assert words_of("two", seen(), {"parts": ("a",)}) == ("two", "--part", "a", "-o", "DIR")


@dataclass(frozen=True, kw_only=True)
class Amounts:
    """Options with units."""

    guard: float = option(type=Share(percent=True), default=5.0)
    powers: tuple[float, ...] = option("--power", listed=True, type=Quantity("power", "W", 0, 1e9))


def amounts(*words: str) -> Amounts:
    """The options of a command line."""
    line = click.Command("amounts", params=parameters(Amounts))
    return Amounts(**line.make_context("amounts", list(words)).params)


@pytest.mark.parametrize("text", ["0.5%", "1%", "7%", "50%", "0.29", "33.3"])
def test_a_recorded_share_is_read_as_the_same_share(text: str) -> None:
    given = amounts("--guard", text)
    recorded = words_of("amounts", given)
    assert recorded[2].endswith("%")
    assert len(recorded[2]) <= len("33.3%")
    assert amounts(*recorded[1:3]) == given


def test_the_default_of_a_share_is_shown_in_per_cent() -> None:
    shown = CliRunner().invoke(click.Command("amounts", params=parameters(Amounts)), ["--help"])
    assert "[default: 5%]" in shown.output


@pytest.mark.parametrize("text", ["6,500", "6,500W", "6,500 W", "12,345.5", "6,500,700kW"])
def test_a_list_refuses_commas_that_may_separate_thousands(text: str) -> None:
    whole = text.replace(",", "")
    values = text.split(",")
    listed = f"{', '.join(values[:-1])} and {values[-1]}"
    with pytest.raises(click.BadParameter) as error:
        amounts("--power", text)
    assert error.value.format_message() == (
        f"Invalid value for '--power': {text!r} may be {whole} or the values {listed}; write "
        f"{whole}, or repeat the option for each value"
    )


@pytest.mark.parametrize(
    ("text", "powers"),
    [
        ("6500", (6500,)),
        ("6500,700", (6500, 700)),
        ("600W,700W", (600, 700)),
        ("65,70", (65, 70)),
        ("600, 700", (600, 700)),
        ("6.5kW,8kW", (6500, 8000)),
    ],
)
def test_other_commas_separate_values(text: str, powers: tuple[float, ...]) -> None:
    assert amounts("--power", text).powers == powers


def test_inputs_are_the_files_of_all_options_but_outputs(tmp_path: Path) -> None:
    for name in ("x", "t", "own.py", "out"):
        (tmp_path / name).write_text("")
    x, t, own, out = (str(tmp_path / name) for name in ("x", "t", "own.py", "out"))
    settings = seen(x, "--part", f"{own}:f", "-t", t, "--out", out)
    assert read_files(settings) == (Path(x), Path(own), Path(t))


# Every command

NAMES = re.compile(r"\b(?!(?:int|float|bool|tuple|None)\b)[A-Za-z]\w*")
"""Types of texts: str, and literals."""


def options_of(kind: Any) -> Iterator[tuple[Any, Any, click.Parameter]]:
    """The class, the field and click's parameter of every option."""
    for field in fields(kind):
        if "group" in field.metadata:
            yield from options_of(field.metadata["group"])
        elif "made" in field.metadata:
            yield kind, field, field.metadata["made"](field.name)


def expected(parameter: click.Parameter) -> str:
    """The type of the values that click gives, as an annotation; text stands for all its kinds."""
    flag = isinstance(parameter, click.Option) and parameter.is_flag
    kinds = {"integer": "int", "integer range": "int", "float": "float", "float range": "float"}
    kind = "bool" if flag else kinds.get(parameter.type.name, "text")
    if isinstance(parameter.type, Quantity | Share | Factor):
        kind = "float"
    if getattr(parameter, "joined", False):
        return f"{kind} | None"
    if parameter.multiple or parameter.nargs == -1:
        return f"tuple[{kind}, ...]"
    has_value = flag or parameter.required or parameter.to_info_dict().get("default") is not None
    return kind if has_value else f"{kind} | None"


def literals(owner: Any, name: str) -> tuple[str, ...]:
    """The texts of a literal type, which the module of a class imports for types alone."""
    source = inspect.getsource(sys.modules[owner.__module__])
    module = re.search(rf"from (\S+) import .*\b{name}\b", source)
    assert module, name
    result: tuple[str, ...] = get_args(loaded(f"{module[1]}:{name}"))
    return result


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_every_field_says_the_type_that_click_gives(entry: Any) -> None:
    if entry.name == "schema":
        pytest.skip("it has no options")
    words = "".join(word.title() for word in entry.name.split("-"))
    for owner, field, parameter in options_of(loaded(f"{entry.module}:{words}Options")):
        assert NAMES.sub("text", field.type) == expected(parameter), field.name
        for name in set(NAMES.findall(field.type)) - {"str"}:
            assert isinstance(parameter.type, click.Choice), field.name
            assert set(parameter.type.choices) == set(literals(owner, name)), field.name


def test_an_option_that_several_commands_share_is_defined_once() -> None:
    places: dict[tuple[str, str], list[str]] = {}
    for path in sorted(Path(*cli.__path__).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call)):
                continue
            written = ast.unparse(node.value)
            if written.startswith("option("):
                key = (ast.unparse(node.target), written.partition("help=")[2])
                places.setdefault(key, []).append(path.name)
    assert len(places) > 100
    assert [where for where in places.values() if len(where) > 1] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--gap", "0.5", "--gap=0.75"], "--gap has several values, '0.5' and '0.75'; give one"),
        (["-t", "a", "--table", "b"], "--table has several values, 'a' and 'b'; give one"),
    ],
)
def test_a_second_value_of_an_option_with_one_is_refused(words: list[str], message: str) -> None:
    result = CliRunner().invoke(two_words, words)
    assert result.exit_code == 2
    assert message in result.output


def test_flags_and_options_with_several_values_may_be_repeated() -> None:
    words = ["--quiet", "--quiet", "--checks", "--no-checks", "--part", "a", "--part", "a"]
    result = CliRunner().invoke(two_words, words)
    assert result.exit_code == 0, result.output
    assert SEEN[-1].quiet
    assert not SEEN[-1].checks
    assert SEEN[-1].inner.parts == ("a", "a")

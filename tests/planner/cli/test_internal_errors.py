"""An error of Headroom itself is one line that says what failed and how to report it."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner, Result

from planner import __main__
from planner.cli import main
from planner.cli.edges import explained
from planner.errors import TRACEBACK, internal_error_text
from planner.formatting import power


def _ended(error: Exception) -> Result:
    @click.command()
    def command() -> None:
        with explained():
            raise error

    return CliRunner().invoke(command)


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("two\nlines"),
        AssertionError(),
        StopIteration(),
        ValueError("max() iterable argument is empty"),
        KeyError("x"),
        IndexError("list index out of range"),
        ZeroDivisionError("division by zero"),
        RecursionError("maximum recursion depth exceeded"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_internal_error_is_one_line(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TRACEBACK, raising=False)
    ended = _ended(error)
    assert ended.exit_code == 1
    assert ended.output.count("\n") == 1
    assert f"({type(error).__name__}" in ended.output
    assert "report this line" in ended.output


def test_an_internal_error_names_its_line_of_code() -> None:
    with pytest.raises(TypeError) as raised:
        power(None)  # type: ignore[arg-type] # on purpose
    text = internal_error_text(raised.value)
    assert text.startswith("internal error in planner/formatting.py, line ")


@pytest.mark.parametrize("error", [AttributeError("x"), RuntimeError("x"), KeyError("x")])
def test_outside_of_all_commands_it_is_one_line_too(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fails(**_: object) -> None:
        raise error

    monkeypatch.setattr(main.main, "main", fails)
    monkeypatch.setattr(__main__, "_hidden_library", str)  # it reads all that is installed
    assert __main__.guarded() == 1
    message = capfd.readouterr().err
    assert message.count("\n") == 1
    assert "report this line" in message


def test_the_traceback_is_shown_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TRACEBACK, "1")
    assert isinstance(_ended(RuntimeError("x")).exception, RuntimeError)

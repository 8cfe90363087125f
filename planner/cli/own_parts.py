"""Options that take a built-in part by its name, or one of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from planner.cli.choices import in_any_capitals
from planner.cli.completion import beginning
from planner.cli.typed import option

OWN = "or your own as FILE.py:NAME or PACKAGE.MODULE:NAME"
_FILE = ".py:"


class PartName(click.ParamType[str]):
    """The name of a built-in part, ``package.module:NAME`` or ``file.py:NAME``.

    Parameters
    ----------
    noun
        What the part is called in messages.
    names
        The built-in parts.
    """

    name = "part"

    def __init__(self, noun: str, names: Sequence[str] = ()) -> None:
        self.noun, self.names = noun, tuple(names)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - click's
        """Return what the help shows behind the option."""
        return "|".join((*self.names, "FILE.py:NAME"))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The built-in parts that begin so."""
        names = [CompletionItem(name) for name in beginning(self.names, incomplete)]
        return names or click.Path().shell_complete(ctx, param, incomplete)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse what can be neither; nothing is loaded yet."""
        text = in_any_capitals(str(value), self.names)
        if text not in self.names and not is_own(text):
            from planner.parts import unknown

            self.fail(unknown(text, self.names, self.noun), param, ctx)
        return text


def heuristic_option(noun: str) -> Any:
    """Parts of the user's own to compare with the optimum."""
    return option(
        "--heuristic",
        multiple=True,
        type=PartName(noun),
        help=f"A {noun} of your own to compare with the optimum, as FILE.py:NAME or "
        "PACKAGE.MODULE:NAME; may be repeated.",
    )


def is_own(text: str) -> bool:
    """Return whether the text gives a part of the user's own."""
    source, _, name = text.rpartition(":")
    return bool(source and name)


def source_of(text: str) -> str:
    """Return the file that ``file.py:NAME`` names; empty for any other text."""
    return text.rpartition(":")[0] if _FILE in text else ""


def portable(text: str) -> str:
    """Return the same part without the folder of its file."""
    path = source_of(text)
    return f"{Path(path).name}:{text.rpartition(':')[2]}" if path else text


def heuristic_words(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the words of the command that give the heuristics of the user's own."""
    return tuple(word for text in texts for word in ("--heuristic", portable(text)))

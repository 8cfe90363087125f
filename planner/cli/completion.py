"""Completion of names in a shell: scenarios, models of logs, and applications of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem


class NameOrPath(click.ParamType[str]):
    """A text that is one of some names, or the path of a file.

    Parameters
    ----------
    names
        Gives the names, when a shell asks for them.
    """

    name = "text"

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self.names = names

    def convert(self, value: Any, param: Any, ctx: Any) -> str:  # noqa: ARG002 - click's
        """The text as it is."""
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin so, and the shell's own completion of files."""
        items = click.Path().shell_complete(ctx, param, incomplete)
        return [*(CompletionItem(name) for name in beginning(self.names(), incomplete)), *items]


class ApplicationName(click.ParamType[str]):
    """The name of an application of the file that the command reads."""

    name = "text"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:  # noqa: ARG002 - click's
        """The text as it is; the command looks it up."""
        return str(value)

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 - click's
        incomplete: str,
    ) -> list[CompletionItem]:
        """The applications of FILE that begin so; none where it cannot be read."""
        from scenarios.faults import ScenarioError
        from scenarios.measurements.reader import read_measurements

        file = ctx.params.get("file") or next(iter(ctx.args), "")  # not yet read while one types
        try:
            runs = read_measurements(file).runs
        except (ScenarioError, OSError):
            return []
        return [CompletionItem(name) for name in beginning(runs, incomplete)]


def beginning(names: Iterable[str], incomplete: str) -> list[str]:
    """Return the names that begin with a text, in any capitals."""
    return [name for name in names if name.casefold().startswith(incomplete.casefold())]


LOG_MODELS = ("lublin", "poisson-small", "poisson-large", "poisson-random")
"""Models of synthetic logs; a command accepts their names where it accepts a log."""


def log_models() -> tuple[str, ...]:
    """Return the names of the models of synthetic logs."""
    return LOG_MODELS


def scenario_names() -> list[str]:
    """Return the bundled scenarios."""
    from scenarios.catalogue import names

    return names()

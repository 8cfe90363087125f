"""The help of a command: options by subject, and examples to copy at the end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import click

SUBJECTS = {
    "Input": (
        "form", "column", "sheet", "group-by", "ignore", "clean", "overruns", "default-limit",
        "zone", "values", "messages", "message-size", "traffic", "ping-pong", "first-rank",
        "row-order", "day", "first-jobs", "log", "profiles", "profiles-sheet", "tried",
    ),
    "Synthetic logs and simulated measurements": (
        "jobs", "load", "estimate-factor", "law", "synthetic", "write-measurements",
    ),
    "Machine": (
        "power-bound", "nodes", "processors", "node-cores", "cluster", "unavailable", "sockets",
        "socket-tdp", "socket-dram-power", "hierarchy", "fill", "distance", "node-memory",
        "rank-memory", "capacities", "ranks-per-node", "cores-per-node", "cores-per-socket",
        "node-processors", "host", "host-file", "jobs-per-node",
    ),
    "Chance": ("seed", "seeds", "resamples", "workers"),
    "Output": (
        "out", "no-report", "json", "quiet", "dry-run", "check", "explain", "window", "keep",
        "shard",
        "rank-file-form", "anonymous", "all", "force",
    ),
}  # fmt: skip
"""Options by subject; ``--write-...`` is an output, and all others are the method."""

METHOD = "Method"


def subject_of(option: click.Parameter) -> str:
    """Under which heading the help lists an option."""
    name = option.opts[-1].lstrip("-") if option.opts[0].count("-") == 1 else option.opts[0][2:]
    if name == "help":
        return "Output"
    if name.startswith("write-"):
        return (
            "Synthetic logs and simulated measurements"
            if name == "write-measurements"
            else "Output"
        )
    return next((subject for subject, names in SUBJECTS.items() if name in names), METHOD)


def short_record(record: tuple[str, str]) -> tuple[str, str]:
    """An option and its help, with short names of values and without ranges that limit nobody.

    Examples
    --------
    >>> short_record(("--gap FLOAT RANGE", "Enough.  [default: 0.1; 0<=x<=1]"))
    ('--gap NUMBER', 'Enough.  [default: 0.1; 0 to 1]')
    >>> short_record(("--jobs INTEGER RANGE", "Number of jobs.  [1<=x<=10000000]"))
    ('--jobs N', 'Number of jobs.')
    """
    option, text = record
    for long, short in _VALUES:
        option = option.replace(long, short)
    spelled, _, value = option.rpartition(" ")
    if len(value) > _LONGEST_VALUE and "|" in value:
        names = value.strip("[]").split("|")
        option = f"{spelled} NAME"
        text = f"{text.rstrip()}  [{', '.join(names)}]"
    text = _RANGE.sub(_short_range, text)
    return option, re.sub(r"\s*\[\s*\]|;\s*(?=\])|(?<=\[);\s*", "", text)


def _short_range(found: re.Match[str]) -> str:
    least, most = found[1], found[3]
    if len(most) > _MOST_DIGITS:
        return ""
    return f"{'above ' if found[2] == '<' else ''}{least} to {most}"


_VALUES = (
    ("INTEGER RANGE", "N"), ("FLOAT RANGE", "NUMBER"), ("INTEGER", "N"), ("FLOAT", "NUMBER"),
    ("TEXT", "NAME"),
)  # fmt: skip
_LONGEST_VALUE = 34
_MOST_DIGITS = 4
_RANGE = re.compile(r"([\d.]+)(<=?)x<=?([\d.]+)")


class HelpfulCommand(click.Command):
    """A command whose help has its options by subject, and examples.

    Attributes
    ----------
    examples
        Commands to copy.
    names
        Names that an option takes, with what each means, by the heading of their list.
    """

    examples: Sequence[str] = ()
    names: Mapping[str, Mapping[str, str]] = MappingProxyType({})

    def invoke(self, ctx: click.Context) -> Any:
        """Run; what could not be written is an error when the answer has been printed."""
        from planner.cli.edges import failures_so_far
        from scenarios.writing import replacing

        try:
            with replacing(force=bool(ctx.params.get("force")), option="--force"):
                result = super().invoke(ctx)
        except click.exceptions.Exit:
            for failure in failures_so_far():
                failure.show()
            raise
        if failures := failures_so_far():
            for failure in failures[:-1]:
                failure.show()
            raise failures[-1]
        return result

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; an option that is a key of the scenario file is refused with its place there."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if self.name != "check" and all(each.name != "scenario" for each in self.params):
                raise
            from planner.cli.scenario_keys import place_of_key

            place = place_of_key(error.option_name)
            if not place:
                raise
            message = f"No such option {error.option_name!r}; {place}."
            raise click.UsageError(message, error.ctx) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options, the method first and the outputs last."""
        by_subject: dict[str, list[tuple[str, str]]] = {name: [] for name in (METHOD, *SUBJECTS)}
        for param in self.get_params(ctx):
            if not isinstance(param, click.Option):
                continue
            record = param.get_help_record(ctx)
            if record is not None:
                by_subject[subject_of(param)].append(record)
        for subject, records in by_subject.items():
            if records:
                with formatter.section(subject if len(self.params) > _FEW else "Options"):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """End with the lists of names, and the examples."""
        super().format_epilog(ctx, formatter)
        for heading, texts in self.names.items():
            with formatter.section(heading):
                formatter.write_dl([*texts.items()])
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{example}\n")


_FEW = 8
"""Options of a command that needs no subjects."""

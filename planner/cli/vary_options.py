"""``--vary`` where KEY is an option with a number: ``headroom share`` and ``headroom simulate``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from planner.cli.files import read_files
from planner.cli.quantities import Factor, Quantity, Share
from planner.cli.typed import parameters, replaced
from planner.cli.values import words_of
from planner.cli.vary import Reader, SweepingOptions, SweepOptions, run_sweep, varied, vary_option
from planner.errors import InputError

if TYPE_CHECKING:
    from planner.answer import Answer
    from planner.sweeps.cases import Cases

_NUMBERS = (Quantity, Share, Factor, click.types.IntParamType, click.types.FloatParamType)
_NOT_VARIED = ("--workers", "--explain")


@dataclass(frozen=True, kw_only=True)
class OptionSweepOptions(SweepOptions):
    """Options of a sweep over values of options."""

    vary: tuple[str, ...] = vary_option(
        help="Answer a sweep: KEY=START:STOP:COUNT, with both ends, or KEY=V1,V2,... KEY is an "
        "option with a number, without dashes. Repeatable: every combination.",
    )


class VariedOptions(SweepingOptions, Protocol):
    """Options of a command whose options can be varied."""

    @property
    def given(self) -> frozenset[str]:
        """Options on the command line."""


@dataclass(frozen=True)
class OptionQuestion:
    """A command, of which every case replaces the values of some options.

    Attributes
    ----------
    name
        What is swept, for people.
    options
        The options of the command.
    answer
        Answers options.
    fields
        Name of the field of each varied option.
    stated
        The command, and the digest of each file that it reads.
    folder
        None: the answer is ours.
    """

    name: str
    options: Any
    answer: Callable[[Any], Answer]
    fields: Mapping[str, str]
    stated: tuple[str, ...]
    folder: None = None

    def parts(self) -> tuple[object, ...]:
        """Return nothing: the answer is ours."""
        return ()

    def content(self) -> dict[str, Any]:
        """Return the command and the content of its files."""
        return {"command": self.stated}

    def refuse_without_answer(self, cases: Cases) -> None:
        """Do nothing: each value was read as the command reads it."""

    def study(self, chosen: Mapping[str, Any]) -> Answer:
        """Answer the command with these values.

        Raises
        ------
        PlanError, ScenarioError
            It has no answer, or its options contradict each other.
        """
        values = {self.fields[key]: value for key, value in chosen.items()}
        try:
            return self.answer(replaced(self.options, values))
        except click.UsageError as error:
            raise InputError(error.format_message()) from None


def swept_options(
    name: str,
    options: VariedOptions,
    source: str,
    answer_of: Callable[[Any], Callable[[Any], Answer]],
) -> None:
    """Answer a sweep over options, or write the script for it, and print a summary.

    Parameters
    ----------
    name
        The command.
    source
        The file or model that it reads.
    answer_of
        Reads what all cases read, with the options of the first; returns what answers options.
    """
    from planner.sweeps.cases import cases_of

    numeric = _numeric(type(options))
    texts = [text.strip().removeprefix("--") for text in options.sweep.vary]
    cases = cases_of(varied(texts, {key: _reader(numeric[key]) for key in numeric}))
    _refuse_given(cases.lists, options.given)
    files = read_files(options)
    digests = [f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in files]
    fields = {key: str(numeric[key].name) for key in cases.lists}
    first = {fields[key]: value for key, value in cases.chosen(0).items()}
    question = OptionQuestion(
        name=Path(source).stem,
        options=options,
        answer=answer_of(replaced(options, first)),
        fields=fields,
        stated=(*words_of(name, options), *digests),
    )
    run_sweep(name, options, question, cases, files)


def _numeric(kind: type[Any]) -> dict[str, click.Option]:
    """The options with one number each, by their names without dashes."""
    return {
        parameter.opts[0].removeprefix("--"): parameter
        for parameter in parameters(kind)
        if isinstance(parameter, click.Option)
        and isinstance(parameter.type, _NUMBERS)
        and not parameter.multiple
        and parameter.opts[0] not in _NOT_VARIED
    }


def _reader(parameter: click.Option) -> Reader:
    """Read values as the command line reads those of the option."""
    read = partial(parameter.type.convert, param=parameter, ctx=None)
    whole = isinstance(parameter.type, click.types.IntParamType)
    number = partial(_number, read)
    return Reader(number, read, "power-bound=3kW:6kW:4 or load=50%:90%:5", whole)


def _number(read: Callable[[str], float], text: str) -> Decimal:
    """Return the decimal that a number stands for."""
    return Decimal(str(read(text.strip())))


def _refuse_given(keys: Collection[str], given: Collection[str]) -> None:
    for key in keys:
        if f"--{key}" in given:
            message = f"--{key} is varied; leave it out, or take another KEY"
            raise click.UsageError(message)

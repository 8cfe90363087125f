"""Make a :class:`~scenarios.Scenario` of raw values, or report all their errors at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from scenarios.faults import MOST_FAULTS, Fault, ScenarioError, foremost
from scenarios.formatting import dotted
from scenarios.model.scenario import Scenario
from scenarios.positions import KeyPath, Positions
from scenarios.reading.attached import placed
from scenarios.reading.cross_check import cross_check
from scenarios.reading.plausibility import remarks
from scenarios.reading.pydantic_faults import as_written, in_our_words, is_new


@dataclass(frozen=True)
class Source:
    """Where raw values come from, as an error reports it.

    Attributes
    ----------
    shown
        What to call it in messages.
    positions
        Lines of the keys.
    raw
        The values, with those of attached files.
    typed
        Number of node types that the scenario itself holds; behind them come quotes. ``None``
        where rows of attached files are named by their key path too.
    """

    shown: str
    positions: Positions
    raw: Mapping[str, Any]
    typed: int | None

    def fault(self, where: KeyPath, message: str) -> Fault:
        """Return an error of the value at a key path."""
        here = Fault(self.shown, self.positions.line(where), dotted(where), message)
        return self._placed(here, where)

    def invalid(self, details: ErrorDetails) -> Fault:
        """What pydantic finds wrong, in our words."""
        fault = in_our_words(details, self.raw, self.shown, self.positions)
        return self._placed(fault, details["loc"])

    def place(self, where: KeyPath) -> str:
        """Where a person finds the entry of a key path."""
        found = self.fault(where, "")
        if found.file != self.shown:
            return found.file
        return f"line {found.line}" if found.line else found.where

    def _placed(self, fault: Fault, where: KeyPath) -> Fault:
        return fault if self.typed is None else placed(fault, where, self.raw, self.typed)


def validated(source: Source, earlier: Sequence[Fault] = (), *, whole: bool = True) -> Scenario:
    """Validate and cross-check raw values.

    Parameters
    ----------
    earlier
        Errors that are known already.
    whole
        Whether all quotes could be read; what depends on them is not checked otherwise.

    Raises
    ------
    ScenarioError
        It lists every error that could be found.
    """
    crossed = [
        (where, message)
        for where, message in islice(cross_check(source.raw, source.place), MOST_FAULTS + 1)
        if whole or not _hangs_on_quotes(where)
    ]
    faults = [*earlier, *(source.fault(*each) for each in crossed)]
    try:
        scenario = Scenario.model_validate(source.raw)
    except ValidationError as error:
        wrong = _new_errors(error, source.raw, {where for where, _ in crossed})
        faults += [source.invalid(each) for each in wrong[:MOST_FAULTS]]
        raise ScenarioError(foremost(faults, source.shown, len(wrong[MOST_FAULTS:]))) from None
    if faults:
        raise ScenarioError(foremost(faults, source.shown))
    return scenario


def remarked(scenario: Scenario, source: Source) -> tuple[str, ...]:
    """What is valid and hardly meant, each with its place."""
    found = (source.fault(*remark) for remark in remarks(scenario))
    return tuple(str(replace(each, file=Path(each.file).name)) for each in found)


def _new_errors(
    error: ValidationError, raw: Mapping[str, Any], named: set[KeyPath]
) -> list[ErrorDetails]:
    """What pydantic finds wrong and no cross-check has named."""
    return [
        each
        for each in error.errors()
        if is_new(each)
        and not (
            each["type"] == "string_pattern_mismatch" and as_written(each["loc"], raw) in named
        )
    ]


def _hangs_on_quotes(where: KeyPath) -> bool:
    """Whether a check says nothing new while quotes could not be read."""
    return where[:1] in (("workloads",), ("requirements",), ("procurement",))

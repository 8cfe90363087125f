"""The question of every case of a sweep, and all that its answer depends on."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from planner.answer import Answer
from planner.api import plan
from planner.dependences import files as part_files
from planner.dependences.digest import installed
from planner.dependences.sources import source_with_globals
from planner.errors import InputError
from planner.parts import is_own
from planner.sweeps.cases import Cases
from scenarios.faults import ScenarioError
from scenarios.model.scenario import Scenario
from scenarios.reading.replaced import with_values

_TRIED = 1000
_STRIDES = 7919, 7927  # primes: cases that far apart meet every value of a shorter list


class Question(Protocol):
    """The question of every case; each worker has it."""

    @property
    def name(self) -> str:
        """What is swept, for people."""

    @property
    def folder(self) -> Path | None:
        """Folder of the user's function; ``None`` for ours, or in a notebook."""

    def parts(self) -> tuple[object, ...]:
        """Return the function if it is the user's."""

    def content(self) -> Mapping[str, Any]:
        """Return all that the answers depend on besides values and program, as plain values."""

    def refuse_without_answer(self, cases: Cases) -> None:
        """See before any work that not every case is in error.

        Raises
        ------
        ScenarioError
            Every case is, as far as is seen without an answer.
        """

    def study(self, chosen: Mapping[str, Any]) -> Answer:
        """Answer a case.

        Raises
        ------
        PlanError, ScenarioError
            It has no answer.
        """


@dataclass(frozen=True)
class ScenarioQuestion:
    """A function of a scenario, of which every case replaces some values.

    Attributes
    ----------
    folder
        As in :class:`Question`.
    """

    scenario: Scenario
    answer: Callable[..., Answer] = plan
    options: Mapping[str, Any] = field(default_factory=dict)
    folder: Path | None = None

    @property
    def name(self) -> str:
        """The scenario's."""
        return self.scenario.name

    def parts(self) -> tuple[object, ...]:
        """Return the function if it is the user's."""
        return (self.answer,) if is_own(self.answer) else ()

    def content(self) -> dict[str, Any]:
        """Return scenario, function and options; file locations do not count.

        Raises
        ------
        InputError
            The function or its options have nothing to recognise them by.
        """
        answer, options = self.answer, self.options
        name = getattr(answer, "__qualname__", "")
        nameless = not inspect.isfunction(answer) or "<" in name
        if nameless or (is_own(answer) and answer.__closure__):
            raise InputError(
                f"answer = {name or answer!r} is not a named function, so the folder could "
                "mix up its results with "
                "others; give a function of a module or script, and its arguments as options"
            )
        try:
            stated = json.dumps(options, sort_keys=True, allow_nan=False)
        except (TypeError, ValueError):
            message = (
                f"options {', '.join(options)} cannot all be stored in the folder; give plain "
                "values"
            )
            raise InputError(message) from None
        scenario = self.scenario
        return {
            "scenario": scenario.model_dump(mode="json"),
            "origin": scenario.provenance.model_dump(mode="json", exclude={"paths"}),
            "answer": [f"{answer.__module__}:{name}", _source(answer), stated],
            "libraries": installed() if is_own(answer) else {},
        }

    def refuse_without_answer(self, cases: Cases) -> None:
        """See that some case is a valid scenario: a wrong key path fails here, before any work.

        It tries 1,000 cases of a larger sweep, spread over all.

        Raises
        ------
        ScenarioError
            None is; the error is that of the first case.
        """
        errors: list[ScenarioError] = []
        stride = next(prime for prime in _STRIDES if cases.count % prime)
        for number in range(min(_TRIED, cases.count)):
            try:
                with_values(self.scenario, cases.chosen(number * stride % cases.count))
            except ScenarioError as error:
                errors.append(error)
            else:
                return
        raise errors[0]

    def study(self, chosen: Mapping[str, Any]) -> Answer:
        """Answer the scenario with these values.

        Raises
        ------
        PlanError, ScenarioError
            It is not valid, or has no plan.
        """
        scenario = with_values(self.scenario, chosen)
        with nullcontext() if self.folder is None else part_files.running(self.folder):
            return self.answer(scenario, **self.options)


def _source(answer: Callable[..., Answer]) -> str:
    """Return the text of a function; ours is part of the program."""
    if not is_own(answer):
        return ""
    try:
        return source_with_globals(answer)
    except OSError:
        message = f"answer = {answer.__qualname__} has no readable source"
        raise InputError(f"{message}; move it into a file, or leave the folder out") from None

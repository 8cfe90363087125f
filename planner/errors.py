"""Errors that explain why there is no plan, and the one line about an error of Headroom itself."""

from __future__ import annotations

import os
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.finding import Finding

TRACEBACK = "HEADROOM_TRACEBACK"
"""Environment variable: if it is set, an error of Headroom itself shows where it happened."""

_OUR_CODE = Path(__file__).resolve().parents[1]
_PACKAGES = ("planner", "reports", "scenarios", "solvers")


class PlanError(Exception):
    """No plan exists, or a question cannot be answered from what is given; says why.

    Attributes
    ----------
    stated
        The same as a finding, for a study in which others have an answer; ``None`` where no study
        goes on without it.
    """

    def __init__(self, text: str = "", stated: Finding | None = None) -> None:
        super().__init__(text)
        self.stated = stated


class ContradictionError(PlanError):
    """Two programs that must agree do not."""


class InputError(PlanError):
    """No decision is possible with the given input; the input must change."""


class StalledError(InputError):
    """Jobs wait for ever; in a part of a log they may wait for jobs that the part leaves out.

    Attributes
    ----------
    answer
        What the policy decided, without the jobs that still wait.
    """

    def __init__(self, text: str, answer: object) -> None:
        super().__init__(text)
        self.answer = answer


class InfeasibleError(PlanError):
    """No choice satisfies all constraints, by the word of more than one solver."""


class OutsideMeasuredError(PlanError):
    """A run time was asked for at a node count that was not measured."""


class TooLargeError(PlanError):
    """A reference formulation would be too large for plain algebra; an engine is needed."""


def shows_traceback() -> bool:
    """Whether the user wants to see where an error of Headroom happened."""
    return bool(os.environ.get(TRACEBACK))


def internal_error_text(error: BaseException) -> str:
    """Return one line: what failed inside Headroom, and how to report it."""
    cause = " ".join([f"{type(error).__name__}:", *str(error).split()]).removesuffix(":")
    return (
        f"internal error in {_origin(error)} ({cause}); report this line, the command and its "
        f"input to the maintainers; {TRACEBACK}=1 shows the traceback"
    )


def _origin(error: BaseException) -> str:
    """Return the file and line of our code that failed, seen from its package."""
    origin = "headroom"
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        if path.is_relative_to(_OUR_CODE):
            inside = path.relative_to(_OUR_CODE)
            if inside.parts[0] in _PACKAGES:
                origin = f"{inside.as_posix()}, line {frame.lineno}"
    return origin

"""The first page of a report: a page that a board can detach, in the order of its decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reports.grid import Table
from reports.style import Picture

_HEADING = 60
"""Letters that take about the room of a heading."""
MOST_LINES = 5
"""Lines under one heading; what is longer belongs to a page of its own."""


@dataclass(frozen=True)
class FirstPage:
    """The first page has these parts below the recommendation; empty parts are left out.

    Attributes
    ----------
    reasons
        Why this is recommended: at most five sentences.
    alternatives
        What else could be chosen, and how much worse it is.
    risks
        What may go wrong, in an amber box; good news is not a risk.
    limits
        Which limits bind, with the share used.
    robustness
        In which share of the samples, weights or seeds the decision holds.
    assumptions
        What the recommendation rests on.
    next_steps
        What to do now.
    figure
        The figure that shows the decision; by default the first of the report.
    table
        The decision in rows, such as what to buy; without it none.
    balanced
        Whether robustness moves to the left column if that makes the longer column shorter.
    """

    reasons: Sequence[str] = ()
    alternatives: Sequence[str] = ()
    risks: Sequence[str] = ()
    limits: Sequence[str] = ()
    robustness: Sequence[str] = ()
    assumptions: Sequence[str] = ()
    next_steps: Sequence[str] = ()
    figure: Picture | None = None
    table: Table | None = None
    balanced: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain values for the template: parts under the names of their headings."""
        left = _letters(self.reasons, self.alternatives, self.robustness)
        right = _letters(self.limits, self.assumptions, self.next_steps)
        moved = self.balanced and left < right + _letters(self.robustness)
        robustness = {"robustness": self.robustness}
        return {
            "left": _parts(
                reasons=self.reasons,
                alternatives=self.alternatives,
                **(robustness if moved else {}),
            ),
            "right": _parts(
                limits=self.limits,
                **({} if moved else robustness),
                assumptions=self.assumptions,
                next_steps=self.next_steps,
            ),
            "risks": list(self.risks),
            "figure": None if self.figure is None else shown(self.figure),
            "table": self.table,
        }


def _letters(*parts: Sequence[str]) -> int:
    """Return the length of parts of a column, with some letters for the heading of each."""
    return sum(sum(map(len, lines)) + _HEADING for lines in parts if lines)


def _parts(**lines: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"name": name, "lines": list(dict.fromkeys(each))} for name, each in lines.items() if each
    ]


def shown(picture: Picture) -> dict[str, str]:
    """What the template needs of a figure."""
    return {
        "file": f"{picture.name}.svg",
        "title": picture.title,
        "alternative": picture.alternative,
    }

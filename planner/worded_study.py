"""What every study offers, for every command."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from planner.answer import numbers_in
from planner.version import FORMAT, headroom_version
from planner.worded_table import Table

if TYPE_CHECKING:
    import pandas as pd


class Study(Protocol):
    """Results of one command, compared and ready to be shown.

    A study computes; :mod:`planner.cli` and :mod:`reports` show. :mod:`planner.registry` says which
    command answers with which kind of study, and which report shows it.
    """

    @property
    def headline(self) -> str:
        """The answer in one sentence of at most 20 words."""
        ...

    @property
    def confidence(self) -> str:
        """How reliable the answer is; empty where nothing is known about that."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """Risks that a reader must know before using the numbers."""
        ...

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Return every table by its name, as rows of plain values; empty ones are left out."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: raw numbers, no times, no paths, no host."""
        ...

    def numbers(self) -> dict[str, Any]:
        """Return the most important numbers by name: one row of a sweep.

        Raises
        ------
        PlanError
            There is no plan that has such numbers.
        """
        return dict(numbers_in(self.to_dict()))

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return every table as a pandas frame, by name."""
        import pandas as pd

        return {name: pd.DataFrame(rows) for name, rows in self.tables().items() if rows}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the answer, its confidence, the warnings, the names of tables."""
        answer = f"<p><b>{html.escape(self.headline)}</b> {html.escape(self.confidence)}</p>"
        warned = "".join(f"<li>{html.escape(warning)}</li>" for warning in self.warnings)
        tables = html.escape(", ".join(self.tables()))
        return f"{answer}{warned and f'<ul>{warned}</ul>'}<p>Tables in frames(): {tables}</p>"


@dataclass(frozen=True)
class Explanation:
    """What the first page of a report adds to the headline: short sentences, each part optional.

    Attributes
    ----------
    reasons
        Why the headline holds, with its numbers.
    alternatives
        What else could be chosen, and how much worse it is.
    limits
        Which limits bind.
    robustness
        In which share of the seeds, draws or weights the answer holds.
    assumptions
        What the answer rests on.
    next_steps
        What to do now, and which data would sharpen the answer.
    """

    reasons: Sequence[str] = ()
    alternatives: Sequence[str] = ()
    limits: Sequence[str] = ()
    robustness: Sequence[str] = ()
    assumptions: Sequence[str] = ()
    next_steps: Sequence[str] = ()


class TabledStudy(Study, Protocol):
    """A study whose tables are written once (:class:`~planner.worded_table.Table`).

    It has a report without further code (:func:`reports.standard.standard_report`).
    """

    @property
    def title(self) -> str:
        """Title of the document."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """Settings of the run, by name: plain values."""
        ...

    @property
    def shown(self) -> Sequence[Table]:
        """The tables, the most important one first."""
        ...

    @property
    def provenance(self) -> Sequence[tuple[str, str]]:
        """Inputs and command, as rows of the provenance; by default none."""
        return ()

    @property
    def explanation(self) -> Explanation:
        """Reasons, alternatives, assumptions and next steps; by default none."""
        return Explanation()

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Return every table by its name, as rows of plain values; empty ones are left out."""
        return {table.name: table.plain() for table in self.shown if table.rows}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "format": FORMAT,
            "headroom": headroom_version(),
            "summary": self.headline,
            "confidence": self.confidence,
            "warnings": list(self.warnings),
            "settings": dict(self.settings),
            **self.tables(),
        }

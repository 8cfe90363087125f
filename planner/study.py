"""What every study offers, whichever question it answers."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from planner.table import Table
from planner.version import FORMAT, headroom_version

if TYPE_CHECKING:
    import pandas as pd


class Study(Protocol):
    """Results of one command, compared and ready to be shown.

    A study computes; :mod:`planner.cli` and :mod:`reports` show. :mod:`planner.registry` says which
    command answers with which kind of study, and which report shows it.
    """

    @property
    def headline(self) -> str:
        """The answer in a sentence or two."""
        ...

    @property
    def confidence(self) -> str:
        """How far the answer can be relied on; empty where nothing is to be said."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before believing the numbers."""
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
        return dict(_numbers(self.to_dict()))

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


class TabledStudy(Study, Protocol):
    """A study whose tables are written once (:class:`~planner.table.Table`).

    It has a report without further code (:func:`reports.standard.standard_report`).
    """

    @property
    def title(self) -> str:
        """Title of the document."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was asked, by name: plain values."""
        ...

    @property
    def shown(self) -> Sequence[Table]:
        """The tables, the most important one first."""
        ...

    @property
    def provenance(self) -> Sequence[tuple[str, str]]:
        """Inputs and command, as rows of the provenance; by default none."""
        return ()

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


_GIVEN = ("format", "headroom", "scenario", "options", "settings", "inputs")


def _numbers(plain: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every number that is in no list, by its dotted path; what was given is left out."""
    for key, value in plain.items():
        if isinstance(value, Mapping) and (above or key not in _GIVEN):
            yield from _numbers(value, f"{above}{key}.")
        elif isinstance(value, int | float) and key not in _GIVEN:
            yield f"{above}{key}", value

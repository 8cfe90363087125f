"""What every command answers with: an object of its own, and the study that people read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from planner.errors import InputError
from planner.finding import Finding
from planner.formatting import unmarked
from planner.study import Study

if TYPE_CHECKING:
    import pandas as pd

_GIVEN = ("format", "headroom", "scenario", "options", "settings", "inputs", "study")


class Shown(Protocol):
    """What a renderer makes of a study: :class:`reports.view.View`."""

    @property
    def headline(self) -> str:
        """The answer."""

    @property
    def confidence(self) -> str:
        """How far it can be relied on."""

    @property
    def risks(self) -> tuple[str, ...]:
        """What may be wrong."""


class ShownTable(Protocol):
    """A table with the columns of the report: :class:`reports.shown_table.ShownTable`."""

    def to_latex(self) -> str:
        """A ``tabular`` for the package booktabs."""

    def to_csv(self) -> str:
        """A header with units, and raw numbers."""


_renderers: dict[str, Callable[..., Any]] = {}
"""What shows studies, as the command line and ``import headroom`` give it."""


def show_with(
    view: Callable[[Study], Shown],
    notebook: Callable[[Study], str],
    table: Callable[[Study, str], ShownTable],
    sentences: Callable[[Study, Iterable[Finding]], tuple[str, ...]],
) -> None:
    """Let studies be shown: this package states facts and has no words for them.

    Parameters
    ----------
    view
        Gives the texts of a study.
    notebook
        Gives what a notebook shows of it, as HTML.
    table
        Gives a table of it, by its name, as the report has it.
    sentences
        Gives findings as sentences, in the words of the study.
    """
    _renderers.update(view=view, notebook=notebook, table=table, sentences=sentences)


def shown_with() -> Mapping[str, Callable[..., Any]]:
    """What shows studies in this process, for :func:`show_with` in another one."""
    return dict(_renderers)


class Answer:
    """Results of one command."""

    def _made(self) -> Study:
        """Make the study."""
        raise NotImplementedError

    @cached_property
    def study(self) -> Study:
        """The results as people read them, as plain data."""
        return self._made()

    @cached_property
    def _shown(self) -> Shown:
        shown: Shown = self._rendered("view")
        return shown

    def _rendered(self, form: str, *details: Any) -> Any:
        if form not in _renderers:
            raise RuntimeError("a study is shown by headroom: import headroom")
        return _renderers[form](self.study, *details)

    @property
    def headline(self) -> str:
        """The answer in one sentence of at most 20 words."""
        return unmarked(self._shown.headline)

    @property
    def confidence(self) -> str:
        """How reliable the answer is."""
        return unmarked(self._shown.confidence)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Risks that a reader must know before using the numbers."""
        return tuple(map(unmarked, self._shown.risks))

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Return every table by its name, as rows of plain values; empty ones are left out."""
        every = {table.name: self.study.rows(table.name) for table in self.study.tables}
        return {name: rows for name, rows in every.items() if rows}

    def table(self, name: str) -> ShownTable:
        """A table with the columns of the report, for a paper or a spreadsheet.

        Raises
        ------
        InputError
            There is none of this name.
        """
        names = list(self.tables())
        if name not in names:
            raise InputError(f"there is no table {name!r}; there are: {', '.join(names)}")
        shown: ShownTable = self._rendered("table", name)
        return shown

    def to_dict(self) -> dict[str, Any]:
        """The content of the data file: raw numbers, no times, no paths, no host."""
        summary = ". ".join(text for text in (self.headline, self.confidence) if text)
        return self.study.to_dict({"summary": summary, "warnings": list(self.warnings)})

    def numbers(self) -> dict[str, Any]:
        """Return the most important numbers by name: one row of a sweep."""
        return dict(numbers_in(self.study.data))

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return every table as a pandas frame, by name."""
        import pandas as pd

        return {name: pd.DataFrame(rows) for name, rows in self.tables().items()}

    def _sentences(self, found: Iterable[Finding]) -> tuple[str, ...]:
        """Findings that are not in the study, in its words."""
        sentences: tuple[str, ...] = self._rendered("sentences", found)
        return sentences

    def further_files(self) -> dict[str, bytes]:
        """Return further files of the folder by their paths."""
        return {}

    def solve_times(self) -> list[dict[str, Any]]:
        """Return names and seconds of what was solved, which differ from run to run."""
        return []

    def scenario_paths(self) -> tuple[str, ...]:
        """Return the paths of the scenario that was read; none where there is none."""
        return ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the answer, its numbers, the risks, the decision, the figure."""
        return str(self._rendered("notebook"))


def numbers_in(plain: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every number that is in no list, by its dotted path; what was given is left out."""
    for key, value in plain.items():
        if isinstance(value, Mapping) and (above or key not in _GIVEN):
            yield from numbers_in(value, f"{above}{key}.")
        elif isinstance(value, int | float) and key not in _GIVEN:
            yield f"{above}{key}", value

"""A study: everything that a command found, as plain data that its file holds.

``<command>.json`` is the data of the command under the keys of its own, and the member ``study``
says how people read them: headline, facts, findings, tables and figures. Every writer of
:mod:`reports` works from that file alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from planner.errors import InputError
from planner.figure import Figure
from planner.finding import STRICT, Fact, Finding
from planner.table import Table, rows_at

if TYPE_CHECKING:
    from pydantic import TypeAdapter

FORMAT = 2
"""Version of the files of a study."""

_SHOWN_ERRORS = 3


@dataclass(frozen=True)
class Question:
    """A page of the report: a question and its answer.

    Attributes
    ----------
    name
        Its heading in the catalogue.
    findings, facts
        Statements, and labels with values.
    tables, figures, texts, equations
        Names of tables and figures of the study, and of texts and equations of the catalogue.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT

    name: str
    findings: tuple[Finding, ...] = ()
    facts: tuple[Fact, ...] = ()
    tables: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    equations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Provenance:
    """Where a study comes from.

    Attributes
    ----------
    words
        Words of the command behind ``headroom``; empty for a study from Python.
    inputs
        SHA-256 of each file that was read.
    settings
        Options, seeds and limits.
    versions
        Versions of Headroom, Python and the libraries.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT

    words: tuple[str, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)
    settings: tuple[Fact, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Study:
    """What a command found.

    Attributes
    ----------
    command
        Name of the command, which its files and its catalogue have too.
    title, headline
        The question and the answer.
    data
        The other members of the file: raw numbers by the keys that tools rely on.
    confidence
        How far the answer can be relied on.
    facts
        At most six, for the tiles of the first page.
    findings
        Risks, next steps and the like.
    decision
        Name of the table on the first page.
    questions, tables, figures
        The pages in their order, and what they show; the first figure is on the first page.
    provenance
        Where it comes from.
    language
        Language of the catalogue.
    texts
        Name of the catalogue, where a command has several; by default that of the command.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT

    command: str
    title: Finding
    headline: Finding
    data: Mapping[str, Any]
    confidence: tuple[Finding, ...] = ()
    facts: tuple[Fact, ...] = ()
    findings: tuple[Finding, ...] = ()
    decision: str = ""
    questions: tuple[Question, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)
    language: str = "en"
    texts: str = ""

    def table(self, name: str) -> Table:
        """The table of a name.

        Raises
        ------
        LookupError
            There is none.
        """
        for table in self.tables:
            if table.name == name:
                return table
        raise LookupError(f"{self.command} has no table {name!r}")

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The rows of a table, also of one that points to them."""
        table = self.table(name)
        if not table.at:
            return [dict(row) for row in table.rows]
        keys = [column.key for column in table.columns]
        return [{key: row.get(key) for key in keys} for row in rows_at(self.data, table.at)]

    def to_dict(self, rendered: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The content of the study's file: raw numbers, no times, no paths, no host.

        ``rendered`` has the answer and the risks as texts, by the names of ``RENDERED``.
        """
        plain = _adapter().dump_python(self, mode="json", exclude={"data"}, exclude_defaults=True)
        version = self.provenance.versions.get("Headroom", "unknown")
        head = {"format": FORMAT, "headroom": version}
        return {**head, **(rendered or {}), **self.data, "study": plain}


Part = Finding | Fact | Question | Table | Figure
_Result = TypeVar("_Result")
_Kind = TypeVar("_Kind", Finding, Fact, Question, Table, Figure)


def stated(
    result: _Result,
    *makers: Callable[[_Result], Part | Iterable[Part]] | Iterable[Part],
    command: str,
    title: Finding,
    data: Mapping[str, Any],
    provenance: Provenance,
    decision: str | None = None,
    language: str = "en",
    texts: str = "",
) -> Study:
    """The study of a result, from the parts that each maker states of it.

    A part goes where its kind belongs, and a finding where its severity does.

    Parameters
    ----------
    makers
        They give the parts in their order, or are such parts; one gives the headline.
    decision
        As of the study; by default the first table.
    """
    parts: list[Part] = []
    for make in makers:
        made = make(result) if callable(make) else make
        parts += [made] if isinstance(made, Part) else made
    findings, tables, figures = _of(Finding, parts), _of(Table, parts), _of(Figure, parts)
    first = tables[0].name if tables else ""
    placed = ("headline", "confidence")
    return Study(
        command=command,
        title=title,
        headline=next(each for each in findings if each.severity == "headline"),
        data=data,
        confidence=tuple(each for each in findings if each.severity == "confidence"),
        facts=_of(Fact, parts),
        findings=tuple(each for each in findings if each.severity not in placed),
        decision=first if decision is None else decision,
        questions=_answered(_of(Question, parts), tables, figures),
        tables=tables,
        figures=figures,
        provenance=provenance,
        language=language,
        texts=texts,
    )


def _of(kind: type[_Kind], parts: Iterable[Part]) -> tuple[_Kind, ...]:
    return tuple(part for part in parts if isinstance(part, kind))


def _answered(
    questions: Iterable[Question], tables: Iterable[Table], figures: Iterable[Figure]
) -> tuple[Question, ...]:
    """The questions with the tables and figures that there are; without those that lose all."""
    named, drawn = {table.name for table in tables}, {figure.name for figure in figures}
    kept = []
    for question in questions:
        seen = replace(
            question,
            tables=tuple(name for name in question.tables if name in named),
            figures=tuple(name for name in question.figures if name in drawn),
        )
        says = seen.findings or seen.facts or seen.tables or seen.figures
        if says or not (question.tables or question.figures):
            kept.append(seen)
    return tuple(kept)


def provenance_of(
    words: Iterable[str], inputs: Mapping[str, str] | Iterable[tuple[str, str]], *settings: Fact
) -> Provenance:
    """Where a study comes from, with the versions that are installed."""
    from planner.version import versions  # a writer imports this module, and no versions

    return Provenance(tuple(words), dict(inputs), settings, versions())


RENDERED = ("summary", "warnings")
"""Members of the file that are made from the study for people."""
_MEMBERS = ("format", "headroom", "study", *RENDERED)


def read_study(text: str | bytes, name: str) -> Study:
    """The study that a file holds.

    Parameters
    ----------
    text, name
        Content and name of the file.

    Raises
    ------
    InputError
        The file is damaged, was edited by hand, or is of another version.
    """
    from pydantic import ValidationError

    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is damaged ({error}); run its command again") from error
    found = plain.get("format") if isinstance(plain, dict) else None
    if found != FORMAT:
        raise InputError(
            f"{name} has another format than {FORMAT} (found: {found or 'none'}); run its command "
            "again with this version of Headroom"
        )
    if "study" not in plain:
        raise InputError(f"{name} is damaged: it has no study; run its command again")
    data = {key: value for key, value in plain.items() if key not in _MEMBERS}
    try:
        study = _adapter().validate_json(json.dumps({**plain["study"], "data": data}), strict=True)
        for table in study.tables:
            study.rows(table.name)
    except ValidationError as error:
        wrong = [
            f"study.{'.'.join(map(str, each['loc']))}: {each['msg']}"
            for each in error.errors()[:_SHOWN_ERRORS]
        ]
        raise InputError(f"{name} is damaged: {'; '.join(wrong)}; run its command again") from error
    except (LookupError, TypeError, AttributeError) as error:
        raise InputError(
            f"{name} is damaged: a table has no rows ({error}); run its command again"
        ) from error
    return study


@cache
def _adapter() -> TypeAdapter[Study]:
    from pydantic import TypeAdapter  # the help of a command need not wait for it

    return TypeAdapter(Study)

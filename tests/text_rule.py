"""Where the texts of a data file come from: words of a vocabulary, an input, a checker; no prose.

``undeclared`` lists the others. What is computed as a text by decision is in ``DECLARED``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from planner.finding import Finding
from planner.study import Study, read_study
from reports.texts import Texts, findings
from reports.view import every_finding

_ONE_WORD = re.compile(r"\S{1,200}")
_VERSION = re.compile(r"(?:(?:HiGHS|CBC|CP-SAT) [0-9.]+(?: \+ )?)+")
_NAMES = re.compile(
    r"\(\d+ x \d+, [\d.,]+ W\)"  # nodes x cores, cap
    r"|[\d.,]+ W|[\d.]+(?:, [\d.]+)*(?: … [\d.]+)?|\d+ [\w-]+"  # an amount, numbers, a job
    r"|(?:up to |above )?[\d.]+(?: \w+)?(?: to [\d.]+(?: \w+)?)?(?: and more)?"  # a class
    r"|[\w+-]+(?: [\w+-]+)? \((?:CBC|HiGHS)\)|as quoted by .+|equal shares|LP rounding|no bound"
    r"|refining \(oracle\)|.+: plan|.+: greedy"
    r"|.+, seeds? \d+(?: to \d+)?|\d+ configurations, .+|last-two, .+|quantile, .+|refining, .+"
    r"|[\w+-]+ less [\w+-]+|mean [\w ]+(?: \(s\))?|all jobs|whole mix|(?:two|eight)-node system"
    r"|Open MPI [45]|GPU share of \w+|\d+ x .+"
)
"""Notations, and names of what a study makes: methods, classes, instances, purchases."""
_DESCRIBED = re.compile(r"(?:table (?:rules|policies)|rule), rule|table simulated_\w+, \w+")
"""Descriptions of policies and of simulated systems, which stand with their code."""
_RENDERED = ("study", "summary", "warnings")
_OF_INPUTS = ("text", "place", "quotation")
_VERBATIM = ("id", "date", "exact", "key")
DECLARED = {
    r"/source": "where a log is from, as in format 1",
    r"/settings/.*": "settings as in format 1; the facts of the study have their values",
    r".*/(?:solver|method)": "solver with its version, or a quoted system with its vendor",
    r".*/(?:purchases|optimum_purchases|ranking/left_out)(?:/\*)?": "purchases in shorthand",
    r".*/certificate/model": "name of a model",
    r".*/units?(?:_up)?(?:/\w+)?": "a unit",
    r".*/(?:violations/\*(?:/rule|/what)?|rejected/.*|refused/.*|note)": "a checker or an error",
    r"/(?:clashing|infeasible|mandates)/.*": "a rule with its subject",
    r".*/rule": "the description of a policy",
    r".*/training|.*/tool|.*/instance|.*/quantity|/logs?(?:/\*/log)?": "names that a study makes",
    r"/simulated_(?:node|system)/\*/\w+": "the description of a simulated system",
    r".*/notes/\*/values/.*": "names in a model, solvers, and what a failed solver said",
    r"/power_counts": "a word of the vocabulary counts",
}
"""Members of data files with texts of two words or more, and what they are."""


def undeclared(content: bytes, name: str, inputs: str) -> list[str]:
    """Texts of a data file, with their places, that no rule allows.

    Parameters
    ----------
    content, name
        The file.
    inputs
        The text of all inputs, and the words of the command.
    """
    study, inputs = read_study(content, name), " ".join(inputs.split())
    texts = Texts(study)
    told = [
        f"{where} ({unit}): {value}"
        for where, unit, value in _stated(study)
        if not (_is_allowed(texts, unit, value, inputs) or _DESCRIBED.fullmatch(where))
    ]
    words = {
        word for vocabulary in texts.catalogue.sections["words"].values() for word in vocabulary
    }
    plain = [
        f"{at}: {value}"
        for at, value in _plain(study.data, "")
        if not (
            _ONE_WORD.fullmatch(value) or value.lower() in words
            or " ".join(value.split()) in inputs
            or any(re.fullmatch(pattern, at) for pattern in DECLARED)
        )
    ]  # fmt: skip
    return [*told, *plain]


def _stated(study: Study) -> Iterator[tuple[str, str, str]]:
    """Place, unit and text of every value of a study; of a table its name and column."""
    for each in every_finding(study):
        yield from _of(each)
    for fact in (*study.facts, *(fact for each in study.questions for fact in each.facts)):
        yield from ((f"fact {fact.key}", fact.unit, text) for text in _texts(fact.value))
    for table in study.tables:
        for row in study.rows(table.name):
            for column in table.columns:
                value, unit = row.get(column.key), column.unit
                if unit == "finding":
                    for each in findings(value):
                        yield from _of(each)
                else:
                    unit = str(row.get(column.unit_at) or unit) if column.unit_at else unit
                    where = f"table {table.name}, {column.key}"
                    yield from ((where, unit, text) for text in _texts(value))


def _of(found: Finding) -> Iterator[tuple[str, str, str]]:
    for name, value in found.values.items():
        unit = found.units.get(name, "text")
        yield from ((f"{found.kind}, {name}", unit, text) for text in _texts(value))


def _texts(value: Any) -> Iterator[str]:
    for each in value if isinstance(value, list | tuple) else [value]:
        if isinstance(each, str) and each:
            yield each


def _is_allowed(texts: Texts, unit: str, value: str, inputs: str) -> bool:
    unit, value = unit.rpartition(":")[2], " ".join(value.split())
    if _NAMES.fullmatch(value):
        return True
    if unit in texts.catalogue.sections["words"]:
        return (
            value.lower() in texts.words(unit)
            or value in inputs
            or bool(_ONE_WORD.fullmatch(value))
        )
    if unit == "whole":  # sources that differ in numbers have dots there
        return all(part in inputs for part in value.split("..."))
    if unit in _OF_INPUTS:
        return value in inputs or bool(_ONE_WORD.fullmatch(value))
    if unit in _VERBATIM:
        known = _ONE_WORD.fullmatch(value) or _VERSION.fullmatch(value) or texts.knows(value)
        return bool(known) or value in inputs
    return unit in ("message", "command")


def _plain(value: Any, at: str) -> Iterator[tuple[str, str]]:
    """Place and text of every text outside rendered members."""
    if isinstance(value, Mapping):
        for key, held in value.items():
            if at or key not in _RENDERED:
                yield from _plain(held, f"{at}/{key}")
    elif isinstance(value, list | tuple):
        for held in value:
            yield from _plain(held, f"{at}/*")
    elif isinstance(value, str) and value:
        yield at, value

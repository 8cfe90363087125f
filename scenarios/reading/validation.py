"""Make a :class:`~scenarios.Scenario` of raw values, or report all their errors at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from scenarios.faults import MOST_FAULTS, Fault, ScenarioError, foremost
from scenarios.model.quote_fields import short_name
from scenarios.model.scenario import Scenario
from scenarios.positions import KeyPath
from scenarios.reading.cross_check import cross_check
from scenarios.reading.groups import Groups, groups_of
from scenarios.reading.plausibility import remarks
from scenarios.reading.pydantic_faults import as_written, in_our_words, is_new
from scenarios.reading.source import Source
from scenarios.remark import Remark, remark_at


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
    groups = groups_of(source.raw)
    _settle_names(groups)
    found = [*islice(cross_check(groups, source.place), MOST_FAULTS + 1)]
    crossed = [each for each in found if whole or not _hangs_on_quotes(each[0])]
    faults = [*earlier, *(source.fault(*each) for each in crossed)]
    if unsure := len(found) - len(crossed):
        message = f"not checked until all quotes can be read: {unsure} place{'s' * (unsure > 1)}"
        faults.append(Fault(source.shown, 0, "", f"{message}; mend the quotes first"))
    try:
        scenario = Scenario.model_validate(source.raw)
    except ValidationError as error:
        wrong = _new_errors(error, source.raw, {where for where, _ in crossed})
        faults += [
            source.placed(in_our_words(each, source), each["loc"]) for each in wrong[:MOST_FAULTS]
        ]
        raise ScenarioError(foremost(faults, source.shown, len(wrong[MOST_FAULTS:]))) from None
    if faults:
        raise ScenarioError(foremost(faults, source.shown))
    return scenario


def remarked(scenario: Scenario, source: Source) -> tuple[Remark, ...]:
    """What is valid and hardly meant, each with its place."""
    return tuple(
        remark_at(source.fault(where, ""), found.kind, **found.values)
        for where, found in remarks(scenario)
    )


def _settle_names(groups: Groups) -> None:
    """Name node types as their quotes do, where a scenario or a table refers to them.

    ``NL Zen`` becomes ``NL-Zen`` if a quote got this name from that cell's text. A name that is
    some node type's own stays as it is; so does one that fits none.
    """
    types = groups.node_types
    known = {entry.get("name") for entry in types if isinstance(entry.get("name"), str)}
    quoted = {entry.get("name") for entry in types if "origin" in entry} & known
    for holder in _referring(groups):
        given = holder.get("node_type")
        if isinstance(given, str) and given not in known and short_name(given) in quoted:
            holder["node_type"] = short_name(given)


def _referring(groups: Groups) -> Iterator[dict[str, Any]]:
    for rows, runs in zip(groups.rows, groups.runs, strict=True):
        yield from rows
        times = (run.get("time") for run in runs)
        yield from (time for time in times if isinstance(time, dict))


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
    hanging = ("workloads", "requirements", "procurement", "packages", "lots")
    return bool(where) and where[0] in hanging

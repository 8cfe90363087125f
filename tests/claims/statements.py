"""Requests of each study, and whether what is stated of them is true."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from planner.errors import PlanError
from planner.finding import Fact, Finding
from planner.study import Study
from reports.texts import Texts
from reports.view import every_finding
from tests.claims import (
    aggregate,
    award,
    colocate,
    compare,
    configure,
    debrief,
    designs,
    diff,
    estimate,
    gate,
    logs,
    notes,
    place,
    plan,
    price,
    price_log,
    queue_gains,
    readers_of_runs,
    schedule,
    share,
    simulate,
    simulate_seeds,
    size,
    tangram,
)
from tests.claims.values import always

STUDIES: dict[str, ModuleType] = {
    "aggregate": aggregate,
    "award": award,
    "colocate": colocate,
    "colocate-gate": gate,
    "colocate-log": queue_gains,
    "colocate-tangram": tangram,
    "compare": compare,
    "configure": configure,
    "debrief": debrief,
    "diff": diff,
    "estimate": estimate,
    "place": place,
    "schedule": schedule,
    "price": price,
    "price-log": price_log,
    "plan-designs": designs,
    "plan": plan,
    "share": share,
    "simulate": simulate,
    "simulate-seeds": simulate_seeds,
    "size": size,
}

_OF_READERS = {**logs.FINDINGS, **readers_of_runs.FINDINGS, **notes.FINDINGS}


def requests(module: ModuleType) -> Iterator[Any]:
    """Those by hand, then those of all seeds, without end."""
    yield from module.cases()
    for seed in itertools.count():
        yield from module.drawn(seed)


def check(module: ModuleType, case: Any, seen: Counter[str], *, changed_of_a_kind: int) -> None:
    """Claim every statement and table of a study; the claims must notice changed values.

    Parameters
    ----------
    seen
        How often each kind has come so far; this case is added.
    changed_of_a_kind
        The first statements of a kind whose every value is changed.

    Raises
    ------
    AssertionError
        A statement is false, missing, cannot be read, or its claim notices no change.
    """
    study = case.answer.study
    texts = Texts(study)
    statements: list[Finding | Fact] = [*every_finding(study), *facts(study)]
    kinds = {stated.kind for stated in statements if isinstance(stated, Finding)}
    unconditional = {kind: claim for kind, claim in module.FINDINGS.items() if claim is always}
    for kind, is_due in (getattr(module, "DUE", {}) | unconditional).items():
        assert (kind in kinds) == bool(is_due(case)), kind
    for name, claim in getattr(module, "TABLES", {}).items():
        rows = study.rows(name) if any(table.name == name for table in study.tables) else []
        if rows:
            assert claim(case, rows), (name, rows)
            seen[f"table {name}"] += 1
    for stated in statements:
        name = stated.key if isinstance(stated, Fact) else stated.kind
        if name in never_here(module):
            continue
        assert claimed(module, case, stated), stated
        assert not unreadable(texts, stated), stated
        seen[name] += 1
        every = changed(texts, stated) if seen[name] <= changed_of_a_kind else ()
        for wrong in (each for each in every if not _is_stated(each, statements)):
            assert rejected(module, case, wrong), wrong


def _is_stated(changed_one: Finding | Fact, statements: Sequence[Finding | Fact]) -> bool:
    """Whether a changed finding is one that is stated elsewhere, of another plan or row."""
    return isinstance(changed_one, Finding) and any(
        isinstance(each, Finding)
        and each.kind == changed_one.kind
        and dict(each.values) == dict(changed_one.values)
        for each in statements
    )


def never_here(module: Any) -> set[str]:
    """Kinds of a command that no case of its claims has."""
    return getattr(module, "NEVER_HERE", set())


def facts(study: Study) -> list[Fact]:
    """Every fact, wherever it stands."""
    asked = (fact for question in study.questions for fact in question.facts)
    return [*study.facts, *asked, *study.provenance.settings]


def claimed(module: ModuleType, case: Any, stated: Finding | Fact) -> bool:
    """What the claim says of a statement; one without a claim fails."""
    if isinstance(stated, Fact):
        return bool(module.FACTS[stated.key](case, stated.value))
    claim = module.FINDINGS.get(stated.kind) or _OF_READERS[stated.kind]
    return bool(claim(case, **stated.values))


def unreadable(texts: Texts, stated: Finding | Fact) -> list[str]:
    """Units that no formatter knows, and values that the template of the kind does not show."""
    if isinstance(stated, Fact):
        units = [stated.unit]
    else:
        units = [*stated.units.values()]
        template = texts.catalogue.text("findings", stated.kind)
        assert {*re.findall(r"[{=](\w+)(?=[=}])", template)} == {*stated.values} == {*stated.units}
    return [unit for unit in units if not texts.knows(unit)]


def rejected(module: ModuleType, case: Any, wrong: Finding | Fact) -> bool:
    """Whether the claim does not hold; what it cannot even ask of the case does not."""
    try:
        return not claimed(module, case, wrong)
    except (LookupError, ValueError, StopIteration, PlanError):
        return True


def others(texts: Texts, value: Any, unit: str) -> Iterator[Any]:
    """Values that print otherwise: another digit, another name."""
    if isinstance(value, tuple | list):
        for place, each in enumerate(value):
            for other in others(texts, each, unit.partition(":")[2] or unit):
                yield (*value[:place], other, *value[place + 1 :])
    elif isinstance(value, str):
        yield f"{value}-x"
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, float):
        printed = texts.value(value, unit)
        for sign in (1, -1):
            step = abs(value) * 1e-6 or 1e-6
            while texts.value(value + sign * step, unit) == printed:
                step *= 1.5
            yield value + sign * step


def changed(texts: Texts, stated: Finding | Fact) -> Iterator[Finding | Fact]:
    """Statements with one value changed."""
    if isinstance(stated, Fact):
        for value in others(texts, stated.value, stated.unit):
            yield Fact(stated.key, value, stated.unit)
        return
    for name, value in stated.values.items():
        for other in others(texts, value, stated.units[name]):
            yield Finding(stated.kind, stated.severity, {**stated.values, name: other})

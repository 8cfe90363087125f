"""Every finding and every fact of a study is true, and its claim notices when it is not."""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from planner.errors import PlanError
from planner.finding import Fact, Finding
from planner.study import Study
from reports.messages import catalogue
from reports.texts import Texts
from reports.view import every_finding
from tests.claims import (
    aggregate,
    colocate,
    compare,
    configure,
    designs,
    diff,
    estimate,
    gate,
    place,
    plan,
    price,
    price_log,
    queue_gains,
    schedule,
    share,
    simulate,
    simulate_seeds,
    size,
    tangram,
)
from tests.sizes import ALL, VARIABLE

STUDIES: dict[str, ModuleType] = {
    "aggregate": aggregate,
    "colocate": colocate,
    "colocate-gate": gate,
    "colocate-log": queue_gains,
    "colocate-tangram": tangram,
    "compare": compare,
    "configure": configure,
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
CPU_S = 300.0 if os.environ.get(VARIABLE) == ALL else 12.0
MOST_KINDS = 75
"""Of findings, for one command."""
LEAST = 32
"""Cases by hand, which always run."""


def facts(study: Study) -> list[Fact]:
    """Every fact, wherever it stands."""
    asked = (fact for question in study.questions for fact in question.facts)
    return [*study.facts, *asked, *study.provenance.settings]


def claimed(module: ModuleType, case: Any, stated: Finding | Fact) -> bool:
    """What the claim says of a statement; one without a claim fails."""
    if isinstance(stated, Fact):
        return bool(module.FACTS[stated.key](case, stated.value))
    return bool(module.FINDINGS[stated.kind](case, **stated.values))


def unreadable(texts: Texts, stated: Finding | Fact) -> list[str]:
    """Units that no formatter knows, and values that the template of the kind does not show."""
    if isinstance(stated, Fact):
        units = [stated.unit]
    else:
        units = [*stated.units.values()]
        template = texts.catalogue.text("findings", stated.kind)
        assert {*re.findall(r"\{(\w+)\}", template)} == {*stated.values} == {*stated.units}
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


@pytest.mark.parametrize("command", STUDIES)
def test_every_statement_is_true_and_its_claim_sees_a_changed_digit(command: str) -> None:
    module = STUDIES[command]
    began, seen = time.process_time(), Counter[str]()
    for number, case in enumerate(module.cases()):
        if number >= LEAST and time.process_time() - began > CPU_S:
            break
        study = case.answer.study
        texts = Texts(study)
        statements: list[Finding | Fact] = [*every_finding(study), *facts(study)]
        kinds = {stated.kind for stated in statements if isinstance(stated, Finding)}
        for kind, is_due in getattr(module, "DUE", {}).items():
            assert (kind in kinds) == bool(is_due(case)), (number, kind)
        for stated in statements:
            name = stated.key if isinstance(stated, Fact) else stated.kind
            if name in module.NEVER_HERE:
                continue
            assert claimed(module, case, stated), (number, stated)
            assert not unreadable(texts, stated), (number, stated)
            seen[name] += 1
            for wrong in changed(texts, stated) if seen[name] <= LEAST else ():
                assert rejected(module, case, wrong), (number, wrong)
    never = {*module.FINDINGS, *module.FACTS} - seen.keys()
    assert not never, f"no case has these in {number} cases"


def changed(texts: Texts, stated: Finding | Fact) -> Iterator[Finding | Fact]:
    """Statements with one value changed."""
    if isinstance(stated, Fact):
        for value in others(texts, stated.value, stated.unit):
            yield Fact(stated.key, value, stated.unit)
        return
    for name, value in stated.values.items():
        for other in others(texts, value, stated.units[name]):
            yield Finding(stated.kind, stated.severity, {**stated.values, name: other})


@pytest.mark.parametrize("command", STUDIES)
def test_every_kind_of_the_catalogue_has_a_claim_and_every_claim_a_template(command: str) -> None:
    module, texts = STUDIES[command], catalogue(command)
    kinds, shared = {*texts.sections["findings"]}, {*catalogue("common").sections["findings"]}
    assert kinds - shared <= {*module.FINDINGS} | module.NEVER_HERE
    assert {*module.FINDINGS} | module.NEVER_HERE <= kinds
    assert {*module.FACTS, "log", "Headroom"} <= {*texts.sections["facts"]}


def test_every_shared_kind_has_a_claim() -> None:
    """But remarks, which pass on what a reader said, and logs of kinds that no case has."""
    claimed_somewhere = {kind for module in STUDIES.values() for kind in module.FINDINGS}
    never = {"remark"}
    assert {*catalogue("common").sections["findings"]} == claimed_somewhere & {
        *catalogue("common").sections["findings"]
    } | never


@pytest.mark.parametrize("command", STUDIES)
def test_there_are_few_kinds(command: str) -> None:
    assert len(STUDIES[command].FINDINGS) <= MOST_KINDS

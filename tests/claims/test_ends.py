"""What is said to be at most or at least so much is rounded to this side."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from reports.texts import Texts
from reports.view import every_finding
from tests.claims import aggregate, colocate, configure, price, share

MODULES = (aggregate, colocate, configure, price, share)
_END = re.compile(
    r"(?P<up>(?:at most|up to|no more than|more than|no job over) \{(\w+)\}|\{(\w+)\} at most)"
    r"|at least \{(\w+)\}"
)
_EXACT = ("given", "interval", "of:", "count")


@pytest.mark.parametrize("module", MODULES)
def test_an_end_is_rounded_to_its_side(module: ModuleType) -> None:
    wrong = set()
    for case in module.cases():
        study = case.answer.study
        texts = Texts(study)
        for stated in every_finding(study):
            template = texts.catalogue.text("findings", stated.kind)
            for end in _END.finditer(template):
                name = next(each for each in end.groups()[1:] if each)
                unit, value = stated.units[name], stated.values[name]
                sides = ("up", "at most") if end["up"] else ("down", "at least")
                if isinstance(value, float) and not unit.endswith(sides):
                    wrong |= (
                        set() if any(word in unit for word in _EXACT) else {(stated.kind, name)}
                    )
    assert not wrong

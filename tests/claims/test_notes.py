"""What is noted on certificates is due, and both languages have words for each value."""

from __future__ import annotations

import re

import pytest

from planner.finding import Finding
from planner.study import Study
from reports.texts import Texts
from tests.claims.notes import Case, cases


@pytest.mark.parametrize("case", [*cases()])
def test_what_is_noted_is_due(case: Case) -> None:
    make, kind, values = case
    assert (kind, values) in [(each.kind, each.values) for each in make()]


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_value_has_a_unit_and_each_word_its_text(language: str) -> None:
    for make, kind, _ in cases():
        note = next(each for each in make() if each.kind == kind)
        stated = Finding(kind, "note", note.values, note.units)
        texts = Texts(Study("plan", stated, stated, {}, language=language))
        template = texts.catalogue.text("findings", kind)
        assert {*re.findall(r"[{=](\w+)(?=[=}])", template)} == {*note.values}
        for name, unit in note.units.items():
            assert texts.knows(unit), (kind, name)
            if unit in texts.catalogue.sections["words"]:
                given = note.values[name]
                words = {*given} if isinstance(given, tuple) else {given}
                assert words <= {*texts.words(unit)}, (kind, name)

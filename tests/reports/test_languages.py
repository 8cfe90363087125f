"""Catalogues in other languages hold what the English ones hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from planner.procurement import procure
from planner.procurement.problem import REGIME_NAMES
from planner.study import Study
from reports.messages import catalogue
from reports.texts import Texts
from reports.view import every_finding
from tests.claims import award, debrief, designs, plan
from tests.claims.statements import requests
from tests.sizes import few

GAP = re.compile(r"\{\w+\}")
GERMAN = {"award": award, "debrief": debrief, "plan": plan, "plan-designs": designs}
"""Catalogues that there are in German, each with requests that use it."""


def leaves(sections: Any) -> dict[tuple[str, ...], list[Any]]:
    """The gaps of each text of a catalogue, by its place; of lists those of each text."""
    found: dict[tuple[str, ...], list[Any]] = {}
    for section, texts in sections.items():
        for key, text in texts.items():
            if isinstance(text, dict):
                found |= {(section, key, word): GAP.findall(each) for word, each in text.items()}
            else:
                lines = [text] if isinstance(text, str) else text
                found[section, key] = [sorted(GAP.findall(line)) for line in lines]
    return found


@pytest.mark.parametrize("name", GERMAN)
def test_both_languages_have_the_same_keys_and_gaps(name: str) -> None:
    own = {language: leaves(catalogue(name, language).sections) for language in ("en", "de")}
    shared = {language: leaves(catalogue("common", language).sections) for language in ("en", "de")}
    assert {*shared["de"]} <= {*shared["en"]}
    for place, gaps in own["de"].items():
        assert gaps == own["en"][place], place
    missing = {place for place in own["en"] if place not in own["de"]}
    assert missing <= {*shared["en"]} - {*shared["de"]}, "of texts that other commands use"
    assert not {place for place in missing if place[0] == "labels"}


def places(study: Study) -> Iterator[tuple[str, str]]:
    """Section and key of each text that a study asks its catalogue for."""
    for each in every_finding(study):
        yield "findings", each.kind
    for fact in (*study.facts, *study.provenance.settings):
        yield "facts", fact.key
    for question in study.questions:
        yield "questions", question.name
        yield from (("facts", fact.key) for fact in question.facts)
        yield from (("texts", name) for name in question.texts)
    for table in study.tables:
        yield "tables", table.name
        yield from (("columns", c.label or c.key) for c in table.columns if c.shown)


@pytest.mark.parametrize("name", GERMAN)
def test_a_german_study_misses_no_text(name: str) -> None:
    catalogues = [catalogue(name, language) for language in ("en", "de")]
    for case in islice(requests(GERMAN[name]), few(60)):
        study = case.answer.study
        for section, key in places(study):
            there = [each.get(section, key) is not None for each in catalogues]
            assert there[0] == there[1], (section, key)
        units = {unit for each in every_finding(study) for unit in each.units.values()}
        units |= {column.unit for table in study.tables for column in table.columns}
        english, other = (Texts(study) for _ in range(2))
        english.catalogue, other.catalogue = catalogues
        assert {unit for unit in units if other.knows(unit)} == {
            unit for unit in units if english.knows(unit)
        }


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_question_of_the_certificates_has_words(language: str) -> None:
    code = Path(procure.__file__).read_text(encoding="utf-8")
    asked = {*re.findall(r'ask\("([^"]+)"\)', code), *REGIME_NAMES.values()}
    assert asked == {*catalogue("plan", language).sections["words"]["asked"]}

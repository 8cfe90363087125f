"""Readers of ranks and pairs remark what is due, no more, with words for each value."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from planner.finding import risks_of
from planner.study import Study
from reports.messages import catalogue
from reports.texts import Texts
from tests.claims.readers_of_ranks import KINDS, Case, cases, stated


@pytest.mark.parametrize("case", [*cases()])
def test_what_is_remarked_is_due(case: Case, tmp_path: Path) -> None:
    assert stated(case.remarks(tmp_path)) == [*case.stated]


def test_each_kind_has_a_case_and_words_for_its_values() -> None:
    kinds = {kind: {*values} for case in cases() for kind, values in case.stated}
    assert kinds.keys() >= KINDS
    words = catalogue("common").sections["findings"]
    assert {kind: {*re.findall(r"{(\w+)}", words[kind])} for kind in KINDS} == {
        kind: kinds[kind] for kind in KINDS
    }


@pytest.mark.parametrize("command", ["place", "colocate", "colocate-log"])
def test_each_value_has_a_unit_and_each_word_its_text(command: str, tmp_path: Path) -> None:
    for number, case in enumerate(cases()):
        (folder := tmp_path / str(number)).mkdir()
        for each in risks_of(case.remarks(folder)):
            texts = Texts(Study(command, each, each, {}))
            for name, unit in each.units.items():
                assert texts.knows(unit), (each.kind, name)
                if unit in texts.catalogue.sections["words"]:
                    assert each.values[name] in texts.words(unit)

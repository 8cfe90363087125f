"""Readers remark what is due, no more, and in words that have a place for each value."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reports.messages import catalogue
from tests.claims.readers_of_scenarios import KINDS, Sample, Sheet, cases, stated


@pytest.mark.parametrize("case", [*cases()])
def test_what_is_remarked_is_due(case: Sample | Sheet, tmp_path: Path) -> None:
    assert stated(case.remarks(tmp_path)) == case.stated


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_kind_has_a_case_and_words_for_its_values(language: str) -> None:
    kinds = {kind: {*values} for case in cases() for kind, values in case.stated}
    assert kinds.keys() == KINDS
    words = catalogue("common", language).sections["findings"]
    assert {kind: {*re.findall(r"{(\w+)}", words[kind])} for kind in KINDS} == kinds

"""Readers of measured runs remark what is due, no more, in words with a place for each value."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from planner.finding import finding
from planner.study import Study
from reports.messages import catalogue
from reports.texts import Texts
from scenarios.remark import Remark
from tests.claims.readers_of_runs import KINDS, Case, Messages, cases, folders, stated


@pytest.mark.parametrize("case", [*cases()])
def test_what_is_remarked_on_runs_is_due(case: Case, tmp_path: Path) -> None:
    assert stated(case.remarks(tmp_path)) == case.stated


@pytest.mark.parametrize("case", [*folders()])
def test_what_is_remarked_on_messages_is_due(case: Messages, tmp_path: Path) -> None:
    remarks = case.remarks(tmp_path)
    text = (tmp_path / "some" / "traffic.csv").read_text()
    first = text.removesuffix(case.lines).count("\n") + 1
    assert stated(remarks) == case.stated(first)


def _every(folder: Path) -> list[Remark]:
    found: list[Remark] = []
    for number, case in enumerate([*cases(), *folders()]):
        (folder / f"{number}").mkdir()
        found += case.remarks(folder / f"{number}")
    return found


def test_each_kind_has_a_case_and_words_for_its_values(tmp_path: Path) -> None:
    remarks = _every(tmp_path)
    assert {each.kind for each in remarks} == KINDS
    words, note = catalogue("common").sections["findings"], finding("note", "question")
    texts = Texts(Study("share", note, note, {}))
    for each in remarks:
        assert {*re.findall(r"{(\w+)}", words[each.kind])} == {*each.values}
        assert all(texts.knows(unit) for _, unit in each.values.values()), each

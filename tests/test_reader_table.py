"""The page on tables says what the readers accept."""

from __future__ import annotations

from tests import log_forms
from tests.reader_table import PAGE, TABLES, with_fields


def test_the_page_lists_every_field_as_the_readers_have_it() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_fields(page), "run python -m tests.reader_table"


def test_the_page_lists_every_form_of_a_log() -> None:
    page = log_forms.PAGE.read_text(encoding="utf-8")
    assert page == log_forms.with_forms(page), "run python -m tests.log_forms"


def test_every_field_has_a_meaning_and_a_name_that_is_its_own() -> None:
    for title, fields in TABLES.items():
        names = [field.name for field in fields]
        assert len(set(names)) == len(names), title
        assert all(field.meaning for field in fields), title
        spellings = [name for field in fields for group in field.aliases for name in group.split()]
        assert len(set(spellings)) == len(spellings), title

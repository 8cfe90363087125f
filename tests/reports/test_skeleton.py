"""What all reports have alike: the order of pages, and the page that tells where it comes from."""

from __future__ import annotations

from typing import Any

from planner.command_row import command_line
from planner.worded_study import Study
from reports.blocks import Drawn, Page
from reports.skeleton import paged, provenance_table
from reports.workbook import sheets
from tests.reports.procurements import answered
from tests.reports.procurements import document as asked


def front(study: str) -> dict[str, Any]:
    return {"title": study}


def first(_study: str, _drawn: Drawn) -> Page:
    return Page("First", "", ())


def none(_study: str, _drawn: Drawn) -> Page | None:
    return None


def below(_study: str, _drawn: Drawn) -> Page:
    return Page("Below", "", ())


def test_pages_keep_their_order_and_those_without_content_are_left_out() -> None:
    document = paged(front, below, none, first)("study", ())
    assert document["title"] == "study"
    assert [page["heading"] for page in document["pages"]] == ["Below", "First"]


def test_a_command_is_quoted_and_without_words_there_is_none() -> None:
    assert command_line(()) == ""
    assert command_line(("size", "a log.swf")) == "headroom size 'a log.swf'"


def test_versions_stand_behind_what_was_given() -> None:
    rows = provenance_table([("Log", "a" * 30)])["rows"]
    assert rows[0] == ["Log", "a" * 30], "text that is copied is not broken"
    assert "Headroom" in [name for name, _ in rows]


def test_the_first_sheet_of_a_workbook_has_the_title_and_the_warnings() -> None:
    study: Study = answered(asked())
    rows = sheets(study)["summary"]
    assert "title" in [row["what"] for row in rows[:3]]
    assert [row["value"] for row in rows if row["what"] == "warning"] == list(study.warnings)

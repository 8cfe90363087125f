"""What all reports have alike: the order of pages, and the page that tells where it comes from."""

from __future__ import annotations

from typing import Any

from reports.blocks import Drawn, Page
from reports.skeleton import command_line, paged, provenance_table


def front(study: str) -> dict[str, Any]:
    return {"title": study}


def first(_study: str, _drawn: Drawn) -> Page:
    return Page("First", "", ())


def none(_study: str, _drawn: Drawn) -> Page | None:
    return None


def below(_study: str, _drawn: Drawn) -> Page:
    return Page("Below", "", (), flows=True)


def test_pages_keep_their_order_and_those_without_content_are_left_out() -> None:
    document = paged(front, below, none, first)("study", ())
    assert document["title"] == "study"
    assert [page["heading"] for page in document["pages"]] == ["Below", "First"]
    assert [page["flows"] for page in document["pages"]] == [True, True]


def test_a_page_may_flow_where_the_others_do_not() -> None:
    pages = paged(front, first, below, flows=False)("study", ())["pages"]
    assert [page["flows"] for page in pages] == [False, True]


def test_a_command_is_quoted_and_without_words_there_is_none() -> None:
    assert command_line(()) == ""
    assert command_line(("size", "a log.swf")) == "headroom size 'a log.swf'"


def test_versions_stand_behind_what_was_given() -> None:
    rows = provenance_table([("Log", "a" * 30)])["rows"]
    assert rows[0] == ["Log", "a" * 30], "text that is copied is not broken"
    assert "Headroom" in [name for name, _ in rows]

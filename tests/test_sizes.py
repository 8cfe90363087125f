"""How many cases are drawn."""

from __future__ import annotations

import pytest

from tests.sizes import ALL, VARIABLE, few


def test_an_eighth_is_drawn_but_never_more_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert [few(100), few(12), few(3), few(10, 1)] == [12, 4, 3, 1]


def test_all_are_drawn_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, ALL)
    assert [few(100), few(12), few(3), few(10, 1)] == [100, 12, 3, 10]

"""Numbers as people read them."""

from __future__ import annotations

import pytest

from planner.formatting import words
from reports.numbers import fixed, shown, typed


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "0"), (-0.5, "−0.5000"), (1234.5678, "1,235"), (0.018472, "0.01847"),  # noqa: RUF001
        (1e-9, "1e−09"), (999999.6, "1,000,000"), (None, "–"),  # noqa: RUF001
    ],
)  # fmt: skip
def test_shown(value: float | None, expected: str) -> None:
    assert shown(value) == expected


def test_typed_keeps_the_digits_that_were_given() -> None:
    given = (0.27, -1.114, 52e6, -0.5, 1e-7)
    assert [typed(v) for v in given] == ["0.27", "−1.114", "52,000,000", "−0.5", "1e−07"]  # noqa: RUF001


def test_words_and_fixed() -> None:
    assert words(["a"]) == "a"
    assert words(["a", "b", "c"]) == "a, b and c"
    assert fixed(-1.005, 1) == "−1.0"  # noqa: RUF001

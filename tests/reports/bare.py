"""As small a study as writing needs, for tests of the files alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from planner.finding import finding
from planner.study import Study
from reports import folder

Parts = Mapping[str, bytes]


def bare(number: int = 0, command: str = "plan") -> Study:
    """A study without tables and figures."""
    said = finding("headline", "undecided")
    return Study(command=command, title=said, headline=said, data={"number": number})


def writes(patch: pytest.MonkeyPatch, parts: Parts) -> None:
    """Let every writer make files of these contents instead of its own."""

    def files(_study: Study, kind: str, _drawn: Any) -> Iterator[tuple[str, bytes]]:
        return (part for part in parts.items() if part[0].endswith(f".{kind}"))

    patch.setattr(folder, "_files", files)

"""Warnings: so many as boxes on the title page, all of them in the appendix."""

from __future__ import annotations

from collections.abc import Sequence

from reports.blocks import Block, bullets, subheading

_MOST_BOXES = 6
_MOST_LINES = 60


def boxed(warnings: Sequence[str]) -> list[str]:
    """Return every warning as one box each, the last for those that do not fit.

    Examples
    --------
    >>> boxed([str(number) for number in range(8)])[-2:]
    ['4', '3 further warnings are in the appendix.']
    """
    if len(warnings) <= _MOST_BOXES:
        return list(warnings)
    further = len(warnings) - _MOST_BOXES + 1
    return [*warnings[: _MOST_BOXES - 1], f"{further} further warnings are in the appendix."]


def in_full(warnings: Sequence[str], data: str) -> list[Block]:
    """Return all of them for the appendix, where the title page does not hold them.

    ``data`` is the file that has those that even the appendix does not hold.
    """
    if len(warnings) <= _MOST_BOXES:
        return []
    unlisted = len(warnings) - _MOST_LINES
    more = [f"{unlisted:,} more are in {data}."] if unlisted > 0 else []
    return [subheading("All warnings"), bullets([*warnings[:_MOST_LINES], *more])]

"""Warnings: so many as boxes on the title page, all of them in the appendix."""

from __future__ import annotations

from collections.abc import Sequence

from reports.blocks import Block, bullets, subheading
from reports.language import Language

_MOST_BOXES = 6
_MOST_LINES = 60


_FURTHER = {
    "en": "{count} further warnings are in the appendix.",
    "de": "{count} weitere Warnungen stehen im Anhang.",
}


def boxed(warnings: Sequence[str], most: int = _MOST_BOXES, language: Language = "en") -> list[str]:
    """Return at most ``most`` boxes: one for each warning, the last for those that do not fit.

    Examples
    --------
    >>> boxed([str(number) for number in range(8)])[-2:]
    ['4', '3 further warnings are in the appendix.']
    >>> boxed(["a", "b", "c"], 2)
    ['a', '2 further warnings are in the appendix.']
    """
    if len(warnings) <= most:
        return list(warnings)
    further = len(warnings) - most + 1
    return [*warnings[: most - 1], _FURTHER[language].format(count=further)]


def in_full(
    warnings: Sequence[str],
    data: str,
    boxes: Sequence[str] | None = None,
    most_lines: int = _MOST_LINES,
) -> list[Block]:
    """Return all warnings for the appendix, unless the title page holds every one of them.

    Parameters
    ----------
    warnings
        Every warning of the study.
    data
        The file that has those that even the appendix does not hold.
    boxes
        The warnings on the title page; by default as many of ``warnings`` as :func:`boxed` shows.
    most_lines
        How many the appendix holds.
    """
    shown = set(boxed(warnings) if boxes is None else boxes)
    if shown.issuperset(warnings):
        return []
    unlisted = len(warnings) - most_lines
    more = [f"{unlisted:,} more are in {data}."] if unlisted > 0 else []
    return [subheading("All warnings"), bullets([*warnings[:most_lines], *more])]

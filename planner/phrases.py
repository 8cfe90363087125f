"""Sentences with gaps, in every language of a report: how a table of them is filled.

A table has one part per language, and each part has the same phrases with the same gaps. Numbers
are written in English; the report rewrites them for the language of its scenario.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Templates = Mapping[str, Mapping[str, str]]
"""Phrases by language, then by name."""

_AND = {"en": " and ", "de": " und "}


def phrase(templates: Templates, language: str, name: str, /, **values: object) -> str:
    """Return one phrase with its gaps filled.

    Examples
    --------
    >>> phrase({"en": {"buy": "Buy {n:,} nodes."}}, "en", "buy", n=1200)
    'Buy 1,200 nodes.'
    """
    return templates[language][name].format(**values)


def counted(templates: Templates, language: str, unit: str, number: float) -> str:
    """Return a number with its unit: the phrase ``unit``, or ``unit`` with an "s" for several.

    Examples
    --------
    >>> units = {"de": {"day": "{n} Tag", "days": "{n} Tage"}}
    >>> counted(units, "de", "day", 1), counted(units, "de", "day", 3)
    ('1 Tag', '3 Tage')
    """
    return phrase(templates, language, unit if number == 1 else f"{unit}s", n=number)


def listed(parts: Sequence[str], language: str) -> str:
    """Return parts in a sentence.

    Examples
    --------
    >>> listed(["a", "b", "c"], "de"), listed(["a"], "en")
    ('a, b und c', 'a')
    """
    if len(parts) < 2:
        return "".join(parts)
    return _AND[language].join([", ".join(parts[:-1]), parts[-1]])

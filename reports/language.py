"""The language of a report: the fixed strings of its first page, and how it writes numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, get_args

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

LABELS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "recommendation": "Recommendation",
        "reasons": "Why",
        "alternatives": "Alternatives",
        "risks": "Risks",
        "limits": "Limits that bind",
        "robustness": "How robust is it?",
        "assumptions": "Assumptions",
        "next_steps": "Next steps",
        "contents": "Contents",
        "date": "Date",
        "version": "Scenario version",
        "seen": "See the figure on page {page}.",
    },
    "de": {
        "recommendation": "Empfehlung",
        "reasons": "Gründe",
        "alternatives": "Alternativen",
        "risks": "Risiken",
        "limits": "Bindende Grenzen",
        "robustness": "Wie robust ist das?",
        "assumptions": "Annahmen",
        "next_steps": "Nächste Schritte",
        "contents": "Inhalt",
        "date": "Datum",
        "version": "Version des Szenarios",
        "seen": "Siehe die Abbildung auf Seite {page}.",
    },
}
"""Headings of the first page by their names, and the reference to its figure."""

_AS_THEY_ARE = frozenset(
    {"file", "kind", "name", "language", "footer", "labels", "date", "version"}
)
"""Keys of a document whose values people do not read as prose."""
_NUMBER = re.compile(
    r"(?P<label>\b(?:sections?|chapters?|tables?|figures?|equations?|steps?|Headroom|version)\s+"
    r"(?:[\d.]+(?:,\s+|\s+(?:and|to|or)\s+))*[\d.]+)"
    r"|(?<![\w.,/-])(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\w/]|-(?!mal\b)|[.,]\d)",
    re.IGNORECASE,
)
_GERMAN = str.maketrans({",": ".", ".": ","})


def language_of(study: object) -> Language:
    """The language of a study's report: that of its scenario, if it has one."""
    language: Language = getattr(getattr(study, "scenario", None), "language", "en")
    return language


def with_decimal_comma(text: str) -> str:
    """A text whose numbers have a decimal comma, and thousands after a point.

    Numbers of sections, equations, tables and versions stay as they are.

    Examples
    --------
    >>> with_decimal_comma("Buy 1,669 nodes for 60.0 M USD: score 1.8738 (equation 4.6)")
    'Buy 1.669 nodes for 60,0 M USD: score 1,8738 (equation 4.6)'
    >>> with_decimal_comma("sections 4.3 to 4.5, Headroom 0.1.0, run.0.prof, 2027-06-01")
    'sections 4.3 to 4.5, Headroom 0.1.0, run.0.prof, 2027-06-01'
    """

    def rewritten(found: re.Match[str]) -> str:
        return found[0] if found["label"] else found[0].translate(_GERMAN)

    return _NUMBER.sub(rewritten, text)


def localised(value: Any, language: Language) -> Any:
    """A document with the numbers of its texts as the language writes them.

    Provenance stays as it is: it is copied, not read.
    """
    if language == "en":
        return value
    if isinstance(value, str):
        return with_decimal_comma(value)
    if isinstance(value, list | tuple):
        return [localised(each, language) for each in value]
    if not isinstance(value, Mapping) or value.get("kind") == "code" or _copied(value):
        return value
    return {
        key: part if key in _AS_THEY_ARE else localised(part, language)
        for key, part in value.items()
    }


def _copied(part: Mapping[str, Any]) -> bool:
    return str(part.get("heading", "")).startswith("Appendix: prov")

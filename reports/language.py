"""The language of the first page: its fixed strings, in English and German."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

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
    },
}
"""Headings of the first page by their names."""

"""What to say of a search that a limit stopped."""

from __future__ import annotations

from functools import partial

from planner.phrases import Templates, phrase
from solvers import Stop

TEMPLATES: Templates = {
    "en": {
        "time": "The search stopped at its time limit, so a repeated run may differ.",
        "nodes": "{which} stopped at the limit of branch-and-bound nodes; the certificate shows "
        "the remaining gap. To continue the search, {remedy}.",
        "program": "1 program",
        "programs": "{count:,} programs",
        "remedy": Stop.NODES.remedy,
    },
    "de": {
        "time": "Die Suche endete am Zeitlimit; ein weiterer Lauf kann anders ausfallen.",
        "nodes": "An der Grenze der Branch-and-Bound-Knoten abgebrochen: {which}; das Zertifikat "
        "zeigt die verbleibende Lücke. Zum Weitersuchen {remedy}.",
        "program": "1 Programm",
        "programs": "{count:,} Programme",
        "remedy": "ein Zeitlimit angeben, das die Knotengrenze ersetzt",
    },
}
"""Warnings by language."""

_t = partial(phrase, TEMPLATES)


def time_warning(*, stopped: bool, language: str = "en") -> list[str]:
    """Return what to say of a search that the time limit stopped."""
    return [_t(language, "time")] if stopped else []


def nodes_warning(programs: int, language: str = "en") -> list[str]:
    """Return what to say of programs that the node limit stopped with their gap open."""
    if not programs:
        return []
    which = _t(language, "program" if programs == 1 else "programs", count=programs)
    return [_t(language, "nodes", which=which, remedy=_t(language, "remedy"))]

"""The data file of a study: raw numbers, what tools rely on, and how people read it."""

from __future__ import annotations

import json
from typing import Any

from planner.study import Study
from reports.view import view

_PLAIN = str.maketrans({"\xa0": " ", "\u2068": None, "\u2069": None})
"""Marks for a page, which data do not have."""


def document(study: Study) -> dict[str, Any]:
    """The content of the file, with the answer and the risks as texts."""
    shown = view(study)
    summary = " ".join(text for text in (shown.headline, shown.confidence) if text)
    risks = [risk.translate(_PLAIN) for risk in shown.risks]
    return study.to_dict({"summary": summary.translate(_PLAIN), "warnings": risks})


def data(study: Study) -> bytes:
    """The bytes of the file."""
    text = json.dumps(document(study), indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()

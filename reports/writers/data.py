"""The data file of a study: raw numbers, what tools rely on, and how people read it."""

from __future__ import annotations

import json
from typing import Any

from planner.formatting import unmarked
from planner.study import Study
from reports.view import view


def document(study: Study) -> dict[str, Any]:
    """The content of the file, with the answer and the risks as texts."""
    shown = view(study)
    summary = ". ".join(text for text in (shown.headline, shown.confidence) if text)
    risks = [unmarked(risk) for risk in shown.risks]
    return study.to_dict({"summary": unmarked(summary), "warnings": risks})


def data(study: Study) -> bytes:
    """The bytes of the file."""
    text = json.dumps(document(study), indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()

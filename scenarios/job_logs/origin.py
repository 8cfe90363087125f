"""Where the jobs of a log come from, as far as its header says."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scenarios.formatting import clipped

SYNTHETIC = "Synthetic"
"""Header key of every log that a model made: its model and seed."""

_OLD_NOTE = re.compile(r"drawn, (.+)")


def synthetic_words(header: Mapping[str, str]) -> str:
    """Model and seed of a log that its header calls synthetic; empty for any other log.

    Logs that Headroom wrote before the key ``Synthetic`` say it in their note.

    Examples
    --------
    >>> synthetic_words({"Synthetic": "Lublin-Feitelson model, seed 3"})
    'Lublin-Feitelson model, seed 3'
    >>> synthetic_words({"Note": "drawn, seed 3"}), synthetic_words({"Computer": "IBM SP2"})
    ('seed 3', '')
    """
    if SYNTHETIC in header:
        return clipped(_first_line(header[SYNTHETIC]) or "no model named")
    for line in header.get("Note", "").split("\n"):
        if old := _OLD_NOTE.fullmatch(line):
            return clipped(old[1])
    return ""


def _first_line(text: str) -> str:
    return text.partition("\n")[0].strip()

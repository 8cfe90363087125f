"""Where the jobs of a log come from, as far as its header says."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scenarios.formatting import clipped

SYNTHETIC = "Synthetic"
"""Header key of every log that a model made: its model and seed."""

_SAID = ("Computer", "Installation", "Conversion", "Acknowledge", "Information", "Note")
_OLD_NOTE = re.compile(r"drawn, (.+)")
_MOST_SHOWN = 3


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


def header_words(header: Mapping[str, str]) -> str:
    """Return what the header says of the origin of its jobs, key by key.

    Examples
    --------
    >>> header_words({"Computer": "IBM SP2", "Installation": "SDSC", "MaxProcs": "128"})
    'Computer: IBM SP2; Installation: SDSC'
    >>> header_words({"MaxProcs": "128"})
    'the file does not say where the jobs come from'
    """
    if synthetic := synthetic_words(header):
        return f"synthetic: {synthetic}"
    texts = {key: _first_line(header.get(key, "")) for key in _SAID}
    entries = [f"{key}: {clipped(text)}" for key, text in texts.items() if text]
    return "; ".join(entries[:_MOST_SHOWN]) or "the file does not say where the jobs come from"


def _first_line(text: str) -> str:
    return text.partition("\n")[0].strip()

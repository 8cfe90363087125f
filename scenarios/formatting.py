"""Errors quote keys and values briefly, on one line, with the nearest valid name."""

from __future__ import annotations

import datetime as dt
import difflib
import re
import unicodedata
from typing import Any

from scenarios.fields import STEERING
from scenarios.positions import KeyPath


def folded(name: str) -> str:
    r"""Return what names have in common that differ only in case, blanks or forms of characters.

    Examples
    --------
    >>> folded("NORTH\u00a0star") == folded(" North Star"), folded("North") == folded("South")
    (True, False)
    """
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(c for c in text if not c.isspace() and unicodedata.category(c) != "Cf")


def nearest(name: str, valid_names: list[str]) -> str:
    """A remedy for an unknown name: the one that it is but for case, or the nearest known ones."""
    wanted = folded(name)
    close = [candidate for candidate in valid_names[:200] if folded(candidate) == wanted]
    close = close[:3] or difflib.get_close_matches(name[:200], valid_names[:200], n=3, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(short(candidate) for candidate in close) + "?"
    listed = ", ".join(clipped(candidate) for candidate in valid_names[:20]) + (
        ", ..." if valid_names[20:] else ""
    )
    return f"there {'are' if valid_names else 'is'} {listed or 'none'}"


def dotted(path: KeyPath) -> str:
    """Return a key path as people write it, entries counted from 1."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += ("." if text else "") + clipped(part)
    return text


def short(value: Any) -> str:
    """Return a value in a few words."""
    if isinstance(value, dict | list | tuple):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and value.bit_length() > 256:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, dt.date | dt.time):
        return str(value)
    return clipped(str(value).lower() if isinstance(value, bool) else repr(value))


def clipped(text: str) -> str:
    """Return the beginning of a long text."""
    return text if len(text) <= 80 else text[:77] + "..."


def text_error(text: str, longest: int, shortest: int = 1, allowed: str = "") -> str:
    """Return what is wrong with a text of at most ``longest`` characters; empty if it is valid.

    ``allowed`` lists the control characters that are valid.
    """
    if len(text) < shortest:
        return "is empty; write a text"
    if len(text) > longest:
        return f"{short(text)} has {len(text)} characters; give at most {longest}"
    for control in re.findall(rf"[\x00-\x1f{STEERING}]", text):
        if control not in allowed:
            return f"{short(text)} contains the control character U+{ord(control):04X}; delete it"
    return ""

"""The encoding of a text that is not UTF-8: the one that gives the letters of one language."""

from __future__ import annotations

import re
from collections import Counter

_WESTERN = "äöüß àâæçéèêëîïôœùûü áéíñóúüºª àéèìíòóù áâãàçéêíóôõú áéëèïöü åäöéü åæøéäö áæðéíóöúýþ"
_CENTRAL = "ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž áéíóöőúüű ăâîşţéö čćđšž"
"""Letters beyond ASCII, of each language."""
LANGUAGES = {"cp1252": _WESTERN, "cp1250": _CENTRAL, "iso8859-2": _CENTRAL, "cp1254": "âçğıîöşüû"}
"""What is written in the encodings that are tried, the most frequent first."""
_IN_WORDS = re.compile(r"(?<=[^\W\d_])[^\x00-\xa0]|[^\x00-\xa0](?=[^\W\d_])")
"""Signs next to a letter."""
_CONTROL = re.compile(r"[\x80-\x9f]")


def decoded(data: bytes) -> tuple[str, str]:
    """A text and its encoding, by the language that explains most letters; empty without one.

    The most frequent encoding counts, where several explain as many.

    Examples
    --------
    >>> [decoded(each.encode("cp1250")) for each in ("Węzeł [zł]", "Größe")]
    [('Węzeł [zł]', 'cp1250'), ('Größe', 'cp1252')]
    """
    best, most = ("", ""), -1
    for encoding, languages in LANGUAGES.items():
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _CONTROL.search(text):
            continue
        counts = Counter(each.lower() for each in _IN_WORDS.findall(text))
        explained = max(sum(counts[each] for each in language) for language in languages.split())
        if explained > most:
            best, most = (text, encoding), explained
    return best

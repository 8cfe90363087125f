"""Words of headings in several languages, and what a heading may mean by them."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("words.toml")
_WORD = re.compile(r"[^\W_]+")
_SHORTEST_PART = 5
_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "\u0131": "i"})


@dataclass(frozen=True)
class Meaning:
    """What a heading may mean.

    Attributes
    ----------
    target
        The field, or another thing that a column may hold, such as ``line_total``.
    score
        How likely it is: concepts that were found, and how early the pattern is.
    words
        The words by which it was recognised.
    dimension
        Unit that the column must have; empty where it may have any.
    """

    target: str
    score: float
    words: tuple[str, ...]
    dimension: str = ""


@cache
def words_of(group: str) -> dict[str, Any]:
    """A group of the file of words."""
    found: dict[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))[group]
    return found


@cache
def plain(text: str) -> str:
    """A text in small letters without accents and signs, with a blank on both sides.

    Examples
    --------
    >>> plain("Nb. de cœurs/nœud"), plain("Kühlung:")
    (' nb de coeurs noeud ', ' kuhlung ')
    """
    folded = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    letters = "".join(each for each in folded if not unicodedata.combining(each))
    words = " ".join(_WORD.findall(letters))
    return f" {words} "


def has_word(text: str, words: Iterable[str], *, whole: bool = False) -> str:
    """The first of the words that a plain text has; empty without one.

    A ``whole`` one may be the end of a compound, but not its beginning.

    Examples
    --------
    >>> has_word(plain("Speicherbandbreite"), ["bandbreite"]), has_word(plain("kernel"), ["kern"])
    ('bandbreite', '')
    """
    for word in words:
        if word.endswith("*") or " " in word:  # a phrase begins with a whole word
            found = f" {word.removesuffix('*')}" in text
        elif len(word) >= _SHORTEST_PART:
            found = (f"{word} " if whole else word) in text
        else:
            found = f" {word} " in text
        if found:
            return word
    return ""


def says_nothing(text: str) -> bool:
    """Whether a cell is a dash, or a word as "n/a" or "on request"."""
    bare = plain(text).strip()
    return not bare or bare in words_of("rows")["blank"]


def costs_nothing(text: str) -> bool:
    """Whether a cell of a price has a word as "included" or "free".

    Examples
    --------
    >>> costs_nothing("inkl."), costs_nothing("not included")
    (True, False)
    """
    words, said = words_of("rows"), plain(text)
    return bool(has_word(said, words["included"])) and not has_word(said, words["without"])


def no_discount(text: str) -> bool:
    """Whether a cell says that there is no discount.

    Examples
    --------
    >>> no_discount("bez slevy"), no_discount("kein Rabatt"), no_discount("ohne 2 %")
    (True, True, False)
    """
    denied = has_word(plain(text), words_of("rows")["without"])
    return says_nothing(text) or (bool(denied) and not has_digit(text))


def has_digit(text: str) -> bool:
    """Whether a text has a digit."""
    return any(each.isdigit() for each in text)


@cache
def meanings(heading: str) -> tuple[Meaning, ...]:
    """What a heading may mean, most likely first."""
    text = plain(heading.replace("/", " per "))
    found = {
        concept: word for concept, words in words_of("concepts").items()
        if (word := has_word(text, words))
    }  # fmt: skip
    results = []
    for target, patterns in words_of("fields").items():
        for rank, pattern in enumerate(patterns):
            wanted = [each for each in pattern.split() if each[0] not in "-@"]
            barred = [each[1:] for each in pattern.split() if each[0] == "-"]
            units = [each[1:] for each in pattern.split() if each[0] == "@"]
            if all(each in found for each in wanted) and not any(each in found for each in barred):
                score = 2 * len(wanted) + len(units) - rank / 10
                hits = tuple(found[each] for each in wanted)
                results.append(Meaning(target, score, hits, units[0] if units else ""))
    results.sort(key=lambda each: -each.score)
    return tuple(results)

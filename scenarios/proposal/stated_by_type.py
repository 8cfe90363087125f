"""What notes state for the node types that they name, and for all others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from scenarios.proposal.words import has_digit, has_word, plain, words_of

Types = tuple[tuple[str, ...], ...]
"""For each node type its name, and its part number if it has one."""
ALL = -1
"""Stands for the node types without figures of their own."""
_FIRST, _MARK = 0xE000, "[\ue000-\uf8ff]"
"""A named node type in a text: one character for private use, neither letter nor digit."""
_TOKEN = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(rf"\n|\.\s+(?=[A-ZÀ-Þ]|{_MARK})")
_BETWEEN, _OTHERS = r"[^\d\ue000-\uf8ff]*", r"[^\ue000-\uf8ff]*"
_CLAUSE = re.compile(rf";|,\s|\((?={_BETWEEN}{_MARK})")
_NAMES_FIRST = re.compile(rf"{_BETWEEN}(?:{_MARK}{_BETWEEN})+{_OTHERS}")
_NAMES_LAST = re.compile(rf"{_OTHERS}(?:{_MARK}{_BETWEEN})+|{_OTHERS}(?<!^)$")
_FIGURE_BEFORE = re.compile(r"\d ?(?:%|[^\W\d_]+)(?: [^\W\d_]+){1,2} $")
_FIGURE_BEHIND = re.compile(r":? \(?\d")
_END = re.compile(r"\s*(?:[,;.)]|[^\W\d_]+ \d|$)")
_MOST_WORDS, _LONGEST_ACRONYM, _LEAST_DIGITS, _NEAR = 12, 4, 5, 3


def stated_by_type(
    text: str, types: Types, figures: Callable[[str], Sequence[str]]
) -> dict[int, list[str]]:
    """Find the figures of a note for each node type that it names, by its index, and for ``ALL``.

    Names, the first text of each type, and part numbers are before or behind their figures. A type
    without any has an empty list.

    Examples
    --------
    >>> weeks = re.compile("[0-9]+").findall
    >>> types = (("Thin", "N-1"), ("Fat", "N-2"), ("GPU node", "N-3"))
    >>> stated_by_type("12 weeks, N-1 and N-2: 8 weeks; none for GPU nodes", types, weeks)
    {-1: ['12'], 0: ['8'], 1: ['8'], 2: []}
    >>> stated_by_type("9 weeks for fat nodes and 20 weeks for GPU nodes", types, weeks)
    {1: ['9'], 2: ['20']}
    """
    found: dict[int, list[str]] = {}
    for sentence in _SENTENCE.split(_marked(text, types)):
        group, waiting, behind = [ALL], list[int](), False
        pieces, names_first = _pieces(sentence)
        for piece in pieces:
            named = [ord(each) - _FIRST for each in re.findall(_MARK, piece)]
            values = figures(piece)
            if named and _denies(piece, stated=bool(values)):
                found |= {each: [] for each in named}
            elif not values and behind:  # as B in "10 weeks for A, B"
                found |= dict.fromkeys(named, found[group[0]])
            elif not values:
                waiting += named
            elif named or waiting:
                group, waiting, behind = [*waiting, *named], [], bool(named) and not names_first
            elif has_word(plain(piece), words_of("rows")["others"]):
                group = [ALL]
            for each in group if values else ():
                found.setdefault(each, []).extend(values)
    return found


def _pieces(sentence: str) -> tuple[list[str], bool]:
    """Parts with one list of names each, and whether names are before their figures."""
    clauses = _CLAUSE.split(sentence)
    both = (each for each in clauses if re.search(_MARK, each) and has_digit(each))
    names_first = re.match(_BETWEEN + _MARK, next(both, sentence)) is not None
    cut = _NAMES_FIRST if names_first else _NAMES_LAST
    parts = (cut.findall(each) if re.search(_MARK, each) else [each] for each in clauses)
    return [piece for each in parts for piece in each], names_first


def _denies(piece: str, *, stated: bool) -> bool:
    """Whether a part denies figures to the types that it names; other figures may be before."""
    words = words_of("rows")
    denying = [*words["without"], *words["except"]]
    if not stated:
        return bool(has_word(plain(piece), [*denying, *words["blank"]]))
    before = re.split(_MARK, piece, maxsplit=1)[0].split()[-_NEAR:]
    return bool(has_word(plain(" ".join(before)), denying))


def _marked(text: str, types: Types) -> str:
    """A text with a mark in the place of each name of a node type."""
    text = re.sub(_MARK, " ", text)
    forms, tokens = _forms(types), [*_TOKEN.finditer(text)]
    bare = ["", *(plain(each[0]).strip() for each in tokens), ""]
    words = [*words_of("concepts")["node"], *words_of("rows")["types"]]
    near = [bool(has_word(f" {each} ", words)) for each in bare]
    parts, at, last, stop = list[str](), 0, -_NEAR, 0
    while at < len(tokens):
        ends = range(min(at + _MOST_WORDS, len(tokens)), at, -1)
        end = next((each for each in ends if tuple(bare[at + 1 : each + 1]) in forms), at)
        place, anywhere = forms.get(tuple(bare[at + 1 : end + 1]), (0, False))
        followed = any((each,) in forms for each in bare[end + 1 : end + 3])
        listed = near[at] or near[end + 1] or followed or at - last <= 1  # as "types A and B"
        behind = text[tokens[max(at, end - 1)].end() :]
        listed = listed or _has_figure(text[: tokens[at].start()], behind)
        article = len(tokens[at][0]) == 1 and tokens[at][0].islower()  # no type A
        if end > at and (anywhere or (listed and not article)):
            parts += [text[stop : tokens[at].start()], chr(_FIRST + place)]
            at, last, stop = end, end, tokens[end - 1].end()
        else:
            at += 1
    return "".join([*parts, text[stop:]])


def _has_figure(before: str, behind: str) -> bool:
    """Whether a figure is next to what is between two texts, as in "8 weeks for A"."""
    own = _FIGURE_BEFORE.search(before) and _END.match(behind)
    return own is not None or _FIGURE_BEHIND.match(behind) is not None


@lru_cache(maxsize=4)
def _forms(types: Types) -> dict[tuple[str, ...], tuple[int, bool]]:
    """Words by which a text may name a node type, and whether they do so in any place.

    They are its name, its part number, and words that only its name has. A single word names it
    next to a word as node only, unless it is a code or an acronym.
    """
    counts = Counter(word for each in types for word in {*plain(" ".join(each)).split()})
    nodes, forms = words_of("concepts")["node"], dict[tuple[str, ...], tuple[int, bool]]()
    for place, (name, *numbers) in enumerate(types):
        head = name.partition("(")[0]
        texts = [name, head, *numbers]
        for part in re.split(r"\s[-\u2013\u2014]\s|[,:;/]", head):
            own = [each for each in _TOKEN.findall(part) if counts[plain(each).strip()] == 1]
            texts += filter(_is_code, own)
            texts.append(" ".join(each for each in own if not has_word(plain(each), nodes)))
        for text in texts:
            form = tuple(plain(text).split())
            if form and not (text.isdigit() and len(text) < _LEAST_DIGITS):
                forms.setdefault(form, (place, len(form) > 1 or _is_code(text)))
    return forms


def _is_code(word: str) -> bool:
    """Whether a word is a code or an acronym, as R2 and GPU."""
    upper = word.isupper() and 1 < len(word) <= _LONGEST_ACRONYM
    return upper or (has_digit(word) and len(word) > 1)

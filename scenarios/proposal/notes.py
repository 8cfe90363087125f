"""What titles and notes around the tables say: vendor, currency, taxes, validity, delivery."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenarios.model.quote_fields import read_cell
from scenarios.proposal.cell_meanings import days_of
from scenarios.proposal.figures import figure_in
from scenarios.proposal.stated_by_type import ALL, Types, stated_by_type
from scenarios.proposal.unit_words import currencies_of
from scenarios.proposal.words import has_digit, has_word, plain, words_of
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import LONGEST_LABEL, CellError

_NAME = r"[^\W\d_][\w.&'-]*"
_RATE = re.compile(r"(\d{1,2}(?:[.,]\d)?) ?%")
_WEEKS = re.compile(r"(\d{1,3})\s*([^\W\d_]+)")
_DATES = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}/\d{1,2}/\d{4}"
    r"|\d{1,2}\.? (?:de )?[^\W\d_]{3,}\.? \d{4}|[^\W\d_]{3,} \d{1,2}, ?\d{4}"
)


_CODE = re.compile(r"(?<![\w-])[^\W\d_]{1,6}-?\d")
"""A word as HC-2100, which may name a node type."""

_MARK = re.compile(r"\(\*+\)|\*+(?!\w)|[\u00b9\u00b2\u00b3\u2074-\u2079]")
"""Signs of footnotes."""


@dataclass(frozen=True)
class Note:
    """Something that a note or a heading says, and where."""

    value: str
    place: str
    text: str


@dataclass(frozen=True)
class Text:
    """A text outside the cells of quotes, where it is, and whether it is a heading of a table."""

    text: str
    place: str
    headed: bool = False


def vendor_of(texts: Sequence[Text], path: Path) -> Note:
    """Who offers: a name with a legal form, behind a word such as vendor, a title, or the file."""
    forms = sorted(words_of("vendor")["forms"], key=lambda each: -len(each))
    listed = "|".join(re.escape(form) for form in dict.fromkeys(
        spelt for form in forms for spelt in (form, form.upper())
    ))  # fmt: skip
    company = re.compile(rf"((?:{_NAME} (?:& |und |and |et |y )?)*?{_NAME}),? ({listed})(?![\w])")
    for each in texts:
        if len(each.text) <= LONGEST_LABEL and (found := company.search(each.text)):
            name = _without_titles(found[0], only_first=True)
            return Note(name, each.place, each.text)
    for each in texts:
        if each.text.endswith("."):
            continue  # a sentence, no title
        label, colon, name = each.text.partition(":")
        if colon and name.strip() and has_word(plain(label), words_of("concepts")["vendor"]):
            return Note(name.strip()[:LONGEST_LABEL], each.place, each.text)
        titled = has_word(plain(each.text), words_of("vendor")["titles"])
        if titled and len(each.text) <= LONGEST_LABEL:
            name = _without_titles(each.text)
            if name:
                return Note(name, each.place, each.text)
    first = texts[0] if texts else Text("", "")
    if re.fullmatch(rf"{_NAME}(?: {_NAME}){{0,3}}", first.text) and not first.headed:
        return Note(first.text, first.place, first.text)
    stem = re.sub(r"[\W_]+", " ", path.stem).strip()
    return Note(_without_titles(stem) or stem or path.stem, path.name, path.name)


def _without_titles(text: str, *, only_first: bool = False) -> str:
    """The words of a title that name nobody but a company: without numbers and words of titles.

    Signs part a title; the first part with a name counts, unless only first words are removed.
    """
    titles = {plain(each).strip() for each in words_of("vendor")["titles"]}
    if only_first:
        words = text.split()
        while len(words) > 1 and (plain(words[0]).strip() in titles or has_digit(words[0])):
            del words[0]
        return " ".join(words)
    barred = {"", *titles}
    for part in re.split(r"\s[-\u2013\u2014]\s|[:,;]", text):
        named = [word for word in part.split() if plain(word).strip() not in barred]
        if bare := " ".join(word for word in named if not has_digit(word)):
            return bare
    return ""


def currency_of(texts: Iterable[Text]) -> list[Note]:
    """Currencies that the notes name, each once."""
    found: dict[str, Note] = {}
    for each in texts:
        for code in currencies_of(each.text):
            found.setdefault(code, Note(code, each.place, each.text))
    return list(found.values())


def tax_of(texts: Iterable[Text], *, bare: bool = False) -> tuple[list[Note], list[Note]]:
    """Notes by which prices are net, and notes by which they are gross, with the rate if stated.

    They name the tax, or ``bare`` need not.
    """
    words = words_of("vat")
    net, gross = [], []
    for each in texts:
        text = plain(each.text)
        if not bare and not has_word(text, words["tax"]):
            continue
        rate = _RATE.search(each.text)
        note = Note(rate[1].replace(",", ".") if rate else "", each.place, each.text)
        if has_word(text, words["net"]):
            net.append(note)
        elif has_word(text, words["gross"]):
            gross.append(note)
    return net, gross


def valid_until_of(texts: Iterable[Text]) -> Note | None:
    """The last day of the offer that a note states."""
    for each in texts:
        if not has_word(plain(each.text), words_of("concepts")["valid"]):
            continue
        for date in reversed(_DATES.findall(each.text)):
            if date in (clear := days_of([date])):
                return Note(clear[date].isoformat(), each.place, each.text)
            try:
                read = read_cell(date, Reading("valid_until", "", "point", ""))
            except CellError:
                continue
            if isinstance(read, dt.date):
                return Note(read.isoformat(), each.place, each.text)
    return None


def labelled(label: str, value: str) -> bool:
    """Whether a cell states when for the label in front of it: a date, or weeks to the delivery."""
    if label.endswith(":") or has_word(plain(label), words_of("concepts")["lead"]):
        return bool(_WEEKS.match(value) or _DATES.search(value))
    return bool(_DATES.search(value))


@dataclass(frozen=True)
class ByType:
    """What notes state of a field: a text for each node type, empty without one; and where."""

    values: tuple[str, ...]
    why: str


def discounts_of(texts: Iterable[Text], types: Types) -> tuple[ByType, Note | None]:
    """Discounts by quantity for node types; and a note whose meaning a person has to decide."""
    found, unclear = list[tuple[Text, dict[int, list[str]]]](), None
    for each in texts:
        if has_word(plain(each.text), words_of("concepts")["discount"]):
            stated = stated_by_type(each.text, types, _steps)
            if _is_clear(each.text, stated):
                found.append((each, stated))
            elif unclear is None and (whole := figure_in("discounts", each.text, "")):
                unclear = Note(whole, each.place, each.text)
    return _by_type(found, len(types), "; ".join), unclear


def _steps(text: str) -> list[str]:
    """The discount in a part of a note; an empty text where it is not clear."""
    return [figure_in("discounts", text, "")] if _RATE.search(text) else []


def _is_clear(text: str, stated: dict[int, list[str]]) -> bool:
    """Whether discounts are of nodes in the table, not for early payment, and not in the prices."""
    concepts, words = words_of("concepts"), words_of("rows")
    bare = plain(text)
    if has_word(bare, words["payment"]):
        return False
    included = has_word(bare, words["included"]) and not has_word(bare, words["without"])
    if included or (stated.keys() <= {ALL} and _CODE.search(text)):
        return False
    counted = has_word(bare, [*concepts["quantity"], *concepts["node"]])
    given = [each for each in stated.values() if each]
    return all(map(all, given)) and any(counted or len(each) > 1 for each in given)


def _by_type(
    found: Iterable[tuple[Text, dict[int, list[str]]]],
    count: int,
    value: Callable[[list[str]], str],
) -> ByType:
    """Join notes; the first one that states something of a node type, or of all, counts."""
    joined: dict[int, list[str]] = {}
    why = []
    for each, stated in found:
        if stated.keys() - joined.keys():
            why.append(f"{each.place}: {each.text!r}")
            joined = stated | joined
    values = (value(joined.get(each, joined.get(ALL, []))) for each in range(count))
    return ByType(tuple(values), "; ".join(why))


def corrections_of(texts: Iterable[Text], cells: Iterable[str]) -> Iterator[Note]:
    """Notes with an amount of money, to which a mark in one of the cells refers."""
    marks = {mark for cell in cells for mark in _MARK.findall(cell)}
    for each in texts:
        mark = _MARK.match(each.text)
        if mark is not None and mark[0] in marks and currencies_of(each.text):
            yield Note(mark[0], each.place, each.text)


def lead_of(texts: Iterable[Text], types: Types) -> ByType:
    """The weeks to the delivery that notes state: the first ones of all, or those of a type."""
    found = []
    for each in texts:
        if has_word(plain(each.text), words_of("concepts")["lead"]):
            stated = stated_by_type(each.text, types, _weeks)
            of_all = stated.pop(ALL, [])
            if of_all and (len({*of_all}) == 1 or _of_all_nodes(each.text)):
                stated[ALL] = of_all[:1]
            found.append((each, stated))
    return _by_type(found, len(types), lambda weeks: weeks[0] if len({*weeks}) == 1 else "")


def _of_all_nodes(text: str) -> bool:
    """Whether the first of several figures is of all nodes: the text tells none of them apart."""
    nodes = words_of("concepts")["node"]
    named = [each for each in re.split(r"\d+", text) if has_word(plain(each), nodes)]
    others = has_word(plain(text), words_of("rows")["others"])
    return len(named) <= 1 and not others and not _CODE.search(text)


def _weeks(text: str) -> list[str]:
    """The numbers of weeks in a part of a note."""
    weeks = {"weeks", "week", "wochen", "woche", *map(str.casefold, words_of("units")["weeks"])}
    return [number for number, unit in _WEEKS.findall(text) if unit.casefold() in weeks]

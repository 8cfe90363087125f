"""Which column of a table holds which field, by its heading or by the user's word."""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from scenarios.faults import printable
from scenarios.formatting import nearest
from scenarios.remark import Remark, remark
from scenarios.tables.cell_text import CellError, one_line, quoted
from scenarios.tables.cells import Cell, Unreadable
from scenarios.tables.field import Field, scale
from scenarios.tables.heading_words import other_quantity, unsure_unit
from scenarios.tables.headings import heading_text, split_unit
from scenarios.tables.units import named_unit

MOST_OTHERS = 40
"""Columns that no field is for and that a reader may look at all the same."""

_ALIKE = 0.8  # headings as alike as drawn and drawn_w are one, misspelt
_SHORTEST_ALIKE = 4
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(
    r"[KMGT][Bb]ytes?|[KMGT]iB(?![a-z])|[A-Z]?[a-z\u00b5\u03bc]+|[A-Z]+(?![a-z])|[0-9]+"
)
_ACRONYMS = re.compile(r"(?<=[A-Z]{2})s\b")
"""The plural of an acronym: CPUs do not end with microseconds."""


@dataclass(frozen=True)
class Layout:
    """Where the columns are.

    Attributes
    ----------
    places
        Index of the column, by what it holds.
    units
        Its unit where one is stated, by the heading or the user.
    problems
        What is wrong: index of the column or ``None``, and the message.
    remarks
        What was chosen and may not have been meant.
    others
        Index of each column that is none of these, by its heading, at most
        :data:`MOST_OTHERS`; of two with the same heading the first.
    found
        Index and stated unit of each column that could hold a field, the best name first; the
        unit is empty where neither the heading nor the user states one.
    """

    places: Mapping[str, int]
    units: Mapping[str, str]
    problems: Sequence[tuple[int | None, str]] = ()
    remarks: Sequence[Remark] = ()
    others: Mapping[str, int] = field(default_factory=dict)
    found: Mapping[str, Sequence[tuple[int, str]]] = field(default_factory=dict)


@dataclass
class _Search:
    texts: list[str]
    fields: dict[str, Field]
    option: str
    places: dict[str, int] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    problems: list[tuple[int | None, str]] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    worse: dict[str, list[int]] = field(default_factory=dict)
    stated: dict[str, str] = field(default_factory=dict)


def lay_out(
    headings: Sequence[Cell],
    fields: Sequence[Field],
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    *,
    option: str = "",
    careful: bool = True,
) -> Layout:
    """Find the columns by the user's mapping, else by their names.

    Parameters
    ----------
    headings
        The row of headings.
    fields
        What the table may hold.
    columns
        Heading by the name of a field; goes before all names that the fields have. A unit in
        brackets behind it is that of the column, whose heading states none.
    units
        Unit by the name of a field.
    option
        The option by which the user gives ``columns``, for remedies; empty where there is none.
    careful
        Whether a heading that is nearly that of an optional field is a problem; else such a
        column is left alone.
    """
    known = {field.name: field for field in fields}
    search = _Search([heading_text(cell) for cell in headings], known, option)
    _check_keys(search, option, columns or {})
    _check_keys(search, "units", units or {})
    for target, wanted in (columns or {}).items():
        if target in known:
            _find_wanted(search, target, wanted)
    named = [field for field in fields if field.name not in (columns or {})]
    for each in named:
        _find_named(search, each)
    for each in named:
        if each.name not in search.places and (careful or each.required):
            _ask_for(search, each)
    for target, place in search.places.items():
        wanted = search.stated.get(target) or (units or {}).get(target, "")
        _find_unit(search, known[target], place, wanted)
        if target in (columns or {}):
            _refuse_other_unit(search, known[target], place)
    _refuse_unreadable(search, headings)
    return Layout(
        search.places,
        search.units,
        tuple(search.problems),
        tuple(search.remarks),
        _others(search),
        {
            name: [(at, search.stated.get(name) or _stated_unit(search, known[name], at))
                   for at in [place, *search.worse.get(name, ())]]
            for name, place in search.places.items()
        },
    )  # fmt: skip


def _others(search: _Search) -> dict[str, int]:
    taken = set(search.places.values())
    found: dict[str, int] = {}
    for place, text in enumerate(search.texts):
        if text and place not in taken and len(found) < MOST_OTHERS:
            found.setdefault(text, place)
    return found


def ambiguous(layout: Layout) -> Iterator[str]:
    """What a reader says that refuses a second column for a field."""
    for each in layout.remarks:
        name, column, ignored = (each.values[key][0] for key in ("field", "column", "ignored"))
        for other in ignored if isinstance(ignored, tuple) else ():
            both = f"columns {quoted(str(column))} and {quoted(str(other))}"
            yield f"{name} may be in {both}; delete one of them"


def known_headings(
    headings: Sequence[Cell], fields: Sequence[Field], columns: Mapping[str, str] | None = None
) -> int:
    """How many of the headings are those of fields, or named by the user."""
    texts = [text for cell in headings if _LETTER.search(text := heading_text(cell))]
    wanted = {_key(each) for each in (columns or {}).values()}
    known = {each.name for each in fields for text in texts if _rank(text, each) is not None}
    return len(known) + sum(_key(text) in wanted for text in texts)


def headings_row(
    rows: Sequence[Sequence[Cell]],
    fields: Sequence[Field],
    columns: Mapping[str, str] | None = None,
) -> int:
    """Index of the row with most known headings; of several the one with most texts.

    A title above headings that are all unknown has fewer of them.
    """

    def rank(index: int) -> tuple[int, int]:
        texts = sum(bool(_LETTER.search(heading_text(cell))) for cell in rows[index])
        return known_headings(rows[index], fields, columns), texts

    return max(range(len(rows)), key=rank)


def _check_keys(search: _Search, name: str, mapping: Mapping[str, str]) -> None:
    for key in mapping:
        if key not in search.fields:
            message = f"{name}: there is no column {quoted(key)}; {nearest(key, [*search.fields])}"
            search.problems.append((None, message))


def _find_wanted(search: _Search, target: str, wanted: str) -> None:
    """Find a heading that the user named: as written, or else without the unit in brackets."""
    key = _key(wanted)
    if not key:
        search.problems.append((None, f"{search.option} {target}= needs a heading; give one"))
        return
    hits = [place for place, text in enumerate(search.texts) if _key(text) == key]
    hits = hits or [p for p, text in enumerate(search.texts) if _key(split_unit(text)[0]) == key]
    words = "".join(_words(wanted))
    hits = hits or [p for p, text in enumerate(search.texts) if words and words == _joined(text)]
    bare, unit = split_unit(wanted)
    if not hits and unit:
        hits = [place for place, text in enumerate(search.texts) if _key(text) == _key(bare)]
        search.stated |= {target: unit} if hits else {}
    taken = [other for other, place in search.places.items() if hits[:1] == [place]]
    if not hits:
        remedy = nearest(wanted, [text for text in search.texts if text])
        search.problems.append(
            (None, f"there is no heading {quoted(wanted)} for {target}; {remedy}")
        )
    elif len(hits) > 1:
        message = f"{quoted(wanted)} is the heading of {len(hits)} columns; rename one of them"
        search.problems.append((hits[1], message))
    elif taken:
        message = f"is assigned to both {taken[0]} and {target}; correct {search.option}"
        search.problems.append((hits[0], message))
    else:
        search.places[target] = hits[0]


def _find_named(search: _Search, field: Field) -> None:
    taken = set(search.places.values())
    ranks = {
        place: rank
        for place, text in enumerate(search.texts)
        if place not in taken and text and (rank := _rank(text, field)) is not None
    }
    if not ranks:
        return
    best = min(ranks.values())
    first, *others = [place for place, rank in ranks.items() if rank == best]
    names = quoted(search.texts[first])
    if others:
        message = (
            f"{names} and {quoted(search.texts[others[0]])} could both be {field.name}; rename one "
            f"of them{_say_which(search, field)}"
        )
        search.problems.append((others[0], message))
    unread = tuple(search.texts[place] for place, rank in ranks.items() if rank > best)
    if unread and field.kind != "text":
        column, ignored = printable(search.texts[first]), tuple(map(printable, unread))
        search.remarks.append(remark(
            "table-unread", field=(field.name, "id"), column=(column, "text"),
            ignored=(ignored, "text"),
        ))  # fmt: skip
    search.places[field.name] = first
    search.worse[field.name] = [
        at for at in sorted(ranks, key=ranks.__getitem__) if ranks[at] > best
    ]


def _say_which(search: _Search, field: Field, words: str = ", or choose one") -> str:
    return f"{words}: {search.option} {field.name}=HEADING" if search.option else ""


@lru_cache(4096)
def _rank(text: str, field: Field) -> int | None:
    """Rank how well a heading fits the field: 0 is its own name; ``None`` does not fit."""
    if "".join(_words(text)) == field.name.replace("_", ""):
        return 0
    readings = [("".join(_words(bare)), unit) for bare, unit in _readings(text, field)]
    names = {name for name, _ in readings}
    if field.name.replace("_", "") in names:
        return 1
    groups = (index for index, group in enumerate(field.aliases, 1) if names & {*group.split()})
    stated = (field.base.replace("_", "") == name and unit for name, unit in readings)
    return next(groups, len(field.aliases) + 1 if any(stated) else None)


def _readings(text: str, field: Field) -> list[tuple[str, str]]:
    """Return a heading as written, and without the unit at its end: (name, unit)."""
    bare, bracket = split_unit(text)
    readings = [(bare, bracket)]
    if not field.dimension or bracket:
        return readings
    for words in (re.split(r"[\s_/]+", bare), _spelt(_words(bare))):
        alone = len(words) == 1
        if not words or (alone and not named_unit(words[0])):
            continue
        with contextlib.suppress(CellError):
            scale(field, words[-1])
            name = words[:-2] if words[-2:-1] in (["in"], ["In"], ["IN"]) else words[:-1]
            return [*readings, ("_".join(name), words[-1])]
        if named_unit(words[-1]):
            break  # mJ is no J, though its last letter is
    return readings


def _spelt(words: list[str]) -> list[str]:
    """Words of a heading, with a prefix that has become a word of its own: ``K``, ``Wh``."""
    if len(words) > 1 and len(words[-2]) == 1 and named_unit(words[-2] + words[-1]):
        return [*words[:-2], words[-2] + words[-1]]
    return words


def words_of(heading: str) -> list[str]:
    """Its words in small letters, as in ``gpu``, ``cap``, ``w`` of ``GpuCap_W``."""
    return _words(heading)


def known_by(heading: str, known: Mapping[str, int] | Mapping[str, Sequence[Cell]]) -> str | None:
    """The heading among those known that is the same but for capitals and blanks."""
    return next((each for each in known if _key(each) == _key(heading)), None)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _joined(heading: str) -> str:
    return "".join(_words(split_unit(heading)[0]))


def _key(text: str) -> str:
    return one_line(text).casefold()


def _ask_for(search: _Search, field: Field) -> None:
    """Ask about a column that is nearly named right; or say that one is missing."""
    taken = set(search.places.values())
    free = {p: text for p, text in enumerate(search.texts) if text and p not in taken}
    first, *further = field.aliases or ("",)
    spellings = [field.name.replace("_", ""), *first.split()]
    spellings += [a for group in further for a in group.split() if len(a) >= _SHORTEST_ALIKE]
    for place, text in free.items():
        names = ["".join(_words(bare)) for bare, _ in _readings(text, field)]
        if any(difflib.get_close_matches(name, spellings, n=1, cutoff=_ALIKE) for name in names):
            message = f"column {quoted(text)} is unknown; if it is {field.name!r}, rename it"
            message += _say_which(search, field, ", or assign it")
            search.problems.append((place, message))
            return
    if field.required:
        listed = ", ".join(quoted(text) for text in list(search.texts)[:20] if text) or "none"
        message = f"there is no column {field.name!r} (columns: {listed}); add it"
        search.problems.append((None, message + _say_which(search, field, ", or assign one")))


def _find_unit(search: _Search, field: Field, place: int, wanted: str) -> None:
    """Take the unit of the heading, and the user's; they must agree."""
    stated = _stated_unit(search, field, place)
    if not field.dimension:
        if wanted:
            search.problems.append((place, f"{field.name} has no unit; delete it from units"))
        return
    given = {"units": wanted, "the heading": stated}
    factors = set()
    for source, unit in given.items():
        if not unit:
            continue
        try:
            factors.add(scale(field, unit))
        except CellError as error:
            remedy = "" if source == "units" else f"; or rename {quoted(search.texts[place])}"
            search.problems.append((place, f"in {source}, {error}{remedy}"))
            return
    if len(factors) > 1:
        message = (
            f"units gives {quoted(wanted)}, but the heading {quoted(stated)}; correct one of them"
        )
        search.problems.append((place, message))
    search.units[field.name] = wanted or stated or field.unit


def _stated_unit(search: _Search, field: Field, place: int) -> str:
    return next((unit for _, unit in _readings(search.texts[place], field) if unit), "")


def _refuse_other_unit(search: _Search, field: Field, place: int) -> None:
    """Refuse a heading that the user chose and that ends with a unit which is not the field's."""
    text = search.texts[place]
    if field.kind == "text" or split_unit(text)[1]:
        return
    unit, unsure = unit_at_end(text), unsure_unit(text)
    remedy = f"choose another column, or rename {quoted(text)}"
    is_minimum = text.casefold() == "min" and field.dimension == "run time"
    if unsure or is_minimum:
        unit = unsure or text
        message = f"{quoted(unit)} may not be a unit"
        remedy = f"rename it, as in '{field.base} [{unit}]'"
    elif field.dimension and any(unit for _, unit in _readings(text, field)):
        return
    elif not unit:
        other = other_quantity(text, field.dimension)
        if not other:
            return
        message = f"{quoted(other)} names no {field.dimension}"
    elif not field.dimension:
        message = f"{quoted(unit)} is a unit, but {field.name} has none"
    else:
        message = f"{quoted(unit)} is not a unit of {field.dimension}"
    search.problems.append((place, f"in the heading, {message}; {remedy}"))


def unit_at_end(heading: str) -> str:
    """Return the last word of a heading if it can only be a unit, else an empty text.

    Examples
    --------
    >>> unit_at_end("package_energy_j"), unit_at_end("PackageEnergyKWh"), unit_at_end("time_total")
    ('j', 'KWh', '')
    >>> unit_at_end("NumCPUs"), unit_at_end("TimeUs")
    ('', 'Us')
    """
    heading = _ACRONYMS.sub("", heading)
    ends = [re.split(r"[\s_/.-]+", heading.strip())[-1], *_spelt(_WORD.findall(heading))[-1:]]
    return next((each for each in ends if named_unit(each)), "")


def _refuse_unreadable(search: _Search, headings: Sequence[Cell]) -> None:
    for place in search.places.values():
        cell = headings[place]
        if isinstance(cell, Unreadable):
            search.problems.append((place, cell.message))

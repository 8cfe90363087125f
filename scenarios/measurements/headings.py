"""Which column of a table of measurements holds what, by its heading or by the user's word."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from scenarios.tables.cell_text import CellError, one_line, quoted
from scenarios.tables.cells import Cell, Unreadable
from scenarios.tables.headings import heading_text, split_unit
from scenarios.tables.units import factor
from scenarios.wording import nearest

DIMENSIONS = {
    "application": "",
    "nodes": "",
    "cores_per_node": "",
    "package_cap_w": "power",
    "repetition": "",
    "time_s": "run time",
    "package_power_w": "power",
    "dram_power_w": "power",
}
"""The columns that are read, and what they measure."""

REQUIRED = ("nodes", "cores_per_node", "package_cap_w", "time_s", "package_power_w")
OPTIONAL = ("application", "repetition", "dram_power_w")
_OUR_UNITS = {"power": "W", "run time": "s"}
_ALIASES: dict[str, tuple[str, str]] = {
    "application": (
        "app applicationname appname benchmark code program workload",
        "applicationid appid jobid job jobname name",
    ),
    "nodes": ("numnodes nnodes nodecount numberofnodes", "node n"),
    "cores_per_node": ("corespernode coresnode ppn", "cores core c"),
    "package_cap_w": (
        (
            "packagecap pkgcap cappackage cappkg packagepowercap pkgpowercap packagepowerlimit "
            "socketcap raplcap"
        ),
        "powercap cap",
    ),
    "repetition": ("rep repeat repetitions trial iteration", "run runnumber runno"),
    "time_s": (
        (
            "runtime exectime executiontime elapsed elapsedtime wallclock wallclocktime walltime "
            "duration timetosolution wall"
        ),
        "time t seconds",
    ),
    "package_power_w": (
        (
            "packagepower pkgpower totpkg totalpkg totpackage totalpackage totpkgpower "
            "totalpkgpower totalpackagepower packagepowertotal pkgpowertotal"
        ),
        "",
    ),
    "dram_power_w": (
        "drampower memorypower mempower totdram totaldram totdrampower totaldrampower",
        "dram",
    ),
}
"""Other names: those that say it, and those that give way to them. Blanks and signs left out."""

MOST_OTHERS = 40
"""Columns that Headroom does not know and looks at all the same; see measurement_settings.py."""

_ALIKE = 0.8  # as in tables.py: headings so alike are one, misspelt
_SHORTEST_ALIKE = 4
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[A-Z]?[a-z\u00b5\u03bc]+|[A-Z]+(?![a-z])|[0-9]+")


@dataclass(frozen=True)
class Layout:
    """Where the columns stand.

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
    """

    places: Mapping[str, int]
    units: Mapping[str, str]
    problems: Sequence[tuple[int | None, str]] = ()
    remarks: Sequence[str] = ()
    others: Mapping[str, int] = field(default_factory=dict)


@dataclass
class _Search:
    texts: list[str]
    places: dict[str, int] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    problems: list[tuple[int | None, str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def lay_out(
    headings: Sequence[Cell],
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
) -> Layout:
    """Find the columns by the user's mapping, else by their names.

    Parameters
    ----------
    headings
        The row of headings.
    columns
        Heading by what the column holds; goes before all names that are known here.
    units
        Unit by what the column holds.
    """
    search = _Search([heading_text(cell) for cell in headings])
    _check_keys(search, "--column", columns or {})
    _check_keys(search, "units", units or {})
    for target, wanted in (columns or {}).items():
        if target in DIMENSIONS:
            _find_wanted(search, target, wanted)
    named = {target: target for target in DIMENSIONS if target not in (columns or {})}
    for target in named:
        _find_named(search, target)
    for target in named:
        if target not in search.places:
            _ask_for(search, target)
    for target, place in search.places.items():
        _find_unit(search, target, place, (units or {}).get(target, ""))
    _refuse_unreadable(search, headings)
    return Layout(
        search.places,
        search.units,
        tuple(search.problems),
        tuple(search.remarks),
        _others(search),
    )


def _others(search: _Search) -> dict[str, int]:
    taken = set(search.places.values())
    found: dict[str, int] = {}
    for place, text in enumerate(search.texts):
        if text and place not in taken and len(found) < MOST_OTHERS:
            found.setdefault(text, place)
    return found


def known_headings(headings: Sequence[Cell], columns: Mapping[str, str] | None = None) -> int:
    """How many of the headings are known."""
    texts = [text for cell in headings if _LETTER.search(text := heading_text(cell))]
    wanted = {_key(each) for each in (columns or {}).values()}
    dimensions = {t for t in DIMENSIONS for text in texts if _rank(text, t) is not None}
    return len(dimensions) + sum(_key(text) in wanted for text in texts)


def headings_row(rows: Sequence[Sequence[Cell]], columns: Mapping[str, str] | None = None) -> int:
    """Index of the row with most known headings; of several the one with most texts.

    A title above headings that are all unknown has fewer of them.
    """

    def rank(index: int) -> tuple[int, int]:
        texts = sum(bool(_LETTER.search(heading_text(cell))) for cell in rows[index])
        return known_headings(rows[index], columns), texts

    return max(range(len(rows)), key=rank)


def _check_keys(search: _Search, name: str, mapping: Mapping[str, str]) -> None:
    for key in mapping:
        if key not in DIMENSIONS:
            message = f"{name}: no column is called {quoted(key)}; {nearest(key, [*DIMENSIONS])}"
            search.problems.append((None, message))


def _find_wanted(search: _Search, target: str, wanted: str) -> None:
    """Find a heading that the user named: as it stands, or else without the unit in brackets."""
    key = _key(wanted)
    if not key:
        search.problems.append((None, f"--column {target}= names no heading; name one"))
        return
    hits = [place for place, text in enumerate(search.texts) if _key(text) == key]
    hits = hits or [p for p, text in enumerate(search.texts) if _key(split_unit(text)[0]) == key]
    taken = [other for other, place in search.places.items() if hits[:1] == [place]]
    if not hits:
        remedy = nearest(wanted, [text for text in search.texts if text])
        search.problems.append((None, f"no heading {quoted(wanted)} for {target}; {remedy}"))
    elif len(hits) > 1:
        message = f"{quoted(wanted)} is the heading of {len(hits)} columns; rename one of them"
        search.problems.append((hits[1], message))
    elif taken:
        message = f"is to hold both {taken[0]} and {target}; correct --column"
        search.problems.append((hits[0], message))
    else:
        search.places[target] = hits[0]


def _find_named(search: _Search, target: str) -> None:
    taken = set(search.places.values())
    ranks = {
        place: rank
        for place, text in enumerate(search.texts)
        if place not in taken and text and (rank := _rank(text, target)) is not None
    }
    if not ranks:
        return
    best = min(ranks.values())
    first, *others = [place for place, rank in ranks.items() if rank == best]
    if others:
        message = (
            f"{quoted(search.texts[first])} and {quoted(search.texts[others[0]])} both read as "
            f"{target}; rename one of them, or say which: --column {target}=HEADING"
        )
        search.problems.append((others[0], message))
    for place, rank in ranks.items():
        if rank > best and target != "application":
            names = quoted(search.texts[first]), quoted(search.texts[place])
            search.remarks.append(f"{target} is column {names[0]}; {names[1]} is not read")
    search.places[target] = first


@lru_cache(4096)
def _rank(text: str, target: str) -> int | None:
    """How surely a heading is that of the target: 0 its own name; ``None`` it is another's."""
    strong, weak = _ALIASES[target]
    if "".join(_words(text)) == target.replace("_", ""):
        return 0
    names = {"".join(_words(bare)) for bare, _ in _readings(text, DIMENSIONS[target])}
    if names & {target.replace("_", ""), *strong.split()}:
        return 1
    return 2 if names & set(weak.split()) else None


def _readings(text: str, dimension: str) -> list[tuple[str, str]]:
    """A heading as it stands, and without the unit at its end: (name, unit)."""
    bare, bracket = split_unit(text)
    readings = [(bare, bracket)]
    words = _words(bare)
    if dimension and not bracket and len(words) > 1:
        try:
            factor(words[-1], dimension, "")
        except CellError:
            return readings
        name = words[:-2] if words[-2] == "in" else words[:-1]
        readings.append(("_".join(name), words[-1]))
    return readings


def words_of(heading: str) -> list[str]:
    """Its words in small letters, as in ``gpu``, ``cap``, ``w`` of ``GpuCap_W``."""
    return _words(heading)


def known_by(heading: str, known: Mapping[str, int] | Mapping[str, Sequence[Cell]]) -> str | None:
    """The heading among those known that is the same but for capitals and blanks."""
    return next((each for each in known if _key(each) == _key(heading)), None)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _key(text: str) -> str:
    return one_line(text).casefold()


def _ask_for(search: _Search, target: str) -> None:
    """Ask about a column that is nearly named right; or say that one is missing."""
    taken = set(search.places.values())
    free = {p: text for p, text in enumerate(search.texts) if text and p not in taken}
    spellings = [target.replace("_", ""), *_ALIASES[target][0].split()]
    spellings += [each for each in _ALIASES[target][1].split() if len(each) >= _SHORTEST_ALIKE]
    for place, text in free.items():
        names = ["".join(_words(bare)) for bare, _ in _readings(text, DIMENSIONS[target])]
        if any(difflib.get_close_matches(name, spellings, n=1, cutoff=_ALIKE) for name in names):
            message = f"column {quoted(text)} is not known; is it {target!r}? rename it, or say so"
            search.problems.append((place, f"{message}: --column {target}=HEADING"))
            return
    if target in REQUIRED:
        listed = ", ".join(quoted(text) for text in list(search.texts)[:20] if text) or "none"
        message = f"no column {target!r}; there is {listed}; add it, or say which it is: "
        message += f"--column {target}=HEADING"
        search.problems.append((None, message))


def _find_unit(search: _Search, target: str, place: int, wanted: str) -> None:
    """Take the unit of the heading, and the user's; they must agree."""
    dimension = DIMENSIONS[target]
    stated = next((unit for _, unit in _readings(search.texts[place], dimension) if unit), "")
    if not dimension:
        if wanted:
            search.problems.append((place, f"{target} has no unit; delete it from units"))
        return
    given = {"units": wanted, "the heading": stated}
    factors = set()
    for source, unit in given.items():
        if not unit:
            continue
        try:
            factors.add(factor(unit, dimension, ""))
        except CellError as error:
            remedy = "" if source == "units" else f"; or rename {quoted(search.texts[place])}"
            search.problems.append((place, f"in {source}, {error}{remedy}"))
            return
    if len(factors) > 1:
        message = f"units says {quoted(wanted)}, the heading {quoted(stated)}; correct one of them"
        search.problems.append((place, message))
    search.units[target] = wanted or stated or _OUR_UNITS[dimension]


def _refuse_unreadable(search: _Search, headings: Sequence[Cell]) -> None:
    for place in search.places.values():
        cell = headings[place]
        if isinstance(cell, Unreadable):
            search.problems.append((place, cell.message))

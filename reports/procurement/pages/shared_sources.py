"""Sources without repetition: what several inputs share is said once, with the inputs' names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from planner.formatting import words

_SHARED = 3
"""Inputs from which a statement is listed once for all of them."""
_NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
_PREFIX = re.compile(r"([Aa]ssumed): ")


@dataclass(frozen=True)
class Stated:
    """The source of an input as stated, and its group, such as "quotes"."""

    name: str
    source: str
    group: str


@dataclass(frozen=True)
class Shared:
    """A statement of several inputs.

    Attributes
    ----------
    words
        The statement, with the numbers of the first input.
    inputs
        Names of the inputs, with the numbers that differ in brackets.
    numbered
        Whether numbers differ.
    """

    words: str
    inputs: tuple[str, ...]
    numbered: bool


def clauses(source: str) -> list[str]:
    """Split a source at semicolons and ends of sentences outside of brackets.

    "Assumed:" at the start of a sentence holds for each of its clauses.

    Examples
    --------
    >>> clauses("price: list (2 x 3; net). Assumed: caps; 64 nodes per rack")
    ['price: list (2 x 3; net)', 'Assumed: caps', 'assumed: 64 nodes per rack']
    """
    result: list[str] = []
    prefix, begins = "", True
    for clause, ends in _pieces(source):
        if begins:
            prefix = "assumed: " if _PREFIX.match(clause) else ""
        result.append(clause if begins or not prefix else prefix + clause)
        begins = ends
    return result


def _pieces(source: str) -> Iterator[tuple[str, bool]]:
    """Each clause, and whether its sentence ends with it."""
    depth, start = 0, 0
    for index, letter in enumerate(source):
        depth = max(0, depth + (letter in "([") - (letter in ")]"))
        sentence = letter == "." and re.match(r" [A-Z]", source[index + 1 :])
        if depth == 0 and (sentence or source.startswith("; ", index)):
            yield source[start:index].strip(), bool(sentence)
            start = index + 1
    if source[start:].strip():
        yield source[start:].strip(), True


def factored(
    stated: Sequence[Stated], cut: Collection[str] = ()
) -> tuple[list[Shared], list[tuple[str, str]]]:
    """Return what at least three inputs share, and a row for each other clause.

    Clauses are equal up to their numbers. Neighbours that the same inputs share stay together.

    Parameters
    ----------
    cut
        Groups of which only some inputs are stated here.
    """
    split = [clauses(source.source) for source in stated]
    forms = [[_NUMBER.sub("#", clause) for clause in each] for each in split]
    count = Counter(form for each in forms for form in dict.fromkeys(each))
    common = {form for form, number in count.items() if number >= _SHARED}
    owners = {form: tuple(i for i, each in enumerate(forms) if form in each) for form in common}
    shared = [
        _shared(stated, owners[run[0]],
                [_of(split[i], forms[i], run) for i in owners[run[0]]], cut)
        for run in _runs(forms, owners)
    ]  # fmt: skip
    rows: list[tuple[str, str]] = []
    for source, each, kinds in zip(stated, split, forms, strict=True):
        own = [clause for clause, form in zip(each, kinds, strict=True) if form not in common]
        rows += [(source.name if i == 0 else "", line) for i, line in enumerate(_lines(own))]
    return shared, rows


def _lines(clauses_: Sequence[str]) -> list[str]:
    """Clauses in lines: neighbours share one as long as it stays short."""
    lines: list[str] = []
    for clause in clauses_:
        if lines and len(lines[-1]) + len(clause) < _LINE:
            lines[-1] += f"; {clause}"
        else:
            lines.append(clause)
    return lines


_LINE = 115
"""Letters of a line."""


def _runs(forms: list[list[str]], owners: dict[str, tuple[int, ...]]) -> list[list[str]]:
    """Common clauses in their order; those that follow each other in the same inputs together."""
    runs: list[list[str]] = []
    seen: set[str] = set()
    for each in forms:
        previous: str | None = None
        for form in each:
            if form not in owners:
                previous = None
                continue
            if form in seen:
                previous = None
                continue
            seen.add(form)
            if previous is not None and owners[previous] == owners[form] and runs:
                runs[-1].append(form)
            else:
                runs.append([form])
            previous = form
    return runs


def _of(split: list[str], forms: list[str], run: list[str]) -> str:
    """The clauses of a run in one text; what its first clause begins with is not repeated."""
    first, *others = [split[forms.index(form)] for form in run]
    if _PREFIX.match(first):
        others = [_PREFIX.sub("", other, 1) for other in others]
    return "; ".join([first, *others])


def _named(
    stated: Sequence[Stated], owners: Sequence[int], cut: Collection[str]
) -> tuple[str, ...]:
    """The names of inputs, or one name for all inputs of a group."""
    names = []
    for group in dict.fromkeys(source.group for source in stated):
        all_of_it = [i for i, source in enumerate(stated) if source.group == group]
        mine = [i for i in all_of_it if i in owners]
        others = [stated[i].name for i in all_of_it if i not in owners]
        every = f"all {len(all_of_it)} {group}{' shown' if group in cut else ''}"
        if not others:
            names.append(every)
        elif len(others) <= len(all_of_it) / 4:
            names.append(f"{every} but {words(others)}")
        else:
            names += [stated[i].name for i in mine]
    return tuple(names)


def _shared(
    stated: Sequence[Stated], owners: Sequence[int], texts: list[str], cut: Collection[str]
) -> Shared:
    """One statement, with the numbers of its first input; numbers that differ follow the names."""
    numbers = zip(*(_NUMBER.findall(text) for text in texts), strict=True)
    differ = [column for column in dict.fromkeys(numbers) if len(set(column)) > 1]
    if not differ:
        return Shared(texts[0], _named(stated, owners, cut), numbered=False)
    names = (stated[i].name for i in owners)
    values = zip(*differ, strict=True)
    inputs = (f"{name} ({', '.join(own)})" for name, own in zip(names, values, strict=True))
    return Shared(texts[0], tuple(inputs), numbered=True)

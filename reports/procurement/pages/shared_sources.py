"""Sources without repetition: what several inputs share is said once, with the inputs' names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planner.formatting import words

_SHARED = 3
"""Inputs from which a statement is listed once for all of them."""
SCENARIO = "the scenario"
"""Where inputs that are in no file of their own were read."""
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
_PREFIX = re.compile(r"([Aa]ssumed): ")


@dataclass(frozen=True)
class Stated:
    """The source of an input as stated, where it was read, and its group, such as "quotes"."""

    name: str
    read_from: str
    source: str
    group: str

    @property
    def place(self) -> str:
        """Where in a file it was read; empty where it is the scenario's own."""
        return "" if self.read_from == SCENARIO else self.read_from

    @property
    def with_place(self) -> str:
        """The name, and where it was read."""
        return f"{self.name} ({self.place})" if self.place else self.name


@dataclass(frozen=True)
class Shared:
    """A statement of several inputs.

    Attributes
    ----------
    words
        The statement; ``[a]``, ``[b]`` stand for numbers that differ.
    inputs
        Names of the inputs, with their numbers in brackets.
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
    stated: Sequence[Stated],
) -> tuple[list[Shared], list[tuple[str, str]]]:
    """Return what at least three inputs share, and a row for each other clause.

    Clauses are equal up to their numbers. Neighbours that the same inputs share stay together.
    """
    split = [clauses(source.source) for source in stated]
    forms = [[_NUMBER.sub("#", clause) for clause in each] for each in split]
    count = Counter(form for each in forms for form in dict.fromkeys(each))
    common = {form for form, number in count.items() if number >= _SHARED}
    owners = {form: tuple(i for i, each in enumerate(forms) if form in each) for form in common}
    shared = [
        _shared(stated, owners[run[0]],
                [_of(split[i], forms[i], run) for i in owners[run[0]]])
        for run in _runs(forms, owners)
    ]  # fmt: skip
    rows: list[tuple[str, str]] = []
    for source, each, kinds in zip(stated, split, forms, strict=True):
        own = [clause for clause, form in zip(each, kinds, strict=True) if form not in common]
        lines = _lines(own)
        heads = _heads(source, len(lines))
        rows += list(zip(heads, lines, strict=True))
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


def _heads(source: Stated, lines: int) -> list[str]:
    """What is left of the lines of an input: its name, and below it where it was read."""
    if lines == 1:
        return [source.with_place]
    return [source.name, source.place, *([""] * (lines - 2))][:lines]


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


def _named(stated: Sequence[Stated], owners: Sequence[int]) -> tuple[str, ...]:
    """The names of inputs, or one name for all inputs of a group."""
    names = []
    for group in dict.fromkeys(source.group for source in stated):
        all_of_it = [i for i, source in enumerate(stated) if source.group == group]
        mine = [i for i in all_of_it if i in owners]
        others = [stated[i].name for i in all_of_it if i not in owners]
        if not others:
            names.append(f"all {len(mine)} {group}")
        elif len(others) <= len(all_of_it) / 4:
            names.append(f"all {len(all_of_it)} {group} but {words(others)}")
        else:
            names += [stated[i].name for i in mine]
    return tuple(names)


def _shared(stated: Sequence[Stated], owners: Sequence[int], texts: list[str]) -> Shared:
    """One statement: numbers that differ become letters, and follow the names."""
    names = [stated[i].name for i in owners]
    numbers = [_NUMBER.findall(text) for text in texts]
    differ = [len(set(column)) > 1 for column in zip(*numbers, strict=True)]
    columns = list(zip(*numbers, strict=True))
    letters: dict[tuple[str, ...], str] = {}
    marks: list[str] = []
    for column, varies in zip(columns, differ, strict=True):
        if varies:
            letter = letters.setdefault(column, f"[{chr(ord('a') + len(letters))}]")
            marks.append(letter)
        else:
            marks.append(column[0])
    fill = iter(marks)
    statement = _NUMBER.sub(lambda _found: next(fill), texts[0])
    if not letters:
        return Shared(statement, _named(stated, owners), numbered=False)
    values = zip(*letters, strict=True)
    inputs = (f"{name} ({', '.join(own)})" for name, own in zip(names, values, strict=True))
    return Shared(statement, tuple(inputs), numbered=True)

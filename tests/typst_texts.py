"""Texts in Typst templates that a reader of a report sees: string literals, and markup.

Only as much of Typst is understood as the templates use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_STATEMENT = re.compile(r"(?:let|set|show|import|include)\b")
_BRANCH = re.compile(r"(?:if|for|while)\b")
_NAME = re.compile(r"[a-zA-Z][\w.-]*\w|[a-zA-Z]")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_JOINED = re.compile(r"\s*\+\s*(?=\")")
_CLOSING = {"(": ")", "{": "}"}


@dataclass(frozen=True)
class Found:
    """A text, the line where it begins, and whether it reads a formula aloud."""

    line: int
    words: str
    formula: bool = False


def typst_texts(source: str) -> list[Found]:
    """Return paragraphs, headings and string literals in the order of their lines.

    Examples
    --------
    >>> [found.words for found in typst_texts('= Head\\n#f("a " + "b", 1)[In _a_ box] $x$ text')]
    ['Head', 'a b', 'In a box', 'X FORMULA text']
    >>> typst_texts('#equation("x is y")[$ x = y $]')[0].formula
    True
    """
    scanner = _Scanner(source)
    scanner.markup(nested=False)
    return sorted(scanner.found, key=lambda found: found.line)


class _Scanner:
    """Reads a template once; ``position`` is the next character."""

    def __init__(self, source: str) -> None:
        self.source = re.sub(r"(?m)(?<![:\"])//[^\n]*", "", source)
        self.position = 0
        self.found: list[Found] = []

    def markup(self, *, nested: bool) -> None:
        """Read content up to its closing bracket; without ``nested`` up to the end."""
        parts: list[tuple[int, str]] = []
        depth = 0
        while self.position < len(self.source):
            begin, sign = self.position, self.source[self.position]
            self.position += 1
            depth += (sign == "[") - (sign == "]")
            if nested and depth < 0:
                break
            if sign == "#":
                sign = "X" if self._expression() else ""
            elif sign == "$":
                self._skip_formula()
                sign = "FORMULA"
            elif sign == "\\":
                sign = self.source[self.position]
                self.position += 1
            parts.append((begin, sign))
        self._add_paragraphs(parts)

    def _expression(self) -> bool:
        """Read code behind a number sign; return whether it shows something within the text."""
        if _STATEMENT.match(self.source, self.position):
            self._code(stops="\n")
            return False
        if _BRANCH.match(self.source, self.position):
            self._branches()
            return False
        name = _NAME.match(self.source, self.position)
        if name:
            self.position = name.end()
        while self.position < len(self.source) and self.source[self.position] in "([{":
            self._group()
        return True

    def _branches(self) -> None:
        self._code(stops="[{")
        self._group()
        otherwise = re.compile(r"\s*else\b").match(self.source, self.position)
        if otherwise:
            self.position = otherwise.end()
            self._branches()

    def _group(self) -> None:
        """Read arguments, a block of code, or content."""
        opening = self.source[self.position]
        self.position += 1
        if opening == "[":
            self.markup(nested=True)
            return
        self._code(stops=_CLOSING[opening])
        self.position += 1

    def _code(self, stops: str) -> None:
        """Read code up to one of these characters, which is left."""
        while self.position < len(self.source) and self.source[self.position] not in stops:
            sign = self.source[self.position]
            if sign == '"':
                self._string()
            elif sign in "([{":
                self._group()
            elif sign == "$":
                self.position += 1
                self._skip_formula()
            else:
                self.position += 1

    def _string(self) -> None:
        """Read a literal, and those that are added to it."""
        begin, words = self.position, ""
        while literal := _STRING.match(self.source, self.position):
            words += literal[1]
            self.position = literal.end()
            if joined := _JOINED.match(self.source, self.position):
                self.position = joined.end()
        formula = re.search(r"(?:equation\(|alt: )$", self.source[:begin]) is not None
        self.found.append(Found(self._line(begin), words, formula))

    def _skip_formula(self) -> None:
        self.position = self.source.index("$", self.position) + 1

    def _line(self, position: int) -> int:
        return self.source.count("\n", 0, position) + 1

    def _add_paragraphs(self, parts: list[tuple[int, str]]) -> None:
        whole = "".join(text for _, text in parts)
        starts = [position for position, text in parts for _ in text]
        for begin, words in _paragraphs(whole):
            self.found.append(Found(self._line(starts[begin]), words))


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Each paragraph, heading and item without its marks, and where it begins."""
    pattern = r"(?:\A|\n)\s*=+ [^\n]*|(?:(?!\n\s*\n|\n\s*(?:=+|-) ).)+"
    for piece in re.finditer(pattern, text, re.DOTALL):
        words = re.sub(r"^\s*(?:=+|-) ", "", piece[0])
        words = " ".join(re.sub(r"(?<!\w)[_*]|[_*](?!\w)", "", words).split())
        if words.replace("X", "").strip():
            yield piece.start() + len(piece[0]) - len(piece[0].lstrip()), words

"""The rules of plain language, applied to every text that a person reads.

``python -m tests.words [PATH ...]`` prints each text that breaks a rule, and the number of breaches
of each rule; without paths it reads everything. ``tests/test_words.py`` keeps the number at zero.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.typst_texts import typst_texts

ROOT = Path(__file__).parents[1]
MOST_WORDS = 25
"""In a sentence."""
MOST_WORDS_OF_A_HEADLINE = 20
"""In a headline or a line of help."""
MOST_SECONDS = 7200
"""Longer times are given in hours."""

_AFTER_NO = (
    "longer|more|less|fewer|better|worse|larger|smaller|faster|slower|later|earlier|shorter|greater"
)


@dataclass(frozen=True)
class Rule:
    """An idiom that is not plain English in this field.

    Attributes
    ----------
    name
        The idiom.
    pattern
        What finds it.
    instead
        What to write.
    """

    name: str
    pattern: re.Pattern[str]
    instead: str


def _rule(name: str, pattern: str, instead: str) -> Rule:
    return Rule(name, re.compile(pattern, re.IGNORECASE), instead)


IDIOMS = (
    _rule("beside", r"(?<!-)\bbeside\b(?!=)", "compared with, next to"),
    _rule("to be had", r"\bto be had\b", "available"),
    _rule("is no ...", rf"(?<!there )\b(is|are|was|were|be) no (?!({_AFTER_NO})\b)\w+",
          "is not a ..."),
    _rule("Of ... first", r"(?:^|[.!?:] )(?-i:Of) (?!course)", "start with the subject"),
    _rule("stands", r"\b(stands?|stood|standing)\b(?! for\b)", "is, is in, is listed"),
    _rule("told, said, asked", r"\b(told|asked(?! for)|asks whether)\b", "reported, requested"),
    _rule("whoever, whatever", r"\b(whoever|whatever|whichever)\b", "name who or what"),
    _rule("played", r"\bplay(s|ed|ing)?\b(?! a (role|part))", "simulated, run"),
    _rule("bid", r"\b(as bid|bids?|bidder)\b(?![_-])", "quote, as quoted"),
    _rule("so many", r"\bso (many|much)\b(?! (that|as))", "this many; name the number"),
    _rule("drawn", r"\b(drawn|draws?|drew)\b(?=.{0,25}\b(logs?|weeks?|users?|seeds?|jobs)\b)",
          "synthetic log; resampled weeks; sampled users"),
    _rule("seed group", r"\bseed[ -]group\b", "sampled users"),
    _rule("believed", r"\bbelieve[ds]?\b", "estimated, trusted"),
    _rule("sure, certainty", r"\b(sureness|certainty|caveats?|how sure|surely)\b",
          "confidence, certificate"),
    _rule("hungriest", r"\b(hungr\w+|thrift\w+|straggl\w+)", "highest power, slow run"),
    _rule("none can pass", r"\bnone can pass\b", "proven limit"),
    _rule("outlives", r"\boutlives?\b", "exceeds"),
    _rule("mandate", r"\bmandates?\b", "requirement"),
    _rule("fault", r"\b(faults?|troubles?)\b(?!-| toleran)", "error"),
    _rule("keeps everything", r"\bkeeps everything\b", "meets all requirements"),
    _rule("hangs on", r"\bhangs? on\b", "depends on"),
    _rule("that is to", r"\bis to (be|have|hold)\b", "must"),
    _rule("lets pass", r"\blets? (it |them )?pass\b", "accepts"),
    _rule("what none", r"\bwhat (no|none)\b", "name it"),
    _rule("at work", r"\bnodes at work\b", "nodes in use"),
    _rule("as much again", r"\b(half|twice) as much again\b", "give the factor"),
    _rule("by so much", r"\bby (so|as) much\b", "give the amount"),
)  # fmt: skip
"""What WORDS calls a private dialect."""


@dataclass(frozen=True)
class Text:
    """A text that a person reads: where it is, and its words.

    Attributes
    ----------
    path, line
        Where it begins.
    words
        The text.
    formula
        Whether it reads a formula aloud: then its sentences are as long as the formula.
    docstring
        Whether programmers read it: then only the idioms count.
    """

    path: Path
    line: int
    words: str
    formula: bool = False
    docstring: bool = False

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.words}"


def pages(paths: Iterable[Path]) -> Iterator[Text]:
    """Paragraphs, items and cells of tables of Markdown, without code and mathematics."""
    for path in paths:
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"```.*?```|<!--.*?-->|\$\$.*?\$\$", _blanked, text, flags=re.DOTALL)
        line = 1
        for part in re.split(r"(\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\.) ))", text):
            words = part.strip()
            if words and not re.fullmatch(r"[|\s:-]*", words):
                yield Text(
                    path, line + part[: len(part) - len(part.lstrip())].count("\n"), _plain(words)
                )
            line += part.count("\n")


def _blanked(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "", found[0])


def _plain(words: str) -> str:
    words = re.sub(r"``?[^`]*``?", "CODE", words)
    words = re.sub(r"\$[^$]*\$", "FORMULA", words)
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", words)
    words = re.sub(r"^\s*(?:[-*>]|\d+\.|#+)\s+", "", words)
    return " ".join(words.replace("**", "").split())


def modules(paths: Iterable[Path]) -> Iterator[Text]:
    """Texts of Python modules and their docstrings."""
    for path in paths:
        nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        yield from _strings(path, nodes)
        yield from _docstrings(path, nodes)


def _strings(path: Path, nodes: list[ast.AST]) -> Iterator[Text]:
    """Texts that are no docstrings; what is filled in becomes one word."""
    left_out: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            left_out.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            left_out.update(id(part) for part in node.values)
    for node in nodes:
        if id(node) in left_out:
            continue
        if isinstance(node, ast.JoinedStr):
            words = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value
        else:
            continue
        if " " in words.strip() and is_prose(words):
            yield Text(path, node.lineno, words)


def _docstrings(path: Path, nodes: list[ast.AST]) -> Iterator[Text]:
    """Prose of docstrings, without names of parameters and examples."""
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            text = node.value.value
            if isinstance(text, str) and " " in text.strip():
                yield Text(path, node.lineno, _prose(text), docstring=True)


def _prose(docstring: str) -> str:
    """Return a docstring without its examples, the names in its sections, and code."""
    text = re.sub(r"^ *>>>.*?(?=\n\s*\n|\Z)", "", docstring, flags=re.MULTILINE | re.DOTALL)
    lines = text.splitlines()
    names = [
        re.fullmatch(r" *[a-z_0-9.*]+(, [a-z_0-9.*]+)*", line) is not None
        and len(following) - len(following.lstrip()) > len(line) - len(line.lstrip())
        for line, following in zip(lines, [*lines[1:], ""], strict=True)
    ]
    return _plain("\n".join(line for line, name in zip(lines, names, strict=True) if not name))


def templates(paths: Iterable[Path]) -> Iterator[Text]:
    """Texts of Typst templates: literals and content."""
    for path in paths:
        for found in typst_texts(path.read_text(encoding="utf-8")):
            if " " in found.words.strip() and is_prose(found.words):
                yield Text(path, found.line, found.words, found.formula)


def catalogues(paths: Iterable[Path]) -> Iterator[Text]:
    """Every text of the catalogues in English; words of equations count as formulas."""
    for path in paths:
        section = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            section = line.strip("[] ") if re.fullmatch(r"\[[\w.]+\]", line) else section
            for words in re.findall(r'"([^"]+)"', line.partition(" = ")[2] or line):
                if " " in words and not line.startswith(("#", "[")):
                    shown = re.sub(r"\{\w+\}", "X", words)
                    yield Text(path, number, shown, section == "equations")


def is_prose(words: str) -> bool:
    """Whether a text is for people: code, queries and lists of codes are not.

    Examples
    --------
    >>> is_prose("give another file"), is_prose("SELECT a FROM b"), is_prose("import os\\nx = 1")
    (True, False, False)
    """
    if re.search(r"^(?:import|from) \w+|\bSELECT\b|\bCREATE\b|^\w+ = ", words, re.MULTILINE):
        return False
    tokens = words.split()
    plain = sum(bool(re.match(r"[a-z]", token)) for token in tokens)
    return len(tokens) < _FEW or 2 * plain >= len(tokens)


_FEW = 12
"""Words of a text that is short enough to be looked at in any case."""


def sentences(words: str) -> Iterator[str]:
    """Sentences of a text; a cell of a table and a line count as one each."""
    for line in re.split(r"\n| \| |;\s", words):
        yield from re.split(r"(?<=[.!?:])\s+(?=[A-Z\"'(\d*])", line)


def length(sentence: str) -> int:
    """Number of words of two letters or more: numbers and signs are no words."""
    return sum(bool(re.search(r"[^\W\d_]{2}", word)) for word in sentence.split())


def breaches(text: Text) -> Iterator[tuple[str, str]]:
    """Each rule that a text breaks, and what to write instead."""
    for rule in IDIOMS:
        if rule.pattern.search(text.words):
            yield rule.name, rule.instead
    if text.docstring:
        return
    longest = max((length(sentence) for sentence in sentences(text.words)), default=0)
    if longest > MOST_WORDS and not text.formula:
        yield "long sentence", f"{longest} words in a sentence; at most {MOST_WORDS}"
    for number in re.findall(r"(?<![\w.,])(\d[\d,]*(?:\.\d+)?) s(?:econds)?\b", text.words):
        if float(number.replace(",", "")) > MOST_SECONDS:
            yield "seconds", f"{number} s; give hours"
    for number in re.findall(r"(?<![\w.,/-])(\d{5,})(?![\w./-])", text.words):
        yield "thousands", f"{number}; write {int(number):,}"


def all_texts(paths: Iterable[Path] = ()) -> Iterator[Text]:
    """Texts of pages, modules, docstrings and templates below these paths; by default, all."""
    chosen = [path.resolve() for path in paths]
    files = sorted(
        path
        for folder in ("planner", "reports", "scenarios", "solvers", "docs/examples")
        for path in (ROOT / folder).rglob("*.py")
    )
    markdown = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    typst = sorted((ROOT / "reports" / "templates").glob("*.typ"))
    catalogued = sorted((ROOT / "reports" / "messages").glob("*.en.toml"))

    def selected(path: Path) -> bool:
        return not chosen or any(path.is_relative_to(each) for each in chosen)

    yield from pages(path for path in markdown if selected(path))
    yield from modules(path for path in files if selected(path))
    yield from templates(path for path in typst if selected(path))
    yield from catalogues(path for path in catalogued if selected(path))


def main() -> None:
    """Print every breach below the paths of the command line."""
    counts: Counter[str] = Counter()
    for text in all_texts(Path(path) for path in sys.argv[1:]):
        for name, instead in breaches(text):
            counts[name] += 1
            sys.stdout.write(f"{text}\n    {name}: {instead}\n")
    for name, count in counts.most_common():
        sys.stdout.write(f"{count:6} {name}\n")


if __name__ == "__main__":
    main()

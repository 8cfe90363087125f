"""Line numbers against lines that were counted while the text was written."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.positions import KeyPath, find_positions
from tests.sizes import few

# Each name in every spelling that TOML has for it.
SPELLINGS = {
    "bare": ["bare", '"bare"', "'bare'", '"b\\u0061re"', '"\\U00000062are"'],
    "two words": ['"two words"', "'two words'"],
    "a.b": ['"a.b"', "'a.b'"],
    "": ['""', "''"],
    "\u00fc\U0001f600": ['"\u00fc\U0001f600"', '"\\u00fc\\U0001f600"'],
    'quo"te': ['"quo\\"te"', "'quo\"te'"],
    "=#[": ['"=#["', "'=#['"],
    "1": ["1", '"1"'],
    "kind": ["kind"],
}
FLAT = ["1", "-0.5", "true", "'x # y'", '"[a]"', "1979-05-27T07:32:00Z", "inf", "0xff"]
LONG = ['"""\na = 1\n[b]\n"""', "'''\n\n\"x\n'''", '"""a\\\n\n   b"""']
GAPS = ["", "\n", "# [a]\n", "\n# a = 1\n\n", "  # 'x\n", "\t\n"]


@dataclass
class Page:
    """A text that grows, and the lines of its keys."""

    text: str = ""
    lines: dict[KeyPath, int] = field(default_factory=dict)

    def note(self, path: KeyPath) -> None:
        self.lines.setdefault(path, self.text.count("\n") + 1)


class Writer:
    """Writes one random, valid document."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.page = Page()

    def pick(self, options: list[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def number(self, most: int) -> int:
        return int(self.draw(st.integers(0, most)))

    def names(self) -> list[str]:
        return list(self.draw(st.lists(st.sampled_from(list(SPELLINGS)), max_size=4, unique=True)))

    def spelt(self, name: str) -> str:
        return str(self.pick(SPELLINGS[name]))

    def write(self, text: str) -> None:
        self.page.text += text

    def value(self, path: KeyPath, depth: int, *, one_line: bool) -> None:
        kind = self.number(5) if depth < 3 else 0
        if kind == 4:
            self.inline_table(path, depth)
        elif kind == 5:
            self.array(path, depth, one_line=one_line)
        else:
            self.write(self.pick(FLAT if one_line or kind < 3 else LONG))

    def inline_table(self, path: KeyPath, depth: int) -> None:
        self.write("{ ")
        for index, name in enumerate(self.names()):
            self.write(", " if index else "")
            self.pair((*path, name), self.spelt(name), depth, one_line=True)
        self.write(" }")

    def array(self, path: KeyPath, depth: int, *, one_line: bool) -> None:
        gaps = ["", " "] if one_line else ["", " ", "\n", " # ]\n", "\n\n"]
        self.write("[")
        for index in range(self.number(3)):
            self.write(self.pick(gaps))
            self.page.note((*path, index))
            self.value((*path, index), depth + 1, one_line=one_line)
            self.write(self.pick(gaps) + ",")
        self.write(self.pick(gaps) + "]")

    def pair(self, path: KeyPath, spelt: str, depth: int, *, one_line: bool) -> None:
        self.page.note(path)
        self.write(f"{spelt} = ")
        self.value(path, depth + 1, one_line=one_line)

    def body(self, path: KeyPath) -> None:
        for name in self.names():
            self.write(self.pick(GAPS))
            if self.number(3) == 0:  # a dotted key makes tables on its way
                inner = self.pick(list(SPELLINGS))
                self.page.note((*path, name))
                dot = self.pick([".", " . ", "\t."])
                spelt = f"{self.spelt(name)}{dot}{self.spelt(inner)}"
                self.pair((*path, name, inner), spelt, 0, one_line=False)
            else:
                self.pair((*path, name), self.spelt(name), 0, one_line=False)
            self.write(self.pick(["\n", " # note\n", "\r\n"]))

    def document(self) -> Page:
        self.body(())
        for number in range(self.number(4)):
            self.write(self.pick(GAPS))
            name = f"group{number}"
            if self.number(1):
                inner = ["inner"][: self.number(1)]
                for path in ((name,), (name, *inner)):
                    self.page.note(path)
                header = " . ".join([self.pick([name, f"'{name}'"]), *inner])
                self.write(self.pick([f"[{header}]\n", f" [ {header} ] # a\n"]))
                self.body((name, *inner))
            else:
                self.array_of_tables(name)
        return self.page

    def array_of_tables(self, name: str) -> None:
        for index in range(1 + self.number(2)):
            self.page.note((name,))
            self.page.note((name, index))
            self.write(f"[[{name}]] # entry\n")
            self.body((name, index))
            self.write(self.pick(GAPS))
            if self.number(1):
                self.page.note((name, index, "below"))
                self.write(f"[{name}.below]\n")
                self.body((name, index, "below"))
            for inner in range(self.number(2)):
                self.page.note((name, index, "inner"))
                self.page.note((name, index, "inner", inner))
                self.write(f'[["{name}".inner]]\n')
                self.body((name, index, "inner", inner))


@st.composite
def documents(draw: Any) -> Page:
    return Writer(draw).document()


def paths(value: Any, above: KeyPath = ()) -> set[KeyPath]:
    """Every path in parsed data."""
    entries: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        entries = list(value.items())
    elif isinstance(value, list):
        entries = list(enumerate(value))
    inner = {path for key, item in entries for path in paths(item, (*above, key))}
    return inner | {(*above, key) for key, _ in entries}


@settings(deadline=None, max_examples=few(100, 25))
@given(documents())
def test_every_key_has_the_line_on_which_it_was_written(page: Page) -> None:
    assert paths(tomllib.loads(page.text)) == set(page.lines)
    assert find_positions(page.text).lines == page.lines


def test_lines_of_a_document_counted_by_hand() -> None:
    text = """\
# 1
a = 1
b.c = '''
'''
[[d]]
e = [
  1, { f = 2 },

  3]
[d.g]
[[d]]
[h.i]
j = 1
"""
    assert find_positions(text).lines == {
        ("a",): 2,
        ("b",): 3,
        ("b", "c"): 3,
        ("d",): 5,
        ("d", 0): 5,
        ("d", 0, "e"): 6,
        ("d", 0, "e", 0): 7,
        ("d", 0, "e", 1): 7,
        ("d", 0, "e", 1, "f"): 7,
        ("d", 0, "e", 2): 9,
        ("d", 0, "g"): 10,
        ("d", 1): 11,
        ("h",): 12,
        ("h", "i"): 12,
        ("h", "i", "j"): 13,
    }


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("a", "b"), 2),
        (("a", "b", "missing", 3), 2),
        (("a", "other"), 1),
        (("missing",), 1),
        ((), 1),
    ],
)
def test_a_missing_key_has_the_line_of_what_should_hold_it(path: KeyPath, line: int) -> None:
    assert find_positions("[a]\nb = { c = 1 }\n").line(path) == line

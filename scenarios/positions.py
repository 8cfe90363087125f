"""Line numbers of the keys of a TOML text that tomllib has already accepted."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field

from tree_sitter import Language, Node, Parser

KeyPath = tuple[str | int, ...]


@dataclass
class Positions:
    """Lines of key paths, counted from 1; ``otherwise`` is that of a path that is not known."""

    lines: dict[KeyPath, int] = field(default_factory=dict)
    otherwise: int = 1

    def line(self, path: KeyPath) -> int:
        """Line of the path, or of the longest known path above it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.lines:
                return self.lines[path[:length]]
        return self.otherwise


NO_LINES = Positions(otherwise=0)
"""Positions of values that come from no text."""


def find_positions(text: str) -> Positions:
    """Return the line of each key of a valid TOML text."""
    import tree_sitter_toml

    root = Parser(Language(tree_sitter_toml.language())).parse(text.encode()).root_node
    walk = _Walk()
    for child in root.children:
        walk.statement(child)
    return Positions(walk.lines)


@dataclass
class _Walk:
    lines: dict[KeyPath, int] = field(default_factory=dict)
    lengths: dict[KeyPath, int] = field(default_factory=dict)  # entries so far of arrays of tables

    def statement(self, node: Node) -> None:
        if node.type == "pair":
            self.pair(node, ())
        elif node.type in ("table", "table_array_element"):
            keys = next((c for c in node.children if c.type in _KEYS), None)
            if keys is None:
                return
            path = self.resolve(_names(keys), node)
            if node.type == "table_array_element":
                index = self.lengths.get(path, 0)
                self.lengths[path] = index + 1
                self.note(path, node)
                path = (*path, index)
            self.note(path, node)
            for child in node.children:
                if child.type == "pair":
                    self.pair(child, path)

    def resolve(self, names: list[str], node: Node) -> KeyPath:
        """Resolve the path of a header: a name that is an array of tables means its last entry."""
        path: KeyPath = ()
        for name in names[:-1]:
            path = (*path, name)
            self.note(path, node)
            if path in self.lengths:
                path = (*path, self.lengths[path] - 1)
        return (*path, names[-1])

    def pair(self, node: Node, above: KeyPath) -> None:
        parts = [child for child in node.children if child.is_named]
        if len(parts) < 2 or parts[0].type not in _KEYS:
            return
        path: KeyPath = above
        for name in _names(parts[0]):
            path = (*path, name)
            self.note(path, node)
        self.value(parts[1], path)

    def value(self, node: Node, path: KeyPath) -> None:
        if node.type == "inline_table":
            for child in node.children:
                if child.type == "pair":
                    self.pair(child, path)
        elif node.type == "array":
            values = (c for c in node.children if c.is_named and c.type != "comment")
            for index, child in enumerate(values):
                self.note((*path, index), child)
                self.value(child, (*path, index))

    def note(self, path: KeyPath, node: Node) -> None:
        self.lines.setdefault(path, node.start_point[0] + 1)


_KEYS = ("bare_key", "quoted_key", "dotted_key")


def _names(node: Node) -> list[str]:
    if node.type == "dotted_key":
        return [name for child in node.children if child.is_named for name in _names(child)]
    text = (node.text or b"").decode()
    return [*tomllib.loads(f"{text} = 0")] if node.type == "quoted_key" else [text]

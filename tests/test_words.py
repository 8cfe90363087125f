"""Texts that people read say "compared with" and "available", and what an option is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from planner.cli.main import main

ROOT = Path(__file__).parents[1]
SOURCES = sorted(
    path
    for folder in ("planner", "reports", "scenarios", "solvers", "docs/examples")
    for path in (ROOT / folder).rglob("*.py")
)
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
IDIOMS = {
    "beside": re.compile(r"(?<!-)\bbeside\b(?!=)", re.IGNORECASE),
    "to be had": re.compile(r"\bto be had\b", re.IGNORECASE),
}
"""For "compared with", "next to" or "together with"; and for "available"."""


@pytest.mark.parametrize("idiom", IDIOMS)
def test_no_text_in_the_sources_has_an_idiom(idiom: str) -> None:
    results = [
        f"{path.relative_to(ROOT)}:{text.lineno}: {text.value!r}"
        for path in SOURCES
        if IDIOMS[idiom].search(source := path.read_text(encoding="utf-8"))
        for text in texts(ast.parse(source))
        if IDIOMS[idiom].search(str(text.value))
    ]
    assert results == []


@pytest.mark.parametrize("idiom", IDIOMS)
def test_no_page_of_the_documentation_has_an_idiom(idiom: str) -> None:
    results = [
        f"{path.relative_to(ROOT)}:{number}: {line}"
        for path in PAGES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if IDIOMS[idiom].search(line)
    ]
    assert results == []


def test_the_help_of_an_option_says_what_it_is() -> None:
    assert [
        f"{name} {option.opts[0]}: {option.help}"
        for name, command in commands(main)
        for option in command.params
        if isinstance(option, click.Option) and (option.help or "").startswith("Of ")
    ] == []


def commands(group: click.Group) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        result = group.get_command(context, name)
        assert result is not None
        yield name, result


def texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """Every text but docstrings."""
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef)
    facts = {
        id(line.value)
        for node in ast.walk(tree)
        if isinstance(node, holders)
        for line in node.body
        if isinstance(line, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in facts:
            yield node

"""Where compiled functions are named outside compiled code: only there does Python call them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("planner", "reports", "scenarios", "solvers")
UNCOUNTED = {"compiled", "compiled_entry", "inlined"}
COUNTED = {"counted", "counted_entry"}


@cache
def kernels() -> dict[tuple[str, str], str]:
    """The decorator of every compiled function, by its module and name."""
    return {
        (_module(path), each.name): found
        for path in _files(*PACKAGES, "benchmarks")
        if not (UNCOUNTED | COUNTED).isdisjoint(_words(path))
        for each in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(each, ast.FunctionDef) and (found := _decorator(each))
    }


def counting_calls() -> Iterator[str]:
    """Compiled functions that count no references and name one that does."""
    counted = {key for key, decorator in kernels().items() if decorator in COUNTED}
    for module in sorted({module for module, _ in kernels()}):
        tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text("utf-8"))
        names = _imported(tree, module)
        for each in ast.walk(tree):
            if isinstance(each, ast.FunctionDef) and _decorator(each) in UNCOUNTED:
                read = {names.get(part.id) for part in ast.walk(each) if isinstance(part, ast.Name)}
                if read & counted:
                    yield f"{module}.{each.name}"


@cache
def named_by_python() -> frozenset[tuple[str, str, str]]:
    """Module and name of a compiled function, and the file that names it outside compiled code."""
    return frozenset(_named_by_python(*PACKAGES, "tests", "benchmarks"))


def _named_by_python(*folders: str) -> Iterator[tuple[str, str, str]]:
    known = kernels()
    for path in _files(*folders):
        module, words = _module(path), _words(path)
        # Parsing all files would take longer than all else.
        if not any(
            name in words and (at == module or at.rpartition(".")[2] in words) for at, name in known
        ):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        names = _imported(tree, module)
        modules = {name: ".".join(full) for name, full in names.items()}
        for each in ast.walk(tree):
            if isinstance(each, ast.Import):
                modules |= {alias.asname: alias.name for alias in each.names if alias.asname}
        for each in _outside(tree):
            found = None
            if isinstance(each, ast.Name):
                found = names.get(each.id)
            elif isinstance(each.value, ast.Name) and each.value.id in modules:
                found = (modules[each.value.id], each.attr)
            if found in known:
                yield (*found, str(path.relative_to(ROOT)))


def _outside(node: ast.AST) -> Iterator[ast.Name | ast.Attribute]:
    """Names that are read outside compiled functions, but for ``kernel.py_func``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef) and _decorator(child):
            continue
        if isinstance(child, ast.Attribute) and child.attr == "py_func":
            continue
        if isinstance(child, ast.Name | ast.Attribute):
            yield child
        yield from _outside(child)


def _imported(tree: ast.Module, module: str) -> dict[str, tuple[str, str]]:
    """Module and name of what a file imports by name, and of its own compiled functions."""
    names = {name: (at, name) for at, name in kernels() if at == module}
    for each in ast.walk(tree):
        if isinstance(each, ast.ImportFrom) and each.module:
            names |= {alias.asname or alias.name: (each.module, alias.name) for alias in each.names}
    return names


def _decorator(function: ast.FunctionDef) -> str:
    """The one that compiles, or nothing."""
    named = (each.func if isinstance(each, ast.Call) else each for each in function.decorator_list)
    names = [each.id for each in named if isinstance(each, ast.Name)]
    return next((name for name in names if name in UNCOUNTED | COUNTED), "")


def _words(path: Path) -> set[str]:
    return set(re.findall(r"\w+", path.read_text("utf-8")))


def _files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)

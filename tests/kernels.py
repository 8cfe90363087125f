"""Where compiled functions are named outside compiled code: only there does Python call them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("planner", "reports", "scenarios", "solvers")
COMPILING = {"compiled", "compiled_entry", "inlined"}


@cache
def kernels() -> frozenset[tuple[str, str]]:
    """Module and name of every compiled function."""
    return frozenset(
        (_module(path), each.name)
        for path in _files(*PACKAGES, "benchmarks")
        if not COMPILING.isdisjoint(_words(path))
        for each in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(each, ast.FunctionDef) and _is_compiled(each)
    )


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
        names = {name: (module, name) for at, name in known if at == module}
        modules: dict[str, str] = {}
        for each in ast.walk(tree):
            if isinstance(each, ast.ImportFrom) and each.module:
                for alias in each.names:
                    names[alias.asname or alias.name] = (each.module, alias.name)
                    modules[alias.asname or alias.name] = f"{each.module}.{alias.name}"
            elif isinstance(each, ast.Import):
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
        if isinstance(child, ast.FunctionDef) and _is_compiled(child):
            continue
        if isinstance(child, ast.Attribute) and child.attr == "py_func":
            continue
        if isinstance(child, ast.Name | ast.Attribute):
            yield child
        yield from _outside(child)


def _is_compiled(function: ast.FunctionDef) -> bool:
    named = (each.func if isinstance(each, ast.Call) else each for each in function.decorator_list)
    return any(isinstance(each, ast.Name) and each.id in COMPILING for each in named)


def _words(path: Path) -> set[str]:
    return set(re.findall(r"\w+", path.read_text("utf-8")))


def _files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)

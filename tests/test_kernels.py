"""Functions without a wrapper for Python are called by compiled code alone."""

from __future__ import annotations

import ast
from functools import cache

from tests.kernels import ROOT, kernels, named_by_python


@cache
def _entries() -> set[tuple[str, str]]:
    found = set()
    for module in {module for module, _ in kernels()}:
        path = ROOT / f"{module.replace('.', '/')}.py"
        for each in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(each, ast.FunctionDef) and (module, each.name) in kernels():
                decorators = {ast.unparse(decorator) for decorator in each.decorator_list}
                found |= {(module, each.name)} if "compiled" not in decorators else set()
    return found


def test_python_calls_compiled_functions_by_their_entries_alone() -> None:
    """A call of another one is an error, but only when it happens."""
    entries = _entries()
    wrong = {
        f"{file}: {name}"
        for module, name, file in named_by_python()
        if (module, name) not in entries
    }
    assert wrong == set()


def test_every_entry_is_called_by_python() -> None:
    called = {(module, name) for module, name, _ in named_by_python()}
    needless = {f"{module}.{name}" for module, name in _entries() - called}
    assert {each for each in needless if "machine" not in each} == set()

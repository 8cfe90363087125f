"""The part of docs/map.md that lists every package: ``python -m tests.code_map`` writes it.

Each paragraph is the docstring of the package, so what a package says of itself is what the map
says of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "map.md"
PACKAGES = ("scenarios", "solvers", "planner", "reports")
BEGIN = "<!-- packages: written by python -m tests.code_map -->"
END = "<!-- end of the packages -->"


def packages() -> Iterator[Path]:
    """Folders with code, each package before those in it."""
    for name in PACKAGES:
        yield from sorted(path.parent for path in (ROOT / name).rglob("__init__.py"))


def paragraph(folder: Path) -> str:
    """A package's place and docstring, on one line of a list."""
    text = (folder / "__init__.py").read_text(encoding="utf-8")
    words = " ".join((ast.get_docstring(ast.parse(text)) or "").replace("``", "`").split())
    depth = len(folder.relative_to(ROOT).parts) - 1
    return f"{'  ' * depth}- **{folder.relative_to(ROOT)}/**: {words}"


def with_packages(page: str) -> str:
    """The page with its list of packages as the code has it."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    lines = [paragraph(folder) for folder in packages()]
    return f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}{after}"


NAMED = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?`\s+(?:of|in)\s+`([a-z_][a-z_/.]*\.py)`")
"""``name`` of ``file.py``, as pages name a function, class or constant with its place."""


def missing_names(page: str) -> list[str]:
    """Return what a page says is in a file and is not, or of a file that does not exist."""
    return [
        f"{name} of {file}"
        for name, file in NAMED.findall(page)
        if not (ROOT / file).is_file() or name not in defined_in(ROOT / file)
    ]


def defined_in(file: Path) -> set[str]:
    """Names that a module defines at its top level, and ``Class.member`` of its classes."""
    result: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        result |= _names(node)
        if isinstance(node, ast.ClassDef):
            result |= {f"{node.name}.{name}" for item in node.body for name in _names(item)}
    return result


def _names(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


if __name__ == "__main__":
    PAGE.write_text(with_packages(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

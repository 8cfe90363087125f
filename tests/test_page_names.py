"""What the pages name exists: functions, keywords, attributes of results, and modules."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

import headroom as hr

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
LIBRARY = ("planner", "reports", "scenarios", "solvers")
PACKAGES = (*LIBRARY, "benchmarks", "tests")
VARIABLES = {"log": "JobLog", "request": "Request"}
"""What a page calls an object, and the class of that; a study has the class of its function."""


def is_named(page: Path, text: str) -> list[str]:
    """What a page names that the code does not have."""
    prose = re.sub(r"^```.*?^```\s*$", "", text, flags=re.DOTALL | re.MULTILINE)
    spans = re.findall(r"`([^`\n]+)`", prose)
    classes = studies(text)
    missing = [name for name in re.findall(r"\bhr((?:\.[A-Za-z_]\w*)+)", text) if not found(name)]
    for span in spans:
        of_studies = re.findall(r"(?<![\w./])(?:study|result)\.([a-z_]\w*)\b", span)
        missing += unknown({*of_studies} - {"py"}, classes)
        for name in re.findall(r"^(\w+\.\w+)", span):
            variable, attribute = name.split(".")
            kind = VARIABLES.get(variable)
            if kind and attribute not in members(kind):
                missing.append(name)
        missing += keywords(span)
        dotted = rf"(?<![\w./~-])(?:{'|'.join(PACKAGES)})(?!\.py)(?:\.\w+)+"
        missing += [name for name in re.findall(dotted, span) if not module_or_name(name)]
    missing += arguments(prose, text)
    missing += promised(prose, classes)
    return [f"{page.name}: {name}" for name in dict.fromkeys(missing)]


def found(chain: str) -> bool:
    """Whether ``hr`` has a name, as ``.formulations.pairing.pair``."""
    value: object = hr
    for name in chain.strip(".").split("."):
        value = getattr(value, name, None)
    return value is not None


def studies(text: str) -> list[str]:
    """Classes that the functions of a page return; of all functions where it names none."""
    named = {*re.findall(r"\bhr\.(\w+)", text)} & {*hr.__all__}
    classes = [one for name in sorted(named) for one in returned(name)]
    return classes or [one for name in hr.__all__ for one in returned(name)]


def returned(name: str) -> list[str]:
    """Names of the studies that a function returns."""
    function = getattr(hr, name)
    text = str(getattr(function, "__annotations__", {}).get("return", ""))
    return [one for one in re.findall(r"\w+", text) if {"Study", "Answer"} & parents(one)]


@cache
def parents(name: str) -> frozenset[str]:
    """A class and all that it inherits from, by name."""
    bases = [base.id for node in definitions(name) if isinstance(node, ast.ClassDef)
             for base in node.bases if isinstance(base, ast.Name)]  # fmt: skip
    return frozenset((name,)).union(*map(parents, bases))


@cache
def index() -> dict[str, list[Path]]:
    """The files that define a class or a function, by its name."""
    files: dict[str, list[Path]] = {}
    for package in LIBRARY:
        for path in (ROOT / package).rglob("*.py"):
            for line in path.read_text(encoding="utf-8").splitlines():
                words = line.split(maxsplit=2)
                if len(words) > 1 and words[0] in {"class", "def"}:
                    files.setdefault(re.split(r"\W", words[1])[0], []).append(path)
    return files


@cache
def definitions(name: str) -> list[ast.ClassDef | ast.FunctionDef]:
    """Every class and function of a name."""
    return [
        node
        for path in dict.fromkeys(index().get(name, ()))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name
    ]


@cache
def members(name: str) -> frozenset[str]:
    """Fields, methods and arguments of everything of a name, with those of the parents."""
    names: set[str] = set()
    for node in definitions(name):
        if isinstance(node, ast.FunctionDef):
            names |= {one.arg for one in (*node.args.args, *node.args.kwonlyargs)}
            continue
        for one in node.body:
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                names.add(one.target.id)
            if isinstance(one, ast.FunctionDef):
                names.add(one.name)
                if one.name == "__init__":
                    names |= {each.arg for each in (*one.args.args, *one.args.kwonlyargs)}
        for parent in node.bases:
            if isinstance(parent, ast.Name):
                names |= members(parent.id)
    return frozenset(names)


def keywords(span: str) -> list[str]:
    """Keywords of the calls of a span that their functions do not take."""
    try:
        nodes = [*ast.walk(ast.parse(span, mode="eval"))]
    except SyntaxError:
        return []
    missing = []
    for call in (node for node in nodes if isinstance(node, ast.Call)):
        name = ast.unparse(call.func)
        if f"{name}(" not in span or not (name.isidentifier() or name.startswith("hr.")):
            continue
        taken = parameters(name[3:]) if name.startswith("hr.") else members(name)
        given = [each.arg for each in call.keywords if each.arg and not each.arg.isupper()]
        missing += [f"{name}({each}=)" for each in given if each not in taken]
    return missing


def parameters(name: str) -> set[str]:
    """What a function of ``hr`` takes by name; all settings where it passes them on."""
    function = getattr(hr, name, None)
    if not callable(function) or (isinstance(function, type) and issubclass(function, Exception)):
        return set()
    signature = inspect.signature(function).parameters
    names = {*signature}
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in signature.values()):
        names |= members({"aggregate": "AggregationSettings"}.get(name, ""))
    return names


def module_or_name(dotted: str) -> bool:
    """Whether a module exists, or a module with the name behind it."""
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:count])
        file = (
            path.with_suffix(".py") if path.with_suffix(".py").is_file() else path / "__init__.py"
        )
        if file.is_file():
            rest = parts[count:]
            return not rest or rest[0] in file.read_text(encoding="utf-8")
        if path.is_dir() and count == len(parts):
            return True
    return False


def arguments(prose: str, text: str) -> list[str]:
    """Names under "argument" in a table that no function of the page takes."""
    functions = {*re.findall(r"\bhr\.(\w+)", text)} & {*hr.__all__}
    taken = {each for name in functions for each in parameters(name)}
    tables = re.findall(r"^\| argument \|.*\n\|[-:| ]+\|\n((?:\|.*\n)+)", prose, re.MULTILINE)
    cells = [row.split("|")[1] for table in tables for row in table.splitlines()]
    names = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    return [name for name in names if name not in taken]


def promised(prose: str, classes: list[str]) -> list[str]:
    """Names of "the study has ..." that are no attributes of it."""
    sentences = re.findall(r"\b[Tt]he (?:study|result) has\s([^.:]*)", prose)
    names = [name for one in sentences for name in re.findall(r"`(\w+)`", one)]
    return unknown(names, classes)


def unknown(names: Iterable[str], classes: list[str]) -> list[str]:
    """Attributes that no study of a page has."""
    return [f"study.{name}" for name in names if not any(name in members(one) for one in classes)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_code_has_what_a_page_names(page: Path) -> None:
    assert is_named(page, page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("`hr.gates`", ".gates"),
        ("`hr.gate(a, b, alfa=0.2)`", "hr.gate(alfa=)"),
        ("`hr.gate`: `study.verdicts`", "study.verdicts"),
        ("`hr.gate`. The study has `trials` (test runs) and `admitted`.", "study.trials"),
        ("`log.user_names`", "log.user_names"),
        ("`planner.sharing_nodes.pairs.gates`", "planner.sharing_nodes.pairs.gates"),
        ("`Budget(limit=3)`", "Budget(limit=)"),
        (
            "`hr.gate`\n\n| argument | meaning |\n|---|---|\n| `limits`, `bad_share` | x |\n",
            "limits",
        ),
    ],
)
def test_a_name_that_the_code_does_not_have_is_found(text: str, missing: str) -> None:
    assert is_named(Path("page.md"), text) == [f"page.md: {missing}"]

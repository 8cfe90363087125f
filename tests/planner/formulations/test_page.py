"""docs/formulations.md: its mathematics and programs are the modules', and its examples run."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import headroom as hr
import planner.formulations

PAGE = (Path(__file__).parents[3] / "docs" / "formulations.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)
MOST_LINES = 120
PROGRAMS = [name for name in planner.formulations.__all__ if name != "kernighan_lin"]


def mathematics(name: str) -> str:
    """The docstring from its sets or parameters to the end of the constraints."""
    lines = (getattr(hr.formulations, name).__doc__ or "").splitlines()
    first = next(
        index
        for index, line in enumerate(lines)
        if line.startswith(("Sets and parameters", "Parameters"))
    )
    last = lines.index("", first)
    return "\n".join(lines[first:last]) + "\n"


def examples() -> Iterator[tuple[str, str]]:
    """Code of the examples with the output printed below it."""
    blocks = BLOCK.findall(PAGE)
    for (kind, code), (after, printed) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if kind == "python" and not code.startswith("def formulate("):
            yield code, printed if after == "text" and "print(" in code else ""


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_page_shows_mathematics_and_program_of_every_formulation(name: str) -> None:
    module = getattr(hr.formulations, name)
    output = {code for _, code in BLOCK.findall(PAGE)}
    assert mathematics(name) in output
    assert inspect.getsource(module.formulate) in output
    assert f"`planner/formulations/{name}.py`" in PAGE


def test_the_examples_print_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for code, printed in examples():
        exec(compile(code, "formulations.md", "exec"), names)
        lines = [line.rstrip() for line in capsys.readouterr().out.strip().splitlines()]
        assert "\n".join(lines) == printed.strip()


def test_the_pictures_are_those_of_the_examples() -> None:
    """Redrawn from what the page computes; letters of another matplotlib may lie elsewhere."""
    from tests.planner.formulations.pictures import FOLDER, drawn

    made = drawn()
    output = dict(re.findall(r"!\[(.*?)\]\(images/formulations/(.*?)\.svg\)", PAGE))
    assert sorted(output.values()) == sorted(made) == sorted(p.stem for p in FOLDER.iterdir())
    assert {*planner.formulations.__all__} == made.keys()
    for name, content in made.items():
        stored = (FOLDER / f"{name}.svg").read_bytes()
        creator, letters = re.compile(rb"Matplotlib v[0-9.]+"), re.compile(rb"<text[^>]*>([^<]*)<")
        assert letters.findall(content) == letters.findall(stored), name
        if creator.findall(content) == creator.findall(stored):
            assert content == stored, f"{name}: run python -m tests.planner.formulations.pictures"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_formulation_is_short_and_says_what_it_leaves_out(name: str) -> None:
    module = getattr(hr.formulations, name)
    assert "Left out: " in module.__doc__
    source = inspect.getsource(module)
    code = re.sub(r'r?""".*?"""', "", source, flags=re.DOTALL)
    assert sum(bool(line.strip()) for line in code.splitlines()) <= MOST_LINES

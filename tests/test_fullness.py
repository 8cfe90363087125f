"""The golden commands answer: full pages, and data whose texts have an origin."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest

import scenarios
from tests.golden.__main__ import freeze
from tests.text_rule import undeclared

_MILLIMETRE = 72 / 25.4
_TOP, _BOTTOM = 275 * _MILLIMETRE, 20 * _MILLIMETRE
"""Of the part of a page that holds text, above the lower edge of the page."""
_REFUSED = (
    "colocate tangram-two-node --law fastest-rank",
    "plan no-such-scenario",
    "plan sample/runs.csv",
    "simulate nothing.swf",
    "configure sample/runs.csv --power-bound -1",
)


def fullness(report: Path) -> list[float]:
    """Return, for each page, the share of its height above its last line of text."""
    return [
        (_TOP - min(_heights(page), default=_TOP)) / (_TOP - _BOTTOM)
        for page in pypdf.PdfReader(report).pages
    ]


def _heights(page: pypdf.PageObject) -> list[float]:
    """Heights of the lines of text above the lower edge of the page, without the footer's."""
    heights = []

    def visit(text: str, at: list[float], line: list[float], *_: object) -> None:
        if text.strip():
            heights.append(at[3] * line[5] + at[5])

    page.extract_text(visitor_text=visit)
    return [height for height in heights if height > _BOTTOM]


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("golden") / "outputs"
    freeze(folder)
    return folder


@pytest.mark.slow
def test_no_page_but_the_last_is_less_than_half_full(golden: Path) -> None:
    reports = sorted(golden.glob("*/report.pdf"))
    assert len(reports) >= 20
    pages = {report.parent.name: fullness(report) for report in reports}
    sparse = {name: shares for name, shares in pages.items() if min([1.0, *shares[:-1]]) < 0.5}
    assert sparse == {}


def _inputs(golden: Path) -> str:
    """The text of all inputs: samples, tables, logs, and bundled scenarios."""
    bundled = Path(scenarios.__file__).parent / "data"
    files = [*golden.glob("*.*"), *golden.glob("sample/*"), *bundled.rglob("*.*")]
    texts = [path.read_text("utf-8") for path in files if path.suffix in (".csv", ".swf", ".toml")]
    tables = [tomllib.loads(path.read_text("utf-8")) for path in files if path.suffix == ".toml"]
    return "\n".join([*texts, *(text for table in tables for text in _strings(table))])


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


@pytest.mark.slow
def test_every_text_of_a_data_file_is_a_word_or_what_an_input_says(golden: Path) -> None:
    inputs = _inputs(golden)
    files = [path for path in golden.glob("*/*.json") if path.name != "run.json"]
    assert len(files) >= 25
    assert {str(p.parent.name): undeclared(p.read_bytes(), p.name, inputs) for p in files} == {
        path.parent.name: [] for path in files
    }


@pytest.mark.slow
def test_only_wrong_commands_are_refused(golden: Path) -> None:
    answers = [path.read_text().split("\n", 2)[:2] for path in (golden / "printed").iterdir()]
    assert sorted(command for command, status in answers if status == "status 2") == sorted(
        _REFUSED
    )

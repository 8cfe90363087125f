"""Every block of code of the README and of the pages runs, and prints what the page shows."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from tests.blocks import blocks, named_data, run_page
from tests.example_inputs import write_example_inputs
from tests.shared_data import available
from tests.sizes import ALL, VARIABLE

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
OWN_TESTS = {"python.md", "formulations.md"}
"""Pages whose blocks have tests of their own, which look at the results too."""
WITH_BLOCKS = [
    page for page in PAGES if page.name not in OWN_TESTS and blocks(page.read_text("utf-8"))
]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    write_example_inputs(folder)
    return folder


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_blocks_of_a_page_run_and_print_what_it_shows(
    page: Path, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = page.read_text(encoding="utf-8")
    named = named_data(text)
    if named and not available():
        pytest.skip("needs the real data")
    shutil.copytree(inputs, tmp_path, dirs_exist_ok=True)
    for file in named:
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run_page(text, tmp_path, slow=os.environ.get(VARIABLE) == ALL) == []
    plt.close("all")


def test_what_is_not_run_has_a_reason() -> None:
    reasons = [
        block.mark for page in PAGES for block in blocks(page.read_text("utf-8")) if block.mark
    ]
    assert all(reason == "slow" or len(reason.split()) > 3 for reason in reasons)

"""The map of the code names what there is, and nothing else."""

from __future__ import annotations

import re

from tests.code_map import NAMED, PAGE, ROOT, missing_names, with_packages


def test_the_map_lists_every_package_as_it_describes_itself() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_packages(page), "run python -m tests.code_map"


def test_every_file_of_a_request_exists() -> None:
    page = PAGE.read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_/]+\.(?:py|toml|typ))`", page))
    assert len(named) > 40
    assert sorted(name for name in named if not (ROOT / name).is_file()) == []


def test_every_function_of_a_request_exists() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(NAMED.findall(page)) > 60
    assert missing_names(page) == []


def test_every_file_and_name_of_a_recipe_exists() -> None:
    page = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`((?:planner|reports|scenarios|solvers|tests)/[\w/.]*)`", page))
    assert len(paths) > 40
    assert sorted(name for name in paths if not (ROOT / name).exists()) == []
    assert len(NAMED.findall(page)) > 35
    assert missing_names(page) == []


def test_each_decision_is_a_short_record() -> None:
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    records = [text.split("\n## ")[0].strip() for text in page.split("\n### ")[1:]]
    assert len(records) > 40
    labels = ["- **Context.**", "- **Choice.**", "- **Consequence.**"]
    for record in records:
        title, *body = record.splitlines()
        assert len(body) <= 8, title
        assert [line.split("** ")[0] + "**" for line in body if line[0] == "-"] == labels, title
    paths = set(re.findall(r"`((?:planner|scenarios|solvers|tests|benchmarks)/[\w/.-]*)`", page))
    assert sorted(name for name in paths if not (ROOT / name).exists()) == []
    assert missing_names(page) == []


def test_a_name_that_is_gone_is_missed() -> None:
    page = "`solve()` of `solvers/certify.py`, `gone()` of `solvers/certify.py`, `a` of `b/c.py`"
    assert missing_names(page) == ["gone of solvers/certify.py", "a of b/c.py"]

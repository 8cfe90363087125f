"""The sample procurement with texts changed, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import scenarios
from scenarios import ScenarioError

SAMPLE = Path(scenarios.__file__).parent / "data" / "sample"
QUOTES, REQUEST = "quotes.csv", "procurement.toml"

Changes = list[tuple[str, str, str]]


def written(folder: Path, changes: Changes) -> Path:
    """The sample with texts changed in its files."""
    texts = {name: (SAMPLE / name).read_text(encoding="utf-8") for name in (QUOTES, REQUEST)}
    for name, old, new in changes:
        assert old in texts[name], f"{name} no longer holds {old!r}"
        texts[name] = texts[name].replace(old, new)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / REQUEST


def faults(folder: Path, changes: Changes) -> list[str]:
    """What is refused."""
    with pytest.raises(ScenarioError) as caught:
        scenarios.load(written(folder, changes))
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


def remarked(folder: Path, changes: Changes) -> list[str]:
    """Kinds of what is remarked."""
    return [each.kind for each in scenarios.load(written(folder, changes)).remarks]

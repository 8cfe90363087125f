"""The example of docs/pricing-log.md runs and prints what the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "pricing-log.md").read_text(encoding="utf-8")


def test_the_example_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(code, "pricing-log.md", "exec"), {})
    assert capsys.readouterr().out.split() == ["89.760000", "True"]
    assert re.findall(r"^# prints: (\S+)", code, re.MULTILINE) == ["89.760000", "True"]


def test_the_page_states_the_stored_kills() -> None:
    stored = json.loads((Path(__file__).parent / "accounts" / "kills.json").read_text())
    sure = sum(each["sure"] for each in stored.values())
    assert f"{sure:,} acknowledged bookings" in PAGE

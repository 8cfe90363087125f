"""kill -9 at any moment loses no booked SU and books none twice."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
STORED = Path(__file__).with_name("kills.json")
IN_MEMORY = Path("/dev/shm")
"""A file system that never waits for a disk: kills fall on other moments there."""


def kills(number: int, seed: int, folder: Path, *mode: str) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, "-m", f"{__package__}.kills", str(number), str(seed), str(folder), *mode],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    result: dict[str, int] = json.loads(done.stdout)
    return result


def assert_nothing_lost(found: dict[str, int]) -> None:
    assert found["lost"] == found["changed"] == found["contradictions"] == found["unbooked"] == 0
    assert found["recovered"] >= 0


def test_a_few_kills_lose_and_duplicate_nothing(tmp_path: Path) -> None:
    result = kills(12, 3, tmp_path)
    assert_nothing_lost(result)
    assert result["kills"] == 12


def test_the_stored_thousand_kills_lost_and_duplicated_nothing() -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    for each in stored.values():
        assert_nothing_lost(each)
    assert sum(each["kills"] for each in stored.values()) == 1000
    assert min(each["sure"] for each in stored.values()) > 100


@pytest.mark.release
def test_five_hundred_kills_on_a_disk_lose_and_duplicate_nothing(tmp_path: Path) -> None:
    result = kills(500, 1, tmp_path)
    assert_nothing_lost(result)
    assert result["sure"] > 100


@pytest.mark.release
def test_five_hundred_kills_in_memory_lose_and_duplicate_nothing() -> None:
    if not IN_MEMORY.is_dir():
        pytest.skip("there is no file system in memory")
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        result = kills(500, 2, Path(folder))
    assert_nothing_lost(result)
    assert result["sure"] > 100


@pytest.mark.release
def test_without_transactions_the_same_search_finds_contradictions(tmp_path: Path) -> None:
    folder = IN_MEMORY if IN_MEMORY.is_dir() else tmp_path
    with tempfile.TemporaryDirectory(dir=folder) as inside:
        assert kills(200, 4, Path(inside), "broken")["contradictions"] > 0

"""What is compiled is said once, and kept where the user's caches are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

WORDS = ("simulate", "lublin", "--processors", "64", "--jobs")

FCFS = ("--policy", "fcfs")
"""The policy of one short loop."""


def stderr_of(folder: Path, *words: str, **changed: str) -> str:
    environment = {name: value for name, value in os.environ.items() if "NUMBA" not in name}
    environment |= {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "caches"), **changed}
    command = [sys.executable, "-m", "planner", *WORDS, *words]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stderr


def test_compiling_is_said_once_and_kept_in_the_cache_of_the_user(tmp_path: Path) -> None:
    first = stderr_of(tmp_path, "4001", "--policy", "easy")
    assert first.startswith("compiling simulate_easy and ")
    assert "functions that it calls (about 5 s, once on this machine) ..." in first
    kept = [*(tmp_path / "caches" / "headroom" / "compiled").iterdir()]
    assert all(path.suffix == ".nbc" for path in kept)
    assert any("simulate_easy" in path.name for path in kept)
    assert stderr_of(tmp_path, "4001", "--policy", "easy") == ""


def test_what_is_small_compiles_nothing(tmp_path: Path) -> None:
    assert stderr_of(tmp_path, "2000", "--policy", "easy") == ""
    assert not (tmp_path / "caches").exists()


@pytest.mark.parametrize("quiet", [True, False])
def test_a_cache_that_cannot_be_written_costs_time_alone(tmp_path: Path, quiet: bool) -> None:
    (tmp_path / "file").touch()
    changed = {"XDG_CACHE_HOME": str(tmp_path / "file")}
    said = stderr_of(tmp_path, "4001", *FCFS, *(["-q"] if quiet else []), **changed)
    assert said.count("compiled code cannot be kept in ") == 1
    assert "set NUMBA_CACHE_DIR to a folder that can be written" in said
    assert ("compiling" in said) is not quiet

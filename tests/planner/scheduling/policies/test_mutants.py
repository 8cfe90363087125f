"""Mutants of the policies: each changed line turns a test of the policies red.

They run without compilation, in a copy.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
TESTS = ("test_policies.py", "test_outages.py", "test_speedup.py", "test_moldable.py")
OF_MAUI = ("test_maui.py",)

MUTANTS = tomllib.loads((Path(__file__).parent / "mutants.toml").read_text(encoding="utf-8"))


def ran(
    folder: Path, files: tuple[str, ...], module: str = "", line: str = "", to: str = ""
) -> int:
    """Status of quick tests on a copy of the planner in which one line is changed."""
    leave_out = shutil.ignore_patterns("__pycache__", "configurations", "procurement")
    shutil.copytree(ROOT / "planner", folder / "planner", ignore=leave_out)
    tests = folder / "tests" / "planner" / "scheduling" / "policies"
    shutil.copytree(Path(__file__).parent, tests, ignore=leave_out)
    for parent in list(tests.parents)[:3]:
        (parent / "__init__.py").touch()
    shutil.copy(ROOT / "tests" / "shared_data.py", folder / "tests")
    if module:
        target = folder / "planner" / "scheduling" / "policies" / f"{module}.py"
        text = target.read_text(encoding="utf-8")
        assert line in text, "the line to be changed is gone; correct this list"
        target.write_text(text.replace(line, to, 1), encoding="utf-8")
    words = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow and not needs_data"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *(str(tests / name) for name in files)],
        cwd=folder,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout.decode()[-2000:]
    return done.returncode


@pytest.mark.slow
@pytest.mark.parametrize("files", [TESTS, OF_MAUI])
def test_without_a_change_all_tests_are_green(tmp_path: Path, files: tuple[str, ...]) -> None:
    assert ran(tmp_path, files) == 0


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS["mutants"], ids=lambda item: item["changed"])
def test_a_changed_line_turns_a_test_red(tmp_path: Path, mutant: dict[str, str]) -> None:
    of_maui = mutant["module"] == "fairshare" or mutant["module"].startswith("maui")
    files = OF_MAUI if of_maui else TESTS
    assert ran(tmp_path, files, mutant["module"], mutant["line"], mutant["changed"]) == 1

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

from tests.sizes import ALL, VARIABLE

ROOT = Path(__file__).parents[4]
TESTS = ("test_policies.py", "test_outages.py", "test_speedup.py", "test_moldable.py")
OF_MAUI = ("test_maui.py",)

MUTANTS = tomllib.loads((Path(__file__).parent / "mutants.toml").read_text(encoding="utf-8"))


def ran(
    folder: Path,
    files: tuple[str, ...],
    *words: str,
    module: str = "",
    line: str = "",
    to: str = "",
) -> int:
    """Status of quick tests on a copy of the planner in which one line is changed.

    ``words`` are further ones for pytest. The status is 0 if all tests pass and 1 if one fails; the
    copy must hold all that these tests import.
    """
    leave_out = shutil.ignore_patterns("__pycache__", "configurations", "procurement")
    shutil.copytree(ROOT / "planner", folder / "planner", ignore=leave_out)
    tests = folder / "tests" / "planner" / "scheduling" / "policies"
    shutil.copytree(Path(__file__).parent, tests, ignore=leave_out)
    for parent in list(tests.parents)[:2]:
        (parent / "__init__.py").touch()
    for helper in (ROOT / "tests").glob("*.py"):
        if not helper.name.startswith("test_"):
            shutil.copy(helper, folder / "tests")
    if module:
        target = folder / "planner" / "scheduling" / "policies" / f"{module}.py"
        text = target.read_text(encoding="utf-8")
        target.write_text(text.replace(line, to, 1), encoding="utf-8")
    every = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow and not needs_data", *words]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *every, *(str(tests / name) for name in files)],
        cwd=folder,
        env={
            **os.environ,
            VARIABLE: ALL,
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}",
        },
        capture_output=True,
        timeout=300,
        check=False,
    )
    output = done.stdout.decode()
    assert done.returncode in (0, 1), output[-2000:]
    assert "ImportError while importing" not in output, output[-2000:]
    return done.returncode


def test_the_line_of_each_mutant_is_in_the_policies() -> None:
    folder = ROOT / "planner" / "scheduling" / "policies"
    for mutant in MUTANTS["mutants"]:
        text = (folder / f"{mutant['module']}.py").read_text(encoding="utf-8")
        assert mutant["line"] in text
        assert mutant["line"] != mutant["changed"]


def test_the_copy_of_the_tests_finds_what_it_imports(tmp_path: Path) -> None:
    assert ran(tmp_path, (*TESTS, *OF_MAUI), "--collect-only") == 0


@pytest.mark.release
@pytest.mark.parametrize("files", [TESTS, OF_MAUI])
def test_without_a_change_all_tests_are_green(tmp_path: Path, files: tuple[str, ...]) -> None:
    assert ran(tmp_path, files) == 0


@pytest.mark.release
@pytest.mark.parametrize("mutant", MUTANTS["mutants"], ids=lambda item: item["changed"])
def test_a_changed_line_turns_a_test_red(tmp_path: Path, mutant: dict[str, str]) -> None:
    of_maui = mutant["module"] == "fairshare" or mutant["module"].startswith("maui")
    files = OF_MAUI if of_maui else TESTS
    module, line, changed = mutant["module"], mutant["line"], mutant["changed"]
    assert ran(tmp_path, files, module=module, line=line, to=changed) == 1

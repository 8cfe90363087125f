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


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS["mutants"], ids=lambda each: each["changed"])
def test_a_changed_line_turns_a_test_red(tmp_path: Path, mutant: dict[str, str]) -> None:
    leave_out = shutil.ignore_patterns("__pycache__", "configurations", "procurement")
    shutil.copytree(ROOT / "planner", tmp_path / "planner", ignore=leave_out)
    tests = tmp_path / "tests" / "planner" / "scheduling" / "policies"
    shutil.copytree(Path(__file__).parent, tests, ignore=leave_out)
    for folder in tests.parents[:3]:
        (folder / "__init__.py").touch()
    target = tmp_path / "planner" / "scheduling" / "policies" / f"{mutant['module']}.py"
    text = target.read_text(encoding="utf-8")
    assert mutant["line"] in text, "the line to be changed is gone; correct this list"
    target.write_text(text.replace(mutant["line"], mutant["changed"], 1), encoding="utf-8")
    of_maui = mutant["module"] == "fairshare" or mutant["module"].startswith("maui")
    files = [str(tests / name) for name in (OF_MAUI if of_maui else TESTS)]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *files],
        cwd=tmp_path,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 1, ran.stdout.decode()[-2000:]

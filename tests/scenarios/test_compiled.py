"""What lies compiled on disk is not taken for newer sources."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ONE = """
from scenarios.compiled import compiled
@compiled
def inner(number):
    return number + {added}
"""
OTHER = """
from scenarios.compiled import compiled, on_disk
from {folder}.one import inner
@compiled
def outer(number):
    return inner(number)
print(on_disk(outer), outer(1))
"""


def test_a_changed_module_compiles_those_again_that_call_into_it(tmp_path: Path) -> None:
    folder = tmp_path / "some"
    folder.mkdir()
    (folder / "other.py").write_text(OTHER.format(folder="some"), encoding="utf-8")

    def answer(added: int) -> str:
        (folder / "one.py").write_text(ONE.format(added=added), encoding="utf-8")
        command = [sys.executable, "-m", "some.other"]
        changed = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run(
            command, cwd=tmp_path, env=changed, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    assert answer(1) == "False 2"
    assert answer(1) == "True 2"
    assert answer(5) == "False 6"

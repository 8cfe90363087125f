"""Freeze all outputs of the commands at one commit, and compare those of another with them.

Run ``python -m tests.golden freeze FOLDER`` before a change and ``python -m tests.golden compare
FOLDER`` after it, on the same machine: solvers may take another path on another processor.
``compare`` prints every difference, and ends with status 1 if there is one. Of ``run.json``, which
holds times and paths, only the list of files is compared; times of simulations, and marks that
tell whether the code of a stored case has changed, are not.
"""

from __future__ import annotations

import difflib
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.example_inputs import write_gate_tables
from tests.golden.commands import COMMANDS, PREPARED

_MATRIX = "0,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n"
_PAIRS = "pair,a,b,c,d\na,.91,.82,.73,.64\nb,.95,.86,.77,.68\nc,.9,.8,.7,.6\nd,.99,.8,.71,.6\n"
_CHANGES = re.compile(rb'"(mark|simulation_seconds)": .*')
_SHOWN = 12  # lines of a difference that are printed
_ROOT = Path(__file__).resolve().parents[2]
_RUN = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from headroom import run; run()"


def freeze(folder: Path) -> None:
    """Run every command in a fresh folder, and keep what it printed and wrote."""
    folder.mkdir(parents=True)
    for command in PREPARED:
        _run(command, folder)
    (folder / "matrix.csv").write_text(_MATRIX)
    (folder / "pairs.csv").write_text(_PAIRS)
    write_gate_tables(folder)
    sample = (folder / "sample" / "procurement.toml").read_text().splitlines(keepends=True)
    dark = ("bound_w = 25_000\n" if line.startswith("bound_w = ") else line for line in sample)
    (folder / "sample" / "dark.toml").write_text("".join(dark))
    printed = folder / "printed"
    printed.mkdir()
    for number, command in enumerate(COMMANDS):
        done = _run(command, folder)
        text = f"{command}\nstatus {done.returncode}\n{done.stdout}\n-- stderr\n{done.stderr}"
        (printed / f"{number:02}.txt").write_text(text.replace(str(folder), "FOLDER"))


def _run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-P", "-c", _RUN, *shlex.split(command)]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def differences(frozen: Path, fresh: Path) -> Iterator[str]:
    """Every file that only one folder has, or that differs."""
    names = {
        str(path.relative_to(folder))
        for folder in (frozen, fresh)
        for path in folder.rglob("*")
        if path.is_file()
    }
    for name in sorted(names):
        before, after = frozen / name, fresh / name
        if not (before.exists() and after.exists()):
            yield f"{name}: only {'before' if before.exists() else 'after'}"
        elif _content(before) != _content(after):
            yield f"{name} differs\n{_shown(before, after)}"


def _content(path: Path) -> bytes:
    """What must be equal."""
    if path.name != "run.json":
        return _CHANGES.sub(b"", path.read_bytes())
    return "\n".join(json.loads(path.read_text())["sha256"]).encode()


def _shown(before: Path, after: Path) -> str:
    try:
        old, new = (path.read_text().splitlines() for path in (before, after))
    except UnicodeDecodeError:
        return "  (no text)"
    lines = list(difflib.unified_diff(old, new, lineterm="", n=0))[2:]
    return "\n".join(f"  {line[:200]}" for line in lines[:_SHOWN])


def main(verb: str, folder: str) -> int:
    """Freeze or compare; the number of differences decides the status."""
    if verb == "freeze":
        freeze(Path(folder))
        return 0
    with tempfile.TemporaryDirectory() as parent:
        fresh = Path(parent) / Path(folder).name
        freeze(fresh)
        result = list(differences(Path(folder), fresh))
        lines = [*result, f"{len(result)} differences in {len(COMMANDS)} commands"]
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        if result:
            copied = Path(f"{folder}-after")
            shutil.rmtree(copied, ignore_errors=True)
            shutil.copytree(fresh, copied)
    return 1 if result else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

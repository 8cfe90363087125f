"""Commands as other processors run them: with other loops of OpenBLAS, the C library and numpy.

``python -m tests.other_processors plan rfp-center`` says which files and numbers differ.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
_KEPT = ("run.json", "times.csv")
"""Files that say when and how fast a command ran."""
_DURATION = re.compile(r" *(below )?\b\d[\d.,]* (ms|s|min|h)\b *")


def variants() -> dict[str, dict[str, str]]:
    """Environments in which libraries take the loops of processors without new vector units."""
    umath = importlib.import_module("numpy._core._multiarray_umath")
    units = [unit for unit in umath.__cpu_dispatch__ if umath.__cpu_features__[unit]]
    one = {
        "openblas": {"OPENBLAS_CORETYPE": "Nehalem"},
        "libm": {  # the first two names are those of glibc before 2.33
            "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2_Usable,-FMA_Usable,-AVX2,-FMA,-AVX512F"
        },
        "numpy": {"NPY_DISABLE_CPU_FEATURES": " ".join(units)} if units else {},
    }
    return one | {"all": {name: value for each in one.values() for name, value in each.items()}}


def elsewhere(variant: str, *words: str, folder: Path = ROOT) -> str:
    """What a Python process prints under a variant; none is named by an empty name."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | variants().get(variant, {})
    done = subprocess.run(
        [sys.executable, *words],
        check=False,
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def differences(variant: str, folder: Path, *words: str) -> list[str]:
    """Files, lines and numbers of a command's results that another processor changes."""
    made = {}
    for name in ("", variant):
        place = folder / (name or "here")
        command = ("-c", "import headroom; headroom.run()", *words, "-o", str(place / "results"))
        text = elsewhere(name, *command, folder=folder)
        (place / "printed").write_text(_DURATION.sub(" TIME ", text.replace(str(place), "PLACE")))
        made[name] = {str(p.relative_to(place)): p for p in place.rglob("*") if p.is_file()}
    here, there = made[""], made[variant]
    return [*sorted(here.keys() ^ there.keys()), *_changed(here, there)]


def _changed(here: dict[str, Path], there: dict[str, Path]) -> Iterator[str]:
    for name in sorted(here.keys() & there.keys()):
        one, other = here[name].read_bytes(), there[name].read_bytes()
        if one == other or name.endswith(_KEPT) or name.endswith(".svg"):
            continue
        if not name.endswith(".json"):
            yield name
            continue
        values, others = (dict(_leaves(json.loads(text))) for text in (one, other))
        for key in values.keys() | others.keys():
            if values.get(key) != others.get(key):
                yield f"{name}{key}: {values.get(key)!r} | {others.get(key)!r}"


def _leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for name, part in pairs:
            yield from _leaves(part, f"{key}.{name}")
    else:
        yield key, value


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as root:
        for variant in variants():
            print(variant, *differences(variant, Path(root), *sys.argv[1:]), sep="\n  ")  # noqa: T201

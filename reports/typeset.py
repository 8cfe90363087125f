"""Typst in a child process: private folder, no packages, limited time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TIME_LIMIT_S = 120
_LARGEST_MEMORY = 8 << 30

_CHILD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
import typst
typst.compile("main.typ", output="report.pdf", root=".", font_paths=[],
    ignore_system_fonts=True, pdf_standards=["ua-1"], package_path=".", package_cache_path=".")
"""


class TypesetError(RuntimeError):
    """The document could not be set; the message is typst's own."""


def typeset(template: str, data: Mapping[str, Any], files: Mapping[str, bytes]) -> bytes:
    """Set one document as tagged PDF (PDF/UA-1).

    Parameters
    ----------
    template
        Name of a template beside this module.
    data
        Becomes ``data.json``: text in it is shown as it is, never run.
    files
        Further files that the template uses, by name.

    Raises
    ------
    TypesetError
        Typst failed, or needed too long.
    """
    source = Path(__file__).parent / "templates" / template
    with tempfile.TemporaryDirectory(prefix="headroom-typeset-") as folder:
        root = Path(folder)
        (root / "main.typ").write_bytes(source.read_bytes())
        (root / "data.json").write_text(json.dumps(data, allow_nan=False), encoding="utf-8")
        for name, content in files.items():
            (root / name).write_bytes(content)
        try:
            done = subprocess.run(
                [sys.executable, "-P", "-c", _CHILD, str(_LARGEST_MEMORY)],
                cwd=root,
                capture_output=True,
                timeout=TIME_LIMIT_S,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired as error:
            raise TypesetError(f"typst took more than {TIME_LIMIT_S} s") from error
        if done.returncode != 0:
            reason = done.stderr.decode(errors="replace").strip().splitlines()
            raise TypesetError(f"typst failed: {reason[-1] if reason else done.returncode}")
        return (root / "report.pdf").read_bytes()

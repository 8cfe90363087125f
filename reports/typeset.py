"""Typst in a child process: no file but what is handed over, no packages, limited time and memory.

Everything goes through pipes, so a run that is killed leaves no folder behind; on Linux the
child is killed with it, elsewhere it ends at its limit of CPU time. On a busy machine it may take
as long as it needs.

Typst's own fonts come first, so that the same input gives the same bytes everywhere. Characters
that they lack, as Chinese ones, are taken from the system's fonts; where these lack them too,
the report shows boxes and cannot be PDF/UA. A warning names them.
"""

from __future__ import annotations

import base64
import json
import logging
import math
import os
import resource
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TIME_LIMIT_S = 480
"""CPU seconds, of all threads together."""

_LARGEST_MEMORY = 8 << 30
_TEMPLATES = Path(__file__).parent / "templates"
_LIMITING = Path(__file__).parents[1] / "scenarios" / "tables" / "spreadsheet_child.py"
"""It is run by its path, as here nothing of scenarios is imported."""

_CHILD = """
import base64, json, runpy, sys
runpy.run_path(sys.argv[1])["limit_itself"](*map(int, sys.argv[2:-1]))
files = {name: base64.b64decode(text) for name, text in json.load(sys.stdin).items()}
import typst
for own_fonts, standards in ((True, ["ua-1"]), (False, ["ua-1"]), (False, [])):
    try:
        pdf = typst.compile(files, root=".", font_paths=[], ignore_system_fonts=own_fonts,
            format="pdf", pdf_standards=standards, package_path=".", package_cache_path=".")
        break
    except typst.TypstError as error:
        if "could not be displayed with font" not in str(error):
            sys.exit(str(error))
if not standards:
    texts = json.dumps(json.loads(files["data.json"]), ensure_ascii=False)
    letters = sorted({letter for letter in texts if ord(letter) > 0x24F})
    found = 0
    while letters and found <= int(sys.argv[-1]):  # typst names one at a time
        sample = '#set document(title: "x")\\n#' + json.dumps("".join(letters), ensure_ascii=False)
        try:
            typst.compile(sample.encode(), format="pdf", pdf_standards=["ua-1"])
            break
        except typst.TypstError as error:
            named = str(error).partition('"')[2].partition('"')[0]
            unknown = [letter for letter in letters if named in (letter, "\\\\u{%x}" % ord(letter))]
            print(*unknown[:1] or letters, file=sys.stderr)
            found += 1
            letters = [letter for letter in letters if unknown and letter != unknown[0]]
sys.stdout.buffer.write(pdf)
"""
_PACKAGES = (
    (("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"), "fonts-noto-cjk"),
    (("ARABIC", "HEBREW", "DEVANAGARI", "THAI", "GEORGIAN", "ARMENIAN"), "fonts-noto-core"),
)
"""Packages of Debian with fonts, by the first word of a character's name."""
_MOST_LETTERS = 12
_LOG = logging.getLogger(__name__)


class TypesetError(RuntimeError):
    """The document could not be set; the message is typst's own."""


def typeset(template: str, data: Mapping[str, Any], files: Mapping[str, bytes]) -> bytes:
    """Set one document as tagged PDF (PDF/UA-1, if there are fonts for every character).

    Parameters
    ----------
    template
        Name of a template in the folder ``templates``.
    data
        Becomes ``data.json``: text in it is shown as it is, never run.
    files
        Further files that the template uses, by name.

    Raises
    ------
    TypesetError
        Typst failed, needed too long, or reached a limit of this session.
    """
    handed_over = {
        **files,
        **{path.name: path.read_bytes() for path in _TEMPLATES.glob("common*.typ")},
        "main.typ": (_TEMPLATES / template).read_bytes(),
        "data.json": json.dumps(data, allow_nan=False).encode(),
    }
    plain = {name: base64.b64encode(content).decode() for name, content in handed_over.items()}
    numbers = map(str, (os.getpid(), _LARGEST_MEMORY, TIME_LIMIT_S, _MOST_LETTERS))
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _CHILD, str(_LIMITING), *numbers],
            cwd=_TEMPLATES,
            input=json.dumps(plain).encode(),
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise TypesetError(f"typst could not be started ({error.strerror})") from error
    message = done.stderr.decode(errors="replace").strip()
    if done.returncode != 0:
        raise TypesetError(_why(done.returncode, message))
    letters = [each for each in message.split() if len(each) == 1]
    if letters:
        _LOG.warning(_without_font(letters))
    return done.stdout


def _without_font(letters: list[str]) -> str:
    """Say which characters are boxes, and which fonts have them."""
    listed = " ".join(letters[:_MOST_LETTERS])
    others = " and others" if len(letters) > _MOST_LETTERS else ""
    packages = dict.fromkeys(map(_package, letters))
    return (
        f"no font here has these characters, which are boxes in the report (not PDF/UA): {listed}"
        f"{others}; install fonts with them (Debian: "
        f"{', '.join(packages)}), then write the report again: headroom report FOLDER --only pdf"
    )


def _package(letter: str) -> str:
    script = unicodedata.name(letter, "").partition(" ")[0]
    if unicodedata.category(letter) == "So":
        return "fonts-noto-color-emoji"
    return next((package for scripts, package in _PACKAGES if script in scripts),
                "fonts-noto-extra")  # fmt: skip


def _why(status: int, message: str) -> str:
    """Return why typst ended: by a limit of the system, or with words of its own."""
    least = min(TIME_LIMIT_S, _limit_of("CPU"))
    if status == -signal.SIGXCPU:
        return f"typst took more than {least:g} s of processor time"
    last = message.splitlines()[-1] if message else f"status {status}"
    if "MemoryError" in message or status == -signal.SIGABRT or "allocat" in message:
        gibibytes = min(_LARGEST_MEMORY, _limit_of("AS")) / (1 << 30)
        return f"typst needs more memory or threads than it may have ({gibibytes:.3g} GiB): {last}"
    if status < 0:
        return f"typst was ended by signal {-status} ({signal.Signals(-status).name})"
    return f"typst failed: {last}"


def _limit_of(kind: str) -> float:
    """Return the limit of this process, as ``ulimit`` shows it; infinity without one."""
    soft = resource.getrlimit(getattr(resource, f"RLIMIT_{kind}"))[0]
    return math.inf if soft == resource.RLIM_INFINITY else soft

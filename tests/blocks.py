"""Code blocks of pages, run in the order of the page in one folder.

A block of ``python`` is executed; what it prints must be what its comments ``# prints: ...`` say.
If its first line is ``# name.py``, it is a file of that name too. Of a block of ``console`` each
command after ``$`` runs. It must end well, and print the lines that follow it; a line ``...`` is
any number of lines. A comment ``# exit status 2`` behind the command says that it must end so.
``cat FILE`` makes the file, if there is none.

``python -m tests.blocks PAGE ...`` runs pages and writes into them what their commands print now.

A comment in front of a block changes this: ``<!-- not run: REASON -->`` leaves it alone, and
``<!-- slow -->`` keeps it for ``make slow``.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.example_inputs import write_example_inputs
from tests.planner.cli.commands import ran, results
from tests.shared_data import SPECPOWER, TRACES

_BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>not run: [^>]+|slow) -->\n)?"
    r"^```(?P<kind>python|console)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_FIRST_LINES = 2
"""Of a command that a page shows with ``...`` alone."""
_FILE = re.compile(r"# (\w+\.py)\n")
_STATUS = re.compile(r"#.*exit status (\d+)")
_PRINTS = re.compile(r"^# prints: (.*)$", re.MULTILINE)


DATA_FILES = (TRACES / "SDSC-SP2.swf.gz", TRACES / "SDSC-BLUE.swf.gz", SPECPOWER)


def named_data(text: str) -> list[Path]:
    """Return the files of real data that a page names."""
    return [file for file in DATA_FILES if file.name in text]


@dataclass(frozen=True)
class Block:
    """One block of code.

    Attributes
    ----------
    line
        Of the page, at which it begins.
    kind
        ``python`` or ``console``.
    text
        Its lines.
    mark
        ``slow``, or why it is not run; empty for all others.
    """

    line: int
    kind: str
    text: str
    mark: str


def blocks(page: str) -> list[Block]:
    """The blocks of a page that may run."""
    return [
        Block(
            page.count("\n", 0, found.start()) + 1,
            found["kind"],
            found["text"],
            found["mark"] or "",
        )
        for found in _BLOCK.finditer(page)
    ]


def run_page(page: str, folder: Path, *, slow: bool = False) -> list[str]:
    """Run the blocks of a page in a folder, which is the working directory; give what is wrong."""
    names: dict[str, Any] = {"__name__": "page"}
    problems: list[str] = []
    for block in blocks(page):
        if block.mark.startswith("not run") or (block.mark == "slow" and not slow):
            continue
        run = _run_python if block.kind == "python" else _run_console
        problems += [f"line {block.line}: {problem}" for problem in run(block, folder, names)]
    return problems


def _run_python(block: Block, folder: Path, names: dict[str, Any]) -> Iterator[str]:
    named = _FILE.match(block.text)
    if named:
        (folder / named[1]).write_text(block.text, encoding="utf-8")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.text, f"block at line {block.line}", "exec"), names)
    expected = _PRINTS.findall(block.text)
    if expected and not matches(printed.getvalue().splitlines(), expected):
        yield f"prints {printed.getvalue()!r}, not {expected}"


def printed_now(page: str, folder: Path, *, slow: bool = True) -> str:
    """The page with what its commands print now; behind ``...`` nothing is changed."""
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page):
        if block.mark.startswith("not run") or (block.mark == "slow" and not slow):
            continue
        if block.kind == "python":
            list(_run_python(block, folder, names))
            continue
        for command, expected in commands(block.text):
            words = shlex.split(command, comments=True)
            if not words[0].endswith("headroom") or not expected:
                text = "\n".join([f"$ {command}", *expected, ""])
                list(_run_console(Block(block.line, "console", text, ""), folder, names))
                continue
            printed = "\n".join(line.rstrip() for line in ran(*words[1:]).output.splitlines())
            lines = printed.strip("\n").splitlines()
            if "..." in expected:
                head = expected.index("...") or min(_FIRST_LINES, len(lines))
                lines = [*lines[:head], *expected[expected.index("...") :]]
            old, new = ("\n".join(text) + "\n" for text in (expected, lines))
            page = page.replace(f"$ {command}\n{old}", f"$ {command}\n{new}")
    return page


def _run_console(block: Block, folder: Path, _names: dict[str, Any]) -> Iterator[str]:
    for command, expected in commands(block.text):
        words = shlex.split(command, comments=True)
        if words[0] == "cat":
            if not (folder / words[1]).exists():
                (folder / words[1]).write_text("\n".join(expected) + "\n", encoding="utf-8")
            output, status = (folder / words[1]).read_text(encoding="utf-8"), 0
        elif words[0].endswith("headroom"):
            done = ran(*words[1:])
            output, status = done.output, done.exit_code
        elif words[0] == "sed":
            done_by_shell = subprocess.run(
                words, cwd=folder, capture_output=True, text=True, check=False
            )
            output, status = done_by_shell.stdout, done_by_shell.returncode
        else:
            yield f"$ {command}: a test cannot run {words[0]!r}"
            continue
        wanted = _STATUS.search(command)
        if status != (int(wanted[1]) if wanted else 0):
            yield f"$ {command}: ends with status {status}: {output[-500:]}"
        elif expected and not matches(results(output).splitlines(), expected):
            yield f"$ {command}: prints\n{output}"


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a block of ``console``, each with the lines that it prints."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, printed = re.sub(r"\\\n\s*", "", part).partition("\n")
        yield command, printed.rstrip().splitlines() if printed.strip() else []


def matches(lines: list[str], expected: list[str]) -> bool:
    """Whether these are the lines expected, of which ``...`` stands for any number.

    Examples
    --------
    >>> matches(["a", "b", "c"], ["a", "..."]), matches(["a", "b", "c"], ["a", "c"])
    (True, False)
    """
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"\n"
        for line in expected
    )
    text = "".join(f"{line.rstrip()}\n" for line in lines).strip("\n") + "\n"
    return re.fullmatch(pattern, text) is not None


def main() -> None:
    """Write into each page of the command line what its commands print now."""
    for name in sys.argv[1:]:
        page = Path(name).absolute()
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            write_example_inputs(Path(folder))
            for file in named_data(page.read_text(encoding="utf-8")):
                shutil.copy(file, folder)
            page.write_text(printed_now(page.read_text("utf-8"), Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()

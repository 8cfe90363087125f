"""The command line as tests run it: no traceback, and answers as JSON."""

from __future__ import annotations

import json
import re
from typing import Any

from click.testing import CliRunner, Result

from planner.cli.main import main

_PROGRESS = re.compile(r"(\d+ s: |compiling ).*\n?")


def results(text: str) -> str:
    """What a command says without progress, which depends on how fast it is."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not _PROGRESS.fullmatch(line))


def ran(*words: str) -> Result:
    """What a command printed, and how it ended."""
    done = CliRunner().invoke(main, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "Traceback" not in done.output
    assert "internal error" not in done.output, done.output
    return done


def answered(*words: str) -> dict[str, Any]:
    """The JSON of a command that works."""
    done = ran(*words, "--json")
    assert done.exit_code == 0, done.output
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer

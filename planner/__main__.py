"""The command ``headroom``, also as ``python -m planner``: wraps the command line's edges."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import TextIO

INTERRUPTED = 130
TERMINATED = 143


def run() -> None:
    """Run the command line and leave with its status; no traceback reaches a user."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    signal.signal(signal.SIGTERM, _terminate)
    status = _status()
    for stream in (sys.stdout, sys.stderr):
        status = _flush(stream, status)
    sys.exit(status)


def _status() -> int:
    import click

    from planner.cli import main

    try:
        main.main(prog_name="headroom", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted; nothing was left half-written")
        return INTERRUPTED
    except BrokenPipeError:
        _silence(sys.stdout)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _say(f"{place}{error.strerror or error}")
        return 1
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 1
    return 0


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)  # unwinds, so that everything is cleaned up


def _flush(stream: TextIO, status: int) -> int:
    try:
        stream.flush()
    except BrokenPipeError:
        _silence(stream)
    except OSError as error:
        _silence(stream)
        _say(f"output could not be written: {error.strerror}")
        return status or 1
    return status


def _silence(stream: TextIO) -> None:
    """Let what is still buffered go nowhere, or the interpreter complains on its way out."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())


def _say(text: str) -> None:
    try:
        print(f"headroom: {text}", file=sys.stderr)  # noqa: T201 - the last word of the command
    except OSError:
        return


if __name__ == "__main__":
    run()

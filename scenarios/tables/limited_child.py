"""Readers of files that may be hostile, each in a process of its own with limits."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from scenarios.faults import Fault, ScenarioError
from scenarios.tables import spreadsheet_child
from scenarios.tables.cell_references import Limits


def ask(module: str, request: bytes, limits: Limits, shown: str) -> bytes:
    """Have the ``answer`` of a module answer in a limited process.

    Nothing that the process says on its own is shown.

    Raises
    ------
    ScenarioError
        It could not be started, took too long, or broke down.
    """
    program = Path(spreadsheet_child.__file__)
    arguments = (str(os.getpid()), module, json.dumps(dataclasses.asdict(limits)))
    try:
        started = subprocess.Popen(
            [sys.executable, "-P", str(program), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        message = f"cannot be read: no process could be started ({error.strerror}); try again"
        raise _error(shown, message) from error
    with started as child:
        try:
            out, _ = child.communicate(request, timeout=limits.time_s)
        except subprocess.TimeoutExpired:
            much = f"takes longer than {limits.time_s} s to read"
            raise _error(shown, f"{much}; copy the {limits.what} into a new file") from None
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
    if child.returncode != 0:
        message = f"crashes the reader of {limits.files}; copy the {limits.what} into a new"
        raise _error(shown, f"{message} {limits.files.removesuffix('s')}, or a .csv")
    return out


def _error(shown: str, message: str) -> ScenarioError:
    return ScenarioError([Fault(shown, 0, "", message)])

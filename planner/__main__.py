"""The command ``headroom``, also as ``python -m planner``: wraps the command line's edges."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import TextIO, cast

from planner.cli.seconds import SECONDS
from planner.errors import internal_error_text, shows_traceback
from planner.shadowing import hidden_library, hidden_package
from planner.terminal import Shown

FAILED, WRONG_INPUT = 1, 2
SIGNALLED = 128
INTERRUPTED = 130
CUT_OFF = SIGNALLED + signal.SIGPIPE
"""As the shell reports a program that wrote to a reader who had gone."""

_SIGNALLED: list[int] = []
"""Statuses of the signals so far: pydantic makes errors of its own that lose what they wrap."""


def run() -> None:
    """Run the command line and leave with its status; no traceback reaches a user."""
    SECONDS.begin("start")
    for library in ("OPENBLAS", "MKL", "OMP"):  # before any of them is loaded: solvers/dense.py
        os.environ[f"{library}_NUM_THREADS"] = "1"
    try:
        signal.signal(signal.SIGTERM, _terminate)
        signal.signal(signal.SIGHUP, _terminate)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _interrupt)
        sys.unraisablehook = _raise_again
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(encoding="utf-8", errors="backslashreplace")
        sys.stdout, sys.stderr = shown(sys.stdout), shown(sys.stderr)
        status = guarded()
        for stream in (sys.stdout, sys.stderr):
            status = _flush(stream, status)
    except KeyboardInterrupt:  # so early or late that nothing was at work
        status = INTERRUPTED
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)  # the rest is tidying up
    if status > SIGNALLED:
        _leave_at_once(status)
    sys.exit(status)


def _leave_at_once(status: int) -> None:
    """After an interrupt: end the solver, and skip finalisers of work cut off in the middle."""
    client = sys.modules.get("solvers.process.client")
    worker = getattr(client, "WORKER", None)
    if worker is not None:
        worker.close()
    os._exit(status)


def shown(stream: TextIO | None) -> TextIO:
    """Return the stream for text from anywhere; ``None`` where the parent process closed it."""
    return cast("TextIO", None if stream is None else Shown(stream))


def guarded() -> int:
    """Return the status, also where a file of the user hides a module that is needed."""
    if hidden := hidden_package():
        _say(hidden)
        return WRONG_INPUT
    try:
        return _status()
    except BrokenPipeError:  # while an error was reported
        return CUT_OFF
    except Exception as error:
        hidden = _hidden_library() if isinstance(error, ImportError | AttributeError) else ""
        if hidden:
            _say(hidden)
            return WRONG_INPUT
        if shows_traceback():
            raise
        _say(internal_error_text(error))
        return FAILED


def _hidden_library() -> str:
    try:
        return hidden_library()
    except Exception:  # looking for the cause of an error must not become another one
        return ""


def _status() -> int:
    import click

    from planner.cli.edges import InternalError
    from planner.cli.main import main

    try:
        status = main.main(prog_name="headroom", standalone_mode=False)
    except click.ClickException as error:
        stopped = _stopped_by(error) if isinstance(error, InternalError) else 0
        if not stopped:
            error.show()
        return stopped or error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        if isinstance(error.__cause__, EOFError):  # click makes one error of both
            _say(f"a file ends too early ({error.__cause__}); is it damaged, or still written?")
            return 1
        _say("interrupted; nothing was left half-written")
        return INTERRUPTED
    except BrokenPipeError:
        return _cut_off()
    except OSError as error:
        names = [str(name) for name in (error.filename, error.filename2) if name]
        _say(": ".join([*names[-1:], error.strerror or str(error)]))
        if not names:  # the output could not be written: its buffer would fail again
            _silence(sys.stdout)
        return 1
    except SystemExit as leave:
        cut_off = (
            isinstance(leave.__context__, BrokenPipeError) or _broken()
        )  # as rich and click do
        return _cut_off() if cut_off else leave.code if isinstance(leave.code, int) else 1
    except Exception as error:
        stopped = _stopped_by(error)
        if not stopped:
            raise
        return stopped
    return status if isinstance(status, int) else 0  # click hands the status of Exit over


def _broken() -> bool:
    return any(getattr(stream, "broken", False) for stream in (sys.stdout, sys.stderr))


def _cut_off() -> int:
    _silence(sys.stdout)
    return CUT_OFF


def _stopped_by(error: BaseException) -> int:
    """The status of the signal behind an error; 0 if none."""
    return _interrupt_behind(error) or max(_SIGNALLED, default=0)


def _interrupt_behind(error: BaseException | None) -> int:
    """The status of an interrupt that a library wrapped in an error of its own; 0 if none."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return INTERRUPTED
        if isinstance(error, SystemExit) and isinstance(error.code, int):
            return error.code
        error = error.__cause__ or error.__context__
    return 0


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    _SIGNALLED.append(INTERRUPTED)
    raise KeyboardInterrupt


def _terminate(number: int, _frame: FrameType | None) -> None:
    _SIGNALLED.append(SIGNALLED + number)
    raise SystemExit(SIGNALLED + number)  # unwinds, so that everything is cleaned up


def _raise_again(lost: sys.UnraisableHookArgs) -> None:
    """Raise an interrupt once more that fell into a finaliser, where Python drops exceptions."""
    stop = lost.exc_value
    if not isinstance(stop, KeyboardInterrupt | SystemExit):
        sys.__unraisablehook__(lost)
        return

    def again(_signal: int, _frame: FrameType | None) -> None:
        raise stop

    signal.signal(signal.SIGALRM, again)
    signal.setitimer(signal.ITIMER_REAL, 0.01)


def _flush(stream: TextIO | None, status: int) -> int:
    if stream is None:  # closed by the parent process
        return status
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

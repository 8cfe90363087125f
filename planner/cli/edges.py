"""What every command of the command line shares: errors, progress, tables."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from planner.cli.seconds import SECONDS
from planner.errors import InputError
from planner.terminal import shown, unfiltered

if TYPE_CHECKING:
    from pathlib import Path


SECONDS_BETWEEN_LINES: float = 10
"""Least time from one line of progress to the next."""
DONE, NO_ANSWER, WRONG_INPUT = 0, 1, 2


def json_text(plain: Mapping[str, Any]) -> str:
    """Return one JSON object."""
    import json

    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False)


class Failure(click.ClickException):
    """An expected failure: its message, without click's "Error:" before many lines."""

    exit_code = NO_ANSWER

    def show(self, file: Any = None) -> None:
        """Print the message to stderr."""
        click.echo(self.message, file=file or sys.stderr)


class WrongInput(Failure):
    """What is given must change."""

    exit_code = WRONG_INPUT


class InternalError(Failure):
    """A failure that nobody expected: one line that says what failed and how to report it."""


_LATER = "headroom.later"


def fail_later(error: Failure) -> None:
    """Fail when the answer has been printed: what could not be written costs nobody the answer."""
    context = click.get_current_context(silent=True)
    if context is None:
        raise error
    context.meta.setdefault(_LATER, []).append(error)


def failures_so_far() -> list[Failure]:
    """Return what :func:`fail_later` was called with in this command."""
    context = click.get_current_context(silent=True)
    return [] if context is None else context.meta.get(_LATER, [])


@contextmanager
def costing_no_answer() -> Iterator[None]:
    """Let what cannot be written fail when the answer has been printed."""
    try:
        yield
    except InputError as error:
        fail_later(WrongInput(str(error)))


@contextmanager
def explained() -> Iterator[None]:
    """Turn every failure into a message and an exit status.

    What is left to :mod:`planner.__main__` has no better words here: errors of the system, the
    reader of a pipe that left, and modules that a file of the user hides.
    """
    from planner.errors import InputError, PlanError, internal_error_text, shows_traceback
    from scenarios.faults import ScenarioError, readable

    try:
        yield
    except click.UsageError as error:
        raise click.UsageError(readable(error.format_message()), error.ctx) from None
    except ScenarioError as error:
        raise WrongInput(str(error)) from None
    except InputError as error:
        raise WrongInput(str(error)) from None
    except PlanError as error:
        raise Failure(f"no plan: {error}") from None
    except (click.ClickException, click.Abort, click.exceptions.Exit):
        raise
    except (OSError, EOFError, ImportError, AttributeError):
        raise
    except MemoryError:
        raise Failure("failed: the memory does not suffice; give more, or decide less") from None
    except Exception as error:
        if _is_explained(error):
            raise Failure(f"failed: {error}") from None
        if shows_traceback():
            raise
        raise InternalError(f"headroom: {internal_error_text(error)}") from error


def _is_explained(error: Exception) -> bool:
    """Whether the error itself says what failed, in words for the user."""
    from reports.publish import IncompleteReportError
    from solvers.process.client import SolverError

    return isinstance(error, IncompleteReportError | SolverError)


def refuse_unwritable_folder(
    folder: Path, name: str, inputs: Iterable[str | os.PathLike[str]] = (), *, page: bool = False
) -> None:
    """Ask before solving whether the results can be kept, and replace nothing but results.

    ``page``: there will be a page for a browser, too.
    """
    from reports.output_folder import InTheWayError, refuse_foreign, refuse_unwritable
    from reports.output_names import PAGE

    try:
        refuse_unwritable(folder, name, inputs)
        if page:
            refuse_foreign(folder, (PAGE,), inputs)
    except OSError as error:
        remedy = (
            "move it away, add --force, or give" if isinstance(error, InTheWayError) else "give"
        )
        reason = f"{error.filename}: {error.strerror}; {remedy} another folder with -o"
        raise WrongInput(f"headroom: {reason}") from None


def refuse_folder_of_other_scenario(folder: Path, paths: Sequence[str]) -> None:
    """Ask before solving whether the default folder holds results of another scenario."""
    from reports.output_folder import InTheWayError, refuse_other_scenario

    try:
        refuse_other_scenario(folder, paths)
    except InTheWayError as error:
        raise WrongInput(f"headroom: {error.filename} {error.strerror}") from None


def is_result(path: Path, out: Path) -> bool:
    """Return whether this is the name of a file that a report in a folder has."""
    from reports.output_names import LIST_FILE, RUN_FILE, can_be_ours

    name = os.path.relpath(os.path.realpath(path), os.path.realpath(out))
    return can_be_ours(name) or name in (RUN_FILE, LIST_FILE)


def refuse_unwritable_file(path: str | Path, opening: bytes | tuple[bytes, ...] = b"") -> None:
    """Ask before solving whether a file can be written.

    Parameters
    ----------
    opening
        How every file of this kind begins: one that begins otherwise must not be replaced.

    Raises
    ------
    InputError
        It cannot.
    """
    from pathlib import Path

    from scenarios.writing import refuse_unwritable

    try:
        refuse_unwritable(Path(path), opening)
    except OSError as error:
        message = f"{path} cannot be written ({error.strerror}); give another file"
        raise InputError(message) from None


@contextmanager
def progress(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Name the current part on stderr: a spinner on a terminal, elsewhere a line now and then.

    A total is not given: how many parts there are is known at their end only.
    """
    with _shown_progress(quiet=quiet) as say:

        def begin(part: str) -> None:
            SECONDS.begin(part)
            say(part)

        yield begin


@contextmanager
def _shown_progress(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    if quiet:
        yield lambda _: None
    elif not sys.stderr.isatty():
        yield _lines()
    else:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
        )
        console = Console(file=unfiltered(sys.stderr))
        with Progress(*columns, console=console, transient=True) as spinner:
            task = spinner.add_task("", total=None)
            yield lambda part: spinner.update(task, description=part)


def _lines() -> Callable[[str], None]:
    """Print a plain line for a part, but none within ten seconds of the last one or the start."""
    began = last = time.monotonic()

    def say(part: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= SECONDS_BETWEEN_LINES:
            click.echo(f"{now - began:.0f} s: {part}", err=True)
            last = now

    return say


@contextmanager
def counted_progress(words: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show how many are done, of how many, on stderr: a bar on a terminal, else lines."""
    if quiet:
        yield lambda _done, _of: None
        return
    if not sys.stderr.isatty():
        say = _lines()
        yield lambda done, of: say(f"{words}, {done:,} of {of:,}")
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (words, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(file=unfiltered(sys.stderr))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(words, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def table_of(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table: names and numbers stay whole, headings and long cells may break."""
    from reports.writers.terminal import table_text

    cells = [[shown(cell) for cell in row] for row in rows]
    return table_text([shown(name) for name in headings], cells, terminal_width())


def terminal_width() -> int | None:
    """Letters of a line of the terminal; ``None`` where the output is none."""
    from rich.console import Console

    return Console().width if sys.stdout.isatty() else None

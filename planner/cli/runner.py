"""What every command does that answers with a study: folder, inputs, terminal or JSON, errors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from planner.cli.answer import tell
from planner.cli.edges import (
    Failure,
    fail_later,
    progress,
    refuse_unwritable_folder,
    terminal_width,
)
from planner.cli.files import read_files
from planner.cli.options import OutputOptions
from planner.cli.seconds import SECONDS

if TYPE_CHECKING:
    from planner.answer import Answer


class StudyOptions(Protocol):
    """The options of a command that answers with a study."""

    @property
    def output(self) -> OutputOptions:
        """Where the answer goes."""


@dataclass(frozen=True)
class Run:
    """A run of a command, of which :func:`start` has begun the work.

    Attributes
    ----------
    output
        Where the answer goes.
    inputs
        Files that must stay.
    """

    output: OutputOptions
    inputs: tuple[Path, ...]

    def finish(self, answer: Answer, lines: Iterable[str] = ()) -> None:
        """Write the folder, if there is one, and print the answer.

        What cannot be written is an error once the answer has been printed.

        Parameters
        ----------
        lines
            What was written besides, to be printed behind the answer.
        """
        from reports.show import show_studies  # the help of a command need not wait for it

        show_studies()
        written = self._written(answer, self.output.out) if self.output.out else ()
        tell(self.output, answer.to_dict, lambda: (_shown(answer), *lines, *written))

    def _written(self, answer: Answer, out: str) -> tuple[str, ...]:
        """Write the folder; the line that names the report."""
        from reports.folder import USUAL, write_study
        from reports.publish import IncompleteReportError
        from reports.texts import Texts

        seconds = SECONDS.closed()
        try:
            with progress(quiet=self.output.quiet) as say:
                written = write_study(
                    answer.study, out, formats=(*USUAL, *(("html",) if self.output.html else ())),
                    further=answer.further_files(), seconds=seconds, solves=answer.solve_times(),
                    scenario=answer.scenario_paths(), inputs=self.inputs, progress=say, aside=True,
                )  # fmt: skip
            return (f"\n{Texts(answer.study).label('report')}: {written.report}",)
        except IncompleteReportError as error:
            fail_later(Failure(f"failed: {error}"))
        except BrokenPipeError:
            raise
        except OSError as error:
            name = f"{error.filename}: " if error.filename else ""
            fail_later(Failure(f"headroom: {name}{error.strerror or error}"))
        return ()


def start(name: str, options: StudyOptions, inputs: Iterable[str] | None = None) -> Run:
    """Begin the work of a command, if its folder can take the results.

    Parameters
    ----------
    name
        The name of the command.
    inputs
        Files that must stay; by default those that the options name.

    Raises
    ------
    WrongInput
        The folder cannot be written, or a result would replace a file that must stay.
    """
    output = options.output
    files = read_files(options) if inputs is None else tuple(map(Path, inputs))
    if output.out:
        refuse_unwritable_folder(Path(output.out), name, files, page=output.html)
    SECONDS.begin("reading")
    return Run(output, files)


def _shown(answer: Answer) -> str:
    from reports.writers.terminal import terminal

    return terminal(answer.study, terminal_width())

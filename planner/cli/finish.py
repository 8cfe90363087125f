"""How a command ends whose answer has a study: folder, terminal or JSON, exit status."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from planner.cli.answer import tell
from planner.cli.edges import Failure, fail_later, progress, terminal_width
from planner.cli.options import OutputOptions
from planner.cli.typed import option

if TYPE_CHECKING:
    from planner.answer import Answer


def html_option() -> Any:
    """Whether a page is written for a browser."""
    return option(
        "--html", is_flag=True, recorded=False, help="Write report.html, too, for a browser."
    )


@dataclass(frozen=True, kw_only=True)
class StudyOutputOptions(OutputOptions):
    """Where the report goes, in which formats, and what is printed."""

    html: bool = html_option()


def finish(
    answer: Answer,
    output: StudyOutputOptions,
    *,
    began: float,
    inputs: Iterable[str | os.PathLike[str]],
    lines: tuple[str, ...] = (),
) -> None:
    """Write the folder, if there is one, and print the answer.

    What cannot be written is an error once the answer has been printed.

    Parameters
    ----------
    began
        When the work began (:func:`time.perf_counter`).
    inputs
        Files that must stay.
    lines
        What was written besides, to be printed behind the answer.
    """
    from reports.show import show_studies  # the help of a command need not wait for it

    show_studies()
    if output.out:
        from reports.folder import USUAL, write_study
        from reports.publish import IncompleteReportError
        from reports.texts import Texts

        found_s = time.perf_counter() - began
        try:
            with progress(quiet=output.quiet) as say:
                written = write_study(
                    answer.study, output.out, formats=(*USUAL, *(("html",) if output.html else ())),
                    further=answer.further_files(), found_s=found_s, solves=answer.solve_times(),
                    scenario=answer.scenario_paths(), inputs=tuple(inputs), progress=say,
                    aside=True,
                )  # fmt: skip
            label = Texts(answer.study).label("report")
            lines += (f"\n{label}: {written.report}",)
        except IncompleteReportError as error:
            fail_later(Failure(f"failed: {error}"))
        except BrokenPipeError:
            raise
        except OSError as error:
            name = f"{error.filename}: " if error.filename else ""
            fail_later(Failure(f"headroom: {name}{error.strerror or error}"))
    tell(answer, _show, lines, output)


def _show(answer: Answer) -> None:
    from reports.writers.terminal import terminal

    click.echo(terminal(answer.study, terminal_width()))

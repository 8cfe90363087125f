"""The command ``headroom share``: one configuration per job, nodes and watts shared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from planner.cli.choices import in_any_capitals
from planner.cli.edges import progress
from planner.cli.idle_options import refuse_idle
from planner.cli.options import (
    GUARD,
    OutputOptions,
    bound_option,
    goal_of,
    goal_option,
    seed_option,
    time_limit_option,
    workers_option,
)
from planner.cli.own_parts import heuristic_option, heuristic_words
from planner.cli.quantities import Share
from planner.cli.reading import ReadingOptions, repetition_option
from planner.cli.runner import start
from planner.cli.typed import argument, command, group, option
from planner.cli.vary import refuse_sweep_options
from planner.cli.vary_options import OptionSweepOptions, swept_options
from planner.cli.written_model import model_written, refuse_model_file, write_model_option

if TYPE_CHECKING:
    from planner.configurations.sharing.own import SharingHeuristic
    from planner.configurations.sharing.problem import Goal, SharedJob, SharingProblem
    from planner.configurations.sharing.study import SharingStudy
    from planner.configurations.table import Repetition
    from planner.formulations.model_files import NamedModel
    from scenarios.measurements.runs import Measurements


@dataclass(frozen=True, kw_only=True)
class ShareOptions:
    """Options of ``headroom share``."""

    given: frozenset[str]
    file: str = argument(type=click.Path())
    bound_w: float = bound_option("jobs")
    nodes: int = option(type=click.IntRange(1, 10**9), required=True, help="Nodes of the machine.")
    jobs: tuple[str, ...] = option(
        "--job",
        listed=True,
        metavar="APPLICATION[=WEIGHT]",
        help="A job; may be repeated. By default one job of each application in FILE.",
    )
    goal: str = goal_option(
        help="What to minimise. Weighted time: the sum of the jobs' times, each multiplied by its "
        "weight. Makespan: the time until the last job ends."
    )
    method: str = option(
        type=click.Choice(["lagrangian", "highs", "cbc", "both", "reference", "reference-highs"]),
        default="lagrangian",
        help="lagrangian is built in; highs, cbc and both use solvers; reference and "
        "reference-highs solve the documented PuLP model.",
    )
    heuristics: tuple[str, ...] = heuristic_option("sharing heuristic")
    repetition: Repetition = repetition_option()
    sockets: int = option(
        type=click.IntRange(1, 64),
        default=2,
        help="Sockets of a node, to show the power per socket.",
    )
    guard: float = option(
        type=GUARD, default=0.0, help="Share of the bound to keep free, as in 5%."
    )
    gap: float = option(
        type=Share(),
        default=1e-6,
        help="Relative gap at which the search stops, as in 1e-4 or 0.01%.",
    )
    time_limit: float | None = time_limit_option()
    seed: int = seed_option()
    write_model: str | None = write_model_option()
    reading: ReadingOptions = group(ReadingOptions)
    sweep: OptionSweepOptions = group(OptionSweepOptions)
    workers: int = workers_option(help="Number of processes of --vary.")
    output: OutputOptions = group(OutputOptions)


@command(ShareOptions)
def share(options: ShareOptions) -> None:
    """Share nodes and watts among jobs that run at once.

    FILE holds measured runs, as for `headroom configure`. Each job runs in one of the
    configurations that were measured for its application.
    """
    from planner.configurations.sharing.own import HEURISTIC
    from planner.parts import own_part

    if options.sweep.vary:
        refuse_idle(options.given, "a sweep", _NOT_SWEPT)
        swept_options("share", options, options.file, _answering)
        return
    refuse_sweep_options(options.given)
    table = options.reading.read(options.file)
    problem = _problem(table, options)
    heuristics = [own_part(text, HEURISTIC) for text in options.heuristics]
    run = start("share", options)
    refuse_model_file(options.write_model, run)
    lines = model_written(options.write_model, lambda: _model(problem, goal_of(options.goal)))
    with progress(quiet=options.output.quiet) as say:
        say("sharing (the first run on a machine compiles for some seconds)")
        result = _shared(table, problem, options, heuristics)
    run.finish(result, lines)


_NOT_SWEPT = dict.fromkeys(("--heuristic", "--write-model", "--html"), ("one plan",))


def _answering(options: ShareOptions) -> Callable[[ShareOptions], SharingStudy]:
    """Read the runs once for all cases of a sweep."""
    table = options.reading.read(options.file)
    _problem(table, options)
    return partial(_case, table)


def _case(table: Measurements, options: ShareOptions) -> SharingStudy:
    return _shared(table, _problem(table, options), options)


def _problem(table: Measurements, options: ShareOptions) -> SharingProblem:
    from planner.configurations.selection import Bound
    from planner.configurations.sharing.problem import SharingProblem

    bound = Bound(options.bound_w, options.guard / 100)
    return SharingProblem(_jobs(table, options.jobs, options.repetition), bound, options.nodes)


def _shared(
    table: Measurements,
    problem: SharingProblem,
    options: ShareOptions,
    heuristics: Sequence[SharingHeuristic] = (),
) -> SharingStudy:
    from planner.configurations.sharing.study import SharingSettings, study

    how = SharingSettings(
        goal_of(options.goal),
        options.method,
        options.gap,
        options.time_limit,
        options.seed,
        options.repetition,
        options.sockets,
    )
    reading = options.reading.words() + heuristic_words(options.heuristics)
    return study(table, problem, how, reading=reading, heuristics=heuristics)


def _model(problem: SharingProblem, goal: Goal) -> NamedModel:
    from planner.formulations.legends import of_sharing
    from planner.formulations.model_files import NamedModel
    from planner.formulations.sharing import formulate

    return NamedModel(lambda: formulate(problem, goal)[0], of_sharing(problem, goal))


def _jobs(
    table: Measurements, texts: tuple[str, ...], repetition: Repetition
) -> tuple[SharedJob, ...]:
    from planner.cli.values import weighted
    from planner.configurations.applications import check_applications
    from planner.configurations.sharing.problem import SharedJob
    from planner.configurations.table import table_of

    tables = {name: table_of(runs, repetition) for name, runs in table.runs.items()}
    jobs = []
    for text in texts:
        given, weight = weighted(text, tables, "--job", needed=False)
        name = in_any_capitals(given, tables)
        check_applications(table, [name])
        jobs.append(SharedJob(name, tables[name], weight))
    return tuple(jobs) or tuple(SharedJob(name, measured) for name, measured in tables.items())

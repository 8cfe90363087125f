"""The command ``headroom aggregate``: how many MPI ranks to put on a node."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.answer import Message, Printing
from planner.cli.edges import WrongInput, costing_no_answer, counted_progress
from planner.cli.methods import (
    method_option,
    reference_solver_option,
    refuse_idle_solver,
)
from planner.cli.options import OutputOptions, seed_option
from planner.cli.quantities import Factor
from planner.cli.rank_files import (
    host_option,
    rank_file_form_option,
    rank_file_option,
    rank_file_written,
    refuse_targets,
)
from planner.cli.runner import start
from planner.cli.typed import WrittenPath, argument, command, group, option
from planner.cli.values import words_of
from planner.cli.written_model import model_written, write_model_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from planner.aggregation.aggregate import AggregationStudy
    from planner.aggregation.grouping import Objective
    from planner.aggregation.methods import Choose
    from planner.aggregation.result import AggregationSettings
    from planner.formulations.model_files import NamedModel
    from planner.placement.rank_files import FileForm

CODES = ("lu", "bt", "sp", "ft", "cg", "mg")
LAWS = ("saturating", "cliff", "queue")
"""Contention laws of the simulated node; predictions are worst for the first one."""

GROUPINGS = ("order", "kl", "multilevel", "dynamic", "portfolio")
HEURISTICS = ("packed", "one")
"""Names of :data:`planner.aggregation.methods.HEURISTICS`, which is slow to import."""
_TASKS = 16


@dataclass(frozen=True, kw_only=True)
class AggregateOptions:
    """The options of ``headroom aggregate``."""

    given: frozenset[str]
    source: str | None = argument(required=False)
    law: str | None = option(
        type=click.Choice(LAWS),
        help=f"How ranks slow each other on the simulated node.  [default: {LAWS[0]}]",
    )
    tasks: int | None = option(
        "--ranks",
        type=click.IntRange(4, 128),
        help=f"Number of ranks on the simulated node, a power of two.  [default: {_TASKS}]",
    )
    seed: int = seed_option(help="Seed of the simulated node and of the grouping.")
    threshold: float = option(
        type=Factor(),
        metavar="SHARE",
        default=0.05,
        help="Tolerated slowdown against one rank per node, as a fraction: 0.05 for 5 %.",
    )
    choose: Choose = option(
        type=click.Choice(["rank", "joules"]),
        default="rank",
        help="Fewest nodes, sockets and dies; or least predicted energy.",
    )
    method: str = method_option(HEURISTICS, "the engine, which sorts all patterns")
    solver: str = reference_solver_option()
    baseline: str = option(
        default="packed",
        metavar="packed|one|PATTERN",
        help="Baseline of energy and time: most ranks per node, one rank per node, or a pattern's "
        "number.",
    )
    tried: tuple[str, ...] = option(
        multiple=True,
        metavar="PATTERN=SECONDS[,JOULES]",
        help="A run of the whole program: its pattern, its seconds with all iterations, and the "
        "joules of its nodes. It corrects the predictions. Repeat it for more runs.",
    )
    grouping: str = option(
        type=click.Choice(GROUPINGS),
        default="kl",
        help="How ranks are grouped: rank order, Kernighan-Lin, ...",
    )
    objective: Objective = option(
        type=click.Choice(["paper", "signed", "loaded"]),
        default="paper",
        help="Weights for grouping: the published cost, time lost by a lone "
        "message (signed), or under "
        "load (loaded).",
    )
    patterns: str | None = option(
        metavar="PxDxC",
        help="List the patterns of a node (sockets x dies x cores) for measuring, and stop.",
    )
    rank_file: str | None = rank_file_option(help="File for a launcher, of the chosen groups.")
    rank_file_form: FileForm = rank_file_form_option()
    hosts: tuple[str, ...] = host_option()
    write_measurements: str | None = option(
        type=WrittenPath(),
        metavar="DIR",
        help="Write the measurements of the simulated node as files, and stop.",
    )
    write_model: str | None = write_model_option()
    output: OutputOptions = group(OutputOptions)


@command(AggregateOptions)
def aggregate(options: AggregateOptions) -> None:
    """Choose how many MPI ranks share a node, for least energy and little slowdown.

    SOURCE is a folder of measurements (docs/aggregation.md describes its files), or a code that
    runs on a simulated node: lu, bt, sp, ft, cg, mg.
    """
    output = options.output
    from planner.aggregation.result import AggregationSettings
    from planner.aggregation.tried import read_tried

    if options.patterns is not None:
        from planner.cli.aggregate_patterns import show_patterns

        if options.source is not None:
            raise click.UsageError("--patterns takes no SOURCE; omit SOURCE")
        show_patterns(options.patterns, output)
        return
    refuse_idle_solver(options.method, options.given)
    source = _checked(options)
    run = start("aggregate", options)
    refuse_targets(options.rank_file, options.rank_file_form, options.write_model, run)
    question = AggregationSettings(
        threshold=options.threshold,
        grouping=options.grouping,
        objective=options.objective,
        choose=options.choose,
        seed=options.seed,
        baseline=options.baseline,
        method=options.method,
        solver=options.solver,
        tried=[read_tried(text) for text in options.tried],
    )
    law, tasks = options.law or LAWS[0], options.tasks or _TASKS
    named = replace(options, source=Path(source).resolve().name, hosts=())
    if options.write_measurements is not None:
        _write(source, law, tasks, options.seed, options.write_measurements, output)
        return
    # The first time on a machine, compiling takes some seconds.
    with counted_progress("patterns predicted", quiet=output.quiet) as count:
        study = _study(source, law, tasks, question, words_of("aggregate", named), count)
    lines: tuple[str, ...] = ()
    with costing_no_answer():
        lines = model_written(options.write_model, lambda: _model(study))
    if options.rank_file is not None:
        from planner.aggregation.used_cores import ranks

        layout = ranks(study, options.hosts or None)
        with costing_no_answer():
            lines += rank_file_written(layout, options.rank_file, options.rank_file_form)
    run.finish(study, lines)


def _checked(options: AggregateOptions) -> str:
    """Return the source, if the options go together."""
    source = options.source
    if source is None:
        raise click.UsageError(
            "SOURCE is missing; give a folder of measurements, a code, or --patterns"
        )
    if options.hosts and options.rank_file is None:
        raise click.UsageError("--host needs --write-rank-file; give it, or omit --host")
    if options.write_measurements is not None and options.write_model is not None:
        raise click.UsageError(
            "--write-measurements and --write-model exclude each other; give one"
        )
    simulated_only = options.law or options.tasks or options.write_measurements
    if source not in CODES and simulated_only:
        raise click.UsageError(
            f"--law, --ranks and --write-measurements apply to simulated codes only "
            f"({', '.join(CODES)}), not to {source}"
        )
    if source not in CODES and not Path(source).exists():
        raise WrongInput(f"{source}: {_unknown(source)}")
    return source


def _unknown(source: str) -> str:
    if "/" in source or "." in source:
        return "does not exist; give a folder of measurements"
    return (
        "is neither a folder nor a simulated code; give a folder of "
        f"measurements, or {', '.join(CODES[:-1])} or {CODES[-1]}"
    )


def _study(
    source: str,
    law: str,
    tasks: int,
    settings: AggregationSettings,
    command: tuple[str, ...],
    count: Callable[[int, int], None],
) -> AggregationStudy:
    from planner.aggregation.aggregate import aggregate as aggregated

    if source not in CODES:
        from planner.aggregation.measurement_check import lacking
        from scenarios.aggregation import read_measurements

        further = partial(lacking, metered=settings.choose == "joules")
        measured = read_measurements(source, further)
        return aggregated(measured, settings, command=command, progress=count)
    from planner.aggregation.measured import gathered
    from planner.aggregation.truths import true_runs
    from scenarios.simulated.aggregation import load_hardware

    hardware = load_hardware()
    return aggregated(
        gathered(hardware, law, source, tasks, settings.seed),
        settings,
        true=lambda predictor: true_runs(
            hardware,
            law,
            source,
            tasks,
            settings.seed,
            predictor,
            progress=lambda done, of: count(of + done, 2 * of),
        ),
        command=command,
        progress=lambda done, of: count(done, 2 * of),
    )


def _model(study: AggregationStudy) -> NamedModel:
    from planner.formulations.aggregation import formulate
    from planner.formulations.legends import of_aggregation
    from planner.formulations.model_files import NamedModel

    settings, every = study.settings, study.eligible
    legend = of_aggregation(every, joules=settings.choose == "joules")
    return NamedModel(lambda: formulate(every, settings.threshold, settings.choose)[0], legend)


def _write(source: str, law: str, tasks: int, seed: int, folder: str, printing: Printing) -> None:
    from planner.aggregation.measured import gathered
    from scenarios.aggregation import write_measurements
    from scenarios.simulated.aggregation import load_hardware

    measured = gathered(load_hardware(), law, source, tasks, seed)
    try:
        written = [str(path) for path in write_measurements(measured, folder)]
    except OSError as error:
        where = f"{error.filename}: {error.strerror}"
        raise WrongInput(f"headroom: {where}; give another folder") from None
    lines = (
        *(f"Wrote {path}" for path in written),
        f"Simulated, not measured: {measured.source}.",
        f"Next step: headroom aggregate {folder}",
    )
    Message({"source": measured.source, "written": written}, further=lines).tell(printing)

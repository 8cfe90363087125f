"""The command ``headroom aggregate``: how many MPI tasks to put on a node."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli.aggregate_text import show
from planner.cli.answer import tell, write_report
from planner.cli.edges import (
    WrongInput,
    counted_progress,
    explained,
    json_option,
    json_text,
    progress,
    refuse_unwritable_folder,
)
from planner.cli.files import read_files, refuse_target
from planner.cli.options import option, out_option, quiet_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from planner.aggregation.aggregate import AggregationStudy
    from planner.aggregation.result import Asked
    from planner.placement.rank_files import FileForm

CODES = ("lu", "bt", "sp", "ft", "cg", "mg")
LAWS = ("saturating", "cliff", "queue")
"""Of the simulated node; the first is the one that predictions are worst for."""

GROUPINGS = ("order", "kl", "multilevel", "dynamic", "portfolio")
FORMS = ("openmpi-4", "openmpi-5", "slurm", "mpich", "csv", "json")
_TASKS = 16


@click.command()
@click.argument("source", required=False)
@option(
    "--law",
    type=click.Choice(LAWS),
    help=f"How tasks slow each other on the simulated node; by default {LAWS[0]}.",
)
@option(
    "--tasks",
    type=click.IntRange(4, 128),
    help=f"Number of tasks of the code on the simulated node, a power of two; by default {_TASKS}.",
)
@option("--seed", type=click.IntRange(0, 2**31 - 1), default=0,
        help="Seed of the simulated node and of the starts of the grouping.")  # fmt: skip
@option(
    "--threshold",
    type=float,
    default=0.05,
    help="Tolerated slowdown against one task per node, as a fraction: 0.05 for 5 %.",
)
@option("--choose", type=click.Choice(["rank", "joules"]), default="rank",
        help="Fewest nodes, processors and dies; or least predicted energy.")  # fmt: skip
@option("--baseline", default="packed", metavar="packed|one|PATTERN",
        help="What energy and time are compared with: most tasks on a node, one task per "
        "node, or a pattern's number.")  # fmt: skip
@option("--grouping", type=click.Choice(GROUPINGS), default="kl",
        help="Which tasks share a node: rank order, Kernighan-Lin, ...")  # fmt: skip
@option(
    "--objective",
    type=click.Choice(["paper", "signed", "loaded"]),
    default="paper",
    help="What a grouping weighs: the paper's cost; time lost by a lone message between nodes; "
    "the same while all others send.",
)
@option("--one-model", is_flag=True, help="One model of IPC instead of one for each class.")
@option("--patterns", metavar="PxDxC", help="List the patterns of a node of so many "
        "processors, dies of each and cores of each, for measuring, and stop.")  # fmt: skip
@option("--rank-file", type=click.Path(), help="File for a launcher, of the chosen groups.")
@option(
    "--rank-file-form", type=click.Choice(FORMS), default="openmpi-5", help="Format of --rank-file."
)
@option("--host", "hosts", multiple=True, help="Name of each node, repeated; node0, ...")
@option("--write-measurements", type=click.Path(), metavar="DIR",
        help="Write what is measured on the simulated node as files, and stop.")  # fmt: skip
@out_option
@json_option
@quiet_option
def aggregate(
    source: str | None,
    *,
    law: str | None,
    tasks: int | None,
    seed: int,
    one_model: bool,
    patterns: str | None,
    rank_file: str | None,
    rank_file_form: FileForm,
    hosts: tuple[str, ...],
    write_measurements: str | None,
    out: str | None,
    as_json: bool,
    quiet: bool,
    **asked: Any,
) -> None:
    """Choose how many MPI tasks share a node: least energy, hardly slower.

    SOURCE is a folder of measurements (docs/aggregation.md describes its files), or the name of a
    code that runs on a simulated node: lu, bt, sp, ft, cg, mg.
    """
    with explained():
        from planner.aggregation.result import Asked

        if patterns is not None:
            from planner.cli.aggregate_patterns import show_patterns

            if source is not None:
                raise click.UsageError("--patterns stands alone; leave SOURCE out")
            show_patterns(patterns, as_json=as_json)
            return
        source = _checked(click.get_current_context().params)
        question = Asked(classes=not one_model, seed=seed, **asked)
        law, tasks = law or LAWS[0], tasks or _TASKS
        if write_measurements is not None:
            _write(source, law, tasks, seed, write_measurements, as_json=as_json, quiet=quiet)
            return
        began = time.perf_counter()
        # The first time on a machine, compiling takes some seconds.
        with counted_progress("patterns predicted and run", quiet=quiet) as count:
            study = _study(source, law, tasks, question, count)
        lines = _kept(study, out, rank_file, rank_file_form, hosts, began=began, quiet=quiet)
    tell(study, show, lines, as_json=as_json, quiet=quiet)


def _checked(asked: dict[str, Any]) -> str:
    """The source, if the options go together and can be written."""
    source: str | None = asked["source"]
    if source is None:
        raise click.UsageError("give SOURCE, a folder of measurements or a code; or --patterns")
    if asked["hosts"] and asked["rank_file"] is None:
        raise click.UsageError("--host is for --rank-file; give one, or leave it out")
    simulated_only = any(asked[name] for name in ("law", "tasks", "write_measurements"))
    if source not in CODES and simulated_only:
        raise click.UsageError(
            f"--law, --tasks and --write-measurements are for codes of the simulated node "
            f"({', '.join(CODES)}), not for {source}"
        )
    if source not in CODES and not Path(source).exists():
        raise WrongInput(f"{source}: {_unknown(source)}")
    if asked["out"]:
        refuse_unwritable_folder(Path(asked["out"]), "aggregate", read_files())
    refuse_target("--rank-file", asked["rank_file"], asked["out"])
    return source


def _kept(
    study: AggregationStudy,
    out: str | None,
    rank_file: str | None,
    form: FileForm,
    hosts: tuple[str, ...],
    *,
    began: float,
    quiet: bool,
) -> tuple[str, ...]:
    """Write what is asked for; what to say of it."""
    lines: tuple[str, ...] = ()
    if rank_file is not None:
        from planner.cli.aggregate_ranks import write_ranks

        lines = write_ranks(study, rank_file, form, hosts)
    with progress(0, quiet=quiet) as say:
        return lines + write_report(study, out, began=began, progress=say)


def _unknown(source: str) -> str:
    if "/" in source or "." in source:
        return "there is no such folder; give a folder of measurements"
    return (
        "is neither a folder nor one of the codes of the simulated node; give a folder of "
        f"measurements, or {', '.join(CODES[:-1])} or {CODES[-1]}"
    )


def _study(
    source: str, law: str, tasks: int, asked: Asked, count: Callable[[int, int], None]
) -> AggregationStudy:
    from planner.aggregation.aggregate import aggregate as aggregated

    if source not in CODES:
        from planner.aggregation.measurement_check import lacking
        from scenarios.aggregation import read_measurements

        command = _command(Path(source).resolve().name, law, tasks, asked)
        further = partial(lacking, metered=asked.choose == "joules")
        measured = read_measurements(source, further)
        return aggregated(measured, asked, command=command, progress=count)
    from planner.aggregation.measured import gathered
    from planner.aggregation.truths import true_runs
    from scenarios.simulated.aggregation import load_hardware

    hardware = load_hardware()
    return aggregated(
        gathered(hardware, law, source, tasks, asked.seed),
        asked,
        true=lambda known: true_runs(
            hardware,
            law,
            source,
            tasks,
            asked.seed,
            known,
            progress=lambda done, of: count(of + done, 2 * of),
        ),
        command=_command(source, law, tasks, asked),
        progress=lambda done, of: count(done, 2 * of),
    )


def _command(name: str, law: str, tasks: int, asked: Asked) -> tuple[str, ...]:
    """The command that gives the same again; a folder without what it lies in."""
    words = ["aggregate", name]
    if name in CODES:
        words += ["--law", law, "--tasks", str(tasks)]
    words += ["--seed", str(asked.seed), "--threshold", f"{asked.threshold:.12g}"]
    words += ["--choose", asked.choose, "--baseline", asked.baseline]
    words += ["--grouping", asked.grouping]
    words += ["--objective", asked.objective, *([] if asked.classes else ["--one-model"])]
    return (*words, "-o", "DIR")


def _write(
    source: str, law: str, tasks: int, seed: int, folder: str, *, as_json: bool, quiet: bool
) -> None:
    from planner.aggregation.measured import gathered
    from scenarios.aggregation import write_measurements
    from scenarios.simulated.aggregation import load_hardware

    measured = gathered(load_hardware(), law, source, tasks, seed)
    try:
        written = [str(path) for path in write_measurements(measured, folder)]
    except OSError as error:
        where = f"{error.filename}: {error.strerror}"
        raise WrongInput(f"headroom: {where}; give another folder") from None
    if as_json:
        click.echo(json_text({"source": measured.source, "written": written}))
    elif not quiet:
        for path in written:
            click.echo(f"wrote {path}")
        click.echo(f"SIMULATED, nothing of this was measured: {measured.source}.")
        click.echo(f"Next: headroom aggregate {folder}")

"""The command ``headroom aggregate``: how many MPI tasks to put on a node."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli_edges import (
    WrongInput,
    a_number,
    explained,
    json_option,
    json_text,
    progress,
    refuse_unwritable_folder,
)
from planner.cli_options import out_option

if TYPE_CHECKING:
    from planner.aggregation.aggregate import AggregationStudy, Asked

CODES = ("lu", "bt", "sp", "ft", "cg", "mg")
LAWS = ("saturating", "cliff", "queue")
"""Of the simulated node; the first is the one that predictions are worst for."""

GROUPINGS = ("order", "kl", "multilevel", "dynamic", "portfolio")
_TASKS = 16


@click.command()
@click.argument("source")
@click.option(
    "--law",
    type=click.Choice(LAWS),
    help=f"How tasks slow each other on the simulated node; by default {LAWS[0]}.",
)
@click.option(
    "--tasks",
    type=click.IntRange(4, 128),
    help=f"Of the code on the simulated node, a power of two; by default {_TASKS}.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True,
              help="Of the simulated node and of the grouping's starts.")  # fmt: skip
@click.option(
    "--threshold",
    type=click.FloatRange(0, 10),
    callback=a_number,
    default=0.05,
    show_default=True,
    help="Tolerated slowdown against one task per node, as a fraction.",
)
@click.option("--choose", type=click.Choice(["rank", "joules"]), default="rank", show_default=True,
              help="Fewest nodes, processors and dies; or least predicted energy.")  # fmt: skip
@click.option("--grouping", type=click.Choice(GROUPINGS), default="kl", show_default=True,
              help="Which tasks share a node: rank order, Kernighan-Lin, ...")  # fmt: skip
@click.option(
    "--objective",
    type=click.Choice(["paper", "signed", "loaded"]),
    default="paper",
    show_default=True,
    help="What a grouping weighs: the paper's cost; time lost by a lone message between nodes; "
    "the same while all others send.",
)
@click.option("--one-model", is_flag=True, help="One model of IPC instead of one for each class.")
@click.option("--write-measurements", type=click.Path(), metavar="DIR",
              help="Write what is measured on the simulated node as files, and stop.")  # fmt: skip
@out_option
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def aggregate(
    source: str,
    *,
    law: str | None,
    tasks: int | None,
    seed: int,
    one_model: bool,
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
        from planner.aggregation.aggregate import Asked

        if source not in CODES and (law or tasks or write_measurements):
            raise click.UsageError(
                f"--law, --tasks and --write-measurements are for codes of the simulated node "
                f"({', '.join(CODES)}), not for {source}"
            )
        if source not in CODES and not Path(source).exists():
            raise WrongInput(f"{source}: {_unknown(source)}")
        question = Asked(classes=not one_model, seed=seed, **asked)
        law, tasks = law or LAWS[0], tasks or _TASKS
        if write_measurements is not None:
            _write(source, law, tasks, seed, write_measurements, as_json=as_json, quiet=quiet)
            return
        if out:
            refuse_unwritable_folder(Path(out))
        began = time.perf_counter()
        with progress(0, quiet=quiet) as say:
            say("predicting (the first time on a machine, compiling takes some seconds)")
            study = _study(source, law, tasks, question)
            if out:
                import reports

                planned_s = time.perf_counter() - began
                written = reports.write(study, out, planned_s=planned_s, progress=say)
    if as_json:
        click.echo(json_text(study.to_dict()))
    elif not quiet:
        from planner.cli_aggregate_text import show

        show(study)
        if out:
            click.echo(f"\nReport: {written.report}")


def _unknown(source: str) -> str:
    from scenarios.wording import nearest

    if "/" in source or "." in source:
        return "there is no such folder; give a folder of measurements"
    return (
        "there is no such folder, nor is there a code of that name on the simulated node; "
        f"{nearest(source, [*CODES])}"
    )


def _study(source: str, law: str, tasks: int, asked: Asked) -> AggregationStudy:
    from planner.aggregation.aggregate import aggregate as aggregated

    if source not in CODES:
        from scenarios.aggregation import read_measurements

        command = _command(Path(source).resolve().name, law, tasks, asked)
        return aggregated(read_measurements(source), asked, command=command)
    from planner.aggregation.measured import gathered
    from planner.aggregation.study import true_runs
    from scenarios.simulated.aggregation import load_hardware

    hardware = load_hardware()
    return aggregated(
        gathered(hardware, law, source, tasks, asked.seed),
        asked,
        true=lambda known: true_runs(hardware, law, source, tasks, asked.seed, known),
        command=_command(source, law, tasks, asked),
    )


def _command(name: str, law: str, tasks: int, asked: Asked) -> tuple[str, ...]:
    """The command that gives the same again; a folder without what it lies in."""
    words = ["aggregate", name]
    if name in CODES:
        words += ["--law", law, "--tasks", str(tasks)]
    words += ["--seed", str(asked.seed), "--threshold", f"{asked.threshold:.12g}"]
    words += ["--choose", asked.choose, "--grouping", asked.grouping]
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

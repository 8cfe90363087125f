"""The command ``headroom place``: which MPI tasks share a node."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli_edges import (
    a_number,
    explained,
    json_option,
    json_text,
    refuse_unwritable_file,
    refuse_unwritable_folder,
    show_table,
)
from planner.cli_options import out_option
from planner.cli_place_nodes import cores_of, counts, numbers, pinned_ranks, read_distances
from planner.cli_place_report import reported
from planner.errors import InputError

if TYPE_CHECKING:
    from planner.placement.hierarchy import Fill
    from planner.placement.layout import Layout
    from planner.placement.place import Placement
    from planner.placement.rank_files import FileForm

ALGORITHMS = ("order", "kl", "matching", "dynamic", "ilp", "multilevel", "metis", "portfolio")
"""Names of :data:`solvers.partition.known.BY_NAME`, which is slow to import."""

WEIGHTS = ("bytes", "messages", "signed", "paper")
FORMS = ("openmpi-4", "openmpi-5", "slurm", "mpich", "csv", "json")
_MOST_SHOWN = 16


@click.command()
@click.argument("matrix", type=click.Path(), nargs=-1, required=True)
@click.option("--nodes", type=click.IntRange(1, 10**6), help="Tasks are spread evenly over them.")
@click.option(
    "--tasks-per-node",
    type=click.IntRange(1, 10**6),
    help="Of each node; the last one has what is left.",
)
@click.option("--capacities", help="Tasks that each node takes, filled in this order: 2*8,4.")
@click.option(
    "--hierarchy",
    "hierarchies",
    multiple=True,
    help="Of a node, as hwloc writes it: 'pack:2 l2:2 core:2 pu:1'. Repeated for several kinds, "
    "with their numbers: '4*pack:2 core:8'.",
)
@click.option("--fill", type=click.Choice(["packed", "spread"]), default="packed",
              show_default=True, help="Which cores of a node are taken: the first, or some of "
              "each processor and die.")  # fmt: skip
@click.option("--distance", "distances", multiple=True, metavar="LEVEL=NUMBER",
              help="Cost of a byte or message between tasks that share no more: network=100, "
              "node=10, pack=1.")  # fmt: skip
@click.option("--node-memory-gb", type=click.FloatRange(0, 1e9, min_open=True), multiple=True,
              callback=numbers, help="Once for all, or once for each hierarchy.")  # fmt: skip
@click.option("--task-memory-gb", type=click.FloatRange(0, 1e9, min_open=True),
              callback=a_number, help="No node takes more tasks than fit.")  # fmt: skip
@click.option("--pin", "pins", multiple=True, metavar="RANKS=NODE",
              help="Ranks that must be on a node, both from 0: 0,8-11=2.")  # fmt: skip
@click.option(
    "--algorithm",
    type=click.Choice(ALGORITHMS),
    default="portfolio",
    show_default=True,
    help="portfolio runs what suits the size and keeps the best.",
)
@click.option(
    "--cost",
    "weight",
    type=click.Choice(WEIGHTS),
    default="bytes",
    show_default=True,
    help="What it costs to part two tasks: bytes or messages between them, time lost between "
    "nodes (signed), or the cost of the paper.",
)
@click.option(
    "--ping-pong",
    type=click.Path(),
    help="Times of messages by size, for signed and paper; by default bundled ones, assumed.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option("--starts", type=click.IntRange(1, 10_000), default=10, show_default=True,
              help="Of Kernighan-Lin.")  # fmt: skip
@click.option("--time-limit", type=click.FloatRange(0, 1e6, min_open=True), callback=a_number,
              default=10.0, show_default=True,
              help="Seconds after which nothing more is begun.")  # fmt: skip
@click.option("--form", type=click.Choice(["monitoring", "matrix", "matrix-market", "metis",
              "edges"]), help="Of MATRIX, where that is not seen from it.")  # fmt: skip
@click.option(
    "--traffic",
    type=click.Choice(["all", "point-to-point", "collective"]),
    default="all",
    show_default=True,
    help="Which messages of a monitoring profile count.",
)
@click.option("--rank-file", type=click.Path(), help="File for a launcher.")
@click.option("--rank-file-form", type=click.Choice(FORMS), default="openmpi-5", show_default=True,
              help="Of --rank-file.")  # fmt: skip
@click.option("--host", "hosts", multiple=True, help="Name of each node, repeated; node0, ...")
@click.option("--cores-per-processor", type=click.IntRange(1, 10**4),
              help="Of the nodes, for rank files without --hierarchy.  [default: 1]")  # fmt: skip
@out_option
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def place(
    matrix: tuple[str, ...],
    *,
    nodes: int | None,
    tasks_per_node: int | None,
    capacities: str | None,
    hierarchies: tuple[str, ...],
    fill: Fill,
    distances: tuple[str, ...],
    node_memory_gb: tuple[float, ...],
    task_memory_gb: float | None,
    pins: tuple[str, ...],
    algorithm: str,
    weight: str,
    ping_pong: str | None,
    seed: int,
    starts: int,
    time_limit: float | None,
    form: str | None,
    traffic: str,
    rank_file: str | None,
    rank_file_form: FileForm,
    hosts: tuple[str, ...],
    cores_per_processor: int | None,
    out: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Group MPI tasks on nodes so that little is exchanged between nodes.

    With --hierarchy tasks are placed on cores, so that those that exchange much share a processor
    and a die as well.

    MATRIX holds who sends how much to whom: a CSV matrix of bytes (row = source), MatrixMarket,
    METIS .graph, an edge list, or Open MPI monitoring profiles (one file, several, or a folder).
    """
    with explained():
        _refuse_contradictions(click.get_current_context().params)
        if out is not None:
            refuse_unwritable_folder(Path(out))
        if rank_file is not None:
            refuse_unwritable_file(rank_file)
        from planner.placement.hierarchy import read_counted
        from planner.placement.layout import check_hosts
        from planner.placement.nodes import Memory, nodes_for
        from planner.placement.place import place as placed
        from scenarios.communication.reader import read_communication
        from scenarios.ping_pong import read_ping_pong

        paths = [Path(each) for each in matrix]
        communication = read_communication(
            paths[0] if len(paths) == 1 else paths,
            form=form,  # type: ignore[arg-type]
            traffic=traffic,  # type: ignore[arg-type]
        )
        sizes: dict[str, Any] = {
            "nodes": nodes,
            "tasks_per_node": tasks_per_node,
            "capacities": counts(capacities, "--capacities") if capacities else (),
            "hierarchies": [read_counted(each) for each in hierarchies],
            "memory": Memory(node_memory_gb, task_memory_gb) if task_memory_gb else None,
            "fill": fill,
        }
        if hosts:
            check_hosts(hosts, nodes_for(communication.ranks, **sizes).count)
        began = time.perf_counter()
        found = placed(
            communication,
            **sizes,
            pins=pinned_ranks(pins, hosts),
            distances=read_distances(distances),
            algorithm=algorithm,
            weight=weight,  # type: ignore[arg-type]
            table=read_ping_pong(Path(ping_pong)) if ping_pong else None,
            seed=seed,
            starts=starts,
            time_limit_s=time_limit,
        )
        seconds = time.perf_counter() - began
        answer = found.to_dict()
        told: tuple[str, ...] = ()
        if rank_file is not None or out is not None:
            layout = _laid_out(found, hosts, cores_per_processor or 1)
        if out is not None:
            compared = reported(found, layout, click.get_current_context(), seconds=seconds)
            found, answer = compared.placement, compared.to_dict()
        if rank_file is not None:
            told = _write(layout, rank_file, rank_file_form)
    if as_json:
        click.echo(json_text(answer))
    elif not quiet:
        _show(found)
        for line in told:
            click.echo(line)
        if out is not None:
            click.echo(f"Report: {Path(out) / 'report.pdf'}")


def _refuse_contradictions(asked: dict[str, Any]) -> None:
    """Options that go together, or do not."""
    if bool(asked["node_memory_gb"]) != (asked["task_memory_gb"] is not None):
        raise click.UsageError("--node-memory-gb and --task-memory-gb go together; give both")
    sizes = ("nodes", "tasks_per_node", "capacities", "hierarchies", "node_memory_gb")
    if not any(asked[name] for name in sizes):
        raise click.UsageError("give --nodes or --tasks-per-node, one of the two")
    if asked["ping_pong"] is not None and asked["weight"] not in ("signed", "paper"):
        raise click.UsageError("--ping-pong is for --cost signed and paper")
    if asked["hosts"] and not (asked["rank_file"] or asked["out"] or asked["pins"]):
        raise click.UsageError("--host is for --rank-file and -o; give one, or leave it out")
    if asked["cores_per_processor"] is not None and asked["hierarchies"]:
        raise click.UsageError(
            "--hierarchy says how many cores a processor has; leave --cores-per-processor out"
        )
    read = (*asked["matrix"], *filter(None, [asked["ping_pong"]]))
    if asked["rank_file"] and Path(asked["rank_file"]).resolve() in {
        Path(each).resolve() for each in read
    }:
        raise click.UsageError("--rank-file names what is read; give another file")


def _laid_out(found: Placement, hosts: tuple[str, ...], cores_per_processor: int) -> Layout:
    from planner.placement.layout import laid_out

    return laid_out(
        found.groups,
        hosts=hosts or None,
        cores=cores_of(found) if found.hierarchical else None,
        cores_per_processor=[
            shape.cores_per_processor if shape else cores_per_processor
            for shape in found.nodes.shapes
        ],
    )


def _write(layout: Layout, path: str, form: FileForm) -> tuple[str, ...]:
    """Write the rank file; how to start a program with it."""
    from planner.placement.launching import launch
    from planner.placement.rank_files import write_rank_file

    try:
        write_rank_file(path, form, layout)
    except OSError as error:
        message = f"{path} cannot be written ({error.strerror}); give another file"
        raise InputError(message) from None
    how = launch(form, layout, path)
    words = [f"Rank file: {path}"]
    if how.command:
        words.append(f"Start with: {how.command} PROGRAM")
    return (*words, *(f"Note: {each}" for each in how.remarks))


def _show(found: Placement) -> None:
    click.echo(found.sentence)
    for warning in found.warnings:
        click.echo(f"Warning: {warning}")
    headings = ("node", "ranks", "cores") if found.hierarchical else ("node", "ranks")
    rows = [
        (f"{node}", *(" ".join(map(str, each)) for each in row))
        for node, row in enumerate(zip(found.groups, found.cores, strict=True))
    ]
    show_table(headings, [row[: len(headings)] for row in rows[:_MOST_SHOWN]])
    if len(rows) > _MOST_SHOWN:
        click.echo(f"... and {len(rows) - _MOST_SHOWN} more; --json has all")
    if found.hierarchical:
        levels = [
            (row["level"], f"{row['bytes']:,.6g}", f"{row['bytes_rank_order']:,.6g}")
            for row in found.by_level
        ]
        show_table(("share no more than", "bytes", "in rank order"), levels)

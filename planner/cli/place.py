"""The command ``headroom place``: which MPI tasks share a node."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli.edges import (
    explained,
    json_option,
    json_text,
    refuse_unwritable_folder,
    show_table,
)
from planner.cli.files import read_files, refuse_target
from planner.cli.options import option, out_option, quiet_option
from planner.cli.own_parts import OWN, PartName
from planner.cli.place_asked import refuse_contradictions
from planner.cli.place_nodes import (
    counts,
    host_names,
    pinned_ranks,
    read_distances,
)
from planner.cli.place_read import as_read, read, reading_options
from planner.cli.place_report import reported
from planner.cli.rank_files import rank_file_written

if TYPE_CHECKING:
    from planner.placement.hierarchy import Fill
    from planner.placement.placement import Placement
    from planner.placement.rank_files import FileForm

ALGORITHMS = (
    "order", "kl", "networkx-kl", "matching", "dynamic", "ilp", "multilevel", "metis", "portfolio",
    "reference", "reference-highs", "reference-kl",
)  # fmt: skip
"""Names of ``BY_NAME`` in solvers.partition.known and of ``REFERENCES`` in
planner.placement.reference, which are slow to import."""

WEIGHTS = ("bytes", "messages", "signed", "paper")
FORMS = ("openmpi-4", "openmpi-5", "slurm", "mpich", "csv", "json")
_MOST_SHOWN = 16


@click.command()
@click.argument("matrix", type=click.Path(), nargs=-1, required=True)
@option("--nodes", type=click.IntRange(1, 10**6), help="Tasks are spread evenly over them.")
@option(
    "--tasks-per-node",
    type=click.IntRange(1, 10**6),
    help="Of each node; the last one has what is left.",
)
@option("--capacities", help="Tasks that each node takes, filled in this order: 2*8,4.")
@option(
    "--hierarchy",
    "hierarchies",
    multiple=True,
    help="Of a node, as hwloc writes it: 'pack:2 l2:2 core:2 pu:1'. Repeated for several kinds, "
    "with their numbers: '4*pack:2 core:8'.",
)
@option("--fill", type=click.Choice(["packed", "spread"]), default="packed",
        help="Which cores of a node are taken: the first, or some of "
        "each processor and die.")  # fmt: skip
@option("--distance", "distances", multiple=True, metavar="LEVEL=NUMBER",
        help="Cost of a byte or message between tasks that share no more: network=100, "
        "node=10, pack=1.")  # fmt: skip
@option("--node-memory-gb", type=click.FloatRange(0, 1e9, min_open=True), multiple=True,
        help="Once for all, or once for each hierarchy.")  # fmt: skip
@option("--task-memory-gb", type=click.FloatRange(0, 1e9, min_open=True),
        help="No node takes more tasks than fit.")  # fmt: skip
@option("--pin", "pins", multiple=True, metavar="RANKS=NODE",
        help="Ranks that must be on a node, both from 0: 0,8-11=2.")  # fmt: skip
@option(
    "--algorithm",
    type=PartName("placement algorithm", ALGORITHMS),
    default="portfolio",
    help=f"portfolio runs what suits the size and keeps the best; {OWN}.",
)
@option(
    "--cost",
    "weight",
    type=click.Choice(WEIGHTS),
    default="bytes",
    help="What it costs to part two tasks: bytes or messages between them, time lost between "
    "nodes (signed), or the cost of the paper.",
)
@option(
    "--ping-pong",
    type=click.Path(),
    help="Times of messages by size, for signed and paper; by default bundled ones, assumed.",
)
@option("--seed", type=click.IntRange(0, 2**31 - 1), default=0)
@option("--starts", type=click.IntRange(1, 10_000), default=10, help="Of Kernighan-Lin.")
@option("--time-limit", type=click.FloatRange(0, 1e6, min_open=True), default=10.0,
        help="Seconds after which nothing more is begun.")  # fmt: skip
@reading_options
@option("--rank-file", type=click.Path(), help="File for a launcher.")
@option("--rank-file-form", type=click.Choice(FORMS), default="openmpi-5", help="Of --rank-file.")
@option(
    "--host",
    "hosts",
    multiple=True,
    help="Names of all nodes, in their order: n01,n02.  [default: node0,node1,...]",
)
@option("--host-file", type=click.Path(), help="File with such names, one a line.")
@option("--cores-per-processor", type=click.IntRange(1, 10**4),
        help="Of the nodes, for rank files without --hierarchy.  [default: 1]")  # fmt: skip
@out_option
@json_option
@quiet_option
def place(
    matrix: tuple[str, ...],  # noqa: ARG001 - the reading takes it from the context
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
    form: str | None,  # noqa: ARG001 - the reading takes these from the context
    ranks: int | None,  # noqa: ARG001
    first_rank: int | None,  # noqa: ARG001
    messages: str | None,  # noqa: ARG001
    message_bytes: float | None,
    traffic: str | None,  # noqa: ARG001
    rank_file: str | None,
    rank_file_form: FileForm,
    hosts: tuple[str, ...],
    host_file: str | None,
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
        refuse_contradictions(click.get_current_context())
        if out is not None:
            refuse_unwritable_folder(Path(out), "place", read_files())
        refuse_target("--rank-file", rank_file, out)
        from planner.placement.hierarchy import read_counted
        from planner.placement.layout import check_hosts
        from planner.placement.nodes import Memory, nodes_for
        from planner.placement.place import compiled_before
        from planner.placement.place import place as placed
        from planner.placement.placed import laid_out_as
        from planner.placement.tables import placement_to_dict
        from scenarios.ping_pong import read_ping_pong

        communication = read(click.get_current_context().params)
        sizes: dict[str, Any] = {
            "nodes": nodes,
            "tasks_per_node": tasks_per_node,
            "capacities": counts(capacities, "--capacities") if capacities else (),
            "hierarchies": [read_counted(each) for each in hierarchies],
            "memory": Memory(node_memory_gb, task_memory_gb) if task_memory_gb else None,
            "fill": fill,
        }
        names = host_names(hosts, host_file)
        pinned = pinned_ranks(pins, names)
        if names:
            check_hosts(names, nodes_for(communication.ranks, **sizes, pins=pinned).offered)
        if not (quiet or compiled_before(communication.ranks)):
            said = "compiling the partitioner, once after installation (some 20 seconds) ..."
            click.echo(said, err=True)
        began = time.perf_counter()
        found = placed(
            communication,
            **sizes,
            pins=pinned,
            distances=read_distances(distances),
            algorithm=algorithm,
            weight=weight,  # type: ignore[arg-type]
            table=read_ping_pong(Path(ping_pong)) if ping_pong else None,
            message_bytes=message_bytes,
            seed=seed,
            starts=starts,
            time_limit_s=time_limit,
        )
        seconds = time.perf_counter() - began
        answer = placement_to_dict(found)
        told: tuple[str, ...] = ()
        if rank_file is not None or out is not None:
            layout = laid_out_as(found, names, cores_per_processor or 1)
        if out is not None:
            context = click.get_current_context()
            compared = reported(found, layout, context, pins=pinned, seconds=seconds)
            found, answer = compared.placement, compared.to_dict()
        if rank_file is not None:
            told = rank_file_written(layout, rank_file, rank_file_form)
    if as_json:
        click.echo(json_text(answer))
    elif not quiet:
        _show(found)
        for line in told or _unwritten(found, out):
            click.echo(line)
        if out is not None:
            click.echo(f"Report: {Path(out) / 'report.pdf'}")


def _unwritten(found: Placement, out: str | None) -> tuple[str, ...]:
    """How to come by a rank file, where one gains something and none is written."""
    from planner.placement.verdict import verdict

    if out is not None or (verdict(found) != "better" and not found.moved_by_pins):
        return ()
    return ("--rank-file FILE writes the rank file, -o DIR those of all launchers and a report.",)


def _show(found: Placement) -> None:
    from planner.placement.warnings import placement_warnings
    from planner.placement.wording import amount, summary

    click.echo(as_read(found.communication))
    click.echo(summary(found))
    for warning in placement_warnings(found):
        click.echo(f"Warning: {warning}")
    headings = ("node", "ranks", "cores") if found.hierarchical else ("node", "ranks")
    rows = [
        (f"{node}", *(" ".join(map(str, each)) for each in row))
        for node, *row in zip(found.nodes.numbers, found.groups, found.cores, strict=True)
    ]
    show_table(headings, [row[: len(headings)] for row in rows[:_MOST_SHOWN]])
    if len(rows) > _MOST_SHOWN:
        click.echo(f"... and {len(rows) - _MOST_SHOWN} more; --json has all")
    if found.hierarchical:
        levels = [
            (row["level"], amount(row["bytes"], "B"), amount(row["bytes_rank_order"], "B"))
            for row in found.by_level
        ]
        show_table(("share no more than", "bytes", "in rank order"), levels)

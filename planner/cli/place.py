"""The command ``headroom place``: which MPI tasks share a node."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from planner.cli.edges import explained, json_text, refuse_unwritable_folder
from planner.cli.files import read_files, refuse_target
from planner.cli.place_nodes import counts, host_names, pinned_ranks, read_distances
from planner.cli.place_options import PlaceOptions, refuse_contradictions
from planner.cli.place_read import read
from planner.cli.place_report import reported
from planner.cli.place_text import rank_file_hint, show
from planner.cli.rank_files import rank_file_written
from planner.cli.typed import command
from planner.cli.written_model import model_written, refuse_model_file

if TYPE_CHECKING:
    from planner.placement.costs import Weight
    from planner.placement.hierarchy import Fill
    from planner.placement.nodes import Counted, Memory
    from scenarios.communication.matrix import Communication
    from scenarios.communication.ping_pong import PingPong


@command(PlaceOptions)
def place(asked: PlaceOptions) -> None:
    """Group MPI tasks on nodes so that little is exchanged between nodes.

    With --hierarchy tasks are placed on cores, so that those that exchange much share a processor
    and a die as well.

    MATRIX holds who sends how much to whom: a CSV matrix of bytes (row = source), MatrixMarket,
    METIS .graph, an edge list, or Open MPI monitoring profiles (one file, several, or a folder).
    """
    output = asked.output
    with explained():
        refuse_contradictions(asked)
        inputs = read_files(asked)
        if output.out is not None:
            refuse_unwritable_folder(Path(output.out), "place", inputs)
        refuse_target("--rank-file", asked.rank_file, inputs, output.out)
        written = [("--rank-file", asked.rank_file)]
        refuse_model_file(asked.write_model, inputs, output.out, written)
        from planner.placement.layout import check_hosts
        from planner.placement.nodes import nodes_for
        from planner.placement.place import compiled_before
        from planner.placement.place import place as placed
        from planner.placement.placed import laid_out_as
        from planner.placement.tables import placement_to_dict
        from scenarios.communication.ping_pong import read_ping_pong

        communication = read(asked.matrix, asked.reading)
        sizes = _sizes(asked)
        names = host_names(asked.hosts, asked.host_file)
        pinned = pinned_ranks(asked.pins, names)
        if names:
            check_hosts(names, nodes_for(communication.ranks, **sizes, pins=pinned).offered)
        if not (output.quiet or compiled_before(communication.ranks)):
            message = "compiling the partitioner, once after installation (some 20 seconds) ..."
            click.echo(message, err=True)
        request: _Request = {
            **sizes,
            "pins": pinned,
            "distances": read_distances(asked.distances),
            "weight": asked.weight,
            "table": read_ping_pong(Path(asked.ping_pong)) if asked.ping_pong else None,
            "message_bytes": asked.reading.message_bytes,
            "seed": asked.seed,
            "starts": asked.starts,
            "time_limit_s": asked.time_limit,
        }
        told = _model_written(asked.write_model, communication, request)
        began = time.perf_counter()
        found = placed(communication, algorithm=asked.algorithm, **request)
        seconds = time.perf_counter() - began
        answer = placement_to_dict(found)
        if asked.rank_file is not None or output.out is not None:
            layout = laid_out_as(found, names, asked.cores_per_processor or 1)
        if output.out is not None:
            compared = reported(found, layout, asked, output.out, pins=pinned, seconds=seconds)
            found, answer = compared.placement, compared.to_dict()
        if asked.rank_file is not None:
            told += rank_file_written(layout, asked.rank_file, asked.rank_file_form)
    if output.as_json:
        click.echo(json_text(answer))
    elif not output.quiet:
        show(found)
        lines = () if asked.rank_file is not None else rank_file_hint(found, output.out)
        for line in (*told, *lines):
            click.echo(line)
        if output.out is not None:
            click.echo(f"Report: {Path(output.out) / 'report.pdf'}")


class _Sizes(TypedDict):
    """The nodes, as arguments of :func:`planner.placement.nodes.nodes_for`."""

    nodes: int | None
    tasks_per_node: int | None
    capacities: tuple[int, ...]
    hierarchies: list[Counted]
    memory: Memory | None
    fill: Fill


class _Request(_Sizes):
    """Further arguments of :func:`planner.placement.place.place`, without the algorithm."""

    pins: dict[int, int]
    distances: dict[str, float] | None
    weight: Weight
    table: PingPong | None
    message_bytes: float | None
    seed: int
    starts: int
    time_limit_s: float | None


def _model_written(
    path: str | None, communication: Communication, request: _Request
) -> tuple[str, ...]:
    if path is None:
        return ()
    from planner.placement.place import placement_problem
    from planner.placement.written_model import named_model

    return model_written(path, named_model(placement_problem(communication, **request)))


def _sizes(asked: PlaceOptions) -> _Sizes:
    from planner.placement.hierarchy import read_counted
    from planner.placement.nodes import Memory

    memory_gb = asked.task_memory_gb
    return {
        "nodes": asked.nodes,
        "tasks_per_node": asked.tasks_per_node,
        "capacities": counts(asked.capacities, "--capacities") if asked.capacities else (),
        "hierarchies": [read_counted(hierarchy) for hierarchy in asked.hierarchies],
        "memory": Memory(asked.node_memory_gb, memory_gb) if memory_gb else None,
        "fill": asked.fill,
    }

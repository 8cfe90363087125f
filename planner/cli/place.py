"""The command ``headroom place``: which MPI ranks share a node."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from planner.cli.edges import costing_no_answer, progress
from planner.cli.place_nodes import counts, host_names, pinned_ranks, read_distances
from planner.cli.place_options import PlaceOptions, refuse_contradictions
from planner.cli.place_read import read
from planner.cli.rank_files import rank_file_written, refuse_targets
from planner.cli.runner import start
from planner.cli.typed import command
from planner.cli.values import words_of
from planner.cli.written_model import model_written

if TYPE_CHECKING:
    from planner.formulations.model_files import NamedModel
    from planner.placement.layout import Layout
    from planner.placement.nodes import NodeSizes
    from planner.placement.placement import Placement
    from planner.placement.problem import PlacementRequest
    from planner.placement.study import PlacementStudy
    from scenarios.communication.matrix import Communication


@command(PlaceOptions)
def place(options: PlaceOptions) -> None:
    """Place MPI ranks on nodes so that little traffic crosses between nodes.

    With --hierarchy, ranks are also placed on cores, so that heavy pairs share a socket or die.

    MATRIX says which rank sends how much to which: a CSV matrix of bytes (row = source),
    MatrixMarket, METIS .graph, an edge list, or Open MPI monitoring profiles (files or a folder).
    """
    refuse_contradictions(options)
    run = start("place", options)
    refuse_targets(options.rank_file, options.rank_file_form, options.write_model, run)
    from planner.placement.layout import check_hosts
    from planner.placement.nodes import nodes_for
    from planner.placement.placed import laid_out_as
    from planner.placement.problem import place as placed
    from scenarios.communication.ping_pong import read_ping_pong

    communication = read(options.matrix, options.reading)
    sizes = _sizes(options)
    names = host_names(options.hosts, options.host_file)
    pinned = pinned_ranks(options.pins, names)
    if names:
        check_hosts(names, nodes_for(communication.ranks, **sizes, pins=pinned).offered)
    request: PlacementRequest = {
        **sizes,
        "pins": pinned,
        "distances": read_distances(options.distances),
        "weight": options.weight,
        "table": read_ping_pong(Path(options.ping_pong)) if options.ping_pong else None,
        "message_bytes": options.reading.message_bytes,
        "seed": options.seed,
        "starts": options.starts,
        "time_limit_s": options.time_limit,
    }
    lines = model_written(options.write_model, lambda: _model(communication, request))
    began = time.perf_counter()
    placement = placed(communication, algorithm=options.algorithm, **request)
    layout = laid_out_as(placement, names, options.cores_per_processor or 1)
    answer = _compared(options, placement, layout, request, time.perf_counter() - began)
    if options.rank_file is not None:
        with costing_no_answer():
            lines += rank_file_written(layout, options.rank_file, options.rank_file_form)
    run.finish(answer, lines)


def _compared(
    options: PlaceOptions,
    placement: Placement,
    layout: Layout,
    request: PlacementRequest,
    seconds: float,
) -> PlacementStudy:
    """The placement as a study; with a report it is compared with what other algorithms find."""
    from planner.placement.compared import PlacementSettings
    from planner.placement.own import files_of, find_algorithm
    from planner.placement.study import alone, study

    chosen = find_algorithm(options.algorithm)
    how = PlacementSettings(
        chosen.name,
        options.seed,
        options.starts,
        options.time_limit,
        options.reading.traffic or "all",
        options.rank_file_form,
        request["pins"] or {},
        words_of("place", options, {"seed": 0}),
        files_of(chosen),
    )
    if options.output.out is None:
        return alone(placement, layout, how, table=request["table"], seconds=seconds)
    with progress(quiet=options.output.quiet) as say:
        return study(placement, layout, how, table=request["table"], seconds=seconds, progress=say)


def _model(communication: Communication, request: PlacementRequest) -> NamedModel:
    from planner.placement.problem import placement_problem
    from planner.placement.written_model import named_model

    return named_model(placement_problem(communication, **request))


def _sizes(options: PlaceOptions) -> NodeSizes:
    from planner.placement.hierarchy import read_counted
    from planner.placement.nodes import Memory

    memory_gb = options.task_memory_gb
    return {
        "nodes": options.nodes,
        "tasks_per_node": options.tasks_per_node,
        "capacities": counts(options.capacities, "--capacities") if options.capacities else (),
        "hierarchies": [read_counted(hierarchy) for hierarchy in options.hierarchies],
        "memory": Memory(options.node_memory_gb, memory_gb) if memory_gb else None,
        "fill": options.fill,
    }

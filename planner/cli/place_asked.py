"""Options of ``headroom place`` that go together, or do not."""

from __future__ import annotations

import click

from planner.cli.place_options import PlaceOptions


def refuse_contradictions(asked: PlaceOptions) -> None:
    """Refuse options that contradict each other, and those that would be ignored.

    Raises
    ------
    click.UsageError
        There are such options.
    """
    if bool(asked.node_memory_gb) != (asked.task_memory_gb is not None):
        raise click.UsageError("--node-memory-gb and --task-memory-gb go together; give both")
    counted = asked.nodes or asked.tasks_per_node or asked.capacities
    if not (counted or asked.hierarchies or asked.node_memory_gb):
        raise click.UsageError(
            "say on which nodes: give --nodes or --tasks-per-node, --capacities, --hierarchy, or "
            "--node-memory-gb with --task-memory-gb"
        )
    for option in ("--ping-pong", "--message-bytes"):
        if option in asked.given and asked.weight not in ("signed", "paper"):
            raise click.UsageError(f"{option} is for --cost signed and paper")
    _refuse_ignored(asked)


def _refuse_ignored(asked: PlaceOptions) -> None:
    written = asked.rank_file or asked.output.out
    of_hosts = () if asked.pins else ("--host", "--host-file")
    for option in (*of_hosts, "--rank-file-form", "--cores-per-processor"):
        if option in asked.given and not written:
            raise click.UsageError(f"{option} is for --rank-file and -o; give one, or leave it out")
    if "--fill" in asked.given and not asked.hierarchies:
        raise click.UsageError("--fill is for --hierarchy, which says what cores share")
    if asked.distances and not asked.hierarchies:
        raise click.UsageError("--distance is for --hierarchy; between nodes alone it is 1")
    if asked.cores_per_processor is not None and asked.hierarchies:
        raise click.UsageError(
            "--hierarchy says how many cores a processor has; leave --cores-per-processor out"
        )

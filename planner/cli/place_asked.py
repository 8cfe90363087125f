"""Options of ``headroom place`` that go together, or do not."""

from __future__ import annotations

import click
from click.core import ParameterSource

_NODES = ("nodes", "tasks_per_node", "capacities", "hierarchies", "node_memory_gb")
_LAUNCHED = ("rank_file_form", "cores_per_processor")


def refuse_contradictions(context: click.Context) -> None:
    """Refuse options that contradict each other, and those that would be ignored.

    Raises
    ------
    click.UsageError
        There are such options.
    """
    asked = context.params
    if bool(asked["node_memory_gb"]) != (asked["task_memory_gb"] is not None):
        raise click.UsageError("--node-memory-gb and --task-memory-gb go together; give both")
    if not any(asked[name] for name in _NODES):
        raise click.UsageError(
            "say on which nodes: give --nodes or --tasks-per-node, --capacities, --hierarchy, or "
            "--node-memory-gb with --task-memory-gb"
        )
    for name in ("ping_pong", "message_bytes"):
        if asked[name] is not None and asked["weight"] not in ("signed", "paper"):
            raise click.UsageError(f"{_option(name)} is for --cost signed and paper")
    _refuse_ignored(context)


def _refuse_ignored(context: click.Context) -> None:
    asked = context.params
    written = asked["rank_file"] or asked["out"]
    for name in ("hosts", "host_file"):
        if asked[name] and not (written or asked["pins"]):
            option = _option(name.removesuffix("s"))
            raise click.UsageError(f"{option} is for --rank-file and -o; give one, or leave it out")
    for name in _LAUNCHED:
        if _given(context, name) and not written:
            raise click.UsageError(
                f"{_option(name)} is for --rank-file and -o; give one, or leave it out"
            )
    if _given(context, "fill") and not asked["hierarchies"]:
        raise click.UsageError("--fill is for --hierarchy, which says what cores share")
    if asked["distances"] and not asked["hierarchies"]:
        raise click.UsageError("--distance is for --hierarchy; between nodes alone it is 1")
    if asked["cores_per_processor"] is not None and asked["hierarchies"]:
        raise click.UsageError(
            "--hierarchy says how many cores a processor has; leave --cores-per-processor out"
        )


def _given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"

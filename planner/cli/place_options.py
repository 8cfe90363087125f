"""Options of ``headroom place``, and which of them go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from planner.cli.options import OutputOptions, seed_option, time_limit_option
from planner.cli.own_parts import OWN, PartName
from planner.cli.place_read import MatrixOptions
from planner.cli.quantities import Quantity
from planner.cli.rank_files import host_option, rank_file_form_option, rank_file_option
from planner.cli.typed import argument, first_given, group, option
from planner.cli.written_model import write_model_option

if TYPE_CHECKING:
    from planner.placement.costs import Weight
    from planner.placement.hierarchy import Fill
    from planner.placement.rank_files import FileForm

ALGORITHMS = (
    "order", "kl", "networkx-kl", "matching", "dynamic", "ilp", "multilevel", "metis", "portfolio",
    "reference", "reference-highs", "reference-kl",
)  # fmt: skip
"""Names of ``BY_NAME`` in solvers.partition.registry and of ``REFERENCES`` in
planner.placement.reference, which are slow to import."""

WEIGHTS = ("bytes", "messages", "signed", "paper")
_MEMORY = Quantity("memory", "GB", 0, 1e9, above=True)


@dataclass(frozen=True, kw_only=True)
class PlaceOptions:
    """The options of ``headroom place``."""

    given: frozenset[str]
    matrix: tuple[str, ...] = argument(type=click.Path(), nargs=-1, required=True)
    nodes: int | None = option(
        type=click.IntRange(1, 10**6), help="Number of nodes; ranks are spread evenly over them."
    )
    tasks_per_node: int | None = option(
        "--ranks-per-node",
        type=click.IntRange(1, 10**6),
        help="Ranks on each node; the last one has what is left.",
    )
    capacities: str | None = option(
        joined=True, help="Ranks that each node takes, filled in this order: 2*8,4."
    )
    hierarchies: tuple[str, ...] = option(
        "--hierarchy",
        multiple=True,
        help="Hardware of a node in hwloc's notation: 'pack:2 l2:2 core:2 "
        "pu:1'. Repeat it for other "
        "kinds of node: '4*pack:2 core:8'.",
    )
    fill: Fill = option(
        type=click.Choice(["packed", "spread"]),
        default="packed",
        help="Which cores of a node are used: the first ones, or some of each socket and die.",
    )
    distances: tuple[str, ...] = option(
        "--distance",
        listed=True,
        metavar="LEVEL=NUMBER",
        help="Cost of a byte or message between ranks that share this level only: network=100, "
        "node=10, pack=1.",
    )
    node_memory_gb: tuple[float, ...] = option(
        "--node-memory",
        listed=True,
        type=_MEMORY,
        help="Memory of a node, as in 256GB; once for all, or once for each hierarchy.",
    )
    task_memory_gb: float | None = option(
        "--rank-memory",
        type=_MEMORY,
        help="Memory of a rank; no node takes more ranks than fit.",
    )
    pins: tuple[str, ...] = option(
        "--pin",
        multiple=True,
        metavar="RANKS=NODE",
        help="Pin ranks to a node, both counted from 0: 0,8-11=2.",
    )
    algorithm: str = option(
        "--method",
        type=PartName("placement algorithm", ALGORITHMS),
        default="portfolio",
        help=f"portfolio runs the methods that suit the size and keeps the best; {OWN}.",
    )
    weight: Weight = option(
        "--objective",
        type=click.Choice(WEIGHTS),
        default="bytes",
        help="Cost of putting two ranks on different nodes: bytes, messages, "
        "lost time (signed), or the "
        "published cost (paper).",
    )
    ping_pong: str | None = option(
        type=click.Path(),
        help="Message times by size, for signed and paper.  [default: a bundled table, assumed]",
    )
    seed: int = seed_option()
    starts: int = option(
        type=click.IntRange(1, 10_000), default=10, help="Random starts of Kernighan-Lin."
    )
    time_limit: float | None = time_limit_option(
        help="Start no new work after this time; results may then differ.  [default: work limits]"
    )
    reading: MatrixOptions = group(MatrixOptions)
    rank_file: str | None = rank_file_option(help="Write the rank file of a launcher.")
    write_model: str | None = write_model_option()
    rank_file_form: FileForm = rank_file_form_option()
    hosts: tuple[str, ...] = host_option()
    host_file: str | None = option(
        type=click.Path(), help="File with the host names, one per line."
    )
    cores_per_processor: int | None = option(
        "--cores-per-socket",
        type=click.IntRange(1, 10**4),
        help="Cores of each socket, without --hierarchy.  [default: 1]",
    )
    output: OutputOptions = group(OutputOptions)


def refuse_contradictions(options: PlaceOptions) -> None:
    """Refuse options that contradict each other, and those that would be ignored.

    Raises
    ------
    click.UsageError
        There are such options.
    """
    if bool(options.node_memory_gb) != (options.task_memory_gb is not None):
        raise click.UsageError("--node-memory and --rank-memory go together; give both")
    counted = options.nodes or options.tasks_per_node or options.capacities
    if not (counted or options.hierarchies or options.node_memory_gb):
        raise click.UsageError(
            "the nodes are missing: give --nodes, --ranks-per-node, --capacities, --hierarchy, or "
            "--node-memory with --rank-memory"
        )
    measured = first_given(("--ping-pong", "--message-size"), options.given)
    if measured and options.weight not in ("signed", "paper"):
        raise click.UsageError(f"{measured} applies to --objective signed and paper only; omit it")
    _refuse_ignored(options)


def _refuse_ignored(options: PlaceOptions) -> None:
    written = options.rank_file or options.output.out
    of_hosts = () if options.pins else ("--host", "--host-file")
    launched = (*of_hosts, "--rank-file-form", "--cores-per-socket")
    if not written and (idle := first_given(launched, options.given)):
        raise click.UsageError(
            f"{idle} needs --write-rank-file or -o; give one of them, or omit it"
        )
    if "--fill" in options.given and not options.hierarchies:
        raise click.UsageError("--fill needs --hierarchy; give it, or omit --fill")
    if options.distances and not options.hierarchies:
        raise click.UsageError("--distance needs --hierarchy; give it, or omit --distance")
    if options.cores_per_processor is not None and options.hierarchies:
        raise click.UsageError(
            "--hierarchy already gives the cores of a socket; omit --cores-per-socket"
        )

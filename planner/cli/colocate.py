"""The command ``headroom colocate``: which jobs share a node."""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from planner.cli.choices import in_any_capitals
from planner.cli.colocate_gate import GateOptions
from planner.cli.colocate_kinds import GATE, GROUPS, QUEUE, SYSTEM, TABLE, kind_of
from planner.cli.colocate_queue import QueueOptions
from planner.cli.edges import counted_progress, progress
from planner.cli.methods import solver_option
from planner.cli.options import OutputOptions, seed_option, time_limit_option
from planner.cli.quantities import Quantity, Share
from planner.cli.runner import start
from planner.cli.typed import argument, command, group, option
from planner.cli.values import pairs, words_of
from planner.plain_numbers import plain_float, plain_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from planner.sharing_nodes.gate.study import GateStudy
    from planner.sharing_nodes.pairs.groups import GroupRules
    from planner.sharing_nodes.pairs.memory import NodeMemory
    from planner.sharing_nodes.pairs.study import ColocationStudy
    from planner.sharing_nodes.queue_gains.study import QueueStudy
    from planner.sharing_nodes.tangram.study import TangramStudy
    from scenarios.pairs.matrix import Values
    from scenarios.pairs.pair_table import PairTable


_MEMORY = Quantity("memory", "GB", 0, 1e9, above=True)
_NEED = Quantity("memory", "GB", 0, 1e9)


@dataclass(frozen=True, kw_only=True)
class SystemOptions:
    """Options of a simulated SYSTEM, where Tangram's gate decides."""

    seeds: int | None = option(
        type=click.IntRange(1, 1000),
        help="Campaigns on SYSTEM (default 3), or mappings of LOG's users (default 5).",
    )
    synthetic: int = option(
        type=click.IntRange(0, 40),
        default=0,
        help="Test N sampled applications per seed on SYSTEM instead of the paper's six.",
    )
    law: str = option(
        type=click.Choice(["both", "slowest-rank", "idle-cycles"]),
        default="both",
        help="What jobs get on the cores that they share on SYSTEM. With idle-cycles, ranks that "
        "wait or stall leave cycles to the other job.",
    )


@dataclass(frozen=True, kw_only=True)
class ColocateOptions:
    """Options of ``headroom colocate``."""

    table: str = argument(type=click.Path(), metavar="TABLE|SYSTEM")
    jobs: str | None = option(
        joined=True,
        metavar="A,B=N,...",
        help="Applications of the jobs: A for one job, B=N for N. By default one job of each.",
    )
    values: Values = option(
        type=click.Choice(["speed", "slowdown"]),
        default="speed",
        help="Meaning of a matrix: relative speeds, or times together over times alone.",
    )
    sheet: str | None = option(metavar="NAME", help="Sheet of a workbook to read.")
    share: float = option(
        type=Share(0, 1, above=True),
        default=0.995,
        help="Share of the best throughput that the bottleneck matchings keep.",
    )
    least_gain: float = option(
        type=Share(),
        default=0.05,
        help="Work that sharing must add per shared node, in nodes; predicted in LOG.",
    )
    least_speed: float = option(
        type=Share(),
        default=0.8,
        help="Lowest speed that users accept, relative to the job alone; predicted in LOG.",
    )
    node_memory_gb: float | None = option(
        "--node-memory",
        type=_MEMORY,
        help="Memory of a node, as in 256GB; limits who may share it.",
    )
    job_memory: tuple[str, ...] = option(
        "--job-memory",
        listed=True,
        metavar="APPLICATION=MEMORY",
        help="Memory of a job on its node, as in md=64GB; goes before that in TABLE.",
    )
    node_gpu_memory_gb: float | None = option(
        "--node-gpu-memory", type=_MEMORY, help="Memory of all GPUs of a node, as in 320GB."
    )
    job_gpu_memory: tuple[str, ...] = option(
        "--job-gpu-memory",
        listed=True,
        metavar="APPLICATION=MEMORY",
        help="GPU memory of a job on its node, as in md=40GB; goes before that in TABLE.",
    )
    predict: bool = option(
        is_flag=True, help="Also consider pairs that were not measured, at predicted speeds."
    )
    next_pairs: int = option(
        type=click.IntRange(0, 1000), default=5, help="List at most N pairs to measure next."
    )
    group_size: int | None = option(
        type=click.IntRange(2, 4),
        help="Also form groups of up to N jobs, with speeds predicted from pairs.",
    )
    users: str | None = option(
        joined=True,
        metavar="U,V=N,...",
        help="Owner of each job, in the order of --jobs; V=N owns N jobs.",
    )
    floors: tuple[str, ...] = option(
        "--floor",
        listed=True,
        metavar="USER=SPEED",
        help="Least mean relative speed of a user's jobs in groups, or of each job of a user of "
        "LOG; may be given several times.",
    )
    balanced: bool = option(
        is_flag=True,
        help="At fair prices, shared nodes must earn as much as nodes with one job each.",
    )
    solver: str = solver_option(default="highs", help="Solver for groups.")
    time_limit: float | None = time_limit_option()
    seed: int = seed_option(
        help="Seed of the random policy, or of sampled references; with --log, the first of "
        "--seeds."
    )
    system: SystemOptions = group(SystemOptions)
    gate: GateOptions = group(GateOptions)
    queue: QueueOptions = group(QueueOptions)
    output: OutputOptions = group(OutputOptions)
    given: frozenset[str]


@command(ColocateOptions)
def colocate(options: ColocateOptions) -> None:
    """Choose which jobs should share a node, from measured pairs.

    TABLE is a CSV or XLSX file with one pair per row under a,b,solo_a_s,solo_b_s,co_a_s,co_b_s, or
    a matrix of relative speeds. The chosen pairs are proved to have the largest total gain. With
    --profiles, a gate limits the share of bad co-runs of new applications. SYSTEM is
    tangram-two-node or tangram-eight-node: a gate learns which pairs may share cores. With --log,
    the jobs of a queue share nodes; TABLE, SYSTEM or poppa-12-codes gives their speeds.
    """
    kind = kind_of(options.table, options.given)
    run = start("colocate", options)
    found = _ANSWERS[kind](options)
    run.finish(replace(found, command=words_of("colocate", options)))


def _queue(options: ColocateOptions) -> QueueStudy:
    from planner.sharing_nodes.queue_gains.colocate_log import SEEDS, colocate_log

    queue, seeds = options.queue, options.system.seeds
    with counted_progress("seeds", quiet=options.output.quiet) as say:
        return colocate_log(
            options.table,
            queue.log or "",
            seeds=SEEDS if seeds is None else seeds,
            loads=queue.loads,
            floor=options.least_speed,
            floors=_floors(options),
            least_gain=options.least_gain,
            alpha=queue.alpha,
            first_jobs=queue.first_jobs,
            nodes=queue.nodes,
            processors_per_node=queue.processors_per_node,
            columns=pairs(queue.columns, "--column"),
            first_seed=options.seed,
            cores_law=options.system.law,
            progress=say,
        )


def _system(options: ColocateOptions) -> TangramStudy:
    from planner.sharing_nodes.tangram.evaluate import DEFAULT_SEEDS, tangram

    with counted_progress("seeds", quiet=options.output.quiet) as say:
        return tangram(
            options.table,
            seeds=options.system.seeds or DEFAULT_SEEDS,
            synthetic=options.system.synthetic,
            law=options.system.law,
            progress=say,
        )


def _gate(options: ColocateOptions) -> GateStudy:
    from planner.sharing_nodes.gate.own import gate as decided

    gate, references = options.gate, _names(options.gate.references, "--references")
    with progress(quiet=options.output.quiet) as say:
        say("learning from the co-runs")
        return decided(
            options.table,
            gate.profiles,
            references=references,
            bad_share=gate.bad_share,
            limit=gate.limit,
            basis=gate.basis,
            sheet=options.sheet,
            profiles_sheet=gate.profiles_sheet,
            test_gates=gate.test_gates,
            seed=options.seed,
        )


def _pairing(options: ColocateOptions) -> ColocationStudy:
    from planner.sharing_nodes.pairs.colocate import study
    from planner.sharing_nodes.pairs.settings import PairingSettings
    from scenarios.pairs.reader import read_pairs

    table = read_pairs(options.table, values=options.values, sheet=options.sheet)
    settings = PairingSettings(
        share=options.share,
        least_gain=options.least_gain,
        least_speed=options.least_speed,
        seed=options.seed,
        predict=options.predict,
        next_pairs=options.next_pairs,
        memories=_memories(options, table),
        rules=_rules(options),
        solver=options.solver,
        time_limit_s=options.time_limit,
    )
    jobs = _counted(options.jobs, "--jobs", table.names)
    with progress(quiet=options.output.quiet) as say:
        return study(table, jobs, settings, progress=say)


_ANSWERS: dict[str, Callable[[ColocateOptions], Any]] = {
    TABLE: _pairing,
    GROUPS: _pairing,
    GATE: _gate,
    SYSTEM: _system,
    QUEUE: _queue,
}
"""What answers each kind of request."""


def _rules(options: ColocateOptions) -> GroupRules | None:
    from planner.sharing_nodes.pairs.groups import GroupRules

    if options.group_size is None:
        return None
    users = _counted(options.users, "--users")
    return GroupRules(
        size=options.group_size, users=users, floors=_floors(options), balanced=options.balanced
    )


def _memories(options: ColocateOptions, table: PairTable) -> tuple[NodeMemory, ...]:
    from planner.sharing_nodes.pairs.memory import node_memories

    listed = {"job_memory_gb": options.job_memory, "job_gpu_memory_gb": options.job_gpu_memory}
    given: dict[str, object] = {
        name: {
            each: _gigabytes(text, _as_option(name))
            for each, text in pairs(texts, _as_option(name), table.names).items()
        }
        for name, texts in listed.items()
    }
    given |= {
        "node_memory_gb": options.node_memory_gb,
        "node_gpu_memory_gb": options.node_gpu_memory_gb,
    }
    return node_memories(table, given, _as_option)


def _as_option(argument: str) -> str:
    """The option of an argument of ``hr.colocate``."""
    return "--" + argument.removesuffix("_gb").replace("_", "-")


def _gigabytes(text: str, hint: str) -> float:
    try:
        return _NEED.convert(text, None, None)
    except click.BadParameter as error:
        raise click.BadParameter(error.message, param_hint=hint) from None


def _floors(options: ColocateOptions) -> dict[str, float]:
    floors = {}
    for user, text in pairs(options.floors, "--floor").items():
        try:
            floors[user] = plain_float(text)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--floor") from None
    return floors


def _counted(text: str | None, hint: str, known: Sequence[str] = ()) -> tuple[str, ...]:
    """A name for each job, where a name may have a count; a name may hold an equals sign."""
    from planner.sharing_nodes.pairs.problem import counted

    counts = []
    for each in _names(text, hint):
        whole = in_any_capitals(each, known)
        name, equals, count = each.rpartition("=")
        if whole in known or not equals:
            counts.append((whole, 1))
            continue
        if not name.strip():
            raise click.BadParameter(f"{each!r} is not NAME=COUNT", param_hint=hint)
        name = in_any_capitals(name.strip(), known)
        try:
            counts.append((name, plain_whole(count)))
        except ValueError as error:
            raise click.BadParameter(f"count of {name}: {error}", param_hint=hint) from None
    return counted(counts, hint)


def _names(text: str | None, hint: str) -> tuple[str, ...]:
    """Return names between commas; a name with a comma is in quotation marks."""
    if text is None:
        return ()
    names = next(csv.reader([text], skipinitialspace=True), [])
    stripped = tuple(name.strip() for name in names)
    if not all(stripped) or not stripped:
        raise click.BadParameter("a name is empty; give names as a,b,b", param_hint=hint)
    return stripped

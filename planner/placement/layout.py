"""Ranks on hosts and cores, checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from typing import NamedTuple

from planner.errors import InputError
from scenarios.formatting import short

_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_LONGEST_HOST = 253
_NUMBER = re.compile(r"[0-9.]+")


class Core(NamedTuple):
    """A core by the numbers that a rankfile counts: both from 0, the core within its processor.

    Attributes
    ----------
    processor
        Number of the socket within its node.
    core
        Number of the core within its socket.
    """

    processor: int
    core: int


@dataclass(frozen=True)
class Layout:
    """Ranks on hosts and cores; every rank from 0 is there once.

    Attributes
    ----------
    hosts
        Names, each once.
    groups
        The ranks of each host.
    cores
        Core of each of these ranks, no core twice on a host.
    cores_per_processor
        Cores per processor of each host, which number its cores across processors.
    placeholders
        Whether nobody gave names, so that node0, ... stand for them.
    cpus
        The operating system's number of each core of each host; empty where they are not known.
    """

    hosts: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    cores: tuple[tuple[Core, ...], ...]
    cores_per_processor: tuple[int, ...]
    placeholders: bool = field(default=False, compare=False)
    cpus: tuple[tuple[int, ...], ...] = field(default=(), compare=False)

    @property
    def ranks(self) -> int:
        """How many there are."""
        return sum(map(len, self.groups))

    def by_rank(self) -> list[tuple[str, Core]]:
        """Host and core of each rank, in order of the ranks."""
        result: dict[int, tuple[str, Core]] = {}
        for host, group, cores in zip(self.hosts, self.groups, self.cores, strict=True):
            result |= {rank: (host, core) for rank, core in zip(group, cores, strict=True)}
        return [result[rank] for rank in range(self.ranks)]

    def node_cores(self, node: int) -> list[int]:
        """Numbers of a node's cores, as in ``cores``, counted processor after processor."""
        return [
            core.processor * self.cores_per_processor[node] + core.core for core in self.cores[node]
        ]

    def node_cpus(self, node: int) -> list[int]:
        """The system's numbers of a node's cores; those of ``node_cores`` if not known."""
        numbers = self.cpus[node] if self.cpus else ()
        return [numbers[core] if numbers else core for core in self.node_cores(node)]


def laid_out(
    groups: Sequence[Sequence[int]],
    *,
    hosts: Sequence[str] | None = None,
    cores: Sequence[Sequence[Core]] | None = None,
    cores_per_processor: int | Sequence[int],
    numbers: Sequence[int] | None = None,
    cpus: Sequence[tuple[int, ...]] = (),
) -> Layout:
    """Check groups of ranks, one per node, and give them hosts and cores.

    Parameters
    ----------
    groups
        Ranks of each node; no group is empty.
    hosts
        As many names; by default node0, node1, ...
    cores
        Core of each rank of each group. The default, the first cores of the node in the order of
        the ranks, works with all launchers.
    cores_per_processor
        Cores per processor of all nodes or of each, at least 1; 1 where processors are not known.
    numbers
        Numbers in the names of nodes that have none; by default they count from 0.
    cpus
        As in :class:`Layout`.

    Returns
    -------
    Layout
        Host and core of every rank.

    Raises
    ------
    InputError
        A rank is missing or listed twice, a host name is not valid, or a core does not exist or is
        taken.

    Examples
    --------
    >>> layout = laid_out([[0, 2], [1, 3]], cores_per_processor=1)
    >>> layout.by_rank()[2]
    ('node0', Core(processor=1, core=0))
    """
    _check_groups(groups)
    each = (
        [cores_per_processor] * len(groups)
        if isinstance(cores_per_processor, int)
        else [*cores_per_processor]
    )
    _check_processors(each, len(groups))
    counted = range(len(groups)) if numbers is None else numbers
    names = tuple(hosts) if hosts is not None else tuple(f"node{i}" for i in counted)
    check_hosts(names, len(groups))
    if cores is None:
        cores = [_first_cores(group, per) for group, per in zip(groups, each, strict=True)]
    _check_cores(groups, cores, names, each)
    return Layout(
        names,
        tuple(tuple(map(int, group)) for group in groups),
        tuple(tuple(Core(*map(int, core)) for core in taken) for taken in cores),
        tuple(map(int, each)),
        hosts is None,
        tuple(cpus) if any(cpus) else (),
    )


def _first_cores(group: Sequence[int], cores_per_processor: int) -> list[Core]:
    """In order of the ranks, as launchers count the tasks of a node."""
    core_of = {rank: Core(*divmod(i, cores_per_processor)) for i, rank in enumerate(sorted(group))}
    return [core_of[rank] for rank in group]


def _check_groups(groups: Sequence[Sequence[int]]) -> None:
    seen: set[int] = set()
    count = sum(map(len, groups))
    for number, group in enumerate(groups):
        if not len(group):
            raise InputError(f"groups[{number}] is empty; omit nodes without ranks")
        for rank in group:
            if not 0 <= rank < count:
                raise InputError(f"rank {rank} is not from 0 to {count - 1}; {count} are given")
            if rank in seen:
                raise InputError(f"rank {rank} is in two groups; put it into one")
            seen.add(rank)
    if not count:
        raise InputError("no group is given; give the ranks of at least one node")


def _check_processors(cores_per_processor: Sequence[int], wanted: int) -> None:
    if len(cores_per_processor) != wanted:
        raise InputError(
            f"cores_per_processor is given for {len(cores_per_processor)} of {wanted} groups; give "
            "one number, or one each"
        )
    for value in cores_per_processor:
        if value < 1:
            raise InputError(f"cores_per_processor = {value} is below 1; give at least 1")


def check_hosts(hosts: Sequence[str], wanted: int) -> None:
    """Refuse host names that are not valid or listed twice, and a wrong number of names.

    Raises
    ------
    InputError
        The names are refused.
    """
    if len(hosts) != wanted:
        given = "1 host is" if len(hosts) == 1 else f"{len(hosts)} hosts are"
        nodes = "1 node" if wanted == 1 else f"{wanted} nodes"
        raise InputError(f"{given} given for {nodes}; give one host for each node")
    seen: set[str] = set()
    for host in hosts:
        if len(host) > _LONGEST_HOST or not _HOST.fullmatch(host):
            raise InputError(
                f"{short(host)} is not a valid host name; use letters, digits, - and _ between dots"
            )
        if _NUMBER.fullmatch(host) and not is_address(host):
            raise InputError(
                f"host {host} is a number, which launchers take for an address; give a name"
            )
        if host.lower() in seen:
            raise InputError(f"host {host} is given twice; give each node a different host")
        seen.add(host.lower())


def is_address(host: str) -> bool:
    """Whether it is an address of IPv4."""
    try:
        IPv4Address(host)
    except ValueError:
        return False
    return True


def _check_cores(
    groups: Sequence[Sequence[int]],
    cores: Sequence[Sequence[Core]],
    hosts: Sequence[str],
    cores_per_processor: Sequence[int],
) -> None:
    if [*map(len, groups)] != [*map(len, cores)]:
        raise InputError("cores are not given for every rank; give one core for each rank")
    for host, each, per in zip(hosts, cores, cores_per_processor, strict=True):
        for core in each:
            if core[0] < 0 or not 0 <= core[1] < per:
                raise InputError(
                    f"core {core[0]}:{core[1]} of {host} is not a core of sockets with {per} "
                    "cores; count from 0"
                )
        if len(set(each)) < len(each):
            raise InputError(f"two ranks on {host} have the same core; give each its own")

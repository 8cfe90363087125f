"""Files that tell launchers which rank runs on which node and core."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from planner.errors import InputError
from scenarios.files import written_whole
from scenarios.wording import short

FileForm = Literal["openmpi-4", "openmpi-5", "slurm", "mpich", "csv", "json"]
FILE_FORMS: tuple[FileForm, ...] = get_args(FileForm)

_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_LONGEST_HOST = 253


class Core(NamedTuple):
    """A core by the numbers that a rankfile counts: both from 0, the core within its processor."""

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
        Of each of these ranks, no core twice on a host.
    cores_per_processor
        Of each host, by which cores are counted through a node; the most where hosts differ.
    by_host
        The same host by host; empty where they do not differ.
    """

    hosts: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    cores: tuple[tuple[Core, ...], ...]
    cores_per_processor: int
    by_host: tuple[int, ...] = ()

    @property
    def ranks(self) -> int:
        """How many there are."""
        return sum(map(len, self.groups))

    def by_rank(self) -> list[tuple[str, Core]]:
        """Host and core of each rank, in order of the ranks."""
        found: dict[int, tuple[str, Core]] = {}
        for host, group, cores in zip(self.hosts, self.groups, self.cores, strict=True):
            found |= {rank: (host, core) for rank, core in zip(group, cores, strict=True)}
        return [found[rank] for rank in range(self.ranks)]

    def node_core(self, core: Core, host: int = 0) -> int:
        """The core's number within its node, processor after processor."""
        each = self.by_host[host] if self.by_host else self.cores_per_processor
        return core.processor * each + core.core


def laid_out(
    groups: Sequence[Sequence[int]],
    *,
    hosts: Sequence[str] | None = None,
    cores: Sequence[Sequence[Core]] | None = None,
    cores_per_processor: int | Sequence[int],
) -> Layout:
    """Check groups of ranks, one per node, and give them hosts and cores.

    Parameters
    ----------
    groups
        Ranks of each node; no group is empty.
    hosts
        As many names; by default node0, node1, ...
    cores
        Of each rank of each group; by default the first ones of the node, in order of the
        ranks, which all launchers can say.
    cores_per_processor
        At least 1, of all hosts or of each.

    Raises
    ------
    InputError
        A rank is missing or there twice, a name is no host's, or a core is none or taken.

    Examples
    --------
    >>> layout = laid_out([[0, 2], [1, 3]], cores_per_processor=1)
    >>> layout.by_rank()[2]
    ('node0', Core(processor=1, core=0))
    """
    _check_groups(groups)
    if isinstance(cores_per_processor, int):
        cores_per_processor = [cores_per_processor] * len(groups)
    if len(cores_per_processor) != len(groups) or min(cores_per_processor) < 1:
        raise InputError(
            f"cores_per_processor = {min(cores_per_processor, default=0)} is below 1, or not given "
            "for each host; give at least 1"
        )
    names = tuple(hosts) if hosts is not None else tuple(f"node{i}" for i in range(len(groups)))
    _check_hosts(names, len(groups))
    if cores is None:
        pairs = zip(groups, cores_per_processor, strict=True)
        cores = [_first_cores(group, each) for group, each in pairs]
    _check_cores(groups, cores, names, cores_per_processor)
    return Layout(
        names,
        tuple(tuple(map(int, each)) for each in groups),
        tuple(tuple(Core(*map(int, core)) for core in each) for each in cores),
        max(cores_per_processor),
        tuple(cores_per_processor) if len(set(cores_per_processor)) > 1 else (),
    )


def _first_cores(group: Sequence[int], cores_per_processor: int) -> list[Core]:
    """In order of the ranks, as launchers count the tasks of a node."""
    place = {rank: Core(*divmod(i, cores_per_processor)) for i, rank in enumerate(sorted(group))}
    return [place[rank] for rank in group]


def _check_groups(groups: Sequence[Sequence[int]]) -> None:
    seen: set[int] = set()
    count = sum(map(len, groups))
    for number, group in enumerate(groups):
        if not len(group):
            raise InputError(f"groups[{number}] is empty; leave nodes without ranks out")
        for rank in group:
            if not 0 <= rank < count:
                raise InputError(f"rank {rank} is not from 0 to {count - 1}; {count} are given")
            if rank in seen:
                raise InputError(f"rank {rank} is in two places; put it into one group")
            seen.add(rank)
    if not count:
        raise InputError("there are no groups; give the ranks of at least one node")


def _check_hosts(hosts: Sequence[str], wanted: int) -> None:
    if len(hosts) != wanted:
        raise InputError(f"{len(hosts)} hosts are given for {wanted} groups; give one each")
    seen: set[str] = set()
    for host in hosts:
        if len(host) > _LONGEST_HOST or not _HOST.fullmatch(host):
            raise InputError(
                f"{short(host)} is no host name; write letters, digits, - and _ between dots"
            )
        if host.lower() in seen:
            raise InputError(f"host {host} is given twice; give each node its own")
        seen.add(host.lower())


def _check_cores(
    groups: Sequence[Sequence[int]],
    cores: Sequence[Sequence[Core]],
    hosts: Sequence[str],
    cores_per_processor: Sequence[int],
) -> None:
    if [*map(len, groups)] != [*map(len, cores)]:
        raise InputError("cores are not given for every rank of every group; give one each")
    for host, each, most in zip(hosts, cores, cores_per_processor, strict=True):
        for core in each:
            if core[0] < 0 or not 0 <= core[1] < most:
                raise InputError(
                    f"core {core[0]}:{core[1]} of {host} is none of processors with "
                    f"{most} cores; count from 0"
                )
        if len(set(each)) < len(each):
            raise InputError(f"two ranks on {host} have the same core; give each its own")


def open_mpi(layout: Layout) -> str:
    """A rankfile of Open MPI 4 and 5: ``rank 0=host slot=processor:core``.

    References
    ----------
    mpirun(1) of Open MPI 4.1 and 5.0, "Rankfiles": numbers are logical, as hwloc counts.
    """
    return "".join(
        f"rank {rank}={host} slot={core.processor}:{core.core}\n"
        for rank, (host, core) in enumerate(layout.by_rank())
    )


def slurm_hostfile(layout: Layout) -> str:
    """A file for ``SLURM_HOSTFILE``: the host of each rank, a line each."""
    return "".join(f"{host}\n" for host, _ in layout.by_rank())


def slurm_cores(layout: Layout) -> list[int] | None:
    """The cores for ``--cpu-bind=map_cpu:``, in order of the ranks of a node.

    Slurm takes one list for all nodes of a step; ``None`` where nodes would need different ones.
    """
    lists = [
        [layout.node_core(core, host) for _, core in sorted(zip(group, cores, strict=True))]
        for host, (group, cores) in enumerate(zip(layout.groups, layout.cores, strict=True))
    ]
    longest = max(lists, key=len)
    return longest if all(each == longest[: len(each)] for each in lists) else None


def mpich_machinefile(layout: Layout) -> str:
    """A file for ``mpiexec -f`` of MPICH's Hydra: ``host:ranks``, in order of the ranks.

    It holds hosts in order, no ranks: a host whose ranks do not follow each other is there again.
    """
    lines: list[tuple[str, int]] = []
    for host, _ in layout.by_rank():
        if lines and lines[-1][0] == host:
            lines[-1] = (host, lines[-1][1] + 1)
        else:
            lines.append((host, 1))
    return "".join(f"{host}:{count}\n" for host, count in lines)


def as_csv(layout: Layout) -> str:
    """A table of rank, host, processor, core within it, and core within the node."""
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(("rank", "host", "processor", "core", "node_core"))
    place = {host: number for number, host in enumerate(layout.hosts)}
    for rank, (host, core) in enumerate(layout.by_rank()):
        within = layout.node_core(core, place[host])
        table.writerow((rank, host, core.processor, core.core, within))
    return stream.getvalue()


def as_json(layout: Layout) -> str:
    """The groups of ranks with their hosts and cores."""
    nodes = [
        {
            "host": host,
            "ranks": list(group),
            "cores": [{"processor": core.processor, "core": core.core} for core in cores],
        }
        for host, group, cores in zip(layout.hosts, layout.groups, layout.cores, strict=True)
    ]
    content = {
        "format": 1,
        "ranks": layout.ranks,
        "cores_per_processor": layout.by_host or layout.cores_per_processor,
        "nodes": nodes,
    }
    return json.dumps(content, indent=1) + "\n"


_TEXTS: Mapping[FileForm, Callable[[Layout], str]] = {
    "openmpi-4": open_mpi,
    "openmpi-5": open_mpi,
    "slurm": slurm_hostfile,
    "mpich": mpich_machinefile,
    "csv": as_csv,
    "json": as_json,
}


def rank_file(form: FileForm, layout: Layout) -> str:
    """The text of a file, in ASCII.

    Raises
    ------
    InputError
        The form is unknown.
    """
    if form not in FILE_FORMS:
        raise InputError(f"{short(form)} is no form of rank files; there are {', '.join(_TEXTS)}")
    return _TEXTS[form](layout)


def write_rank_file(path: Path | str, form: FileForm, layout: Layout) -> None:
    """Write the whole file or nothing.

    Raises
    ------
    InputError
        The form is unknown.
    OSError
        The file cannot be written.
    """
    data = rank_file(form, layout).encode("ascii")
    with written_whole(Path(path)) as stream:
        stream.write(data)

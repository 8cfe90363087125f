"""Files that tell launchers which rank runs on which node and core."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, get_args

from planner.errors import InputError
from planner.placement.layout import Layout
from scenarios.formatting import short
from scenarios.tables.inert import csv_text
from scenarios.writing import written_whole

FileForm = Literal["openmpi-4", "openmpi-5", "slurm", "mpich", "csv"]
FILE_FORMS: tuple[FileForm, ...] = get_args(FileForm)

_RANKFILES = ("openmpi-4", "openmpi-5")
_WORDS_OF_RANKFILES = frozenset({"rank", "slot", "slots", "username", "user-name", "user_name"})


def open_mpi(layout: Layout) -> str:
    """A rankfile of Open MPI 4 and 5: ``rank 0=host slot=processor:core``.

    With one core per processor, ``slot=core`` counts through the node, which is right for any
    processors. Layouts whose processors are not known also have one core per processor.

    References
    ----------
    mpirun(1) of Open MPI 4.1 and 5.0, "Rankfiles": numbers are logical, as hwloc counts.
    """
    known = dict(zip(layout.hosts, layout.cores_per_processor, strict=True))
    return "".join(
        f"rank {rank}={host} slot={core.processor}"
        + (f":{core.core}\n" if known[host] > 1 else "\n")
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
        [core for _, core in sorted(zip(group, layout.node_cpus(node), strict=True))]
        for node, group in enumerate(layout.groups)
    ]
    longest = max(lists, key=len)
    return longest if all(ranks == longest[: len(ranks)] for ranks in lists) else None


def binding(layout: Layout) -> str:
    """A shell script that binds each rank to its core, and then becomes the program.

    For launchers that take one list of cores for all nodes, where nodes need different ones. The
    rank is that of Slurm or of PMI; cores are the operating system's numbers.

    References
    ----------
    srun(1) of Slurm: ``SLURM_PROCID``; MPICH's Hydra: ``PMI_RANK``; taskset(1) of util-linux.
    """
    cores = {
        rank: core
        for node, group in enumerate(layout.groups)
        for rank, core in zip(group, layout.node_cpus(node), strict=True)
    }
    listed = " ".join(str(cores[rank]) for rank in range(layout.ranks))
    return _BINDING.format(cores=listed, last=layout.ranks - 1)


_BINDING = """\
#!/bin/sh
# Binds a rank to its core, and becomes the program: sh bind.sh PROGRAM ...
# The cores of ranks 0 to {last}:
cores="{cores}"
rank=${{SLURM_PROCID:-${{PMI_RANK:-}}}}
[ -n "$rank" ] || {{ echo "bind.sh: neither SLURM_PROCID nor PMI_RANK is set" >&2; exit 1; }}
left=$rank
for core in $cores; do
    [ "$left" -gt 0 ] || exec taskset -c "$core" "$@"
    left=$((left - 1))
done
echo "bind.sh: rank $rank is not from 0 to {last}" >&2
exit 1
"""


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
    through = {
        rank: core
        for node, group in enumerate(layout.groups)
        for rank, core in zip(group, layout.node_cores(node), strict=True)
    }
    rows = (
        (rank, host, core.processor, core.core, through[rank])
        for rank, (host, core) in enumerate(layout.by_rank())
    )
    return csv_text([("rank", "host", "processor", "core", "node_core"), *rows])


_TEXTS: Mapping[FileForm, Callable[[Layout], str]] = {
    "openmpi-4": open_mpi,
    "openmpi-5": open_mpi,
    "slurm": slurm_hostfile,
    "mpich": mpich_machinefile,
    "csv": as_csv,
}


def rank_file(form: FileForm, layout: Layout) -> str:
    """The text of a file, in ASCII.

    Raises
    ------
    InputError
        The form is unknown.
    """
    if form not in FILE_FORMS:
        raise InputError(
            f"{short(form)} is not a format of rank files; use one of {', '.join(_TEXTS)}"
        )
    return _TEXTS[form](layout)


def misread_host(form: FileForm, layout: Layout) -> str:
    """The first host whose name the launcher does not read; empty if it reads all."""
    for host in layout.hosts:
        if form in _RANKFILES and host in _WORDS_OF_RANKFILES:
            return host
        if form == "openmpi-4" and "_" in host:
            return host
    return ""


def write_rank_file(path: Path | str, form: FileForm, layout: Layout) -> None:
    """Write the whole file or nothing.

    Parameters
    ----------
    path
        Path of the file.
    form
        ``openmpi-4``, ``openmpi-5``, ``slurm``, ``mpich``, ``csv`` or ``json``.
    layout
        Host and core of each rank, as ``laid_out`` gives it.

    Raises
    ------
    InputError
        The form is unknown, or its launcher does not read a host's name.
    OSError
        The file cannot be written.
    """
    data = rank_file(form, layout).encode("ascii")
    host = misread_host(form, layout)
    if host:
        keyword = "is a keyword of Open MPI rankfiles"
        why = keyword if host in _WORDS_OF_RANKFILES else "contains _, which Open MPI 4 rejects"
        raise InputError(f"host {host} {why}; give its address")
    with written_whole(Path(path)) as stream:
        stream.write(data)

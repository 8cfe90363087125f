"""The words with which launchers take rank files, and what these cannot say."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from planner.placement.rank_files import FileForm, Layout, mpich_machinefile, slurm_cores

_DIFFERENT_LISTS = (
    "cores are not bound: --cpu-bind=map_cpu: takes one list for all nodes, and these need "
    "different ones"
)
_TWICE = (
    "a host whose ranks do not follow each other is in the file more than once: Hydra keeps the "
    "order, but takes each time for a node of its own, so that ranks there may not share memory, "
    "and cores cannot be bound; with Open MPI or Slurm there is no such limit"
)


@dataclass(frozen=True)
class Launch:
    """How to start a program with a rank file.

    Attributes
    ----------
    command
        For a shell, without the program; empty where the file is for no launcher.
    remarks
        What must hold, and what the file cannot say.
    """

    command: str
    remarks: tuple[str, ...] = ()


_IN_ALLOCATION = "the hosts must be in the allocation, or in a hostfile, with slots enough"
_LOGICAL = "processors and cores are counted as hwloc counts them (lstopo -l)"
_OS_NUMBERS = (
    "cores are the operating system's numbers, here counted processor by processor: compare them "
    "with lstopo -p"
)


def launch(form: FileForm, layout: Layout, path: str) -> Launch:
    """What to write before the program to run it with the file at a path.

    References
    ----------
    mpirun(1) of Open MPI 4.1 and 5.0; srun(1) of Slurm: ``--distribution=arbitrary`` takes the
    hosts of tasks from ``SLURM_HOSTFILE`` and goes without ``--nodes``; mpiexec of MPICH (Hydra).
    """
    file = shlex.quote(path)
    if form == "openmpi-4":
        return Launch(f"mpirun -n {layout.ranks} --rankfile {file}", (_IN_ALLOCATION, _LOGICAL))
    if form == "openmpi-5":
        # Open MPI 5 splits this argument at colons and commas.
        remarks = [_IN_ALLOCATION, _LOGICAL]
        if set(path) & set(":, "):
            remarks.append("give the file a name without colons, commas and blanks")
        command = f"mpirun -n {layout.ranks} --map-by {shlex.quote(f'rankfile:file={path}')}"
        return Launch(command, tuple(remarks))
    if form == "slurm":
        return _srun(layout, file)
    return _hydra(layout, file) if form == "mpich" else Launch("")


def _srun(layout: Layout, file: str) -> Launch:
    command = f"SLURM_HOSTFILE={file} srun --ntasks={layout.ranks} --distribution=arbitrary"
    cores = slurm_cores(layout)
    if cores is None:
        return Launch(command, ("the job's nodes must be those of the file", _DIFFERENT_LISTS))
    bound = f"{command} --cpu-bind=map_cpu:{','.join(map(str, cores))}"
    return Launch(bound, ("the job's nodes must be those of the file, whole", _OS_NUMBERS))


def _hydra(layout: Layout, file: str) -> Launch:
    command = f"mpiexec -n {layout.ranks} -f {file}"
    if len(mpich_machinefile(layout).splitlines()) > len(layout.hosts):
        return Launch(command, (_TWICE,))
    cores = slurm_cores(layout)
    if cores is None:
        return Launch(command, (_DIFFERENT_LISTS.replace("--cpu-bind=map_cpu:", "-bind-to user:"),))
    return Launch(f"{command} -bind-to user:{','.join(map(str, cores))}", (_OS_NUMBERS,))

"""The words with which launchers take rank files, and what these cannot say."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from planner.placement.layout import Layout, is_address
from planner.placement.rank_files import FileForm, misread, mpich_machinefile, slurm_cores

_NOT_BOUND = (
    "ranks are placed on nodes but not bound to cores: {why}. Use headroom place -o DIR, "
    "which also "
    "writes {script} to bind them"
)
_BY_SCRIPT = "{script} binds each rank to its core with taskset: {why}"
_ONE_LIST = "{option} takes one list for all nodes, and these nodes need different lists"
_EACH_TIME = "-bind-to user: restarts its list each time that a host is named"
_TWICE = (
    "some hosts are listed more than once: Hydra treats each entry as a separate node, so ranks on "
    "such a host may not share memory. Open MPI and Slurm do not have this limitation"
)
_PLACEHOLDERS = "{first}, ... are placeholders: pass your host names with --host"
BINDING = "bind.sh"
"""What the script is called that binds ranks where a launcher's own list cannot."""


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


_IN_ALLOCATION = "inside an allocation, it must include these hosts with enough slots"
_NO_HOSTS = "outside an allocation, add --hostfile with the hosts and enough slots"
_LOGICAL = "sockets and cores have hwloc's logical numbers (lstopo -l)"
_LOGICAL_SLOTS = "slots are cores, by hwloc's logical numbers (lstopo -l)"
_WHOLE_NODES = (
    "run it in a job that has whole nodes (sbatch or salloc with --exclusive); otherwise srun "
    "takes "
    "too few cores on some nodes"
)
_OS_NUMBERS = "cores have the operating system's numbers (lstopo -p)"
_COUNTED = "taken to count socket by socket; give them with indexes= if they do not"
_MOST_HOSTS = 64


def launch(form: FileForm, layout: Layout, path: str, script: str = "") -> Launch:
    """What to write before the program to run it with the file at a path.

    Parameters
    ----------
    form, layout, path
        Format, layout and path of the rank file.
    script
        Where the script lies that binds ranks to cores; empty where there is none.

    Returns
    -------
    Launch
        The command without the program, and what must hold.

    References
    ----------
    mpirun(1) of Open MPI 4.1 and 5.0; srun(1) of Slurm: ``--distribution=arbitrary`` takes the
    hosts of tasks from ``SLURM_HOSTFILE`` and goes without ``--nodes``; mpiexec of MPICH (Hydra).
    """
    launch = _launch(form, layout, path, script)
    if not (launch.command and layout.placeholders):
        return launch
    text = _PLACEHOLDERS.format(first=layout.hosts[0])
    return Launch(launch.command, (text, *launch.remarks))


def _launch(form: FileForm, layout: Layout, path: str, script: str) -> Launch:
    file = shlex.quote(path)
    if form == "openmpi-4":
        # Both versions know hosts by their first label, and else would take one for the other.
        whole = "--mca orte_keep_fqdn_hostnames 1 " if _same_labels(layout) else ""
        command = f"mpirun -n {layout.ranks} {whole}--rankfile {file}"
        return Launch(command, (*_unread(form, layout), _IN_ALLOCATION, _logical(layout)))
    if form == "openmpi-5":
        return _mpirun_5(layout, path)
    if form == "slurm":
        return _srun(layout, file, script)
    return _hydra(layout, file, script) if form == "mpich" else Launch("")


def _unread(form: FileForm, layout: Layout) -> tuple[str, ...]:
    return tuple(filter(None, [misread(form, layout)]))


def _logical(layout: Layout) -> str:
    """What the numbers of a rankfile mean: it names sockets only where they have several cores."""
    return _LOGICAL if max(layout.cores_per_processor) > 1 else _LOGICAL_SLOTS


def _same_labels(layout: Layout) -> bool:
    labels = {host if is_address(host) else host.partition(".")[0].lower() for host in layout.hosts}
    return len(labels) < len(layout.hosts)


def _mpirun_5(layout: Layout, path: str) -> Launch:
    remarks = [*_unread("openmpi-5", layout), _IN_ALLOCATION, _logical(layout)]
    words = ["mpirun", "-n", str(layout.ranks)]
    if _same_labels(layout):
        words += ["--prtemca", "prte_keep_fqdn_hostnames", "1"]
    if len(layout.hosts) <= _MOST_HOSTS:
        # Unlike version 4 it does not take hosts from the rankfile.
        hosts = zip(layout.hosts, layout.groups, strict=True)
        words += ["--host", ",".join(f"{host}:{len(group)}" for host, group in hosts)]
    else:
        remarks.append(_NO_HOSTS)
    if set(path) & set(":,"):
        remarks.append("rename the file: colons and commas in its path split the argument")
    return Launch(shlex.join([*words, "--map-by", f"rankfile:file={path}"]), tuple(remarks))


def _scripted(layout: Layout, command: str, why: str, script: str) -> Launch:
    """Bound by a script where there is one, else not at all."""
    if not script:
        return Launch(command, (_NOT_BOUND.format(why=why, script=BINDING),))
    text = _BY_SCRIPT.format(why=why, script=script)
    return Launch(f"{command} sh {shlex.quote(script)}", (text, _system_numbers(layout)))


def _system_numbers(layout: Layout) -> str:
    """What the numbers in a list of cores are."""
    known = layout.cpus and all(layout.cpus)
    return _OS_NUMBERS if known else f"{_OS_NUMBERS}, {_COUNTED}"


def _srun(layout: Layout, file: str, script: str) -> Launch:
    command = f"SLURM_HOSTFILE={file} srun --ntasks={layout.ranks} --distribution=arbitrary"
    cores = slurm_cores(layout)
    if cores is None:
        free = f"{command} --cpu-bind=none" if script else command
        launch = _scripted(layout, free, _ONE_LIST.format(option="--cpu-bind=map_cpu:"), script)
        return Launch(launch.command, (_WHOLE_NODES, *launch.remarks))
    bound = f"{command} --cpu-bind=map_cpu:{','.join(map(str, cores))}"
    return Launch(bound, (_WHOLE_NODES, _system_numbers(layout)))


def _hydra(layout: Layout, file: str, script: str) -> Launch:
    command = f"mpiexec -n {layout.ranks} -f {file}"
    if len(mpich_machinefile(layout).splitlines()) > len(layout.hosts):
        launch = _scripted(layout, command, _EACH_TIME, script)
        return Launch(launch.command, (_TWICE, *launch.remarks))
    cores = slurm_cores(layout)
    if cores is None:
        return _scripted(layout, command, _ONE_LIST.format(option="-bind-to user:"), script)
    bound = f"{command} -bind-to user:{','.join(map(str, cores))}"
    return Launch(bound, (_system_numbers(layout),))

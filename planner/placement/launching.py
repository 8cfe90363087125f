"""The commands with which launchers take rank files, and what these cannot say."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass

from planner.finding import Finding, Value, finding
from planner.placement.layout import Layout, is_address
from planner.placement.rank_files import FileForm, misread_host, mpich_machinefile, slurm_cores

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
        What must hold, and what the file cannot say; of kinds of the catalogue of ``place``.
    """

    command: str
    remarks: tuple[Finding, ...] = ()


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
    return Launch(launch.command, (_note("hosts"), *launch.remarks))


def _launch(form: FileForm, layout: Layout, path: str, script: str) -> Launch:
    file = shlex.quote(path)
    if form == "openmpi-4":
        # Both versions know hosts by their first label, and else would take one for the other.
        whole = "--mca orte_keep_fqdn_hostnames 1 " if _same_labels(layout) else ""
        command = f"mpirun -n {layout.ranks} {whole}--rankfile {file}"
        return Launch(command, _of_rankfile(form, layout))
    if form == "openmpi-5":
        return _mpirun_5(layout, path)
    if form == "slurm":
        return _srun(layout, file, script)
    return _hydra(layout, file, script) if form == "mpich" else Launch("")


def _note(kind: str, **values: tuple[Value, str]) -> Finding:
    return finding("note", kind, **values)


def _of_rankfile(form: FileForm, layout: Layout) -> tuple[Finding, ...]:
    """What holds for both versions of Open MPI.

    A rankfile names sockets only where they have several cores.
    """
    unread = misread_host(form, layout)
    named = (_note("host-unread", host=(unread, "exact")),) if unread else ()
    numbers = "logical" if max(layout.cores_per_processor) > 1 else "slots"
    return (*named, _note("in-allocation"), _note("core-numbers", numbers=(numbers, "numbers")))


def _same_labels(layout: Layout) -> bool:
    labels = {host if is_address(host) else host.partition(".")[0].lower() for host in layout.hosts}
    return len(labels) < len(layout.hosts)


def _mpirun_5(layout: Layout, path: str) -> Launch:
    notes = [*_of_rankfile("openmpi-5", layout)]
    words = ["mpirun", "-n", str(layout.ranks)]
    if _same_labels(layout):
        words += ["--prtemca", "prte_keep_fqdn_hostnames", "1"]
    if len(layout.hosts) <= _MOST_HOSTS:
        # Unlike version 4 it does not take hosts from the rankfile.
        hosts = zip(layout.hosts, layout.groups, strict=True)
        words += ["--host", ",".join(f"{host}:{len(group)}" for host, group in hosts)]
    else:
        notes.append(_note("hostfile"))
    if set(path) & set(":,"):
        notes.append(_note("rename"))
    return Launch(shlex.join([*words, "--map-by", f"rankfile:file={path}"]), tuple(notes))


def _scripted(layout: Layout, command: str, why: str, script: str) -> Launch:
    """Bound by a script where there is one, else not at all."""
    if not script:
        return Launch(command, (_note("not-bound", why=(why, "not bound")),))
    by_script = _note("by-script", script=(script, "exact"), why=(why, "not bound"))
    return Launch(f"{command} sh {shlex.quote(script)}", (by_script, _system_numbers(layout)))


def _system_numbers(layout: Layout) -> Finding:
    """What the numbers in a list of cores are."""
    known = layout.cpus and all(layout.cpus)
    return _note("core-numbers", numbers=("system" if known else "counted", "numbers"))


def _srun(layout: Layout, file: str, script: str) -> Launch:
    command = f"SLURM_HOSTFILE={file} srun --ntasks={layout.ranks} --distribution=arbitrary"
    cores = slurm_cores(layout)
    whole = _note("whole-nodes")
    if cores is None:
        free = f"{command} --cpu-bind=none" if script else command
        launch = _scripted(layout, free, "one list", script)
        return Launch(launch.command, (whole, *launch.remarks))
    bound = f"{command} --cpu-bind=map_cpu:{','.join(map(str, cores))}"
    return Launch(bound, (whole, _system_numbers(layout)))


def _hydra(layout: Layout, file: str, script: str) -> Launch:
    command = f"mpiexec -n {layout.ranks} -f {file}"
    named = Counter(line.rpartition(":")[0] for line in mpich_machinefile(layout).splitlines())
    again = sum(times > 1 for times in named.values())
    if again:
        launch = _scripted(layout, command, "each time", script)
        twice = _note("hosts-again", hosts=((again, len(named)), "of:count"))
        return Launch(launch.command, (twice, *launch.remarks))
    cores = slurm_cores(layout)
    if cores is None:
        return _scripted(layout, command, "one list", script)
    bound = f"{command} -bind-to user:{','.join(map(str, cores))}"
    return Launch(bound, (_system_numbers(layout),))

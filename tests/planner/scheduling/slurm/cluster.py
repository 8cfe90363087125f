"""A real Slurm on this machine: one controller and nodes that are all this host, over loopback."""

from __future__ import annotations

import getpass
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from planner.scheduling.slurm.export import SlurmExport
from planner.scheduling.slurm.files import CALL, CONF, write_slurm_files

PATIENCE_S = 60
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "sinfo", "unshare")
OUTER = ("unshare", "--pid", "--fork", "--kill-child")
LOCAL = """ClusterName=made-up
SlurmctldHost={here}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmdSpoolDir={folder}/%n
SlurmctldLogFile={folder}/slurmctld.log
SlurmctldDebug=debug
DebugFlags=License
LogTimeFormat=iso8601_ms
StateSaveLocation={folder}/state
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
MpiDefault=none
GresTypes=gpu
PartitionName=all Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE
PartitionName=tiny Nodes=ALL MaxNodes=5 OverSubscribe=EXCLUSIVE
PartitionName=small Nodes=ALL MaxNodes=7 OverSubscribe=EXCLUSIVE
PartitionName=short Nodes=ALL MaxTime=6 OverSubscribe=EXCLUSIVE
PartitionName=part Nodes=ALL MaxCPUsPerNode=12 OverSubscribe=EXCLUSIVE
"""


@dataclass(frozen=True)
class Run:
    """A job by the controller's log: times in seconds, and licences while it ran."""

    number: int
    submit_s: float
    start_s: float
    end_s: float
    charge_w: int


class Cluster:
    """Commands for it, and what its log says."""

    def __init__(self, folder: Path, export: SlurmExport) -> None:
        self.folder = folder
        self.export = export
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def run(
        self, *words: str, user: int | None = None, folder: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """With the configuration of a folder, and as another user where one is given."""
        folder = folder or self.folder
        return subprocess.run(
            words, env={**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}, cwd=folder,
            capture_output=True, text=True, check=False, timeout=PATIENCE_S,
            user=user, group=user, extra_groups=None if user is None else [],
        )  # fmt: skip

    def ask(self, words: tuple[str, ...]) -> str:
        """What a command prints; raises ``CalledProcessError`` where it fails, as the agent's."""
        done = self.run(*words)
        done.check_returncode()
        return done.stdout

    def output_of(self, *words: str) -> str:
        done = self.run(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def submit(self, nodes: int, minutes: int, application: str, command: str, *more: str) -> int:
        words = ("sbatch", "--parsable", "--output=/dev/null", f"--nodes={nodes}",
                 f"--time={minutes}", f"--comment=application={application}", *more,
                 f"--wrap={command}")  # fmt: skip
        return int(self.output_of(*words))

    def field(self, job: int, name: str) -> str:
        match = re.search(
            rf"\b{name}=(\S+)", self.output_of("scontrol", "show", "job", str(job), "-o")
        )
        assert match is not None
        return match[1]

    def wait(self, ready: str, *words: str, patience_s: float = PATIENCE_S) -> None:
        """Until a command says exactly this (blanks aside)."""
        deadline = time.monotonic() + patience_s
        while (output := self.run(*words).stdout.split()) != ready.split():
            assert time.monotonic() < deadline, (output, self.log[-2000:])
            time.sleep(0.05)

    @property
    def log(self) -> str:
        return (self.folder / "slurmctld.log").read_text()

    def charged(self) -> list[tuple[float, int]]:
        """Time [s] and licences in use [W], at every change, as the controller counts them."""
        events = re.findall(
            r"^\[(\S+)\] licenses: (?:acquire|return)_license=watt .* used=(\d+)$",
            self.log, re.MULTILINE,
        )  # fmt: skip
        return [(_seconds(stamp), int(used)) for stamp, used in events]

    def runs(self) -> list[Run]:
        """Every job that has ended, with the licences that its start added."""
        submit = self._times(r"_slurm_rpc_submit_batch_job: JobId=(\d+) ")
        start = self._times(r"licenses: acquire_license=watt JobId=(\d+) ")
        end = self._times(r"licenses: return_license=watt JobId=(\d+) ")
        charge = self._charges()
        return [Run(job, submit[job], start[job], end[job], charge[job]) for job in sorted(end)]

    def _times(self, event: str) -> dict[int, float]:
        events = re.findall(rf"^\[(\S+)\] {event}", self.log, re.MULTILINE)
        return {int(job): _seconds(stamp) for stamp, job in events}

    def _charges(self) -> dict[int, int]:
        """By differences of licences in use from one change to the next."""
        events = re.findall(
            r"(acquire|return)_license=watt JobId=(\d+) .* used=(\d+)$", self.log, re.MULTILINE
        )
        used, charges = 0, {}
        for kind, job, now in events:
            if kind == "acquire":
                charges[int(job)] = int(now) - used
            used = int(now)
        return charges


def _seconds(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp()


def missing() -> str:
    """Why no Slurm can be started here, or nothing."""
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    if absent:
        return f"Slurm is not installed (Debian: slurm-wlm); missing {', '.join(absent)}"
    tried = subprocess.run([*OUTER, "true"], capture_output=True, timeout=PATIENCE_S, check=False)
    return "no process namespaces, so daemons might stay behind" if tried.returncode else ""


@contextmanager
def started(folder: Path, export: SlurmExport) -> Iterator[Cluster]:
    """Slurm with the files of an export; all its processes die with the first of them."""
    cluster = Cluster(folder, export)
    write_slurm_files(export, folder)
    call = CALL.replace("/etc/slurm/", f"{folder}/")
    (folder / "job_submit.lua").write_text(call, encoding="utf-8")
    (folder / "state").mkdir()
    (folder / "slurm.conf").write_text(_conf(folder, export))
    nodes = " ".join(f"n{index}" for index in range(1, export.nodes + 1))
    script = (
        f"while :; do slurmctld -D; done & for node in {nodes}; do slurmd -D -N $node & done; wait"
    )
    process = subprocess.Popen(
        [*OUTER, "sh", "-c", script], env=cluster.environment, cwd=folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        listed = ("sinfo", "--noheader", "--Node", "--partition=all", "--format=%T")
        cluster.wait("idle " * export.nodes, *listed)
        yield cluster
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the first process of the namespace, which takes all others of it along."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    process.wait(PATIENCE_S)


def _conf(folder: Path, export: SlurmExport) -> str:
    here = socket.gethostname().partition(".")[0]
    ports = _free_ports(export.nodes + 1)
    nodes = (
        f"NodeName=n{index} NodeHostname={here} NodeAddr=127.0.0.1 Port={port} "
        f"CPUs={export.cores_per_node}\n"
        for index, port in enumerate(ports[1:], 1)
    )
    local = LOCAL.format(folder=folder, here=here, user=getpass.getuser(), port=ports[0])
    return "".join(((folder / CONF).read_text(), *nodes, local))


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for free in sockets:
            free.bind(("127.0.0.1", 0))
        return [free.getsockname()[1] for free in sockets]

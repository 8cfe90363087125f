"""Hosts that are namespaces of this machine, and a program that says where it runs on them."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import threading
import uuid
from pathlib import Path

from planner.placement.launching import launch
from planner.placement.layout import Layout
from planner.placement.rank_files import FileForm, write_rank_file
from tests.planner.cli.test_interrupts import MARK, processes

PATIENCE_S = 60
GRACE_S = 0.5
NODE = "pack:2 l2:2 core:2 pu:1"

AGENT = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1; shift
case $host in small*) export HWLOC_SYNTHETIC="pack:1 core:4 pu:1";; esac
exec unshare --uts sh -c 'hostname "$0" && exec sh -c "$*"' "$host" "$@"
"""
PROGRAM = """#!/bin/sh
rank=$OMPI_COMM_WORLD_RANK$PMI_RANK$SLURM_PROCID
echo "rank $rank on ${SLURMD_NODENAME:-$(hostname)}" $(grep Cpus_allowed_list /proc/self/status)
"""


def namespaces() -> bool:
    """Whether names of hosts can be made up here."""
    if shutil.which("unshare") is None:
        return False
    words = ["unshare", "--uts", "hostname", "made-up"]
    return not subprocess.run(
        words, capture_output=True, timeout=PATIENCE_S, check=False
    ).returncode


class Bench:
    """A folder with the program, the agent that reaches made-up hosts, and one launcher."""

    def __init__(self, folder: Path, temporary: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "PATH": f"{folder}:{os.environ['PATH']}",
            "TMPDIR": str(temporary),
            "RES_OPTIONS": "timeout:1 attempts:1",  # nobody knows the names of these hosts
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_plm_rsh_agent": str(folder / "agent"),
            "PRTE_MCA_plm_ssh_agent": str(folder / "agent"),
            "HYDRA_LAUNCHER_EXEC": str(folder / "agent"),
        }
        self.script("agent", AGENT)
        self.script("program", PROGRAM)

    def script(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def stands_for(self, name: str, found: str) -> None:
        self.script(name, f'#!/bin/sh\nexec {found} "$@"\n')

    def run(self, command: str, ranks: int | None = None, **environment: str) -> str:
        """What a command of the shell says; with ranks it is over once all have spoken.

        Launchers at times take seconds, or for ever, to end after their programs have: daemons
        on one machine are not what they are made for. Whoever is left is killed.
        """
        mark = uuid.uuid4().hex
        process = subprocess.Popen(
            ["sh", "-c", command],
            cwd=self.folder,
            env={**self.environment, **environment, MARK: mark},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        late = threading.Timer(PATIENCE_S, _kill, [mark])
        late.start()
        try:
            said, complete = _read(process, ranks)
            process.wait(GRACE_S if complete else PATIENCE_S)
        except subprocess.TimeoutExpired:
            assert complete, said
        finally:
            late.cancel()
            _kill(mark)
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        assert complete or process.returncode == 0, said
        return said

    def launched(self, form: FileForm, layout: Layout, shown: str = "", **environment: str) -> str:
        """Run the program as the launching words say, with a flag more to show what is done."""
        (self.folder / "rank file").unlink(missing_ok=True)
        write_rank_file(self.folder / "rank file", form, layout)
        first, rest = launch(form, layout, "rank file").command.split(" ", 1)
        return self.run(f"{first} {shown} {rest} ./program", layout.ranks, **environment)


def _read(process: subprocess.Popen[str], ranks: int | None) -> tuple[str, bool]:
    """Text until its end, or until so many ranks have spoken."""
    lines: list[str] = []
    spoken = 0
    for line in process.stdout or ():
        lines.append(line)
        spoken += line.startswith("rank ")
        if spoken == ranks:
            return "".join(lines), True
    return "".join(lines), False


def _kill(mark: str) -> None:
    """End all that one command has started and that is still there."""
    for number in processes(mark):
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def hosts(said: str) -> list[str]:
    """Where the program ran, in order of its ranks."""
    result = {
        int(rank): host for rank, host in re.findall(r"^rank (\d+) on (\S+)", said, re.MULTILINE)
    }
    return [result[rank] for rank in range(len(result))]


def wanted(layout: Layout) -> list[str]:
    return [host for host, _ in layout.by_rank()]


def allowed(said: str) -> dict[int, str]:
    """The operating system's cores of each rank."""
    lines = re.findall(r"^rank (\d+) on \S+ Cpus_allowed_list: (\S+)", said, re.MULTILINE)
    return {int(rank): cores for rank, cores in lines}


def first_saying(pattern: str, *names: str) -> str | None:
    """The first of some programs whose version says something."""
    for path in filter(None, map(shutil.which, names)):
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False,
                              timeout=PATIENCE_S)  # fmt: skip
        if re.search(pattern, said.stdout):
            return path
    return None


def two_cores() -> bool:
    return {0, 1} <= os.sched_getaffinity(0)

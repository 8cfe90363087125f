"""Real launchers take our rank files and obey them: hosts and cores as the program sees them.

Hosts are names of this machine in namespaces of their own, so that daemons of one launcher take
themselves for different nodes. What a launcher's cores are comes from a topology made up for it,
or, where two cores are there, from the operating system.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import shlex
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from planner.placement.launching import launch
from planner.placement.layout import Core, Layout, laid_out
from planner.placement.rank_files import FileForm, write_rank_file
from tests.planner.commands import answered, ran

PATIENCE_S = 60
ALONE = ("unshare", "--pid", "--fork", "--kill-child")
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

# Three nodes of 3, 1 and 4 ranks, each on any of the 8 cores of its node.
SCATTERED = laid_out(
    [[6, 0, 3], [5], [7, 1, 2, 4]],
    hosts=["n1", "n2-ib", "n3"],
    cores=[
        [Core(1, 3), Core(0, 1), Core(1, 0)],
        [Core(1, 2)],
        [Core(0, 0), Core(1, 1), Core(0, 3), Core(1, 3)],
    ],
    cores_per_processor=4,
)


def namespaces() -> bool:
    """Whether names of hosts can be made up here."""
    if shutil.which("unshare") is None:
        return False
    words = ["unshare", "--uts", "hostname", "made-up"]
    return not subprocess.run(
        words, capture_output=True, timeout=PATIENCE_S, check=False
    ).returncode


pytestmark = pytest.mark.skipif(not namespaces(), reason="no namespaces for made-up hosts")


class Bench:
    """A folder with the program, the agent that reaches made-up hosts, and one launcher."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "PATH": f"{folder}:{os.environ['PATH']}",
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

    def run(self, command: str, **environment: str) -> str:
        process = subprocess.Popen(
            ["sh", "-c", command],
            cwd=self.folder,
            env={**self.environment, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=PATIENCE_S)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        assert process.returncode == 0, said
        return said

    def launched(self, form: FileForm, layout: Layout, shown: str = "", **environment: str) -> str:
        """Run the program as the launching words say, with a flag more to show what is done."""
        write_rank_file(self.folder / "rank file", form, layout)
        first, rest = launch(form, layout, "rank file").command.split(" ", 1)
        return self.run(f"{first} {shown} {rest} ./program", **environment)


def hosts(said: str) -> list[str]:
    """Where the program ran, in order of its ranks."""
    found = {
        int(rank): host for rank, host in re.findall(r"^rank (\d+) on (\S+)", said, re.MULTILINE)
    }
    return [found[rank] for rank in range(len(found))]


def wanted(layout: Layout) -> list[str]:
    return [host for host, _ in layout.by_rank()]


def allowed(said: str) -> dict[int, str]:
    """The operating system's cores of each rank."""
    lines = re.findall(r"^rank (\d+) on \S+ Cpus_allowed_list: (\S+)", said, re.MULTILINE)
    return {int(rank): cores for rank, cores in lines}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def first_saying(pattern: str, *names: str) -> str | None:
    """The first of some programs whose version says something."""
    for path in filter(None, map(shutil.which, names)):
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False,
                              timeout=PATIENCE_S)  # fmt: skip
        if re.search(pattern, said.stdout):
            return path
    return None


@pytest.fixture(params=["openmpi-4", "openmpi-5"])
def open_mpi(bench: Bench, request: pytest.FixtureRequest) -> FileForm:
    """Each version that is installed, as mpirun."""
    form: FileForm = request.param
    found = first_saying(rf"\((Open MPI|OpenRTE)\) {form[-1]}\.", "mpirun", "mpirun.openmpi")
    if found is None:
        pytest.skip(f"Open MPI {form[-1]} is not installed")
    bench.stands_for("mpirun", found)
    return form


def mapped(said: str) -> dict[int, Core]:
    """Processor and core within it, from the map that either version shows."""
    four = re.findall(r"rank: (\d+) Bound: socket (\d)\[core (\d)\[", said)
    five = re.findall(r"@1,(\d+)\][^@]*?Binding: package\[(\d)\]\[core:L(\d)\]", said)
    return {int(r): Core(int(p), int(c) - 4 * int(p)) for r, p, c in four + five}


SHOWN = {"openmpi-4": "--display-map", "openmpi-5": "--display map"}


def test_open_mpi_puts_ranks_on_the_hosts_and_cores_of_the_file(
    bench: Bench, open_mpi: FileForm
) -> None:
    said = bench.launched(open_mpi, SCATTERED, SHOWN[open_mpi], HWLOC_SYNTHETIC=NODE)
    assert hosts(said) == wanted(SCATTERED)
    assert mapped(said) == {rank: core for rank, (_, core) in enumerate(SCATTERED.by_rank())}


def test_open_mpi_counts_through_a_node_of_unknown_processors(
    bench: Bench, open_mpi: FileForm
) -> None:
    layout = laid_out([[5, 0, 2, 1, 4, 7, 6], [3]], hosts=["n1", "n2"], cores_per_processor=1)
    said = bench.launched(open_mpi, layout, SHOWN[open_mpi], HWLOC_SYNTHETIC=NODE)
    assert hosts(said) == wanted(layout)
    assert [mapped(said)[rank] for rank in (0, 1, 2, 4, 5, 6, 7)] == [
        Core(*divmod(core, 4)) for core in range(7)
    ]
    assert mapped(said)[3] == Core(0, 0)


def test_open_mpi_tells_hosts_of_one_label_apart(bench: Bench, open_mpi: FileForm) -> None:
    layout = laid_out([[0, 2], [1]], hosts=["n1.a", "n1.b"], cores_per_processor=1)
    assert hosts(bench.launched(open_mpi, layout, HWLOC_SYNTHETIC=NODE)) == wanted(layout)


@pytest.mark.parametrize("host", ["slot", "rank", "username", "user-name"])
def test_open_mpi_cannot_read_the_names_that_we_refuse(
    bench: Bench, open_mpi: FileForm, host: str
) -> None:
    layout = laid_out([[0]], hosts=["n1"], cores_per_processor=1)
    (bench.folder / "ranks").write_text(f"rank 0={host} slot=0\n")
    with pytest.raises(AssertionError, match="invalid syntax in the rankfile"):
        bench.run(f"{launch(open_mpi, layout, 'ranks').command} ./program")


def two_cores() -> bool:
    return {0, 1} <= os.sched_getaffinity(0)


@pytest.mark.skipif(not two_cores(), reason="needs two cores")
def test_open_mpi_binds_ranks_to_their_cores(bench: Bench, open_mpi: FileForm) -> None:
    layout = laid_out([[3, 0], [1, 2]], hosts=["n1", "n2"], cores_per_processor=2)
    cores = allowed(bench.launched(open_mpi, layout))
    assert cores[0] == cores[1] != cores[2] == cores[3]


def test_the_command_that_is_printed_runs_as_it_stands(bench: Bench, open_mpi: FileForm) -> None:
    # Pairs 0-3 and 1-2 exchange 100 + 100 bytes, all others 1.
    matrix = bench.folder / "matrix.csv"
    matrix.write_text("0,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n")
    words = ("place", str(matrix), "--nodes", "2", "--host", "n1", "--host", "n2")
    file = bench.folder / "ranks"
    printed = ran(*words, "--rank-file", str(file), "--rank-file-form", open_mpi).output
    command = re.search("^Start with: (.*) PROGRAM$", printed, re.MULTILINE)
    assert command is not None
    said = bench.run(f"{command[1]} ./program", HWLOC_SYNTHETIC=NODE)
    assert hosts(said) == ["n1", "n2", "n2", "n1"]


def test_open_mpi_takes_cores_of_unlike_nodes(bench: Bench, open_mpi: FileForm) -> None:
    # The first node has a processor of 4 cores, the others two of 4; all have one rank per core.
    matrix = bench.folder / "matrix.csv"
    rng = np.random.default_rng(1)
    np.savetxt(matrix, rng.integers(0, 99, (20, 20)), fmt="%d", delimiter=",")
    names = ("small", "n1", "n2")
    words = ["place", str(matrix), *(f"--host={name}" for name in names)]
    words += ["--hierarchy", "1*pack:1 core:4", "--hierarchy", f"2*{NODE}", "--algorithm", "kl"]
    answer = answered(*words, "--rank-file", str(bench.folder / "ranks"),
                      "--rank-file-form", open_mpi)  # fmt: skip
    layout = laid_out(answer["groups"], hosts=names, cores_per_processor=4)
    command = launch(open_mpi, layout, "ranks").command.replace(" ", f" {SHOWN[open_mpi]} ", 1)
    said = bench.run(f"{command} ./program", HWLOC_SYNTHETIC=NODE)
    assert hosts(said) == wanted(layout)
    cores = {
        rank: Core(*divmod(core, 4))
        for ranks, taken in zip(answer["groups"], answer["cores"], strict=True)
        for rank, core in zip(ranks, taken, strict=True)
    }
    assert mapped(said) == cores


@pytest.fixture
def hydra(bench: Bench) -> FileForm:
    found = first_saying("HYDRA", "mpiexec", "mpiexec.hydra", "mpiexec.mpich")
    if found is None:
        pytest.skip("MPICH is not installed")
    bench.stands_for("mpiexec", found)
    return "mpich"


def test_hydra_deals_out_ranks_in_the_order_of_the_file(bench: Bench, hydra: FileForm) -> None:
    assert hosts(bench.launched(hydra, SCATTERED)) == wanted(SCATTERED)


def test_hydra_takes_a_host_that_is_there_twice_for_two_nodes(
    bench: Bench, hydra: FileForm
) -> None:
    layout = laid_out([[0, 3], [1, 2]], hosts=["n1", "n2"], cores_per_processor=2)
    said = bench.launched(hydra, layout, HYDRA_DEBUG="1")
    assert hosts(said) == wanted(layout)
    # ranks of nodes as (first node, nodes, ranks of each): 0 alone, 1 and 2, 3 alone
    assert "(vector,(0,1,1),(1,1,2),(2,1,1))" in said


def test_hydra_counts_cores_as_the_operating_system_does(bench: Bench, hydra: FileForm) -> None:
    layout = laid_out(
        [[0, 1], [2]],
        cores=[[Core(0, 1), Core(1, 0)], [Core(0, 1)]],
        cores_per_processor=2,
    )
    crossed = "pack:2 core:2 pu:1(indexes=0,2,1,3)"
    said = bench.launched(hydra, layout, HWLOC_SYNTHETIC=crossed, HYDRA_TOPO_DEBUG="1")
    assert "-bind-to user:1,2" in launch(hydra, layout, "f").command
    assert re.findall(r"process 0 binding: (\d+)", said) == ["0100", "0100"]
    assert re.findall(r"process 1 binding: (\d+)", said) == ["0010"]


@pytest.mark.skipif(not two_cores(), reason="needs two cores")
def test_hydra_binds_ranks_to_their_cores(bench: Bench, hydra: FileForm) -> None:
    layout = laid_out([[0, 1], [2, 3]], hosts=["n1", "n2"], cores_per_processor=2)
    assert allowed(bench.launched(hydra, layout)) == {0: "0", 1: "1", 2: "0", 3: "1"}


SLURM = """ClusterName=made-up
SlurmctldHost={here}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmdSpoolDir={folder}/%n
StateSaveLocation={folder}/state
ProctrackType=proctrack/pgid
TaskPlugin=task/affinity
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
"""


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Slurm with nodes n1, n2 and n3, each of which is this machine."""
    if not all(map(shutil.which, ("slurmctld", "slurmd", "srun", "salloc"))):
        pytest.skip("Slurm is not installed")
    folder = tmp_path_factory.mktemp("slurm")
    (folder / "state").mkdir()
    bench = Bench(folder)
    bench.environment["SLURM_CONF"] = str(folder / "slurm.conf")
    names = ("n1", "n2", "n3")
    (folder / "slurm.conf").write_text(_slurm_conf(folder, names))
    daemons = [["slurmctld", "-D"], *(["slurmd", "-D", "-N", name] for name in names)]
    running = [
        subprocess.Popen([*ALONE, *words], env=bench.environment, cwd=folder,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for words in daemons
    ]  # fmt: skip
    try:
        deadline = time.monotonic() + PATIENCE_S / 2
        while bench.run("sinfo --noheader --Node --format=%T || true").split() != ["idle"] * 3:
            if time.monotonic() > deadline:
                pytest.skip("Slurm does not start here")
            time.sleep(0.1)
        yield bench
    finally:
        for process in running:
            # The first process of a namespace takes all others of it along.
            first = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            for child in first:
                os.kill(int(child), signal.SIGKILL)
            process.wait(PATIENCE_S)


def _slurm_conf(folder: Path, names: tuple[str, ...]) -> str:
    machine = subprocess.run(["slurmd", "-C"], capture_output=True, text=True, check=True,
                             timeout=PATIENCE_S)  # fmt: skip
    shape = machine.stdout.split("\n", 1)[0].partition(" ")[2]
    here = socket.gethostname().partition(".")[0]
    user = pwd.getpwuid(os.getuid()).pw_name
    ports = _free_ports(len(names) + 1)
    nodes = [
        f"NodeName={name} NodeHostname={here} NodeAddr=127.0.0.1 Port={port} {shape}\n"
        for name, port in zip(names, ports[1:], strict=True)
    ]
    known = SLURM.format(folder=folder, here=here, user=user, port=ports[0])
    return "".join((known, *nodes, "PartitionName=all Nodes=ALL Default=YES\n"))


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in found:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in found]


def in_a_job(slurm: Bench, layout: Layout) -> str:
    """Run in a job that has the nodes of the layout as a whole, as the remark says."""
    write_rank_file(slurm.folder / "rank file", "slurm", layout)
    command = shlex.quote(f"{launch('slurm', layout, 'rank file').command} ./program")
    return slurm.run(f"salloc --nodelist={','.join(layout.hosts)} --exclusive sh -c {command}")


@pytest.mark.skipif(not two_cores(), reason="needs two cores")
def test_slurm_puts_ranks_on_the_hosts_of_the_file(slurm: Bench) -> None:
    layout = laid_out([[4, 0], [1], [3, 2]], hosts=["n3", "n1", "n2"], cores_per_processor=1)
    said = in_a_job(slurm, layout)
    assert hosts(said) == wanted(layout)
    assert allowed(said) == {0: "0", 1: "0", 2: "0", 3: "1", 4: "1"}


@pytest.mark.skipif(not two_cores(), reason="needs two cores")
def test_slurm_binds_ranks_to_the_cores_of_the_list(slurm: Bench) -> None:
    crossed = [Core(1, 0), Core(0, 0)]
    layout = laid_out(
        [[0, 3], [1, 2]], hosts=["n1", "n2"], cores=[crossed, crossed], cores_per_processor=1
    )
    assert "map_cpu:1,0" in launch("slurm", layout, "f").command
    said = in_a_job(slurm, layout)
    assert hosts(said) == wanted(layout)
    assert allowed(said) == {0: "1", 1: "1", 2: "0", 3: "0"}


@pytest.mark.skipif(not two_cores(), reason="needs two cores")
def test_slurm_leaves_cores_unbound_where_nodes_need_different_lists(slurm: Bench) -> None:
    layout = laid_out(
        [[0, 3], [1, 2]],
        hosts=["n1", "n2"],
        cores=[[Core(1, 0), Core(0, 0)], [Core(0, 0), Core(1, 0)]],
        cores_per_processor=1,
    )
    assert hosts(in_a_job(slurm, layout)) == wanted(layout)

"""Slurm itself takes our host files: daemons of three nodes, each of which is this machine."""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from planner.placement.launching import launch
from planner.placement.layout import Core, Layout, laid_out
from planner.placement.rank_files import write_rank_file
from tests.planner.placement.made_up_hosts import (
    PATIENCE_S,
    Bench,
    allowed,
    hosts,
    namespaces,
    two_cores,
    wanted,
)

pytestmark = [
    pytest.mark.skipif(not namespaces(), reason="no namespaces for made-up hosts"),
    pytest.mark.skipif(not two_cores(), reason="needs two cores"),
]

ALONE = ("unshare", "--pid", "--fork", "--kill-child")

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
    bench = Bench(folder, folder)
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
    with ExitStack() as stack:
        result = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in result:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in result]


def in_a_job(slurm: Bench, layout: Layout) -> str:
    """Run in a job that has the nodes of the layout as a whole, as the remark says."""
    (slurm.folder / "rank file").unlink(missing_ok=True)
    write_rank_file(slurm.folder / "rank file", "slurm", layout)
    command = shlex.quote(f"{launch('slurm', layout, 'rank file').command} ./program")
    return slurm.run(f"salloc --nodelist={','.join(layout.hosts)} --exclusive sh -c {command}")


def test_slurm_puts_ranks_on_the_hosts_of_the_file(slurm: Bench) -> None:
    layout = laid_out([[4, 0], [1], [3, 2]], hosts=["n3", "n1", "n2"], cores_per_processor=1)
    said = in_a_job(slurm, layout)
    assert hosts(said) == wanted(layout)
    assert allowed(said) == {0: "0", 1: "0", 2: "0", 3: "1", 4: "1"}


def test_slurm_binds_ranks_to_the_cores_of_the_list(slurm: Bench) -> None:
    crossed = [Core(1, 0), Core(0, 0)]
    layout = laid_out(
        [[0, 3], [1, 2]], hosts=["n1", "n2"], cores=[crossed, crossed], cores_per_processor=1
    )
    assert "map_cpu:1,0" in launch("slurm", layout, "f").command
    said = in_a_job(slurm, layout)
    assert hosts(said) == wanted(layout)
    assert allowed(said) == {0: "1", 1: "1", 2: "0", 3: "0"}


def test_slurm_leaves_cores_unbound_where_nodes_need_different_lists(slurm: Bench) -> None:
    layout = laid_out(
        [[0, 3], [1, 2]],
        hosts=["n1", "n2"],
        cores=[[Core(1, 0), Core(0, 0)], [Core(0, 0), Core(1, 0)]],
        cores_per_processor=1,
    )
    assert hosts(in_a_job(slurm, layout)) == wanted(layout)

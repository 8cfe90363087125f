"""Slurm itself, unmodified, with the exported files: charges, guards, and Adaptive by its agent."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner.scheduling.slurm import agent
from planner.scheduling.slurm.controller import WaitingJob, state_of, update
from planner.scheduling.slurm.decision import (
    PartitionLimits,
    SlurmChoice,
    SlurmRequest,
    decide,
)
from planner.scheduling.slurm.export import configuration_key
from planner.scheduling.slurm.files import slurm_files
from tests.planner.scheduling.slurm.cluster import Cluster, missing, started
from tests.planner.scheduling.slurm.exports import C2, C3, table_5_2

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="becomes another user")

NOBODY = 65534
SLEEP = "sleep 60"
SP = ("--nodes=6", "--time=8", "--comment=application=sp")
ANYWHERE = (PartitionLimits(0, 15),)


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The cluster of table 5.2, with a pass of backfill a second."""
    folder = tmp_path_factory.mktemp("slurm")
    export = replace(table_5_2(), backfill_interval_s=1, agent_uid=os.getuid())
    with started(folder, export) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def job_a(slurm: Cluster) -> int:
    """Job A of the example runs: 750 W and 10 nodes are left."""
    job = slurm.submit(10, 15, "a", "sleep 900")  # 1,250 W and 5 nodes of its share of 1,333 W
    slurm.wait("RUNNING", "squeue", "--noheader", f"--jobs={job}", "--format=%T")
    return job


@pytest.fixture
def beginning(slurm: Cluster, job_a: int) -> Iterator[Cluster]:
    """Only job A is in the queue, before and after."""
    yield slurm
    others = set(slurm.output_of("squeue", "--noheader", "--format=%i").split()) - {str(job_a)}
    slurm.run("scancel", "--quiet", *others)
    slurm.wait(str(job_a), "squeue", "--noheader", "--format=%i")


@pytest.fixture
def public(slurm: Cluster) -> Iterator[Path]:
    """A folder with the configuration, which every user of this machine can read."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        shutil.copy(slurm.folder / "slurm.conf", name)
        yield Path(name)


def test_adaptive_starts_at_once_what_naive_leaves_waiting(beginning: Cluster) -> None:
    """Table 5.2 of the thesis, by an unmodified controller and the agent."""
    state = state_of(beginning.ask)
    assert (state.available_w, state.free_nodes) == (750, 10)
    job = beginning.submit(6, 8, "sp", SLEEP)
    reason = ("squeue", "--noheader", f"--jobs={job}", "--format=%T %r")
    beginning.wait("PENDING Licenses", *reason)
    assert beginning.field(job, "Licenses") == f"watt:{SlurmChoice(C2, 8).charge_w}"
    assert agent.pass_over(beginning.export, beginning.ask) == 1
    beginning.wait("RUNNING None", *reason)
    assert beginning.field(job, "Licenses") == f"watt:{SlurmChoice(C3, 8).charge_w}"
    assert beginning.field(job, "NumNodes") == "8"
    assert beginning.field(job, "NumTasks") == "80"
    assert "cores_per_node=10,package_cap_w=80,note=adapted" in beginning.field(job, "AdminComment")
    assert agent.pass_over(beginning.export, beginning.ask) == 0


def test_an_adapted_job_that_gains_nothing_gets_its_configuration_by_naive_back(
    beginning: Cluster,
) -> None:
    job = beginning.submit(6, 7, "sp", SLEEP)  # C3 takes 439.2 s, longer than 7 minutes
    beginning.wait("Licenses", "squeue", "--noheader", f"--jobs={job}", "--format=%r")
    (waiting,) = state_of(beginning.ask).waiting
    assert waiting == WaitingJob(
        str(job), SlurmRequest("sp", 6, 7, ANYWHERE), configuration_key(C2)
    )
    large = replace(C3, nodes=11)  # 10 nodes are free
    beginning.ask(update(waiting, SlurmChoice(large, 9), "adapted"))
    (changed,) = state_of(beginning.ask).waiting
    assert changed == replace(waiting, configuration=configuration_key(large))
    assert agent.pass_over(beginning.export, beginning.ask) == 1
    assert state_of(beginning.ask).waiting == (waiting,)
    assert beginning.field(job, "Licenses") == "watt:784"
    assert beginning.field(job, "TimeLimit") == "00:07:00"


def test_a_running_job_keeps_its_charge_whoever_wants_to_change_it(
    beginning: Cluster, job_a: int
) -> None:
    done = beginning.run("scontrol", "update", f"JobId={job_a}", "NumNodes=2", "Licenses=watt:1")
    assert "permission denied" in done.stderr
    assert beginning.field(job_a, "NumNodes") == "5"
    assert beginning.field(job_a, "Licenses") == "watt:1250"


@needs_root
def test_users_cannot_lower_their_charge(beginning: Cluster, public: Path) -> None:
    def as_user(*words: str) -> subprocess.CompletedProcess[str]:
        return beginning.run(*words, user=NOBODY, folder=public)

    words = ("--nodes=6", "--time=8", "--comment=application=sp", "--licenses=watt:0")
    done = as_user("sbatch", "--parsable", *words, "--wrap=sleep 1")
    job = int(done.stdout)
    assert "charged 784 W (fits)" in done.stderr
    assert beginning.field(job, "Licenses") == "watt:784"
    for change in ("Licenses=watt:1", "Licenses=", "NumNodes=1", "NumTasks=1"):
        refused = as_user("scontrol", "update", f"JobId={job}", change)
        assert "permission denied" in refused.stderr, change
    assert not as_user("scontrol", "update", f"JobId={job}", "TimeLimit=7").stderr
    assert beginning.field(job, "Licenses") == "watt:784"


def test_a_job_runs_on_its_configuration_by_the_lines_of_the_readme(beginning: Cluster) -> None:
    """On 8 of 10 free nodes x 10 cores, with the cap at hand: 739 of 750 W are charged."""
    readme = slurm_files(beginning.export)["README.md"]
    lines = re.findall(r"^    ((?:record|cores|cap_w)=.*|srun .*)$", readme, re.MULTILINE)
    assert len(lines) == 4
    folder = beginning.folder
    (folder / "program").write_text("#!/bin/sh\necho $SLURMD_NODENAME\n")
    (folder / "program").chmod(0o755)
    (folder / "job.sh").write_text("\n".join(["#!/bin/sh", *lines, "echo cap $cap_w"]) + "\n")
    words = ("--parsable", "--nodes=6", "--time=8", "--comment=application=sp", "--output=out.txt")
    job = int(beginning.output_of("sbatch", *words, "job.sh"))
    beginning.wait("Licenses", "squeue", "--noheader", f"--jobs={job}", "--format=%r")
    assert agent.pass_over(beginning.export, beginning.ask) == 1
    beginning.wait("", "squeue", "--noheader", "--states=PENDING,RUNNING", f"--jobs={job}")
    *ranks, cap = (folder / "out.txt").read_text().splitlines()
    assert cap == "cap 80"
    assert Counter(Counter(ranks).values()) == {10: 8}


def test_requests_without_a_configuration_are_refused_by_the_controller(beginning: Cluster) -> None:
    for words, remedy in (
        (("--nodes=5", "--time=8", "--comment=application=sp"), "request more nodes"),
        (("--nodes=6", "--time=8"), "write --comment=application=NAME"),
        (("--nodes=6", "--comment=application=sp"), "give a time limit"),
        (("--nodes=6", "--time=8", "--ntasks=9", "--comment=application=sp"), "leave out --ntasks"),
        (("--ntasks=6", "--time=8", "--comment=application=sp"), "request one number of nodes"),
        ((*SP, "--partition=tiny"), "its partition takes no configuration"),
        ((*SP, "--partition=short"), "its partition takes no configuration"),
        ((*SP, "--partition=part"), "its partition takes no configuration"),
        ((*SP, "--gres=gpu:1"), "leave out --gpus and --gres=gpu"),
        ((*SP, "--gpus=6"), "leave out --gpus and --gres=gpu"),
        ((*SP, "--gpus-per-node=2"), "leave out --gpus and --gres=gpu"),
    ):
        done = beginning.run("sbatch", *words, "--wrap=true")
        assert done.returncode == 1
        assert remedy in done.stderr


def test_a_job_gets_a_configuration_that_its_partition_starts(beginning: Cluster) -> None:
    """Of two partitions the larger one counts; 8 nodes are too many for ``small``."""
    for partition, nodes, charge in (("small", 6, 797), ("tiny,all", 8, 784)):
        job = beginning.submit(6, 8, "sp", "true", "--hold", f"--partition={partition}")
        assert beginning.field(job, "Licenses") == f"watt:{charge}"
        assert beginning.field(job, "NumNodes") in {f"{nodes}", f"{nodes}-{nodes}"}


@needs_root
def test_users_do_not_move_a_job_to_a_partition_that_never_starts_it(
    beginning: Cluster, public: Path
) -> None:
    words = ("sbatch", "--parsable", "--hold", *SP, "--wrap=true")
    job = int(beginning.run(*words, user=NOBODY, folder=public).stdout)
    for partition, refused in (("small", True), ("short", True), ("part", True), ("all", False)):
        change = ("scontrol", "update", f"JobId={job}", f"Partition={partition}")
        done = beginning.run(*change, user=NOBODY, folder=public)
        assert bool(done.returncode) == refused, partition


def test_the_controller_charges_what_python_decides(beginning: Cluster) -> None:
    """Random requests, through ``sbatch`` and back from the controller."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        request = SlurmRequest("sp", int(rng.integers(6, 16)), int(rng.integers(1, 20)))
        job = beginning.submit(request.nodes, request.minutes, "sp", "true", "--hold")
        choice = decide(beginning.export, request)
        assert isinstance(choice, SlurmChoice)
        assert beginning.field(job, "Licenses") == f"watt:{choice.charge_w}"
        nodes = choice.configuration.nodes
        assert beginning.field(job, "NumNodes") in {f"{nodes}", f"{nodes}-{nodes}"}
        assert beginning.field(job, "TimeLimit") == f"00:{choice.minutes:02}:00"


@pytest.mark.slow
def test_a_controller_that_ends_and_starts_again_still_charges_running_jobs(
    tmp_path: Path,
) -> None:
    """It saves its state when it is asked to end; killed, it forgets starts since the last save."""
    with started(tmp_path, replace(table_5_2(), backfill_interval_s=1)) as cluster:
        job = cluster.submit(10, 15, "a", "sleep 900")
        cluster.wait("RUNNING", "squeue", "--noheader", f"--jobs={job}", "--format=%T")
        before = cluster.log.count("headroom: 15 nodes under 2000 W")
        for number in _with_conf(cluster):
            if Path(f"/proc/{number}/comm").read_text().strip() == "slurmctld":
                os.kill(int(number), signal.SIGTERM)
        cluster.wait("RUNNING", "squeue", "--noheader", f"--jobs={job}", "--format=%T")
        assert cluster.log.count("headroom: 15 nodes under 2000 W") == before + 1
        assert state_of(cluster.ask).available_w == 750


def test_no_process_stays_behind(tmp_path: Path) -> None:
    export = replace(table_5_2(), nodes=2, bound_w=3000.0)
    with started(tmp_path, export) as cluster:
        pids = [path.read_text().strip() for path in tmp_path.glob("*.pid")]
        assert len(pids) >= 1
        marked = _with_conf(cluster)
        assert len(marked) >= 3
    assert _with_conf(cluster) == []


def _with_conf(cluster: Cluster) -> list[str]:
    """Processes that run with the configuration of a cluster."""
    mark = f"SLURM_CONF={cluster.environment['SLURM_CONF']}".encode()
    names = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in path.read_bytes():
                names.append(path.parent.name)
        except OSError:
            continue
    return names

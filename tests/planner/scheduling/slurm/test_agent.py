"""The agent of Adaptive, with answers of a controller that are written by hand."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from planner.scheduling.slurm.agent import changes, main, pass_over
from planner.scheduling.slurm.controller import ControllerState, WaitingJob, state_of
from planner.scheduling.slurm.decision import PartitionLimits, SlurmRequest
from planner.scheduling.slurm.export import configuration_key
from planner.scheduling.slurm.files import write_slurm_files
from tests.planner.scheduling.slurm.exports import C2, C3, table_5_2

REQUEST = SlurmRequest("sp", 6, 8)
JOB = WaitingJob("12", REQUEST, configuration_key(C2))
RECORD = (
    "headroom:application=sp,requested_nodes=6,requested_minutes=8,"
    "nodes=8,cores_per_node=12,package_cap_w=65,note=fits"
)
ADAPTED = RECORD.replace("cores_per_node=12,package_cap_w=65,note=fits",
                         "cores_per_node=10,package_cap_w=80,note=adapted")  # fmt: skip
LICENSES = """LicenseName=matlab Total=3 Used=3 Free=0 Reserved=0 Remote=no
LicenseName=watt Total=2000 Used=1250 Free=750 Reserved=0 Remote=no
"""
NODES = "n1 allocated\nn2 idle\nn2 idle\nn3 planned\nn4 idle*\nn5 down\nn6 completing\n"
PARTITIONS = "\n".join(
    f"PartitionName={name} AllowGroups=ALL MaxNodes={nodes} MaxTime={time} MinNodes=0 State=UP "
    f"TotalCPUs=16 TotalNodes=15"
    for name, nodes, time in (
        ("all", "UNLIMITED", "UNLIMITED"), ("small", 7, "UNLIMITED"), ("short", 9, "00:07:00"),
        ("day", 9, "1-00:00:00"), ("part", 15, "UNLIMITED MaxCPUsPerNode=12"),
        ("whole", 15, "UNLIMITED MaxCPUsPerNode=16"),
    )
)  # fmt: skip
ANY = PartitionLimits(0, 15)


def line(job: str = "12", reason: str = "Licenses", record: str = RECORD,
         licences: str = "watt:784", partition: str = "") -> str:  # fmt: skip
    return f"{job:<40}{reason:<30}{record:<300}{licences:<2000}{partition:<500}\n"


class Controller:
    """Answers what it was given, and keeps what it was sent."""

    def __init__(self, queue: str, refuse: bool = False) -> None:
        self.queue, self.refuse = queue, refuse
        self.sent: list[tuple[str, ...]] = []

    def __call__(self, words: tuple[str, ...]) -> str:
        if words[:2] == ("scontrol", "update"):
            self.sent.append(words)
            if self.refuse:
                raise subprocess.CalledProcessError(1, words, stderr="Access/permission denied")
            return ""
        return {"squeue": self.queue, "sinfo": NODES * 4 + "".join(
            f"m{index} idle\n" for index in range(8)
        ), "scontrol": PARTITIONS if words[-1] == "partition" else LICENSES}[words[0]]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "free"),
    [("idle~", 1), ("idle%", 1), ("idle#", 1), ("idle-", 1), ("planned", 1), ("idle", 1)]
    + [(f"idle{mark}", 0) for mark in "*$@!^+"]
    + [("mixed~", 0), ("allocated#", 0), ("down~", 0), ("drained", 0), ("powering_up", 0)],
)
def test_nodes_that_slurm_powers_up_for_a_job_are_idle(state: str, free: int) -> None:
    def answer(words: tuple[str, ...]) -> str:
        return {"sinfo": f"n1 {state}\n", "squeue": "", "scontrol": LICENSES}[words[0]]

    assert state_of(answer).free_nodes == free


def test_the_agent_gives_no_configuration_that_the_partition_never_starts() -> None:
    """C3 would start now, on 8 nodes for 8 minutes: not in ``small``, and not in ``short``.

    In ``small`` the job waits with C1, on 6 nodes. ``part`` starts no whole node of 16 cores.
    """
    for partition, nodes in (("all", 8), ("small", 6), ("short", 0), ("day", 8), ("short,day", 8),
                             ("part", 0), ("part,whole", 8)):  # fmt: skip
        controller = Controller(line(partition=partition))
        pass_over(table_5_2(), controller)
        assert [words[3] for words in controller.sent] == [f"NumNodes={nodes}-{nodes}"] * (
            nodes > 0
        )
    (job,) = state_of(Controller(line(partition="all,day"))).waiting
    assert job.request.partitions == (ANY, PartitionLimits(0, 9, 1440))


def test_the_state_is_what_the_controller_says() -> None:
    queue = line() + line("13_4", "Priority", licences="watt:784,matlab:1")
    others = line(reason="Dependency") + line(record="someone's") + line(job="14_[0-9]")
    state = state_of(Controller(queue + others + line(licences="x" * 2000)))
    waiting = (JOB, WaitingJob("13_4", REQUEST, configuration_key(C2), ("matlab:1",)))
    assert state == ControllerState(750, 10, waiting)


def test_table_5_2_starts_now_by_one_request_that_keeps_other_licences() -> None:
    controller = Controller(line(licences="matlab:1,watt:784"))
    assert pass_over(table_5_2(), controller) == 1
    assert controller.sent == [(
        "scontrol", "update", "JobId=12", "NumNodes=8-8", "NumTasks=80", "NumCPUs=80",
        "TasksPerNode=10", "MinCPUsNode=10", "TimeLimit=8", "Licenses=watt:739,matlab:1",
        f"AdminComment={ADAPTED}",
    )]  # fmt: skip


def test_a_job_that_started_meanwhile_stays_and_the_pass_goes_on() -> None:
    controller = Controller(line() + line("13"), refuse=True)
    assert pass_over(replace(table_5_2(), bound_w=3000.0), controller) == 0
    assert [words[2] for words in controller.sent] == ["JobId=12"]  # 11 W are left for job 13


def adapted(state: ControllerState) -> list[tuple[str, tuple[int, int, float], str]]:
    return [
        (change.job.job_id, configuration_key(change.choice.configuration), change.note)
        for change in changes(table_5_2(), state)
    ]


def test_jobs_are_served_in_order_and_what_fits_is_taken() -> None:
    second = replace(JOB, job_id="13")
    assert adapted(ControllerState(750, 10, (JOB, second))) == [
        ("12", configuration_key(C3), "adapted")
    ]
    assert (
        adapted(ControllerState(1590, 18, (JOB, second))) == []
    )  # 1,590 - 784 = 806 W: both have a share
    assert adapted(ControllerState(1570, 18, (JOB, second))) == []  # 786 W: C2 itself is within it
    assert adapted(ControllerState(1550, 18, (JOB, second))) == [
        ("13", configuration_key(C3), "adapted")
    ]
    assert adapted(ControllerState(1550, 15, (JOB, second))) == []  # 7 nodes are left
    assert adapted(ControllerState(0, 0, (JOB, second))) == []


def test_an_adapted_job_goes_back_to_naive_once_it_gains_nothing() -> None:
    small = replace(JOB, configuration=configuration_key(C3))
    assert adapted(ControllerState(750, 10, (small,))) == []
    assert adapted(ControllerState(700, 10, (small,))) == [("12", configuration_key(C2), "fits")]
    assert adapted(ControllerState(800, 10, (small,))) == [("12", configuration_key(C2), "fits")]


def test_a_job_without_a_table_or_refused_by_now_is_left_alone() -> None:
    unknown = replace(JOB, request=replace(REQUEST, application="gone"))
    tiny = replace(JOB, request=replace(REQUEST, nodes=1))
    assert adapted(ControllerState(10, 10, (unknown, tiny))) == []


def test_without_the_licence_the_agent_says_what_to_do() -> None:
    with pytest.raises(LookupError, match="has no licence watt; merge"):
        state_of(lambda _: "")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("headroom_settings.csv", "nodes,15", "nodes,many", "'many' is missing or not a number"),
        ("headroom_settings.csv", "bound_w,2000\n", "", "'bound_w' is missing or not a number"),
        (
            "headroom_settings.csv",
            "adaptive",
            "naive",
            "has policy naive; the agent needs adaptive",
        ),
        ("headroom_jobs.csv", ",447.9", "", "headroom_jobs.csv:2: the line has 6 cells"),
        ("headroom_jobs.csv", "447.9", "soon", "headroom_jobs.csv:2: could not convert"),
        ("headroom_jobs.csv", "447.9", "-1", "time_s = -1 is outside"),
    ],
)
def test_broken_files_are_refused_without_a_traceback(
    name: str, old: str, new: str, message: str, tmp_path: Path
) -> None:
    write_slurm_files(table_5_2(), tmp_path)
    path = tmp_path / name
    path.write_text(path.read_text().replace(old, new, 1))
    done = CliRunner().invoke(main, [str(tmp_path), "--once"])
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, [str(tmp_path / "none"), "--once"])
    assert done.exit_code == 2
    assert "headroom_settings.csv" in done.output


def test_the_agent_waits_for_a_controller_that_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_slurm_files(table_5_2(), tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert CliRunner().invoke(main, [str(tmp_path), "--once"]).exit_code == 0

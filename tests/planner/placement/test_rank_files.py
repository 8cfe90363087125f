"""Rank files: read back by parsers of their own, for any placement; and what is refused."""

from __future__ import annotations

import csv
import io
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.cli.check_inputs import remarked
from planner.errors import InputError
from planner.placement.launching import launch
from planner.placement.layout import Core, Layout, laid_out
from planner.placement.rank_files import (
    FILE_FORMS,
    FileForm,
    as_csv,
    binding,
    mpich_machinefile,
    open_mpi,
    slurm_cores,
    slurm_hostfile,
    write_rank_file,
)
from reports.messages import catalogue

# Ranks 0 and 3 share a node, as do 1 and 2; two processors of two cores.
SMALL = laid_out(
    [[3, 0], [1, 2]],
    hosts=["a-1.x", "b-2"],
    cores=[[Core(0, 1), Core(1, 0)], [Core(1, 1), Core(0, 0)]],
    cores_per_processor=2,
)


def test_files_by_hand() -> None:
    assert open_mpi(SMALL) == (
        "rank 0=a-1.x slot=1:0\nrank 1=b-2 slot=1:1\nrank 2=b-2 slot=0:0\nrank 3=a-1.x slot=0:1\n"
    )
    assert slurm_hostfile(SMALL) == "a-1.x\nb-2\nb-2\na-1.x\n"
    assert mpich_machinefile(SMALL) == "a-1.x:1\nb-2:2\na-1.x:1\n"
    assert as_csv(SMALL).splitlines()[:2] == ["rank,host,processor,core,node_core", "0,a-1.x,1,0,2"]


def test_one_list_of_cores_holds_for_all_nodes_or_none_is_given() -> None:
    # rank 0 on core 2 and rank 3 on core 1; rank 1 on core 3 and rank 2 on core 0
    assert slurm_cores(SMALL) is None
    same = laid_out([[3, 0], [1, 2], [4]], cores_per_processor=1)
    assert same.cores == ((Core(1, 0), Core(0, 0)), (Core(0, 0), Core(1, 0)), (Core(0, 0),))
    assert slurm_cores(same) == [0, 1]
    assert slurm_cores(laid_out([[1], [0, 2]], cores_per_processor=2)) == [0, 1]
    apart = laid_out([[0], [1]], cores=[[Core(1, 0)], [Core(1, 0)]], cores_per_processor=4)
    assert slurm_cores(apart) == [4]


def said(form: FileForm, layout: Layout, path: str = "f", script: str = "") -> dict[str, Any]:
    """Kinds of the remarks on a command, with their values."""
    return {each.kind: dict(each.values) for each in launch(form, layout, path, script).remarks}


def test_words_for_launchers() -> None:
    rows = laid_out([[0, 1], [2, 3]], cores_per_processor=1)
    assert launch("openmpi-4", rows, "my file").command == "mpirun -n 4 --rankfile 'my file'"
    assert launch("openmpi-5", rows, "f").command == (
        "mpirun -n 4 --host node0:2,node1:2 --map-by rankfile:file=f"
    )
    assert "rename" in said("openmpi-5", rows, "a:b")
    assert "rename" in said("openmpi-5", rows, "a,b")
    assert "rename" not in said("openmpi-5", rows, "a b")
    assert "rename" not in said("openmpi-4", rows, "a:b")
    assert launch("slurm", rows, "f").command == (
        "SLURM_HOSTFILE=f srun --ntasks=4 --distribution=arbitrary --cpu-bind=map_cpu:0,1"
    )
    assert launch("mpich", rows, "f").command == "mpiexec -n 4 -f f -bind-to user:0,1"
    assert launch("csv", rows, "f").command == ""
    assert "map_cpu" not in launch("slurm", SMALL, "f").command
    assert said("slurm", SMALL)["not-bound"] == {"why": "one list"}
    bound = launch("slurm", SMALL, "f", "dir/bind.sh")
    assert bound.command.endswith("--distribution=arbitrary --cpu-bind=none sh dir/bind.sh")
    by_script = said("slurm", SMALL, "f", "dir/bind.sh")
    assert by_script["by-script"] == {"script": "dir/bind.sh", "why": "one list"}
    assert "not-bound" not in by_script
    assert launch("mpich", SMALL, "f", "bind.sh").command == "mpiexec -n 4 -f f sh bind.sh"
    assert "bind.sh" not in launch("slurm", rows, "f", "bind.sh").command
    assert "-bind-to" not in launch("mpich", SMALL, "f").command
    # of the hosts a-1.x, b-2 and a-1.x again, one of two is listed more than once
    assert said("mpich", SMALL)["hosts-again"] == {"hosts": (1, 2)}
    assert said("mpich", SMALL)["not-bound"] == {"why": "each time"}
    for form in FILE_FORMS:
        assert "f g" in [*shlex.split(launch(form, rows, "f g").command), "f g"]
    assert "hosts" in said("slurm", laid_out([[0], [1]], cores_per_processor=1))
    assert "hosts" not in said("slurm", SMALL)


def test_every_remark_on_a_command_has_words_for_its_values() -> None:
    hosts = laid_out([[0], [1]], hosts=["slot", "b_2"], cores_per_processor=1)
    many = laid_out([[rank] for rank in range(65)], cores_per_processor=2)
    known = laid_out([[0, 1], [2, 3]], cores_per_processor=2, cpus=((4, 6), (4, 6)))
    launched = (
        launch(form, layout, "a:b", script)
        for form in FILE_FORMS
        for layout in (SMALL, hosts, many, known)
        for script in ("", "bind.sh")
    )
    found = {each.kind: each for how in launched for each in how.remarks}
    assert found.keys() == {
        "hosts", "core-numbers", "in-allocation", "hostfile", "whole-nodes", "by-script",
        "not-bound", "hosts-again", "host-unread", "rename",
    }  # fmt: skip
    texts = catalogue("place").sections
    for kind, each in found.items():
        assert {*re.findall(r"{(\w+)}", texts["findings"][kind])} == {*each.values}, kind
    assert {*texts["words"]["numbers"]} == {"logical", "slots", "system", "counted"}
    whole, unbound = remarked(launch("slurm", SMALL, "f").remarks, "place")
    assert whole.startswith("Run it in a job that has whole nodes (sbatch or salloc with --ex")
    assert unbound == (
        "Ranks are placed on nodes but not bound to cores: this launcher takes one list of cores "
        "for all nodes, and these nodes need different lists. headroom place -o DIR also writes "
        "bind.sh, which binds them."
    )


@pytest.mark.parametrize("variable", ["SLURM_PROCID", "PMI_RANK"])
def test_the_script_binds_each_rank_to_its_core_and_becomes_the_program(
    tmp_path: Path, variable: str
) -> None:
    layout = laid_out(
        [[0, 3], [1, 2]],
        cores=[[Core(0, 1), Core(1, 0)], [Core(1, 1), Core(0, 0)]],
        cores_per_processor=2,
    )
    script = tmp_path / "bind.sh"
    script.write_text(binding(layout))
    taskset = tmp_path / "taskset"  # stands for the real one, and says what it was given
    taskset.write_text('#!/bin/sh\necho "$@"\n')
    taskset.chmod(0o755)
    for rank, core in enumerate([1, 3, 0, 2]):
        done = _bound(script, tmp_path, {variable: str(rank)})
        assert (done.returncode, done.stdout) == (0, f"-c {core} program --option a b\n")
    assert _bound(script, tmp_path, {variable: "4"}).stderr.endswith("is not from 0 to 3\n")
    assert "neither SLURM_PROCID nor PMI_RANK" in _bound(script, tmp_path, {}).stderr


def _bound(script: Path, path: Path, known: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", str(script), "program", "--option", "a b"],
        env={"PATH": f"{path}:/usr/bin:/bin", **known},
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    order = draw(st.permutations(range(draw(st.integers(1, 24)))))
    cuts = sorted(draw(st.sets(st.integers(1, max(1, len(order) - 1)), max_size=6)) - {len(order)})
    groups = [order[a:b] for a, b in zip([0, *cuts], [*cuts, len(order)], strict=True)]
    sizes = st.integers(1, 8)
    per_processor = draw(st.lists(sizes, min_size=len(groups), max_size=len(groups)))
    cores = []
    for group, per in zip(groups, per_processor, strict=True):
        some = [Core(p, c) for p in range(24 // per + 1) for c in range(per)]
        cores.append(draw(st.permutations(some))[: len(group)])
    return laid_out(groups, cores=cores, cores_per_processor=per_processor)


def read_open_mpi(text: str) -> dict[int, tuple[str, Core]]:
    result = {}
    for line in text.splitlines():
        match = re.fullmatch(r"rank (\d+)=(\S+) slot=(\d+)(?::(\d+))?", line)
        assert match is not None
        result[int(match[1])] = (match[2], Core(int(match[3]), int(match[4] or 0)))
    return result


def read_hydra(text: str) -> list[str]:
    """Hosts of ranks as Hydra deals them out: each line's count, in order."""
    lines = [line.split(":") for line in text.splitlines()]
    return [host for host, count in lines for _ in range(int(count))]


def through_nodes(layout: Layout) -> list[int]:
    """Cores of the ranks counted through their nodes."""
    known = dict(zip(layout.hosts, layout.cores_per_processor, strict=True))
    return [core.processor * known[host] + core.core for host, core in layout.by_rank()]


@given(layouts())
def test_what_is_written_is_read_back(layout: Layout) -> None:
    wanted = layout.by_rank()
    hosts = [host for host, _ in wanted]
    result = read_open_mpi(open_mpi(layout))
    assert [result[rank] for rank in range(layout.ranks)] == wanted
    assert slurm_hostfile(layout).split() == hosts
    assert read_hydra(mpich_machinefile(layout)) == hosts
    rows = list(csv.DictReader(io.StringIO(as_csv(layout))))
    assert [(r["host"], Core(int(r["processor"]), int(r["core"]))) for r in rows] == wanted
    assert [int(r["node_core"]) for r in rows] == through_nodes(layout)


@given(layouts())
def test_a_list_of_cores_puts_every_rank_on_its_core(layout: Layout) -> None:
    listed = slurm_cores(layout)
    tasks: dict[str, int] = {}
    right = []
    # Slurm counts a node's tasks in order of the ranks
    for (host, _), core in zip(layout.by_rank(), through_nodes(layout), strict=True):
        local = tasks.get(host, 0)
        tasks[host] = local + 1
        if listed is not None:
            assert listed[local] == core
        right.append((local, core))
    assert (listed is None) == (len(set(right)) > len({local for local, _ in right}))


@pytest.mark.parametrize(
    ("groups", "options", "message"),
    [
        ([], {}, "no group is given"),
        ([[0], []], {}, r"groups\[1\] is empty"),
        ([[0, 2]], {}, "rank 2 is not from 0 to 1; 2 are given"),
        ([[0], [0]], {}, "rank 0 is in two groups"),
        ([[0, -1]], {}, "rank -1 is not from 0 to 1"),
        ([[0]], {"hosts": ["a", "b"]}, "2 hosts are given for 1 node"),
        ([[0], [1]], {"hosts": ["a", "A"]}, "host A is given twice"),
        ([[0]], {"hosts": ["a b"]}, "'a b' is not a valid host name"),
        ([[0]], {"hosts": ["a=b"]}, "'a=b' is not a valid host name"),
        ([[0]], {"hosts": ["-a"]}, "'-a' is not a valid host name"),
        ([[0]], {"hosts": ["a\n"]}, "is not a valid host name"),
        ([[0]], {"hosts": [""]}, "'' is not a valid host name"),
        ([[0]], {"hosts": ["007"]}, "host 007 is a number"),
        ([[0]], {"hosts": ["10.0.0.256"]}, "host 10.0.0.256 is a number"),
        ([[0]], {"hosts": ["a." * 127]}, "is not a valid host name"),
        ([[0]], {"cores": [[]]}, "cores are not given for every rank"),
        (
            [[0]],
            {"cores": [[Core(0, 2)]]},
            "core 0:2 of node0 is not a core of sockets with 2 cores",
        ),
        ([[0]], {"cores": [[Core(-1, 0)]]}, "core -1:0 of node0 is not a core"),
        ([[0, 1]], {"cores": [[Core(0, 0)] * 2]}, "two ranks on node0 have the same core"),
        ([[0]], {"cores_per_processor": 0}, "cores_per_processor = 0 is below 1"),
        ([[0]], {"cores_per_processor": [1, 1]}, "is given for 2 of 1 groups; give one number"),
    ],
)
def test_what_cannot_be_is_refused(
    groups: list[list[int]], options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        laid_out(groups, **{"cores_per_processor": 2, **options})  # type: ignore[arg-type]


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    for form in FILE_FORMS:
        write_rank_file(tmp_path / form, form, SMALL)
    assert (tmp_path / "openmpi-5").read_text(encoding="ascii") == open_mpi(SMALL)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted(FILE_FORMS)
    with pytest.raises(
        InputError, match="'pbs' is not a format of rank files; use one of openmpi-4"
    ):
        write_rank_file(tmp_path / "pbs", "pbs", SMALL)  # type: ignore[arg-type]
    with pytest.raises(OSError, match="No such file"):
        write_rank_file(tmp_path / "missing" / "f", "csv", SMALL)
    assert not (tmp_path / "pbs").exists()


def test_names_that_open_mpi_cannot_read_are_refused(tmp_path: Path) -> None:
    both = ("openmpi-4", "openmpi-5")
    words = ("rank", "slot", "slots", "username", "user-name", "user_name")
    for host, forms in (*((word, both) for word in words), ("b_2", both[:1])):
        for form in FILE_FORMS:
            layout = laid_out([[0]], hosts=[host], cores_per_processor=1)
            if form in forms:
                with pytest.raises(InputError, match=f"host {host} .*; give its address"):
                    write_rank_file(tmp_path / form, form, layout)
                assert not (tmp_path / form).exists()
                assert said(form, layout)["host-unread"] == {"host": host}
            else:
                write_rank_file(tmp_path / form, form, layout)
                (tmp_path / form).unlink()


def test_cores_count_through_the_node_where_processors_are_not_known() -> None:
    assert open_mpi(laid_out([[1, 0, 2]], cores_per_processor=1)).splitlines() == [
        f"rank {rank}=node0 slot={rank}" for rank in range(3)
    ]


def test_hosts_of_one_first_label_are_told_apart() -> None:
    for hosts, flag in (
        (["a.x", "A.y"], True),
        (["a.x", "b.x"], False),
        (["10.0.0.1", "10.0.0.2"], False),
    ):
        layout = laid_out([[0], [1]], hosts=hosts, cores_per_processor=1)
        for form in ("openmpi-4", "openmpi-5"):
            command = launch(form, layout, "f").command
            assert ("keep_fqdn_hostnames 1" in command) == flag


def test_many_hosts_are_not_in_the_command() -> None:
    layout = laid_out([[rank] for rank in range(65)], cores_per_processor=1)
    result = launch("openmpi-5", layout, "f")
    assert "--host" not in result.command
    assert "hostfile" in said("openmpi-5", layout)
    fewer = laid_out([[rank] for rank in range(64)], cores_per_processor=1)
    assert "hostfile" not in said("openmpi-5", fewer)


def test_lists_of_cores_have_the_numbers_of_the_system_where_these_are_known() -> None:
    layout = laid_out([[0, 1], [2, 3]], cores_per_processor=2, cpus=((4, 6), (4, 6)))
    assert "map_cpu:4,6" in launch("slurm", layout, "f").command
    assert "-bind-to user:4,6" in launch("mpich", layout, "f").command
    assert 'cores="4 6 4 6"' in binding(layout)
    assert "slot=0:1" in open_mpi(layout)
    assert said("slurm", layout)["core-numbers"] == {"numbers": "system"}
    assert said("openmpi-5", layout)["core-numbers"] == {"numbers": "logical"}
    plain = laid_out([[0, 1], [2, 3]], cores_per_processor=1)
    assert said("slurm", plain)["core-numbers"] == {"numbers": "counted"}
    assert said("openmpi-5", plain)["core-numbers"] == {"numbers": "slots"}

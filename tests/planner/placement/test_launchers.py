"""Real launchers take our rank files and obey them: hosts and cores as the program sees them.

Hosts are names of this machine in namespaces of their own, so that daemons of one launcher take
themselves for different nodes. What a launcher's cores are comes from a topology made up for it,
or, where two cores are there, from the operating system.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from planner.placement.launching import launch
from planner.placement.layout import Core, laid_out
from planner.placement.rank_files import FileForm
from tests.planner.cli.commands import answered, ran
from tests.planner.placement.made_up_hosts import (
    NODE,
    Bench,
    allowed,
    first_saying,
    hosts,
    namespaces,
    two_cores,
    wanted,
)

pytestmark = pytest.mark.skipif(not namespaces(), reason="no namespaces for made-up hosts")


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


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    # Sockets need short names.
    with tempfile.TemporaryDirectory(prefix="mpi-", ignore_cleanup_errors=True) as temporary:
        yield Bench(tmp_path, Path(temporary))


@pytest.fixture(params=["openmpi-4", "openmpi-5"])
def open_mpi(bench: Bench, request: pytest.FixtureRequest) -> FileForm:
    """Each version that is installed, as mpirun."""
    form: FileForm = request.param
    result = first_saying(rf"\((Open MPI|OpenRTE)\) {form[-1]}\.", "mpirun", "mpirun.openmpi")
    if result is None:
        pytest.skip(f"Open MPI {form[-1]} is not installed")
    bench.stands_for("mpirun", result)
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


def test_open_mpi_takes_a_number_for_another_host(bench: Bench, open_mpi: FileForm) -> None:
    layout = laid_out([[0]], hosts=["n1"], cores_per_processor=1)
    (bench.folder / "ranks").write_text("rank 0=007 slot=0\n")
    command = launch(open_mpi, layout, "ranks").command.replace("n1:1", "007:1")
    if open_mpi == "openmpi-4":
        assert hosts(bench.run(f"{command} ./program", 1)) == ["7"]
    else:
        with pytest.raises(AssertionError, match="Host: 7"):
            bench.run(f"{command} ./program", 1)


def test_open_mpi_4_refuses_names_with_a_low_line(bench: Bench, open_mpi: FileForm) -> None:
    if open_mpi != "openmpi-4":
        pytest.skip("version 5 takes them")
    (bench.folder / "ranks").write_text("rank 0=b_2 slot=0\n")
    with pytest.raises(AssertionError, match="illegal character"):
        bench.run("mpirun -n 1 --rankfile ranks ./program", 1)


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
    printed = ran(*words, "--write-rank-file", str(file), "--rank-file-form", open_mpi).output
    command = re.search("^Start with: (.*) PROGRAM$", printed, re.MULTILINE)
    assert command is not None
    said = bench.run(f"{command[1]} ./program", 4, HWLOC_SYNTHETIC=NODE)
    assert hosts(said) == ["n1", "n2", "n2", "n1"]


@pytest.mark.parametrize(
    ("names", "hierarchies"),
    [
        (("small", "n1", "n2"), ("1*pack:1 core:4", f"2*{NODE}")),  # a node unlike the others
        (("n1", "n2", "n3"), ("l2:4 core:2",)),  # processors are not known, caches are
    ],
)
def test_open_mpi_takes_the_cores_of_a_hierarchy(
    bench: Bench, open_mpi: FileForm, names: tuple[str, ...], hierarchies: tuple[str, ...]
) -> None:
    matrix = bench.folder / "matrix.csv"
    np.savetxt(matrix, np.random.default_rng(1).integers(0, 99, (20, 20)), "%d", delimiter=",")
    words = ["place", str(matrix), *(f"--host={name}" for name in names), "--method", "kl"]
    words += [f"--hierarchy={each}" for each in hierarchies]
    answer = answered(*words, "--write-rank-file", str(bench.folder / "ranks"),
                      "--rank-file-form", open_mpi)  # fmt: skip
    layout = laid_out(answer["groups"], hosts=names, cores_per_processor=4)
    command = launch(open_mpi, layout, "ranks").command.replace(" ", f" {SHOWN[open_mpi]} ", 1)
    said = bench.run(f"{command} ./program", layout.ranks, HWLOC_SYNTHETIC=NODE)
    assert hosts(said) == wanted(layout)
    assert mapped(said) == {
        rank: Core(*divmod(core, 4))
        for ranks, taken in zip(answer["groups"], answer["cores"], strict=True)
        for rank, core in zip(ranks, taken, strict=True)
    }


@pytest.fixture
def hydra(bench: Bench) -> FileForm:
    result = first_saying("HYDRA", "mpiexec", "mpiexec.hydra", "mpiexec.mpich")
    if result is None:
        pytest.skip("MPICH is not installed")
    bench.stands_for("mpiexec", result)
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

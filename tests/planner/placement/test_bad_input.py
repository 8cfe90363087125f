"""What people give by mistake to ``headroom place``: told with place, value and remedy, or right.

Devices stand for themselves as pipes in a folder of the test: never name a real one, for a test
that fails would replace it.
"""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from planner.cli.place_options import ALGORITHMS
from tests.planner.cli.commands import answered, ran
from tests.planner.cli.test_commands import PATIENCE_S, environment
from tests.planner.cli.test_interrupts import MARK, eventually, processes

FOUR = "7,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n"
BEST = [[0, 3], [1, 2]]


@pytest.fixture
def four(tmp_path: Path) -> str:
    path = tmp_path / "four.csv"
    path.write_text(FOUR)
    return str(path)


def refused(*words: str) -> str:
    """The message of a command that ends with exit status 2, on one line."""
    done = ran("place", *words)
    assert done.exit_code == 2, done.output
    return " ".join(done.output.split())


BROKEN_FILES = {
    "empty.csv": (b"", "empty.csv: has no rows; give one row for each rank"),
    "empty.mtx": (b"", "empty.mtx:1: does not begin with %%MatrixMarket"),
    "empty.graph": (b"", "does not begin with vertices, edges and fmt"),
    "empty.prof": (b"", "has no monitoring records"),
    "empty.edges": (b"", "has no records; give lines of source, destination, bytes"),
    "blank.csv": (b"\n\n", "has no rows"),
    "wide.csv": (FOUR.encode("utf-16-le"), "contains a zero byte"),
    "zero.csv": (b"0,1\x00\n1,0\n", "contains a zero byte"),
    "ragged.csv": (b"0,1,2\n1,0\n2,1,0\n", "ragged.csv:2: row 2: number of cells: 2 (first"),
    "oblong.csv": (b"0,1,2\n1,0,2\n", "has 2 rows and 3 columns; give as many rows as columns"),
    "words.csv": (b"0,many\n1,0\n", "words.csv:1: row 1, column 2: 'many' is not a number"),
    "headed.csv": (b"a,b\n0,1\n1,0\n", "headed.csv:1: row 1, column 1: 'a' is not a number"),
    "hole.csv": (b"0,\n1,0\n", "row 1, column 2: is empty; write 0 where nothing was sent"),
    "negative.csv": (b"0,1\n-5,0\n", "row 2, column 1: '-5' is negative; give 0 or more"),
    "nan.csv": (b"0,nan\n1,0\n", "'nan' is not a number; write it in digits"),
    "inf.csv": (b"0,inf\n1,0\n", "'inf' is not a number; write it in digits"),
    "hex.csv": (b"0,0x10\n1,0\n", "'0x10' is not a number"),
    "arabic.csv": ("0,٣\n1,0\n".encode(), "is not a number"),
    "formula.csv": (b"0,=1+1\n1,0\n", "'=1+1' is a formula"),
    "huge.csv": (f"0,{10**30}\n1,0\n".encode(), "is above 2^53 and not exact; use a larger"),
    "digits.csv": (b"0," + b"9" * 5000 + b"\n1,0\n", "is above 2^53"),
    "float.csv": (b"0,1e300\n1,0\n", "'1e300' is above 2^53"),
    "cut.csv.gz": (gzip.compress(FOUR.encode())[:-9], "the compressed data end too early; copy"),
    "no.csv.gz": (b"\x1f\x8b\x08\x00nothing", "the compressed data are damaged"),
    "negative.mtx": (
        b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -3\n",
        "negative.mtx:3: '-3' is negative",
    ),
    "outside.mtx": (
        b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 3\n",
        "'1 3 3' lies outside the 2 rows and columns",
    ),
    "vast.mtx": (
        b"%%MatrixMarket matrix coordinate real general\n999999999 999999999 1\n1 2 3\n",
        "'999999999' is not a size from 1 to 1048576",
    ),
    "once.graph": (b"3 1\n2\n\n\n", "names 2, which does not name it; write each edge twice"),
    "far.edges": (b"0 99999999 5\n", "destination: '99999999' is not a rank from 0 to 1048575"),
}


@pytest.mark.parametrize("name", BROKEN_FILES)
def test_a_broken_file_is_refused_with_place_value_and_remedy(name: str, tmp_path: Path) -> None:
    content, said = BROKEN_FILES[name]
    (tmp_path / name).write_bytes(content)
    assert said in refused(str(tmp_path / name), "--nodes", "2")


def test_what_is_no_file_is_refused(tmp_path: Path, four: str) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "folder").mkdir()
    for name, said in (
        ("none.csv", "does not exist; give the path"),
        ("folder", "is a folder with 0 files *.prof"),
        ("pipe.csv", "is not a regular file"),
        ("\udcff.csv", "does not exist"),
    ):
        assert said in refused(str(tmp_path / name), "--nodes", "2")
    assert "2 files have the form matrix" in refused(four, four, "--nodes", "2")
    assert "give a METIS graph" in refused(four, "--nodes", "2", "--form", "metis")


BROKEN_OPTIONS: dict[str, tuple[Sequence[str], str]] = {
    "more nodes than ranks": (("--nodes", "5"), "4 ranks cannot fill 5 nodes; give 1 to 4 nodes"),
    "no node": (("--nodes", "0"), "0 is not in the range"),
    "fewer than none": (("--ranks-per-node", "-2"), "-2 is not in the range"),
    "half a node": (("--nodes", "1.5"), "'1.5' is not a whole number"),
    "too many nodes": (("--nodes", "1000000000"), "is not in the range"),
    "two ways": (("--nodes", "2", "--ranks-per-node", "3"), "give only one of --nodes"),
    "small": (
        ("--capacities", "2,1"),
        "4 ranks do not fit: 2 nodes have 3 slots; give more or larger",
    ),
    "nothing fits": (("--capacities", "0,4"), "is 0; give 1 or more"),
    "words": (("--capacities", "2,x"), "'x' is not a number of ranks; write 8,8,4"),
    "endless": (("--capacities", "9999999*1"), "more than 1,048,576 nodes"),
    "memory": (
        ("--nodes", "2", "--node-memory", "1", "--rank-memory", "2"),
        "a rank of 2 GB does not fit into a node of 1 GB; give larger nodes",
    ),
    "no memory": (
        ("--nodes", "2", "--node-memory", "nan", "--rank-memory", "2"),
        "'nan' is not a number",
    ),
    "few cores": (("--nodes", "2", "--hierarchy", "pack:1 core:1"), "so at least 4 nodes"),
    "no level": (("--hierarchy", "shelf:2"), "'shelf' is not a level; there are group, numa, pack"),
    "vast node": (("--hierarchy", "pack:999999 core:999999"), "65536 at most"),
    "pins clash": (("--nodes", "2", "--pin", "0=0", "--pin", "0=1"), "nodes 0 and 1; keep one"),
    "pins outside": (("--nodes", "2", "--pin", "9=0"), "ranks go from 0 to 3"),
    "pins do not fit": (("--nodes", "2", "--pin", "0-2=0"), "which has 2 slots; pin fewer"),
    "seed": (("--nodes", "2", "--seed", "-1"), "-1 is not in the range"),
    "time": (("--nodes", "2", "--time-limit", "nan"), "'nan' is not a number"),
    "no time": (("--nodes", "2", "--time-limit", "0"), "0 must be above 0"),
    "algorithm": (
        ("--nodes", "2", "--method", "kll"),
        "no placement algorithm 'kll'; did you mean 'kl'",
    ),
    "unsuited": (("--nodes", "1", "--method", "matching"), "take portfolio, which suits all"),
    "no messages": (("--nodes", "2", "--objective", "signed"), "has no message counts"),
    "distance": (
        ("--hierarchy", "pack:2 core:2", "--distance", "network=nan"),
        "network: 'nan' is not a number",
    ),
    "no table": (("--nodes", "2", "--objective", "paper", "--ping-pong", "none"), "does not exist"),
}


@pytest.mark.parametrize("name", BROKEN_OPTIONS)
def test_a_wrong_option_is_refused_with_value_and_remedy(name: str, four: str) -> None:
    words, said = BROKEN_OPTIONS[name]
    assert said in refused(four, *words)


def test_odd_but_sound_text_is_read_right(tmp_path: Path) -> None:
    for name, content in {
        "mark.csv": b"\xef\xbb\xbf" + FOUR.encode(),
        "dos.csv": FOUR.replace("\n", "\r\n").encode(),
        "mac.csv": FOUR.replace("\n", "\r").encode(),
        "no-end.csv": FOUR.rstrip().encode(),
        "blanks.csv": FOUR.replace(",", "  ").encode(),
        "packed.csv.gz": gzip.compress(FOUR.encode()),
        "latin.csv": "# é\n".encode("latin-1") + FOUR.encode(),
    }.items():
        (tmp_path / name).write_bytes(content)
        answer = answered("place", str(tmp_path / name), "--nodes", "2")
        assert (answer["groups"], answer["cut"]) == (BEST, 8)


def test_amounts_at_the_edges_of_floats_are_added_up_right(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(f"0,{2**53},0\n-0,0,5e-324\n0,0.5,0\n")
    answer = answered("place", str(path), "--nodes", "3")
    assert answer["cut"] == 2.0**53 + 0.5
    assert answer["bound"] == pytest.approx(answer["cut"], rel=1e-14)


def test_no_edges_is_answered_and_said(tmp_path: Path) -> None:
    path = tmp_path / "silent.csv"
    path.write_text("5,0,0\n0,0,0\n0,0,9\n")
    for algorithm in sorted(set(ALGORITHMS) - {"metis", "matching"}):
        answer = answered("place", str(path), "--nodes", "2", "--method", algorithm)
        assert [len(group) for group in answer["groups"]] == [2, 1]
        assert (answer["cut"], answer["bound"], answer["gap"]) == (0, 0, 0)
        assert answer["ratio"] is None
        assert "no two ranks exchange messages" in answer["summary"]


def test_tasks_that_nodes_do_not_divide_are_spread_as_said(tmp_path: Path) -> None:
    path = tmp_path / "five.csv"
    path.write_text("\n".join(",".join("1" * 5) for _ in range(5)))
    for words, sizes in (
        (("--nodes", "2"), [3, 2]),
        (("--nodes", "3"), [2, 2, 1]),
        (("--ranks-per-node", "2"), [2, 2, 1]),
        (("--ranks-per-node", "1000000"), [5]),
    ):
        answer = answered("place", str(path), *words)
        assert [len(group) for group in answer["groups"]] == sizes
        pairs = sum(a * b for i, a in enumerate(sizes) for b in sizes[i + 1 :])
        assert answer["cut"] == answer["bound"] == 2 * pairs


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "matching"])
def test_raw_bytes_up_to_a_million_million_are_exact(algorithm: str, tmp_path: Path) -> None:
    if algorithm == "metis" and find_spec("pymetis") is None:
        pytest.skip("needs the extra 'fast'")
    rng = np.random.default_rng(3)
    weights = rng.integers(0, 10**12, (12, 12))
    np.savetxt(tmp_path / "heavy.csv", weights, fmt="%d", delimiter=",")
    words = (str(tmp_path / "heavy.csv"), "--ranks-per-node", "4")
    best = answered("place", *words, "--method", "dynamic")
    answer = answered("place", *words, "--method", algorithm)
    node = {rank: number for number, group in enumerate(answer["groups"]) for rank in group}
    assert answer["cut"] == sum(
        int(weights[a, b]) for a in range(12) for b in range(12) if node[a] != node[b]
    )
    assert answer["bound"] <= best["cut"] <= answer["cut"]


RANK_FILES = {
    "x" * 300: "cannot be written (File name too long); give another file",
    "missing/ranks": "cannot be written (No such file or directory); give another file",
    "folder": "cannot be written (Is a directory); give another file",
    "pipe": "cannot be written (It is not a regular file); give another file",
    "link-to-pipe": "cannot be written (It is not a regular file); give another file",
    "four.csv": "four.csv: is also an input; give another name",
}


@pytest.mark.parametrize("name", RANK_FILES)
def test_a_rank_file_that_cannot_be_is_refused_and_nothing_is_left(
    name: str, four: str, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link-to-pipe").symlink_to("pipe")
    before = sorted(tmp_path.rglob("*"))
    said = refused(four, "--nodes", "2", "--write-rank-file", str(tmp_path / name))
    assert RANK_FILES[name] in said
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link-to-pipe").is_symlink()
    assert Path(four).read_text() == FOUR


def test_a_rank_file_that_exists_is_replaced_only_with_force_by_one_that_is_right(
    four: str, tmp_path: Path
) -> None:
    path = tmp_path / "ranks"
    path.write_text("old")
    words = [four, "--nodes", "2", "--write-rank-file", str(path), "--rank-file-form", "openmpi-4"]
    assert "it exists with other content; --force replaces it" in refused(*words)
    words.append("--force")
    for names, said in (
        (("a",), "1 host is given for 2 nodes; give one host for each node"),
        (("a", "A"), "host A is given twice"),
        (("a", "b c"), "'b c' is not a valid host name; use letters, digits"),
        (("a", ""), "'' is not a valid host name"),
        (("a", "b;reboot"), "is not a valid host name"),
        (("a", "007"), "host 007 is a number"),
        (("a", "slot"), "host slot is a keyword of Open MPI rankfiles; give its address"),
        (("a", "b_1"), "host b_1 contains _, which Open MPI 4 rejects; give its address"),
    ):
        assert said in refused(*words, *(f"--host={name}" for name in names))
        assert path.read_text() == "old"
    assert ran("place", *words).exit_code == 0
    assert path.read_text().splitlines()[3] == "rank 3=node0 slot=1"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["four.csv", "ranks"]


COMMAND = (sys.executable, "-m", "planner", "place")


def drawn(path: Path, ranks: int) -> str:
    """A dense matrix that takes the integer program long."""
    weights = np.random.default_rng(1).integers(0, 99, (ranks, ranks))
    np.savetxt(path, weights, fmt="%d", delimiter=",")
    return str(path)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_an_interrupted_placement_leaves_nobody_and_no_file(
    number: signal.Signals, tmp_path: Path
) -> None:
    mark, file = uuid.uuid4().hex, tmp_path / "ranks"
    words = [drawn(tmp_path / "m.csv", 48), "--nodes", "8", "--method", "ilp"]
    process = subprocess.Popen(
        [*COMMAND, *words, "--time-limit", "300", "--write-rank-file", str(file)],
        env=environment(**{MARK: mark}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    assert eventually(lambda: len(processes(mark)) == 2), "the solver never began"
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode in {-number, 128 + number}
    assert b"Traceback" not in said
    assert eventually(lambda: not processes(mark)), "a child process outlived the command"
    assert [each.name for each in tmp_path.iterdir()] == ["m.csv"]


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    matrix = drawn(tmp_path / "m.csv", 600)
    with subprocess.Popen(
        [*COMMAND, matrix, "--nodes", "300", "--method", "order", "--json"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert b"Traceback" not in said
    assert b"Exception ignored" not in said


def test_no_time_on_a_large_graph_still_gives_a_sound_answer(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    ends = rng.integers(0, 2000, (20_000, 2))
    np.savetxt(tmp_path / "m.edges", np.c_[ends, rng.integers(1, 10**9, 20_000)], fmt="%d")
    words = (str(tmp_path / "m.edges"), "--ranks-per-node", "32", "--time-limit", "0.001")
    answer = answered("place", *words)
    assert sorted(rank for group in answer["groups"] for rank in group) == list(range(2000))
    assert [len(group) for group in answer["groups"]] == [32] * 62 + [16]
    assert answer["bound"] <= answer["cut"] <= answer["cut_rank_order"]


@pytest.mark.slow
def test_a_million_edges_fit_into_two_gigabytes(tmp_path: Path) -> None:
    ranks, edges = 16_384, 1_000_000
    rng = np.random.default_rng(7)
    low = rng.integers(0, ranks - 1, edges)
    high = np.minimum(low + 1 + rng.integers(0, 300, edges), ranks - 1)
    label = rng.permutation(ranks)
    listed = np.c_[label[low], label[high], rng.integers(1, 10**12, edges)]
    np.savetxt(tmp_path / "m.edges", listed, fmt="%d")
    words = [str(tmp_path / "m.edges"), "--ranks-per-node", "64", "--time-limit", "0.1", "-q"]
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, 2 << 30))"
    code = f"{limited}; from planner.cli.main import main; main(['place', *sys.argv[1:]])"
    subprocess.run([sys.executable, "-c", code, *words], env=environment(), check=True, timeout=300)


def test_a_table_of_measured_runs_is_sent_to_configure(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    headings = "application,nodes,cores_per_node,package_cap_w,time_s,package_power_w"
    path.write_text(f"# a note\n{headings}\nlu,2,8,115,10,300\n")
    message = "is a table of measured runs, not of communication; use it with `headroom configure"
    result = ran("place", str(path), "--nodes", "2")
    assert result.exit_code == 2
    assert message in result.output

"""Communication from files: forms, faults with their places, gzip, and the measured matrices."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import ScenarioError
from scenarios.communication.matrix import Communication
from scenarios.communication.numbered_text import MOST_FAULTS
from scenarios.communication.reader import FORMS, Form, read_communication
from scenarios.remark import remark
from tests.shared_data import CASES, COMMUNICATION, needs_cases, needs_data
from tests.sizes import few


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def faults(path: Path, **options: object) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        read_communication(path, **options)  # type: ignore[arg-type]
    return [each.replace(f"{path}", path.name) for each in str(caught.value).split("\n")]


def pairs(found: Communication) -> dict[tuple[int, int], float]:
    return {
        (int(low), int(high)): float(much)
        for low, high, much in zip(found.low, found.high, found.bytes, strict=True)
    }


# Dense matrices

SMALL = "0,5,0\n7,3,0\n0,1e3,0\n"


def test_a_matrix_is_added_to_its_transpose(tmp_path: Path) -> None:
    result = read_communication(written(tmp_path, "m.csv", SMALL))
    assert pairs(result) == {(0, 1): 12, (1, 2): 1000}
    assert result.self_bytes.tolist() == [0, 3, 0]
    assert result.sent_bytes is not None
    assert result.sent_bytes.tolist() == [5, 7, 1000]
    assert (result.form, result.name, result.messages) == ("matrix", "m.csv", None)
    assert result.sha256 == hashlib.sha256(SMALL.encode()).hexdigest()


@pytest.mark.parametrize("separator", [";", "\t", " ", ", "])
def test_a_matrix_has_any_separator_and_comments(tmp_path: Path, separator: str) -> None:
    text = "# bytes\n" + SMALL.replace(",", separator) + "\n"
    assert pairs(read_communication(written(tmp_path, "m.csv", text))) == {(0, 1): 12, (1, 2): 1000}


def test_a_matrix_may_be_gzipped(tmp_path: Path) -> None:
    path = tmp_path / "m.csv.gz"
    path.write_bytes(gzip.compress(SMALL[:6].encode()) + gzip.compress(SMALL[6:].encode()))
    result = read_communication(path)
    assert pairs(result) == {(0, 1): 12, (1, 2): 1000}
    assert result.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_truncated_gzip_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.csv.gz"
    path.write_bytes(gzip.compress(SMALL.encode())[:-4])
    assert faults(path)[-1] == "m.csv.gz:3: the compressed data end too early; copy the file again"


def test_messages_come_from_a_second_matrix(tmp_path: Path) -> None:
    messages = written(tmp_path, "n.csv", "0,2,4\n1,9,0\n0,3,0\n")
    result = read_communication(written(tmp_path, "m.csv", SMALL), messages=messages)
    assert pairs(result) == {(0, 1): 12, (0, 2): 0, (1, 2): 1000}
    assert result.messages is not None
    assert result.messages.tolist() == [3, 4, 3]
    other = written(tmp_path, "o.csv", "0,2\n1,9\n")
    assert faults(tmp_path / "m.csv", messages=other) == [
        (
            f"{other}: messages: has 2 ranks, but the matrix of bytes has 3; give message counts "
            "of the same run"
        )
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0,1\n2\n", "m.csv:2: row 2: number of cells: 1 (first row: 2); make them equal"),
        (",a,b,c\na,1\n", "m.csv:2: row 'a': number of cells: 2 (first row: 4); make them equal"),
        ("0,1,2\n3,4,5\n", "m.csv:2: has 2 rows and 3 columns; give as many rows as columns"),
        ("0,1\n2,3\n4,5\n", "m.csv:3: has 3 rows and 2 columns; give as many rows as columns"),
        ("0,x\n2,3\n", "m.csv:1: row 1, column 2: 'x' is not a number; write it in digits"),
        ("0,\u0663\n2,3\n", "m.csv:1: row 1, column 2: '\u0663' is not a number; write it"),
        ("0,nan\n2,3\n", "m.csv:1: row 1, column 2: 'nan' is not a number; write it in digits"),
        ("0,inf\n2,3\n", "m.csv:1: row 1, column 2: 'inf' is not a number; write it in digits"),
        ("0,1_0\n2,3\n", "m.csv:1: row 1, column 2: '1_0' is not a number; write it in digits"),
        ("0,1\n\n-2,3\n", "m.csv:3: row 2, column 1: '-2' is negative; give 0 or more"),
        ("0,\n2,3\n", "m.csv:1: row 1, column 2: is empty; write 0 where nothing was sent"),
        (
            "0,1e300\n2,3\n",
            "m.csv:1: row 1, column 2: '1e300' is above 2^53 and not exact; use a larger",
        ),
        ("", "m.csv: has no rows; give one row for each rank"),
        ("0,1\0\n2,3\n", "m.csv:1: contains a zero byte; give a text file"),
    ],
)
def test_a_broken_matrix_is_refused_with_its_place(
    tmp_path: Path, text: str, expected: str
) -> None:
    assert faults(written(tmp_path, "m.csv", text))[-1].startswith(expected)


def test_all_faults_are_listed_up_to_a_hundred(tmp_path: Path) -> None:
    path = written(tmp_path, "m.csv", "x,1,y\n0,z,0\n0,0,0\n")
    assert [entry.split(": ")[1] for entry in faults(path)] == [
        "row 1, column 1",
        "row 1, column 3",
        "row 2, column 2",
    ]
    many = written(tmp_path, "many.csv", "\n".join([",".join("x" * 20)] * 20))
    assert len(faults(many)) == MOST_FAULTS


# MatrixMarket


def test_matrix_market_is_read_as_scipy_reads_it(tmp_path: Path) -> None:
    from scipy.io import mmwrite
    from scipy.sparse import random_array

    rng = np.random.default_rng(7)
    for symmetry in ("general", "symmetric"):
        for dense in (False, True):
            full = random_array((9, 9), density=0.4, rng=rng) * 1e6
            full = full + full.T if symmetry == "symmetric" else full
            path = tmp_path / "m.mtx"
            written_form = full.toarray() if dense else full.tocoo()
            mmwrite(path, written_form, symmetry=symmetry)
            result = read_communication(path)
            twice = full.toarray() + full.toarray().T
            assert result.form == "matrix-market"
            assert np.allclose(result.bytes, twice[result.low, result.high])
            assert np.isclose(result.total_bytes, np.triu(twice, 1).sum())
            assert np.allclose(result.self_bytes, full.diagonal())
            assert (result.sent_bytes is None) == (symmetry == "symmetric")


HEAD = "%%MatrixMarket matrix coordinate integer general\n"


def test_matrix_market_counts_from_1(tmp_path: Path) -> None:
    text = HEAD + "% by hand\n4 4 2\n1 3 10\n3 1 5\n"
    result = read_communication(written(tmp_path, "m", text))
    assert (pairs(result), result.ranks, result.silent.tolist()) == ({(0, 2): 15}, 4, [1, 3])
    pattern = text.replace("integer", "pattern").replace(" 10\n", "\n").replace("1 5\n", "1\n")
    result = read_communication(written(tmp_path, "m", pattern))
    assert pairs(result) == {(0, 2): 2}
    assert result.remarks == (remark("ranks-no-amounts", thing=("entry", "counted thing")),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD.replace("integer", "complex") + "2 2 0\n", "m.mtx:1: 'complex' cannot be read"),
        (HEAD.replace("general", "hermitian") + "2 2 0\n", "m.mtx:1: 'hermitian' cannot be read"),
        (HEAD.replace("matrix", "vector"), "m.mtx:1: does not begin with %%MatrixMarket matrix"),
        (HEAD + "2 3 0\n", "m.mtx:2: gives 2 rows and 3 columns; give a square matrix"),
        (HEAD + "2 2\n", "m.mtx:2: '2 2' is not a size line; write 3 numbers"),
        (HEAD + "9999999999 9999999999 1\n", "m.mtx:2: '9999999999' is not a size from 1 to"),
        (HEAD, "m.mtx: has no size line"),
        (HEAD + "2 2 2\n1 2 3\n", "m.mtx:3: ends after 1 entries of 2; copy the file again"),
        (HEAD + "2 2 1\n1 2 3\n2 1 3\n", "m.mtx:4: is one entry more than the 1 that the size"),
        (HEAD + "2 2 1\n1 3 3\n", "m.mtx:3: '1 3 3' lies outside the 2 rows and columns"),
        (HEAD + "2 2 1\n0 1 3\n", "m.mtx:3: '0' is not a rank from 1 to"),
        (HEAD + "2 2 1\n1 2 -3\n", "m.mtx:3: '-3' is negative; give 0 or more"),
        (HEAD + "2 2 1\n1 2\n", "m.mtx:3: '1 2' is not an entry; write row, column and value"),
        (
            HEAD.replace("general", "symmetric") + "2 2 1\n1 2 3\n",
            "m.mtx:3: lies above the diagonal of a symmetric matrix; give the lower half",
        ),
        (
            HEAD.replace("coordinate integer", "array pattern") + "2 2\n",
            "m.mtx:1: an array cannot be a pattern",
        ),
    ],
)
def test_a_broken_matrix_market_file_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    result = faults(written(tmp_path, "m.mtx", text))
    assert result[0].startswith(expected), result


# METIS: the graph of figure 3 of its manual, with edge weights, and with vertex weights too

WEIGHTED = """\
% figure 3
7 11 001
5 1 3 2 2 1
1 1 3 2 4 1
5 3 4 2 2 2 1 2
2 1 3 2 6 2 7 5
1 1 3 3 6 2
5 2 4 2 7 6
6 6 4 5
"""
PLAIN = "7 11\n5 3 2\n1 3 4\n5 4 2 1\n2 3 6 7\n1 3 6\n5 4 7\n6 4\n"
VERTICES = "7 11 010 3\n" + "".join(f"1 2 0 {line}\n" for line in PLAIN.split("\n")[1:-1])
EDGES = {
    (0, 4): 1.0,
    (0, 2): 2.0,
    (0, 1): 1.0,
    (1, 2): 2.0,
    (1, 3): 1.0,
    (2, 4): 3.0,
    (2, 3): 2.0,
    (3, 5): 2.0,
    (3, 6): 5.0,
    (4, 5): 2.0,
    (5, 6): 6.0,
}


def test_the_graphs_of_the_metis_manual(tmp_path: Path) -> None:
    result = read_communication(written(tmp_path, "m.graph", WEIGHTED))
    assert (pairs(result), result.remarks, result.sent_bytes) == (EDGES, (), None)
    result = read_communication(written(tmp_path, "m.graph", PLAIN))
    assert pairs(result) == dict.fromkeys(EDGES, 1.0)
    assert result.remarks == (remark("ranks-no-amounts", thing=("edge", "counted thing")),)
    again = read_communication(written(tmp_path, "m.graph", VERTICES))
    assert pairs(again) == dict.fromkeys(EDGES, 1.0)
    assert again.remarks[0] == remark("ranks-vertex-weights")
    sized = "3 1 100\n7 2\n7 1\n7\n"
    assert pairs(read_communication(written(tmp_path, "m.graph", sized))) == {(0, 1): 1}
    both = "3 1 11\n7 2 8\n7 1 8\n7\n"
    assert pairs(read_communication(written(tmp_path, "m.graph", both))) == {(0, 1): 8}
    alone = read_communication(written(tmp_path, "m.graph", "3 1\n2\n1\n\n\n"))
    assert alone.silent.tolist() == [2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "m.graph: does not begin with vertices, edges and fmt; give a METIS graph"),
        ("2 1 7\n2\n1\n", "m.graph:1: fmt '7' is unknown; write up to three digits, 0 or 1"),
        ("2 1\n2\n", "m.graph: ends after 1 of 2 vertices; give each a line"),
        ("2 1\n2\n1\n1\n", "m.graph:4: follows the last of 2 vertices; see the first one"),
        ("2 1\n3\n1\n", "m.graph:2: vertex 1: neighbour 3 is above the 2 vertices"),
        ("2 1\n0\n1\n", "m.graph:2: vertex 1: '0' is not a rank from 1 to 1048576"),
        (
            "2 1\n1\n1\n",
            "m.graph:2: vertex 1: is a neighbour of itself; METIS graphs have no loops",
        ),
        ("2 1\n2 2\n1\n", "m.graph:2: vertex 1: has the neighbour 2 twice; add the weights up"),
        ("2 1\n2\n\n", "m.graph:2: vertex 1: names 2, which does not name it; write each edge"),
        ("2 2\n2\n1\n", "m.graph:1: gives 2 edges, and 1 follow; correct it"),
        ("2 1 1\n2 5\n1 6\n", "m.graph:2: vertex 1: has weight 5 to neighbour 2, which has 6 back"),
        (
            "2 1 1\n2\n1 6\n",
            "m.graph:2: vertex 1: has a neighbour without a weight; write neighbour",
        ),
        ("2 1 1\n2 0\n1 6\n", "m.graph:2: vertex 1: '0' is not a weight of an edge from 1 to"),
        (
            "2 1 10\n\n1 1\n",
            "m.graph:2: vertex 1: has 0 numbers, but 1 must come before the neighbours",
        ),
    ],
)
def test_a_broken_graph_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    result = faults(written(tmp_path, "m.graph", text))
    assert result[0].startswith(expected), result


# Lists


def test_a_list_has_ranks_from_0_or_1(tmp_path: Path) -> None:
    path = written(tmp_path, "m.edges", "# program\n1 2 10 3\n2 1 5 1\n4 4 7 2\n")
    result = read_communication(path)
    assert (pairs(result), result.ranks) == ({(1, 2): 15}, 5)
    assert result.messages is not None
    assert result.messages.tolist() == [4]
    one = read_communication(path, first_rank=1)
    assert (pairs(one), one.ranks) == ({(0, 1): 15}, 4)
    more = read_communication(path, ranks=9)
    assert (more.ranks, more.silent.tolist()) == (9, [0, 3, 4, 5, 6, 7, 8])
    assert faults(path, ranks=4) == [
        "m.edges: ranks: 4 ranks are too few, as the file has 5; give at least that number"
    ]


@pytest.mark.parametrize("blank", ["\x0b", "\x1c", "\xa0", "\u2003", " , "])
def test_a_line_of_unusual_blanks_is_blank(tmp_path: Path, blank: str) -> None:
    path = written(tmp_path, "m.edges", f"# program\n{blank}\n1,2,10\n{blank}\n2,1,5\n")
    assert pairs(read_communication(path)) == {(1, 2): 15}


def test_headings_name_the_columns_in_any_order(tmp_path: Path) -> None:
    text = 'bytes;to;from;what;msgs;sizes\n10;2;0;halo;3;"1,0,2"\n5;0;2;halo;1;0,1\n'
    result = read_communication(written(tmp_path, "m.csv", text))
    assert (result.form, pairs(result)) == ("edges", {(0, 2): 15})
    assert result.sizes is not None
    assert result.sizes.bin.tolist() == [0, 1, 2]
    assert result.sizes.messages.tolist() == [1, 1, 2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 1\n", "m.edges:1: has 2 columns, but 3 are expected; make them equal"),
        ("0 1 2\n0 1 2 3\n", "m.edges:2: has 4 columns, but 3 are expected; make them equal"),
        ("0 1 -2\n", "m.edges:1: '-2' is negative; give 0 or more"),
        ("0 1.5 2\n", "m.edges:1: destination: '1.5' is not a rank from 0 to 1048575"),
        ("0 1 2\n-1 1 2\n", "m.edges:2: source: '-1' is not a rank from 0 to 1048575"),
        ("9999999999 1 2\n", "m.edges:1: source: '9999999999' is not a rank from 0 to 1048575"),
        (
            "source target megabytes\n0 1 2\n",
            (
                "m.edges:1: there is no column 'bytes' "
                "(columns: 'source', 'target', 'megabytes'); add it"
            ),
        ),
        (
            "src dst bytes bytes\n0 1 2 3\n",
            "m.edges:1: bytes: 'bytes' and 'bytes' could both be bytes; rename one of them",
        ),
        ("# nothing\n", "m.edges: has no records; give lines of source, destination, bytes"),
        (f'0,1,2,"{"x" * 140_000}"\n', "m.edges:1: cannot be split into cells (field larger"),
        ("src dst bytes\n", "m.edges: ranks: contains no rank; give the number of ranks"),
    ],
)
def test_a_broken_list_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    result = faults(written(tmp_path, "m.edges", text))
    assert result[0].startswith(expected), result
    assert faults(written(tmp_path, "o.edges", "0 1 2\n"), first_rank=1) == [
        "o.edges:1: source: '0' is not a rank from 1 to 1048576"
    ]


# Profiles of Open MPI

PROFILE = """\
# POINT TO POINT
E\t0\t0\t64 bytes\t1 msgs sent\t0,0,0,0,0,0,0,1
E\t0\t1\t8836560 bytes\t805 msgs sent\t2,0,0,1,0,805
I\t0\t1\t20 bytes\t3 msgs sent
I\t0\t3\t4 bytes\t1 msgs sent\t0,0,0,1
# OSC
S\t0\t2\t100 bytes\t1 msgs sent
# COLLECTIVES
C\t0\t1\t20 bytes\t3 msgs sent
D\tMPI_COMM_WORLD\tprocs: 0,1,2,3
O2A\t0\t0 bytes\t0 msgs sent
A2O\t0\t24 bytes\t3 msgs sent
A2A\t0\t0 bytes\t0 msgs sent
"""


def test_a_profile_by_hand(tmp_path: Path) -> None:
    result = read_communication(written(tmp_path, "run.out", PROFILE))
    assert (result.form, result.ranks) == ("monitoring", 4)
    assert pairs(result) == {(0, 1): 8836580, (0, 3): 4}
    assert result.messages is not None
    assert result.messages.tolist() == [808, 1]
    assert result.self_bytes.tolist() == [64, 0, 0, 0]
    assert result.sizes is not None
    assert result.sizes.pair.tolist() == [0, 0, 0, 1]
    assert result.sizes.bin.tolist() == [0, 3, 5, 3]
    assert result.sizes.messages.tolist() == [2, 1, 805, 1]
    one_sided = remark("ranks-left-out", lines=(1, "line"), what=("one-sided", "unread"))
    assert result.remarks == (one_sided,)
    own = read_communication(tmp_path / "run.out", traffic="point-to-point")
    assert (pairs(own), own.ranks) == ({(0, 1): 8836560}, 4)
    assert own.remarks == (one_sided, remark("ranks-sizes-of-all"))
    collective = read_communication(tmp_path / "run.out", traffic="collective")
    assert pairs(collective) == {(0, 1): 20, (0, 3): 4}
    assert collective.self_bytes.sum() == 0


def test_a_profile_among_the_output_of_a_program(tmp_path: Path) -> None:
    text = "hello\n" + PROFILE + "bye\n"
    result = read_communication(written(tmp_path, "run.log", text))
    foreign = remark("ranks-left-out", lines=(2, "line"), what=("foreign", "unread"))
    assert result.remarks[0] == foreign


def test_a_missing_profile_of_a_rank_is_told(tmp_path: Path) -> None:
    for rank in (0, 1, 5):
        written(tmp_path, f"run.{rank}.prof", PROFILE if not rank else "# POINT TO POINT\n")
    result = read_communication(tmp_path)
    assert result.ranks == 6
    without = remark("ranks-without-profile", ranks=((3, 6), "of:rank"), first=((2, 3, 4), "id"))
    assert result.remarks[0] == without


def test_a_damaged_profile_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "run.0.prof", PROFILE.replace("805 msgs sent\t2", "805 msgs"))
    assert faults(path) == ["run.0.prof:3: is an incomplete monitoring record; copy the file again"]
    path = written(tmp_path, "run.1.prof", "nothing\n")
    assert faults(path) == [
        "run.1.prof: has no monitoring records; give run.0.prof, run.1.prof, ..."
    ]
    assert faults(written(tmp_path, "run.0.prof", PROFILE.replace("2,0,0,1", "2,,0,1")))[
        0
    ].startswith("run.0.prof:3: '' is not a count of messages from 0 to")


def test_early_versions_without_sizes_are_told(tmp_path: Path) -> None:
    text = "I\t0\t1\t10 bytes\t1 msgs sent\nE\t0\t1\t20 bytes\t2 msgs sent\n"
    path = written(tmp_path, "run.0.prof", text)
    assert pairs(read_communication(path)) == {(0, 1): 30}
    own = read_communication(path, traffic="point-to-point")
    assert own.remarks[-1] == remark("ranks-no-sizes")


# The form


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("m.csv", SMALL, "matrix"),
        ("m.csv", "src,dst,bytes\n0,1,5\n", "edges"),
        ("m.txt", "0 1 5\n", "edges"),
        ("m.txt", PROFILE, "monitoring"),
        ("m.txt", HEAD + "2 2 1\n1 2 3\n", "matrix-market"),
        ("m.graph", "2 1\n2\n1\n", "metis"),
        ("m.graph.gz", "2 1\n2\n1\n", "metis"),
    ],
)
def test_the_form_is_told_by_lines_or_name(tmp_path: Path, name: str, text: str, form: str) -> None:
    assert read_communication(written(tmp_path, name, text)).form == form


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "m.dat", "0 1 5\n")
    assert "give one of monitoring, matrix, matrix-market, metis, edges" in faults(path)[0]
    assert read_communication(path, form="edges").pairs == 1
    assert (
        "'edge' is not a form of communication; did you mean 'edges'?"
        in faults(path, form="edge")[0]
    )
    assert "2 is not allowed; give 0 or 1" in faults(path, first_rank=2)[0]
    assert "0 is not from 1 to 1048576" in faults(path, ranks=0)[0]
    assert "'p2p' is unknown" in faults(path, traffic="p2p")[0]
    assert "applies to the form matrix only" in faults(path, form="edges", messages=path)[
        0
    ].replace("messages: ", "")
    with pytest.raises(ScenarioError, match="2 files have the form edges"):
        read_communication([path, path], form="edges")
    with pytest.raises(ScenarioError, match="0 files are given"):
        read_communication([])
    assert "is a folder with 0 files" in faults(tmp_path)[0]


@settings(max_examples=few(150), deadline=None)
@given(
    st.sampled_from(FORMS),
    st.text('0123456789 ,;\t\n-+.eEInaf%#xI\0"', max_size=80)
    | st.builds(
        lambda text, at, put: text[:at] + put + text[at + 1 :],
        st.sampled_from([SMALL, WEIGHTED, PROFILE, HEAD + "3 3 1\n1 2 9\n", "0 1 2\n1 2 3\n"]),
        st.integers(0, 90),
        st.sampled_from(["", "x", "-", "9", " ", "\n", ",", "\0", "é"]),
    ),
)
def test_altered_files_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, form: Form, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.dat"
    path.write_text(text, encoding="utf-8")
    try:
        result = read_communication(path, form=form)
    except ScenarioError as error:
        assert str(error)  # noqa: PT017 - either end is right
    else:
        assert result.ranks > 0
        assert (result.low < result.high).all()
        assert np.isfinite(result.bytes).all()
        assert (result.bytes >= 0).all()


# Measured matrices: class W of NPB 3.4

PROGRAMS = ["bt.W.16", "cg.W.32", "lu.W.16", "lu.W.64", "mg.W.16"]


@needs_data
@pytest.mark.parametrize("program", PROGRAMS)
def test_measured_matrices_and_lists_agree(program: str) -> None:
    matrix = read_communication(
        COMMUNICATION / f"{program}.p2p.bytes.csv",
        messages=COMMUNICATION / f"{program}.p2p.msgs.csv",
    )
    listed = read_communication(COMMUNICATION / f"{program}.p2p.sizes.csv")
    assert pairs(matrix) == pairs(listed)
    assert matrix.messages is not None
    assert listed.messages is not None
    assert matrix.messages.tolist() == listed.messages.tolist()
    assert matrix.self_bytes.tolist() == listed.self_bytes.tolist()
    raw = np.loadtxt(COMMUNICATION / f"{program}.p2p.bytes.csv", delimiter=",")
    assert matrix.total_bytes == raw.sum() - np.trace(raw)


@needs_data
@pytest.mark.parametrize("program", ["lu.W.16", "ft.W.16"])
def test_measured_traffic_written_as_profiles_reads_as_the_matrices(
    tmp_path: Path, program: str
) -> None:
    own = np.loadtxt(COMMUNICATION / f"{program}.p2p.bytes.csv", delimiter=",")
    inner = np.loadtxt(COMMUNICATION / f"{program}.internal.bytes.csv", delimiter=",")
    for rank, (outward, inward) in enumerate(zip(own, inner, strict=True)):
        lines = ["# POINT TO POINT"]
        for kind, row in (("E", outward), ("I", inward)):
            lines += [
                f"{kind}\t{rank}\t{target}\t{much:.0f} bytes\t1 msgs sent\t0,1"
                for target, much in enumerate(row)
                if much
            ]
        written(tmp_path, f"run.{rank}.prof", "\n".join(lines) + "\n")
    for traffic, full in (("all", own + inner), ("point-to-point", own), ("collective", inner)):
        result = read_communication(tmp_path, traffic=traffic)  # type: ignore[arg-type]
        assert result.ranks == 16
        assert result.total_bytes == full.sum() - np.trace(full)
        assert (result.bytes == (full + full.T)[result.low, result.high]).all()


@needs_data
def test_what_is_known_of_the_measured_programs() -> None:
    # FT sends nothing but in collective operations; CG's diagonal ranks send to themselves
    ft = read_communication(COMMUNICATION / "ft.W.16.p2p.bytes.csv")
    assert (ft.pairs, len(ft.silent)) == (0, 16)
    cg = read_communication(COMMUNICATION / "cg.W.32.p2p.bytes.csv")
    assert cg.self_bytes.tolist().count(2_912_000) == 8
    assert cg.self_bytes.sum() == 8 * 2_912_000
    # LU on 8 x 8 ranks speaks to its neighbours in the grid: 2 * 8 * 7 pairs
    lu = read_communication(COMMUNICATION / "lu.W.64.p2p.bytes.csv")
    assert lu.pairs == 112
    assert set((lu.high - lu.low).tolist()) == {1, 8}


@needs_cases
def test_a_matrix_with_names_is_read() -> None:
    path = next(CASES.glob("22-*")) / "m.csv"
    found = read_communication(path)
    assert (found.ranks, found.low.tolist(), found.high.tolist()) == (4, [0, 0, 1, 2], [1, 3, 2, 3])


@pytest.mark.parametrize(
    "text",
    [
        ",0,1,2\n0,0,5,0\n1,5,0,7\n2,0,7,0\n",
        "rank,0,1,2\n2,0,7,0\n1,5,0,7\n0,0,5,0\n",
        ",2,1,0\n2,0,7,0\n1,7,0,5\n0,0,5,0\n",
        '"";"0";"1";"2"\n"0";0;5;0\n"1";5;0;7\n"2";0;7;0\n',
        "from\\to,0,1,2\n0,0,5,0\n1,5,0,7\n2,0,7,0\n",
    ],
)
def test_names_of_rows_and_columns_say_which_ranks_they_are(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.csv").write_text(text)
    found = read_communication(tmp_path / "m.csv", form="matrix")
    assert (found.low.tolist(), found.high.tolist()) == ([0, 1], [1, 2])
    assert found.bytes.tolist() == [10, 14]
    assert found.remarks == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (",a,b\na,0,-2\nb,x,0\n", "m.csv:2: row 'a', column 'b': '-2' is negative"),
        (",a,b\nb,0,1\na,x,0\n", "m.csv:3: row 'a', column 'a': 'x' is not a number"),
        (",a,b\na,0\nb,1,0\n", "m.csv:2: row 'a': number of cells: 2"),
        (",0,1\n0,0,5\n2,5,0\n", "m.csv:3: '2' is not the name of a column; name rows as columns"),
        (",0,1\n0,0,5\n0,5,0\n", "m.csv:3: '0' names two rows"),
        (",a,a\na,0,5\nb,5,0\n", "m.csv:1: two columns have the same name"),
        (",a,b\na,0,5\n", "has 1 rows and 2 columns"),
    ],
)
def test_names_that_do_not_fit_are_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "m.csv").write_text(text)
    with pytest.raises(ScenarioError, match=re.escape(said)):
        read_communication(tmp_path / "m.csv", form="matrix")


def test_names_that_are_no_numbers_are_ranks_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(",b,a\nb,0,5\na,5,0\n")
    named = remark("ranks-named", place=("m.csv", "place"), first=("b", "text"),
                   last=("a", "text"), highest=(1, "id"))  # fmt: skip
    assert read_communication(tmp_path / "m.csv").remarks == (named,)


def test_a_second_matrix_has_its_own_remarks(tmp_path: Path) -> None:
    much, many = (written(tmp_path, name, ",b,a\nb,0,5\na,5,0\n") for name in ("b.csv", "n.csv"))
    remarks = read_communication(much, messages=many).remarks
    assert [each.values["place"][0] for each in remarks] == ["b.csv", "n.csv"]

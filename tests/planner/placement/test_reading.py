"""How the command reads its matrix: what is said of it, what is asked, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.planner.cli.commands import answered, ran

# Four ranks in a ring, as a list that counts from 1.
RING = "1 2 100\n2 3 100\n3 4 100\n4 1 100\n"


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def said(*words: str) -> str:
    """Output with its line ends as blanks."""
    return " ".join(ran("place", *words).output.split())


def test_a_list_that_counts_from_one_is_told_and_read_when_asked(tmp_path: Path) -> None:
    ring = written(tmp_path, "ring.edges", RING)
    wrong = answered("place", ring, "--nodes", "2")
    assert wrong["ranks"] == 5
    (warning,) = (each for each in wrong["warnings"] if "Rank 0 does not occur" in each)
    assert "--first-rank 1" in warning
    right = answered("place", ring, "--nodes", "2", "--first-rank", "1")
    assert (right["ranks"], right["cut"]) == (4, 200)
    assert sorted(rank for group in right["groups"] for rank in group) == [0, 1, 2, 3]
    assert not any("Rank 0" in each for each in right["warnings"])
    from_0 = written(tmp_path, "zero.edges", "0 2 5\n")
    assert not any(
        "NEVER" in each for each in answered("place", from_0, "--nodes", "1")["warnings"]
    )


def test_silent_ranks_above_the_others_are_counted_when_asked(tmp_path: Path) -> None:
    silent = written(tmp_path, "none.csv", "src,dst,bytes\n")
    assert "give the number of ranks (--ranks)" in said(silent, "--nodes", "2")
    result = answered("place", silent, "--nodes", "2", "--ranks", "4")
    assert result["groups"] == [[0, 1], [2, 3]]


def test_the_form_that_was_read_is_said(tmp_path: Path) -> None:
    matrix = written(tmp_path, "m.csv", "0,9\n9,0\n")
    assert "Input read as a matrix of bytes." in said(matrix, "--nodes", "2")
    assert answered("place", matrix, "--nodes", "2")["form"] == "matrix"
    ring = written(tmp_path, "ring.edges", RING)
    assert "read as a list of source, destination, bytes" in said(ring, "--nodes", "5")


def test_a_matrix_that_may_be_a_list_has_a_warning_until_somebody_says(tmp_path: Path) -> None:
    both = written(tmp_path, "both.csv", "0,1,100\n1,2,200\n2,0,50\n")
    settings = (both, "--nodes", "3")
    assert any(
        "could be a list of source" in each for each in answered("place", *settings)["warnings"]
    )
    as_matrix = answered("place", *settings, "--form", "matrix")
    assert not any("could be a list" in each for each in as_matrix["warnings"])
    assert answered("place", *settings, "--form", "edges")["cut"] == 350
    for name, text in (
        ("large.csv", "0,5,0\n7,3,0\n0,1000,0\n"),  # ranks that three lines do not hold
        ("twice.csv", "0,1,0\n0,1,2\n1,2,0\n"),  # a pair twice
        ("zero.csv", "0,0,0\n" * 3),
        ("part.csv", "0,1.5,0\n1,0,2\n1,1,0\n"),  # no rank
        ("two.csv", "0,1\n1,0\n"),
    ):
        sure = answered("place", written(tmp_path, name, text), "--nodes", "1")
        assert not any("could be a list" in each for each in sure["warnings"]), name
    lines = written(tmp_path, "lines.csv", "0,1,100\n1,2,200\n")
    assert "or read it as a list (--form edges)" in said(lines, "--nodes", "1")


def test_unknown_columns_are_named_and_doubtful_counts_refused(tmp_path: Path) -> None:
    tagged = written(tmp_path, "t.csv", "source,target,bytes,tag\n0,1,5,2\n")
    warnings = answered("place", tagged, "--nodes", "2")["warnings"]
    assert "Columns that are not known and left out: tag." in " ".join(warnings)
    counted = written(tmp_path, "c.csv", "source,target,bytes,count\n0,1,5,2\n0,2,8,1\n")
    assert "t.csv" not in said(counted, "--nodes", "1")
    assert "rename it messages; else multiply" in said(counted, "--nodes", "1")
    twice = written(tmp_path, "w.csv", "source,target,bytes,msgs,messages\n0,1,5,2,2\n")
    assert "messages may be in columns 'messages' and 'msgs'; delete one" in said(
        twice, "--nodes", "1"
    )


def test_messages_are_a_second_matrix_or_have_a_size(tmp_path: Path) -> None:
    much = written(tmp_path, "bytes.csv", "0,100,0\n100,0,900\n0,900,0\n")
    many = written(tmp_path, "msgs.csv", "0,5,0\n4,0,1\n0,0,0\n")
    sizes = ("--capacities", "2,1")
    assert answered("place", much, *sizes)["cut"] == 200
    result = answered("place", much, *sizes, "--objective", "messages", "--messages", many)
    assert (result["cut"], result["unit"], result["groups"][1]) == (1, "messages", [2])
    for cost in ("messages", "signed"):
        assert "(--messages)" in said(much, *sizes, "--objective", cost)
    by_size = answered("place", much, *sizes, "--objective", "signed", "--message-size", "100")
    assert by_size["cut"] < by_size["cut_rank_order"] * (1 + 1e-9)
    both = ("--messages", many, "--message-size", "100", "--objective", "signed")
    assert "which give the mean size; omit" in said(much, *sizes, *both)
    assert "--message-size applies to --objective signed" in said(
        much, *sizes, "--message-size", "8"
    )


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (("--nodes", "1", "--traffic", "all"), "--traffic applies to monitoring profiles"),
        (("--nodes", "1", "--first-rank", "0"), "--first-rank applies to lists"),
        (("--nodes", "1", "--first-rank", "1"), "--first-rank applies to lists"),
        (("--nodes", "1", "--fill", "spread"), "--fill needs --hierarchy"),
        (("--nodes", "1", "--rank-file-form", "slurm"), "--rank-file-form needs --write-rank-file"),
        (("--nodes", "1", "--cores-per-socket", "2"), "--cores-per-socket needs --write-rank-fil"),
        ((), "--nodes, --ranks-per-node, --capacities, --hierarchy, or --node-memory"),
    ],
)
def test_options_that_would_be_ignored_are_refused(
    tmp_path: Path, words: tuple[str, ...], remedy: str
) -> None:
    matrix = written(tmp_path, "m.csv", "0,9\n9,0\n")
    assert remedy in said(matrix, *words)
    assert ran("place", matrix, *words).exit_code == 2

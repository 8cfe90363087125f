"""The command size: answers by hand, options, and input that is hostile."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.planner.cli.commands import answered, ran

LEVEL = "mean-wait<=40"
LOG = "number,submit,run,processors,user\n1,0,100,2,ann\n2,0,100,2,bob\n3,0,100,2,ann\n"


def run(*words: str) -> Result:
    return ran("size", *words)


def found(*words: str) -> dict[str, Any]:
    return answered("size", *words)


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "log.csv"
    path.write_text(LOG)
    return str(path)


def test_the_answer_by_hand(log: str) -> None:
    answer = found(log, "--for", LEVEL)
    (size,) = answer["sizes"]
    assert (size["policy"], size["nodes"], size["processors"]) == ("easy", 4, 4)
    assert size["one_node_below"]["value"] == 100
    assert size["answer"]["value"] == pytest.approx(100 / 3)
    assert size["one_node_above"]["nodes"] == 5
    assert answer["capacity_over_log_machine"] is None
    assert answer["growth"]["reached"] == 1
    assert found(log, "--for", LEVEL, "--processors", "2")["capacity_over_log_machine"] == 2


def test_what_is_printed(log: str) -> None:
    printed = run(log, "--for", LEVEL, "--policy", "fcfs", "--policy", "easy").stdout
    lines = printed.splitlines()
    assert lines[0] == ("Plan for 4 processors under FCFS: mean wait 33.3 s (target: at most 40 s)")
    assert "Bare minimum, for the log itself: 4 processors (under FCFS)" in lines
    rows = [line.replace("To plan for", "").split()[:2] for line in lines if "Met" in line]
    assert rows == [["FCFS", "4"], ["EASY", "4"]]
    assert "- Add spare nodes for failures and maintenance." in lines
    wide = run(log, "--for", LEVEL, "--node-processors", "2").stdout
    assert "Bare minimum, for the log itself: 2 nodes (4 processors under EASY)" in wide
    assert run(log, "--for", LEVEL, "-q").output == ""


def test_the_written_log_gives_the_same_number_on_the_machine_found(tmp_path: Path) -> None:
    grown = str(tmp_path / "grown.swf.gz")
    words = ["lublin", "--jobs", "1500", "--load", "0.9", "--seed", "5", "--for",
             "p90-bounded-slowdown<=10", "--growth", "1.4", "--resamples", "2"]  # fmt: skip
    answer = found(*words, "--write-log", grown)
    header = gzip.decompress(Path(grown).read_bytes()).decode().splitlines()
    (made,) = (line for line in header if line.startswith("; Synthetic:"))
    begin = "; Synthetic: Lublin-Feitelson model, seed 5; grown to 1.4 times its work by copies"
    assert made.startswith(begin)
    (size,) = answer["sizes"]
    again = answered("simulate", grown, "--processors", str(size["processors"]))
    assert again["p90_bounded_slowdown"] == size["answer"]["value"]
    assert again["utilisation"] == size["answer"]["utilisation"]
    assert again["jobs"] == answer["jobs_grown"]
    assert answer == found(*words)


def test_no_size_is_exit_status_1_with_what_the_largest_reaches(log: str, tmp_path: Path) -> None:
    demand = tmp_path / "demand.toml"
    words = [log, "--for", "median-slowdown<=0.9", "--processors", "4"]
    done = run(*words, "--write-demand", str(demand))
    assert done.exit_code == 1
    first = done.stdout.splitlines()[0]
    found = "median slowdown 1, limit 0.9, with 6 processors under EASY"
    assert first == f"No machine size meets the target: {found}"
    assert "no machine size meets the target under easy" in done.stderr
    assert not demand.exists()
    content = run(*words, "--json")
    assert content.exit_code == 1
    assert json.loads(content.stdout)["sizes"][0]["nodes"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--growth", "0"], "a growth of 0 is not between 0.01 and 100"),
        (["--growth", "-2"], "a growth of -2 is not"),
        (["--growth", "nan"], "'nan' is not a number"),
        (["--growth", "inf"], "'inf' is not a number"),
        (["--growth", "1.5"], "too short to grow by copies"),
        (["--for", "p96-wait<=3"], "'p96' is not a statistic"),
        (["--for", ""], "is not a service level"),
        (["--write-demand", "d.toml"], "of which a demand is a multiple"),
        (["--write-log", "none/l.swf"], "is not a folder"),
        (["--policy", "easy", "--policy", "easy"], "each once"),
        (["--reservations", "2", "--policy", "fcfs"], "has no number of reservations"),
        (["--resamples", "-1"], "--resamples"),
    ],
)
def test_what_makes_no_sense_is_refused(log: str, words: list[str], message: str) -> None:
    level = [] if "--for" in words else ["--for", LEVEL]
    done = run(log, *level, *words)
    assert done.exit_code == 2, done.output
    assert message in done.output


def test_no_file_takes_the_place_of_another(log: str, tmp_path: Path) -> None:
    one = str(tmp_path / "one")
    words = [log, "--processors", "4", "--for", LEVEL]
    done = run(*words, "--write-demand", one, "--write-log", one)
    assert done.exit_code == 2
    assert "is also the file of --write-log" in done.output
    done = run(*words, "--write-demand", log)
    assert "is also the file of LOG" in done.output
    assert Path(log).read_text() == LOG

"""--write-model: other solvers reach the command's optimum with the file that it writes."""

from __future__ import annotations

import csv
import math
import subprocess
from pathlib import Path

import highspy
import pytest

from solvers.backends.cbc import binary
from solvers.model.model_file import ENDINGS
from tests.planner.cli.commands import answered, ran
from tests.planner.made_runs import write_runs

MATRIX = "0,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n"
MONEY = """
format = 1
name = "by-hand"
title = "By hand"
[[node_types]]
name = "a"
vendor = "V"
kind = "cpu"
price = 300.0
memory_gb = 4.0
idle_w = 50.0
peak_w = 100.0
maximum_quantity = 5
[reference]
name = "old"
nodes = 1
[procurement]
[power]
bound_w = 900.0
[budget]
capital = 1000.0
lifetime_years = 3.0
energy_price_per_kwh = 0.01
[[workloads]]
name = "w"
[workloads.performance]
kind = "table"
reference_figure_of_merit = 1.0
rows = [{ node_type = "a", figure_of_merit = 1.0 }]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_runs(tmp_path / "runs.csv", ("one", "two"))
    (tmp_path / "m.csv").write_text(MATRIX)
    (tmp_path / "money.toml").write_text(MONEY)
    return tmp_path


def by_cbc(path: Path) -> float:
    """What CBC's own program makes of a file; MPS files of a maximisation are negated."""
    answer = path.with_suffix(".txt")
    words = [binary(), str(path), "preprocess", "off", "ratio", "0", "solve", "solution"]
    subprocess.run([*words, str(answer)], check=True, capture_output=True)
    return float(answer.read_text().partition("\n")[0].rpartition(" ")[2])


def by_highs(path: Path) -> float:
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("mip_rel_gap", 0.0)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(highs.getInfo().objective_function_value)


def solved(folder: Path, *words: str) -> float:
    """The optimum of a written file, by both solvers and in both formats."""
    results = []
    for ending in ENDINGS:
        file = folder / f"model{ending}"
        assert ran(*words, "--write-model", str(file), "-q").exit_code == 0
        results += [by_cbc(file), by_highs(file)]
        names = file.with_suffix(".names.csv")
        rows = list(csv.DictReader(names.read_text().splitlines()))
        assert rows[0].keys() == {"index", "number", "meaning"}
        assert [row["index"] for row in rows].count("objective") == 1
        names.unlink()  # the other format writes the same names
    lp, lp_again, mps, mps_again = results
    assert lp == pytest.approx(lp_again)
    assert mps == pytest.approx(mps_again)
    assert abs(mps) == pytest.approx(abs(lp))
    return lp


def test_plan(folder: Path) -> None:
    """Three nodes score 3: 1000 ln 3, and at most 1.14 more for the first tangents."""
    scenario = str(folder / "money.toml")
    assert 0 <= solved(folder, "plan", scenario, "--no-report") - 1000 * math.log(3) < 1.14


def _meanings(path: Path) -> dict[tuple[str, str], str]:
    rows = csv.DictReader(path.read_text().splitlines())
    return {(row["index"], row["number"]): row["meaning"] for row in rows}


def test_the_names_of_a_procurement_hold_the_units_of_its_columns_and_objective(
    folder: Path,
) -> None:
    file = folder / "unit.lp"
    words = ("plan", str(folder / "money.toml"), "--no-report", "--write-model", str(file), "-q")
    assert ran(*words).exit_code == 0
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.readModel(str(file))
    highs.run()
    column = [highs.getColName(index)[1] for index in range(highs.getNumCol())].index("rating_0")
    value = highs.getSolution().col_value[column]
    meanings = _meanings(file.with_suffix(".names.csv"))
    unit = float(meanings["rating_r", "0"].partition("in units of ")[2].partition(" ")[0])
    assert value * unit == pytest.approx(3.0)  # three nodes, each as fast as the reference
    objective = meanings["objective", ""]
    assert objective.startswith("1,000 times the natural logarithm of the score; up to 1.14 too ")
    excess = highs.getInfo().objective_function_value / 1000 - math.log(3.0)
    assert -1e-12 <= excess < 0.00114


def test_a_file_whose_objective_is_negated_says_so(folder: Path) -> None:
    plan = ("plan", str(folder / "money.toml"), "--no-report")
    configure = ("configure", str(folder / "runs.csv"), "--power-bound", "1500", "-A", "one")
    for words, negated in ((plan, True), (configure, False)):
        file = folder / f"{words[0]}.mps"
        assert ran(*words, "--write-model", str(file), "-q").exit_code == 0
        first = file.read_text().partition("\n")[0]
        assert ("OBJ is the negative of its objective" in first) is negated
        assert (
            ("sense of the objective", "") in _meanings(file.with_suffix(".names.csv"))
        ) is negated
        assert (by_highs(file) < 0) is negated


def test_plan_of_designs(folder: Path) -> None:
    sample = ran("init", str(folder / "sample"))
    assert sample.exit_code == 0
    text = (folder / "sample" / "designs.toml").read_text()
    one = folder / "sample" / "one.toml"
    head, first, second = text.split("[[workloads]]")
    one.write_text(f"{head}[[workloads]]{first}{second[second.index('[overprovisioning]') :]}")
    result = answered("plan", str(one), "--no-report")
    least = min(
        min(item["time_worst_case_s"], item["time_overprovisioned_s"])
        for item in result["overprovisioning"]
    )
    assert solved(folder, "plan", str(one), "--no-report") == pytest.approx(least)


def test_configure(folder: Path) -> None:
    words = ("configure", str(folder / "runs.csv"), "--power-bound", "1500", "-A", "one")
    assert solved(folder, *words) == pytest.approx(answered(*words)["best"]["time_s"])


@pytest.mark.parametrize("goal", ["weighted-time", "makespan"])
def test_share(folder: Path, goal: str) -> None:
    words = ("share", str(folder / "runs.csv"), "--power-bound", "3000", "--nodes", "32")
    plan = answered(*words, "--objective", goal)["plan"]
    value = plan["makespan_s" if goal == "makespan" else "weighted_time_s"]
    assert solved(folder, *words, "--objective", goal) == pytest.approx(value, rel=1e-6)


def unit_in(folder: Path, *words: str) -> float:
    """The unit that the legend states for costs between ranks."""
    assert ran(*words, "--write-model", str(folder / "unit.lp"), "-q").exit_code == 0
    last = (folder / "unit.names.csv").read_text().splitlines()[-1]
    assert "cost between ranks, in units of " in last
    return float(last.rpartition(" ")[2].strip('"'))


def test_place(folder: Path) -> None:
    """Ranks 0 and 3 exchange 200 B, as do 1 and 2; what is left between nodes is 8 B."""
    words = ("place", str(folder / "m.csv"), "--nodes", "2")
    assert solved(folder, *words) * unit_in(folder, *words) == pytest.approx(8.0)


def test_place_on_a_hierarchy(folder: Path) -> None:
    """8 B between nodes cost 90 more than within one, all 408 B 9 more than within a socket."""
    words = [
        "place", str(folder / "m.csv"), "--nodes", "2", "--hierarchy", "pack:2 core:1 pu:1",
        "--distance", "network=100", "--distance", "node=10", "--distance", "pack=1",
    ]  # fmt: skip
    assert solved(folder, *words) * unit_in(folder, *words) == pytest.approx(8 * 90 + 408 * 9)


def test_a_placement_by_the_cost_of_the_paper_within_nodes_is_no_single_program(
    folder: Path,
) -> None:
    words = ("place", str(folder / "m.csv"), "--nodes", "2", "--hierarchy", "pack:2 core:1 pu:1")
    paper = ("--objective", "paper", "--message-size", "100")
    done = ran(*words, *paper, "--write-model", str(folder / "m.lp"))
    assert done.exit_code == 2
    assert "so no single model exists; leave --hierarchy or --write-model" in " ".join(
        done.output.split()
    )


@pytest.mark.parametrize("choose", ["rank", pytest.param("joules", marks=pytest.mark.slow)])
def test_aggregate(folder: Path, choose: str) -> None:
    words = ("aggregate", "lu", "--law", "cliff", "--seed", "1", "--choose", choose)
    value = solved(folder, *words)
    if choose == "joules":
        result = answered(*words)
        chosen = next(item for item in result["patterns"] if item["pattern"] == result["chosen"])
        assert value == pytest.approx(chosen["energy_j"])
    else:
        kept = folder / "kept.lp"
        assert ran(*words, "--write-model", str(kept), "-q").exit_code == 0
        assert "D = 3: " in _meanings(kept.with_suffix(".names.csv"))["objective", ""]
        # -r D^2 + o D + d with 8 ranks on 2 sockets of 2 dies, D = 3
        assert value == pytest.approx(-8 * 9 + 2 * 3 + 2)


@pytest.mark.parametrize(
    ("words", "file", "remedy"),
    [
        (("-A", "one"), "model.txt", "the name of a model file must end with .lp or .mps"),
        ((), "model.lp", "not of 2; name one with -A"),
        (("-A", "one"), "no-folder/model.lp", "give another file"),
        (("-A", "one", "--next", "3"), "model.lp", "drop --out, --full, --model and --write-model"),
        (
            ("-A", "one"),
            "mine.lp",
            "mine.lp cannot be written (it exists with other content; --force",
        ),
        (
            ("-A", "one"),
            "other.lp",
            "other.names.csv cannot be written (it exists with other content; --force",
        ),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_work(
    folder: Path, words: tuple[str, ...], file: str, remedy: str
) -> None:
    for name in ("mine.lp", "other.names.csv"):
        (folder / name).write_text("mine")
    there = sorted(path.name for path in folder.iterdir())
    runs = str(folder / "runs.csv")
    done = ran(
        "configure", runs, "--power-bound", "1500", *words, "--write-model", str(folder / file)
    )
    assert done.exit_code == 2
    assert remedy in " ".join(done.output.split())
    assert sorted(path.name for path in folder.iterdir()) == there
    assert (folder / "mine.lp").read_text() == "mine"


def test_a_program_for_several_applications_names_the_other_command(folder: Path) -> None:
    done = ran("plan", "thesis-7kw", "--no-report", "--write-model", str(folder / "m.lp"))
    assert done.exit_code == 2
    remedy = "write them with headroom compare thesis-7kw --write-models FOLDER"
    assert remedy in " ".join(done.output.split())


def test_the_file_of_another_option_is_not_replaced(folder: Path) -> None:
    both = str(folder / "both.lp")
    words = ("place", str(folder / "m.csv"), "--nodes", "2", "--write-rank-file", both)
    done = ran(*words, "--write-model", both)
    assert done.exit_code == 2
    assert "is also the file of --write-rank-file" in " ".join(done.output.split())


def test_a_program_that_is_too_large_is_refused_before_it_is_built(folder: Path) -> None:
    """Two applications of 75 configurations: 4 x 75 nonzeros for each of 700 jobs."""
    jobs = [word for _ in range(700) for word in ("--job", "one")]
    words = ("share", str(folder / "runs.csv"), "--power-bound", "1e6", "--nodes", "9999", *jobs)
    done = ran(*words, "--write-model", str(folder / "model.lp"))
    assert done.exit_code == 2
    text = " ".join(done.output.split())
    assert "would have 210,000 nonzeros, more than 200,000; leave --write-model out" in text
    assert not (folder / "model.lp").exists()

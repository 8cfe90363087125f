"""The command ``headroom aggregate``: a simulated code, files written and read, wrong usage."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from planner.aggregation.engine import GROUPINGS
from planner.aggregation.grouping import Objective
from planner.cli_aggregate import CODES, LAWS, aggregate
from planner.cli_aggregate import GROUPINGS as OFFERED
from scenarios.aggregation import write_measurements
from scenarios.simulated.aggregation import FAMILIES, TEST_CODES
from tests.planner.commands import answered, ran
from tests.scenarios.aggregation.folders import synthetic


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files") / "ft"
    done = ran(
        "aggregate", "ft", "--law", "queue", "--seed", "2", "--write-measurements", str(made)
    )
    assert done.exit_code == 0, done.output
    assert (
        "SIMULATED, nothing of this was measured: simulated node, law queue, seed 2" in done.output
    )
    assert f"Next: headroom aggregate {made}" in done.output
    return made


def test_names_are_those_of_the_library() -> None:
    assert OFFERED == GROUPINGS
    assert LAWS == FAMILIES
    assert CODES == TEST_CODES
    (objective,) = (o for o in aggregate.params if o.name == "objective")
    assert tuple(objective.type.choices) == get_args(Objective)  # type: ignore[attr-defined]


def test_files_written_from_the_simulated_node_give_the_same_choice(folder: Path) -> None:
    theirs = answered("aggregate", str(folder), "--seed", "2")
    ours = answered("aggregate", "ft", "--law", "queue", "--seed", "2")
    assert ours["simulated"] and theirs["simulated"]  # noqa: PT018 - both
    assert ours["true"]["best"] >= 1
    assert theirs["true"] is None
    for name in ("chosen", "slowdown", "saving", "groups", "ipc_model", "other_choice"):
        assert ours[name] == theirs[name]
    predicted = [{k: v for k, v in row.items() if "true" not in k} for row in ours["patterns"]]
    assert predicted == theirs["patterns"]


def test_a_simulated_choice_is_shown_with_the_truth_beside_it() -> None:
    shown = ran("aggregate", "ft", "--law", "cliff", "--grouping", "order").output
    assert shown.startswith("SIMULATED, nothing of this was measured: simulated node, law cliff")
    assert "Predicted, times of one iteration" in shown
    assert "In truth, which no choice sees (simulated):" in shown
    assert shown.count("chosen") == 2
    assert "needs 15.2" in shown  # eight tasks of 1.9 GB
    assert "Tasks of each node, in the order of their cores: (0" in shown
    quiet = ran("aggregate", "ft", "--law", "cliff", "--grouping", "order", "-q")
    assert (quiet.exit_code, quiet.output) == (0, "")


def test_measured_files_are_not_called_simulated(tmp_path: Path) -> None:
    write_measurements(synthetic(), tmp_path / "ring")
    shown = ran("aggregate", str(tmp_path / "ring")).output
    assert "SIMULATED" not in shown
    assert "In truth" not in shown
    assert shown.startswith("ring on 8 tasks: pattern ")


def test_options_reach_the_choice(tmp_path: Path) -> None:
    write_measurements(synthetic(slope=0.06), tmp_path / "ring")
    where = str(tmp_path / "ring")
    strict = answered("aggregate", where, "--threshold", "0")
    loose = answered(
        "aggregate", where, "--threshold", "0.9", "--choose", "joules", "--grouping", "dynamic",
        "--objective", "loaded", "--one-model",
    )  # fmt: skip
    assert (strict["chosen"], loose["chosen"]) == (1, 8)
    assert (loose["choose"], loose["objective"], loose["grouping"]) == (
        "joules",
        "loaded",
        "dynamic",
    )
    assert (strict["ipc_model"]["classes"], loose["ipc_model"]["classes"]) == (True, False)


WRONG = [
    (
        ["lux"],
        "there is no such folder, nor is there a code of that name on the simulated node; did",
    ),
    (["./lu"], "there is no such folder; give a folder of measurements"),
    (["FOLDER", "--law", "queue"], "--law, --tasks and --write-measurements are for codes of the"),
    (["lu", "--tasks", "12"], "tasks = 12; give a power of two from 4 on"),
    (["lu", "--threshold", "nan"], "nan is no number"),
    (["lu", "--threshold", "-1"], "-1.0 is not in the range"),
    (["lu", "--law", "linear"], "'linear' is not one of"),
    (["lu", "--grouping", "dynamic", "--tasks", "32"], "grouping dynamic: "),
]


@pytest.mark.parametrize(("words", "expected"), WRONG, ids=[" ".join(w) for w, _ in WRONG])
def test_wrong_usage_says_what_to_give(folder: Path, words: list[str], expected: str) -> None:
    done = ran("aggregate", *[str(folder) if w == "FOLDER" else w for w in words])
    assert done.exit_code == 2
    assert expected in " ".join(done.output.split())


def test_broken_files_are_told_with_their_lines(folder: Path, tmp_path: Path) -> None:
    import shutil

    broken = shutil.copytree(folder, tmp_path / "broken")
    text = (broken / "samples.csv").read_text().splitlines()
    (broken / "samples.csv").write_text("\n".join(text[:-1]))
    done = ran("aggregate", str(broken))
    assert done.exit_code == 2
    assert (
        done.output == f"{broken}/samples.csv: has no row for pattern 5; run the program under it\n"
    )


def test_measurements_are_not_written_over_nor_into_nothing(folder: Path) -> None:
    done = ran("aggregate", "ft", "--write-measurements", str(folder))
    assert done.exit_code == 2
    assert "node.csv: is there already and would be lost; give another folder" in done.output
    done = ran("aggregate", "ft", "--write-measurements", str(folder / "node.csv" / "x"))
    assert done.exit_code == 2
    assert "give another folder" in done.output
    assert answered("aggregate", "ft", "--write-measurements", str(folder / "more"))["written"]

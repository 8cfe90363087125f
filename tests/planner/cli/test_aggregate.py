"""The command ``headroom aggregate``: a simulated code, files written and read, wrong usage."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from planner.aggregation.engine import GROUPINGS
from planner.aggregation.grouping import Objective
from planner.cli.aggregate import CODES, LAWS, aggregate
from planner.cli.aggregate import GROUPINGS as OFFERED
from scenarios.aggregation import write_measurements
from scenarios.aggregation.task_layout import Layout
from scenarios.simulated.aggregation import FAMILIES, TEST_CODES
from tests.planner.cli.commands import answered, ran
from tests.scenarios.aggregation.folders import synthetic


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files") / "ft"
    done = ran(
        "aggregate", "ft", "--law", "queue", "--seed", "2", "--write-measurements", str(made)
    )
    assert done.exit_code == 0, done.output
    assert "Simulated, not measured: simulated node (contention law: queue), seed 2" in done.output
    assert f"Next step: headroom aggregate {made}" in done.output
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
    assert "message times are simulated: simulated node (contention law: cliff)" in shown
    assert "Slowdown, simulated ground truth: " in shown
    chosen = [line.split() for line in shown.splitlines() if "Chosen" in line.split()]
    assert [line[0] for line in chosen] == ["1"]
    assert "needs 15.2" in shown  # eight tasks of 1.9 GB
    quiet = ran("aggregate", "ft", "--law", "cliff", "--grouping", "order", "-q")
    assert (quiet.exit_code, quiet.output) == (0, "")


@pytest.mark.slow
def test_a_pattern_that_is_too_slow_by_prediction_alone_is_called_so() -> None:
    """Of cg, pattern 2 is predicted 5.7 % slower and is in truth the best, 4.6 % slower."""
    answer = answered("aggregate", "cg")
    (row,) = (row for row in answer["patterns"] if row["pattern"] == 2)
    assert (row["choice"], row["true_best"], answer["true"]["best"]) == ("above", True, 2)
    # 511.9 kJ over 396.7 kJ of pattern 7, which fills a processor
    assert row["energy_ratio"] == pytest.approx(1.29, abs=0.005)
    wrong = ran("aggregate", "cg", "--baseline", "8")
    assert wrong.exit_code == 2
    assert "baseline 8: this pattern is not predicted" in wrong.output


def test_patterns_are_listed_for_whoever_measures_them() -> None:
    rows = answered("aggregate", "--patterns", "2x1x4")["patterns"]
    # by hand: 1, 2 (two ways), 3, 4 (two ways), 6 and 8 tasks
    assert [row["tasks_per_node"] for row in rows] == [1, 2, 2, 3, 4, 4, 6, 8]
    assert [row["pattern"] for row in rows if row["sampled"]] == [2, 3]
    cores = {row["pattern"]: row["core_numbers"] for row in rows}
    assert (cores[2], cores[3], cores[5]) == ([0, 4], [0, 1], [0, 1, 4, 5])
    rows = answered("aggregate", "--patterns", "2x2x2")["patterns"]
    assert [row["core_numbers"] for row in rows if row["sampled"]] == [[0, 1], [0, 2, 4, 6]]
    assert ran("aggregate", "--patterns", "2x1x4", "-q").output == ""
    shown = " ".join(ran("aggregate", "--patterns", "2,1,4").output.split())
    assert "3 1 x 1 x 2 2 0,1 program runs here" in shown


def test_the_rank_file_has_the_groups_on_their_cores(tmp_path: Path) -> None:
    write_measurements(synthetic(Layout(2, 1, 4), tasks=16), tmp_path / "m")
    words = ["aggregate", str(tmp_path / "m"), "--threshold", "1", "--write-rank-file"]
    words += [str(tmp_path / "ranks"), "--host", "a", "--host", "b"]
    result = answered(*words)
    text = (tmp_path / "ranks").read_text().splitlines()
    wanted = {
        f"rank {rank}={host} slot={slot // 4}:{slot % 4}"
        for host, group in zip("ab", result["groups"], strict=True)
        for slot, rank in enumerate(group)
    }
    assert {*text} == wanted
    shown = ran(*words, "--rank-file-form", "slurm", "--force").output
    assert f"Rank file: {tmp_path / 'ranks'}" in shown
    assert "srun --ntasks=16 --distribution=arbitrary" in shown
    few = ran(*words[:-2], "--force")
    assert few.exit_code == 2
    assert "1 host is given for 2 nodes; give one host for each node" in few.output


def test_few_training_codes_and_large_errors_are_warned_of(tmp_path: Path) -> None:
    assert not _kinds("lu", "--grouping", "order") & {"few-codes", "cannot-tell"}
    write_measurements(synthetic(), tmp_path / "m")  # four codes, without scatter
    assert _kinds(str(tmp_path / "m")) >= {"few-codes", "cannot-tell"}
    assert not _kinds(str(tmp_path / "m"), "--threshold", "0.5") & {"cannot-tell", "most-above"}


def test_runs_confirm_refuse_and_name_what_to_run_next(tmp_path: Path) -> None:
    write_measurements(synthetic(), tmp_path / "m")
    words = [str(tmp_path / "m"), "--tried", "1=27.9"]
    before = answered("aggregate", str(tmp_path / "m"))
    assert (before["answer"], before["tried"]) == ("predicted", [])
    assert before["next_run"]["against"] == 1
    done = answered("aggregate", *words, "--tried", "6=28.9,14700")
    assert (done["answer"], done["chosen"], done["next_run"]["against"]) == ("confirmed", 6, 6)
    assert done["slowdown"] == pytest.approx(28.9 / 27.9 - 1)
    row = next(row for row in done["patterns"] if row["pattern"] == 6)
    assert (row["run_s"], row["energy_j"]) == (pytest.approx(28.9), 14700)
    twice = answered("aggregate", *words, "--tried", "8=33", "--tried", "7=30.6")
    assert (twice["chosen"], [row["outcome"] for row in twice["tried"]]) == (
        1, ["reference", "failed", "failed"],
    )  # fmt: skip
    shown = ran("aggregate", *words, "--tried", "6=28.9").output
    assert shown.startswith("Run 4 ranks per node (2 nodes), not one: ")


def _kinds(*words: str) -> set[str]:
    """Kinds of the findings of an answer."""
    return {each["kind"] for each in answered("aggregate", *words)["study"]["findings"]}


def test_faults_of_all_files_come_at_once(folder: Path, tmp_path: Path) -> None:
    import shutil

    broken = shutil.copytree(folder, tmp_path / "broken")
    for name, old, new in (
        ("program.csv", "ft,16,", "ft,none,"),
        ("exchange-times.csv", "\n1,", "\n99,"),
    ):
        text = (broken / name).read_text()
        assert old in text, text
        (broken / name).write_text(text.replace(old, new, 1))
    lines = (broken / "samples.csv").read_text().splitlines()
    (broken / "samples.csv").write_text("\n".join(lines[:-1]))
    head, *rows = (broken / "training.csv").read_text().splitlines()[1:]
    rows[0] = rows[0].replace(rows[0].split(",")[3], "fast")
    (broken / "training.csv").write_text("\n".join([head, *rows]))
    message = ran("aggregate", str(broken)).output.splitlines()
    places = [line.removeprefix(f"{broken}/").split(":")[0] for line in message]
    assert places == ["exchange-times.csv", "program.csv", "samples.csv", "training.csv"]


def test_measured_files_are_not_called_simulated(tmp_path: Path) -> None:
    write_measurements(synthetic(), tmp_path / "ring")
    shown = ran("aggregate", str(tmp_path / "ring")).output
    assert "simulated" not in shown.lower()
    assert "truth" not in shown.lower()
    assert shown.startswith("Run 4 ranks per node (2 nodes), predicted: ")


def test_options_reach_the_choice(tmp_path: Path) -> None:
    write_measurements(synthetic(slope=0.06), tmp_path / "ring")
    where = str(tmp_path / "ring")
    strict = answered("aggregate", where, "--threshold", "0")
    loose = answered(
        "aggregate", where, "--threshold", "0.9", "--choose", "joules", "--grouping", "dynamic",
        "--objective", "loaded",
    )  # fmt: skip
    assert (strict["chosen"], loose["chosen"]) == (1, 8)
    assert (loose["choose"], loose["objective"], loose["grouping"]) == (
        "joules",
        "loaded",
        "dynamic",
    )


WRONG = [
    (
        ["lux"],
        "is neither a folder nor a simulated code; give a folder of",
    ),
    (["./lu"], "does not exist; give a folder of measurements"),
    (
        ["FOLDER", "--law", "queue"],
        "--law, --ranks and --write-measurements apply to simulated codes only",
    ),
    (["lu", "--ranks", "12"], "the number of ranks is 12; give a power of two of at least 4"),
    (["lu", "--threshold", "nan"], "'nan' is not a number"),
    (["lu", "--threshold", "-1"], "threshold = -1; give a fraction from 0 to 1"),
    (["lu", "--threshold", "5"], "threshold = 5; give a fraction from 0 to 1, 0.05 for 5 %"),
    ([], "SOURCE is missing; give a folder of measurements, a code, or --patterns"),
    (["lu", "--patterns", "2x1x4"], "--patterns takes no SOURCE; omit SOURCE"),
    (["--patterns", "2x4"], "'2x4': give sockets x dies per socket x cores per die, each 1 to 16"),
    (["--patterns", "2x0x4"], "'2x0x4': give sockets x dies"),
    (["--patterns", "1x1x2"], "a node of 1 x 1 x 2 has 2 patterns, two of which are sampled"),
    (["lu", "--host", "a"], "--host needs --write-rank-file; give it, or omit --host"),
    (["lu", "--law", "linear"], "'linear' is not a choice here; there are saturating"),
    (["lu", "--grouping", "dynamic", "--ranks", "32"], "grouping dynamic: "),
    (["lu", "--tried", "6"], "tried run '6': give PATTERN=SECONDS or PATTERN=SECONDS,JOULES"),
    (["lu", "--tried", "6=,5e5"], "the seconds of the whole run are missing; joules alone do not"),
    (["lu", "--tried", "6=fast"], "tried run '6=fast': "),
    (["lu", "--tried", "6=0"], "tried run of pattern 6: its time is 0 s; give a number above 0"),
    (["lu", "--tried", "6=900,0"], "pattern 6: its energy is 0 J; give a number above 0"),
    (["lu", "--tried", "9=900"], "pattern 9: this pattern is not predicted; give one of 1, 2, 3"),
    (["lu", "--tried", "6=3.2"], "give the seconds of the whole run of 300 iterations"),
    (["lu", "--tried", "6=900", "--method", "packed"], "method packed uses no predictions"),
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

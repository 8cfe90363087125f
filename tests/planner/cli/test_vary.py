"""``--vary``: the same files from the command line, from Python, in parts and as a job array."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import headroom as hr
from planner.cli.vary import varied
from tests.planner.cli.commands import answered, ran
from tests.planner.sweeps.test_sweep import texts

USED = ("--vary", "machine.utilisation=0.25:1:4", "--vary", "budget.staff_per_year=0,300000")
VALUES: dict[str, list[float]] = {
    "machine.utilisation": [0.25, 0.5, 0.75, 1],
    "budget.staff_per_year": [0, 300_000],
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    hr.sweep("hopper-2010", VALUES, keep=folder)
    return folder


def test_the_command_and_python_write_the_same_files(whole: Path, tmp_path: Path) -> None:
    summary = answered("plan", "hopper-2010", *USED, "-o", str(tmp_path))
    assert texts(tmp_path) == texts(whole)
    assert summary["cases"] == summary["shards"] == 8
    frame = hr.sweep("hopper-2010", VALUES, keep=tmp_path)
    limits = summary["columns"]["cost_per_core_hour"]
    assert limits["least"] == frame["cost_per_core_hour"].min()
    assert limits["largest"] == frame["cost_per_core_hour"].max()
    assert frame["machine.utilisation"].tolist() == [0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1]


def test_the_parts_of_an_array_write_the_files_of_the_whole(whole: Path, tmp_path: Path) -> None:
    folder, script = tmp_path / "a folder", tmp_path / "an array.sh"
    words = ("plan", "hopper-2010", *USED, "-o", str(folder))
    written = ran(*words, "--write-array", str(script), "--workers", "1")
    assert written.output == f"Wrote {script}: 8 parts of 8 cases; sbatch '{script}'\n"
    assert not folder.exists()
    head, *_, last = script.read_text().splitlines()
    assert head == "#!/bin/bash"
    assert "#SBATCH --array=1-8" in script.read_text()
    missing = []
    for number in (3, 1, 2, 8, 7, 6, 5, 4):  # any of them may be started alone
        execs, headroom, *task = shlex.split(last.replace("$SLURM_ARRAY_TASK_ID", str(number)))
        assert (execs, headroom) == ("exec", "headroom")
        missing.append(answered(*task).get("missing"))
    assert missing == [7, 6, 5, 4, 3, 2, 1, None]
    assert texts(folder) == texts(whole)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--vary", "power.bound_w"), "'power.bound_w': is not KEY=START:STOP:COUNT or KEY=V1,V2,"),
        (("--vary", "power.bound_w=1:2"), "is not KEY=START:STOP:COUNT, as in power.bound_w=5000"),
        (("--vary", "power.bound_w=1:x:3"), "is not KEY=START:STOP:COUNT, as in"),
        (("--vary", "power.bound_w=1:1e999:3"), "is not KEY=START:STOP:COUNT, as in"),
        (("--vary", "power.bound_w=1:2:1"), "START and STOP differ, and COUNT = 1; a single value"),
        (("--vary", "power.bound_w=2:2.0:3"), "START and STOP are equal, and COUNT = 3; a single"),
        (("--vary", "power.bound_w=1:2:0"), "COUNT = 0; give 1 to 10,000,000 values"),
        (("--vary", "power.bound_w=1:2:-3"), "COUNT = -3; give 1 to 10,000,000 values"),
        (("--vary", "power.bound_w=1:2:2.5"), "is not KEY=START:STOP:COUNT, as in"),
        (("--vary", "title=1:3:3"), "title: 1 should be a text"),
        (("--vary", "machine=1:3:3"), "machine: 1 should be a table"),
        ((*USED, "--force"), "--force has no effect on a sweep, which replaces no file"),
        ((*USED, "--shard", "1/2", "--write-array", "a.sh"), "for all parts; leave --shard out"),
        (("--vary", "power.bound_w=1:2:10000001"), "COUNT = 10,000,001; give 1 to"),
        (("--vary", "power.bound_w=1,,2"), "has an empty value; give a value between commas"),
        (("--vary", "a=1", "--vary", "a=2"), "a is given twice; keep one"),
        (("--vary", "machine.utilization=1,2"), "did you mean 'utilisation'?"),
        (("--vary", "a=1:2:4000", "--vary", "b=1:2:3000"), "4,000 x 3,000 values give 12,000,000"),
        ((*USED, "--shard", "2"), "'2' is not I/N, as in 2/8"),
        ((*USED, "--shard", "0/2"), "0/2: I must be from 1 to N"),
        ((*USED, "--shard", "3/2"), "3/2: I must be from 1 to N"),
        ((*USED, "--shard", "1/9"), "N at most 8, the number of shards"),
        (("--shard", "1/2"), "--shard is for sweeps; add --vary, or leave it out"),
        (("--workers", "2"), "--workers is for sweeps"),
        ((*USED, "--no-report"), "--no-report has no effect here"),
        ((*USED, "--write-model", "m.lp"), "--write-model has no effect here"),
    ],
)
def test_wrong_words_are_an_error_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = ran("plan", "hopper-2010", *words)
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert not [*tmp_path.iterdir()]


def test_a_folder_of_another_sweep_is_named(whole: Path) -> None:
    done = ran("plan", "hopper-2010", "--vary", "machine.utilisation=0.5,1", "-o", str(whole))
    assert done.exit_code == 2
    assert done.output == (
        f"{whole} holds another sweep (hopper-2010, machine.utilisation: 4 from 0.25 to 1, "
        "budget.staff_per_year: 2 from 0 to 300000); give another folder\n"
    )


def test_values_are_numbers_truths_or_texts_and_ranges_are_rounded_once() -> None:
    assert varied(["a[x=y].b=1,2.5,true,VASP"]) == {"a[x=y].b": [1, 2.5, True, "VASP"]}
    (tenths,) = varied(["a=0:1:11"]).values()
    assert tenths == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
    assert varied(["a=-1:1:3", "b=2.5:2.5:1"]) == {"a": [-1, 0, 1], "b": [2.5]}
    (falling,) = varied(["a=9e3:5000:3"]).values()
    assert falling == [9000, 7000, 5000]
    assert all(type(value) is int for value in falling)


def test_a_whole_number_of_a_range_is_one_for_its_key(tmp_path: Path) -> None:
    words = ("schedule", "thesis-table-5-2", "--policy", "naive", "-o", str(tmp_path))
    summary = answered(*words, "--vary", "schedule.seeds=1:2:3")
    assert (summary["cases"], summary["errors"]) == (3, 1)
    assert "schedule.seeds: 1.5 should be a whole number" in summary["first_error"]


def test_a_schedule_is_swept_too(tmp_path: Path) -> None:
    words = ("schedule", "thesis-table-5-2", "--policy", "naive", "-o", str(tmp_path))
    summary = answered(*words, "--vary", "schedule.bounds_w[1]=8000,100")
    assert (summary["cases"], summary["errors"]) == (2, 1)
    naive = summary["columns"]["mean_turnaround_s.naive"]
    assert naive == {"least": 1415.3, "largest": 1415.3}  # the thesis, table 5.2
    refused = ran(*words, "--vary", "schedule.bounds_w[1]=8000,100", "--policy", "mine.py:Mine")
    assert "--policy mine.py:Mine is your own; sweep it by hr.sweep" in refused.output
    assert json.loads((tmp_path / "summary.json").read_text())["cases"] == 2

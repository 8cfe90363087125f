"""``headroom check`` says how it understood a file of data, or all that is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scenarios
from planner.cli.check_inputs import KINDS
from tests.planner.cli.commands import answered, ran

DATA = Path(scenarios.__file__).parent / "data"
JOBS = "job,submit,run [min],procs,note\n1,0,60,4,x\n2,5,-1,4,y\n3,9,30,8,z\n"
RUNS = "nodes,cores,cap_w,time_s,package_power_w\n1,8,115,10.5,90\n2,8,115,6.25,170\n"
PAIRS = "pair,a,b\na,.9,.8\nb,.9,.7\n"
MATRIX = "0,5\n5,0\n"
FILES = {
    "jobs": ("jobs.csv", JOBS, "csv"),
    "runs": ("runs.csv", RUNS, "table"),
    "pairs": ("pairs.csv", PAIRS, "table"),
    "communication": ("m.csv", MATRIX, "matrix"),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_is_understood_by_its_content(kind: str, tmp_path: Path) -> None:
    name, text, form = FILES[kind]
    (tmp_path / name).write_text(text)
    answer = answered("check", str(tmp_path / name))
    assert (answer["valid"], answer["kind"], answer["form"]) == (True, kind, form)
    assert answered("check", str(tmp_path / name), "--as", kind) == answer
    assert ran("check", str(tmp_path / name)).stdout.startswith(f"{name}: ")
    assert ran("check", str(tmp_path / name), "-q").output == ""


def test_columns_have_units_and_samples_and_counts_say_what_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text(JOBS)
    answer = answered("check", str(tmp_path / "jobs.csv"))
    columns = {each["holds"]: each for each in answer["columns"]}
    assert columns["run_s"] == {
        "holds": "run_s", "heading": "run [min]", "unit": "min", "samples": ["60", "-1", "30"],
    }  # fmt: skip
    assert "note" not in json.dumps(answer["columns"])
    counts = {"jobs read": 3, "jobs kept": 2, "left out: no run time": 1}
    assert answer["counts"] == counts | {"no requested time: the run time taken": 2}
    text = ran("check", str(tmp_path / "jobs.csv")).stdout
    assert "left out: no run time" in text
    assert "run [min]" in text


def test_remarks_are_warnings(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("job,submit,start,run,procs\n1,5,0,60,4\n")
    warning, *_ = answered("check", str(tmp_path / "jobs.csv"))["warnings"]
    assert warning.startswith("Jobs that started before they were submitted: 1 job.")
    assert f"Warning: {warning}" in ran("check", str(tmp_path / "jobs.csv")).stdout


def test_what_cannot_be_read_is_refused_by_the_reader_that_knows_most_of_it(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text(JOBS + "4,x,60,4,\n5,y,60,4,\n")
    answer = json.loads(ran("check", str(tmp_path / "jobs.csv"), "--json").stdout)
    assert [fault["line"] for fault in answer["faults"]] == [5, 6]
    done = ran("check", str(tmp_path / "jobs.csv"))
    assert done.exit_code == 2
    assert "jobs.csv:5: submit: 'x' is not a time" in done.output
    assert ran("check", str(tmp_path / "jobs.csv"), "--as", "communication").exit_code == 2


@pytest.mark.parametrize(
    "content", [b"", b"\0\1\2", b"\xff\xfe", b"{", b"%%MatrixMarket\n", b"a\n"]
)
@pytest.mark.parametrize("kind", [None, *KINDS])
def test_nonsense_has_no_traceback(content: bytes, kind: str | None, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    done = ran("check", str(tmp_path / "file"), *(["--as", kind] if kind else []))
    assert done.exit_code == 2
    assert "internal error" not in done.output


def test_scenarios_and_schedulers_need_no_suffix(tmp_path: Path) -> None:
    for name in ("thesis-7kw", "poppa-12-codes"):
        (tmp_path / name).write_text((DATA / f"{name}.toml").read_text())
        assert answered("check", str(tmp_path / name))["name"] == name


def test_a_matrix_that_may_be_pairs_or_communication_is_asked_about(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(",lu,bt\nlu,0.9,0.8\nbt,0.7,0.6\n")
    done = ran("check", str(tmp_path / "m.csv"))
    assert done.exit_code == 2
    assert "say which with --as pairs or --as communication" in " ".join(done.output.split())
    for kind in ("pairs", "communication"):
        assert answered("check", str(tmp_path / "m.csv"), "--as", kind)["kind"] == kind


def test_a_log_has_the_warnings_of_a_simulation(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("job,submit,run,procs,partition\n1,0,60,4,a\n2,0,60,4,b\n")
    warnings = answered("check", str(tmp_path / "jobs.csv"))["warnings"]
    assert any(each.startswith("Partitions that share one machine: a, b;") for each in warnings)
    assert any(each.startswith("Jobs without a time limit: 2 of 2 jobs.") for each in warnings)

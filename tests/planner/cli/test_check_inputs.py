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


def sample(tmp_path: Path, **changed: dict[str, str]) -> str:
    """The sample of a procurement with texts replaced in its files; the path of the scenario."""
    ran("init", str(tmp_path / "sample"))
    for name, texts in changed.items():
        (path,) = (tmp_path / "sample").glob(f"{name}.*")
        text = path.read_text(encoding="utf-8")
        for old, new in texts.items():
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    return str(tmp_path / "sample" / "procurement.toml")


def test_a_scenario_shows_what_is_read_of_its_sheets(tmp_path: Path) -> None:
    path = sample(tmp_path)
    (sheet,) = answered("check", path)["sheets"]
    assert (sheet["file"], sheet["sheet"], sheet["quotes"]) == ("quotes.csv", "", 4)
    price, discounts = (
        next(each for each in sheet["columns"] if each["holds"] == key)
        for key in ("price", "discounts")
    )
    assert price["heading"] == "Unit price"
    assert price["samples"] == ["14,9 kEUR", "92 kEUR", "17,2 kEUR"]
    assert discounts["samples"] == ["from 200: 6 %", "", "from 100: 4 %"]
    text = ran("check", path).stdout
    assert "4 quotes of quotes.csv" in text
    assert "from 200: 6 %, \u2013, from 100: 4 %" in text


def test_all_errors_of_mappings_and_their_sheets_are_told_in_one_pass(tmp_path: Path) -> None:
    path = sample(
        tmp_path,
        procurement={'kind = "Kind"': 'knd = "Kind"\nvendr = "Vendor"'},
        quotes={"14,9 kEUR": "14,9 kXYZ", "0,18 kW": "0,18 kq"},
    )
    faults = json.loads(ran("check", path, "--json").stdout)["faults"]
    messages: dict[tuple[str, bool], list[str]] = {}
    for each in faults:
        place = Path(each["file"]).name, each["line"] > 0
        messages.setdefault(place, []).append(each["message"])
    knd, vendr = messages["procurement.toml", True]
    assert "unknown field 'knd'; did you mean 'kind'?" in knd
    assert "unknown field 'vendr'; did you mean 'vendor'?" in vendr
    price, power = messages["quotes.csv", True]
    assert "the price is in XYZ" in price
    assert "'kq' is not a unit of power" in power
    (unsure,) = messages["procurement.toml", False]
    assert unsure.startswith("not checked until all quotes can be read: ")


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("GEOPM", "##### geopm 1.1.0 #####\nProfile: a\n"),
        ("GEOPM", "GEOPM Version: 3.1.0\nProfile: a\n"),
        ("LIKWID", "STRUCT,Info,3,,,\nCPU name:,some\nTABLE,Group 1 Raw,ENERGY,7\n"),
        ("LIKWID", "--------\nCPU name:\tsome\nCPU type:\tsome\n"),
    ],
)
def test_reports_of_measuring_tools_are_named_with_the_way_out(
    tool: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "report.txt").write_text(text)
    for command in (("check",), ("configure", "--power-bound", "3000")):
        told = ran(*command, str(tmp_path / "report.txt"))
        assert told.exit_code == 2
        assert f"is a report of {tool}, which Headroom cannot read; write a table" in told.output

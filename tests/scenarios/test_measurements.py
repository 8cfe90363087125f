"""Measured runs: what columns are called, what numbers mean, and every fault with its place."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios import ScenarioError
from scenarios.measurements.fields import FIELDS
from scenarios.measurements.reader import read_measurements
from scenarios.measurements.runs import Measurements, Runs
from scenarios.remark import remark
from tests.claims.readers_of_runs import stated
from tests.shared_data import RZMERL, needs_data

BROKEN = Path(__file__).parent.parent / "data" / "broken" / "measurements"
THESIS = """id,job_id,nodes,cores,pkg_cap,exec_time,tot_pkg
1,1,6,16,115,447.9,796.4
2,1,8,12,65,415.3,783.8
3,2,8,10,80,439.2,738.2
"""
FULL = (
    "application,nodes,cores_per_node,package_cap_w,repetition,time_s,package_power_w,"
    "dram_power_w\n"
)


def read(folder: Path, text: str, name: str = "runs.csv", **how: Any) -> Measurements:
    path = folder / name
    path.write_bytes(text.encode())
    return read_measurements(path, file_name=name, **how)


def refusal(folder: Path, text: str, **how: Any) -> str:
    with pytest.raises(ScenarioError) as caught:
        read(folder, text, **how)
    return str(caught.value)


def only(measured: Measurements) -> Runs:
    (runs,) = measured.runs.values()
    return runs


def one_run(folder: Path, headings: str, cells: str, **how: Any) -> Runs:
    return only(read(folder, f"{headings}\n{cells}\n", **how))


def test_the_job_details_table_of_the_thesis_is_read_as_it_stands(tmp_path: Path) -> None:
    measured = read(tmp_path, THESIS)
    assert list(measured.runs) == ["1", "2"]
    first, second = measured.runs.values()
    assert first.nodes.tolist() == [6, 8]
    assert first.cores_per_node.tolist() == [16, 12]
    assert first.package_cap_w.tolist() == [115, 65]
    assert first.time_s.tolist() == [447.9, 415.3]
    assert first.package_power_w.tolist() == [796.4, 783.8]
    assert first.repetition.tolist() == [1, 1]
    assert second.time_s.tolist() == [439.2]
    assert first.dram_power_w is None
    assert measured.remarks == (remark("runs-packages-only"),)


@pytest.mark.parametrize(
    "headings",
    [
        FULL.strip(),
        "App,NODES,Cores per node,Package-Cap [W],Rep,Time (s),Package power,DRAM [W]",
        "benchmark,n,c,cap,trial,runtime,pkg_power,dram",
        "Code,numNodes,coresPerNode,pkgCapW,run,ExecTime,TotPkg,DramPowerW",
        "job_id,nodes,cores,pkg_cap_w,iteration,exec_time_s,tot_pkg_power,memory_power",
    ],
)
def test_columns_are_known_by_many_names(tmp_path: Path, headings: str) -> None:
    runs = one_run(tmp_path, headings, "BT,8,16,115,3,13.916,1515.5,121")
    assert runs.application == "BT"
    values = [getattr(runs, name).tolist() for name in (field.name for field in FIELDS[1:])]
    assert values == [[8], [16], [115.0], [3], [13.916], [1515.5], [121.0]]


def test_a_headings_row_of_any_width_is_bounded(tmp_path: Path) -> None:
    wide = "nodes,cores,cap,time,tot_pkg" + ",other" * 996
    message = "1001 columns, more than 1000; delete those that are not needed"
    assert refusal(tmp_path, f"{wide}\n8,16,65,5,800\n") == f"runs.csv:1: {message}"


def test_what_is_measured_besides_is_not_taken_for_power(tmp_path: Path) -> None:
    besides = "memory_gb,memory,pkg,package,dram_energy_j,application_version,node_id,core_id"
    text = f"app,nodes,cores,cap,rep,time,tot_pkg,{besides}\nA,8,16,65,1,5,800,1,2,3,4,5,6,7,8\n"
    assert only(read(tmp_path, text)).dram_power_w is None


def test_an_own_name_goes_before_a_usual_one_and_the_rest_is_left_alone(tmp_path: Path) -> None:
    headings = "id,hostname,time_s,runtime,nodes,cores,cap,tot_pkg,energy_j,start_time"
    measured = read(tmp_path, f"{headings}\n7,node1,13.9,99,8,16,115,1515,2e4,12:30\n")
    assert only(measured).time_s.tolist() == [13.9]
    unread = {"field": "time_s", "column": "time_s", "ignored": ("runtime",)}
    assert stated(measured.remarks) == {
        "table-unread": unread,
        "runs-one-application": {"application": "runs"},
        "runs-packages-only": {},
    }


def test_the_users_mapping_goes_before_all_names(tmp_path: Path) -> None:
    headings = "nodes,cores,cap,time_s,Wall clock [ms],tot_pkg"
    mapping = {"time_s": "wall  clock"}
    runs = one_run(tmp_path, headings, "8,16,115,99,13916.156,1515", columns=mapping)
    assert runs.time_s.tolist() == [13.916156]


def test_a_mapping_that_fits_nothing_names_what_there_is(tmp_path: Path) -> None:
    mapping = {"time": "runtime", "time_s": "wall", "nodes": "", "package_cap_w": "cores"}
    message = refusal(tmp_path, THESIS, columns=mapping, units={"nodes": "W", "time_s": "x"})
    assert "--column: there is no column 'time'; did you mean 'time_s'" in message
    assert "there is no heading 'wall' for time_s; there are id, job_id, nodes" in message
    assert "--column nodes= needs a heading" in message
    twice = {"time_s": "exec_time", "package_power_w": "exec_time"}
    message = "is assigned to both time_s and package_power_w; correct --column"
    assert refusal(tmp_path, THESIS, columns=twice) == f"runs.csv:1: exec_time: {message}"


@pytest.mark.parametrize(
    ("heading", "cell", "seconds"),
    [
        ("time [s]", "90", 90.0),
        ("time (ms)", "1234.5", 1.2345),
        ("time_min", "1.5", 90.0),
        ("Execution time in h", "0.25", 900.0),
        ("elapsed [µs]", "5e6", 5.0),
        ("time", "3.5 s", 3.5),
        ("time [min]", "3.5 s", 3.5),
        ("time", "1'234.5 ms", 1.2345),
        ("time", '"1,234.5"', 1234.5),
        ("time", " 13.916 ", 13.916),
        ("time", "+1.5e1", 15.0),
    ],
)
def test_times_have_the_unit_of_the_cell_or_heading(
    tmp_path: Path, heading: str, cell: str, seconds: float
) -> None:
    runs = one_run(tmp_path, f"nodes,cores,cap,{heading},tot_pkg", f"8,16,115,{cell},1515")
    assert runs.time_s.tolist() == [seconds]


def test_units_may_come_from_the_user_and_may_not_contradict(tmp_path: Path) -> None:
    text = "nodes,cores,cap,time,tot_pkg_kw\n8,16,115,13916,1.5\n"
    runs = only(read(tmp_path, text, units={"time_s": "ms"}))
    assert runs.time_s.tolist() == [13.916]
    assert runs.package_power_w.tolist() == [1500.0]
    message = refusal(tmp_path, text, units={"package_power_w": "W"})
    assert message == (
        "runs.csv:1: tot_pkg_kw: units gives 'W', but the heading 'kw'; correct one of them"
    )


COMMAS = "nodes;cores;cap;time;tot_pkg\n"


@pytest.mark.parametrize(
    ("text", "time_s", "power_w"),
    [
        (COMMAS + "8;16;115;13,916;1515,895\n", 13.916, 1515.895),
        (COMMAS + "8;16;115;13,916;121,001\n", 13.916, 121.001),
        (COMMAS + "8;16;115;13.916;1515.895\n", 13.916, 1515.895),
        (COMMAS + "8;16;115;13,9;1.234,5\n", 13.9, 1234.5),
        (COMMAS + "8;16;115;13.916;1.515\n", 13.916, 1.515),
        (COMMAS.replace(";", "\t") + "8\t16\t115\t13,9\t1515\n", 13.9, 1515.0),
        (COMMAS.replace(";", ",") + '8,16,115,"13,9",1515\n', 13.9, 1515.0),
        (COMMAS.replace(";", ",") + '8,16,115,13.9,"1,515"\n', 13.9, 1515.0),
    ],
)
def test_the_mark_of_decimals_is_one_for_the_whole_file(
    tmp_path: Path, text: str, time_s: float, power_w: float
) -> None:
    runs = only(read(tmp_path, text))
    assert (runs.time_s[0], runs.package_power_w[0]) == (time_s, power_w)


def test_repetitions_are_numbered_in_the_order_of_the_file(tmp_path: Path) -> None:
    rows = ["A,8,16,65,5.0,800", "B,8,16,65,5.0,800", "A,8,16,65,4.0,810", "A,8,12,65,6,700"]
    rows += ["A,8,16,65,5.0,790"]
    measured = read(tmp_path, "\n".join(["app,nodes,cores,cap,time,tot_pkg", *rows]))
    assert measured.runs["A"].repetition.tolist() == [1, 2, 1, 3]
    assert measured.runs["A"].time_s.tolist() == [5, 4, 6, 5]
    assert measured.runs["B"].repetition.tolist() == [1]


def test_repetitions_of_the_file_are_kept_from_zero_too(tmp_path: Path) -> None:
    rows = FULL + "A,8,16,65,1,5,800,50\nA,8,16,65,0,5,800,0\n"
    measured = read(tmp_path, rows)
    assert only(measured).repetition.tolist() == [1, 0]
    assert measured.remarks == ()


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + THESIS,
        THESIS.replace("\n", "\r\n"),
        THESIS.replace("\n", "\r"),
        THESIS.replace("\n", ",,\n"),
        THESIS.replace("\n3", ",\n3"),
        '# "measured\n# in 2015, by hand\n\n' + THESIS.replace("\n2", "\n\n#2\n  # 3\n2"),
        THESIS.replace("3,2,8", "id,job_id,nodes,cores,pkg_cap,exec_time,tot_pkg\n3,2,8"),
        THESIS + "total,,,,,,\n",
        "Measured runs,,,,,,\n,,,,,,\n" + THESIS,
        THESIS.replace("job_id", '"job\nid"'),
    ],
)
def test_what_surrounds_the_runs_is_left_out(tmp_path: Path, text: str) -> None:
    runs = read(tmp_path, text).runs
    assert [run.time_s.tolist() for run in runs.values()] == [[447.9, 415.3], [439.2]]


COMMENTED = "rows that look like runs begin with #, as comments do: {}. Change their first cells"


def test_a_run_behind_a_sign_of_comments_is_left_out_with_a_warning(tmp_path: Path) -> None:
    text = f"# by hand\n{FULL}a,8,16,65,1,5,800,50\n#1,8,16,65,1,5,800,50\n"
    measured = read(tmp_path, text)
    assert list(measured.runs) == ["a"]
    assert stated(measured.remarks) == {"runs-commented": {"rows": 1, "first": ("line 4",)}}


@pytest.mark.parametrize(
    "row",
    [
        '"#1",8,16,65,1,5,800,50',  # the remedy
        "# 8 nodes, 16 cores",
        "#1;8;16;65;1;5;800;50",
        "#1,8,16,65,1,5,800",
        "#1,8,16,65,1,5,800,50,,",
        '#1,"8,16,65,1,5,800,50',
    ],
)
def test_other_comments_are_left_out_without_a_word(tmp_path: Path, row: str) -> None:
    text = f"{FULL}a,8,16,65,1,5,800,50\n{row}\n"
    measured = read(tmp_path, text)
    assert measured.remarks == ()
    assert ("#1" in measured.runs) == row.startswith('"')


def test_comments_above_the_headings_are_no_runs(tmp_path: Path) -> None:
    assert read(tmp_path, f"#1,8,16,65,1,5,800,50\n{FULL}a,8,16,65,1,5,8e2,5").remarks == ()


def test_a_row_with_a_blank_or_a_delimiter_at_its_end_is_as_wide(tmp_path: Path) -> None:
    text = f"{FULL}a,8,16,65,1,5,800,50\n" + "  #b,8,16,65,1,5,800,\n#c,8,16,65,1,5,800,50,\n"
    found = stated(read(tmp_path, text).remarks)
    assert found == {"runs-commented": {"rows": 2, "first": ("line 3", "line 4")}}


def test_many_runs_behind_signs_of_comments_are_counted(tmp_path: Path) -> None:
    text = f"{FULL}a,8,16,65,1,5,800,50\n" + "#b,8,16,65,1,5,800,50\n" * 9
    first = tuple(f"line {number}" for number in range(3, 11))
    found = stated(read(tmp_path, text).remarks)
    assert found == {"runs-commented": {"rows": 9, "first": first}}


def test_a_file_whose_runs_all_look_like_comments_is_told_why(tmp_path: Path) -> None:
    text = f"{FULL}#1,8,16,65,1,5,800,50\n#2,8,16,65,1,5,800,50\n"
    none = "runs.csv:1: there are no measurements below the headings"
    assert refusal(tmp_path, text) == f"{none}; {COMMENTED.format('line 2, line 3')}"
    many = refusal(tmp_path, FULL + "#1,8,16,65,1,5,800,50\n" * 6)
    assert COMMENTED.format("line 2, line 3, line 4, line 5, line 6, ...") in many
    assert refusal(tmp_path, f"{FULL}# none yet\n") == f"{none}; add them"


def test_lines_are_counted_as_an_editor_does(tmp_path: Path) -> None:
    text = '# a\n\nnote,app,nodes,cores,cap,time,tot_pkg\n"two\n# lines",A,8,16,65,5,800\n#\n'
    text += ",A,8,16,65,x,1"
    assert refusal(tmp_path, text).startswith("runs.csv:7: time: 'x' is not a number")


def test_optional_columns_may_be_blank_throughout(tmp_path: Path) -> None:
    measured = read(tmp_path, FULL + ",8,16,65,,5,800,\n,8,16,65,,6,810, \n")
    assert only(measured).application == "runs"
    assert only(measured).repetition.tolist() == [1, 2]
    assert only(measured).dram_power_w is None


def test_power_that_no_node_has_is_doubted_with_its_lines(tmp_path: Path) -> None:
    rows = ["A,32,16,65,1,5,120,9", "A,8,16,65,1,5,4161,9", "A,8,12,65,1,5,4160,9"]
    rows += ["A,8,10,65,1,5,40,9", "A,8,8,65,1,5,39.9,9", "A,8,12,65,2,5,700,9"]
    first = ("line 2", "line 3", "line 6")
    low = {"power": 120.0, "nodes": 32, "plausible": (160.0, 16640.0)}
    flat = {"nodes": 8, "power": 4161.0, "more_nodes": 32, "more_power": 120.0}
    assert stated(read(tmp_path, FULL + "\n".join(rows)).remarks) == {
        "runs-power": {"rows": 3, "first": first, **low},
        "runs-power-flat": {"applications": ("A",), **flat},
    }


def test_other_doubts_are_told(tmp_path: Path) -> None:
    rows = [f"bt{n},{n},{16 * n},65,5,{200 * n}" for n in (1, 2, 4)]
    rows += [f"job{n},8,128,65,{n},800" for n in range(4)]
    text = "\n".join(["job_id,nodes,cores,cap,time,tot_pkg", *rows])
    found = stated(read(tmp_path, text.replace(",0,800", ",9,800")).remarks)
    assert found == {
        "runs-packages-only": {}, "runs-total-cores": {}, "runs-lone": {"runs": 7},
    }  # fmt: skip


def test_cores_that_no_node_count_divides_are_not_taken_for_a_total(tmp_path: Path) -> None:
    rows = ["A,3,16,65,1,5,300,9", "A,5,26,65,1,5,500,9", "A,7,37,65,1,5,700,9"]
    assert read(tmp_path, FULL + "\n".join(rows)).remarks == ()


def test_a_title_does_not_hide_headings_that_are_all_unknown(tmp_path: Path) -> None:
    text = "Study of 2013,,,\nKnoten,Kerne,Deckel,Dauer\n8,16,115,99\n4,16,115,150\n"
    assert "(columns: 'Knoten', 'Kerne', 'Deckel', 'Dauer')" in refusal(tmp_path, text)


def expected() -> dict[str, str]:
    blocks = (BROKEN / "expected.txt").read_text(encoding="utf-8").split("# ")[1:]
    return {block.partition("\n")[0]: block.partition("\n")[2].strip() for block in blocks}


EXPECTED = expected()


@pytest.mark.parametrize("name", sorted(path.stem for path in BROKEN.glob("*.csv")))
def test_every_fault_of_a_file_is_named_with_place_and_remedy(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(BROKEN)
    with pytest.raises(ScenarioError) as caught:
        read_measurements(f"{name}.csv")
    assert str(caught.value) == EXPECTED[name]


def test_at_most_a_hundred_faults_are_listed_and_the_rest_is_said(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        read(tmp_path, FULL + "A,8,16,65,1,x,-1,y\n" * 500)
    assert len(caught.value.faults) == 100
    assert str(caught.value).endswith("(and more; correct these first)")


@pytest.mark.parametrize(
    "cell", ["9" * 5000, "=" * 200_000, "1e" + "9" * 50, "\x00", "\uff11\uff13", "1_0"]
)
def test_hostile_cells_are_refused_in_few_words(tmp_path: Path, cell: str) -> None:
    message = refusal(tmp_path, f"{FULL}A,8,16,65,1,{cell},800,9\n")
    assert message.startswith("runs.csv:2: ")
    assert len(message) < 300
    assert message.isprintable()


@needs_data
def test_the_measurements_of_2013_are_read_to_the_last_digit() -> None:
    measured = read_measurements(RZMERL)
    counts = {name: len(runs) for name, runs in measured.runs.items()}
    assert counts == {"BT-MZ": 1365, "SC": 84, "SM": 357, "NSM": 357, "NSC": 105}
    assert measured.remarks == ()
    rows = [line.split(",") for line in RZMERL.read_text().splitlines()[1:]]
    for name, runs in measured.runs.items():
        own = np.array([row[1:] for row in rows if row[0] == name], dtype=float)
        for column, target in enumerate(field.name for field in FIELDS[1:]):
            assert np.array_equal(getattr(runs, target), own[:, column])


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def measurements_or_faults(path: Path) -> Measurements | ScenarioError:
    try:
        return read_measurements(path)
    except ScenarioError as error:
        return error


def survives(folder: Path, data: bytes) -> None:
    path = folder / "runs.csv"
    path.write_bytes(data)
    measured = measurements_or_faults(path)
    if isinstance(measured, ScenarioError):
        error = measured
        assert 1 <= len(error.faults) <= 100
        assert all(str(fault).isprintable() and fault.message for fault in error.faults)
        assert all(
            0 <= fault.line <= data.count(b"\n") + data.count(b"\r") + 1 for fault in error.faults
        )
        return
    for runs in measured.runs.values():
        for item in (runs.nodes, runs.cores_per_node, runs.package_cap_w, runs.time_s):
            assert (item > 0).all()
        assert np.isfinite(runs.power_w).all()
        keys = zip(
            runs.nodes, runs.cores_per_node, runs.package_cap_w, runs.repetition, strict=True
        )
        assert len(set(keys)) == len(runs)


CELLS = st.one_of(
    st.sampled_from(
        ["8", "16", "65", "13.916", "1,5", "1.234", "1e400", "nan", "", "#", "=A1", "3 s"]
    ),
    st.floats().map(str),
    st.integers().map(str),
    st.text(max_size=5),
)
HEADINGS = st.permutations(["app", "nodes", "cores", "cap", "rep", "time [ms]", "tot_pkg", "dram"])


@given(data=st.binary(max_size=200))
def test_any_bytes_are_measurements_or_faults(folder: Path, data: bytes) -> None:
    survives(folder, data)


@given(
    HEADINGS, st.lists(st.lists(CELLS, min_size=7, max_size=9), max_size=5), st.sampled_from(",;\t")
)
def test_any_table_is_measurements_or_faults(
    folder: Path, headings: list[str], rows: list[list[str]], mark: str
) -> None:
    survives(folder, "\n".join(map(mark.join, [headings, *rows])).encode("utf-8", "replace"))


@given(data=st.data())
def test_measurements_with_pieces_replaced(folder: Path, data: st.DataObject) -> None:
    text = bytearray(
        (FULL + "BT,8,16,115,1,13.9,1515,121\nBT,8,16,115,2,14,1510,12\n" * 2).encode()
    )
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 30, len(text))))
        text[start:end] = data.draw(
            st.one_of(st.binary(max_size=5), CELLS.map(lambda c: c.encode("utf-8", "replace")))
        )
    survives(folder, bytes(text))


def test_rows_of_another_width_are_counted_to_a_hundred_faults(tmp_path: Path) -> None:
    rows = ["A,8,16,65,1"] * 150
    message = refusal(tmp_path, FULL + "\n".join(rows))
    assert "and more; correct these first" in message
    assert message.count("\n") == 99

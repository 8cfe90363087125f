"""A request for proposals with one mistake: named with its place, its value and a remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

import scenarios
from scenarios import ScenarioError
from scenarios.model.procurement import MeasuredTimes, Merits
from scenarios.model.run_times import TableTime

SAMPLE = Path(scenarios.__file__).parent / "data" / "sample"
QUOTES, REQUEST = "quotes.csv", "procurement.toml"


def broken(folder: Path, name: str, old: str, new: str) -> list[str]:
    """The faults of the sample with one text changed in one of its files."""
    for each in (QUOTES, REQUEST):
        text = (SAMPLE / each).read_text(encoding="utf-8")
        if each == name:
            assert text.count(old) >= 1, f"{each} no longer holds {old!r}"
            text = text.replace(old, new, 1)
        (folder / each).write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        scenarios.load(folder / REQUEST)
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


CASES = [
    (REQUEST, "pue = 1.2", "pue = 0.8",
     "procurement.toml:21: power.pue: 0.8 should be greater than or equal to 1; correct it"),
    (REQUEST, "probability = 0.7", "probability = 0.6",
     ("procurement.toml:42: budget.energy_prices: the probabilities of energy_prices sum to 0.9, "
     "not to 1; correct them")),
    (REQUEST, "probability = 0.6", "probability = 0.5",
     ("procurement.toml:129: demands: the probabilities of demands sum to 0.9, not to 1; "
      "correct them")),
    (REQUEST, '"climate" = 0.5', '"climat" = 0.5',
     ("procurement.toml:72: requirements.throughput.climat: there is no workload 'climat'; did "
     "you mean 'climate'?")),
    (REQUEST, 'kind = "gpu"\nof', 'kind = "gpus"\nof',
     ("procurement.toml:74: requirements.shares[1].kind: there is no kind 'gpus'; did you mean "
     "'gpu' or 'cpu'?")),
    (REQUEST, "least = 0.05", "least = 0.5\nmost = 0.4",
     ("procurement.toml:76: requirements.shares[1].least: least = 0.5 is above most = 0.4; swap "
     "or correct them")),
    (REQUEST, 'factors = { "molecular', 'factors = { "moleculer',
     ("procurement.toml:135: demands[2].factors.moleculer dynamics: there is no workload "
     "'moleculer dynamics'; did you mean 'molecular dynamics'?")),
    (REQUEST, "capital = 5_000_000\n", "",
     "procurement.toml:32: budget: capital is missing; a procurement needs it"),
    (REQUEST, 'name = "Model"', 'name = "Modell"',
     "quotes.csv:1: there is no heading 'Modell' for name; did you mean 'Model'?"),
    (QUOTES, "0,18 kW", "0,95 kW",
     "quotes.csv:2: H2: idle_w = 950 W is above peak_w = 920 W (I2); correct one of them"),
    (QUOTES, "0,92 kW", "0,92 W", "quotes.csv:2: I2"),
    (QUOTES, "14,9 kEUR", "14,9 kUSD", "quotes.csv:2: E2"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "message"), CASES)
def test_one_mistake_is_named(tmp_path: Path, name: str, old: str, new: str, message: str) -> None:
    found = broken(tmp_path, name, old, new)
    assert any(each.startswith(message) for each in found), found


def test_a_quote_with_crossed_quantities_is_named_by_its_row(tmp_path: Path) -> None:
    text = (SAMPLE / QUOTES).read_text(encoding="utf-8")
    rows = [line.split(";") for line in text.splitlines()]
    for row, (least, most) in zip(rows, [("Least", "Most"), ("50", "20")] + [("1", "9")] * 9,
                                  strict=False):  # fmt: skip
        row += [least, most]
    (tmp_path / QUOTES).write_text("\n".join(";".join(row) for row in rows), encoding="utf-8")
    request = (SAMPLE / REQUEST).read_text(encoding="utf-8")
    mapped = 'source = "Remark"\nminimum_quantity = "Least"\nmaximum_quantity = "Most"'
    (tmp_path / REQUEST).write_text(request.replace('source = "Remark"', mapped), encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"quotes\.csv:2: .*50.*20"):
        scenarios.load(tmp_path / REQUEST)


def test_rack_limits_need_to_know_what_a_rack_holds(tmp_path: Path) -> None:
    request = (SAMPLE / REQUEST).read_text(encoding="utf-8")
    request = request.replace("[rack]\nnodes = 64\nprice = 15_000\n", "")
    request = request.replace('nodes_per_rack = "Per rack"\n', "")
    (tmp_path / REQUEST).write_text(request, encoding="utf-8")
    (tmp_path / QUOTES).write_bytes((SAMPLE / QUOTES).read_bytes())
    with pytest.raises(ScenarioError, match=r"facility\.racks needs it \(or \[rack\] nodes\)"):
        scenarios.load(tmp_path / REQUEST)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{ node_type = "north-64", cap_w = 300, figure_of_merit = 1 }', "has no cap of 300 W"),
        ('{ node_type = "north-64", figure_of_merit = 2 }', "is listed twice with this cap"),
        ('{ node_type = "north-65", figure_of_merit = 2 }', "there is no node type 'north-65'"),
    ],
)
def test_a_table_of_merits_fits_the_quotes(tmp_path: Path, row: str, message: str) -> None:
    request = (SAMPLE / REQUEST).read_text(encoding="utf-8")
    roofline = 'kind = "roofline"\nclock_bound = 0.05\npower_intensity = 0.75\n'
    table = (
        'kind = "table"\nreference_figure_of_merit = 1\n'
        f'rows = [{{ node_type = "north-64", figure_of_merit = 3 }}, {row}]\n'
    )
    assert roofline in request
    (tmp_path / REQUEST).write_text(request.replace(roofline, table), encoding="utf-8")
    (tmp_path / QUOTES).write_bytes((SAMPLE / QUOTES).read_bytes())
    with pytest.raises(ScenarioError, match=message):
        scenarios.load(tmp_path / REQUEST)


MERITS = """# measured in the spring
workload,node_type,cap_w,figure_of_merit,drawn_w,remark
electronic structure,north-64,,3.0,700,
climate,north-64,280,1.0,,of another workload
electronic structure,north-64,280,2.5,,
electronic structure,south-32,,0.9,,
"""


def with_merits(folder: Path, text: str, more: str = "") -> Path:
    """The sample with the last workload's figures of merit in a file."""
    request = (SAMPLE / REQUEST).read_text(encoding="utf-8")
    roofline = 'kind = "roofline"\nclock_bound = 0.05\npower_intensity = 0.75\n'
    assert roofline in request
    table = f'kind = "table"\nreference_figure_of_merit = 1\nfile = "merits.csv"\n{more}'
    (folder / REQUEST).write_text(request.replace(roofline, table), encoding="utf-8")
    (folder / QUOTES).write_bytes((SAMPLE / QUOTES).read_bytes())
    (folder / "merits.csv").write_text(text, encoding="utf-8")
    return folder / REQUEST


def test_figures_of_merit_come_from_a_file_that_serves_several_workloads(tmp_path: Path) -> None:
    read = scenarios.load(with_merits(tmp_path, MERITS))
    model = read.workloads[2].performance
    assert isinstance(model, Merits)
    assert [(r.node_type, r.cap_w, r.figure_of_merit, r.drawn_w) for r in model.rows] == [
        ("north-64", None, 3.0, 700.0), ("north-64", 280.0, 2.5, None),
        ("south-32", None, 0.9, None),
    ]  # fmt: skip
    assert [str(r.origin).rpartition(":")[2] for r in model.rows] == ["3", "5", "6"]
    assert "merits.csv" in dict(read.provenance.files)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("3.0,700", "-3.0,700", "merits.csv:3: figure_of_merit: '-3.0' is not above 0"),
        ("3.0,700", '"3,0",700', "merits.csv:3: figure_of_merit: '3,0' is not a number with"),
        ("3.0,700", ",700", "merits.csv:3: figure_of_merit: is blank; fill"),
        ("280,2.5", "281,2.5", "merits.csv:5: 'north-64' has no cap of 281 W; its caps are 240"),
        ("280,2.5", ",2.5", "merits.csv:5: 'north-64' is listed twice with this cap"),
        ("south-32", "south-3", "merits.csv:6: node_type: there is no node type 'south-3'; did"),
        ("electronic structure,", "climate,",
         "merits.csv: workload: contains no row of workload 'electronic structure'; add rows"),
        ("climate", "climat", "merits.csv:4: workload: 'climat' is not a workload; did you mean"),
        ("climate,", ",", "merits.csv:4: workload: '' is not a workload; there are"),
        ((
            "drawn_w"
), (
            "drawn"
), (
            "merits.csv:2: drawn: column 'drawn' is unknown; if it is 'drawn_w', rename"
)),
        ("workload,", "worklod,", "merits.csv:2: worklod: column 'worklod' is unknown; if it is"),
        (",cap_w", ",node_type", "merits.csv:2: node_type: 'node_type' and 'node_type' could both"),
        ("figure_of_merit", "fom", "merits.csv:2: there is no column 'figure_of_merit' (columns:"),
        ("0.9,,", "0.9,", "merits.csv:6: 5 cells, but 6 headings; give one"),
        (MERITS, "", "merits.csv: contains no rows; write the headings node_type,"),
    ],
)  # fmt: skip
def test_a_fault_in_a_file_of_merits_is_named_there(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in MERITS
    with pytest.raises(ScenarioError) as caught:
        scenarios.load(with_merits(tmp_path, MERITS.replace(old, new)))
    faults = [str(fault).replace(f"{tmp_path}/", "") for fault in caught.value.faults]
    assert len(faults) == 1
    assert faults[0].startswith(message)


def test_merits_come_from_a_file_or_from_rows(tmp_path: Path) -> None:
    rows = 'rows = [{ node_type = "north-64", figure_of_merit = 3 }]\n'
    with pytest.raises(ScenarioError, match="both a file and rows are given; keep one of them"):
        scenarios.load(with_merits(tmp_path, MERITS, rows))


@pytest.mark.parametrize(
    ("performance", "message"),
    [
        ('kind = "tabel"', ".kind: 'tabel' is unknown; write 'roofline' or 'table' or 'times'"),
        ("clock_bound = 0.3", ".kind: is missing; write 'roofline' or 'table' or 'times'"),
        ('kind = "roofline"\nclock = 0.3', ".clock: unknown key 'clock'; did you mean"),
        ((
            'kind = "table"\nreference_figure_of_merit = 1'
), (
            ": there are no figures of merit; add rows, or"
)),
        ('kind = "times"\nreference_time_s = 9\nruns = []', ".runs: has 0 entries; give at least"),
        (('kind = "times"\nreference_time_s = 9\n[[workloads.performance.runs]]\ntime = '
         '{ kind = "linear", node_type = "north-64", slope_s_per_node = 1, intercept_s = -1, '
         "measured_nodes = [1, 9] }"), ".runs[1].time.intercept_s: -1 should be greater than 0"),
        (('kind = "times"\nreference_time_s = 9\n[[workloads.performance.runs]]\ntime = '
         '{ kind = "table", node_type = "north-64", file = "t.csv" }'),
         ".runs[1].time.file: 't.csv' does not exist; give the path"),
    ],
)  # fmt: skip
def test_a_fault_of_a_performance_is_named_by_key_and_line(
    tmp_path: Path, performance: str, message: str
) -> None:
    roofline = 'kind = "roofline"\nclock_bound = 0.05\npower_intensity = 0.75\n'
    faults = broken(tmp_path, REQUEST, roofline, performance + "\n")
    assert any(f"workloads[3].performance{message}" in each for each in faults), faults
    text = (tmp_path / REQUEST).read_text(encoding="utf-8")
    first = text[: text.index(performance)].count("\n")
    for each in faults:
        assert first <= int(each.split(":")[1]) <= first + performance.count("\n") + 1


def test_run_times_of_a_performance_may_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("nodes,time_s\n2,100\n8,30\n", encoding="utf-8")
    request = (SAMPLE / REQUEST).read_text(encoding="utf-8")
    roofline = 'kind = "roofline"\nclock_bound = 0.05\npower_intensity = 0.75\n'
    times = (
        'kind = "times"\nreference_time_s = 9\n[[workloads.performance.runs]]\n'
        'time = { kind = "table", node_type = "north-64", file = "t.csv" }\n'
    )
    (tmp_path / REQUEST).write_text(request.replace(roofline, times), encoding="utf-8")
    (tmp_path / QUOTES).write_bytes((SAMPLE / QUOTES).read_bytes())
    model = scenarios.load(tmp_path / REQUEST).workloads[2].performance
    assert isinstance(model, MeasuredTimes)
    assert isinstance(model.runs[0].time, TableTime)
    assert model.runs[0].time.nodes == (2, 8)

"""Inputs that were read as something else: the named cases, and others of the same kinds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import headroom as hr
from planner.cli.main import main
from planner.placement.problem import place
from scenarios import ScenarioError
from scenarios.communication.reader import read_communication
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.pbs_processors import ALLOCATED, LARGER, processors_of
from scenarios.job_logs.reader import read_job_log
from scenarios.measurements.fields import FIELDS as OF_RUNS
from scenarios.measurements.reader import read_measurements
from scenarios.model.quote_fields import BY_NAME
from scenarios.pairs.cells import read_sheet
from scenarios.quotes.heading_units import refuse_bare_unit
from scenarios.reading.reader import read_scenario
from scenarios.remark import remark
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import CellError
from scenarios.tables.columns import lay_out
from scenarios.tables.number_formats import shown_unit
from tests.planner.cli.commands import answered
from tests.scenarios.job_logs.logs import swf_line
from tests.scenarios.job_logs.test_foreign import NOON, pbs
from tests.scenarios.job_logs.test_slurm import HEADINGS, line
from tests.scenarios.quote_files import COLUMNS, PLAIN
from tests.scenarios.quote_files import HEADINGS as OF_QUOTES
from tests.scenarios.test_number_formats import Formatted, formatted_workbook
from tests.scenarios.test_quotes import quotes
from tests.shared_data import CASES, needs_cases


def read(folder: Path, text: str, name: str = "jobs.csv", **how: Any) -> JobLog:
    (folder / name).write_text(text)
    return read_job_log(folder / name, file_name=name, **how)


# What a job held: the allocation goes before a default.


@needs_cases
def test_slots_of_torque_go_before_its_default_of_ncpus() -> None:
    log = read_job_log(CASES / "01-torque-ncpus-is-a-default" / "torque.log")
    assert log.processors.tolist() == [16]
    assert log.counts[ALLOCATED] == 1
    assert log.remarks == (remark("log-allocated", jobs=(1, "job")),)


@pytest.mark.parametrize(
    ("words", "processors", "remark"),
    [
        ("ncpus=1 exec_vnode=(a:ncpus=8:mem=1gb)+(b:ncpus=8)", 16, ALLOCATED),
        ("ncpus=1 nodes=2:ppn=8+n3:ppn=4", 20, ALLOCATED),
        ("ncpus=1 select=2:ncpus=8:mpiprocs=8", 16, ALLOCATED),
        ("ncpus=1 procs=9", 9, ALLOCATED),
        ("ncpus=4 nodes=1:ppn=1 exec_host=a/0", 1, ALLOCATED),
        ("ncpus=8 nodes=1 exec_host=a/0", 8, LARGER),  # requested as CPUs, in one slot
        ("ncpus=8 nodes=1", 8, ""),
        ("ncpus=8 exec_host=a/0*4+b/0*4", 8, ""),
        ("nodes=4", 4, ""),
        ("", -1, ""),
    ],
)
def test_what_was_allocated_or_requested_by_nodes_goes_before_ncpus(
    words: str, processors: int, remark: str
) -> None:
    pairs = (word.partition("=")[::2] for word in words.split())
    values = {(key if "_" in key else f"Resource_List.{key}"): value for key, value in pairs}
    assert processors_of(values) == (processors, remark)


def test_processors_of_alloc_tres_go_before_the_requested_ones(tmp_path: Path) -> None:
    text = "\n".join([
        f"{HEADINGS.replace('AllocCPUS', 'ReqCPUS')}|AllocTRES",
        line(AllocCPUS="1") + "|billing=64,cpu=64,mem=8G,node=1",
        line(JobID="2", AllocCPUS="3") + "|billing=3,node=1",
    ])  # fmt: skip
    assert read(tmp_path, f"{text}\n", "jobs.txt").processors.tolist() == [64, 3]


# Times that were never set.


@needs_cases
def test_a_job_with_a_start_of_0_never_started() -> None:
    log = read_job_log(CASES / "03-start-time-zero" / "jobs.csv")
    assert (log.number.tolist(), log.run_s.tolist()) == ([1], [3600])
    assert log.counts["left out: never started"] == 1


NOT_SET = [
    "0", "0.0", "-1", "-1.0", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T01:00:00",
    "1969-12-31T19:00:00", "0000-00-00 00:00:00", "Unknown", "None", "NaT", "",
]  # fmt: skip


@pytest.mark.parametrize("marker", NOT_SET)
def test_no_marker_of_an_unset_time_is_taken_for_a_moment(marker: str, tmp_path: Path) -> None:
    """Of the four jobs that are not fine, each lacks another moment; the end gives the run time."""
    day = "2021-01-07T0{}:00:00"
    fine, submit, start, end = day.format(1), *map(day.format, (1, 2, 3))
    rows = [
        (1, submit, start, end), (2, fine, marker, end), (3, submit, start, marker),
        (4, marker, start, end), (5, submit, marker, marker),
    ]  # fmt: skip
    table = "number,submit_s,start_s,end_s,processors\n"
    log = read(tmp_path, table + "".join(f"{n},{a},{b},{c},4\n" for n, a, b, c in rows))
    assert (log.number.tolist(), log.run_s.tolist()) == ([1], [3600])
    assert log.counts["left out: never started"] == 2
    assert log.counts["left out: no submit time"] == 1
    slurm = "".join(
        line(JobID=str(n), Submit=a, Start=b, End=c, Elapsed="") + "\n" for n, a, b, c in rows
    )
    log = read(tmp_path, f"{HEADINGS}\n{slurm}", "jobs.txt")
    assert (log.number.tolist(), log.run_s.tolist()) == ([1], [3600])
    assert log.counts["left out: never started"] == 2
    log = read(tmp_path, "".join(
        f"JobId={n} UserId=a(1) JobState=COMPLETED TimeLimit=60 StartTime={b} EndTime={c} "
        f"ProcCnt=4 SubmitTime={a}\n" for n, a, b, c in rows
    ), "jobcomp")  # fmt: skip
    assert (log.number.tolist(), log.run_s.tolist()) == ([1], [3600])
    log = read(tmp_path, "".join(
        pbs(f"{n}.server", times=f"qtime={a} start={b} end={c}") for n, a, b, c in rows
    ), "pbs.log")  # fmt: skip
    assert (log.number.tolist(), log.run_s.tolist()) == ([1], [3600])


def test_a_log_that_counts_from_0_keeps_its_first_job(tmp_path: Path) -> None:
    log = read(tmp_path, "submit_s,start_s,end_s,processors\n0,0,60,4\n5,60,90,4\n")
    assert (log.submit_s.tolist(), log.run_s.tolist()) == ([0, 5], [60, 30])


def test_run_times_and_submissions_by_a_clock_of_1970_are_missing(tmp_path: Path) -> None:
    """End minus a start of 0 is a run of 51 years; a submission of 0 is none among dates."""
    log = read(tmp_path, "submit,run,processors\n0,60,4\n1610000000,60,4\n1610000001,1610000300,4")
    assert (log.submit_s.tolist(), log.run_s.tolist()) == ([0], [60])
    assert log.counts["left out: no submit time"] == 1
    assert log.counts["left out: no run time"] == 1
    table = "submit,start,end,run,processors\n1610000000,0,1610000300,1610000300,4\n"
    log = read(tmp_path, f"{table}1610000000,1610000000,1610000300,300,4\n")
    assert (log.run_s.tolist(), log.counts["left out: never started"]) == ([300], 1)
    swf = swf_line() + swf_line(2, 200, 1_610_000_300, f3=-1_610_000_200)
    log = read(tmp_path, swf, "log.swf")
    assert log.number.tolist() == [1]
    assert log.counts["left out: a start that was not set"] == 1


def test_a_pbs_job_without_a_queue_time_has_that_of_its_creation(tmp_path: Path) -> None:
    times = f"ctime={NOON} qtime=0 start={NOON + 60} end={NOON + 90}"
    log = read(tmp_path, pbs() + pbs("2.server", times=times), "pbs.log")
    assert dict(zip(log.number.tolist(), log.wait_s.tolist(), strict=True))[2] == 60


# Number formats.


@needs_cases
def test_a_price_that_its_format_shows_in_thousands_is_not_1000_times_as_dear() -> None:
    scenario = read_scenario(CASES / "02-number-format-in-thousands" / "procurement.toml")
    assert [node.price for node in scenario.node_types] == [14900, 92000, 17200, 6400]


@pytest.mark.parametrize(
    ("code", "value", "expected"),
    [
        ("#,##0.0,", 14900, ("", -3)),
        ("#,##0,,", 14_900_000, ("", -6)),
        ("[$-407]#,##0.0,", 14900, ("", -3)),
        ("[$EUR-407] #,##0,", 14900, ("EUR", -3)),
        ("#,##0.00", 14900, ("", 0)),
        ('0","0', 14900, ("", 0)),
        ("0\\,0", 14900, ("", 0)),
        ('#,##0,"k"', 14900, ("k", -3)),
        ("0.0,%", 500, ("%", -1)),
        ("0;-0,", 5, ("", 0)),
        ("0;-0,", -5000, ("", -3)),
        ("0,;-0,;0", 0, ("", 0)),
        ('[<1000]0;[<1000000]0.0,"k";0.0,,"M"', 5, ("", 0)),
        ('[<1000]0;[<1000000]0.0,"k";0.0,,"M"', 5000, ("k", -3)),
        ('[<1000]0;[<1000000]0.0,"k";0.0,,"M"', 5_000_000, ("M", -6)),
        ("[Red][>=1000]0,;0", 999, ("", 0)),
        ("0,_);(0,);0;@", 5, ("", -3)),
    ],
)
def test_a_number_format_scales_by_its_section_and_its_commas(
    code: str, value: float, expected: tuple[str, int]
) -> None:
    assert shown_unit(code, value) == expected


@pytest.mark.parametrize(
    ("heading", "code", "price"),
    [
        ("Price [kUSD]", "#,##0.0,", 18200),
        ("Price [kUSD]", '[>=1000]#,##0.0,;#,##0"USD"', 18200),
        ("Price", "#,##0.00", 18200),
        ("Price [kUSD]", '#,##0.0,"T$"', "and the format scales the number; correct the format"),
        ("Price", "#,##0,", 18.2),
    ],
)
def test_what_a_price_shows_counts_with_the_unit_of_its_heading(
    heading: str, code: str, price: float | str, tmp_path: Path
) -> None:
    rows = [[heading if text == "Price" else text for text in OF_QUOTES], [*PLAIN]]
    rows[1][OF_QUOTES.index("Price")] = Formatted(18200, code)
    found, faults = quotes(tmp_path, formatted_workbook(rows), COLUMNS)
    if isinstance(price, str):
        assert price in faults[0]
    else:
        assert (found[0]["price"], faults) == (price, [])


def test_scaled_cells_of_runs_and_of_pairs_are_read_as_shown(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["nodes", "cores_per_node", "package_cap_w", "time_s", "package_power_w [kW]"],
        [Formatted(2000, "0,"), 16, 115, 60, Formatted(400, "0.0,")],
    ]
    (tmp_path / "runs.xlsx").write_bytes(formatted_workbook(rows))
    (runs,) = read_measurements(tmp_path / "runs.xlsx").runs.values()
    assert [int(runs.nodes[0]), float(runs.package_power_w[0])] == [2, 400.0]
    cells: list[list[Any]] = [["first", "second", "speed"], ["a", "b", Formatted(500, "0.0,")]]
    (tmp_path / "pairs.xlsx").write_bytes(formatted_workbook(cells))
    assert read_sheet(tmp_path / "pairs.xlsx", "p", len).rows[1] == (2, ["a", "b", "0.5"])


# The order of a matrix's rows.


@needs_cases
def test_a_matrix_that_is_upside_down_is_refused_and_read_when_asked() -> None:
    path = CASES / "08-matrix-upside-down" / "comm.csv"
    with pytest.raises(ScenarioError, match=r"full diagonal.*use --row-order reversed"):
        read_communication(path)
    words = ["place", str(path), "--nodes", "3"]
    refused = CliRunner().invoke(main, words)
    assert refused.exit_code == 2
    assert "when read from the last row up; use --row-order reversed" in refused.output
    words += ["--row-order", "reversed", "--method", "dynamic", "--json"]
    assert json.loads(CliRunner().invoke(main, words).output)["cut"] == 8734
    by_order = hr.place(path, nodes=3, row_order="reversed", method="order")
    assert by_order.placement.total == 9170
    with pytest.raises(ScenarioError, match="use --row-order reversed"):
        hr.compare(path, ranks_per_node=2)
    forward = read_communication(path, row_order="forward")
    assert place(forward, nodes=3, algorithm="dynamic").total != 8734


def written(folder: Path, matrix: Any, name: str = "m.csv") -> Path:
    rows = [",".join(map(str, row)) for row in np.asarray(matrix).tolist()]
    (folder / name).write_text("\n".join(rows) + "\n")
    return folder / name


def symmetric(ranks: int, seed: int = 0) -> np.ndarray[Any, Any]:
    half = np.triu(np.random.default_rng(seed).integers(1, 99, (ranks, ranks)), 1)
    return half + half.T


@pytest.mark.parametrize("ranks", [3, 4, 7])
def test_every_form_that_has_rows_notices_that_they_are_reversed(
    ranks: int, tmp_path: Path
) -> None:
    right = symmetric(ranks)
    path = written(tmp_path, right[::-1])
    with pytest.raises(ScenarioError, match="use --row-order reversed"):
        read_communication(path)
    again = read_communication(path, row_order="reversed")
    expected = read_communication(written(tmp_path, right, "right.csv"))
    assert np.array_equal(again.bytes, expected.bytes)
    assert not again.self_bytes.any()
    assert expected.remarks == ()
    with pytest.raises(ScenarioError, match=r"counts\.csv: not symmetric"):
        read_communication(
            tmp_path / "right.csv", messages=written(tmp_path, right[::-1], "counts.csv")
        )
    values = "".join(f"{value}\n" for value in right[::-1].T.ravel())
    (tmp_path / "m.mtx").write_text(
        f"%%MatrixMarket matrix array integer general\n{ranks} {ranks}\n{values}"
    )
    with pytest.raises(ScenarioError, match="use --row-order reversed"):
        read_communication(tmp_path / "m.mtx")
    directed = right + np.triu(right, 1)
    with pytest.raises(ScenarioError, match="zero only from the last row"):
        read_communication(written(tmp_path, directed[::-1], "directed.csv"))


def test_a_chain_reads_both_ways_and_a_warning_says_so(tmp_path: Path) -> None:
    chain = np.eye(4, k=1, dtype=int) + np.eye(4, k=-1, dtype=int)
    path = written(tmp_path, chain[::-1])
    doubt = remark("ranks-row-order", place=(path.name, "place"), what=("diagonal", "reversed"))
    assert read_communication(path).remarks == (doubt,)
    assert read_communication(path, row_order="forward").remarks == ()
    (said,) = answered("check", str(path))["warnings"]
    assert "last row up: an empty diagonal." in said
    assert "use --row-order reversed" in said


def test_messages_of_ranks_to_themselves_are_no_sign_of_reversed_rows(tmp_path: Path) -> None:
    right = symmetric(5) + np.diag([3, 1, 4, 1, 5])
    assert read_communication(written(tmp_path, right)).remarks == ()
    sparse = [[7, 0, 0, 0], [5, 0, 0, 0], [0, 0, 0, 5], [0, 0, 0, 7]]
    assert read_communication(written(tmp_path, sparse)).remarks == ()
    (tmp_path / "list.edges").write_text("0 1 5\n")
    with pytest.raises(ScenarioError, match="--row-order applies to matrices"):
        read_communication(tmp_path / "list.edges", row_order="reversed")


# Units of columns that the user chose.


@needs_cases
def test_joules_are_not_taken_for_watts(tmp_path: Path) -> None:
    shutil.copy(CASES / "10-energy-taken-for-power" / "runs.csv", tmp_path)
    words = ["configure", str(tmp_path / "runs.csv"), "--power-bound", "1kW"]
    done = CliRunner().invoke(main, [*words, "--column", "package_power_w=package_energy_j"])
    assert done.exit_code == 2
    assert "'j' is not a unit of power" in done.output


@pytest.mark.parametrize(
    ("target", "heading", "said"),
    [
        ("package_power_w", "package_energy_j", "'j' is not a unit of power"),
        ("package_power_w", "energy_uj", "'uj' is not a unit of power"),
        ("package_power_w", "EnergyKWh", "'KWh' is not a unit of power"),
        ("package_power_w", "power_mw", "'mw' is not a unit of power"),
        ("package_power_w", "J", "'J' is not a unit of power"),
        ("package_power_w", "TotalkW", "'kW' may not be a unit"),
        ("package_power_w", "PackagePowermW", "'mW' may not be a unit"),
        ("package_power_w", "PowerTotalmJ", "'mJ' may not be a unit"),
        ("package_power_w", "PACKAGEMW", "'MW' may not be a unit"),
        ("package_power_w", "PACKAGE_ENERGY", "'energy' names no power"),
        ("package_power_w", "pkg joules total", "'joule' names no power"),
        ("package_power_w", "TotalTime", "'time' names no power"),
        ("time_s", "PackagePower", "'power' names no run time"),
        ("time_s", "runtimems", "'ms' may not be a unit"),
        ("package_power_w", "DramW", "w"),
        ("package_power_w", "GpuW", "w"),
        ("package_power_w", "power by energy meter", "W"),
        ("time_s", "mean_w", "'w' is not a unit of run time"),
        ("time_s", "size_gb", "'gb' is not a unit of run time"),
        ("time_s", "min", "'min' may not be a unit"),
        ("nodes", "power_w", "'w' is a unit, but nodes has none"),
        ("package_power_w", "power_kW", "kW"),
        ("package_power_w", "kW", "kW"),
        ("time_s", "minutes", "minutes"),
        ("time_s", "elapsed_ms", "ms"),
        ("package_power_w", "power_min", "W"),
    ],
)
def test_the_unit_at_the_end_of_a_chosen_heading_counts_or_is_refused(
    target: str, heading: str, said: str
) -> None:
    layout = lay_out([heading], OF_RUNS, {target: heading}, option="--column", careful=False)
    problems = [message for place, message in layout.problems if place == 0]
    if problems:
        assert said in problems[0]
    else:
        assert layout.units[target] == said


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ({"run_s": "walltime_h"}, None),
        ({"run_s": "used_w"}, "'w' is not a unit of run time"),
        ({"energy_j": "used_w"}, "'w' is not a unit of energy"),
        ({"processors": "used_w"}, "'w' is a unit, but processors has none"),
    ],
)
def test_units_of_chosen_columns_of_job_tables(
    column: dict[str, str], said: str | None, tmp_path: Path
) -> None:
    table = "submit,run,cores,walltime_h,used_w\n0,1,4,2,8\n"
    if said is None:
        assert read(tmp_path, table, columns=column).run_s.tolist() == [7200]
        return
    with pytest.raises(ScenarioError, match=said):
        read(tmp_path, table, columns=column)


def test_units_of_chosen_columns_of_sacct(tmp_path: Path) -> None:
    text = f"{HEADINGS}|Limit_h\n{line()}|3\n"
    rules = Cleaning(overruns="keep")
    read_as_run = read(tmp_path, text, "jobs.txt", columns={"run_s": "Limit_h"}, clean=rules)
    assert read_as_run.run_s.tolist() == [10_800]
    with pytest.raises(ScenarioError, match="'h' is a unit, but processors has none"):
        read(tmp_path, text, "jobs.txt", columns={"processors": "Limit_h"})
    for heading, said in (("MeanPower", "'power' names no"), ("Runtimems", "'ms' may not be")):
        with pytest.raises(ScenarioError, match=said):
            read(tmp_path, f"{HEADINGS}|{heading}\n{line()}|3\n", "jobs.txt",
                 columns={"run_s": heading})  # fmt: skip


@pytest.mark.parametrize(
    ("target", "headings", "said"),
    [
        ("peak_w", "peak_kw PeakKW PeakkW TotalkW IDLEKW", "is not in brackets"),
        ("peak_w", "peak_kwh PeakmW PeakJ Kilowatts", "is not a unit of power"),
        ("peak_w", "Peak_energy PeakJoulesMean", "names no power; set unit in columns.peak_w"),
        ("price", "price_kusd PriceKUSD priceKUsd PRICEKUSD Price-kUSD Pricek$", "in brackets"),
        ("price", "PriceTUSD price_thousand_usd Price_T$ PreisTsd.USD Mio.USD", "may scale the"),
        ("price", "Price_1000_USD Price,1'000USD", "may scale the price; write its unit in"),
        ("price", "PriceEUR price_eur", "the price is in EUR, not in USD"),
        ("memory_gb", "MemoryTB memory_tb MEMORYTB MemoryTiB MemoryTBPerNode", "not in brackets"),
        ("memory_gb", "MemoryMB MByte", "is not a unit of memory"),
        ("memory_gb", "terabytes", "is not in brackets"),
        ("lead_weeks", "LeadDays lead_months Lead-Tage", "cannot be converted to weeks"),
    ],
)
def test_a_heading_of_quotes_whose_words_name_another_unit_is_refused(
    target: str, headings: str, said: str
) -> None:
    for heading in headings.split():
        with pytest.raises(CellError, match=said):
            refuse_bare_unit(Reading(target, "", "point", "USD"), heading, BY_NAME)
    refuse_bare_unit(Reading(target, "1", "point", "USD"), heading, BY_NAME)


@pytest.mark.parametrize(
    ("target", "headings"),
    [
        ("peak_w", "Peak PeakW PEAKW peak_w IdleW GpuW PowerDrawWatts TDP"),
        ("price", "Price PriceUSD price_usd Price_in_$ PriceGPU PriceMean EPYC-Price"),
        ("peak_w", "Energy_consumption_W Energieverbrauch_W Idle_time_W"),
        ("memory_gb", "Memory MemoryGB MEMORYGB memory_gb RAM RAM_GByte Memory_Gigabytes"),
        ("bandwidth_gb_s", "bandwidth_gb_s bw_gb_per_s Bandwidth_GB/s Bandwidth_GByte/s"),
        ("lead_weeks", "Lead LeadWeeks lead_weeks LeadTime"),
    ],
)
def test_a_heading_of_quotes_in_our_unit_or_in_none_is_read(target: str, headings: str) -> None:
    for heading in headings.split():
        refuse_bare_unit(Reading(target, "", "point", "USD"), heading, BY_NAME)


def test_a_sheet_of_quotes_with_a_joined_unit_is_refused(tmp_path: Path) -> None:
    names = ["PriceKUSD" if text == "Price" else text for text in OF_QUOTES]
    columns = COLUMNS | {"price": "PriceKUSD"}
    (fault, *_) = quotes(tmp_path, formatted_workbook([names, [*PLAIN]]), columns)[1]
    assert "'KUSD' is not in brackets" in fault


@needs_cases
def test_names_of_any_script_are_read() -> None:
    scenario = read_scenario(next(CASES.glob("16-*")) / "procurement.toml")
    names = [each.name for each in scenario.node_types]
    assert names[0::2] == ["u8a08u7b97no-do", "u6f14u7b97no-do"]


@needs_cases
def test_a_name_that_a_spreadsheet_made_a_date_is_said() -> None:
    scenario = read_scenario(next(CASES.glob("17-*")) / "procurement.toml")
    (remark,) = scenario.remarks
    assert remark.kind == "quotes-no-text"
    assert remark.values["place"] == ("quotes.xlsx: Q!B2", "place")

"""One rule for the delimiter of every table in text: each delimiter gives the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from planner.scheduling.simulation.schedule_reader import read_schedule
from scenarios.aggregation import read_measurements as read_folder
from scenarios.aggregation import write_measurements
from scenarios.communication.ping_pong import read_ping_pong
from scenarios.communication.reader import read_communication
from scenarios.files import read_text
from scenarios.job_logs.reader import read_job_log
from scenarios.measurements.reader import read_measurements
from scenarios.tables.csv_cells import read_csv
from scenarios.tables.curves import read_merits, read_times
from scenarios.tables.delimiters import DELIMITERS, delimiter_of
from tests.scenarios.aggregation.folders import synthetic

RUNS = (
    "nodes,cores_per_node,package_cap_w,time_s,package_power_w\n"
    "1,8,115,10.5,100\n2,8,115,6.25,190\n"
)


def jobs(path: Path) -> list[list[int]]:
    log = read_job_log(path, form="csv")
    return [log.number.tolist(), log.run_s.tolist(), log.processors.tolist()]


def starts(path: Path) -> list[list[int]]:
    schedule = read_schedule(path, 8)
    return [schedule.number.tolist(), schedule.start_s.tolist()]


def traffic(path: Path, form: Any) -> list[list[float]]:
    found = read_communication(path, form=form)
    return [found.low.tolist(), found.high.tolist(), found.bytes.tolist()]


TABLES: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "run times": ("nodes,time_s\n2,90.5\n4,80\n", lambda p: read_times(read_text(p, "t"))),
    "figures of merit": (
        "node_type,figure_of_merit,cap_w,workload\na,1.5,300,w\nb,2,,w\n",
        lambda p: read_merits(read_text(p, "t"), "w", ["w"]),
    ),
    "measurements": (RUNS, lambda p: read_measurements(p).runs["table"].time_s.tolist()),
    "quotes": ("Model,Price\nA,1\nB,2\n", lambda p: read_csv(p, "t").rows),
    "jobs": (
        "job,submit,run,processors\n1,0,60,4\n2,5,30,8\n",
        jobs,
    ),
    "schedule": (
        "job,submit,start,run,processors,requested\n1,0,0,60,4,60\n2,5,60,30,8,30\n",
        starts,
    ),
    "ping-pong": (
        "# source: assumed\nsharing,bytes,time_us\nnode,1,1\nnode,9,2\nnetwork,1,3\nnetwork,9,4\n",
        lambda p: {k: v.time_us.tolist() for k, v in read_ping_pong(p).curves.items()},
    ),
    "matrix": (
        "0,5,1.5\n5,0,2\n1,2,0\n",
        lambda p: traffic(p, "matrix"),
    ),
    "list": (
        "source,destination,bytes,messages\n0,1,8,2\n1,2,4,1\n",
        lambda p: traffic(p, "edges"),
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_every_table_may_have_any_delimiter(tmp_path: Path, name: str) -> None:
    text, read = TABLES[name]
    found = []
    for place, delimiter in enumerate(DELIMITERS):
        folder = tmp_path / str(place)
        folder.mkdir()
        path = folder / "table.csv"
        path.write_text(text.replace(",", delimiter), encoding="utf-8")
        found.append(read(path))
    assert all(each == found[0] for each in found), found
    assert found[0]


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_a_folder_of_aggregation_too(tmp_path: Path, delimiter: str) -> None:
    made = synthetic(exchange_b=100.0)
    write_measurements(made, tmp_path / "ring")
    for path in (tmp_path / "ring").glob("*.csv"):
        text = path.read_text(encoding="utf-8")
        assert '"' not in text
        path.write_text(text.replace(",", delimiter), encoding="utf-8")
    found = read_folder(tmp_path / "ring")
    assert [run.ipc for run in found.training] == [run.ipc for run in made.training]
    assert np.array_equal(found.program.traffic.size_b, made.program.traffic.size_b)


def times(folder: Path, text: str) -> Any:
    path = folder / "times.csv"
    path.write_text(text, encoding="utf-8")
    columns, faults = read_times(read_text(path, "times.csv"))
    return [str(each) for each in faults] or columns["time_s"]


def test_decimals_may_follow_a_comma_where_the_delimiter_is_another(tmp_path: Path) -> None:
    assert times(tmp_path, "nodes;time_s\n2;90,5\n4;80\n") == [90.5, 80.0]
    assert times(tmp_path, "nodes;time_s\n2;90,500\n4;80,250\n") == [90.5, 80.25]
    assert times(tmp_path, "nodes\ttime_s\n2\t90,5\n4\t1,250\n") == [90.5, 1.25]
    assert (
        "'90,500' may be 90.500 or 90500" in times(tmp_path, "nodes\ttime_s\n2\t90,500\n4\t80\n")[0]
    )
    assert "'90,5' is not a number" in times(tmp_path, "nodes;time_s\n2;90,5\n4;80.5\n")[0]
    assert (
        "'5' is to the right of the last heading"
        in times(tmp_path, "nodes,time_s\n2,90,5\n4,80\n")[0]
    )


def test_known_headings_decide_before_widths() -> None:
    lines = ["nodes;time_s,note,note2", "1;2,a,b", "3;4,a,b"]
    assert delimiter_of(lines) == ","
    assert delimiter_of(lines, lambda cells: cells.count("nodes")) == ";"
    assert delimiter_of([]) == ";"

"""Lines of every text that is read may end with CR, LF or CRLF."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from planner.cli.main import main
from planner.cli.place_nodes import host_names
from planner.scheduling.simulation.schedule_reader import read_schedule
from scenarios.aggregation import read_measurements as read_folder
from scenarios.communication.ping_pong import read_ping_pong
from scenarios.communication.reader import read_communication
from scenarios.files import with_line_feeds
from scenarios.job_logs.blocks import LogBlocks
from scenarios.job_logs.reader import read_job_log
from scenarios.maui.reader import read_maui
from scenarios.measurements.reader import read_measurements
from scenarios.reading.reader import read_scenario
from scenarios.tables.csv_cells import read_csv

DATA = Path(__file__).parents[2] / "scenarios" / "data"
ENDS = {"CR": "\r", "CRLF": "\r\n"}
EDGES = "# a list\nsource,destination,bytes\n0,1,100\n1,2,50\n2,3,10\n3,0,5\n"
METIS = "% a graph\n4 3 1\n2 7\n1 7 3 5\n2 5 4 9\n3 9\n"
MATRIX_MARKET = "%%MatrixMarket matrix coordinate real general\n4 4 2\n1 2 100\n3 4 10\n"
DENSE = "0,5,6\n5,0,7\n6,7,0\n"
SWF = "; MaxProcs: 8\n; Note: a\n" + "".join(
    f"{k} {10 * k} 0 100 2 -1 -1 2 200 -1 1 1 1 1 1 -1 -1 -1\n" for k in range(1, 9)
)
STATED = "COMPLETED|4|02:00:00|01:00:00"
SACCT = (
    "JobID|User|Submit|Start|End|State|AllocCPUS|Timelimit|Elapsed\n"
    f"1|u|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T01:00:00|{STATED}\n"
    f"2|u|2024-01-01T00:10:00|2024-01-01T01:00:00|2024-01-01T02:00:00|{STATED}\n"
)
RUNS = (
    "application,nodes,cores_per_node,package_cap_w,time_s,package_power_w\n"
    "x,4,16,115,30,800\nx,8,16,115,16,1600\n"
)
SCHEDULE = "job,submit,start,run,processors,requested\n1,0,0,10,2,10\n2,5,10,10,4,20\n"

READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "edges.csv": (EDGES, read_communication),
    "graph.graph": (METIS, read_communication),
    "matrix.mtx": (MATRIX_MARKET, read_communication),
    "dense.txt": (DENSE, lambda path: read_communication(path, form="matrix")),
    "log.swf": (SWF, read_job_log),
    "log.txt": (SACCT, read_job_log),
    "runs.csv": (RUNS, read_measurements),
    "schedule.csv": (SCHEDULE, lambda path: read_schedule(path, 8)),
    "ping-pong.csv": ((DATA / "ping-pong.csv").read_text(encoding="utf-8"), read_ping_pong),
    "thesis.toml": ((DATA / "thesis-7kw.toml").read_text(encoding="utf-8"), read_scenario),
    "maui.toml": ((DATA / "schedulers/maui.toml").read_text(encoding="utf-8"), read_maui),
    "quotes.csv": ("name;price;watts\na;1;2\nb;3;4\n", lambda path: read_csv(path, "q").rows),
    "hosts": ("n1 # a rack\nn2\n\nn3\n", lambda path: host_names((), str(path))),
}


def plain(value: Any) -> Any:
    """Everything that a reader gives but names and hashes of files."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {
            str(key): plain(item)
            for key, item in value.items()
            if key not in {"name", "sha256", "source"} and not str(key).startswith("_")
        }
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return str(value) if not isinstance(value, int | float | None) else value


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("end", ENDS)
def test_every_reader_reads_the_same(tmp_path: Path, name: str, end: str) -> None:
    text, read = READERS[name]
    results = []
    for ending in ("\n", ENDS[end]):
        path = tmp_path / name
        path.write_bytes(text.replace("\n", ending).encode())
        results.append(plain(read(path)))
    assert results[1] == results[0]
    assert results[0]


@pytest.mark.parametrize("end", ENDS)
def test_a_folder_of_node_measurements_is_read_the_same(tmp_path: Path, end: str) -> None:
    folder = tmp_path / "lu"
    done = CliRunner().invoke(main, ["aggregate", "lu", "--write-measurements", str(folder)])
    assert done.exit_code == 0, done.output
    first = plain(read_folder(folder))
    for path in folder.glob("*.csv"):
        text = with_line_feeds(path.read_bytes().decode())
        path.write_bytes(text.replace("\n", ENDS[end]).encode())
    assert plain(read_folder(folder)) == first


@pytest.mark.parametrize("name", ["edges.csv", "graph.graph", "matrix.mtx"])
def test_no_line_end_gives_a_traceback(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(READERS[name][0].replace("\n", "\r").encode())
    done = CliRunner().invoke(main, ["place", str(path), "--nodes", "2"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_line_end_may_lie_between_two_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    monkeypatch.setattr("scenarios.job_logs.blocks._READ", cut)
    monkeypatch.setattr("scenarios.job_logs.blocks._BLOCK", cut)
    path = tmp_path / "log"
    path.write_bytes(b"one\r\ntwo\rthree\n\r\nfour\r")
    assert b"".join(LogBlocks(path, "log")) == b"one\ntwo\nthree\n\nfour\n"


def test_faults_name_the_line_whatever_its_end(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_bytes(EDGES.replace("2,3,10", "2,3,much").replace("\n", "\r").encode())
    done = CliRunner().invoke(main, ["place", str(path), "--nodes", "2"])
    assert done.exit_code == 2
    assert "edges.csv:5: 'much' is not a number" in " ".join(done.output.split())

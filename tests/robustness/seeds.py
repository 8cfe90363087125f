"""Small whole files of every form that is read: what mutants are made of.

All are the project's own: bundled samples, files of other tests, and a few lines written here.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from scenarios.aggregation import write_measurements
from tests.planner.made_runs import HEADER, rows
from tests.scenarios.aggregation.folders import synthetic
from tests.scenarios.communication.test_readers import PROFILE
from tests.scenarios.job_logs.test_fuzz import WHOLE as LOGS
from tests.scenarios.quote_files import workbook

ROOT = Path(__file__).parents[2]
DATA = ROOT / "scenarios" / "data"
SAMPLE = DATA / "sample"
BROKEN = ROOT / "tests" / "data" / "broken"
STORED = ROOT / "tests" / "data" / "robustness"  # pyarrow writes itself into what it writes


def _text(path: Path) -> bytes:
    return path.read_bytes()


SCENARIOS = (
    _text(BROKEN / "whole.toml"),
    _text(SAMPLE / "procurement.toml"),
    _text(SAMPLE / "designs.toml"),
    _text(DATA / "hopper-2010.toml"),
)
MAUI = (_text(SAMPLE / "maui.toml"), _text(DATA / "schedulers" / "maui.toml"))
PROCUREMENT = _text(SAMPLE / "procurement.toml").decode()
QUOTES = (_text(SAMPLE / "quotes.csv"), _text(SAMPLE / "quotes.csv").replace(b";", b"\t"))
TIMES = (_text(SAMPLE / "md-times.csv"), b"time_s,nodes,note\r\n9.5,1,a\r\n5,2,\r\n")
MERITS = (b"node_type,figure_of_merit,cap_w,workload\nold,10,,solver\nnew,12.5,300,solver\n",)


def _settled(book: bytes) -> bytes:
    """A workbook without the time when it was made, its parts not packed."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = re.sub(rb"20\d\d-\d\d-\d\dT[0-9:]+Z", b"2026-01-01T00:00:00Z", old.read(name))
            new.writestr(zipfile.ZipInfo(name), content)
    return stream.getvalue()


_CELLS = [[*line.split(";")] for line in QUOTES[0].decode().splitlines()]
QUOTE_WORKBOOKS = (
    _settled(workbook({"Quotes": _CELLS})),
    _settled(workbook({"Quotes": _CELLS, "Empty": []})),
)

RUNS = (
    "\n".join([HEADER, *rows("solver", repetitions=1)[:12], ""]).encode(),
    b"""id;job_id;nodes;cores;pkg_cap;exec_time;tot_pkg
1;1;6;16;115;447,9;796,4
2;1;8;12;65;415,3;783,8
3;2;8;10;80;439,2;738,2
""",
    b"""# runs of March
Application,Nodes,Cores per node,Cap [W],Time [min],Package power [kW]
"a,b",4,16,115,12.5,0.9
c,8,8,51,7,1.5
""",
)
_RUN_CELLS = [line.split(",") for line in RUNS[0].decode().split()]
_RUN_ROWS = [[row[0], *map(float, row[1:])] for row in _RUN_CELLS[1:]]
RUN_WORKBOOKS = (
    _settled(workbook({"Runs": [_RUN_CELLS[0], *_RUN_ROWS]})),
    _settled(workbook({"Runs": _RUN_CELLS, "Empty": []})),
)


RUN_PARQUETS = (_text(STORED / "runs.parquet"), _text(STORED / "runs-snappy.parquet"))

SWF = (LOGS["swf"], b"; Version: 2.2\n; UnixStartTime: 1000\n; MaxProcs: 16\n" + LOGS["swf"])
SACCT, JOBCOMP, JOB_CSV = (LOGS["sacct"],), (LOGS["jobcomp"],), (LOGS["csv"],)
PBS = (LOGS["pbs"],)
SCHEDULES = (
    b"job,submit,start,run,processors,requested\n1,0,0,60,4,100\n2,5,,9,2,9\n3,7,60,5,1,5\n",
    b"req,procs,run,start,submit,job,user,killed\n10,1,9,3,1,1,4,0\n20,2,20,12,2,2,,1\n",
)

MATRICES = (b"0,5,0\n7,3,0\n0,1e3,0\n", b"# bytes\n0;1;2;3\n1;0;4;5\n2;4;0;6\n3;5;6;0\n")
MATRIX_MARKET = (
    b"%%MatrixMarket matrix coordinate real general\n% x\n3 3 3\n1 2 5\n2 1 7\n3 2 1e3\n",
    b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n",
    b"%%MatrixMarket matrix array integer general\n2 2\n0\n1\n2\n0\n",
)
METIS = (
    b"3 2\n2\n1 3\n2\n",
    b"% c\n3 2 11 1\n7 2 8\n7 1 8 3 2\n7 2 2\n",
    b"3 1 100\n7 2\n7 1\n7\n",
)
EDGES = (
    b"# program\n1 2 10 3\n2 1 5 1\n4 4 7 2\n",
    b'bytes;to;from;what;msgs;sizes\n10;2;0;halo;3;"1,0,2"\n5;0;2;halo;1;0,1\n',
)
PROFILES = (PROFILE.encode(),)
HOSTS = (b"n01\nn02 # first rack\n\nn03\n",)
PAIR_TABLES = (
    b"a,b,solo_a_s,solo_b_s,co_a_s,co_b_s\nmd,cfd,100,120,110,150\ncfd,cfd,120,120,190,195\n",
    b"name;md;cfd\nmd;0,7;0,9\ncfd;0,8;0,6\n",
    b"a,b,solo_a_s,solo_b_s,co_a_s,co_b_s,memory_a_gb,gpu_memory_b_gb\nmd,io,9,9,10,10,64,40GB\n",
    b"name,md,cfd,memory_gb\nmd,0.7,0.9,64GiB\ncfd,0.8,0.6,\n",
)
_GATE_TIMES = (
    ("md", "md", 100, 100, 190, 188), ("md", "io", 100, 120, 130, 151),
    ("md", "cfd", 100, 90, 240, 236), ("io", "io", 120, 120, 170, 171),
    ("io", "cfd", 120, 90, 148, 120), ("cfd", "cfd", 90, 90, 205, 207),
    ("amr", "md", 110, 100, 212, 209), ("amr", "io", 110, 120, 141, 150),
    ("fft", "io", 80, 120, 104, 133), ("cfd", "fft", 90, 80, 188, 185),
)  # fmt: skip
_GATE_PROFILES = (
    ("md", 1.7, 0.4, 0.01), ("io", 0.8, 0.6, 0.3), ("cfd", 0.7, 3.1, 0.02), ("amr", 1.1, 1.5, 0.01),
    ("fft", 1.0, 2.2, 0.05), ("new", 1.3, 1.1, 0.02),
)  # fmt: skip


def _listed(headings: str, rows: Iterable[Sequence[object]], between: str = ",") -> bytes:
    lines = [headings.replace(",", between), *(between.join(map(str, row)) for row in rows), ""]
    return "\n".join(lines).encode()


GATE_PAIRS = (
    _listed("a,b,solo_a_s,solo_b_s,co_a_s,co_b_s", _GATE_TIMES),
    _listed("a, b, solo_a_s, solo_b_s, co_a_s, co_b_s", _GATE_TIMES, ", "),
)
GATE_PROFILES = (
    _listed("application,ipc,misses,run_spread", _GATE_PROFILES),
    _listed("ipc,application", [(ipc, name) for name, ipc, *_ in _GATE_PROFILES]),
)
PING_PONG = (
    _text(DATA / "ping-pong.csv"),
    b"""# source: by hand
sharing,bytes,time_us
node,100,1
node,1100,3
network,0,2
network,1000,2.5
""",
)


def aggregation_files() -> dict[str, bytes]:
    """The files of a small folder of measurements, by their names."""
    with tempfile.TemporaryDirectory() as folder:
        written = write_measurements(synthetic(exchange_b=100.0), Path(folder) / "ring")
        return {path.name: path.read_bytes() for path in written}


PLANS = (
    json.dumps(
        {
            "format": 2,
            "scenario": "a",
            "inputs": {"power": {"bound_w": 250_000, "side": "it"}},
            "plans": [{"method": "x", "score": 1.5}, {"method": "x", "score": None}],
            "warnings": ["none", "\u00e9"],
        },
        indent=1,
    ).encode(),
    b'{"format": 2, "scenario": "b", "plans": [{"quantity": 3}, [1, [2, 3]], "x", 1e3, true]}',
)

REPORT = b"%PDF"
RUN_FILES = (
    json.dumps(
        {
            "product": "Headroom",
            "finished": "2026-01-01T00:00:00+00:00",
            "arguments": ["headroom", "plan", "a.toml"],
            "sha256": {"report.pdf": hashlib.sha256(REPORT).hexdigest(), "notes.txt": "0" * 64},
        },
        indent=2,
    ).encode(),
)

HIERARCHIES = ("pack:2 l2:2 core:2 pu:1", "4*package:2 L3Cache:4 core:8 pu:2", "numa:2 pu:8")
PINS = ("0,4-5=1", "2=n01", "8-11=1")
LEVELS = ("p95-bounded-slowdown<=20", "mean-wait<=600", "median-wait <= 2h", "max-turnaround<=3d")
SPEEDUPS = ("amdahl:0.05", "downey:32:1", "downey:2p:0.5", "downey:p:1")
WINDOWS = ("0:3600:16", "10:20:4:outage")
SPANS = ("0:3600", " 10:20 ")
SHARES = ("0:100:10", "0,20,100", "7.5")
GRIDS = ("nodes=8:32:2", "caps=51,65", "cores=4:16")
NAMED = ("time_s=Wall clock [s]", "nodes = n")
RULES = ("overruns=keep", "zero-run=leave-out", "duplicates=first")
NUMBERS = ("batch=128", "core=10", "lu=2")
COUNTS = ("2*8,4", "8,8,4", "3x16")
LAYOUTS = ("2x1x4", "1 X 2 X 16", "2,2,2")
ZONES = ("Europe/Berlin", "UTC", "America/New_York")

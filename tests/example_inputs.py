"""The files that the examples of the documentation read, small enough to run in seconds."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.planner.cli.commands import ran
from tests.robustness.killed_commands import write_inputs

TENDER = Path(__file__).parent / "planner" / "award" / "sample"
MATRIX = "0,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n"
PAIRS = """a,b,solo_a_s,solo_b_s,co_a_s,co_b_s
md,cfd,100,120,110,150
cfd,io,120,200,130,210
md,io,100,200,140,290
cfd,cfd,120,120,190,195
"""
REFERENCES = ("md", "cfd", "io", "sort")
OTHERS = ("fft", "lu", "ocean", "mesh", "solver", "new")
CO_RUNS = [
    (a, b, 100, 100, 120 + 4 * (len(a) * len(b) % 9), 110)
    for number, a in enumerate((*REFERENCES, *OTHERS[:-1]))
    for b in REFERENCES[: min(number + 1, len(REFERENCES))]
]

PROFILE = (
    "# POINT TO POINT\n"
    "E\t0\t1\t4096 bytes\t4 msgs sent\t0,0,0,0,0,0,0,0,0,0,0,4\n"
    "I\t0\t1\t8 bytes\t1 msgs sent\n"
)
PING_PONG = (
    "sharing,bytes,time_us\nnode,0,0.8\nnode,65536,41.8\nnetwork,0,1.7\nnetwork,65536,25.2\n"
)


def write_example_inputs(folder: Path) -> None:
    """Write ``my-case``, ``my-tender``, a matrix, pairs, co-runs, a job log and measurements."""
    write_inputs(folder / "my-case")
    case = folder / "my-case"
    (case / "small.toml").replace(case / "procurement.toml")
    possible = (case / "procurement.toml").read_text(encoding="utf-8")
    without_plan = possible.replace("\nnodes = 60\n", "\nnodes = 60_000\n")
    (case / "request.toml").write_text(without_plan, encoding="utf-8")
    shutil.copytree(TENDER, folder / "my-tender")
    (folder / "matrix.csv").write_text(MATRIX)
    (folder / "run.0.prof").write_text(PROFILE)
    (folder / "ping-pong.csv").write_text(PING_PONG)
    (folder / "pairs.csv").write_text(PAIRS)
    write_gate_tables(folder)
    write_site_tables(folder)
    drawing = "simulate lublin --jobs 400 --load 0.2 --processors 64 --write-log"
    drawn = ran(*drawing.split(), str(folder / "jobs.csv"))
    assert drawn.exit_code == 0, drawn.output
    measuring = "aggregate lu --law cliff --write-measurements"
    measured = ran(*measuring.split(), str(folder / "measured"))
    assert measured.exit_code == 0, measured.output


def write_gate_tables(folder: Path) -> None:
    """Write co-runs and profiles of ten applications, of which one is new."""
    rows = [PAIRS.splitlines()[0], *(",".join(map(str, row)) for row in CO_RUNS)]
    (folder / "co-runs.csv").write_text("\n".join(rows))
    names = [f"{name},{len(name)}" for name in (*REFERENCES, *OTHERS)]
    (folder / "profiles.csv").write_text("\n".join(["application,ipc", *names]))


BUSY = {
    "md": 0.1, "cfd": 0.8, "io": 0.2, "sort": 0.5, "fft": 0.9, "lu": 0.4, "ocean": 0.7,
    "mesh": 0.3, "solver": 0.6, "amr": 0.45, "ml": 0.15, "new": 0.35,
}  # fmt: skip


def write_site_tables(folder: Path) -> None:
    """Write co-runs and profiles of eleven applications and a new one: some pairs gain, some lose.

    Co-runs take longer the busier the cores are, by up to 16 % more or less.
    """
    rows = [PAIRS.splitlines()[0]]
    for number, a in enumerate([*BUSY][:-1]):
        for b in [*BUSY][: min(number + 1, 4)]:
            time = 200 * (0.4 + 0.6 * (BUSY[a] + BUSY[b])) + 4 * (7 * number % 17 - 8)
            rows.append(f"{a},{b},100,100,{time:.0f},{0.9 * time:.0f}")
    (folder / "site-runs.csv").write_text("\n".join(rows))
    profiles = (f"{name},{busy}" for name, busy in BUSY.items())
    (folder / "site-profiles.csv").write_text("\n".join(["application,busy", *profiles]))

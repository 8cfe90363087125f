"""What a log says and a simulation does not use is counted, of the jobs that are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log
from scenarios.job_logs.unused import NOT_SIMULATED, unused_bits
from scenarios.job_logs.write_swf import write_swf
from tests.scenarios.job_logs.logs import swf_line


def read(folder: Path, text: str, name: str) -> JobLog:
    (folder / name).write_text(text)
    return read_job_log(folder / name, file_name=name)


def unused(log: JobLog) -> dict[str, int]:
    return {
        words.removeprefix(NOT_SIMULATED): much
        for words, much in log.counts.items()
        if words.startswith(NOT_SIMULATED)
    }


def test_swf_has_memory_dependencies_and_think_times(tmp_path: Path) -> None:
    lines = [
        swf_line(1), swf_line(2, f10=4096), swf_line(3, f7="1.5"), swf_line(4, f17=1, f18=60),
        swf_line(5, f17=0, f18=0, f7="0.0", f10="-2.5"), swf_line(6, run=-1, f10=4096),
    ]  # fmt: skip
    log = read(tmp_path, "".join(lines), "log.swf")
    assert unused(log) == {"memory": 2, "a dependency": 1, "a think time": 1}  # job 6 is left out


def test_sacct_has_them_in_many_columns(tmp_path: Path) -> None:
    text = (
        "JobID|Submit|Elapsed|NCPUS|AllocTRES|ReqMem|NNodes|SubmitLine\n"
        "1|2026-03-09T12:00:00|01:00:00|4|billing=4,cpu=4,gres/gpu=2,mem=8G,node=1||1|sbatch x\n"
        "2|2026-03-09T12:00:00|01:00:00|4|cpu=4,gres/gpu=0|4Gc|2|sbatch --dependency=afterok:1 x\n"
        "3|2026-03-09T12:00:00|01:00:00|4|cpu=4|0n||sbatch -debug x\n"
    )
    result = {"GPUs": 1, "memory": 2, "nodes": 2, "a dependency": 1}
    assert unused(read(tmp_path, text, "jobs.txt")) == result


def test_tables_have_them_by_their_headings(tmp_path: Path) -> None:
    text = "submit,run,procs,num_nodes,GPUs,mem_req\n0,60,4,2,1,\n0,60,4,1,0,512\n0,60,4,-1,,0\n"
    assert unused(read(tmp_path, text, "jobs.csv")) == {"GPUs": 1, "memory": 1, "nodes": 2}


def test_a_column_that_is_used_is_not_counted(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("submit,run,nodes\n0,60,4\n")
    log = read_job_log(tmp_path / "jobs.csv", columns={"processors": "nodes"})
    assert unused(log) == {}


def test_the_written_log_repeats_what_it_lost(tmp_path: Path) -> None:
    log = read(tmp_path, swf_line(1, f10=4096) + swf_line(2, f17=1), "log.swf")
    for name in ("again.swf", "third.swf"):
        write_swf(tmp_path / name, log)
        log = read_job_log(tmp_path / name)
        assert unused(log) == {"memory": 1, "a dependency": 1}


@pytest.mark.parametrize(
    ("name", "text", "bits"),
    [
        ("gres", "gpu:2", 1), ("gres", "gpu:tesla:2", 1), ("gres", "craynetwork:1", 0),
        ("alloctres", "gres/gpu:a100=4", 1), ("alloctres", "gres/gpumem=0", 0),
        ("reqmem", "4000Mc", 2), ("reqmem", "0n", 0), ("nnodes", "0", 0), ("gpus", "None", 0),
        ("submitline", "sbatch -d afterany:7 x", 8), ("submitline", "sbatch -d7 x", 0),
    ],
)  # fmt: skip
def test_cells_by_hand(name: str, text: str, bits: int) -> None:
    assert unused_bits([(name, text)]) == bits

"""An anonymous log has no name, number, date or comment of the first, and gives the same waits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.simulate import simulate
from scenarios.job_logs.anonymous import KEPT, REMOVED, anonymous
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import lublin_log
from scenarios.job_logs.origin import SYNTHETIC
from scenarios.job_logs.reader import read_job_log
from scenarios.job_logs.write_swf import write_swf
from tests.planner.cli.commands import ran

SECRET = ("zoe", "adam", "physics", "night", "secretpart", "jobname", "2026", "Cray", "example")
HEADER = "JobID|JobName|Submit|Start|Elapsed|Timelimit|NCPUS|User|Account|QOS|Partition|State"
ROWS = [
    "77001|jobname|2026-03-09T12:00:00|2026-03-09T12:00:05|01:00:00|02:00:00|4|zoe|physics|night|secretpart|LOST",
    "77002|jobname|2026-03-09T12:00:10|2026-03-09T12:00:15|01:00:00|UNLIMITED|2|adam|physics|night||COMPLETED",
    "77003|jobname|2026-03-09T12:00:20|2026-03-09T12:00:25|01:00:00|02:00:00|4|zoe||day|secretpart|COMPLETED",
]


def log_of(folder: Path) -> JobLog:
    (folder / "zoe.txt").write_text("\n".join([HEADER, *ROWS]) + "\n")
    log = read_job_log(folder / "zoe.txt")
    header = {**log.header, "Computer": "Cray at site.example", "Acknowledge": "adam"}
    return replace(log, header=header, machine_processors=8)


def written(folder: Path, log: JobLog) -> str:
    (folder / "anonymous.swf").unlink(missing_ok=True)
    write_swf(folder / "anonymous.swf", anonymous(log))
    return (folder / "anonymous.swf").read_text()


def test_nothing_that_names_anybody_is_written(tmp_path: Path) -> None:
    text = written(tmp_path, log_of(tmp_path))
    assert [word for word in (*SECRET, "7700", "1773", "LOST") if word in text] == []
    assert f"; Note: anonymous; removed: {REMOVED}\n; Note: kept: {KEPT}\n" in text


def test_numbers_stand_in_the_order_of_first_appearance(tmp_path: Path) -> None:
    result = anonymous(log_of(tmp_path))
    assert result.number.tolist() == [1, 2, 3]
    assert result.submit_s.tolist() == [0, 10, 20]
    assert result.user.tolist() == [1, 2, 1]  # zoe, adam
    assert result.group.tolist() == [1, 1, -1]
    assert result.queue.tolist() == [1, 1, 2]
    assert result.partition.tolist() == [1, -1, 1]
    assert (result.name, result.file, result.names) == ("anonymous", "", {})


def test_times_and_sizes_and_what_is_missing_remain(tmp_path: Path) -> None:
    log = log_of(tmp_path)
    written(tmp_path, log)
    again = read_job_log(tmp_path / "anonymous.swf")
    for name in ("run_s", "processors", "requested_s", "wait_s"):
        assert getattr(again, name).tolist() == getattr(log, name).tolist()
    assert again.no_limit is not None
    assert again.no_limit.tolist() == [False, True, False]
    assert again.machine_processors == 8
    first, second = (written(tmp_path, item).splitlines() for item in (log, again))
    assert first[-3:] == second[-3:]  # once more changes nothing


def test_the_same_schedule_comes_out(tmp_path: Path) -> None:
    log = lublin_log(300, 64, 1, load=0.9, estimate_factor=2)
    log = replace(log, user=np.random.default_rng(1).integers(5, 50, 300).astype(np.int32))
    written(tmp_path, log)
    again = read_job_log(tmp_path / "anonymous.swf")
    first = int(log.submit_s[0])
    for name in ("easy", "conservative", "easy++"):
        one, other = (simulate(item, POLICIES[name]).schedule for item in (log, again))
        assert (one.start_s - first).tolist() == other.start_s.tolist()


@pytest.mark.parametrize(
    ("origin", "kept"),
    [
        ("Lublin-Feitelson model, seed 3", "Lublin-Feitelson model, seed 3"),
        ("zoe.swf; grown to 1.5 times its work by copies, seed 0", "origin removed"),
        ("Lublin-Feitelson model, seed 3; by zoe", "Lublin-Feitelson model, seed 3"),
    ],
)
def test_a_synthetic_log_stays_synthetic(tmp_path: Path, origin: str, kept: str) -> None:
    log = replace(log_of(tmp_path), header={SYNTHETIC: origin, "Cleaning": "9 not simulated: zoe"})
    text = written(tmp_path, log)
    assert f"; Synthetic: {kept}\n" in text
    assert "zoe" not in text


def test_the_command_writes_it(tmp_path: Path) -> None:
    log_of(tmp_path)
    out = tmp_path / "out.swf"
    words = ("simulate", str(tmp_path / "zoe.txt"), "--processors", "8")
    assert ran(*words, "--write-log", str(out), "--anonymous", "-q").exit_code == 0
    assert [word for word in SECRET if word in out.read_text()] == []
    refused = ran(*words, "--anonymous")
    assert refused.exit_code == 2
    assert "--anonymous is for the log of --write-log; add that option" in refused.output
    sized = ("size", *words[1:], "--for", "mean-wait<=1h", "--resamples", "0")
    out.unlink()
    assert ran(*sized, "--write-log", str(out), "--anonymous", "-q").exit_code == 0
    assert "zoe" not in out.read_text()

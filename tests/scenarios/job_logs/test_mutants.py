"""Damaged logs of every dialect: our errors, or jobs that are all accounted for."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from scenarios import ScenarioError
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.reader import read_job_log
from tests.scenarios.job_logs.test_foreign import pbs
from tests.scenarios.job_logs.test_fuzz import WHOLE
from tests.scenarios.job_logs.test_slurm import HEADINGS, line

MUTANTS = 10_000
PIECES = [
    "", "\n", "|", ",", ";", '"', "'", "=", ".", ":", "-", " ", "\t", "\0", "\u2028", "{", "}", "[",
    "]", "-1", "0", "1e9", "9" * 25, "nan", "NaT", "K", "2026-03-09T12:00:00", "1-00:00:00",
    "2025-10-26T02:30:00", "1 days 00:00:00", "RUNNING", "Unknown", "UNLIMITED", "JobId=", ".batch",
    "_[1-2]",
    "+0", "null", "true", "1e400", "\ufeff", "\udcff", "[min]", "id_job", "time_limit",
]  # fmt: skip
_SACCT = {
    "job_id": 5, "time": {"submission": 1, "start": 2, "end": 9, "elapsed": 7, "limit": 90},
    "state": {"current": ["COMPLETED"]}, "tres": {"allocated": [{"type": "cpu", "count": 8}]},
    "required": {"CPUs": 1}, "user": "ann", "partition": "big",
}  # fmt: skip
_FIXED = (
    "       JobID              Submit    Elapsed  AllocCPUS      State \n"
    "------------ ------------------- ---------- ---------- ---------- \n"
    "           1 2026-03-09T12:00:00   01:00:00          4 COMPLETED+ \n"
)
DIALECTS = {form: text.decode() for form, text in WHOLE.items()} | {
    "sacct ^": f"{HEADINGS}\n{line()}\n{line(JobID='2_4')}\n".replace("|", "^|^"),
    "sacct fixed": _FIXED,
    "sacct json": json.dumps({"meta": {}, "jobs": [_SACCT, {**_SACCT, "job_id": 6}]}),
    "database": (
        "id_job,id_user,time_submit,time_start,time_end,timelimit,tres_alloc,state\n"
        '1,1000,1773057600,1773057605,1773057665,10,"1=8,2=4096",3\n'
        '2,1000,1773057600,0,0,10,"",0\n'
    ),
    "torque": "20260309:" + pbs("3-4.server", "Resource_List.ncpus=1 exec_host=n/0-15"),
}


def mutant(text: str, rng: random.Random) -> str:
    """The text with one to three places replaced, dropped or repeated."""
    for _ in range(rng.randint(1, 3)):
        begin = rng.randrange(len(text) + 1)
        end = min(len(text), begin + rng.choice((0, 1, 1, 2, 5, 20)))
        piece = rng.choice((rng.choice(PIECES), text[begin:end] * 2))
        text = text[:begin] + piece + text[end:]
    return text


@pytest.mark.release
@pytest.mark.parametrize("dialect", DIALECTS)
def test_mutants_raise_our_errors_only(dialect: str, tmp_path: Path) -> None:
    rng = random.Random(dialect)
    read = refused = 0
    for number in range(MUTANTS):
        text = mutant(DIALECTS[dialect], rng)
        path = tmp_path / "jobs"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        rules = Cleaning(unreadable="leave out" if number % 2 else "fault")
        said: list[str] = []
        log = None
        try:
            log = read_job_log(path, clean=rules, zone="Europe/Berlin")
        except ScenarioError as error:
            said = [str(fault) for fault in error.faults]
        if log is None:
            assert said
            assert all(map(str.isprintable, said))
            refused += 1
            continue
        assert log.unaccounted == 0
        assert len(log) == log.counts["jobs kept"] == len({*log.number.tolist()}) > 0
        assert ((log.run_s >= 0) & (log.run_s <= log.requested_s) & (log.wait_s >= -1)).all()
        read += 1
    assert min(read, refused) > 100

"""What is written is read again as it was, byte for byte the same each time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log
from scenarios.job_logs.swf import read_swf
from scenarios.job_logs.write_swf import write_swf
from tests.scenarios.job_logs.logs import different
from tests.shared_data import TRACES, needs_data

NOT_WRITTEN = (
    "name",
    "remarks",
    "header",
    "counts",
    "sha256",
    "warnings",
    "killed",
    "energy_j",
    "file",
    "no_limit",
)
LETTERS = st.characters(codec="utf-8", categories=("L", "N"))
NAMES = st.text(LETTERS, min_size=1, max_size=8).map(lambda text: normalize("NFC", f"n{text}"))


@st.composite
def logs(draw: st.DrawFn) -> JobLog:
    jobs = draw(st.integers(1, 8))

    def whole(least: int, most: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array([draw(st.integers(least, most)) for _ in range(jobs)], dtype=np.int64)

    names = {
        name: tuple(draw(st.lists(NAMES, min_size=1, max_size=4)))
        for name in ("user", "group", "queue", "partition")
        if draw(st.booleans())
    }
    run = whole(0, (1 << 38) - 1)
    codes: dict[str, Any] = {
        name: whole(-1, len(names.get(name, range(1 << 31))) - 1).astype(np.int32)
        for name in ("user", "group", "queue", "partition")
    }
    return JobLog(
        name="log",
        number=np.array(draw(st.permutations(range(jobs))), dtype=np.int64),
        submit_s=np.sort(whole(0, (1 << 38) - 1)),
        run_s=run,
        processors=whole(1, (1 << 31) - 1),
        requested_s=np.maximum(run, whole(0, (1 << 38) - 1)),
        wait_s=whole(-1, (1 << 38) - 1),
        **codes,
        names=names,
        header={"Computer": "IBM SP2", "Note": "one\ntwo"},
        machine_processors=draw(st.none() | st.integers(1, 10**6)),
        counts={"jobs read": jobs + 1, "jobs kept": jobs, "left out: drawn": 1},
    )


@given(log=logs(), packed=st.booleans())
def test_any_log_comes_back(
    tmp_path_factory: pytest.TempPathFactory, log: JobLog, packed: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / ("log.swf.gz" if packed else "log.swf")
    path.unlink(missing_ok=True)
    write_swf(path, log)
    keep = Cleaning(zero_run="keep")
    again = read_swf(path, clean=keep)
    jobs = len(log)
    assert different(log, again, *NOT_WRITTEN) == []
    assert again.header["Note"] == "one\ntwo"
    assert again.header["Cleaning"].split("\n")[1:] == [f"{jobs} jobs kept", "1 left out: drawn"]
    assert again.header["MaxRecords"] == str(jobs)
    first = path.read_bytes()
    write_swf(path, log)
    assert path.read_bytes() == first
    assert not packed or first[:8] == b"\x1f\x8b\x08\0\0\0\0\0"  # neither name nor time
    path.unlink()
    write_swf(path, again)
    third = read_swf(path, clean=keep)
    assert different(again, third, "header", "counts", "sha256") == []
    assert {**third.header, "Cleaning": ""} == {**again.header, "Cleaning": ""}  # nothing twice
    assert third.header["Cleaning"].startswith(f"{jobs} jobs read\n{jobs} jobs kept")


@needs_data
@pytest.mark.parametrize("name", ["SDSC-SP2", "theta_2022"])
def test_a_real_trace_comes_back(tmp_path: Path, name: str) -> None:
    log = read_job_log(TRACES / f"{name}.swf.gz")
    write_swf(tmp_path / "again.swf.gz", log)
    again = read_job_log(tmp_path / "again.swf.gz")
    assert different(log, again, *NOT_WRITTEN) == []
    assert {**again.header, **log.header} == again.header


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"header": {"Note": "a\x1b[31m"}}, "is not allowed in a header"),
        ({"names": {"user": ("u\u0308",)}}, "is not allowed in a header"),  # two characters for one
        ({"header": {"Note": "two  blanks"}}, "is not allowed in a header"),
        ({"header": {"a:b": "c"}}, "cannot be the key of a header"),
        ({"names": {"user": ("a\nb",)}}, "is not allowed in a header"),
        ({"names": {"user": ("",)}}, "cannot be the name of a code"),
        ({"names": {"user": ("- x",)}}, "cannot be the name of a code"),
        ({"names": {"user": ("x" * 2000,)}}, "is too long for a header"),
    ],
)
def test_what_would_be_read_otherwise_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    one, code = np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int32)
    log = JobLog("log", one, one, one, one, one, code, code, code, code, one)
    (tmp_path / "log.swf").write_text("before")
    with pytest.raises(ValueError, match=message):
        write_swf(tmp_path / "log.swf", replace(log, **change))
    assert (tmp_path / "log.swf").read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 1


def test_more_may_be_said_of_a_log(tmp_path: Path) -> None:
    one, code = np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int32)
    log = JobLog("log", one, one, one, one, one, code, code, code, code, one, header={"Note": "a"})
    write_swf(tmp_path / "log.swf", log, header={"Note": "b", "Seed": "7"})
    assert (tmp_path / "log.swf").read_text() == (
        "; Version: 2.2\n; Note: b\n; Seed: 7\n; MaxJobs: 1\n; MaxRecords: 1\n"
        "1 1 1 1 1 -1 -1 1 1 -1 -1 0 0 -1 0 0 -1 -1\n"
    )

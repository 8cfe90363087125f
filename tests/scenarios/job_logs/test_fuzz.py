"""Readers under random input: jobs that are all accounted for, or faults, and nothing else."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import ScenarioError
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.reader import FORMS, Form, read_job_log
from tests.scenarios.job_logs.logs import BROKEN, swf_line
from tests.scenarios.job_logs.test_slurm import FINISHED, HEADINGS, JOBCOMP, line
from tests.sizes import few

WHOLE: dict[Form, bytes] = {
    "swf": ("; MaxProcs: 8\n; Queue: 1 a\n" + "".join(swf_line(n, n) for n in range(4))).encode(),
    "sacct": "\n".join([HEADINGS, *(line(JobID=str(n)) for n in range(4))]).encode(),
    "jobcomp": "".join(JOBCOMP.format(**{**FINISHED, "job": n}) for n in range(4)).encode(),
    "pbs": b"".join(
        b"03/09/2026 13:01:00;E;%d.s;user=a qtime=1773057600 start=1773057660 end=1773061260 "
        b"queue=q Resource_List.ncpus=4 Resource_List.walltime=02:00:00 exec_host=n/0*4\n" % n
        for n in range(4)
    ),
    "json": b'{"nb_res": 8, "jobs": [{"id": "w!1", "subtime": 0, "walltime": 100, "res": 4, '
    b'"profile": "d"}, {"id": 2, "subtime": 5.5, "res": 2, "profile": "d"}], '
    b'"profiles": {"d": {"type": "delay", "delay": 50}}}\n',
    "csv": b"job,submit,start,run,procs,req,user\n1,0,5,60,4,100,ann\n2,9,9,1:00,2,,bo\n",
}
SIGNS = ["\n", "\r", ";", "|", ",", '"', "=", ".", ":", "-", " ", "\0", "\xff", "\u2028"]
NUMBERS = ["-1", "0", "1e9", "9" * 20, "nan", "K", "2026-03-09T12:00:00", "1-00:00:00"]
WORDS = ["Unknown", "UNLIMITED", "JobId=", "_[1-2]", ".batch", "+0", "9999-12-31T23:59:59"]
TOKENS = st.sampled_from([*SIGNS, *NUMBERS, *WORDS])
TOKENS_AS_BYTES = TOKENS.map(lambda text: text.encode("latin-1" if text == "\xff" else "utf-8"))
RULES = [
    Cleaning(),
    Cleaning("fault", "fault", "keep", "leave out", "leave out", "keep", "first"),
    Cleaning(duplicates="last", overruns="leave out"),
    Cleaning(unreadable="leave out", zero_run="keep"),
]


TEXTS = tuple(WHOLE)
"""Forms of text."""


@pytest.fixture(scope="module")
def path() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "jobs.txt"


def survives(path: Path, data: bytes, form: Form | None, rules: Cleaning) -> None:
    path.write_bytes(data)
    try:
        log = read_job_log(path, form=form, clean=rules, zone="Europe/Berlin")
    except ScenarioError as error:
        lines = gzip_lines(data)
        for fault in error.faults:
            assert fault.message
            assert str(fault).isprintable()
            assert 0 <= fault.line <= lines + 2
        return
    assert log.unaccounted == 0
    assert len(log) == log.counts["jobs kept"] > 0
    assert ((log.run_s >= 0) & (log.run_s <= log.requested_s)).all()
    assert ((log.submit_s >= 0) & (log.wait_s >= -1) & (log.processors > 0)).all()
    for name in ("user", "group", "queue", "partition"):
        codes = getattr(log, name)
        assert (codes >= -1).all()
        assert name not in log.names or (codes < len(log.names[name])).all()
        assert all(item.isprintable() and item for item in log.names.get(name, ()))


def gzip_lines(data: bytes) -> int:
    return 10**6 if data[:2] == b"\x1f\x8b" else data.count(b"\n")


ANY_FORM = st.sampled_from([*FORMS, None])


@settings(max_examples=few(100, 25))
@given(st.binary(max_size=300), ANY_FORM)
def test_random_bytes(path: Path, data: bytes, form: Form | None) -> None:
    survives(path, data, form, RULES[0])


@settings(max_examples=few(100, 25))
@given(st.data())
def test_valid_logs_with_pieces_replaced(path: Path, data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(TEXTS))
    text = bytearray(WHOLE[form])
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 12, len(text))))
        text[start:end] = data.draw(st.one_of(st.binary(max_size=4), TOKENS_AS_BYTES))
    content = data.draw(st.sampled_from([form, None]))
    survives(path, bytes(text), content, data.draw(st.sampled_from(RULES)))


@settings(max_examples=few(100, 25))
@given(st.data())
def test_valid_logs_with_other_cells(path: Path, data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(TEXTS))
    sign = {"swf": b" ", "sacct": b"|", "jobcomp": b"=", "pbs": b"=", "csv": b",", "json": b":"}[
        form
    ]
    lines = [part.split(sign) for part in WHOLE[form].split(b"\n")]
    for _ in range(data.draw(st.integers(1, 5))):
        cells = data.draw(st.sampled_from(lines[1:-1] or lines))
        cells[data.draw(st.integers(0, len(cells) - 1))] = data.draw(TOKENS_AS_BYTES)
    text = b"\n".join(sign.join(cells) for cells in lines)
    survives(path, text, form, data.draw(st.sampled_from(RULES)))


@settings(max_examples=few(100, 25))
@given(st.data())
def test_damaged_gzip(path: Path, data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(TEXTS))
    packed = bytearray(gzip.compress(WHOLE[form] * 3, mtime=0))
    for _ in range(data.draw(st.integers(0, 2))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    packed = packed[: data.draw(st.integers(len(packed) // 2, len(packed)))]
    survives(path, bytes(packed), form, RULES[2])


@pytest.mark.parametrize("form", TEXTS)
def test_logs_of_other_forms(path: Path, form: Form) -> None:
    for broken in sorted(BROKEN.iterdir()):
        survives(path, broken.read_bytes(), form, RULES[0])
    for whole in WHOLE.values():
        survives(path, whole, form, RULES[0])

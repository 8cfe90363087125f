"""Logs of other batch systems and in other forms: read, or refused with a command that works."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path

import pytest

from scenarios import ScenarioError
from scenarios.job_logs.cleaning import NO_REQUEST, Cleaning
from scenarios.job_logs.delimited import SACCT
from scenarios.job_logs.foreign import LSF
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import form_of, read_job_log
from tests.scenarios.job_logs.test_slurm import HEADINGS, line

NOON = 1_773_057_600
PBS = (
    "03/09/2026 13:01:00;E;{job};user=ann group=phys queue=batch {times} "
    "{processors} Resource_List.walltime=02:00:00 {more} resources_used.walltime=01:00:00"
)
TIMES = f"ctime={NOON - 5} qtime={NOON} etime={NOON} start={NOON + 60} end={NOON + 3660}"


def pbs(
    job: str = "1.server",
    processors: str = "Resource_List.ncpus=4",
    more: str = "Exit_status=0",
    times: str = TIMES,
) -> str:
    return PBS.format(job=job, processors=processors, more=more, times=times) + "\n"


def read(folder: Path, text: str | bytes, name: str = "log", **how: Cleaning) -> JobLog:
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return read_job_log(folder / name, file_name=name, clean=how.get("clean"))


def refused(folder: Path, text: str | bytes) -> str:
    with pytest.raises(ScenarioError) as caught:
        read(folder, text)
    return str(caught.value)


def test_pbs_records_by_hand(tmp_path: Path) -> None:
    start = "03/09/2026 12:01:00;S;1.server;user=ann group=phys queue=batch\n"
    licences = "03/09/2026 12:05:00;L;license;floating license hour:0 day:0\n"
    log = read(
        tmp_path,
        start
        + pbs()
        + licences
        + pbs("2[3].server", times=TIMES.replace(f"qtime={NOON} ", ""))
        + pbs("2[].server")
        + pbs("3.server", more="Exit_status=271 Resource_List.ngpus=2 Resource_List.mem=4gb "
              "Resource_List.nodect=2 depend=afterok:1.server job name with ncpus=9")
        + pbs("4.server", times=f"ctime={NOON} qtime={NOON} start=0 end={NOON + 9}"),
    )  # fmt: skip
    assert log.number.tolist() == [2 + 4 * 10**10, 1, 3]
    assert log.submit_s.tolist() == [0, 5, 5]  # job 2 has the time of its creation only
    assert log.wait_s.tolist() == [65, 60, 60]
    assert log.run_s.tolist() == [3600] * 3
    assert log.requested_s.tolist() == [7200] * 3
    assert log.processors.tolist() == [4, 4, 4]
    assert log.names == {"user": ("ann",), "group": ("phys",), "queue": ("batch",)}
    assert log.counts == {
        "jobs read": 4,
        "jobs kept": 3,
        "no job: a job array, whose tasks have their own records": 1,
        "no job: a record other than the end of a job": 2,
        "left out: never started": 1,
        "submitted before the job above: sorted": 1,
        "not simulated: GPUs": 1,
        "not simulated: memory": 1,
        "not simulated: nodes": 1,
        "not simulated: a dependency": 1,
    }
    assert log.unaccounted == 0


@pytest.mark.parametrize("rest", ["", "no pairs here"])
def test_an_end_record_of_pbs_without_pairs_is_a_fault_with_its_line(
    rest: str, tmp_path: Path
) -> None:
    content = refused(tmp_path, pbs() + f"03/09/2026 13:01:00;E;2.server;{rest}\n")
    assert "log:2: has no key=value after the job" in content


def test_a_name_that_holds_a_key_of_pbs_leaves_its_job_out(tmp_path: Path) -> None:
    log = read(tmp_path, pbs() + pbs("2.server", more="account=my Resource_List.ncpus=9"))
    assert log.number.tolist() == [1]
    assert log.counts["left out: a key is listed twice (perhaps within a job's name)"] == 1


@pytest.mark.parametrize(
    ("words", "processors"),
    [
        ("Resource_List.ncpus=12 exec_host=a/0*4", 12),
        ("exec_host=a/0*4+b/0*8 exec_vnode=(a:ncpus=3:mem=1gb)+(b:ncpus=6)", 9),
        ("exec_host=a/0*4+b/0*8", 12), ("exec_host=a/0+a/1+b/0", 3), ("exec_host=a/0-3,7+b/2", 6),
    ],
)  # fmt: skip
def test_processors_of_pbs_and_torque(tmp_path: Path, words: str, processors: int) -> None:
    assert read(tmp_path, pbs(processors=words)).processors.tolist() == [processors]


def test_pbs_jobs_without_processors_or_limits_are_counted(tmp_path: Path) -> None:
    bare = pbs("2.server").replace("Resource_List.walltime=02:00:00 ", "")
    log = read(tmp_path, pbs(processors="") + bare)
    assert log.counts["left out: no processors"] == 1
    assert log.counts[NO_REQUEST] == 1
    failed = read(tmp_path, pbs() + pbs("2.server", more="Exit_status=1"),
                  clean=Cleaning(failed="leave out"))  # fmt: skip
    assert failed.number.tolist() == [1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (pbs() + "nonsense\n", "log:2: is not an accounting record of PBS; give the log as PBS"),
        (pbs("x.server"), "log:1: job id: 'x.server' is not a job of PBS; write it as in 123"),
        (
            pbs(processors="Resource_List.ncpus=4_0"),
            "Resource_List.ncpus: '4_0' is not a whole",
        ),
        (pbs(more="Exit_status=\u0661"), "is not an exit status; write a whole number"),
        (pbs(times=TIMES.replace(f"start={NOON + 60}", "start=noon")), "log:1: start: 'noon"),
    ],
)
def test_faults_of_pbs_have_line_key_and_remedy(tmp_path: Path, text: str, said: str) -> None:
    assert said in refused(tmp_path, text)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("packed", [False, True])
def test_text_of_a_windows_shell_is_read(tmp_path: Path, encoding: str, packed: bool) -> None:
    text = "\r\n".join([HEADINGS, line(), line(JobID="2", User="Zo\u00eb \U0001f600"), ""])
    mark = "" if encoding == "utf-16" else "\ufeff"
    data = (mark + text).encode(encoding)
    log = read(tmp_path, gzip.compress(data) if packed else data)
    assert log.number.tolist() == [1, 2]
    assert log.names["user"] == ("ann", "Zo\u00eb \U0001f600")
    assert log.sha256


def test_broken_utf_16_is_said_and_unmarked_utf_16_has_a_remedy(tmp_path: Path) -> None:
    data = f"{HEADINGS}\n{line()}".encode("utf-16")
    assert "is UTF-16 with broken characters; save it as UTF-8" in refused(tmp_path, data[:-1])
    content = refused(tmp_path, data[2:])
    assert "if it is text in UTF-16, run: iconv -f UTF-16LE -t UTF-8" in content


FIXED = (
    "       JobID    JobName  Partition      State \n"
    "------------ ---------- ---------- ---------- \n"
    "1                  bash       main  COMPLETED \n"
)


def test_a_table_of_fixed_width_needs_the_columns_of_a_job(tmp_path: Path) -> None:
    content = refused(tmp_path, FIXED)
    assert "log:1: there is no column 'submit_s' (columns: 'JobID', 'JobName'" in content
    assert "request it with sacct -P --format=JobID,Submit," in content


def test_sacct_without_headings_names_the_command(tmp_path: Path) -> None:
    content = refused(tmp_path, line())
    what = "is the output of sacct without headings, whose columns cannot be known"
    assert content == f"log: {what}; run: {SACCT}"


def test_what_the_command_of_sacct_prints_is_read(tmp_path: Path) -> None:
    headings = SACCT.partition("--format=")[2].partition(" ")[0].replace(",", "|")
    cells = dict.fromkeys(headings.split("|"), "")
    cells |= {"JobID": "1", "Submit": "2026-03-09T12:00:00", "Start": "2026-03-09T12:01:00",
              "End": "2026-03-09T13:01:00", "Elapsed": "01:00:00", "Timelimit": "02:00:00",
              "AllocCPUS": "4", "State": "COMPLETED", "AllocTRES": "cpu=4,gres/gpu=1"}  # fmt: skip
    log = read(tmp_path, f"{headings}\n{'|'.join(cells.values())}\n")
    assert (log.run_s.tolist(), log.requested_s.tolist()) == ([3600], [7200])
    assert log.counts["not simulated: GPUs"] == 1


def lsf(job: int, submit: int, start: int, end: int, cores: int) -> str:
    return (
        f'"JOB_FINISH" "10.1" {end} {job} 1000 33816578 {cores} {submit} 0 0 {start} "ann" '
        '"normal" "select[mem > 4]" "" "" "host" "/home/ann" "" "out" "" "1773057600.101" 0 1 "n1" '
        '64 60.0 "job" "cmd"\n'
    )


def test_the_command_for_lsf_makes_a_table_that_is_read(tmp_path: Path) -> None:
    text = lsf(1, NOON, NOON + 60, NOON + 3660, 4) + lsf(2, NOON + 9, 0, NOON + 99, 4)
    text += '"JOB_NEW" "10.1" 1773057600 3 1000\n' + lsf(1, NOON, NOON + 90, NOON + 99, 2)
    (tmp_path / "lsb.acct").write_text(text)
    with pytest.raises(
        ScenarioError, match="is a log of LSF, which Headroom cannot read; run: "
    ) as caught:
        read_job_log(tmp_path / "lsb.acct", file_name="lsb.acct")
    command = str(caught.value).partition("run: ")[2]
    assert command == LSF
    subprocess.run(["sh", "-c", command], cwd=tmp_path, check=True)
    log = read_job_log(tmp_path / "jobs.csv")
    assert log.submit_s.tolist() == [0, 0]
    assert log.wait_s.tolist() == [60, 90]
    assert log.run_s.tolist() == [3600, 9]
    assert log.processors.tolist() == [4, 2]
    assert log.names == {"user": ("ann",), "queue": ("normal",)}


def test_the_form_of_pbs_is_told_by_its_first_line(tmp_path: Path) -> None:
    (tmp_path / "20260309").write_text(pbs())
    assert form_of(tmp_path / "20260309", "") == "pbs"

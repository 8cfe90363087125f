"""The Standard Workload Format: every way to write a line, every way to damage a file."""

from __future__ import annotations

import gzip
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios import ScenarioError
from scenarios.job_logs import blocks, swf, swf_scan
from scenarios.job_logs.cleaning import NO_REQUEST, SORTED, UNKNOWN_STATE, Cleaning
from scenarios.job_logs.job_log import KEPT, READ, JobLog
from scenarios.job_logs.swf import read_swf
from scenarios.job_logs.swf_faults import line_faults
from scenarios.job_logs.time_rules import ROUNDED
from scenarios.remark import remark
from tests.scenarios.job_logs.logs import swf_line
from tests.shared_data import TRACES, needs_data

HEADER = "; Version: 2.2\n; MaxProcs: 128\n; UnixStartTime: 0\n"


def read(folder: Path, text: str | bytes, name: str = "log.swf", **how: Cleaning) -> JobLog:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_swf(path, file_name=name, **how)


def refused(folder: Path, text: str | bytes, name: str = "log.swf") -> str:
    with pytest.raises(ScenarioError) as caught:
        read(folder, text, name)
    return str(caught.value)


def test_three_jobs_by_hand(tmp_path: Path) -> None:
    # number submit wait run allocated cpu memory, requested processors, time and memory, status
    text = HEADER + (
        "4 10 5 60 8 -1 -1 8 100 -1 1 3 2 7 1 0 -1 -1\n"
        "7 10 -1 30 16 12.5 1e3 -1 -1 -1 0 5 -1 7 1 0 4 9\n"  # field 5 for 8, run time for 9
        "8 11 -1 30 16 -1 -1 0 0 -1 1 5 -1 7 1 0 -1 -1\n"  # likewise, for what is 0
        "9 25 0 99 2 -1 -1 4 98 -1 1 3 2 7 -1 1 -1 -1\n"  # a second beyond its request
    )
    log = read(tmp_path, text)
    assert log.name == "log"
    assert log.number.tolist() == [4, 7, 8, 9]
    assert log.submit_s.tolist() == [10, 10, 11, 25]
    assert log.wait_s.tolist() == [5, -1, -1, 0]
    assert log.run_s.tolist() == [60, 30, 30, 98]
    assert log.processors.tolist() == [8, 16, 16, 4]
    assert log.requested_s.tolist() == [100, 30, 30, 98]
    assert log.user.tolist() == [3, 5, 5, 3]
    assert log.group.tolist() == [2, -1, -1, 2]
    assert log.queue.tolist() == [1, 1, 1, -1]
    assert log.partition.tolist() == [0, 0, 0, 1]
    assert log.killed is not None
    assert log.killed.tolist() == [False, False, False, True]
    assert log.machine_processors == 128
    assert log.header == {"Version": "2.2", "MaxProcs": "128", "UnixStartTime": "0"}
    assert log.unaccounted == 0


@pytest.mark.parametrize(
    "text",
    [
        swf_line().replace("\n", "\r\n"),
        swf_line().replace(" ", "\t"),
        swf_line().replace(" ", "  \t "),
        "  \t" + swf_line(),
        swf_line().replace("\n", " \t \n"),
        swf_line().rstrip("\n"),
        "\ufeff" + swf_line(),
        "\n\n" + swf_line() + "\n \n\t\r\n",
        "; a comment\n" + swf_line() + ";another: one\n  ; and: one more\n;",
        swf_line().replace("\n", " ; a remark\n"),
        swf_line("+1", "+0", "+60", "+4"),
        swf_line("1.0", "0.", "6e1", ".4e1"),
        swf_line("001", "-0", "60.0000000000000000000000000", "4e+0"),
        swf_line("0000000000000000000000001", "0e9", "600E-1", "4000000000000000000000e-21"),
        swf_line(f6="0.123456789012345678901234567890", f7="1e400", f10="99999999999999999999"),
    ],
)
def test_a_line_is_read_in_every_usual_form(tmp_path: Path, text: str) -> None:
    log = read(tmp_path, text)
    assert (log.number[0], log.submit_s[0], log.run_s[0], log.processors[0]) == (1, 0, 60, 4)
    assert (len(log), log.user[0], log.counts[READ], log.counts.get(ROUNDED)) == (1, 3, 1, None)


def test_fractions_of_seconds_are_rounded_and_counted(tmp_path: Path) -> None:
    text = swf_line(1, "0.4", "60.5", f3="1.49") + swf_line(2, "0.5", "59.999999999999999999999")
    log = read(tmp_path, text + swf_line(3, "1.0", "1e-1") + swf_line(4, 2, "2.5e-20"))
    assert log.submit_s.tolist() == [0, 1]
    assert log.run_s.tolist() == [61, 60]
    assert log.wait_s.tolist() == [1, -1]
    assert log.counts[ROUNDED] == 4
    assert log.counts["left out: a run time of 0"] == 2
    assert log.remarks == (remark("log-rounded", jobs=(4, "job")),)


def test_jobs_are_sorted_by_submission_and_stay_in_order_within_a_second(tmp_path: Path) -> None:
    lines = [(1, 50), (2, 10), (3, 50), (4, 10), (5, 60)]
    log = read(tmp_path, "".join(swf_line(*line) for line in lines))
    assert log.number.tolist() == [2, 4, 1, 3, 5]
    assert log.counts[SORTED] == 2  # jobs 2 and 4
    assert log.remarks == (remark("log-sorted", jobs=(2, "job")),)
    many = read(tmp_path, "".join(swf_line(n, n % 2) for n in range(1000)))
    assert many.number.tolist() == [*range(0, 1000, 2), *range(1, 1000, 2)]


@pytest.mark.parametrize(
    ("header", "size"),
    [
        ("; MaxProcs: 1152", 1152),
        (";MaxProcs:1152 (of 8-way nodes)", 1152),
        ("; MaxNodes: 144\n; MaxProcs: 1152", 1152),
        ("; MaxNodes: 144", 144),
        ("; MaxNodes: 144\n; MaxProcs: -1", 144),
        ("; MaxProcs: -1", None),
        ("; MaxProcs: 0", None),
        ("; MaxProcs: unknown", None),
        ("; MaxProcs:", None),
        ("; MaxProcs: 12.5", None),
        ("; MaxProcs: 1,024", None),
        ("; MaxProcs: 4x16", None),
        ("; MaxProcs: 1 024", None),
        ("; MaxProcs: 1_024", None),
        ("; MaxProcs: 128 processors", 128),
        ("; MaxProcs: 128\n; MaxProcs: 128", 128),
        ("; MaxProcs: 128\n; MaxProcs: 256", None),
        ("; MaxProcs: 4x16\n; MaxNodes: 4", None),  # nodes of how many processors nobody knows
    ],
)
def test_the_machine_has_the_size_that_its_header_says(
    tmp_path: Path, header: str, size: int | None
) -> None:
    assert read(tmp_path, f"{header}\n{swf_line()}").machine_processors == size


@pytest.mark.parametrize("size", ["1,024", "4x16", "12.5"])
def test_a_size_that_is_no_number_is_warned_of_with_its_line(tmp_path: Path, size: str) -> None:
    log = read(tmp_path, f"; Version: 2.2\n{swf_line()}; MaxProcs: {size}\n{swf_line(2)}")
    assert log.remarks == (
        remark("log-unknown-size", line=(3, "id"), key=("MaxProcs", "id"), text=(size, "text")),
    )
    for header in ("; MaxProcs: -1", "; MaxProcs: unknown", "; MaxProcs:", "; MaxProcs: 64"):
        assert read(tmp_path, f"{header}\n{swf_line()}").remarks == ()


def test_a_status_that_the_standard_does_not_have_is_counted(tmp_path: Path) -> None:
    log = read(tmp_path, swf_line() + swf_line(2, f11=7) + swf_line(3, f11=-2))
    assert log.counts[UNKNOWN_STATE] == 2
    assert log.remarks[0].kind == "log-unknown-status"
    assert log.remarks[0].values["line"] == (2, "id")


def test_names_in_the_header_name_codes(tmp_path: Path) -> None:
    header = "; Queue: 1 night\n; Queue: 0 - day\n; Queue: words\n; Partition: 7 = big one\n"
    header += "; Note: one\n; Note: two \x1b[31m\n; User: 3 \xfc\n"
    text = header + swf_line(1, f15=1, f16=7) + swf_line(2, f15=4, f16=-1) + swf_line(3, f15=0)
    log = read(tmp_path, text.encode("latin-1"))
    assert log.names == {
        "queue": ("day", "night", "4"),
        "partition": ("big one",),
        "user": ("\xfc",),
    }
    assert log.queue.tolist() == [1, 2, 0]
    assert log.partition.tolist() == [0, -1, -1]
    assert log.user.tolist() == [0, 0, 0]
    assert log.group.tolist() == [2, 2, 2]
    assert log.header["Note"] == "one\ntwo \\x1b[31m"


def test_what_an_endless_header_says_is_not_kept(tmp_path: Path) -> None:
    text = "".join(f"; Note: {n}\n" for n in range(20_000)) + "; Late: x\n"
    header = read(tmp_path, text + swf_line()).header
    assert header["Note"].count("\n") == 9_999
    assert "Late" not in header


def test_blocks_of_any_size_give_the_same_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = HEADER + "".join(swf_line(n, n * 7) + "\n" * (n % 3) for n in range(1, 400))
    whole = read(tmp_path, text)
    monkeypatch.setattr(blocks, "_READ", 7)
    monkeypatch.setattr(blocks, "_BLOCK", 13)
    for name, data in (("a.swf", text.encode()), ("b.swf.gz", gzip.compress(text.encode()))):
        log = read(tmp_path, data, name)
        assert log.number.tolist() == whole.number.tolist()
        assert log.header == whole.header
    lines = text.count("\n")
    assert refused(tmp_path, text + "\n1 2\n", "c.swf").startswith(f"c.swf:{lines + 2}: 2 fields")


def test_the_columns_grow_with_the_shortest_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swf, "_FIRST_CAPACITY", 1)
    monkeypatch.setattr(blocks, "_READ", 5000)
    monkeypatch.setattr(blocks, "_BLOCK", 5000)
    lines = [" ".join([str(n % 10), *"000100010001111111"[1:]]) for n in range(3000)]
    (tmp_path / "log.swf").write_text("\n".join(lines))
    raw, _ = swf._read(blocks.LogBlocks(tmp_path / "log.swf", "log.swf"), lenient=False)
    assert raw.number.tolist() == [n % 10 for n in range(3000)]
    assert raw.line.tolist() == list(range(1, 3001))
    assert set(raw.run_s.tolist()) == {1}
    assert set(raw.partition.tolist()) == {1}


@pytest.mark.parametrize(
    "number",
    ["1e18", "10e17", "9" * 19, "1e20", str(1 << 64), str((1 << 64) + 60), f"-{1 << 64}", "5e24"],
)
def test_numbers_beyond_18_digits_never_wrap_round(tmp_path: Path, number: str) -> None:
    for line in (swf_line(number), swf_line(2, number), swf_line(3, f12=number)):
        assert "correct it" in refused(tmp_path, line)
    assert read(tmp_path, swf_line("9" * 18)).number.tolist() == [10**18 - 1]


def test_gzip_in_several_members_and_with_zeros_behind(tmp_path: Path) -> None:
    halves = HEADER + swf_line(1), swf_line(2) + swf_line(3).rstrip("\n")
    packed = b"".join(gzip.compress(halve.encode()) for halve in halves)
    for data in (packed, packed + b"\0" * 1000, packed + gzip.compress(b"")):
        assert len(read(tmp_path, data, "log.swf")) == 3


def test_damaged_gzip_is_refused_with_the_line_at_which_it_ends(tmp_path: Path) -> None:
    text = HEADER + "".join(swf_line(n) for n in range(1, 10_000))
    packed = gzip.compress(text.encode(), mtime=0)
    message = refused(tmp_path, packed[: len(packed) // 2])
    match = re.fullmatch(
        r"log\.swf:(\d+): the compressed data end too early; copy the file again", message
    )
    assert match is not None
    assert 1000 < int(match[1]) < 9000
    assert "end too early" in refused(tmp_path, packed[:-4])  # the length is missing
    assert "damaged" in refused(tmp_path, packed[:-8] + b"1234" + packed[-4:])  # another checksum
    assert "damaged" in refused(tmp_path, packed[:3000] + b"\xff" * 9 + packed[3009:])
    assert "other data follow" in refused(tmp_path, packed + b"\0\0x")
    assert refused(tmp_path, packed[:1]).startswith("log.swf:1: ")
    assert "end too early" in refused(tmp_path, packed[:5])


@pytest.mark.parametrize("size", [3, 40])
def test_a_bomb_is_refused(tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "LARGEST_BYTES", 2 << 20)
    monkeypatch.setattr(blocks.LogBlocks.__init__, "__defaults__", (2 << 20,))
    bomb = gzip.compress(b"\n" * (size << 20))
    message = f"log.swf:{(2 << 20) + 1}: is larger than 2 MiB unpacked; split it"
    assert refused(tmp_path, bomb) == message


@pytest.mark.parametrize("start", ["1 ", "; ", " "])
def test_a_line_without_end_is_refused(tmp_path: Path, start: str) -> None:
    text = HEADER + swf_line() + start + " " * (3 << 20)
    message = "log.swf:5: a line is longer than 1 MiB; give a job log"
    assert refused(tmp_path, text) == message
    assert refused(tmp_path, gzip.compress(text.encode())) == message


@pytest.mark.parametrize(
    ("data", "packer"),
    [
        (b"BZh91AY", "bzip2"),
        (b"\xfd7zXZ\0", "xz"),
        (b"PK\x03\x04", "zip"),
        (b"\x28\xb5\x2f\xfd", "Z"),
    ],
)
def test_other_packers_are_named(tmp_path: Path, data: bytes, packer: str) -> None:
    assert re.match(
        rf"log\.swf: is compressed with {packer}\w*; unpack it", refused(tmp_path, data)
    )


def test_a_binary_file_is_refused_in_few_words(tmp_path: Path) -> None:
    data = np.random.default_rng(1).bytes(200_000)
    assert refused(tmp_path, data).count("\n") <= 100


def test_at_most_a_hundred_faults_are_listed(tmp_path: Path) -> None:
    lines = refused(tmp_path, "x\n" * 1000).split("\n")
    assert lines[0].startswith("log.swf:1: 1 field,")
    assert lines[100:] == ["log.swf:101: there are more errors; correct these first"]


def test_a_folder_and_a_missing_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="is a folder, not a file; give the path of a job log"):
        read_swf(tmp_path)
    with pytest.raises(ScenarioError, match=r"none\.swf: does not exist"):
        read_swf(tmp_path / "none.swf")
    with pytest.raises(ScenarioError, match="cannot be read"):
        read_swf(tmp_path / ("n" * 5000))


def test_jobs_larger_than_the_machine_are_kept(tmp_path: Path) -> None:
    assert read(tmp_path, HEADER + swf_line(procs=129)).processors.tolist() == [129]


def test_too_many_jobs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swf, "MOST_JOBS", 2)
    text = "".join(swf_line(n) for n in (1, 2, 3))
    assert refused(tmp_path, text) == "log.swf: contains more than 2 jobs; split it"


NUMBERS = st.one_of(
    st.integers(-5, 10**6).map(str),
    st.integers(-(10**20), 10**20).map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-99, max_value=99).map(
        str
    ),
    st.from_regex(r"[+-]?[0-9]{0,20}\.?[0-9]{0,25}([eE][+-]?[0-9]{1,2})?", fullmatch=True),
    st.sampled_from(["+", "-", ".", "e5", "1e", "1e+", "--1", "0x1", "nan", "inf", "1_0", "1,5"]),
)


def literal(text: str) -> tuple[int, bool] | None:
    """A time as the standard's reader on paper would have it: rounded, and whether it was."""
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
        return None
    value = Decimal(text)
    if not -(1 << 38) <= value < 1 << 38:
        return None
    rounded = value.to_integral_value(ROUND_HALF_UP)
    return int(rounded), rounded != value


@given(text=NUMBERS)
def test_the_scanner_reads_numbers_as_one_does_on_paper(text: str) -> None:
    values = np.zeros(swf_scan.FIELDS, dtype=np.int64)
    line = swf_line(f2=text or "x").encode()
    _, fields, rounded = swf_scan._fields(np.frombuffer(line, dtype=np.uint8), 0, values)
    fine = fields == swf_scan.FIELDS and bool(swf_scan._in_range(values))
    expected = literal(text)
    if fine and expected is not None:
        assert (values[1], rounded) == expected
    assert fine == (expected is not None)
    faults = line_faults("log", 1, line)
    assert fine == (faults[0].message.startswith("cannot be read"))


@needs_data
@pytest.mark.parametrize(
    ("name", "jobs", "processors", "overruns"),
    [
        ("SDSC-SP2", 54_006, 128, 0),
        ("SDSC-BLUE", 232_542, 1_152, 0),
        ("SDSC-SP2-10k", 10_000, 128, 0),
        ("theta_2022", 23_911, 4_360, 6_264),
    ],
)
def test_real_traces_have_the_jobs_that_are_known_of_them(
    name: str, jobs: int, processors: int, overruns: int
) -> None:
    log = read_swf(TRACES / f"{name}.swf.gz")
    assert log.name == name
    assert (len(log), log.counts[READ], log.counts[KEPT]) == (jobs, jobs, jobs)
    assert log.machine_processors == processors
    cut = 0 if log.killed is None else np.count_nonzero(log.killed)
    assert cut == overruns  # 26.2 % of theta
    assert log.counts.get("run cut at the requested time", 0) == overruns
    assert log.counts.get(NO_REQUEST) is None
    assert (log.run_s > 0).all()
    assert (log.run_s <= log.requested_s).all()
    assert log.unaccounted == 0
    lines = gzip.decompress((TRACES / f"{name}.swf.gz").read_bytes()).decode().splitlines()
    table = np.array([line.split() for line in lines if line[0] != ";"], dtype=np.int64)
    assert np.array_equal(log.number, table[:, 0])
    assert np.array_equal(log.submit_s, table[:, 1])
    assert np.array_equal(log.run_s, np.minimum(table[:, 3], table[:, 8]))
    assert np.array_equal(log.processors, table[:, 7])
    assert np.array_equal(log.user, table[:, 11])

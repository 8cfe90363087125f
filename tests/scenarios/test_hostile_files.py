"""Files made to break a reader: an error that says what is wrong, soon and in little memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scenarios import ScenarioError
from scenarios.faults import MOST_FAULTS
from scenarios.files import LARGEST_BYTES
from scenarios.reading.reader import read_scenario
from tests.scenarios.test_broken_files import BROKEN

WHOLE = (BROKEN / "whole.toml").read_text(encoding="utf-8")
MEGABYTE = LARGEST_BYTES - len(WHOLE) - 100
MOST_CPU_S = 60
PATIENCE_S = 600
MOST_MEMORY = 1 << 30


def bounded(code: str, *arguments: str) -> tuple[int, str, str]:
    """Run code in a process that has a gigabyte and a minute of a processor."""
    limit = (
        f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({MOST_MEMORY},) * 2); "
        f"resource.setrlimit(resource.RLIMIT_CPU, ({MOST_CPU_S},) * 2)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", limit + code, *arguments],
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


HUGE = {
    "dotted keys": ".".join(["a"] * 100_000) + " = 1",
    "dotted keys below the limit": "".join(f"k{i}.a.b.c.d.e.f = 1\n" for i in range(50_000)),
    "dotted headers below the limit": "".join(f"[k{i}.a.b.c.d.e.f]\n" for i in range(50_000)),
    "dots and blanks": ("a" + " " * 1000 + ".") * 1000,
    "deep arrays": "a = " + "[" * (MEGABYTE - 100),
    "deep closed arrays": "a = " + "[" * 400 + "]" * 400,
    "deep inline tables": "a = " + "{a = " * 100_000,
    "one endless key": "a" * MEGABYTE + " = 1",
    "one endless bare word": "a" * MEGABYTE,
    "one endless line": 'title = "' + "x" * MEGABYTE + '"',
    "blanks": "a" + " " * MEGABYTE,
    "escaped quotes that never close": 'a = """' + '\\"""' * 200_000,
    "escapes that never close": 'a = "' + "\\\\" * 500_000,
    "open literal strings": "'''a" * 200_000,
    "an integer of many digits": "format = " + "9" * 100_000,
    "a hexadecimal integer": "format = 0x" + "f" * 100_000,
    "many unknown keys": "".join(f"nam{i} = 1\n" for i in range(80_000)),
    "many numbers for tables": "node_types = [" + "1," * 500_000 + "]",
    "many node types": "".join(f"[[node_types]]\nname = 'n{i}'\n" for i in range(30_000)),
    "many comments": "#\n" * 500_000,
}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What one bounded process says of each file: starting one per file would take longer."""
    folder = tmp_path_factory.mktemp("huge")
    for number, text in enumerate(HUGE.values()):
        (folder / f"{number}.toml").write_text(text, encoding="utf-8")
    code = (
        "import json, sys\n"
        "from scenarios import ScenarioError, load\n"
        "said = []\n"
        "for path in sys.argv[1:]:\n"
        "    try: load(path)\n"
        "    except ScenarioError as error: said.append([str(f) for f in error.faults])\n"
        "print(json.dumps(said))\n"
    )
    paths = [str(folder / f"{number}.toml") for number in range(len(HUGE))]
    status, out, err = bounded(code, *paths)
    assert (status, err) == (0, "")
    return dict(zip(HUGE, json.loads(out), strict=True))


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_file_is_refused_in_few_words(verdicts: dict[str, list[str]], name: str) -> None:
    assert 1 <= len(verdicts[name]) <= MOST_FAULTS + 1
    assert sum(map(len, verdicts[name])) < 50_000


def test_faults_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text("".join(f"nam{i} = 1\n" for i in range(1000)))
    with pytest.raises(ScenarioError) as caught:
        read_scenario(path)
    assert len(caught.value.faults) == MOST_FAULTS + 1
    assert "further faults" in caught.value.faults[0].message


def test_a_huge_table_of_nonsense_is_refused(tmp_path: Path) -> None:
    text = (BROKEN / "csv-missing.toml").read_text(encoding="utf-8")
    (tmp_path / "scenario.toml").write_text(text)
    for table in (
        "nodes,time_s\n" + "x,y\n" * 200_000,
        "9" * MEGABYTE,
        "nodes,time_s\n2," + '"' * 10**6,
    ):
        (tmp_path / "times-missing.csv").write_text(table)
        with pytest.raises(ScenarioError) as caught:
            read_scenario(tmp_path / "scenario.toml")
        assert len(str(caught.value)) < 50_000


def test_a_file_of_fifty_megabytes_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.toml"
    with path.open("wb") as stream:
        stream.truncate(50 << 20)
    status, out, err = bounded("from planner.__main__ import run; run()", "check", str(path))
    assert (status, out) == (2, "")
    assert err == f"{path}: is larger than 1 MiB; a scenario is never that large\n"


@pytest.mark.parametrize("kind", ["folder", "pipe", "/dev/zero", "/dev/null", "missing"])
def test_what_is_no_regular_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = Path(kind) if kind.startswith("/") else tmp_path / "scenario.toml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    others = {"missing": "does not exist", "folder": "is a folder, not a file"}
    expected = others.get(kind, "is not a regular file")
    with pytest.raises(ScenarioError) as caught:
        read_scenario(path)
    assert str(caught.value) == f"{path}: {expected}; give the path of a text file"


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    path.write_bytes(b"\xef\xbb\xbf" + WHOLE.encode())
    assert read_scenario(path).name == "small"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'format = 1\nname = "M\xfcller"\n', ":2: byte 0xfc is not UTF-8; save the file as UTF-8"),
        (WHOLE.encode("utf-16"), ":1: byte 0xff is not UTF-8; save the file as UTF-8"),
        (b"format = 1\nname = \0\n", ":2: not valid TOML"),
        (b'format = 1\n\nname = "\0"\n', ":3: not valid TOML"),
        (b"\xed\xb0\x80", ":1: byte 0xed is not UTF-8"),
        (b"", ": format: is missing; add it"),
    ],
)
def test_bytes_that_are_no_text_are_named_with_their_line(
    tmp_path: Path, data: bytes, expected: str
) -> None:
    path = tmp_path / "scenario.toml"
    path.write_bytes(data)
    with pytest.raises(ScenarioError) as caught:
        read_scenario(path)
    assert expected in str(caught.value)


@pytest.mark.parametrize("key", ["\\u001b[31mred", "\\u009b31m", "\\u202eder", "a\\nb", "\\u0000"])
def test_no_message_steers_the_terminal(tmp_path: Path, key: str) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text(f'"{key}" = 1\ntitle = "{key}"\n{WHOLE}', encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        read_scenario(path)
    for fault in caught.value.faults:
        assert str(fault).isprintable()


@pytest.mark.parametrize("old", ['"new"', '"old"', '"linear"', "[2, 20]", "2000", '"solver"', "1"])
@pytest.mark.parametrize("new", ["[]", "[[1]]", "{}", "{ a = 1 }", "1979-05-27", "true", '""'])
def test_any_type_anywhere_is_a_fault_and_no_exception(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text(WHOLE.replace(f"= {old}", f"= {new}", 1), encoding="utf-8")
    with pytest.raises(ScenarioError):
        read_scenario(path)

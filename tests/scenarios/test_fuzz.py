"""Readers under random input: a scenario or its faults, never another exception."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import Fault, Scenario, ScenarioError
from scenarios.files import TextFile
from scenarios.reading.reader import read_scenario
from scenarios.tables.curves import COLUMNS, read_times
from tests.scenarios.test_broken_files import BROKEN

WHOLE = (BROKEN / "whole.toml").read_bytes()
TABLE = (BROKEN / "csv-missing.toml").read_bytes()
SIGNS = ["[", "]", "[[", "]]", "{", "}", "=", ".", ",", "#", '"', "'''", '"""', "\\", "\n", "\r\n"]
WORDS = [*re.findall(r"[a-z_]+", WHOLE.decode()), "table", "file", "\u00fc", "\U0001f600"]
VALUES_AND_WORSE = ["1", "-1", "0x1", "1e999", "nan", "1979-05-27", "'a'", "\x00", "\x1b", "\u202e"]
TOKENS = st.sampled_from([*SIGNS, *WORDS, *VALUES_AND_WORSE])


@pytest.fixture(scope="module")
def path() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "scenario.toml"


def survives(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    faults: tuple[Fault, ...] = ()
    try:
        assert isinstance(read_scenario(path), Scenario)
    except ScenarioError as error:
        faults = error.faults
    for fault in faults:
        assert fault.message
        assert str(fault).isprintable()
        assert 0 <= fault.line <= data.count(b"\n") + 1


@settings(deadline=None)
@given(data=st.binary(max_size=200))
def test_random_bytes(path: Path, data: bytes) -> None:
    survives(path, data)


@settings(deadline=None)
@given(tokens=st.lists(TOKENS, max_size=60), blanks=st.booleans())
def test_random_text_that_looks_like_toml(path: Path, tokens: list[str], *, blanks: bool) -> None:
    survives(path, (" " if blanks else "").join(tokens).encode())


@settings(deadline=None)
@given(data=st.data())
def test_valid_scenarios_with_pieces_replaced(path: Path, data: st.DataObject) -> None:
    text = bytearray(data.draw(st.sampled_from([WHOLE, TABLE])))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 30, len(text))))
        text[start:end] = data.draw(st.one_of(st.binary(max_size=5), TOKENS.map(str.encode)))
    survives(path, bytes(text))


@settings(deadline=None)
@given(data=st.data())
def test_valid_scenarios_with_lines_moved(path: Path, data: st.DataObject) -> None:
    lines = WHOLE.splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 6))):
        line = lines.pop(data.draw(st.integers(0, len(lines) - 1)))
        if data.draw(st.booleans()):
            lines.insert(data.draw(st.integers(0, len(lines))), line)
    survives(path, b"".join(lines))


VALUES = st.recursive(
    st.sampled_from(["1", "-1", "0", "1e300", "nan", "true", "'x'", "''", "1979-05-27", "10:00:00"])
    | st.integers().map(str)
    | st.floats().map(str),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda item: f"[{', '.join(item)}]")
        | st.lists(inner, max_size=2).map(
            lambda element: (
                "{" + ", ".join(f"{key} = {v}" for key, v in zip("ab", element, strict=False)) + "}"
            )
        )
    ),
    max_leaves=5,
)


@settings(deadline=None)
@given(data=st.data())
def test_valid_scenarios_with_other_values(path: Path, data: st.DataObject) -> None:
    lines = WHOLE.decode().splitlines()
    pairs = [index for index, line in enumerate(lines) if " = " in line]
    for item in data.draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=4)):
        key = lines[item].partition(" = ")[0]
        lines[item] = f"{key} = {data.draw(VALUES)}"
    survives(path, "\n".join(lines).encode())


CELLS = st.one_of(
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(
        ["nodes", "time_s", '"', '"a,b"', "#", "1e400", "1_0", "", " 2 ", "\x00", "\u2028"]
    ),
    st.text(max_size=4),
)


@settings(deadline=None)
@given(st.booleans(), st.lists(st.lists(CELLS, max_size=4).map(",".join), max_size=8))
def test_random_tables_of_measurements(with_header: bool, rows: list[str]) -> None:
    text = "\n".join(["nodes,time_s", *rows] if with_header else rows)
    columns, faults = read_times(TextFile("times.csv", text, ""))
    assert set(columns) == set(COLUMNS)
    if not faults:
        nodes, times = columns["nodes"], columns["time_s"]
        assert len(nodes) == len(times) > 0
        assert nodes == sorted(set(nodes))
        assert all(isinstance(node, int) for node in nodes)
        assert all(0 < item <= 1e15 for item in (*nodes, *times))


@settings(deadline=None)
@given(data=st.binary(max_size=100))
def test_random_bytes_as_table_of_measurements(path: Path, data: bytes) -> None:
    (path.parent / "times-missing.csv").write_bytes(data)
    survives(path, TABLE)

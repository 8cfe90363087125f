"""The examples of the page are what the readers take."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from planner.placement.message_times import pair_times
from scenarios.communication.ping_pong import read_ping_pong
from scenarios.communication.reader import FORMS, Form, read_communication

PAGE = (Path(__file__).parents[3] / "docs" / "communication.md").read_text(encoding="utf-8")


def example(heading: str) -> str:
    _, _, rest = PAGE.partition(f"## {heading}\n")
    blocks = re.findall(r"```\n(.*?)```", rest, flags=re.DOTALL)
    return str(next(each for each in blocks if not each.startswith("mpirun")))


@pytest.mark.parametrize(
    ("heading", "form", "total"),
    [
        ("Profiles of Open MPI", "monitoring", 10208960 + 184),
        ("Matrices", "matrix", 1012),
        ("METIS", "metis", 1012),
        ("Lists", "edges", 12),
    ],
)
def test_every_example_is_read(tmp_path: Path, heading: str, form: Form, total: float) -> None:
    path = tmp_path / "example"
    path.write_text(example(heading), encoding="utf-8")
    result = read_communication(path, form=form)
    assert (result.total_bytes, result.remarks) == (total, ())


def test_the_table_of_times_is_read(tmp_path: Path) -> None:
    (tmp_path / "e").write_text(example("Ping-pong tables"), encoding="utf-8")
    (tmp_path / "m").write_text(example("Matrices"), encoding="utf-8")
    table = read_ping_pong(tmp_path / "e")
    assert not table.assumed
    times = pair_times(read_communication(tmp_path / "m", form="matrix"), table, message_bytes=1)
    assert not times.apart.any()


def test_all_forms_are_told() -> None:
    assert [each for each in FORMS if f"| `{each}` |" not in PAGE] == []

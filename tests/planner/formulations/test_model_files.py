"""Text files are written all or none, and an error names the file and a remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.errors import InputError
from planner.formulations.model_files import write_texts


def test_files_are_written_and_no_other_content_is_replaced(tmp_path: Path) -> None:
    one, other = tmp_path / "one.sh", tmp_path / "other.lp"
    write_texts({one: "a\n", other: "b\n"}, "give another file")
    assert (one.read_bytes(), other.read_bytes()) == (b"a\n", b"b\n")
    third = tmp_path / "third.lp"
    with pytest.raises(InputError, match=r"one\.sh cannot be written .*; give another file"):
        write_texts({third: "c\n", one: "changed\n"}, "give another file")
    assert not third.exists()

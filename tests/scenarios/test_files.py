"""Files are written whole, and replace files alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from scenarios.files import refuse_unwritable, written_whole


def test_what_is_no_regular_file_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="no regular file"), written_whole(pipe) as stream:
        stream.write(b"x")
    with pytest.raises(OSError, match="no regular file"):
        refuse_unwritable(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_asking_leaves_nothing_behind(tmp_path: Path) -> None:
    refuse_unwritable(tmp_path / "new")
    assert not list(tmp_path.iterdir())
    with pytest.raises(OSError, match="directory"):
        refuse_unwritable(tmp_path)

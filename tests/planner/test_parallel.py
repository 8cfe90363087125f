"""Workers end with the process that gave them their tasks."""

from __future__ import annotations

import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from tests.planner.cli.test_commands import environment
from tests.planner.cli.test_interrupts import MARK, eventually, processes


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="asks /proc who is alive")
def test_workers_and_their_tracker_end_with_a_killed_parent(tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    (tmp_path / "task.py").write_text(
        "import time\nfrom pathlib import Path\n"
        "def task(name):\n    Path(name).touch()\n    time.sleep(600)\n"
    )
    code = (
        f"import sys\nsys.path.append({str(tmp_path)!r})\nfrom task import task\n"
        "from planner.parallel import in_processes\nlist(in_processes(task, ['a', 'b'], 2))"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment(**{MARK: mark}),
        stderr=subprocess.DEVNULL,
    )
    try:
        assert eventually(lambda: (tmp_path / "a").exists() and (tmp_path / "b").exists())
        assert len(processes(mark)) > 3
    finally:
        parent.kill()
        parent.wait()
    assert eventually(lambda: not processes(mark))

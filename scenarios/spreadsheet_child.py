"""The process that reads a workbook: it limits itself, answers one request and ends.

Started by path. A hostile file may wear it out; whoever started it sees only that it broke.
"""

from __future__ import annotations

import contextlib
import sys
import types
from pathlib import Path

_MEMORY = 1 << 30
_CPU_S = 20


def _limit_itself(parent: int) -> None:
    import resource

    for kind, wanted in (("AS", _MEMORY), ("CPU", _CPU_S), ("CORE", 0)):
        limit = getattr(resource, f"RLIMIT_{kind}")
        hard = resource.getrlimit(limit)[1]
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(ValueError):  # macOS has no limit of memory
            resource.setrlimit(limit, (most, most))
    if sys.platform == "linux":
        import ctypes
        import os
        import signal

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(1)


def _answer_request() -> None:
    """Import from beside this file only: ``scenarios/__init__.py`` would load pydantic and more."""
    package = types.ModuleType("scenarios")
    package.__path__ = [str(Path(__file__).parent)]
    sys.modules["scenarios"] = package
    from scenarios.workbook import answer

    sys.stdout.write(answer(sys.stdin.buffer.read()))


if __name__ == "__main__":
    _limit_itself(int(sys.argv[1]))
    _answer_request()

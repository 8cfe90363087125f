"""The process that reads a workbook or the like: it limits itself, answers once and ends.

The parent starts it by path. A hostile file may exhaust it; the parent sees only that it broke.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import types
from pathlib import Path
from typing import Any


def limit_itself(parent: int, memory_bytes: int, cpu_s: int) -> None:
    """End with the parent, and take no more memory and time than that.

    Limits are only lowered: those of a login node stay where they are lower. The system ends a
    process at its soft limit of time by a signal that says why, and soon after it by force.
    """
    import resource

    infinite = resource.RLIM_INFINITY
    for kind, wanted, grace in (("AS", memory_bytes, 0), ("CPU", cpu_s, 5), ("CORE", 0, 0)):
        limit = getattr(resource, f"RLIMIT_{kind}")
        soft, hard = (wanted if now == infinite else now for now in resource.getrlimit(limit))
        soft = min(wanted, soft, hard)
        most = soft + grace if resource.getrlimit(limit)[1] == infinite else min(soft + grace, hard)
        with contextlib.suppress(ValueError):  # macOS has no limit of memory
            resource.setrlimit(limit, (soft, most))
    if sys.platform == "linux":
        import ctypes
        import os
        import signal

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(1)


def _answer_request(module: str, limits: dict[str, Any]) -> None:
    """Import from this package only: ``scenarios/__init__.py`` would load pydantic and more."""
    package = types.ModuleType("scenarios")
    package.__path__ = [str(Path(__file__).parents[1])]
    sys.modules["scenarios"] = package
    from scenarios.tables.cell_references import Limits

    reader = importlib.import_module(module)
    sys.stdout.buffer.write(reader.answer(sys.stdin.buffer.read(), Limits(**limits)))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    _limits = json.loads(sys.argv[3])
    limit_itself(int(sys.argv[1]), _limits["memory_bytes"], _limits["cpu_s"])
    _answer_request(sys.argv[2], _limits)

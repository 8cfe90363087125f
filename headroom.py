"""The command ``headroom``: looks for files that hide Headroom's packages before it needs them.

It lies outside the packages, since it has to run where a user's file hides one of them.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

_SHADOWING = Path(__file__).resolve().parent / "planner" / "shadowing.py"
_WRONG_INPUT = 2


def run() -> None:
    """Run the command line, or say which file of the user is in the way and leave with 2."""
    hidden = str(_shadowing().hidden_package())
    if hidden:
        sys.stderr.write(f"headroom: {hidden}\n")
        sys.exit(_WRONG_INPUT)
    from planner.__main__ import run as run_command

    run_command()


def _shadowing() -> ModuleType:
    """``planner.shadowing``, found by its place: the package may be hidden."""
    spec = importlib.util.spec_from_file_location("headroom_shadowing", _SHADOWING)
    if spec is None or spec.loader is None:
        raise ImportError(f"{_SHADOWING} is missing; install Headroom anew")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

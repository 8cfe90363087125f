"""Reference formulations: each decision as a short PuLP model, solved by CBC or HiGHS.

One module per decision, with its mathematics in the docstring, as the oracle of the engines. None
imports an engine. ``headroom.formulations.sharing`` imports its module on first use.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.formulations import (
        aggregation,
        best_design,
        break_even,
        configuration,
        degree,
        designs,
        kernighan_lin,
        mapping,
        pairing,
        partition,
        procurement,
        sharing,
        sockets,
        start_now,
    )

__all__ = [
    "aggregation",
    "best_design",
    "break_even",
    "configuration",
    "degree",
    "designs",
    "kernighan_lin",
    "mapping",
    "pairing",
    "partition",
    "procurement",
    "sharing",
    "sockets",
    "start_now",
]


def __getattr__(name: str) -> ModuleType:
    """Import a formulation on first use."""
    if name not in __all__:
        raise AttributeError(f"module 'planner.formulations' has no attribute {name!r}")
    return importlib.import_module(f"planner.formulations.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

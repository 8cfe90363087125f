"""Engines: linear and mixed-integer programs with certificates. No HPC word in here.

``solvers.choice``, ``solvers.mapping`` and ``solvers.partition`` are imported on first use.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from solvers.certify import SOLVERS, solve
from solvers.model.algebra import from_pulp
from solvers.model.expressions import AlgebraicModel
from solvers.model.milp import Milp, MilpBuilder, ModelError
from solvers.model.result import Certificate, Level, Result, Status, Stop
from solvers.process.client import SolverError
from solvers.proofs.brute_force import brute_force
from solvers.session import Session

if TYPE_CHECKING:
    from solvers import choice, mapping, partition

__all__ = [
    "SOLVERS",
    "AlgebraicModel",
    "Certificate",
    "Level",
    "Milp",
    "MilpBuilder",
    "ModelError",
    "Result",
    "Session",
    "SolverError",
    "Status",
    "Stop",
    "brute_force",
    "choice",
    "from_pulp",
    "mapping",
    "partition",
    "solve",
]
_PACKAGES = {
    "choice": "solvers.choice",
    "mapping": "solvers.mapping",
    "partition": "solvers.partition",
}


def __getattr__(name: str) -> ModuleType:
    """Import a package of engines on first use."""
    if name not in _PACKAGES:
        raise AttributeError(f"module 'solvers' has no attribute {name!r}")
    return importlib.import_module(_PACKAGES[name])

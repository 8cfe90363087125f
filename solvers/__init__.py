"""Engines: linear and mixed-integer programs with certificates. No HPC word in here."""

from solvers.algebra import from_pulp
from solvers.brute_force import brute_force
from solvers.certify import SOLVERS, solve
from solvers.client import SolverError
from solvers.milp import Milp, MilpBuilder, ModelError
from solvers.result import Certificate, Level, Result, Status, Stop
from solvers.session import Session

__all__ = [
    "SOLVERS",
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
    "from_pulp",
    "solve",
]

"""Engines: linear and mixed-integer programs with certificates. No HPC word in here."""

from solvers.certify import SOLVERS, solve
from solvers.model.algebra import from_pulp
from solvers.model.milp import Milp, MilpBuilder, ModelError
from solvers.model.result import Certificate, Level, Result, Status, Stop
from solvers.process.client import SolverError
from solvers.proofs.brute_force import brute_force
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

"""Vertices of a graph on slots in nested units: what is parted further out costs more.

The first solve imports numba and compiles; importing this package does not.
"""

from solvers.mapping.check import violations
from solvers.mapping.outcome import Mapping
from solvers.mapping.problem import Problem, total
from solvers.mapping.solve import solve

__all__ = ["Mapping", "Problem", "solve", "total", "violations"]

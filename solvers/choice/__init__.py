"""One item of each of many classes under a few budgets, with a bound of its own.

The first solve imports numba and compiles; importing this package does not.
"""

from solvers.choice.check import violations
from solvers.choice.outcome import ChoiceResult
from solvers.choice.problem import Choice
from solvers.choice.program import formulate
from solvers.choice.solve import METHODS, solve_choice

__all__ = ["METHODS", "Choice", "ChoiceResult", "formulate", "solve_choice", "violations"]

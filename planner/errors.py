"""Errors that explain why there is no plan."""

from __future__ import annotations


class PlanError(Exception):
    """No plan exists, or a question cannot be answered from what is given; says why."""


class InputError(PlanError):
    """No decision is possible with the given input; the input must change."""


class InfeasibleError(PlanError):
    """No choice satisfies all constraints, by the word of more than one solver."""


class OutsideMeasuredError(PlanError):
    """A run time was asked for at a node count that was not measured."""


class TooLargeError(PlanError):
    """A reference formulation would be too large for plain algebra; an engine is needed."""

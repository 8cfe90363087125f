"""Why there is no plan."""

from __future__ import annotations


class PlanError(Exception):
    """No plan exists, or a question cannot be answered from what is given; says why."""


class OutsideMeasuredError(PlanError):
    """A run time was asked for at a node count that was not measured."""

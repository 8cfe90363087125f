"""Numbers of packages, lots and criteria, by which formulas of a workbook find rows."""

from __future__ import annotations

from planner.award.result import AwardResult

_GROUPS = 1000
"""More than the criteria of any scheme: the number of a lot comes before that of a criterion."""


def package_numbers(result: AwardResult) -> dict[str, int]:
    """Number of each package by its name."""
    return {each.name: at for at, each in enumerate(result.tender.candidates, start=1)}


def lot_number(result: AwardResult, lot: str) -> int:
    """Number of a lot."""
    return 1 + result.tender.lots.index(lot)


def criterion_number(result: AwardResult, name: str) -> int:
    """Number of a criterion."""
    return 1 + [each.name for each in result.scheme.criteria].index(name)


def group_number(result: AwardResult, lot: str, criterion: str) -> int:
    """One number for a lot and a criterion."""
    return _GROUPS * lot_number(result, lot) + criterion_number(result, criterion)


def rounded_formula(result: AwardResult, formula: str) -> str:
    """A formula with the rounding of the scheme."""
    decimals = result.scheme.decimals
    return formula if decimals is None else f"ROUND({formula},{decimals})"

"""Limits that a choice hands over to the back ends."""

from __future__ import annotations

from typing import Any

import pytest

import solvers
from solvers.choice import Choice, ChoiceResult, formulate, solve_choice

SMALL = Choice.from_tables(
    [([3, 1, 2], [[0], [2], [1]]), ([5, 2, 4], [[1], [4], [2]]), ([7, 3], [[0], [3]])], [5]
)


def options(result: solvers.Result | ChoiceResult) -> dict[str, Any]:
    """What the one back end that was asked was given."""
    (given,) = result.certificate.options.values()
    return dict(given)


def test_nodes_and_presolve_reach_highs() -> None:
    given = options(solve_choice(SMALL, method="highs", node_limit=7, presolve=False))
    assert (given["mip_max_nodes"], given["presolve"]) == (7, "off")
    assert options(solve_choice(SMALL, method="highs"))["presolve"] == "choose"
    assert options(solvers.solve(formulate(SMALL), presolve=False))["presolve"] == "off"


def test_nodes_reach_cbc() -> None:
    given = options(solve_choice(SMALL, method="cbc", node_limit=7, presolve=False))
    assert (given["maxNodes"], given["presolve"]) == (7, "off")


def test_a_negative_node_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="node_limit = -1"):
        solve_choice(SMALL, node_limit=-1)

"""Limits that a choice hands over to the back ends."""

from __future__ import annotations

import pytest

import solvers
from solvers.choice import Choice, formulate, solve_choice

SMALL = Choice.from_tables(
    [([3, 1, 2], [[0], [2], [1]]), ([5, 2, 4], [[1], [4], [2]]), ([7, 3], [[0], [3]])], [5]
)


def test_nodes_and_presolve_reach_highs() -> None:
    given = solve_choice(SMALL, method="highs", node_limit=7, presolve=False).certificate.options
    assert (given["mip_max_nodes"], given["presolve"]) == (7, "off")
    plain = solve_choice(SMALL, method="highs").certificate.options
    assert plain["presolve"] == "choose"
    assert solvers.solve(formulate(SMALL), presolve=False).certificate.options["presolve"] == "off"


def test_nodes_reach_cbc() -> None:
    given = solve_choice(SMALL, method="cbc", node_limit=7, presolve=False).certificate.options
    assert (given["maxNodes"], given["presolve"]) == (7, "off")


def test_a_negative_node_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="node_limit = -1"):
        solve_choice(SMALL, node_limit=-1)

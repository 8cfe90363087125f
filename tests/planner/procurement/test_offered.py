"""Workloads on figures of packages, against every purchase of random small tenders."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from planner.errors import InputError, PlanError
from planner.procurement.from_scenario import problem_from
from planner.procurement.problem import REGIMES
from tests.planner.procurement.catalogues import scenario
from tests.planner.procurement.offered import as_tables, offered_tender
from tests.planner.procurement.tenders import best_tender
from tests.planner.procurement.test_tenders import assert_best
from tests.sizes import few


@pytest.mark.parametrize("seed", range(few(200)))
def test_the_plan_equals_the_best_of_every_purchase(seed: int) -> None:
    raw = offered_tender(seed)
    plain = as_tables(raw)
    regime = REGIMES[seed % 3]
    try:
        same = problem_from(scenario(plain)).under(regime)
    except (PlanError, ValidationError):  # nothing runs a workload: its table has no row
        with pytest.raises(PlanError):
            problem_from(scenario(raw))
        return
    problem = problem_from(scenario(raw)).under(regime)
    assert_best(problem, best_tender(plain, same))


def test_figures_over_quoted_nodes_are_the_merit_of_one_node() -> None:
    """9 over 3 nodes, relative to 2.5: 1.2 a node."""
    raw = offered_tender(0)
    raw["workloads"] = raw["workloads"][:1]
    raw["workloads"][0] |= {"name": "HPL", "kinds": []}
    raw["workloads"][0]["performance"] = {"kind": "offered", "reference_figure_of_merit": 2.5}
    raw.pop("demands", None)
    raw["requirements"] = {}
    node = raw["node_types"][0]["name"]
    raw["lots"] = [{"name": "L"}]
    raw["vendor_terms"] = []
    line = {"kind": "node", "item": "N", "name": node, "price": 9000.0, "quantity": 3}
    figure = {"name": "HPL", "value": 9.0}
    package = {"name": "P", "vendor": "V", "lot": "L", "lines": [line], "figures": [figure]}
    raw["packages"] = [package]
    problem = problem_from(scenario(raw))
    uncapped = int(np.flatnonzero(problem.mode_offer == problem.offer_index(node))[-1])
    assert problem.merit[uncapped, 0] == pytest.approx(1.2)
    assert not np.delete(problem.merit[:, 0], uncapped).any()


def test_a_figure_of_several_node_types_is_an_error() -> None:
    raw = offered_tender(0)
    a, b = (entry["name"] for entry in raw["node_types"][:2])
    lines = [
        {"kind": "node", "item": "N", "name": name, "price": 9000.0, "quantity": 2}
        for name in (a, b)
    ]
    name = raw["workloads"][0]["name"]
    raw["workloads"][0]["performance"] = {"kind": "offered", "reference_figure_of_merit": 2.5}
    raw["workloads"][0]["kinds"] = []
    package = {"name": "P", "vendor": "V", "lot": raw["lots"][0]["name"], "lines": lines}
    raw["packages"] = [package | {"figures": [{"name": name, "value": 4.0}]}]
    raw["vendor_terms"] = []
    with pytest.raises(InputError, match="is of several node types"):
        problem_from(scenario(raw))

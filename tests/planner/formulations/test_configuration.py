"""One job: reference by both solvers, engine and enumeration take the same configuration."""

from __future__ import annotations

import numpy as np
import pytest

from planner.configurations import selection
from planner.configurations.selection import Bound, violations
from planner.configurations.table import Configuration, ConfigurationTable
from planner.decimals import decimal
from planner.errors import InputError, PlanError
from planner.formulations import configuration
from solvers import Status
from tests.planner.formulations.cases import CASES, KINDS, random_bound, random_table, solvers_of
from tests.sizes import few

TWO = ConfigurationTable(
    "a", np.array([8, 16]), np.array([16, 16]), np.array([115.0, 115.0]),
    np.array([14.0, 7.3]), np.array([1640.0, 3230.0]),
)  # fmt: skip


def enumerated(table: ConfigurationTable, bound: Bound) -> Configuration | None:
    """The first by the rules of the docstring, of the rows within the bound in exact decimals."""
    usable = decimal(bound.usable_w) * (1 + decimal(1e-12))
    inside = [
        row
        for row in table.rows(np.arange(len(table)))
        if decimal(row.power_w) <= usable * (1 - decimal(table.guard) if row.predicted else 1)
    ]
    if not inside:
        return None
    return min(
        inside,
        key=lambda r: (r.time_s, r.power_w, r.nodes, r.cores_per_node, r.package_cap_w),
    )


def test_two_configurations_by_hand() -> None:
    # 3,230 W break the bound of 3,000 W, so the 8 nodes of 1,640 W remain
    choice = configuration.best(TWO, Bound(3000))
    assert (choice.plan.nodes, choice.certificate.objective) == (8, 14.0)
    assert configuration.best(TWO, Bound(3230)).plan.nodes == 16
    model, x = configuration.formulate(TWO, Bound(3000))
    assert [v.name for v in x] == ["x_0", "x_1"]
    assert [c.name for c in model.constraints()] == ["one", "power"]


@pytest.mark.parametrize("seed", range(few(CASES)))
def test_reference_engine_and_enumeration_take_the_same(seed: int) -> None:
    rng, kind = np.random.default_rng([18, seed]), seed % KINDS
    table = random_table(rng, kind)
    bound = random_bound(rng, kind, table)
    expected = enumerated(table, bound)
    if expected is None:
        with pytest.raises(PlanError, match="fits"):
            selection.best(table, bound)
        for solver in solvers_of(seed):
            with pytest.raises(PlanError, match="no choice satisfies all constraints"):
                configuration.best(table, bound, solver=solver)
        return
    assert selection.best(table, bound) == expected
    for solver in solvers_of(seed):
        choice = configuration.best(table, bound, solver=solver)
        assert choice.plan == expected
        assert violations(table, bound, choice.plan) == []
        assert choice.certificate.status is Status.OPTIMAL
        assert choice.certificate.objective == pytest.approx(expected.time_s, rel=1e-9)


def test_violations_name_what_is_wrong() -> None:
    heavy = TWO.row(1)
    assert violations(TWO, Bound(3000), heavy) == ["(16 x 16, 115 W) draws 3,230 W, above 3,000 W"]
    other = Configuration(4, 4, 51.0, 1.0, 1.0)
    assert violations(TWO, Bound(3000), other) == ["(4 x 4, 51 W) is not in the table of a"]


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(InputError, match="unknown solver 'abacus'; choose one of"):
        configuration.best(TWO, Bound(3000), solver="abacus")
    long = TWO.take(np.zeros(70_000, dtype=int))
    with pytest.raises(
        PlanError, match="configuration would have 210,000 nonzeros, more than 200,000"
    ):
        configuration.formulate(long, Bound(3000))

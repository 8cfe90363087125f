"""Table 4.1: what a core-hour of Hopper costs."""

from __future__ import annotations

import pytest

from planner.designs.core_hour import core_hour_cost
from planner.designs.study import DesignStudy
from planner.errors import PlanError
from scenarios.model.scenario import Budget, Machine


def test_table_4_1(hopper: DesignStudy) -> None:
    cost = hopper.core_hour
    assert cost is not None
    assert cost.acquisition_per_year == 13_000_000
    assert cost.maintenance_per_year == 5_200_000
    assert cost.operation_per_year == 8_100_000
    assert cost.total_per_year == 21_100_000
    assert cost.core_hours_per_year == 1_142_275_968  # 153,408 x 8,760 x 0.85
    assert cost.cost_per_core_hour == pytest.approx(0.018472, abs=5e-7)


def test_both_power_figures_are_priced_beside_the_stated_one(hopper: DesignStudy) -> None:
    cost = hopper.core_hour
    assert cost is not None
    assert cost.energy_provisioned_per_year == pytest.approx(2_628_000)  # 3 MW [F40]
    assert cost.energy_used_per_year == pytest.approx(2_277_600)  # 2.6 MW
    # 18.5 million and this over the core-hours
    assert cost.cost_per_core_hour_used == pytest.approx(0.018190, abs=5e-7)


def test_without_any_energy_figure_it_says_what_to_give() -> None:
    machine = Machine(name="m", cores=10, utilisation=0.5)
    with pytest.raises(PlanError, match=r"give budget\.energy_per_year"):
        core_hour_cost(Budget(capital=1.0), machine)


def test_energy_is_computed_from_power_where_it_is_not_stated() -> None:
    machine = Machine(name="m", cores=1000, utilisation=1.0, power_used_w=1000.0)
    cost = core_hour_cost(
        Budget(capital=8760.0, lifetime_years=1, energy_price_per_kwh=1.0), machine
    )
    assert cost.energy_per_year == 8760
    assert cost.cost_per_core_hour == pytest.approx(2 * 8760 / 8_760_000)


def test_the_provisioned_power_is_billed_before_the_used_one() -> None:
    machine = Machine(
        name="m", cores=1, utilisation=1.0, power_provisioned_w=2000.0, power_used_w=1000.0
    )
    cost = core_hour_cost(Budget(capital=1.0, energy_price_per_kwh=1.0), machine)
    assert cost.energy_per_year == 2 * 8760

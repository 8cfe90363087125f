"""Cost per utilised core-hour of a machine (Table 4.1 of the overprovisioning thesis)."""

from __future__ import annotations

from dataclasses import dataclass

from planner.errors import PlanError
from scenarios.model.scenario import Budget, Machine

HOURS_PER_YEAR = 8760


@dataclass(frozen=True)
class CoreHourCost:
    """Costs per year in the budget's currency, and per used core-hour.

    Attributes
    ----------
    energy_per_year
        What is billed: as stated, or price x provisioned power, or x used power.
    energy_provisioned_per_year, energy_used_per_year
        The same computed from the two power figures, ``None`` where one is missing.
    cost_per_core_hour
        The result with the billed energy.
    cost_per_core_hour_provisioned, cost_per_core_hour_used
        The result had the provisioned or the used power been billed.
    """

    machine: str
    currency: str
    acquisition_per_year: float
    maintenance_per_year: float
    energy_per_year: float
    staff_per_year: float
    operation_per_year: float
    total_per_year: float
    core_hours_per_year: float
    cost_per_core_hour: float
    energy_stated: bool
    energy_provisioned_per_year: float | None
    energy_used_per_year: float | None
    cost_per_core_hour_provisioned: float | None
    cost_per_core_hour_used: float | None


def core_hour_cost(budget: Budget, machine: Machine) -> CoreHourCost:
    """Total yearly cost over utilised core-hours.

    ``cost = (capital / lifetime + maintenance + energy + staff) / (cores x 8760 h x utilisation)``

    Raises
    ------
    PlanError
        Capital is missing, or neither the energy cost nor what it takes to compute it is given.

    References
    ----------
    Overprovisioning thesis, section 4.1 and Table 4.1; it bills the provisioned 3 MW, though
    2.6 MW were used.
    """
    if budget.capital is None:
        raise PlanError("budget.capital is missing; a cost per core-hour needs it")
    provisioned = _energy(budget, machine.power_provisioned_w)
    used = _energy(budget, machine.power_used_w)
    energy = budget.energy_per_year
    if energy is None:
        energy = provisioned if provisioned is not None else used
    if energy is None:
        raise PlanError(
            "the energy cost is unknown; give budget.energy_per_year, or "
            "machine.power_provisioned_w with budget.energy_price_per_kwh"
        )
    acquisition = budget.capital / budget.lifetime_years
    maintenance = budget.maintenance_fraction_per_year * budget.capital
    fixed = acquisition + maintenance + budget.staff_per_year
    core_hours = machine.cores * HOURS_PER_YEAR * machine.utilisation
    return CoreHourCost(
        machine=machine.name,
        currency=budget.currency,
        acquisition_per_year=acquisition,
        maintenance_per_year=maintenance,
        energy_per_year=energy,
        staff_per_year=budget.staff_per_year,
        operation_per_year=maintenance + energy + budget.staff_per_year,
        total_per_year=fixed + energy,
        core_hours_per_year=core_hours,
        cost_per_core_hour=(fixed + energy) / core_hours,
        energy_stated=budget.energy_per_year is not None,
        energy_provisioned_per_year=provisioned,
        energy_used_per_year=used,
        cost_per_core_hour_provisioned=_per_hour(fixed, provisioned, core_hours),
        cost_per_core_hour_used=_per_hour(fixed, used, core_hours),
    )


def _energy(budget: Budget, power_w: float | None) -> float | None:
    if power_w is None:
        return None
    return power_w / 1000 * HOURS_PER_YEAR * budget.energy_price_per_kwh


def _per_hour(fixed: float, energy: float | None, core_hours: float) -> float | None:
    return None if energy is None else (fixed + energy) / core_hours

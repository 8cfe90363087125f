"""What a package draws and costs after its purchase, in exact fractions."""

from __future__ import annotations

from fractions import Fraction

from planner.decimals import decimal
from planner.errors import InputError
from scenarios.model.scenario import Budget, Scenario
from scenarios.model.tender import Package
from scenarios.package_bill import PackageBill
from solvers.portable import power

HOURS_PER_YEAR = 8760


def energy_kwh_per_year(scenario: Scenario, package: Package, bill: PackageBill) -> Fraction:
    """Energy at the feed, in kWh per year.

    Nodes draw their peak power while they run jobs (``budget.utilisation``) and are idle
    otherwise; all other lines draw their watts all the time.

    Raises
    ------
    InputError
        A node type states no power.
    """
    utilisation = decimal((scenario.budget or Budget()).utilisation)
    watts = bill.watts
    for each in bill.lines:
        if each.line.kind != "node":
            continue
        node = next((n for n in scenario.node_types if n.name == each.line.name), None)
        if node is None or node.peak_w is None or (node.idle_w is None and utilisation < 1):
            raise InputError(
                f"package {package.name!r}: node type {each.line.name!r} has no peak_w and "
                "idle_w, which the energy needs; add them to [[node_types]]"
            )
        idle = decimal(node.idle_w or 0.0)
        watts += each.quantity * (utilisation * decimal(node.peak_w) + (1 - utilisation) * idle)
    feed = scenario.power
    if feed is not None:
        watts *= decimal(feed.pue) / (1 - decimal(feed.conversion_loss))
    return watts * HOURS_PER_YEAR / 1000


def total_cost(scenario: Scenario, package: Package, bill: PackageBill) -> Fraction:
    """Price, and the present value of maintenance, yearly lines and energy over the lifetime.

    Staff costs the same for every package and is left out.

    Raises
    ------
    InputError
        There is no budget, or a node type states no power.
    """
    budget = scenario.budget
    if budget is None:
        raise InputError(
            f"{scenario.name}: the total cost needs [budget] with lifetime_years; add it"
        )
    price = Fraction(bill.total)
    yearly = Fraction(bill.per_year) + decimal(budget.maintenance_fraction_per_year) * price
    energy = energy_price(budget)
    if energy:
        yearly += energy * energy_kwh_per_year(scenario, package, bill)
    return price + annuity(budget) * yearly


def energy_price(budget: Budget) -> Fraction:
    """Expected price of one kWh."""
    if not budget.energy_prices:
        return decimal(budget.energy_price_per_kwh)
    return sum(
        (decimal(each.price_per_kwh) * decimal(each.probability) for each in budget.energy_prices),
        Fraction(0),
    )


def annuity(budget: Budget) -> Fraction:
    """Present value of one unit a year: exact for whole years, else with 12 digits."""
    years, rate = decimal(budget.lifetime_years), decimal(budget.discount_rate)
    if not rate:
        return years
    if years.denominator == 1:
        return (1 - 1 / (1 + rate) ** int(years)) / rate
    shrunk = power(1 + budget.discount_rate, -budget.lifetime_years)
    return Fraction(f"{(1 - shrunk) / budget.discount_rate:.12g}")

"""What a package draws and costs after its purchase, in exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from planner.decimals import decimal
from planner.errors import InputError
from scenarios.model.scenario import Budget, Scenario
from scenarios.model.tender import Package
from scenarios.package_bill import BilledLine, PackageBill

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
    watts = Fraction(0)
    for each in bill.lines:
        mean = mean_w(scenario, each)
        if mean is None:
            raise InputError(
                f"package {package.name!r}: node type {each.line.name!r} has no peak_w and "
                "idle_w, which the energy needs; add them to [[node_types]]"
            )
        watts += mean
    return watts * kwh_per_watt(scenario)


def mean_w(scenario: Scenario, each: BilledLine) -> Fraction | None:
    """Mean IT power of all units of a line; ``None`` where a node type does not state it."""
    utilisation = decimal((scenario.budget or Budget()).utilisation)
    idle, peak = powers_w(scenario, each)
    if peak is None or (idle is None and utilisation < 1):
        return None
    return each.quantity * (utilisation * decimal(peak) + (1 - utilisation) * decimal(idle or 0.0))


def powers_w(scenario: Scenario, each: BilledLine) -> tuple[float | None, float | None]:
    """Idle and peak power of one unit, as far as they are stated."""
    if each.line.kind != "node":
        return each.line.watts, each.line.watts
    node = next((n for n in scenario.node_types if n.name == each.line.name), None)
    return (None, None) if node is None else (node.idle_w, node.peak_w)


def kwh_per_watt(scenario: Scenario) -> Fraction:
    """Energy of a year at the feed for one watt of mean IT power."""
    feed = scenario.power
    per_it = decimal(feed.pue) / (1 - decimal(feed.conversion_loss)) if feed else Fraction(1)
    return per_it * HOURS_PER_YEAR / 1000


def total_cost(scenario: Scenario, bills: Sequence[PackageBill]) -> Fraction:
    """Price of packages, and the present value of all that :func:`cost_parts` has."""
    return sum(cost_parts(scenario, bills).values(), Fraction(0))


def has_total_cost(scenario: Scenario, bills: Sequence[PackageBill]) -> bool:
    """Whether there is a budget, and the power of all nodes where energy has a price."""
    if scenario.budget is None:
        return False
    watts = [mean_w(scenario, line) for each in bills for line in each.lines]
    return not energy_price(scenario.budget) or None not in watts


def cost_parts(scenario: Scenario, bills: Sequence[PackageBill]) -> dict[str, Fraction]:
    """Prices before discounts of vendors; present values of maintenance with yearly lines, energy.

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
    price = sum((Fraction(each.total) for each in bills), Fraction(0))
    yearly = sum((Fraction(each.per_year) for each in bills), Fraction(0))
    yearly += decimal(budget.maintenance_fraction_per_year) * price
    energy = energy_price(budget)
    if energy:
        energy *= sum(energy_kwh_per_year(scenario, each.package, each) for each in bills)
    years = annuity(budget)
    return {"price": price, "maintenance": years * yearly, "energy": years * energy}


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
    from solvers.portable import power  # parts of years are rare, and solvers load slowly

    shrunk = power(1 + budget.discount_rate, -budget.lifetime_years)
    return Fraction(f"{(1 - shrunk) / budget.discount_rate:.12g}")

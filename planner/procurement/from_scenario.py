"""The procurement problem of a scenario: quotes, site, demand and requirements as arrays."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from planner.errors import InputError, PlanError
from planner.procurement.as_sold import as_sold
from planner.procurement.offered import per_node, used_figures
from planner.procurement.performance import (
    Mode,
    may_run,
    modes_of,
    partitions,
    rated,
    reference_time_s,
    running,
)
from planner.procurement.problem import (
    EXPIRED,
    LATE,
    NODE_MEMORY,
    RACK_POWER,
    UNLIMITED,
    UNSTATED,
    Capability,
    Excluded,
    Floats,
    Limits,
    Offer,
    OfferedMerit,
    PackageOffer,
    Prices,
    Problem,
    Tier,
    multiples,
    nodes_in_a_rack,
)
from scenarios.model.node_types import NodeType
from scenarios.model.procurement import Facility, Procurement, Reference
from scenarios.model.scenario import Budget, Power, Scenario, Workload
from scenarios.model.tender import Package
from solvers.portable import product

_MOST_NAMED = 5


def problem_from(scenario: Scenario, *, barred: bool = False) -> Problem:
    """Everything that the procurement decision needs, from a scenario.

    Parameters
    ----------
    barred
        Whether quotes that cannot be bought stay among the offers, of which none is sold: for
        questions about the rules that exclude them.

    Returns
    -------
    Problem
        Arrays with units in their names, and no files.

    Raises
    ------
    InputError
        The scenario does not ask, or what it gives cannot make a decision.
    PlanError
        No quote can be bought.
    """
    scenario = as_sold(scenario)
    question, reference = scenario.procurement, scenario.reference
    if question is None or scenario.power is None or reference is None:
        raise InputError("a procurement needs [procurement], [power] and [reference]; add them")
    facility = scenario.facility or Facility()
    bought, excluded = _on_offer(scenario, question, facility)
    if barred:
        bought = [node_type for node_type in scenario.node_types if not unstated(node_type)]
    packages, bought = _on_sale(scenario, bought, excluded)
    if not bought:
        reasons = "; ".join(f"{exclusion.name}: {exclusion.reason}" for exclusion in excluded)
        raise PlanError(f"no quote can be bought. {reasons}")
    working = tuple(
        mode for index, node_type in enumerate(bought) for mode in modes_of(index, node_type)
    )
    modes = working + tuple(Mode(len(bought) + p, None, 0.0) for p in range(len(packages)))
    requirements = scenario.requirements
    capacity = _counted(rated(scenario, "throughput"), requirements.throughput)
    capability = _counted(rated(scenario, "time_to_solution"), requirements.time_to_solution_s)
    offered = per_node(scenario)
    merit = np.zeros((len(modes), len(capacity)))
    drawn_w = np.tile(np.array([mode.node_w for mode in modes])[:, None], (1, len(capacity)))
    for row, mode in enumerate(working):
        for column, workload in enumerate(capacity):
            rate = running(workload, bought[mode.offer], mode, reference, offered)
            if rate is not None:
                merit[row, column], drawn_w[row, column] = rate.merit, rate.drawn_w
    _all_run(capacity, merit, scenario, excluded, offered)
    mixes = _mixes(scenario, [w.name for w in capacity + capability])
    demands = tuple(demand.name for demand in scenario.demands) or ("mix",)
    shape = _ratings(question, capacity, mixes[:, : len(capacity)], demands)
    least_work = _least_work(scenario, [w.name for w in capacity], shape.demand)
    probability = np.array([demand.probability for demand in scenario.demands] or [1.0])
    energy = product(probability, shape.weight)
    return Problem(
        name=scenario.name,
        regime=question.regime,
        offers=(
            *(_offer(node_type, facility, scenario, excluded, packages) for node_type in bought),
            *(_carrier(package, p) for p, package in enumerate(packages)),
        ),
        excluded=tuple(excluded),
        modes=modes,
        workloads=tuple(w.name for w in capacity),
        capabilities=tuple(
            _capability(w, scenario, bought, working, reference) for w in capability
        ),
        scenario_names=demands,
        rating_names=shape.names,
        merit=merit,
        drawn_w=drawn_w,
        demand=shape.demand,
        rating_weight=shape.weight,
        capability_weight=mixes[:, len(capacity) :],
        probability=probability,
        least_work=least_work,
        energy_weight=_shares(energy),
        reference_nodes=reference.nodes,
        cvar_weight=question.cvar_weight,
        cvar_level=question.cvar_level,
        limits=_limits(scenario.power, facility, scenario.budget),
        fixed_w=scenario.power.fixed_w,
        prices=_prices(scenario),
        network=scenario.network,
        least_nodes=scenario.requirements.nodes,
        least_memory_gb=scenario.requirements.total_memory_gb,
        shares=scenario.requirements.shares,
        most_vendors=question.most_vendors,
        most_node_types=question.most_node_types,
        rack_w=UNLIMITED if facility.rack_w is None else facility.rack_w,
        lots=scenario.lots,
        packages=tuple(
            _package(package, p, scenario, bought) for p, package in enumerate(packages)
        ),
        vendor_terms=scenario.vendor_terms,
        offered=tuple(_offered_merits(scenario, capacity, bought, packages)),
    )


def _offered_merits(
    scenario: Scenario,
    capacity: Sequence[Workload],
    bought: Sequence[NodeType],
    packages: Sequence[Package],
) -> Iterator[OfferedMerit]:
    """Figures of packages on sale that a workload which counts has its performance from."""
    columns = {workload.name: column for column, workload in enumerate(capacity)}
    offers = {node_type.name: index for index, node_type in enumerate(bought)}
    sold = {package.name: number for number, package in enumerate(packages)}
    for each in used_figures(scenario):
        if each.workload in columns and each.node_type in offers and each.package in sold:
            yield OfferedMerit(
                columns[each.workload], offers[each.node_type], sold[each.package], each.figure
            )


def _on_sale(
    scenario: Scenario, bought: list[NodeType], excluded: list[Excluded]
) -> tuple[list[Package], list[NodeType]]:
    """Packages that can be bought, and the node types without those of the others.

    A package is not on sale if a node type that it must hold cannot be bought.
    """
    known = {node_type.name for node_type in bought}
    reasons = {exclusion.name: exclusion for exclusion in excluded}
    packages = []
    for package in scenario.packages:
        names = {line.name or "" for line in package.node_lines}
        needed = [line.name or "" for line in package.node_lines if package.limits(line)[0]]
        missing = [reasons[name] for name in needed if name not in known]
        if not missing:
            packages.append(package)
            continue
        bought = [node_type for node_type in bought if node_type.name not in names]
        text = "; ".join(f"{each.name}: {each.reason}" for each in missing)
        rules = tuple(dict.fromkeys(rule for each in missing for rule in each.rules))
        excluded += [
            Excluded(name, package.vendor, f"its package {package.name} has {text}", rules)
            for name in sorted(names & known)
        ]
    return packages, bought


def _package(
    package: Package, number: int, scenario: Scenario, bought: Sequence[NodeType]
) -> PackageOffer:
    places = {node_type.name: index for index, node_type in enumerate(bought)}
    return PackageOffer(
        package=package,
        lot=[lot.name for lot in scenario.lots].index(package.lot),
        carrier=len(bought) + number,
        nodes=tuple(places[line.name] for line in package.node_lines if line.name in places),
    )


def _carrier(package: Package, number: int) -> Offer:
    """The offer that stands for a package: one node that does nothing."""
    return Offer(
        name=package.name,
        title=package.title,
        vendor=package.vendor,
        kind="",
        tiers=(Tier(1, 1, 0.0),),
        idle_w=0.0,
        peak_w=0.0,
        nodes_per_rack=None,
        ports=0,
        memory_gb=0.0,
        cores=0,
        cooling="air",
        as_bid=1,
        embodied_kg=0.0,
        package=number,
        carrier=True,
    )


def _shares(weights: Floats) -> Floats:
    """Weights that sum to 1; even ones where all are zero."""
    if not weights.any():
        weights = np.ones_like(weights)
    return np.asarray(weights / weights.sum() if len(weights) else weights, dtype=np.float64)


def _on_offer(
    scenario: Scenario, question: Procurement, facility: Facility
) -> tuple[list[NodeType], list[Excluded]]:
    """Quotes that can be bought, and the others with the reason."""
    bought, excluded = [], []
    for node_type in scenario.node_types:
        reasons = dict(_reasons_against(node_type, scenario, question, facility))
        if reasons:
            text, rules = "; ".join(reasons.values()), tuple(reasons)
            excluded.append(Excluded(node_type.name, node_type.vendor or "", text, rules))
        else:
            bought.append(node_type)
    return bought, excluded


def unstated(node_type: NodeType) -> str:
    """What a quote must state and does not; empty if nothing is missing."""
    needed = ("price", "idle_w", "peak_w", "vendor")
    return next((key for key in needed if getattr(node_type, key) is None), "")


def _reasons_against(
    node_type: NodeType, scenario: Scenario, question: Procurement, facility: Facility
) -> Iterator[tuple[str, str]]:
    """Every rule that excludes a quote, with the reason in words."""
    mandate, today = scenario.requirements, question.decided_on
    if missing := unstated(node_type):
        yield UNSTATED, f"{missing} is not stated"
    if today and node_type.valid_until and node_type.valid_until < today:
        yield EXPIRED, f"the quote ended on {node_type.valid_until}, before the decision on {today}"
    delivery, by = delivery_day(node_type, today), mandate.delivered_by
    if by and (node_type.lead_weeks is None or today is None):
        missing = "decided_on" if node_type.lead_weeks is not None else "lead_weeks"
        yield LATE, f"{missing} is not stated, so nothing shows delivery by {by}"
    elif by and delivery and delivery > by:
        yield LATE, f"delivery on {delivery} is later than {by}"
    if mandate.node_memory_gb > (node_type.memory_gb or 0.0):
        holds = f"{node_type.memory_gb or 0:g} GB of memory are less than the "
        yield NODE_MEMORY, holds + f"{mandate.node_memory_gb:g} GB that every node needs"
    if facility.rack_w is not None and (node_type.peak_w or 0.0) > facility.rack_w:
        yield RACK_POWER, f"one node's peak exceeds the {facility.rack_w:g} W of a rack"


def delivery_day(node_type: NodeType, decided_on: dt.date | None) -> dt.date | None:
    """Day of delivery, where both the order's day and the lead time are known."""
    if decided_on is None or node_type.lead_weeks is None:
        return None
    return decided_on + dt.timedelta(weeks=node_type.lead_weeks)


def _offer(
    node_type: NodeType,
    facility: Facility,
    scenario: Scenario,
    excluded: Sequence[Excluded],
    packages: Sequence[Package],
) -> Offer:
    peak_w = node_type.peak_w or 0.0
    room = node_type.nodes_per_rack or (scenario.rack.nodes if scenario.rack else None)
    mine = next(
        (
            p
            for p, package in enumerate(packages)
            if any(line.name == node_type.name for line in package.node_lines)
        ),
        None,
    )
    kinds = set() if mine is None else {line.kind for line in packages[mine].lines}
    if "rack" in kinds:  # the package brings its own
        room = None
    rack_w = UNLIMITED if facility.rack_w is None else facility.rack_w
    return Offer(
        name=node_type.name,
        title=node_type.title,
        vendor=node_type.vendor or "",
        kind=node_type.kind or "",
        tiers=tiers_of(node_type),
        idle_w=node_type.idle_w or 0.0,
        peak_w=peak_w,
        nodes_per_rack=nodes_in_a_rack(room, rack_w, peak_w) or room,
        ports=0 if "network" in kinds else node_type.ports,
        memory_gb=node_type.memory_gb or 0.0,
        cores=node_type.cores or 0,
        cooling=node_type.cooling,
        as_bid=node_type.as_bid_quantity,
        embodied_kg=node_type.embodied_kg_co2e,
        rack_room=room,
        barred=next(
            (exclusion.rules for exclusion in excluded if exclusion.name == node_type.name), ()
        ),
        sold_in=node_type.sold_in,
        package=mine,
        attributes=node_type.attributes,
    )


def tiers_of(node_type: NodeType) -> tuple[Tier, ...]:
    """Ranges of quantities in which a node type is sold, each with its price."""
    minimum, maximum = node_type.minimum_quantity, node_type.maximum_quantity or 10**9
    starts = [(1, 0.0)] + [
        (discount.from_quantity, discount.fraction) for discount in node_type.discounts
    ]
    ends = [start - 1 for start, _ in starts[1:]] + [maximum]
    tiers = tuple(
        Tier(max(first, minimum), min(last, maximum), (node_type.price or 0.0) * (1 - fraction))
        for (first, fraction), last in zip(starts, ends, strict=True)
        if max(first, minimum) <= min(last, maximum)
    )
    return multiples(tiers, node_type.sold_in)


def _all_run(
    workloads: Sequence[Workload],
    merit: Floats,
    scenario: Scenario,
    excluded: Sequence[Excluded],
    offered: Mapping[tuple[str, str], float],
) -> None:
    """See that every workload runs on something that can be bought.

    Raises
    ------
    InputError
        One runs on no quote.
    PlanError
        One runs on excluded quotes only; they are named with why they are excluded.
    """
    left_out = [(scenario.node_type(exclusion.name), exclusion.reason) for exclusion in excluded]
    for column, workload in enumerate(workloads):
        if merit[:, column].any():
            continue
        would = [
            f"{exclusion.name} ({why})"
            for exclusion, why in left_out
            if may_run(workload, exclusion, offered)
        ]
        some = "; ".join(would[:_MOST_NAMED]) + ("; ..." if would[_MOST_NAMED:] else "")
        remedy = "give its performance on one, widen kinds, or leave it out"
        nothing = f"no node type that can be bought runs {workload.name}"
        if would:
            raise PlanError(
                f"{nothing}; quotes that would are excluded: {some}; mend that, or {remedy}"
            )
        raise InputError(f"{nothing}; {remedy}")


def _mixes(scenario: Scenario, names: list[str]) -> Floats:
    """Weights of all workloads in each demand scenario, shape ``(scenarios, workloads)``."""
    weight = {w.name: w.weight for w in scenario.workloads}
    rows = [
        [weight[name] * demand.factors.get(name, 1.0) for name in names]
        for demand in scenario.demands
    ] or [[weight[name] for name in names]]
    mixes = np.array(rows)
    totals = mixes.sum(axis=1)
    if not (totals > 0).all():
        raise InputError("a demand scenario asks for nothing at all; correct its factors")
    return np.asarray(mixes / totals[:, None], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Ratings:
    names: tuple[str, ...]
    demand: Floats
    weight: Floats


def _counted(workloads: Sequence[Workload], required: Mapping[str, float]) -> list[Workload]:
    """Workloads that count: those of some weight, and those with a requirement to meet."""
    return [workload for workload in workloads if workload.weight > 0 or workload.name in required]


def _ratings(
    question: Procurement, workloads: Sequence[Workload], mixes: Floats, demands: tuple[str, ...]
) -> _Ratings:
    """Allocations of the machine: one per mix or workload, and one per benchmark without weight.

    Such a benchmark has no share of a mix, so that the whole machine runs it alone.
    """
    names = [workload.name for workload in workloads]
    if question.workload_mode == "one_at_a_time":
        return _Ratings(tuple(names), np.eye(len(names)), mixes)
    totals = mixes.sum(axis=1)
    selected = np.flatnonzero(totals > 0)
    alone = [
        workload_index for workload_index, workload in enumerate(workloads) if workload.weight == 0
    ]
    demand = np.vstack([mixes[selected] / totals[selected][:, None], np.eye(len(names))[alone]])
    weight = np.zeros((len(mixes), len(demand)))
    weight[selected, np.arange(len(selected))] = totals[selected]
    rating_names = (*(demands[i] for i in selected), *(f"{names[i]} alone" for i in alone))
    return _Ratings(rating_names, demand, weight)


def _least_work(scenario: Scenario, names: list[str], demand: Floats) -> Floats:
    """Mandatory throughputs, ``(ratings, workloads)``, wherever the workload is asked for."""
    capacity = scenario.requirements.capacity
    weight = {workload.name: workload.weight for workload in scenario.workloads}
    least_work = np.where((demand > 0) & [weight[name] > 0 for name in names], capacity, 0.0)
    for name, value in scenario.requirements.throughput.items():
        if name not in names:
            raise InputError(
                f"requirements.throughput names {name!r}, which is not a throughput workload"
            )
        column = names.index(name)
        demanded = max(value, capacity) if weight[name] > 0 else value
        least_work[:, column] = np.where(demand[:, column] > 0, demanded, 0.0)
    return least_work


def _capability(
    workload: Workload,
    scenario: Scenario,
    bought: Sequence[NodeType],
    modes: tuple[Mode, ...],
    reference: Reference,
) -> Capability:
    largest = scenario.requirements.time_to_solution_s.get(workload.name, math.inf)
    every = partitions(workload, tuple(bought), modes, reference)
    return Capability(workload.name, reference_time_s(workload), tuple(every), largest)


def _limits(power: Power, facility: Facility, budget: Budget | None) -> Limits:
    def or_none(value: float | None) -> float:
        return UNLIMITED if value is None else float(value)

    return Limits(
        it_power_w=power.it_bound_w,
        liquid_w=or_none(facility.liquid_w),
        air_w=or_none(facility.air_w),
        capital=or_none(budget.capital if budget else None),
        operating=or_none(budget.operating_per_year if budget else None),
        racks=or_none(facility.racks),
    )


def _prices(scenario: Scenario) -> Prices:
    budget, power = scenario.budget or Budget(), scenario.power
    energy = tuple((e.price_per_kwh, e.probability) for e in budget.energy_prices)
    return Prices(
        currency=budget.currency,
        rack=scenario.rack.price if scenario.rack else 0.0,
        fixed_capital=budget.fixed_capital,
        installation=budget.installation_fraction,
        maintenance=budget.maintenance_fraction_per_year,
        staff=budget.staff_per_year,
        energy_prices=energy or ((budget.energy_price_per_kwh, 1.0),),
        every_price=budget.operating_holds == "every",
        lifetime_years=budget.lifetime_years,
        discount_rate=budget.discount_rate,
        utilisation=budget.utilisation,
        feed_per_it=1 / power.it_share if power else 1.0,
        carbon_g_per_kwh=power.carbon_g_per_kwh if power else 0.0,
    )

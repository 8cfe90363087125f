"""How people choose without a program: closed form, greedy, rounding, one type, quoted systems.

Each returns node counts per slot, which :func:`planner.procurement.plan.complete` turns into the
same kind of plan as the program's, so that the same checker judges all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from planner.errors import PlanError
from planner.procurement.bill import bill, operating_per_year
from planner.procurement.layout import Layout
from planner.procurement.optimise import Optimiser
from planner.procurement.package_limits import packages_fit
from planner.procurement.plan import Plan, headroom_w, offer_counts, renamed
from planner.procurement.problem import Floats, Problem
from planner.procurement.quantities import most_nodes
from scenarios.model.scenario import Scenario
from solvers.portable import product

Counts = list[int]
BID = "as quoted by "
"""How the method of a vendor's own system begins."""

_TOLERANCE = 1e-9


def fits(problem: Problem, lay: Layout, nodes: Counts) -> bool:
    """Whether a machine keeps to money, power, room and policy; requirements are not checked."""
    counts = offer_counts(problem, lay, nodes)
    try:
        paid = bill(problem, counts)
    except PlanError:
        return False
    limits, prices = problem.limits, problem.prices
    count = np.array(nodes, dtype=np.float64)
    idle_w = problem.fixed_w + paid.fabric_w
    idle_w += sum(o.idle_w * n for o, n in zip(problem.offers, counts, strict=True))
    year = operating_per_year(problem, paid, idle_w, prices.binding_energy_price)
    bought = [offer for offer, n in zip(problem.offers, counts, strict=True) if n]
    types = [offer for offer in bought if not offer.carrier]
    network = problem.network
    return (
        paid.capital <= limits.capital * (1 + _TOLERANCE)
        and sum(paid.racks) <= limits.racks
        and year <= limits.operating * (1 + _TOLERANCE)
        and bool((headroom_w(problem, lay, count, paid.fabric_w) >= -_TOLERANCE).all())
        and (network is None or paid.fabric.leaves <= network.spine_ports)
        and len(types) <= (problem.most_node_types or math.inf)
        and len({offer.vendor for offer in bought}) <= (problem.most_vendors or math.inf)
        and _one_cap_each(lay, nodes)
        and packages_fit(problem, paid)
    )


def _one_cap_each(lay: Layout, nodes: Counts) -> bool:
    used = [int(lay.slot_offer[slot]) for slot, count in enumerate(nodes) if count]
    return len(set(used)) == len(used)


def refill(problem: Problem, lay: Layout, nodes: Counts, order: list[int]) -> Counts:
    """Add as many nodes as fit, slot by slot in the given order."""
    maximum = most_nodes(problem, lay)
    for slot in order:
        offer = problem.offers[int(lay.slot_offer[slot])]
        if offer.sold_in > 1:
            nodes = _in_multiples(problem, lay, nodes, slot, maximum[int(lay.slot_offer[slot])])
            continue
        low, high = nodes[slot], max(nodes[slot], maximum[int(lay.slot_offer[slot])])
        minimum = offer.least
        if low == 0 and high >= minimum and not fits(problem, lay, _with(nodes, slot, minimum)):
            continue
        low = max(low, min(minimum, high))
        while low < high:
            middle = (low + high + 1) // 2
            if fits(problem, lay, _with(nodes, slot, middle)):
                low = middle
            else:
                high = middle - 1
        if fits(problem, lay, _with(nodes, slot, low)):
            nodes = _with(nodes, slot, low)
    return nodes


def _in_multiples(problem: Problem, lay: Layout, nodes: Counts, slot: int, maximum: int) -> Counts:
    """As many nodes of a type as fit that is sold in multiples."""
    step = problem.offers[int(lay.slot_offer[slot])].sold_in
    low, high = nodes[slot] // step, max(nodes[slot], maximum) // step
    minimum = -(-problem.offers[int(lay.slot_offer[slot])].least // step)
    if low == 0 and high >= minimum:
        low = minimum if fits(problem, lay, _with(nodes, slot, minimum * step)) else 0
        high = high if low else 0
    while low < high:
        middle = (low + high + 1) // 2
        if fits(problem, lay, _with(nodes, slot, middle * step)):
            low = middle
        else:
            high = middle - 1
    return _with(nodes, slot, low * step)


def repair(problem: Problem, lay: Layout, nodes: Counts, order: list[int]) -> Counts:
    """Shrink in proportion until the machine fits, then fill up what that left."""
    low, high = 0.0, 1.0
    if not fits(problem, lay, nodes):
        for _ in range(40):
            middle = (low + high) / 2
            if fits(problem, lay, _scaled(problem, lay, nodes, middle)):
                low = middle
            else:
                high = middle
        nodes = _scaled(problem, lay, nodes, low)
    return refill(problem, lay, nodes, order)


def _with(nodes: Counts, slot: int, count: int) -> Counts:
    return [*nodes[:slot], count, *nodes[slot + 1 :]]


def _scaled(problem: Problem, lay: Layout, nodes: Counts, factor: float) -> Counts:
    offers = [problem.offers[int(index)] for index in lay.slot_offer]
    scaled = [
        math.floor(n * factor) // offer.sold_in * offer.sold_in
        for n, offer in zip(nodes, offers, strict=True)
    ]
    return [n if n >= offer.least else 0 for n, offer in zip(scaled, offers, strict=True)]


def unit_price(problem: Problem, offer: int) -> float:
    """Price of one node of a type with its share of rack and network, before discounts."""
    quote, network = problem.offers[offer], problem.network
    price = quote.tiers[0].price
    if quote.nodes_per_rack:
        price += problem.prices.rack / quote.nodes_per_rack
    if network is not None:
        leaf = network.leaf_price + network.leaf_uplinks * (
            network.uplink_cable_price + network.spine_price / network.spine_ports
        )
        price += quote.ports * (network.node_cable_price + leaf / network.leaf_node_ports)
    return price * (1 + problem.prices.installation)


def value_by_slot(problem: Problem, lay: Layout) -> Floats:
    """Mean figure of merit of a node over the expected mix, per slot, uncapped; ``(slots,)``."""
    mix = product(problem.energy_weight, problem.demand)
    best = np.zeros((lay.slots, len(problem.workloads)))
    np.maximum.at(best, (lay.pair_slot, lay.pair_workload), lay.pair_merit)
    return np.asarray(product(best, mix), dtype=np.float64)


def ranking(problem: Problem, lay: Layout, per: str) -> list[int]:
    """Slots by value per unit of money or per watt of peak, best first."""
    value = value_by_slot(problem, lay)
    if per == "money":
        scale = np.array([unit_price(problem, int(o)) for o in lay.slot_offer])
    else:
        scale = _full_w(problem, lay)
    scale[[problem.offers[int(o)].carrier for o in lay.slot_offer]] = 1.0  # works on nothing
    return [int(slot) for slot in np.argsort(-value / scale, kind="stable")]


def _full_w(problem: Problem, lay: Layout) -> Floats:
    peak = np.array([offer.peak_w for offer in problem.offers])[lay.slot_offer]
    return np.where(lay.slot_mode >= 0, problem.mode_w[np.maximum(lay.slot_mode, 0)], peak)


def closed_forms(problem: Problem, lay: Layout) -> Iterator[Counts]:
    """The thesis's equations 4.1 to 4.4 for each type: floor(power), floor(money), the less."""
    limits = problem.limits
    for slot in range(lay.slots):
        offer = int(lay.slot_offer[slot])
        base_w = float(lay.base_w[slot])
        by_power = (limits.it_power_w - problem.fixed_w) / base_w if base_w else math.inf
        by_money = (limits.capital - problem.prices.fixed_capital) / unit_price(problem, offer)
        count = max(0, math.floor(min(by_power, by_money, 10**6)))
        nodes = repair(problem, lay, _with([0] * lay.slots, slot, count), [slot])
        if any(nodes):
            yield nodes


def greedy(problem: Problem, lay: Layout, per: str) -> Counts:
    """Each workload's share of the money goes to its best type per money or watt; then repair."""
    order = ranking(problem, lay, per)
    mix = product(problem.energy_weight, problem.demand)
    best = np.zeros((lay.slots, len(problem.workloads)))
    np.maximum.at(best, (lay.pair_slot, lay.pair_workload), lay.pair_merit)
    price = np.array([unit_price(problem, int(o)) for o in lay.slot_offer])
    scale = price if per == "money" else _full_w(problem, lay)
    need = np.zeros(lay.slots)  # nodes for one reference machine's work
    for workload, share in enumerate(mix):
        ratio = best[:, workload] / scale
        slot = max(_allowed(problem, lay, need), key=lambda k: ratio[k])
        if best[slot, workload] > 0:
            need[slot] += share * problem.reference_nodes / best[slot, workload]
    money = min(problem.limits.capital, 1e15) - problem.prices.fixed_capital
    scaled = need * max(0.0, money) / max(1e-9, float(product(need, price)))
    limit = most_nodes(problem, lay)
    nodes = [min(math.floor(n), limit[int(lay.slot_offer[slot])]) for slot, n in enumerate(scaled)]
    return repair(problem, lay, nodes, order)


def _allowed(problem: Problem, lay: Layout, need: Floats) -> list[int]:
    """Slots that may be added: one cap per type, and no more types and vendors than allowed."""
    used = {int(lay.slot_offer[k]): k for k in np.flatnonzero(need > 0)}
    vendors = {problem.offers[o].vendor for o in used}
    free = []
    for slot in range(lay.slots):
        offer = int(lay.slot_offer[slot])
        if offer in used:
            if used[offer] == slot:
                free.append(slot)
            continue
        new_vendor = problem.offers[offer].vendor not in vendors
        types_left = len(used) < (problem.most_node_types or math.inf)
        if types_left and (not new_vendor or len(vendors) < (problem.most_vendors or math.inf)):
            free.append(slot)
    return free


def rounded(optimiser: Optimiser) -> Counts:
    """The linear relaxation rounded down, then filled up."""
    problem, lay = optimiser.problem, optimiser.layout
    relaxed = optimiser.relaxed_nodes()
    if relaxed is None:
        return [0] * lay.slots
    nodes = [math.floor(n + 1e-6) for n in relaxed]
    for offer in range(len(problem.offers)):  # of several caps of one type the largest stays
        slots = [int(k) for k in np.flatnonzero(lay.slot_offer == offer)]
        keep = max(slots, key=lambda k: nodes[k])
        total = sum(nodes[k] for k in slots)
        for slot in slots:
            nodes[slot] = total if slot == keep else 0
    return repair(problem, lay, nodes, ranking(problem, lay, "money"))


def singles(problem: Problem, lay: Layout) -> Iterator[tuple[str, Counts]]:
    """Each type alone, as many as fit."""
    for slot in range(lay.slots):
        nodes = refill(problem, lay, [0] * lay.slots, [slot])
        if any(nodes):
            yield problem.offers[int(lay.slot_offer[slot])].name, nodes


def bids(problem: Problem, lay: Layout) -> Iterator[tuple[str, Counts]]:
    """Every vendor's system as it was quoted (statically capped: under the largest cap)."""
    for vendor in sorted({offer.vendor for offer in problem.offers}):
        nodes = [0] * lay.slots
        for offer_index, offer in enumerate(problem.offers):
            if offer.vendor == vendor and offer.as_bid:
                nodes[lay.slot_of(offer_index)] = offer.as_bid
        if any(nodes):
            yield vendor, nodes


def bid_faults(scenario: Scenario, problem: Problem) -> dict[str, tuple[str, ...]]:
    """Why not all of a system can be bought as it was quoted: every reason, by its method."""
    barred = {exclusion.name: exclusion.reason for exclusion in problem.excluded}
    faults: dict[str, list[str]] = {}
    for quote in scenario.node_types:
        count, reason = quote.as_bid_quantity, barred.get(quote.name, "")
        if count and reason:
            reason_text = f"not all of it can be bought: {count:,} x {quote.name}: {reason}"
            faults.setdefault(BID + (quote.vendor or "an unnamed vendor"), []).append(reason_text)
    return {method: tuple(reasons) for method, reasons in sorted(faults.items())}


NAMES = (
    "greedy per money", "greedy per watt", "rounded relaxation", "closed form", "best single type",
)  # fmt: skip
"""Heuristics in the order in which they are shown."""
BY_OPTION = {name.replace(" ", "-"): name for name in NAMES}
"""The same by the value of ``--method``."""


def by_name(optimiser: Optimiser, name: str) -> Plan | None:
    """The plan of one of :data:`NAMES`; ``None`` where it has no machine to try."""
    problem, lay = optimiser.problem, optimiser.layout
    machines: dict[str, Callable[[], Iterable[Counts]]] = {
        "greedy per money": lambda: [greedy(problem, lay, "money")],
        "greedy per watt": lambda: [greedy(problem, lay, "watt")],
        "rounded relaxation": lambda: [rounded(optimiser)],
        "closed form": lambda: closed_forms(problem, lay),
        "best single type": lambda: (nodes for _, nodes in singles(problem, lay)),
    }
    plans = [optimiser.evaluate(nodes, name) for nodes in machines[name]()]
    return max(plans, key=lambda plan: plan.objective, default=None)


def all_heuristics(optimiser: Optimiser) -> list[Plan]:
    """Every heuristic's plan, then every vendor's own system."""
    problem, lay = optimiser.problem, optimiser.layout
    plans = [plan for name in NAMES if (plan := by_name(optimiser, name)) is not None]
    return plans + [
        renamed(optimiser.evaluate(nodes, ""), BID + vendor) for vendor, nodes in bids(problem, lay)
    ]

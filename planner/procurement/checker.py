"""What is wrong with a plan, recomputed from the problem's data and the plan's decisions alone.

Nothing is shared with the modules that make plans: no bill, rating or program of theirs is called.
Counts and money are compared exactly, as the decimals that they were written as. Values that
depend on an allocation of nodes are compared up to :data:`TOLERANCE`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain

from planner.decimals import decimal
from planner.procurement.checked_bounds import ROUNDING, above, below, differs, shown
from planner.procurement.checked_packages import package_violations, quoted_price
from planner.procurement.checked_reach import Reaching
from planner.procurement.checked_site import Site, tier_price
from planner.procurement.performance import Partition
from planner.procurement.plan import AtWork, Plan
from planner.procurement.problem import HOURS_PER_YEAR, Problem

TOLERANCE = Fraction(1, 10**6)
"""Relative, for everything that an allocation in floating point enters."""

GROUPS = ("IT power", "liquid cooling", "air cooling")


class MissedThroughput(str):
    """The violation of a required throughput, which reports count and gather."""

    __slots__ = ()


def violations(problem: Problem, plan: Plan) -> list[str]:
    """Everything that a plan breaks or states wrongly; empty where it is sound.

    Each entry names what, the value and the bound.
    """
    if faults := list(_shape(problem, plan)):
        return faults
    checks = (
        _purchases, _packages, _racks, _fabric, _bill, _mandates, _shares, _policy, _at_work,
        _partitions, _power, _performance, _energy,
    )  # fmt: skip
    site = Site(problem, plan)
    return list(chain.from_iterable(check(site) for check in checks))


def _shape(problem: Problem, plan: Plan) -> Iterator[str]:
    """Whether the plan speaks of this problem at all."""
    if plan.regime != problem.regime:
        yield f"regime is {plan.regime}, not {problem.regime}"
    lengths = (
        ("ratings", len(plan.ratings), len(problem.demand)),
        ("at_work", len(plan.at_work), len(problem.demand)),
        ("partitions", len(plan.partitions), len(problem.capabilities)),
        ("scores", len(plan.scores), len(problem.probability)),
        ("bill.racks", len(plan.bill.racks), len(problem.offers)),
    )
    for name, length, expected in lengths:
        if length != expected:
            yield f"{name} holds {length} entries, not {expected}"
    for purchase in plan.purchases:
        if not 0 <= purchase.offer < len(problem.offers):
            number = len(problem.offers)
            yield f"{purchase.name}: offer {purchase.offer} is none of the {number} on offer"
    for group in chain.from_iterable(plan.at_work):
        if not (
            0 <= group.mode < len(problem.modes) and 0 <= group.workload < len(problem.workloads)
        ):
            yield f"mode {group.mode} running workload {group.workload}: no such pair exists"
        if not math.isfinite(group.nodes):
            yield f"mode {group.mode}: {group.nodes} nodes in use, which is not a number"
    for pick in plan.partitions:
        if pick is not None and not 0 <= pick.mode < len(problem.modes):
            yield f"a partition of mode {pick.mode}: no such mode exists"


def _purchases(site: Site) -> Iterator[str]:
    """Quantities on offer at their tier's price, and each type once."""
    problem, plan, seen = site.problem, site.plan, set()
    for purchase in plan.purchases:
        offer = problem.offers[purchase.offer]
        if purchase.offer in seen:
            yield f"{offer.name} is bought twice, under caps of its own; one cap per type"
        seen.add(purchase.offer)
        if (purchase.name, purchase.vendor) != (offer.name, offer.vendor):
            yield f"{purchase.name} of {purchase.vendor} is {offer.name} of {offer.vendor}"
        count = site.counts[purchase.offer]
        if purchase.nodes < 1 or not any(t.first <= count <= t.last for t in offer.tiers):
            yield f"{offer.name}: {count} nodes are not on offer ({offer.least} to {offer.most})"
        if count % offer.sold_in:
            yield f"{offer.name}: {count} nodes, but sold in multiples of {offer.sold_in}"
        yield from differs(f"{offer.name}: price", purchase.unit_price, tier_price(offer, count))
        if problem.regime != "static" and purchase.cap_w is not None:
            yield f"{offer.name}: one cap of {purchase.cap_w:g} W for all, but {problem.regime}"
        if problem.regime == "static" and not site.modes(purchase.offer):
            yield f"{offer.name}: a cap of {purchase.cap_w} W is not permitted"
    listed = sum(site.counts) + len(plan.bill.packages)
    if sum(plan.nodes) != listed:
        yield f"nodes add up to {sum(plan.nodes)} but purchases to {listed}"


def _packages(site: Site) -> Iterator[str]:
    """One package of each lot, at what its vendor sells, within the limits of its lot."""
    stated = site.plan.bill.packages
    yield from package_violations(site.problem, site.packages, site.counts)
    for number, package in zip(sorted(stated), site.packages, strict=True):
        name = package.package.name
        yield from differs(f"total of {name}", float(stated[number].total), package.once)
        yield from differs(f"year of {name}", float(stated[number].per_year), package.per_year)
    paid = {name: float(each.total) for name, each in site.plan.bill.vendors.items()}
    if paid != {name: float(total) for name, total in site.paid.items()}:
        yield f"vendors of packages are paid {paid}, but it comes to {site.paid}"


def _racks(site: Site) -> Iterator[str]:
    plan = site.plan
    offer_racks = zip(site.problem.offers, site.counts, plan.bill.racks, strict=True)
    for offer, count, racks in offer_racks:
        if offer.nodes_per_rack is not None:
            yield from above(f"nodes of {offer.name} in racks", count, racks * offer.nodes_per_rack)
    for purchase in plan.purchases:
        yield from differs(
            f"{purchase.name}: racks", purchase.racks, plan.bill.racks[purchase.offer]
        )
    yield from above("racks", sum(plan.bill.racks), site.problem.limits.racks)


def _fabric(site: Site) -> Iterator[str]:
    """A two-level fat tree that reaches every port; one leaf needs no spine."""
    network, fabric = site.problem.network, site.plan.bill.fabric
    if network is None:
        yield from above("leaf switches without a network", fabric.leaves, 0)
        return
    ports = sum(offer.ports * count for offer, count in site.bought)
    yield from above("node ports at leaf switches", ports, fabric.leaves * network.leaf_node_ports)
    yield from below("node cables", fabric.node_cables, ports)
    yield from above("leaf switches", fabric.leaves, network.spine_ports)
    if fabric.leaves > 1:
        yield from below("uplinks", fabric.uplinks, fabric.leaves * network.leaf_uplinks)
        room = fabric.spines * network.spine_ports
        yield from above("uplinks at spine switches", fabric.uplinks, room)


def _bill(site: Site) -> Iterator[str]:
    """Bill of materials, line by line, and the capital budget."""
    paid, prices = site.plan.bill, site.problem.prices
    free = [line for line in paid.lines if line.rounded is None and not line.package]
    stated = sorted((line.item, line.quantity, line.unit_price) for line in free)
    if stated != sorted(site.lines()):
        yield f"the bill lists {stated}, but what is bought is {sorted(site.lines())}"
    hardware = site.hardware()
    capital = hardware + site.installation() + decimal(prices.fixed_capital)
    yield from differs("all lines", math.fsum(line.amount for line in paid.lines), hardware)
    yield from differs("fabric_w", paid.fabric_w, site.fabric_w())
    yield from differs("hardware", paid.hardware, hardware)
    yield from differs("installation", paid.installation, site.installation())
    yield from differs("maintenance", paid.maintenance, site.maintenance())
    yield from differs("capital", paid.capital, capital)
    limit = site.problem.limits.capital
    yield from above("capital", capital, limit, unit=prices.currency)


def _mandates(site: Site) -> Iterator[str]:
    problem = site.problem
    memory = sum((decimal(o.memory_gb) * n for o, n in site.bought), Fraction(0))
    yield from below("nodes", sum(site.counts), problem.least_nodes)
    yield from below("memory", memory, problem.least_memory_gb, unit="GB")
    for rating, theta in enumerate(site.plan.ratings):
        shares = _throughputs(problem, rating, site.plan.at_work[rating])
        missed = list(_throughputs_missed(site, rating, shares))
        if not theta > 0 and (undone := _undone(site, rating, shares, required_first=bool(missed))):
            yield f"{undone}, but every plan does some of all work"
        yield from missed


def _throughputs_missed(site: Site, rating: int, shares: list[float]) -> Iterator[str]:
    """Every required throughput that is missed, with what it reaches where all else is idle."""
    problem, name = site.problem, site.problem.rating_names[rating]
    for workload, share in enumerate(shares):
        minimum = float(problem.least_work[rating, workload])
        subject = f"throughput of {_in_quotes(problem.workloads[workload])}"
        subject += "" if _alone(problem, rating) else f" in demand {_in_quotes(name)}"
        for line in below(subject, share, minimum, TOLERANCE):
            maximum = max(share, Reaching(site).alone((rating, workload)))
            alone = f" (at most {shown(maximum, 3, '')} alone)" if maximum > 0 else ""
            yield MissedThroughput(line + alone)


def _alone(problem: Problem, rating: int) -> bool:
    """Whether a rating is that of one workload."""
    name = problem.rating_names[rating]
    return name in problem.workloads and (
        problem.demand[rating, problem.workloads.index(name)] == 1
    )


def _undone(site: Site, rating: int, shares: list[float], *, required_first: bool) -> str:
    """The work of a rating that is not done, and which of it runs on nothing bought.

    Empty where a requirement is missed for which work that could run has to wait.
    """
    problem = site.problem
    modes = [m for m, mode in enumerate(problem.modes) if site.counts[mode.offer]]
    idle = [w for w, share in enumerate(shares) if not share > 0]
    nowhere = [w for w in idle if not (problem.merit[modes, w] > 0).any()]
    if required_first and not nowhere:
        return ""
    named = ", ".join(_in_quotes(problem.workloads[w]) for w in nowhere or idle) or "some work"
    subject = f"{named} is not done" if len(nowhere or idle) < 2 else f"{named} are not done"
    subject += (
        "" if _alone(problem, rating) else f" in demand {_in_quotes(problem.rating_names[rating])}"
    )
    return (
        f"{subject} (no node bought runs {'it' if len(nowhere) == 1 else 'them'})"
        if nowhere
        else subject
    )


def _in_quotes(name: str) -> str:
    """A name in quotes."""
    return f'"{name}"'


def _shares(site: Site) -> Iterator[str]:
    for share in site.problem.shares:
        parts = [
            (offer, count * (quoted_price(offer, count) if share.of == "spend" else 1))
            for offer, count in site.bought
        ]
        whole = sum((part for _, part in parts), Fraction(0))
        mine = sum(
            part
            for offer, part in parts
            if share.counts(offer.kind, offer.vendor, offer.attributes)
        )
        if whole:
            yield from below(share.subject, Fraction(mine) / whole, share.least, unit="%")
            yield from above(share.subject, Fraction(mine) / whole, share.most, unit="%")


def _policy(site: Site) -> Iterator[str]:
    problem = site.problem
    vendors = {offer.vendor for offer, _ in site.bought}
    vendors |= {each.package.vendor for each in site.packages}
    if problem.most_vendors is not None:
        yield from above("vendors", len(vendors), problem.most_vendors)
    if problem.most_node_types is not None:
        yield from above("node types", len(site.bought), problem.most_node_types)


def _at_work(site: Site) -> Iterator[str]:
    """Nodes in use must not exceed nodes installed, and run in permitted modes only."""
    problem = site.problem
    for rating, working in zip(problem.rating_names, site.plan.at_work, strict=True):
        busy = [Fraction(0)] * len(problem.offers)
        for group in working:
            offer = problem.modes[group.mode].offer
            busy[offer] += Fraction(group.nodes)
            yield from _one_at_work(site, f"{rating}: {problem.offers[offer].name}", group)
        for offer_, count, nodes in zip(problem.offers, site.counts, busy, strict=True):
            yield from above(
                f"nodes of {offer_.name} in use under {rating}", nodes, count, TOLERANCE
            )


def _one_at_work(site: Site, subject: str, group: AtWork) -> Iterator[str]:
    mode = site.problem.modes[group.mode]
    if not group.nodes >= 0:
        yield f"{subject}: {group.nodes:g} nodes in use, below 0"
    if group.mode not in site.modes(mode.offer) and group.nodes > TOLERANCE:
        yield f"{subject}: works under a cap of {mode.cap_w} W, which {site.plan.regime} forbids"
    if site.problem.merit[group.mode, group.workload] <= 0:
        yield f"{subject}: does not run {site.problem.workloads[group.workload]}"


def _partitions(site: Site) -> Iterator[str]:
    """Each capability workload on an admissible partition that the machine holds."""
    problem = site.problem
    for capability, pick in zip(problem.capabilities, site.plan.partitions, strict=True):
        if pick is None:
            yield f"{capability.name} runs nowhere; it needs one of its partitions"
            continue
        if pick not in capability.partitions:
            yield f"{capability.name}: {pick} is not admissible"
        maximum, subject = (
            capability.largest_time_s,
            f"time to solution of {_in_quotes(capability.name)}",
        )
        yield from above(subject, pick.time_s, maximum, unit="s")
        offer = problem.modes[pick.mode].offer
        if pick.mode not in site.modes(offer):
            yield f"{capability.name}: works in a mode that {site.plan.regime} forbids"
        yield from above(f"nodes for {capability.name}", pick.nodes, site.counts[offer])


def _power(site: Site) -> Iterator[str]:
    limits, largest = site.problem.limits, [Fraction(0)] * len(GROUPS)
    bounds = (limits.it_power_w, limits.liquid_w, limits.air_w)
    for state, watts in site.states():
        exact = site.problem.regime != "overprovisioned" or state == "installed nodes"
        for group, value, bound in zip(GROUPS, watts, bounds, strict=True):
            tolerance = ROUNDING if exact else TOLERANCE
            yield from above(f"{group} of {state}", value, bound, tolerance, "W")
        largest = list(map(max, largest, watts))
    for name, maximum in zip(("it_power_w", "liquid_w", "air_w"), largest, strict=True):
        yield from differs(name, getattr(site.plan, name), maximum, TOLERANCE)


def _performance(site: Site) -> Iterator[str]:
    """Ratings from the allocation, scores from the ratings, the objective from the scores."""
    problem, plan = site.problem, site.plan
    for rating, name in enumerate(problem.rating_names):
        theta = _theta(problem, rating, plan.at_work[rating])
        yield from differs(f"rating of {name}", plan.ratings[rating], theta, TOLERANCE)
    logs = [_log_score(problem, plan, s) for s in range(len(plan.scores))]
    for name, stated, log in zip(problem.scenario_names, plan.scores, logs, strict=True):
        yield from differs(f"score of {name}", stated, math.exp(log), TOLERANCE)
    yield from differs("objective", plan.objective, _risk(problem, logs), TOLERANCE, least=1.0)


def _throughputs(problem: Problem, rating: int, working: tuple[AtWork, ...]) -> list[float]:
    """Throughput per workload, over the reference machine's at its share of the mix.

    ``inf`` for a workload without demand.
    """
    throughput = [0.0] * len(problem.workloads)
    for group in working:
        throughput[group.workload] += group.nodes * float(problem.merit[group.mode, group.workload])
    demanded = (problem.demand[rating] * problem.reference_nodes).tolist()
    return [d / a if a > 0 else math.inf for d, a in zip(throughput, demanded, strict=True)]


def _theta(problem: Problem, rating: int, working: tuple[AtWork, ...]) -> float:
    return min(_throughputs(problem, rating, working))


def _log_score(problem: Problem, plan: Plan, scenario: int) -> float:
    parts = [
        (weight, theta)
        for weight, theta in zip(problem.rating_weight[scenario], plan.ratings, strict=True)
    ] + [
        (weight, _speedup(capability.reference_time_s, pick))
        for weight, capability, pick in zip(
            problem.capability_weight[scenario], problem.capabilities, plan.partitions, strict=True
        )
    ]
    if any(weight > 0 and not value > 0 for weight, value in parts):
        return -math.inf
    return math.fsum(float(weight) * math.log(value) for weight, value in parts if weight > 0)


def _speedup(reference_time_s: float, pick: Partition | None) -> float:
    return reference_time_s / pick.time_s if pick is not None and pick.time_s > 0 else 0.0


def _risk(problem: Problem, logs: list[float]) -> float:
    """``(1 - lambda) E + lambda CVaR``, CVaR as the largest value over its threshold eta.

    References
    ----------
    R. T. Rockafellar and S. Uryasev, Optimization of conditional value-at-risk, Journal of Risk 2
    (2000), theorem 1; the maximum is reached at one of the outcomes.
    """
    if -math.inf in logs:
        return -math.inf
    chances, share = problem.probability.tolist(), 1 - problem.cvar_level

    def expected(values: list[float]) -> float:
        return math.fsum(p * v for p, v in zip(chances, values, strict=True))

    tail = max(eta - expected([max(0.0, eta - log) for log in logs]) / share for eta in logs)
    return (1 - problem.cvar_weight) * expected(logs) + problem.cvar_weight * tail


def _energy(site: Site) -> Iterator[str]:
    """Mean power, the operating budget, and the total cost of ownership."""
    problem, plan, prices = site.problem, site.plan, site.problem.prices
    added = Fraction(0)
    for weight, working in zip(problem.energy_weight.tolist(), plan.at_work, strict=True):
        for group in working:
            idle_w = problem.offers[problem.modes[group.mode].offer].idle_w
            drawn_w = float(problem.drawn_w[group.mode, group.workload]) - idle_w
            added += Fraction(weight) * Fraction(group.nodes) * decimal(drawn_w)
    mean_w = site.always_w() + decimal(prices.utilisation) * added
    yield from differs("mean_it_w", plan.mean_it_w, mean_w, TOLERANCE)
    expected = sum((decimal(p) * decimal(chance) for p, chance in prices.energy_prices), Fraction())
    highest = max(decimal(price) for price, _ in prices.energy_prices)

    def per_year(price: Fraction) -> Fraction:
        energy = mean_w * price * Fraction(prices.feed_per_it) * int(HOURS_PER_YEAR) / 1000
        return site.maintenance() + decimal(prices.staff) + energy

    year = per_year(highest if prices.every_price else expected)
    yield from differs("operating", plan.operating, year, TOLERANCE)
    budget, unit = problem.limits.operating, f"{prices.currency} a year"
    yield from above("operating cost", year, budget, TOLERANCE, unit)
    capital = site.hardware() + site.installation() + decimal(prices.fixed_capital)
    total = capital + _annuity(prices.discount_rate, prices.lifetime_years) * per_year(expected)
    yield from differs("total_cost", plan.total_cost, total, TOLERANCE)


def _annuity(rate: float, years: float) -> Fraction:
    return decimal(years if rate == 0 else -math.expm1(-years * math.log1p(rate)) / rate)

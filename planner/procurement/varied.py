"""Inputs that are uncertain: each with its half width, and the problem with it changed.

Prices, power above idle and performance of every quote, bought or not; every figure of a package
that states a half width; every limit of the site;
the price of energy, the PUE, the probability of each demand; the efficiency of a kind of node.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.procurement.from_scenario import problem_from
from planner.procurement.marginal_value import changed_limit
from planner.procurement.problem import (
    RESOURCES,
    UNLIMITED,
    Floats,
    Offer,
    OfferedMerit,
    PackageOffer,
    Problem,
    Tier,
    nodes_in_a_rack,
)
from scenarios.model.procurement import Roofline
from scenarios.model.scenario import Scenario
from solvers.portable import product

SITE_WIDTH = 0.1
"""Half width of limits, energy price, PUE and probabilities: assumed, as for the quotes."""

Change = Callable[[Problem, float], Problem]
"""The problem with one input larger by a fraction."""


@dataclass(frozen=True)
class Varied:
    """One uncertain input: its name, its half width as a fraction, and how it changes a problem."""

    name: str
    width: float
    changed: Change


@dataclass(frozen=True)
class Uncertainty:
    """Half widths of what is uncertain, as fractions."""

    price: float
    power: float
    performance: float


def repriced(problem: Problem, factors: Floats) -> Problem:
    """Prices multiplied per offer; those of a package all by the factor of the package."""
    own = factors.copy()
    for each in problem.packages:
        own[list(each.nodes)] = factors[each.carrier]
    offers = tuple(
        replace(offer, tiers=tuple(replace(t, price=t.price * float(factor)) for t in offer.tiers))
        for offer, factor in zip(problem.offers, own, strict=True)
    )
    packages = tuple(_dearer(each, float(factors[each.carrier])) for each in problem.packages)
    return replace(problem, offers=offers, packages=packages)


def _dearer(offer: PackageOffer, factor: float) -> PackageOffer:
    """A package whose prices are all multiplied."""
    rate = (offer.package.rate or 1.0) * factor
    return offer if factor == 1 else replace(
        offer, package=offer.package.model_copy(update={"rate": rate})
    )  # fmt: skip


def repowered(problem: Problem, factors: Floats) -> Problem:
    """Power above idle multiplied per offer, in peak, caps and draw alike."""
    idle = np.array([offer.idle_w for offer in problem.offers])
    offers = tuple(
        _peaking(offer, offer.idle_w + (offer.peak_w - offer.idle_w) * float(factor), problem)
        for offer, factor in zip(problem.offers, factors, strict=True)
    )
    modes = tuple(
        replace(
            mode,
            node_w=float(idle[mode.offer] + (mode.node_w - idle[mode.offer]) * factors[mode.offer]),
        )
        for mode in problem.modes
    )
    base = idle[problem.mode_offer][:, None]
    consumed_w = base + (problem.drawn_w - base) * factors[problem.mode_offer][:, None]
    return replace(problem, offers=offers, modes=modes, drawn_w=consumed_w)


def _peaking(offer: Offer, peak_w: float, problem: Problem) -> Offer:
    """The offer with another peak: racks then carry fewer or more, and if none, none is sold."""
    fit = nodes_in_a_rack(offer.rack_room, problem.rack_w, peak_w)
    if fit == 0:
        none = Tier(1, 0, offer.tiers[0].price)
        return replace(offer, peak_w=peak_w, tiers=(none,), nodes_per_rack=offer.rack_room)
    return replace(offer, peak_w=peak_w, nodes_per_rack=fit)


def rerated(problem: Problem, factors: Floats, workloads: Container[str] | None = None) -> Problem:
    """Performance multiplied per offer, in workloads of these names; times to solution divided.

    Figures whose uncertainty their package states keep their value. By default, all workloads.
    """
    named = [workloads is None or name in workloads for name in problem.workloads]
    by_mode = np.where(named, factors[problem.mode_offer][:, None], 1.0)
    for each in figures_with_width(problem):
        by_mode[problem.mode_offer == each.offer, each.workload] = 1.0
    merit = problem.merit * by_mode
    capabilities = tuple(
        replace(
            capability,
            partitions=tuple(
                replace(o, time_s=o.time_s / float(factors[problem.modes[o.mode].offer]))
                for o in capability.partitions
            ),
        )
        if workloads is None or capability.name in workloads
        else capability
        for capability in problem.capabilities
    )
    return replace(problem, merit=merit, capabilities=capabilities)


def figures_with_width(problem: Problem) -> tuple[OfferedMerit, ...]:
    """Figures of packages that state a half width."""
    return tuple(each for each in problem.offered if each.figure.half_width is not None)


def refigured(problem: Problem, factors: Sequence[tuple[OfferedMerit, float]]) -> Problem:
    """Figures of packages multiplied, each by its own factor."""
    merit = problem.merit.copy()
    for each, factor in factors:
        merit[problem.mode_offer == each.offer, each.workload] *= factor
    return replace(problem, merit=merit)


def uncertain_inputs(
    problem: Problem, widths: Uncertainty, scenario: Scenario | None = None
) -> list[Varied]:
    """Every input that may be other than stated, those of the site first."""
    inputs = [*_limits(problem), *_energy_price(problem), *_probabilities(problem)]
    if scenario is not None:
        inputs += [*_pue(scenario), *_efficiencies(problem, scenario, widths.performance)]
    for offer_index, offer in enumerate(problem.offers):
        for kind, width, change in (
            ("price", widths.price, repriced),
            ("power", widths.power, repowered),
            ("performance", widths.performance, rerated),
        ):
            if offer.carrier if kind != "price" else _in_package(offer):
                continue  # prices are those of packages, power and performance those of nodes
            if kind == "performance" and _rated_by_figures(problem, offer_index):
                continue
            inputs.append(Varied(f"{kind} of {offer.name}", width, _one(offer_index, change)))
    inputs += [
        Varied(f"figure of {_title(problem, each)}", each.figure.half_width or 0.0, _figure(each))
        for each in figures_with_width(problem)
    ]
    return [uncertain for uncertain in inputs if uncertain.width > 0]


def _rated_by_figures(problem: Problem, offer_index: int) -> bool:
    """Whether all that a node type does follows from figures with an uncertainty of their own."""
    stated = {e.workload for e in figures_with_width(problem) if e.offer == offer_index}
    runs = set(np.flatnonzero(problem.merit[problem.mode_offer == offer_index].any(axis=0)))
    timed = any(
        problem.modes[partition.mode].offer == offer_index
        for capability in problem.capabilities
        for partition in capability.partitions
    )
    return bool(stated) and runs <= stated and not timed


def _title(problem: Problem, merit: OfferedMerit) -> str:
    return f"{merit.figure.name} ({problem.packages[merit.package].package.title})"


def _figure(merit: OfferedMerit) -> Change:
    def changed(problem: Problem, step: float) -> Problem:
        return refigured(problem, [(merit, 1 + step)])

    return changed


def _in_package(offer: Offer) -> bool:
    return offer.package is not None and not offer.carrier


def _limits(problem: Problem) -> Iterator[Varied]:
    for name in RESOURCES:
        limit = getattr(problem.limits, name)
        if limit < UNLIMITED:
            yield Varied(name, _width(name, limit), _limit_changed(name, limit))


def _limit_changed(name: str, limit: float) -> Change:
    def changed(problem: Problem, step: float) -> Problem:
        value = limit * (1 + step)
        return changed_limit(problem, name, round(value) if name == "racks" else value)

    return changed


def _width(name: str, limit: float) -> float:
    """A tenth; of rack places the number of whole ones that is nearest to it."""
    return max(1, round(SITE_WIDTH * limit)) / limit if name == "racks" else SITE_WIDTH


def _one(offer_index: int, change: Callable[[Problem, Floats], Problem]) -> Change:
    def changed(problem: Problem, step: float) -> Problem:
        factors = np.ones(len(problem.offers))
        factors[offer_index] += step
        return change(problem, factors)

    return changed


def _energy_price(problem: Problem) -> Iterator[Varied]:
    """All prices of energy at once; they matter where the operating budget is limited."""

    def changed(problem: Problem, step: float) -> Problem:
        every = tuple((price * (1 + step), p) for price, p in problem.prices.energy_prices)
        return replace(problem, prices=replace(problem.prices, energy_prices=every))

    if any(price > 0 for price, _ in problem.prices.energy_prices):
        yield Varied("energy price", SITE_WIDTH, changed)


def _pue(scenario: Scenario) -> Iterator[Varied]:
    """Energy at the feed per watt of IT; where the bound is the feed's, it leaves less for IT."""
    power = scenario.power
    if power is None:
        return
    at_feed = power.side == "facility"

    def changed(problem: Problem, step: float) -> Problem:
        feed = problem.prices.feed_per_it * (1 + step)
        other = replace(problem, prices=replace(problem.prices, feed_per_it=feed))
        return (
            other.limited(it_power_w=problem.limits.it_power_w / (1 + step)) if at_feed else other
        )

    yield Varied("PUE", min(SITE_WIDTH, 1 - 1 / power.pue), changed)  # it never falls below 1


def _probabilities(problem: Problem) -> Iterator[Varied]:
    """One demand more or less likely; the others keep their proportions."""
    if len(problem.probability) < 2:
        return
    for scenario_index, name in enumerate(problem.scenario_names):
        chance = float(problem.probability[scenario_index])
        width = min(SITE_WIDTH, 1 / chance - 1)
        yield Varied(f"probability of {name}", width, _likelier(scenario_index))


def _likelier(scenario_index: int) -> Change:
    def changed(problem: Problem, step: float) -> Problem:
        chance = problem.probability.copy()
        mine = min(1.0, float(chance[scenario_index]) * (1 + step))
        chance *= (1 - mine) / (1 - chance[scenario_index])
        chance[scenario_index] = mine
        energy = product(chance, problem.rating_weight)
        total = float(energy.sum())
        weight = energy / total if total > 0 else problem.energy_weight
        return replace(problem, probability=chance, energy_weight=weight)

    return changed


def _efficiencies(problem: Problem, scenario: Scenario, width: float) -> Iterator[Varied]:
    """What all quotes of a kind reach of their rates, where a roofline takes it below them."""
    if not any(isinstance(workload.performance, Roofline) for workload in scenario.workloads):
        return
    offered = [scenario.node_type(offer.name) for offer in problem.types]
    for kind in sorted(
        {node_type.kind or "" for node_type in offered if node_type.efficiency != 1}
    ):
        yield Varied(f"efficiency of {kind or 'unnamed'} nodes", width, _more_of(scenario, kind))


def _more_of(scenario: Scenario, kind: str) -> Change:
    def changed(problem: Problem, step: float) -> Problem:
        types = tuple(
            node_type.model_copy(update={"efficiency": node_type.efficiency * (1 + step)})
            if (node_type.kind or "") == kind
            else node_type
            for node_type in scenario.node_types
        )
        other = problem_from(scenario.model_copy(update={"node_types": types}))
        return replace(problem, merit=other.merit, capabilities=other.capabilities)

    return changed

"""Whether what is said about a losing quote is true, by looking at every machine there is.

Nothing of the modules that give the reasons is used: rules are taken out of the problem here, and
plans are those of :mod:`enumeration`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from planner.procurement.not_bought import NotBought
from planner.procurement.problem import UNLIMITED, Problem, Tier
from planner.procurement.study import ProcurementStudy
from tests.planner.procurement.enumeration import Machine, every_machine, every_plan

_EXACT, _GAP = 1e-6, 2.2e-4
Plans = list[tuple[float, Machine]]


def false_claims(study: ProcurementStudy) -> Iterator[tuple[str, str]]:
    """The reason of every quote that is not bought, and what is false about it."""
    problem, plans = study.problem, every_plan(study.problem)
    for quote in study.not_bought:
        reason = quote.reason
        if reason == "excluded":
            continue
        index = problem.offer_index(quote.name)
        if reason == "replaced":
            other = next(i for i, offer in enumerate(problem.offers) if offer.title == quote.other)
            yield reason, _swapped(plans, index, other) or _unlike(study, index, other)
        elif reason == "rule":
            for rule in quote.rules:
                yield rule.partition(":")[0], _decides(study, plans, index, rule)
        elif reason == "idle":
            yield reason, "works" if _works(problem, index) else ""
        elif reason == "too large":
            yield reason, "fits" if any(_alone(problem, index)) else ""
        elif reason.startswith("tied"):
            yield "tied", _tied(plans, index)
        else:
            yield reason, _figures(study, quote, index)


def _swapped(plans: Plans, index: int, other: int) -> str:
    """Whether some plan gets worse or impossible where the other quote takes a quote's place."""
    best: dict[tuple[int, ...], float] = {}
    for value, machine in plans:
        best[machine.counts] = max(value, best.get(machine.counts, -math.inf))
    for value, machine in plans:
        counts = list(machine.counts)
        counts[other], counts[index] = counts[other] + counts[index], 0
        if machine.counts[index] and best.get(tuple(counts), -math.inf) < value - _EXACT:
            return f"{machine.counts} scores {value}, {counts} {best.get(tuple(counts))}"
    return ""


def _unlike(study: ProcurementStudy, index: int, other: int) -> str:
    """Whether a quote that replaces another is dearer, or runs less of the rated work."""
    problem = study.problem
    least = [
        min(map(problem.offers[i].price, _alone(problem, i)), default=None) for i in (index, other)
    ]
    if least[0] is None or least[1] is None or least[1] > least[0]:
        return f"prices {least}"
    for run in problem.capabilities:
        mine, theirs = (
            any(part.mode in _modes(problem, i) for part in run.partitions) for i in (index, other)
        )
        if mine and not theirs:
            return f"does not run {run.name}"
    return ""


def _decides(study: ProcurementStudy, plans: Plans, index: int, rule: str) -> str:
    """Whether, without a rule, every best plan buys the quote and is better than under it."""
    free = every_plan(_free(study, rule))
    with_it = max((v for v, machine in free if machine.counts[index]), default=-math.inf)
    others = [index, *_explained_by(study, index)]
    without = max((v for v, m in free if not any(m.counts[i] for i in others)), default=-math.inf)
    ruled, most = max(value for value, _ in plans), max(value for value, _ in free)
    if with_it > without and with_it > ruled and with_it >= most - _EXACT:
        return ""
    return f"without {rule}: {with_it} with it, {without} without it, {ruled} under the rule"


def _explained_by(study: ProcurementStudy, index: int) -> list[int]:
    """Quotes that are never better than this one."""
    label = study.problem.offers[index].name
    return [
        study.problem.offer_index(quote.name)
        for quote in study.not_bought
        if (quote.reason, quote.other) == ("replaced", label)
    ]


def _free(study: ProcurementStudy, rule: str) -> Problem:
    """The problem without a rule."""
    problem, (kind, _, subject) = study.problem, rule.partition(": ")
    if kind == "limit":
        return replace(problem, limits=replace(problem.limits, **{subject: UNLIMITED}))
    if kind == "share":
        shares = tuple(share for share in problem.shares if share.subject != subject)
        return replace(problem, shares=shares)
    if subject.startswith("throughput of "):
        column = problem.workloads.index(subject.removeprefix("throughput of "))
        least = np.where(np.arange(len(problem.workloads)) == column, 0.0, problem.least_work)
        return replace(problem, least_work=least)
    if subject.startswith("time to solution of "):
        timeless = [replace(run, largest_time_s=math.inf) for run in problem.capabilities]
        return replace(problem, capabilities=tuple(timeless))
    if rule == "terms: least quantities":
        offers = [replace(offer, tiers=_from_one_on(study, offer.name)) for offer in problem.offers]
        return replace(problem, offers=tuple(offers))
    if rule == "site: rack power":
        roomy = tuple(replace(offer, nodes_per_rack=offer.rack_room) for offer in problem.offers)
        return replace(problem, offers=roomy)
    names = {
        "requirement: nodes": {"least_nodes": 0},
        "requirement: memory": {"least_memory_gb": 0.0},
        "network: leaf switches": {"network": None},
        "policy: vendors": {"most_vendors": None},
        "policy: node types": {"most_node_types": None},
    }
    return replace(problem, **names[rule])  # type: ignore[arg-type]


def _from_one_on(study: ProcurementStudy, name: str) -> tuple[Tier, ...]:
    """A tier for every number of nodes, at the price stated for it."""
    quote = study.scenario.node_type(name)
    assert quote.price is not None
    assert quote.maximum_quantity is not None
    off = [(0, 0.0), *((d.from_quantity, d.fraction) for d in quote.discounts)]
    return tuple(
        Tier(count, count, quote.price * (1 - max(off, key=lambda d: d[0] * (d[0] <= count))[1]))
        for count in range(1, quote.maximum_quantity + 1)
    )


def _alone(problem: Problem, index: int) -> Iterator[int]:
    """Numbers of nodes of a quote that the site bears where nothing else is bought."""
    offers = [
        offer if i == index else replace(offer, tiers=(replace(offer.tiers[0], first=1, last=0),))
        for i, offer in enumerate(problem.offers)
    ]
    free = replace(problem.without_mandates(), offers=tuple(offers), shares=(), most_vendors=None)
    idle = problem.limits.operating + _EXACT
    prices = problem.prices
    per_kwh = [price for price, _ in prices.energy_prices]
    mean = sum(price * chance for price, chance in prices.energy_prices)
    kwh = (max(per_kwh) if prices.every_price else mean) * prices.feed_per_it * 8.76
    for machine in every_machine(free):
        year = machine.hardware * prices.maintenance + prices.staff + machine.idle_w * kwh
        if machine.counts[index] and year <= idle:
            yield machine.counts[index]


def _modes(problem: Problem, index: int) -> list[int]:
    own = [number for number, mode in enumerate(problem.modes) if mode.offer == index]
    return own[-1:] if problem.regime == "worst-case" else own


def _works(problem: Problem, index: int) -> bool:
    modes = _modes(problem, index)
    runs = (part for run in problem.capabilities for part in run.partitions)
    return bool(problem.merit[modes].any()) or any(part.mode in modes for part in runs)


def _tied(plans: Plans, index: int) -> str:
    best = max(value for value, _ in plans)
    with_it = max((v for v, machine in plans if machine.counts[index]), default=-math.inf)
    return "" if with_it >= best - _GAP else f"{with_it} with it, {best} without"


def _figures(study: ProcurementStudy, quote: NotBought, index: int) -> str:
    """Whether the figures hold those of the tables, at prices that can be paid."""
    problem, plan = study.problem, study.plan
    assert plan is not None
    if quote.reason != "figures":
        return f"unknown reason: {quote.reason}"
    price = min(problem.offers[index].price(count) for count in _alone(problem, index))
    theirs = {p.offer: p for p in plan.purchases}

    modes = {
        offer: [
            m
            for m in _modes(problem, offer)
            if problem.regime != "static" or problem.modes[m].cap_w == purchase.cap_w
        ]
        for offer, purchase in theirs.items()
    }
    for stated, per_watt in ((quote.work_per_price, False), (quote.work_per_watt, True)):
        ratios = []
        for column in range(len(problem.workloads)):

            def done(mode: int, paid: float, column: int = column, watt: bool = per_watt) -> float:
                per = problem.modes[mode].node_w if watt else paid
                return float(problem.merit[mode, column]) / per

            mine = max(done(mode, price) for mode in _modes(problem, index))
            most = max(done(m, theirs[o].unit_price) for o, own in modes.items() for m in own)
            if most:
                ratios.append(mine / most)
        if wrong := _other_ends(stated, ratios):
            return wrong
    speeds = []
    for run in problem.capabilities:
        times = {
            name: [part.time_s for part in run.partitions if part.mode in own]
            for name, own in (
                ("mine", _modes(problem, index)),
                ("theirs", [m for own in modes.values() for m in own]),
            )
        }
        if times["theirs"]:
            speeds.append(min(times["theirs"]) / min(times["mine"], default=math.inf))
    return _other_ends(quote.speed, speeds)


def _other_ends(stated: tuple[float, float] | None, truth: list[float]) -> str:
    """What is false about the least and the largest of some ratios; empty where nothing is."""
    ends = (min(truth), max(truth)) if truth else None
    right = stated is ends or (stated and ends and np.allclose(stated, ends, rtol=1e-9))
    return "" if right else f"{stated}: in truth {ends}"

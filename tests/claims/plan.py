"""What `headroom plan` states of a request for proposals, decided again by every machine there is.

Written from docs/procurement.md, docs/plan.md and the request. A claim gets a case and the values
of a finding, or the value of a fact, and says whether they are true. Limits that the solvers or
exact arithmetic guarantee are taken from the certificates, and no machine may pass them.
"""

from __future__ import annotations

import copy
import datetime as dt
import math
from collections.abc import Callable, Iterator
from typing import Any

from planner.formatting import amount
from planner.procurement.giving_way import Way
from planner.procurement.not_bought import not_bought
from planner.procurement.outcome import GAP
from planner.procurement.plan import Plan
from planner.procurement.power_value import TOLERANCE, StepEffect
from planner.procurement.problem import POWER_RESOURCES
from planner.procurement.ranking import WEIGHTS
from planner.procurement.repairs import REPAIRED_GAP, Repair
from solvers import Status, Stop
from tests.claims.plan_cases import cases, drawn
from tests.claims.plan_truth import Case, achieved, close, plans_of, relaxed, side_of
from tests.claims.values import same
from tests.planner.procurement.enumeration import capital

__all__ = ["DUE", "FACTS", "FINDINGS", "cases", "drawn"]

Claim = Callable[..., bool]
_NAMED = ("first", "second", "third")


# Headlines and certainty


def _buys(case: Case, money: float, **values: Any) -> bool:
    """That a machine is bought, for this money, and that it is the best one."""
    lots = [(case.label(name), nodes) for name, nodes in case.by_money]
    told = [(values[f"{each}_type"], values[each]) for each in _NAMED if each in values]
    rest = lots[3:]
    others = (values.get("others"), values.get("types")) == (
        (sum(nodes for _, nodes in rest), len(rest)) if rest else (None, None)
    )
    best = case.by_heuristic or case.is_best
    return told == lots[:3] and others and same(money, case.money) and best


def _rules(rules: Any) -> tuple[str, ...]:
    return tuple(rules)


def _more(case: Case, more: float, level: str) -> bool:
    """That no machine scores more than this above the plan, as the outcome guarantees."""
    outcome = case.answer.optimum
    limit = outcome.bound if outcome.proved is None else outcome.proved
    if limit is None:
        return False
    distance = math.exp(max(0.0, limit - case.plan.objective)) - 1
    return (
        same(more, max(1e-5, distance))
        and (level == "proved") == (outcome.proved is not None)
        and level in ("proved", "claimed")
        and case.best() <= case.score * (1 + more) * (1 + 1e-6)
    )


def _against(case: Case, reference: str, change: float) -> bool:
    return reference == case.raw["reference"]["name"] and close(change, case.score - 1)


def _is_mix(case: Case) -> bool:
    """Whether no run is timed alone, and all other work of some weight shares the machine."""
    works = [work for work in case.raw["workloads"] if work.get("weight", 1.0) > 0]
    timed = any(work.get("rating") == "time_to_solution" for work in works)
    alone = case.group("procurement").get("workload_mode", "shared") != "shared"
    return not timed and (len(works) == 1 or not alone)


def _thetas(case: Case) -> list[float]:
    """Throughput of each rating, from the nodes at work."""
    problem, found = case.problem, []
    for rating, at_work in enumerate(case.plan.at_work):
        work = [0.0] * len(problem.workloads)
        for group in at_work:
            work[group.workload] += problem.merit[group.mode, group.workload] * group.nodes
        shares = problem.demand[rating] * problem.reference_nodes
        found.append(min(w / s for w, s in zip(work, shares, strict=True) if s))
    return found


def _speeds(case: Case) -> list[float]:
    runs = zip(case.problem.capabilities, case.plan.partitions, strict=True)
    return [run.reference_time_s / pick.time_s if pick else 1.0 for run, pick in runs]


def _geometric(case: Case, values: list[float], weights: Any) -> float:
    pairs = [pair for pair in zip(weights[0], values, strict=True) if pair[0]]
    logs = sum(weight * math.log(value) for weight, value in pairs)
    return math.exp(logs / sum(weight for weight, _ in pairs))


def _throughput(case: Case) -> float | None:
    """Of the mix, or the mean of all ratings where runs are timed alone; else unknown."""
    if _is_mix(case):
        return case.score
    timed = any(weight for row in case.problem.capability_weight for weight in row)
    alone = not any(weight for row in case.problem.rating_weight for weight in row)
    if len(case.problem.probability) > 1 or not timed or alone:
        return None
    return _geometric(case, _thetas(case), case.problem.rating_weight)


def _is_less(case: Case) -> bool:
    """Whether the throughput is below 1 with the four digits that people see."""
    return float(f"{_throughput(case) or 1.0:.3e}") < 1


def _measured(case: Case, type: str, why: str) -> bool:  # noqa: A002 - the name in the template
    """The type that takes most money; of several, of which only some work fully, of those."""
    idle = {name for name, nodes in case.bought.items() if _working(case, name) < nodes * 0.999999}
    some = any(case.plan.at_work) and 0 < len(idle) < len(case.bought)
    first = next(name for name, _ in case.by_money if not (some and name in idle))
    return (type, why) == (case.label(first), "full" if some else "money")


def _working(case: Case, name: str) -> float:
    """Nodes of a type at work, as the mean that energy is paid for."""
    total = 0.0
    for weight, at_work in zip(case.problem.energy_weight, case.plan.at_work, strict=True):
        for group in at_work:
            if case.problem.offers[case.problem.modes[group.mode].offer].name == name:
                total += weight * group.nodes
    return total


def _is_optimal(case: Case) -> bool:
    outcome = case.answer.optimum
    if outcome.proved is None:
        return outcome.status is Status.OPTIMAL
    return max(0.0, outcome.proved - case.plan.objective) <= case.options.gap


def _solvers(case: Case, solvers: Any) -> bool:
    return [*solvers] == [answer.solver for answer in case.answer.by_solver] and len(solvers) > 1


def _values(case: Case) -> list[tuple[float, float]]:
    """Value and limit of each solver that finished."""
    return [
        (answer.outcome.objective, answer.outcome.bound)
        for answer in case.answer.by_solver
        if answer.outcome.objective is not None and answer.outcome.bound is not None
    ]


def _agree(case: Case) -> bool:
    pairs = _values(case)
    finished = all(answer.outcome.status is Status.OPTIMAL for answer in case.answer.by_solver)
    return finished and all(value <= limit + 1e-6 for value, _ in pairs for _, limit in pairs)


def _purchases(case: Case) -> int:
    """Number of different purchases of the solvers."""
    plans = [answer.outcome.plan for answer in case.answer.by_solver]
    bought = (tuple((p.name, p.nodes, p.cap_w) for p in plan.purchases) for plan in plans if plan)
    return len({*bought})


def _certificates(case: Case) -> Iterator[Any]:
    for solve in case.answer.solved:
        yield from solve.certificates


def _by_time(case: Case) -> bool:
    return any(certificate.stop is Stop.TIME for certificate in _certificates(case))


def _by_nodes(case: Case) -> int:
    return sum(
        certificate.stop is Stop.NODES and certificate.status is not Status.OPTIMAL
        for certificate in _certificates(case)
    )


def _gains(case: Case, than: Any = "worst-case") -> tuple[float, float] | None:
    """Ends of the gain over another regime, between which the true gain lies.

    A required throughput is met where a millionth of it is missing.
    """
    ours, theirs = case.answer.regimes["overprovisioned"], case.answer.regimes[than]
    if ours.objective is None or theirs.objective is None:
        return None
    truth = case.regime("overprovisioned") / case.regime(than) - 1
    high = math.inf if ours.bound is None else math.exp(ours.bound - theirs.objective) - 1
    low = math.exp(ours.objective - (math.inf if theirs.bound is None else theirs.bound)) - 1
    return (low, high) if low - 2e-6 <= truth <= high + 2e-6 else None


def _gain(case: Case, gain: Any, than: str = "worst-case") -> bool:
    ends = _gains(case, than)
    if ends is None:
        return False
    high = ends[1] if math.isfinite(ends[1]) else None
    return same(gain[0], ends[0]) and same(gain[1], high)


def _no_gain(case: Case, most: float, than: Any) -> bool:
    """Ends around 0 over these regimes and no others, the upper one below what is said."""
    none = [
        name for name in ("worst-case", "static")
        if (ends := _gains(case, name)) is not None and ends[0] <= 0 <= ends[1] < 1e-5
    ]  # fmt: skip
    return [*than] == none != [] and same(most, 1e-5)


# Days and money


def _days(case: Case) -> dict[str, int]:
    """Days of each type's delivery after power is available."""
    if case.feed is None:
        return {}
    days = {name: case.delivered(name) for name in case.bought}
    return {name: (day - case.feed).days for name, day in days.items() if day is not None}


def _arrives(case: Case, types: Any, feed: str, most: int, decided: str, sign: int) -> bool:
    days = {name: sign * late for name, late in _days(case).items() if sign * late > 0}
    return (
        {*types} == {case.label(name) for name in days} and len(types) == len(days)
        and feed == str(case.feed) and most == max(days.values())
        and decided == str(case.raw["procurement"]["decided_on"])
    )  # fmt: skip


def _orders(case: Case) -> dict[str, tuple[dt.date, str]]:
    """The last day to order from each vendor that is bought from, and what ends then."""
    last: dict[str, tuple[dt.date, str]] = {}
    for name in case.bought:
        quote = case.quote(name)
        days = [(quote["valid_until"], "expires")] if quote.get("valid_until") else []
        if case.by is not None and quote.get("lead_weeks") is not None:
            days.append((case.by - dt.timedelta(weeks=quote["lead_weeks"]), "late"))
        known = [*days, *([last[quote["vendor"]]] if quote["vendor"] in last else [])]
        if known:
            last[quote["vendor"]] = min(known)
    return last


def _order(case: Case, why: str, vendor: str, day: str) -> bool:
    orders = _orders(case)
    first = sorted(each for each, _ in orders.values())[:3]
    return (str(orders[vendor][0]), orders[vendor][1]) == (day, why) and orders[vendor][0] in first


def _over(case: Case) -> list[tuple[float, float, float]]:
    """Cost of a year, price and probability, where a year exceeds the operating budget."""
    limit = case.limit("operating")
    years = [(case.year(price), price, chance) for price, chance in case.energy_prices]
    return [year for year in years if year[0] > limit * (1 + 1e-6)]


def _overspent(case: Case, probability: float, price: float, cost: float, budget: float) -> bool:
    over = _over(case)
    return (
        close(probability, sum(chance for _, _, chance in over))
        and price == max(over)[1] and close(cost, max(over)[0])
        and budget == case.limit("operating")
    )  # fmt: skip


# What would make a plan


def _up(value: float, resource: str) -> float:
    """An amount as it is printed, rounded up."""
    if resource == "racks":
        return float(math.ceil(value - 1e-6))
    unit = "W up" if resource in POWER_RESOURCES else "money USD up"
    number, *of = amount(value, unit).split("\xa0")
    size = {"kW": 1e3, "MW": 1e6, "M": 1e6}.get(of[0], 1.0)
    return round(float(number.replace(",", "")) * size, 6)


def _repairs(case: Case) -> tuple[Repair, ...]:
    diagnosis = case.answer.diagnosis
    return () if diagnosis is None else diagnosis.useful or diagnosis.repairs


def _good(case: Case) -> float:
    """Score that a repaired machine must have: of the reference where all repairs are worse."""
    diagnosis = case.answer.diagnosis
    return 1.0 - 1e-9 if diagnosis is not None and diagnosis.useful else 0.0


def _is_score(case: Case, score: float, scores: list[float], plan: Plan) -> bool:
    """Whether a score is that of one of the best machines, and of the plan's allocation."""
    near = [each for each in scores if each >= scores[0] * (1 - REPAIRED_GAP)]
    within = REPAIRED_GAP if case.within == GAP else case.within  # repairs are solved to this gap
    return same(score, achieved(case.problem, plan)) and any(
        close(score, each, within) for each in near
    )


def _secure(case: Case, added: float, resource: str, score: float) -> bool:
    """That so much more of one resource suffices, nothing less does, and what it then scores."""
    enough = [
        needs[resource] for needs, reached in case.grown((resource,)) if reached >= _good(case)
    ]
    least = min(enough)  # before any work
    if not added > 0 or (_is_fixed(case, resource) and not close(added, least)):
        return False
    less = max(case.under({resource: added * (1 - 1e-6)}), default=0.0)
    return less < score * (1 - 1e-8) and _is_score(
        case, score, case.under({resource: added}), _growths(case, (resource,)).plan
    )


def _is_fixed(case: Case, *resources: str) -> bool:
    """Whether work takes no more of some resources than installed nodes do."""
    by_work = {"operating"} | (
        {*POWER_RESOURCES} if case.problem.regime == "overprovisioned" else set()
    )
    return not by_work & {*resources}


def _price(case: Case, resource: str) -> float | None:
    price: float | None = case.group("procurement").get("repair_prices", {}).get(resource)
    return price


def _growths(case: Case, resources: tuple[str, ...]) -> Repair:
    return next(
        repair for repair in _repairs(case)
        if tuple(name for name, _ in repair.added) == resources
    )  # fmt: skip


def _secure_several(case: Case, resources: Any, score: float) -> bool:
    """That the amounts of the table suffice, that no other ones are cheaper, and the score."""
    repair = _growths(case, tuple(resources))
    prices = [_price(case, name) for name in case.finite]
    free = case.finite if repair.relative else tuple(
        name for name in case.finite if _price(case, name) is not None
    )  # fmt: skip
    weigh = {
        name: 1 / case.limit(name) if repair.relative else float(price or 0.0)
        for name, price in zip(case.finite, prices, strict=True)
    }
    every = case.grown(tuple(free))
    costs = [
        sum(weigh[name] * need for name, need in needs.items())
        for needs, reached in every
        if reached >= _good(case)
        and (repair.relative or sum(need > 0 for need in needs.values()) <= len(resources))
    ]
    cost = sum(weigh[name] * more for name, more in repair.added)
    return (
        len(resources) > 1 and not _alone(case, _good(case))
        and (close(cost, min(costs), 1e-6) if _is_fixed(case, *free) else cost >= min(costs))
        and _is_score(case, score, case.under(dict(repair.added)), repair.plan)
    )  # fmt: skip


def _alone(case: Case, good: float) -> bool:
    """Whether more of a single resource makes a plan of some score."""
    return any(reached >= good for name in case.finite for _, reached in case.grown((name,)))


def _cost_of(case: Case, cost: float, amounts: dict[str, float]) -> bool:
    prices = {name: _price(case, name) for name in amounts}
    if None in prices.values():
        return False
    return same(
        cost, sum(_up(more, name) * (prices[name] or 0.0) for name, more in amounts.items())
    )


def _ways(case: Case) -> tuple[Way, ...]:
    return case.answer.diagnosis.ways if case.answer.diagnosis else ()


_KINDS = {"throughput of ": "throughput", "a partition for ": "a timed run"}


def _kind(rule: str, subject: str) -> str:
    """The kind of a rule, as tables name it."""
    kind, _, about = rule.partition(": ")
    found = next((short for start, short in _KINDS.items() if about.startswith(start)), about)
    return f"share: {subject}" if kind == "share" else f"{kind}: {found}"


def _relax(case: Case, rules: Any, score: float) -> bool:
    """That the changes of some way allow a plan of this score, and that each is needed."""
    for way in _ways(case):
        changes = [(change.rule, change.subject, change.value) for change in way.changes]
        kinds = [*dict.fromkeys(_kind(rule, subject) for rule, subject, _ in changes)]
        if kinds != [*rules]:
            continue
        grown = {} if way.grown is None else dict(way.grown.added)
        plans = plans_of(relaxed(case.raw, changes), grown)
        fewer = (
            plans_of(relaxed(case.raw, changes[:place] + changes[place + 1 :]), grown)
            for place in range(len(changes))
        )
        reached = [math.exp(log) for log, _ in plans]
        if not plans or any(fewer):
            continue
        if grown:  # little more of what only just suffices may raise a small score much
            right = same(score, achieved(case.problem, way.plan))
            return right and score <= reached[0] * (1 + case.within)
        if _is_score(case, score, reached, way.plan):
            return True
    return False


def _given_up(case: Case, rules: Any) -> bool:
    """That without each of these rules there is a plan, and that no way is listed."""
    return not _ways(case) and all(case.feasible(rule) for rule in rules)


def _clashing(case: Case) -> tuple[str, ...]:
    """Kinds of the rules that the answer says clash."""
    diagnosis, found = case.answer.diagnosis, []
    for rule in diagnosis.clashing if diagnosis else ():
        kind, _, subject = rule.partition(": ")
        if kind == "share":
            (share,) = case.group("requirements")["shares"]
            subject = side_of(share)
        found.append(_kind(rule, subject))
    return tuple(dict.fromkeys(found))


def _hopeless(case: Case, resources: Any) -> bool:
    return {*resources} == {
        name for name in case.finite if not case.plans(**{name: math.inf})
    } and len({*resources}) == len(resources)


# What a step of power is worth


def _step(case: Case, step: float, change: float) -> bool:
    return close(step, case.step_w) and change == round(step / case.limit("it_power_w"), 4)


def _in_money(case: Case, step: float, change: float, capital: Any) -> bool:
    """That this much capital has the effect of the step, and that less has not."""
    may, surely = case.worth
    value = case.answer.power_value
    return (
        _step(case, step, change) and value is not None
        and (*capital,) == (value.capital_low, value.capital_high)
        and capital[0] <= surely * (1 + 1e-6) and capital[1] >= may * (1 - 1e-6)
    )  # fmt: skip


def _beyond(case: Case, step: float, change: float, score: float, rich: float) -> bool:
    return (
        _step(case, step, change) and case.worth[0] == math.inf and rich < score
        and close(score, case.with_step) and close(rich, case.rich)
    )  # fmt: skip


def _costs(case: Case, cost: float) -> bool:
    price = _price(case, "it_power_w")
    return price is not None and close(cost, case.step_w * price)


# Cells


def _lots(case: Case) -> set[tuple[int, str, float | None]]:
    """What every plan of the answer buys: nodes, label and cap."""
    answer, diagnosis = case.answer, case.answer.diagnosis
    plans: list[Plan | None] = [
        answer.plan, *(outcome.plan for outcome in answer.regimes.values()),
        *(other.plan for other in answer.heuristics), *(each.plan for each in answer.alternatives),
    ]  # fmt: skip
    if diagnosis is not None:
        plans += [each.plan for each in (*diagnosis.repairs, *diagnosis.useful)]
        plans += [each.plan for each in diagnosis.ways]
    return {
        (lot.nodes, case.label(lot.name), lot.cap_w)
        for plan in plans if plan for lot in plan.purchases
    } | {
        (nodes, case.label(name), None)
        for point in answer.pareto for name, nodes in point.purchases
    }  # fmt: skip


def _lot(case: Case, nodes: int, label: str, cap: float | None = None) -> bool:
    quote = next(q for q in case.raw["node_types"] if case.label(q["name"]) == label)
    caps = [None, *quote.get("package_caps_w", ())]
    free = case.answer.diagnosis is not None or nodes <= quote.get("maximum_quantity", nodes)
    return (nodes, label, cap) in _lots(case) and cap in caps and free


def _inputs(case: Case) -> dict[tuple[str, str], float]:
    """Every uncertain input with its half width: 10 % unless the request says otherwise."""
    question, power = case.group("procurement"), case.group("power")
    found = dict.fromkeys(((name, "") for name in case.finite), 0.1)
    if any(price > 0 for price, _ in case.energy_prices):
        found["energy price", ""] = 0.1
    found["PUE", ""] = min(0.1, 1 - 1 / power.get("pue", 1.0))
    for demand in case.raw.get("demands", ()):
        found["probability", demand["name"]] = min(0.1, 1 / demand["probability"] - 1)
    for quote in case.raw["node_types"]:
        for kind in ("price", "power", "performance"):
            found[kind, case.label(quote["name"])] = question.get(f"uncertain_{kind}", 0.1)
        if quote.get("efficiency", 1.0) != 1:
            width = question.get("uncertain_performance", 0.1)
            found["efficiency", f"{quote['kind']} nodes"] = width
    return {key: width for key, width in found.items() if width > 0}


def _input(case: Case, change: float, of: str, **values: str) -> bool:
    return same(change, _inputs(case)[values["input"], of])


def _unstated(case: Case) -> bool:
    """Whether some candidate of the ranking has no lead time, and delivery is to count."""
    weights = case.group("procurement").get("weights", {})
    ranked = {*case.bought}
    for plan in (each.plan for each in case.answer.alternatives):
        ranked |= {lot.name for lot in plan.purchases}
    for vendor, sound in case.vendors_systems.items():
        if sound:
            ranked |= {
                quote["name"] for quote in case.raw["node_types"]
                if quote["vendor"] == vendor and quote.get("as_bid_quantity")
            }  # fmt: skip
    unknown = any(case.quote(name).get("lead_weeks") is None for name in ranked)
    return unknown and (not weights or bool(weights.get("delivery")))


def _has_plan(case: Case) -> bool:
    return case.answer.plan is not None


def _unbought(case: Case, quotes: Any, reason: str) -> bool:
    """That these quotes, and no others, are left out for this reason."""
    left = [vars(quote) for quote in not_bought(case.answer)]
    unbought = {quote["name"] for quote in case.raw["node_types"]} - {*case.bought}
    named = [quote["label"] for quote in left if _why(quote) == reason]
    return [*quotes] == named != [] and unbought == {quote["name"] for quote in left}


def _instead(case: Case, method: str, change: float, capital: float) -> bool:
    """A plan by another way: the best of its kind, and how its score differs from the plan's."""
    mine, optimum = achieved(case.problem, case.plan), case.answer.optimum.plan
    if abs(change) < _PRINTED:
        return False
    if method == "optimum":
        return (
            case.by_heuristic and optimum is not None and same(capital, _money_of(case, optimum))
            and same(change, optimum.score / case.plan.score - 1)
            and abs(case.best() / mine - 1 - change) <= 3 * max(GAP, case.options.gap)
        )  # fmt: skip
    regimes = {
        name: outcome.plan
        for name, outcome in case.answer.regimes.items()
        if name != case.problem.regime and outcome.plan is not None
    }
    if method in regimes:
        truth = case.regime(method)
        best = max(case.regime(name) for name in regimes)
        return (
            not case.by_heuristic
            and truth >= best * (1 - 3 * GAP) and same(capital, _money_of(case, regimes[method]))
            and abs(truth / mine - 1 - change) <= 3 * max(GAP, case.options.gap)
            and same(change, regimes[method].score / case.plan.score - 1)
        )  # fmt: skip
    every = {
        each.plan.method: each.plan
        for each in case.answer.heuristics
        if not each.wrong and each.plan.score > 0 and _is_other(case, each.plan)
    }
    plan, quoted = every[method], method.startswith(_QUOTED)
    best = max(
        achieved(case.problem, each)
        for name, each in every.items()
        if name.startswith(_QUOTED) == quoted
    )
    return (
        close(achieved(case.problem, plan), best) and same(capital, _money_of(case, plan))
        and abs(best / mine - 1 - change) <= _PRINTED / 10
    )  # fmt: skip


_PRINTED = 5e-6
"""A smaller change is printed as none."""
_QUOTED = "as quoted by "


def _is_other(case: Case, plan: Plan) -> bool:
    """Whether a plan buys other nodes than the plan that is proposed."""
    return _nodes_of(plan) != _nodes_of(case.plan)


def _nodes_of(plan: Plan) -> dict[str, int]:
    nodes: dict[str, int] = {}
    for lot in plan.purchases:
        nodes[lot.name] = nodes.get(lot.name, 0) + lot.nodes
    return nodes


def _single_vendor(case: Case) -> str | None:
    """The vendor of all that is bought, where others quote as well."""
    sold = {quote["vendor"] for quote in case.raw["node_types"]
            if quote["name"] not in case.excluded}  # fmt: skip
    bought = {case.quote(name)["vendor"] for name in case.bought}
    return next(iter(bought)) if len(bought) == 1 < len(sold) else None


def _cut(case: Case, resource: str) -> float | None:
    """The smallest cut of a limit that was tried."""
    cuts = [
        e.change for e in case.answer.marginal_values if e.resource == resource and e.change < 0
    ]
    return max(cuts, default=None)


def _modelled(case: Case) -> float:
    """Share of the weight of workloads with a model."""
    works = [(e["performance"]["kind"], float(e.get("weight", 1))) for e in case.raw["workloads"]]
    return sum(w for kind, w in works if kind == "roofline") / sum(w for _, w in works)


def _impossible_below(case: Case, change: float, resource: str) -> bool:
    """That no machine is left with so much less of a limit."""
    effect = next(
        e for e in case.answer.marginal_values if (e.resource, e.change) == (resource, change)
    )
    return change == _cut(case, resource) and not case.under(
        {resource: effect.limit - getattr(case.problem.limits, resource)}
    )


def _scores(case: Case) -> list[float]:
    """Scores of all purchases besides the plan's that break no rule."""
    every = [each.plan for each in case.answer.heuristics if not each.wrong and each.plan.score > 0]
    if not case.by_heuristic:
        every += [
            outcome.plan for name, outcome in case.answer.regimes.items()
            if name != case.problem.regime and outcome.plan is not None
        ]  # fmt: skip
    return [achieved(case.problem, plan) for plan in every if _is_other(case, plan)]


def _best_two(case: Case, score: float, other: float) -> bool:
    """The score of the plan, and that of the best other purchase."""
    every = _scores(case)
    return (
        bool(every) and close(score, achieved(case.problem, case.plan)) and close(other, max(every))
    )


def _limit_on_others(case: Case) -> float:
    """How many times the score of the plan no plan exceeds, as guaranteed."""
    outcome = case.answer.optimum
    limit = outcome.bound if outcome.proved is None else outcome.proved
    return math.exp(max(0.0, (limit or 0.0) - case.plan.objective))


def _beyond_limit(case: Case) -> float:
    """By how much more than the guaranteed limit the best alternative scores lower."""
    return case.score / max(_scores(case)) - _limit_on_others(case)


def _within_limit(case: Case) -> bool:
    """Whether neither the plan nor the best alternative scores higher by more than the limit."""
    ratio = max(_scores(case)) / case.score
    return max(ratio, 1 / ratio) < _limit_on_others(case) + 1e-9


def _reasons(case: Case) -> list[str]:
    """Kinds of what is stated as a reason."""
    return [each.kind for each in case.answer.study.findings if each.severity == "reason"]


def _leads(case: Case, first: Any, lead: float, criteria: Any) -> bool:
    """That these candidates are first; the rank is a reason only for a plan among them."""
    return (
        {*first} == {*_first_ones(_weighed(case))} and _lead(case, lead)
        and _changing(case, criteria)
        and ("ranks-first" not in _reasons(case) or case.answer.plan_name in first)
    )  # fmt: skip


def _certain_gain(case: Case, gain: Any, than: str) -> bool:
    """The gain over a regime; as a reason it is certain, and comes first."""
    reasons = _reasons(case)
    is_reason = "gained" in reasons and than == "worst-case"
    first = reasons[:1] == ["gained"] and gain[0] > 0 and not case.by_heuristic
    return _gain(case, gain, than) and (not is_reason or first)


def _step_price(case: Case, cost: float, pays: str) -> bool:
    """How the cost of the step compares with the capital that has its effect."""
    value = case.answer.power_value
    if not _costs(case, cost) or value is None:
        return False
    may, surely = case.worth
    if value.effect is not StepEffect.CAPITAL:
        return pays == {
            StepEffect.BEYOND_CAPITAL: "beyond any capital",
        }.get(value.effect, "unknown") and (pays != "beyond any capital" or may == math.inf)
    low, high = value.capital_low, value.capital_high
    assert low is not None
    assert high is not None
    equal = close(low, cost, TOLERANCE) and close(high, cost, TOLERANCE)
    return {
        "less": not equal and low > cost and surely >= cost * (1 - 1e-6),
        "equal": equal and may <= cost * (1 + 1e-5) and surely >= cost * (1 - 1e-5),
        "more": not equal and high < cost and may <= cost,
        "undecided": not equal and low <= cost <= high,
    }[pays]


FINDINGS: dict[str, Claim] = {
    "title": lambda case, title: title == case.raw["title"],
    "buy-1": _buys,
    "buy-2": _buys,
    "buy-3": _buys,
    "buy-more": _buys,
    "undecided": lambda case: (
        not _has_plan(case) and case.answer.optimum.status is not Status.INFEASIBLE
    ),
    "no-plan": lambda case: not _has_plan(case) and not plans_of(case.raw),
    "no-plan-rule": lambda case, rule: not plans_of(case.raw) and case.clash((rule,)),
    "no-plan-rules": lambda case, rules: (
        not plans_of(case.raw) and rules == len(case.answer.diagnosis.clashing) > 1
        and case.clash(_clashing(case))
    ),
    "clash": lambda case, rules: (
        _rules(rules) == _clashing(case) and len(rules) > 1 and case.clash(_rules(rules))
    ),
    "ruled-out": lambda case, level: (
        not plans_of(case.raw) and level == case.answer.optimum.certificate.level.value
    ),
    "optimal": lambda case, more, level: (
        not case.by_heuristic and _is_optimal(case) and case.is_best and _more(case, more, level)
    ),
    "within": lambda case, more, level: (
        not case.by_heuristic and not _is_optimal(case) and level == "proved"
        and _more(case, more, level)
    ),
    "open-gap": lambda case, more, level: (
        not case.by_heuristic and not _is_optimal(case) and level == "claimed"
        and _more(case, more, level)
    ),
    "by-heuristic": lambda case, method, more, level: (
        method.replace(" ", "-") == case.options.method and _more(case, more, level)
    ),
    "solvers-agree": lambda case, solvers, gap: (
        gap == case.options.gap and _solvers(case, solvers) and _agree(case)
        and _purchases(case) == 1
    ),
    "solvers-tied": lambda case, solvers, gap: (
        gap == case.options.gap and _solvers(case, solvers) and _agree(case)
        and _purchases(case) > 1
    ),
    "solvers-contradict": lambda case, solvers: (
        _solvers(case, solvers) and not _agree(case)
        and all(answer.outcome.status is Status.OPTIMAL for answer in case.answer.by_solver)
    ),
    "solver-ended": lambda case, solver, gap: any(
        solver == answer.solver and answer.outcome.status is not Status.OPTIMAL
        and same(gap, math.exp(answer.outcome.bound - answer.outcome.objective) - 1)
        for answer in case.answer.by_solver
    ),
    "cost-share": lambda case, share, years: (
        close(share, case.money / case.total_cost) and years == _life(case)
    ),
    "weights-assumed": lambda case: not case.group("procurement").get("weights"),
    "year": lambda case, money, years: (
        close(money, case.year(case.expected_price))
        and years == case.group("budget").get("lifetime_years", 4.0)
    ),
    "of-limit": lambda case, share, limit, mean: (
        same(limit, case.limit("it_power_w")) and close(share, case.it_power_w / limit)
        and close(mean, case.mean_w)
    ),
    "gained": _certain_gain,
    "no-gain": _no_gain,
    "apart": lambda case: not case.by_heuristic and _beyond_limit(case) > -1e-9,
    "close": lambda case: not case.by_heuristic and _within_limit(case),
    "scores": _best_two,
    "reference": lambda case, what, **values: (
        what == ("mix" if _is_mix(case) else "several") and _against(case, **values)
    ),
    "reference-parts": lambda case, throughput, speed, **values: (
        close(throughput, _geometric(case, _thetas(case), case.problem.rating_weight))
        and close(speed, _geometric(case, _speeds(case), case.problem.capability_weight))
        and not _is_mix(case) and len(case.problem.probability) == 1 and _against(case, **values)
    ),
    "one-vendor": lambda case, vendor: vendor == _single_vendor(case),
    "no-plan-below": _impossible_below,
    "sold-out": lambda case, types: [*types] == [
        case.label(name) for name, nodes in case.bought.items()
        if nodes == case.quote(name).get("maximum_quantity")
    ] != [],
    "more-raises": lambda case, change, resource, gain: (
        same(change, _rises(case)[resource].change) and _more_of(resource)(case, gain)
        and not (case.by_heuristic and "more-raises" in _reasons(case))
    ),
    "no-effect": lambda case, **values: _no_effect(case, values["resources"]),
    "ranks-first": _leads,
    "instead": lambda case, method, **values: (
        not method.startswith(_QUOTED) and _instead(case, method, **values)
    ),
    "instead-quoted": lambda case, method, **values: (
        method.startswith(_QUOTED) and _instead(case, method, **values)
    ),
    "energy-and-life": lambda case, price, years, used: (
        close(price, case.expected_price) and (years, used) == (_life(case), _used(case))
    ),
    "unbought": _unbought,
    "less-throughput": lambda case, reference, throughput: (
        reference == case.raw["reference"]["name"] and close(throughput, _throughput(case))
        and _is_less(case)
    ),
    "modelled": lambda case, part, weight: close(weight, _modelled(case)) and (*part,) == (
        sum(work["performance"]["kind"] == "roofline" for work in case.raw["workloads"]),
        len(case.raw["workloads"]),
    ) and part[0] > 0,
    "wilson": lambda case, ends: _wilson(case.simulated[0], ends),
    "side": lambda case, side: side == case.raw["power"].get("side", "it"),
    "stopped-by-time": _by_time,
    "overspent": _overspent,
    "late": lambda case, **values: _arrives(case, **values, sign=1),
    "early": lambda case, **values: _arrives(case, **values, sign=-1),
    "open": lambda case, gap: (
        case.answer.optimum.status is Status.FEASIBLE
        and gap > 0 and _more(case, gap, _level(case))
    ),
    "stopped-by-nodes": lambda case, programs: programs == _by_nodes(case) > 0,
    "no-quoted-system": lambda case: (
        bool(case.vendors_systems) and not any(case.vendors_systems.values())
    ),
    "excluded": lambda case, quotes: [*quotes] == case.excluded != [],
    "order-expires": lambda case, vendor, day: _order(case, "expires", vendor, day),
    "order-late": lambda case, vendor, day, by: (
        by == str(case.by) and _order(case, "late", vendor, day)
    ),
    "deliver": lambda case, types, feed: (
        [*types] == [case.label(name) for name, late in _days(case).items() if late >= 7]
        and feed == str(case.feed)
    ),
    "energy": lambda case, cost: close(cost, max(_over(case))[0]),
    "more-time": _by_time,
    "measure": _measured,
    "secure": lambda case, added, resource, score: (
        _price(case, resource) is None and _secure(case, added, resource, score)
    ),
    "secure-for": lambda case, added, resource, score, cost: (
        _secure(case, added, resource, score) and _cost_of(case, cost, {resource: added})
    ),
    "secure-several": lambda case, resources, score: (
        any(_price(case, name) is None for name in resources)
        and _secure_several(case, resources, score)
    ),
    "secure-several-for": lambda case, resources, score, cost: (
        _secure_several(case, resources, score)
        and _cost_of(case, cost, dict(_growths(case, tuple(resources)).added))
    ),
    "relax": _relax,
    "give-up": _given_up,
    "plan-again": lambda case: not _has_plan(case),
    "ask-quotes": lambda case: case.excluded != [] and not _has_plan(case),
    "hopeless": _hopeless,
    "unpriced-shares": lambda case, resources: (
        [*resources] == [name for name in case.finite if _price(case, name) is None] != []
        and not _alone(case, _good(case))
    ),
    "not-ranked": lambda case, systems: [*systems] == sorted(
        f"as quoted by {vendor}" for vendor, sound in case.vendors_systems.items() if not sound
    ) != [],
    "delivery-not-rated": _unstated,
    "power-in-money": _in_money,
    "power-beyond": _beyond,
    "power-open": lambda case, step, change, why: (
        _step(case, step, change) and why in [each.value for each in StepEffect]
        and why == case.answer.power_value.effect.value
    ),
    "step-costs": _step_price,
    "bought": _lot,
    "bought-capped": _lot,
    "demand-factor": lambda case, workload, factor: any(
        demand["factors"].get(workload) == factor for demand in case.raw["demands"]
    ),
    "discount": lambda case, quantity, discount: any(
        each["from_quantity"] == quantity and same(each["fraction"], discount)
        for quote in case.raw["node_types"] for each in quote.get("discounts", ())
    ),
    "input": lambda case, **values: _input(case, of="", **values),
    "input-of": _input,
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""
NEVER_HERE = {
    "not-run", "least-delivered", "next-combination", "no-combination", "award-same",
    "award-instead", "award-breaks", "nearly", "best-1", "best-2", "best-3",
    "best-more", "follow-scheme", "settle-award", "supply-rack", "as-stated",
    "model-misses", "model-tie", "next-best", "next-behind", "next-ties", "scores-first",
    "idle-nodes", "no-rack", "no-penalty", "fixed-sizes", "low-end", "low-ends",
    "needs-discount", "discount-decides",
    "over-limit", "misses", "misses-of", "breaks-rules", "scores-lower", "scores-alike",
}  # fmt: skip
"""Of tenders, whose purchases no case here looks at: claimed in test_offered.py, and those of
combinations of packages in test_combinations.py."""
FACTS_NEVER_HERE = {
    "expected_penalty",
    "fixed_w_besides", "maintenance_besides", "installation_besides",
}  # fmt: skip
"""Of tenders, too: claimed in test_offered.py."""


def _totals(case: Case) -> dict[str, dict[str, float]]:
    """Points of each candidate by criterion."""
    plans = {case.answer.plan_name: case.plan}
    plans |= {f"alternative {n}": a.plan for n, a in enumerate(case.answer.alternatives, 1)}
    plans |= {
        each.plan.method: each.plan
        for each in case.answer.heuristics
        if case.vendors_systems.get(each.plan.method.removeprefix("as quoted by "))
        and _is_other(case, each.plan)
    }
    weeks: list[list[Any]] = [
        [case.quote(lot.name).get("lead_weeks") for lot in plan.purchases]
        for plan in plans.values()
    ]
    measured = {
        "performance": [plan.score for plan in plans.values()],
        "total cost": [plan.score / plan.total_cost for plan in plans.values()],
        "energy": [plan.score / plan.mean_it_w for plan in plans.values()],
    }
    if not any(None in each for each in weeks):
        measured["delivery"] = [1 / max([1.0, *each]) for each in weeks]
    return {
        name: {criterion: of[at] / max(of) for criterion, of in measured.items()}
        for at, name in enumerate(plans)
    }


def _weighed(case: Case, moved: str = "", to: float = 0.0) -> dict[str, float]:
    """Totals of the candidates, with one weight moved and the others in proportion."""
    points = _totals(case)
    stated = case.group("procurement").get("weights") or WEIGHTS
    rated = next(iter(points.values()))
    weights = {name: stated.get(name, 0.0) for name in rated if stated.get(name)}
    whole = sum(weights.values())
    rest = whole - weights.get(moved, 0.0)

    def weight(name: str) -> float:
        if not moved:
            return float(weights[name] / whole)
        return to if name == moved else float(weights[name] / rest * (1 - to) if rest else 0.0)

    return {who: sum(weight(name) * of[name] for name in weights) for who, of in points.items()}


def _first_ones(totals: dict[str, float]) -> list[str]:
    return [name for name, total in totals.items() if total >= max(totals.values()) - 1e-9]


def _changing(case: Case, criteria: Any) -> bool:
    """Whether the winner is beaten where one of these weights is 0 or 1, and of no other."""
    now = _first_ones(_weighed(case))
    rated = next(iter(_totals(case).values()))
    stated = case.group("procurement").get("weights") or WEIGHTS
    moving = tuple(
        name for name in rated
        if stated.get(name)
        and any(not {*now} & {*_first_ones(_weighed(case, name, end))} for end in (0.0, 1.0))
    )  # fmt: skip
    return criteria == (moving or "none") if isinstance(criteria, str) else (*criteria,) == moving


def _lead(case: Case, value: float) -> bool:
    first, second, *_ = sorted(_weighed(case).values(), reverse=True)
    return abs(value - (first - second)) <= 1e-5 * (first - second) + 2e-9


def _rises(case: Case) -> dict[str, Any]:
    """Of each limit, the smallest rise with which the score may gain as much as with any other."""
    found: dict[str, Any] = {}
    for each in case.answer.marginal_values:
        if not (each.change > 0 and (each.low or 0.0) > 0):
            continue
        mine = [e for e in case.answer.marginal_values if e.resource == each.resource]
        smaller = [e for e in mine if 0 < e.change < each.change and (e.low or 0.0) > 0]
        low = each.low or 0.0
        if all(low > (e.high or 0.0) for e in smaller):
            found[each.resource] = max(
                found.get(each.resource, each), each, key=lambda e: float(e.change)
            )
    return found


def _risen(case: Case, effect: Any) -> float:
    """What the best machine gains under a raised limit."""
    return case.best(**{effect.resource: effect.limit}) / case.best() - 1


def _more_of(name: str) -> Claim:
    """That the score with more of a resource rises, by something between two ends."""

    def claim(case: Case, value: Any) -> bool:
        effect = _rises(case)[name]
        return (
            same(value[0], effect.low) and same(value[1], effect.high) and value[0] > 0
            and value[0] - 2e-6 <= _risen(case, effect) <= value[1] + 2e-6
        )  # fmt: skip

    return claim


def _no_effect(case: Case, value: Any) -> bool:
    """That no more of these certainly raises the score, and that of all others more does."""
    raised = {effect.resource for effect in case.answer.marginal_values if effect.change > 0}
    return {*value} == raised - {*_rises(case)} and len({*value}) == len(value)


def _money_of(case: Case, plan: Plan) -> float:
    bought = {lot.name: lot.nodes for lot in plan.purchases}
    return capital(case.problem, tuple(bought.get(o.name, 0) for o in case.problem.offers))


def _distance(case: Case, value: float) -> bool:
    """The largest of the least distances, from what each plan spends on each type."""
    spent = [
        {lot.name: lot.nodes * case.paid(lot.name, lot.nodes) for lot in plan.purchases}
        for plan in (case.plan, *(each.plan for each in case.answer.alternatives))
    ]

    def apart(one: dict[str, float], other: dict[str, float]) -> float:
        return sum(abs(one.get(n, 0.0) - other.get(n, 0.0)) for n in {*one, *other}) / 2

    least = [min(apart(mine, other) for other in spent[:at]) for at, mine in enumerate(spent) if at]
    return close(value, max(least) / sum(spent[0].values()))


def _least_score(case: Case, value: float) -> bool:
    reached = [achieved(case.problem, each.plan) for each in case.answer.alternatives]
    return close(value, max(0.0, 1 - min(reached) / case.score), 1e-4)


def _paying(case: Case) -> dict[str, float]:
    return {
        case.label(each.name): each.certified_in
        for each in case.answer.losing_quotes
        if each.certified_in is not None
    }


def _discount(case: Case, value: float) -> bool:
    """That one quote pays at the discount, by every machine that holds enough of it."""
    pays = _paying(case)
    if value != min(pays.values()):
        return False
    quote = next(e for e in case.answer.losing_quotes if e.certified_in == value)
    raw = copy.deepcopy(case.raw)
    for each in raw["node_types"]:
        each["price"] *= 1 - value if each["name"] == quote.name else 1
    at = case.index(quote.name)
    with_it = [log for log, machine in plans_of(raw) if machine.counts[at] >= quote.held]
    return max(with_it) >= case.plans()[0][0] - 1e-6


def _swings(case: Case) -> list[float]:
    pairs = [(bar.score_low, bar.score_high) for bar in case.answer.tornado]
    return [abs(low - high) for low, high in pairs if low is not None and high is not None]


def _level(case: Case) -> str:
    return "claimed" if case.answer.optimum.proved is None else "proved"


def _wilson(share: float, ends: Any, draws: int = 100) -> bool:
    """Ends of Wilson's interval: the shares whose 95 % test does not reject the one observed."""
    within = (
        abs(share - end) <= 1.96 * math.sqrt(end * (1 - end) / draws) + 1e-9
        and abs(share - end) >= 1.96 * math.sqrt(end * (1 - end) / draws) - 1e-9
        for end in ends
    )
    return all(within) and ends[0] <= share <= ends[1]


def _stated(group: str, key: str, default: Any = None) -> Claim:
    """That a fact is what the request states."""
    return lambda case, value: value == case.group(group).get(key, default)


def _limit(name: str) -> Claim:
    return lambda case, value: same(value, case.limit(name)) and value < math.inf


FACTS: dict[str, Claim] = {
    "score": lambda case, value: close(value, case.score),
    "nodes": lambda case, value: value == sum(case.bought.values()),
    "racks": lambda case, value: value == case.used["racks"] > 0,
    "vendors": lambda case, value: value == len(
        {case.quote(name)["vendor"] for name in case.bought if case.quote(name).get("vendor")}
    ),
    "life": lambda case, value: close(value, case.total_cost),
    "power": lambda case, value: close(value, case.it_power_w) and case.allocated,
    "binding": lambda case, value: all(
        (name in value) in case.binds(name) for name in case.finite
    ) and (value == "none" or {*value} <= {*case.finite}),
    "per_million": lambda case, value: close(value, case.score / case.money * 1e6)
    and False in case.binds("it_power_w"),
    "solver": lambda case, value: value == case.options.solver,
    "method": lambda case, value: value == case.options.method,
    "gap_given": lambda case, value: value == case.options.gap,
    "seed": lambda case, value: value == case.options.seed,
    "time_limit": lambda case, value: value == case.options.time_limit_s,
    "replaced": lambda case, value: value in {
        f"{path} = {case.stated(path)}" for path in case.replaced
    },
    "own": lambda case, value: value in {f"{name} {digest}" for name, digest in case.answer.files},
    **{
        f"limit_{name}": _limit(name)
        for name in ("it_power_w", "liquid_w", "air_w", "capital", "operating", "racks")
    },
    "highest_year": lambda case, value: close(
        value, max(case.year(price) for price, _ in case.energy_prices)
    ),
    "cores": lambda case, value: value == _cores(case) and _all_state_cores(case),
    "core_hour": lambda case, value: close(
        value,
        case.total_cost / (_cores_at_work(case) * 8760 * _life(case) * _used(case))
    ) and _all_state_cores(case),
    "score_year": lambda case, value: close(value, case.total_cost / (case.score * _life(case))),
    "energy": lambda case, value: close(value, case.mean_w * case.feed_per_it * 8.76),
    "carbon": lambda case, value: close(
        value,
        case.mean_w * case.feed_per_it * 8.76e-6 * case.raw["power"]["carbon_g_per_kwh"],
    ),
    "embodied": lambda case, value: close(value, sum(
        case.quote(name)["embodied_kg_co2e"] * nodes for name, nodes in case.bought.items()
    ) / 1000),
    "holds": lambda case, value: close(value, case.simulated[0]),
    "broken": lambda case, value: close(value, case.simulated[1]),
    "without_plan": lambda case, value: close(value, case.simulated[2]),
    "draws": lambda case, value: value == 100 and case.full,
    "draws_seed": lambda case, value: value == case.options.seed,
    "vary_price": _stated("procurement", "uncertain_price", 0.1),
    "vary_power": _stated("procurement", "uncertain_power", 0.1),
    "vary_performance": _stated("procurement", "uncertain_performance", 0.1),
    "power_bound": _stated("power", "bound_w"),
    "pue": _stated("power", "pue", 1.0),
    "fixed_w": _stated("power", "fixed_w"),
    "power_from": lambda case, value: value == str(case.feed),
    "carbon_of_energy": _stated("power", "carbon_g_per_kwh"),
    "energy_price": lambda case, value: [*value] == [price for price, _ in case.energy_prices],
    "bears": _stated("budget", "operating_holds", "expected"),
    "lifetime": _stated("budget", "lifetime_years", 4.0),
    "discount_rate": _stated("budget", "discount_rate", 0.0),
    "utilisation": _stated("budget", "utilisation", 1.0),
    "maintenance": _stated("budget", "maintenance_fraction_per_year", 0.0),
    "installation": _stated("budget", "installation_fraction", 0.0),
    "staff": _stated("budget", "staff_per_year", 0.0),
    "fixed_capital": _stated("budget", "fixed_capital", 0.0),
    "reference": lambda case, value: value == case.raw["reference"]["name"],
    "reference_nodes": _stated("reference", "nodes"),
    "regime": _stated("procurement", "regime", "overprovisioned"),
    "decided_on": lambda case, value: value == str(case.raw["procurement"]["decided_on"]),
    "cvar_weight": _stated("procurement", "cvar_weight", 0.0),
    "cvar_level": _stated("procurement", "cvar_level", 0.9),
    "alternatives": lambda case, value: value == len(case.answer.alternatives) > 0,
    "given_up": _least_score,
    "distance": _distance,
    "least_discount": _discount,
    "pays_first": lambda case, value: [*value] == [
        label for label, least in _paying(case).items() if least == min(_paying(case).values())
    ],
    "never_pay": lambda case, value: value == sum(
        quote["name"] not in case.bought for quote in case.raw["node_types"]
    ) - len(case.excluded) - len(_paying(case)),
    "cells": lambda case, value: value == len(_cell_gains(case)),
    "cell_gains": lambda case, value: (
        close(value[0], min(_cell_gains(case))) and close(value[1], max(_cell_gains(case)))
    ),
    "front_plans": lambda case, value: value == len(case.answer.pareto),
    "front_capital": lambda case, value: _ends(value, [p.capital for p in case.answer.pareto]),
    "front_score": lambda case, value: _ends(value, [p.score for p in case.answer.pareto]),
    "widest": lambda case, value: (
        same(value, max(_swings(case))) and len(_swings(case)) == len(case.answer.tornado)
    ),
    "inputs_tried": lambda case, value: value == len(_inputs(case)),
    "types_change": lambda case, value: value == sum(
        bar.types_change for bar in case.answer.tornado
    ),
    "mean_power": lambda case, value: close(value, case.mean_w),
    "peak_power": lambda case, value: close(value, case.peak_w),
    "conversion_loss": _stated("power", "conversion_loss"),
    "energy_chance": lambda case, value: [*value] == [chance for _, chance in case.energy_prices],
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""


def _ends(value: Any, every: list[float]) -> bool:
    return same(value[0], min(every)) and same(value[1], max(every))


def _cell_gains(case: Case) -> list[float]:
    """Gains over worst-case provisioning of the cells in which that has a plan."""
    scores = [(c.score["overprovisioned"], c.score["worst-case"]) for c in case.answer.cells]
    return [ours / theirs - 1 for ours, theirs in scores if theirs > 0]


def _cores(case: Case) -> int:
    return sum(case.quote(name).get("cores", 0) * nodes for name, nodes in case.bought.items())


def _all_state_cores(case: Case) -> bool:
    return all(case.quote(name).get("cores") for name in case.bought)


def _cores_at_work(case: Case) -> float:
    """Mean cores of nodes that run jobs; all where only single runs are rated."""
    problem, plan = case.problem, case.plan
    cores = [case.quote(offer.name).get("cores", 0) for offer in problem.offers]
    if not any(plan.at_work):
        return _cores(case)
    return math.fsum(
        float(weight) * group.nodes * cores[problem.modes[group.mode].offer]
        for weight, at_work in zip(problem.energy_weight, plan.at_work, strict=False)
        for group in at_work
    )


def _life(case: Case) -> float:
    return float(case.group("budget").get("lifetime_years", 4.0))


def _used(case: Case) -> float:
    return float(case.group("budget").get("utilisation", 1.0))


def _planned(is_due: Claim) -> Claim:
    """Of cases with a plan."""
    return lambda case: _has_plan(case) and bool(is_due(case))


def _none(is_due: Claim) -> Claim:
    """Of cases without a plan."""
    return lambda case: not _has_plan(case) and bool(is_due(case))


DUE: dict[str, Claim] = {
    "stopped-by-time": _by_time,
    "stopped-by-nodes": lambda case: _by_nodes(case) > 0,
    "overspent": _planned(lambda case: bool(_over(case))),
    "energy": _planned(lambda case: bool(_over(case))),
    "late": _planned(lambda case: any(days > 0 for days in _days(case).values())),
    "early": _planned(lambda case: any(days < 0 for days in _days(case).values())),
    "deliver": _planned(lambda case: any(days >= 7 for days in _days(case).values())),
    "no-quoted-system": _planned(
        lambda case: case.vendors_systems and not any(case.vendors_systems.values())
    ),
    "not-ranked": _planned(lambda case: not all(case.vendors_systems.values())),
    "delivery-not-rated": _planned(_unstated),
    "excluded": lambda case: case.excluded,
    "ask-quotes": _none(lambda case: case.excluded),
    "order-expires": _planned(lambda case: "expires" in {why for _, why in _first(case)}),
    "order-late": _planned(lambda case: "late" in {why for _, why in _first(case)}),
    "one-vendor": _planned(lambda case: _single_vendor(case) is not None),
    "measure": _has_plan,
    "clash": _none(lambda case: len(_clashing(case)) > 1),
    "hopeless": _none(
        lambda case: bool(_clashing(case))
        and any(not case.plans(**{name: math.inf}) for name in case.finite)
    ),
    "by-heuristic": lambda case: case.by_heuristic,
    "sold-out": _planned(lambda case: any(
        nodes == case.quote(name).get("maximum_quantity") for name, nodes in case.bought.items()
    )),
    "less-throughput": _planned(_is_less),
    "modelled": _planned(lambda case: any(
        work["performance"]["kind"] == "roofline" for work in case.raw["workloads"]
    )),
    "energy-and-life": _planned(lambda case: case.expected_price > 0),
    "unbought": _planned(lambda case: len(case.bought) < len(case.raw["node_types"])),
}  # fmt: skip
"""When these kinds are due: they are stated then, and only then."""


def _first(case: Case) -> list[tuple[dt.date, str]]:
    return sorted(_orders(case).values())[:3]


def _rows_of_lots(case: Case, rows: list[dict[str, Any]]) -> bool:
    """Every lot that is bought, at the price that its quote states for so many of the type."""
    counted: dict[str, int] = {}
    for row in rows:
        counted[row["name"]] = counted.get(row["name"], 0) + row["nodes"]

    def price(name: str) -> float:
        quote = case.quote(name)
        cut = [each["fraction"] for each in quote.get("discounts", ())
               if each["from_quantity"] <= counted[name]]  # fmt: skip
        return float(quote["price"] * (1 - (cut[-1] if cut else 0.0)))

    return counted == case.bought and all(
        close(row["unit_price"], price(row["name"]))
        and close(row["amount"], row["nodes"] * row["unit_price"])
        for row in rows
    )


def _rows_to_buy(case: Case, rows: list[dict[str, Any]]) -> bool:
    """Every type with its nodes, most money first, and what makes up the capital."""
    lots = [row for row in rows if row["label_unit"] == "text"]
    amounts = [row["amount"] for row in lots]
    return (
        [(row["label"], row["nodes"]) for row in lots]
        == [(case.label(name), nodes) for name, nodes in case.by_money]
        and amounts == sorted(amounts, reverse=True)
        and sum(row["label"] == "others" for row in rows) <= 1
        and close(math.fsum(row["amount"] for row in rows), case.money, 1e-5)
    )  # fmt: skip


def _rows_compared(case: Case, rows: list[dict[str, Any]]) -> bool:
    """Only what breaks a rule scores more than the best plan, and its change has its sign."""
    best = case.best() or math.nan
    known = [row for row in rows if row.get("below") is not None]
    return all(
        row["violations"] or row["score"] <= best * (1 + 3 * case.within) for row in known
    ) and all(
        abs(row["score"] / best - 1 - row["below"]) <= 3 * case.within
        for row in known
        if row["violations"] or row["below"] < 0
    )


def _rows_of_limits(case: Case, rows: list[dict[str, Any]]) -> bool:
    return {row["resource"] for row in rows} == {*case.finite} and all(
        close(row["used"], case.used[row["resource"]], 1e-5)
        and close(row["used"] + row["remaining"], row["limit"], 1e-5)
        for row in rows
    )


def _rows_of_work(case: Case, rows: list[dict[str, Any]]) -> bool:
    """The work of each rating: what every workload gets, of which the least is the throughput."""
    got: dict[str, dict[str, float]] = {}
    for row in rows:
        if not close(row["throughput"], row["nodes"] * row["merit"] / (
            row["share"] * case.raw["reference"]["nodes"]
        )):  # fmt: skip
            return False
        mine = got.setdefault(row["rating"], {})
        mine[row["workload"]] = mine.get(row["workload"], 0.0) + row["throughput"]
    least = [min(each.values()) for each in got.values()]
    return all(map(close, least, _thetas(case)))


def _rows_of_power(case: Case, rows: list[dict[str, Any]]) -> bool:
    """Nodes, switches and the rest of the site: together they draw the highest power."""
    watts = {row["part"]: row["watts"] for row in rows}
    return (
        {*watts} <= {"nodes", "switches", "storage and service"} and len(watts) == len(rows)
        and close(sum(watts.values()), case.it_power_w)
        and watts.get("storage and service", 0.0) == case.group("power").get("fixed_w", 0.0)
    )  # fmt: skip


def _excluded(case: Case, rows: list[dict[str, Any]]) -> bool:
    """What a quote states and what the rule needs, from the request."""
    asked, required = case.raw["procurement"], case.group("requirements")

    def facts(quote: Any, rule: str) -> tuple[Any, Any]:
        day, weeks = asked.get("decided_on"), quote.get("lead_weeks")
        known = day is not None and weeks is not None
        return {
            "terms: validity": (quote.get("valid_until"), day),
            "requirement: delivery": (
                day + dt.timedelta(weeks=weeks) if known else None, required.get("delivered_by"),
            ),
            "requirement: node memory": (quote.get("memory_gb"), required.get("node_memory_gb")),
            "site: rack power": (quote.get("peak_w"), case.group("facility").get("rack_w")),
            "terms: unstated": (None, None),
        }[rule]  # fmt: skip

    def text(value: Any) -> Any:
        return str(value) if isinstance(value, dt.date) else value

    return {row["quote"] for row in rows} == {*case.excluded} and all(
        (row["stated"], row["needed"])
        == tuple(map(text, facts(case.quote(row["quote"]), row["rule"])))
        for row in rows
    )


def _why(quote: Any) -> str:
    """The reason; outdone where all shares of work per price and per watt are below 1."""
    shares = (quote["work_per_price"], quote["work_per_watt"])
    if quote["reason"] != "figures" or not all(each and each[1] < 1 for each in shares):
        return str(quote["reason"])
    return "outdone fast" if quote["speed"] and quote["speed"][1] > 1 else "outdone"


def _rows_not_bought(case: Case, rows: list[dict[str, Any]]) -> bool:
    """Every quote that is not bought, with its reason."""
    return {row["name"] for row in rows} == {
        quote["name"] for quote in case.raw["node_types"] if quote["name"] not in case.bought
    } and all(row["deciding"] == _why(row) for row in rows)


def _rows_of_changes(case: Case, rows: list[dict[str, Any]]) -> bool:
    """Only changes that certainly change the score."""
    certain = [
        each for each in case.answer.marginal_values
        if (each.low or 0.0) > 1e-9 or (each.high or 0.0) < -1e-9 or each.score_change == "no plan"
    ]  # fmt: skip
    return [(row["resource"], row["change"]) for row in rows] == [
        (each.resource, each.change) for each in certain
    ]


TABLES: dict[str, Callable[[Case, list[dict[str, Any]]], bool]] = {
    "not_bought": _rows_not_bought,
    "marginal_changes": _rows_of_changes,
    "purchases": _rows_of_lots,
    "to_buy": _rows_to_buy,
    "compared": _rows_compared,
    "limits": _rows_of_limits,
    "power_parts": _rows_of_power,
    "allocation": _rows_of_work,
    "excluded": _excluded,
}
"""Whether the rows of a table are true."""

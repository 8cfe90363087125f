"""What is true of a request for proposals, decided by looking at every machine.

Rules are taken out of the request as a user would: its document is edited. Machines and their
scores are those of :mod:`tests.planner.procurement.enumeration`.
"""

from __future__ import annotations

import copy
import datetime as dt
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from planner.errors import PlanError
from planner.procurement.from_scenario import problem_from
from planner.procurement.outcome import GAP, Options
from planner.procurement.own import ProcurementHeuristic
from planner.procurement.plan import Plan
from planner.procurement.power_value import TOLERANCE
from planner.procurement.problem import RESOURCES, Problem
from planner.procurement.procure import procure
from planner.procurement.study import ProcurementStudy
from scenarios.model.scenario import Scenario
from scenarios.reading.replaced import with_values
from tests.planner.procurement.catalogues import Document, scenario
from tests.planner.procurement.enumeration import Machine, capital, every_plan, installed

Plans = list[tuple[float, Machine]]
CLOSE = 5e-7
"""Of scores and watts that a linear program gives."""
_DEFAULT = Options()
_ALL = 1e12
"""More than any machine takes."""
_KEYS = {
    "liquid_w": ("facility", "liquid_w"), "air_w": ("facility", "air_w"),
    "racks": ("facility", "racks"), "capital": ("budget", "capital"),
    "operating": ("budget", "operating_per_year"), "it_power_w": ("power", "bound_w"),
}  # fmt: skip


def close(one: float | None, other: float | None, within: float = CLOSE) -> bool:
    """Whether two numbers are equal but for the tolerance of a linear program."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=within, abs_tol=1e-12)


def without(raw: Document, rules: tuple[str, ...]) -> Document:
    """The request without rules of some kinds, as the tables name these."""
    free = copy.deepcopy(raw)
    for rule in rules:
        kind, _, subject = rule.partition(": ")
        if kind == "terms":
            for quote in free["node_types"]:
                more = quote.get("maximum_quantity", 0) + _FURTHER if subject == "stock" else None
                quote[_TERMS[subject]] = more
                if more is None:
                    del quote[_TERMS[subject]]
        elif kind == "share":
            shares = free["requirements"]["shares"]
            free["requirements"]["shares"] = [each for each in shares if side_of(each) != subject]
        elif subject == "a timed run":
            _untimed(free)
        elif subject == "it_power_w":
            free["power"]["bound_w"] = _ALL
        elif kind == "network":
            free.pop("network")
        else:
            for group, key in _keys(kind, subject):
                free.get(group, {}).pop(key, None)
    return free


def _untimed(free: Document) -> None:
    for work in free["workloads"]:
        if work.get("rating") == "time_to_solution":
            work["weight"] = 0.0
    free.get("requirements", {}).pop("time_to_solution_s", None)


def _keys(kind: str, subject: str) -> list[tuple[str, str]]:
    """Where the document states a rule."""
    if kind == "limit":
        return [_KEYS[subject]]
    if kind == "requirement":
        capacity = [("requirements", "capacity")] if subject == "throughput" else []
        return [("requirements", _REQUIRED[subject]), *capacity]
    return [_OTHERS[f"{kind}: {subject}"]]


_FURTHER = 12
"""Nodes on offer besides, where stocks are given up: every machine is counted out."""
_TERMS = {"validity": "valid_until", "least quantities": "minimum_quantity",
          "stock": "maximum_quantity"}  # fmt: skip
_POLICIES = {"vendors": "most_vendors", "node types": "most_node_types"}
_OTHERS = {
    **{f"policy: {name}": ("procurement", key) for name, key in _POLICIES.items()},
    "site: rack power": ("facility", "rack_w"),
}
_REQUIRED = {
    "throughput": "throughput", "nodes": "nodes", "memory": "total_memory_gb",
    "delivery": "delivered_by", "node memory": "node_memory_gb",
}  # fmt: skip


def side_of(share: Document) -> str:
    """Which ends of a share are stated."""
    if share.get("least") and share.get("most", 1.0) < 1:
        return "both"
    return "least" if share.get("least") else "most"


def rules_of(raw: Document) -> tuple[str, ...]:
    """The kinds of all rules of a request."""
    required, question = raw.get("requirements", {}), raw["procurement"]
    facility = raw.get("facility", {})
    found = [f"limit: {name}" for name, (group, key) in _KEYS.items() if key in raw.get(group, {})]
    found += [f"requirement: {name}" for name, key in _REQUIRED.items() if required.get(key)]
    if any(work.get("rating") == "time_to_solution" for work in raw["workloads"]):
        found.append("requirement: a timed run")
    found += {f"share: {side_of(share)}" for share in required.get("shares", ())}
    found += [
        f"policy: {name}"
        for name, key in (("vendors", "most_vendors"), ("node types", "most_node_types"))
        if question.get(key)
    ]
    if any(quote.get("minimum_quantity", 1) > 1 for quote in raw["node_types"]):
        found.append("terms: least quantities")
    if any(quote.get("maximum_quantity") for quote in raw["node_types"]):
        found.append("terms: stock")
    if any(quote.get("valid_until") for quote in raw["node_types"]):
        found.append("terms: validity")
    return (
        *found,
        *(("network: leaf switches",) if "network" in raw else ()),
        *(("site: rack power",) if "rack_w" in facility else ()),
    )


def plans_of(raw: Document, added: Mapping[str, float] | None = None) -> Plans:
    """Every plan of a request, its limits raised by some amounts; none where nothing is sold.

    A required throughput is met where a millionth of it is missing, so some more is added.
    """
    try:
        problem = problem_from(scenario(raw))
    except PlanError:
        return []
    more = {
        name: (getattr(problem.limits, name) + amount) * (1 + 2e-6)
        for name, amount in (added or {}).items()
    }
    return every_plan(problem.limited(**more))


def taken(problem: Problem, machine: Machine) -> dict[str, float]:
    """What installed nodes take of each resource, before they work."""
    prices = problem.prices
    pairs = zip(problem.offers, machine.counts, strict=True)
    watts = dict(zip(("it_power_w", "liquid_w", "air_w"), map(float, machine.base_w), strict=True))
    energy = machine.idle_w * prices.feed_per_it * 8.76 * borne(problem)
    return {
        **watts,
        "capital": capital(problem, machine.counts),
        "operating": machine.hardware * prices.maintenance + prices.staff + energy,
        "racks": float(sum(math.ceil(n / o.nodes_per_rack) for o, n in pairs if o.nodes_per_rack)),
    }


def borne(problem: Problem) -> float:
    """The price of a kWh that the operating budget bears."""
    every = problem.prices.energy_prices
    expected = sum(price * chance for price, chance in every)
    return max(price for price, _ in every) if problem.prices.every_price else expected


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer.

    Attributes
    ----------
    raw
        The request as its file has it.
    replaced
        Paths of numbers that another value was replaced by.
    change
        What becomes of the answer, for states that cannot be made cheaply.
    """

    raw: Document
    options: Options = _DEFAULT
    full: bool = False
    own: tuple[ProcurementHeuristic, ...] = ()
    change: Callable[[ProcurementStudy], ProcurementStudy] = lambda study: study
    replaced: tuple[str, ...] = ()

    @cached_property
    def given(self) -> Scenario:
        if not self.replaced:
            return scenario(self.raw)
        first = copy.deepcopy(self.raw)
        for path in self.replaced:
            group, key = path.split(".")
            first[group][key] += 1.0
        return with_values(scenario(first), {path: self.stated(path) for path in self.replaced})

    def stated(self, path: str) -> float:
        """The number at a path of the request."""
        group, key = path.split(".")
        return float(self.raw[group][key])

    @cached_property
    def answer(self) -> ProcurementStudy:
        return self.change(procure(self.given, self.options, full=self.full, heuristics=self.own))

    @cached_property
    def problem(self) -> Problem:
        """The problem, of as many nodes at most as the money buys."""
        raw = copy.deepcopy(self.raw)
        for quote in raw["node_types"]:
            if "maximum_quantity" not in quote:
                quote["maximum_quantity"] = int(self.limit("capital") // quote["price"]) + 1
        try:
            return problem_from(scenario(raw))
        except PlanError:
            return problem_from(scenario(raw), barred=True)

    @cached_property
    def _scores(self) -> dict[Any, Any]:
        return {}

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What is made once for a case: claims ask the same again for changed values."""
        if key not in self._scores:
            self._scores[key] = make()
        return self._scores[key]

    # The request

    @property
    def by_heuristic(self) -> bool:
        return self.options.method not in ("engine", "reference")

    def group(self, name: str) -> Document:
        """A group of the request; empty where it is left out."""
        found: Document = self.raw.get(name, {})
        return found

    def quote(self, name: str) -> Document:
        return next(quote for quote in self.raw["node_types"] if quote["name"] == name)

    def label(self, name: str) -> str:
        """The title of a quote, with its name where two have the same title."""
        titles = {q["name"]: q.get("label", q["name"]) for q in self.raw["node_types"]}
        mine = titles[name]
        return f"{mine} [{name}]" if [*titles.values()].count(mine) > 1 else mine

    def limit(self, name: str) -> float:
        """A limit of the site as the request states it."""
        group, key = _KEYS[name]
        value = float(self.group(group).get(key, math.inf))
        if name == "it_power_w" and self.group("power").get("side") == "facility":
            power = self.group("power")
            share = (1 - power.get("conversion_loss", 0.0)) / power.get("pue", 1.0)
            return value * float(share)
        return value

    @property
    def finite(self) -> list[str]:
        return [name for name in RESOURCES if self.limit(name) < math.inf]

    @property
    def feed(self) -> dt.date | None:
        return self.group("power").get("available_on")

    @property
    def by(self) -> dt.date | None:
        return self.group("requirements").get("delivered_by")

    def delivered(self, name: str) -> dt.date | None:
        """Day of delivery; ``None`` where the request does not tell."""
        decided: dt.date | None = self.group("procurement").get("decided_on")
        weeks = self.quote(name).get("lead_weeks")
        if decided is None or weeks is None:
            return None
        return decided + dt.timedelta(weeks=weeks)

    @property
    def excluded(self) -> list[str]:
        """Quotes that a rule excludes, by the request alone."""
        required, question = self.group("requirements"), self.group("procurement")
        today, by = question.get("decided_on"), self.by
        rack_w = self.group("facility").get("rack_w", math.inf)
        found = []
        for quote in self.raw["node_types"]:
            day = self.delivered(quote["name"])
            if (
                (today and quote.get("valid_until", dt.date.max) < today)
                or (by and (day is None or day > by))
                or (quote.get("memory_gb") or 0.0) < required.get("node_memory_gb", 0.0)
                or quote["peak_w"] > rack_w
                or quote.get("price") is None
            ):
                found.append(quote["name"])
        return found

    # The machine that is bought

    @property
    def plan(self) -> Plan:
        assert self.answer.plan is not None
        return self.answer.plan

    @cached_property
    def bought(self) -> dict[str, int]:
        """Nodes of each quote bought."""
        return {lot.name: lot.nodes for lot in self.plan.purchases}

    @cached_property
    def by_money(self) -> list[tuple[str, int]]:
        """The same, most money first."""
        money = {
            lot.name: -lot.nodes * self.paid(lot.name, lot.nodes) for lot in self.plan.purchases
        }
        return sorted(self.bought.items(), key=lambda lot: money[lot[0]])

    def paid(self, name: str, nodes: int) -> float:
        """Price of a node in such a quantity."""
        quote = self.quote(name)
        off = [d["fraction"] for d in quote.get("discounts", ()) if d["from_quantity"] <= nodes]
        return float(quote["price"] * (1 - (off[-1] if off else 0.0)))

    @cached_property
    def counts(self) -> tuple[int, ...]:
        return tuple(self.bought.get(offer.name, 0) for offer in self.problem.offers)

    @cached_property
    def machine(self) -> Machine:
        """The machine as it is bought; of statically capped nodes at its caps."""
        caps = {lot.offer: lot.cap_w for lot in self.plan.purchases}
        modes: list[tuple[int, ...]] = []
        for offer, count in enumerate(self.counts):
            own = [m for m, mode in enumerate(self.problem.modes) if mode.offer == offer]
            if self.problem.regime == "static":
                own = [m for m in own if self.problem.modes[m].cap_w == caps.get(offer)]
            elif self.problem.regime == "worst-case":
                own = own[-1:]
            modes.append(tuple(own) if count else ())
        return installed(self.problem, self.counts, tuple(modes))

    @property
    def money(self) -> float:
        return capital(self.problem, self.counts)

    @cached_property
    def log_s(self) -> float:
        """Of the machine that is bought."""
        mine = self.machine
        return next(
            log
            for log, each in self.plans()
            if (each.counts, each.modes) == (mine.counts, mine.modes)
        )

    @cached_property
    def score(self) -> float:
        """What the allocation of the plan achieves; it is the machine's best one."""
        found = achieved(self.problem, self.plan)
        return found if close(found, math.exp(self.log_s), self.within) else math.nan

    @property
    def within(self) -> float:
        """How near to a machine's best score its plan is.

        Among plans of two millionths less the cheapest is chosen. A required throughput may miss a
        millionth, and an operating budget is shared out to the gap.
        """
        by_gap = {"throughput", "capacity"} & {*self.group("requirements")}
        return GAP if by_gap or self.limit("operating") < math.inf else 5e-6

    @cached_property
    def loads(self) -> list[float]:
        """What work adds to the installed nodes' power, in each rating and each single run."""
        if self.problem.regime != "overprovisioned":
            return [0.0]
        return [
            *(sum(g.nodes * self._step(g.mode) for g in rating) for rating in self.plan.at_work),
            *(pick.nodes * self._step(pick.mode) for pick in self.plan.partitions if pick),
        ]

    def _step(self, mode: int) -> float:
        own = self.problem.modes[mode]
        return own.node_w - self.problem.offers[own.offer].idle_w

    @property
    def it_power_w(self) -> float:
        return float(self.machine.base_w[0]) + max(self.loads)

    @property
    def mean_w(self) -> float:
        """Mean power over the year, of the allocation that the plan states."""
        total = self.machine.idle_w
        for weight, rating in zip(self.problem.energy_weight, self.plan.at_work, strict=True):
            for group in rating:
                idle_w = self.problem.offers[self.problem.modes[group.mode].offer].idle_w
                own_w = self.problem.drawn_w[group.mode, group.workload] - idle_w
                total += weight * self.group("budget").get("utilisation", 1.0) * own_w * group.nodes
        return float(total)

    @property
    def peak_w(self) -> float:
        """Power with every node at its peak."""
        above = (
            (offer.peak_w - offer.idle_w) * count
            for offer, count in zip(self.problem.offers, self.counts, strict=True)
        )
        return float(self.machine.idle_w) + sum(above)

    @cached_property
    def allocated(self) -> bool:
        """Whether the allocation uses nodes that are bought and keeps the power."""
        for rating in self.plan.at_work:
            for offer, count in enumerate(self.counts):
                used = sum(g.nodes for g in rating if self.problem.modes[g.mode].offer == offer)
                if used > count * (1 + 1e-6) + 1e-6:
                    return False
        return self.it_power_w <= self.limit("it_power_w") * (1 + 1e-6)

    def year(self, per_kwh: float) -> float:
        """Cost of a year of operation."""
        prices = self.problem.prices
        energy = self.mean_w * self.feed_per_it * 8.76 * per_kwh
        return self.machine.hardware * prices.maintenance + prices.staff + energy

    @property
    def feed_per_it(self) -> float:
        power = self.group("power")
        return float(power.get("pue", 1.0) / (1 - power.get("conversion_loss", 0.0)))

    @property
    def energy_prices(self) -> list[tuple[float, float]]:
        budget = self.group("budget")
        every = [(e["price_per_kwh"], e["probability"]) for e in budget.get("energy_prices", ())]
        return every or [(budget.get("energy_price_per_kwh", 0.0), 1.0)]

    @property
    def expected_price(self) -> float:
        return sum(price * chance for price, chance in self.energy_prices)

    @property
    def total_cost(self) -> float:
        budget = self.group("budget")
        years, rate = budget.get("lifetime_years", 4.0), budget.get("discount_rate", 0.0)
        factor = float(years if rate == 0 else (1 - (1 + rate) ** -years) / rate)
        return self.money + factor * self.year(self.expected_price)

    # Every machine

    def plans(self, **limits: float) -> Plans:
        """Every plan under other limits, best first."""
        if any(offer.barred for offer in self.problem.offers):
            return []
        key = ("plans", *sorted(limits.items()))
        found: Plans = self.once(key, lambda: every_plan(self.problem.limited(**limits)))
        return found

    def best(self, **limits: float) -> float:
        """The best score; 0 without a plan."""
        found = self.plans(**limits)
        return math.exp(found[0][0]) if found else 0.0

    def regime(self, name: Any) -> float:
        """The best score of a power regime."""
        found: Plans = self.once(("regime", name), lambda: every_plan(self.problem.under(name)))
        return math.exp(found[0][0]) if found else 0.0

    @property
    def is_best(self) -> bool:
        """Whether no machine scores more than the accepted gap above the one that is bought."""
        gap = max(GAP, self.options.gap)
        return self.score >= self.best() * (1 - gap) * (1 - 3e-6)

    def feasible(self, *rules: str) -> bool:
        """Whether there is a plan without rules of some kinds.

        Where throughput alone is left, enough nodes of a plan without it meet it, however many of
        them were counted.
        """
        free = tuple(sorted({*rules}))
        left = {*rules_of(self.raw)} - {*free}
        if left == {"requirement: throughput"} and "terms: stock" in free:
            return self.feasible(*free, *left)
        return bool(self.once(("free", free), lambda: plans_of(without(self.raw, free))))

    def clash(self, rules: tuple[str, ...]) -> bool:
        """Whether rules of these kinds clash alone, and without any one of them do not."""
        others = [rule for rule in rules_of(self.raw) if rule not in rules]
        return (
            {*rules} <= {*rules_of(self.raw)}
            and not self.feasible(*others)
            and all(self.feasible(*others, rule) for rule in rules)
        )

    # Limits

    def binds(self, name: str) -> set[bool]:
        """Whether a limit binds; both where less than the accepted gap decides it."""
        limit = self.limit(name)
        used = dict(self.used)[name]
        more = limit + 1 if name == "racks" else limit * 1.01
        gain = self.best(**{name: more}) / self.best() - 1
        if not self._one_more_fits(name):
            return {True}
        if used >= limit * (1 - 2e-6):
            return {True, False}
        if gain > 3 * GAP:
            return {True}
        return {True, False} if gain > 0 else {False}

    @cached_property
    def used(self) -> dict[str, float]:
        """What the machine at work takes of each resource."""
        own = taken(self.problem, self.machine)
        added = {"it_power_w": self.it_power_w, "operating": self.year(borne(self.problem))}
        cooled = {name: own[name] + self._cooled(name) for name in ("liquid_w", "air_w")}
        return own | added | cooled

    def _cooled(self, name: str) -> float:
        if self.problem.regime != "overprovisioned":
            return 0.0
        offers, modes = self.problem.offers, self.problem.modes

        def added(nodes: float, mode: int) -> float:
            mine = f"{offers[modes[mode].offer].cooling}_w" == name
            return nodes * self._step(mode) if mine else 0.0

        loads = [sum(added(g.nodes, g.mode) for g in rating) for rating in self.plan.at_work]
        loads += [added(pick.nodes, pick.mode) for pick in self.plan.partitions if pick]
        return max(loads, default=0.0)

    def _one_more_fits(self, name: str) -> bool:
        """Whether a limit leaves room for one more node of some bought type that is for sale."""
        problem = self.problem
        offers = [
            replace(o, tiers=(*o.tiers[:-1], replace(o.tiers[-1], last=999)))
            for o in problem.offers
        ]
        wide = replace(problem, offers=tuple(offers))
        now = taken(wide, self.machine)[name]
        remaining = self.limit(name) - self.used[name]
        fits = []
        for offer, count in enumerate(self.counts):
            if not count or count == problem.offers[offer].most:
                continue
            more = tuple(n + (o == offer) for o, n in enumerate(self.counts))
            needed = taken(wide, installed(wide, more, self.machine.modes))[name] - now
            if name not in ("liquid_w", "air_w") or needed:
                fits.append(needed <= remaining + 1e-6 * self.limit(name))
        return any(fits) or not fits

    # Power in money

    @property
    def step_w(self) -> float:
        """The larger of 1 % and the power of one node, in three digits, rounded up."""
        over, modes = self.problem.regime == "overprovisioned", self.problem.modes
        of_nodes = [
            self.problem.offers[offer].peak_w if self.problem.regime == "worst-case"
            else max(modes[m].node_w for m in (own if over else own[-1:]))
            for offer, own in enumerate(self.machine.modes) if own
        ]  # fmt: skip
        watts = max([0.01 * self.limit("it_power_w"), *of_nodes])
        unit = 10.0 ** (math.floor(math.log10(watts)) - 2)
        return math.ceil(round(watts / unit, 9)) * unit

    @cached_property
    def with_step(self) -> float:
        return self.best(it_power_w=self.limit("it_power_w") + self.step_w)

    @cached_property
    def rich(self) -> float:
        return self.best(capital=math.inf)

    def least_capital(self, score: float) -> float:
        """Further capital that some machine of a score needs."""
        enough = [
            capital(self.problem, m.counts)
            for log, m in self.plans(capital=math.inf) if math.exp(log) >= score
        ]  # fmt: skip
        return max(0.0, min(enough) - self.limit("capital")) if enough else math.inf

    @cached_property
    def worth(self) -> tuple[float, float]:
        """Further capital that may have, and that surely has, the effect of the step."""
        may = self.least_capital(self.with_step * (1 - 2 * TOLERANCE))
        surely = self.least_capital(self.with_step * (1 + 1e-7)) if may < math.inf else math.inf
        return may, surely

    # Repairs

    def grown(self, names: tuple[str, ...]) -> list[tuple[dict[str, float], float]]:
        """What each machine needs more of some resources, with its score.

        Of regimes in which work draws nothing beyond what installed nodes are charged.
        """
        limits = {name: self.limit(name) for name in names}

        def every() -> list[tuple[dict[str, float], float]]:
            found = []
            for log, machine in self.plans(**dict.fromkeys(names, math.inf)):
                takes = taken(self.problem, machine)
                needs = {name: max(0.0, takes[name] - limits[name]) for name in names}
                found.append((needs, math.exp(log)))
            return found

        found: list[tuple[dict[str, float], float]] = self.once(("grown", names), every)
        return found

    def under(self, added: dict[str, float]) -> list[float]:
        """Scores of the plans that raised limits allow, the best first."""
        limits = {name: self.limit(name) + amount * (1 + 1e-9) for name, amount in added.items()}
        return [math.exp(log) for log, _ in self.plans(**limits)]

    # Offers as quoted

    @property
    def vendors_systems(self) -> dict[str, bool]:
        """Vendors with a system as quoted, and whether it keeps every rule and does all work."""
        systems: dict[str, dict[str, int]] = {}
        for quote in self.raw["node_types"]:
            if quote.get("as_bid_quantity"):
                own = systems.setdefault(quote["vendor"], {})
                own[quote["name"]] = quote["as_bid_quantity"]
        sound = {machine.counts for log, machine in self.plans() if log > -math.inf}
        return {
            vendor: tuple(own.get(o.name, 0) for o in self.problem.offers) in sound
            and not {*own} & {*self.excluded}
            for vendor, own in systems.items()
        }

    # Draws

    @cached_property
    def simulated(self) -> tuple[float, float, float]:
        """Shares of draws in which the decision holds, is broken, and in which there is no plan.

        Of requests without caps, and of a purchase of one type.
        """
        ((name, nodes),) = self.bought.items()
        question = self.group("procurement")
        inputs = ("price", "power", "performance")
        widths = [question.get(f"uncertain_{key}", 0.1) for key in inputs]
        rng, draws = np.random.default_rng(self.options.seed), 100
        holds = broken = nothing = 0
        for _ in range(draws):
            raw, count = copy.deepcopy(self.raw), len(self.raw["node_types"])
            factors = [rng.uniform(1 - width, 1 + width, count) for width in widths]
            for quote, price, power, speed in zip(raw["node_types"], *factors, strict=True):
                quote["price"] *= price
                quote["peak_w"] = quote["idle_w"] + (quote["peak_w"] - quote["idle_w"]) * power
                for work in raw["workloads"]:
                    for row in work["performance"]["rows"]:
                        if row["node_type"] == quote["name"]:
                            row["figure_of_merit"] *= speed
            every = plans_of(raw)
            own = {
                sum(m.counts): log for log, m in every
                if m.counts[self.index(name)] == sum(m.counts) <= nodes
            }  # fmt: skip
            kept = own[max(own)] if own else -math.inf
            others = [log for log, m in every if m.counts[self.index(name)] != sum(m.counts)]
            nothing += not every
            broken += bool(every) and not own
            holds += bool(own) and kept >= max(others, default=-math.inf)
        return holds / draws, broken / draws, nothing / draws

    def index(self, name: str) -> int:
        return next(i for i, offer in enumerate(self.problem.offers) if offer.name == name)


def achieved(problem: Problem, plan: Plan) -> float:
    """The score of an allocation of work to nodes."""
    thetas = []
    for rating, at_work in enumerate(plan.at_work):
        work = [0.0] * len(problem.workloads)
        for group in at_work:
            work[group.workload] += problem.merit[group.mode, group.workload] * group.nodes
        shares = problem.demand[rating] * problem.reference_nodes
        thetas.append(min(w / s for w, s in zip(work, shares, strict=True) if s))
    times = [
        run.reference_time_s / pick.time_s
        for run, pick in zip(problem.capabilities, plan.partitions, strict=True) if pick
    ]  # fmt: skip
    logs = [
        sum(w * math.log(v) for w, v in zip((*row, *more), (*thetas, *times), strict=True) if w)
        for row, more in zip(problem.rating_weight, problem.capability_weight, strict=True)
    ]
    weight, level = problem.cvar_weight, problem.cvar_level
    pairs = [*zip(problem.probability, logs, strict=True)]
    tail = max(eta - sum(p * max(0.0, eta - log) for p, log in pairs) / (1 - level) for eta in logs)
    return math.exp((1 - weight) * sum(p * log for p, log in pairs) + weight * tail)


def relaxed(raw: Document, changes: Iterable[tuple[str, str, Any]]) -> Document:
    """The request with rules changed to other values: rule, what it is about, and value."""
    free = copy.deepcopy(raw)
    required = free.setdefault("requirements", {})
    for rule, subject, value in changes:
        kind, _, about = rule.partition(": ")
        if about.endswith("throughput") or about.startswith("throughput of "):
            _work_less(required, subject, value)
        elif about.startswith("a partition for "):
            required["time_to_solution_s"][subject] = value
        elif kind == "share":
            (share,) = required["shares"]
            share[subject] = value
        elif kind == "terms":
            for quote in free["node_types"]:
                if quote["name"] in subject.split(", "):
                    quote[_TERMS[about]] = value
        else:
            ((group, key),) = _keys(kind, about)
            free[group][key] = value
    return free


def _work_less(required: Document, subject: str, value: float) -> None:
    """Require less throughput: of a workload, or of all of them in per cent."""
    if subject and "capacity" in required:
        required["capacity"] = min(required["capacity"], value)
    every = required.get("throughput", {})
    if subject:
        every |= {subject: value}
    else:
        every |= {name: least * value / 100 for name, least in every.items()}
    required["throughput"] = {name: least for name, least in every.items() if least}

"""Packages as one purchase: what they cost together, and which limits of the scenario they meet.

All numbers are exact and follow from the packages. What depends on how jobs use the nodes is left
to the plan: such a limit has no value here.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from planner.award.from_scenario import Tender
from planner.award.nodes import memory_gb, node_lines, share_of_nodes
from planner.award.operation import powers_w
from planner.decimals import decimal
from planner.finding import Finding, finding
from scenarios.model.procurement import Facility, Offered, Procurement
from scenarios.model.scenario import Budget, Scenario, Workload
from scenarios.model.tender import OfferedFigure
from scenarios.package_bill import PackageBill, vendor_bill

Amount = Fraction | dt.date


@dataclass(frozen=True)
class Check:
    """A limit of the scenario, and what packages come to together.

    Attributes
    ----------
    what, subject
        The kind of limit, a word of the catalogue; the workload, vendor or share it is about.
    value
        ``None`` where only the plan can tell; a day for deliveries.
    limit, side
        The limit, and whether it is the least or the most that is admissible.
    unit
        Unit of both.
    met
        Whether it is met; ``None`` where only the plan can tell.
    """

    what: str
    value: Amount | None
    limit: Amount
    side: Literal["least", "most"]
    unit: str
    met: bool | None
    subject: str = ""

    @property
    def above(self) -> Fraction | None:
        """The value less the limit; ``None`` for days, and where it is not known."""
        value, limit = self.value, self.limit
        if isinstance(value, Fraction) and isinstance(limit, Fraction):
            return value - limit
        return None

    @property
    def needs_caps(self) -> bool:
        """Whether power at peak exceeds its limit, which power caps may hold."""
        return self.what == "power" and self.met is None and self.value is not None


@dataclass(frozen=True)
class Work:
    """A workload that runs alone, by figures of whole packages.

    Attributes
    ----------
    figures
        Names of the packages that run it, each with its figure.
    base
        What the reference machine has.
    """

    workload: str
    figures: tuple[tuple[str, OfferedFigure], ...]
    base: Fraction

    @property
    def total(self) -> Fraction:
        """The sum of the figures."""
        return sum((decimal(figure.value) for _, figure in self.figures), Fraction(0))

    @property
    def lows(self) -> tuple[Fraction, ...]:
        """Each figure less its half width."""
        ends = (decimal(f.value) * (1 - decimal(f.half_width or 0.0)) for _, f in self.figures)
        return tuple(ends)

    @property
    def low(self) -> Fraction:
        """Their sum."""
        return sum(self.lows, Fraction(0))

    @property
    def low_alone(self) -> dict[str, Fraction]:
        """The sum of the figures if one package alone is at its lower end, by package."""
        pairs = zip(self.figures, self.lows, strict=True)
        return {name: self.total - decimal(f.value) + low for (name, f), low in pairs}

    def least(self, package: str, required: Fraction) -> Fraction:
        """The fraction of the figure of a package that meets a requirement, all else as offered."""
        (own,) = (decimal(figure.value) for name, figure in self.figures if name == package)
        return (required * self.base - self.total + own) / own


@dataclass(frozen=True)
class Purchase:
    """Some packages as one purchase.

    Attributes
    ----------
    packages
        Their names, in the order of the lots.
    gross, net
        Sum of their prices, before and after the discounts of vendors on all their lots.
    checks
        The limits of the scenario.
    """

    packages: tuple[str, ...]
    gross: Fraction
    net: Fraction
    checks: tuple[Check, ...]

    @property
    def missed(self) -> tuple[Check, ...]:
        """The limits that are not met."""
        return tuple(each for each in self.checks if each.met is False)

    @property
    def unmet(self) -> tuple[Check, ...]:
        """The limits that are not met without power caps."""
        return tuple(each for each in self.checks if each.met is False or each.needs_caps)

    @property
    def meets(self) -> bool | None:
        """Whether it meets all limits; ``None`` where only the plan can tell."""
        if self.missed:
            return False
        return None if any(each.met is None for each in self.checks) else True


def purchase(tender: Tender, packages: Sequence[str]) -> Purchase:
    """The purchase of some packages at their quoted quantities."""
    bills = [tender.bills[name] for name in packages]
    gross = sum((Fraction(each.total) for each in bills), Fraction(0))
    net = net_price(tender.scenario, bills)
    scenario = tender.scenario
    checks = (
        *_money(scenario, bills, net),
        *_machine(scenario, bills),
        *_delivery(scenario, bills),
        *_site(scenario, bills),
        *_work(scenario, bills),
    )
    return Purchase(tuple(packages), gross, net, checks)


def required_work(tender: Tender, packages: Sequence[str]) -> Iterator[tuple[Work, Fraction]]:
    """What packages have for each required throughput that figures tell, and the requirement."""
    yield from _required_work(tender.scenario, [tender.bills[name] for name in packages])


def _required_work(
    scenario: Scenario, bills: Sequence[PackageBill]
) -> Iterator[tuple[Work, Fraction]]:
    required = scenario.requirements.throughput
    for each in scenario.workloads:
        if each.name in required:
            work = _alone(scenario, each, bills)
            if work is not None:
                yield work, decimal(required[each.name])


def low_ends(scenario: Scenario, bills: Sequence[PackageBill]) -> Iterator[Finding]:
    """Requirements met as offered that one package, or all together, miss in their half widths."""
    titles = {each.package.name: each.package.title for each in bills}
    for work, required in _required_work(scenario, bills):
        least = required * work.base
        if not work.low < least <= work.total:
            continue
        name, limit = (work.workload, "text"), (float(required), "given")
        alone = {key: float(e / work.base) for key, e in work.low_alone.items() if e < least}
        if alone:
            yield finding("risk", "low-end", requirement=name, limit=limit,
                          packages=(tuple(titles[key] for key in alone), "text"),
                          values=(tuple(alone.values()), "number down"))  # fmt: skip
        else:
            yield finding("risk", "low-ends", requirement=name, limit=limit,
                          value=(float(work.low / work.base), "number down"))  # fmt: skip


def net_price(scenario: Scenario, bills: Sequence[PackageBill]) -> Fraction:
    """Sum of the prices after the discounts of vendors on all that is bought from them."""
    terms = {each.vendor: each for each in scenario.vendor_terms}
    net = Fraction(0)
    for vendor in dict.fromkeys(each.package.vendor for each in bills):
        totals = [each.total for each in bills if each.package.vendor == vendor]
        net += Fraction(vendor_bill(terms.get(vendor), totals).total)
    return net


def _money(scenario: Scenario, bills: Sequence[PackageBill], net: Fraction) -> Iterator[Check]:
    """Capital as the plan counts it, and the least order of each vendor."""
    budget = scenario.budget or Budget()
    money = f"price {budget.currency}"
    if budget.capital is not None:
        bearing = (
            each.total
            for each in bills
            if all(line.kind != "installation" for line in each.package.lines)
        )
        installed = sum(map(Fraction, bearing), Fraction(0)) * decimal(budget.installation_fraction)
        spent = net + installed + decimal(budget.fixed_capital)
        known = spent if scenario.network is None else None  # switches serve all nodes together
        yield _most("capital", known, decimal(budget.capital), money)
    if budget.operating_per_year is not None:
        yield _most("operating", None, decimal(budget.operating_per_year), money)
    for terms in scenario.vendor_terms:
        totals = [each.total for each in bills if each.package.vendor == terms.vendor]
        if totals and terms.minimum_total:
            total = sum(map(Fraction, totals), Fraction(0))
            yield _least("order", total, decimal(terms.minimum_total), money, terms.vendor)


def _machine(scenario: Scenario, bills: Sequence[PackageBill]) -> Iterator[Check]:
    required, question = scenario.requirements, scenario.procurement or Procurement()
    lines = [*node_lines(scenario, bills)]
    if required.nodes:
        nodes = Fraction(sum(each.quantity for _, each, _ in lines))
        yield _least("nodes", nodes, Fraction(required.nodes), "node")
    if required.total_memory_gb:
        memory = memory_gb(scenario, bills)
        total = None if isinstance(memory, str) else memory
        yield _least("memory", total, decimal(required.total_memory_gb), "GB")
    if required.node_memory_gb:
        least = min((decimal(node.memory_gb or 0.0) for _, _, node in lines), default=None)
        yield _least("node memory", least, decimal(required.node_memory_gb), "GB")
    for share in required.shares:
        counted = share_of_nodes(scenario, share, bills)
        if share.least > 0:
            yield _least("share", counted, decimal(share.least), "share", share.subject)
        if share.most < 1:
            yield _most("share", counted, decimal(share.most), "share", share.subject)
    if question.most_vendors is not None:
        vendors = Fraction(len({each.package.vendor for each in bills}))
        yield _most("vendors", vendors, Fraction(question.most_vendors), "count")
    if question.most_node_types is not None:
        yield _most("node types", None, Fraction(question.most_node_types), "count")


def _delivery(scenario: Scenario, bills: Sequence[PackageBill]) -> Iterator[Check]:
    """The last day on which a package is delivered."""
    by, ordered = scenario.requirements.delivered_by, (scenario.procurement or Procurement())
    if by is None:
        return
    weeks = [each.package.delivery_weeks for each in bills]
    known = [each for each in weeks if each is not None]
    last = None
    if ordered.decided_on is not None and len(known) == len(weeks):
        last = ordered.decided_on + dt.timedelta(weeks=max(known, default=0.0))
    yield _most("delivery", last, by, "date")


def _site(scenario: Scenario, bills: Sequence[PackageBill]) -> Iterator[Check]:
    """Power with all nodes at their peak, and places of racks as the plan counts them."""
    feed, site = scenario.power, scenario.facility
    if feed is not None:
        check = _most("power", _peak_w(scenario, bills), decimal(feed.bound_w), "W")
        yield check if check.met else replace(check, met=None)  # caps may hold it
    hot = False
    if site is not None and site.rack_w is not None:
        peaks = [node.peak_w for _, _, node in node_lines(scenario, bills)]
        known = [decimal(peak) for peak in peaks if peak is not None]
        peak, limit = max(known, default=Fraction(0)), decimal(site.rack_w)
        hot = peak > limit
        yield _most("rack power", peak if hot or None not in peaks else None, limit, "W")
    if site is not None and site.racks is not None and not hot:  # no number of racks takes them
        yield _most("racks", _racks(scenario, bills, site), Fraction(site.racks), "count")


def _racks(scenario: Scenario, bills: Sequence[PackageBill], site: Facility) -> Fraction | None:
    """Racks in bills, and those that other nodes fill; unknown where the room of one is unknown."""
    from planner.procurement.problem import nodes_in_a_rack  # loads slowly

    of_site = Counter[str]()
    for bill, each, node in node_lines(scenario, bills):
        if all(line.kind != "rack" for line in bill.package.lines):
            of_site[node.name] += each.quantity
    total = sum(bill.units("rack") for bill in bills)
    for name, count in of_site.items():
        node = scenario.node_type(name)
        room = node.nodes_per_rack or (scenario.rack.nodes if scenario.rack else None)
        if site.rack_w is not None:
            room = nodes_in_a_rack(room, site.rack_w, node.peak_w) if node.peak_w else None
        if not room:
            return None
        total += math.ceil(Fraction(count, room))
    return Fraction(total)


def _work(scenario: Scenario, bills: Sequence[PackageBill]) -> Iterator[Check]:
    """Required throughput: known here of what runs alone, and by figures of whole packages."""
    required = scenario.requirements
    if required.capacity:
        yield _least("capacity", None, decimal(required.capacity), "ratio")
    for workload in scenario.workloads:
        name = workload.name
        if name in required.throughput:
            work, least = _alone(scenario, workload, bills), decimal(required.throughput[name])
            most = None if work is None else work.total / work.base
            check = _least("throughput", most, least, "ratio", name)
            decided = not check.met or _runs_at_peak(scenario, bills)
            yield check if decided else replace(check, met=None)
        if name in required.time_to_solution_s:
            limit = decimal(required.time_to_solution_s[name])
            yield _most("time", None, limit, "s", name)


def _least(
    what: str, value: Fraction | None, limit: Fraction, unit: str, subject: str = ""
) -> Check:
    met = None if value is None else value >= limit
    return Check(what, value, limit, "least", unit, met, subject)


def _most(what: str, value: Amount | None, limit: Amount, unit: str, subject: str = "") -> Check:
    met = None
    if value is not None:
        met = value <= limit  # type: ignore[operator]  # numbers with numbers, days with days
    return Check(what, value, limit, "most", unit, met, subject)


def _alone(scenario: Scenario, workload: Workload, bills: Sequence[PackageBill]) -> Work | None:
    """The figures that count for a workload that runs alone; ``None`` if figures do not tell."""
    question, model = scenario.procurement or Procurement(), workload.performance
    alone = workload.weight == 0 or question.workload_mode == "one_at_a_time"
    if not isinstance(model, Offered) or scenario.reference is None or not alone:
        return None
    base = decimal(model.reference_figure_of_merit) * scenario.reference.nodes
    found = []
    for bill in bills:
        figure = bill.package.figure(model.figure or workload.name)
        counts = figure is not None and (question.use == "all" or figure.basis == "committed")
        kinds = {node.kind for _, _, node in node_lines(scenario, [bill])}
        if figure is not None and counts and kinds & {*(workload.kinds or kinds)}:
            found.append((bill.package.name, figure))
    return Work(workload.name, tuple(found), base)


def _runs_at_peak(scenario: Scenario, bills: Sequence[PackageBill]) -> bool:
    """Whether the feed carries all nodes at peak power, and no other limit may hold them back."""
    budget, site, feed = scenario.budget or Budget(), scenario.facility, scenario.power
    cooled = site is not None and (site.liquid_w is not None or site.air_w is not None)
    if feed is None or cooled or budget.operating_per_year:
        return False
    peak = _peak_w(scenario, bills)
    return peak is not None and peak <= decimal(feed.bound_w)


def _peak_w(scenario: Scenario, bills: Sequence[PackageBill]) -> Fraction | None:
    """Power of all nodes at their peak, and of all else, on the side of the bound."""
    feed = scenario.power
    if feed is None or scenario.network is not None:  # switches serve all nodes together
        return None
    peak = decimal(feed.fixed_w) + sum((each.watts for each in bills), Fraction(0))
    for _, each, _ in node_lines(scenario, bills):
        _, node_w = powers_w(scenario, each)
        if node_w is None:
            return None
        peak += each.quantity * decimal(node_w)
    per_it = decimal(feed.pue) / (1 - decimal(feed.conversion_loss))
    return peak * (per_it if feed.side == "facility" else 1)


def shown(value: Amount | None) -> float | str | None:
    """A value or a limit as rows and findings have it."""
    if isinstance(value, dt.date):
        return value.isoformat()
    return None if value is None else float(value)


def reason(check: Check) -> Finding:
    """A limit that is missed, as a finding."""
    kind = "together-below" if check.side == "least" else "together-above"
    kind = "together-caps" if check.needs_caps else kind
    subject = (check.subject, "text") if check.subject else (check.what, "together")
    return finding("reason", kind, condition=subject, value=(shown(check.value), check.unit),
                   limit=(shown(check.limit), check.unit))  # fmt: skip

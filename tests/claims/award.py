"""What `headroom plan --award` states, worked out again by a slow program from docs/award.md."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from math import isclose
from typing import Any

from planner.award.study import AwardStudy, award
from scenarios.model.scenario import Scenario
from tests.claims.award_scores import award_score, is_best_score, priced_tender
from tests.claims.award_together import counted, meets, net, reference, unmet
from tests.claims.award_together import limits as limits_of
from tests.claims.values import always, same
from tests.planner.award.by_hand import (
    ANNUITY,
    LIFE,
    NODE,
    PUE,
    UTILISATION,
    ByHand,
    Raw,
    cost,
    every_year,
    exact,
)
from tests.planner.award.made import figure, package, people, price, tender
from tests.planner.award.test_random_awards import drawn as random_tender
from tests.planner.procurement.tenders import billed, in_budget

SIX_DECIMALS = 0.51e-6
"""Of a score: half of the last, and what a linear program leaves in doubt."""
_APART = Fraction(1, 10**7)
"""Points next to the end of a range, relative to it."""


@dataclass(frozen=True, eq=False)
class Case:
    """A tender, as the file of a scenario has it."""

    packages: Sequence[Raw]
    criteria: Sequence[Raw]
    scheme: Mapping[str, Any] = field(default_factory=dict)
    lots: Sequence[Raw] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    full: bool = False

    @cached_property
    def scenario(self) -> Scenario:
        lots = {"tender_lots": [dict(each) for each in self.lots]} if self.lots else {}
        return tender(
            [dict(each) for each in self.packages], [dict(each) for each in self.criteria],
            **self.scheme, **lots, more=self.more,
        )  # fmt: skip

    @cached_property
    def answer(self) -> AwardStudy:
        return award(self.scenario, full=self.full)

    @cached_property
    def raw(self) -> dict[str, Any]:
        """The tender without its scheme, as the file of a scenario has it."""
        more = {"format": 1, "name": "tender", "title": "A tender", **self.more}
        return more | {"lots": [*self.lots], "packages": [*self.packages]}

    @cached_property
    def lot_names(self) -> list[str]:
        return [each["name"] for each in self.lots] or [
            *dict.fromkeys(each["lot"] for each in self.packages)
        ]

    def conditions(self, offer: Raw) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
        """Each condition on a package by itself: its name, what it has, the limits."""
        lot: Mapping[str, Any] = next(
            (each for each in self.lots if each["name"] == offer["lot"]), {}
        )
        for rule in self.scheme.get("exclusions", ()):
            yield rule["name"], offer["statements"][rule["statement"]], rule
        yield "capital", cost(offer), {"most": lot.get("capital")}
        yield from self.of_nodes(offer, lot)
        slow = ByHand(self.packages, self.criteria, self.scheme)
        for criterion in self.criteria:
            if criterion["value_from"] in ("price", "figure"):
                yield criterion["name"], slow.value(offer, criterion, self.packages), criterion

    def missed(self, offer: Raw) -> list[tuple[str, Any, Any]]:
        """Each condition that a package misses: its name, what it states, the limit."""
        found: list[tuple[str, Any, Any]] = []
        for name, value, rule in self.conditions(offer):
            if "must_be" in rule:
                found += [(name, value, rule["must_be"])] * (value != rule["must_be"])
            else:
                found += _outside(name, value, rule)
        for name, points, least in self.points_of(offer) if not found else ():
            found += _outside(name, points, {"least": least})
        return found

    def points_of(self, offer: Raw) -> Iterator[tuple[str, Fraction, float]]:
        """Points of a package that people give and that have a threshold."""
        slow = ByHand(self.packages, self.criteria, self.scheme)
        for each in self.criteria:
            if "least_points" in each and each["value_from"] not in ("price", "figure"):
                yield each["name"], slow.value(offer, each, self.packages), each["least_points"]

    def of_nodes(
        self, offer: Raw, lot: Mapping[str, Any]
    ) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
        """What the nodes of a package have, and the limits of its lot."""
        types = {each["name"]: each for each in self.more.get("node_types", ())}
        nodes = [(types[each["name"]], each["quantity"], exact(each["price"]))
                 for each in offer["lines"] if each["kind"] == "node"]  # fmt: skip
        memory = sum(exact(of.get("memory_gb", 0)) * count for of, count, _ in nodes)
        yield "nodes", sum(count for _, count, _ in nodes), {"least": lot.get("nodes")}
        yield "memory", memory, {"least": lot.get("total_memory_gb")}
        for share in lot.get("shares", ()):
            parts = [(of, count * (money if share["of"] == "spend" else 1))
                     for of, count, money in nodes]  # fmt: skip
            ((key, wanted),) = share.get("where", {"kind": share.get("kind")}).items()
            mine = sum(
                part for of, part in parts if (of | of.get("attributes", {})).get(key) == wanted
            )
            if whole := sum(part for _, part in parts):
                name = f"{'CPU' if key == 'kind' else f'{key} {wanted}'} share of {share['of']}"
                yield name, Fraction(mine) / whole, share

    @cached_property
    def admissible(self) -> list[Raw]:
        return [each for each in self.packages if not self.missed(each)]

    def slow(self, without: Collection[str] = (), **more: Any) -> ByHand:
        left = [each for each in self.admissible if each["name"] not in without]
        return ByHand(left, self.criteria, self.scheme, **more)

    def winners(self, without: Collection[str] = (), **more: Any) -> dict[str, set[str]]:
        """Winners of each lot by its name."""
        slow = self.slow(without, **more)
        none: dict[str, set[str]] = {lot: set() for lot in self.lot_names}
        return none | dict(zip(slow.lots(), slow.winners(), strict=True))

    @cached_property
    def won(self) -> dict[str, Raw]:
        """The package that wins, by lot."""
        return self.won_without(())

    def won_without(self, gone: Collection[str]) -> dict[str, Raw]:
        """The same if packages are withdrawn."""
        by_name = {each["name"]: each for each in self.packages}
        return {
            lot: by_name[next(iter(names))]
            for lot, names in self.winners(gone).items() if len(names) == 1
        }  # fmt: skip

    def heirs(self, lot: str) -> list[dict[str, Raw]]:
        """What is awarded once the winner of a lot withdraws, then its successor, and so on.

        A tie ends it, as an empty award.
        """
        gone, found = [self.won[lot]["name"]], list[dict[str, Raw]]()
        while lot in (then := self.won_without(gone)):
            found.append(then)
            gone.append(then[lot]["name"])
        return [*found, {}] if self.winners(gone)[lot] else found

    def purchases(self) -> Iterator[list[Raw]]:
        """Packages that are awarded together: now, and after withdrawals."""
        yield [*self.won.values()]
        for lot in self.won:
            yield from ([*each.values()] for each in self.heirs(lot))
        for vendor in {each["vendor"] for each in self.won.values()}:
            own = [each["name"] for each in self.packages if each["vendor"] == vendor]
            yield [*self.won_without(own).values()]

    def of_lot(self, lot: str) -> list[Raw]:
        return [each for each in self.admissible if each["lot"] == lot]


def _outside(name: str, value: Any, limits: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    least, most = limits.get("least"), limits.get("most")
    found = [(name, value, least)] if least is not None and value < exact(least) else []
    return found + ([(name, value, most)] if most is not None and value > exact(most) else [])


def cases() -> Iterator[Case]:
    """Requests by hand."""
    two = [package("A", 10.0, figures={"F": 5}), package("B", 20.0, figures={"F": 9})]
    criteria = [price(50), figure("F", 50)]
    yield Case(two, criteria)
    yield Case(two, criteria, {"decimals": 2})
    yield Case(two, criteria, {"decimals": 0, "rounding": "total", "low_price": 0.5})
    yield Case([two[0], package("B", 10.0, figures={"F": 5})], criteria)
    yield Case(two, [price(50, most=5), figure("F", 50)])
    yield Case(two, [price(50, most=15), figure("F", 50, least=6)])
    yield Case(two, [price(50)], lots=[{"name": "L", "capital": 15}, {"name": "empty"}])
    yield Case(two, [price(50)], lots=[{"name": "L", "nodes": 3}])
    rules = [
        {"name": "Insolvency", "statement": "insolvent", "must_be": False},
        {"name": "Turnover", "statement": "turnover", "least": 5, "most": 50},
    ]
    stated = [
        package(name, 10.0 + at, statements={"insolvent": name == "B", "turnover": turnover})
        for at, (name, turnover) in enumerate((("A", 9), ("B", 9), ("C", 2), ("D", 80), ("E", 8)))
    ]
    yield Case(stated, [price(50)], {"exclusions": rules})
    points = [(name, "Q", "x", n) for name, n in zip("ABCDE", (4, 9, 7, 3, 8), strict=True)]
    judged = [people("Q", 10, least_points=5)]
    yield Case(stated, judged, {"points": points})
    yield Case(stated, [price(50, formula="two_sided"), *judged], {"points": points})
    # A and B change their order when C, the dearest, leaves
    three = [package("A", 10.0, figures={"F": 5}), package("B", 13.0, figures={"F": 7}),
             package("C", 60.0, figures={"F": 1})]  # fmt: skip
    yield Case(three, [price(10, formula="two_sided"), figure("F", 6, formula="ratio")])
    # 0.444 and 0.445 points: rounded half up both have 0.4, and the price decides
    near = [package("A", 3.0, figures={"F": 4.9}), package("B", 2.0, figures={"F": 5.0}),
            package("C", 9.0, figures={"F": 9.0})]  # fmt: skip
    yield Case(near[:2], [figure("F", 1)], {"decimals": 0, "ties": ["F"]})
    by_price = [price(1), figure("F", 1)]
    yield Case(near[:2], by_price, {"decimals": 0, "ties": ["Price"]})
    other = [each | {"name": f"{each['name']}2", "lot": "M"} for each in near[:2]]
    yield Case([*near[:2], *other], by_price, {"decimals": 0, "ties": ["Price"]})
    close = [package("A", 10.0, figures={"F": 9.6}), package("B", 11.0, figures={"F": 10.0})]
    prices_last = [figure("F", 1), price(0.01)]
    yield Case(close, prices_last, {"decimals": 1, "ties": ["Price"]})
    yield from _delivering()
    offer = [dict(each) for each in two]
    offer[0]["figures"] = [{"name": "F", "value": 5.0, "basis": "projected"}]
    yield Case(offer, criteria)
    yield from _of_nodes()
    # the price alone decides, so that 0 points of it are a tie
    yield Case([two[0], package("B", 20.0, figures={"F": 5})], criteria)
    # a figure that is measured and committed counts as committed
    offer = [dict(each) for each in two]
    measured = {"name": "F", "value": 6.0, "basis": "measured", "nodes": 2}
    offer[0]["figures"] = [measured, {"name": "F", "value": 5.0}]
    yield Case(offer, criteria)
    out = package("C", 5.0, figures={"F": 5}, statements={"insolvent": True})
    out["figures"][0] |= {"basis": "projected"}
    sound = [each | {"statements": {"insolvent": False}} for each in two]
    yield Case([*sound, out], criteria, {"exclusions": rules[:1]})
    lots = [package(f"{v}{n}", p, lot=n, vendor=v) for n in "12"
            for v, p in (("N", 8.0), ("S", 9.0))]  # fmt: skip
    yield Case(lots, [price(5)], {"most_lots_per_vendor": 1})
    yield Case([each for each in lots if each["vendor"] == "N"], [price(5)],
               {"most_lots_per_vendor": 1})  # fmt: skip
    terms = {"vendor": "N", "discounts": [{"from_total": 10, "fraction": 0.05}],
             "minimum_total": 20.0}  # fmt: skip
    yield Case(lots, [price(5)], more={"vendor_terms": [terms]})
    yield from _bought_together()
    yield from _with_requirement()
    yield from _outside_the_price()
    scheme = Case(two, criteria).scenario.scheme
    assert scheme is not None
    yield Case(two, criteria, {"published_sha256": scheme.sha256})
    yield from (Case(two, criteria, {"method": "points_per_price"}),
                Case(two, criteria, {"method": "corridor", "corridor": 0.2,
                                     "decides": "F"}))  # fmt: skip


def _bought_together() -> Iterator[Case]:
    """Budget and requirements of all lots."""

    def offer(name: str, vendor: str, lot: str, cost: float, hpl: float, nodes: int) -> Any:
        made = package(name, cost, lot=lot, vendor=vendor, delivery_weeks=10 + nodes,
                       figures={"HPL": hpl})  # fmt: skip
        made["lines"].append({"kind": "node", "name": lot, "item": "Node", "price": 0.0,
                              "quantity": nodes})  # fmt: skip
        return made

    offers = [offer("N1", "N", "cpu", 50, 10, 8), offer("S1", "S", "cpu", 60, 10, 4),
              offer("N2", "N", "gpu", 70, 40, 2), offer("S2", "S", "gpu", 75, 30, 2)]  # fmt: skip
    offers[1]["lines"] += [
        {"kind": "installation", "item": "Work", "price": 0.0},
        {"kind": "service", "item": "Year", "price": 3.0, "per_year": True},
    ]
    types = [
        {"name": kind, "kind": kind, "memory_gb": gb, "vendor": "N", **NODE}
        for kind, gb in (("cpu", 256.0), ("gpu", 512.0))
    ]
    work = {"kind": "offered", "figure": "HPL", "reference_figure_of_merit": 0.5}
    terms = [{"vendor": "N", "discounts": [{"from_total": 100, "fraction": 0.05}]},
             {"vendor": "S", "minimum_total": 100}]  # fmt: skip
    more: dict[str, Any] = {
        "node_types": types, "reference": {"name": "Old", "nodes": 20},
        "workloads": [{"name": "Bench", "weight": 0, "performance": work},
                      {"name": "Work", "weight": 1, "performance": work}],
        "procurement": {"decided_on": dt.date(2027, 1, 1), "most_vendors": 1},
        "power": {"bound_w": 20_000, "pue": PUE},
        "budget": {"capital": 120, "utilisation": UTILISATION, "fixed_capital": 1},
        "requirements": {"throughput": {"Bench": 4.5}, "nodes": 5, "total_memory_gb": 2500},
        "vendor_terms": terms,
    }  # fmt: skip
    criteria = [price(50), figure("HPL", 50)]
    yield Case(offers, criteria, {"source": "A call"}, more=more)
    strict = {
        "throughput": {"Bench": 3, "Work": 2}, "capacity": 1, "node_memory_gb": 300,
        "delivered_by": dt.date(2027, 4, 1),
        "shares": [{"kind": "gpu", "of": "nodes", "least": 0.3},
                   {"kind": "cpu", "of": "nodes", "most": 0.7}],
    }  # fmt: skip
    money = {"capital": 118, "utilisation": UTILISATION, "installation_fraction": 0.1}
    energy = {"name": "E", "points": 9, "value_from": "energy", "better": "less"}
    yield Case(offers, criteria, more=more | {"requirements": strict, "budget": money})
    weak = more | {"power": {"bound_w": 5_000, "pue": PUE}}
    yield Case(offers, [figure("HPL", 50), energy], more=weak)
    heirs = [package("A", 10.0, figures={"F": 5}, delivery_weeks=1),
             package("B", 20.0, figures={"F": 9}, delivery_weeks=30),
             package("C", 12.0, figures={"F": 1}, delivery_weeks=2)]  # fmt: skip
    yield Case(heirs, [price(50), figure("F", 50)], more={"budget": {"capital": 15}})
    soon = {"procurement": {"decided_on": dt.date(2027, 1, 1)},
            "requirements": {"delivered_by": dt.date(2027, 3, 1)}}  # fmt: skip
    yield Case(heirs, [price(50), figure("F", 50)], more=soon)
    points = [(each["name"], "Q", "x", n) for each, n in zip(offers, (9, 7, 4, 12), strict=True)]
    yield Case(offers, [people("Q", 20), price(50)], {"points": points}, more=more)
    # wide figures, a feed before the deliveries, racks of one package, variants of a vendor
    for each in offers:
        each["figures"][0]["half_width"] = 0.2
    offers[0]["lines"].append({"kind": "rack", "name": "r", "item": "Rack", "price": 0.5})
    third = copy.deepcopy(offers[3]) | {"name": "S3", "group": "variants"}
    offers[3]["group"] = "variants"
    site = {"power": {"bound_w": 20_000, "pue": PUE, "available_on": dt.date(2027, 1, 29)},
            "facility": {"racks": 9}}  # fmt: skip
    life = {"name": "Life", "points": 30, "value_from": "total cost", "better": "less"}
    # N1 and N2 have 5.0 together; N2 alone at its lower end leaves 4.2, both at theirs 4.0
    for budget, judged, least in (
        (more["budget"] | {"capital": 125}, criteria, 4.5),
        (more["budget"] | {"capital": 125}, criteria, 4.1),
        (LIFE | {"capital": 400}, [life, figure("HPL", 50)], 4.5),
    ):
        required = {"requirements": {"throughput": {"Bench": least}}}
        yield Case([*offers, third], judged, {"ties": ["HPL", "points"]},
                   more=more | site | required | {"budget": budget})  # fmt: skip


def _with_requirement() -> Iterator[Case]:
    """A required figure: judged or not, missed or not, with power and racks that stay open."""
    offers = [package("A", 10.0, figures={"HPL": 10, "G": 10}),
              package("B", 12.0, figures={"HPL": 10, "G": 9})]  # fmt: skip
    for each in offers:
        each["lines"].append({"kind": "node", "name": "n", "item": "Node", "price": 0.0,
                              "quantity": 4})  # fmt: skip
    bench = {"kind": "offered", "figure": "HPL", "reference_figure_of_merit": 1.0}
    more: dict[str, Any] = {
        "node_types": [{"name": "n", "kind": "cpu", "memory_gb": 1.0, "vendor": "N", **NODE}],
        "reference": {"name": "Old", "nodes": 1}, "budget": {"utilisation": 1},
        "workloads": [{"name": "Bench", "weight": 0, "performance": bench},
                      {"name": "Work", "weight": 1, "performance": bench}],
        "power": {"bound_w": 20_000, "pue": PUE},
    }  # fmt: skip
    by_g = [price(10), figure("G", 50)]
    # at 87 % of its figures A would still win, and have HPL 8.7
    for required, judged in ((9.5, by_g), (10, by_g), (15, [*by_g, figure("HPL", 1)])):
        yield Case(
            offers, judged, more=more | {"requirements": {"throughput": {"Bench": required}}}
        )
    yield Case(offers, by_g, more=more | {"power": {"bound_w": 3_000, "pue": PUE}})
    site = {"facility": {"racks": 1, "rack_w": 900}}
    yield Case(offers, by_g, more=more | site | {"rack": {"nodes": 2, "price": 1}})
    yield Case(offers, by_g, more=more | {"facility": {"racks": 1}})
    for rack_w in (NODE["peak_w"], NODE["peak_w"] - 1):
        yield Case(offers, by_g, more=more | {"facility": {"rack_w": rack_w}})
    cool = [copy.deepcopy(each) for each in offers]
    cool[1]["lines"].append({"kind": "cooling", "item": "C", "price": 0.0, "watts": 500.0})
    at_peak = {"power": {"bound_w": 4 * NODE["peak_w"], "pue": PUE}}
    for capital in (11, 30):  # B needs 500 W more, and 2 more money
        yield Case(cool, by_g, more=more | at_peak | {"budget": {"capital": capital}})
    yield Case(
        offers, by_g, more=more | {"facility": {"racks": 2}, "rack": {"nodes": 2, "price": 1}}
    )


def _outside_the_price() -> Iterator[Case]:
    """Lines that other packages have free, and yearly ones, with what they change."""
    criteria = [price(50), figure("F", 50)]
    offers = [package("A", 10, figures={"F": 5}), package("B", 12, figures={"F": 5.5}),
              package("C", 12, figures={"F": 5.2})]  # fmt: skip
    rack, service = {"kind": "rack", "name": "r", "item": "Rack"}, {"kind": "service", "item": "S"}
    offers[0]["lines"] += [rack | {"price": 3.0}, service | {"price": 1.0, "per_year": True}]
    offers[1]["lines"] += [rack | {"price": 0.0}, service | {"price": 1.0}]
    yield Case(offers, criteria, more={"budget": {"lifetime_years": 3}})
    rebate = copy.deepcopy(offers)
    for each in rebate:
        each["rounding"] = "total"
    rebate[0]["lines"] += [{"kind": "other", "item": "More", "price": 9000.0},
                           {"kind": "removal", "item": "Rebate", "price": -2345.345}]  # fmt: skip
    yield Case(rebate, criteria)
    # 10 + 4 x 1 a year against 14: a two-sided formula has no result then
    two = [package("A", 10, figures={"F": 5}), package("B", 14, figures={"F": 5})]
    two[0]["lines"].append(service | {"price": 1.0, "per_year": True})
    yield Case(copy.deepcopy(two), [price(50, formula="two_sided"), figure("F", 50)])
    two[0]["lines"][-1]["price"] = 0.5
    yield Case([each | {"vendor": "V"} for each in two], criteria)
    yield Case(two, criteria, {"method": "points_per_price"})
    # without a price of energy nodes need no power; the total is no whole number
    cheap = copy.deepcopy(two)
    cheap[0]["lines"] += [
        {"kind": "node", "name": "n", "item": "Node", "price": 0.4, "quantity": 1}
    ]
    yield Case(cheap, criteria, more={"node_types": [{"name": "n"}],
                                      "budget": {"lifetime_years": 2}})  # fmt: skip
    # A wins two lots, and the third is a tie
    lots = [
        package(f"{vendor}{lot}", cost, lot=lot, vendor=vendor, figures={"F": 5})
        for lot in "123"
        for vendor, cost in (("A", 10), ("B", 10 if lot == "3" else 12))
    ]
    yield Case(lots, criteria)


def _delivering() -> Iterator[Case]:
    """Committed figures with half widths, penalties and thresholds."""
    penalties = ({"per_percent": 10.0, "most": 1000.0}, {"per_percent": 10.0, "most": 30.0})
    both = {"F": 9.0, "G": 7.0}
    offers = [package("A", 10.0, figures=both), package("B", 12.0, figures={"F": 8.0, "G": 8.0})]
    for each, penalty in zip(offers, penalties, strict=True):
        each["figures"][0] |= {"half_width": 0.08, "penalty": penalty}
    criteria = [price(20), figure("F", 30, least=4.5), figure("G", 50)]
    yield Case(offers, criteria)
    yield Case(offers, criteria, {"decimals": 1})
    for key in ("per_percent", "most"):  # a penalty of 0 is none
        free = copy.deepcopy(offers)
        for each in free:
            each["figures"][0]["penalty"][key] = 0.0
        yield Case(free, criteria)
    line = {"formula": "linear", "full_at": 10, "zero_at": 2, "least_points": 15}
    yield Case(offers, [price(20), figure("F", 30, **line)])
    benchmarks = {"name": "B", "points": 60, "value_from": "benchmarks", "better": "more",
                  "benchmarks": {"F": 1, "G": 2}}  # fmt: skip
    yield Case(offers, [price(40), benchmarks], {"method": "points"})
    for less in ({"most": 12}, {"formula": "linear", "full_at": 5, "zero_at": 20}):
        yield Case(offers, [price(20), figure("F", 30, better="less", **less), figure("G", 50)])


def _of_nodes() -> Iterator[Case]:
    """Limits of lots on nodes, their memory and shares."""
    types = [{"name": name, "kind": kind, "memory_gb": memory, "attributes": {"origin": origin}}
             for name, kind, memory, origin in
             (("c", "cpu", 64.0, "EU"), ("g", "gpu", 512.0, "US"))]  # fmt: skip
    offers = [package(name, 5.0) for name in "ABC"]
    for each, numbers in zip(offers, ((3, 1), (1, 2), (4, 0)), strict=True):
        each["lines"] += [
            {"kind": "node", "item": name, "name": name, "price": money, "quantity": number}
            for name, money, number in zip("cg", (1.25, 7.5), numbers, strict=True) if number
        ]  # fmt: skip
    european = {"where": {"origin": "EU"}}
    for limits in (
        {"total_memory_gb": 700.0}, {"nodes": 4}, {"shares": [european | {"of": "nodes",
                                                                          "least": 0.75}]},
        {"shares": [european | {"of": "spend", "least": 0.4},
                    {"kind": "cpu", "of": "nodes", "most": 0.8}]},
    ):  # fmt: skip
        yield Case(offers, [price(50)], lots=[{"name": "L", **limits}], more={"node_types": types})


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    packages, criteria, scheme = random_tender(seed)
    yield Case(packages, criteria, scheme | {"low_price": 0.3})
    for raw in priced_tender(seed):
        own = ("name", "title", "lots", "packages")
        more = {key: value for key, value in raw.items() if key not in own}
        yield Case(raw["packages"], [price(50)], {}, raw["lots"], more, full=True)


def _names(packages: Sequence[Raw]) -> list[str]:
    return [each["name"] for each in packages]


def _low_price(case: Case, lot: str, package: str, below: float) -> bool:
    prices = sorted((cost(e), e["name"]) for e in case.of_lot(lot))
    share = 1 - prices[0][0] / prices[1][0]
    return (
        prices[0][1] == package
        and share >= exact(case.scheme["low_price"])
        and same(float(share), below)
    )


def _reversal(case: Case, lot: str, withdrawn: str, before: str, after: str) -> bool:
    if withdrawn not in _names(case.admissible) or case.won[lot]["name"] != before:
        return False
    return case.winners([withdrawn])[lot] == {after} != {before} != {withdrawn}


def _alone(case: Case, lot: str, **more: Any) -> set[str]:
    """Winners of a lot by itself, of the packages that the other lots leave to choose."""
    most = case.scheme.get("most_lots_per_vendor", 99)
    before = case.lot_names[: case.lot_names.index(lot)]
    in_order = case.scheme.get("lots", "published order") == "published order"
    others = before if in_order else [each for each in case.lot_names if each != lot]
    taken = [case.won[each]["vendor"] for each in others if each in case.won]
    slow, of_lot = case.slow(rounds=False, **more), case.of_lot(lot)
    ranks = {
        each["name"]: slow.rank(each, of_lot)
        for each in of_lot
        if taken.count(each["vendor"]) < most or each["name"] == case.won[lot]["name"]
    }
    return {name for name, rank in ranks.items() if rank == min(ranks.values())}


def _ranges(case: Case, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the winner stays within each end of its ranges, and others win next to them."""
    return all(
        _turns_there(case, row, exact(end), side, row[f"next_{name}"] or [])
        for row in rows
        for name, side in (("low", -1), ("high", 1))
        for end in [row[f"exact_{name}"]] if end
    )  # fmt: skip


def _turns_there(
    case: Case, row: Mapping[str, Any], end: Fraction, side: int, following: Sequence[str]
) -> bool:
    """Whether some packages win just outside an end, or at an end that is excluded."""
    lot, criterion, step = row["lot"], row["criterion"], _APART * max(end, Fraction(1))
    inside, at, outside = (
        _alone(case, lot, most={criterion: points}) if points >= 0 else set()
        for points in (end - side * step, end, end + side * step)
    )
    winner, holds = {case.won[lot]["name"]}, row["holds_low" if side < 0 else "holds_high"]
    beyond = at if outside == winner or (not outside and at != winner) else outside
    is_point = row["exact_low"] == row["exact_high"]
    return (inside == winner or is_point) and holds == (at == winner) and beyond == {*following}


def delivering(case: Case, package: str, fraction: Fraction, figures: Collection[str]) -> Case:
    """The tender in which a package delivers a fraction of some figures."""
    offers = [dict(each) for each in case.packages]
    for each in offers:
        if each["name"] == package:
            each["figures"] = [
                stated | {"value": exact(stated["value"])
                          * (fraction if judged_as(case, stated["name"]) == ["more"]
                             else 1 / fraction)}
                if stated["name"] in figures else stated
                for stated in each["figures"]
            ]  # fmt: skip
    return Case(offers, case.criteria, case.scheme, case.lots, case.more)


def judged_as(case: Case, figure: str) -> list[str]:
    """Whether less or more of a figure is better for the criteria that judge it; both are two."""
    return sorted({
        each["better"] for each in case.criteria
        if figure == each.get("figure") or figure in each.get("benchmarks", ())
    })  # fmt: skip


def judged_figures(case: Case, package: str) -> list[str]:
    """Names of the committed figures that all criteria judge alike."""
    (offer,) = [each for each in case.packages if each["name"] == package]
    return [
        each["name"] for each in offer["figures"]
        if len(judged_as(case, each["name"])) == 1
        and each.get("basis", "committed") == "committed"
    ]  # fmt: skip


def wins(case: Case, lot: str, package: str, fraction: Fraction, figures: Collection[str]) -> bool:
    """Whether a package that delivers a fraction of some figures wins a lot."""
    return delivering(case, package, fraction, figures).winners()[lot] == {package}


def _turns(
    keeps: Callable[[Case, str, Fraction], bool], case: Case, packages: Sequence[str],
    ends: Sequence[float],
) -> bool:  # fmt: skip
    """Whether just the named winners keep something down to their ends, and no further."""
    found = dict(zip(packages, map(Fraction, ends), strict=True))
    return bool(found) and all(
        _turns_at(partial(keeps, case, each["name"]), found.get(each["name"]))
        for each in case.won.values()
    )


def _turns_at(keeps: Callable[[Fraction], bool], end: Fraction | None) -> bool:
    steps = [Fraction(each, 100) for each in range(1, 101)]
    if end is None:
        return all(map(keeps, steps))
    above = [each for each in steps if each > end + _APART]
    return all(map(keeps, (*above, end + _APART))) and not keeps(end - _APART)


def _keeps_lot(case: Case, package: str, fraction: Fraction) -> bool:
    """Whether a package that delivers less of its judged figures still wins."""
    (lot,) = [lot for lot, each in case.won.items() if each["name"] == package]
    return wins(case, lot, package, fraction, judged_figures(case, package))


def _keeps_required(case: Case, package: str, fraction: Fraction) -> bool:
    """Whether no required throughput is missed if a package delivers less of all it commits to."""
    offers = list[Raw]()
    for each in case.won.values():
        figures = [
            stated | {"value": exact(stated["value"]) * fraction}
            if each["name"] == package
            and stated.get("basis", "committed") == "committed"
            and judged_as(case, stated["name"]) != ["less"]
            else stated
            for stated in each["figures"]
        ]
        offers.append({**each, "figures": figures})
    required = case.more.get("requirements", {}).get("throughput", {})
    every = limits_of(case.more, offers)
    return not any(name in required and met is False for name, *_, met in every)


def _is_required_due(case: Case) -> bool:
    now, less = (
        [_keeps_required(case, each["name"], part) for each in case.won.values()]
        for part in (Fraction(1), Fraction(1, 1000))
    )
    return all(now) and not all(less)


def _expected_penalty(case: Case, package: str) -> Fraction | None:
    """The mean over the half width, by trapezoids between the points where the slope changes."""
    (offer,) = [each for each in case.packages if each["name"] == package]
    total, offered = Fraction(0), False
    for each in offer["figures"]:
        if "penalty" not in each:
            continue
        offered = True
        width, rate = exact(each["half_width"]), exact(each["penalty"]["per_percent"]) * 100
        most = exact(each["penalty"]["most"])
        ends = sorted({-width, Fraction(0), min(width, most / rate if rate else width), width})
        costs = [min(most, max(Fraction(0), rate * short)) for short in ends]
        for place in range(len(ends) - 1):
            part = (ends[place + 1] - ends[place]) / (2 * width)
            total += part * (costs[place] + costs[place + 1]) / 2
    return total if offered else None


def _rounding(case: Case, lot: str) -> bool:
    return _alone(case, lot) != {case.won[lot]["name"]}


def _passed_over(case: Case, lot: str, packages: Sequence[str]) -> bool:
    of_lot, slow = case.of_lot(lot), case.slow()
    own = slow.rank(case.won[lot], of_lot) if lot in case.won else min(
        slow.rank(each, of_lot) for each in of_lot if each["name"] in case.winners()[lot]
    )  # fmt: skip
    better = [each["name"] for each in of_lot if slow.rank(each, of_lot) < own]
    return sorted(packages) == sorted(better) != []


def _together(case: Case, condition: str, value: Any, limit: Any, *, now: bool = False) -> bool:
    """Whether the award, now or after a withdrawal, misses a limit of this name."""
    every = [[*case.won.values()]] if now else case.purchases()
    return any(
        name == condition and met is False and _alike(stated, value) and _alike(bound, limit)
        for packages in every
        for name, stated, bound, met in limits_of(case.more, packages)
    )


def _alike(one: Any, other: Any) -> bool:
    return one == other if isinstance(one, str) else same(float(one), float(other))


def _no_fallback(case: Case, lot: str, package: str) -> bool:
    return case.won[lot]["name"] == package and all(
        each and meets(case.more, [*each.values()]) is False for each in case.heirs(lot)
    )


def _following(case: Case) -> dict[str, dict[str, float]]:
    """Successors of all lots with which no limit but the capital is missed, and what is missing.

    Each package is offered for one lot, so that it follows once at most.
    """
    found = {}
    for lot in case.won:
        for each in case.heirs(lot):
            every = unmet(case.more, [*each.values()])
            if each and every.keys() <= {"capital", "power"}:
                over = {name: float(value - exact(limit)) for name, (value, limit) in every.items()}
                found[each[lot]["name"]] = over
    return found


def _over(case: Case, what: str) -> dict[str, float]:
    return {name: over[what] for name, over in _following(case).items() if what in over}


def _needs_discount(case: Case, over: float | None = None) -> bool:
    spent = [(value, exact(limit)) for name, value, limit, _ in
             limits_of(case.more, [*case.won.values()])
             if name == "capital" and value is not None]  # fmt: skip
    return any(
        value <= limit < value + _gross(case) - _net(case)
        and (over is None or same(over, float(value + _gross(case) - _net(case) - limit)))
        for value, limit in spent
    )


def _single_vendor(case: Case) -> str | None:
    vendors = {each["vendor"] for each in case.won.values()}
    return vendors.pop() if len(vendors) == 1 < len(case.won) else None


def _without_vendor(case: Case) -> list[tuple[str, Any, Any]]:
    """Limits that are missed once the single vendor has withdrawn everything."""
    vendor = _single_vendor(case)
    own = [each["name"] for each in case.packages if each["vendor"] == vendor]
    left = [*case.won_without(own).values()]
    every = limits_of(case.more, left) if left and vendor is not None else ()
    return [(name, value, limit) for name, value, limit, met in every if met is False]


def _one_vendor_misses(
    case: Case, vendor: str, condition: str, value: Any, limit: Any, *, below: bool
) -> bool:
    name, reached, bound = _without_vendor(case)[0]
    is_below = (reached if isinstance(reached, str) else float(reached)) < bound
    return (
        vendor == _single_vendor(case) and condition == name and below == is_below
        and _alike(reached, value) and _alike(bound, limit)
    )  # fmt: skip


def _first_heir(case: Case, lot: str) -> dict[str, Raw]:
    """What is awarded once the winner of a lot withdraws; empty for a tie, and without any."""
    return next(iter(case.heirs(lot)), {})


def _successor_misses(
    case: Case, lot: str, package: str, successor: str, missed: Sequence[str]
) -> bool:
    then = _first_heir(case, lot)
    return (
        (case.won[lot]["name"], then[lot]["name"]) == (package, successor)
        and [*missed] == [*unmet(case.more, [*then.values()])] != []
    )  # fmt: skip


def _lots_without_fallback(case: Case) -> list[str]:
    return [lot for lot, each in case.won.items() if _no_fallback(case, lot, each["name"])]


def _required(case: Case) -> Iterator[tuple[str, Mapping[str, Raw], Fraction, Fraction]]:
    """Workloads with a requirement that figures tell: the figures, reference and requirement."""
    required = case.more.get("requirements", {}).get("throughput", {})
    for each in case.more.get("workloads", ()):
        if each["name"] in required:
            figures = counted(case.more, [*case.won.values()], each)
            if figures is not None:
                base = reference(case.more, each)
                yield each["name"], figures, base, exact(required[each["name"]])


def _delivering_lows(figures: Mapping[str, Raw], base: Fraction, lows: Collection[str]) -> Fraction:
    """A throughput if some packages deliver the lower ends of their figures."""
    parts = (
        exact(each["value"]) * (1 - exact(each.get("half_width", 0)) * (name in lows))
        for name, each in figures.items()
    )
    return sum(parts, Fraction(0)) / base


def _missed_within(case: Case) -> dict[str, tuple[Fraction, dict[str, float], Fraction]]:
    """Throughputs missed within half widths: requirement, values of one alone, value of all."""
    found = {}
    for name, figures, base, least in _required(case):
        every = _delivering_lows(figures, base, figures)
        if every < least <= _delivering_lows(figures, base, ()):
            alone = {each: _delivering_lows(figures, base, [each]) for each in figures}
            missed = {each: float(value) for each, value in alone.items() if value < least}
            found[name] = least, missed, every
    return found


def _low_end(
    case: Case, requirement: str, limit: float, packages: Sequence[str], values: Sequence[float]
) -> bool:
    least, missed, _ = _missed_within(case)[requirement]
    return same(limit, float(least)) and _agree(missed, packages, values)


def _low_ends(case: Case, requirement: str, value: float, limit: float) -> bool:
    least, missed, every = _missed_within(case)[requirement]
    return not missed and same(value, float(every)) and same(limit, float(least))


def _throughput_basis(
    case: Case, requirement: str, total: float, base: float, value: float
) -> bool:
    return any(
        name == requirement and same(base, float(of_reference)) and same(total, float(mine))
        and same(value, float(mine / of_reference))
        for name, figures, of_reference, _ in _required(case)
        for mine in [sum((exact(e["value"]) for e in figures.values()), Fraction(0))]
    )  # fmt: skip


def _late(case: Case, packages: Sequence[str], available: str, days: Sequence[int]) -> bool:
    late = {
        each["name"]: count
        for each in case.won.values()
        for count in [(
            case.more["procurement"]["decided_on"] + dt.timedelta(weeks=each["delivery_weeks"])
            - case.more["power"]["available_on"]
        ).days]
        if count > 0
    }  # fmt: skip
    return (
        _agree(late, packages, days) and available == case.more["power"]["available_on"].isoformat()
    )


def _no_rack(case: Case, packages: Sequence[str]) -> bool:
    kinds = {e["name"]: {line["kind"] for line in e["lines"]} for e in case.won.values()}
    found = [name for name, has in kinds.items() if "node" in has and "rack" not in has]
    return [*packages] == found != [] and any("rack" in has for has in kinds.values())


def _followers(case: Case, lot: str) -> list[Raw]:
    """The packages that the winner of a lot is ahead of, best first."""
    of_lot, slow = case.of_lot(lot), case.slow()
    ranks = {each["name"]: slow.rank(each, of_lot) for each in of_lot}
    winner = case.won[lot]["name"]
    behind = [e for e in of_lot if e["name"] != winner and ranks[e["name"]] >= ranks[winner]]
    return sorted(behind, key=lambda each: ranks[each["name"]])


def _rivals(case: Case) -> dict[str, tuple[Raw, Raw]]:
    """The winner of each lot and the next vendor's package."""
    return {
        lot: (winner, others[0])
        for lot, winner in case.won.items()
        for others in [[e for e in _followers(case, lot) if e["vendor"] != winner["vendor"]]]
        if others
    }


def _leads(case: Case, rivals: Sequence[str], leads: Sequence[float]) -> bool:
    found = {}
    for lot, pair in _rivals(case).items():
        of_lot, slow = case.of_lot(lot), case.slow()
        if _by_points(case):
            mine, theirs = (slow.sums(each, of_lot)[0] for each in pair)
        else:
            mine, theirs = (slow.sums(each, of_lot)[1] / cost(each) * 10**6 for each in pair)
        found[pair[1]["name"]] = float(mine - theirs)
    return _agree(found, rivals, leads)


def _by_points(case: Case) -> bool:
    return bool(case.scheme.get("method", "points") == "points")


def _agree(found: Mapping[str, float], names: Sequence[str], values: Sequence[float]) -> bool:
    alike = zip(values, found.values(), strict=True)
    return [*names] == [*found] != [] and all(same(one, other) for one, other in alike)


def _parts(case: Case, lot: str) -> dict[str, float]:
    """Differences of points between the winner of a lot and the next vendor's package."""
    pair, of_lot, slow = _rivals(case)[lot], case.of_lot(lot), case.slow()
    return {
        each["name"]: float(mine - theirs)
        for each in case.criteria
        for mine, theirs in [[slow.points(offer, each, of_lot) for offer in pair]]
    }


def _lead_parts(case: Case, rival: str, criteria: Sequence[str], points: Sequence[float]) -> bool:
    return _by_points(case) and any(
        rival == other["name"] and _agree(_parts(case, lot), criteria, points)
        for lot, (_, other) in _rivals(case).items()
    )


def _without_people(case: Case, rivals: Sequence[str], points: Sequence[float]) -> bool:
    slow, found = case.slow(), dict[str, float]()
    for lot, (winner, _) in _rivals(case).items():
        of_lot = case.of_lot(lot)
        rest = {
            offer["name"]: sum(
                slow.points(offer, each, of_lot)
                for each in case.criteria if each["value_from"] != "people"
            )
            for offer in of_lot
        }  # fmt: skip
        behind = [
            offer["name"] for offer in _followers(case, lot) if offer["vendor"] != winner["vendor"]
        ]
        best = next(name for name in behind if rest[name] == max(rest[each] for each in behind))
        found[best] = float(rest[winner["name"]] - rest[best])
    people = any(each["value_from"] == "people" for each in case.criteria)
    return people and _agree(found, rivals, points)


def _with_yearly(case: Case, lot: str) -> Case:
    """The tender with the yearly costs of a lifetime in the prices of a lot."""
    years = exact(case.more.get("budget", {}).get("lifetime_years", 4))
    offers = []
    for each in case.admissible:
        whole = {"kind": "other", "item": "All", "quantity": 1,
                 "price": float(cost(each) + every_year(each) * years)}  # fmt: skip
        nodes = [line | {"price": 0.0} for line in each["lines"] if line["kind"] == "node"]
        plain = {
            key: value for key, value in each.items() if key not in ("discount", "rate", "vat")
        }
        offers.append(plain | {"lines": [*nodes, whole]} if each["lot"] == lot else each)
    return Case(offers, case.criteria, case.scheme, case.lots, case.more)


def _yearly_winners(case: Case, lot: str) -> set[str]:
    then = _with_yearly(case, lot)
    slow = ByHand(then.packages, case.criteria, case.scheme)
    return dict(zip(slow.lots(), slow.winners(), strict=True))[lot]


def _yearly_stays(case: Case, lot: str, rival: str, lead: float) -> bool:
    winner = case.won[lot]["name"]
    if _yearly_winners(case, lot) != {winner} or not _is_yearly_outside(case, lot):
        return False
    then = _with_yearly(case, lot)
    of_lot = [each for each in then.packages if each["lot"] == lot]
    slow = ByHand(then.packages, case.criteria, case.scheme)
    (mine,) = [each for each in of_lot if each["name"] == winner]
    ranks = {each["name"]: slow.rank(each, of_lot) for each in of_lot}
    others = sorted(
        (e for e in of_lot
         if e["vendor"] != mine["vendor"] and ranks[e["name"]] >= ranks[winner]),
        key=lambda each: ranks[each["name"]],
    )  # fmt: skip
    ahead = slow.sums(mine, of_lot)[0] - slow.sums(others[0], of_lot)[0]
    return _by_points(case) and rival == others[0]["name"] and same(lead, float(ahead))


def _yearly_same(case: Case, lot: str) -> bool:
    """Whether the winner stays where no lead is stated."""
    winner, then = case.won[lot], _with_yearly(case, lot)
    vendors = {each["vendor"] for each in then.packages if each["lot"] == lot}
    return (
        _is_yearly_outside(case, lot) and _yearly_winners(case, lot) == {winner["name"]}
        and (not _by_points(case) or vendors == {winner["vendor"]})
    )  # fmt: skip


def _yearly_open(case: Case, lot: str) -> bool:
    """Whether a lot has no winner, or a two-sided formula judges prices that are all equal."""
    prices = {cost(each) for each in _with_yearly(case, lot).packages if each["lot"] == lot}
    judged = [each for each in case.criteria if each["value_from"] == "price"]
    two_sided = any(each.get("formula") == "two_sided" for each in judged)
    is_open = (two_sided and len(prices) == 1) or not _yearly_winners(case, lot)
    return lot in case.won and _is_yearly_outside(case, lot) and is_open


def _is_yearly_outside(case: Case, lot: str) -> bool:
    yearly = [every_year(each) > 0 for each in case.of_lot(lot)]
    return any(yearly) and not all(yearly)


def _yearly_changes(case: Case, lot: str, packages: Sequence[str]) -> bool:
    winners = _yearly_winners(case, lot)
    return (
        {*packages} == winners != {case.won[lot]["name"]} and len(packages) == len(winners)
        and _is_yearly_outside(case, lot)
    )  # fmt: skip


def _plan_better(case: Case, more: float) -> bool:
    awarded = round(award_score(case.raw, {each["name"] for each in case.won.values()}), 6)
    return more > 0 and is_best_score(case.raw, awarded * (1 + more))


def _group(case: Case, packages: Sequence[str]) -> bool:
    groups = {each["group"] for each in case.packages if "group" in each}
    found = [[e["name"] for e in case.packages if e.get("group") == each] for each in groups]
    return len(packages) > 1 and [*packages] in found


def _without_penalty(case: Case, package: str) -> list[str]:
    (offer,) = [each for each in case.won.values() if each["name"] == package]
    return [
        name for name in judged_figures(case, package)
        if not any(e["name"] == name and all(e.get("penalty", {"most": 0}).values())
                   for e in offer["figures"])
    ]  # fmt: skip


def _no_penalty(case: Case, figures: Sequence[str]) -> bool:
    found = [f"{name}: {each}" for name in _unprotected(case)
             for each in _without_penalty(case, name)]  # fmt: skip
    return sorted(figures) == sorted(found) != []


def _unprotected(case: Case) -> list[str]:
    return [e["name"] for e in case.won.values() if _without_penalty(case, e["name"])]


def _scope(
    case: Case, lot: str, lines: str, packages: Sequence[str], amounts: Sequence[float]
) -> bool:
    """Whether these packages have these amounts for lines of a kind, and not all of the lot do."""
    found, of_lot = {}, case.of_lot(lot)
    for each in of_lot:
        alone = [line | {"price": line["price"] * (line["kind"] == lines)}
                 for line in each["lines"]]  # fmt: skip
        bare = {key: value for key, value in each.items() if key not in ("discount", "rate", "vat")}
        counts = {e["name"]: e["quantity"] for e in each["lines"] if e["kind"] == "node"}
        once = billed({"rounding": "line", **bare, "lines": alone}, counts)["once"]
        if once:
            found[each["name"]] = float(once * in_budget(each))
    return len(found) < len(of_lot) and _agree(found, packages, amounts)


def _yearly(
    case: Case, lot: str, packages: Sequence[str], amounts: Sequence[float], years: float
) -> bool:
    life = case.more.get("budget", {}).get("lifetime_years", 4)
    costs = {each["name"]: float(every_year(each) * exact(life)) for each in case.of_lot(lot)}
    found = {name: amount for name, amount in costs.items() if amount}
    return len(found) < len(costs) and same(years, life) and _agree(found, packages, amounts)


def _total_cost(case: Case, package: str, price: float, yearly: float, energy: float,
                total: float, **basis: float) -> bool:  # fmt: skip
    winner, slow = next(iter(case.won.values())), case.slow()
    of_lot = case.of_lot(winner["lot"])
    kwh = slow.value(winner, {"value_from": "energy"}, of_lot)
    own = slow.yearly(winner, of_lot)
    fixed = {"annuity": float(ANNUITY), "kwh_price": LIFE["energy_price_per_kwh"],
             "years": LIFE["lifetime_years"], "rate": LIFE["discount_rate"]}  # fmt: skip
    return (
        package == winner["name"] and same(price, float(cost(winner)))
        and same(energy, float(kwh)) and basis.keys() == fixed.keys()
        and same(yearly, float(own - exact(LIFE["energy_price_per_kwh"]) * kwh))
        and same(total, float(cost(winner) + ANNUITY * own))
        and all(same(value, fixed[name]) for name, value in basis.items())
    )  # fmt: skip


def _left(case: Case, limits: Sequence[str]) -> bool:
    every = limits_of(case.more, [*case.won.values()])
    return [*limits] == [name for name, _, _, met in every if met is None] != []


def _worked(better: str) -> Callable[..., bool]:
    """Whether the points are those of the first winner for the first criterion with a ratio."""

    def claim(
        case: Case, package: str, criterion: str, most: float, best: float, value: float,
        points: float,
    ) -> bool:  # fmt: skip
        lot, winner = next(iter(case.won.items()))
        of_lot, slow = case.of_lot(lot), case.slow()
        judged = next(e for e in case.criteria if e.get("formula", "ratio") == "ratio")
        values = [slow.value(each, judged, of_lot) for each in of_lot]
        return (
            (package, criterion, judged["better"]) == (winner["name"], judged["name"], better)
            and same(most, judged["points"])
            and same(best, float(min(values) if better == "less" else max(values)))
            and same(value, float(slow.value(winner, judged, of_lot)))
            and same(points, float(slow.points(winner, judged, of_lot)))
        )

    return claim


def _gross(case: Case) -> Fraction:
    return sum((cost(e) for e in case.won.values()), Fraction(0))


def _net(case: Case) -> Fraction:
    return net(case.more, [*case.won.values()])


def _life_cost(case: Case, value: float) -> bool:
    """Price, and the present value of what every year costs: yearly lines, upkeep and energy."""
    budget, feed = case.more["budget"], case.more.get("power", {})
    life, rate = exact(budget.get("lifetime_years", 4)), exact(budget.get("discount_rate", 0))
    annuity = sum(
        (1 / (1 + rate) ** year for year in range(1, int(life) + 1)), Fraction(0)
    ) if rate else life  # fmt: skip
    used, per_kwh = exact(budget.get("utilisation", 1)), _kwh_price(budget)
    per_it = exact(feed.get("pue", 1)) / (1 - exact(feed.get("conversion_loss", 0)))
    total = _net(case)
    for each in case.won.values():
        counts = {e["name"]: e["quantity"] for e in each["lines"] if e["kind"] == "node"}
        watts = Fraction(billed({"rounding": "line", **each}, counts)["watts"])
        for name, count in counts.items() if per_kwh else ():
            (node,) = [e for e in case.more["node_types"] if e["name"] == name]
            idle = exact(node.get("idle_w", 0))
            watts += count * (used * exact(node["peak_w"]) + (1 - used) * idle)
        yearly = every_year(each) + watts * per_it * 8760 / 1000 * per_kwh
        yearly += exact(budget.get("maintenance_fraction_per_year", 0)) * cost(each)
        total += annuity * yearly
    return same(value, float(total))


def _kwh_price(budget: Mapping[str, Any]) -> Fraction:
    prices = budget.get("energy_prices")
    if not prices:
        return exact(budget.get("energy_price_per_kwh", 0))
    parts = (exact(e["price_per_kwh"]) * exact(e["probability"]) for e in prices)
    return sum(parts, Fraction(0))


def _over_life(case: Case, years: float, rate: float) -> bool:
    budget = case.more["budget"]
    return same(years, budget.get("lifetime_years", 4)) and same(
        rate, budget.get("discount_rate", 0)
    )


def _low_basis(
    case: Case, requirement: str, packages: Sequence[str], widths: Sequence[float],
    lows: Sequence[float], base: float, value: float,
) -> bool:  # fmt: skip
    for name, figures, of_reference, _ in _required(case):
        of_each = {key: exact(e.get("half_width", 0)) for key, e in figures.items()}
        low = {key: exact(e["value"]) * (1 - of_each[key]) for key, e in figures.items()}
        if name == requirement:
            return (
                _agree({key: float(e) for key, e in low.items()}, packages, lows)
                and _agree({key: float(e) for key, e in of_each.items()}, packages, widths)
                and same(base, float(of_reference))
                and same(value, float(sum(low.values()) / of_reference))
            )
    return False


def _met(case: Case, value: Sequence[int]) -> bool:
    every = [met for *_, met in limits_of(case.more, [*case.won.values()])]
    return tuple(value) == (every.count(True), len(every))


def _expected(case: Case) -> Fraction | None:
    """Expected penalties of the winners; ``None`` where they offer none."""
    every = [_expected_penalty(case, each["name"]) for each in case.won.values()]
    offered = [each for each in every if each is not None]
    return sum(offered, Fraction(0)) if offered else None


def _missed(case: Case, condition: str, value: Any, limit: Any) -> bool:
    """Whether some package misses a condition of this name with this value."""
    return any(
        name == condition and _equal(stated, value) and _equal(bound, limit)
        for each in case.packages
        for name, stated, bound in case.missed(each)
    )


def _stated(case: Case, packages: Sequence[str], values: Sequence[Any]) -> bool:
    """Whether packages of a lot state or have the values of some condition."""
    offers = {each["name"]: each for each in case.packages}
    every = [_stated_by(case, offers[name]) for name in packages]
    return any(
        all(
            name in each and _equal(each[name], value)
            for each, value in zip(every, values, strict=True)
        )
        for name in every[0]
    )


def _stated_by(case: Case, offer: Raw) -> dict[str, Any]:
    """What a package has for each condition, by its name; points have names of their own."""
    found = {name: value for name, value, _ in case.conditions(offer)}
    found |= {f"points of {name}": points for name, points, _ in case.points_of(offer)}
    slow = ByHand(case.packages, case.criteria, case.scheme, rounds=False)
    found |= {
        f"points of {each['name']}": slow.points(offer, each, case.packages)
        for each in case.criteria if "least_points" in each and each["value_from"] == "figure"
    }  # fmt: skip
    prices = sorted((cost(each), each["name"]) for each in case.of_lot(offer["lot"]))
    if len(prices) > 1 and prices[0][1] == offer["name"]:
        found["low price"] = 1 - prices[0][0] / prices[1][0]
    return found


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, bool | str) or isinstance(other, bool | str):
        return one is other or (isinstance(one, str) and one == other)
    return same(float(one), float(other))


def _hash(case: Case, sha256: str) -> bool:
    scheme = case.scenario.scheme
    return scheme is not None and scheme.sha256 == sha256


def _uncommitted(case: Case, package: str, figures: Sequence[str]) -> bool:
    (offer,) = [each for each in case.admissible if each["name"] == package]
    judged = {each.get("figure") for each in case.criteria}
    committed = {
        each["name"] for each in offer["figures"] if each.get("basis", "committed") == "committed"
    }
    names = dict.fromkeys(each["name"] for each in offer["figures"])
    found = [name for name in names if name in judged and name not in committed]
    return [*figures] == found != []


def _governs(case: Case) -> bool:
    return "procurement" in case.more and "workloads" in case.more


def _tied(case: Case) -> bool:
    return any(len(names) > 1 for names in case.winners().values())


FINDINGS: dict[str, Callable[..., bool]] = {
    "title": lambda _, title: title == "A tender",
    "one-lot": lambda case, lot, package, vendor, price: (
        case.lot_names == [lot] and same(price, float(_net(case)))
        and (case.won[lot]["name"], case.won[lot]["vendor"]) == (package, vendor)
    ),
    "lots": lambda case, awarded, vendors, price: (
        tuple(awarded) == (len(case.won), len(case.lot_names)) and len(case.lot_names) > 1
        and same(price, float(_net(case)))
        and [*vendors] == [*dict.fromkeys(e["vendor"] for e in case.won.values())]
    ),
    "no-award": lambda case: not case.won,
    "exact": lambda case: "decimals" not in case.scheme,
    "rounded": lambda case, decimals, what: (
        (decimals, what) == (case.scheme["decimals"], case.scheme.get("rounding", "criterion"))
    ),
    "published": lambda case: "published_sha256" in case.scheme,
    "unpublished": lambda case: "published_sha256" not in case.scheme,
    "hash": _hash,
    "ties": lambda case, ties: [*ties] == [*case.scheme.get("ties", ())] != [],
    "group": _group,
    "leads": lambda case, **found: (
        _by_points(case) and _leads(case, **found)
    ),
    "quotient-leads": lambda case, **found: (
        case.scheme["method"] == "points_per_price" and _leads(case, **found)
    ),
    "lead-parts": _lead_parts,
    "lead-without-people": _without_people,
    "needs-discount": _needs_discount,
    "find-capital": lambda case, packages, over: _agree(_over(case, "capital"), packages, over),
    "plan-caps": lambda case, packages, over: _agree(_over(case, "power"), packages, over),
    "yearly-stays": _yearly_stays,
    "yearly-same": _yearly_same,
    "yearly-open": _yearly_open,
    "yearly-changes": _yearly_changes,
    "low-basis": _low_basis,
    "over-life": _over_life,
    "successor-misses": _successor_misses,
    "low-end": _low_end,
    "low-ends": _low_ends,
    "one-vendor": lambda case, vendor: (
        vendor == _single_vendor(case) and not _without_vendor(case)
    ),
    "one-vendor-below": partial(_one_vendor_misses, below=True),
    "one-vendor-above": partial(_one_vendor_misses, below=False),
    "late-delivery": _late,
    "no-rack": _no_rack,
    "plan-better": _plan_better,
    "throughput-basis": _throughput_basis,
    "total-cost-basis": _total_cost,
    "tie": lambda case, lot, packages: {*packages} == case.winners()[lot] and len(packages) > 1,
    "all-excluded": lambda case, lot: not case.of_lot(lot)
    and any(each["lot"] == lot for each in case.packages),
    "no-package": lambda case, lot: lot in case.lot_names
    and not any(each["lot"] == lot for each in case.packages),
    "all-at-limit": lambda case, lot: bool(case.of_lot(lot)) and not case.winners()[lot],
    "low-price": _low_price,
    "reversal": _reversal,
    "rounding-decides": _rounding,
    "two-sided": lambda case, criterion: any(
        each["name"] == criterion and each.get("formula") == "two_sided" for each in case.criteria
    ),
    "not-committed": _uncommitted,
    "passed-over": _passed_over,
    "stays-delivered": partial(_turns, _keeps_lot),
    "stays-required": partial(_turns, _keeps_required),
    "expected-penalties": lambda case, penalty: (
        (expected := _expected(case)) is not None and same(float(expected), penalty)
    ),
    "together-below": _together,
    "together-above": _together,
    "together-caps": lambda case, condition, value, limit: condition == "power" and any(
        _alike(value, stated) and _alike(limit, bound)
        for packages in case.purchases()
        for stated, bound in [unmet(case.more, packages).get("power", ("", ""))]
        if stated != ""
    ),
    "award-together-below": partial(_together, now=True),
    "award-together-above": partial(_together, now=True),
    "no-fallback": _no_fallback,
    "no-penalty": _no_penalty,
    "scope-differs": _scope,
    "yearly-outside": _yearly,
    "left-to-plan": _left,
    "scheme-governs": lambda case: _governs(case) and not case.full,
    "off-gross": lambda case, gross, off: (
        same(float(_gross(case)), gross) and same(float(_gross(case) - _net(case)), off)
    ),
    "source": lambda case, source: source == case.scheme.get("source"),
    "worked-less": _worked("less"),
    "worked-more": _worked("more"),
    "energy-basis": lambda case, utilisation, pue, loss, feed: (
        same(utilisation, case.more["budget"]["utilisation"]) and not loss
        and same(pue, case.more["power"]["pue"]) and same(feed, pue)
    ),
    "agree-penalty": _no_penalty,
    "confirm-discount": lambda case: _net(case) != _gross(case),
    "keep-offer": lambda case, packages: [*packages] == [*_following(case)] != [],
    "settle-fallback": lambda case, lots: [*lots] == _lots_without_fallback(case) != [],
    "settle-tie": _tied,
    "ask-price": lambda case: any(
        _low_price(case, lot, each["name"], float(1 - cost(each) / next_one))
        for lot in case.lot_names if len(case.of_lot(lot)) > 1
        for each in case.of_lot(lot)
        for next_one in (cost(other) for other in case.of_lot(lot))
    ),
    "inform": always,
    "stated": _stated,
    "not-as-required": lambda case, condition, **both: _missed(case, condition, *both.values()),
    "below-least": lambda case, condition, value, least: _missed(case, condition, value, least)
    and value < least,
    "above-most": lambda case, condition, value, most: _missed(case, condition, value, most)
    and value > most,
    "too-few-points": lambda case, condition, **both: _missed(case, condition, *both.values()),
}  # fmt: skip
FACTS: dict[str, Callable[..., bool]] = {
    "price": lambda case, value: same(float(_net(case)), value),
    "life_cost": _life_cost,
    "limits_met": _met,
    "successor_fits": lambda case, value: (
        tuple(value)
        == (
            sum(
                bool(then and meets(case.more, [*then.values()]) is not False)
                for then in (_first_heir(case, lot) for lot in case.won)
            ),
            len(case.won),
        )
    ),
    "award_score": lambda case, value: (
        same(value, round(value, 6))
        and isclose(
            value,
            award_score(case.raw, {each["name"] for each in case.won.values()}),
            rel_tol=0,
            abs_tol=SIX_DECIMALS,
        )
    ),
    "best_score": lambda case, value: is_best_score(case.raw, value),
}
TABLES: dict[str, Callable[..., bool]] = {"weights": _ranges}
"""Whether the rows of a table are true."""
DUE = {
    "tie": _tied,
    "settle-tie": _tied,
    "exact": lambda case: "decimals" not in case.scheme,
    "no-award": lambda case: not case.won,
    "rounding-decides": lambda case: any(_rounding(case, lot) for lot in case.won),
    "unpublished": lambda case: "published_sha256" not in case.scheme,
    "confirm-discount": lambda case: _net(case) != _gross(case),
    "agree-penalty": _unprotected,
    "no-penalty": _unprotected,
    "keep-offer": _following,
    "find-capital": partial(_over, what="capital"),
    "plan-caps": partial(_over, what="power"),
    "settle-fallback": _lots_without_fallback,
    "needs-discount": _needs_discount,
    "lead-parts": lambda case: _by_points(case) and _rivals(case),
    "scheme-governs": lambda case: _governs(case) and not case.full,
    "one-vendor": lambda case: _single_vendor(case) is not None and not _without_vendor(case),
    "stays-required": _is_required_due,
    "low-end": lambda case: any(missed for _, missed, _ in _missed_within(case).values()),
    "low-ends": lambda case: any(not missed for _, missed, _ in _missed_within(case).values()),
    "successor-misses": lambda case: any(
        unmet(case.more, [*then.values()])
        for then in (_first_heir(case, lot) for lot in case.won)
        if then
    ),
    "left-to-plan": lambda case: any(
        met is None for *_, met in limits_of(case.more, [*case.won.values()])
    ),
    "all-excluded": lambda case: any(FINDINGS["all-excluded"](case, lot) for lot in case.lot_names),
}

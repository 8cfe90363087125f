"""What a plan states of figures of packages, decided again on random small tenders."""

from __future__ import annotations

import copy
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from planner.errors import PlanError
from planner.finding import Fact, Finding
from planner.procurement.delivered import delivered_figures
from planner.procurement.from_scenario import problem_from
from planner.procurement.layout import layout
from planner.procurement.outcome import Options
from planner.procurement.plan import Plan, offer_counts
from planner.procurement.problem import Problem
from planner.procurement.procure import procure
from planner.procurement.study import ProcurementStudy
from reports.texts import Texts
from reports.view import every_finding
from tests.claims.statements import changed, claimed, facts, rejected
from tests.claims.values import same
from tests.planner.procurement import enumeration
from tests.planner.procurement.catalogues import Document, scenario
from tests.planner.procurement.enumeration import Machine, Rows
from tests.planner.procurement.offered import BASES, as_tables, figure_name, offered_tender
from tests.planner.procurement.tenders import billed, purchases
from tests.planner.procurement.test_tenders import solved
from tests.sizes import few

APART = 2e-5
"""Next to the smallest fraction; requirements have a tolerance of a millionth."""


def request(seed: int) -> Document:
    """A tender with a requirement on a workload that runs on figures, and with penalties."""
    rng = np.random.default_rng([29, seed])
    raw = offered_tender(seed)
    raw["procurement"]["regime"] = ("overprovisioned", "worst-case")[seed % 2]
    name = next(e["name"] for e in raw["workloads"] if e["performance"]["kind"] == "offered")
    raw["requirements"]["throughput"] = {name: float(rng.choice([0.001, 0.05, 0.3, 0.8]))}
    for package in raw["packages"]:
        for figure in package["figures"]:
            if figure["basis"] == "committed" and rng.random() < 0.7:
                figure |= {"half_width": 0.01 * int(rng.integers(0, 30)), "penalty": {
                    "per_percent": 100.0 * int(rng.integers(0, 4)),
                    "most": 500.0 * int(rng.integers(0, 4)),
                }}  # fmt: skip
    return raw


def plans(seed: int) -> Iterator[tuple[Document, Problem, Plan]]:
    """The tender and its best plan, where there is one."""
    raw = request(seed)
    try:
        problem = problem_from(scenario(raw))
    except PlanError:
        return
    plan = solved(problem).plan
    if plan is not None:
        yield raw, problem, plan


def meets(
    raw: Document, problem: Problem, plan: Plan, package: str, name: str, part: float
) -> bool:
    """Whether the machine of the plan meets all requirements with a part of a figure delivered."""
    less = copy.deepcopy(raw)
    for each in less["packages"]:
        for figure in each["figures"]:
            if (each["name"], figure["name"], figure["basis"]) == (package, name, "committed"):
                figure["value"] *= part
    plain = as_tables(less)
    other = problem_from(scenario(plain))
    counts = offer_counts(problem, layout(problem), plan.nodes)
    return any(
        list(machine.counts) == counts and _can(other, machine, yearly)
        for machine, yearly in purchases(plain, other)
    )


def _can(problem: Problem, machine: Machine, yearly: float) -> bool:
    staff = problem.prices.staff + yearly
    own = replace(problem, prices=replace(problem.prices, staff=staff, maintenance=0.0))
    for rating in range(len(own.demand)):
        rows = Rows()
        width = enumeration._allocation(rows, own, machine, rating, 0)
        cost = np.zeros(width)
        cost[0] = 1.0
        x = rows.maximise(cost)
        if x is None:
            return False
        machine.thetas.append(float(x[0]))
    return enumeration._with_energy(own, machine, 0.0) is not None


def not_run(raw: Document) -> set[tuple[str, str, str, str]]:
    """Package, workload, figure and its basis, where no figure that counts is stated."""
    kinds = {each["name"]: each["kind"] for each in raw["node_types"]}
    found = set()
    for workload in raw["workloads"]:
        if workload["performance"]["kind"] != "offered":
            continue
        name = figure_name(workload)
        for package in raw["packages"]:
            nodes = [kinds[e["name"]] for e in package["lines"] if e["kind"] == "node"]
            bases = [e["basis"] for e in package["figures"] if e["name"] == name]
            counted = BASES[:1] if raw["procurement"]["use"] == "committed" else BASES
            may = any(not workload["kinds"] or kind in workload["kinds"] for kind in nodes)
            if may and not {*bases} & {*counted}:
                stated = min(bases, key=BASES.index, default="none")
                found.add((package["name"], workload["name"], name, stated))
    return found


def mean_penalty(figure: Document) -> Fraction:
    """Mean of 10,000 middles of equal parts of the half width: within 0.01 % of the largest."""
    penalty, width = figure.get("penalty"), figure.get("half_width", 0)
    if not penalty or not width:
        return Fraction(0)
    parts = 10_000
    costs = (
        min(penalty["most"], penalty["per_percent"] * 100 * width * (2 * k + 1) / (2 * parts))
        for k in range(parts)
    )
    return Fraction(sum(costs)) / parts / 2


@dataclass(frozen=True, eq=False)
class Case:
    """A tender with its study."""

    raw: Document
    answer: ProcurementStudy

    @property
    def bought(self) -> list[Document]:
        """The packages of the plan."""
        plan = self.answer.plan
        names = {each.package.name for each in plan.bill.packages.values()} if plan else {}
        return [each for each in self.raw["packages"] if each["name"] in names]


def _least(case: Case, package: str, figure: str, least: float) -> bool:
    """Whether a bought machine meets the requirements just above a fraction, and not below."""
    if package not in [each["name"] for each in case.bought] or case.answer.plan is None:
        return False
    where = (case.raw, case.answer.problem, case.answer.plan, package, figure)
    in_steps = same(least, round(least, 6))
    return in_steps and meets(*where, least + APART) and not meets(*where, least - APART)


def _penalties(case: Case, value: float) -> bool:
    committed = [
        figure
        for package in case.bought
        for figure in package["figures"]
        if figure["basis"] == "committed"
    ]
    return math.isclose(value, sum(map(mean_penalty, committed)), rel_tol=1e-4)


def _rack_places(case: Case, value: float) -> bool:
    """Racks that packages bring, and racks of the site for all other nodes."""
    plan, problem, rack = case.answer.plan, case.answer.problem, case.raw.get("rack")
    assert plan is not None
    counts = offer_counts(problem, layout(problem), plan.nodes)
    others = [(problem.offers[place].name, counts[place]) for place in problem.free_offers]
    bills = {each.package.name: each for each in plan.bill.packages.values()}
    places = 0
    for package in case.bought:
        lines = bills[package["name"]].lines
        mine = {
            str(each.line.name).removesuffix(f".{package['name']}"): each.quantity
            for each in lines
            if each.line.kind == "node"
        }
        places += billed(package, mine)["racks"]
        if all(line["kind"] != "rack" for line in package["lines"]):
            others += mine.items()
    types = {each["name"]: each for each in case.raw["node_types"]}
    for name, number in others if rack else ():
        fit = case.raw["rack"]["nodes"]
        if "rack_w" in case.raw.get("facility", {}):
            fit = min(fit, math.floor(case.raw["facility"]["rack_w"] / types[name]["peak_w"]))
        places += math.ceil(number / fit)
    return value == places


def _besides(name: str) -> Callable[..., bool]:
    """That a share is stated, and that every package has such lines of its own."""
    key = {"maintenance": "maintenance_fraction_per_year", "installation": "installation_fraction"}

    def claim(case: Case, value: float) -> bool:
        kind = {"maintenance": ("service", True), "installation": ("installation", False)}[name]
        billed = all(
            any((line["kind"], line.get("per_year", False) and kind[1]) == kind for line in lines)
            for lines in (package["lines"] for package in case.raw["packages"])
        )
        return value == case.raw["budget"].get(key[name], 0.0) and billed

    return claim


FINDINGS: dict[str, Callable[..., bool]] = {
    "not-run": lambda case, package, workload, figure, basis: (
        (package, workload, figure, basis) in not_run(case.raw)
    ),
    "least-delivered": _least,
}
FACTS: dict[str, Callable[..., bool]] = {
    "expected_penalty": _penalties,
    "fixed_w_besides": lambda case, value: value == case.raw["power"]["fixed_w"],
    **{f"{name}_besides": _besides(name) for name in ("maintenance", "installation")},
}
_CLAIMS = sys.modules[__name__]


@pytest.mark.parametrize("seed", range(few(100)))
def test_requirements_are_met_at_the_smallest_fraction_and_not_below(seed: int) -> None:
    for raw, problem, plan in plans(seed):
        bought = {each.package.name for each in plan.bill.packages.values()}
        committed = {
            (offer["name"], figure["name"]): figure
            for offer in raw["packages"]
            for figure in offer["figures"]
            if offer["name"] in bought and figure["basis"] == "committed"
        }
        found = delivered_figures(problem, plan)
        assert {(each.package.name, each.figure.name) for each in found} == {*committed}
        for each in found:
            figure = committed[each.package.name, each.figure.name]
            most = figure.get("penalty", {}).get("most", 0)
            assert abs(each.expected_penalty - float(mean_penalty(figure))) <= 1e-4 * most
            if each.least is None:
                continue
            where = (raw, problem, plan, each.package.name, each.figure.name)
            if each.least < 1 - APART:
                assert meets(*where, each.least + APART)
            if each.least > APART:
                assert not meets(*where, each.least - APART)


def test_some_figures_must_be_delivered_and_some_need_not() -> None:
    every = [
        each.least
        for seed in range(24)
        for _, problem, plan in plans(seed)
        for each in delivered_figures(problem, plan)
    ]
    assert any(least and least < 1 for least in every)
    assert 0.0 in every


@pytest.mark.parametrize("seed", [11, *range(few(24))])
def test_every_statement_on_figures_is_true(seed: int) -> None:
    """Of seed 11 a free quote is compared with packages that are bought."""
    raw = request(seed)
    try:
        study = procure(scenario(raw), Options(solver="highs"))
    except PlanError:
        return
    case, texts = Case(raw, study), Texts(study.study)
    every: list[Finding | Fact] = [*every_finding(study.study), *facts(study.study)]
    here = [each for each in every if _kind(each) in {*FINDINGS, *FACTS}]
    for stated in here:
        assert claimed(_CLAIMS, case, stated), stated
        for wrong in changed(texts, stated):
            assert rejected(_CLAIMS, case, wrong), wrong
    if study.plan is not None:
        assert _rack_places(case, sum(row["racks"] or 0 for row in study.study.rows("to_buy")
                                      if "racks" in row))  # fmt: skip
    kinds = Counter(map(_kind, here))
    assert kinds["not-run"] == len(not_run(raw))
    assert kinds["least-delivered"] == sum(bool(each.least) for each in study.delivered)
    assert kinds["expected_penalty"] == any(each.expected_penalty for each in study.delivered)


def _kind(stated: Finding | Fact) -> str:
    return stated.key if isinstance(stated, Fact) else stated.kind

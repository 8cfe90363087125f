"""What a plan states of figures of packages, decided again on random small tenders."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from planner.errors import PlanError
from planner.procurement.from_scenario import problem_from
from planner.procurement.layout import layout
from planner.procurement.outcome import Options
from planner.procurement.plan import offer_counts
from planner.procurement.problem import Problem
from planner.procurement.procure import procure
from planner.procurement.study import ProcurementStudy
from reports.view import every_finding
from tests.claims.values import same
from tests.planner.procurement import enumeration
from tests.planner.procurement.catalogues import Document, scenario
from tests.planner.procurement.enumeration import Machine, Rows
from tests.planner.procurement.offered import BASES, as_tables, figure_name, offered_tender
from tests.planner.procurement.tenders import purchases
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


def answers(seed: int) -> Iterator[tuple[Document, ProcurementStudy]]:
    raw = request(seed)
    try:
        study = procure(scenario(raw), Options(solver="highs"))
    except PlanError:
        return
    yield raw, study


def meets(raw: Document, study: ProcurementStudy, package: str, name: str, part: float) -> bool:
    """Whether the machine of the plan meets all requirements with a part of a figure delivered."""
    less = copy.deepcopy(raw)
    for each in less["packages"]:
        for figure in each["figures"]:
            if (each["name"], figure["name"], figure["basis"]) == (package, name, "committed"):
                figure["value"] *= part
    plain = as_tables(less)
    problem = problem_from(scenario(plain))
    assert study.plan is not None
    counts = offer_counts(study.problem, layout(study.problem), study.plan.nodes)
    return any(
        list(machine.counts) == counts and _can(problem, machine, yearly)
        for machine, yearly in purchases(plain, problem)
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


def _named(study: ProcurementStudy, kind: str) -> list[Any]:
    return [each.values for each in every_finding(study.study) if each.kind == kind]


@pytest.mark.parametrize("seed", range(few(100)))
def test_every_statement_on_figures_is_true(seed: int) -> None:
    for raw, study in answers(seed):
        stated = {
            (each["package"], each["workload"], each["figure"], each["basis"])
            for each in _named(study, "not-run")
        }
        assert stated == not_run(raw)
        if study.plan is None:
            continue
        bought = {each.package.name for each in study.plan.bill.packages.values()}
        offers = {e["name"]: e for e in raw["packages"] if e["name"] in bought}
        committed = {
            (name, e["name"]): e
            for name, offer in offers.items()
            for e in offer["figures"]
            if e["basis"] == "committed"
        }
        assert {(e.package.name, e.figure.name) for e in study.delivered} == {*committed}
        for each in study.delivered:
            figure = committed[each.package.name, each.figure.name]
            most = figure.get("penalty", {}).get("most", 0)
            assert abs(each.expected_penalty - float(mean_penalty(figure))) <= 1e-4 * most
            if each.least is None:
                continue
            where = (raw, study, each.package.name, each.figure.name)
            if each.least < 1 - APART:
                assert meets(*where, each.least + APART)
            if each.least > APART:
                assert not meets(*where, each.least - APART)
        least = [(e["package"], e["figure"], e["least"]) for e in _named(study, "least-delivered")]
        assert least == [
            (e.package.title, e.figure.name, e.least) for e in study.delivered if e.least
        ]
        facts = {f.key: f.value for q in study.study.questions for f in q.facts}
        total = sum(each.expected_penalty for each in study.delivered)
        assert same(facts.get("expected_penalty", 0.0), total)


def test_some_figures_must_be_delivered_and_some_need_not() -> None:
    every = [
        each.least
        for seed in range(24)
        for _, study in answers(seed)
        for each in study.delivered
        if each.least is not None
    ]
    assert any(0 < least < 1 for least in every)
    assert 0.0 in every

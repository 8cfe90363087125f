"""What a procurement says of its limits and of more power, decided by every machine there is.

The sentences are read as a reader would, and judged by :mod:`tests.planner.procurement.enumeration`
alone. Nothing of the planner's reasoning is used.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import pytest
from planner.procurement.findings import limits_used

from planner.procurement import summary
from planner.procurement.from_scenario import problem_from
from planner.procurement.marginal_value import STEPS, marginal_values
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import GAP, Options
from planner.procurement.power_value import TOLERANCE, power_value
from planner.procurement.problem import REGIMES, RESOURCES, Problem, Regime
from planner.procurement.rules import RESOURCE_WORDS
from planner.procurement.study import ProcurementStudy
from scenarios.catalogue import load
from scenarios.model.scenario import Scenario
from tests.planner.procurement.catalogues import document, merits, node, request, scenario
from tests.planner.procurement.edges import edge_document
from tests.planner.procurement.enumeration import best, capital, every_plan, installed
from tests.shared_data import CASES, needs_cases

SMALL = 1e-7
"""Rounding of two independent programs."""


def answered(given: Scenario, regime: Regime | None = None) -> ProcurementStudy | None:
    """What the sentences need of a study; ``None`` where there is no plan."""
    problem = problem_from(given)
    problem = problem if regime is None else problem.under(regime)
    optimiser = Optimiser(problem, Options())
    base = optimiser.solve()
    if base.plan is None:
        return None
    informed = optimiser.informed(base)
    study = ProcurementStudy(
        given, Options(), False, problem, base,
        plan=base.plan,
        marginal_values=tuple(marginal_values(informed, base, RESOURCES, STEPS)),
        power_value=power_value(informed, base, base.plan),
    )  # fmt: skip
    optimiser.close()
    return study


@dataclass
class Truth:
    """Scores of a problem under other limits, each from all machines."""

    problem: Problem

    @cached_property
    def score(self) -> float:
        """The best score."""
        return self.under()

    @cached_property
    def by_capital(self) -> list[tuple[float, float]]:
        """Capital and score of every machine that the other limits allow."""
        rich = self.problem.limited(capital=math.inf)
        return [(capital(rich, m.counts), math.exp(log)) for log, m in every_plan(rich)]

    def under(self, **limits: float) -> float:
        """The best score under other limits."""
        found = best(self.problem.limited(**limits)).upper
        return 0.0 if found is None else math.exp(found)

    def least_capital(self, score: float) -> float:
        """Further capital that some machine of a score needs."""
        enough = [money for money, reached in self.by_capital if reached >= score]
        return max(0.0, min(enough, default=math.inf) - self.problem.limits.capital)


# Which limits bind


def one_more_fits(study: ProcurementStudy, name: str) -> bool:
    """Whether a limit leaves room for one more node of some bought type."""
    assert study.plan is not None
    problem, limit = study.problem, getattr(study.problem.limits, name)
    offers = [
        replace(o, tiers=(*o.tiers[:-1], replace(o.tiers[-1], last=999))) for o in problem.offers
    ]
    wide = replace(problem, offers=tuple(offers))
    counts = [0] * len(offers)
    modes: list[tuple[int, ...]] = [()] * len(offers)
    for purchase in study.plan.purchases:
        own = [m for m, mode in enumerate(problem.modes) if mode.offer == purchase.offer]
        if problem.regime == "static":
            own = [m for m in own if problem.modes[m].cap_w == purchase.cap_w]
        counts[purchase.offer] += purchase.nodes
        modes[purchase.offer] = (own[-1],) if problem.regime == "worst-case" else tuple(own)
    now = takes(wide, tuple(counts), tuple(modes))[name]
    remaining = limit - dict(study_used(study))[name]
    fits = []
    for purchase in study.plan.purchases:
        if counts[purchase.offer] == problem.offers[purchase.offer].most:
            continue
        more = tuple(n + (o == purchase.offer) for o, n in enumerate(counts))
        needed = takes(wide, more, tuple(modes))[name] - now
        if name not in ("liquid_w", "air_w") or needed:
            fits.append(needed <= remaining + 1e-6 * limit)
    return any(fits) or not fits


def takes(
    problem: Problem, counts: tuple[int, ...], modes: tuple[tuple[int, ...], ...]
) -> dict[str, float]:
    """What installed nodes take of each resource, before they work."""
    machine = installed(problem, counts, modes)
    prices = problem.prices
    per_kwh = sum(price * chance for price, chance in prices.energy_prices)
    if prices.every_price:
        per_kwh = max(price for price, _ in prices.energy_prices)
    pairs = zip(problem.offers, counts, strict=True)
    return {
        **dict(zip(("it_power_w", "liquid_w", "air_w"), map(float, machine.base_w), strict=True)),
        "capital": capital(problem, counts),
        "operating": machine.hardware * prices.maintenance
        + machine.idle_w * prices.feed_per_it * 8.76 * per_kwh,
        "racks": float(sum(math.ceil(n / o.nodes_per_rack) for o, n in pairs if o.nodes_per_rack)),
    }


def study_used(study: ProcurementStudy) -> list[tuple[str, float]]:
    """What the plan uses, as plan.json has it."""
    return list(study.to_dict()["decision"]["resources_used"].items())


def judge_limits(study: ProcurementStudy) -> str:
    """Whether the sentence on limits is true; the kind of what it says."""
    tight, _, slack = limits_used(study).partition("Not binding: ")
    truth = Truth(study.problem)
    names = [name for name in RESOURCES if getattr(study.problem.limits, name) < math.inf]
    for name in names:
        words = f"{RESOURCE_WORDS[name]} ("
        assert (words in tight) != (words in slack), name
        assert (words in tight) == (name in study.to_dict()["decision"]["binding_limits"]), name
        limit = getattr(study.problem.limits, name)
        more = limit + 1 if name == "racks" else limit * 1.01
        gain = truth.under(**{name: more}) / truth.score - 1
        if words in slack:
            assert gain <= 3 * GAP, (name, gain)
            assert one_more_fits(study, name), name
        else:
            used = dict(study_used(study))[name]
            full = used >= limit * (1 - 2e-6)
            assert full or gain > 0 or not one_more_fits(study, name), name
    return "none" if tight.startswith("No limit") else "some"


@pytest.mark.parametrize(
    ("stock", "dear_w", "tight"),
    [({"a": 2, "b": 9}, 500.0, "it_power_w"), ({"a": 2, "b": 3}, 500.0, "")],
)
def test_a_type_that_is_sold_out_is_no_next_node(
    stock: dict[str, int], dear_w: float, tight: str
) -> None:
    """Two of a and three of b draw 1,600 of 2,000 W. Only where b is for sale power binds."""
    nodes = [
        node("a", 10.0, idle_w=20.0, peak_w=50.0, maximum_quantity=stock["a"]),
        node("b", 20.0, idle_w=20.0, peak_w=dear_w, maximum_quantity=stock["b"]),
    ]
    work = merits("work", ("a", None, 1.0), ("b", None, 1.0))
    study = answered(scenario(request(nodes, [work], 1e5, 2000.0)), "worst-case")
    assert study is not None
    assert study.binding_limits == ((tight,) if tight else ())
    assert judge_limits(study) == ("some" if tight else "none")


# What a step of power is worth


def judge_power(study: ProcurementStudy) -> str:
    """Whether the sentence on more power is true; the kind of what it says."""
    if study.power_value is None:
        return "no limit"
    (line,) = summary.power_value(study)
    truth, limits = Truth(study.problem), study.problem.limits
    stated = re.search(r"([\d.,]+) (W|kW|MW) more IT power \(\+([\d.]+) %\)", line)
    assert stated, line
    step = number(stated[1]) * {"W": 1.0, "kW": 1e3, "MW": 1e6}[stated[2]]
    assert step == pytest.approx(study.power_value.step_w, rel=1e-12)
    assert 100 * step / limits.it_power_w == pytest.approx(float(stated[3]), abs=0.006)
    assert step >= 0.01 * limits.it_power_w
    if "endless" in line:
        return "endless"
    with_step = truth.under(it_power_w=limits.it_power_w + step)
    enough = truth.least_capital(with_step * (1 - 2 * TOLERANCE))
    sure = truth.least_capital(with_step * (1 + SMALL)) if enough < math.inf else math.inf
    judge_price(study, line, step, (enough, sure))
    if "raises the score by less than" in line:
        assert with_step <= truth.score * (1 + 1.5 * TOLERANCE), line
        return "nothing"
    scores = re.search(r"score ([\d.,]+); unlimited capital instead: ([\d.,]*\d)", line)
    if scores:
        assert enough == math.inf, line
        rich = max(score for _, score in truth.by_capital)
        assert as_printed(with_step, scores[1]), line
        assert as_printed(rich, scores[2]), line
        assert number(scores[1]) > number(scores[2])
        return "beyond"
    amount = re.search(
        r"has the effect of (?:([\d.,]+)( M)? USD to )?([\d.,]+)( M)? USD more", line
    )
    assert amount, line
    high = number(amount[3]) * (1e6 if amount[4] else 1)
    low = number(amount[1]) * (1e6 if amount[2] else 1) if amount[1] else high
    assert low * (1 - 0.005) <= sure, line
    assert high * (1 + 0.005) >= enough, line
    return "capital"


def judge_price(
    study: ProcurementStudy, line: str, step: float, amount: tuple[float, float]
) -> None:
    """Whether the step itself is what the price is for, and "it pays" is true."""
    question = study.scenario.procurement
    assert question is not None
    price = step * dict(question.repair_prices).get("it_power_w", math.nan)
    said = re.search(r"It costs ([\d.,]+) USD: it (pays|does not pay)", line)
    if said is None:
        return
    assert number(said[1]) == pytest.approx(price, rel=1e-3, abs=0.006)
    if said[2] == "pays":
        assert amount[1] >= price * (1 - 1e-6), line
    else:
        assert amount[0] <= price, line


def number(text: str) -> float:
    return float(text.rstrip(".").replace(",", ""))


def as_printed(value: float, text: str) -> bool:
    """Whether a value rounds to what is printed, give or take the last digit's rounding."""
    places = len(text.partition(".")[2])
    return abs(value - number(text)) <= 0.5 * 10.0**-places + value * 2 * TOLERANCE


def judge(first: int, count: int) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for seed in range(first, first + count):
        study = answered(scenario(edge_document(seed)), REGIMES[seed % 3])
        if study is not None:
            kinds[f"limits: {judge_limits(study)}"] += 1
            kinds[f"power: {judge_power(study)}"] += 1
    return kinds


KINDS = {"limits: none", "limits: some", "power: nothing", "power: beyond", "power: capital"}


def test_what_is_stated_of_limits_and_power_is_true_at_the_edges() -> None:
    kinds = judge(0, 30)
    assert kinds.keys() >= KINDS, kinds


@pytest.mark.slow
def test_what_is_stated_of_limits_and_power_is_true_on_hundreds() -> None:
    kinds = judge(30, 300)
    assert kinds.keys() >= KINDS, kinds


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_what_is_stated_is_true_of_random_requests(seed: int) -> None:
    study = answered(scenario(document(seed)), REGIMES[seed % 3])
    if study is not None:
        judge_limits(study)
        judge_power(study)


def test_a_limit_binds_where_one_per_cent_more_raises_the_score() -> None:
    """500 of 1,000 left: five small nodes are all there are, a large one costs 1,001."""
    raw_scenario = request(
        [node("small", 100.0), node("large", 1001.0)],
        [merits("work", ("small", None, 1.0), ("large", None, 100.0))],
        1000.0,
        1e5,
    )
    study = answered(scenario(raw_scenario))
    assert study is not None
    assert study.plan is not None
    assert study.plan.bill.capital == 500.0
    assert study.binding_limits == ("capital",)
    assert judge_limits(study) == "some"


@needs_cases
@pytest.mark.parametrize(
    ("case", "binds"),
    [("04-no-limit-binds", "it_power_w"), ("05-worth-of-one-kilowatt", "capital")],
)
def test_the_shared_cases_are_answered_truly(case: str, binds: str) -> None:
    given = load(str(CASES / "procurement" / case / "scenario.toml"))
    few = [entry.model_copy(update={"maximum_quantity": 110}) for entry in given.node_types]
    study = answered(given.model_copy(update={"node_types": tuple(few)}))  # power allows 100
    assert study is not None
    assert binds in study.binding_limits
    assert judge_limits(study) == "some"
    assert judge_power(study) == "beyond"

"""The facts that answer the questions about a plan, each on the page of its question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from planner.finding import Fact, Finding, Severity, Value, finding, in_cell
from planner.formatting import amount
from planner.procurement.combination_rows import DRAWN, by_scheme, next_best, others, runner_up
from planner.procurement.gains import gain
from planner.procurement.heuristics import BID
from planner.procurement.labels import label_of
from planner.procurement.marginal_value import ScoreChange
from planner.procurement.not_bought import deciding, not_bought
from planner.procurement.rows import bar, stocks

if TYPE_CHECKING:
    from planner.procurement.marginal_value import MarginalValue
    from planner.procurement.plan import Plan
    from planner.procurement.problem import Regime
    from planner.procurement.ranking import Ranking
    from planner.procurement.result import ProcurementResult

_TIE = 1e-9
_LEAST_GAIN = 1e-5
"""A smaller gain does not count as a reason; it is what the proof of the plan leaves open."""
_MOST_REASONS = 4
_MOST_RISES = 2


def _money(result: ProcurementResult) -> str:
    return f"money {result.problem.prices.currency}"


def reasons(result: ProcurementResult) -> Iterator[Finding]:
    """Why this plan: its gain, what is sold out, what more would raise the score, the rank."""
    if result.plan is None:
        yield from (finding("reason", "hopeless", resources=(names, "resource"))
                    for names in _hopeless(result))  # fmt: skip
        return
    of_best = not result.by_heuristic
    every = (
        *_same_award(result), *(() if others(result) else next_best(result)),  # else a confidence
        *(_overprovisioned(result) if of_best else ()), *_sold_out(result),
        *(list(_raising(result))[:_MOST_RISES] if of_best else ()),
        *(ranked(result, "reason") if _is_first(result) else ()),
    )  # fmt: skip
    yield from every[:_MOST_REASONS]


def _same_award(result: ProcurementResult) -> Iterator[Finding]:
    awarded = by_scheme(result)
    if awarded is not None and awarded.severity == "reason":
        yield awarded


def _hopeless(result: ProcurementResult) -> Iterator[tuple[str, ...]]:
    if result.diagnosis is not None and result.diagnosis.hopeless:
        yield result.diagnosis.hopeless


def _overprovisioned(result: ProcurementResult) -> Iterator[Finding]:
    """What overprovisioning certainly gains, where the plan is the best of that regime."""
    change = gain(result.regimes, "worst-case")
    if result.problem.regime != "overprovisioned" or change is None:
        return
    if change.low >= _LEAST_GAIN:
        yield from gained(result, "worst-case", severity="reason")


def _sold_out(result: ProcurementResult) -> Iterator[Finding]:
    """Types of which everything on offer is bought."""
    names = tuple(row["label"] for row in stocks(result) if row["nodes"] == row["offered"])
    if names:
        yield finding("reason", "sold-out", types=(names, "text"))


def ranked(result: ProcurementResult, severity: Severity) -> Iterator[Finding]:
    """Who ranks first, by how much, and which weights decide that."""
    if result.ranking is None or len(result.ranking.candidates) < 2:
        return
    first = _first(result.ranking)
    moves = tuple(
        each.criterion
        for each in result.ranking.reversals
        if len({name for _, _, name in each.winners}) > 1
    )
    best, second, *_ = result.ranking.candidates
    lead = 0.0 if len(first) > 1 else best.total - second.total
    yield finding(
        severity, "ranks-first", first=(first, "method"), lead=(lead, "score"),
        criteria=(moves or "none", "criterion"),
    )  # fmt: skip


def _first(ranking: Ranking) -> tuple[str, ...]:
    """The best candidate, and those that tie with it."""
    best = ranking.candidates[0].total
    return tuple(each.name for each in ranking.candidates if each.total >= best - _TIE)


def _is_first(result: ProcurementResult) -> bool:
    """Whether the plan ranks first by the weighted criteria."""
    return result.ranking is not None and result.plan_name in _first(result.ranking)


def _raising(result: ProcurementResult, severity: Severity = "reason") -> Iterator[Finding]:
    """What the largest rise with a certain effect does for the score, the most first."""
    effects, _ = _by_effect(result)
    for effect in sorted(effects, key=lambda each: -(each.low or 0.0)):
        yield finding(
            severity, "more-raises", change=(effect.change, "change"),
            resource=(effect.resource, "resource"),
            gain=((effect.low, effect.high), "interval:certain change"),
        )  # fmt: skip


def _by_effect(result: ProcurementResult) -> tuple[list[MarginalValue], tuple[str, ...]]:
    """The rise of each limit that certainly raises the score most, and the other limits.

    Where the gains of several rises may be equal, the smallest of them counts.
    """
    rises = sorted((e for e in result.marginal_values if e.change > 0), key=lambda e: e.change)
    certain: dict[str, MarginalValue] = {}
    for effect in rises:
        if effect.score_change is not ScoreChange.CHANGES or effect.low is None:
            continue
        smaller = certain.get(effect.resource)
        if effect.high is not None and (smaller is None or effect.low > (smaller.high or 0.0)):
            certain[effect.resource] = effect
    idle = dict.fromkeys(each.resource for each in rises if each.resource not in certain)
    return list(certain.values()), tuple(idle)


def worth(result: ProcurementResult) -> Iterator[Finding]:
    """What more of each limit does for the score."""
    yield from _raising(result, "note")
    _, idle = _by_effect(result)
    if idle:
        yield finding("note", "no-effect", resources=(idle, "resource"))


def gained(
    result: ProcurementResult, *others: Regime, severity: Severity = "note"
) -> Iterator[Finding]:
    """What overprovisioning gains over other regimes; those without a gain together."""
    none = without_gain(result, *others)
    if none:
        most = (_LEAST_GAIN, "share at most")
        yield finding(severity, "no-gain", most=most, than=(none, "regime"))
    for than in others:
        change = gain(result.regimes, than)
        if than not in none and change is not None and math.isfinite(change.high):
            ends = ((change.low, change.high), "interval:certain change")
            yield finding(severity, "gained", gain=ends, than=(than, "regime"))


def without_gain(result: ProcurementResult, *others: Regime) -> tuple[Regime, ...]:
    """Regimes over which overprovisioning gains no more than the proof leaves open."""
    changes = {than: gain(result.regimes, than) for than in others}
    return tuple(
        than for than, change in changes.items()
        if change is not None and change.low <= 0 <= change.high < _LEAST_GAIN
    )  # fmt: skip


def regimes_alike(result: ProcurementResult) -> bool:
    """Whether every regime has a plan that buys the same, and none gains over another."""
    plans = _regimes(result).values()
    return len(without_gain(result, "worst-case", "static")) == 2 and all(
        _same(result, plan) for plan in plans
    )


def alternatives(result: ProcurementResult) -> Iterator[Finding]:
    """What ranks before the plan, and the best plans by other ways than that of the plan."""
    if result.plan is not None and not _is_first(result):
        yield from ranked(result, "alternative")
    if not result.by_heuristic:
        yield from _other_regime(result)
    if not result.combinations:  # a table has what each package would change
        yield from simpler(result, "alternative")


def _other_regime(result: ProcurementResult) -> Iterator[Finding]:
    """The best plan of another regime."""
    others = _regimes(result)
    if others:
        name = max(others, key=lambda each: others[each].score)
        yield from _instead(result, "instead", name, "regime", others[name])


def _regimes(result: ProcurementResult) -> dict[Regime, Plan]:
    """The best plan of each other regime."""
    return {
        name: outcome.plan
        for name, outcome in result.regimes.items()
        if name != result.problem.regime and outcome.plan is not None
    }


def simpler(result: ProcurementResult, severity: Severity) -> Iterator[Finding]:
    """The best other method and the best quoted system of those that break no rule."""
    quoted, methods = _sound(result)
    for kind, plans in (("instead", methods), ("instead-quoted", quoted)):
        if plans:
            best = max(plans, key=lambda each: each.score)
            for each in _instead(result, kind, best.method, "method", best):
                yield replace(each, severity=severity)


def _sound(result: ProcurementResult) -> tuple[list[Plan], list[Plan]]:
    """The quoted systems and the plans of other methods that break no rule and buy something else.

    The same machine, run in another way, is not an alternative to buy.
    """
    sound = [
        each.plan
        for each in result.heuristics
        if not each.wrong and each.plan.score > 0 and not _same(result, each.plan)
    ]
    quoted = [plan for plan in sound if plan.method.startswith(BID)]
    return quoted, [plan for plan in sound if plan not in quoted]


def _same(result: ProcurementResult, other: Plan) -> bool:
    """Whether another plan buys the same nodes and packages."""
    return result.plan is not None and bought_of(other) == bought_of(result.plan)


def bought_of(plan: Plan) -> tuple[list[tuple[str, int]], list[int]]:
    """Nodes of each type and packages of a plan, under any caps."""
    nodes = Counter[str]()
    for lot in plan.purchases:
        nodes[lot.name] += lot.nodes
    return sorted(nodes.items()), sorted(plan.bill.packages)


def candidates(result: ProcurementResult) -> list[dict[str, Any]]:
    """The plan, then every purchase that differs from it, with its score and capital."""
    if result.plan is None:
        return []
    quoted, methods = _sound(result)
    regimes = [] if result.by_heuristic else _regimes(result).items()
    every: list[tuple[str, str, Plan]] = [
        ("this plan", "plan", result.plan), *((plan.method, "quoted", plan) for plan in quoted),
        *((name, "other", plan) for name, plan in regimes if not _same(result, plan)),
        *((plan.method, "other", plan) for plan in methods),
        *((each.plan.method, "broken", each.plan) for each in result.heuristics
          if each.wrong and each.plan.score > 0),
    ]  # fmt: skip
    return [
        {"name": name, "kind": kind, "score": plan.score, "capital": plan.bill.capital}
        for name, kind, plan in every
    ]


def _other_scores(result: ProcurementResult) -> list[float]:
    """Scores of the other purchases that break no rule."""
    if result.combinations:
        return [each.plan.score for each in others(result)]
    return [row["score"] for row in candidates(result)[1:] if row["kind"] != "broken"]


def compared_score(result: ProcurementResult) -> Finding | None:
    """The scores of the plan and of the best other purchase; ``None`` without one."""
    scores = _other_scores(result)
    if result.plan is None or not scores:
        return None
    values: dict[str, tuple[Value, str]] = {
        "score": (result.plan.score, "score"), "other": (max(scores), "score"),
    }  # fmt: skip
    if len(result.combinations) > DRAWN:
        part = ((DRAWN, len(result.combinations)), "of:combination")
        return finding("note", "scores-first", **values, part=part)
    return finding("note", "scores", **values)


def nearest(result: ProcurementResult, more: float) -> Iterator[Finding]:
    """Whether the best alternative scores lower by more than the guaranteed limit.

    Another regime may score higher by more; then nothing is said.
    """
    if result.combinations:
        yield from runner_up(result)
        return
    mine = 0.0 if result.plan is None else result.plan.score
    best = max(_other_scores(result), default=math.inf)
    if best <= mine * (1 + more):
        yield finding("confidence", "apart" if mine > best * (1 + more) else "close")


def _instead(
    result: ProcurementResult, kind: str, method: str, unit: str, plan: Plan
) -> Iterator[Finding]:
    """A plan by another way, if its score is another one as printed."""
    if result.plan is None or not result.plan.score:
        return
    change = plan.score / result.plan.score - 1
    if amount(change, "change") != amount(0.0, "change"):
        yield finding(
            "alternative", kind, method=(method, unit), change=(change, "change"),
            capital=(plan.bill.capital, _money(result)),
        )  # fmt: skip


def assumptions(result: ProcurementResult) -> Iterator[Finding]:
    """What the numbers rest on."""
    if result.plan is None:
        return
    prices = result.problem.prices
    price = math.fsum(each * chance for each, chance in prices.energy_prices)
    if price > 0:
        yield finding(
            "assumption", "energy-and-life", price=(price, f"price {prices.currency}/kWh"),
            years=(prices.lifetime_years, "year"), used=(prices.utilisation, "share given"),
        )  # fmt: skip
    if result.scenario.source:
        yield finding("assumption", "as-stated", source=(result.scenario.source, "quotation"))


def unbought(result: ProcurementResult) -> Iterator[Finding]:
    """What keeps quotes out, the reason of the most first."""
    quotes: dict[str, list[str]] = {}
    for each in not_bought(result):
        if each.reason == "package not bought" and result.combinations:
            continue  # a table has why each package is not bought
        quotes.setdefault(deciding(each), []).append(each.label)
    for reason, names in sorted(quotes.items(), key=lambda pair: -len(pair[1])):
        yield finding("note", "unbought", quotes=(tuple(names), "text"), reason=(reason, "reason"))


def delivered(result: ProcurementResult) -> Iterator[Finding]:
    """How far each committed figure may fall before a requirement is missed."""
    for each in result.delivered:
        if each.least:
            named = {"package": (each.package.title, "text"), "figure": (each.figure.name, "text")}
            yield finding("note", "least-delivered", **named, least=(each.least, "share at most"))


def _missed_figures(result: ProcurementResult) -> Iterator[Fact]:
    """What missed figures are expected to cost their vendors, by the model."""
    total = math.fsum(each.expected_penalty for each in result.delivered)
    if total > 0:
        yield Fact("expected_penalty", total, _money(result))


def _different(result: ProcurementResult) -> Iterator[Fact]:
    """How many other plans are nearly as good, what they give up, how different they are."""
    if result.alternatives:
        yield Fact("alternatives", len(result.alternatives), "count")
        most = max(each.given_up for each in result.alternatives)
        yield Fact("given_up", max(0.0, most), "share")
        yield Fact("distance", max(each.distance for each in result.alternatives), "share")


def _cheaper(result: ProcurementResult) -> Iterator[Fact]:
    """The least discount that makes a losing quote pay."""
    pays = {
        label_of(result.problem, each.name): each.certified_in
        for each in result.losing_quotes
        if each.certified_in is not None
    }
    if pays:
        least = min(pays.values())
        yield Fact("least_discount", least, "share at most")
        first = tuple(label for label, discount in pays.items() if discount == least)
        yield Fact("pays_first", first, "text")
    if result.losing_quotes:
        yield Fact("never_pay", len(result.losing_quotes) - len(pays), "count")


def _over_grid(result: ProcurementResult) -> Iterator[Fact]:
    """Between which ends the gain of overprovisioning lies over all budgets and powers."""
    gains = [cell.gain for cell in result.cells if cell.gain is not None]
    if gains:
        yield Fact("cells", len(gains), "count")
        yield Fact("cell_gains", (min(gains), max(gains)), "interval:change")


def _front(result: ProcurementResult) -> Iterator[Fact]:
    """How far the plans on the front reach."""
    points = result.pareto
    if points:
        capital, score = ([getattr(each, key) for each in points] for key in ("capital", "score"))
        yield Fact("front_plans", len(points), "count")
        yield Fact("front_capital", (min(capital), max(capital)), f"interval:{_money(result)}")
        yield Fact("front_score", (min(score), max(score)), "interval:number")


def _sensitive(result: ProcurementResult) -> Iterator[Fact]:
    """The input that moves the best score most, and how many change the node types.

    Without a plan at one of its ends an input moves the score more than any other.
    """
    if result.tornado and all(math.isfinite(each.swing) for each in result.tornado):
        widest = max(result.tornado, key=lambda each: each.swing)
        says = replace(in_cell(bar(result.problem, widest)["input"]), severity="note")
        yield Fact("widest", widest.swing, "score", says)
    if result.tornado:
        yield Fact("inputs_tried", len(result.tornado), "count")
        yield Fact("types_change", sum(each.types_change for each in result.tornado), "count")


_ANSWERS: Mapping[str, Callable[[ProcurementResult], Iterator[Fact]]] = {
    "delivered": _missed_figures,
    "alternatives": _different,
    "losing_quotes": _cheaper,
    "budget_power_grid": _over_grid,
    "pareto": _front,
    "tornado": _sensitive,
}


def to_question(name: str, result: ProcurementResult) -> Iterator[Fact]:
    """The facts that answer a question; none where its page has other answers."""
    answer = _ANSWERS.get(name)
    return iter(()) if answer is None else answer(result)

"""Sentences on a procurement for the terminal and the pages of the report."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from planner.formatting import (
    Rounding,
    capitalised,
    clipped,
    money,
    percent,
    percent_range,
    rounded,
    words,
)
from planner.procurement.compared import Compared
from planner.procurement.gains import gain
from planner.procurement.outcome import Outcome
from planner.procurement.plan import Plan
from planner.procurement.problem import POWER_RESOURCES, REGIME_NAMES, UNLIMITED, Problem
from planner.procurement.rules import RESOURCE_WORDS as RESOURCES
from planner.procurement.used import used
from solvers import Status

if TYPE_CHECKING:
    from planner.procurement.result import ProcurementResult

_NOISE = 1e-6
"""Rounding error of floating point, in percentage points."""


def gains(study: ProcurementResult) -> str:
    """What overprovisioning gains over both other regimes, as a sentence without its stop."""
    if study.regimes and study.regimes["overprovisioned"].plan is None:
        if undecided(study.regimes["overprovisioned"]):
            return "Overprovisioning was not decided in time: no plan was found or ruled out"
        return "Overprovisioning allows no plan"
    over: dict[str, list[str]] = {"gains": [], "loses": [], "nothing": [], "none": [], "open": []}
    for than in ("worst-case", "static"):
        regime_gain, name = gain(study.regimes, than), REGIME_NAMES[than]
        if regime_gain is None:
            left_open = than in study.regimes and undecided(study.regimes[than])
            over["open" if left_open else "none"].append(name)
        elif regime_gain.sign == 0:
            over["nothing"].append(name)
        else:
            verb, word = ("gains", "over") if regime_gain.sign > 0 else ("loses", "against")
            over[verb].append(f"{gain_words(regime_gain.value)} {word} {name}")
    parts = [f"{verb} {', '.join(over[verb])}" for verb in ("gains", "loses") if over[verb]]
    if over["nothing"]:
        parts.append(f"gains nothing certain over {' or '.join(over['nothing'])}")
    text = f"Overprovisioning {' and '.join(parts)}" if parts else ""
    for kind, (single, many) in _WITHOUT.items():
        if over[kind]:
            verb = single if over[kind] == [REGIME_NAMES["worst-case"]] else many
            ending = f"{' and '.join(over[kind])} {verb}"
            text = f"{text}; {ending}" if text else capitalised(ending)
    return text


def gain_words(gain: float) -> str:
    """The size of a gain that is certain, never as nothing.

    Examples
    --------
    >>> gain_words(0.53), gain_words(-0.2), gain_words(1e-7)
    ('53 %', '20 %', 'less than 0.001 %')
    """
    return "less than 0.001 %" if abs(gain) < _LEAST_SHOWN else percent(abs(gain))


_LEAST_SHOWN = 1e-5


def spent(study: ProcurementResult) -> str:
    """The costs of the machines that a gain compares, where they differ."""
    plans = {name: regime.plan for name, regime in study.regimes.items() if regime.plan is not None}
    ours = plans.get("overprovisioned")
    if ours is None:
        return ""
    currency, capital = study.problem.prices.currency, ours.bill.capital
    return " ".join(
        f"The best plan with {REGIME_NAMES[name]} costs "
        f"{money(plan.bill.capital, currency, like=capital)}, the overprovisioned one "
        f"{money(capital, currency, like=capital)}."
        for name, plan in plans.items()
        if abs(plan.bill.capital - capital) > _SAME_MONEY * capital
    )


def limits_used(study: ProcurementResult) -> str:
    """Which limits of the site bind, and the share used of the others; empty without a plan."""
    plan, limits = study.plan, study.problem.limits
    if plan is None:
        return ""
    shares = {
        name: f"{RESOURCES[name]} ({of_limit(value / getattr(limits, name), name)})"
        for name, value in used(plan).items()
        if 0 < getattr(limits, name) < UNLIMITED
    }
    if not shares:
        return "The site states no limit."
    tight = [text for name, text in shares.items() if name in study.binding_limits]
    slack = [text for name, text in shares.items() if name in study.slack_limits]
    text = f"Limits that bind (share used): {words(tight)}" if tight else "No limit binds"
    return f"{text}. Not binding: {words(slack)}." if slack else f"{text}."


def of_limit(share: float, resource: str = "") -> str:
    """A share of a limit, rounded: 100 % only where all of it is used.

    The plan takes the least power among plans of equal score, within a tolerance of the score. So
    power and the cost of energy are used up where less is left than that tolerance shows.

    Examples
    --------
    >>> of_limit(0.63266), of_limit(0.99996), of_limit(1.0)
    ('63.3 %', '99.99 %', '100 %')
    >>> of_limit(0.999998, "it_power_w"), of_limit(0.999998, "capital")
    ('100 %', '99.99 %')
    """
    floating = resource in POWER_RESOURCES or resource == "operating"
    full = share > 1 - (_GIVEN_UP if floating else _ROUNDING)
    return "100 %" if full else percent(min(share, 0.9999), places=2 if share > 0.99 else 1)


_ROUNDING, _GIVEN_UP = 1e-6, 1e-5


def holds(study: ProcurementResult) -> str:
    """In how many simulated cases the decision holds; empty where none were simulated."""
    simulation = study.monte_carlo
    if simulation is None:
        return ""
    low, high = simulation.holds_interval
    return (
        f"The decision holds in {percent(simulation.same_types)} of {simulation.draws} simulated "
        f"cases, seed {simulation.seed} "
        f"(95 % interval {percent_range(low, high, outward=False)})."
    )


_SAME_MONEY = 0.005
"""Share of the capital: machines that differ by less cost the same."""

_WITHOUT = {
    "none": ("allows no plan", "allow no plan"),
    "open": ("was not decided in time", "were not decided in time"),
}


def undecided(outcome: Outcome) -> bool:
    """Whether the search ended before a plan was found or ruled out."""
    return outcome.plan is None and outcome.status is not Status.INFEASIBLE


def no_plan(study: ProcurementResult, question: str) -> str:
    """Why a plan is missing: some program of the question may have stopped early."""
    stopped = [solve for solve in study.solved if solve.question == question]
    if any(solve.stopped_by_time for solve in stopped):
        return "none found in time"
    return "none found" if any(solve.stopped_by_nodes for solve in stopped) else "no plan"


def meaning(study: ProcurementResult) -> str:
    """What a score is, in one or two sentences."""
    problem, text = study.problem, twice(study)
    if len(problem.scenario_names) < 2:
        return text
    worst = ", with more weight on the worst" if problem.cvar_weight > 0 else ""
    return f"{text} It averages the demand scenarios{worst}."


def twice(study: ProcurementResult) -> str:
    """What a score of 2 means."""
    parts = ["throughput"] if study.problem.workloads else []
    parts += ["speed of single runs"] if study.problem.capabilities else []
    return f"A score of 2 means twice its {' and '.join(parts)}, as a weighted average."


def best_other(study: ProcurementResult) -> Compared | None:
    """The best plan compared that keeps every rule: as a rule found without the program."""
    sound = [
        heuristic
        for heuristic in study.heuristics
        if not heuristic.wrong and heuristic.plan.score > 0
    ]
    return max(sound, key=lambda heuristic: heuristic.plan.score, default=None)


def shortfall(study: ProcurementResult, plan: Plan) -> float:
    """Fraction of the optimal score that a plan gives up."""
    best = study.plan.score if study.plan is not None else 0.0
    return 1 - plan.score / best if best > 0 else 0.0


@lru_cache(maxsize=8)
def labels(problem: Problem, maximum: int = 40) -> tuple[str, ...]:
    """A unique name per offer, of at most ``maximum`` characters.

    The name is the title; if two offers share it, the short name follows in brackets.
    """
    titles = [clipped(offer.title, maximum) for offer in problem.offers]
    seen = Counter(titles)
    return tuple(
        title
        if seen[title] == 1
        else _distinct(offer.title, clipped(offer.name, maximum // 2), maximum)
        for title, offer in zip(titles, problem.offers, strict=True)
    )


def _distinct(title: str, name: str, maximum: int) -> str:
    return f"{clipped(title, max(4, maximum - len(name) - 3))} [{name}]"


def label_of(problem: Problem, name: str, maximum: int = 40) -> str:
    """The label of one offer by its short name; the name itself where it is not on offer."""
    for offer, label in zip(problem.offers, labels(problem, maximum), strict=True):
        if offer.name == name:
            return label
    return clipped(name, maximum)


def bought(problem: Problem, plan: Plan, maximum: int = 6) -> str:
    """What a plan buys, in one line."""
    names = labels(problem)
    parts = [
        f"{purchase.nodes:,} of {names[purchase.offer]}"
        + (f" at {purchase.cap_w:g} W" if purchase.cap_w else "")
        for purchase in plan.purchases
    ]
    if len(parts) > maximum:
        parts = [*parts[:maximum], f"{len(parts) - maximum} further types"]
    return ", ".join(parts) or "nothing"


def interval(low: float | None, high: float | None) -> str:
    """A change as a sure interval of per cent: the lower end rounded down, the upper one up."""
    if low is None or high is None:
        return "no plan"
    ends = [_signed(100 * low, "down"), _signed(100 * high, "up")]
    return f"{ends[0]} %" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} %"


def size(end: float) -> str:
    """How far an end of an interval is from zero in per cent, rounded up; ``0.00 %`` for noise."""
    return f"{_hundredths(100 * abs(end), 'up')} %"


def change(value: float) -> str:
    """An uncertain change in per cent."""
    return f"{_signed(100 * value, 'nearest')} %"


def _signed(value: float, rounding: Rounding) -> str:
    text = _hundredths(value, rounding)
    return f"+{text}" if value > 0 and text != "0.00" else text


def _hundredths(value: float, rounding: Rounding) -> str:
    """Two decimals; what differs from them by noise only is not rounded up or down."""
    near = round(value, 2)
    if abs(value - near) < _NOISE:
        value = near
    return rounded(value, 2, rounding)

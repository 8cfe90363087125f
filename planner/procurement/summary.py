"""What a procurement says on its first page and in the terminal, in English and in German.

The templates of both languages are in one table, :data:`TEMPLATES` (see :mod:`planner.phrases`).
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from planner.formatting import apart, capitalised, money, percent, power
from planner.formulations.by_method import REFERENCE
from planner.phrases import Templates, counted, listed, phrase
from planner.procurement import by_solver
from planner.procurement.findings import (
    best_other,
    gain_words,
    gains,
    holds,
    labels,
    limits_used,
    meaning,
    of_limit,
    shortfall,
    spent,
)
from planner.procurement.gains import gain
from planner.procurement.marginal_value import why_undefined
from planner.procurement.problem import UNLIMITED, Regime
from planner.procurement.rules import RESOURCE_WORDS, in_words
from planner.procurement.used import binding, overspent, used
from planner.stop_warning import time_warning
from solvers import Status

if TYPE_CHECKING:
    from planner.procurement.plan import Plan
    from planner.procurement.problem import Problem
    from planner.procurement.result import ProcurementResult

_MOST_WORDS = 20
"""Largest number of words in a headline."""
_MOST_TYPES = 3
"""Node types that a headline names."""
_WEEK = 7

TEMPLATES: Templates = {
    "en": {
        "buy": "Buy {types} for {money}.",
        "nodes of": "{nodes:,} nodes of {label}",
        "node of": "1 node of {label}",
        "further": "{count} of {more} further types",
        "further one": "{count} of 1 further type",
        "no plan together": "No plan exists: {clash} cannot be met together.",
        "no plan": "No plan exists: {clash} cannot be met.",
        "its limits": "all limits",
        "rule": "one rule",
        "rules": "{count} rules",
        "scores": "The score is {score}; {reference} scores 1. {meaning}",
        "costs": "It costs {capital}{allowed} to buy and {year} a year to operate: {life} over "
        "{years}.",
        "capital": "It costs {capital}{allowed} to buy.",
        "allowed": " ({limit} allowed)",
        "draws": "It needs at most {peak} of IT power{allowed}, or {feed} at the feed; the mean is "
        "{mean}.",
        "gains": "{ours} scores {gain} higher than {regime}{machines}.",
        "loses": "{ours} scores {gain} lower than {regime}{machines}.",
        "overprovisioned": "Overprovisioning",
        "overprovisioned (meaning)": "Overprovisioning (power caps follow the work)",
        "worst-case (meaning)": "worst-case provisioning (power for every node's peak)",
        "static (meaning)": "static caps (one fixed power cap per node type)",
        "machines": ", which costs {theirs} instead of {ours}",
        "best other": "Best simpler method ({method}): {gap} lower score, for {money}.",
        "best quoted": "Best system as quoted ({vendor}): {gap} lower score, for {money}.",
        "other plan": "Buy {types}: {gap} lower score, for {money}.",
        "overspent": "The yearly cost exceeds the operating budget with probability "
        "{probability}: at {price} a year costs {cost} ({budget} allowed).",
        "late": "The nodes '{label}' arrive {time} after power is available ({feed}); the power "
        "planned for them is unused until then.",
        "early": "The nodes '{label}' arrive {time} before power is available ({feed}); they "
        "cannot run until then.",
        "several early": "The nodes {labels} arrive up to {time} before power is available "
        "({feed}); they cannot run until then.",
        "quoted name": "'{label}'",
        "optimal": "Optimal: no plan can score more than {more} higher ({level}){proved}.",
        "not optimal": "Not proved optimal: no plan can score more than {more} higher "
        "({level}){proved}.",
        "by heuristic": "Chosen by the heuristic {method}: no plan can score more than {more} "
        "higher ({level}){proved}.",
        "by reference": "By the reference formulation.",
        "proved": "; rigorously proved: at most {more}",
        "which guarantee": "The first figure relies on the solvers' limits; the second holds even "
        "if these are wrong.",
        "level claimed": "the solver's word",
        "level verified": "rechecked",
        "level proved": "rigorously proved",
        "score axis": "score S (reference machine = 1)",
        "greedy per money": "greedy per money",
        "greedy per watt": "greedy per watt",
        "rounded relaxation": "rounded relaxation",
        "closed form": "closed form",
        "best single type": "best single type",
        "open": "The optimum is not proved: a gap of {gap} of the score remains.",
        "binding": "{resource} ({share} used)",
        "slack": "Not binding: {listed}.",
        "no limit": "No limit binds.",
        "power value": "1 kW more IT power is worth {low} to {high} of further capital.",
        "power value at most": "1 kW more IT power is worth at most {high} of further capital.",
        "power value none": "More IT power alone is worth nothing: at most {high} per kW.",
        "no power value": "The value of power cannot be given in money: {reason}.",
        "capital zero": "more capital gains nothing certain",
        "capital unknown": "the effect of more capital is not known",
        "power unknown": "the effect of more power is not known",
        "holds": "The decision holds in {share} of {draws} simulated cases (95 % interval {low} to "
        "{high}).",
        "weights": "The plan ranks first for every weight of a single evaluation criterion.",
        "life": "Life of {years}, utilisation {utilisation}, discount rate {rate}.",
        "energy": "Energy costs {price}{expected}; the feed carries {feed} times the IT power.",
        "expected": " (expected)",
        "highest": "At the highest energy price a year costs {cost}{bears}.",
        "bears": ", which the budget must bear",
        "quoted": "Prices, power and performance are as quoted.",
        "order": "Order {vendor}'s quote by {day}, its last day.",
        "order in time": "Order {vendor}'s quote by {day}: with {weeks} of lead time a later order "
        "misses the required delivery on {by}.",
        "deliver": "Negotiate delivery of {label} by {feed}.",
        "energy contract": "Fix the energy price, or raise the operating budget to {cost} a year.",
        "measure": "Measure the workloads on test nodes: {label}.",
        "long": "Plan with all questions, such as sensitivity.",
        "more time": "Repeat the search with more time.",
        "choose change": "Decide which rule or resource to change, and plan again.",
        "ask quotes": "Ask vendors of excluded quotes to extend or complete them.",
        "useful": "A machine as good as the reference needs {added} more.",
        "it_power_w": "IT power",
        "liquid_w": "liquid cooling",
        "air_w": "air cooling",
        "capital_": "capital",
        "operating": "operating budget",
        "racks": "rack places",
        "worst-case": "worst-case provisioning",
        "static": "static caps",
        "year": "{n:g} year",
        "years": "{n:g} years",
        "week": "{n} week",
        "weeks": "{n} weeks",
        "day": "{n} day",
        "days": "{n} days",
    },
    "de": {
        "buy": "{types} für {money} kaufen.",
        "nodes of": "{nodes:,} Knoten {label}",
        "node of": "1 Knoten {label}",
        "further": "{count} Knoten {more} weiterer Typen",
        "further one": "{count} Knoten 1 weiteren Typs",
        "no plan together": "Es gibt keinen Plan. Nicht gemeinsam erfüllbar: {clash}.",
        "no plan": "Es gibt keinen Plan. Nicht erfüllbar: {clash}.",
        "its limits": "alle Grenzen",
        "rule": "eine Vorgabe",
        "rules": "{count} Vorgaben",
        "scores": "Die Bewertung ist {score}; {reference} hat 1.",
        "costs": "Die Anschaffung kostet {capital}{allowed}, der Betrieb {year} pro Jahr; "
        "zusammen {life} über {years}.",
        "capital": "Die Anschaffung kostet {capital}{allowed}.",
        "allowed": " (erlaubt: {limit})",
        "draws": "Die IT-Leistung beträgt höchstens {peak}{allowed}, an der Einspeisung {feed}, im "
        "Mittel {mean}.",
        "gains": "{ours} bringt {gain} mehr als {regime}{machines}.",
        "loses": "{ours} bringt {gain} weniger als {regime}{machines}.",
        "overprovisioned": "Überprovisionierung",
        "overprovisioned (meaning)": "Überprovisionierung (Leistungsgrenzen folgen der Arbeit)",
        "worst-case (meaning)": "Auslegung auf den Spitzenfall (Leistung für alle Knoten unter "
        "Volllast)",
        "static (meaning)": "feste Leistungsgrenzen (eine je Knotentyp)",
        "machines": "; jene Maschine kostet {theirs} statt {ours}",
        "best other": "Bestes einfacheres Verfahren ({method}): {gap} schlechter, für {money}.",
        "best quoted": "Bestes System wie angeboten ({vendor}): {gap} schlechter, für {money}.",
        "other plan": "{types}: {gap} schlechter, für {money}.",
        "overspent": "Die Jahreskosten überschreiten das Betriebsbudget mit Wahrscheinlichkeit "
        "{probability}: Bei {price} kostet ein Jahr {cost} (erlaubt: {budget}).",
        "late": "Die Knoten „{label}“ werden {time} nach Verfügbarkeit der Einspeisung ({feed}) "
        "geliefert; bis dahin bleibt die für sie geplante Leistung ungenutzt.",
        "early": "Die Knoten „{label}“ werden {time} vor Verfügbarkeit der Einspeisung ({feed}) "
        "geliefert und können bis dahin nicht laufen.",
        "several early": "Die Knoten {labels} werden bis zu {time} vor Verfügbarkeit der "
        "Einspeisung ({feed}) geliefert und können bis dahin nicht laufen.",
        "quoted name": "„{label}“",
        "optimal": "Optimal: Kein Plan ist um mehr als {more} besser ({level}){proved}.",
        "not optimal": "Nicht als optimal bewiesen: Kein Plan ist um mehr als {more} besser "
        "({level}){proved}.",
        "by heuristic": "Gewählt vom Verfahren {method}: Kein Plan ist um mehr als {more} besser "
        "({level}){proved}.",
        "by reference": "Nach der Referenzformulierung.",
        "proved": "; streng bewiesen: höchstens {more}",
        "which guarantee": "Die erste Zahl beruht auf den Schranken der Löser; die zweite gilt "
        "auch, wenn diese falsch sind.",
        "level claimed": "Angabe des Lösers",
        "level verified": "nachgerechnet",
        "level proved": "streng bewiesen",
        "score axis": "Bewertung S (Referenz = 1)",
        "greedy per money": "bester Typ nach Preis",
        "greedy per watt": "bester Typ nach Leistung",
        "rounded relaxation": "gerundete Relaxation",
        "closed form": "geschlossene Formel",
        "best single type": "bester einzelner Typ",
        "open": "Das Optimum ist nicht bewiesen: Es bleibt eine Lücke von {gap} der Bewertung.",
        "binding": "{resource} ({share} genutzt)",
        "slack": "Nicht bindend: {listed}.",
        "no limit": "Keine Grenze bindet.",
        "power value": "1 kW mehr IT-Leistung ist {low} bis {high} mehr Kapital wert.",
        "power value at most": "1 kW mehr IT-Leistung ist höchstens {high} mehr Kapital wert.",
        "power value none": "Mehr IT-Leistung allein ist nichts wert: höchstens {high} je kW.",
        "no power value": "Der Geldwert der Leistung ist nicht bestimmbar: {reason}.",
        "capital zero": "mehr Kapital bringt nichts Sicheres",
        "capital unknown": "die Wirkung von mehr Kapital ist nicht bekannt",
        "power unknown": "die Wirkung von mehr Leistung ist nicht bekannt",
        "holds": "Die Entscheidung gilt in {share} von {draws} simulierten Fällen (95-%-Intervall "
        "{low} bis {high}).",
        "weights": "Der Plan bleibt bei jedem Gewicht eines einzelnen Kriteriums der beste.",
        "life": "Lebensdauer {years}, Auslastung {utilisation}, Zinssatz {rate}.",
        "energy": "Energie kostet {price}{expected}; die Einspeisung trägt {feed} mal die "
        "IT-Leistung.",
        "expected": " (erwartet)",
        "highest": "Beim höchsten Energiepreis kostet ein Jahr {cost}{bears}.",
        "bears": ", was das Budget tragen muss",
        "quoted": "Preise und Leistungen sind die der Angebote; nichts wurde dafür gemessen.",
        "order": "Das Angebot von {vendor} bis {day} annehmen; dann läuft es ab.",
        "order in time": "Das Angebot von {vendor} bis {day} annehmen: Bei {weeks} Lieferzeit "
        "verfehlt eine spätere Bestellung den geforderten Liefertermin {by}.",
        "deliver": "Lieferung von {label} bis {feed} verhandeln.",
        "energy contract": "Energiepreis festschreiben oder Betriebsbudget auf {cost} pro Jahr "
        "erhöhen.",
        "measure": "Die Anwendungen auf Testknoten messen: {label}.",
        "long": "Mit allen Fragen planen, etwa zur Empfindlichkeit.",
        "more time": "Die Suche mit mehr Zeit wiederholen.",
        "choose change": "Entscheiden, welche Regel oder Ressource geändert wird, und neu planen.",
        "ask quotes": "Anbieter ausgeschlossener Angebote um Verlängerung oder Ergänzung bitten.",
        "useful": "Eine Maschine so gut wie die Referenz braucht zusätzlich {added}.",
        "it_power_w": "IT-Leistung",
        "liquid_w": "Flüssigkühlung",
        "air_w": "Luftkühlung",
        "capital_": "Kapital",
        "operating": "Betriebsbudget",
        "racks": "Rackplätze",
        "worst-case": "Auslegung auf den Spitzenfall",
        "static": "feste Leistungsgrenzen",
        "year": "{n:g} Jahr",
        "years": "{n:g} Jahre",
        "week": "{n} Woche",
        "weeks": "{n} Wochen",
        "day": "{n} Tag",
        "days": "{n} Tage",
    },
}
"""Sentences of the first page by language."""


_t = partial(phrase, TEMPLATES)
_counted = partial(counted, TEMPLATES)


def resource(name: str, language: str = "en") -> str:
    """A resource as a reader knows it."""
    return _t(language, "capital_" if name == "capital" else name)


def regime_name(name: Regime, language: str = "en") -> str:
    """A way to provision power as a reader knows it."""
    return _t(language, name)


def regime_meanings(language: str = "en") -> str:
    """What the three ways to provide power are, for a page whose reasons do not say it."""
    names: tuple[Regime, ...] = ("overprovisioned", "worst-case", "static")
    return "; ".join(_t(language, f"{name} (meaning)") for name in names) + "."


def score_axis(language: str = "en") -> str:
    """What an axis of scores is labelled with."""
    return _t(language, "score axis")


def headline(study: ProcurementResult, language: str = "en") -> str:
    """The decision in at most 20 words, with the labels of the largest purchases."""
    if study.plan is None:
        groups = study.diagnosis.clashing if study.diagnosis else ()
        candidates = list(_without_plan(study.problem, groups, language))
    else:
        candidates = list(_headlines(study, study.plan, language))
    short = (text for text in candidates if _words(text) <= _MOST_WORDS)
    return next(short, candidates[-1])


def _words(text: str) -> int:
    """Number of words; numbers and signs, as in "4 x MI300A", are none."""
    return sum(bool(re.search(r"[^\W\d_]{2}", word)) for word in text.split())


def _without_plan(problem: Problem, groups: Sequence[str], language: str) -> Iterator[str]:
    """Which rules clash, in ever fewer words: with their amounts, without, and only their number.

    Rules are named in English only.
    """
    if not groups:
        yield _t(language, "no plan", clash=_t(language, "its limits"))
        return
    name = "no plan together" if len(groups) > 1 else "no plan"
    if language == "en":
        for clash in ([in_words(problem, group) for group in groups], map(_short, groups)):
            yield _t(language, name, clash=listed(list(clash), language))
    count = _t(language, "rules" if len(groups) > 1 else "rule", count=len(groups))
    yield _t(language, name, clash=count)


def _short(group: str) -> str:
    """A rule without its amount."""
    _, _, subject = group.partition(": ")
    return RESOURCE_WORDS.get(subject, subject)


def _headlines(study: ProcurementResult, plan: Plan, language: str) -> Iterator[str]:
    """The headline in ever fewer words: with vendors, then without, then with fewer types."""
    spent = money(plan.bill.capital, study.problem.prices.currency)
    for named in range(min(_MOST_TYPES, len(plan.purchases)), 0, -1):
        for longest, vendors in ((60, True), (40, True), (40, False), (24, False)):
            types = types_bought(study, plan, named, longest, language, vendors=vendors)
            yield _t(language, "buy", types=types, money=spent)
    if not plan.purchases:
        yield _t(language, "buy", types="0", money=spent)


def types_bought(
    study: ProcurementResult,
    plan: Plan,
    named: int = _MOST_TYPES,
    longest: int = 40,
    language: str = "en",
    *,
    vendors: bool = False,
) -> str:
    """What a plan buys: the types on which most is spent by their labels, the others counted."""
    names = labels(study.problem, longest)
    largest = sorted(plan.purchases, key=lambda p: -p.nodes * p.unit_price)
    parts = [
        _t(
            language,
            "node of" if p.nodes == 1 else "nodes of",
            nodes=p.nodes,
            label=names[p.offer],
        )
        + (f" ({p.vendor})" if vendors and p.vendor else "")
        for p in largest[:named]
    ]
    if language == "en":  # "400 nodes of a, 20 of b"
        short = [re.sub(r"^([\d,]+) nodes? of ", r"\1 of ", part) for part in parts[1:]]
        parts = [parts[0], *short]
    rest = largest[named:]
    if rest:
        name = "further one" if len(rest) == 1 else "further"
        count = f"{sum(p.nodes for p in rest):,}"
        parts.append(_t(language, name, count=count, more=len(rest)))
    return listed(parts, language)


def confidence(study: ProcurementResult, language: str = "en") -> str:
    """How much better any plan could be, and whether the solvers agree; empty without a bound."""
    outcome = study.optimum
    if outcome.bound is None or outcome.objective is None:
        return ""
    reached = outcome.objective if study.plan is None else study.plan.objective
    name = "optimal" if outcome.status is Status.OPTIMAL else "not optimal"
    begin = ""
    if study.by_heuristic:
        name = "by heuristic"
    elif study.options.method == REFERENCE:
        begin = _t(language, "by reference")
    proved = ""
    if outcome.proved is not None and outcome.proved > outcome.bound:
        proved = _t(language, "proved", more=_above(outcome.proved - reached))
    text = _t(
        language,
        name,
        method=study.plan_name,
        more=_above(outcome.bound - reached),
        level=_t(language, f"level {outcome.certificate.level.value}"),
        proved=proved,
    )
    agreed = by_solver.in_words(study.by_solver, study.options.gap, language)
    return f"{begin} {text} {agreed}".strip()


def which_guarantee(study: ProcurementResult, language: str = "en") -> str:
    """Which of two guarantees rests on what; empty where :func:`confidence` gives only one."""
    outcome = study.optimum
    if outcome.bound is None or outcome.proved is None or outcome.objective is None:
        return ""
    reached = outcome.objective if study.plan is None else study.plan.objective
    first, second = _above(outcome.bound - reached), _above(outcome.proved - reached)
    if outcome.proved <= outcome.bound or first == second:
        return ""
    return _t(language, "which guarantee")


def _above(log: float) -> str:
    """How much more a bound in log S allows, never less than it does."""
    return percent(max(1e-5, math.expm1(log)), "up")


def reasons(study: ProcurementResult, meaning: str = "", language: str = "en") -> list[str]:
    """Why the plan is recommended; the score's ``meaning`` in the reader's language, or none."""
    plan, cost, problem = study.plan, study.cost, study.problem
    if plan is None:
        return []
    currency, limits = problem.prices.currency, problem.limits
    score = _t(
        language,
        "scores",
        score=f"{plan.score:.3f}",
        reference=study.reference_name,
        meaning=meaning,
    ).rstrip()
    capital = money(plan.bill.capital, currency)
    allowed = ""
    if not math.isinf(limits.capital):
        allowed = _t(language, "allowed", limit=money(limits.capital, currency))
    costs = _t(language, "capital", capital=capital, allowed=allowed)
    if cost is not None:
        costs = _t(
            language,
            "costs",
            capital=capital,
            allowed=allowed,
            year=money(cost.operating_per_year_expected, currency),
            life=money(cost.total_cost, currency),
            years=_counted(language, "year", cost.lifetime_years),
        )
    feed = plan.it_power_w * problem.prices.feed_per_it
    bound = ""
    if not math.isinf(limits.it_power_w):
        bound = _t(language, "allowed", limit=power(limits.it_power_w, like=feed))
    draws = _t(
        language,
        "draws",
        peak=power(plan.it_power_w, like=feed),
        allowed=bound,
        feed=power(feed),
        mean=power(plan.mean_it_w, like=feed),
    )
    return [score, costs, draws, *_gained(study, language)]


def _gained(study: ProcurementResult, language: str) -> Iterator[str]:
    """What overprovisioning gains or loses for certain; regimes that cost otherwise say so."""
    others: tuple[Regime, ...] = ("worst-case", "static")
    our_name = _t(language, "overprovisioned (meaning)")  # the meaning once
    for name in others:
        change = gain(study.regimes, name)
        ours, theirs = study.regimes.get("overprovisioned"), study.regimes.get(name)
        if change is None or not change.sign or ours is None or theirs is None:
            continue
        machines = ""
        if ours.plan is not None and theirs.plan is not None:
            spent, less = ours.plan.bill.capital, theirs.plan.bill.capital
            if abs(spent - less) > SAME_MONEY * spent:
                texts = apart(spent, less, study.problem.prices.currency)
                machines = _t(language, "machines", ours=texts[0], theirs=texts[1])
        yield _t(
            language,
            "gains" if change.sign > 0 else "loses",
            ours=our_name,
            gain=gain_words(change.value),
            regime=_t(language, f"{name} (meaning)"),
            machines=machines,
        )
        our_name = _t(language, "overprovisioned")


SAME_MONEY = 0.005
"""Share of the capital: machines that differ by less cost the same."""


def alternatives(study: ProcurementResult, language: str = "en") -> list[str]:
    """What else could be bought, and how much worse it is."""
    from planner.procurement.heuristics import BID, NAMES

    currency = study.problem.prices.currency
    lines = []
    best = best_other(study)
    if best is not None and not study.by_heuristic and not best.plan.method.startswith(BID):
        method = best.plan.method  # one of the user's own has no other name
        name = _t(language, method) if method in NAMES else method
        lines.append(_other(study, "best other", best.plan, language, method=name))
    sound = [
        other
        for other in study.heuristics
        if other.plan.method.startswith(BID) and not other.wrong and other.plan.score > 0
    ]
    if sound:
        quoted = max(sound, key=lambda other: other.plan.score)
        vendor = quoted.plan.method.removeprefix(BID)
        lines.append(_other(study, "best quoted", quoted.plan, language, vendor=vendor))
    lines += [
        _t(
            language,
            "other plan",
            types=types_bought(study, alternative.plan, language=language),
            gap=percent(max(0.0, alternative.given_up)),
            money=money(alternative.plan.bill.capital, currency),
        )
        for alternative in study.alternatives[:2]
    ]
    return lines


def _other(study: ProcurementResult, name: str, plan: Plan, language: str, **whose: str) -> str:
    gap = percent(max(0.0, shortfall(study, plan)))
    spent = money(plan.bill.capital, study.problem.prices.currency)
    return _t(language, name, gap=gap, money=spent, **whose)


def risks(study: ProcurementResult, language: str = "en") -> list[str]:
    """What may go wrong with the plan: overspending, late delivery, an optimum not proved."""
    lines = [*_overspent(study, language), *_late(study, language), *_early(study, language)]
    if study.plan is not None and study.optimum.status is Status.FEASIBLE and study.optimum.gap:
        gap = percent(math.expm1(study.optimum.gap), "up")
        lines.append(_t(language, "open", gap=gap))
    return lines


def stopped(study: ProcurementResult, language: str = "en") -> list[str]:
    """That the search was cut short, where it was."""
    return time_warning(stopped=study.stopped_by_time, language=language)


def _overspent(study: ProcurementResult, language: str) -> Iterator[str]:
    """That the operating budget holds in expectation only."""
    over = None if study.plan is None else overspent(study.problem, study.plan)
    if over is None:
        return
    currency, budget = study.problem.prices.currency, study.problem.limits.operating
    cost, allowed = apart(over.highest, budget, currency)
    yield _t(
        language,
        "overspent",
        probability=percent(over.probability),
        price=f"{over.price:g} {currency}/kWh",
        cost=cost,
        budget=allowed,
    )


def late(study: ProcurementResult) -> list[tuple[int, dt.date, dt.date]]:
    """Offers bought that arrive after power is available: index, day of arrival, of the feed."""
    return [(offer, day, feed) for offer, day, feed in _deliveries(study) if day > feed]


def _deliveries(study: ProcurementResult) -> list[tuple[int, dt.date, dt.date]]:
    """Offers bought, with the day of arrival and the day on which power is available."""
    feed = study.scenario.power.available_on if study.scenario.power else None
    if feed is None or study.plan is None:
        return []
    days = [(p.offer, study.delivered_on(p.name)) for p in study.plan.purchases]
    return [(offer, day, feed) for offer, day in days if day is not None]


def _late(study: ProcurementResult, language: str) -> Iterator[str]:
    names = labels(study.problem)
    for offer, day, feed in late(study):
        time = _time_apart((day - feed).days, language)
        yield _t(language, "late", label=names[offer], time=time, feed=feed)


def _early(study: ProcurementResult, language: str) -> Iterator[str]:
    """Nodes that are paid for, and under warranty, before there is power to run them."""
    names = labels(study.problem)
    early = [(offer, day, feed) for offer, day, feed in _deliveries(study) if day < feed]
    if len(early) == 1:
        ((offer, day, feed),) = early
        time = _time_apart((feed - day).days, language)
        yield _t(language, "early", label=names[offer], time=time, feed=feed)
    elif early:
        feed = early[0][2]
        quoted = [_t(language, "quoted name", label=names[offer]) for offer, _, _ in early]
        time = _time_apart(max((feed - day).days for _, day, _ in early), language)
        labelled = listed(quoted, language)
        yield _t(language, "several early", labels=labelled, time=time, feed=feed)


def _time_apart(days: int, language: str) -> str:
    if days >= _WEEK:
        return _counted(language, "week", days // _WEEK)
    return _counted(language, "day", days)


def limits(study: ProcurementResult, language: str = "en") -> list[str]:
    """Which limits bind, how far the others are used, and the marginal value of power in money."""
    plan, allowed = study.plan, study.problem.limits
    if plan is None:
        return []
    tight = binding(study.problem, plan)
    shares = {
        name: of_limit(value / getattr(allowed, name))
        for name, value in used(plan).items()
        if 0 < getattr(allowed, name) < UNLIMITED
    }
    full = [
        _t(language, "binding", resource=resource(name, language), share=share)
        for name, share in shares.items()
        if name in tight
    ]
    lines = [f"{capitalised(listed(full, language))}."] if full else [_t(language, "no limit")]
    slack = [
        f"{resource(name, language)} ({share})"
        for name, share in shares.items()
        if name not in tight
    ]
    if slack:
        lines.append(_t(language, "slack", listed=listed(slack, language)))
    return [*lines, *power_value(study, language)]


_CENT = 0.01
"""Smaller amounts of money count as zero."""


def power_value(study: ProcurementResult, language: str = "en") -> list[str]:
    """The marginal value of power in money, or why there is none; empty where not computed."""
    if not study.marginal_values or not math.isfinite(study.problem.limits.it_power_w):
        return []
    value = study.power_value
    if value is None:
        reason = why_undefined(study.marginal_values)
        return [_t(language, "no power value", reason=_t(language, reason))]
    currency = study.problem.prices.currency
    low = money(_three_digits(value.low, math.floor), currency, like=value.high)
    high = money(_three_digits(max(value.high, _CENT), math.ceil), currency)
    if value.high <= _CENT:
        return [_t(language, "power value none", high=high)]
    if value.low < _CENT:
        return [_t(language, "power value at most", high=high)]
    return [_t(language, "power value", low=low, high=high)]


def _three_digits(amount: float, side: Callable[[float], int]) -> float:
    """An amount in three significant digits, rounded to one side."""
    if amount <= 0:
        return 0.0
    step = 10.0 ** (math.floor(math.log10(amount)) - 2)
    return side(round(amount / step, 9)) * step


def robustness(study: ProcurementResult, language: str = "en") -> list[str]:
    """In how many draws, and for which weights, the decision holds."""
    lines = []
    simulation = study.monte_carlo
    if simulation is not None:
        low, high = simulation.holds_interval
        lines.append(
            _t(
                language,
                "holds",
                share=percent(simulation.same_types),
                draws=simulation.draws,
                low=percent(low),
                high=percent(high),
            )
        )
    ranking = study.ranking
    if (
        ranking is not None
        and len(ranking.candidates) > 1
        and ranking.candidates[0].name == "optimum"
        and all(len(reversal.winners) == 1 for reversal in ranking.reversals)
    ):
        lines.append(_t(language, "weights"))
    return lines


def assumptions(study: ProcurementResult, language: str = "en") -> list[str]:
    """What the plan rests on."""
    prices = study.problem.prices
    price = f"{float(f'{prices.expected_energy_price:.3g}'):g} {prices.currency}/kWh"
    expected = _t(language, "expected") if len(prices.energy_prices) > 1 else ""
    lines = [_t(language, "quoted")]
    if study.cost is not None:
        lines.append(
            _t(
                language,
                "life",
                years=_counted(language, "year", prices.lifetime_years),
                utilisation=percent(prices.utilisation),
                rate=percent(prices.discount_rate),
            )
        )
        feed = f"{prices.feed_per_it:.3g}"
        lines.append(_t(language, "energy", price=price, expected=expected, feed=feed))
        said = study.plan is not None and overspent(study.problem, study.plan) is not None
        if len(prices.energy_prices) > 1 and not said:  # else the risks say it
            cost = money(study.cost.operating_per_year_highest, prices.currency)
            bears = _t(language, "bears") if prices.every_price else ""
            lines.append(_t(language, "highest", cost=cost, bears=bears))
    return lines


def next_steps(study: ProcurementResult, language: str = "en") -> list[str]:
    """What to do now."""
    if study.plan is None:
        lines = [_t(language, "choose change")]
        return lines + ([_t(language, "ask quotes")] if study.problem.excluded else [])
    names, lines = labels(study.problem), [*_order(study, study.plan, language)]
    lines += [
        _t(language, "deliver", label=names[offer], feed=feed) for offer, _, feed in late(study)[:2]
    ]
    over = overspent(study.problem, study.plan)
    if over is not None:
        cost = money(over.highest, study.problem.prices.currency, "up")
        lines.append(_t(language, "energy contract", cost=cost))
    if study.stopped_by_time:
        lines.append(_t(language, "more time"))
    if study.plan.purchases:
        largest = max(study.plan.purchases, key=lambda p: p.nodes * p.unit_price)
        lines.append(_t(language, "measure", label=names[largest.offer]))
    if not study.full and not study.by_heuristic:
        lines.append(_t(language, "long"))
    return lines


def _order(study: ProcurementResult, plan: Plan, language: str) -> Iterator[str]:
    """The first day by which something must be ordered: a quote ends, or delivery would be late."""
    by = study.scenario.requirements.delivered_by
    names = labels(study.problem)
    days: list[tuple[dt.date, bool, str, float]] = []
    for purchase in plan.purchases:
        quote = study.scenario.node_type(purchase.name)
        vendor, weeks = purchase.vendor or names[purchase.offer], quote.lead_weeks
        if quote.valid_until is not None:
            days.append((quote.valid_until, False, vendor, 0.0))
        if by is not None and weeks is not None:
            last = by - dt.timedelta(weeks=weeks)
            days.append((last, True, vendor, weeks))
    if not days:
        return
    day, late_after, vendor, weeks = min(days, key=lambda each: each[:2])
    if late_after:
        lead = _counted(language, "week", int(weeks) if weeks == int(weeks) else weeks)
        yield _t(language, "order in time", vendor=vendor, day=day, weeks=lead, by=by)
    else:
        yield _t(language, "order", vendor=vendor, day=day)


def remarks(study: ProcurementResult) -> list[str]:
    """What the terminal says below the decision."""
    gained = f"{gains(study)}." if study.regimes else ""
    score = reasons(study, meaning(study))[:1]
    value = power_value(study)
    sentences = (*score, limits_used(study), *value, gained, spent(study), holds(study))
    return [sentence for sentence in sentences if sentence]

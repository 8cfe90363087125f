"""What a procurement says on its first page and in the terminal, in English and in German.

The templates of both languages are in one table, :data:`TEMPLATES` (see :mod:`planner.phrases`).
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from planner.formatting import (
    Rounding,
    apart,
    capitalised,
    clipped,
    given,
    money,
    percent,
    power,
    racks,
    rounded,
)
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
    twice,
    undecided,
)
from planner.procurement.gains import gain
from planner.procurement.power_value import PowerValue, StepEffect
from planner.procurement.problem import POWER_RESOURCES, RESOURCES, UNLIMITED, Regime
from planner.procurement.rules import RESOURCE_WORDS, in_words
from planner.procurement.used import overspent, used
from planner.stop_warning import time_warning
from solvers import Status
from solvers.portable import expm1, order_of_ten, ten_to_the

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
        "no plan found": "No plan was found or ruled out before the search ended.",
        "its limits": "all limits",
        "rule": "one rule",
        "rules": "{count} rules",
        "scores": "The score is {score}; {reference} scores 1. {meaning}",
        "costs": "It costs {capital}{allowed} to buy and {year} a year to operate: {life} over "
        "{years}.",
        "capital": "It costs {capital}{allowed} to buy.",
        "allowed": " ({limit} allowed)",
        "draws": "It needs at most {peak} of IT power{allowed}, or {feed} at the feed; mean: "
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
        "no quoted": "No system as quoted by a vendor meets all requirements and limits.",
        "other plan": "Buy {types}: {gap} lower score, for {money}.",
        "overspent": "The yearly cost exceeds the operating budget with probability "
        "{probability}: at {price} a year costs {cost} ({budget} allowed).",
        "late": "The nodes '{label}' arrive {time} after power is available ({feed}); the power "
        "planned for them is unused until then.",
        "several late": "Nodes arrive after power is available ({feed}): {listed}; the power "
        "planned for them is unused until then.",
        "each late": "'{label}' by {time}",
        "early": "The nodes '{label}' arrive {time} before power is available ({feed}); they "
        "cannot run until then.",
        "several early": "The nodes {labels} arrive up to {time} before power is available "
        "({feed}); they cannot run until then.",
        "quoted name": "'{label}'",
        "optimal": "Optimal: no plan is more than {more} better ({level}).",
        "within": "No plan is more than {more} better ({level}).",
        "not optimal": "Not proved optimal: no plan is more than {more} better ({level}).",
        "by heuristic": "Chosen by the heuristic {method}: no plan is more than {more} better "
        "({level}).",
        "by reference": "By the reference formulation.",
        "solvers": "Solvers: {agreed}",
        "solver's": "the solver's limit, not proved",
        "proved": "proved",
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
        "used up": "Used up: {listed}.",
        "stock of": "all {nodes:,} nodes of {label} on offer",
        "most vendors": "{count} of at most {count} vendors",
        "most types": "{count} of at most {count} node types",
        "power value": "{step} more IT power ({change}) has the effect of {amount} more capital.",
        "money range": "{low} to {high}",
        "money at most": "at most {high}",
        "power value none": "{step} more IT power ({change}) raises the score by less than "
        "0.0001 %.",
        "power value beyond": "{step} more IT power ({change}): score {more}; unlimited capital "
        "instead: {rich}.",
        "power costs": "It costs {price}.",
        "power pays": "It costs {price}: it pays.",
        "power does not pay": "It costs {price}: it does not pay.",
        "no power value": "The effect of {step} more IT power ({change}) cannot be given in money: "
        "{reason}.",
        "capital unknown": "the search for more capital ended early",
        "power unknown": "the search for more power ended early",
        "endless": "unlimited capital would buy endless nodes",
        "holds": "The decision holds in {share} of {draws} simulated cases (95 % interval {low} to "
        "{high}).",
        "weights": "The plan ranks first for every weight of a single evaluation criterion.",
        "life": "Life of {years}, utilisation {utilisation}, discount rate {rate}.",
        "energy": "Energy costs {price}{expected}.",
        "expected": " (expected)",
        "highest": "At the highest energy price a year costs {cost}{bears}.",
        "bears": ", which the budget must bear",
        "quoted": "Prices, power and performance are as quoted.",
        "ordered": "Delivery dates assume an order on {day}.",
        "order now": "Order by {decided} for these delivery dates. Last days: {listed}.",
        "order": "Last days to order: {listed}.",
        "order expires": "{vendors} (the quote expires)",
        "order late": "{vendors} (for delivery by {by})",
        "deliver": "Negotiate delivery of {label} by {feed}.",
        "energy contract": "Fix the energy price, or raise the operating budget to {cost} a year.",
        "measure": "Measure the workloads on test nodes: {label}.",
        "long": "Make the full study: other budgets, prices and errors.",
        "more time": "Repeat the search with more time.",
        "secure useful": "Secure {added} more{cost}: the machine is then as good as the reference.",
        "secure": "Secure {added} more{cost}: the score is then {score} (reference = 1).",
        "allow": "Allow this: {change}; the score is then {score} (reference = 1).",
        "give up": "Give up {rules}; the machine without it was not computed.",
        "give up one": "Give up one of these: {rules}. The machines without one of these "
        "rules were not computed.",
        "for money": " for {money}",
        "clash": "These rules cannot be met together; without any one of them they can.",
        "clash one": "This rule alone cannot be met.",
        "more rules": "Further rules that clash: {count}; the next section names them.",
        "no reason": "No reason was found in the limits, requirements and policies.",
        "impossible": "No machine meets {rule}, even without limits and other rules.",
        "tested": "Limits tested here: {limits}.",
        "tested otherwise": "The title says {named}. Tested here: {limits}.",
        "score meaning": "The score compares with {reference}, which scores 1. {meaning}",
        "amount": "{amount} of {resource}",
        "at the feed": " ({feed} at the feed)",
        "a year": " a year",
        "change": "Change that allows a plan",
        "change costs": "Cost of the change",
        "only rules": "{change} (only meets the rules: {share} of the reference's score)",
        "without the change": "Capital without the change",
        "of the machine": "Capital of the machine",
        "score": "Score",
        "machine": "Machine",
        "not priced": "not priced",
        "unit prices": "More of a resource costs {prices}, as the scenario states.",
        "per kW": "{money} per kW of {resource}",
        "per rack": "{money} per rack place",
        "more": "{amount} more",
        "plan again": "Plan again with the choice made.",
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
        "no plan found": "Bis zum Ende der Suche wurde kein Plan gefunden oder ausgeschlossen.",
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
        "no quoted": "Kein System erfüllt so, wie ein Anbieter es anbietet, alle Vorgaben und "
        "Grenzen.",
        "other plan": "{types}: {gap} schlechter, für {money}.",
        "overspent": "Die Jahreskosten überschreiten das Betriebsbudget mit Wahrscheinlichkeit "
        "{probability}: Bei {price} kostet ein Jahr {cost} (erlaubt: {budget}).",
        "late": "Die Knoten „{label}“ werden {time} nach Verfügbarkeit der Einspeisung ({feed}) "
        "geliefert; bis dahin bleibt die für sie geplante Leistung ungenutzt.",
        "several late": "Knoten kommen nach Verfügbarkeit der Einspeisung ({feed}): {listed}; "
        "bis dahin bleibt die für sie geplante Leistung ungenutzt.",
        "each late": "„{label}“ um {time}",
        "early": "Die Knoten „{label}“ werden {time} vor Verfügbarkeit der Einspeisung ({feed}) "
        "geliefert und können bis dahin nicht laufen.",
        "several early": "Die Knoten {labels} werden bis zu {time} vor Verfügbarkeit der "
        "Einspeisung ({feed}) geliefert und können bis dahin nicht laufen.",
        "quoted name": "„{label}“",
        "optimal": "Optimal: Kein Plan ist um mehr als {more} besser ({level}).",
        "within": "Kein Plan ist um mehr als {more} besser ({level}).",
        "not optimal": "Nicht als optimal bewiesen: Kein Plan ist um mehr als {more} besser "
        "({level}).",
        "by heuristic": "Gewählt vom Verfahren {method}: Kein Plan ist um mehr als {more} besser "
        "({level}).",
        "by reference": "Nach der Referenzformulierung.",
        "solvers": "Löser: {agreed}",
        "solver's": "Schranke des Lösers, nicht bewiesen",
        "proved": "bewiesen",
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
        "used up": "Ausgeschöpft: {listed}.",
        "stock of": "alle {nodes:,} angebotenen Knoten {label}",
        "most vendors": "{count} von höchstens {count} Anbietern",
        "most types": "{count} von höchstens {count} Knotentypen",
        "power value": "{step} mehr IT-Leistung ({change}) wirkt wie {amount} mehr Kapital.",
        "money range": "{low} bis {high}",
        "money at most": "höchstens {high}",
        "power value none": "{step} mehr IT-Leistung ({change}) hebt die Bewertung um weniger als "
        "0,0001 %.",
        "power value beyond": "{step} mehr IT-Leistung ({change}): Bewertung {more}; unbegrenztes "
        "Kapital stattdessen: {rich}.",
        "power costs": "Es kostet {price}.",
        "power pays": "Es kostet {price}: Es lohnt sich.",
        "power does not pay": "Es kostet {price}: Es lohnt sich nicht.",
        "no power value": "Die Wirkung von {step} mehr IT-Leistung ({change}) ist nicht in Geld "
        "bestimmbar: {reason}.",
        "capital unknown": "die Suche mit mehr Kapital endete vorzeitig",
        "power unknown": "die Suche mit mehr Leistung endete vorzeitig",
        "endless": "unbegrenztes Kapital würde endlos viele Knoten kaufen",
        "holds": "Die Entscheidung gilt in {share} von {draws} simulierten Fällen (95-%-Intervall "
        "{low} bis {high}).",
        "weights": "Der Plan bleibt bei jedem Gewicht eines einzelnen Kriteriums der beste.",
        "life": "Lebensdauer {years}, Auslastung {utilisation}, Zinssatz {rate}.",
        "energy": "Energie kostet {price}{expected}.",
        "expected": " (erwartet)",
        "highest": "Beim höchsten Energiepreis kostet ein Jahr {cost}{bears}.",
        "bears": ", was das Budget tragen muss",
        "quoted": "Preise und Leistungen sind die der Angebote; nichts wurde dafür gemessen.",
        "ordered": "Liefertermine gelten bei Bestellung am {day}.",
        "order now": "Für die genannten Liefertermine bis {decided} bestellen. Letzte Tage: "
        "{listed}.",
        "order": "Letzte Tage zum Bestellen: {listed}.",
        "order expires": "{vendors} (das Angebot läuft ab)",
        "order late": "{vendors} (für Lieferung bis {by})",
        "deliver": "Lieferung von {label} bis {feed} verhandeln.",
        "energy contract": "Energiepreis festschreiben oder Betriebsbudget auf {cost} pro Jahr "
        "erhöhen.",
        "measure": "Die Anwendungen auf Testknoten messen: {label}.",
        "long": "Die volle Studie erstellen: andere Budgets, Preise und Fehler.",
        "more time": "Die Suche mit mehr Zeit wiederholen.",
        "secure useful": "{added} mehr beschaffen{cost}: Die Maschine ist dann so gut wie die "
        "Referenz.",
        "secure": "{added} mehr beschaffen{cost}: Die Bewertung ist dann {score} (Referenz = 1).",
        "allow": "Dies zulassen: {change}; die Bewertung ist dann {score} (Referenz = 1).",
        "give up": "Aufgeben: {rules}; die Maschine ohne dies ist nicht berechnet.",
        "give up one": "Eines davon aufgeben: {rules}. Die Maschinen ohne eines sind nicht "
        "berechnet.",
        "for money": " für {money}",
        "clash": "Gemeinsam sind diese Vorgaben nicht erfüllbar, ohne eine von ihnen schon.",
        "clash one": "Diese Vorgabe ist allein nicht erfüllbar.",
        "more rules": "Weitere unvereinbare Vorgaben: {count}; der nächste Abschnitt nennt sie.",
        "no reason": "In Grenzen, Anforderungen und Regeln fand sich kein Grund.",
        "impossible": "Auch ohne Grenzen und andere Vorgaben unerfüllbar: {rule}.",
        "tested": "Hier geprüfte Grenzen: {limits}.",
        "tested otherwise": "Der Titel nennt {named}. Hier geprüft: {limits}.",
        "score meaning": "Die Bewertung vergleicht mit {reference}: Diese Maschine hat 1.",
        "amount": "{amount} {resource}",
        "at the feed": " ({feed} an der Einspeisung)",
        "a year": " pro Jahr",
        "change": "Änderung, die einen Plan erlaubt",
        "change costs": "Kosten der Änderung",
        "only rules": "{change} (nur zulässig: {share} der Bewertung der Referenz)",
        "without the change": "Kapital ohne die Änderung",
        "of the machine": "Kapital der Maschine",
        "score": "Bewertung",
        "machine": "Maschine",
        "not priced": "ohne Preis",
        "unit prices": "Mehr einer Ressource kostet laut Szenario {prices}.",
        "per kW": "{money} je kW {resource}",
        "per rack": "{money} je Rackplatz",
        "more": "{amount} mehr",
        "plan again": "Mit der Entscheidung neu planen.",
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


def amount_of(
    problem: Problem,
    name: str,
    value: float,
    language: str = "en",
    rounding: Rounding = "nearest",
) -> str:
    """An amount of a resource in words; of IT power also that at the feed."""
    if name == "racks":
        places = racks(value, rounding)  # "1 rack place"
        return places if language == "en" else f"{places.split()[0]} {resource(name, language)}"
    if name in POWER_RESOURCES:
        size, feed = power(value, rounding), ""
        if name == "it_power_w":
            at_feed = power(value * problem.prices.feed_per_it, rounding)
            feed = _t(language, "at the feed", feed=at_feed)
        return _t(language, "amount", amount=size, resource=resource(name, language)) + feed
    size = money(value, problem.prices.currency, rounding)
    size += _t(language, "a year") if name == "operating" else ""
    return _t(language, "amount", amount=size, resource=resource(name, language))


def limits_tested(study: ProcurementResult, language: str = "en") -> str:
    """The limits under which no plan exists, as a sentence; empty where the site has none."""
    problem = study.problem
    tested = [
        amount_of(problem, name, getattr(problem.limits, name), language)
        for name in RESOURCES
        if getattr(problem.limits, name) < UNLIMITED
    ]
    if not tested:
        return ""
    limits, named = listed(tested, language), _other_powers(study)
    if named:
        return _t(language, "tested otherwise", named=listed(named, language), limits=limits)
    return _t(language, "tested", limits=limits)


_POWER_IN_TITLE = re.compile(r"(\d[\d.,]*)\s?(MW|kW|W)\b")
_SAME_POWER = 0.005
"""Share by which a power in a title may differ from a limit, since titles round."""


def _other_powers(study: ProcurementResult) -> list[str]:
    """Powers in the title, as the title has them, if none of them is a limit of the site."""
    problem = study.problem
    known = [getattr(problem.limits, name) for name in POWER_RESOURCES]
    known.append(problem.limits.it_power_w * problem.prices.feed_per_it)
    if study.scenario.power is not None:
        known.append(study.scenario.power.bound_w)
    others = []
    for match in _POWER_IN_TITLE.finditer(study.scenario.title):
        unit_w = {"MW": 1e6, "kW": 1e3}.get(match[2], 1.0)
        readings = [unit_w * number for number in _readings(match[1].rstrip(".,"))]
        if any(
            math.isclose(watts, limit, rel_tol=_SAME_POWER) for watts in readings for limit in known
        ):
            return []
        if readings:
            others.append(match[0])
    return others


def _readings(digits: str) -> list[float]:
    """Return the numbers that digits may mean: with a decimal point, or with a decimal comma."""
    numbers = []
    for decimal, group in (".,", ",."):
        with suppress(ValueError):
            numbers.append(float(digits.replace(group, "").replace(decimal, ".")))
    return numbers


def unit_prices(study: ProcurementResult, language: str = "en") -> str:
    """The prices of one more unit of each resource, as the scenario states them."""
    question, currency = study.scenario.procurement, study.problem.prices.currency
    parts = []
    for name, price in (dict(question.repair_prices) if question else {}).items():
        if name in POWER_RESOURCES:
            per_kw = money(1000 * price, currency)
            parts.append(_t(language, "per kW", money=per_kw, resource=resource(name, language)))
        elif name == "racks":
            parts.append(_t(language, "per rack", money=money(price, currency)))
    return _t(language, "unit prices", prices=listed(parts, language)) if parts else ""


Change = tuple[str, str, str, str, str]
"""What changes, what that costs, score, capital and purchases of the best machine then."""


def changes(study: ProcurementResult, language: str = "en") -> tuple[Change, list[Change]]:
    """Headings, and a row for each growth of resources that allows a plan, useful ones first."""
    from planner.procurement.infeasible import USEFUL, score_words

    currency, diagnosis = study.problem.prices.currency, study.diagnosis
    rows = []
    every = (*diagnosis.useful, *diagnosis.repairs) if diagnosis else ()
    for repair in every:
        added = [amount_of(study.problem, *e, language, "up") for e in repair.added]
        cost = _t(language, "not priced")
        if repair.printed_cost is not None:
            cost = money(repair.printed_cost, currency, "up")
        score, change = repair.plan.score, _t(language, "more", amount=listed(added, language))
        if score < USEFUL and percent(score) != percent(USEFUL):
            share = percent(score) if score >= _TELLING else percent(score, "up")
            change = _t(language, "only rules", change=change, share=share)
        rows.append(
            (
                change,
                cost,
                score_words(score),
                money(repair.plan.bill.capital, currency),
                types_bought(study, repair.plan, language=language),
            )
        )
    grown = {name for repair in every for name, _ in repair.added}
    capital = "of the machine" if "capital" in grown else "without the change"
    names = ("change", "change costs", "score", capital, "machine")
    heads: Change = tuple(_t(language, name) for name in names)  # type: ignore[assignment]
    return heads, rows


_TELLING = 1e-5
"""Smaller scores are rounded up, or nothing is left of them."""


def score_meaning(study: ProcurementResult, language: str = "en") -> str:
    """What the scores of the machines after a change compare; empty where there is no score."""
    diagnosis = study.diagnosis
    if diagnosis is None or not (diagnosis.useful or diagnosis.repairs or diagnosis.ways):
        return ""
    reference, english = study.reference_name, twice(study) if language == "en" else ""
    return _t(language, "score meaning", reference=reference, meaning=english).rstrip()


def reasons_without(study: ProcurementResult, language: str = "en") -> list[str]:
    """Which rules clash, and requirements that no machine meets; rules are named in English."""
    problem, diagnosis = study.problem, study.diagnosis
    if diagnosis is None:
        return [_t(language, "no plan found" if undecided(study.optimum) else "no reason")]
    clash = [capitalised(clipped(in_words(problem, name), 120)) for name in diagnosis.clashing]
    impossible = [
        clipped(_t(language, "impossible", rule=in_words(problem, requirement)), _LONGEST)
        for requirement in diagnosis.impossible[:_MOST_IMPOSSIBLE]
    ]
    if not clash:
        return impossible or [_t(language, "no reason")]
    further = len(clash) - MOST_RULES
    more = [_t(language, "more rules", count=further)] if further > 0 else []
    together = _t(language, "clash" if clash[1:] else "clash one")
    return [together, *clash[:MOST_RULES], *more, *impossible]


MOST_RULES = 4
"""Clashing rules that the first page names."""
_MOST_IMPOSSIBLE, _LONGEST = 3, 300


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
        if undecided(study.optimum):
            return _t(language, "no plan found")
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
    kind, _, subject = group.partition(": ")
    return "the network" if kind == "network" else RESOURCE_WORDS.get(subject, subject)


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
    return f"{optimality(study, language)} {solvers_agree(study, language)}".strip()


def solvers_agree(study: ProcurementResult, language: str = "en") -> str:
    """Whether the solvers agree, where there is a bound and more than one was used."""
    if study.optimum.bound is None or study.optimum.objective is None:
        return ""
    return by_solver.in_words(study.by_solver, study.options.gap, language)


def optimality(study: ProcurementResult, language: str = "en") -> str:
    """How much better any plan could be, by one guarantee; empty without a bound.

    A proved limit is stated even where it is weaker than the solvers' own limits. The certificates
    list those.
    """
    outcome = study.optimum
    more = _more_than(study)
    if more is None:
        return ""
    is_proved = outcome.proved is not None
    name = "optimal" if outcome.status is Status.OPTIMAL else "not optimal"
    if is_proved:
        name = "optimal" if more <= study.options.gap else "within"
    begin = ""
    if study.by_heuristic:
        name = "by heuristic"
    elif study.options.method == REFERENCE:
        begin = _t(language, "by reference")
    text = _t(
        language,
        name,
        method=study.plan_name,
        more=percent(max(1e-5, expm1(more)), "up"),
        level=_t(language, "proved" if is_proved else "solver's"),
    )
    return f"{begin} {text}".strip()


def _more_than(study: ProcurementResult) -> float | None:
    """By how much the guaranteed limit lies above the plan, in log S; at least 0."""
    outcome = study.optimum
    reached = outcome.objective if study.plan is None else study.plan.objective
    if outcome.guaranteed is None or outcome.objective is None or reached is None:
        return None
    return max(0.0, outcome.guaranteed - reached)


def solvers_line(study: ProcurementResult, language: str = "en") -> str:
    """What :func:`solvers_agree` says, as a line of its own; empty where it is."""
    agreed = solvers_agree(study, language)
    return _t(language, "solvers", agreed=agreed) if agreed else ""


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
    """What else could be bought, and how much worse it is; without a plan, what else to change."""
    from planner.procurement.heuristics import BID, NAMES

    if study.plan is None:
        return choices(study, language)[1:]

    currency = study.problem.prices.currency
    lines = []
    best = best_other(study)
    if best is not None and not study.by_heuristic and not best.plan.method.startswith(BID):
        method = best.plan.method  # one of the user's own has no other name
        name = _t(language, method) if method in NAMES else method
        lines.append(_other(study, "best other", best.plan, language, method=name))
    quoted_systems = [other for other in study.heuristics if other.plan.method.startswith(BID)]
    sound = [other for other in quoted_systems if not other.wrong and other.plan.score > 0]
    if quoted_systems and not sound:
        lines.append(_t(language, "no quoted"))
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
    more = _more_than(study)
    if study.plan is not None and study.optimum.status is Status.FEASIBLE and more:
        lines.append(_t(language, "open", gap=percent(expm1(more), "up")))
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
    names, after = labels(study.problem), late(study)
    times = [_time_apart((day - feed).days, language) for _, day, feed in after]
    if len(after) == 1:
        ((offer, _, feed),) = after
        yield _t(language, "late", label=names[offer], time=times[0], feed=feed)
    elif after:
        each = [
            _t(language, "each late", label=names[offer], time=time)
            for (offer, _, _), time in zip(after, times, strict=True)
        ]
        yield _t(language, "several late", feed=after[0][2], listed=listed(each, language))


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
        most = max((feed - day).days for _, day, _ in early)
        if most >= _WEEK:  # "up to" is never less
            most = _WEEK * math.ceil(most / _WEEK)
        time = _time_apart(most, language)
        labelled = listed(quoted, language)
        yield _t(language, "several early", labels=labelled, time=time, feed=feed)


def _time_apart(days: int, language: str) -> str:
    if days >= _WEEK:
        return _counted(language, "week", round(days / _WEEK))
    return _counted(language, "day", days)


def limits(study: ProcurementResult, language: str = "en") -> list[str]:
    """Which limits bind, how far the others are used, and the marginal value of power in money."""
    plan, allowed = study.plan, study.problem.limits
    if plan is None:
        return []
    shares = {
        name: of_limit(value / getattr(allowed, name), name)
        for name, value in used(plan).items()
        if 0 < getattr(allowed, name) < UNLIMITED
    }
    full = [
        _t(language, "binding", resource=resource(name, language), share=share)
        for name, share in shares.items()
        if name in study.binding_limits
    ]
    lines = [f"{capitalised(listed(full, language))}."] if full else [_t(language, "no limit")]
    slack = [
        f"{resource(name, language)} ({share})"
        for name, share in shares.items()
        if name in study.slack_limits
    ]
    if slack:
        lines.append(_t(language, "slack", listed=listed(slack, language)))
    return [*lines, *_used_up(study, plan, language), *power_value(study, language)]


def stocks(study: ProcurementResult, plan: Plan) -> list[tuple[int, int, int]]:
    """Offers bought whose quantity is limited: index, nodes bought, nodes on offer."""
    nodes: dict[int, int] = {}
    for purchase in plan.purchases:
        nodes[purchase.offer] = nodes.get(purchase.offer, 0) + purchase.nodes
    most = {p.offer: study.scenario.node_type(p.name).maximum_quantity for p in plan.purchases}
    return [(offer, nodes[offer], many) for offer, many in most.items() if many is not None]


def _used_up(study: ProcurementResult, plan: Plan, language: str) -> Iterator[str]:
    """Quantities on offer, and numbers of vendors and node types, that the plan uses up."""
    problem, names = study.problem, labels(study.problem)
    parts = [
        _t(language, "stock of", nodes=many, label=names[offer])
        for offer, nodes, many in stocks(study, plan)
        if nodes >= many
    ]
    for name, most, subjects in (
        ("most vendors", problem.most_vendors, {p.vendor for p in plan.purchases}),
        ("most types", problem.most_node_types, {p.offer for p in plan.purchases}),
    ):
        if most is not None and len(subjects) >= most:
            parts.append(_t(language, name, count=most))
    if parts:
        yield _t(language, "used up", listed=listed(parts, language))


def power_value(study: ProcurementResult, language: str = "en") -> list[str]:
    """What one step of power is worth in money, or why that is not known; empty without a limit."""
    value = study.power_value
    if value is None:
        return []
    step = {
        "step": power(value.step_w, "up"),  # of three digits, so nothing is rounded
        "change": given(round(value.change, 4), signed=True),
    }
    effect, currency = value.effect, study.problem.prices.currency
    if effect is StepEffect.NOTHING:
        line = _t(language, "power value none", **step)
    elif effect is StepEffect.CAPITAL:
        amount = _supported(value.capital_low or 0.0, value.capital_high or 0.0, currency, language)
        line = _t(language, "power value", amount=amount, **step)
    elif effect is StepEffect.BEYOND_CAPITAL:
        more, rich = scores_apart(value)
        line = _t(language, "power value beyond", more=more, rich=rich, **step)
    else:
        return [_t(language, "no power value", reason=_t(language, effect.value), **step)]
    question = study.scenario.procurement
    prices = dict(question.repair_prices) if question else {}
    price = value.step_w * prices.get("it_power_w", math.inf)
    if math.isfinite(price):
        name = {True: "power pays", False: "power does not pay", None: "power costs"}
        line += " " + _t(language, name[value.pays(price)], price=money(price, currency))
    return [line]


def _supported(low: float, high: float, currency: str, language: str) -> str:
    """An amount of money in at most three digits, or its range where they differ."""
    ends = [float(f"{end:.2e}") for end in (low, high)]
    if ends[0] == ends[1]:
        return money(ends[0], currency, "up")
    highest = money(_three_digits(high, math.ceil), currency, "up")
    if ends[0] == 0:
        return _t(language, "money at most", high=highest)
    lowest = money(_three_digits(low, math.floor), currency, "down")
    return _t(language, "money range", low=lowest, high=highest)


def scores_apart(value: PowerValue) -> tuple[str, str]:
    """The scores with the step and with unlimited capital, in as few digits as tell them apart."""
    more = value.score_low or 0.0, value.score_high or 0.0
    rich = value.unlimited_low or 0.0, value.unlimited_high or 0.0
    least = max(3, 2 - order_of_ten(more[0])) if more[0] > 0 else 3
    for places in range(least, least + 9):
        first, second = ({rounded(end, places) for end in ends} for ends in (more, rich))
        if len(first) == len(second) == 1 and first != second:
            return first.pop(), second.pop()
    return f"{more[0]:.9g}", f"{rich[1]:.9g}"


def _three_digits(amount: float, side: Callable[[float], int]) -> float:
    """An amount in three significant digits, rounded to one side."""
    if amount <= 0:
        return 0.0
    step = ten_to_the(order_of_ten(amount) - 2)
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
    question = study.scenario.procurement
    if study.plan is not None and question is not None and question.decided_on is not None:
        lines.append(_t(language, "ordered", day=question.decided_on))
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
        lines.append(_t(language, "energy", price=price, expected=expected))
        said = study.plan is not None and overspent(study.problem, study.plan) is not None
        if len(prices.energy_prices) > 1 and not said:  # else the risks say it
            cost = money(study.cost.operating_per_year_highest, prices.currency)
            bears = _t(language, "bears") if prices.every_price else ""
            lines.append(_t(language, "highest", cost=cost, bears=bears))
    return lines


def next_steps(study: ProcurementResult, language: str = "en") -> list[str]:
    """What to do now."""
    if study.plan is None:
        lines = [*choices(study, language)[:1], _t(language, "plan again")]
        return lines + ([_t(language, "ask quotes")] if study.problem.excluded else [])
    names, lines = labels(study.problem), [*_order(study, study.plan, language)]
    after = [(offer, feed) for offer, day, feed in late(study) if (day - feed).days >= _WEEK]
    if after:
        quoted = [_t(language, "quoted name", label=names[offer]) for offer, _ in after]
        labelled = listed(quoted, language)
        lines.append(_t(language, "deliver", label=labelled, feed=after[0][1]))
    over = overspent(study.problem, study.plan)
    if over is not None:
        cost = money(over.highest, study.problem.prices.currency, "up")
        lines.append(_t(language, "energy contract", cost=cost))
    if study.stopped_by_time:
        lines.append(_t(language, "more time"))
    if study.plan.purchases:
        largest = max(study.plan.purchases, key=lambda p: p.nodes * p.unit_price)
        label = _t(language, "quoted name", label=names[largest.offer])
        lines.append(_t(language, "measure", label=label))
    if not study.full and not study.by_heuristic:
        lines.append(_t(language, "long"))
    return lines


def choices(study: ProcurementResult, language: str = "en") -> list[str]:
    """Each change that would allow a plan, with its price; the first one is the next step.

    Where a change allows a machine as good as the reference, those of worse machines are left out.
    """
    return list(_choices(study, language))


def _choices(study: ProcurementResult, language: str) -> Iterator[str]:
    from planner.procurement.infeasible import score_words, way_words

    diagnosis, problem = study.diagnosis, study.problem
    if diagnosis is None:
        return
    name = "secure useful" if diagnosis.useful else "secure"
    for repair in (diagnosis.useful or diagnosis.repairs)[:_MOST_CHOICES]:
        added = listed([amount_of(problem, *e, language, "up") for e in repair.added], language)
        cost = ""
        if repair.printed_cost is not None:
            spent = money(repair.printed_cost, problem.prices.currency, "up")
            cost = _t(language, "for money", money=spent)
        score = score_words(repair.plan.score)
        yield _t(language, name, added=added, cost=cost, score=score)
    for way in diagnosis.ways[:_MOST_CHOICES]:
        score = score_words(way.plan.score)
        yield _t(language, "allow", change=way_words(problem, way), score=score)
    rules = [in_words(problem, name) for name in diagnosis.clashing if is_rule(name)]
    if rules and not diagnosis.ways:
        name = "give up" if len(rules) == 1 else "give up one"
        yield _t(language, name, rules="; ".join(rules))


_MOST_CHOICES = 3
"""Changes of one kind that the next steps name."""


def is_rule(group: str) -> bool:
    """Whether a board could give a rule up; a limit is raised instead, a network is needed."""
    return group.partition(": ")[0] in ("requirement", "share", "policy", "terms")


def _order(study: ProcurementResult, plan: Plan, language: str) -> Iterator[str]:
    """The last day to order from each vendor: its quote ends, or delivery would be late."""
    question, by = study.scenario.procurement, study.scenario.requirements.delivered_by
    names = labels(study.problem)
    last_days: dict[str, tuple[dt.date, bool]] = {}
    for purchase in plan.purchases:
        quote = study.scenario.node_type(purchase.name)
        vendor, weeks = purchase.vendor or names[purchase.offer], quote.lead_weeks
        days = [(quote.valid_until, False)] if quote.valid_until is not None else []
        if by is not None and weeks is not None:
            days.append((by - dt.timedelta(weeks=weeks), True))
        if days:
            last_days[vendor] = min([*days, *([last_days[vendor]] if vendor in last_days else [])])
    by_reason: dict[bool, list[str]] = {}
    first = sorted(last_days.items(), key=lambda item: item[1])[:_MOST_VENDORS]
    for vendor, (day, late_then) in first:
        by_reason.setdefault(late_then, []).append(f"{vendor} {day}")
    if not by_reason:
        return
    decided = question.decided_on if question is not None else None
    named = "; ".join(
        _t(language, "order late" if late_then else "order expires",
           vendors=listed(vendors, language), by=by)
        for late_then, vendors in by_reason.items()
    )  # fmt: skip
    if decided is None:
        yield _t(language, "order", listed=named)
    else:
        yield _t(language, "order now", decided=decided, listed=named)


_MOST_VENDORS = 3
"""Vendors whose last day to order is named, the first days first."""


def remarks(study: ProcurementResult) -> list[str]:
    """What the terminal says below the decision."""
    gained = f"{gains(study)}." if study.regimes else ""
    score = reasons(study, meaning(study))[:1]
    value = power_value(study)
    sentences = (*score, limits_used(study), *value, gained, spent(study), holds(study))
    return [sentence for sentence in sentences if sentence]

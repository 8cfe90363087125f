"""The phrases of a comparison of designs, in both languages, and those of its decision.

One table, :data:`TEMPLATES`, has all of them (see :mod:`planner.phrases`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from planner.formatting import given, percent
from planner.phrases import Templates, counted, listed, phrase

if TYPE_CHECKING:
    from planner.designs.overprovisioning import DesignCase, DesignComparison
    from planner.designs.readings import Reading

Design = Literal["worst-case", "overprovisioned"]

TEMPLATES: Templates = {
    "en": {
        "buy": "Buy {bought} rather than {rejected}: {runner} runs {faster}.",
        "nearly equal": "Nearly equal: buy {bought} rather than {rejected}; {runner} runs {faster} "
        "as assumed. Measure before buying.",
        "no clear winner": "No clear winner: as assumed, {runner} runs {faster} on {bought}. All "
        "{total} other readings of the inputs favour {others}. Measure before buying.",
        "the mix": "the mix of applications",
        "the short mix": "the mix",
        "equally fast": "equally fast",
        "times as fast": "{ratio} times as fast",
        "faster": "{gain} faster",
        "core-hour": "A used core-hour of {machine} costs {cost} {currency}.",
        "core-hour about": "A used core-hour of {machine} costs about {cost} {currency} ({low} to "
        "{high}, depending on the power billed).",
        "no question": "The scenario asks no question.",
        "narrow": "The margin is narrow.",
        "readings reverse": "{n} of {total} other readings of the inputs reverses the "
        "recommendation (see Risks).",
        "readings reverses": "{n} of {total} other readings of the inputs reverse the "
        "recommendation (see Risks).",
        "see risks": "The risks list these readings.",
        "range": "{low} to {high}",
        "less time": "{gain} less time",
        "times the speed": "{ratio} times the speed",
        "reversed": "Other readings of the inputs reverse the recommendation.",
        "faster by": "If '{gain} faster' means {other}, not {reading}, {runner} runs {faster} on "
        "{nodes}",
        "node prices": "At the node prices alone (cost ratio {ratio}), {runner} runs {faster} on "
        "{nodes}",
        "whole racks": "With whole racks at the given prices (cost ratio {ratio}), {runner} runs "
        "{faster} on {nodes}",
        "published ratio": "By the published speedups, {runner} runs {faster} with the {design} "
        "design (speed ratio {ratio})",
        "not measured there": " (run times not measured)",
        "so confirms": "{case}: the recommendation stays.",
        "exception": "The other design runs {listed}.",
        "exceptions": "The other design runs {listed}.",
        "many exceptions": "{count} of {total} applications are faster with the other design.",
        "not measured": "Run times of {names} were not measured but {how}.",
        "clamped": "taken from the nearest measured count",
        "extrapolated": "extrapolated",
        "too little capital": "The capital of {capital} {currency} does not pay for the {nodes} "
        "high-end nodes ({money} {currency} without racks).",
        "rises": "{application} runs in {fast} on {fewer}, but in {slow} on all {nodes} that the "
        "model buys. Its run time rises with the node count.",
        "on high-end node": "{n:,} high-end node",
        "on high-end nodes": "{n:,} high-end nodes",
        "on older node": "{n:,} older node",
        "on older nodes": "{n:,} older nodes",
        "high-end node": "{n:,} high-end node",
        "high-end nodes": "{n:,} high-end nodes",
        "older node": "{n:,} older node",
        "older nodes": "{n:,} older nodes",
        "high-end title": "high-end node",
        "older title": "older node",
        "speed": "The overprovisioned design ({older}) runs {runner} at {ratio} times the speed of "
        "the worst-case design ({high_end}).",
        "the mean mix": "the mix (weighted geometric mean)",
        "ratio given": "The cost ratio (price of a high-end node over that of an older one) is "
        "{ratio}, as given in the scenario{source}.",
        "ratio of racks": "The cost ratio (price of a high-end node over that of an older one) is "
        "{ratio}, from purchases rack by rack.",
        "year": "The machine costs {cost} {currency} a year. Its {cores} cores deliver {hours} "
        "used core-hours: 8,760 hours at {used} utilisation.",
        "gain and loss": "The {design} design, {other}, would run {gain}; the {own} design runs "
        "{loss}.",
        "loss only": "The {design} design, {other}, is faster for no application; the {own} "
        "design runs {loss}.",
        "bound at peak": "The power bound of {bound} carries {nodes} at {peak} peak.",
        "money binds": "The budget is the price of {high_end}. It buys {nodes}; the power bound "
        "would carry {limit} at idle.",
        "power binds": "The power bound carries {nodes} at idle. The price of {high_end} would buy "
        "{limit}.",
        "provisioned bill": "Billed for the {power} provisioned (reserved for the machine), a "
        "core-hour costs {cost} {currency}.",
        "used bill": "Billed for the {power} used on average, a core-hour costs {cost} {currency}.",
        "programs": "Exact optimisation confirms the run times in {agree} of {total} cases "
        "({levels}).",
        "claimed": "claimed",
        "verified": "verified",
        "proved": "proved",
        "published": "{agree} of {total} published numbers agree with their own formulas within "
        "rounding.",
        "one differs": "{agree} of {total} published numbers agree with their own formulas within "
        "rounding. The exception is '{quantity}': published {printed}, recomputed {ours}.",
        "faster nodes": "High-end nodes are {gain} faster than older ones, read as {reading}.",
        "alone": "Each application runs alone on the whole machine.",
        "only acquisition": "Only acquisition is compared; energy, space and staff are not.",
        "utilisation": "The utilisation is {used} in all years. The cost is inversely "
        "proportional to it.",
        "written off": "Acquisition is written off in equal parts over {years} years.",
        "stated energy": "Power and cooling cost the stated {energy} {currency} a year in the "
        "table and in the figure.",
        "measure run time": "Measure the run time of {names} at the node counts to be bought.",
        "measure run times": "Measure the run time of {names} and others at the node counts to be "
        "bought.",
        "measure nodes": "Measure both node types: the meaning of '{gain} faster' decides the "
        "purchase.",
        "ask quotes": "Ask for quotes with racks, and check the cost ratio again.",
        "check records": "Check the utilisation and the energy bill against records of the "
        "machine.",
        "application": "Application",
        "worst-case time": "Worst-case (s)",
        "overprovisioned time": "Overprovisioned (s)",
        "speedup": "Speedup",
        "faster design": "Faster design",
        "worst-case": "worst-case",
        "overprovisioned": "overprovisioned",
        "others": "{count} others",
        "times": "{application} takes {worst_case} with the worst-case design and "
        "{overprovisioned} with the overprovisioned design.",
        "more in": "{count} more in the table of all applications",
        "none gains": "No application gains from {older} older nodes instead of {high_end} "
        "high-end ones",
        "one gains": "{listed} gains from {older} older nodes instead of {high_end} high-end ones",
        "only one gains": "Only {listed} gains from {older} older nodes instead of {high_end} "
        "high-end ones",
        "several gain": "{listed} gain from {older} older nodes instead of {high_end} high-end "
        "ones",
        "only several gain": "Only {listed} gain from {older} older nodes instead of {high_end} "
        "high-end ones",
        "as assumed": "As assumed, {finding}",
        "speedups": "Speedup of the overprovisioned over the worst-case design per application: "
        "{listed}. Above 1, overprovisioning is faster.",
        "under other reading": " ({speedup} under the other reading)",
        "time ratio decides": "'{gain} faster' = {reading} (as assumed)",
        "time ratio": "'{gain} faster' = {reading}",
        "speedup axis": "speedup of overprovisioning (equally fast at 1)",
        "extrapolated mark": "* run time extrapolated.",
        "clamped mark": "† run time of the nearest measured node count.",
        "part": "Part",
        "per year": "{currency} per year",
        "per core-hour": "{currency} per used core-hour",
        "total": "Total",
        "acquisition": "Acquisition",
        "maintenance": "Maintenance and support",
        "energy": "Power and cooling",
        "staff": "Staff",
        "largest cost": "{part} is {share} % of what a year of {machine} costs",
        "costs": "Cost per year by part: {listed}; in all {total}.",
        "cost axis": "million {currency} per year",
    },
    "de": {
        "buy": "{bought} statt {rejected} kaufen: So läuft {runner} {faster}.",
        "nearly equal": "Fast gleich: {bought} statt {rejected} kaufen; {runner} läuft unter den "
        "Annahmen {faster}. Vor dem Kauf messen.",
        "no clear winner": "Kein klarer Sieger: {runner} läuft unter den Annahmen {faster} auf "
        "{bought}. Alle {total} anderen Lesarten der Eingaben sprechen für {others}. Vor dem Kauf "
        "messen.",
        "the mix": "der Anwendungsmix",
        "the short mix": "der Anwendungsmix",
        "equally fast": "gleich schnell",
        "times as fast": "{ratio}-mal so schnell",
        "faster": "{gain} schneller",
        "core-hour": "Eine genutzte Kernstunde von {machine} kostet {cost} {currency}.",
        "core-hour about": "Eine genutzte Kernstunde von {machine} kostet etwa {cost} {currency} "
        "({low} bis {high}, je nach berechneter Leistung).",
        "no question": "Das Szenario stellt keine Frage.",
        "narrow": "Der Vorsprung ist knapp.",
        "readings reverse": "{n} von {total} anderen Lesarten der Eingaben kehrt die Empfehlung "
        "um (siehe Risiken).",
        "readings reverses": "{n} von {total} anderen Lesarten der Eingaben kehren die Empfehlung "
        "um (siehe Risiken).",
        "see risks": "Die Risiken nennen diese Lesarten.",
        "range": "{low} bis {high}",
        "less time": "{gain} weniger Zeit",
        "times the speed": "{ratio}-mal so hohe Geschwindigkeit",
        "reversed": "Andere Lesarten der Eingaben kehren die Empfehlung um.",
        "faster by": "Bedeutet „{gain} schneller“ {other} statt {reading}, läuft {runner} {faster} "
        "auf {nodes}",
        "node prices": "Allein nach den Knotenpreisen (Kostenverhältnis {ratio}) läuft {runner} "
        "{faster} auf {nodes}",
        "whole racks": "Mit ganzen Racks zu den angegebenen Preisen (Kostenverhältnis {ratio}) "
        "läuft {runner} {faster} auf {nodes}",
        "published ratio": "Nach den veröffentlichten Speedups läuft {runner} {faster} mit der "
        "Auslegung „{design}“ (Geschwindigkeitsverhältnis {ratio})",
        "not measured there": " (Laufzeiten nicht gemessen)",
        "so confirms": "{case}: Die Empfehlung bleibt.",
        "exception": "Mit der anderen Auslegung läuft {listed}.",
        "exceptions": "Mit der anderen Auslegung laufen {listed}.",
        "many exceptions": "Mit der anderen Auslegung laufen {count} von {total} Anwendungen "
        "schneller.",
        "not measured": "Die Laufzeiten von {names} wurden nicht gemessen, sondern {how}.",
        "clamped": "von der nächstliegenden gemessenen Knotenzahl übernommen",
        "extrapolated": "extrapoliert",
        "too little capital": "Das Kapital von {capital} {currency} reicht nicht für die {nodes} "
        "High-End-Knoten ({money} {currency} ohne Racks).",
        "rises": "{application} läuft auf {fewer} in {fast}, auf allen {nodes}, die das Modell "
        "kauft, dagegen in {slow}. Die Laufzeit steigt mit der Knotenzahl.",
        "on high-end node": "{n:,} High-End-Knoten",
        "on high-end nodes": "{n:,} High-End-Knoten",
        "on older node": "{n:,} älterem Knoten",
        "on older nodes": "{n:,} älteren Knoten",
        "high-end node": "{n:,} High-End-Knoten",
        "high-end nodes": "{n:,} High-End-Knoten",
        "older node": "{n:,} älteren Knoten",
        "older nodes": "{n:,} ältere Knoten",
        "high-end title": "High-End-Knoten",
        "older title": "ältere Knoten",
        "speed": "{runner} läuft mit Überprovisionierung ({older}) {ratio}-mal so schnell wie mit "
        "der Auslegung auf den Spitzenfall ({high_end}).",
        "the mean mix": "Der Anwendungsmix (gewichtetes geometrisches Mittel)",
        "ratio given": "Das Kostenverhältnis (Preis eines High-End-Knotens zu dem eines älteren "
        "Knotens) beträgt {ratio}, wie im Szenario angegeben{source}.",
        "ratio of racks": "Das Kostenverhältnis (Preis eines High-End-Knotens zu dem eines "
        "älteren Knotens) beträgt {ratio}, aus dem Kauf ganzer Racks.",
        "year": "Die Maschine kostet {cost} {currency} pro Jahr. Ihre {cores} Kerne liefern "
        "{hours} genutzte Kernstunden: 8,760 Stunden bei {used} Auslastung.",
        "gain and loss": "Mit der Auslegung „{design}“ ({other}) liefe {gain}; mit der Auslegung "
        "„{own}“ läuft {loss}.",
        "loss only": "Mit der Auslegung „{design}“ ({other}) ist keine Anwendung schneller; mit "
        "der Auslegung „{own}“ läuft {loss}.",
        "bound at peak": "Die Leistungsgrenze von {bound} reicht bei je {peak} Spitzenleistung "
        "für {nodes}.",
        "money binds": "Das Budget ist der Preis für {high_end}. Es reicht für {nodes}; die "
        "Leistungsgrenze reichte im Leerlauf für {limit}.",
        "power binds": "Im Leerlauf reicht die Leistungsgrenze für {nodes}. Der Preis für "
        "{high_end} reichte für {limit}.",
        "provisioned bill": "Nach den {power}, die für die Maschine bereitstehen, kostet eine "
        "Kernstunde {cost} {currency}.",
        "used bill": "Nach den {power}, die im Mittel bezogen werden, kostet eine Kernstunde "
        "{cost} {currency}.",
        "programs": "Exakte Optimierung bestätigt die Laufzeiten in {agree} von {total} Fällen "
        "({levels}).",
        "claimed": "laut Solver",
        "verified": "nachgerechnet",
        "proved": "bewiesen",
        "published": "{agree} von {total} veröffentlichten Zahlen stimmen im Rahmen der Rundung "
        "mit ihren eigenen Formeln überein.",
        "one differs": "{agree} von {total} veröffentlichten Zahlen stimmen im Rahmen der Rundung "
        "mit ihren eigenen Formeln überein. Ausnahme ist „{quantity}“: veröffentlicht {printed}, "
        "nachgerechnet {ours}.",
        "faster nodes": "High-End-Knoten sind {gain} schneller als ältere, verstanden als "
        "{reading}.",
        "alone": "Jede Anwendung läuft allein auf der ganzen Maschine.",
        "only acquisition": "Verglichen wird nur die Anschaffung, nicht Energie, Stellfläche und "
        "Personal.",
        "utilisation": "Die Auslastung beträgt in allen Jahren {used}. Die Kosten einer "
        "Kernstunde sind umgekehrt proportional dazu.",
        "written off": "Die Anschaffung wird in gleichen Teilen über {years} Jahre abgeschrieben.",
        "stated energy": "Tabelle und Abbildung enthalten für Strom und Kühlung die angegebenen "
        "{energy} {currency} pro Jahr.",
        "measure run time": "Die Laufzeit von {names} bei den zu kaufenden Knotenzahlen messen.",
        "measure run times": "Die Laufzeit von {names} sowie weiteren Anwendungen bei den zu "
        "kaufenden Knotenzahlen messen.",
        "measure nodes": "Beide Knotentypen messen: Was „{gain} schneller“ bedeutet, entscheidet "
        "über den Kauf.",
        "ask quotes": "Angebote einschließlich Racks einholen und das Kostenverhältnis erneut "
        "prüfen.",
        "check records": "Auslastung und Energiekosten mit den Betriebsdaten der Maschine "
        "abgleichen.",
        "application": "Anwendung",
        "worst-case time": "Spitzenfall (s)",
        "overprovisioned time": "Überprovisioniert (s)",
        "speedup": "Speedup",
        "faster design": "Schnellere Auslegung",
        "worst-case": "Spitzenfall",
        "overprovisioned": "überprovisioniert",
        "others": "{count} weitere",
        "times": "{application} braucht {worst_case} mit der Auslegung auf den Spitzenfall und "
        "{overprovisioned} mit Überprovisionierung.",
        "more in": "{count} weitere in der Tabelle aller Anwendungen",
        "none gains": "Keine Anwendung gewinnt durch {older} ältere statt {high_end} "
        "High-End-Knoten",
        "one gains": "{listed} gewinnt durch {older} ältere statt {high_end} High-End-Knoten",
        "only one gains": "Nur {listed} gewinnt durch {older} ältere statt {high_end} "
        "High-End-Knoten",
        "several gain": "{listed} gewinnen durch {older} ältere statt {high_end} High-End-Knoten",
        "only several gain": "Nur {listed} gewinnen durch {older} ältere statt {high_end} "
        "High-End-Knoten",
        "as assumed": "Unter den Annahmen: {finding}",
        "speedups": "Speedup der Überprovisionierung gegenüber der Auslegung auf den Spitzenfall, "
        "je Anwendung: {listed}. Über 1 ist die Überprovisionierung schneller.",
        "under other reading": " ({speedup} bei der anderen Lesart)",
        "time ratio decides": "„{gain} schneller“ = {reading} (wie angenommen)",
        "time ratio": "„{gain} schneller“ = {reading}",
        "speedup axis": "Speedup der Überprovisionierung (Gleichstand bei 1)",
        "extrapolated mark": "* Laufzeit extrapoliert.",
        "clamped mark": "† Laufzeit der nächstliegenden gemessenen Knotenzahl.",
        "part": "Posten",
        "per year": "{currency} pro Jahr",
        "per core-hour": "{currency} pro genutzter Kernstunde",
        "total": "Summe",
        "acquisition": "Anschaffung",
        "maintenance": "Wartung und Support",
        "energy": "Strom und Kühlung",
        "staff": "Personal",
        "largest cost": "{part}: {share} % der Jahreskosten von {machine}",
        "costs": "Jahreskosten nach Posten: {listed}; insgesamt {total}.",
        "cost axis": "Mio. {currency} pro Jahr",
    },
}
"""Phrases of the first page by language."""

_t = partial(phrase, TEMPLATES)


def faster(speedup: float, language: str = "en") -> str:
    """State how much faster the faster design is.

    Examples
    --------
    >>> faster(0.9954), faster(2.5), faster(1.0)
    ('0.5 % faster', '2.5 times as fast', 'equally fast')
    """
    ratio = max(speedup, 1 / speedup)
    if ratio - 1 < 5e-6:
        return _t(language, "equally fast")
    if ratio >= 2:
        return _t(language, "times as fast", ratio=f"{ratio:,.1f}")
    return _t(language, "faster", gain=percent(ratio - 1))


def decision_text(
    design: Design,
    comparisons: tuple[DesignComparison, ...],
    names: tuple[str, str],
    mix: float,
    language: str = "en",
    *,
    readings: Sequence[Reading] = (),
) -> str:
    """The decision in words; ``names`` are those of the high-end and the older type.

    Where all of several other readings of the inputs reverse it, there is no clear winner.
    """
    first = comparisons[0]
    high_end = f"{first.nodes_worst_case} x {names[0]}"
    older = f"{first.nodes_overprovisioned} x {names[1]}"
    bought, rejected = (older, high_end) if design == "overprovisioned" else (high_end, older)
    runner = first.application if len(comparisons) == 1 else _t(language, "the mix")
    speed, name = faster(mix, language), choice(mix, readings)
    if name == "no clear winner" and speed == _t(language, "equally fast"):
        bought = listed([bought, rejected], language)
    return _t(
        language,
        name,
        bought=bought,
        rejected=rejected,
        runner=runner,
        faster=speed,
        total=len(readings),
        others=_favoured(readings, comparisons, language),
    )


def choice(
    mix: float, readings: Sequence[Reading]
) -> Literal["buy", "nearly equal", "no clear winner"]:
    """Return how clear a decision is, given other readings of the inputs.

    Examples
    --------
    >>> choice(0.99, [])
    'buy'
    """
    if _all_reverse(readings):
        return "no clear winner"
    close = max(mix, 1 / mix) - 1 < NEARLY_EQUAL
    return "nearly equal" if close and any(each.reverses for each in readings) else "buy"


def _all_reverse(readings: Sequence[Reading]) -> bool:
    return len(readings) > 1 and all(reading.reverses for reading in readings)


NEARLY_EQUAL = 0.01
"""A decision by less than this fraction that another reading reverses is not a clear decision."""


def _favoured(
    readings: Sequence[Reading], comparisons: tuple[DesignComparison, ...], language: str
) -> str:
    """Return the nodes of the design that reversing readings favour: a range if they differ."""
    reversing = [reading for reading in readings if reading.reverses]
    if not reversing:
        return ""
    older = reversing[0].mix_speedup > 1
    planned = comparisons[0].nodes_overprovisioned
    counts = [
        (reading.nodes_overprovisioned or planned) if older else reading.nodes_worst_case
        for reading in reversing
    ]
    low, high = min(counts), max(counts)
    nodes = counted(TEMPLATES, language, f"{'older' if older else 'high-end'} node", high)
    if low == high:
        return nodes
    number, _, noun = nodes.partition(" ")
    return f"{_t(language, 'range', low=f'{low:,}', high=number)} {noun}"


def reversal_text(
    readings: Sequence[Reading],
    case: DesignCase,
    comparisons: tuple[DesignComparison, ...],
    *,
    narrow: bool,
    language: str = "en",
) -> str:
    """Which other readings of the inputs reverse the decision; empty if none does."""
    reversing = [
        reading_text(reading, case, comparisons, language)
        for reading in readings
        if reading.reverses
    ]
    notes = [_t(language, "narrow")] if narrow else []
    if reversing and not _all_reverse(readings):
        notes.append(_t(language, "reversed"))
    return " ".join([*notes, *reversing])


def reading_text(
    reading: Reading,
    case: DesignCase,
    comparisons: tuple[DesignComparison, ...],
    language: str = "en",
) -> str:
    """What another reading of the inputs means for the mix."""
    single = len(comparisons) == 1
    runner = comparisons[0].application if single else _t(language, "the short mix")
    older = reading.mix_speedup > 1
    if reading.nodes_overprovisioned is None:
        text = _t(
            language,
            "published ratio",
            runner=runner,
            faster=faster(reading.mix_speedup, language),
            design=_t(language, "overprovisioned" if older else "worst-case"),
            ratio=f"{reading.mix_speedup:.3f}",
        )
        return f"{text}." if reading.reverses else _t(language, "so confirms", case=text)
    nodes = reading.nodes_overprovisioned if older else reading.nodes_worst_case
    text = _t(
        language,
        reading.kind,
        gain=given(case.performance_fraction),
        reading=meaning(case, language),
        other=meaning(case, language, other=True),
        ratio=f"{reading.cost_ratio:.3f}",
        runner=runner,
        faster=faster(reading.mix_speedup, language),
        nodes=counted(TEMPLATES, language, f"on {'older' if older else 'high-end'} node", nodes),
    )
    if not reading.measured:
        text += _t(language, "not measured there")
    return f"{text}." if reading.reverses else _t(language, "so confirms", case=text)


def meaning(case: DesignCase, language: str = "en", *, other: bool = False) -> str:
    """What "faster by" means in the scenario, or its other meaning."""
    fraction = case.performance_fraction
    if (case.speed_ratio == "1 - r_p") != other:
        return _t(language, "less time", gain=given(fraction))
    return _t(language, "times the speed", ratio=f"{1 + fraction:,.6g}")

"""The phrases of a comparison of designs, in both languages, and those of its decision.

One table, :data:`TEMPLATES`, has all of them (see :mod:`planner.phrases`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from planner.formatting import percent
from planner.phrases import Templates, phrase

if TYPE_CHECKING:
    from planner.designs.overprovisioning import DesignComparison

Design = Literal["worst-case", "overprovisioned"]

TEMPLATES: Templates = {
    "en": {
        "buy": "Buy {bought} rather than {rejected}: {runner} runs {faster}.",
        "the mix": "the mix of applications",
        "equally fast": "equally fast",
        "times as fast": "{ratio} times as fast",
        "faster": "{gain} faster",
        "core-hour": "A used core-hour of {machine} costs {cost} {currency}.",
        "no question": "The scenario asks no question.",
        "narrow": "The margin is narrow.",
        "reading reverses": "If 'faster by r_p' means a time factor of {reading}, the "
        "recommendation reverses.",
        "racks reverse": "The recommendation reverses if whole racks are bought at the given "
        "prices.",
        "racks also reverse": "The recommendation also reverses if whole racks are bought at the "
        "given prices.",
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
        "speed": "The overprovisioned design runs {runner} at {ratio} times the speed of the "
        "worst-case design.",
        "the mean mix": "the mix (weighted geometric mean)",
        "money buys": "{money} buys {nodes} older nodes (cost ratio {ratio}).",
        "same money": "The same money",
        "money with racks": "The same money ({money} with racks)",
        "money without racks": "The same money ({money} without racks)",
        "year": "It costs {cost} {currency} a year and delivers {hours} used core-hours.",
        "other design": "{other}: the chosen design is {faster}.",
        "provisioned energy": "With the energy of the provisioned power, a core-hour costs {cost} "
        "{currency}.",
        "used energy": "With the energy of the used power, a core-hour costs {cost} {currency}.",
        "bound at peak": "The power bound of {bound} carries {nodes} at {peak} peak.",
        "bound at idle": "It carries {nodes} at idle.",
        "other reading reverses": "With a time factor of {reading} for 'faster by r_p', the speed "
        "ratio is {ratio}, which reverses the decision.",
        "other reading confirms": "With a time factor of {reading} for 'faster by r_p', the speed "
        "ratio is {ratio}, which confirms the decision.",
        "programs": "{agree} of {total} mixed-integer programs confirm the run times ({levels}).",
        "claimed": "claimed",
        "verified": "verified",
        "proved": "proved",
        "published": "{agree} of {total} published numbers agree within rounding.",
        "faster nodes": "High-end nodes are faster than older ones by the share r_p = {r_p}.",
        "alone": "Each application runs alone on the whole machine.",
        "only acquisition": "Only acquisition is compared; energy, space and staff are not.",
        "utilisation": "The utilisation is {used}; the cost is inversely proportional to it.",
        "measure run time": "Measure the run time of {names} at the node counts to be bought.",
        "measure run times": "Measure the run time of {names} and others at the node counts to be "
        "bought.",
        "measure nodes": "Measure both node types: 'faster by r_p' decides the purchase.",
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
        "more in": "{count} more in {file}",
        "none gains": "No application gains from {older} older nodes instead of {high_end} "
        "high-end ones",
        "one gains": "{listed} gains from {older} older nodes instead of {high_end} high-end ones",
        "only one gains": "Only {listed} gains from {older} older nodes instead of {high_end} "
        "high-end ones",
        "several gain": "{listed} gain from {older} older nodes instead of {high_end} high-end "
        "ones",
        "only several gain": "Only {listed} gain from {older} older nodes instead of {high_end} "
        "high-end ones",
        "speedups": "Speedup of the overprovisioned over the worst-case design per application: "
        "{listed}. Above 1, overprovisioning is faster.",
        "under other reading": " ({speedup} under the other reading)",
        "time ratio decides": "time ratio {reading} (decides)",
        "time ratio": "time ratio {reading}",
        "speedup axis": "speedup of overprovisioning (equally fast at 1)",
        "marks": "Filled: as decided; open: the other reading.",
        "acquisition": "Acquisition",
        "maintenance": "Maintenance and support",
        "energy": "Power and cooling",
        "staff": "Staff",
        "largest cost": "{part} is {share} % of what a year of {machine} costs",
        "costs": "Cost per year by part: {listed}; in all {total}.",
        "cost axis": "million {currency} per year",
    },
    "de": {
        "buy": "{bought} statt {rejected} kaufen: {runner} läuft {faster}.",
        "the mix": "Der Anwendungsmix",
        "equally fast": "gleich schnell",
        "times as fast": "{ratio}-mal so schnell",
        "faster": "{gain} schneller",
        "core-hour": "Eine genutzte Kernstunde von {machine} kostet {cost} {currency}.",
        "no question": "Das Szenario stellt keine Frage.",
        "narrow": "Der Vorsprung ist knapp.",
        "reading reverses": "Bedeutet „schneller um r_p“ einen Zeitfaktor von {reading}, kehrt "
        "sich die Empfehlung um.",
        "racks reverse": "Die Empfehlung kehrt sich um, wenn ganze Racks zu den angegebenen "
        "Preisen gekauft werden.",
        "racks also reverse": "Sie kehrt sich auch um, wenn ganze Racks zu den angegebenen "
        "Preisen gekauft werden.",
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
        "speed": "{runner} läuft mit Überprovisionierung {ratio}-mal so schnell wie mit der "
        "Auslegung auf den Spitzenfall.",
        "the mean mix": "Der Anwendungsmix (gewichtetes geometrisches Mittel)",
        "money buys": "{money} gibt es {nodes} ältere Knoten (Kostenverhältnis {ratio}).",
        "same money": "Für das gleiche Geld",
        "money with racks": "Für das gleiche Geld ({money} mit Racks)",
        "money without racks": "Für das gleiche Geld ({money} ohne Racks)",
        "year": "Die Maschine kostet {cost} {currency} pro Jahr und liefert {hours} genutzte "
        "Kernstunden.",
        "other design": "{other}: Die gewählte Auslegung ist {faster}.",
        "provisioned energy": "Mit der Energie der bereitgestellten Leistung kostet eine "
        "Kernstunde {cost} {currency}.",
        "used energy": "Mit der Energie der bezogenen Leistung kostet eine Kernstunde {cost} "
        "{currency}.",
        "bound at peak": "Die Leistungsgrenze von {bound} reicht bei je {peak} Spitzenleistung "
        "für {nodes}.",
        "bound at idle": "Im Leerlauf reicht sie für {nodes}.",
        "other reading reverses": "Mit dem Zeitfaktor {reading} für „schneller um r_p“ beträgt "
        "das Geschwindigkeitsverhältnis {ratio}; das kehrt die Entscheidung um.",
        "other reading confirms": "Mit dem Zeitfaktor {reading} für „schneller um r_p“ beträgt "
        "das Geschwindigkeitsverhältnis {ratio}; das bestätigt die Entscheidung.",
        "programs": "Gemischt-ganzzahlige Programme bestätigen die Laufzeiten in {agree} von "
        "{total} Fällen ({levels}).",
        "claimed": "laut Solver",
        "verified": "nachgerechnet",
        "proved": "bewiesen",
        "published": "{agree} von {total} veröffentlichten Zahlen stimmen im Rahmen der Rundung "
        "überein.",
        "faster nodes": "High-End-Knoten sind um den Anteil r_p = {r_p} schneller als ältere.",
        "alone": "Jede Anwendung läuft allein auf der ganzen Maschine.",
        "only acquisition": "Verglichen wird nur die Anschaffung, nicht Energie, Stellfläche und "
        "Personal.",
        "utilisation": "Die Auslastung beträgt {used}; die Kosten einer Kernstunde sind umgekehrt "
        "proportional dazu.",
        "measure run time": "Die Laufzeit von {names} bei den zu kaufenden Knotenzahlen messen.",
        "measure run times": "Die Laufzeit von {names} sowie weiteren Anwendungen bei den zu "
        "kaufenden Knotenzahlen messen.",
        "measure nodes": "Beide Knotentypen messen: Was „schneller um r_p“ bedeutet, entscheidet "
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
        "more in": "{count} weitere in {file}",
        "none gains": "Keine Anwendung gewinnt durch {older} ältere statt {high_end} "
        "High-End-Knoten",
        "one gains": "{listed} gewinnt durch {older} ältere statt {high_end} High-End-Knoten",
        "only one gains": "Nur {listed} gewinnt durch {older} ältere statt {high_end} "
        "High-End-Knoten",
        "several gain": "{listed} gewinnen durch {older} ältere statt {high_end} High-End-Knoten",
        "only several gain": "Nur {listed} gewinnen durch {older} ältere statt {high_end} "
        "High-End-Knoten",
        "speedups": "Speedup der Überprovisionierung gegenüber der Auslegung auf den Spitzenfall, "
        "je Anwendung: {listed}. Über 1 ist die Überprovisionierung schneller.",
        "under other reading": " ({speedup} bei der anderen Lesart)",
        "time ratio decides": "Zeitverhältnis {reading} (maßgeblich)",
        "time ratio": "Zeitverhältnis {reading}",
        "speedup axis": "Speedup der Überprovisionierung (Gleichstand bei 1)",
        "marks": "Gefüllt: maßgebliche Lesart; offen: die andere Lesart.",
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
) -> str:
    """The decision in one sentence; ``names`` are those of the high-end and the older type."""
    first = comparisons[0]
    high_end = f"{first.nodes_worst_case} x {names[0]}"
    older = f"{first.nodes_overprovisioned} x {names[1]}"
    bought, rejected = (older, high_end) if design == "overprovisioned" else (high_end, older)
    runner = first.application if len(comparisons) == 1 else _t(language, "the mix")
    speed = faster(mix, language)
    return _t(language, "buy", bought=bought, rejected=rejected, runner=runner, faster=speed)


def reversal_text(
    reading: str, *, narrow: bool, by_reading: bool, by_racks: bool, language: str = "en"
) -> str:
    """Which small changes reverse the decision; empty if none does."""
    notes = [_t(language, "narrow")] if narrow else []
    if by_reading:
        notes.append(_t(language, "reading reverses", reading=reading))
    if by_racks:
        notes.append(_t(language, "racks also reverse" if by_reading else "racks reverse"))
    return " ".join(notes)

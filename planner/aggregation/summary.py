"""A choice of a pattern in words, for the command line and for the report alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.aggregation.methods import HEURISTICS
from planner.aggregation.patterns import Pattern
from planner.formatting import capitalised, plural

if TYPE_CHECKING:
    from planner.aggregation.result import AggregationResult
    from planner.aggregation.selection import Candidate

FEW_CODES = 8
"""Training codes below which models of IPC, and what is known of their errors, are poor."""


_AS_FAST = 5e-4
SIMULATED = "Simulated, not measured"
"""What is said of results from the simulated node."""


def percent(fraction: float | None) -> str:
    """A fraction in per cent, one decimal; a dash where it is not known.

    Examples
    --------
    >>> percent(0.0512), percent(-0.02), percent(-1e-9)
    ('5.1 %', '-2.0 %', '0.0 %')
    """
    if fraction is None:
        return "-"
    return f"{100 * fraction:.1f} %".replace("-0.0 %", "0.0 %")


def pace(slowdown: float) -> str:
    """A slowdown as people say it.

    Examples
    --------
    >>> pace(0.031), pace(-0.02), pace(0.0001)
    ('3.1 % slower', '2.0 % faster', 'equally fast')
    """
    if abs(slowdown) < _AS_FAST:
        return "equally fast"
    return f"{percent(abs(slowdown))} {'slower' if slowdown > 0 else 'faster'}"


def energy(joules: float | None) -> str:
    """An energy; a dash where it is not known.

    Examples
    --------
    >>> energy(812.0), energy(1234567.0), energy(3.4e9)
    ('812 J', '1,235 kJ', '3,400 MJ')
    """
    if joules is None:
        return "-"
    for unit, size in (("MJ", 1e6), ("kJ", 1e3)):
        if abs(joules) >= 1e3 * size:
            return f"{joules / size:,.0f} {unit}"
        if abs(joules) >= 10 * size:
            return f"{joules / size:,.1f} {unit}"
    return f"{joules:,.0f} J"


def parts(pattern: Pattern) -> str:
    """What a pattern occupies of a node.

    Examples
    --------
    >>> from scenarios.aggregation.task_layout import Layout
    >>> parts(Pattern(6, Layout(2, 1, 2)))
    '2 sockets x 1 die x 2 cores'
    """
    words = ("socket", "die", "core")
    return " x ".join(map(plural, pattern.layout, words))


def per_node(pattern: Pattern) -> str:
    """How many ranks share a node, in words."""
    return (
        f"{'one' if pattern.tasks == 1 else f'{pattern.tasks:,}'} "
        f"rank{'s' * (pattern.tasks > 1)} per node"
    )


def sentence(study: AggregationResult) -> str:
    """The choice with its rule, and what it costs or saves against the baseline."""
    chosen = study.chosen
    head = f"Run {per_node(chosen.pattern)} on {plural(study.nodes(chosen.pattern), 'node')}"
    head = f"{head}{_why(study)}."
    if chosen is not study.baseline:
        return f"{head} It takes {gained(study, chosen)} and is {pace(study.slower(chosen))}."
    if chosen is not study.reference:
        return f"{head} It takes {_less_than_one(study)} and is {pace(chosen.slowdown)}."
    return head


def _why(study: AggregationResult) -> str:
    """The rule by which the pattern was chosen, with its number."""
    if study.decided.method in HEURISTICS:
        return f" (rule of thumb: {study.decided.method})"
    if study.chosen is study.reference:
        return f": {_why_reference(study)}"
    what = "least predicted energy" if study.least_energy else "fewest nodes"
    return f": {what} at most {_limit(study)} slower than one rank per node"


def _limit(study: AggregationResult) -> str:
    return f"{100 * study.settings.threshold:.6g} %"


def details(study: AggregationResult) -> str:
    """The layout on a node, and the predicted slowdown with its limit."""
    chosen = study.chosen
    lines = [
        "A pattern states how many ranks run on each node, socket and die.",
        f"Pattern {chosen.pattern.id} uses {parts(chosen.pattern)} of each node.",
    ]
    if study.fills_nodes and chosen is not study.reference:
        lines.append("Batch systems that fill nodes already do this: no saving against them.")
    if chosen not in (study.reference, study.baseline):  # else the headline says it
        lines.append(f"Predicted: {against_one(study)} (limit {_limit(study)}).")
    return " ".join(lines)


def against_one(study: AggregationResult) -> str:
    """The pace of the chosen against one rank per node."""
    slowdown = study.chosen.slowdown
    than = "as" if abs(slowdown) < _AS_FAST else "than"
    return f"{pace(slowdown)} {than} one rank per node".replace("equally fast as", "as fast as")


def _less_than_one(study: AggregationResult) -> str:
    """Energy of the chosen, or nodes where energy is not known, against one rank per node."""
    chosen, reference = study.chosen, study.reference
    if chosen.energy_j is None or reference.energy_j is None:
        gain = 1 - study.nodes(chosen.pattern) / study.nodes(reference.pattern)
        return less(gain, "nodes", "one rank per node")
    return less(1 - chosen.energy_j / reference.energy_j, "energy", "one rank per node")


def against(study: AggregationResult) -> str:
    """The baseline in words."""
    if study.baseline is study.reference:
        return "one rank per node"
    return f"{per_node(study.baseline.pattern)} (baseline)"


def ratio(saving: float | None) -> str:
    """What is used over what the baseline uses; a dash where it is not known.

    Examples
    --------
    >>> ratio(0.694), ratio(-4.206), ratio(None)
    ('0.31 x', '5.21 x', '-')
    """
    return "-" if saving is None else f"{1 - saving:.2f} x"


def _why_reference(study: AggregationResult) -> str:
    """Why one rank per node is chosen."""
    others = [c for c in study.candidates if c is not study.reference]
    if not others:
        return "no pattern with more ranks per node can be predicted"
    if study.tolerable - {study.reference.pattern.id}:
        return f"every pattern with more ranks within the {_limit(study)} limit needs more energy"
    return f"no pattern with more ranks per node is at most {_limit(study)} slower"


def gained(study: AggregationResult, candidate: Candidate) -> str:
    """What is saved against the baseline: energy, or nodes where energy is not known."""
    return less(study.gain(candidate), "energy" if study.metered else "nodes", against(study))


def less(gain: float, what: str, base: str) -> str:
    """A saving against something.

    Examples
    --------
    >>> less(0.694, "energy", "full nodes"), less(0.5, "nodes", "pattern 1")
    ('69.4 % less energy than full nodes', '50.0 % fewer nodes than pattern 1')
    >>> less(-0.594, "energy", "pattern 1"), less(-4.2, "energy", "pattern 1")
    ('59.4 % more energy than pattern 1', '5.2 times the energy of pattern 1')
    """
    if gain <= -1:
        return f"{1 - gain:.1f} times the {what} of {base}"
    if gain < 0:
        return f"{percent(-gain)} more {what} than {base}"
    return f"{percent(gain)} {'fewer' if what == 'nodes' else 'less'} {what} than {base}"


def certificate_text(study: AggregationResult) -> str:
    """The true outcome on the simulated node; else the cross-validation error of IPC."""
    choice, tried = study.choice, study.learnt.tried[0]
    if choice is None:
        return (
            f"Cross-validation error of IPC: {percent(tried.mean_error)} mean, "
            f"{percent(tried.most_error)} worst."
        )
    truths = study.truths
    assert truths is not None  # noqa: S101 - a choice in truth has truths
    taken, base = study.chosen.pattern.id, study.baseline.pattern.id
    parts = []
    if taken != base:
        energies = less(truths.saving(taken, base), "energy", against(study))
        parts.append(f"{energies}, {pace(truths.slower(taken, base))}")
    if base != study.reference.pattern.id and study.chosen is not study.reference:
        than = "as" if abs(choice.slowdown) < _AS_FAST else "than"
        text = f"{pace(choice.slowdown)} {than} one rank per node"
        parts.append(
            f"{text.replace('equally fast as', 'as fast as')} "
            f"(predicted: {pace(study.chosen.slowdown)})"
        )
    if not choice.tolerable:
        parts.append("above the slowdown limit")
    limit = f"within the {100 * choice.threshold:.6g} % limit"
    best = f"no pattern {limit} takes less energy"
    if choice.best != taken:
        result = less(truths.saving(choice.best, taken), "energy", "this choice")
        best = f"least energy {limit}: pattern {choice.best} ({result})"
    known = f"{'; '.join(parts)}. {capitalised(best)}" if parts else best
    return f"Ground truth of the simulated node: {known}."


def _unsure(study: AggregationResult) -> Iterator[str]:
    """Errors of IPC that are not small against what is tolerated, and too little to know them."""
    tried, tolerated = study.learnt.tried[0], study.settings.threshold
    off = (
        "The cross-validation error of IPC (instructions per cycle) is "
        f"{percent(tried.mean_error)} on average"
    )
    limit = f"{100 * tolerated:.6g} %"
    if tried.mean_error > tolerated / 2:
        yield f"{off}; the predictions cannot distinguish a slowdown of {limit} from none."
    elif tried.most_error > tolerated:
        advice = " Time the chosen pattern before you rely on it."
        if study.chosen is study.reference:
            over = any(each.pattern.id not in study.tolerable for each in study.candidates)
            after_all = " A pattern with more ranks per node may be within this limit after all."
            advice = after_all if over else ""
        yield (
            f"{off}, but up to {percent(tried.most_error)}, above the tolerated slowdown of "
            f"{limit}.{advice}"
        )
    codes = len({run.code for run in study.measured.training})
    if codes < FEW_CODES:
        yield (
            f"There are only {codes} training codes, so errors on a new code may be several times "
            f"larger. Measure {FEW_CODES} or more, as different as possible."
        )


def risks(study: AggregationResult) -> Iterator[str]:
    """What may make the choice wrong."""
    measured, settings = study.measured, study.settings
    if measured.simulated:
        yield f"{SIMULATED}: {measured.source}."
    elif not measured.source:
        yield "The files do not state where their numbers come from (# source: ...)."
    yield from (f"{capitalised(warning)}." for warning in measured.warnings)
    traffic = measured.program.traffic
    if measured.messages and not len(traffic.source) and not traffic.block_b:
        yield (
            "The program's messages are missing (traffic.csv), although message-times.csv is "
            "there. If it sends any, all predictions lack them."
        )
    yield from _unsure(study)
    if study.freed:
        yield (
            f"The energy is that of used nodes. If the {plural(study.freed, 'freed node')} "
            f"{'idles' if study.freed == 1 else 'idle'} instead of being off or running other "
            "jobs, less is saved."
        )
    if study.choice is not None and not study.choice.tolerable:
        yield (
            f"In the simulation the choice is {pace(study.choice.slowdown)}, above the tolerated "
            f"{100 * settings.threshold:.6g} %."
        )


def warnings(study: AggregationResult) -> Iterator[str]:
    """What may mislead: the risks, then what is not known or not offered."""
    yield from risks(study)
    if not study.metered:
        yield f"Energy is not known: {study.learnt.unmetered}. Ranking patterns does not need it."
    if study.other is not None and study.other is not study.chosen:
        words = "predicted energy" if study.settings.choose == "rank" else "fewest nodes"
        yield f"Choosing by {words} would give pattern {study.other.pattern.id}."
    untried = [p for p, why in study.refused.items() if why.startswith("no training")]
    if untried:
        listed = ", ".join(map(str, untried))
        noun = "pattern" if len(untried) == 1 else "patterns"
        yield f"Not offered, because no training code ran under them: {noun} {listed}."

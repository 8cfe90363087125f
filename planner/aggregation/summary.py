"""A choice of a pattern in words, for the command line and for the report alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.aggregation.methods import HEURISTICS
from planner.aggregation.patterns import Pattern
from planner.formatting import plural

if TYPE_CHECKING:
    from planner.aggregation.result import AggregationResult
    from planner.aggregation.selection import Candidate

FEW_CODES = 8
"""Training codes below which models of IPC, and what is known of their errors, are poor."""


_AS_FAST = 5e-4


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
    ('3.1 % slower', '2.0 % faster', 'as fast')
    """
    if abs(slowdown) < _AS_FAST:
        return "as fast"
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
    '2 processors x 1 die x 2 cores'
    """
    words = ("processor", "die", "core")
    return " x ".join(map(plural, pattern.layout, words))


def sentence(study: AggregationResult) -> str:
    """The choice; its price first where it uses more than the baseline."""
    chosen, program = study.chosen, study.measured.program
    who = f"{program.name} on {plural(program.traffic.tasks, 'task')}"
    pattern = (
        f"pattern {chosen.pattern.id}, {plural(chosen.pattern.tasks, 'task')} on each of "
        f"{plural(study.nodes(chosen.pattern), 'node')} ({parts(chosen.pattern)})."
    )
    head = f"{who}: {pattern}"
    if chosen is study.reference and study.decided.method not in HEURISTICS:
        head = f"{head} {_why_reference(study)}"
    if chosen is study.baseline:
        return head if chosen is study.reference else f"{head} It is the baseline. {_limit(study)}"
    difference = f"{gained(study, chosen)} than {against(study)}, {pace(study.slower(chosen))}."
    compared = f"{head} Predicted: {difference}"
    if study.gain(chosen) < 0:
        compared = f"{who}: predicted {difference} Chosen: {head.removeprefix(f'{who}: ')}"
    if study.reference in (study.baseline, chosen):
        return compared
    return f"{compared} {_limit(study)}"


def _limit(study: AggregationResult) -> str:
    """The chosen against the limit, which is against one task per node."""
    return (
        f"Predicted: {pace(study.chosen.slowdown)} than one task per node (limit "
        f"{100 * study.settings.threshold:.6g} %)."
    ).replace("as fast than", "as fast as")


def against(study: AggregationResult) -> str:
    """The baseline in words."""
    pattern = study.baseline.pattern
    if study.baseline is study.reference:
        return "with one task per node"
    return f"with {plural(pattern.tasks, 'task')} on a node (pattern {pattern.id}, the baseline)"


def ratio(saving: float | None) -> str:
    """What is used over what the baseline uses; a dash where it is not known.

    Examples
    --------
    >>> ratio(0.694), ratio(-4.206), ratio(None)
    ('0.31 x', '5.21 x', '-')
    """
    return "-" if saving is None else f"{1 - saving:.2f} x"


def _why_reference(study: AggregationResult) -> str:
    """Why one task per node is left."""
    others = [c for c in study.candidates if c is not study.reference]
    if not others:
        return "No pattern with more tasks on a node can be predicted."
    if study.tolerable - {study.reference.pattern.id}:
        return "Every tolerable pattern with more tasks on a node is predicted to take more energy."
    return "No pattern with more tasks on a node is predicted to be tolerable."


def gained(study: AggregationResult, candidate: Candidate) -> str:
    """What is saved: energy, or nodes where energy is not known."""
    return less(study.gain(candidate), "energy" if study.metered else "nodes")


def less(gain: float, what: str) -> str:
    """A saving as people say it.

    Examples
    --------
    >>> less(0.694, "energy"), less(0.5, "nodes"), less(-0.594, "energy"), less(-4.2, "energy")
    ('69.4 % less energy', '50.0 % fewer nodes', '59.4 % more energy', '420.0 % more energy')
    """
    if gain < 0:
        return f"{percent(-gain)} more {what}"
    return f"{percent(gain)} {'fewer' if what == 'nodes' else 'less'} {what}"


def sureness(study: AggregationResult) -> str:
    """In truth on the simulated node; else how far the model of IPC may be off."""
    choice, tried = study.choice, study.learnt.tried[0]
    if choice is None:
        return (
            "On training codes left out, predictions of IPC are off by "
            f"{percent(tried.mean_error)} on average, by {percent(tried.most_error)} at most."
        )
    truths = study.truths
    assert truths is not None  # noqa: S101 - a choice in truth has truths
    taken, base = study.chosen.pattern.id, study.baseline.pattern.id
    parts = []
    if taken != base:
        energies = less(truths.saving(taken, base), "energy")
        parts.append(f"{energies} than {against(study)}, {pace(truths.slower(taken, base))}")
    if base != study.reference.pattern.id and study.chosen is not study.reference:
        than = "as" if abs(choice.slowdown) < _AS_FAST else "than"
        parts.append(f"{pace(choice.slowdown)} {than} one task per node")
    if not choice.tolerable:
        parts.append("too slow")
    if choice.best == taken:
        parts.append("no pattern is better")
    else:
        result = less(truths.saving(choice.best, taken), "energy")
        parts.append(f"pattern {choice.best} is the best: it takes {result} than the chosen")
    return f"SIMULATED, in truth: {'; '.join(parts)}."


def _unsure(study: AggregationResult) -> Iterator[str]:
    """Errors of IPC that are not small against what is tolerated, and too little to know them."""
    tried, tolerated = study.learnt.tried[0], study.settings.threshold
    off = f"On training codes left out, predictions of IPC are off by {percent(tried.mean_error)}"
    limit = f"{100 * tolerated:.6g} %"
    if tried.mean_error > tolerated / 2:
        yield f"{off} on average; a slowdown of {limit} cannot be told from none."
    elif tried.most_error > tolerated:
        yield (
            f"{off} on average, but by up to {percent(tried.most_error)}, more than the tolerated "
            f"slowdown of {limit}; time the chosen pattern before relying on it."
        )
    codes = len({run.code for run in study.measured.training})
    if codes < FEW_CODES:
        yield (
            f"Only {codes} training codes: errors on a new code may be several times those on "
            f"codes left out; measure {FEW_CODES} or more, unlike each other."
        )


def warnings(study: AggregationResult) -> Iterator[str]:
    """What may mislead."""
    measured, settings = study.measured, study.settings
    if measured.simulated:
        yield f"SIMULATED, nothing of this was measured: {measured.source}."
    elif not measured.source:
        yield "The files do not say where their numbers are from (# source: ...)."
    yield from (f"{warning[0].upper()}{warning[1:]}." for warning in measured.warnings)
    traffic = measured.program.traffic
    if measured.messages and not len(traffic.source) and not traffic.block_b:
        yield (
            "No messages of the program are given (traffic.csv), though message-times.csv has "
            "their times: if it sends any, all predictions lack them."
        )
    yield from _unsure(study)
    if not study.metered:
        yield f"Energy is not known: {study.learnt.unmetered}. The rank of patterns needs none."
    if study.other is not None and study.other is not study.chosen:
        words = "predicted joules" if settings.choose == "rank" else "rank"
        yield f"By {words} pattern {study.other.pattern.id} would be chosen."
    if study.choice is not None and not study.choice.tolerable:
        yield (
            f"In truth the choice is {pace(study.choice.slowdown)}, beyond the tolerated "
            f"{100 * settings.threshold:.6g} %."
        )
    untried = [p for p, why in study.refused.items() if why.startswith("no training")]
    if untried:
        listed = ", ".join(map(str, untried))
        yield f"Not offered, as no training code ran under them: patterns {listed}."

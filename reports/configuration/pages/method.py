"""How the answer was found, and what it leaves out."""

from __future__ import annotations

from planner.configurations.confidence import predictions
from planner.configurations.study import ConfigurationStudy
from planner.formatting import given
from reports.blocks import Block, Drawn, Page, bullets, formulas, text
from reports.configuration.summary import bound

REPETITIONS = {
    "median": "the time and power of its median run (the slower of two middle runs)",
    "best": "the time and power of its fastest run",
    "worst": "its longest time and its largest power",
}
"""What represents a configuration, by ``--repetition``."""


_MODELS = {
    "log-polynomial": "a polynomial in the logarithms of nodes, cores and cap",
    "physical": "a law of a power-capped node",
    "physical+process": "a law of a power-capped node, corrected by Gaussian processes",
}
"""What a model is, by its name."""


def page(study: ConfigurationStudy, _pictures: Drawn) -> Page:
    """The problem as a formula, and every rule in words."""
    question, node = study.question, study.question.node
    guard = question.bound.guard
    predicted = predictions(study.answers)[1] > 0
    guarded = (
        f"A guard of {given(guard)} of the bound is kept free for errors in power."
        if guard
        else "No part of the bound is kept free as a guard, because every power is that of a run."
        if not predicted
        else f"Predicted powers keep {given(question.prediction_guard)} of the bound free for "
        "errors; measured powers keep nothing free."
        if question.prediction_guard
        else "No part of the bound is kept free as a guard, so an error of a predicted power "
        "breaks the bound."
    )
    rules = [
        _source(study),
        *_not_needed(study),
        ("Ties are broken by less power, then by fewer nodes, fewer cores and the lower cap."),
        _names(study),
        (
            "The worst case by rating has floor(bound / node maximum) nodes with all cores and the "
            f"highest cap. The node maximum is {node.sockets} x ({node.tdp_w:g} + "
            f"{node.dram_max_w:g}) W = {bound(node.power_w)}. The largest node count that was run, "
            "up to this number, counts."
        ),
        (
            "Speed-up is old time divided by new time. Time saved is 1 minus new time divided by "
            "old time. A speed-up of 2 is 50 % of time saved."
        ),
    ]
    if len(study.answers) > 1:
        rules.append(
            "The mix is the weighted geometric mean of the applications' times. Each time is "
            "relative to the fewest nodes on which all applications run."
        )
    blocks: tuple[Block, ...] = (
        formulas(),
        text(guarded),
        bullets(rules),
    )
    return Page("Appendix: how the answer was found", _exact(study), blocks)


def _names(study: ConfigurationStudy) -> str:
    """Define the canonical configurations that the report names: of several, only packed-max."""
    if len(study.answers) == 1:
        return f"Canonical configurations: {study.growth_rule}"
    less = " (predicted: than the bound less the guard)" if study.model else ""
    return (
        "Packed-max uses the most cores per node and the highest cap. It takes the next node count "
        f"until that count would draw more than the bound{less}."
    )


def _not_needed(study: ConfigurationStudy) -> list[str]:
    """Say what the requested model is, and that it predicted nothing, where that is so."""
    if not study.model or predictions(study.answers)[1]:
        return []
    does = _MODELS.get(study.model)
    means = f" ({does})" if does else ""
    return [f"The model {study.model}{means} was requested, but there was nothing to predict."]


def _source(study: ConfigurationStudy) -> str:
    if predictions(study.answers)[1]:
        return (
            f"A configuration that was run counts with {REPETITIONS[study.question.repetition]}. "
            f"All others are predictions of {study.fitted}, which is trained on the same runs."
        )
    return f"A configuration counts with {REPETITIONS[study.question.repetition]}."


def _exact(study: ConfigurationStudy) -> str:
    if predictions(study.answers)[1]:
        return (
            "All configurations were compared: with the values of their runs where they were run, "
            "else with predicted ones."
        )
    return "All configurations that were run were compared, so the best of them is exact."


SOCKETS_DIFFER = (
    "All nodes use the same cores and the same cap. Sockets vary: other nodes of the same type may "
    "be slower under the same cap, or draw more power."
)


def power_limit(*, counts_memory: bool) -> str:
    """What measured power leaves out."""
    if counts_memory:
        return (
            "Power is the mean power of packages and memory over the run. Boards, network, fans "
            "and losses of power supplies come on top. Peaks within a run may exceed the mean."
        )
    return (
        "Power is the mean power of packages over the run; memory was not measured for every "
        "application. Memory, boards, network, fans and losses of power supplies come on top. "
        "Peaks within a run may exceed the mean."
    )


def limits(study: ConfigurationStudy, _pictures: Drawn) -> Page:
    """Limits that apply to this table."""
    lines = [
        (
            "Not every time and power was measured. The smallest of many predictions tends to be "
            "too low, and errors outside the measured range may exceed the guard. Run the choice."
            if predictions(study.answers)[1]
            else "Only configurations that were run are compared. Other configurations, inputs or "
            "node counts may give another result."
        ),
        power_limit(counts_memory=study.counts_memory),
        SOCKETS_DIFFER,
        (
            "One application runs at a time and has all the power. Queues and neighbouring jobs "
            "are not modelled."
        ),
        (
            "The worst case by rating is only as good as the ratings given for sockets, package "
            "power and memory power."
        ),
    ]
    if any(not spread.repeated for spread in study.repeats):
        lines.append("The variation of a configuration that was run once is unknown.")
    return Page("What are the limits of this result?", "", (bullets(lines),))

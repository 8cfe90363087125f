"""How the answer was found, and what it leaves out."""

from __future__ import annotations

from planner.configurations.confidence import predictions
from planner.configurations.study import ConfigurationStudy
from planner.formatting import given
from reports.blocks import Block, Drawn, Page, bullets, formulas, text
from reports.configuration.summary import bound

REPETITIONS = {
    "median": "time and power of its median run (of an even number the slower in the middle)",
    "best": "time and power of its fastest run",
    "worst": "the longest of its times and the largest of its powers",
}
"""What speaks for a configuration, by ``--repetition``."""


def page(study: ConfigurationStudy, _pictures: Drawn) -> Page:
    """The problem as a formula, and every rule in words."""
    question, node = study.question, study.question.node
    guard = question.bound.guard
    rule = study.growth_rule
    predicted = predictions(study.answers)[1] > 0
    guarded = (
        f"A guard of {given(guard)} is left free, since an error in power would break the bound."
        if guard
        else "No guard is left: the powers are those that were measured."
        if not predicted
        else f"Predicted powers leave {given(question.prediction_guard)} of the bound free, since "
        "an error would break it; measured powers leave nothing."
        if question.prediction_guard
        else "No guard is left, though powers are predicted: an error in power breaks the bound."
    )
    rules = [
        _source(study),
        (
            "Of equally fast configurations the one that draws least is taken, then fewer nodes, "
            "fewer cores, the lower cap."
        ),
        f"Canonical configurations. {rule[0].upper()}{rule[1:]}",
        (
            f"The worst case by rating is floor(bound / node maximum) nodes, all cores, no cap; a "
            f"node's maximum is {node.sockets} x ({node.tdp_w:g} + {node.dram_max_w:g}) W = "
            f"{bound(node.power_w)}. Of the node counts of the table the "
            "largest not above it is taken."
        ),
        (
            "The winner at every bound: configurations that no other beats in time and power, "
            "each from its own power (over 1 less the guard) on."
        ),
        (
            "Both conventions of gain are shown: speedup is old time over new time, time "
            "reduction 1 less new time over old time."
        ),
    ]
    if len(study.answers) > 1:
        rules.append(
            "The mix is the weighted geometric mean of the applications' times, each relative to "
            "its own time on the fewest nodes that serve all."
        )
    exact = (
        "so the best is the best of runs and predictions" if predicted else "so the best is exact"
    )
    blocks: tuple[Block, ...] = (
        formulas(),
        text(f"Every configuration of the table is looked at, {exact}. {guarded}"),
        bullets(rules),
    )
    return Page("How was this found?", _exact(study), blocks)


def _source(study: ConfigurationStudy) -> str:
    if predictions(study.answers)[1]:
        return (
            f"A configuration that was run counts as measured: "
            f"{REPETITIONS[study.question.repetition]}. All others are predictions of "
            f"{study.fitted}; the model learns from the same runs."
        )
    return f"Of repetitions, {REPETITIONS[study.question.repetition]} speak for a configuration."


def _exact(study: ConfigurationStudy) -> str:
    if predictions(study.answers)[1]:
        return (
            "By looking at every configuration: as measured where it was run, else as a model "
            "predicts it."
        )
    return "By looking at every configuration that was measured: the best of them, by arithmetic."


SOCKETS_DIFFER = (
    "Every node runs with the same cores and the same cap. Sockets differ: other nodes of the same "
    "type may be slower under the same cap, or draw more."
)


def power_limit(*, counts_memory: bool) -> str:
    """What measured power leaves out."""
    if counts_memory:
        return (
            "Power is the mean power of packages and memory over the run, not that of whole nodes "
            "at the wall: board, network, fans and losses of supplies come on top. Peaks within a "
            "run may pass the mean."
        )
    return (
        "Power is the mean power of packages over the run; memory was not measured for every "
        "application and does not count there. Board, network, fans and losses of supplies come "
        "on top. Peaks within a run may pass the mean."
    )


def limits(study: ConfigurationStudy, _pictures: Drawn) -> Page:
    """Limits that apply to this table."""
    lines = [
        (
            "Not every time and power was measured. The least of many predictions tends to be low, "
            "and far from what was measured a model may be wrong by more than its guard: run the "
            "choice, with --next for what else to run."
            if predictions(study.answers)[1]
            else "The best is the best of what was measured; nothing is said of configurations "
            "between or beyond, and other inputs or node counts may choose others."
        ),
        power_limit(counts_memory=study.counts_memory),
        SOCKETS_DIFFER,
        "One application runs at a time, on all the power; queues and neighbours are not modelled.",
        (
            "The worst case by rating takes the ratings given; where --sockets, --tdp-w or "
            "--dram-max-w do not describe the machine, so does it."
        ),
    ]
    if any(not spread.repeated for spread in study.repeats):
        lines.append("Where a configuration was run once, its spread is unknown.")
    return Page("What does this leave out?", "", (bullets(lines),))

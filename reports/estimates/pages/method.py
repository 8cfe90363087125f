"""How this was simulated, and what is left out."""

from __future__ import annotations

from planner.formatting import given, plural
from planner.scheduling.estimates.gain_text import seeds
from planner.scheduling.estimates.settings import WEIGHTS
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.summary import group
from reports.blocks import Block, Drawn, Page, bullets, grid
from reports.estimates.gain_text import signs
from reports.grid import Table, table
from reports.job_log_facts import log_rows
from reports.numbers import typed
from reports.skeleton import command_line, provenance_page

_STAGES = (
    "the clock goes on", "new jobs are read", "throttles decide which are considered",
    "running jobs go on", "jobs end, at their estimate at the latest", "priorities are computed",
    "jobs are taken in their order, and behind one that cannot start others are backfilled",
    "those that can start are picked", "they start",
)  # fmt: skip
_PLACEMENTS = {
    "from-below": "the shortest run time without a class opens one, up to 1 + e times itself",
    "from-above": "the longest run time without a class opens one, down to its (1 + e)-th part",
    "grid-maxima": "between the edges (1 + e)^k seconds, whatever the run times are",
    "grid-edges": "between the edges (1 + e)^k seconds, estimated by the upper edge",
}
_TRAPS = (
    (
        "A job's class is chosen by its true run time: the tool is a bounded-error oracle. What it "
        "gains is what estimates of that quality would be worth to somebody who had them; honest "
        "predictors are another page, with predictions that are too short and what they cost."
    ),
    (
        "The log's run times came about under the recorded requests: jobs that were killed at "
        "their limit look as if they had ended by themselves, and would have run longer."
    ),
    (
        "Jobs are submitted when the log says: users who wait less would submit more, and nobody "
        "here reacts to a wait, a kill or a tool."
    ),
    (
        "Gains are those of the seed group compared with the same users without the tool. Over all "
        "jobs, where few use the tool, the sign may be another: who overtakes makes others wait."
    ),
    (
        "Gains of the size that the paper prints, 1 to 23 %, may be no larger than the spread "
        "between seeds, so every gain is shown with its spread. The paper draws one group."
    ),
)


def page(study: EstimateStudy, _drawn: Drawn) -> Page:
    """The scheduler, the oracle, the users, and the weights."""
    settings, configuration = study.settings, study.configuration
    numbered = "; ".join(f"({number}) {words}" for number, words in enumerate(_STAGES, start=1))
    share = given(study.workload.seed_group)
    lines = [
        f"The scheduler acts every {configuration.iteration_s:,} s, in nine stages: {numbered}.",
        (
            "Priority is a sum over components of weight times the weighted sum of their parts. "
            f"Backfilling is {configuration.backfill.policy} behind "
            f"{plural(configuration.backfill.reservations, 'reservation')}."
        ),
        (
            f"Fairshare remembers {plural(configuration.fairshare.windows, 'window')} of "
            f"{configuration.fairshare.window_s:,} s; one is worth "
            f"{typed(configuration.fairshare.decay)} times the next newer. It begins empty."
        ),
        (
            "The oracle sorts run times into classes and estimates each job by the top of its "
            "class, never below its run time and at most the largest error e above it, relative to "
            f"the run time. Classes here, {settings.placement}: "
            f"{_PLACEMENTS[settings.placement]}. Which the paper used is not stated."
        ),
        (
            f"A seed puts the users into an order. The first {share} are the seed group, "
            f"{group(study)}; at an uptake of u the first share u of all users use the tool, so "
            f"that at {share} the seed group alone does. Others keep their requests."
        ),
        (
            f"{plural(len(study.outcomes), 'simulation')}, {seeds(study)}: each uptake with each "
            "largest error and seed; no tool, exact estimates for all, each predictor with each "
            "strategy, and other weights where asked for, without a seed, as all or none use them."
        ),
    ]
    blocks: list[Block] = [bullets(lines), grid(_weights(study), "Weights of the scheduler")]
    return Page("How was this simulated?", "", tuple(blocks))


def _weights(study: EstimateStudy) -> Table:
    priority = study.configuration.priority
    rows = []
    for component, name in WEIGHTS:
        part = getattr(priority, component)
        weight = typed(part.weight * getattr(part, name))
        source = part.source or study.configuration.source or "not stated"
        rows.append((component, name.replace("_", " "), weight, source))
    columns = (("Component", False), ("Part", False), ("Weight", True), ("Source", False))
    return table(columns, (0.9, 1, 0.7, 3), rows)


def limits(study: EstimateStudy, _drawn: Drawn) -> Page:
    """Return what a reader must not take from the figures."""
    lines = [
        *_TRAPS,
        _weights_said(study),
        (
            "Jobs are rigid and only processors are counted: no topology, memory, partitions or "
            "failures."
        ),
    ]
    return Page("What does this leave out?", "", (bullets(lines),))


def _weights_said(study: EstimateStudy) -> str:
    message = "Weights are assumed where the paper prints none"
    if study.settings.weights:
        return f"{message}; their page tells how much hangs on them."
    return f"{message}; how much hangs on them was not played."


def appendix(study: EstimateStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    log = study.workload.log
    paper = (
        "Smith, Hammond and Jarvis (2011). The effect of an application performance modelling "
        "tool. UKPEW."
    )
    rows = [
        *log_rows(log, study.files),
        ("Scheduler", study.configuration.name),
        ("Paper", paper),
        ("Command", command_line(study.command) or "made from Python"),
        ("Seeds", seeds(study)),
        ("Repeatability", "the same input, seeds and versions give the same bytes"),
    ]
    return provenance_page(study, rows, [signs(warning) for warning in study.warnings])

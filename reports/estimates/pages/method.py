"""How this was simulated, and what is left out."""

from __future__ import annotations

from planner.formatting import duration, given, plural
from planner.scheduling.estimates.gain_text import seeds
from planner.scheduling.estimates.settings import WEIGHTS
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.summary import group
from reports.blocks import Block, Drawn, Page, bullets, grid
from reports.estimates.assumed_weights import ASSUMED, weights_assumed
from reports.estimates.gain_text import signs
from reports.estimates.pages.validation import unchecked
from reports.grid import Table, table
from reports.job_log_facts import log_rows
from reports.numbers import typed
from reports.skeleton import command_line, provenance_page

_STAGES = (
    "the clock advances", "new jobs are read", "throttles decide which jobs are eligible",
    "running jobs continue", "jobs end, at their estimate at the latest",
    "priorities are computed", "jobs are taken by priority, others are backfilled",
    "startable jobs are selected", "they start",
)  # fmt: skip
PLACEMENTS = {
    "from-below": "the shortest run time without a class opens one, up to (1 + e) times itself",
    "from-above": "the longest run time without a class opens one, down to itself / (1 + e)",
    "grid-maxima": "between the edges (1 + e)^k seconds, estimated by the largest run time in the "
    "class",
    "grid-edges": "between the edges (1 + e)^k seconds, estimated by the upper edge",
}
_PER = {
    "queue_time": "minute in the queue",
    "bypass": "later job that overtook it",
    "processors": "processor",
    "user": "unit of share below the target",
}
"""What a weight counts for."""
_TRAPS = (
    (
        "A job's class is chosen by its true run time: the tool is a bounded-error oracle. Its "
        "gain "
        "is the value of estimates of that quality, if a site had them. Real predictors, with "
        "predictions that are too short and their cost, have their own section."
    ),
    (
        "The log's run times arose under the recorded requests. Jobs killed at their limit look "
        "as if they had ended normally, but would have run longer."
    ),
    (
        "Jobs are submitted at the times in the log. Real users who wait less would submit more; "
        "simulated users react neither to waits nor to kills nor to the tool."
    ),
    (
        "Each gain compares the sampled users' wait with the tool to that without the tool. Over "
        "all jobs the sign can differ while few use the tool: jobs that overtake make others wait."
    ),
    (
        "Gains as small as the paper's, 1 to 23 %, may not exceed the deviation between seeds, "
        "which the tables give. The paper samples one group."
    ),
)
_ONE_USER = "Who gains is unknown: the log has one user."


def page(study: EstimateStudy, _drawn: Drawn) -> Page:
    """The scheduler, the oracle, the users, and the weights."""
    settings, configuration = study.settings, study.configuration
    numbered = "; ".join(f"({number}) {words}" for number, words in enumerate(_STAGES, start=1))
    share = given(study.workload.seed_group)
    scheduler = [
        f"The scheduler runs every {configuration.iteration_s:g} s in nine stages: {numbered}.",
        (
            "Priority is a sum over components of weight times the weighted sum of their parts. "
            f"Backfilling is {configuration.backfill.policy} behind "
            f"{plural(configuration.backfill.reservations, 'reservation')}."
        ),
        (
            f"Fair share covers {plural(configuration.fairshare.windows, 'window')} of "
            f"{duration(configuration.fairshare.window_s)}; each counts "
            f"{typed(configuration.fairshare.decay)} times the next newer. It starts empty."
        ),
    ]
    lines = [
        (
            "The oracle sorts run times into classes and estimates each job by the top of its "
            "class. The estimate is never below the run time of the job. It exceeds the run time "
            "by at most the largest relative error e. "
            f"Classes in this study, {settings.placement}: "
            f"{PLACEMENTS[settings.placement]}. The paper does not state its placement."
        ),
        (
            "The log has one user, so seeds do not matter, and uptakes other than 0 and 100 % do "
            "not exist."
            if study.one_user
            else f"Each seed orders the users at random. The first {share} are the sampled users, "
            f"{group(study)}. At an uptake of u the first share u of all users use the tool, so at "
            f"{share} exactly the sampled users do. Others keep their requests."
        ),
        (
            f"{plural(len(study.outcomes), 'simulation')}, {seeds(study)}: each uptake with each "
            "largest error and seed. Without a seed, as all or no users have the tool: no tool, "
            "exact estimates, each predictor with each strategy, and other weights if requested."
        ),
    ]
    blocks: list[Block] = [
        bullets(scheduler),
        grid(_weights(study), "Weights of the scheduler: points of priority", small=True),
        bullets(lines),
    ]
    return Page("How was this simulated?", "", tuple(blocks))


def _weights(study: EstimateStudy) -> Table:
    priority = study.configuration.priority
    rows = []
    for component, name in WEIGHTS:
        part = getattr(priority, component)
        weight = typed(part.weight * getattr(part, name))
        source = part.source or study.configuration.source or "not stated"
        rows.append((component, name.replace("_", " "), weight, _PER.get(name, ""), source))
    columns = (
        ("Component", False), ("Part", False), ("Weight", True), ("Per", False), ("Source", False),
    )  # fmt: skip
    return table(columns, (0.8, 0.9, 0.7, 1.9, 2.6), rows)


def limits(study: EstimateStudy, _drawn: Drawn) -> Page:
    """Return what a reader must not conclude from the figures."""
    lines = [
        *(_TRAPS[:-2] if study.one_user else _TRAPS),
        *([_ONE_USER] if study.one_user else []),
        *_about_weights(study),
        *([unchecked(study)] if study.validation is None else []),
        (
            "Jobs are rigid and only processors are counted; topology, memory, partitions and "
            "failures are not simulated."
        ),
    ]
    return Page("What does this study leave out?", "", (bullets(lines),))


def _about_weights(study: EstimateStudy) -> list[str]:
    """Whether the weights are assumed, and where their effect is."""
    lines = [ASSUMED] if weights_assumed(study) else []
    if not study.settings.weights:
        lines.append("How much the gain depends on the scheduler's weights was not simulated.")
    elif lines:
        lines.append("Their own section shows how much the gain depends on them.")
    return [" ".join(lines)] if lines else []


def appendix(study: EstimateStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to reproduce the results."""
    log = study.workload.log
    paper = (
        "Smith, Hammond and Jarvis (2011). The effect of an application performance modelling "
        "tool. UKPEW."
    )
    rows = [
        *log_rows(log, study.files),
        ("Scheduler", study.configuration.name),
        ("Paper", paper),
        ("Command", command_line(study.command) or "run from Python"),
        ("Seeds", seeds(study)),
        ("Repeatability", "same input, seeds and versions give identical files"),
    ]
    return provenance_page(study, rows, [signs(warning) for warning in study.warnings])

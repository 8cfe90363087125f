"""How this was simulated, and what is left out."""

from __future__ import annotations

from collections import Counter

from planner.command_row import command_line
from planner.formatting import capitalised, duration, given, plural, words
from planner.scheduling.estimates.gain_text import seeds
from planner.scheduling.estimates.settings import AS_GIVEN, WEIGHTS
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.summary import group
from planner.scheduling.estimates.tools import BoundedErrorOracle
from planner.scheduling.policies.rules import MAUI_STAGES
from planner.scheduling.simulation.maui_settings import priority_formula, shared_by, target_of
from reports.blocks import Drawn, Page, bullets
from reports.estimates.assumed_weights import ASSUMED, weights_assumed
from reports.estimates.gain_text import signs
from reports.estimates.pages.validation import unchecked
from reports.job_log_facts import log_rows
from reports.numbers import typed
from reports.simulation.pages.method import numbered
from reports.skeleton import provenance_page
from scenarios.maui.settings import MauiConfiguration

_NAMES = {
    "queue_time": "time in the queue",
    "bypass": "later jobs that overtook",
    "processors": "processors",
    "user": "fair share",
}
"""What the weights count."""
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
    configuration = study.configuration
    share = given(study.workload.seed_group)
    scheduler = [
        (
            f"The scheduler runs every {configuration.iteration_s:g} s in nine stages: "
            f"{numbered(MAUI_STAGES)}."
        ),
        (
            f"Priority of a job: {priority_formula(configuration)}. The highest is first. "
            f"Backfilling is {configuration.backfill.policy} behind "
            f"{plural(configuration.backfill.reservations, 'reservation')}."
        ),
        (
            f"Fair share covers {plural(configuration.fairshare.windows, 'window')} of "
            f"{duration(configuration.fairshare.window_s)}; each counts "
            f"{typed(configuration.fairshare.decay)} times the next newer. It starts empty."
            f"{_targets(configuration)}"
        ),
    ]
    lines = [
        (
            "The oracle sorts run times into classes and estimates each job by the top of its "
            "class. The estimate is never below the run time of the job. It exceeds the run time "
            "by at most the largest relative error e. "
            "The shortest run time without a class opens one, up to (1 + e) times itself. The "
            "paper does not state where its classes end."
        ),
        (
            "The log has one user, so seeds do not matter. The uptake, which is the share of users "
            "with the tool, is 0 or 100 %."
            if study.one_user
            else f"Each seed orders the users at random. The first {share} are the sampled users, "
            f"{group(study)}. At an uptake of u the first share u of all users use the tool, so at "
            f"{share} exactly the sampled users do. Others keep their requests."
        ),
        (
            f"{_simulations(study)} A simulation in which all or no users have the tool needs no "
            "seed and is made once."
        ),
    ]
    return Page("How was this simulated?", "", (bullets([*scheduler, _sources(study), *lines]),))


def _simulations(study: EstimateStudy) -> str:
    """How many simulations there are of each kind."""
    kinds: Counter[str] = Counter({"without a tool": 0, "with the oracle": 0})
    varied: Counter[str] = Counter()
    for case in study.outcomes:
        kind = "with a predictor"
        if case.tool is None:
            kind = "without a tool"
        elif isinstance(case.tool, BoundedErrorOracle):
            kind = "with the oracle"
        kinds[kind] += 1
        varied[kind] += case.variant != AS_GIVEN
    parts = [
        f"{number:,} {kind}"
        + (f" ({varied[kind]:,} of these with other weights)" if varied[kind] else "")
        for kind, number in kinds.items()
    ]
    return f"{plural(len(study.outcomes), 'simulation')}: {words(parts)}."


def _targets(configuration: MauiConfiguration) -> str:
    """Return the target shares of the fair share."""
    parties = shared_by(configuration)
    return "".join(
        f" Target share of each {party}: {target_of(configuration, party)}." for party in parties
    )


def _sources(study: EstimateStudy) -> str:
    """Where the weights of the priority are from."""
    by_source: dict[str, list[str]] = {}
    for component, name in WEIGHTS:
        part = getattr(study.configuration.priority, component)
        source = part.source or study.configuration.source or "not stated"
        by_source.setdefault(source, []).append(_NAMES[name])
    parts = "; ".join(f"{words(names)}: {source}" for source, names in by_source.items())
    return f"Sources of these weights. {capitalised(parts)}."


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

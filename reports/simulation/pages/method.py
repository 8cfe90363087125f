"""How the schedules were made, what was cleaned, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.command_row import command_line
from planner.formatting import capitalised, words
from planner.replications.batch_means import BATCH_RULE
from planner.scheduling.policies.display import in_prose
from planner.scheduling.policies.rules import MAUI_STAGES
from planner.scheduling.simulation.maui_settings import maui_settings, shared_by
from planner.scheduling.simulation.offered_work import offered_text, offered_work
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.summary import measured_jobs
from planner.scheduling.simulation.wait_text import FEWEST_FOR_P99, jobs
from reports.blocks import Block, Drawn, Page, bullets, grid, subheading, text
from reports.grid import table
from reports.job_log_facts import log_rows
from reports.simulation.pages.front import boxes, cleaned, cut, outages
from reports.skeleton import provenance_page
from scenarios.job_logs.job_log import MISSING
from scenarios.job_logs.origin import synthetic_words
from scenarios.maui.settings import MauiConfiguration

ORDERS = {
    "reference": (
        "At one instant submissions come before ends, each with its own scheduling pass (a "
        "submission only if the job fits). Ends of one instant follow the order of the starts."
    ),
    "batch": "At one instant all ends come first, then all submissions, then one scheduling pass.",
}
ESTIMATES = {
    "user": "the requested times",
    "perfect": "the true run times, which no scheduler knows",
    "tsafrir": (
        "the mean run time of the user's last two ended jobs, at most the requested time (the "
        "requested time until two have ended)"
    ),
}
_MSER = (
    "MSER-5 takes the waits of the first policy in batches of five jobs. It cuts where the mean of "
    "the rest has the least standard error (White, Cobb and Spratt, 2000)."
)


def page(study: SimulationStudy, _drawn: Drawn) -> Page:
    """Rules of each policy, order of events, estimates, and what became of the log's jobs."""
    lines = [
        rule
        if rule.casefold().startswith(in_prose(measure.policy).casefold())
        else f"{capitalised(in_prose(measure.policy))}: {rule}"
        for measure, rule in zip(study.measures, study.rules, strict=True)
    ]
    planned: dict[str, list[str]] = {}
    for measures in study.measures:
        planned.setdefault(measures.estimates, []).append(in_prose(measures.policy))
    estimates = "; ".join(
        f"{f'for {words(names)} ' if len(planned) > 1 else ''}{ESTIMATES[kind]}"
        for kind, names in planned.items()
    )
    facts = [
        f"Run-time estimates: {estimates}. A job ends at its requested time at the latest.",
        "Processors are only counted: a job can run on any free ones.",
    ]
    if any(measure.policy != "maui" for measure in study.measures):  # which acts at iterations
        facts.insert(0, f"Order of events: {_lower(ORDERS[study.settings.event_order])}")
    if study.maui is not None:
        stages = numbered(MAUI_STAGES)
        facts.insert(0, f"Order of events in each pass of Maui: {stages}.")
        facts += _without_share(study, study.maui)
    work = offered_work(study.log, study.simulations[0].schedule)
    facts += interval_text(study)
    facts += offered_text([work.load], work.requested_s, work.run_s)
    if study.settings.node_processors > 1:
        facts.append(f"Jobs take whole nodes of {study.settings.node_processors:,} processors.")
    if study.recorded is not None:
        facts.append(
            f'The row "{study.recorded.name}" has {study.recorded.meaning}. It is measured over '
            "the same jobs as the policies; no policy's rules are checked on it."
        )
    facts += [f"Not available: {line}." for line in outages(study)]
    blocks: list[Block] = [bullets(lines), bullets(facts)]
    if study.maui is not None:
        rows = table((("Setting", False), ("Value", True)), (3, 1.6), maui_settings(study.maui))
        blocks.append(grid(rows, "Settings of Maui in this study", small=True))
    blocks += [subheading("Jobs of the log: read, cleaned, killed and rejected"), *_counted(study)]
    return Page("How was this simulated?", "", tuple(blocks))


def interval_text(study: SimulationStudy) -> list[str]:
    """How the interval of the only policy's mean wait was made; nothing of several policies."""
    mean = study.mean_wait if len(study.measures) == 1 else None
    if mean is None:
        return []
    lag_1 = "all of equal mean" if mean.lag_1 is None else f"autocorrelation {mean.lag_1:.2f}"
    narrow = f" {capitalised(mean.warning)}." if mean.warning else ""
    return [
        (
            "Interval of the mean wait: the waits form batches in order of submission. "
            f"{BATCH_RULE} Here there are {mean.batches} ({lag_1}).{narrow}"
        )
    ]


def numbered(stages: Sequence[str]) -> str:
    """Return stages with their numbers, in a sentence."""
    return "; ".join(f"({number}) {words}" for number, words in enumerate(stages, start=1))


def _without_share(study: SimulationStudy, maui: MauiConfiguration) -> list[str]:
    """That fair share has no effect, where the log does not distinguish those who share."""
    parties = shared_by(maui)
    if not parties or any(len(np.unique(getattr(study.log, party))) > 1 for party in parties):
        return []
    which = words([f"{party}s" for party in parties])
    return [f"Fair share has no effect here: the log does not distinguish {which}."]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _counted(study: SimulationStudy) -> list[Block]:
    first = study.measures[0]
    killed_jobs = {measure.jobs_killed for measure in study.measures}
    if not (cut(study) or first.jobs_rejected or max(killed_jobs) or measured_jobs(study)):
        message = "All jobs are measured; none is rejected, and none is killed before its end."
        return [text(f"{cleaned(study)} {message}")]
    counts = dict(study.log.counts) or {"jobs": len(study.log)}
    rows = [(kind, f"{number:,}") for kind, number in counts.items()]
    killed = "killed before their end"
    rows.append(("rejected", f"{first.jobs_rejected:,}"))
    if len(killed_jobs) == 1:
        under = " under each policy" if len(study.measures) > 1 else ""
        rows.append((f"{killed}{under}, of measured jobs", f"{first.jobs_killed:,}"))
    else:
        rows += [
            (f"{killed} under {in_prose(measure.policy)}, of measured jobs",
             f"{measure.jobs_killed:,}")
            for measure in study.measures
        ]  # fmt: skip
    if measured := measured_jobs(study):
        rows.append((f"measured ({study.measured.rule})", f"{int(study.measured.jobs.sum()):,}"))
        rows.append(("simulated but not measured", f"{first.jobs_left_out:,}"))
    how = _MSER if study.settings.trim.warm_up is None else ""
    cleaning = "Each cleaning rule counts the jobs that it changed or left out."
    return [
        *([text(f"{measured} {how}".strip())] if measured else []),
        *([text(cleaning)] if study.log.counts else []),
        grid(table((("What", False), ("Jobs", True)), (4, 1), rows), "Number of jobs by outcome"),
    ]


def _not_played(study: SimulationStudy) -> str:
    """Return what the site's scheduler does and these policies do not."""
    maui = [measure.policy == "maui" for measure in study.measures]
    if all(maui):
        return "Dependencies, GPUs and memory are not simulated."
    but = " (except under Maui)" if any(maui) else ""
    lost = f"Fair-share weights and queue limits of the site's scheduler are not simulated{but}"
    return f"{lost}. Dependencies, GPUs and memory are not simulated either."


def _partitions(study: SimulationStudy) -> list[str]:
    """Return whether partitions have machines of their own."""
    if study.settings.clusters:
        return ["Each partition has its own machine; jobs of other partitions are rejected."]
    if (study.log.partition != MISSING).any():
        return ["Jobs of all partitions share one machine; limits of partitions do not apply."]
    return []


def _assumed(study: SimulationStudy) -> list[str]:
    """Return the assumption about run times on processor counts that no log contains."""
    if all(simulation.schedule.own_processors is None for simulation in study.simulations):
        return []
    return [
        (
            "Under moldable EASY one assumed speedup model gives the run times of all jobs on "
            "other "
            "processor counts, as a log has none. Memory per processor and processor counts that "
            "a program does not support are ignored."
        )
    ]


def limits(study: SimulationStudy, _drawn: Drawn) -> Page:
    """Limits that apply to this simulation."""
    lines = [
        (
            "Real users would react to other waits with other submissions; here every job is "
            "submitted at the time in the log."
        ),
        (
            "Run times are those of the log; placement and other jobs do not change them. "
            "Topology, "
            "power and start-up time are not simulated."
        ),
        _not_played(study),
        *_partitions(study),
        *_assumed(study),
    ]
    log = study.log
    if synthetic_words(log.header):
        lines.append(
            "The log is synthetic: one sample of a model. Another seed gives other numbers."
        )
    if study.every_comparison:
        lines.append(
            "Confidence intervals cover chance within this log only, and only if batches are "
            "independent."
        )
    over = {measure.jobs for measure in study.measures}
    if 0 < max(over) < FEWEST_FOR_P99:
        lines.append(f"Only {jobs(max(over))} measured: too few for a 99th percentile.")
    return Page("What does this simulation leave out?", "", (bullets(lines),))


def appendix(study: SimulationStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to reproduce the results."""
    rows = [
        *log_rows(study.log, study.files),
        ("Command", command_line(study.command) or "run from Python"),
        ("Repeatability", "same input and versions give identical files"),
    ]
    return provenance_page(study, rows, boxes=boxes(study))

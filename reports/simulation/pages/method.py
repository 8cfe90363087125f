"""How the schedules came about, what was cleaned, and what is left out."""

from __future__ import annotations

import numpy as np

from planner.formatting import words
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import FEWEST_FOR_P99
from reports.blocks import Block, Drawn, Page, bullets, grid, subheading, text
from reports.grid import table
from reports.job_log_facts import log_rows
from reports.simulation.pages.front import outages
from reports.skeleton import command_line, provenance_page
from scenarios.job_logs.job_log import MISSING
from scenarios.job_logs.origin import synthetic_words

ORDERS = {
    "reference": (
        "At one instant submissions come before ends, and each has a pass of its own; a "
        "submission only if the job fits. Ends of one instant follow the order of the starts."
    ),
    "batch": "At one instant all ends are taken first, then all submissions, then one pass.",
}
ESTIMATES = {
    "user": "the requested times",
    "perfect": "the run times themselves, which no scheduler knows",
    "tsafrir": (
        "the mean run time of the user's last two ended jobs, at most the requested time, which "
        "stands in until two have ended"
    ),
}


def page(study: SimulationStudy, _drawn: Drawn) -> Page:
    """Rules of each policy, order of events, estimates, and what became of the log's jobs."""
    lines = [
        rule
        if rule.casefold().startswith(measure.policy.casefold())
        else f"{measure.policy}: {rule}"
        for measure, rule in zip(study.measures, study.rules, strict=True)
    ]
    planned: dict[str, list[str]] = {}
    for measures in study.measures:
        planned.setdefault(measures.estimates, []).append(measures.policy)
    estimates = "; ".join(
        f"{f'for {words(names)} ' if len(planned) > 1 else ''}{ESTIMATES[kind]}"
        for kind, names in planned.items()
    )
    facts = [
        f"Estimates. Planned with {estimates}. A job ends at its requested time at the latest.",
        "Processors are only counted: any free ones will do.",
    ]
    if any(measure.policy != "maui" for measure in study.measures):  # which acts at iterations
        facts.insert(0, f"Order of events. {ORDERS[study.settings.event_order]}")
    if study.settings.node_processors > 1:
        facts.append(f"Jobs take whole nodes of {study.settings.node_processors:,} processors.")
    if study.recorded is not None:
        facts.append(
            f'The row "{study.recorded.name}" has {study.recorded.meaning}. It is measured as the '
            "policies are, over the same jobs. No policy's rules are checked on it."
        )
    facts += [f"Not available: {line}." for line in outages(study)]
    blocks: list[Block] = [bullets(lines), bullets(facts)]
    blocks += [subheading("What became of the jobs of the log"), *_counted(study)]
    return Page("How was this simulated?", "", tuple(blocks))


def _counted(study: SimulationStudy) -> list[Block]:
    counts = dict(study.log.counts) or {"jobs": len(study.log)}
    rows = [(kind, f"{number:,}") for kind, number in counts.items()]
    first, killed = study.measures[0], "killed before their end"
    rows.append(("rejected", f"{first.jobs_rejected:,}"))
    rows += [
        (f"{killed} under {measure.policy}, of measured jobs", f"{measure.jobs_killed:,}")
        for measure in study.measures
    ]
    if first.jobs_left_out:
        label = f"simulated and not measured ({study.measured.rule})"
        rows.append((label, f"{first.jobs_left_out:,}"))
    return [
        text("Nothing is dropped silently: each rule of cleaning counts the jobs that it met."),
        grid(table((("What", False), ("Jobs", True)), (4, 1), rows), "Jobs by what became of them"),
    ]


def _not_played(study: SimulationStudy) -> str:
    """Return what the site's scheduler does and these policies do not."""
    but = " (except under maui)" if any(m.policy == "maui" for m in study.measures) else ""
    lost = f"Fair-share weights and queue limits of the site's scheduler are not simulated{but}"
    return f"{lost}; dependencies, GPUs and memory are not simulated."


def _partitions(study: SimulationStudy) -> list[str]:
    """Return whether partitions have machines of their own."""
    if study.settings.clusters:
        return ["Each partition has a machine of its own; jobs of other partitions are rejected."]
    if (study.log.partition != MISSING).any():
        return ["Jobs of all partitions share one machine; limits of partitions do not apply."]
    return []


def _assumed(study: SimulationStudy) -> list[str]:
    """Return what no log says of jobs on other processors than they asked for."""
    if all(simulation.schedule.own_processors is None for simulation in study.simulations):
        return []
    return [
        (
            "Under moldable, run times on other processors than a job asked for are those of one "
            "assumed model of speedup for all jobs; a log has none of them. Memory per processor "
            "and numbers that a program cannot run on are left out."
        )
    ]


def limits(study: SimulationStudy, _drawn: Drawn) -> Page:
    """Limits that apply to this simulation."""
    lines = [
        (
            "Users would answer other waits with other submissions; here every job is submitted "
            "when the log says, whatever its wait."
        ),
        (
            "Jobs run as long as in the log, wherever they stand and whatever else runs: no "
            "topology, no memory, no power, no start-up time."
        ),
        _not_played(study),
        *_partitions(study),
        *_assumed(study),
    ]
    log = study.log
    if synthetic_words(log.header):
        lines.append(
            "The log is synthetic: it is one sample of a model, and another seed gives other "
            "numbers."
        )
    if len(log) and bool(np.array_equal(log.requested_s, log.run_s)):
        lines.append(
            "Every requested time is the run time: what bad estimates do to a policy is not seen."
        )
    if study.every_comparison:
        lines.append(
            "Intervals tell chance within this log only, and only as far as batches are "
            "independent of each other."
        )
    over = {measure.jobs for measure in study.measures}
    if 0 < max(over) < FEWEST_FOR_P99:
        lines.append(f"Jobs are too few for a percentile of 99 %: {max(over)} are measured.")
    return Page("What does this leave out?", "", (bullets(lines),))


def appendix(study: SimulationStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    rows = [
        *log_rows(study.log, study.files),
        ("Command", command_line(study.command) or "made from Python"),
        ("Repeatability", "the same input and versions give the same bytes"),
    ]
    return provenance_page(study, rows)

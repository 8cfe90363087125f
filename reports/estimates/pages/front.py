"""The title page: the answer, the warnings, what was played, and the paper's claims beside it."""

from __future__ import annotations

from typing import Any

from planner.formatting import DASH, given, plural, seconds
from planner.scheduling.estimates.gain_text import seeds
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.simulation.wait_text import jobs, source
from reports.estimates.gain_text import change, exact_gain, number_or_none, signs
from reports.grid import Table, table
from reports.job_log_facts import log_facts, short_name
from reports.report import Facts
from reports.skeleton import first_sheet, title_page
from reports.warning_boxes import boxed


def front(study: EstimateStudy) -> dict[str, Any]:
    """Return what the title page shows."""
    return title_page(
        study,
        title(study),
        log_name(study),
        description=_description(study),
        summary=_summary(study),
        table=claims(study),
        decision=signs(study.headline),
        warnings=boxed([signs(warning) for warning in study.warnings]),
    )


def title(study: EstimateStudy) -> str:
    """The log and the question."""
    return f"What better run-time estimates are worth to users of {log_name(study)}"


def log_name(study: EstimateStudy) -> str:
    """The log's name, short enough for a footer."""
    return short_name(study.workload.log)


def pairs(study: EstimateStudy) -> Facts:
    """The first sheet of the workbook."""
    workload, settings = study.workload, study.settings
    log = workload.log
    rows = [
        *log_facts(log, study.files, study.command),
        ("jobs", len(log)),
        ("jobs not played: larger than the machine", workload.rejected),
        ("processors of the machine", workload.problem.processors),
        ("users", workload.users),
        ("users of the seed group", workload.group_size(workload.seed_group)),
        ("scheduler", study.configuration.name),
        ("placement of the oracle's classes", settings.placement),
        ("seeds", ", ".join(str(seed) for seed in settings.seeds)),
        ("simulations", len(study.outcomes)),
        ("mean queue time without the tool [s]", study.no_tool.everybody.mean_s),
        ("gain of exact estimates for all", number_or_none(exact_gain(study))),
    ]
    return first_sheet(study, title(study), rows)


def _description(study: EstimateStudy) -> str:
    workload = study.workload
    machine = plural(workload.problem.processors, "processor")
    return (
        f"{jobs(len(workload.log))} of {plural(workload.users, 'user')} on {machine}, "
        f"{source(workload.log)}: {plural(len(study.outcomes), 'simulation')} under "
        f"{study.configuration.name}, {seeds(study)}."
    )


def _summary(study: EstimateStudy) -> list[str]:
    bare = study.no_tool.everybody
    lines = []
    if bare.mean_s and bare.max_s:
        lines.append(
            f"Without the tool all jobs wait {seconds(bare.mean_s)} on average and at most "
            f"{seconds(bare.max_s)}."
        )
    if bare.mean_s:
        lines.append(
            f"With exact estimates for all the mean is {change(exact_gain(study))}, "
            f"{seconds(study.exact.everybody.mean_s or 0.0)}, of all jobs: no tool has better "
            "estimates, though a schedule may be better by chance with worse ones."
        )
    else:
        lines.append("Nobody waits without the tool: there is nothing to gain.")
    errors = sorted(set(study.settings.errors))
    within = given(errors[-1]) if len(errors) == 1 else f"{given(errors[0])} to {given(errors[-1])}"
    text = "No predictor was played."
    if study.remains:
        text = "What is left with predictors that know the past alone has a page of its own."
    lines.append(
        "The tool is a bounded-error oracle, no predictor: it rounds the true run times up within "
        f"{within}. {text}"
    )
    return lines


def claims(study: EstimateStudy) -> Table | None:
    """Return what the paper claims, prints, and what is found."""
    rows = [
        (
            f"{claim.claim} {claim.where[0].upper()}{claim.where[1:]}.",
            claim.printed or DASH,
            signs(claim.found),
            claim.holds,
        )
        for claim in study.claims
    ]
    if not rows:
        return None
    columns = (
        ("Smith, Hammond and Jarvis (2011) claim", False), ("Printed", False),
        ("Found here, simulated", False), ("Verdict", False),
    )  # fmt: skip
    return table(columns, (2.1, 0.7, 2.2, 0.8), rows)

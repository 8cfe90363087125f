"""The title page: the answer, the warnings, what was played, and the paper's claims beside it."""

from __future__ import annotations

import shlex
from typing import Any

from planner.formatting import given, plural, seconds
from planner.scheduling.estimates.spread import spread
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.simulation.wording import jobs, source
from planner.version import headroom_version
from reports.estimates.wording import change, deviation, exact_gain, known, seeds, signs
from reports.grid import Table, table
from reports.numbers import DASH, clipped, fixed
from reports.warned import boxed
from scenarios.job_logs.origin import header_words


def front(study: EstimateStudy) -> dict[str, Any]:
    """What the title page shows."""
    return {
        "title": title(study),
        "description": _description(study),
        "footer": f"{log_name(study)} · Headroom {headroom_version()}",
        "decision": signs(study.sentence),
        "caveat": sureness(study),
        "warnings": boxed([signs(each) for each in study.warnings]),
        "summary": _summary(study),
        "summary_table": claims(study),
    }


def title(study: EstimateStudy) -> str:
    """The log and the question."""
    return f"What better run-time estimates are worth to users of {log_name(study)}"


def log_name(study: EstimateStudy) -> str:
    """The log's name, short enough for a footer."""
    return clipped(study.workload.log.name, 80)


def command(study: EstimateStudy) -> str:
    """The command that gives this report, with every option that was given; empty without one."""
    return shlex.join(("headroom", *study.command)) if study.command else ""


def group(study: EstimateStudy) -> str:
    """How many users the seed group has."""
    workload = study.workload
    return f"{workload.group_size(workload.seed_group):,} of {plural(workload.users, 'user')}"


def pairs(study: EstimateStudy) -> list[dict[str, Any]]:
    """The first sheet of the workbook."""
    workload, settings = study.workload, study.settings
    log = workload.log
    found: list[tuple[str, Any]] = [
        ("title", title(study)),
        ("answer", study.sentence),
        ("how sure", sureness(study)),
        ("log", log.name),
        ("SHA-256 of the log", log.sha256 or "none: not read from a file"),
        ("source", source(log)),
        ("origin of the jobs", header_words(log.header)),
        *((f"SHA-256 of {name}", digest) for name, digest in study.files),
        ("command", command(study) or None),
        ("jobs", len(log)),
        ("jobs not played: larger than the machine", workload.rejected),
        ("processors of the machine", workload.task.processors),
        ("users", workload.users),
        ("users of the seed group", workload.group_size(workload.seed_group)),
        ("scheduler", study.configuration.name),
        ("placement of the oracle's classes", settings.placement),
        ("seeds", ", ".join(str(seed) for seed in settings.seeds)),
        ("simulations", len(study.outcomes)),
        ("mean queue time without the tool [s]", study.no_tool.everybody.mean_s),
        ("gain of exact estimates for all", known(exact_gain(study))),
        *(("warning", warning) for warning in study.warnings),
    ]
    return [{"what": what, "value": value} for what, value in found]


def _description(study: EstimateStudy) -> str:
    workload = study.workload
    machine = plural(workload.task.processors, "processor")
    return (
        f"{jobs(len(workload.log))} of {plural(workload.users, 'user')} on {machine}, "
        f"{source(workload.log)}: {plural(len(study.outcomes), 'simulation')} under "
        f"{study.configuration.name}, {seeds(study)}."
    )


def sureness(study: EstimateStudy) -> str:
    """How the gain compares with the spread between seeds."""
    uptake, error = max(study.settings.uptakes), max(study.settings.errors)
    found = spread(study.gains(uptake, error)) if uptake > 0 else None
    begin = (
        f"Simulated. A seed draws the order of users, so who is in the seed group: {group(study)}."
    )
    if found is None:
        return begin
    if found.deviation is None:
        return f"{begin} One seed alone was played: how far others differ is not known."
    if found.least == found.most:
        return f"{begin} No seed differs from another."
    if study.one_schedule:
        return (
            f"{begin} At 100 % uptake all seeds give one schedule: the deviation of "
            f"{deviation(found)} points is between groups of users in it, not an error of the "
            "simulation."
        )
    if found.deviation > 1:
        return f"{begin} Between {seeds(study)} the gain deviates by more than 100 points."
    larger = "is more" if abs(found.mean) > 2 * found.deviation else "is not more"
    return (
        f"{begin} Between {seeds(study)} the gain deviates by {fixed(100 * found.deviation, 1)} "
        f"points; with {fixed(100 * found.mean, 1)} % the mean gain {larger} than twice that."
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
    told = "No predictor was played."
    if study.remains:
        told = "What is left with predictors that know the past alone has a page of its own."
    lines.append(
        "The tool is a bounded-error oracle, no predictor: it rounds the true run times up within "
        f"{within}. {told}"
    )
    return lines


def claims(study: EstimateStudy) -> Table | None:
    """What the paper claims, prints, and what is found."""
    rows = [
        (
            f"{each.claim} {each.where[0].upper()}{each.where[1:]}.",
            each.printed or DASH,
            signs(each.found),
            each.holds,
        )
        for each in study.claims
    ]
    if not rows:
        return None
    columns = (
        ("Smith, Hammond and Jarvis (2011) claim", False), ("Printed", False),
        ("Found here, simulated", False), ("Verdict", False),
    )  # fmt: skip
    return table(columns, (2.1, 0.7, 2.2, 0.8), rows)

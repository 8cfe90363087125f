"""How the size was searched, and what is left out."""

from __future__ import annotations

from planner.command_row import command_line
from planner.formatting import capitalised
from planner.scheduling.policies.display import in_prose
from planner.scheduling.sizing.growth import work_of
from planner.scheduling.sizing.sizing import Sizing
from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.summary import factor, how_grown, sized_in, unit_of
from reports.blocks import Drawn, Page, bullets, figures
from reports.job_log_facts import log_rows
from reports.simulation.pages.method import ESTIMATES, ORDERS
from reports.sizing.figures import weeks
from reports.skeleton import provenance_page


def page(study: SizingStudy, _drawn: Drawn) -> Page:
    """The definition of the answer, the search, and the rules of the simulation."""
    bounds = study.bounds
    lines = [
        (
            f"The target holds for all measured jobs together: {study.settings.level.words}, "
            "in a simulation of each size."
        ),
        (
            "The answer is the smallest size from which every larger size tried meets the target. "
            "A grid of equal ratios brackets it, then bisection narrows it down. Every size next "
            "to "
            "it, and one per percent up to 10 % above, is tried too; each that misses moves it up."
        ),
        (
            f"Smallest size: {sized_in(bounds.fewest, study)}, for the largest job (job "
            f"{bounds.largest_job}). Largest size: {sized_in(bounds.largest, study)}, in use if "
            "every job starts at once."
        ),
    ]
    lines += [
        f"{_named(sizing)} Run-time estimates: {ESTIMATES[sizing.estimates]}."
        for sizing in study.sizings
    ]
    lines.append(f"Order of events: {_lower(ORDERS[study.rules.event_order])}")
    if study.rules.node_processors > 1:
        lines.append(f"Jobs take whole nodes of {study.rules.node_processors:,} processors.")
    return Page("How was the size found?", "", (bullets(lines),))


def _named(sizing: Sizing) -> str:
    """Return the rule of a policy under its name."""
    name = in_prose(sizing.policy)
    if sizing.rule.casefold().startswith(name.casefold()):
        return sizing.rule
    return f"{capitalised(name)}: {sizing.rule}"


def limits(study: SizingStudy, _drawn: Drawn) -> Page:
    """Return what this leaves out."""
    work = work_of(study.log)
    largest = float(work.max() / work.sum()) if work.any() else 0.0
    units = f"{unit_of(study.rules.node_processors)}s"
    lines = [
        (
            "Jobs request as many processors as in the log; users of a larger machine may request "
            "more."
        ),
        (
            f"{capitalised(units)} are as fast as those of the log's machine. Fewer, faster "
            f"{units} do the same work, but the largest job must still fit."
        ),
        (
            "Real users would submit more when waits are shorter; here each job is submitted at "
            "the "
            "time in the log or its copy."
        ),
        f"Failures and maintenance are not simulated: add as many {units} as are away on average.",
        "Topology, memory, power, start-up times and partitions are not simulated.",
    ]
    if largest > 0.02:
        lines.append(f"One job has {100 * largest:.1f} % of all work, so the answer depends on it.")
    return Page("What does this sizing leave out?", "", (bullets(lines),))


def appendix(study: SizingStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to reproduce the results."""
    rows = [
        *log_rows(study.log, study.files),
        ("Command", command_line(study.command) or "run from Python"),
        ("Seed", f"{study.settings.seed}"),
        ("Repeatability", "same input, seed and versions give identical files"),
    ]
    return provenance_page(study, rows)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def growth(study: SizingStudy, drawings: Drawn) -> Page:
    """The growth requested and reached, how, and the work by week."""
    source = (
        "Processor time of the jobs submitted in each period over the length of the period; it may "
        "exceed the machine, as jobs can run later."
    )
    if study.settings.growth.factor == 1:
        answer = "The log does not grow."
    else:
        answer = (
            f"The work grows {factor(study.grown.reached)} times by {study.settings.growth.by}."
        )
    word = study.periods.word if study.periods else "week"
    text = f" {weeks.finding(study)}." if study.periods is not None else ""
    blocks = (
        bullets(how_grown(study)),
        *figures(drawings, "weeks", source, title=f"Work submitted per {word}, as mean processors"),
    )
    return Page("Growth assumptions", f"{answer}{text}", blocks)

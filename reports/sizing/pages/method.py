"""How sizes were looked for, and what is left out."""

from __future__ import annotations

from planner.scheduling.sizing.growth import work_of
from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.summary import factor, how_grown
from reports.blocks import Drawn, Page, bullets, figures
from reports.job_log_facts import log_rows
from reports.simulation.pages.method import ESTIMATES, ORDERS
from reports.sizing.figures import weeks
from reports.skeleton import command_line, provenance_page


def page(study: SizingStudy, _drawn: Drawn) -> Page:
    """The definition of the answer, the search, and the rules of the simulation."""
    bounds = study.bounds
    lines = [
        (
            f"The level holds for all measured jobs together: {study.settings.level.words}, "
            "measured as headroom simulate does on the machine found."
        ),
        (
            "The answer is the smallest size of which it and all larger ones tried keep the level. "
            "Bisection between a size that does not and one that does, begun by a grid of equal "
            "ratios; then every size next to the answer, and one in each per cent up to 10 % "
            "above: each that fails moves it up."
        ),
        (
            f"Least: {bounds.fewest:,} nodes, those of the largest job (job {bounds.largest_job}); "
            f"most: {bounds.largest:,}, in use if every job started at once."
        ),
    ]
    lines += [
        f"{sizing.policy}: {sizing.rule} Planned with {ESTIMATES[sizing.estimates]}."
        for sizing in study.sizings
    ]
    lines.append(f"Order of events. {ORDERS[study.rules.event_order]}")
    if study.rules.node_processors > 1:
        lines.append(f"Jobs take whole nodes of {study.rules.node_processors:,} processors.")
    return Page("How was the size looked for?", "", (bullets(lines),))


def limits(study: SizingStudy, _drawn: Drawn) -> Page:
    """Return what this leaves out."""
    work = work_of(study.log)
    largest = float(work.max() / work.sum()) if work.any() else 0.0
    lines = [
        "Jobs ask for as much as they did: users of a larger machine may ask for more at once.",
        (
            "Nodes are as fast as those of the log's machine. Fewer faster ones do the same work, "
            "but the largest job must still fit."
        ),
        (
            "Users would answer shorter waits with more submissions; here each job is submitted "
            "when the log, or its copy, says."
        ),
        "Nodes that fail or are maintained are not played: add those that are away on average.",
        "Topology, memory, power and start-up times are not played, nor partitions.",
    ]
    if largest > 0.02:
        lines.append(f"One job has {100 * largest:.1f} % of all work: the answer leans on it.")
    return Page("What does this leave out?", "", (bullets(lines),))


def appendix(study: SizingStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    rows = [
        *log_rows(study.log, study.files),
        ("Command", command_line(study.command) or "made from Python"),
        ("Seed", f"{study.settings.seed}"),
        ("Repeatability", "the same input, seed and versions give the same bytes"),
    ]
    return provenance_page(study, rows)


def growth(study: SizingStudy, drawings: Drawn) -> Page:
    """The growth asked and reached, how, and the work by week."""
    source = "The work submitted in a week over its length, whenever it is done."
    if study.settings.growth.factor == 1:
        answer = "Nothing: the log is played as it is."
    else:
        answer = (
            f"The work grows {factor(study.grown.reached)} times by {study.settings.growth.by}."
        )
    text = f" {weeks.finding(study)}." if study.periods is not None else ""
    blocks = (bullets(how_grown(study)), *figures(drawings, "weeks", source))
    return Page("What was assumed about growth?", f"{answer}{text}", blocks)

"""Single jobs: a busy period, and why one job waited."""

from __future__ import annotations

from planner.formatting import capitalised, own_unit, plural
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.explain import Explanation
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import jobs
from reports.blocks import Block, Drawn, Page, bullets, figures, subheading, text
from reports.simulation.figures.gantt import finding, source

_MOST = 12


def page(study: SimulationStudy, drawings: Drawn) -> Page | None:
    """The jobs of a period on the machine."""
    if not study.ranking:
        return None
    if "gantt" not in drawings:
        if study.window_s is None:
            return None
        begin, end = study.window_s
        sentence = f"No job runs from {begin} s to {end} s of the log."
        return Page("Appendix: jobs that overtake others in a busy period", sentence, ())
    blocks = tuple(figures(drawings, "gantt", source(study), title="Jobs on the processors"))
    heading = "Appendix: jobs that overtake others in the chosen period" if study.window_s else (
        "Appendix: jobs that overtake others in a busy period"
    )  # fmt: skip
    return Page(heading, f"{finding(study)}.", blocks)


def explained(study: SimulationStudy, _drawn: Drawn) -> Page | None:
    """Why the chosen job waited, policy by policy."""
    if not study.explanations:
        return None
    blocks: list[Block] = []
    explanations = []
    for simulation, explanation in zip(study.simulations, study.explanations, strict=True):
        name = in_prose(simulation.schedule.policy)
        explanations.append(f"{own_unit(explanation.wait_s)} under {name}")
        blocks += [
            subheading(capitalised(name)),
            text(_facts(explanation)),
            bullets(_lines(explanation)),
        ]
    job = study.explanations[0].job
    return Page(f"Why did job {job} wait?", f"It waited {', '.join(explanations)}.", tuple(blocks))


def _facts(explanation: Explanation) -> str:
    return (
        f"Submitted at {explanation.submit_s} s, started at {explanation.start_s} s; "
        f"{plural(explanation.processors, 'processor')}, estimated run time "
        f"{own_unit(explanation.estimate_s)}; overtaken by {jobs(len(explanation.overtaken_by))}."
    )


def _lines(explanation: Explanation) -> list[str]:
    lines = []
    for period in explanation.periods[:_MOST]:
        until = (
            ""
            if period.looks == 1
            else f" to {period.last.time_s} s, checked {period.looks:,} times"
        )
        lines.append(f"{period.first.time_s} s{until}: {period.first.sentence}.")
    more = len(explanation.periods) - _MOST
    if more > 0:
        lines.append(f"{more:,} more periods; every check is in simulate.json.")
    return [*lines, f"Started at {explanation.start_s} s: {explanation.started}."]

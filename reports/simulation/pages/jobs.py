"""Single jobs: a busy stretch, and why one job waited."""

from __future__ import annotations

from planner.formatting import seconds
from planner.scheduling.simulation.explain import Explanation
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import jobs
from reports.blocks import Block, Drawn, Page, bullets, figures, subheading, text
from reports.simulation.figures.gantt import finding, source

_MOST = 12


def page(study: SimulationStudy, drawings: Drawn) -> Page | None:
    """The jobs of a stretch on the machine."""
    if not study.ranking:
        return None
    if "gantt" not in drawings:
        if study.window_s is None:
            return None
        begin, end = study.window_s
        sentence = f"No job runs from {begin} s to {end} s of the log."
        return Page("What does a busy stretch look like?", sentence, ())
    blocks = tuple(figures(drawings, "gantt", source(study)))
    heading = "What does this stretch look like?" if study.window_s else (
        "What does a busy stretch look like?"
    )  # fmt: skip
    return Page(heading, f"{finding(study)}.", blocks)


def explained(study: SimulationStudy, _drawn: Drawn) -> Page | None:
    """Why the job that was asked about waited, policy by policy."""
    if not study.explanations:
        return None
    blocks: list[Block] = []
    explanations = []
    for simulation, explanation in zip(study.simulations, study.explanations, strict=True):
        name = simulation.schedule.policy
        explanations.append(f"{seconds(explanation.wait_s)} under {name}")
        blocks += [subheading(name), text(_facts(explanation)), bullets(_lines(explanation))]
    job = study.explanations[0].job
    return Page(f"Why did job {job} wait?", f"It waited {', '.join(explanations)}.", tuple(blocks))


def _facts(explanation: Explanation) -> str:
    return (
        f"Submitted at {explanation.submit_s:,} s, started at {explanation.start_s:,} s, "
        f"{explanation.processors:,} processors for {explanation.estimate_s:,} s as believed; "
        f"overtaken by {jobs(len(explanation.overtaken_by))}."
    )


def _lines(explanation: Explanation) -> list[str]:
    lines = []
    for period in explanation.periods[:_MOST]:
        until = "" if period.looks == 1 else f" to {period.last.time_s} s, {period.looks:,} looks"
        lines.append(f"{period.first.time_s} s{until}: {period.first.sentence}.")
    more = len(explanation.periods) - _MOST
    if more > 0:
        lines.append(f"{more:,} more periods, each look in simulate.json.")
    return [*lines, f"Started at {explanation.start_s} s: {explanation.started}."]

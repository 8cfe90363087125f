"""How the plan was found, how sure it is, and what it leaves out."""

from __future__ import annotations

from planner.configurations.sharing.study import SharingStudy
from planner.formatting import DASH, given, total_seconds, watts
from reports.blocks import Block, Drawn, Page, bullets, formulas, grid, subheading, text
from reports.configuration.pages.method import REPETITIONS, SOCKETS_DIFFER, power_limit
from reports.grid import Table, table
from reports.units import gap_words
from solvers import Certificate

_METHODS = {
    "lagrangian": "a Lagrangian bound, and HiGHS on what reduced costs leave",
    "highs": "HiGHS, over the configurations that are not dominated",
    "cbc": "CBC, over the configurations that are not dominated",
    "both": "CBC and HiGHS, the best choice and the best bound of the two",
}


def page(study: SharingStudy, _pictures: Drawn) -> Page:
    """The problem as a formula, every rule in words, and the certificates."""
    guard, settings = study.problem.bound.guard, study.settings
    guarded = (
        f"A guard of {given(guard)} of the bound is left free."
        if guard
        else "No guard is left: the powers are those that were measured."
    )
    lines = [
        f"Of repetitions, {REPETITIONS[settings.repetition]} speak for a configuration. {guarded}",
        f"Found by {_METHODS.get(settings.method, settings.method)}, to a gap of {settings.gap:g}"
        + ("." if settings.time_limit_s is None
           else f" or for {settings.time_limit_s:g} s a solve: another run may differ."),
        "Every plan was checked again from its tables alone: configurations, watts, nodes.",
    ]  # fmt: skip
    if study.plan.goal == "makespan":
        lines.append(
            "The makespan: deadlines are bisected; one is impossible if even the least power of "
            "the configurations that meet it, within the nodes, is proved to exceed the bound. "
            "Of the choices that keep the best deadline one of least weighted time is taken."
        )
    blocks: list[Block] = [
        formulas(),
        bullets(lines),
        subheading("Certificates"),
        text(
            "Value: what was found; bound: no choice has less. Proved: the choice holds and the "
            "bound was derived in exact arithmetic. Verified: the choice was recomputed, the bound "
            "is the solver's word. Above the bound: value over bound, less 1."
        ),
        grid(_certificates(study), "How sure each value is", small=True),
    ]
    notes = [f"{subject}: {note}." for subject, c in study.certificates.items() for note in c.notes]
    return Page("How was this found, and how sure is it?", study.confidence,
                (*blocks, *([bullets(notes)] if notes else [])))  # fmt: skip


def _certificates(study: SharingStudy) -> Table:
    columns = (
        ("Of", False), ("Value", True), ("Bound", True), ("Gap", True), ("Status", False),
        ("Level", False), ("Stopped", False), ("Solver", False),
    )  # fmt: skip
    rows = [(subject, *_row(certificate)) for subject, certificate in study.certificates.items()]
    return table(columns, (1.9, 1, 1, 0.9, 0.8, 0.8, 0.8, 0.9), rows)


def _row(certificate: Certificate) -> tuple[str, ...]:
    gap = certificate.gap_relative
    return (
        DASH if certificate.objective is None else total_seconds(certificate.objective),
        DASH if certificate.bound is None else total_seconds(certificate.bound),
        DASH if gap is None else "0 %" if gap == 0 else gap_words(gap),
        certificate.status.value, certificate.level.value, certificate.stop.value,
        certificate.solver,
    )  # fmt: skip


def limits(study: SharingStudy, _pictures: Drawn) -> Page:
    """Limits that apply to this plan."""
    lines = [
        (
            "All jobs start at once and keep their nodes and watts to their own end: what a job "
            "that ends early leaves is not passed on, and no job waits for another."
        ),
        (
            "Jobs were measured alone: what they do to each other through network and file system "
            "is not modelled."
        ),
        (
            "The plan is the best of what was measured; nothing is said of configurations between "
            "or beyond, and other inputs may choose others."
        ),
        power_limit(counts_memory=study.counts_memory),
        SOCKETS_DIFFER,
        (
            f"If every job drew as much as its hungriest repetition, together they would draw "
            f"{watts(study.largest_power_w)}."
        ),
    ]
    if any(not repeat.repeated for repeat in study.repeats):
        lines.append("Where a configuration was run once, its spread is unknown.")
    return Page("What does this leave out?", "", (bullets(lines),))

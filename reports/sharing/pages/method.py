"""How the plan was found, its certificates, and its limits."""

from __future__ import annotations

from collections.abc import Mapping

from planner.configurations.sharing.study import SharingStudy, certificates_of
from planner.formatting import DASH, capitalised, gap_words, given, total_seconds
from reports.blocks import Block, Drawn, Page, bullets, formulas, subheading, text
from reports.compact import compact
from reports.configuration.pages.method import REPETITIONS, SOCKETS_DIFFER, power_limit
from reports.grid import table
from solvers import Certificate, Level

_METHODS = {
    "lagrangian": "a Lagrangian bound, and HiGHS among the choices that the linear "
    "program's reduced costs do not exclude",
    "highs": "HiGHS on the configurations that are not dominated",
    "cbc": "CBC on the configurations that are not dominated",
    "both": "CBC and HiGHS, with the best choice and the best limit of the two",
}


_LEVELS = {
    Level.PROVED: "Proved: the limit was derived in exact arithmetic.",
    Level.VERIFIED: "Verified: the plan was recomputed, and the solver reports the limit.",
    Level.CLAIMED: "Claimed: value and limit are as the solver reports.",
}
_OF_RULES = (
    "The rules of thumb are compared with the same limit: the best one that is proved for any plan."
)


def page(study: SharingStudy, _pictures: Drawn) -> Page:
    """The problem as a formula, every rule in words, and the certificates."""
    guard, settings = study.problem.bound.guard, study.settings
    guarded = (
        f"A guard of {given(guard)} of the bound is kept free."
        if guard
        else "No part of the bound is kept free as a guard, because every power is that of a run."
    )
    lines = [
        f"A configuration counts with {REPETITIONS[settings.repetition]}. {guarded}",
        f"The plan was found by {_METHODS.get(settings.method, settings.method)}, to a gap of "
        f"{given(settings.gap)}"
        + ("." if settings.time_limit_s is None
           else f" or for {settings.time_limit_s:g} s per solve, so another run may differ."),
        "Every plan was rechecked from its tables: configurations, watts, nodes.",
    ]  # fmt: skip
    if study.plan.goal == "makespan":
        lines.append(
            "The makespan is found by bisection of deadlines. A deadline is impossible if the "
            "least power of all choices that meet it is proved to exceed the bound. Among the "
            "choices that meet the best deadline, one with the least weighted time is taken."
        )
    certificates = certificates_of(study.plan)
    blocks: list[Block] = [
        formulas(),
        bullets(lines),
        subheading("Certificates"),
        text(_terms(certificates)),
        *_certificate_blocks(certificates),
        *([text(_OF_RULES)] if study.shared.rules and study.shared.bound is not None else []),
    ]
    notes = [f"{subject}: {note}." for subject, c in certificates.items() for note in c.notes]
    return Page("Appendix: how the plan was found, and how good it is", study.confidence,
                (*blocks, *([bullets(notes)] if notes else [])))  # fmt: skip


def _terms(certificates: Mapping[str, Certificate]) -> str:
    """Explain a certificate, with the levels that occur."""
    levels = dict.fromkeys(certificate.level for certificate in certificates.values())
    return " ".join(
        [
            "No choice has a value below the proven limit.",
            *(_LEVELS[level] for level in levels),
            "The gap is how far the value is above the limit.",
        ]
    )


def _certificate_blocks(certificates: Mapping[str, Certificate]) -> list[Block]:
    """Return one certificate as sentences, several as a table."""
    columns = (
        ("Question", False), ("Value", True), ("Proven limit", True), ("Gap", True),
        ("Status", False), ("Level", False), ("Stopped", False), ("Solver", False),
    )  # fmt: skip
    rows = [(question, *_row(certificate)) for question, certificate in certificates.items()]
    if len(rows) == 1:
        question, value, limit, gap, status, level, stop, solver = rows[0]
        return [
            text(
                f"{capitalised(question)}: {value}; proven limit: {limit}; gap: {gap}. Status: "
                f"{status}; level: {level}. Search by {solver}: {stop}."
            )
        ]
    widths = (1.9, 1, 1, 0.9, 0.8, 0.8, 0.8, 0.9)
    return compact(table(columns, widths, rows), "Certificate of each value", small=True)


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
            "All jobs start together and keep their nodes and watts until they end. Resources of a "
            "job that ends early are not reused, and no job waits for another."
        ),
        ("Jobs were run alone. Interference through network and file system is not modelled."),
        (
            "Only configurations that were run are compared. Other configurations or inputs may "
            "give another plan."
        ),
        power_limit(counts_memory=study.counts_memory),
        SOCKETS_DIFFER,
    ]
    if any(not repeat.repeated for repeat in study.repeats):
        lines.append("The variation of a configuration that was run once is unknown.")
    return Page("What are the limits of this result?", "", (bullets(lines),))

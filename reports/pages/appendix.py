"""Certificates and provenance."""

from __future__ import annotations

from typing import Any

from planner.procurement.optimise import GAP, Outcome
from planner.procurement.study import ProcurementStudy
from reports.findings import REGIME_NAMES
from reports.grid import Table, table
from reports.numbers import DASH, fixed
from reports.pages.blocks import Block, Drawn, Page, bullets, grid, subheading, text
from reports.pages.front import warnings
from reports.provenance import provenance
from reports.units import gap_words

_MOST_WARNINGS = 60


def page(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Everything that a reviewer needs to believe the numbers."""
    blocks: list[Block] = [
        text(
            "Verified means: the point was recomputed row by row after rounding, the bound is the "
            "solver's word. Proved means: the bound was derived in exact rational arithmetic. "
            "Objective and bound are in the unit of the goal: log S, money, watts."
        ),
        grid(_certificates(study), "Certificates", small=True),
        grid(
            provenance(study.scenario, study.options, usual_gap=GAP, full=study.full), "Provenance"
        ),
    ]
    notes = [f"{name}: {note}" for name, each in _solves(study) for note in each.certificate.notes]
    if notes:
        blocks += [subheading("Notes of the certificates"), bullets(notes)]
    if list(study.warnings) != warnings(study):
        blocks += [subheading("All warnings"), bullets(_all_warnings(study))]
    return Page("Appendix: certificates and provenance", "", tuple(blocks))


def _all_warnings(study: ProcurementStudy) -> list[str]:
    found = list(study.warnings)
    left = len(found) - _MOST_WARNINGS
    return [*found[:_MOST_WARNINGS], f"{left:,} more stand in plan.json."] if left > 0 else found


def solves(study: ProcurementStudy) -> list[dict[str, Any]]:
    """Times of every certified solve, for run.json."""
    return [
        {
            "question": name,
            "wall_s": outcome.certificate.wall_s,
            "cpu_s": outcome.certificate.cpu_s,
        }
        for name, outcome in _solves(study)
    ]


def _solves(study: ProcurementStudy) -> list[tuple[str, Outcome]]:
    named = [
        ("optimum", study.optimum),
        ("least cost", study.cheapest),
        ("least power", study.thriftiest),
        *(
            (REGIME_NAMES[name], outcome)
            for name, outcome in study.regimes.items()
            if name != study.problem.regime
        ),
    ]
    return [(name, outcome) for name, outcome in named if outcome is not None]


def _gap(outcome: Outcome, *, of_score: bool) -> str:
    """The gap as a fraction: of performance where it is in log S, else of the money or watts."""
    if outcome.gap is None or outcome.objective is None:
        return DASH
    return gap_words(outcome.gap if of_score else outcome.gap / max(1.0, abs(outcome.objective)))


def _certificates(study: ProcurementStudy) -> Table:
    columns = (
        ("Question", False), ("Objective", True), ("Bound", True), ("Gap", True), ("Status", False),
        ("Level", False), ("Solver", False), ("Rounds", True), ("Nodes", True), ("Model", False),
    )  # fmt: skip
    rows = []
    for name, outcome in _solves(study):
        found = outcome.certificate
        of_score = name not in ("least cost", "least power")
        digits = 5 if of_score else 0
        rows.append(
            (
                name,
                fixed(outcome.objective, digits),
                fixed(outcome.bound, digits),
                _gap(outcome, of_score=of_score),
                outcome.status.value,
                found.level.value,
                found.solver,
                str(outcome.rounds),
                f"{found.nodes:,}",
                found.model_digest[:8],
            )
        )
    return table(columns, (1.3, 1.15, 1.15, 0.9, 0.9, 0.85, 1.1, 0.75, 0.7, 0.9), rows)

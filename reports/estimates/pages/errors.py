"""The mean error of the oracle, by its largest and by the rule for its classes."""

from __future__ import annotations

from planner.formatting import capitalised, plural
from planner.scheduling.estimates.study import EstimateStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.estimates.figures.errors import closed_form, finding
from reports.estimates.pages.method import PLACEMENTS
from reports.grid import Table, table
from reports.numbers import fixed


def page(study: EstimateStudy, drawings: Drawn) -> Page:
    """Mean errors of the oracle, next to a closed form."""
    errors = study.oracle_errors
    source = (
        f"{len(errors.by_placement)} rules for the limits of run-time classes; grey: log-uniform "
        "run times in a class."
    )
    blocks: list[Block] = [
        text("A rule puts run times into classes; each job is estimated by the top of its class:"),
        bullets([f"{capitalised(row.placement)}{_used(study, row.placement)}: "
                 f"{PLACEMENTS[row.placement]}." for row in errors.by_placement]),
        *figures(drawings, "errors", source, title="Mean error of the oracle"),
        grid(_errors(study), "Oracle: mean error (%) by largest error e", small=True),
    ]  # fmt: skip
    if errors.zero_runs:
        zero = plural(errors.zero_runs, "job")
        blocks.append(
            text(f"{zero} with a run time of 0 s left out: a relative error is undefined.")
        )
    return Page(
        "Appendix: what is the mean error of the oracle?", f"{finding(study)}.", tuple(blocks)
    )


def _used(study: EstimateStudy, placement: str) -> str:
    return " (used in this study)" if placement == study.settings.placement else ""


def _errors(study: EstimateStudy) -> Table:
    every = study.oracle_errors.by_placement
    bounds = every[0].most_error_percent
    columns = [("Largest (%)", False), *((f"{bound:g}", True) for bound in bounds)]
    rows: list[tuple[str, ...]] = [
        (
            f"{error.placement}{' (used)' if error.placement == study.settings.placement else ''}",
            *(fixed(mean, 2) for mean in error.mean_error_percent),
        )
        for error in every
    ]
    rows.append(("closed form", *(fixed(closed_form(bound), 2) for bound in bounds)))
    return table(columns, (2.1, *[1.0] * (len(columns) - 1)), rows)

"""The page compares the log with Tables 1 to 3 of the paper."""

from __future__ import annotations

from planner.formatting import DASH, plural
from planner.scheduling.estimates.published import DOUBTS, MOST_ERROR_PERCENT
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.tables import LogTables
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.compact import compact
from reports.estimates.figures.errors import closed_form, finding
from reports.grid import Table, table
from reports.numbers import fixed, typed

_SHARES = (
    ("power of two", "power_of_two_percent"), ("serial", "serial_percent"),
    ("square", "square_percent"), ("even", "even_percent"), ("x 4", "multiple_of_4_percent"),
    ("x 10", "multiple_of_10_percent"),
)  # fmt: skip


def page(study: EstimateStudy, drawings: Drawn) -> Page:
    """Requests of the jobs and mean errors of the oracle, compared with the paper."""
    tables = study.log_tables
    source = (
        "Four rules for the limits of run-time classes; grey: log-uniform run times in a class."
        + ("" if tables.published is None else f" Crosses: published for {tables.published.name}.")
    )
    blocks: list[Block] = [
        *([text(_more(tables))] if tables.published is not None else []),
        *compact(_requests(tables), "Requests (%, the paper's Tables 1 and 2); square to x 10: "
                 "share of requests that are not a power of two"),
        *figures(drawings, "errors", source, title="Mean error of the oracle"),
        grid(_errors(tables), "Oracle: mean error (%) by largest error (the paper's Table 3)",
             small=True),
    ]  # fmt: skip
    if tables.zero_runs:
        zero = plural(tables.zero_runs, "job")
        blocks.append(
            text(f"{zero} with a run time of 0 s left out: a relative error is undefined.")
        )
    if tables.published is not None:
        blocks.append(text("Doubts about the published numbers:"))
        blocks.append(bullets([*tables.published.notes, *DOUBTS]))
    answer = f"{finding(study)}."
    if tables.published is None:
        answer = f"The paper does not use this log. {answer}"
    return Page("Appendix: how similar is this log to the paper's?", answer, tuple(blocks))


def _more(tables: LogTables) -> str:
    published, more = tables.published, tables.more_jobs
    assert published is not None  # noqa: S101 - the caller checks it
    if not more:
        return f"The log has as many jobs as published for {published.name}."
    word = "more" if more > 0 else "fewer"
    return (
        f"The log has {abs(more):,} {word} jobs than the {published.jobs:,} published for "
        f"{published.name}. The paper does not say which jobs it leaves out, so small differences "
        "say nothing about the method."
    )


def _requests(tables: LogTables) -> Table:
    columns = (("Log", False), ("Jobs", True), *((words, True) for words, _ in _SHARES))
    here = tables.requests
    rows = [
        (tables.name, f"{here.jobs:,}", *(fixed(getattr(here, key), 2) for _, key in _SHARES)),
    ]
    if tables.published is not None:
        there = tables.published
        shares = (typed(getattr(there, key)) for _, key in _SHARES)
        rows.append((f"{there.name}, published", f"{there.jobs:,}", *shares))
    return table(columns, (2, 0.9, 0.9, 0.8, 0.8, 0.8, 0.8, 0.8), rows)


def _errors(tables: LogTables) -> Table:
    bounds = tables.errors[0].most_error_percent
    columns = [("Largest (%)", False), *((f"{bound:g}", True) for bound in bounds)]
    with_deviation = tables.published is not None
    rows: list[tuple[str, ...]] = [
        (
            error.placement,
            *(fixed(mean, 2) for mean in error.mean_error_percent),
            *([fixed(error.mean_deviation, 2)] if with_deviation else []),
        )
        for error in tables.errors
    ]
    off = [DASH] if with_deviation else []
    rows.append(("closed form", *(fixed(closed_form(bound), 2) for bound in bounds), *off))
    if tables.published is not None:
        columns.append(("off by", True))
        printed = dict(zip(MOST_ERROR_PERCENT, tables.published.mean_error_percent, strict=True))
        rows.append(("published", *(fixed(printed.get(int(bound)), 2) for bound in bounds), DASH))
    return table(columns, (2.1, *[1.0] * (len(columns) - 1)), rows)

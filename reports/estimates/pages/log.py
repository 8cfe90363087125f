"""The page compares the log with Tables 1 to 3 of the paper."""

from __future__ import annotations

from planner.formatting import DASH, capitalised, plural
from planner.scheduling.estimates.published import DOUBTS, MOST_ERROR_PERCENT
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.tables import LogTables
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.estimates.figures.errors import closed_form, finding
from reports.estimates.pages.method import PLACEMENTS
from reports.grid import Table, table
from reports.numbers import fixed, typed

_SHARES = (
    ("a power of two, of all jobs", "power_of_two_percent"),
    ("one processor, of all jobs", "serial_percent"),
    ("a square, of jobs that request no power of two", "square_percent"),
    ("an even number, of these", "even_percent"),
    ("a multiple of 4, of these", "multiple_of_4_percent"),
    ("a multiple of 10, of these", "multiple_of_10_percent"),
)  # fmt: skip


def page(study: EstimateStudy, drawings: Drawn) -> Page:
    """Requests of the jobs and mean errors of the oracle, compared with the paper."""
    tables = study.log_tables
    source = (
        f"{len(tables.errors)} rules for the limits of run-time classes; grey: log-uniform run "
        "times in a class."
        + ("" if tables.published is None else f" Crosses: published for {tables.published.name}.")
    )
    blocks: list[Block] = [
        *([text(_more(tables))] if tables.published is not None else []),
        *figures(drawings, "errors", source, title="Mean error of the oracle"),
        grid(_errors(tables), "Oracle: mean error (%) by largest error e (the paper's Table 3)",
             small=True),
        text("A rule puts run times into classes; each job is estimated by the top of its class:"),
        bullets([f"{capitalised(row.placement)}: {PLACEMENTS[row.placement]}."
                 for row in tables.errors]),
        grid(_requests(tables), "Requested processors (%, the paper's Tables 1 and 2)", small=True),
    ]  # fmt: skip
    if tables.zero_runs:
        zero = plural(tables.zero_runs, "job")
        blocks.append(
            text(f"{zero} with a run time of 0 s left out: a relative error is undefined.")
        )
    if tables.published is not None:
        blocks.append(text("Doubts about the published numbers:"))
        blocks.append(bullets([*tables.published.notes, *DOUBTS]))
    heading = "Appendix: how similar is this log to the paper's?"
    if tables.published is None:
        heading = "Appendix: what is the mean error of the oracle?"
    return Page(heading, f"{finding(study)}.", tuple(blocks))


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
    here, there = tables.requests, tables.published
    columns = [("Share", False), ("This log", True)]
    rows = [("number of jobs", f"{here.jobs:,}")]
    rows += [(words, fixed(getattr(here, key), 2)) for words, key in _SHARES]
    if there is None:
        return table(columns, (4, 1), rows)
    published = [f"{there.jobs:,}", *(typed(getattr(there, key)) for _, key in _SHARES)]
    columns.append((f"{there.name}, published", True))
    return table(
        columns, (4, 1, 1.6), [(*row, cell) for row, cell in zip(rows, published, strict=True)]
    )


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

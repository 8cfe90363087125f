"""The page compares the log with Tables 1 to 3 of the paper."""

from __future__ import annotations

from planner.formatting import DASH, capitalised, plural
from planner.scheduling.estimates.published import (
    DOUBTS,
    MOST_ERROR_PERCENT,
    PUBLISHED,
    PublishedLog,
)
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.tables import LogTables
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.estimates.figures.errors import closed_form, finding
from reports.estimates.pages.method import PLACEMENTS
from reports.grid import Table, table
from reports.numbers import fixed, typed

_SIZES = (
    "The number of processors decides which jobs fit next to each other. Gains of the paper may "
    "differ on a log with other shares."
)
_SHARES = (
    ("a power of two, of all jobs", "power_of_two_percent"),
    ("one processor, of all jobs", "serial_percent"),
    ("a square, of jobs that request no power of two", "square_percent"),
    ("an even number, of these", "even_percent"),
    ("a multiple of 4, of these", "multiple_of_4_percent"),
    ("a multiple of 10, of these", "multiple_of_10_percent"),
)  # fmt: skip


def page(study: EstimateStudy, drawings: Drawn) -> Page:
    """Mean errors of the oracle, compared with the paper."""
    tables = study.log_tables
    source = (
        f"{len(tables.errors)} rules for the limits of run-time classes; grey: log-uniform run "
        "times in a class."
        + ("" if tables.published is None else f" Crosses: published for {tables.published.name}.")
    )
    blocks: list[Block] = [
        text("A rule puts run times into classes; each job is estimated by the top of its class:"),
        bullets([f"{capitalised(row.placement)}{_used(study, row.placement)}: "
                 f"{PLACEMENTS[row.placement]}." for row in tables.errors]),
        *figures(drawings, "errors", source, title="Mean error of the oracle"),
        grid(_errors(study), "Oracle: mean error (%) by largest error e, here and in the paper's "
             "Table 3", small=True),
    ]  # fmt: skip
    if tables.zero_runs:
        zero = plural(tables.zero_runs, "job")
        blocks.append(
            text(f"{zero} with a run time of 0 s left out: a relative error is undefined.")
        )
    return Page(
        "Appendix: what is the mean error of the oracle?", f"{finding(study)}.", tuple(blocks)
    )


def requests(study: EstimateStudy, _drawn: Drawn) -> Page:
    """Requested processors of the jobs, compared with the paper's logs."""
    tables = study.log_tables
    blocks: list[Block] = [
        *([text(_more(tables))] if tables.published is not None else []),
        text(_SIZES),
        grid(_requests(tables), "Shares (%) of jobs by their number of processors, here and in the "
             "paper's Tables 1 and 2", small=True),
    ]  # fmt: skip
    if tables.published is not None:
        blocks.append(text("Doubts about the published numbers:"))
        blocks.append(bullets([*tables.published.notes, *DOUBTS]))
    return Page("Appendix: is this log like the paper's?", _powers_of_two(tables), tuple(blocks))


def _powers_of_two(tables: LogTables) -> str:
    """How many jobs request a power of two, here and in the paper."""
    here = tables.requests.power_of_two_percent
    if here is None:
        return "No job of the log requests processors."
    paper = [log.power_of_two_percent for log in _paper(tables)]
    low, high = fixed(min(paper), 1), fixed(max(paper), 1)
    where = "the paper's logs" if tables.published is None else tables.published.name
    span = low if low == high else f"{low} to {high}"
    return f"{fixed(here, 1)} % of the jobs request a power of two; in {where} {span} %."


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
    here, paper = tables.requests, _paper(tables)
    columns = [("Number of processors", False), (f"This log: {plural(here.jobs, 'job')}", True)]
    columns += [(f"{log.name}: {log.jobs:,} jobs", True) for log in paper]
    rows = [
        (words, fixed(getattr(here, key), 2), *(typed(getattr(log, key)) for log in paper))
        for words, key in _SHARES
    ]
    return table(columns, (3, *[1.3] * (len(columns) - 1)), rows)


def _paper(tables: LogTables) -> list[PublishedLog]:
    """The paper's numbers of this log; of all its logs, if it does not use this one."""
    return [*PUBLISHED.values()] if tables.published is None else [tables.published]


def _used(study: EstimateStudy, placement: str) -> str:
    return " (used in this study)" if placement == study.settings.placement else ""


def _errors(study: EstimateStudy) -> Table:
    tables = study.log_tables
    bounds = tables.errors[0].most_error_percent
    columns = [("Largest (%)", False), *((f"{bound:g}", True) for bound in bounds)]
    with_deviation = tables.published is not None
    rows: list[tuple[str, ...]] = [
        (
            f"{error.placement}{' (used)' if error.placement == study.settings.placement else ''}",
            *(fixed(mean, 2) for mean in error.mean_error_percent),
            *([fixed(error.mean_deviation, 2)] if with_deviation else []),
        )
        for error in tables.errors
    ]
    off = [DASH] if with_deviation else []
    rows.append(("closed form", *(fixed(closed_form(bound), 2) for bound in bounds), *off))
    if with_deviation:
        columns.append(("off by", True))
    for log in _paper(tables):
        printed = dict(zip(MOST_ERROR_PERCENT, log.mean_error_percent, strict=True))
        means = (fixed(printed.get(int(bound)), 2) for bound in bounds)
        rows.append((f"paper: {log.name}", *means, *off))
    return table(columns, (2.1, *[1.0] * (len(columns) - 1)), rows)

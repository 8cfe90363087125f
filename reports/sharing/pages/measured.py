"""What was measured of the jobs' applications, and what repetitions say of the plan."""

from __future__ import annotations

from collections.abc import Sequence

from planner.configurations.risk import Risk
from planner.configurations.sharing.study import SharingStudy
from planner.configurations.table import Configuration
from planner.formatting import clipped, plural
from reports.blocks import Block, Drawn, Page, bullets, partly, text
from reports.compact import compact
from reports.configuration.pages.measured import measured_runs
from reports.configuration.pages.repetitions import OF_RISK, risk_cells, stragglers
from reports.configuration.summary import listed
from reports.grid import Table, table
from reports.sharing.groups import applications
from reports.sharing.pages.front import file_name
from reports.sharing.summary import BOOK, MOST_APPLICATIONS
from scenarios.measurements.spread import RepetitionSpread

_MOST_CHOSEN = 14
_MOST_NAMES, _MOST_STRAGGLING = 12, 6


def page(study: SharingStudy, _pictures: Drawn) -> Page:
    """Show runs by application, repetitions of the chosen configurations, and slow runs."""
    names = applications(study.plan)
    tables = {job.name: job.table for job in study.problem.jobs}
    selected = names[:MOST_APPLICATIONS]
    blocks: list[Block] = measured_runs([(study.runs[name], tables[name]) for name in selected])
    if len(names) > len(selected):
        blocks.append(
            text(f"{plural(len(names) - len(selected), 'further application')}: see {BOOK}.")
        )
    chosen = dict(zip(study.chosen, study.risks, strict=True))
    caption = partly("Runs of the chosen configurations", _MOST_CHOSEN, len(chosen), BOOK)
    blocks += [
        *compact(_repetitions(chosen), caption, small=True),
        *_stragglers(study.spreads),
    ]
    return Page("Which runs is this based on?", _finding(study, chosen), tuple(blocks))


def _finding(study: SharingStudy, chosen: dict[tuple[str, Configuration], Risk]) -> str:
    runs = sum(len(run) for run in study.runs.values())
    once = sum(seen.repetitions == 1 for seen in chosen.values())
    message = (
        f"{once:,} of them {'was' if once == 1 else 'were'} run once"
        if once
        else "all were run more than once"
    )
    return (
        f"{file_name(study)} holds {plural(runs, 'run')} of these jobs' "
        f"{plural(len(study.runs), 'application')}; {plural(len(chosen), 'configuration')} "
        f"{'was' if len(chosen) == 1 else 'were'} chosen, {message}."
    )


def _stragglers(spreads: Sequence[RepetitionSpread]) -> list[Block]:
    """Describe the slow runs of each application; one sentence covers those without any."""
    steady = [spread.application for spread in spreads if spread.known and not spread.stragglers]
    once = [spread.application for spread in spreads if not spread.known]
    straggling = [spread for spread in spreads if spread.stragglers]
    straggling.sort(key=lambda spread: -spread.straggling)
    blocks = stragglers(straggling[:_MOST_STRAGGLING], BOOK, briefly=True)
    more = [spread.application for spread in straggling[_MOST_STRAGGLING:]]
    texts = [
        f"{words}: {listed(names, _MOST_NAMES)}."
        for words, names in (
            ("Further applications with slow runs", more),
            ("No unusually slow runs", steady),
            ("Measured once each, so slow runs cannot be detected", once),
        )
        if names
    ]
    return blocks if not texts else [*blocks, bullets(texts)]


def _repetitions(chosen: dict[tuple[str, Configuration], Risk]) -> Table:
    """Those with the widest spread first."""
    columns = (("Application", False), ("Chosen", False), *OF_RISK)
    ranked = sorted(chosen.items(), key=lambda pair: -pair[1].worst_s / pair[1].best_s)
    rows = [
        (clipped(name, 40), str(configuration), *risk_cells(seen))
        for (name, configuration), seen in ranked[:_MOST_CHOSEN]
    ]
    return table(columns, (1.5, 1.4, 0.5, 0.85, 0.85, 0.85, 1), rows)

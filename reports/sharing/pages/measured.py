"""What was measured of the jobs' applications, and what repetitions say of the plan."""

from __future__ import annotations

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
from reports.sharing.pages.front import file_name
from reports.sharing.summary import BOOK, MOST_APPLICATIONS

_MOST_CHOSEN = 14
_MOST_NAMES, _MOST_STRAGGLING = 12, 6


def page(study: SharingStudy, _pictures: Drawn) -> Page:
    """Show repetitions of the chosen configurations, and slow runs."""
    chosen = dict(zip(study.chosen, study.risks, strict=True))
    caption = partly("Runs of the chosen configurations", _MOST_CHOSEN, len(chosen), BOOK)
    blocks: list[Block] = [
        *compact(_repetitions(chosen), caption, small=True),
        *_stragglers(study),
    ]
    return Page("Which runs is this based on?", _finding(study, chosen), tuple(blocks))


def ranges(study: SharingStudy, _pictures: Drawn) -> Page:
    """Show how many runs each application has, and of which nodes, cores and caps."""
    names = list(study.runs)
    tables = {job.name: job.table for job in study.problem.jobs}
    selected = names[:MOST_APPLICATIONS]
    blocks: list[Block] = measured_runs([(study.runs[name], tables[name]) for name in selected])
    if len(names) > len(selected):
        further = plural(len(names) - len(selected), "further application")
        blocks.append(text(f"{further}: see {BOOK}."))
    return Page("Appendix: runs", "", tuple(blocks))


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


def _stragglers(study: SharingStudy) -> list[Block]:
    """Describe the slow runs of each application; one sentence covers those without any."""
    spreads = study.spreads
    steady = [spread.application for spread in spreads if spread.known and not spread.stragglers]
    once = [spread.application for spread in spreads if not spread.known]
    straggling = [spread for spread in spreads if spread.stragglers]
    ranked = sorted(straggling, key=lambda spread: -spread.straggling)
    chosen = list(dict.fromkeys(study.chosen))
    selected = [spread for spread in straggling if spread in ranked[:_MOST_STRAGGLING]]
    blocks = stragglers(selected, BOOK, chosen, "chosen", briefly=True)
    more = [spread.application for spread in ranked[_MOST_STRAGGLING:]]
    texts = [
        f"{words}: {listed(names, _MOST_NAMES)}."
        for words, names in (
            ("Further applications with slow runs", more),
            ("No unusually slow runs", steady),
            ("Run once each, so slow runs cannot be detected", once),
        )
        if names
    ]
    return blocks if not texts else [*blocks, bullets(texts)]


def _repetitions(chosen: dict[tuple[str, Configuration], Risk]) -> Table:
    """In the order of the jobs; of too many, those with the widest spread."""
    columns = (("Application", False), ("Chosen", False), *OF_RISK)
    ranked = sorted(chosen.items(), key=lambda pair: -pair[1].worst_s / pair[1].best_s)
    selected = {pair for pair, _ in ranked[:_MOST_CHOSEN]}
    rows = [
        (clipped(name, 40), str(configuration), *risk_cells(seen))
        for (name, configuration), seen in chosen.items()
        if (name, configuration) in selected
    ]
    return table(columns, (1.5, 1.4, 0.5, 0.85, 0.85, 0.85, 1), rows)

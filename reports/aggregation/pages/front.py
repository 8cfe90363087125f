"""The title page: the choice, what it is worth, and the patterns around it."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from planner.aggregation.aggregate import AggregationStudy
from planner.aggregation.selection import Candidate
from planner.aggregation.summary import against, energy, pace, parts, percent, ratio
from planner.formatting import clipped, given, plural, words
from reports.grid import Table, table
from reports.report import Facts
from reports.skeleton import first_sheet, title_page

BOOK = "aggregate.xlsx"


def front(study: AggregationStudy) -> dict[str, Any]:
    """What the title page shows."""
    return title_page(
        study,
        title(study),
        source(study),
        description=_description(study),
        summary=summary(study),
        table=_around(study),
    )


def title(study: AggregationStudy) -> str:
    """The program and the question."""
    program = study.measured.program
    return f"How many of {plural(program.traffic.tasks, 'task')} of {name(study)} share a node"


def name(study: AggregationStudy) -> str:
    """The program's name, short enough for a title."""
    return clipped(study.measured.program.name, 60)


def source(study: AggregationStudy) -> str:
    """Where the measurements are from, short enough for a footer."""
    folder = PurePath(study.measured.folder).name
    text = study.measured.source if study.measured.simulated or not folder else folder
    return clipped(text or "measurements", 80)


def pairs(study: AggregationStudy) -> Facts:
    """The first sheet of the workbook."""
    measured, settings, choice = study.measured, study.settings, study.choice
    result: list[tuple[str, Any]] = [
        ("source", measured.source or None),
        ("simulated", measured.simulated),
        ("tasks", measured.program.traffic.tasks),
        ("pattern", study.chosen.pattern.id),
        ("tasks per node", study.chosen.pattern.tasks),
        ("nodes", study.nodes(study.chosen.pattern)),
        ("predicted slowdown", study.chosen.slowdown),
        ("baseline pattern", study.baseline.pattern.id),
        ("predicted saving against the baseline", study.saving(study.chosen)),
        ("tolerated slowdown", settings.threshold),
        ("chosen by", settings.choose),
        ("grouping", settings.grouping),
        ("weights of pairs", settings.objective),
        ("seed", settings.seed),
    ]
    if choice is not None:
        result += [
            ("true slowdown (simulated)", choice.slowdown),
            ("true saving against one task per node (simulated)", choice.saving),
            ("best pattern in truth (simulated)", choice.best),
            ("share of the best saving (simulated)", choice.share),
        ]
    result += [(f"SHA-256 of {file}", digest) for file, digest in measured.sha256.items()]
    return first_sheet(study, title(study), result)


def _description(study: AggregationStudy) -> str:
    measured = study.measured
    node = " x ".join(map(plural, measured.node, ("processor", "die", "core")))
    return (
        f"{plural(measured.program.traffic.tasks, 'MPI task')} of "
        f"{measured.program.memory_gb:.4g} GB each, on nodes of {node} with "
        f"{measured.memory_gb:g} GB at {measured.clock_ghz:g} GHz."
    )


def summary(study: AggregationStudy) -> list[str]:
    """What a board reads first."""
    chosen, settings = study.chosen, study.settings
    rule = (
        "the one of fewest nodes, then processors, then dies"
        if settings.choose == "rank"
        else "the one of least predicted energy"
    )
    selected = sorted(study.tolerable)
    lines = [
        (
            f"Of the patterns predicted to be at most {given(settings.threshold)} slower than one "
            f"task per node ({words([str(name) for name in selected])}), {rule} is taken."
        ),
        (
            f"Predicted: {_energies(study)}"
            f"on {plural(study.nodes(chosen.pattern), 'node')} instead of "
            f"{study.nodes(study.baseline.pattern):,} {against(study)}."
        ),
    ]
    choice = study.choice
    if choice is not None:
        lines.append(
            f"In truth on the simulated node, against one task per node: {percent(choice.saving)} "
            f"saved, {pace(choice.slowdown)}; the best pattern of all is {choice.best} with "
            f"{percent(choice.best_saving)}; share of the best saving: {percent(choice.share)}."
        )
    if study.refused:
        listed = [f"{pattern}: {why}" for pattern, why in study.refused.items()]
        more = f"; {len(listed) - 4} more in {BOOK}" if len(listed) > 4 else ""
        lines.append(f"Not possible: pattern {'; '.join(listed[:4])}{more}.")
    whole = "; energy is that of the whole run on all nodes" if study.metered else ""
    lines.append(f"Below: {_below(study)}{whole}.")
    return lines


def _energies(study: AggregationStudy) -> str:
    if not study.metered:
        return "energy is not known; "
    return f"{energy(study.chosen.energy_j)} instead of {energy(study.baseline.energy_j)}, "


def _below(study: AggregationStudy) -> str:
    """Which patterns the table shows."""
    if len(_shown(study)) == len(study.candidates):
        return "all patterns that are predicted"
    return (
        f"of {len(study.candidates)} patterns that are predicted one task per node, the chosen, "
        "and those that save the next more and less; all of them are on the next page"
    )


_MOST_SHOWN = 8


def _shown(study: AggregationStudy) -> set[Candidate]:
    """All; of many the reference, the chosen, and the next ones that save more or less."""
    if len(study.candidates) <= _MOST_SHOWN:
        return {*study.candidates}
    by_saving = sorted(study.candidates, key=study.gain)
    position = by_saving.index(study.chosen)
    return {study.reference, *by_saving[max(0, position - 1) : position + 2]}


def _around(study: AggregationStudy) -> Table:
    """Patterns with what they cost in the whole run on all nodes."""
    shown = _shown(study)
    columns = (
        ("Pattern", True), ("Tasks per node", True), ("Nodes", True), ("On each", False),
        ("Energy", True), ("Of baseline", True), ("Slowdown", True), ("", False),
    )  # fmt: skip
    rows = [
        (
            str(c.pattern.id),
            str(c.pattern.tasks),
            f"{study.nodes(c.pattern):,}",
            parts(c.pattern),
            energy(c.energy_j),
            ratio(study.saving(c)),
            percent(c.slowdown),
            "chosen"
            if c is study.chosen
            else ""
            if c.pattern.id in study.tolerable
            else "predicted too slow",
        )
        for c in study.candidates
        if c in shown
    ]
    return table(columns, (0.8, 0.8, 0.7, 2.4, 1, 0.9, 1, 0.9), rows)

"""The title page: the choice, what it is worth, and the patterns around it."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from planner.aggregation.aggregate import AggregationStudy
from planner.aggregation.selection import Candidate
from planner.aggregation.summary import (
    FEW_CODES,
    details,
    energy,
    parts,
    per_node,
    percent,
    ratio,
    risks,
)
from planner.formatting import clipped, given, plural, words
from reports.first_page import FirstPage
from reports.grid import Table, table
from reports.report import Facts
from reports.skeleton import first_sheet, title_page
from reports.warning_boxes import boxed

BOOK = "aggregate.xlsx"


def front(study: AggregationStudy) -> dict[str, Any]:
    """What the title page shows."""
    return title_page(
        study,
        title(study),
        source(study),
        description=_description(study),
        first=FirstPage(
            reasons=reasons(study),
            alternatives=_alternatives(study),
            risks=boxed(list(risks(study))),
            limits=_limits(study),
            assumptions=_assumptions(study),
            next_steps=_next_steps(study),
            table=_around(study),
        ),
    )


def title(study: AggregationStudy) -> str:
    """The program and the question."""
    program = study.measured.program
    return f"How many of the {plural(program.traffic.tasks, 'rank')} of {name(study)} share a node?"


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
        ("ranks", measured.program.traffic.tasks),
        ("pattern", study.chosen.pattern.id),
        ("ranks per node", study.chosen.pattern.tasks),
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
            ("true saving against one rank per node (simulated)", choice.saving),
            ("truly best pattern (simulated)", choice.best),
            ("share of the best saving (simulated)", choice.share),
        ]
    result += [(f"SHA-256 of {file}", digest) for file, digest in measured.sha256.items()]
    return first_sheet(study, title(study), result)


def _description(study: AggregationStudy) -> str:
    measured = study.measured
    node = " x ".join(map(plural, measured.node, ("socket", "die", "core")))
    return (
        f"{plural(measured.program.traffic.tasks, 'MPI rank')} of "
        f"{measured.program.memory_gb:.4g} GB each, on nodes of {node} with "
        f"{measured.memory_gb:g} GB at {measured.clock_ghz:g} GHz."
    )


def reasons(study: AggregationStudy) -> list[str]:
    """Why this is recommended: the rule, the amounts, and the truth where it is known."""
    chosen, settings = study.chosen, study.settings
    rule = (
        "fewest nodes, then sockets, then dies"
        if settings.choose == "rank"
        else "least predicted energy"
    )
    selected, total = sorted(study.tolerable), len(study.candidates)
    noun = "Pattern" if len(selected) == 1 else "Patterns"
    verb = "is" if len(selected) == 1 else "are"
    within = f"{noun} {words([str(number) for number in selected])} {verb}"
    if 1 < len(selected) == total:
        within = f"All {total} predicted patterns are"
    lines = [
        details(study),
        f"{within} within the slowdown limit of {given(settings.threshold)}; selected by {rule}.",
        f"Predicted: {_used(study)}.",
    ]
    choice = study.choice
    if choice is not None and choice.best != chosen.pattern.id:
        lines.append(
            f"Simulated ground truth: {percent(choice.share)} of the saving that the best pattern "
            f"({choice.best}) reaches against one rank per node."
        )
    return lines


def _used(study: AggregationStudy) -> str:
    """Energy and nodes of the chosen, against the baseline; against one rank per node if that."""
    chosen, base = study.chosen, study.compared
    used = energy(chosen.energy_j) if study.metered else "energy not known"
    nodes = plural(study.nodes(chosen.pattern), "node")
    if base is chosen:
        return f"{used}, {nodes}"
    where = "with one rank per node" if base is study.reference else "in the baseline"
    instead = f" instead of {energy(base.energy_j)}" if study.metered else ""
    return f"{used}{instead}, {nodes} instead of {study.nodes(base.pattern):,} {where}"


def _alternatives(study: AggregationStudy) -> list[str]:
    """One rank per node, and the fullest patterns that were not selected."""
    rows = [c for c in (study.reference, study.baseline) if c is not study.chosen]
    others = sorted(
        (c for c in study.candidates if c is not study.chosen and c not in rows),
        key=lambda c: -study.gain(c),
    )
    lines = [_alternative(study, c) for c in dict.fromkeys([*rows, *others[:1]])]
    shown, predicted = len(_shown(study)), len(study.candidates)
    if shown < predicted:
        lines.append(f"The table shows {shown} of {predicted} predicted patterns.")
    return lines


def _alternative(study: AggregationStudy, candidate: Candidate) -> str:
    used = f"{energy(candidate.energy_j)}, " if candidate.energy_j is not None else ""
    slow = "" if candidate.pattern.id in study.tolerable else " (above the limit)"
    return (
        f"Pattern {candidate.pattern.id}, {per_node(candidate.pattern)}: {used}"
        f"slowdown {percent(candidate.slowdown)}{slow}."
    )


def _limits(study: AggregationStudy) -> list[str]:
    """The slowdown if it excludes patterns that gain more, and patterns that are not possible."""
    lines = []
    gain = study.gain(study.chosen)
    slow = [c for c in study.candidates if c.pattern.id not in study.tolerable]
    better = [str(c.pattern.id) for c in slow if study.gain(c) > gain]
    if better:
        noun, verb = ("pattern", "saves") if len(better) == 1 else ("patterns", "save")
        lines.append(
            f"Slowdown of at most {given(study.settings.threshold)} against one rank per node: "
            f"{noun} {words(better)} {verb} more, but would be slower."
        )
    listed = [f"{pattern} ({why})" for pattern, why in study.refused.items()]
    if listed:
        noun = "pattern" if len(listed) == 1 else "patterns"
        more = f" and {len(listed) - _MOST_REFUSED} more" if len(listed) > _MOST_REFUSED else ""
        lines.append(f"Not possible: {noun} {', '.join(listed[:_MOST_REFUSED])}{more}.")
    return lines


def _assumptions(study: AggregationStudy) -> list[str]:
    lines = ["Computation and messages do not overlap."]
    if study.metered and not study.freed:  # else it is a risk
        lines.append("Unused nodes cost no energy.")
    lines.append(_compared(study))
    if (law := study.measured.law) in _LAWS:
        lines.append(f"Contention law {law} of the simulated node: {_LAWS[law]}.")
    if not study.metered:
        lines.append(f"Energy is not known: {study.learnt.unmetered}.")
    if study.other is not None and study.other is not study.chosen:
        rule = "predicted energy" if study.settings.choose == "rank" else "fewest nodes"
        lines.append(f"Choosing by {rule} would give pattern {study.other.pattern.id}.")
    return lines


def _compared(study: AggregationStudy) -> str:
    """What energies and slowdowns are compared with, which need not be the same pattern."""
    base, what = study.baseline.pattern, "energies" if study.metered else "numbers of nodes"
    if study.baseline is study.reference:
        return f"Baseline of {what} and slowdowns: pattern {base.id} ({per_node(base)})."
    why = ", as batch systems fill nodes" if study.settings.baseline == "packed" else ""
    return (
        f"Baseline of {what}: pattern {base.id} ({per_node(base)}{why}). Slowdowns are against "
        f"pattern {study.reference.pattern.id} (one rank per node)."
    )


def _next_steps(study: AggregationStudy) -> list[str]:
    lines = []
    if study.measured.simulated:
        lines.append("Measure your own node and codes before you apply this result.")
    else:
        lines.append("Time the program with this pattern and with the baseline.")
    if study.chosen.pattern.tasks > 1:
        lines.append("Write a rank file for your launcher.")
    if len({run.code for run in study.measured.training}) < FEW_CODES:
        lines.append(f"Measure at least {FEW_CODES} training codes.")
    return lines


_LAWS = {
    "saturating": "waits for memory grow without limit as its bandwidth is used up",
    "cliff": "a code slows down suddenly when its data no longer fit into its share of a cache",
    "queue": "cores queue for memory, and heat lowers the clock in steps",
}
"""How cores slow each other down on the simulated node, by the names of ``--law``."""
WITHIN, ABOVE = "within limit", "above limit"
"""Whether the predicted slowdown of a pattern that is not chosen is tolerable."""
_MOST_REFUSED = 3
_MOST_SHOWN = 5


def _shown(study: AggregationStudy) -> set[Candidate]:
    """All; of many the reference, the chosen, and the next ones that save more or less."""
    if len(study.candidates) <= _MOST_SHOWN:
        return {*study.candidates}
    by_saving = sorted(study.candidates, key=study.gain)
    position = by_saving.index(study.chosen)
    return {study.reference, study.baseline, *by_saving[max(0, position - 1) : position + 2]}


def energy_ratio(study: AggregationStudy) -> str:
    """The heading of energies over that of the baseline."""
    return f"Energy over pattern {study.baseline.pattern.id}"


def slower_than(study: AggregationStudy) -> str:
    """The heading of slowdowns, which are against one rank per node."""
    return f"Slower than pattern {study.reference.pattern.id}"


def _around(study: AggregationStudy) -> Table:
    """Patterns with what they cost in the whole run on all nodes."""
    shown = _shown(study)
    columns = (
        ("Pattern", True), ("Ranks per node", True), ("Nodes", True), ("Used of each node", False),
        ("Energy", True), (energy_ratio(study), True), (slower_than(study), True),
        ("Choice", False),
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
            "chosen" if c is study.chosen else WITHIN if c.pattern.id in study.tolerable else ABOVE,
        )
        for c in study.candidates
        if c in shown
    ]
    return table(columns, (0.8, 0.9, 0.7, 2.1, 1, 1.1, 1.1, 1.2), rows)

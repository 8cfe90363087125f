"""How the numbers were made, with the numbers; and what is left out."""

from __future__ import annotations

import math

from planner.aggregation.aggregate import AggregationStudy
from planner.aggregation.explained import Explained, explained
from planner.aggregation.summary import energy, percent, risks
from planner.aggregation.tables import left_out_codes
from planner.formatting import given, plural, seconds
from reports.aggregation.figures.errors import MOST_ROWS, finding
from reports.aggregation.pages.front import BOOK, name, source
from reports.aggregation.pages.groups import WAYS, WEIGHTS
from reports.aggregation.pages.patterns import true_blocks
from reports.blocks import Block, Drawn, Page, bullets, figures, formulas, grid, only, partly, text
from reports.compact import compact
from reports.grid import Table, table
from reports.skeleton import command_line, provenance_page
from reports.warning_boxes import boxed


def page(study: AggregationStudy, _drawn: Drawn) -> Page:
    """Equations 1 to 5, and what they are for the chosen pattern."""
    values = explained(study)
    blocks: list[Block] = [formulas(), bullets(_lines(study, values))]
    if values.terms:
        caption = f"Equations 1 to 3: contributions to the IPC of pattern {study.chosen.pattern.id}"
        blocks.append(grid(_terms(study, values), caption))
    return Page("Appendix: method", "", tuple(blocks))


def _lines(study: AggregationStudy, values: Explained) -> list[str]:
    chosen, reference, program = study.chosen, study.reference, study.measured.program
    tasks = plural(chosen.pattern.tasks, "rank")
    lines = [
        _class(study, values),
        (
            f"Computation: {program.instructions:,.0f} instructions / (IPC of "
            f"{chosen.ipc:.4f} x {study.measured.clock_ghz:g} GHz) = {seconds(chosen.compute_s)}; "
            f"one rank per node: IPC {reference.ipc:.4f}, {seconds(reference.compute_s)}."
        ),
        (
            f"Messages (upper bound): the longest time of any rank, each message under the worst "
            f"noise of the layout: {seconds(chosen.communication_s)}; one rank per node: "
            f"{seconds(reference.communication_s)}."
        ),
        (
            f"Equation 5: {_difference(study)}, {percent(chosen.slowdown)} of the time "
            f"with one rank per node; tolerated: {given(study.settings.threshold)}."
        ),
        _power(study),
        _grouping(study, values, tasks),
    ]
    return [line for line in lines if line]


def _difference(study: AggregationStudy) -> str:
    """Equation 5 with enough digits that the printed sum is right."""
    chosen, reference = study.chosen, study.reference
    result = chosen.time_s - reference.time_s
    places = 1 if not result else min(9, max(1, 2 - math.floor(math.log10(abs(result)))))
    terms = (chosen.compute_s, chosen.communication_s, reference.compute_s,
             reference.communication_s)  # fmt: skip
    a, b, c, d = (f"{term:,.{places + 1}f} s" for term in terms)
    return f"({a} + {b}) - ({c} + {d}) = {result:,.{places}f} s"


def _class(study: AggregationStudy, values: Explained) -> str:
    setting = study.learnt.tried[0].setting
    fitted = (
        f"ridge of {setting.ridge:g} and {plural(setting.events, 'event')}, chosen by "
        "cross-validation"
    )
    codes = len({run.code for run in study.measured.training})
    phases = len({(run.code, run.problem) for run in study.measured.training})
    trained = f"{plural(phases, 'phase')} of {plural(codes, 'training code')}"
    if not study.settings.classes:
        return f"IPC: one linear model for each pattern, of {trained}; {fitted}."
    end = f"from {values.low:g} on" if values.high is None else f"{values.low:g} to {values.high:g}"
    own = "" if values.own else ", which has too few phases, so the model of all classes is used"
    return (
        f"IPC: a linear model for each pattern and class, of {trained}; {fitted}. Mean IPC of the "
        f"samples (patterns {' and '.join(map(str, study.sampled))}): {values.mean_ipc:.4f}, class "
        f"{end}{own}."
    )


def _power(study: AggregationStudy) -> str:
    chosen, iterations = study.chosen, study.measured.program.iterations
    if chosen.energy_j is None:
        return f"Energy is not known: {study.learnt.unmetered}."
    nodes = study.nodes(chosen.pattern)
    run_s = chosen.time_s * iterations
    power_w = chosen.energy_j / (nodes * run_s)
    return (
        f"Energy: {plural(nodes, 'node')} x {power_w:.4g} W x {plural(iterations, 'iteration')} x "
        f"{seconds(chosen.time_s)} = {energy(chosen.energy_j)}. Node power is a least-squares "
        "fit over metered training runs, linear in used sockets, dies, ranks, and ranks times IPC."
    )


def _grouping(study: AggregationStudy, values: Explained, tasks: str) -> str:
    if not values.pairs:
        return "The ranks exchange no messages, so the grouping does not matter."
    share = study.chosen.communication_s / study.chosen.time_s
    head = (
        f"Groups: {WAYS[study.settings.grouping]}. {values.apart:,} of "
        f"{plural(values.pairs, 'pair')} "
        "of ranks that exchange messages would be faster on different nodes than on the most "
        "distant cores of one node. Messages take at most "
        f"{percent(share)} of an iteration under the chosen pattern"
        f"{', so this weighs little' if share < _LITTLE else ''}."
    )
    if study.settings.grouping == "order":
        return head
    if study.settings.objective != "paper":
        return f"{head} Weights: {WEIGHTS[study.settings.objective]}."
    constant = f"{values.constant:.3g}"
    return (
        f"{head} Minimised: equation 4 with {tasks} on a node, C = {constant}, times in "
        "microseconds."
    )


def _terms(study: AggregationStudy, values: Explained) -> Table:
    columns = (("Regressor", False), ("Value", True), ("Contribution to IPC", True))
    rows = [(term.name, f"{term.value:.5g}", f"{term.adds:+.4f}") for term in values.terms]
    rows.append(("sum: IPC", "", f"{study.chosen.ipc:.4f}"))
    return table(columns, (2.4, 1, 1), rows)


def limits(study: AggregationStudy, _drawn: Drawn) -> Page:
    """What is not modelled."""
    answer = (
        "Overlap of computation and messages: their times are added, and every message meets the "
        "worst noise. The message time may be several times the true one."
    )
    lines = [
        "Every node has the same number of ranks, and all ranks are alike.",
        "Exchanges involve all ranks; other collectives count through their messages.",
        "Messages do not slow computation on the same bus, nor the reverse.",
        ("Unused nodes are assumed to be off or used by others: their idle power is not counted."),
        "The pattern is fixed for the whole run.",
    ]
    if study.settings.choose == "rank":
        lines.append(
            "The choice by fewest nodes ignores energy: a pattern within the slowdown limit wins "
            "even if its sockets draw more power."
        )
    if study.measured.simulated:
        lines.append("The node, its laws and the codes are simulated, not measured.")
    return Page("What is not modelled?", answer, (bullets(lines),))


def appendix(study: AggregationStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to repeat the result."""
    rows = [
        ("Measurements", source(study)),
        ("Source, as stated in the files", study.measured.source or "nothing"),
        *((f"SHA-256 of {file}", digest) for file, digest in study.measured.sha256.items()),
        ("Command", command_line(study.command) or "from Python"),
        ("Seed", str(study.settings.seed)),
        ("Repeatability", "the same input, seed and versions give identical files"),
    ]
    return provenance_page(study, rows, boxes=boxed(list(risks(study))))


_MOST_ROWS = 16
_LITTLE = 0.05
"""Share of an iteration below which messages decide little."""


def errors(study: AggregationStudy, drawn: Drawn) -> Page:
    """Figure and table by code."""
    source = "Dot: mean; bar: largest."
    rows = left_out_codes(study)
    blocks: list[Block] = [
        *figures(
            drawn,
            "errors",
            source + only(MOST_ROWS, len(rows), "codes", BOOK),
            title="Errors of predicted IPC for each training code",
        ),
        text(
            "IPC is instructions per cycle. The models learn from training codes, which ran under "
            "every pattern. Cross-validation predicts each one with models of all others. These "
            "errors also selected the settings of the models, so a new code may have larger ones. "
            "A slowdown adds the errors of two patterns."
        ),
    ]
    return Page("How accurate is predicted IPC?", _accurate(study), tuple(blocks))


def _accurate(study: AggregationStudy) -> str:
    """The errors on training codes, and that of the program itself where the truth is known."""
    chosen, truths = study.chosen, study.truths
    if truths is None:
        return f"{finding(study)}."
    off = abs(chosen.ipc / truths.outcomes[chosen.pattern.id].ipc - 1)
    return (
        f"{finding(study)}. Against the simulated truth, the predicted IPC of {name(study)} "
        f"under pattern {chosen.pattern.id} is off by {percent(off)}."
    )


def predictions(study: AggregationStudy, _drawn: Drawn) -> Page:
    """The tables behind the errors: the truth of every pattern, and each training code."""
    rows = left_out_codes(study)
    caption = partly(
        "Cross-validation by training code: errors of IPC",
        min(len(rows), _MOST_ROWS), len(rows), BOOK,
    )  # fmt: skip
    blocks = (*true_blocks(study), *compact(_errors(study), caption))
    return Page("Appendix: errors of the predictions", "", blocks)


def _errors(study: AggregationStudy) -> Table:
    columns = (
        ("Code", False), ("Predictions", True), ("Mean error", True), ("Largest", True),
        ("Bias", True),
    )  # fmt: skip
    rows = [
        (
            row["code"],
            f"{row['predictions']:,}",
            percent(row["mean_error"]),
            percent(row["most_error"]),
            percent(row["bias"]),
        )
        for row in left_out_codes(study)[:_MOST_ROWS]
    ]
    return table(columns, (2, 1, 1, 1, 1), rows)

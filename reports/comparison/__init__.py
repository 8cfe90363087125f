"""The report of ``headroom compare``: its tables, and the gaps as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.comparison.explanations import explained
from planner.comparison.files import files
from planner.comparison.outcomes import SAME, MethodOutcome, exact
from planner.comparison.study import ComparisonStudy, Summary, gap_text
from planner.formatting import DASH, capitalised, percent, plural, words
from planner.table import Table as Written
from reports.blocks import Block, Page, grid, partly, text
from reports.compact import compact, varying
from reports.first_page import MOST_LINES, FirstPage
from reports.grid import Table, table, table_of
from reports.standard import caption, standard_report
from reports.standard import document as standard_document
from reports.style import BLUE, GREY, Picture, draw, look, rows_high
from reports.warning_boxes import boxed

__all__ = ["REPORT", "pictures"]

_MARKERS = "osD^vP*X"
_MOST_ON_FIRST = 6
"""Methods in the table of the first page."""
_MOST_SETTINGS = 3
_OF_SOLVERS = frozenset(("node limit", "time limit (s)", "gap"))
"""Settings that say nothing about the data."""
_MOST_NAMES = 4
_NOTABLE = 1e-3
"""Smaller gaps lie below the precision of most measured inputs and do not count as a miss."""
_MOST_COLUMNS, _MOST_INSTANCES, _MOST_ROWS = 6, 24, 40


def pictures(study: ComparisonStudy) -> list[Picture]:
    """Return the gap of each method over the size of the instances, or over all of them."""
    rows = [summary for summary in study.summaries if summary.worst_gap is not None]
    if all((row.worst_gap or 0.0) <= SAME for row in rows):
        return []  # nothing to see
    listed = "; ".join(f"{row.method} {gap_text(row.worst_gap or 0)}" for row in rows)
    words = f"Distance from the best proven limit. Largest gaps: {listed}."
    most = max(rows, key=lambda row: row.worst_gap or 0.0)
    title = f"The largest gap is {gap_text(most.worst_gap or 0.0)}, of {most.method}"
    if len(study.sizes) > 1:
        return [draw("growth", "01-gap-over-size", title, words, (6.8, 3.4),
                     lambda figure: _growth(figure, study))]  # fmt: skip
    height = rows_high(len(rows), 0.38, 0.9)
    return [draw("answers", "01-gaps", title, words, (6.8, height),
                 lambda figure: _bars(figure, rows))]  # fmt: skip


def _growth(figure: Figure, study: ComparisonStudy) -> None:
    """Mean gap at each size, with a line up to the largest."""
    axes: Axes = figure.subplots()
    level = 0
    for number, method in enumerate(study.methods):
        if all((each.worst_gap or 0.0) <= SAME and each.solved == each.instances
               for each in study.growth if each.method == method):  # fmt: skip
            level += 1
            continue
        points = [
            (growth.size, growth.mean_gap, growth.worst_gap)
            for growth in study.growth
            if growth.method == method
            and growth.mean_gap is not None
            and growth.worst_gap is not None
        ]
        if not points:
            continue
        sizes = [size for size, _, _ in points]
        means = [100 * mean for _, mean, _ in points]
        colour = look(number)[0]
        style = "-" if exact(study.of(method)[0].kind) else "--"
        axes.plot(sizes, means, style, color=colour, marker=_MARKERS[number % len(_MARKERS)],
                  markersize=5, linewidth=1.4, label=method, clip_on=False)  # fmt: skip
        axes.vlines(sizes, means, [100 * worst for _, _, worst in points], color=colour, alpha=0.5)
    if level:
        label = f"{plural(level, 'method')} without a gap"
        axes.plot(study.sizes, [0] * len(study.sizes), color=GREY, linewidth=2, label=label)
    axes.set_xlabel(f"number of {study.decision.size}")
    axes.set_ylabel("gap to the proven limit (%)\nmean, and line to the largest")
    axes.set_xscale("log", base=2)
    axes.set_xticks(study.sizes, [f"{size:,}" for size in study.sizes])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def _bars(figure: Figure, rows: list[Summary]) -> None:
    """Median and largest gap of each method."""
    axes: Axes = figure.subplots()
    for row, summary in enumerate(rows):
        median, worst = 100 * (summary.median_gap or 0.0), 100 * (summary.worst_gap or 0.0)
        colour = GREY if exact(summary.kind) else BLUE
        axes.hlines(row, median, worst, color=colour, linewidth=2)
        axes.plot([median], [row], "o", color=colour, markersize=6, clip_on=False, zorder=3)
        axes.plot([worst], [row], "|", color=colour, markersize=9)
    axes.set_yticks(range(len(rows)), [summary.method for summary in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(left=0 if any(summary.worst_gap for summary in rows) else -1)
    axes.set_xlabel("gap to the proven limit (%): median (dot) and largest (bar)")


def document(study: ComparisonStudy, drawn: Sequence[Picture]) -> dict[str, Any]:
    """First which method to use, then what the methods do and where they miss the limit."""
    made = standard_document(study, drawn)
    pages = [*_pages(study), *made["pages"][-1:]]
    first = FirstPage(
        reasons=_reasons(study),
        alternatives=_alternatives(study),
        risks=boxed(study.warnings),
        robustness=_robustness(study),
        assumptions=(
            "Gaps are to the best limit that any method proves on the same instance.",
            "A plan that breaks a rule has no gap and does not count.",
            "Heuristics rank by the instances with a plan, then by their median gap.",
        ),
        next_steps=_next_steps(study),
        table=None if made["table"] is None else varying(_written(study.shown[0])),
    )
    figure = {"figure": made["figure"], "pages": pages}
    return made | first.to_dict() | {"description": _description(study)} | figure


def _description(study: ComparisonStudy) -> str:
    """State what is decided, of which data, and what a gap is."""
    data = [
        f"{capitalised(name)}: {value}"
        for name, value in study.more_settings.items()
        if name not in _OF_SOLVERS
    ]
    return " ".join(
        [
            *filter(None, [study.decision.question]),
            *(f"{each}." for each in data[:_MOST_SETTINGS]),
            "The gap is the distance of a plan from the best proven limit, which no plan can pass.",
            "Heuristics are methods without a proof.",
        ]
    )


def _pages(study: ComparisonStudy) -> list[dict[str, Any]]:
    """Methods, their gaps by size and by instance, and every answer."""
    summary, growth, answers = study.shown
    pages = [_methods(study)]
    if len(study.summaries) > _MOST_ON_FIRST:
        pages[0] = replace(
            pages[0], blocks=(*pages[0].blocks, *compact(_written(summary), "Gaps by method"))
        )
    if growth.rows:
        size = study.decision.size
        pages.append(Page(f"Do the gaps grow with the number of {size}?", _grows(study),
                          tuple(compact(_written(growth), growth.caption))))  # fmt: skip
    if len({outcome.instance for outcome in study.outcomes}) > 1:
        pages.append(_by_instance(study))
    count = caption(answers, "compare.xlsx")
    heading = f"Appendix: every answer, {study.decision.objective}"
    rows = varying(_written(answers))
    pages.append(Page(heading, "", (*_legend(rows), grid(rows, count, small=True))))
    return [page.to_dict() for page in pages]


_WORDS = {
    "limit": "Limit: what the method itself proves.",
    "proved": "Proved: the limit was derived in exact arithmetic.",
    "verified": "Verified: the solver reports the limit, and the plan was recomputed.",
    "claimed": "Claimed: value and limit are as the solver reports.",
    "solver steps": "Solver steps: subproblems that the solver examined.",
}


def _legend(rows: Table) -> list[Block]:
    """Explain the words of the table of answers that it has."""
    seen = {column["name"].lower() for column in rows["columns"]}
    seen |= {cell for row in rows["rows"] for cell in row}
    words_of = [line for word, line in _WORDS.items() if word in seen]
    return [text(" ".join(words_of))] if words_of else []


def _methods(study: ComparisonStudy) -> Page:
    """Say what each method does, and how they were compared."""
    exacts = sum(exact(each.kind) for each in study.summaries)
    others = len(study.summaries) - exacts
    instances = plural(max((each.instances for each in study.summaries), default=0), "instance")
    goal = "least" if study.decision.minimised else "largest"
    rows = [
        (each.method, "yes" if exact(each.kind) else "no",
         explained(study.decision.title, each.method, each.kind))
        for each in study.summaries
    ]  # fmt: skip
    columns = (("Method", False), ("Proves a limit", False), ("What it does", False))
    return Page(
        "Which methods were compared?",
        f"{plural(exacts, 'method')} {'proves' if exacts == 1 else 'prove'} a limit, {others:,} "
        f"{'does' if others == 1 else 'do'} not; all of them decided {instances}.",
        (
            text(
                f"The objective is the {goal} {study.decision.objective}. Every method decides "
                "every instance alone. Each plan is checked by a program that knows no method, and "
                "its objective is computed again. The gap is a share of the best limit that any "
                "method proves on the instance."
            ),
            grid(table(columns, (1.3, 0.95, 3.6), rows), "Methods"),
        ),
    )


def _grows(study: ComparisonStudy) -> str:
    """State the largest gap at the smallest and at the largest size."""
    ends = [study.sizes[0], study.sizes[-1]]
    gaps = [
        max((each.worst_gap or 0.0 for each in study.growth if each.size == size), default=0.0)
        for size in ends
    ]
    size = study.decision.size
    return (
        f"The largest gap is {gap_text(gaps[0])} at {ends[0]:,} {size} and {gap_text(gaps[1])} at "
        f"{ends[1]:,}."
    )


def _by_instance(study: ComparisonStudy) -> Page:
    """Gaps of the methods that miss the limit, a row for each instance."""
    missing = [each.method for each in study.summaries if (each.worst_gap or 0.0) > SAME
               or each.solved < each.instances]  # fmt: skip
    heading = "Where do methods miss the limit?"
    if not missing:
        return Page(heading, "Nowhere: every method reaches the limit on every instance.", ())
    ranked = [each for each in study.summaries if each.method in missing]
    shown = [each.method for each in ranked[:_MOST_COLUMNS]]
    gaps = {(each.instance, each.method): _gap_cell(each) for each in study.outcomes}
    instances = list(dict.fromkeys(each.instance for each in study.outcomes))
    rows = [
        (instance, *(gaps.get((instance, method), DASH) for method in shown))
        for instance in instances[:_MOST_INSTANCES]
    ]
    columns = (("Instance", False), *((method, True) for method in shown))
    title = partly("Gap to the limit", len(rows), len(instances), "compare.xlsx")
    missed = {each.instance for each in study.outcomes
              if each.method in missing and (each.gap is None or each.gap > _NOTABLE)}  # fmt: skip
    return Page(
        heading,
        f"On {len(missed):,} of {plural(len(instances), 'instance')}, at least one of "
        f"{plural(len(missing), 'method')} misses the limit by more than {percent(_NOTABLE)}.",
        (grid(table(columns, (1.3, *[1.0] * len(shown)), rows), title),),
    )


def _gap_cell(outcome: MethodOutcome) -> str:
    return outcome.status if outcome.gap is None else gap_text(outcome.gap)


def _written(written: Written) -> Table:
    """Return a table of the study with its headings as a document writes them."""
    made = table_of(written.columns, written.rows[:_MOST_ROWS])
    for column in made["columns"]:
        column["name"] = capitalised(column["name"])
    return made


def _reasons(study: ComparisonStudy) -> list[str]:
    """State what the best heuristic does, where the others lose, and where proofs are missing."""
    ranked = _heuristics(study)
    lines = []
    if ranked:
        first = ranked[0]
        does = explained(study.decision.title, first.method, first.kind)
        lines.append(f"{capitalised(first.method)} {does}.")
    lines += [_loses(study, each) for each in ranked if (each.worst_gap or 0.0) > SAME]
    for each in study.summaries:
        if each.optimal is None or each.optimal == each.instances:
            continue
        lines.append(
            f"{capitalised(each.method)} finds a plan for {each.solved:,} of "
            f"{plural(each.instances, 'instance')} and proves {each.optimal:,} optimal."
        )
    return lines[:MOST_LINES]


def _alternatives(study: ComparisonStudy) -> list[str]:
    """State how much each further heuristic loses, where the first page has no table of them."""
    others = [each for each in study.summaries if not exact(each.kind)]
    found = [] if len(study.summaries) <= _MOST_ON_FIRST else _heuristics(study)[1:]
    lines = [
        f"{capitalised(each.method)}: median gap {gap_text(each.median_gap or 0.0)}, at most "
        f"{gap_text(each.worst_gap or 0.0)}."
        for each in found
    ]
    lines += [
        f"{capitalised(each.method)} finds no plan." for each in others if each.worst_gap is None
    ]
    return lines[:MOST_LINES]


def _heuristics(study: ComparisonStudy) -> list[Summary]:
    """Return the heuristics with a plan, the best one first."""
    found = [
        each for each in study.summaries if not exact(each.kind) and each.worst_gap is not None
    ]
    found.sort(key=lambda each: (-each.solved, each.median_gap or 0.0, each.worst_gap or 0.0))
    return found


def _loses(study: ComparisonStudy, heuristic: Summary) -> str:
    """State on which instances a heuristic has the best plan, and where it loses most."""
    outcomes = [each for each in study.of(heuristic.method) if each.gap is not None]
    best = [each.instance for each in outcomes if (each.gap or 0.0) <= SAME]
    worst = max(outcomes, key=lambda each: each.gap or 0.0)
    name, loss = capitalised(heuristic.method), gap_text(worst.gap or 0.0)
    if not best:
        return f"{name} is never optimal and loses at most {loss} ({worst.instance})."
    if len(best) <= _MOST_NAMES:
        where = words(best)
    else:
        where = f"{len(best):,} of {plural(heuristic.instances, study.decision.case)}"
    return f"{name} is optimal for {where}, but loses {loss} on {worst.instance}."


def _robustness(study: ComparisonStudy) -> list[str]:
    instances = max((each.instances for each in study.summaries), default=0)
    if instances < 2:
        return ["One instance only: use more sizes or data for a general statement."]
    best = max(
        (each for each in study.summaries if not exact(each.kind)),
        key=lambda each: each.best_of_all,
        default=None,
    )
    if best is None or best.best_of_all == best.solved == instances:
        return []  # the headline says so
    if not best.best_of_all:
        return [f"No heuristic has the best plan on any of {instances:,} instances."]
    share = f"{best.best_of_all:,} of {instances:,} instances"
    return [f"{capitalised(best.method)} has the best plan, or ties, on {share}."]


def _next_steps(study: ComparisonStudy) -> list[str]:
    if study.disagreements:
        return ["Report the contradictions with their files; do not use these plans."]
    ranked = _heuristics(study)
    if not ranked:
        return ["Use a method that proves every plan optimal."]
    first = ranked[0]
    if first.solved == first.instances and (first.worst_gap or 0.0) <= SAME:
        return [f"Use {first.method}; add an exact method where a proof is needed."]
    loss = gap_text(first.worst_gap or 0.0)
    return [f"Use an exact method; the best heuristic, {first.method}, loses up to {loss}."]


REPORT = replace(
    standard_report(pictures), document=document, solves=ComparisonStudy.times, files=files
)

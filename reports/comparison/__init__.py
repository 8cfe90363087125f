"""The report of ``headroom compare``: its tables, and the gaps as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.comparison.explanations import explained
from planner.comparison.files import files
from planner.comparison.method import MethodKind
from planner.comparison.outcomes import BREAKS, SAME, MethodOutcome, exact
from planner.comparison.study import ComparisonStudy, Summary, gap_text
from planner.configurations.sharing.equal_shares import EQUAL_SHARES
from planner.formatting import DASH, capitalised, clipped, percent, plural, words
from planner.worded_table import Table as Written
from reports.blocks import Block, Page, by_kind, figures, grid, partly, text
from reports.compact import compact, varying
from reports.first_page import MOST_LINES, FirstPage
from reports.grid import Table, table, table_of
from reports.skeleton import provenance_page
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
_NAMES = {"node limit": "limit of solver steps"}
"""Settings that say nothing about the data."""
_MOST_NAMES, _FEW_NAMED = 4, 3
_NOTABLE = 1e-3
"""Smaller gaps lie below the precision of most measured inputs and do not count as a miss."""
_MOST_BARS, _MOST_PANELS = 8, 3
_MOST_COLUMNS, _MOST_INSTANCES, _MOST_ROWS = 6, 24, 40


def pictures(study: ComparisonStudy) -> list[Picture]:
    """Return the gap of each method over the size of the instances, or over all of them."""
    rows = [row for row in study.summaries if row.worst_gap is not None and row.worst_gap > SAME]
    if not rows:
        return []  # nothing to see
    listed = "; ".join(f"{row.method} {gap_text(row.worst_gap)}" for row in rows)
    words = f"Distance from the best limit. Largest gaps: {listed}."
    have, every = "has" if len(rows) == 1 else "have", plural(len(study.summaries), "method")
    title = f"{len(rows)} of {every} {have} a gap to the best limit"
    if all(row.at_limit for row in study.summaries if row not in rows):
        title += "; the others reach it" if len(rows) < len(study.summaries) else ""
    if len(study.sizes) > 1:
        return [draw("growth", "01-gap-over-size", title, words, (6.8, 3.4),
                     lambda figure: _growth(figure, study))]  # fmt: skip
    height = rows_high(len(rows), 0.38, 0.9)
    if _each_instance(study):
        height = rows_high(_instances(study), 0.6, 0.9)
        return [draw("answers", "01-gaps", title, words, (6.8, height),
                     lambda figure: _panels(figure, study, rows))]  # fmt: skip
    return [draw("answers", "01-gaps", title, words, (6.8, height),
                 lambda figure: _bars(figure, rows))]  # fmt: skip


def _each_instance(study: ComparisonStudy) -> bool:
    """Whether the figure has a bar for each instance, so that no table needs to repeat them."""
    missing = [summary for summary in study.summaries if not summary.at_limit]
    return (
        len(study.sizes) == 1
        and 1 < _instances(study) <= _MOST_BARS
        and len(missing) <= _MOST_PANELS
        and all((summary.worst_gap or 0.0) > SAME for summary in missing)
    )


def _panels(figure: Figure, study: ComparisonStudy, rows: list[Summary]) -> None:
    """A panel for each method with a gap, and in it a bar for each instance."""
    panels = figure.subplots(1, len(rows), sharex=True, sharey=True, squeeze=False)[0]
    widest = max(100 * (row.worst_gap or 0.0) for row in rows)
    for axes, row in zip(panels, rows, strict=True):
        every = study.of(row.method)
        gaps = [100 * (outcome.gap or 0.0) for outcome in every]
        axes.barh(range(len(every)), gaps, height=0.6, color=GREY if exact(row.kind) else BLUE)
        for place, (outcome, gap) in enumerate(zip(every, gaps, strict=True)):
            axes.annotate(_gap_cell(outcome), (gap, place), xytext=(3, 0), fontsize=8,
                          textcoords="offset points", va="center")  # fmt: skip
        axes.set_title(clipped(row.method), loc="left", parse_math=False)
        axes.set_yticks(range(len(every)), [clipped(outcome.instance) for outcome in every],
                        parse_math=False)  # fmt: skip
        axes.set_ylim(len(every) - 0.5, -0.5)
        axes.set_xlim(0, 1.25 * widest)
        axes.grid(visible=False, axis="y")
    figure.supxlabel("gap to the best limit (%)", fontsize=9)


def _growth(figure: Figure, study: ComparisonStudy) -> None:
    """Mean gap at each size, with a line up to the largest."""
    axes: Axes = figure.subplots()
    level = 0
    for number, method in enumerate(study.methods):
        if all(each.at_limit for each in study.growth if each.method == method):
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
    axes.set_ylabel("gap to the best limit (%)\nmean, and line to the largest")
    axes.set_xscale("log", base=2)
    axes.set_xticks(study.sizes, [f"{size:,}" for size in study.sizes])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def _bars(figure: Figure, rows: list[Summary]) -> None:
    """Median and largest gap of each method."""
    axes: Axes = figure.subplots()
    for row, summary in enumerate(rows):
        if summary.median_gap is None or summary.worst_gap is None:
            continue
        median, worst = 100 * summary.median_gap, 100 * summary.worst_gap
        colour = GREY if exact(summary.kind) else BLUE
        axes.hlines(row, median, worst, color=colour, linewidth=2)
        axes.plot([median], [row], "o", color=colour, markersize=6, clip_on=False, zorder=3)
        axes.plot([worst], [row], "|", color=colour, markersize=9)
    axes.set_yticks(range(len(rows)), [summary.method for summary in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.set_xlabel("gap to the best limit (%): median (dot) and largest (end of the line)")


def document(study: ComparisonStudy, drawn: Sequence[Picture]) -> dict[str, Any]:
    """First which method to use, then what the methods do and where they miss the limit."""
    made = standard_document(study, drawn)
    pages = [*_pages(study, drawn), _provenance(study)]
    first = FirstPage(
        reasons=_reasons(study),
        alternatives=_alternatives(study),
        risks=boxed(study.warnings),
        robustness=_robustness(study),
        assumptions=_assumptions(study),
        next_steps=_next_steps(study),
        table=None if made["table"] is None else varying(_written(study.shown[0])),
    )
    figure = {"figure": made["figure"], "pages": pages}
    return made | first.to_dict() | {"description": _description(study)} | figure


def _assumptions(study: ComparisonStudy) -> list[str]:
    """Say how heuristics rank, and that wrong plans do not count where there are any."""
    case = study.decision.case
    lines = [f"Heuristics rank by the {case}s with a plan, then by their median gap."]
    if any(outcome.status == BREAKS for outcome in study.outcomes):
        lines.append(
            "A plan that breaks a rule of the decision has no gap and does not count; the table of "
            "every answer names the rule."
        )
    return lines


def _description(study: ComparisonStudy) -> str:
    """State what is decided, of which data, and what a gap is."""
    data = [
        f"{capitalised(name)}: {f'{value:,.10g}' if isinstance(value, float) else value}"
        for name, value in study.more_settings.items()
        if name not in _OF_SOLVERS
    ]
    return " ".join(
        [
            *filter(None, [study.decision.question]),
            *(f"{each}." for each in data[:_MOST_SETTINGS]),
            "The gap is the distance of a plan from the best limit, which no plan can pass.",
            _kinds(study),
        ]
    ).rstrip()


def _kinds(study: ComparisonStudy) -> str:
    """Say which kinds of methods give a limit, and which do not."""
    named = {MethodKind.REFERENCE: "References", MethodKind.ENGINE: "the engine"}
    kinds = {each.kind for each in study.summaries}
    giving = [name for kind, name in named.items() if kind in kinds]
    if not giving:
        return "No method gives a limit."
    others = "; heuristics do not" if any(not exact(kind) for kind in kinds) else ""
    verb = "gives" if giving == ["the engine"] else "give"
    return f"{capitalised(words(giving))} {verb} a limit{others}."


def _provenance(study: ComparisonStudy) -> dict[str, Any]:
    """Return settings and digests; nodes of a search are called as in the other pages."""
    settings = [(_NAMES.get(name, name), str(value)) for name, value in study.settings.items()]
    return provenance_page(study, [*settings, *study.provenance]).to_dict()


def _pages(study: ComparisonStudy, drawn: Sequence[Picture]) -> list[dict[str, Any]]:
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
        pages.append(_by_instance(study, drawn))
    count = f"Every answer, {caption(answers, 'compare.xlsx')}"
    heading = f"Appendix: every answer, {study.decision.objective}"
    rows = varying(_written(answers))
    pages.append(Page(heading, "", (*_legend(rows), grid(rows, count, small=True))))
    return [page.to_dict() for page in pages]


_WORDS = {
    "limit": "Limit: of the method itself; the certificate says whether it is proved.",
    "proved": "Proved: the limit was derived in exact arithmetic.",
    "feasible": "Feasible: meets all rules, not shown to be optimal.",
    "verified": "Verified: the plan was recomputed, the limit is the solver's word.",
    "claimed": "Claimed: value and limit are as the solver reports.",
    "solver steps": "Solver steps: subproblems examined.",
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
    instances = plural(_instances(study), study.decision.case)
    goal = "least" if study.decision.minimised else "largest"
    rows = [
        (each.method, each.level or ("none" if exact(each.kind) else "no limit"),
         explained(study.decision.title, each.method, each.kind))
        for each in study.summaries
    ]  # fmt: skip
    columns = (("Method", False), ("Certificate", False), ("What it does", False))
    return Page(
        "Which methods were compared?",
        f"{plural(exacts, 'method')} {'gives' if exacts == 1 else 'give'} a limit, {others:,} "
        f"{'does' if others == 1 else 'do'} not; all of them decided {instances}.",
        (
            text(
                f"The objective is the {goal} {study.decision.objective}. Every method decides "
                f"every {study.decision.case} alone. Each plan is checked by a program that knows "
                "no method, and its objective is computed again. The gap is a share of the limit."
            ),
            grid(table(columns, (1.3, 0.95, 3.6), rows), "Methods"),
        ),
    )


def _grows(study: ComparisonStudy) -> str:
    """State the largest gap at the smallest and at the largest size."""
    ends = [study.sizes[0], study.sizes[-1]]
    gaps = [
        max(
            (each.worst_gap for each in study.growth
             if each.size == size and each.worst_gap is not None),
            default=None,
        )
        for size in ends
    ]  # fmt: skip
    size = study.decision.size
    if None in gaps:
        unknown = [end for end, gap in zip(ends, gaps, strict=True) if gap is None]
        sizes = words([f"{end:,}" for end in unknown])
        return f"No gap is known for {sizes} {size}{_why_unknown(study, unknown)}."
    return (
        f"The largest gap is {gap_text(gaps[0])} at {ends[0]:,} {size} and {gap_text(gaps[1])} at "
        f"{ends[1]:,}."
    )


def _why_unknown(study: ComparisonStudy, sizes: Sequence[int]) -> str:
    """State what is missing for a gap at sizes without one, if the same is missing everywhere."""
    there = [outcome for outcome in study.outcomes if outcome.size in sizes]
    if all(outcome.best_bound is None for outcome in there):
        return ": no method gives a limit there"
    return "" if any(outcome.solved for outcome in there) else ": no method has a valid plan there"


def _by_instance(study: ComparisonStudy, drawn: Sequence[Picture]) -> Page:
    """Gaps of the methods that miss the limit by instance, in a table or in the first figure."""
    missing = [each.method for each in study.summaries if not each.at_limit]
    heading, case = "Where do methods miss the limit?", study.decision.case
    if not missing:
        return Page(heading, f"Nowhere: every method reaches the limit on every {case}.", ())
    if drawn and _each_instance(study):
        found = _missed(study, missing, _instances(study))
        return Page(heading, found, tuple(figures(by_kind(drawn), "answers", "")))
    shown = missing[:_MOST_COLUMNS]
    gaps = {(each.instance, each.method): _gap_cell(each) for each in study.outcomes}
    instances = list(dict.fromkeys(each.instance for each in study.outcomes))
    rows = [
        (instance, *(gaps.get((instance, method), DASH) for method in shown))
        for instance in instances[:_MOST_INSTANCES]
    ]
    columns = ((capitalised(case), False), *((method, True) for method in shown))
    title = partly("Gap to the limit", len(rows), len(instances), "compare.xlsx")
    return Page(
        heading,
        _missed(study, missing, len(instances)),
        (grid(table(columns, (1.3, *[1.0] * len(shown)), rows), title),),
    )


def _missed(study: ComparisonStudy, missing: list[str], instances: int) -> str:
    """Name the instances on which each method misses the limit; of many methods, count them."""
    by_method = {
        method: [
            outcome.instance
            for outcome in study.of(method)
            if outcome.gap is None or outcome.gap > _NOTABLE
        ]
        for method in missing
    }
    by_method = {method: where for method, where in by_method.items() if where}
    by = f"by more than {percent(_NOTABLE)}"
    if not by_method:
        return f"Nowhere {by}."
    most = max(len(where) for where in by_method.values())
    if len(by_method) <= _FEW_NAMED and most <= _MOST_NAMES:
        every = f"every {study.decision.case}"
        named = [
            f"{method} on {every if len(where) == instances else words(where)}"
            for method, where in by_method.items()
        ]
        every_gap = [outcome.gap for method in by_method for outcome in study.of(method)]
        unknown = ", or no gap" if None in every_gap else ""
        return f"{capitalised('; '.join(named))} (above {percent(_NOTABLE)}{unknown})."
    missed = {instance for where in by_method.values() for instance in where}
    return (
        f"On {len(missed):,} of {plural(instances, study.decision.case)}, at least one of "
        f"{plural(len(by_method), 'method')} misses the limit {by} or has no gap."
    )


def _gap_cell(outcome: MethodOutcome) -> str:
    if outcome.gap is None:
        return "no limit" if outcome.solved else outcome.status
    return gap_text(outcome.gap)


def _written(written: Written) -> Table:
    """Return a table of the study with its headings as a document writes them."""
    made = table_of(written.columns, written.rows[:_MOST_ROWS])
    for column in made["columns"]:
        column["name"] = capitalised(column["name"])
    return made


def _reasons(study: ComparisonStudy) -> list[str]:
    """State what the best heuristic does, where the others lose, and where proofs are missing."""
    ranked = study.heuristics
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
            f"{plural(each.instances, study.decision.case)} and calls {each.optimal:,} optimal."
        )
    return lines[:MOST_LINES]


def _alternatives(study: ComparisonStudy) -> list[str]:
    """State how much each further heuristic loses, where the first page has no table of them."""
    others = [each for each in study.summaries if not exact(each.kind)]
    found = () if len(study.summaries) <= _MOST_ON_FIRST else study.heuristics[1:]
    lines = [
        f"{capitalised(each.method)}: median gap {gap_text(each.median_gap)}, at most "
        f"{gap_text(each.worst_gap)}."
        for each in found
    ]
    lines += [
        f"{capitalised(each.method)} finds no plan{' with a known gap' if each.solved else ''}."
        for each in others
        if each.worst_gap is None
    ]
    return lines[:MOST_LINES]


def _loses(study: ComparisonStudy, heuristic: Summary) -> str:
    """State on which instances a heuristic has the best plan, and where its gap is largest.

    A gap is a loss only where another method's plan is optimal.
    """
    gaps = {each.instance: each.gap for each in study.of(heuristic.method) if each.gap is not None}
    best = [instance for instance, gap in gaps.items() if gap <= SAME]
    worst = max(gaps, key=lambda instance: gaps[instance])
    name, gap = capitalised(heuristic.method), gap_text(gaps[worst])
    measure = study.decision.judged_by
    if not study.loses(heuristic.method):
        return f"{name} is at most {gap} from the best limit ({worst}); it may lose less."
    if heuristic.instances == 1:
        verb = "are" if heuristic.method == EQUAL_SHARES else "is"
        return f"{name} {verb} {gap} worse in {measure}."
    if not best:
        return f"{name} is never optimal, and up to {gap} worse in {measure} ({worst})."
    if len(best) <= _MOST_NAMES:
        where = words(best)
    else:
        where = f"{len(best):,} of {plural(heuristic.instances, study.decision.case)}"
    return f"{name} is optimal for {where}, but {gap} worse in {measure} on {worst}."


def _instances(study: ComparisonStudy) -> int:
    """Return how many instances were decided."""
    return max((each.instances for each in study.summaries), default=0)


def _robustness(study: ComparisonStudy) -> list[str]:
    instances, case = _instances(study), study.decision.case
    if instances < 2:
        return [f"One {case} only: use more sizes or data for a general statement."]
    best = max(
        (each for each in study.summaries if not exact(each.kind)),
        key=lambda each: each.best_of_all,
        default=None,
    )
    if best is None or best.best_of_all == best.solved == instances:
        return []  # the headline says so
    if not best.best_of_all:
        return [f"No heuristic has the best plan on any of {instances:,} {case}s."]
    share = f"{best.best_of_all:,} of {instances:,} {case}s"
    return [f"{capitalised(best.method)} has the best plan, or ties, on {share}."]


def _next_steps(study: ComparisonStudy) -> list[str]:
    if study.disagreements:
        return ["Report the contradictions with their files; do not use these plans."]
    finished = [each for each in study.summaries if each.always_optimal]
    proving = [each for each in finished if each.always_proved]
    best, does = next(
        ((each, does) for group, does in ((proving, "proves"), (finished, "calls"))
         for each in group),
        (None, ""),
    )  # fmt: skip
    if not study.heuristics:
        return [f"Use {best.method}: it {does} every plan optimal."] if best else []
    first = study.heuristics[0]
    gap = gap_text(first.worst_gap)
    by = gap if first.instances == 1 else f"up to {gap}"
    if first.at_limit:
        proof = " where a proof is needed" if proving else " for a limit"
        return [f"Use {first.method}; add an exact method{proof}."]
    alike = (first.worst_gap or 0.0) <= SAME  # wherever its gap is known
    without, every = first.instances - first.judged, plural(first.instances, study.decision.case)
    if best:
        use = f"Use {best.method}, which {does} every plan optimal"
        loses = f"finds no plan for {without:,} of {every}" if alike else f"is {by} worse"
        return [f"{use}; the best heuristic, {first.method}, {loses}."]
    if alike:
        some = f"{without:,} of {every}"
        return [f"Give exact methods more time: {first.method} has no known gap on {some}."]
    if study.loses(first.method):
        return [f"Use an exact method; the best heuristic, {first.method}, is {by} worse."]
    return [
        f"Give exact methods more time: it is not known how much of the {gap} {first.method} loses."
    ]


REPORT = replace(
    standard_report(pictures), document=document, solves=ComparisonStudy.times, files=files
)

"""Certificates and provenance."""

from __future__ import annotations

import math
from typing import Any

from planner.formatting import DASH, Rounding, gap_words, given, words
from planner.procurement.by_solver import agree, in_words
from planner.procurement.findings import undecided
from planner.procurement.outcome import GAP, Outcome
from planner.procurement.problem import REGIME_NAMES
from planner.procurement.repairs import REPAIRED_GAP
from planner.procurement.study import ProcurementStudy
from reports.blocks import Block, Drawn, Page, bullets, grid, subheading, text
from reports.grid import Table, table
from reports.numbers import fixed
from reports.procurement.pages.front import boxes, warnings
from reports.provenance import provenance
from reports.warning_boxes import in_full
from solvers import Status


def page(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Everything that a reviewer needs to check the numbers."""
    blocks: list[Block] = [
        text(_levels(study)),
        *_of_decision(study),
        *_by_solver(study),
        *_behind_answers(study),
        grid(
            provenance(study.scenario, study.options, usual_gap=GAP, full=study.full), "Provenance"
        ),
        *_own_files(study),
    ]
    notes = [
        f"{name}: {note}" for name, outcome in _solves(study) for note in outcome.certificate.notes
    ]
    if notes:
        blocks += [subheading("Notes of the certificates"), bullets(notes)]
    blocks += in_full(warnings(study), "plan.json", boxes(study))
    return Page("Appendix: certificates and provenance", "", tuple(blocks))


def _levels(study: ProcurementStudy) -> str:
    """What the levels of a certificate mean, as far as they occur."""
    if undecided(study.optimum):
        return (
            "The search ended before it found a plan or ruled all plans out: nothing is verified."
        )
    if study.plan is None:
        return (
            "A certificate states how an answer was checked. That a program has no solution is "
            "verified if a second solver, independent of the first, finds none either. It is "
            "proved if this follows in exact rational arithmetic. A plan under a raised limit is "
            "verified if it was recomputed row by row after rounding."
        )
    return (
        "A certificate states how much better any other solution can be. Verified: the "
        "solution was recomputed row by row after rounding; the limit is the solver's own. "
        "Proved: the solution holds exactly, and the limit was derived in exact rational "
        "arithmetic. The gap is a fraction of the score, or of the quantity that a program "
        "optimises, such as cost. Objective and limit of a score S are its logarithm log S. "
        "Bounded: the limit holds, but the gap is larger than requested. Rounds: how often cuts "
        "were added; search nodes: parts of the search tree; model: digest of the program."
    )


def _by_solver(study: ProcurementStudy) -> list[Block]:
    """Show the decision of each solver, if more than one was run."""
    columns = (
        ("Solver", False), ("Score", True), ("Solver's limit", True), ("Status", False),
        ("Search nodes", True), ("Rounds", True), ("Purchases", False),
    )  # fmt: skip
    rows = [
        (
            answer.solver,
            _as_score(answer.outcome.objective, "down"),
            _as_score(answer.outcome.bound, "up"),
            answer.outcome.status.value,
            f"{answer.outcome.certificate.nodes:,}",
            str(answer.outcome.rounds),
            ", ".join(f"{nodes:,} x {name}" for name, nodes, _ in answer.bought) or DASH,
        )
        for answer in study.by_solver
    ]
    if not rows:
        return []
    message = in_words(study.by_solver, study.options.gap)
    if all(answer.outcome.plan is None for answer in study.by_solver):
        each = ", ".join(f"{a.solver} {a.outcome.status.value}" for a in study.by_solver)
        return [text(f"The decision by each solver: {each}. {message}".strip())]
    caption = f"The decision by each solver. {message}".strip()
    if agree(study.by_solver) and len({row[1] for row in rows}) > 1:
        caption += " Their scores differ by no more than the requested gap."
    widths = (0.8, 0.9, 1.1, 0.8, 0.6, 0.7, 3)
    filled = [i for i in range(len(columns)) if any(row[i] != DASH for row in rows)]
    shown = table(
        [columns[i] for i in filled],
        [widths[i] for i in filled],
        [[row[i] for i in filled] for row in rows],
    )
    return [grid(shown, caption, small=True)]


def _as_score(log: float | None, rounding: Rounding) -> str:
    return DASH if log is None else fixed(math.exp(log), 5, rounding)


def _own_files(study: ProcurementStudy) -> list[Block]:
    """The files of the user's own heuristics."""
    lines = [f"SHA-256 of {name}: {digest}" for name, digest in study.files]
    return [subheading("Heuristics from files"), bullets(lines)] if lines else []


def solves(study: ProcurementStudy) -> list[dict[str, Any]]:
    """Times of the last solve of every program, summed by question, for run.json."""
    return [
        {
            "question": solve.question,
            "programs": len(solve.certificates),
            "wall_s": sum(certificate.wall_s for certificate in solve.certificates),
            "cpu_s": sum(certificate.cpu_s for certificate in solve.certificates),
        }
        for solve in study.solved
    ]


def _solves(study: ProcurementStudy) -> list[tuple[str, Outcome]]:
    named = [
        ("optimum", study.optimum),
        ("least cost", study.cheapest),
        ("least power", study.least_power),
        *(
            (REGIME_NAMES[name], outcome)
            for name, outcome in study.regimes.items()
            if name != study.problem.regime
        ),
    ]
    return [(name, outcome) for name, outcome in named if outcome is not None]


def _behind_answers(study: ProcurementStudy) -> list[Block]:
    """The certificates of all further questions."""
    listed_names = {name for name, _ in _solves(study)}
    columns = (
        ("Question", False), ("Programs", True), ("Within the gap", True),
        ("Stopped once decided", True), ("No plan", True), ("At a limit", True),
        ("Largest gap", True), ("Level", False),
    )  # fmt: skip
    rows = [
        (
            solve.question,
            f"{len(solve.certificates):,}",
            f"{solve.count[Status.OPTIMAL]:,}",
            f"{solve.decided_early:,}",
            f"{solve.count[Status.INFEASIBLE]:,}",
            f"{solve.stopped_by_time + solve.stopped_by_nodes:,}",
            DASH if solve.largest_gap is None else _gap(solve.largest_gap),
            words(list(solve.levels)),
        )
        for solve in study.solved
        if solve.question not in listed_names
    ]
    if not rows:
        return []
    if len(rows) == 1:
        ((question, programs, *counts, gap, level),) = rows
        ended = words(
            [f"{count} {how}" for count, how in zip(counts, _ENDINGS, strict=True) if count != "0"]
        )
        widest = "" if gap == DASH else f" The largest gap is {gap}{_asked(study)}."
        return [
            text(
                f"Other answers ({question}): {programs} programs, {level}: {ended}."
                f"{widest} plan.xlsx lists every program."
            )
        ]
    caption = "Certificates of the other answers; plan.xlsx lists every program"
    return [grid(table(columns, (2, 0.8, 0.9, 0.95, 0.7, 0.7, 1, 1.2), rows), caption, small=True)]


_ENDINGS = (
    "reached the requested gap",
    "stopped as soon as the question was decided",
    "have no solution",
    "ended at a limit of the search",
)
"""How programs end, in the order of the columns."""


def _asked(study: ProcurementStudy) -> str:
    """The gap that was requested, where questions have gaps of their own."""
    if study.plan is not None:
        return ""
    return f"; the best score under a raised limit is requested to {given(REPAIRED_GAP)}"


def _gap(gap: float) -> str:
    return gap_words(gap).replace("below ", "< ")


def _of_decision(study: ProcurementStudy) -> list[Block]:
    """Every program behind the decision; a sentence where one program ruled out every plan."""
    solved = _solves(study)
    if len(solved) > 1 or study.plan is not None:
        return [grid(_certificates(study), "Certificates of the decision", small=True)]
    return [
        text(
            f"The decision: {outcome.status.value}, {outcome.level.value} "
            f"({outcome.certificate.solver}). Rounds of cuts: {outcome.rounds}; nodes of the "
            f"search tree: {outcome.certificate.nodes:,}; digest of the model: "
            f"{outcome.certificate.model_digest[:8]}."
        )
        for _, outcome in solved
    ]


def _certificates(study: ProcurementStudy) -> Table:
    columns = (
        ("Question", False), ("Quantity", False), ("Objective", True), ("Limit", True),
        ("Gap", True), ("Status", False), ("Level", False), ("Solver", False), ("Rounds", True),
        ("Search nodes", True), ("Model", False),
    )  # fmt: skip
    units = {"least cost": study.problem.prices.currency, "least power": "W"}
    rows = []
    for name, outcome in _solves(study):
        certificate = outcome.certificate
        unit = units.get(name, "log S")
        digits = 5 if unit == "log S" else 0
        # In log S the gap is that of the limit shown: it may be another solver's.
        gap = certificate.gap_relative
        if unit == "log S" and outcome.gap is not None:
            gap = math.expm1(outcome.gap)
        rows.append(
            (
                name,
                unit,
                fixed(outcome.objective, digits),
                fixed(outcome.bound, digits, "up" if unit == "log S" else "down"),
                DASH if gap is None else _gap(gap),
                outcome.status.value,
                outcome.level.value,
                certificate.solver + (_other_limit(study) if name == "optimum" else ""),
                str(outcome.rounds),
                f"{certificate.nodes:,}",
                certificate.model_digest[:8],
            )
        )
        proved, reached = outcome.proved, outcome.objective
        if proved is not None and reached is not None and unit == "log S":
            more = _gap(math.expm1(max(0.0, proved - reached)))
            limit = fixed(proved, digits, "up")
            closed = proved - reached <= study.options.gap
            status = outcome.status.value if closed else "bounded"
            exact = (status, "proved", "exact arithmetic", DASH, DASH, DASH)
            rows.append((f"{name}, proved", unit, fixed(reached, digits), limit, more, *exact))
    return table(columns, (1.3, 0.65, 1.1, 0.95, 0.9, 0.8, 0.75, 1.35, 0.8, 0.7, 0.95), rows)


def _other_limit(study: ProcurementStudy) -> str:
    """Whose limit is shown for the optimum, if it is not that of the solver which found it."""
    limits = {
        answer.solver: answer.outcome.bound
        for answer in study.by_solver
        if answer.outcome.bound is not None
    }
    found = study.optimum.certificate.solver if study.optimum else ""
    own = next((name for name in limits if found.casefold().startswith(name.casefold())), "")
    tightest = min(limits, key=lambda name: (limits[name], name != own), default=own)
    return "" if tightest == own else f", limit of {tightest}"

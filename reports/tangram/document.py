"""The document on a learned gate: how good it is, where it errs, and how it compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.colocation.tangram.border import best_border
from planner.colocation.tangram.study import TangramStudy
from planner.formatting import plural
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, subheading, text
from reports.grid import table
from reports.skeleton import paged
from reports.style import Picture
from reports.tabled import front_with, named_table, provenance_with, table_blocks

_LABELS = {"co_runs": "co-runs", "starts_first": "job that starts first without sharing"}
_MOST_PAIRS, _MOST_WITHOUT_PAPER = 12, 20
"""Worst co-runs that are shown, with and without a comparison with the paper."""
_SEPARATES = 0.9
"""Share of right decisions from which one counter is a rule."""
_GATES = (
    ("Tangram", "Tangram", ("the gate of the paper, a support vector machine. By sums of both "
     "jobs' counters, it draws a curved border between pairs that gain and pairs that lose.")),
    ("logistic", "Logistic", "a regression with a straight border, from the same counters."),
    ("not both memory-heavy", "Not both memory-heavy", ("a pair shares unless both jobs miss the "
     "cache more often than the median job.")),
    ("random, as many admitted", "Random", "admits as many pairs as Tangram, by chance."),
    ("all co-located", "All co-located", "every pair shares."),
    ("oracle", "Oracle", "knows each co-run in advance; no gate can do better."),
)  # fmt: skip
"""Key, name and meaning of each gate."""


def document(study: TangramStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    pages = (_strictest, _tests, _pairs, _errors, _method, _paper, _co_runs, _system)
    return paged(front_with(pictures), *pages, provenance_with(_LABELS))(study, pictures)


def _strictest(study: TangramStudy, drawings: Drawn) -> Page:
    del drawings
    test = study.splits[-1]
    logistic, ours, oracle = (
        study.mean(test.name, gate) for gate in ("logistic", "Tangram", "oracle")
    )
    answer = (
        f"If it does not know {test.meaning}, Tangram's gate needs {ours:.3f} times the time of "
        f"one job after the other, logistic regression {logistic:.3f}, and the oracle {oracle:.3f}."
    )
    shown = {key for key, _, _ in _GATES}
    rows = [row for row in named_table(study, "strictest_test").rows if row["gate"] in shown]
    known = {row["gate"] for row in rows}
    seeds = plural(len(study.by_seed), "seed")
    blocks = (
        text(
            "The makespan is the time until both jobs of a pair end, and the turnaround is the "
            "mean time of its jobs. Both are relative to one job after the other, so less is "
            "better."
        ),
        bullets([f"{name}: {what}" for key, name, what in _GATES if key in known]),
        *table_blocks(study, "strictest_test", f"Gates in the strictest test (simulated, {seeds})",
                      rows=rows, keep=("Gate",)),
        *_compared(study),
    )  # fmt: skip
    return Page("How good is the gate with jobs that it does not know?", answer, blocks)


def _compared(study: TangramStudy) -> list[Block]:
    """Return what the table says about both learned gates, where one is ahead in every column."""
    rows = {row["gate"]: row for row in named_table(study, "strictest_test").rows}
    if not {"Tangram", "logistic"} <= rows.keys():
        return []
    differences = [rows["logistic"][key] - rows["Tangram"][key] for key in _COSTS]
    if not any(differences) or min(differences) < 0 < max(differences):
        return []
    which = ("Logistic regression", "Tangram") if min(differences) < 0 else (
        "Tangram", "logistic regression")  # fmt: skip
    return [text(f"{which[0]} is at least as good as {which[1]} in every time of this table.")]


_COSTS = ("makespan", "worst", "turnaround", "regret")
_SHOWN = (("Tangram", "Tangram"), ("logistic", "Logistic"), ("all co-located", "All share"),
          ("oracle", "Oracle"))  # fmt: skip


def _tests(study: TangramStudy, drawings: Drawn) -> Page | None:
    del drawings
    if len(study.splits) < 2:
        return None
    means = {split.meaning: study.mean(split.name, "Tangram") for split in study.splits}
    easiest, hardest = (choose(means, key=lambda test: means[test]) for choose in (min, max))
    answer = (
        f"Yes: Tangram's mean makespan is {means[easiest]:.3f} if it does not know {easiest}, but "
        f"{means[hardest]:.3f} if it does not know {hardest}."
        if means[hardest] - means[easiest] > 0.0005
        else f"No: Tangram's mean makespan is {means[easiest]:.3f} in every test."
    )
    rows = [
        [split.meaning, f"{study.scores(split.name, 'Tangram')[0].tested:,}",
         *(f"{study.mean(split.name, gate):.3f}" for gate, _ in _SHOWN),
         *(f"{study.worst(gate, split.name):.2f}" for gate in ("Tangram", "logistic"))]
        for split in study.splits
    ]  # fmt: skip
    columns = [("Unknown to the gate", False), ("Decisions", True),
               *((name, True) for _, name in _SHOWN),
               ("Worst pair, Tangram", True), ("Worst pair, logistic", True)]  # fmt: skip
    shown = table(columns, (3.3, 1.2, 1.1, 1.1, 1.1, 1.0, 1.2, 1.2), rows)
    note = (
        f"Each test hides some of the {plural(len(study.runs), 'co-run')} from the gate, and then "
        "asks it about these. If an application is unknown, a pair of two applications is decided "
        "twice, once for each. A self pair is two jobs of one application."
    )
    blocks = (
        text(note),
        grid(shown, "Mean makespan of each gate, and worst pairs of two, by test (simulated); all "
             "scores are in colocate.xlsx"),
    )  # fmt: skip
    return Page("Does the result depend on what the gate knows?", answer, blocks)


def _errors(study: TangramStudy, drawings: Drawn) -> Page | None:
    del drawings
    if not study.left_out:
        return None
    lose = sum(one.wrongly_admitted for one in study.left_out)
    refused = sum(one.wrongly_refused for one in study.left_out)
    tested = sum(one.tested for one in study.left_out)
    worst = max(study.left_out, key=lambda one: one.worst)
    unknown = study.left_out_split.meaning
    answer = (
        f"The gate admits {lose:,} of {tested:,} pairs although they lose, and refuses {refused:,} "
        f"that gain. Its worst pair has {worst.left_out} ({worst.worst:.2f})."
    )
    blocks = (
        text(
            f"This is Tangram's gate in the first seed, in the test '{unknown}'. In each row, it "
            "learned without the application that is left out."
            if study.left_out_split.name == "leave-app-out"
            else f"This is Tangram's gate in the first seed, in the test '{unknown}'. In each row, "
            "it learned without what is left out."
        ),
        *table_blocks(study, "applications", f"Decisions in the test '{unknown}' (simulated, first "
                      "seed)", keep=("Worst pair",)),
    )  # fmt: skip
    return Page("Where does the gate err?", answer, blocks)


def _pairs(study: TangramStudy, drawings: Drawn) -> Page:
    runs = study.runs
    worst = int(runs.makespan.argmax())
    names = [runs.applications[which[worst]] for which in (runs.a, runs.b)]
    blocks = (
        text(
            f"{int(runs.gains.sum()):,} of {plural(len(runs), 'co-run')} end sooner together. "
            + (
                f"The worst is {names[0]} with {names[1]}, {runs.makespan[worst]:.1f} times as "
                "long as one after the other."
                if runs.makespan[worst] > 1
                else "No pair loses time."
            )
        ),
        text(
            "Gates see three sums over both jobs: instructions per cycle, cache misses per 1,000 "
            "instructions, and I/O intensity. The last is the share of time in which a job waits "
            "for input and output, so that its cores are free."
        ),
        *figures(drawings, "pairs"),
    )
    return Page("Which pairs should share cores?", _rule(study), blocks)


def _rule(study: TangramStudy) -> str:
    """Return in hindsight which pairs should share, by the counter that separates them best."""
    runs, border = study.runs, best_border(study.runs)
    if runs.gains.all():
        return "All pairs: each ends sooner together."
    if not runs.gains.any():
        return "None: each pair ends sooner one after the other."
    if border is None:
        return "The counters do not tell pairs that gain from pairs that lose."
    side = "above" if border.above else "below"
    rule = f"whose {border.name} (sum of both jobs) is {side} {border.value:g}"
    if border.right < _SEPARATES * border.of:
        return (
            f"No counter alone separates them. The best rule, pairs {rule}, is right for "
            f"{border.right:,} of {border.of:,} co-runs."
        )
    return (
        f"Pairs {rule}: in hindsight, this is right for {border.right:,} of {border.of:,} co-runs."
    )


def _method(study: TangramStudy, drawings: Drawn) -> Page:
    del drawings
    first = study.settings["starts_first"]
    lines = [
        (
            "The simulated system runs every pair of applications at every number of ranks, both "
            "jobs on all cores of the same nodes. Each seed is one campaign with other random run "
            "times."
        ),
        (
            "Features are sums over both jobs, divided by their largest value among the known "
            "co-runs. The label says whether the makespan is below 1."
        ),
        (
            "Tangram's support vector machine has a radial kernel. Its penalty (1 to 1,000) and "
            "width (0.3 to 10) are those with the best accuracy in an inner cross-validation with "
            "3 folds. The paper does not print its own."
        ),
        "If all known co-runs gain, or all lose, the gate decides so for every pair.",
        f"Without sharing, the jobs run one after the other; the {first} one starts first."
        if first != "listed"
        else "Without sharing, the jobs run one after the other, in the listed order.",
        "Means over pairs are geometric; the worst pair is the largest of all seeds.",
        (
            "The 95 % intervals in the workbook come from samples of whole pairs, with all their "
            "rank counts."
        ),
    ]
    return Page("Appendix: method", "", (bullets(lines),))


def _paper(study: TangramStudy, drawings: Drawn) -> Page | None:
    del drawings
    if not study.of_the_paper:
        return None
    columns = ("test", "gate", "measure", "printed_mean", "ours_mean", "printed_max", "ours_max",
               "note")  # fmt: skip
    seeds = plural(len(study.by_seed), "seed")
    tests = [f"{split.name}: {split.meaning}" for split in study.splits if split.name in _PAPERS]
    printed = named_table(study, "printed").rows
    numbers = [row for row in printed if row.kind != "flag"]
    flags = len(printed) - len(numbers)
    contradictions = (
        f" The paper contradicts itself in {plural(flags, 'place')}; colocate.xlsx lists them."
        if flags
        else ""
    )
    blocks = (
        text(
            "The paper is Tangram, whose real system Headroom simulates. One number was fitted: "
            "the largest makespan if all pairs share."
            + (f" What is unknown in its tests: {'; '.join(tests)}." if tests else "")
        ),
        *_agreement(study),
        *table_blocks(study, "table_two", f"Table II and Headroom (simulated, {seeds})",
                      columns=columns),
        subheading("Other numbers of the paper"),
        text(
            "Makespan M and turnaround R are relative to one job after the other; a job takes s "
            f"times its time alone if it shares.{contradictions}"
        ),
        *table_blocks(study, "printed", "Numbers of the paper that Headroom recomputes or "
                      "simulates", rows=numbers,
                      columns=("place", "quantity", "printed", "ours", "note")),
    )  # fmt: skip
    return Page("Appendix: comparison with the paper", "", blocks)


_PAPERS = ("CV", "(I)", "(II)")
"""Tests of the paper."""


def _agreement(study: TangramStudy) -> list[Block]:
    """Return how far mean makespans are from those of the paper, and the likely reason."""
    rows = [row for row in named_table(study, "table_two").rows if row.measure == "makespan"]
    gaps = {
        gate: max(abs(row.ours_mean - row.printed_mean) for row in rows if row.gate == gate)
        for gate in dict.fromkeys(row.gate for row in rows)
    }
    if len(gaps) < 2:
        return []
    ours, every = gaps["Tangram"], gaps["all co-located"]
    return [
        text(
            f"Tangram's mean makespan differs from the paper by at most {ours:.2f}; that of all "
            f"pairs co-located by at most {every:.2f}. The likely reason: only the largest "
            "makespan was fitted, and the parameters of the applications are assumed."
        )
    ]


def _system(study: TangramStudy, drawings: Drawn) -> Page:
    del drawings
    blocks = tuple(table_blocks(study, "simulated_system"))
    return Page("Appendix: parameters of the simulated systems", "", blocks)


def _co_runs(study: TangramStudy, drawings: Drawn) -> Page:
    del drawings
    most = _MOST_PAIRS if study.of_the_paper else _MOST_WITHOUT_PAPER
    blocks = tuple(table_blocks(study, "pairs", most=most))
    return Page("Appendix: worst co-runs", "", blocks)

"""The document on a learned gate: how good it is, where it errs, and how it compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.colocation.tangram.study import TangramStudy
from planner.formatting import plural
from reports.blocks import Drawn, Page, bullets, figures, grid, subheading, text
from reports.grid import table
from reports.skeleton import paged
from reports.style import Picture
from reports.tabled import front_with, named_table, provenance_with, table_blocks

_LABELS = {"co_runs": "co-runs", "starts_first": "job that starts first without sharing"}
_MOST_PAIRS = 12
_GATES = (
    ("Tangram", "Tangram", ("the paper's gate: a support vector machine, which draws a curved "
     "border between pairs that gain and pairs that lose.")),
    ("logistic", "Logistic", "logistic regression: a straight border, from the same three sums."),
    ("not both memory-heavy", "Not both memory-heavy", ("a pair shares unless both jobs miss the "
     "cache more often than the median job.")),
    ("random, as many admitted", "Random", "admits as many pairs as Tangram, by chance."),
    ("all co-located", "All co-located", "every pair shares."),
    ("no co-location", "No co-location", "no pair shares; all times refer to this."),
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
    ours, oracle = study.mean(test.name, "Tangram"), study.mean(test.name, "oracle")
    answer = (
        f"If it does not know {test.meaning}, the gate needs {ours:.3f} times the time of one job "
        f"after the other; the oracle needs {oracle:.3f}."
    )
    known = {row["gate"] for row in named_table(study, "strictest_test").rows}
    seeds = plural(len(study.by_seed), "seed")
    blocks = (
        text(
            "A gate decides from profiles of both jobs alone whether they share cores. The "
            "makespan is the time until both jobs of a pair end, and the turnaround is the mean "
            "time of its jobs. Both are relative to one job after the other, so less is better."
        ),
        bullets([f"{name}: {what}" for key, name, what in _GATES if key in known]),
        *table_blocks(study, "strictest_test", f"Gates in the strictest test (simulated, {seeds})",
                      keep=("Gate",)),
    )  # fmt: skip
    return Page("How good is the gate with jobs that it does not know?", answer, blocks)


_SHOWN = (("Tangram", "Tangram"), ("logistic", "Logistic"), ("all co-located", "All share"),
          ("oracle", "Oracle"))  # fmt: skip


def _tests(study: TangramStudy, drawings: Drawn) -> Page | None:
    if len(study.splits) < 2:
        return None
    means = {split.name: study.mean(split.name, "Tangram") for split in study.splits}
    easiest, hardest = (choose(means, key=lambda test: means[test]) for choose in (min, max))
    answer = (
        f"Yes: Tangram's mean makespan is {means[easiest]:.3f} in test {easiest}, and "
        f"{means[hardest]:.3f} in {hardest}."
        if means[hardest] - means[easiest] > 0.0005
        else f"No: Tangram's mean makespan is {means[easiest]:.3f} in every test."
    )
    rows = []
    for split in study.splits:
        worst = max(score.makespan_max for score in study.scores(split.name, "Tangram"))
        rows.append(
            [split.name, split.meaning, f"{study.scores(split.name, 'Tangram')[0].tested:,}",
             *(f"{study.mean(split.name, gate):.3f}" for gate, _ in _SHOWN), f"{worst:.2f}"]
        )  # fmt: skip
    columns = [("Test", False), ("Unknown to the gate", False), ("Pairs", True),
               *((name, True) for _, name in _SHOWN), ("Worst pair, Tangram", True)]  # fmt: skip
    shown = table(columns, (1.6, 2.2, 0.8, 1.1, 1.1, 1.1, 1.0, 1.2), rows)
    note = (
        "Each test hides some co-runs from the gate, and then asks it about these. A self pair is "
        "two jobs of one application."
    )
    blocks = (
        *figures(drawings, "scores"),
        text(note),
        grid(shown, "Mean makespan of each gate by test (simulated); all scores are in "
             "colocate.xlsx"),
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
    answer = (
        f"The gate admits {lose:,} of {tested:,} pairs although they lose, and refuses {refused:,} "
        f"that gain. Its worst pair has {worst.left_out} ({worst.worst:.2f})."
    )
    blocks = (
        text("Each row is one test: the gate learned without what is left out."),
        *table_blocks(study, "applications", "Decisions by what the gate did not know (simulated, "
                      "first seed)", keep=("Worst pair",)),
    )  # fmt: skip
    return Page("Where does the gate err?", answer, blocks)


def _pairs(study: TangramStudy, drawings: Drawn) -> Page:
    runs = study.runs
    worst = int(runs.makespan.argmax())
    names = [runs.applications[which[worst]] for which in (runs.a, runs.b)]
    answer = (
        f"{int(runs.gains.sum()):,} of {plural(len(runs), 'co-run')} end sooner together; the "
        "worst "
        f"is {names[0]} with {names[1]}, {runs.makespan[worst]:.1f} times as long."
    )
    note = (
        "The gate sees three sums over both jobs: instructions per cycle, cache misses per 1,000 "
        "instructions, and the share of time in input and output (I/O). The figure shows the last "
        "two."
    )
    return Page(
        "Which pairs should share cores?", answer, (text(note), *figures(drawings, "pairs"))
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
    blocks = (
        text(
            "The paper is Tangram, whose real system Headroom simulates. One number was fitted: "
            "the largest makespan if all pairs share."
        ),
        *table_blocks(study, "table_two", f"Table II and Headroom (simulated, {seeds})",
                      columns=columns),
        subheading("Other numbers of the paper"),
        *table_blocks(study, "printed", "Recomputed (arithmetic), simulated, or at odds with the "
                      "paper itself (flag)"),
    )  # fmt: skip
    return Page("Appendix: comparison with the paper", "", blocks)


def _system(study: TangramStudy, drawings: Drawn) -> Page:
    del drawings
    blocks = tuple(table_blocks(study, "simulated_system"))
    return Page("Appendix: parameters of the simulated systems", "", blocks)


def _co_runs(study: TangramStudy, drawings: Drawn) -> Page:
    del drawings
    blocks = tuple(table_blocks(study, "pairs", most=_MOST_PAIRS))
    return Page("Appendix: worst co-runs", "", blocks)

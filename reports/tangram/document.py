"""The document on a learned gate: how good it is, where it errs, and how it compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.formatting import capitalised, plural, words
from planner.sharing_nodes.tangram.printed import TABLE_II
from planner.sharing_nodes.tangram.scores import BORDER
from planner.sharing_nodes.tangram.splits import Split
from planner.sharing_nodes.tangram.study import LEARNED_GATES, TangramStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, subheading, text
from reports.grid import table
from reports.skeleton import paged
from reports.style import Picture
from reports.tabled import front_with, named_table, provenance_with, table_blocks

_LABELS = {"co_runs": "co-runs"}
_MOST_PAIRS, _MOST_ERRORS = 24, 40
"""Worst co-runs that are shown, and rows of decisions."""
_GATES = (
    ("Tangram", "Tangram", ("the gate of the paper, a support vector machine. By sums of both "
     "jobs' counters, it draws a curved border between pairs that gain and pairs that lose.")),
    ("logistic", "Logistic", "a regression with a straight border, from the same counters."),
    (BORDER, "One counter", ("it takes the counter and the threshold that are right most often "
     "among the known co-runs.")),
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
    ours, logistic, border, oracle = (
        study.mean(test.name, gate) for gate in ("Tangram", "logistic", BORDER, "oracle")
    )
    answer = (
        f"Without knowledge of {test.meaning}, Tangram's gate needs {ours:.3f} times the time of "
        f"one job after the other. Logistic regression needs {logistic:.3f}, one counter "
        f"{border:.3f}, and the oracle {oracle:.3f}."
    )
    shown = [key for key, _, _ in _GATES]
    rows = [row for row in named_table(study, "strictest_test").rows if row["gate"] in shown]
    rows.sort(key=lambda row: shown.index(row["gate"]))
    known = {row["gate"] for row in rows}
    seeds = plural(len(study.by_seed), "seed")
    blocks = (
        text(
            "The makespan is the time until both jobs of a pair end. The turnaround is the "
            "geometric mean of the times of both jobs, each from submission to end. Both are "
            "relative to one job after the other, so less is better."
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
_SHOWN = (("Tangram", "Tangram"), ("logistic", "logistic"), (BORDER, "one counter"),
          ("all co-located", "all share"), ("oracle", "oracle"))  # fmt: skip
_LEARN, _IN_TESTS = _SHOWN[:3], (*_SHOWN[:3], _SHOWN[4])
"""Gates that learn, of which the worst pairs are shown too; and those that are compared by test."""


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
         *(f"{study.mean(split.name, gate):.3f}" for gate, _ in _IN_TESTS),
         *(f"{study.worst(gate, split.name):.2f}" for gate, _ in _LEARN)]
        for split in study.splits
    ]  # fmt: skip
    columns = [("Unknown to the gate", False), ("Decisions", True),
               *((capitalised(name), True) for _, name in _IN_TESTS),
               *((f"Worst, {name}", True) for _, name in _LEARN)]  # fmt: skip
    shown = table(columns, (3.5, 1.35, 1.15, 1.1, 1.1, 1.0, 1.1, 1.1, 1.1), rows)
    note = (
        f"Each test hides some of the {plural(len(study.runs), 'co-run')} from the gate, and then "
        "asks it about these. If an application is unknown, a pair of two applications is decided "
        "twice, once for each. A self pair is two jobs of one application."
    )
    blocks = (
        text(note),
        grid(shown, "Mean makespan of each gate, and worst pair of those that learn, by test "
             "(simulated); all scores are in colocate.xlsx", small=True),
    )  # fmt: skip
    return Page("Does the result depend on what the gate knows?", answer, blocks)


def _errors(study: TangramStudy, drawings: Drawn) -> Page | None:
    del drawings
    if not study.errors:
        return None
    order = sorted(study.errors, key=lambda gate: (gate == "Tangram") == study.logistic_is_better)
    counts = {
        gate: (sum(one.wrongly_admitted for one in study.errors[gate]),
               sum(one.wrongly_refused for one in study.errors[gate]))
        for gate in order
    }  # fmt: skip
    tested = sum(one.tested for one in study.errors[order[0]])
    (lose, refused), *others = counts.values()
    compared = "".join(
        f"; {LEARNED_GATES[gate]} admits {admits:,} and refuses {refuses:,}"
        for gate, (admits, refuses) in zip(order[1:], others, strict=True)
    )
    answer = (
        f"{capitalised(LEARNED_GATES[order[0]])} admits {lose:,} of {tested:,} pairs although they "
        f"lose, and refuses {refused:,} that gain{compared}."
    )
    test = study.splits[-1]
    note = (
        f"This is the strictest test, '{test.meaning}', in the first seed. In each row, the gates "
        f"learned without what is left out{_ranks_too(test)}. Worst and mean are makespans."
    )
    short = [name for gate in order for key, name in _SHOWN if key == gate]
    columns = [("Left out", False),
               *((f"{what}, {name}", True) for what in _DECISIONS for name in short),
               ("Mean, oracle", True)]  # fmt: skip
    together = list(zip(*(study.errors[gate] for gate in order), strict=True))
    rows = [
        [each[0].left_out,
         *(f"{one.wrongly_admitted:,}" for one in each),
         *(f"{one.wrongly_refused:,}" for one in each),
         *(f"{one.worst:.2f}" for one in each),
         *(f"{one.makespan:.3f}" for one in each), f"{each[0].oracle:.3f}"]
        for each in together[:_MOST_ERRORS]
    ]  # fmt: skip
    some = f": {len(rows)} of {len(together)}" if len(rows) < len(together) else ""
    widths = (1.5, *[1.0] * (len(columns) - 1))
    blocks = (
        text(note),
        grid(table(columns, widths, rows), "Wrong decisions, worst pair and mean makespan, by what "
             f"is left out (simulated, first seed){some}", small=True),
    )  # fmt: skip
    return Page("Where do the gates err?", answer, blocks)


_DECISIONS = ("Admitted, but lose", "Refused, but gain", "Worst", "Mean")


def _ranks_too(test: Split) -> str:
    """Return what a row of the strictest test leaves out next to its application."""
    return ", nor the tested rank count" if test.name == "leave-app-and-rank-out" else ""


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
            "for input and output."
        ),
        *figures(drawings, "pairs"),
        *_border(study),
    )
    return Page("Which pairs should share cores?", study.rule, blocks)


def _border(study: TangramStudy) -> list[Block]:
    """Return how good such a rule is if it is learned, compared with the gates."""
    found, test = study.border_makespan, study.splits[-1]
    if found is None:
        return []
    gates = words(
        f"{study.mean(test.name, gate):.3f} ({study.worst(gate, test.name):.2f}) with {name}"
        for gate, name in LEARNED_GATES.items()
    )
    return [
        text(
            "A gate can learn such a rule: it takes the counter and the threshold that are right "
            "most often among the known co-runs. In the strictest test, its mean makespan is "
            f"{found[0]:.3f} (worst pair {found[1]:.2f}); it is {gates}."
        )
    ]


def _method(study: TangramStudy, drawings: Drawn) -> Page:
    del study, drawings
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
        "Without sharing, the jobs run one after the other, in the listed order.",
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
    shown = {split.name for split in study.splits}
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
            "The paper is Q. Xiong, E. Ates, M. C. Herbordt and A. K. Coskun, 'Tangram: "
            "Colocating HPC Applications with Oversubscription', IEEE High Performance Extreme "
            "Computing Conference (HPEC), 2018. Headroom simulates its real system. One number was "
            "fitted: the largest makespan if all pairs share."
            + (f" What is unknown in its tests: {'; '.join(tests)}." if tests else "")
            + " Means are over seeds; largest values are those of all seeds."
            + (" In (II), Headroom leaves out self pairs." if "(II)" in shown else "")
        ),
        *_agreement(study),
        *table_blocks(study, "table_two", f"Table II and Headroom (simulated, {seeds})",
                      columns=columns),
        subheading("Other numbers of the paper"),
        text(
            "Makespan M and turnaround R are relative to one job after the other; R is the "
            "geometric mean of the ratios of both jobs. A self pair is two jobs of one "
            "application: each takes T alone and s T if they share. One after the other, they end "
            f"after T and 2 T.{contradictions}"
        ),
        text(
            "A mixed pair has two applications. Assume that CV counts each pair once, and (II) "
            "each mixed pair twice and each self pair once. Then the paper's means for all pairs, "
            f"{TABLE_II[study.nodes, 'CV', 'all co-located'][0]:.2f} and "
            f"{TABLE_II[study.nodes, '(II)', 'all co-located'][0]:.2f}, imply the means of mixed "
            "and of self pairs in the table."
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
            f"{_reversals(study)}"
        )
    ]


def _reversals(study: TangramStudy) -> str:
    """Return which means of the paper are on the other side of 1; nothing if none is."""
    tests: dict[tuple[str, str], list[str]] = {}
    for row in study.reversals:
        tests.setdefault((row.measure, row.gate), []).append(row.test)
    if not tests:
        return " All means are on the same side of 1 as in the paper, or equal to 1."
    listed = "; ".join(
        f"{measure} of {gate} in {words(names)}" for (measure, gate), names in tests.items()
    )
    return (
        " Some means are on the other side of 1 than in the paper, so gain and loss are reversed: "
        f"{listed}."
    )


def _system(study: TangramStudy, drawings: Drawn) -> Page:
    del drawings
    where = (
        "The code of Headroom has the parameters of each application, in "
        "scenarios/simulated/oversubscription/applications.py."
    )
    blocks = (
        *table_blocks(study, "simulated_system"),
        *((text(where),) if study.of_the_paper else ()),
    )
    return Page("Appendix: parameters of the simulated system", "", blocks)


def _co_runs(study: TangramStudy, drawings: Drawn) -> Page:
    del drawings
    note = (
        "Counters are sums over both jobs, each run alone. Instructions per cycle are also summed "
        "over the ranks of a node, so they exceed those of one core. Ranks are those of each job."
    )
    blocks = (text(note), *table_blocks(study, "pairs", most=_MOST_PAIRS))
    return Page("Appendix: worst co-runs", "", blocks)

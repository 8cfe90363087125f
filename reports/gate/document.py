"""The document on a gate that limits co-runs: its gain, its risk, and what can be guaranteed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.colocation.gate.trial_study import OURS, GateTrial
from planner.formatting import percent, plural
from reports.blocks import Drawn, Page, bullets, figures, text
from reports.skeleton import paged
from reports.style import Picture
from reports.tabled import front_with, named_table, provenance_with, table_blocks

_LABELS = {
    "limit": "limit on the makespan",
    "level": "quantile that must be within the limit",
    "most_probes": "most probes of an application",
    "watch_s": "length of a probe and of a watch (s)",
}
_MOST_DECISIONS = 36
_GATES = {
    OURS: "With probes and separation: the tested gate.",
    "with probes": "With probes: the same gate, but no co-run is ended early.",
    "profiles only": "Profiles only: the same gate without probes and separation.",
    "Tangram": "Tangram: the published gate, a support vector machine without a limit.",
    "all co-located": "All co-located: every pair shares.",
    "oracle": "Oracle: knows each co-run in advance; no gate can do better.",
}


def document(study: GateTrial, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    pages = (_gates, _strictness, _applications, _guarantee, _method, _decisions)
    return paged(front_with(pictures), *pages, provenance_with(_LABELS))(study, pictures)


def _gates(study: GateTrial, drawings: Drawn) -> Page:
    del drawings
    rows = {row["gate"]: row for row in named_table(study, "gates").rows}
    ours, paper = rows[OURS], rows.get("Tangram", rows[OURS])
    answer = (
        f"The gate saves {percent(ours['gain'])} of what the oracle saves, with "
        f"{plural(ours['bad'], 'pair')} above the limit; Tangram saves {percent(paper['gain'])}, "
        f"with {paper['bad']:,}."
    )
    blocks = (
        bullets([meaning for gate, meaning in _GATES.items() if gate in rows]),
        *table_blocks(study, "gates", f"Gates on unknown applications (simulated, "
                      f"{plural(study.seeds, 'seed')})", keep=("Above the limit", "Worst pair")),
        text(
            f"Each gate decides on {plural(ours['tested'], 'pair')}. Makespan: time until both "
            "jobs "
            "end, relative to one job after the other. Abstained: pairs of applications unlike any "
            "known one, which wait. Separated: co-runs ended early."
        ),
    )  # fmt: skip
    return Page("What does the gate save, and what does it risk?", answer, blocks)


def _strictness(study: GateTrial, drawings: Drawn) -> Page:
    rows = [row for row in named_table(study, "risk_coverage").rows if row["gate"] == OURS]
    gate, gain = study.safest
    level = percent(study.rule.level)
    answer = (
        f"At {level}, the gate saves {percent(max(0.0, study.point.gain))} of the oracle's "
        f"saving. In hindsight, {percent(gain)} is possible with no pair above the limit ({gate})."
    )
    blocks = (
        *figures(drawings, "risk_coverage"),
        text(
            "The quantile states how cautious the gate is: at 90 %, the predicted time stays "
            "within the limit with 90 % probability. A stricter one admits fewer pairs."
        ),
        *table_blocks(study, "risk_coverage", f"The gate {OURS}, by its quantile (simulated)",
                      rows=rows, keep=("Co-runs above the limit", "Worst pair"),
                      columns=("level", "coverage", "gain", "worst", "bad")),
    )  # fmt: skip
    return Page("How strict should the gate be?", answer, blocks)


def _applications(study: GateTrial, drawings: Drawn) -> Page:
    rows = named_table(study, "left_out").rows
    least = min(rows, key=lambda row: row["gain"])
    worst = max(rows, key=lambda row: row["worst"])
    answer = (
        f"The gate saves least with {least['left_out']} ({percent(least['gain'])} of the oracle's "
        f"saving); its worst pair has {worst['left_out']} ({worst['worst']:.2f})."
    )
    blocks = (
        *figures(drawings, "decisions"),
        *table_blocks(study, "left_out", keep=("Worst pair", "Above the limit")),
    )
    return Page("Which applications are hard to judge?", answer, blocks)


def _guarantee(study: GateTrial, drawings: Drawn) -> Page:
    del drawings
    rows = named_table(study, "certificates").rows
    possible = [row for row in rows if row["possible"]]
    least = percent(rows[0]["least"], places=1)
    answer = (
        f"With {study.count} applications, a rate of {least} or more can be guaranteed"
        f"{'' if possible else ', but none of the rates below'}. "
        f"A rate of {percent(rows[0]['alpha'])} needs {rows[0]['needed']} applications."
    )
    note = (
        "A guarantee holds on average over new applications, if they are as different as the "
        "measured ones. Fixed partners: all applications are measured with the same reference "
        "applications. Partners among them: with each other."
    )
    blocks = (text(note), *table_blocks(study, "certificates", keep=("Possible",)))
    return Page("Can the rate of bad co-runs be guaranteed?", answer, blocks)


def _method(study: GateTrial, drawings: Drawn) -> Page:
    del drawings
    rule = study.rule
    lines = [
        (
            "Each application in turn, at each number of ranks, is unknown: the gate learns from "
            "the co-runs of the others at other rank counts."
        ),
        (
            "Predict: a Gaussian process gives the distribution of the logarithm of the makespan. "
            "Its inputs are sums and differences of both jobs' counters."
        ),
        (
            "Abstain: an application waits if it is farther from all known ones than these are "
            "from their neighbours. Novelty is this distance; above 1 the gate abstains."
        ),
        (
            f"Probe: at most {rule.probes} test runs of {study.watch_s:g} s with an unknown "
            "application, each if its expected saving exceeds its time."
        ),
        (
            f"Admit: the median of the predicted makespan is below 1, and its "
            f"{percent(rule.level)} quantile is below {rule.limit:.2f}."
        ),
        (
            f"Separate: after {study.watch_s:g} s, a co-run ends if the measured speeds show that "
            "one "
            "job after the other is faster."
        ),
        "All costs count: probes, pauses for measuring, and progress that a separation loses.",
        (
            "Shares of the oracle's saving are sums of logarithms of makespans, over that of the "
            "oracle."
        ),
    ]
    return Page("Appendix: method", "", (bullets(lines),))


def _decisions(study: GateTrial, drawings: Drawn) -> Page:
    del drawings
    blocks = (
        *table_blocks(study, "decisions", most=_MOST_DECISIONS),
        text(
            "Measured: makespan of the co-run. Charged: makespan with the costs of the gate, or of "
            "waiting."
        ),
    )
    return Page("Appendix: decision on each pair", "", blocks)

"""The document on a gate that limits co-runs: its gain, its risk, and what can be guaranteed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from planner.colocation.gate.risk import least_alpha
from planner.colocation.gate.trial_study import OURS, PROBES, GateTrial
from planner.formatting import percent, plural
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.grid import table
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
_SUMS = ("gate", "coverage", "gain", "makespan", "worst", "bad", "abstained", "probes")
_GATES = {
    OURS: "With probes and separation: the tested gate.",
    PROBES: "With probes: the same gate, but no co-run is ended early.",
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
        text(
            f"Each gate decides on {plural(ours['tested'], 'pair')}. Makespan: time until both "
            "jobs end, relative to one job after the other. Abstained: pairs of applications "
            "unlike any known one, which wait. Probes: short test runs. Separated: co-runs ended "
            "early."
        ),
        *table_blocks(study, "gates", f"Gates on unknown applications (simulated, "
                      f"{plural(study.seeds, 'seed')})", keep=("Above the limit", "Worst pair"),
                      columns=_columns(rows.values())),
        *_separation(ours, rows.get(PROBES)),
    )  # fmt: skip
    return Page("What does the gate save, and what does it risk?", answer, blocks)


def _columns(rows: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the columns of sums; that of separated co-runs only if there are any."""
    return (*_SUMS, "separated") if any(row["separated"] for row in rows) else _SUMS


def _separation(ours: Mapping[str, Any], probes: Mapping[str, Any] | None) -> list[Block]:
    """Return what separation is worth, where that can be said in a sentence."""
    if probes is None:
        return []
    none = "" if ours["separated"] else "No co-run was ended early, so separation changes little. "
    if probes["makespan"] < ours["makespan"] and probes["worst"] <= ours["worst"]:
        return [
            text(
                f"{none}Watching co-runs takes time: the gate without separation (with probes) "
                f"saves more, {percent(probes['gain'])} of the oracle's saving, at no more risk."
            )
        ]
    return [text(none.strip())] if none else []


def _strictness(study: GateTrial, drawings: Drawn) -> Page:
    del drawings
    rows = [row for row in named_table(study, "risk_coverage").rows if row["gate"] == OURS]
    gate, gain = study.safest
    best = study.best_level
    if best is None:
        answer = "No tested setting saves time with all pairs within the limit."
    else:
        answer = (
            f"Require the limit with a probability of {percent(best[0])}: of the settings without "
            f"a pair above the limit, this saves most ({percent(best[1].gain)} of the oracle's "
            "saving)."
        )
    blocks = (
        text(
            "The quantile is the probability with which the predicted time must stay within the "
            "limit. A stricter one admits fewer pairs: take it if a bad co-run costs much, as the "
            "answer is found in hindsight. The tested gate has "
            f"{percent(study.rule.level)}. In hindsight, any setting of any variant saves at most "
            f"{percent(gain)} of the oracle's saving within the limit ({gate})."
        ),
        *table_blocks(study, "risk_coverage", f"The gate {OURS}, by its quantile (simulated)",
                      rows=rows, keep=("Co-runs above the limit", "Worst pair"),
                      columns=("level", "coverage", "gain", "worst", "bad")),
    )  # fmt: skip
    return Page("How strict should the gate be?", answer, blocks)


def _applications(study: GateTrial, drawings: Drawn) -> Page:
    rows = named_table(study, "left_out").rows
    least = min(rows, key=lambda row: row["gain"])
    novel = max(rows, key=lambda row: row["abstained"])
    unlike = (
        f"Hardest is {novel['left_out']}: the gate abstains from {percent(novel['abstained'])} of "
        "its pairs. "
        if novel["abstained"] > 0
        else "None is unlike the others. "
    )
    answer = (
        f"{unlike}It saves least with {least['left_out']}: {percent(least['gain'])} of the "
        "oracle's saving."
    )
    worst = max(study.of(OURS), key=lambda one: one.charged)
    several = f" in seed {worst.seed}" if study.seeds > 1 else ""
    blocks = (
        text(
            f"The worst time is that of {worst.left_out} (unknown) with {worst.partner} at "
            f"{plural(worst.ranks, 'rank')}{several}: {worst.charged:.2f} with all costs of the "
            f"gate. This pair {_DECIDED[worst.decision]}."
        ),
        *table_blocks(study, "left_out", keep=("Worst pair", "Above the limit"),
                      columns=("left_out", *_columns(rows))),
        text(
            "The figure shows the decision on each pair of the first seed at the highest rank "
            "count. Its number is the measured makespan of the co-run: sharing saves time below 1. "
            "Such a pair may wait, if the gate is not certain enough."
        ),
        *figures(drawings, "decisions"),
    )  # fmt: skip
    return Page("Which applications are hard to judge?", answer, blocks)


_DECIDED = {
    "share": "shared cores",
    "separated": "was ended early",
    "wait": "did not share, but bears its part of the probes",
    "abstain": "did not share, but bears its part of the probes",
}
"""What happened to a pair, by the decision on it."""


def _guarantee(study: GateTrial, drawings: Drawn) -> Page:
    del drawings
    rows = named_table(study, "certificates").rows
    known = study.count - 1
    fixed, among = (percent(least_alpha(known, memberships), places=1) for memberships in (1, 2))
    answer = (
        f"{plural(known, 'known application')} measured with each other, as here, can guarantee "
        f"{among} or more. A rate of {percent(rows[0]['alpha'])} needs {rows[0]['needed_among']}, "
        f"or {rows[0]['needed']} with fixed partners."
    )
    note = (
        "The rate is the share of a new application's co-runs above the limit. It holds on average "
        "over new applications, if they are as different as the known ones. Fixed partners: each "
        "is measured with the same reference applications, not with all. With them, "
        f"{plural(known, 'known application')} can guarantee {fixed}."
    )
    shown = [
        [percent(row["alpha"]), f"{row['needed_among']:,}", _enough(known, row["needed_among"]),
         f"{row['needed']:,}", _enough(known, row["needed"])]
        for row in rows
    ]  # fmt: skip
    columns = [("Guaranteed rate", True), ("Needed, with each other", True),
               (f"{known} are enough", False), ("Needed, fixed partners", True),
               (f"{known} are enough", False)]  # fmt: skip
    blocks = (
        text(note),
        grid(table(columns, (1.2, 1.5, 1.2, 1.5, 1.2), shown),
             "Known applications that a guaranteed rate of bad co-runs needs, by design"),
    )  # fmt: skip
    return Page("Can the rate of bad co-runs be guaranteed?", answer, blocks)


def _enough(known: int, needed: int) -> str:
    return "yes" if known >= needed else "no"


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
            "from their neighbours. Novelty is this distance; above 1 the gate abstains, except "
            "from pairs that it probed."
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
    rows = named_table(study, "decisions").rows
    most = max(row.ranks for row in rows)
    blocks = (
        text(
            "Predicted: median and upper quantile of the makespan, after the probes. Novelty: "
            "above 1, the gate abstains from pairs that it did not probe. Measured: makespan of "
            "the co-run. Charged: makespan with the costs of the gate, or of waiting."
        ),
        *table_blocks(study, "decisions", f"Decision on each pair at {plural(most, 'rank')} "
                      "(simulated, first seed)", rows=[row for row in rows if row.ranks == most],
                      most=_MOST_DECISIONS, columns=_DECISION),
    )  # fmt: skip
    return Page("Appendix: decision on each pair", "", blocks)


_DECISION = ("left_out", "partner", "decision", "probed", "median", "upper", "novelty",
             "measured", "charged")  # fmt: skip

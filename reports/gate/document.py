"""The document on a gate that limits co-runs: its gain, its risk, and what can be guaranteed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from planner.colocation.gate.risk import least_alpha
from planner.colocation.gate.trial_study import OURS, PROBES, GateTrial
from planner.formatting import capitalised, percent, plural, words
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
    ours = rows[OURS]
    others = [
        f"{name} saves {percent(rows[gate]['gain'])} ({plural(rows[gate]['bad'], 'pair')})"
        for gate, name in ((PROBES, "the gate without separation"), ("Tangram", "Tangram"))
        if gate in rows
    ]
    compared = f" {capitalised(words(others))}." if others else ""
    answer = (
        f"The gate saves {percent(ours['gain'])} of what the oracle saves, with "
        f"{plural(ours['bad'], 'pair')} above the limit.{compared}"
    )
    blocks = (
        bullets([meaning for gate, meaning in _GATES.items() if gate in rows]),
        text(
            f"Each gate decides on {plural(ours['tested'], 'pair')}. Makespan: time until both "
            "jobs end, relative to one job after the other. Abstained: pairs of applications "
            "unlike any known one, which wait. Probes: short test runs. Separation: a co-run ends "
            "early if its measured speeds show a loss."
        ),
        text(
            "Shares of the oracle's saving compare logarithms of makespans, so they differ from "
            "the quotient of two savings in percent."
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
    none = (
        ""
        if ours["separated"]
        else "No co-run was ended early, so the benefit of separation is untested. "
    )
    if probes["makespan"] < ours["makespan"] and probes["worst"] <= ours["worst"]:
        return [
            text(
                f"{none}Watching co-runs takes time, so the gate without separation (with probes) "
                "saves more; its worst pair takes no longer."
            )
        ]
    return [text(none.strip())] if none else []


def _strictness(study: GateTrial, drawings: Drawn) -> Page:
    del drawings
    rows = [row for row in named_table(study, "risk_coverage").rows if row["gate"] == OURS]
    best = study.best_level
    if best is None:
        answer = "No quantile of the table saves time with all pairs within the limit."
    else:
        answer = (
            f"Use the {percent(best[0])} quantile: with it, no pair exceeds the limit, and the "
            f"gate saves {percent(best[1].gain)} of what the oracle saves, the most of all such "
            "quantiles."
        )
    blocks = (
        text(
            "The quantile is the probability with which the predicted time must stay within the "
            f"limit; the tested gate has {percent(study.rule.level)}. A higher one admits fewer "
            "pairs. The best one is known only in hindsight, so take a higher one if a bad co-run "
            "costs much."
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
            "count. Its number is the simulated makespan of the co-run: sharing saves time below "
            "1. "
            "Such a pair may wait, if the gate is not certain enough."
            f"{_below_half(study)}"
        ),
        *figures(drawings, "decisions"),
    )  # fmt: skip
    return Page("Which applications are hard to judge?", answer, blocks)


def _below_half(study: GateTrial) -> str:
    """Return why a co-run takes less than half of the time, where the figure shows one."""
    rows = [one for one in study.of(OURS) if one.seed == study.first_seed]
    most = max(one.ranks for one in rows)
    if min(one.measured for one in rows if one.ranks == most) >= _HALF:
        return ""
    return (
        " Numbers below 0.5 arise because run times vary from run to run: in the simulation, no "
        "partner makes a job faster."
    )


_HALF = 0.495
"""Makespan that prints as a half."""
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
        "The rate is the share of a new application's co-runs above the limit. It holds as a mean "
        "over new applications, if they are as different as the known ones. An application without "
        "a co-run counts as 0, so the share of all co-runs may be higher. Fixed partners: each "
        "is measured with the same reference applications, not with all. With them, "
        f"{plural(known, 'known application')} can guarantee {fixed}."
    )
    shown = [
        [percent(row["alpha"]), f"{row['needed_among']:,}", _enough(known, row["needed_among"]),
         f"{row['needed']:,}", _enough(known, row["needed"])]
        for row in rows
    ]  # fmt: skip
    columns = [("Guaranteed mean rate", True), ("Needed, with each other", True),
               (f"{known} are enough", False), ("Needed, fixed partners", True),
               (f"{known} are enough", False)]  # fmt: skip
    blocks = (
        text(note),
        grid(table(columns, (1.2, 1.5, 1.2, 1.5, 1.2), shown),
             "Known applications that a guaranteed mean rate of bad co-runs needs, by design"),
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
            "Guarantee: conformal risk control (A. Angelopoulos and others, ICLR 2024). The "
            "unknown application is taken as one of n + 1 that are equally likely to be the new "
            "one."
        ),
        (
            "With n known applications, the least rate is 1/(n+1) with fixed partners, and 2/(n+1) "
            "with each other. In the latter, each pair belongs to two applications, so it can be a "
            "pair of the new one twice as often."
        ),
        "A rate a needs at least 1/a - 1 known applications with fixed partners, else 2/a - 1.",
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
            "above 1, the gate abstains from pairs that it did not probe. Simulated: makespan of "
            "the co-run. Charged: makespan with the costs of the gate, or of waiting."
        ),
        *([text(held)] if (held := _quantile_held(study)) else []),
        *table_blocks(study, "decisions", f"Decision on each pair at {plural(most, 'rank')} "
                      "(simulated, first seed)", rows=[row for row in rows if row.ranks == most],
                      most=_MOST_DECISIONS, columns=_DECISION),
    )  # fmt: skip
    return Page("Appendix: decision on each pair", "", blocks)


def _quantile_held(study: GateTrial) -> str:
    """Return how often a makespan was at most its predicted upper quantile, if any is known."""
    (held, every), (kept, admitted) = (study.within_quantile(shared=one) for one in (False, True))
    if not every:
        return ""
    level, worst = percent(study.rule.level), study.furthest_above
    seeds = f" of {plural(study.seeds, 'seed')}" if study.seeds > 1 else ""
    result = (
        f"The simulated makespan is at or below the {level} quantile in {held:,} of "
        f"{plural(every, 'pair')}{seeds} ({percent(held / every)})."
    )
    if admitted:
        result += f" Of the pairs that share, it is so in {kept:,} of {admitted:,}."
    if worst is not None and worst.upper is not None:
        result += (
            f" Furthest above it is {worst.left_out} (unknown) with {worst.partner} at "
            f"{plural(worst.ranks, 'rank')}: quantile {worst.upper:.2f}, simulated "
            f"{worst.measured:.2f}."
        )
    return result


_DECISION = ("left_out", "partner", "decision", "probed", "median", "upper", "novelty",
             "measured", "charged")  # fmt: skip

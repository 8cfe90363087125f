"""The document on pairs of jobs: questions with figures, the method at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.formatting import capitalised, given, percent, plural, telling, words
from planner.sharing_nodes.pairs.frontier import FrontierPoint, rising
from planner.sharing_nodes.pairs.study import ColocationStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, text
from reports.skeleton import paged
from reports.style import Picture
from reports.tabled import front_with, provenance_with, table_blocks

_COLUMNS = ("policy", "gain", "optimal_share", "max_slowdown", "smallest_gain")
"""Columns on ways of pairing that print has room for."""
_BETTER = "How much better is this than simpler pairings?"
_LIMIT = "What does a limit on the slowdown cost?"
_TRADE = "Gain and largest slowdown of each way of pairing"
_FIELDS = (
    "Read a row for a job: each field is the share of its speed that it loses next to the job of "
    "the column."
)


def document(study: ColocationStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    pages = (_pairs, _policies, _limits, _groups, _next, _method, provenance_with({}))
    return paged(front_with(pictures), *pages)(study, pictures)


def _pairs(study: ColocationStudy, drawings: Drawn) -> Page | None:
    if not study.rows:
        return None
    slowest = [max(row["slowdown_a"], row["slowdown_b"]) for row in study.rows]
    gains = [row["gain"] for row in study.rows]
    answer = (
        f"{plural(len(gains), 'node')} with two jobs{' each' if len(gains) > 1 else ''}; a pair "
        f"gains {_range(gains, '.2f')} "
        f"nodes, and its slower job takes {_range(slowest, '.3f')} times its time alone."
    )
    keys = ["a", "b", "gain", "slowdown_a", "slowdown_b"]
    if study.guesses.used:
        keys.append("predicted")
    blocks = (
        *figures(drawings, "degradation", _FIELDS),
        text(
            "The slowdown is time together over time alone. The gain is the work of the pair, "
            "compared with one job alone on the node, less 1: 0.6 means 60 % more work."
        ),
        *table_blocks(study, "shared_nodes", "Pairs that share a node", columns=keys),
    )
    return Page("Which jobs share a node, and how much slower do they run?", answer, blocks)


def _range(values: Sequence[float], form: str) -> str:
    """One value, or the smallest to the largest, where these differ in print."""
    low, high = format(min(values), form), format(max(values), form)
    return low if low == high else f"{low} to {high}"


_WAYS = {
    "random": "Random: neighbours in a random order share if they keep the limits (mean gain, "
    "worst slowdown of all draws).",
    "first fit": "First fit: each job, in order, joins the first single job with which it gains.",
    "greedy best pair": "Greedy best pair: the pair with the largest gain first, then the best of "
    "the rest.",
    "matching": "Matching: the pairing with the largest sum of gains; this is the recommended one.",
    "bottleneck: least slowdown": "Bottleneck, least slowdown: the smallest slowdown of the "
    "slowest job, with at least {share} of the best throughput.",
    "bottleneck: greatest least gain": "Bottleneck, greatest least gain: the largest gain of the "
    "worst pair, with at least {share} of the best throughput.",
    "robust": "Robust: the best pairing at the lower ends of the gains' 95 % intervals.",
}


def _policies(study: ColocationStudy, drawings: Drawn) -> Page | None:
    if not study.rows:
        return None
    if _alike(study):
        answer = (
            f"Every way of pairing is equally good here: a gain of {telling(study.plan.gain, 3)}."
        )
        return Page(_BETTER, answer, ())
    policies = [row.policy for row in study.outcomes]
    share = given(study.pairing_settings.share)
    ways = [line.format(share=share) for name, line in _WAYS.items() if name in policies]
    groups = [name for name in policies if name.startswith("groups")]
    ways += [f"{name.capitalize()}: see below; speeds are predicted." for name in groups]
    blocks = (
        bullets(ways),
        *figures(drawings, "policies", "Dashed: the proven limit, which no pairing can exceed."),
        *table_blocks(
            study, "policies", "Gain and slowdown of each way of pairing", columns=_COLUMNS
        ),
    )
    return Page(_BETTER, _better(study), blocks)


def _alike(study: ColocationStudy) -> bool:
    """Whether all ways of pairing have results that look the same in print."""
    rows = [row for row in study.outcomes if row.policy != "none"]
    return len({(f"{row.gain:.3f}", f"{row.max_slowdown:.3f}") for row in rows}) == 1


def _better(study: ColocationStudy) -> str:
    gains = {row.policy: telling(row.gain, 3) for row in study.outcomes}
    parts = [f"the recommended pairing gains {telling(study.plan.gain, 3)} nodes"]
    if "first fit" in gains:
        parts.append(f"first fit {gains['first fit']}")
    if "random" in gains:
        parts.append(f"random pairs {gains['random']} on average")
    return f"{capitalised(words(parts))}."


def _limits(study: ColocationStudy, drawings: Drawn) -> Page | None:
    points = rising(study.frontier)
    if not points:
        return None
    if len(points) == 1:
        return Page(_LIMIT, _limited(points), ())
    share = given(study.pairing_settings.share)
    listed = f" The pairs at the limit of {points[-2].limit:.3f} are in colocate.json."
    blocks: list[Block] = [
        *figures(drawings, "gain_and_slowdown", title=_TRADE),
        text(
            "A limit on the slowdown excludes pairs in which a job runs slower. Limits that leave "
            f"the gain unchanged are left out. The bottleneck pairings keep {share} of the "
            "throughput, which is the work per second on the nodes of the best pairing. Ways of "
            "pairing with nearly equal results share a marker."
            + ("" if study.limited_in_words else listed)
        ),
        *table_blocks(study, "frontier", rows=points),
    ]
    return Page(_LIMIT, _limited(points), tuple(blocks))


def _limited(points: Sequence[FrontierPoint]) -> str:
    if len(points) == 1:
        return (
            f"Nothing: no job takes more than {points[0].limit:.3f} times its time alone, and a "
            "smaller limit would leave no pair."
        )
    point = points[-2]
    return (
        f"If no job may take more than {point.limit:.3f} times its time alone, the gain falls "
        f"by {percent(1 - point.share, places=1)}."
    )


def _groups(study: ColocationStudy, drawings: Drawn) -> Page | None:
    del drawings
    if study.groups is None or not study.group_rows:
        return None
    more = study.groups.gain - study.plan.gain
    answer = (
        f"Groups of up to {study.groups.rules.size} should gain "
        f"{telling(study.groups.gain, 3)} nodes, {telling(abs(more), 3)} "
        f"{'more' if more >= 0 else 'less'} than pairs. This is predicted, not measured."
    )
    blocks = tuple(table_blocks(study, "groups_of_jobs"))
    return Page("Would larger groups gain more?", answer, blocks)


def _next(study: ColocationStudy, drawings: Drawn) -> Page | None:
    del drawings
    if not study.guesses.probes:
        return None
    probe = study.guesses.probes[0]
    answer = (
        f"Measure {probe.a} with {probe.b} first: each such pair could add up to "
        f"{probe.could_add:.2g} nodes."
    )
    note = text(
        "The speeds of these pairs are predicted from the measured ones. The last column is a "
        "limit: the predicted gain plus one standard error, less what both jobs gain now."
    )
    return Page("Which pairs should be measured next?", answer,
                (*table_blocks(study, "measure_next"), note))  # fmt: skip


def _method(study: ColocationStudy, drawings: Drawn) -> Page:
    del drawings
    lines = [
        (
            "A node with one job does 1 unit of work. A node with two jobs does the sum of both "
            "relative speeds; the gain is this sum less 1."
        ),
        (
            "A relative speed is time alone over time together. Repeated measurements of a pair "
            "are averaged."
        ),
        (
            "The pairing is a matching of largest weight: each job is in at most one pair. The sum "
            "of the gains is as large as possible. Pairs that lose are never chosen. Every way of "
            f"pairing keeps the limits of a shared node: {study.pairing_settings.limits}."
        ),
        (
            "Dual values prove the pairing: one for each job and for each odd set of jobs. A "
            "separate check shows in whole numbers that no pair gains more than its dual values, "
            "so no pairing can gain more than their sum."
        ),
        (
            "A bottleneck pairing comes from a bisection over the measured slowdowns or gains, "
            "with a proved matching in every step."
        ),
    ]
    if study.guesses.used:
        lines.append(
            "Speeds that were not measured are predicted by penalised least squares. Their "
            "logarithm is a mean, plus the sensitivity of the job, plus the pressure of its "
            "partner."
        )
    if study.groups is not None:
        lines.append(
            "In groups, a job's speed is the product of its speeds next to each other member."
        )
    return Page("Appendix: method", "", (bullets(lines),))

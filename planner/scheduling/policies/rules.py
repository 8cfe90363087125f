"""What a policy does, in a paragraph for people: ours by name, others by their docstring."""

from __future__ import annotations

import inspect

from planner.formatting import plural
from planner.scheduling.policies.problem import Policy

RULES: dict[str, str] = {
    "fcfs": (
        "First come, first served: jobs start in order of submission; while the first does not "
        "fit, nobody starts."
    ),
    "easy": (
        "EASY backfilling: jobs start in order of submission; when the first does not fit, it "
        "gets the earliest time at which, by the estimates, enough processors are free, and a "
        "later job starts at once if it fits and either ends by then or takes only processors "
        "that are left over then."
    ),
    "easy++": (
        "EASY++: as EASY, planned with predictions of run times, and behind the first job the "
        "shortest prediction is tried first. A prediction that is outlived grows step by step, "
        "at most to the requested time. As published (Tsafrir, Etsion and Feitelson 2007; "
        "predictsim, 2015) no scheduling pass follows such a correction, and reservations rest on "
        "predictions that are often too short: jobs can starve, so look at the longest waits."
    ),
    "easy++-pass": (
        "EASY++ with one change: a scheduling pass follows the corrections of an instant, so that "
        "no job that fits waits for the next submission or end. Reservations still rest on "
        "predictions that are often too short."
    ),
    "conservative": (
        "Conservative backfilling: every job gets the earliest start, at its submission, that "
        "delays nobody's planned one; when a job ends early, the waiting are planned anew in "
        "order of submission, never later than before."
    ),
    "sjf": "Shortest job first by estimate; while that one does not fit, nobody starts.",
    "sjf-easy": "EASY backfilling with the queue in order of estimates, the shortest first.",
    "largest": "Most processors first; while that one does not fit, nobody starts.",
    "largest-easy": "EASY backfilling with the queue in order of processors, most first.",
    "maui": (
        "Maui-like: at regular iterations jobs start in order of priority, a weighted sum of what "
        "they have suffered, what they ask for, what their user, group and queue have used of "
        "late, and who they are; behind jobs that cannot start others are backfilled. Weights, "
        "throttles and the number of reservations are those of its configuration."
    ),
    "moldable": (
        "EASY backfilling of moldable jobs: a job may start on a quarter, a half or twice the "
        "processors that it asked for, if by the estimates, scaled by an assumed speedup, it ends "
        "no later than it would on those, and if that puts off nobody's reservation; on more than "
        "it asked for only if these are of no use to anybody behind it."
    ),
}
"""Each policy in a paragraph."""

_NO_WORDS = "Its author has not described this policy: its class has no docstring."
_HEADING = frozenset("-=~")


def rule_of(policy: Policy) -> str:
    """The rule of a policy; of one that is not ours, what its docstring says before any section.

    Another rank of our ``Ordered`` is described by the docstring of the rank.
    """
    ours = type(policy).__module__.startswith("planner.scheduling.policies.")
    reservations = getattr(policy, "reservations", 1) if ours else 1
    if not ours:
        return _described(policy)
    if policy.name not in RULES:
        return _described(getattr(policy, "rank", policy)) + _reserving(reservations)
    return RULES[policy.name] + _reserving(reservations)


def _described(thing: object) -> str:
    """The paragraphs of a docstring up to its first section, as one."""
    text = inspect.getdoc(thing) or ""
    kind = thing if isinstance(thing, type) else type(thing)
    if not text or text.startswith(f"{kind.__name__}("):  # which dataclasses write themselves
        return _NO_WORDS
    lines = text.splitlines()
    ends = (k for k, line in enumerate(lines) if line and set(line.strip()) <= _HEADING)
    end = next(ends, len(lines) + 1) - 1
    words = " ".join(" ".join(lines[: max(end, 1)]).split())
    return words if words.endswith((".", "!", "?")) else f"{words}."


def _reserving(reservations: int) -> str:
    """Return what another number of reservations changes; below 0 nobody overtakes the first."""
    if reservations in (-1, 1):
        return ""
    if reservations == 0:
        return " Here no job at the head has a reservation."
    return f" Here {plural(reservations, 'job')} at the head are not to be delayed."

"""What a policy does, in a paragraph for people: ours by name, others by their docstring."""

from __future__ import annotations

import inspect

from planner.formatting import plural
from planner.scheduling.policies.problem import Policy

RULES: dict[str, str] = {
    "fcfs": (
        "First come, first served: jobs start in order of submission; while the first does not "
        "fit, no job starts."
    ),
    "easy": (
        "EASY backfilling: jobs start in order of submission. A first job that does not fit gets "
        "a reservation at the earliest time with enough free processors by the estimates. A "
        "later job starts at once if it fits and either ends by then or uses only processors "
        "that are spare then."
    ),
    "easy++": (
        "EASY++: EASY planned with predicted run times; behind the first job the shortest "
        "prediction is tried first. When a job exceeds its prediction, this grows in steps, at "
        "most to the requested time. As published (Tsafrir, Etsion and Feitelson 2007; "
        "predictsim, 2015), no scheduling pass follows a correction. Reservations rest on "
        "predictions that are often too short, so jobs can starve: check the longest waits."
    ),
    "easy++-pass": (
        "EASY++ with one change: a scheduling pass follows corrections, so a job that fits need "
        "not wait for the next submission or end. Reservations still rest on predictions that "
        "are often too short."
    ),
    "conservative": (
        "Conservative backfilling: at submission every job gets the earliest planned start that "
        "delays no other planned start. When a job ends early, waiting jobs are replanned in "
        "order of submission, never later than before."
    ),
    "sjf": "Shortest job first by estimate; while it does not fit, no job starts.",
    "sjf-easy": "EASY backfilling with the queue sorted by estimate, shortest first.",
    "largest": "Largest job (most processors) first; while it does not fit, no job starts.",
    "largest-easy": "EASY backfilling with the queue sorted by processors, most first.",
    "maui": (
        "Maui-like: at regular iterations jobs start in order of priority. Priority is a weighted "
        "sum of waiting so far, requested resources, recent use (fair share) and credentials. "
        "Jobs behind those that cannot start are backfilled. The configuration sets weights, "
        "throttles and the number of reservations."
    ),
    "moldable": (
        "EASY backfilling of moldable jobs: a job may start on a quarter, half or twice its "
        "requested processors. By the estimates, scaled by an assumed speedup, it must end no "
        "later than on the request, and delay no reservation. It gets more than it requested "
        "only if no job behind it can use them."
    ),
}
"""Each policy in a paragraph."""

_NO_WORDS = "This policy has no description: its class has no docstring."
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
        return " In this study no job at the head of the queue has a reservation."
    return (
        f" In this study the first {plural(reservations, 'job')} of the queue must not be delayed."
    )

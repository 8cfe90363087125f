"""The headline of a comparison of power-aware policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from planner.formatting import percent, plural, words
from planner.replications.ratios import PairedRatio
from planner.scheduling.power.ilp.naming import ilp_name
from planner.scheduling.power.results.paired import ByKey, not_worse

MOST_NAMES = 5
"""Policies that a headline names."""
FEW_SEEDS = 5
"""Seeds below which a difference that is not significant says nothing."""
_FAMILIES = ("traditional", "naive", "adaptive")


def headline_of(
    ranking: Sequence[tuple[str, PairedRatio]],
    policies: Mapping[str, ByKey],
    reference: str,
    *,
    by_chance: bool,
) -> str:
    """Return which policy has the shortest turnaround, as far as that is shown.

    Parameters
    ----------
    ranking
        Policies by turnaround over that of the reference policy, the shortest first.
    by_chance
        Whether only one seed was run, although chance has a part.
    """
    if not ranking:
        return _no_reference(policies, reference)
    best, ratio = ranking[0]
    if len(ranking) == 1:
        return (
            f"Only {label(best)} was run."
            if len(policies) == 1
            else f"No job ran under both {label(reference)} and another policy."
        )
    if by_chance:
        equal = [name for name, candidate in ranking if candidate.mean == ratio.mean]
        if len(equal) > 1 and reference in equal:
            return f"Turnaround is equal under {_named(equal)} (one seed: not conclusive)."
        other, longer = _against(ranking, reference)
        return (
            f"Turnaround under {_named(equal)} is {percent(1 - 1 / longer)} shorter than under "
            f"{label(other)} (one seed: not conclusive)."
        )
    rivals = not_worse(policies, best)
    if rivals:
        return _tie(
            [name for name, _ in ranking if name == best or name in rivals],
            ratio,
            reference,
            len({seed for _, _, seed in policies[best]}),
        )
    if best == reference:
        second, longer = _against(ranking, reference)
        longer_by = percent(longer - 1)
        return (
            f"No other policy has a shorter mean turnaround than {label(best)}; under "
            f"{label(second)} it is {longer_by} longer."
        )
    shorter = percent(1 - ratio.mean)
    return (
        f"{label(best)} has the shortest mean turnaround relative to {label(reference)}: "
        f"{shorter} shorter."
    )


def _no_reference(policies: Mapping[str, ByKey], reference: str) -> str:
    """Say that no job ran under the reference policy, or under any policy."""
    runs = (run for by_key in policies.values() for run in by_key.values())
    if all(run.mean_turnaround_s is None for run in runs):
        return "No job ran under any policy."
    return f"No job ran under {label(reference)}, so no policy can be compared with it."


def _tie(names: Sequence[str], ratio: PairedRatio, reference: str, seeds: int) -> str:
    """Name the best policies, the best first: no other differs from it significantly."""
    named, one_case = _named(names), ratio.chance is None
    if reference in names:
        if one_case:
            return f"Mean turnaround is equal under {named}."
        if seeds < FEW_SEEDS:
            few = plural(seeds, "seed")
            return f"With {few}, no difference in mean turnaround is shown between {named}."
        return f"Mean turnaround does not differ significantly between {named}."
    shortest = f"{named} have the shortest mean turnaround relative to {label(reference)}"
    shorter = f"{percent(1 - ratio.mean)} shorter"
    if one_case:
        return f"{shortest}: {shorter}."
    doubt = "the difference between them is not significant"
    if len(names) > 2:
        doubt = f"none differs significantly from {label(names[0])}"
    return f"{shortest}, up to {shorter}; {doubt}."


def of_one_job(headline: str) -> str:
    """Return a headline for a single job, which has one turnaround instead of a mean.

    Examples
    --------
    >>> of_one_job("Mean turnaround is equal under Traditional and Naive.")
    'Turnaround is equal under Traditional and Naive.'
    """
    first = headline.replace("Mean turnaround", "Turnaround")
    return first.replace("mean turnaround", "turnaround")


def label(policy: str) -> str:
    """Return a policy as a sentence names it; the name of one's own stays.

    Examples
    --------
    >>> label("adaptive-20"), label("ilp-engine"), label("shortest-first")
    ('Adaptive-20', 'ILP-engine', 'shortest-first')
    """
    family = policy.partition("-")[0]
    if ilp_name(policy):
        return f"ILP{policy[len(family) :]}"
    return policy.capitalize() if family in _FAMILIES else policy


def _against(ranking: Sequence[tuple[str, PairedRatio]], reference: str) -> tuple[str, float]:
    """The reference, or the second where that is the best; its turnaround over the best one's."""
    (best, ratio), (second, other) = ranking[:2]
    return (second, other.mean / ratio.mean) if best == reference else (reference, 1 / ratio.mean)


def _named(names: Sequence[str]) -> str:
    """Return at most five names; of more, four and how many others."""
    labels = [label(name) for name in names]
    if len(labels) <= MOST_NAMES:
        return words(labels)
    return words([*labels[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1} others"])

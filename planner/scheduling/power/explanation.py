"""Why a policy is ahead, what else could be run, and what the comparison rests on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from planner.formatting import given, percent, plural, power, spanned
from planner.question import schedule_of
from planner.replications.ratios import PairedRatio
from planner.scheduling.power.few_jobs import (
    choices_of,
    fit_text,
    load_text,
    single_job,
    waits_text,
)
from planner.scheduling.power.headline import label
from planner.scheduling.power.policy_texts import policy_texts
from planner.scheduling.power.results.comparisons import overall
from planner.scheduling.power.results.paired import by_key, not_worse, paired
from planner.scheduling.power.tables import ComparedPolicies
from planner.worded_study import Explanation

_MOST_ALTERNATIVES = 3

CLEAR_FAIRNESS = 0.02
"""Difference of Jain's index from which on it is worth a word."""
_NAME = re.compile(r"\bas ((?:adaptive|traditional|ilp)[a-z-]*)")

SOURCES = {
    "model": "Run times and power come from a regression that was trained on few runs.",
    "measured": "Run times and power of every configuration were measured.",
    "oracle": "Run times and power of every configuration are known exactly.",
}
"""What the scheduler knows, by the method of the job details table."""
IDLE_FIRST = "Idle power is subtracted from the bound first."
"""How idle power reduces what jobs may use, where it is charged."""
CHARGES = {
    "package": "Each job is charged the power of its sockets (package power), as expected for its "
    "configuration. This counts against the bound.",
    "node": "Each job is charged the expected power of its sockets and memory, which counts "
    f"against the bound. {IDLE_FIRST}",
}
"""Which power counts against the bound."""
FAIR_SHARE = (
    "The fair share of a job is the power bound times its share of all nodes, and times its "
    "priority, at most the bound."
)
"""What many policies limit a job to."""
ARRIVALS = "Logs are synthetic. Another arrival rate may change the order of the policies."


def explanation_of(study: ComparedPolicies) -> Explanation:
    """Return what the first page adds to the headline; nothing where no job ran."""
    if not study.ranking:
        return Explanation()
    return Explanation(
        reasons=tuple(_reasons(study)),
        alternatives=tuple(_alternatives(study)),
        limits=tuple(_limits(study)),
        robustness=tuple(_robustness(study)),
        assumptions=tuple(_assumptions(study)),
        next_steps=tuple(_next_steps(study)),
    )


def described(study: ComparedPolicies) -> dict[str, str]:
    """Return what each policy does, with other policies named as in the tables."""
    return {
        name: _NAME.sub(lambda found: f"as {label(found[1])}", does)
        for name, does in policy_texts(study.policies).items()
    }


def all_explained(study: ComparedPolicies) -> bool:
    """Return whether the first page says what every policy does."""
    ranked = {name for name, _ in study.ranking}
    return len(study.policies) <= 1 + _MOST_ALTERNATIVES and ranked == set(study.policies)


def _subject(study: ComparedPolicies) -> tuple[str, PairedRatio]:
    """Return the policy that is explained: the best one that is not the reference."""
    others = [pair for pair in study.ranking if pair[0] != study.reference]
    return others[0] if others else study.ranking[0]


def _reasons(study: ComparedPolicies) -> Iterator[str]:
    policy, ratio = _subject(study)
    reference = label(study.reference)
    results = {row.policy: row for row in overall(study.outcomes, study.reference)}
    mine, base = results[policy], results[study.reference]
    yield f"{label(policy)}: {described(study)[policy]}."
    occupied = schedule_of(study.scenario).occupied
    work = ", other work included" if occupied else ""
    if policy == study.reference:
        yield f"{label(policy)} uses {percent(mine.power_utilisation)} of the power bound{work}."
        return
    yield from _waits(study)
    if ratio.low is not None and ratio.high is not None:
        within = ratio.low <= 1 <= ratio.high
        undecided = {study.ranking[0][0], *_undecided(study)} >= {policy, study.reference}
        yield (
            f"Mean turnaround under {label(policy)} is {ratio.mean:.3f} times that under "
            f"{reference} (95 % interval {spanned(f'{ratio.low:.3f}', f'{ratio.high:.3f}')}"
            f"{'' if within or not undecided else '; not significant after the correction'})."
        )
    single = single_job(study.outcomes)
    if mine.better is not None and not single:
        yield (
            f"{percent(mine.better)} of the job runs end sooner under {label(policy)} than under "
            f"{reference}."
        )
    yield from _shorter(study)
    if not study.idle and not [*_limits(study)]:
        yield (
            f"{label(policy)} uses {percent(mine.power_utilisation)} of the power bound on "
            f"average, {reference} {percent(base.power_utilisation)}{work}."
        )
    if (
        mine.fairness is not None
        and base.fairness is not None
        and not single
        and abs(mine.fairness - base.fairness) >= CLEAR_FAIRNESS
    ):
        yield (
            f"Fairness (Jain's index, 1 is best) is {mine.fairness:.3f} under {label(policy)} and "
            f"{base.fairness:.3f} under {reference}."
        )


def _waits(study: ComparedPolicies) -> Iterator[str]:
    """Yield what is occupied at the start, and how long few jobs wait for it."""
    schedule = schedule_of(study.scenario)
    bounds_w = sorted({outcome.bound_w for outcome in study.outcomes})
    reserved_w = schedule.cluster.nodes * schedule.cluster.idle_node_w
    reserved_w = reserved_w if schedule.charge == "node" else 0.0
    jobs_w = [bound_w - reserved_w for bound_w in bounds_w]
    choices = choices_of(schedule, study.outcomes)
    texts = (
        " ".join(filter(None, (load_text(schedule, jobs_w), fit_text(schedule, choices, jobs_w)))),
        waits_text(choices),
    )
    yield from filter(None, texts)


def _alternatives(study: ComparedPolicies) -> Iterator[str]:
    (best, ratio), *others = study.ranking
    explained, _ = _subject(study)
    equal = not_worse(by_key(study.outcomes), best) if study.seeds > 1 else ()
    for name, other in others[:_MOST_ALTERNATIVES]:
        text = "" if name == explained else f" {described(study)[name]}."
        if name == study.reference:
            yield f"{label(name)}, the reference:{text}"
            continue
        longer = other.mean / ratio.mean - 1
        if longer < 0.0005:
            yield f"{label(name)}:{text} The turnaround is equal to that under {label(best)}."
            continue
        doubt = " (not significant)" if name in equal else ""
        much = f"{percent(longer)} longer than" if longer < 1 else f"{longer + 1:.1f} times that"
        yield f"{label(name)}:{text} Turnaround is {much} under {label(best)}{doubt}."
    if len(others) > _MOST_ALTERNATIVES:
        more = plural(len(others) - _MOST_ALTERNATIVES, "further policy")
        yield f"The tables list {more.replace('policys', 'policies')}."


def _shorter(study: ComparedPolicies) -> Iterator[str]:
    """Yield in how many cases turnaround is shorter under the explained policy."""
    policy, _ = _subject(study)
    policies, reference = by_key(study.outcomes), label(study.reference)
    mine = policies[policy]
    ratios = paired(mine, policies[study.reference], mine)
    if len(ratios) > 1:
        shorter = sum(ratio < 1 for ratio in ratios)
        yield (
            f"Turnaround under {label(policy)} is shorter than under {reference} in {shorter:,} of "
            f"{len(ratios):,} cases (log, bound, seed)."
        )


def _robustness(study: ComparedPolicies) -> Iterator[str]:
    policy, _ = _subject(study)
    if policy == study.reference:
        return
    rows = [row for row in study.rows if row.policy == policy and row.ratio is not None]
    if study.seeds > 1 and rows:
        counts = {
            word: sum(row.difference == word for row in rows) for word in ("shorter", "longer")
        }
        if not any(counts.values()):
            yield f"No difference is significant in any of {len(rows):,} pairs of log and bound."
            return
        yield (
            f"Case by case (log and bound), turnaround under {label(policy)} differs significantly "
            f"in {counts['shorter'] + counts['longer']:,} of {len(rows):,}: "
            f"{counts['shorter']:,} shorter, {counts['longer']:,} longer."
        )


def _assumptions(study: ComparedPolicies) -> Iterator[str]:
    settings = schedule_of(study.scenario)
    reference = study.reference
    shown = {name for name, _ in study.ranking[1 : 1 + _MOST_ALTERNATIVES]}
    if len(study.policies) > 1 and reference not in shown:
        yield f"{label(reference)} is the reference: {described(study)[reference]}."
    if any("fair share" in does for does in described(study).values()):
        yield FAIR_SHARE
    yield SOURCES[settings.details.method]
    yield CHARGES[settings.charge]
    if settings.details.guard:
        yield f"Predicted configurations leave {given(settings.details.guard)} of their power free."
    if study.synthetic:
        yield ARRIVALS


def _next_steps(study: ComparedPolicies) -> Iterator[str]:
    if study.by_chance:
        yield "Run at least 5 seeds: one seed cannot show which policy is best."
    elif study.seeds > 1 and _undecided(study):
        yield "Run more seeds: they narrow the intervals and may show a difference."
    if any(outcome.bound_violations for outcome in study.outcomes):
        yield "Keep a guard band below the feed: true power exceeds the bound in some runs."
    if study.errors:
        yield (
            "Measure your applications: predicted power is too low by up to "
            f"{percent(study.errors[-1].power_lowest)}."
        )
    if study.synthetic:
        yield "Repeat the comparison with a job log of your own cluster."


def _undecided(study: ComparedPolicies) -> Sequence[str]:
    return not_worse(by_key(study.outcomes), study.ranking[0][0])


def _limits(study: ComparedPolicies) -> Iterator[str]:
    """Yield the lowest power bound, where jobs end sooner under the next one.

    How much of a bound is used does not say whether it binds; only another bound does.
    """
    policy, _ = _subject(study)
    mine = [outcome for outcome in study.outcomes if outcome.policy == policy]
    bounds_w = sorted({outcome.bound_w for outcome in mine})
    if len(bounds_w) == 1:
        return
    lowest, higher = (
        [
            outcome.mean_turnaround_s
            for outcome in mine
            if outcome.bound_w == bound_w and outcome.mean_turnaround_s is not None
        ]
        for bound_w in bounds_w[:2]
    )
    if lowest and len(lowest) == len(higher) and sum(higher) < sum(lowest):
        used = [outcome.power_utilisation for outcome in mine if outcome.bound_w == bounds_w[0]]
        occupied = schedule_of(study.scenario).occupied
        who = f"{label(policy)} and other work use" if occupied else f"{label(policy)} uses"
        yield (
            f"Lowest power bound, {power(bounds_w[0])}: {who} {percent(sum(used) / len(used))} of "
            f"it on average, and jobs end sooner under {power(bounds_w[1])}."
        )

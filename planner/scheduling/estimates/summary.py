"""What the study says, in a sentence, and what its reader must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.formatting import capitalised, duration, given, percent, plural, rounded, words
from planner.replications.spread import SeedSpread, spread
from planner.scheduling.estimates.gain_text import between, change, deviation, mean_wait, seeds
from planner.scheduling.estimates.predictors.registry import BY_USER, ORACLES
from planner.scheduling.policies.maui import names_without_jobs
from planner.scheduling.simulation.log_warnings import log_warnings
from planner.scheduling.simulation.wait_text import source
from scenarios.job_logs.time_limits import without_limit

if TYPE_CHECKING:
    from planner.scheduling.estimates.result import EstimateResult, Remains

SINGLE_ORDER = "Each gain is that of a single schedule, so other logs may order them differently."
_SINGLE = "The gain compares two schedules without a confidence interval and may be chance."
_NO_CLUSTERS = "study a log of each to keep them apart"


def headline(study: EstimateResult) -> str:
    """The answer in one sentence."""
    settings = study.settings
    uptake, error = max(settings.uptakes), max(settings.errors)
    gain = spread(study.gains(uptake, error))
    bare = study.without_tool
    if gain is None or bare is None:
        return f"No sampled user of {study.workload.log.name} has a job that waits."
    whose = "all" if uptake == 1 else f"{given(uptake)} of the users'"
    how = f"within {given(error)}" if error else "exactly"
    changed = change(gain.mean)
    before = duration(bare.mean) if changed == "unchanged" else f"from {duration(bare.mean)}"
    return (
        f"If an oracle estimates {whose} run times {how}, {mean_wait(study)} is {changed} "
        f"({before})."
    )


def findings(study: EstimateResult) -> list[str]:
    """The range of the answer, and what the best real predictor gains."""
    return [*answer_range(study), *of_predictors(study)]


def answer_range(study: EstimateResult) -> list[str]:
    """The range of the answer over samples of users, where they differ."""
    settings = study.settings
    gain = spread(study.gains(max(settings.uptakes), max(settings.errors)))
    if gain is None or not _differ(study, gain):
        return []
    return [f"The change in their mean wait ranges over {_samples(study, gain)}: {between(gain)}."]


def of_predictors(study: EstimateResult) -> list[str]:
    """What the best real predictor gains."""
    best = best_predictor(study)
    return [] if best is None else _predicted(study, best)


def _differ(study: EstimateResult, gain: SeedSpread) -> bool:
    """Return whether groups of users can differ, and do so in print."""
    return study.workload.users > 1 and change(gain.least) != change(gain.most)


def _samples(study: EstimateResult, gain: SeedSpread) -> str:
    """What the range of the answer is over; groups of users, where all seeds are one schedule."""
    if study.one_schedule:
        return f"{plural(gain.seeds, 'group')} of users in one schedule"
    return plural(gain.seeds, "seed")


def best_predictor(study: EstimateResult) -> Remains | None:
    """The real predictor that gains most; ``None`` if none was simulated."""
    real = [remains for remains in study.remains if remains.tool.predictor not in ORACLES]
    return next(iter(real), None)


def _predicted(study: EstimateResult, best: Remains) -> list[str]:
    text = (
        f"Best real predictor: {best.tool.words}. It makes the mean wait of all jobs "
        f"{change(best.gain)}"
    )
    if change(best.gain) == "unchanged":
        text = (
            f"Best real predictor: {best.tool.words}. It leaves the mean wait of all jobs unchanged"
        )
    lines = [f"{text}."]
    if best.groups is not None and _differ(study, best.groups):
        lines.append(
            "With it the change in the mean wait ranges over groups of sampled users: "
            f"{between(best.groups)}."
        )
    if best.share is None or not best.gain > 0:  # nor NaN
        return lines
    if best.share > 1:
        exact = f"{100 * best.gain / best.share:.1f} %"
        return [
            *lines,
            f"This exceeds the gain of exact run times ({exact}).",
            SINGLE_ORDER,
        ]
    return [*lines, f"This is {percent(best.share)} of the gain with exact run times."]


def warnings(study: EstimateResult) -> tuple[str, ...]:
    """Return what a reader of the figures must know."""
    workload, settings = study.workload, study.settings
    messages = log_warnings(
        workload.log,
        given=workload.problem.processors,
        larger=workload.rejected,
        limits=False,
        remedy=_NO_CLUSTERS,
    )
    if guessed := without_limit(workload.log):
        messages.append(
            f"{plural(guessed, 'job')} {'has' if guessed == 1 else 'have'} no requested time in "
            "the log: the true run time is used instead, so the gain is underestimated; set a "
            "limit with --default-limit"
        )
    if strangers := names_without_jobs(study.configuration, workload.problem):
        listed = ", ".join(strangers[:5]) + (", ..." if len(strangers) > 5 else "")
        messages.append(f"the log has no jobs of {listed}, which the configuration names")
    if workload.rejected:
        messages.append(
            f"{plural(workload.rejected, 'job')} {'is' if workload.rejected == 1 else 'are'} "
            "larger "
            "than the machine and not simulated"
        )
    if workload.nameless and not study.one_user:
        messages.append(
            f"{plural(workload.nameless, 'job')} {'has' if workload.nameless == 1 else 'have'} no "
            "user in the log and count as one user's"
        )
    if study.one_user:
        known = "the log names no user" if workload.nameless else "the log has only 1 user"
        messages.append(
            f"{known}: users cannot be sampled, and fair share has no effect; use a log with users"
        )
        messages += _predicted_from_anyone(study)
    elif workload.users < 5:
        messages.append(
            f"the log has only {plural(workload.users, 'user')}, so different uptakes give the "
            "same simulation"
        )
    if len(settings.seeds) < 10 and not study.one_user:
        show = "shows" if len(settings.seeds) == 1 else "show"
        few = plural(len(settings.seeds), "seed")
        messages.append(f"{few} {show} little of the variation; use 10")
    if study.one_schedule and workload.users > 1:
        count = plural(len(settings.seeds), "seed")
        messages.append(
            f"at 100 % uptake all {count} give the same schedule: the deviation is between groups "
            "of users, not an error estimate of the simulation"
        )
    if workload.log.killed is not None and workload.log.killed.any():
        cut = int(workload.log.killed.sum())
        messages.append(
            f"{plural(cut, 'run')} {'was' if cut == 1 else 'were'} cut at the requested time: the "
            "true run times are longer"
        )
        if (workload.log.wait_s >= 0).any():
            messages.append(
                "recorded and simulated waits are not compared, because runs were cut; keep full "
                "runs with --overruns keep"
            )
    return tuple(messages)


def _predicted_from_anyone(study: EstimateResult) -> list[str]:
    """That predictors which learn from a user's jobs learn from all jobs of a log of one user."""
    names = dict.fromkeys(
        each.tool.predictor for each in study.remains if each.tool.predictor in BY_USER
    )
    if not names:
        return []
    verb = "learns" if len(names) == 1 else "learn"
    return [
        (
            f"{words(names)} {verb} from all jobs here, not from each user's: gains may differ "
            "with several users"
        )
    ]


def group(study: EstimateResult) -> str:
    """Return how many users are sampled."""
    workload = study.workload
    return f"{workload.group_size(workload.seed_group):,} of {plural(workload.users, 'user')}"


def confidence(study: EstimateResult) -> str:
    """Return how the gain compares with the spread between seeds."""
    uptake, error = max(study.settings.uptakes), max(study.settings.errors)
    gain = spread(study.gains(uptake, error)) if uptake > 0 else None
    count = plural(len(study.settings.seeds), "seed")
    begin = f"{capitalised(source(study.workload.log))}"
    if study.one_user:
        return f"{begin}. {_SINGLE}" if gain is not None else f"{begin}."
    begin = f"{begin}, {count}. Each seed samples {group(study)}."
    if gain is None:
        return begin
    if gain.deviation is None:
        return f"{begin} With one seed the variation is unknown."
    if gain.least == gain.most:
        return f"{begin} All seeds give the same gain."
    if study.one_schedule:
        return (
            f"{begin} At 100 % uptake all seeds give the same schedule. The standard deviation of "
            f"{deviation(gain)} points is between groups of users, not an error of the simulation. "
            f"{_SINGLE}"
        )
    if gain.deviation > 1:
        return f"{begin} The standard deviation of the gain exceeds 100 points ({seeds(study)})."
    larger = "more" if abs(gain.mean) > 2 * gain.deviation else "not more"
    mean, its = f"The mean gain is {rounded(100 * gain.mean, 1)} %.", "Its"
    if gain.mean <= -1:
        mean, its = f"The sampled users' mean wait is {change(gain.mean)}.", "The gain's"
    return (
        f"{begin} {mean} {its} standard deviation is {deviation(gain)} points ({seeds(study)}); "
        f"the {'gain' if gain.mean >= 0 else 'loss'} is {larger} than twice that."
    )

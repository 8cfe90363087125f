"""What the study says, in a sentence, and what its reader must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.formatting import plural, rounded, seconds
from planner.scheduling.estimates.gain_text import between, change, deviation, seeds
from planner.scheduling.estimates.predictors.registry import ORACLES
from planner.scheduling.estimates.spread import SeedSpread, spread
from planner.scheduling.policies.maui import names_without_jobs
from planner.scheduling.simulation.log_warnings import log_warnings
from planner.scheduling.simulation.wait_text import source
from scenarios.job_logs.time_limits import without_limit

if TYPE_CHECKING:
    from planner.scheduling.estimates.result import EstimateResult, Remains

_NO_CLUSTERS = "study a log of each to keep them apart"


def headline(study: EstimateResult) -> str:
    """The answer in one sentence."""
    log, settings = study.workload.log, study.settings
    where = f"{log.name} on {plural(study.workload.problem.processors, 'processor')}"
    uptake, error = max(settings.uptakes), max(settings.errors)
    gain = spread(study.gains(uptake, error))
    bare = study.without_tool
    if gain is None or bare is None:
        return f"On {where} nobody of the seed group has a job that waits; {source(log)}."
    who = "all users use" if uptake == 1 else f"{100 * uptake:g} % of the users use"
    text = (
        f"If {who} the tool (errors up to {100 * error:g} %), the mean wait of the sampled users "
        f"is {change(gain.mean)} (from {seconds(bare.mean)}). Over {_samples(study, gain)} it is "
        f"{between(gain)}"
    )
    best = best_predictor(study)
    if best is None:
        return f"{text}; {where}, {source(log)}."
    return f"{text}. {_predicted(best)}; {where}, {source(log)}."


def _samples(study: EstimateResult, gain: SeedSpread) -> str:
    """What the range of the answer is over; groups of users, where all seeds are one schedule."""
    if study.one_schedule:
        return f"{plural(gain.seeds, 'group')} of users in one schedule"
    return plural(gain.seeds, "seed")


def best_predictor(study: EstimateResult) -> Remains | None:
    """The real predictor that gains most; ``None`` if none was played."""
    real = [remains for remains in study.remains if remains.tool.predictor not in ORACLES]
    return next(iter(real), None)


def _predicted(best: Remains) -> str:
    text = (
        f"Of the predictors {best.tool.words} does best: the mean wait of all jobs is "
        f"{change(best.gain)}"
    )
    if best.groups is not None:
        text += f" (sampled users: {between(best.groups)})"
    if best.share is None or not best.gain > 0:  # nor NaN
        return text
    if best.share > 1:
        return f"{text}, more than exact run times bring, as a schedule may by luck"
    return f"{text}, {100 * best.share:.0f} % of the gain of exact run times"


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
            f"{plural(guessed, 'job')} of the log did not say how long they might run: their run "
            "times stand for their requests, as if their users knew them, so less is gained; set "
            "a limit with --default-limit"
        )
    if strangers := names_without_jobs(study.configuration, workload.problem):
        listed = ", ".join(strangers[:5]) + (", ..." if len(strangers) > 5 else "")
        messages.append(f"the configuration names {listed}, of whom the log has no jobs")
    if workload.rejected:
        messages.append(
            f"{plural(workload.rejected, 'job')} ask for more than the machine and are not played"
        )
    if workload.nameless:
        messages.append(
            f"the log does not say whose {plural(workload.nameless, 'job')} are: they count as one "
            "user's"
        )
    if workload.users < 5:
        messages.append(
            f"the log has {plural(workload.users, 'user')}: uptake by users goes in so many steps, "
            "and most cells are alike"
        )
    if len(settings.seeds) < 10:
        show = "shows" if len(settings.seeds) == 1 else "show"
        few = plural(len(settings.seeds), "seed")
        messages.append(f"{few} {show} little of the spread; give 10")
    if study.one_schedule:
        count = plural(len(settings.seeds), "seed")
        messages.append(
            f"at 100 % uptake all {count} give one schedule: the spread is between groups of users "
            "in it, and is no error estimate of the simulation"
        )
    if workload.log.killed is not None and workload.log.killed.any():
        cut = int(workload.log.killed.sum())
        messages.append(
            f"{plural(cut, 'run')} were cut at the requested time: their true run times are longer"
        )
        if (workload.log.wait_s >= 0).any():
            messages.append(
                "the log's waits are not compared with the scheduler's, as runs were cut; keep "
                "them with --overruns keep"
            )
    return tuple(messages)


def group(study: EstimateResult) -> str:
    """Return how many users the seed group has."""
    workload = study.workload
    return f"{workload.group_size(workload.seed_group):,} of {plural(workload.users, 'user')}"


def confidence(study: EstimateResult) -> str:
    """Return how the gain compares with the spread between seeds."""
    uptake, error = max(study.settings.uptakes), max(study.settings.errors)
    gain = spread(study.gains(uptake, error)) if uptake > 0 else None
    begin = (
        f"Simulated. A seed draws the order of users, so who is in the seed group: {group(study)}."
    )
    if gain is None:
        return begin
    if gain.deviation is None:
        return f"{begin} One seed alone was played: how far others differ is not known."
    if gain.least == gain.most:
        return f"{begin} No seed differs from another."
    if study.one_schedule:
        return (
            f"{begin} At 100 % uptake all seeds give one schedule: the deviation of "
            f"{deviation(gain)} points is between groups of users in it, not an error of the "
            "simulation."
        )
    if gain.deviation > 1:
        return f"{begin} Between {seeds(study)} the gain deviates by more than 100 points."
    larger = "is more" if abs(gain.mean) > 2 * gain.deviation else "is not more"
    return (
        f"{begin} Between {seeds(study)} the gain deviates by {rounded(100 * gain.deviation, 1)} "
        f"points; with {rounded(100 * gain.mean, 1)} % the mean gain {larger} than twice that."
    )

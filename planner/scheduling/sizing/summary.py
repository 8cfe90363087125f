"""A sizing in words, for the command line and for the reports alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from planner.formatting import plural
from planner.scheduling.simulation.log_warnings import log_warnings
from planner.scheduling.simulation.wait_text import jobs, source
from planner.scheduling.sizing.sizing import SizeTrial, Sizing
from scenarios.job_logs.job_log import MISSING
from scenarios.job_logs.origin import SYNTHETIC, synthetic_words

if TYPE_CHECKING:
    from planner.scheduling.sizing.resampled_weeks import Resampled
    from planner.scheduling.sizing.result import SizeFor, SizingResult
    from scenarios.job_logs.job_log import JobLog

OFF = 0.02
"""Growth that misses what was asked by more than this share of it is warned of."""
ALIKE = 0.3
FEW_DRAWS = 10
_LISTED = 8
FEW = 8
"""Whole weeks below which an interval of drawn weeks is rough."""
_FASTER = (
    "All jobs are submitted so much faster. Days and weeks get shorter with that while jobs run as "
    "long as before, so that a night, or a weekend, is too short to work off what the day left."
)
_COPIES = (
    "Jobs of copies have users of their own; they are as large and run as long as before. Whether "
    "busy times of different users fall together is left to chance."
)


def named(log: JobLog, settings: SizeFor, reached: float) -> JobLog:
    """A grown log that says what it is."""
    growth = settings.growth
    name = f"{log.name}, {factor(growth.factor)} times the work by {growth.by}"
    base = synthetic_words(log.header) or log.file or log.name
    made = (
        f"{base}; grown to {factor(growth.factor)} times its work by {growth.by}, seed "
        f"{settings.seed}; {reached:.6g} times reached"
    )
    return replace(log, name=name, header={**log.header, SYNTHETIC: made})


def factor(value: float) -> str:
    """A growth in words.

    Examples
    --------
    >>> factor(1.5), factor(1.50113)
    ('1.5', '1.501')
    """
    return f"{value:.4g}"


def machine(tried: SizeTrial, node_processors: int) -> str:
    """The size of a machine.

    Examples
    --------
    >>> machine(SizeTrial(3, 24, 1.0, True, None, None, None, None), 8)
    '3 nodes of 8 processors'
    """
    return size_of(tried.nodes, node_processors)


def size_of(nodes: int, node_processors: int) -> str:
    """Return a number of nodes in words; processors where a node has one."""
    if node_processors == 1:
        return plural(nodes, "processor")
    return f"{plural(nodes, 'node')} of {plural(node_processors, 'processor')}"


def listed(sizes: Sequence[int], limit: int) -> str:
    """Sizes in a sentence; how many are left out is said.

    Examples
    --------
    >>> listed((3, 5, 1_000), 3), listed((3, 5, 1_000, 1_004), 2)
    ('3, 5, 1,000', '3, 5 and 2 more')
    """
    text = ", ".join(f"{size:,}" for size in sizes[:limit])
    more = len(sizes) - limit
    return f"{text} and {more:,} more" if more > 0 else text


def headline(study: SizingResult) -> str:
    """The answer in one sentence."""
    subject = f"{study.log.name}{_grown(study)}"
    level = study.settings.level
    parts = [sizing for sizing in study.sizings if sizing.answer]
    how = source(study.log)
    if not parts:
        largest = study.sizings[0].largest
        return (
            f"No size keeps {level.words} for {subject} under {_and(study.sizings)}: even "
            f"{machine(largest, study.rules.node_processors)}, where every job could start at "
            f"once, reach{'' if largest.nodes > 1 else 'es'} {level.text(largest.value)}; {how}."
        )
    best = study.sizings[study.ranking[0]]
    answer = best.answer
    if answer is None:
        return ""
    size = machine(answer, study.rules.node_processors)
    text = f"{subject} needs {size} under {best.policy} to keep {level.words}"
    reached = f"it is {level.text(answer.value)} there{_neighbours(study, best)}"
    others = [
        f"{sizing.policy} {plural(sizing.nodes, 'node') if sizing.nodes else 'no size'}"
        for sizing in study.sizings
        if sizing is not best
    ]
    also = f"; {', '.join(others)}" if others else ""
    return f"{text}: {reached}{also}; {how}."


def _grown(study: SizingResult) -> str:
    growth = study.settings.growth.factor
    return "" if growth == 1 else f" with {factor(growth)} times its work"


def _neighbours(study: SizingResult, sizing: Sizing) -> str:
    level = study.settings.level
    below, above = sizing.below, sizing.above
    more = f"{level.text(above.value)} on one more" if above else ""
    if below:
        return f", {level.text(below.value)} on one node less and {more}"
    return f" and {more}; on one node less job {study.bounds.largest_job} would not fit"


def _and(sizings: tuple[Sizing, ...]) -> str:
    return " or ".join(sizing.policy for sizing in sizings)


def confidence(study: SizingResult) -> str:
    """Return how far the answer may be chance."""
    if not study.ranking:
        return ""
    if not study.resampled:
        return "Nothing is said of chance: no weeks were drawn."
    return resampled_text(study.resampled[study.ranking[0]], study)


def resampled_text(resampled: Resampled, study: SizingResult) -> str:
    """Return what logs of drawn weeks need."""
    draws = plural(len(resampled.nodes), "draw")
    word = study.periods.word if study.periods else "week"
    low = f"{resampled.low:,}" if resampled.low and resampled.high else _size(resampled.low)
    message = (
        f"Of {draws} of {word}s (simulated, seed {study.settings.seed}) half need at most "
        f"{_size(resampled.median)} and nine in ten between {low} and {_size(resampled.high)}."
    )
    if resampled.without:
        verb = "has" if resampled.without == 1 else "have"
        message += f" {resampled.without} of {draws} {verb} no answer."
    return message


def _size(nodes: int | None) -> str:
    return "more than any size" if nodes is None else plural(nodes, "node")


def warnings(study: SizingResult) -> Iterator[str]:
    """Yield what a reader of the figures must know."""
    yield from log_warnings(study.log, remedy="size each of them from a log of its own")
    growth, reached = study.settings.growth, study.grown.reached
    if abs(reached / growth.factor - 1) > OFF:
        by_user = _by_user(study)
        yield (
            f"the work grows {factor(reached)} times, not {factor(growth.factor)}: single "
            f"{'users' if by_user else 'jobs'} have too much of it to be divided; try "
            f"{'--thin-by job or ' if by_user else ''}another seed"
        )
    yield from _short(study)
    if study.periods is not None and 0 < study.settings.resamples < FEW_DRAWS:
        yield f"{plural(study.settings.resamples, 'draw')} say little of chance; take 20"
    if any(sizing.policy == "moldable" for sizing in study.sizings):
        yield (
            "under moldable jobs run on other processors than they asked for, and as long as an "
            "assumed speedup says: the size hangs on it, and waits tell less than turnarounds"
        )
    for under_policy in study.sizings:
        yield from _of_policy(study, under_policy)
    for resampled in study.resampled:
        yield from _one_sided(study, resampled)


def _by_user(study: SizingResult) -> bool:
    """Return whether whole users were taken: where the log knows none, it is jobs."""
    return study.settings.growth.thin_by == "user" and bool((study.log.user != MISSING).any())


def _short(study: SizingResult) -> Iterator[str]:
    periods, settings = study.periods, study.settings
    if periods is None:
        if settings.resamples:
            yield (
                f"{study.log.name} covers less than three whole days: no periods can be drawn from "
                "it, and nothing is known of chance"
            )
        return
    if periods.word == "day":
        yield (
            f"{study.log.name} has fewer than three whole weeks: days are copied and drawn in "
            "their place, so that weekdays are mixed"
        )
    elif periods.whole < FEW:
        yield (
            f"{study.log.name} has {periods.whole} whole weeks: what is drawn from so few says "
            "little of others"
        )
    if settings.resamples and study.alike is not None and study.alike > ALIKE:
        yield (
            f"neighbouring {periods.word}s have alike work (lag-1 autocorrelation "
            f"{study.alike:.2f}), which draws tear apart: the interval is too narrow"
        )


def _of_policy(study: SizingResult, sizing: Sizing) -> Iterator[str]:
    level, nodes = study.settings.level, study.rules.node_processors
    if sizing.nodes is None:
        yield (
            f"under {sizing.policy} no size keeps {level.words}: "
            f"{machine(sizing.largest, nodes)} reach {level.text(sizing.largest.value)}"
        )
    if sizing.lucky:
        yield (
            f"under {sizing.policy} smaller sizes keep the level too "
            f"({listed(sizing.lucky, _LISTED)} nodes, all in --json), but not all "
            "up to the answer: larger machines are not always better under a scheduling policy"
        )
    if sizing.nodes == study.bounds.fewest and sizing.below is None:
        yield (
            f"the answer under {sizing.policy} is the size of the largest job "
            f"({study.bounds.largest_job}), not of the level; on less it would be rejected"
        )


def _one_sided(study: SizingResult, resampled: Resampled) -> Iterator[str]:
    nodes = next(sizing.nodes for sizing in study.sizings if sizing.policy == resampled.policy)
    sizes = [node for node in resampled.nodes if node is not None]
    if nodes and sizes and not min(sizes) <= nodes <= max(sizes):
        side = "more" if nodes < min(sizes) else "less"
        yield (
            f"every log of drawn {study.periods.word if study.periods else 'week'}s needs {side} "
            f"than the {plural(nodes, 'node')} of the log itself under {resampled.policy}: how its "
            "weeks follow each other matters"
        )


def how_grown(study: SizingResult) -> list[str]:
    """Return what was assumed about growth, sentence by sentence."""
    growth, reached = study.settings.growth, study.grown.reached
    if growth.factor == 1:
        return ["The log is played as it is: its work does not grow."]
    reached_text = (
        f"Asked for {factor(growth.factor)} times the work; reached {reached:.4f} times, "
        f"{jobs(len(study.grown.log))} in place of {len(study.log):,} (simulated, seed "
        f"{study.settings.seed})."
    )
    if growth.by == "arrivals":
        return [reached_text, _FASTER]
    word = study.periods.word if study.periods else "week"
    unit = "jobs"
    if _by_user(study):
        unit = f"users of a {word}, each with all its jobs,"
    if growth.factor < 1:
        return [
            reached_text,
            f"Of the log {unit} are taken in random order until the work is reached.",
        ]
    unchanged = "weekday and time of day stay" if word == "week" else "the time of day stays"
    return [
        reached_text,
        (
            f"To each {word} jobs of other {word}s of the log are added, moved by whole {word}s: "
            f"{unchanged}. Of the last copy {unit} are taken in random order until the work is "
            "reached."
        ),
        _COPIES,
    ]

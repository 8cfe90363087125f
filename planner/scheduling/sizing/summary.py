"""A sizing in words, for the command line and for the reports alike."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from planner.formatting import capitalised, plural, words
from planner.scheduling.policies.display import in_prose
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
"""A larger relative error of the growth reached gives a warning."""
_WHOLE = 1e-9
"""Excess over a whole number that is only an error of rounding."""
ALIKE = 0.3
FEW_DRAWS = 10
_LISTED = 8
FEW = 8
"""Whole weeks below which an interval of resampled weeks is rough."""
_FASTER = (
    "All jobs arrive faster by the factor. This shortens days and weeks, but jobs run as long as "
    "before: a night or weekend becomes too short to work off the day's backlog."
)
_COPIES = (
    "Jobs of copies belong to new users and keep their size and run time. Chance decides whether "
    "busy times of different users coincide."
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
    size = plural(nodes, unit_of(node_processors))
    return size if node_processors == 1 else f"{size} of {plural(node_processors, 'processor')}"


def unit_of(node_processors: int) -> str:
    """Return the unit of a machine's size: a node, or a processor where a node has one."""
    return "processor" if node_processors == 1 else "node"


def sized_in(nodes: int, study: SizingResult) -> str:
    """Return a number of nodes in the unit of the study."""
    return plural(nodes, unit_of(study.rules.node_processors))


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
    level, grown = study.settings.level, _grown(study)
    if not study.ranking:
        largest = study.sizings[0].largest
        size = machine(largest, study.rules.node_processors)
        return f"No machine size meets {level.words}{grown}, not even {size}."
    best = study.sizings[study.ranking[0]]
    if best.answer is None:
        return ""
    size = machine(best.answer, study.rules.node_processors)
    verb = "suffices" if best.answer.nodes == 1 else "suffice"
    return f"{size} {verb} under {in_prose(best.policy)} for {level.words}{grown}."


def findings(study: SizingResult) -> list[str]:
    """What the answer and the next sizes achieve, and what other policies need."""
    level = study.settings.level
    if not study.ranking:
        reached = [
            f"{level.text(sizing.largest.value)} under {in_prose(sizing.policy)}"
            for sizing in study.sizings
        ]
        return [f"On the largest machine, where every job can start at once: {words(reached)}."]
    best = study.sizings[study.ranking[0]]
    if best.answer is None:
        return []
    lines = [
        f"{capitalised(level.quantity)} is {level.text(best.answer.value)}{_neighbours(study)}."
    ]
    others = [
        f"{in_prose(sizing.policy)} needs {sized_in(sizing.nodes, study)}"
        if sizing.nodes
        else f"no size suffices under {in_prose(sizing.policy)}"
        for sizing in study.sizings
        if sizing is not best
    ]
    return [*lines, *([f"For the same target {words(others)}."] if others else [])]


def _grown(study: SizingResult) -> str:
    growth = study.settings.growth.factor
    return "" if growth == 1 else f" at {work_times(study)} the work{_not_reached(study)}"


def work_times(study: SizingResult) -> str:
    """Return how many times the work of the log is simulated: as reached, if this is far off."""
    growth, reached = study.settings.growth.factor, study.grown.reached
    return f"{growth:.4g} times" if _is_near(study) else f"{reached:.3g} times"


def _not_reached(study: SizingResult) -> str:
    growth = study.settings.growth.factor
    if _is_near(study):
        return ""
    verb = "requested" if study.grown.reached > growth else "not reached"
    return f"; {factor(growth)} times was {verb}"


def scaled(study: SizingResult) -> str:
    """Return what the growth requested needs by proportion, if it was not reached; else nothing."""
    nodes = study.sizings[study.ranking[0]].nodes if study.ranking else None
    if _is_near(study) or not nodes:
        return ""
    growth = study.settings.growth.factor
    size = sized_in(math.ceil(nodes * growth / study.grown.reached - _WHOLE), study)
    return f"In proportion, {factor(growth)} times the work needs {size} (not simulated)."


def _is_near(study: SizingResult) -> bool:
    """Return whether the growth reached is that requested, but for a small error."""
    return abs(study.grown.reached / study.settings.growth.factor - 1) <= OFF


def _neighbours(study: SizingResult) -> str:
    level, sizing = study.settings.level, study.sizings[study.ranking[0]]
    below, above = sizing.below, sizing.above
    unit = unit_of(study.rules.node_processors)
    texts = [f"{level.text(below.value)} with one {unit} less"] if below else []
    texts += [f"{level.text(above.value)} with one {unit} more"] if above else []
    text = f" ({', '.join(texts)})" if texts else ""
    if below:
        return text
    return f"{text}; with one {unit} less job {study.bounds.largest_job} would not fit"


def confidence(study: SizingResult) -> str:
    """Return where the jobs are from, and how far the answer may be chance."""
    begin = f"{capitalised(source(study.log))}."
    if not study.ranking:
        return begin
    if not study.resampled:
        return f"{begin} The uncertainty is unknown: no {_word(study)}s were resampled."
    best = study.ranking[0]
    text = f"{begin} {resampled_text(study.resampled[best], study)}"
    return f"{text}{_outside(study.sizings[best], study.resampled[best], study)}"


def _outside(sizing: Sizing, resampled: Resampled, study: SizingResult) -> str:
    """That the answer is outside the interval, and why."""
    nodes, low, high = sizing.nodes, resampled.low, resampled.high
    if not nodes or low is None or high is None or low <= nodes <= high:
        return ""
    word = _word(study)
    if nodes < low:
        return f" The log's own order of {word}s needs less."
    return f" The log's own order of {word}s needs more: {nodes:,}."


def _word(study: SizingResult) -> str:
    return study.periods.word if study.periods else "week"


def resampled_text(resampled: Resampled, study: SizingResult) -> str:
    """Return what logs of resampled weeks need."""
    logs = f"{plural(len(resampled.nodes), 'log')} of resampled {_word(study)}s"
    median, low, high = (
        "more than any size tried" if nodes is None else sized_in(nodes, study)
        for nodes in (resampled.median, resampled.low, resampled.high)
    )
    if low == high:
        interval = "also at both ends of the 90 % interval"
    else:
        low = f"{resampled.low:,}" if resampled.low and resampled.high else low
        interval = f"90 % interval {low} to {high}"
    message = f"Over {logs} (simulated, seed {study.settings.seed}): median {median}, {interval}."
    if resampled.without:
        verb = "has" if resampled.without == 1 else "have"
        message += (
            f" {resampled.without} of {plural(len(resampled.nodes), 'log')} {verb} no answer."
        )
    return message


def warnings(study: SizingResult) -> Iterator[str]:
    """Yield what a reader of the figures must know."""
    yield from log_warnings(study.log, remedy="size each of them from a log of its own")
    growth, reached = study.settings.growth, study.grown.reached
    if not _is_near(study):
        by_user = _by_user(study)
        yield (
            f"the work grows {factor(reached)} times, not {factor(growth.factor)}: single "
            f"{'users' if by_user else 'jobs'} have too much work to hit the factor; try "
            f"{'--thin-by job or ' if by_user else ''}another seed"
        )
    yield from _short(study)
    if study.periods is not None and 0 < study.settings.resamples < FEW_DRAWS:
        few = plural(study.settings.resamples, "resampled log")
        verb = "says" if study.settings.resamples == 1 else "say"
        yield f"{few} {verb} little about the uncertainty; use 20"
    if any(sizing.policy == "moldable" for sizing in study.sizings):
        yield (
            "under moldable EASY an assumed speedup sets the run times: the size depends on it, "
            "and turnarounds tell more than waits"
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
                "the log covers less than three whole days: no periods can be resampled, "
                "so the uncertainty is unknown"
            )
        return
    if periods.word == "day":
        yield (
            "the log has fewer than three whole weeks: days are copied and resampled "
            "instead, which mixes weekdays"
        )
    elif periods.whole < FEW:
        yield (
            f"the log has only {periods.whole} whole weeks: samples of these say little "
            "about other weeks"
        )
    if settings.resamples and study.alike is not None and study.alike > ALIKE:
        yield (
            f"the interval is too narrow: the work of neighbouring {periods.word}s is correlated "
            f"(lag-1 autocorrelation {study.alike:.2f}), which resampling ignores"
        )


def _of_policy(study: SizingResult, sizing: Sizing) -> Iterator[str]:
    level, nodes = study.settings.level, study.rules.node_processors
    if sizing.nodes is None:
        yield (
            f"under {in_prose(sizing.policy)} no size meets {level.words}: "
            f"{machine(sizing.largest, nodes)} "
            f"{'reaches' if sizing.largest.nodes == 1 else 'reach'} "
            f"{level.text(sizing.largest.value)}"
        )
    if sizing.lucky:
        yield (
            f"under {in_prose(sizing.policy)} some smaller sizes also meet the target "
            f"({listed(sizing.lucky, _LISTED)} {unit_of(nodes)}s), but not every size up to the "
            f"answer: more {unit_of(nodes)}s can make a schedule worse"
        )
    if sizing.nodes == study.bounds.fewest and sizing.below is None:
        yield (
            f"under {in_prose(sizing.policy)} the largest job ({study.bounds.largest_job}) sets "
            "the "
            "answer, not the target; a smaller machine would reject it"
        )


def _one_sided(study: SizingResult, resampled: Resampled) -> Iterator[str]:
    nodes = next(sizing.nodes for sizing in study.sizings if sizing.policy == resampled.policy)
    sizes = [node for node in resampled.nodes if node is not None]
    if nodes and sizes and not min(sizes) <= nodes <= max(sizes):
        own, largest = sized_in(nodes, study), study.bounds.largest_job
        why = f"the order of its {_word(study)}s matters"
        side, advice = "less", "The interval does not contain the answer"
        if nodes < min(sizes):
            side, advice = "more", f"Plan for more than {own}"
            if resampled.high:
                larger = sized_in(resampled.high, study)
                advice = f"Plan for the upper end of the 90 % interval, {larger}"
        elif nodes == study.bounds.fewest:
            why = f"none contains a job as large as its job {largest}"
        yield (
            f"under {in_prose(resampled.policy)} every log of resampled {_word(study)}s needs "
            f"{side} than the log itself ({own}): {why}. "
            f"{advice}"
        )


def how_grown(study: SizingResult) -> list[str]:
    """Return what was assumed about growth, sentence by sentence."""
    growth, reached = study.settings.growth, study.grown.reached
    if growth.factor == 1:
        return ["The log is simulated unchanged: no --growth above 1 was given."]
    reached_text = (
        f"Growth: {factor(growth.factor)} times the work requested, {factor(reached)} times "
        f"reached; {jobs(len(study.grown.log))} instead of {len(study.log):,} (simulated, seed "
        f"{study.settings.seed})."
    )
    if growth.by == "arrivals":
        return [reached_text, _FASTER]
    word = study.periods.word if study.periods else "week"
    unit = "jobs"
    if _by_user(study):
        unit = f"users of a {word} (each with all its jobs)"
    if growth.factor < 1:
        return [
            reached_text,
            f"{capitalised(unit)} of the log are taken in random order until the work is reached.",
        ]
    unchanged = "weekday and time of day stay" if word == "week" else "the time of day stays"
    return [
        reached_text,
        (
            f"Each {word} also gets jobs of other {word}s of the log, moved by whole {word}s: "
            f"{unchanged}. From the last copy {unit} are taken in random order until the work is "
            "reached."
        ),
        _COPIES,
    ]

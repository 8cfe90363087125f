"""What a sizing states: its facts, findings, tables and figures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.figure import Figure, Limit, Panel
from planner.finding import Fact, Finding, finding
from planner.formatting import unit_of_times
from planner.scheduling.simulation.log_facts import log_inputs, log_remarks, log_source, source
from planner.scheduling.sizing.growth import work_of
from planner.scheduling.sizing.periods import work_by_period
from planner.study import Question, Study, provenance_of, stated
from planner.table import Column, Table, table
from scenarios.job_logs.origin import synthetic_words

if TYPE_CHECKING:
    from planner.scheduling.sizing.result import SizingResult
    from planner.scheduling.sizing.sizing import SizeTrial, Sizing

OFF = 0.02
"""A larger relative error of the growth reached gives a warning."""
ALIKE = 0.3
"""A larger correlation of the work of neighbouring periods makes the interval too narrow."""
FEW_DRAWS = 10
FEW = 8
"""Whole weeks below which an interval of resampled weeks is rough."""
MOST_ON_PAPER = 12
"""Sizes tried that are on paper; the workbook has more."""
MUCH = 0.02
"""A job with a larger share of all work decides."""

Row = dict[str, Any]


def study_of(result: SizingResult) -> Study:
    """The study of a sizing."""
    inputs = (*log_inputs(result.log), *result.files)
    return stated(
        result, _headline, _confidence, _facts, _reasons, _alternatives, _assumptions, _risks,
        _next_steps, _questions, _tables, _figures,
        command="size",
        title=_title(result),
        data=_data(result),
        provenance=provenance_of(result.command, inputs, Fact("seed", result.settings.seed, "id")),
    )  # fmt: skip


def _best(result: SizingResult) -> Sizing | None:
    return result.sizings[result.ranking[0]] if result.ranking else None


def unit_of(result: SizingResult) -> str:
    """The unit of sizes: a node, or a processor where a node has one."""
    return "processor" if result.rules.node_processors == 1 else "node"


def _title(result: SizingResult) -> Finding:
    log = (result.log.name, "text")
    if result.settings.growth.factor == 1:
        return finding("note", "question", log=log)
    return finding("note", "question-grown", log=log, times=(times_of(result), "factor"))


def times_of(result: SizingResult) -> float:
    """How many times the work is simulated: as reached, if this is far off."""
    growth, reached = result.settings.growth.factor, result.grown.reached
    return growth if _is_near(result) else reached


def _is_near(result: SizingResult) -> bool:
    return abs(result.grown.reached / result.settings.growth.factor - 1) <= OFF


def _headline(result: SizingResult) -> Finding:
    best, level = _best(result), result.settings.level
    if best is None or best.nodes is None:
        first = result.sizings[0]
        return finding(
            "headline", "none",
            measure=(level.name, "measure"), value=(first.largest.value, level.unit),
            limit=_limit(result), size=(first.largest.nodes, unit_of(result)),
            policy=(first.policy, "policy"),
        )  # fmt: skip
    target: dict[str, Any] = {
        "policy": (best.policy, "policy"), "measure": (level.name, "measure"),
        "limit": _limit(result),
    }  # fmt: skip
    kind, size = "smallest", _size(result)
    target["size"] = (size, unit_of(result))
    if result.is_open(result.ranking[0]):
        kind = "at-least"
        target["logs"] = _enough(result, size)["logs"]
    elif size > best.nodes:
        kind = "planned"
        target["logs"] = _enough(result, size)["logs"]
    else:
        target["value"] = (best.tried[best.nodes].value, level.unit)
    if result.settings.growth.factor == 1:
        return finding("headline", kind, **target)
    return finding("headline", f"{kind}-grown", times=(times_of(result), "factor"), **target)


def _size(result: SizingResult) -> int:
    """The size of the headline, under the best policy."""
    return result.planned(result.ranking[0]) or 0


def _is_more(result: SizingResult) -> bool:
    """Whether the size to plan for is larger than that for the log itself."""
    best = _best(result)
    return best is not None and best.nodes is not None and _size(result) > best.nodes


def _enough(result: SizingResult, size: int) -> dict[str, Any]:
    """How many resampled logs need no more than a size, under the best policy."""
    best = _best(result)
    if best is None or not result.resampled or result.periods is None:
        return {}
    needed = result.resampled[result.sizings.index(best)].nodes
    enough = sum(nodes is not None and nodes <= size for nodes in needed)
    return {
        "logs": ((enough, len(needed)), "of:log"), "periods": (result.periods.word, "period"),
    }  # fmt: skip


def _limit(result: SizingResult) -> tuple[float, str]:
    level = result.settings.level
    return level.limit, "s given" if level.is_time else level.unit


def _confidence(result: SizingResult) -> Iterator[Finding]:
    yield log_source(result.log)
    if not result.ranking:
        return
    if not result.resampled or result.periods is None:
        yield finding("confidence", "not-repeated")
        return
    draws = len(result.resampled[0].nodes)
    periods = (result.periods.word, "period")
    yield finding("confidence", "repeated", logs=(draws, "log"), periods=periods)


def _facts(result: SizingResult) -> Iterator[Fact]:
    best, unit, machine = _best(result), unit_of(result), result.log.machine_processors
    chosen = result.sizings[0] if best is None else best
    size = chosen.largest.nodes if best is None else _size(result)
    under = finding("note", "under", policy=(chosen.policy, "policy"))
    if unit == "node":
        processors = (size * result.rules.node_processors, "processor")
        under = finding(
            "note", "under-nodes", policy=(chosen.policy, "policy"), processors=processors
        )
    more = _is_more(result)
    key = "largest_tried" if best is None else "planned" if more else "smallest"
    yield Fact(key, size, unit, under)
    growth = result.settings.growth
    if growth.factor != 1:
        note = finding("note", "growth", asked=(growth.factor, "factor"), by=(growth.by, "growth"))
        yield Fact("work", result.grown.reached, "factor", note)
    if best is None:
        return
    if machine:
        own = finding("note", "own-machine", processors=(machine, "processor"))
        yield Fact("relative", size * result.rules.node_processors / machine, "multiple", own)
    if more:
        yield Fact("smallest", best.nodes, unit)
    if result.resampled and result.periods is not None:
        draws = result.resampled[result.sizings.index(best)]
        ends = (draws.low, draws.high)
        yield Fact(
            "interval", ends, f"interval:{unit}",
            finding("note", "median", median=(draws.median, unit)),
        )  # fmt: skip


def _reasons(result: SizingResult) -> Iterator[Finding]:
    """Why this size: today's machine, and what resampled logs need."""
    best, level = _best(result), result.settings.level
    chosen, machine = best or result.sizings[0], result.log.machine_processors
    measure = (level.name, "measure")
    if chosen.today is not None and chosen.today.value is not None and machine:
        yield finding("reason", "today", processors=(machine, "processor"), measure=measure,
                      value=(chosen.today.value, level.unit), limit=_limit(result))  # fmt: skip
    if best is None or not best.nodes or _is_more(result):
        return
    if (enough := _enough(result, _size(result))) and not result.is_open(result.ranking[0]):
        yield finding("reason", "enough", **enough)


def _alternatives(result: SizingResult) -> Iterator[Finding]:
    """The size for the log alone, or one less, and the next policy."""
    best, level, unit = _best(result), result.settings.level, unit_of(result)
    if best is None or not best.nodes or best.answer is None:
        return
    measure, policy = (level.name, "measure"), (best.policy, "policy")
    if _is_more(result):
        yield finding("alternative", "for-the-log", size=(best.nodes, unit), policy=policy,
                      measure=measure, value=(best.answer.value, level.unit),
                      **_enough(result, best.nodes))  # fmt: skip
    elif best.below is not None and best.below.value is not None:
        yield finding("alternative", "one-less", size=(best.below.nodes, unit), measure=measure,
                      value=(best.below.value, level.unit), limit=_limit(result))  # fmt: skip
    if len(result.ranking) > 1 and not result.is_open(second := result.ranking[1]):
        yield finding("alternative", "next-policy", size=(result.planned(second), unit),
                      policy=(result.sizings[second].policy, "policy"))  # fmt: skip


def _assumptions(result: SizingResult) -> Iterator[Finding]:
    yield finding("assumption", "as-submitted")
    yield finding("assumption", "as-fast")
    yield finding("assumption", "no-cost")
    if len(result.sizings) == 1:
        policy = (result.sizings[0].policy, "policy")
        yield finding("assumption", "one-policy", policy=policy)


def _risks(result: SizingResult) -> Iterator[Finding]:
    """What may be wrong with the answer."""
    yield from log_remarks(result.log, remedy="own-size")
    yield from _of_growth(result)
    yield from _of_periods(result)
    if any(sizing.policy == "moldable" for sizing in result.sizings):
        yield finding("risk", "moldable")
    for sizing in result.sizings:
        yield from _of_policy(result, sizing)
    yield from _one_sided(result)
    if _best(result) is not None:
        if result.resampled:
            yield finding("risk", "single-log")
        grows = result.settings.growth.factor != 1
        yield finding("risk", "no-failures" if grows else "no-growth")
    share = _largest_share(result)
    if share > MUCH:
        yield finding("risk", "one-job", share=(share, "share"))


def _of_growth(result: SizingResult) -> Iterator[Finding]:
    growth = result.settings.growth
    if not _is_near(result):
        asked, reached = (growth.factor, "factor"), (result.grown.reached, "factor")
        kind = "growth-off-arrivals" if growth.by == "arrivals" else "growth-off"
        yield finding("risk", kind, asked=asked, reached=reached)
        if (nodes := scaled(result)) is not None:
            yield finding("risk", "in-proportion", asked=asked, size=(nodes, unit_of(result)))


def _copies(result: SizingResult) -> bool:
    """Whether the log grows by copies of its periods."""
    growth = result.settings.growth
    return growth.by == "copies" and growth.factor != 1


def _of_periods(result: SizingResult) -> Iterator[Finding]:
    """That there are too few periods, or that they are too much alike, to resample them."""
    periods, draws = result.periods, result.settings.resamples
    if periods is None:
        if draws:
            yield finding("risk", "too-short")
    elif periods.word == "day" and (draws or _copies(result)):
        yield finding("risk", "short-days")
    elif periods.word == "week" and draws and periods.whole < FEW:
        yield finding("risk", "few-weeks", weeks=(periods.whole, "count"))
    if periods is not None and draws:
        if result.alike is not None and result.alike > ALIKE:
            correlation = (round(result.alike, 2), "number")
            word = (periods.word, "period")
            yield finding("risk", "correlated", periods=word, correlation=correlation)
        if draws < FEW_DRAWS:
            yield finding("risk", "few-draws", draws=(draws, "count"))


def _largest_share(result: SizingResult) -> float:
    work = work_of(result.log)
    return float(work.max() / work.sum()) if work.any() else 0.0


def _of_policy(result: SizingResult, sizing: Sizing) -> Iterator[Finding]:
    level, unit, policy = result.settings.level, unit_of(result), (sizing.policy, "policy")
    if sizing.nodes is None:
        largest = sizing.largest
        size, value = (largest.nodes, unit), (largest.value, level.unit)
        yield finding("risk", "unmet", policy=policy, size=size, value=value)
    elif sizing.lucky:
        yield finding("risk", "lucky", policy=policy, sizes=(sizing.lucky, unit))
    if sizing.nodes == result.bounds.fewest and sizing.below is None:
        job = (result.bounds.largest_job, "id")
        yield finding("risk", "largest-job", policy=policy, job=job)


def _one_sided(result: SizingResult) -> Iterator[Finding]:
    """That the interval of the resampled logs is open above, or on one side of the log itself."""
    for sizing, draws in zip(result.sizings, result.resampled, strict=False):
        if not sizing.nodes:
            continue
        sizes = [nodes for nodes in draws.nodes if nodes is not None]
        every, unit = len(draws.nodes), unit_of(result)
        policy, size = (sizing.policy, "policy"), (sizing.nodes, unit)
        if draws.high is None:
            without = ((draws.without, every), "of:log")
            yield finding("risk", "draws-open", policy=policy, logs=without)
        elif sizing.nodes > max(sizes):
            yield finding("risk", "draws-need-less", policy=policy, size=size)
        elif sizing.nodes < min(sizes):
            high = (draws.high, unit)
            yield finding("risk", "draws-need-more", policy=policy, size=size, high=high)
        elif 2 * (more := every - sum(nodes <= sizing.nodes for nodes in sizes)) > every:
            yield finding(
                "risk", "draws-mostly-more", policy=policy, size=size,
                logs=((more, every), "of:log"), high=(draws.high, unit),
            )  # fmt: skip


def _next_steps(result: SizingResult) -> Iterator[Finding]:
    if not result.ranking:
        yield finding("next step", "relax")
        return
    if result.settings.growth.factor == 1:
        yield finding("next step", "grow")
    if _is_short(result):
        yield finding("next step", "longer-log")
    elif not result.resampled:
        yield finding("next step", "resample")
    if synthetic_words(result.log.header):
        yield finding("next step", "own-log")
    yield finding("next step", "spare")


def _is_short(result: SizingResult) -> bool:
    """Whether the log has too few weeks for an interval."""
    periods = result.periods
    return periods is None or periods.word == "day" or periods.whole < FEW


def _questions(result: SizingResult) -> Iterator[Question]:
    growth, bounds, unit = result.settings.growth, result.bounds, unit_of(result)
    how = "none" if growth.factor == 1 else "thinned" if growth.factor < 1 else growth.by
    says = finding("note", "growth-none")
    sizes = (Fact("jobs", len(result.log), "count"), *_spread(result))
    if growth.factor != 1:
        says = finding("note", "grown", reached=(result.grown.reached, "factor"),
                       asked=(growth.factor, "factor"), by=(growth.by, "growth"))  # fmt: skip
        sizes = (sizes[0], Fact("jobs_grown", len(result.grown.log), "count"))
    found = (Fact("node_processors", result.rules.node_processors, "count"),)
    least = finding("note", "least", largest=(bounds.fewest, unit), work=(bounds.work, unit),
                    together=(bounds.largest, unit))  # fmt: skip
    several = len(result.sizings) > 1
    looked = () if several else _looked(result.sizings[0], unit)
    yield Question("sizes", findings=(*_achieved(result), *looked),
                   tables=("sizes", "search") if several else (), texts=("sizes",))  # fmt: skip
    if result.resampled:
        yield Question("chance", tables=("resampled sizes",) if several else (),
                       figures=("drawn",), texts=("chance",))  # fmt: skip
    yield Question("growth", findings=(says,), facts=sizes, figures=("weeks", "days"),
                   texts=() if how == "none" else (f"growth-{how}",))  # fmt: skip
    yield Question("method", findings=(least,), facts=found if unit == "node" else (),
                   tables=("policies",),
                   texts=("method",))  # fmt: skip
    yield Question("limits", texts=("limits",))
    if sum(len(sizing.tried) for sizing in result.sizings) <= MOST_ON_PAPER:
        yield Question("tried", tables=("sizes tried",))


def _achieved(result: SizingResult) -> Iterator[Finding]:
    """What the outermost sizes achieve, and the answer between them."""
    chosen, level, unit = _best(result) or result.sizings[0], result.settings.level, unit_of(result)
    low, high, answer = chosen.tried[min(chosen.tried)], chosen.largest, chosen.answer
    if low.value is None or high.value is None or low.nodes == high.nodes:
        return
    of_level = unit_of_times(level.limit) if level.is_time else level.unit
    values: dict[str, Any] = {
        "measure": (level.name, "measure"), "policy": (chosen.policy, "policy"),
        "low": (low.nodes, unit), "low_value": (low.value, of_level),
        "high": (high.nodes, unit), "high_value": (high.value, of_level),
    }  # fmt: skip
    kind = "achieves-ends"
    if answer is not None and low.nodes < answer.nodes < high.nodes:
        kind = "achieves"
        values |= {"size": (answer.nodes, unit), "value": (answer.value, of_level)}
    yield finding("note", kind, **values)


def _looked(sizing: Sizing, unit: str) -> Iterator[Finding]:
    """How far the search went, under the only policy, and sizes out of order."""
    row = _searched(sizing)
    sizes = (row["sizes"], "count")
    if row["looked"]:
        yield finding("note", "searched", sizes=sizes, looked=(row["looked"], unit))
    else:
        yield finding("note", "searched-all", sizes=sizes)
    if row["lucky"] and row["missed"]:
        yield finding("note", "out-of-order", lucky=(row["lucky"], unit),
                      missed=(row["missed"], unit))  # fmt: skip


def _spread(result: SizingResult) -> Iterator[Fact]:
    """The whole periods of the log, and how much their work differs."""
    if result.periods is None:
        return
    work = work_by_period(result.periods, result.log)
    yield Fact("periods", len(work), result.periods.word)
    if work.any():
        yield Fact("deviation", float(work.std(ddof=1) / work.mean()), "share")


def _tables(result: SizingResult) -> Iterator[Table]:
    level, unit = result.settings.level, unit_of(result)
    limited: dict[str, Any] = {"unit": level.unit, "limit": level.limit}
    label = {"nodes": "nodes" if unit == "node" else "size"}
    nodes = Column("nodes", unit, label=label["nodes"], shown=unit == "node")
    mean = Column("mean_wait_s", "s", shown=level.name != "mean-wait")
    drawn = {"drawn_median": unit, "drawn_p05": unit, "drawn_p95": unit}
    alone = {"policy"} if len(result.sizings) == 1 else set()
    own = "count" if unit == "processor" else unit  # next to the column of processors
    planned = Column("planned", own, shown=bool(result.resampled))
    answers = (
        Column("policy", "policy"), nodes, Column("processors", "processor"), planned,
        Column(level.key, label=level.name, **limited), mean, Column("utilisation", "share"),
        Column("keeps", "target"), Column("one_node_below", **limited),
        Column("one_node_above", **limited), Column("log_as_it_is", **limited),
        *(Column(key, unit, shown=False) for key in drawn if result.resampled),
    )  # fmt: skip
    choices = tuple(_choices(result))
    if len(choices) > 1:
        yield table("choices", {"policy": "policy", "role": "role",
                    "nodes": Column("nodes", unit, label="size"),
                    level.key: Column(level.key, label=level.name, **limited), "keeps": "target",
                    "enough": "of:log"}, choices, hidden=alone)  # fmt: skip
    yield Table("sizes", answers, tuple(_answers(result)))
    yield table("search", {"policy": "policy", "sizes": "count", "looked": "count", "lucky": unit,
                "missed": unit}, map(_searched, result.sizings), hidden=alone)  # fmt: skip
    medians = {"policy": "policy", "nodes": unit, **drawn, "draws": "count", "without": "count"}
    yield table("resampled sizes", medians, _medians(result), hidden=alone,
                labels={"nodes": "log_itself"})  # fmt: skip
    yield table("sizes tried", {"policy": "policy", "nodes": nodes, "processors": "processor",
                "value": Column("value", label=level.name, **limited), "mean_wait_s": mean,
                "utilisation": "share", "keeps": "target", "p95_wait_s": "s",
                "mean_bounded_slowdown": "number", "answer": "flag", "planned": "flag"},
                at="/sizes/*/tried",
                hidden={"p95_wait_s", "mean_bounded_slowdown", "answer", "planned",
                        *alone})  # fmt: skip
    each_draw = (
        {"policy": draws.policy, "draw": draw, "nodes": needed}
        for draws in result.resampled
        for draw, needed in enumerate(draws.nodes, 1)
    )
    yield table("resampled weeks", {"policy": "policy", "draw": "count", "nodes": unit}, each_draw,
                labels=label)  # fmt: skip
    word = result.periods.word if result.periods else "week"
    yield table("work by week", {word: "count", "processor_seconds": "number",
                "mean_processors": "number", "grown_processors": "number"}, _work(result, word),
                labels={word: "period"})  # fmt: skip
    yield table("policies", {"policy": "policy", "rule": "quotation", "estimates": "estimates"},
                result.sizings)  # fmt: skip
    counted = ({"what": kind, "jobs": jobs} for kind, jobs in result.log.counts.items())
    yield table("jobs of the log", {"what": "message", "jobs": "count"}, counted)


def _choices(result: SizingResult) -> Iterator[Row]:
    """The sizes to choose from, ascending, and for how many resampled logs each is enough."""
    for index, sizing in enumerate(result.sizings):
        planned = None if result.is_open(index) else result.planned(index)
        roles: dict[str, SizeTrial | None] = {
            "own": sizing.today if result.settings.growth.factor == 1 else None,
            "less": sizing.below if len(result.sizings) == 1 else None, "minimum": sizing.answer,
            "planned": sizing.tried.get(planned or 0),
            "largest": sizing.largest if sizing.nodes is None else None,
        }  # fmt: skip
        by_size = {trial.nodes: (role, trial) for role, trial in roles.items() if trial}
        for nodes, (role, trial) in sorted(by_size.items()):
            row: Row = {"policy": sizing.policy, "role": role, "nodes": nodes}
            row |= {result.settings.level.key: trial.value, "keeps": trial.keeps}
            if result.resampled:
                needed = result.resampled[index].nodes
                enough = sum(need is not None and need <= nodes for need in needed)
                row["enough"] = (enough, len(needed))
            yield row


def _answers(result: SizingResult) -> Iterator[Row]:
    key = result.settings.level.key
    for index, sizing in enumerate(result.sizings):
        answer, trial = sizing.answer, sizing.answer or sizing.largest
        row: Row = {
            "policy": sizing.policy,
            "nodes": sizing.nodes,
            "processors": answer.processors if answer else None,
            "planned": None if result.is_open(index) else result.planned(index),
            "one_node_below": sizing.below.value if sizing.below else None,
            "one_node_above": sizing.above.value if sizing.above else None,
            "utilisation": answer.utilisation if answer else None,
            "log_as_it_is": sizing.today.value if sizing.today else None,
            "mean_wait_s": answer.mean_wait_s if answer else None,
            "keeps": trial.keeps,
            key: trial.value,
        }
        if result.resampled:
            draws = result.resampled[index]
            row |= {
                "drawn_median": draws.median, "drawn_p05": draws.low, "drawn_p95": draws.high,
            }  # fmt: skip
        yield row


def _searched(sizing: Sizing) -> Row:
    """How many sizes were tried, and which do not follow their order."""
    missed: list[int] = []
    if sizing.lucky and sizing.nodes is not None:
        least = min(sizing.lucky)
        missed = sorted(
            size for size, trial in sizing.tried.items()
            if least < size < sizing.nodes and not trial.keeps
        )  # fmt: skip
    return {
        "policy": sizing.policy,
        "sizes": len(sizing.tried),
        "looked": sizing.search.looked if sizing.nodes is not None else None,
        "lucky": sizing.lucky or None,
        "missed": tuple(missed) or None,
    }


def _medians(result: SizingResult) -> Iterator[Row]:
    for sizing, draws in zip(result.sizings, result.resampled, strict=False):
        yield {
            "policy": sizing.policy, "nodes": sizing.nodes, "drawn_median": draws.median,
            "drawn_p05": draws.low, "drawn_p95": draws.high, "draws": len(draws.nodes),
            "without": draws.without,
        }  # fmt: skip


def _work(result: SizingResult, word: str) -> Iterator[Row]:
    periods, growth = result.periods, result.settings.growth
    if periods is None:
        return
    own = work_by_period(periods, result.log)
    grown: list[float | None] = [None] * len(own)
    if growth.by == "copies" and growth.factor != 1:
        log = result.grown.log
        slot = (log.submit_s - int(result.log.submit_s[0])) // periods.length_s
        by_slot = np.bincount(slot, work_of(log), minlength=len(own))[: len(own)]
        grown = [float(work) / periods.length_s for work in by_slot]
    for number, (work, after) in enumerate(zip(own.tolist(), grown, strict=True), 1):
        yield {
            word: number, "processor_seconds": work, "mean_processors": work / periods.length_s,
            "grown_processors": after,
        }  # fmt: skip


def _figures(result: SizingResult) -> Iterator[Figure]:
    best, level, unit = _best(result), result.settings.level, unit_of(result)
    shown = result.sizings[0] if best is None else best
    policy = (shown.policy, "policy")
    says = finding("note", "meets-none", policy=policy)
    least: tuple[Limit, ...] = ()
    panels: tuple[Panel, ...] = ()
    if best is not None and best.nodes is not None:
        says = finding("note", "meets-from", size=(best.nodes, unit), policy=policy)
        if _is_more(result):
            least = (Limit("x", best.nodes, "minimum"),)
            says = finding("note", "meets-both", size=(best.nodes, unit), policy=policy,
                           planned=(_size(result), unit))  # fmt: skip
        looked = best.search.looked
        panels = (Panel(best.nodes - looked, _size(result) + looked),)
    yield Figure(
        "curve", "lines", "sizes tried", "nodes", ("value",), series="policy", marked="planned",
        limits=(Limit("y", level.limit), *least), panels=panels,
        scale={"x": "log", "y": "time" if level.is_time else "log"}, finding=says,
    )  # fmt: skip
    periods = result.periods
    if periods is None:
        return
    if any(nodes is not None for draws in result.resampled for nodes in draws.nodes):
        draws = result.resampled[result.sizings.index(shown)]
        says = finding("note", "need-unknown", policy=policy, without=(draws.without, "count"))
        if draws.low is not None and draws.high is not None:
            says = finding(
                "note", "need", policy=policy, periods=(periods.word, "period"),
                interval=((draws.low, draws.high), f"interval:{unit}"),
            )  # fmt: skip
        yield Figure(
            "drawn", "distribution", "resampled sizes", "nodes", ("drawn_median",),
            series="policy", low="drawn_p05", high="drawn_p95", dots="resampled weeks",
            finding=says,
        )  # fmt: skip
    work = work_by_period(periods, result.log)
    mean = float(work.mean())
    busiest = float(work.max()) / mean if mean else 0.0
    lines = ("mean_processors", "grown_processors")
    growth = result.settings.growth
    machine = None if best is None else _size(result) * result.rules.node_processors
    yield Figure(
        f"{periods.word}s", "steps", "work by week", periods.word,
        lines if growth.by == "copies" and growth.factor != 1 else lines[:1],
        limits=() if machine is None else (Limit("y", machine, "machine"),),
        finding=finding("note", "busiest", ratio=(busiest, "multiple")),
    )  # fmt: skip


def _data(result: SizingResult) -> dict[str, Any]:
    """The members of size.json besides the study."""
    growth, bounds, log = result.settings.growth, result.bounds, result.log
    return {
        "level": asdict(result.settings.level),
        "growth": {
            "asked": growth.factor,
            "reached": result.grown.reached,
            "by": growth.by,
            "thinned_by": growth.thin_by,
            "jobs_added": result.grown.added,
            "period": result.periods.word if result.periods else None,
            "whole_periods": result.periods.whole if result.periods else 0,
        },
        "log": log.name,
        "sha256": log.sha256,
        "source": source(log),
        "log_machine_processors": log.machine_processors,
        "capacity_over_log_machine": result.capacity,
        "jobs": len(log),
        "jobs_grown": len(result.grown.log),
        "node_processors": result.rules.node_processors,
        "event_order": result.rules.event_order,
        "seed": result.settings.seed,
        "least_nodes": bounds.fewest,
        "nodes_for_all_work": bounds.work,
        "nodes_if_all_started_at_once": bounds.largest,
        "largest_job": bounds.largest_job,
        "work_of_weeks_lag_1": result.alike,
        "sizes": [_sized(result, index) for index in range(len(result.sizings))],
        "resampled": [resampled.to_dict() for resampled in result.resampled],
        "counts": dict(log.counts),
    }


def _sized(result: SizingResult, index: int) -> dict[str, Any]:
    """The answer under a policy; of each size tried also whether it is the one to plan for."""
    plain, planned = result.sizings[index].to_dict(), result.planned(index)
    for trial in plain["tried"]:
        trial["planned"] = trial["nodes"] == planned
    return plain


def scaled(result: SizingResult) -> int | None:
    """Nodes that the growth requested needs by proportion, if it was not reached."""
    if _is_near(result) or not result.ranking:
        return None
    return math.ceil(_size(result) * result.settings.growth.factor / result.grown.reached - 1e-9)

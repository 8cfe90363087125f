"""The title page: the decision, the warnings, and the best beside what others do."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.confidence import predictions
from planner.configurations.gains import ConfigurationGain
from planner.configurations.risk import other_run
from planner.configurations.study import ConfigurationStudy
from planner.formatting import DASH, clipped, given, percent, plural, seconds, watts
from planner.table import Column
from reports.configuration.figures.nodes import in_words, reading
from reports.configuration.summary import bound, faster, left_out, less, listed, name
from reports.grid import Table, table, table_of
from reports.numbers import fixed
from reports.report import Facts
from reports.skeleton import title_page

_MOST_SENTENCES, _SENTENCES_OF_MORE = 6, 3
_MOST_ROWS, _ROWS_OF_MORE = 10, 8


_COMPARED = (
    Column("name", "Choice", width=1.2),
    Column(lambda choice: choice.configuration or choice.reason, "Nodes x cores, cap", width=1.7),
    Column("configuration.time_s", "Time", seconds, number=True, width=0.8),
    Column("configuration.power_w", "Power", watts, number=True, width=0.8),
    Column("unused", "Unused", percent, number=True, width=0.7),
    Column("gain", "Best is faster", faster, number=True, width=0.8),
    Column("gain", "Less time", less, number=True, width=0.7),
)


def front(study: ConfigurationStudy) -> dict[str, Any]:
    """Return the contents of the title page."""
    single = len(study.answers) == 1
    return title_page(
        study,
        title(study),
        file_name(study),
        description=_description(study),
        summary=_summary(study) if single else _summary_of_many(study),
        table=compared(study.answers[0]) if single else _each(study),
        decision=_decision(study),
    )


def title(study: ConfigurationStudy) -> str:
    """Return the title: the application and its bound."""
    names = [answer.application for answer in study.answers]
    who = clipped(names[0], 60) if len(names) == 1 else f"{len(names)} applications"
    return f"{who} under {bound(study.question.bound.bound_w)}"


def file_name(study: ConfigurationStudy) -> str:
    """Return the name of the file without its folders, which may be private."""
    return clipped(PurePath(study.measurements.name).name, 80)


def pairs(study: ConfigurationStudy) -> Facts:
    """Return the facts on the first sheet of the workbook."""
    question = study.question
    return [
        ("title", title(study)),
        ("decision", study.headline),
        (f"SHA-256 of {file_name(study)}", study.measurements.sha256),
        ("power bound (W)", question.bound.bound_w),
        ("guard (share of the bound)", question.bound.guard),
        *((("guard by predicted power", question.prediction_guard),) if study.model else ()),
        ("power counts", study.power_counts),
        *((("what was not run is predicted by", study.fitted),) if study.model else ()),
        ("repetition that speaks", question.repetition),
        ("near-optimal within (share of time)", question.tolerance),
        ("largest power of a node by rating (W)", question.node.power_w),
        ("canonical configurations", study.growth_rule),
        *(("warning", warning) for warning in study.warnings),
    ]


def _description(study: ConfigurationStudy) -> str:
    runs = sum(len(run) for run in study.runs)
    kind = "Predicted from" if predictions(study.answers)[1] else "Chosen among"
    guard = study.question.bound.guard
    guarded = f" A guard of {given(guard)} of the bound is left free." if guard else ""
    return (
        f"{kind} {plural(runs, 'measured run')} in {file_name(study)}. Power is that of "
        f"{study.power_counts} of all nodes together.{guarded}"
    )


def _decision(study: ConfigurationStudy) -> str:
    if len(study.answers) <= _MOST_SENTENCES:
        return study.headline
    rest = len(study.answers) - _SENTENCES_OF_MORE
    sentences = " ".join(answer.headline for answer in study.answers[:_SENTENCES_OF_MORE])
    return f"{sentences} And {rest} further applications."


def _summary(study: ConfigurationStudy) -> list[str]:
    answer, rule = study.answers[0], study.growth_rule
    question, best = answer.question, answer.best
    at = bound(question.bound.bound_w)
    unused = percent(answer.unused_w / question.bound.bound_w)
    lines = [
        f"The best, {best}, leaves {watts(answer.unused_w)} ({unused}) of {at} unused.",
        *(f"{line}." for line in _over(answer)),
        f"Nodes: {in_words(answer)}.",
        _near(answer),
        risk_words(answer),
        "" if answer.socket_power is None else answer.socket_power.summary,
        f"Canonical configurations. {rule[0].upper()}{rule[1:]}",
    ]
    return [line for line in lines if line]


def _over(answer: ConfigurationAnswer) -> list[str]:
    lines = []
    for label, other in (
        ("packed-max", answer.packed_max),
        ("provisioning for the worst case by rating", answer.worst_case.configuration),
    ):
        gain = answer.gain_over(other)
        if gain is None or other is None:
            continue
        if gain.speedup == 1:
            lines.append(f"It is as fast as {label}, {other}")
        else:
            ratio = f"It runs {fixed(gain.speedup, 2)} times as fast as {label}, {other}"
            more = "more" if gain.time_reduction < 0 else "less"
            lines.append(f"{ratio}: {percent(abs(gain.time_reduction))} {more} time")
    return lines


def _near(answer: ConfigurationAnswer) -> str:
    near = answer.near_optimal
    share = given(answer.question.tolerance)
    if len(near) == 1:
        return f"No other configuration is within {share} of its time."
    lowest = min(near, key=lambda near_one: near_one.configuration.power_w)
    return (
        f"Within {share} of its time: {plural(len(near) - 1, 'other configuration')}; of all these "
        f"{lowest.configuration} draws least, {watts(lowest.configuration.power_w)}."
    )


def risk_words(answer: ConfigurationAnswer) -> str:
    """What the repetitions of the best say of the risk."""
    risk = answer.risk
    if risk is None:
        return "The best was never run: its time and power are predicted, not measured."
    if risk.repetitions == 1:
        return "The best was run once: nothing is known of how its repetitions would differ."
    times = f"{seconds(risk.best_s)} to {seconds(risk.worst_s)}"
    broken = (
        f"{risk.runs_over_bound} drew more than the bound" if risk.runs_over_bound
        else "none drew more than the bound"
    )  # fmt: skip
    return (
        f"Its {risk.repetitions} repetitions took {times}; {broken} (at most "
        f"{watts(risk.largest_power_w)})."
    )


def compared(answer: ConfigurationAnswer) -> Table:
    """The best, the canonical configurations and the worst case, one row each."""
    return table_of(_COMPARED, answer.compared)


def _summary_of_many(study: ConfigurationStudy) -> list[str]:
    over = {
        "packed-max": [a.gain_over(a.packed_max) for a in study.answers],
        "the worst case by rating": [
            a.gain_over(a.worst_case.configuration) for a in study.answers
        ],
    }
    lines = []
    for label, gains in over.items():
        speedups = [gain.speedup for gain in gains if gain is not None]
        if speedups:
            faster_ones = sum(speedup > 1 for speedup in speedups)
            up_to = f", up to {max(speedups):.2f} times as fast" if faster_ones else ""
            lines.append(
                f"Faster than {label}: {faster_ones} of {plural(len(speedups), 'application')}"
                f"{up_to}."
            )
    degree = study.mix_degree
    if degree is not None:
        lines.append(f"The mix: {reading(degree)}.")
    over_bound = [
        answer.application for answer in study.answers
        if answer.risk is not None and answer.risk.runs_over_bound
    ]  # fmt: skip
    never = [answer.application for answer in study.answers if answer.risk is None]
    if over_bound:
        lines.append(
            f"Repetitions of the best that drew more than the bound: {listed(over_bound)}."
        )
    elif len(never) < len(study.answers):
        lines.append("No repetition of any best configuration drew more than the bound.")
    if never:
        lines.append(f"The best was never run: {listed(never)}.")
    return [*lines, *([left_out(study)] if left_out(study) else [])]


def _each(study: ConfigurationStudy) -> Table:
    other, other_s = other_run(study.question.repetition)
    columns = (
        ("Application", False), ("Best", False), ("Time", True), (other.capitalize(), True),
        ("Power", True), ("Unused", True), ("Over packed-max", True), ("Over worst case", True),
        ("Runs", True),
    )  # fmt: skip
    selected = study.answers
    if len(selected) > _MOST_ROWS:
        selected = selected[:_ROWS_OF_MORE]
    rows: list[tuple[str, ...]] = [
        (
            name(answer, 30),
            str(answer.best),
            seconds(answer.best.time_s),
            DASH if answer.risk is None else seconds(other_s(answer.risk)),
            watts(answer.best.power_w),
            percent(answer.unused_w / answer.question.bound.bound_w),
            _described(answer.gain_over(answer.packed_max)),
            _described(answer.gain_over(answer.worst_case.configuration)),
            DASH if answer.risk is None else str(answer.risk.repetitions),
        )
        for answer in selected
    ]
    remaining = len(study.answers) - len(selected)
    if remaining:
        rows.append((f"and {remaining} more", *[""] * 8))
    return table(columns, (1.2, 1.25, 0.7, 0.7, 0.75, 0.65, 0.85, 0.85, 0.45), rows)


def _described(gain: ConfigurationGain | None) -> str:
    return DASH if gain is None else f"{faster(gain)}\n{less(gain)} less"

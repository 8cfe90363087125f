"""The first page: the decision, why, and the best compared with common choices."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import numpy as np

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.confidence import predictions
from planner.configurations.provisioning import OTHER_NAMES, PACKED_MAX, power_assumption
from planner.configurations.risk import how_often, other_run, slow_runs
from planner.configurations.study import STAR, ConfigurationStudy
from planner.configurations.table import Configuration
from planner.formatting import (
    DASH,
    clipped,
    given,
    percent,
    plural,
    run_times,
    seconds,
    spanned,
    used_share,
    watts,
)
from planner.worded_table import Column
from reports.configuration.figures.nodes import in_words
from reports.configuration.summary import (
    alike,
    both,
    bound,
    faster,
    leading,
    less,
    listed,
    name,
)
from reports.first_page import MOST_LINES, FirstPage
from reports.grid import Table, table, table_of
from reports.report import Facts
from reports.skeleton import title_page
from reports.warning_boxes import boxed

_MOST_ROWS, _ROWS_OF_MORE = 6, 5
MOST_RISKS = 3
"""Warnings on the title page."""


_COMPARED = (
    Column("name", "Choice", width=1.5),
    Column(lambda choice: choice.configuration or choice.reason, "Nodes x cores, cap", width=1.7),
    Column("configuration.time_s", "Time", seconds, number=True, width=0.8),
    Column("configuration.power_w", "Power", watts, number=True, width=0.8),
    Column("unused", "Unused", percent, number=True, width=0.7),
    Column("gain", "Speed-up of best", faster, number=True, width=0.85),
    Column("gain", "Time saved", less, number=True, width=0.7),
)


_SPEEDUP = 5
"""Place of the speed-up among the columns."""


def front(study: ConfigurationStudy) -> dict[str, Any]:
    """Return the contents of the title page."""
    rows = compared(study.answers[0]) if len(study.answers) == 1 else _each(study)
    first = FirstPage(
        reasons=_reasons(study),
        alternatives=_alternatives(study),
        risks=[
            *boxed(study.warnings, MOST_RISKS),
            *slow_runs(study.spreads, [(each.application, each.best) for each in study.answers]),
        ],
        limits=_limits(study),
        robustness=_robustness(study),
        assumptions=_assumptions(study),
        next_steps=_next_steps(study),
        table=rows,
        balanced=True,
    )
    star = STAR if "*" in str(rows["rows"]) else ""
    return title_page(
        study, title(study), file_name(study), description=_description(study), first=first,
        table_note=" ".join(filter(None, (_runs_shown(study), star))),
    )  # fmt: skip


def _runs_shown(study: ConfigurationStudy) -> str:
    """Say which runs the times and powers of several applications are of."""
    if len(study.answers) == 1 or all(a.risk is None or a.risk.repetitions == 1
                                      for a in study.answers):  # fmt: skip
        return ""  # the reasons have the runs of a single application
    which = {
        "median": "Time and power are those of the median run",
        "best": "Time and power are those of the fastest run",
        "worst": "Time is that of the slowest run, and power the largest of all runs",
    }[study.question.repetition]
    predicted = any(answer.risk is None for answer in study.answers)
    return f"{which}{', or predicted where there is none' if predicted else ''}."


def title(study: ConfigurationStudy) -> str:
    """Return the title: the application and its bound."""
    names = [answer.application for answer in study.answers]
    several = len(names) > 1
    who = f"{len(names)} applications" if several else clipped(names[0], 60)
    under = bound(study.question.bound.bound_w)
    return f"Best configuration{'s' if several else ''} of {who} under {under}"


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
        *((("guard for predicted power", question.prediction_guard),) if study.model else ()),
        ("power counts", study.power_counts),
        *((("model of configurations that were not run", study.fitted),) if study.model else ()),
        ("representative run", question.repetition),
        ("near-optimal within (share of time)", question.tolerance),
        ("largest power of a node by rating (W)", question.node.power_w),
        ("canonical configurations", study.growth_rule),
        *(("warning", warning) for warning in study.warnings),
    ]


def _description(study: ConfigurationStudy) -> str:
    runs = sum(len(run) for run in study.runs)
    kind = "Predicted from" if predictions(study.answers)[1] else "Chosen from"
    node_w = bound(study.question.node.power_w)
    names = (
        OTHER_NAMES
        if len(study.answers) == 1
        else f"Worst case: the same on as many nodes as fit at {node_w} each, their rated maximum."
    )
    return (
        f"{kind} {plural(runs, study.measurements.run_word)} in {file_name(study)}. "
        "(n x c, p W): n nodes, c cores per node, cap of p W per package. "
        f"{PACKED_MAX} {names}"
    )


def _reasons(study: ConfigurationStudy) -> list[str]:
    if len(study.answers) > 1:
        return _reasons_of_many(study)
    answer = study.answers[0]
    lines = [*answer.details, *_over_worst_case(answer)]
    nodes = f"{name(answer)} {in_words(answer)}."
    return [*lines, nodes]


def _over_worst_case(answer: ConfigurationAnswer) -> list[str]:
    rated = answer.worst_case.configuration
    gain = answer.gain_over(rated)
    if gain is None or rated is None or rated == answer.packed_max:
        return []
    if gain.speedup == 1:
        return [f"It is as fast as provisioning for the worst case by rating, {rated}."]
    return [
        f"It is {both(gain, f'provisioning for the worst case by rating, {rated}')}.",
    ]


def _reasons_of_many(study: ConfigurationStudy) -> list[str]:
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
            if label == "packed-max":  # the headline says by how much
                up_to = ""
            run = "runs" if faster_ones == 1 else "run"
            lines.append(
                f"{faster_ones} of {plural(len(speedups), 'application')} {run} faster than "
                f"{label}{up_to}."
            )
    return [*lines, *_more_nodes(study)]


def _more_nodes(study: ConfigurationStudy) -> list[str]:
    """State for how many applications fewer cores or lower caps let more nodes run."""
    more = [
        (answer.best.nodes, packed.nodes)
        for answer in study.answers
        if (packed := answer.packed_max) is not None and answer.best.nodes > packed.nodes
    ]
    if not more:
        return []
    best, packed_max = (
        " to ".join(dict.fromkeys((f"{min(counts):,}", f"{max(counts):,}")))
        for counts in zip(*more, strict=True)
    )
    where = f"In {len(more)} of {plural(len(study.answers), 'application')}"
    leave = "fewer cores or lower caps leave power for more nodes"
    return [f"{where}, {leave}: {best}, with packed-max {packed_max}."]


def _alternatives(study: ConfigurationStudy) -> list[str]:
    share = given(study.question.tolerance)
    if len(study.answers) > 1:
        return _alternatives_of_many(study, share)
    near = study.answers[0].near_optimal
    if len(near) == 1:
        return [f"No other configuration is within {share} of the best time."]
    second, lowest = near[1], min(near, key=lambda each: each.configuration.power_w)
    others = plural(len(near) - 1, "other configuration")
    verb = "is" if len(near) == 2 else "are"
    next_best = f"The next is {second.configuration}, {percent(second.slowdown)} slower."
    lines = [f"{others} {verb} at most {share} slower. {next_best}"]
    if lowest not in (near[0], second):
        lines.append(
            f"{lowest.configuration} draws the least power of them, "
            f"{watts(lowest.configuration.power_w)}."
            f"{_unsure(study.answers[0], lowest.configuration)}"
        )
    return lines


def _alternatives_of_many(study: ConfigurationStudy, share: str) -> list[str]:
    """Count the near-optimal configurations of each application, and name one of less power.

    Those that save most power come first.
    """
    several = [answer for answer in study.answers if len(answer.near_optimal) > 1]
    if not several:
        return [f"No application has another configuration within {share} of the best time."]
    several.sort(key=lambda answer: _least_power(answer).power_w / answer.best.power_w)
    lines = []
    for answer in several[: MOST_LINES - 1]:
        count, least = len(answer.near_optimal) - 1, _least_power(answer)
        near = f"{name(answer)}: {plural(count, 'other')} within {share}"
        if least.power_w < answer.best.power_w:
            slower = percent(least.time_s / answer.best.time_s - 1)
            saves = f"{least} draws least, {watts(least.power_w)}, and is {slower} slower"
            lines.append(f"{near}; {saves}.{_unsure(answer, least)}")
        else:
            none = "but it does not draw" if count == 1 else "none of them draws"
            lines.append(f"{near}, {none} less power.")
    unnamed, others = len(several) - len(lines), len(study.answers) - len(several)
    if unnamed:
        have = "has" if unnamed == 1 else "have"
        lines.append(f"{plural(unnamed, 'further application')} {have} one within {share}.")
    elif others:
        lines.append(f"{plural(others, 'other application')}: none within {share} of the best.")
    return lines


def _unsure(answer: ConfigurationAnswer, configuration: Configuration) -> str:
    """Warn of a configuration whose runs differ much; empty for others."""
    return " Its runs differ by more than 20 %." if answer.unsteady(configuration) else ""


def _least_power(answer: ConfigurationAnswer) -> Configuration:
    """Return the near-optimal configuration, besides the best one, that draws least."""
    others = (near.configuration for near in answer.near_optimal[1:])
    return min(others, key=lambda configuration: configuration.power_w)


def _limits(study: ConfigurationStudy) -> list[str]:
    if len(study.answers) > 1:
        return []
    answer = study.answers[0]
    at = study.question.bound.bound_w
    used = used_share(answer.best.power_w / at)
    of_bound = f"{used} of {bound(at)} is used; {watts(answer.unused_w)} stays unused"
    faster = bool((answer.table.time_s < answer.best.time_s).any())  # then only above the bound
    lines = [f"Power: {of_bound}." if faster else f"Power does not bind: {of_bound}."]
    if answer.best.nodes == int(answer.table.nodes.max()):
        made = "run or predicted" if answer.of_model else "run"
        lines.append(f"Nodes: {answer.best.nodes:,} is the largest count {made}.")
    return lines


def _robustness(study: ConfigurationStudy) -> list[str]:
    if len(study.answers) == 1:
        answer = study.answers[0]
        return [line for line in (_range(answer), risk_words(answer)) if line]
    lines = []
    over_bound = [
        answer.application for answer in study.answers
        if answer.risk is not None and answer.risk.runs_over_bound
    ]  # fmt: skip
    never = [answer.application for answer in study.answers if answer.risk is None]
    if over_bound:
        lines.append(f"Some runs of the best exceed the bound: {listed(over_bound)}.")
    elif len(never) < len(study.answers):
        lines.append("No run of any best configuration exceeds the bound.")
    lines += how_often([each.risk for each in study.answers if each.risk is not None])
    if never:
        lines.append(f"The best configuration was never run: {listed(never)}.")
    return lines


def _range(answer: ConfigurationAnswer) -> str:
    """State for which bounds the same configuration is the best."""
    curve = answer.curve
    at = int(np.searchsorted(curve.from_w, answer.question.bound.bound_w, side="right")) - 1
    if at < 0 or curve.winners[at] != answer.best:
        return ""
    low = watts(float(curve.from_w[at]))
    if at + 1 == len(curve.from_w):
        return f"It is the best at every bound from {low} on."
    return f"It is the best at bounds from {low} to {watts(float(curve.from_w[at + 1]))}."


def risk_words(answer: ConfigurationAnswer) -> str:
    """What the runs of the best say of the risk."""
    risk = answer.risk
    if risk is None:
        return "The best configuration was never run: its time and power are predicted."
    if risk.repetitions == 1:
        return "The best configuration was run once, so its variation is unknown."
    fastest, slowest = run_times(risk.best_s, risk.worst_s)
    broken = (
        f"{risk.runs_over_bound} drew more than the bound" if risk.runs_over_bound
        else "none drew more than the bound"
    )  # fmt: skip
    return (
        f"Its {risk.repetitions} runs took {spanned(fastest, slowest)}; {broken} (at most "
        f"{watts(risk.largest_power_w)})."
    )


def _assumptions(study: ConfigurationStudy) -> list[str]:
    guard = study.question.bound.guard
    lines = [
        power_assumption(study.power_counts),
        "One application runs at a time, with equal cores and cap on all nodes.",
    ]
    if study.measurements.simulated:
        lines.append(study.measurements.simulated_text)
    if guard:
        lines.append(f"A guard of {given(guard)} of the bound is kept free.")
    every, predicted = predictions(study.answers)
    if study.model and not predicted:
        nothing = f"the model {study.model} had nothing to predict"
        lines.append(f"All {every:,} configurations were run: {nothing}.")
    return lines


def _next_steps(study: ConfigurationStudy) -> list[str]:
    if any(answer.predicted for answer in study.answers):
        return ["Run the chosen configurations, then add these runs to the file and repeat this."]
    lines = []
    if len(study.answers) == 1:
        best = study.answers[0].chosen
        lines.append(
            f"Use {plural(best.nodes, 'node')} with {plural(best.cores_per_node, 'core')} each "
            f"and a cap of {best.package_cap_w:g} W per package."
        )
    else:
        lines.append("Run each application with the nodes, cores and cap of the table.")
    once = [a.application for a in study.answers if a.risk is not None and a.risk.repetitions == 1]
    if once:
        lines.append(f"Repeat the best configuration of {listed(once)} to learn its variation.")
    largest = [
        answer for answer in study.answers if answer.best.nodes == int(answer.table.nodes.max())
    ]
    pays = [answer.application for answer in largest if answer.degree.fastest_pays]
    flat = [answer.application for answer in largest if not answer.degree.fastest_pays]
    if pays:
        lines.append(f"Measure larger node counts for {listed(pays)}: the last nodes still pay.")
    if flat:
        least = given(study.question.least_gain)
        lines.append(
            f"Larger counts promise little for {listed(flat)}: the last nodes save less than "
            f"{least} each."
        )
    return lines


def compared(answer: ConfigurationAnswer) -> Table:
    """The best, the canonical configurations and the worst case, one row each."""
    rows = table_of(_COMPARED, answer.compared)
    for row, choice in zip(rows["rows"], answer.compared, strict=True):
        if choice.gain is not None and answer.unsteady(choice.configuration):
            row[_SPEEDUP] += "*"
    return rows


def _each(study: ConfigurationStudy) -> Table:
    other, other_s = other_run(study.question.repetition)
    columns = (
        ("Application", False), ("Best", False), ("Time", True), (other.capitalize(), True),
        ("Power", True), ("Unused power", True), ("Speed-up over packed-max", True),
        ("Speed-up over worst case", True),
    )  # fmt: skip
    selected = study.answers
    if len(selected) > _MOST_ROWS:
        selected = leading(study)[:_ROWS_OF_MORE]
    rows: list[tuple[str, ...]] = [
        (
            name(answer, 30),
            str(answer.best),
            *(
                (seconds(answer.best.time_s), DASH)
                if answer.risk is None
                else alike(answer.best.time_s, other_s(answer.risk))
            ),
            watts(answer.best.power_w),
            percent(answer.unused_w / answer.question.bound.bound_w),
            *(
                faster(answer.gain_over(baseline)) + ("*" if answer.unsteady(baseline) else "")
                for baseline in (answer.packed_max, answer.worst_case.configuration)
            ),
        )
        for answer in selected
    ]
    remaining = len(study.answers) - len(selected)
    if remaining:
        rows.append((f"and {remaining} more", *[""] * 7))
    return table(columns, (1.1, 1.25, 0.7, 0.7, 0.7, 0.7, 1.25, 1.25), rows)

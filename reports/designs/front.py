"""The first page of a comparison of designs, in the language of its scenario."""

from __future__ import annotations

from functools import partial
from typing import Any

from planner.designs import summary
from planner.designs.phrases import TEMPLATES, faster
from planner.designs.study import DesignStudy
from planner.designs.summary import node_titles
from planner.formatting import clipped, percent
from planner.phrases import counted, listed, phrase
from planner.stop_warning import time_warning
from reports.designs import tables
from reports.first_page import FirstPage
from reports.language import Language
from reports.numbers import fixed, shown, typed
from reports.skeleton import title_page

_t = partial(phrase, TEMPLATES)


def front(study: DesignStudy) -> dict[str, Any]:
    """What the title page shows."""
    language: Language = study.scenario.language
    stopped = time_warning(stopped=study.stopped_by_time, language=language)
    return title_page(
        study,
        study.scenario.title,
        study.scenario.name,
        description=study.scenario.description,
        first=FirstPage(
            reasons=_reasons(study, language),
            alternatives=_alternatives(study, language),
            risks=[*summary.warnings(study, language), *stopped],
            limits=_binding(study, language),
            robustness=_robustness(study, language),
            assumptions=_assumptions(study, language),
            next_steps=_next_steps(study, language),
            table=None if study.decision is None else tables.summary(study),
        ),
        decision=summary.headline(study, language),
        certificate=summary.certificate(study, language),
    )


def _reasons(study: DesignStudy, language: Language) -> list[str]:
    """Why the decision is as it is."""
    lines = []
    if study.decision is not None:
        first = study.overprovisioning[0]
        several = len(study.overprovisioning) > 1
        runner = _t(language, "the mean mix") if several else first.application
        ratio = fixed(study.decision.mix_speedup, 4)
        lines.append(_t(language, "speed", runner=runner, ratio=ratio))
        exceptions = summary.exceptions(study, language)
        lines += [exceptions] if exceptions else []
        lines.append(
            _t(
                language,
                "money buys",
                money=_money(study, language),
                nodes=f"{first.nodes_overprovisioned:,}",
                ratio=shown(first.cost_ratio, 4),
            )
        )
    if study.core_hour is not None:
        cost = study.core_hour
        lines.append(
            _t(
                language,
                "year",
                cost=shown(cost.total_per_year),
                currency=cost.currency,
                hours=shown(cost.core_hours_per_year),
            )
        )
    return lines


def _money(study: DesignStudy, language: Language) -> str:
    """The money of the worst-case design, with its racks if they are given."""
    question, case = study.scenario.overprovisioning, study.cases[0]
    nodes = study.overprovisioning[0].nodes_worst_case
    currency = tables.currency(study)
    if question is None:
        return _t(language, "same money")
    if question.cost_ratio_from == "racks" and case.racks is not None:
        money = float(case.racks.cost(nodes, case.racks.high_end))
        return _t(language, "money with racks", money=typed(money, currency))
    price = study.scenario.node_type(question.high_end).price
    if price is None:
        return _t(language, "same money")
    return _t(language, "money without racks", money=typed(nodes * price, currency))


def _alternatives(study: DesignStudy, language: Language) -> list[str]:
    """The other design, and the core-hour with the energy that is computed."""
    lines = []
    if study.decision is not None:
        first, (high_end, older) = study.overprovisioning[0], node_titles(study, language)
        other = f"{first.nodes_worst_case:,} x {high_end}"
        if study.decision.design == "worst-case":
            other = f"{first.nodes_overprovisioned:,} x {older}"
        speed = faster(study.decision.mix_speedup, language)
        lines.append(_t(language, "other design", other=other, faster=speed))
    cost = study.core_hour
    if cost is not None and cost.cost_per_core_hour_provisioned and cost.cost_per_core_hour_used:
        lines += [
            _t(language, name, cost=fixed(price, 6), currency=cost.currency)
            for name, price in (
                ("provisioned energy", cost.cost_per_core_hour_provisioned),
                ("used energy", cost.cost_per_core_hour_used),
            )
        ]
    return lines


def _binding(study: DesignStudy, language: Language) -> list[str]:
    """The power bound, and what it allows of each type."""
    if study.decision is None:
        return []
    first, case = study.overprovisioning[0], study.cases[0]
    high_end = counted(TEMPLATES, language, "high-end node", first.nodes_worst_case)
    older = counted(TEMPLATES, language, "older node", first.node_limit)
    bound, peak = typed(case.power_bound_w, "W"), typed(case.high_end_peak_w, "W")
    return [
        _t(language, "bound at peak", bound=bound, nodes=high_end, peak=peak),
        _t(language, "bound at idle", nodes=older),
    ]


def _robustness(study: DesignStudy, language: Language) -> list[str]:
    """What the other reading gives, and whether the programs agree with the closed form."""
    lines, decision = [], study.decision
    if decision is not None and decision.other_reading_mix_speedup is not None:
        effect = "reverses" if decision.turns_with_reading else "confirms"
        ratio = fixed(decision.other_reading_mix_speedup, 4)
        reading = decision.other_reading
        lines.append(_t(language, f"other reading {effect}", reading=reading, ratio=ratio))
    if study.designs:
        agree = sum(check.agrees for check in study.designs)
        levels = sorted({check.certificate.level.value for check in study.designs})
        names = listed([_t(language, level) for level in levels], language)
        lines.append(_t(language, "programs", agree=agree, total=len(study.designs), levels=names))
    if study.printed:
        agree = sum(row.agrees for row in study.printed)
        lines.append(_t(language, "published", agree=agree, total=len(study.printed)))
    return lines


def _assumptions(study: DesignStudy, language: Language) -> list[str]:
    """What the numbers rest on."""
    lines = []
    if study.decision is not None:
        r_p = typed(study.cases[0].performance_fraction)
        lines += [
            _t(language, "faster nodes", r_p=r_p),
            _t(language, "alone"),
            _t(language, "only acquisition"),
        ]
    if study.core_hour is not None and study.scenario.machine is not None:
        used = percent(study.scenario.machine.utilisation)
        lines.append(_t(language, "utilisation", used=used))
    return lines


def _next_steps(study: DesignStudy, language: Language) -> list[str]:
    """What to do now, and which data would make the answer sharper."""
    lines = []
    if study.decision is not None:
        guessed = [
            comparison
            for comparison in study.overprovisioning
            if {comparison.worst_case_origin, comparison.overprovisioned_origin} - {"measured"}
        ]
        if guessed:
            names = listed([clipped(each.application) for each in guessed[:3]], language)
            several = "measure run times" if guessed[3:] else "measure run time"
            lines.append(_t(language, several, names=names))
        if study.decision.turns_with_reading:
            lines.append(_t(language, "measure nodes"))
        lines.append(_t(language, "ask quotes"))
    if study.core_hour is not None:
        lines.append(_t(language, "check records"))
    return lines

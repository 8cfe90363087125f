"""The first page of a comparison of designs, in the language of its scenario."""

from __future__ import annotations

from functools import partial
from typing import Any

from planner.designs import summary
from planner.designs.phrases import TEMPLATES, faster, meaning, reading_text
from planner.designs.readings import Reading
from planner.designs.study import DesignStudy
from planner.designs.summary import node_titles
from planner.formatting import clipped, given, percent, run_times, telling
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
    page = title_page(
        study,
        study.scenario.title,
        study.scenario.name,
        description=study.scenario.description,
        first=FirstPage(
            reasons=_reasons(study, language),
            alternatives=_alternatives(study, language),
            risks=[
                *_readings(study, language, reverse=True),
                *summary.warnings(study, language),
                *stopped,
            ],
            limits=_binding(study, language),
            robustness=_robustness(study, language),
            assumptions=_assumptions(study, language),
            next_steps=_next_steps(study, language),
            table=tables.core_hour(study) if study.decision is None else tables.summary(study),
        ),
        decision=summary.headline(study, language),
        certificate=_certificate(study, language),
    )
    moved = "assumptions" if study.decision is None else "limits"  # for columns of like height
    limits = [part for part in page["right"] if part["name"] == moved]
    others = [part for part in page["right"] if part["name"] != moved]
    return page | {"left": page["left"] + limits, "right": others}


def readings(study: DesignStudy) -> tuple[Reading, ...]:
    """The other readings of the inputs; none without a decision."""
    return () if study.decision is None else study.decision.readings


def _readings(study: DesignStudy, language: Language, *, reverse: bool) -> list[str]:
    """What those say that reverse the decision, or those that do not."""
    return [
        reading_text(reading, study.cases[0], study.overprovisioning, language)
        for reading in readings(study)
        if reading.reverses is reverse
    ]


def _certificate(study: DesignStudy, language: Language) -> str:
    """How clear the decision is; the risks name what reverses it."""
    decision, every = study.decision, readings(study)
    if decision is None:
        return ""
    notes = [_t(language, "narrow")] if decision.narrow else []
    reverse = sum(reading.reverses for reading in every)
    if not decision.clear:
        notes.append(_t(language, "see risks"))
    elif reverse:
        name = "readings reverse" if reverse == 1 else "readings reverses"
        notes.append(_t(language, name, n=reverse, total=len(every)))
    return " ".join(notes)


def _reasons(study: DesignStudy, language: Language) -> list[str]:
    """Why the decision is as it is."""
    lines = []
    if study.decision is not None:
        first = study.overprovisioning[0]
        several = len(study.overprovisioning) > 1
        runner = _t(language, "the mean mix") if several else first.application
        lines.append(
            _t(
                language,
                "speed",
                runner=runner,
                ratio=fixed(study.decision.mix_speedup, 4),
                older=counted(TEMPLATES, language, "older node", first.nodes_overprovisioned),
                high_end=counted(TEMPLATES, language, "high-end node", first.nodes_worst_case),
            )
        )
        if not several:
            worst_case, older = run_times(first.time_worst_case_s, first.time_overprovisioned_s)
            lines.append(
                _t(
                    language,
                    "times",
                    application=first.application,
                    worst_case=worst_case,
                    overprovisioned=older,
                )
            )
        lines.append(_ratio(study, language))
    machine = study.scenario.machine
    if study.core_hour is not None and machine is not None:
        cost = study.core_hour
        lines.append(
            _t(
                language,
                "year",
                cost=shown(cost.total_per_year),
                currency=cost.currency,
                hours=shown(cost.core_hours_per_year),
                cores=shown(machine.cores),
                used=percent(machine.utilisation),
            )
        )
    return lines


def _ratio(study: DesignStudy, language: Language) -> str:
    """The cost ratio that the plan uses, and where it comes from."""
    question = study.scenario.overprovisioning
    ratio = fixed(study.overprovisioning[0].cost_ratio, 3)
    if question is None or question.cost_ratio_from == "racks":
        return _t(language, "ratio of racks", ratio=ratio)
    return _t(language, "ratio given", ratio=ratio, source=tables.short_source(question.source))


def _alternatives(study: DesignStudy, language: Language) -> list[str]:
    """The other design with the largest gain and loss, if there are several applications."""
    compared = study.overprovisioning
    if study.decision is None or len(compared) == 1:
        return []
    high_end, older = node_titles(study, language)
    ranked = sorted(compared, key=lambda each: each.speedup)
    other, design = f"{compared[0].nodes_overprovisioned:,} x {older}", "overprovisioned"
    if study.decision.design == "overprovisioned":
        other, design = f"{compared[0].nodes_worst_case:,} x {high_end}", "worst-case"
        ranked.reverse()
    loss, gain = (
        f"{clipped(each.application)} {faster(each.speedup, language)}"
        for each in (ranked[0], ranked[-1])
    )
    gains = ranked[-1].beneficial != (study.decision.design == "overprovisioned")
    name = "gain and loss" if gains else "loss only"
    named, own = _t(language, design), _t(language, study.decision.design)
    return [_t(language, name, design=named, other=other, gain=gain, loss=loss, own=own)]


def _binding(study: DesignStudy, language: Language) -> list[str]:
    """What the power bound allows of high-end nodes, and what ends the count of older ones."""
    if study.decision is None:
        return []
    first, case = study.overprovisioning[0], study.cases[0]
    high_end = counted(TEMPLATES, language, "high-end node", first.nodes_worst_case)
    nodes = counted(TEMPLATES, language, "older node", first.nodes_overprovisioned)
    bound, peak = typed(case.power_bound_w, "W"), typed(case.high_end_peak_w, "W")
    by_power = first.nodes_overprovisioned == first.node_limit
    limit = int(first.cost_worst_case + 1e-9) if by_power else first.node_limit
    name = "power binds" if by_power else "money binds"
    return [
        _t(language, "bound at peak", bound=bound, nodes=high_end, peak=peak),
        _t(language, name, high_end=high_end, nodes=nodes, limit=f"{limit:,}"),
    ]


def _robustness(study: DesignStudy, language: Language) -> list[str]:
    """Readings that change nothing, the power billed, programs, and published numbers."""
    lines = _readings(study, language, reverse=False) + _bills(study, language)
    if study.designs:
        agree = sum(check.agrees for check in study.designs)
        levels = sorted({check.certificate.level.value for check in study.designs})
        names = listed([_t(language, level) for level in levels], language)
        lines.append(_t(language, "programs", agree=agree, total=len(study.designs), levels=names))
    if study.printed:
        others = [row for row in study.printed if not row.agrees]
        counts = {"agree": len(study.printed) - len(others), "total": len(study.printed)}
        if len(others) == 1:
            (row,) = others
            numbers = {"printed": typed(row.printed), "ours": shown(row.ours, 5)}
            quantity = tables.quantity(row.quantity, tables.currency(study))
            lines.append(_t(language, "one differs", quantity=quantity, **numbers, **counts))
        else:
            lines.append(_t(language, "published", **counts))
    return lines


def _bills(study: DesignStudy, language: Language) -> list[str]:
    """What a core-hour costs with the energy of the provisioned and of the used power."""
    cost, machine = study.core_hour, study.scenario.machine
    if cost is None or machine is None:
        return []
    bills = (
        ("provisioned", machine.power_provisioned_w, cost.cost_per_core_hour_provisioned),
        ("used", machine.power_used_w, cost.cost_per_core_hour_used),
    )
    return [
        _t(
            language,
            f"{name} bill",
            power=tables.power(power_w),
            cost=telling(price, 3),
            currency=cost.currency,
        )
        for name, power_w, price in bills
        if power_w is not None and price is not None
    ]


def _assumptions(study: DesignStudy, language: Language) -> list[str]:
    """What the numbers rest on."""
    lines = []
    if study.decision is not None:
        case = study.cases[0]
        gain = given(case.performance_fraction)
        lines += [
            _t(language, "faster nodes", gain=gain, reading=meaning(case, language)),
            _t(language, "alone"),
            _t(language, "only acquisition"),
        ]
    if study.core_hour is not None and study.scenario.machine is not None:
        used, cost = percent(study.scenario.machine.utilisation), study.core_hour
        lines.append(_t(language, "utilisation", used=used))
        if study.scenario.budget is not None:
            years = typed(study.scenario.budget.lifetime_years)
            lines.append(_t(language, "written off", years=years))
        if cost.energy_stated and study.decision is None:
            energy = shown(cost.energy_per_year)
            lines.append(_t(language, "stated energy", energy=energy, currency=cost.currency))
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
            gain = given(study.cases[0].performance_fraction)
            lines.append(_t(language, "measure nodes", gain=gain))
        lines.append(_t(language, "ask quotes"))
    if study.core_hour is not None:
        lines.append(_t(language, "check records"))
    return lines

"""The best score under each power regime: what overprovisioning gains, and over what."""

from __future__ import annotations

import math

from matplotlib.figure import Figure

from planner.formatting import capitalised, money
from planner.procurement import summary
from planner.procurement.findings import gain_words, gains, undecided
from planner.procurement.gains import gain
from planner.procurement.outcome import Outcome
from planner.procurement.study import ProcurementStudy
from planner.procurement.summary import SAME_MONEY
from reports.language import Language
from reports.numbers import fixed
from reports.style import Picture, draw, look

_UNDECIDED = {"en": "not decided in time", "de": "nicht rechtzeitig entschieden"}
_NO_PLAN = {"en": "no plan", "de": "kein Plan"}
_ALTERNATIVE = {
    "en": "Score of the best plan under each power regime, by bars",
    "de": "Bewertung des besten Plans je Art, die Leistung auszulegen, als Balken",
}


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if any regime has a plan."""
    if not any(outcome.plan for outcome in study.regimes.values()):
        return []
    language = study.scenario.language
    values = zip(_bars(study), study.regimes.values(), strict=True)
    listed = "; ".join(
        f"{name} {_value(score, regime, language)}" for (name, score, _), regime in values
    )
    alternative = f"{_ALTERNATIVE[language]}: {listed}."
    return [
        draw(
            "regimes", "01-regimes", _title(study, language), alternative, (6.6, 1.0),
            lambda figure: _paint(figure, study),
        )
    ]  # fmt: skip


def _title(study: ProcurementStudy, language: Language) -> str:
    """What overprovisioning gains, in the language of the first page."""
    if language == "en":
        return gains(study) + _cheaper(study, language)
    ours = summary.regime_name("overprovisioned", language)
    if study.regimes["overprovisioned"].plan is None:
        missing = _value(0.0, study.regimes["overprovisioned"], language)
        return f"{ours}: {missing}"
    parts = []
    for name in study.regimes:
        if name == "overprovisioned":
            continue
        regime_gain, other = gain(study.regimes, name), summary.regime_name(name, language)
        if regime_gain is None:
            parts.append(f"{other}: {_value(0.0, study.regimes[name], language)}")
        elif not regime_gain.sign:
            parts.append(f"nichts Sicheres gegenüber {other}")
        else:
            more = "mehr" if regime_gain.sign > 0 else "weniger"
            parts.append(f"{gain_words(regime_gain.value)} {more} als {other}")
    return f"{ours} bringt {'; '.join(parts)}{_cheaper(study, language)}"


def _cheaper(study: ProcurementStudy, language: Language) -> str:
    """How much less or more the other machines cost, where they do not cost the same."""
    ours, parts = study.regimes["overprovisioned"].plan, []
    if ours is None:
        return ""
    capital, currency = ours.bill.capital, study.problem.prices.currency
    for name, outcome in study.regimes.items():
        plan, regime_gain = outcome.plan, gain(study.regimes, name)
        if plan is None or name == "overprovisioned" or not (regime_gain and regime_gain.sign):
            continue
        saved = capital - plan.bill.capital
        if abs(saved) > SAME_MONEY * capital:
            regime = summary.regime_name(name, language)
            template = _DIFFERENCE[language]["less" if saved > 0 else "more"]
            parts.append(template.format(regime=regime, money=money(abs(saved), currency)))
    return "".join(f"; {part}" for part in parts)


_DIFFERENCE = {
    "en": {
        "less": "the machine with {regime} costs {money} less",
        "more": "the machine with {regime} costs {money} more",
    },
    "de": {
        "less": "die Maschine mit {regime} kostet {money} weniger",
        "more": "die Maschine mit {regime} kostet {money} mehr",
    },
}


def _bars(study: ProcurementStudy) -> list[tuple[str, float, float | None]]:
    """Name, score and bound of each regime; a score of 0 where there is no plan."""
    return [
        (
            capitalised(summary.regime_name(name, study.scenario.language)),
            outcome.plan.score if outcome.plan else 0.0,
            math.exp(outcome.bound) if outcome.plan and outcome.bound is not None else None,
        )
        for name, outcome in study.regimes.items()
    ]


def _value(score: float, outcome: Outcome, language: Language) -> str:
    if outcome.plan is None:
        return (_UNDECIDED if undecided(outcome) else _NO_PLAN)[language]
    return fixed(score, 3)


def _paint(figure: Figure, study: ProcurementStudy) -> None:
    axes = figure.subplots()
    bars = _bars(study)
    for row, ((_, score, bound), regime) in enumerate(
        zip(bars, study.regimes.values(), strict=True)
    ):
        colour, hatch = look(row)
        axes.barh(row, score, color=colour, hatch=hatch, edgecolor="white", height=0.68)
        if bound is not None and bound > score * 1.002:
            axes.plot([score, bound], [row, row], color="black", marker="|", linewidth=1.2)
        axes.annotate(
            _value(score, regime, study.scenario.language), (max(score, bound or 0.0), row),
            xytext=(5, 0), textcoords="offset points", va="center",
        )  # fmt: skip
    axes.set_yticks(range(len(bars)), [name for name, _, _ in bars])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.14 * max(max(score, bound or 0.0) for _, score, bound in bars))
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(summary.score_axis(study.scenario.language))

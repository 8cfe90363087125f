"""What must grow, and by how much, before there is a plan."""

from __future__ import annotations

from matplotlib.figure import Figure

from planner.formatting import capitalised, percent
from planner.procurement.infeasible import score_words, way_words
from planner.procurement.repairs import Repair
from planner.procurement.study import ProcurementStudy
from reports.style import BLUE, GREY, ORANGE, Picture, draw, rows_high
from reports.units import RESOURCES, amount


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if there is a repair to show."""
    rows = _rows(study)
    if not rows:
        return []
    best, useful, currency = cheapest(study), _least(study, useful=True), _currency(study)
    parts = [_with_more(best, currency)] if best is not None else []
    if useful is not None:
        parts.append(f"a machine as good as the reference needs {repair_words(useful, currency)}")
    title = capitalised("; ".join(parts))
    listed = "; ".join(
        f"{' '.join(name.split())} from {now} to {then}" for name, now, then, _, _ in rows
    )
    return [
        draw(
            "repairs", "01-repairs", title,
            f"Resources as they are and as the repair needs them: {listed}.",
            (6.6, rows_high(len(rows), 0.55, 1.0)), lambda figure: _paint(figure, rows),
        )
    ]  # fmt: skip


def finding(study: ProcurementStudy) -> str:
    """What a useful machine needs, or the cheapest repair, or the first way without one."""
    currency = study.problem.prices.currency
    best, useful = cheapest(study), _least(study, useful=True)
    if useful is not None:
        return f"A machine as good as the reference needs {repair_words(useful, currency)}"
    if best is not None:
        return _with_more(best, currency)
    ways = study.diagnosis.ways if study.diagnosis else ()
    if ways:
        words = way_words(study.problem, ways[0])
        return f"{words} would allow a plan"
    return "No change of resources or rules that was tried allows a plan"


def _with_more(repair: Repair, currency: str) -> str:
    return f"A plan exists with {repair_words(repair, currency)}"


def cheapest(study: ProcurementStudy) -> Repair | None:
    """The repair of the least cost; where none is priced, the least relative growth."""
    return _least(study, useful=False)


def _least(study: ProcurementStudy, *, useful: bool) -> Repair | None:
    if study.diagnosis is None:
        return None
    repairs = study.diagnosis.useful if useful else study.diagnosis.repairs
    limits = study.problem.limits

    def order(repair: Repair) -> tuple[bool, float]:
        growth = sum(value / max(getattr(limits, name), 1e-9) for name, value in repair.added)
        return repair.cost is None, growth if repair.cost is None else repair.cost

    return min(repairs, key=order, default=None)


def repair_words(repair: Repair, currency: str) -> str:
    """What a repair adds, in words."""
    parts = [
        f"{amount(name, value, currency, 'up')} more"
        + ("" if name == "racks" else f" {RESOURCES[name]}")
        for name, value in repair.added
    ]
    return " and ".join(parts) or "nothing more"


def _currency(study: ProcurementStudy) -> str:
    return study.problem.prices.currency


def _rows(study: ProcurementStudy) -> list[tuple[str, str, str, float, float]]:
    """Per resource of each repair: name, now, then, growth as a fraction, and the score then."""
    result, currency, diagnosis = [], _currency(study), study.diagnosis
    every = (*diagnosis.useful, *diagnosis.repairs) if diagnosis else ()
    useful = len(diagnosis.useful) if diagnosis else 0
    for repair_index, repair in enumerate(every, 1):
        for name, added in repair.added:
            now = getattr(study.problem.limits, name)
            pair = f" (repair {repair_index})" if len(repair.added) > 1 else ""
            if useful:
                pair += ":\nas good as\nthe reference" if repair_index <= useful else ":\nany plan"
            result.append(
                (
                    RESOURCES[name] + pair,
                    amount(name, now, currency),
                    amount(name, now + added, currency, "up"),
                    added / now if now else 0.0,
                    repair.plan.score,
                )
            )
    return result


def _paint(figure: Figure, rows: list[tuple[str, str, str, float, float]]) -> None:
    axes = figure.subplots()
    for row, (_, now, then, growth, score) in enumerate(rows):
        axes.barh(row, 100, color=BLUE, height=0.55, edgecolor="white")
        axes.barh(row, 100 * growth, left=100, color=ORANGE, hatch="//", height=0.55,
                  edgecolor="white")  # fmt: skip
        axes.annotate(
            f"{now} to {then} ({percent(growth, 'up', signed=True)})\n"
            f"score then {score_words(score)}",
            (100 * (1 + growth), row), xytext=(5, 0), textcoords="offset points", va="center",
            fontsize=8,
        )  # fmt: skip
    axes.axvline(100, color=GREY, linewidth=1.0)
    axes.set_yticks(range(len(rows)), [row[0] for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, 1.4 * (100 + 100 * max(row[3] for row in rows)))
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("% of the present limit; hatched: what must be added")

"""Cost, score and power of plans that no other found dominates."""

from __future__ import annotations

from matplotlib.figure import Figure

from planner.procurement.plane import ParetoPoint
from planner.procurement.study import ProcurementStudy
from reports.figures.style import ORANGE, Picture, draw
from reports.numbers import fixed
from reports.units import money, power

_SMALL, _LARGE = 26.0, 190.0
_NEAR = 0.05  # of both axes together
_MOST_LABELS = 30


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if there is a front of at least two plans."""
    points = study.pareto
    if len(points) < 2:
        return []
    listed = "; ".join(
        f"{place}: {money(p.capital, study.problem.prices.currency)}, {fixed(p.score, 3)}, "
        f"{power(p.it_power_w)}"
        for place, p in enumerate(points, 1)
    )
    return [
        draw(
            "pareto", "10-pareto", finding(study),
            f"Capital, score and IT power of undominated plans. {listed}.", (6.8, 3.3),
            lambda figure: _paint(figure, study),
        )
    ]  # fmt: skip


def finding(study: ProcurementStudy) -> str:
    """From the smallest to the largest plan of the front."""
    low = min(study.pareto, key=lambda point: point.score)
    high = max(study.pareto, key=lambda point: point.score)
    currency = study.problem.prices.currency
    return (
        f"From score {fixed(low.score, 2)} for {money(low.capital, currency)} at "
        f"{power(low.it_power_w)} to {fixed(high.score, 2)} for {money(high.capital, currency)} "
        f"at {power(high.it_power_w)}: {len(study.pareto)} plans that no other found dominates"
    )


def _paint(figure: Figure, study: ProcurementStudy) -> None:
    axes = figure.subplots()
    points = study.pareto
    watts = [point.it_power_w for point in points]
    least, span = min(watts), (max(watts) - min(watts)) or 1.0
    sizes = [_SMALL + (_LARGE - _SMALL) * (w - least) / span for w in watts]
    drawn = axes.scatter(
        [p.capital / 1e6 for p in points], [p.score for p in points], s=sizes,
        c=[w / 1e6 for w in watts], cmap="cividis", edgecolors="black", linewidths=0.6, zorder=3,
    )  # fmt: skip
    _number(figure, points)
    if study.plan is not None:
        axes.plot(
            [study.plan.bill.capital / 1e6], [study.plan.score], "D", ms=13, color="none",
            markeredgecolor=ORANGE, markeredgewidth=2.0, zorder=4, label="the decision",
        )  # fmt: skip
        axes.legend(loc="lower right")
    axes.set_xlabel(f"capital (million {study.problem.prices.currency})")
    axes.set_ylabel("score S (reference machine = 1)")
    axes.margins(0.07)
    figure.colorbar(drawn, ax=axes, label="IT power (MW); also by size")


def _number(figure: Figure, points: tuple[ParetoPoint, ...]) -> None:
    """Numbers as in the table, one label for points that lie on each other."""
    axes = figure.axes[0]
    wide = max(p.capital for p in points) - min(p.capital for p in points) or 1.0
    high = max(p.score for p in points) - min(p.score for p in points) or 1.0
    groups: list[list[int]] = []
    for place, point in enumerate(points):
        for group in groups:
            near = points[group[0]]
            apart = abs(point.capital - near.capital) / wide + abs(point.score - near.score) / high
            if apart < _NEAR:
                group.append(place)
                break
        else:
            groups.append([place])
    for group in groups[:_MOST_LABELS]:
        first = points[group[0]]
        label = ", ".join(str(place + 1) for place in group[:4]) + ("…" if len(group) > 4 else "")
        axes.annotate(
            label, (first.capital / 1e6, first.score), xytext=(0, 8), ha="center", va="bottom",
            textcoords="offset points", fontsize=7,
        )  # fmt: skip

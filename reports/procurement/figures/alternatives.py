"""Nearly as good, and as different as can be: shares of spend per plan."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from planner.formatting import percent
from planner.procurement.alternatives import spending
from planner.procurement.findings import labels
from planner.procurement.plan import Plan
from planner.procurement.study import ProcurementStudy
from reports.style import Picture, draw, look, rows_high


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if alternatives were found."""
    if study.plan is None or not study.alternatives:
        return []
    plans = [("optimum", study.plan)] + [
        (
            f"alternative {alternative_index}\n({percent(-alternative.given_up, signed=True)})",
            alternative.plan,
        )
        for alternative_index, alternative in enumerate(study.alternatives, 1)
    ]
    listed = "; ".join(
        f"{name.split(chr(10))[0]}: "
        + ", ".join(f"{label} {percent(share)}" for label, share in _shares(study, plan))
        for name, plan in plans
    )
    return [
        draw(
            "alternatives", "07-alternatives", finding(study),
            f"Shares of the money for nodes, by stacked bars. {listed}.",
            (6.8, rows_high(len(plans), 0.5, 1.2)), lambda figure: _paint(figure, study, plans),
        )
    ]  # fmt: skip


def finding(study: ProcurementStudy) -> str:
    """How much money can go elsewhere for how little performance."""
    far = max(study.alternatives, key=lambda alternative: alternative.distance)
    return (
        f"{percent(far.distance)} of the money for nodes can go to other types for "
        f"{percent(far.given_up)} of the score"
        if far.given_up > 1e-9
        else f"{percent(far.distance)} of the money for nodes can go to other types at no loss of "
        "score"
    )


def _shares(study: ProcurementStudy, plan: Plan) -> list[tuple[str, float]]:
    spent = spending(study.problem, plan)
    total = sum(spent) or 1.0
    pairs = zip(labels(study.problem, 26), spent, strict=True)
    return [(label, money / total) for label, money in pairs if money > 0]


def _paint(figure: Figure, study: ProcurementStudy, plans: list[tuple[str, Plan]]) -> None:
    axes = figure.subplots()
    order = list(dict.fromkeys(label for _, p in plans for label, _ in _shares(study, p)))
    for row, (_, plan) in enumerate(plans):
        left_edge = 0.0
        for label, share in _shares(study, plan):
            colour, hatch = look(order.index(label))
            axes.barh(row, 100 * share, left=left_edge, color=colour, hatch=hatch, height=0.62,
                      edgecolor="white")  # fmt: skip
            if share > 0.06:
                axes.text(left_edge + 50 * share, row, percent(share), ha="center", va="center",
                          fontsize=8, bbox={"facecolor": "white", "edgecolor": "none",
                                              "pad": 1.2, "alpha": 0.85})  # fmt: skip
            left_edge += 100 * share
    axes.set_yticks(range(len(plans)), [name for name, _ in plans])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.grid(visible=False)
    axes.set_xlabel("share of the money for nodes (%); in brackets: difference in score")
    patches = [
        Patch(facecolor=look(label_index)[0], hatch=look(label_index)[1], edgecolor="white",
              label=label)
        for label_index, label in enumerate(order)
    ]  # fmt: skip
    figure.legend(handles=patches[:12], loc="outside upper left", ncols=3)

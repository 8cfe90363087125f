"""Who wins over the whole range of each evaluation weight."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from planner.formatting import clipped, percent, percent_range
from planner.procurement.ranking import Ranking, Reversal
from planner.procurement.study import ProcurementStudy
from reports.style import Picture, draw, look, rows_high

_ALL = 1 - 1e-9


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if offers were ranked."""
    ranking = study.ranking
    if ranking is None or len(ranking.candidates) == 1:
        return []
    listed = "; ".join(_words(reversal) for reversal in ranking.reversals)
    return [
        draw(
            "ranking", "05-ranking", finding(ranking),
            f"Winner over the weight of each criterion from 0 to 100 %: {listed}.",
            (6.6, rows_high(len(ranking.reversals), 0.36, 0.95)),
            lambda figure: _paint(figure, ranking),
        )
    ]  # fmt: skip


def label(name: str) -> str:
    """A candidate as a reader knows it."""
    return "recommended plan" if name == "optimum" else name


def finding(ranking: Ranking) -> str:
    """The nearest weight at which the winner changes."""
    winner = clipped(label(ranking.candidates[0].name), 40)
    if len(ranking.candidates) == 1:
        return f"Nothing competes with the {winner}: no quoted system meets all requirements"
    turns = []
    for reversal in ranking.reversals:
        if reversal.stays_to < _ALL:
            where = percent(reversal.stays_to, "down", places=1)
            turns.append((reversal.stays_to - reversal.weight, reversal.criterion, "above", where))
        if reversal.stays_from > 1 - _ALL:
            where = percent(reversal.stays_from, "up", places=1)
            turns.append(
                (reversal.weight - reversal.stays_from, reversal.criterion, "below", where)
            )
    if not turns:
        return f"The winner ({winner}) stays first for any weight of a single criterion"
    _, criterion, side, where = min(turns)
    text = f"The winner ({winner}) stays first unless the weight of {criterion} is {side} {where}"
    if len(turns) == 1:
        return text
    return f"{text}; {'another weight' if len(turns) == 2 else 'other weights'} can change it, too"


def _words(reversal: Reversal) -> str:
    return f"{reversal.criterion} (now {percent(reversal.weight)}) " + ", ".join(
        f"{label(name)} from {_ends(low, high)}" for low, high, name in reversal.winners
    )


def _ends(low: float, high: float) -> str:
    """A range of weights, with the decimals that tell its ends apart."""
    texts = (percent_range(low, high, places=places, outward=False) for places in range(6))
    return next((text for text in texts if " to " in text), f"{percent(low)} to {percent(high)}")


def _paint(figure: Figure, ranking: Ranking) -> None:
    axes = figure.subplots()
    every = [name for reversal in ranking.reversals for _, _, name in reversal.winners]
    names = list(dict.fromkeys([ranking.candidates[0].name, *every]))
    for row, shift in enumerate(ranking.reversals):
        for low, high, name in shift.winners:
            colour, hatch = look(names.index(name))
            axes.barh(row, 100 * (high - low), left=100 * low, color=colour, hatch=hatch,
                      height=0.6, edgecolor="white")  # fmt: skip
            if low > 0:
                axes.annotate(
                    percent(low, places=1), (100 * low, row), xytext=(3, 0), va="center",
                    textcoords="offset points", fontsize=8,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.2},
                )  # fmt: skip
        axes.plot([100 * shift.weight], [row], "D", color="white", markeredgecolor="black", ms=7)
    axes.set_yticks(
        range(len(ranking.reversals)),
        [
            f"{reversal.criterion}\n(now {percent(reversal.weight)})"
            for reversal in ranking.reversals
        ],
    )
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.grid(visible=False)
    axes.set_xlabel("weight of the criterion (%); the others keep their proportions")
    patches = [
        Patch(facecolor=look(name_index)[0], hatch=look(name_index)[1], edgecolor="white",
              label=clipped(label(name), 30))
        for name_index, name in enumerate(names)
    ]  # fmt: skip
    figure.legend(handles=patches[:9], loc="outside upper left", ncols=3)

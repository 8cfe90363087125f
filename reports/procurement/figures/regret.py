"""Monte Carlo: what the decision gives up when everything uncertain varies at once."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from planner.formatting import percent
from planner.procurement.sensitivity import MonteCarlo, quantiles
from planner.procurement.study import ProcurementStudy
from reports.style import BLUE, ORANGE, VERMILLION, Picture, draw


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if cases were simulated."""
    simulation = study.monte_carlo
    if simulation is None or not simulation.regrets:
        return []
    middle, high, top = quantiles(simulation.regrets)
    alternative = (
        f"Share of {simulation.draws} simulated cases (seed {simulation.seed}) "
        f"with at most a given regret: "
        f"median {percent(middle)}, 90th percentile {percent(high)}, 99th {percent(top)}, "
        f"largest {percent(max(simulation.regrets))}."
    )
    return [
        draw(
            "regret", "12-regret", finding(simulation), alternative, (6.6, 2.7),
            lambda figure: _paint(figure, simulation),
        )
    ]  # fmt: skip


def finding(simulation: MonteCarlo) -> str:
    """How often the decision holds, and what it costs to keep it."""
    text = f"Simulated: the decision holds in {percent(simulation.same_types)} "
    text += f"of {simulation.draws} cases"
    if simulation.broken:
        text += f" and breaks a rule in {percent(simulation.broken)}"
    if simulation.without_plan:
        text += f"; in {percent(simulation.without_plan)} no plan was found"
    if not simulation.regrets:
        return text
    middle, high, _ = quantiles(simulation.regrets)
    return f"{text}; the median regret is {percent(middle)}, the 90th percentile {percent(high)}"


def _paint(figure: Figure, simulation: MonteCarlo) -> None:
    axes = figure.subplots()
    regrets = 100 * np.sort(simulation.regrets)
    share = 100 * np.arange(1, len(regrets) + 1) / len(regrets)
    axes.step(np.r_[0, regrets], np.r_[0, share], where="post", color=BLUE, linewidth=1.8)
    axes.plot(regrets, np.full(len(regrets), -4.0), "|", color=BLUE, ms=6, markeredgewidth=0.7)
    middle, high, _ = quantiles(simulation.regrets)
    for value, name, colour, style in (
        (middle, "median", ORANGE, "-"), (high, "90th percentile", VERMILLION, (0, (5, 2))),
    ):  # fmt: skip
        axes.axvline(100 * value, color=colour, linewidth=1.4, linestyle=style,
                     label=f"{name} {percent(value)}")  # fmt: skip
    axes.set_ylim(-8, 104)
    axes.set_xlim(left=min(0.0, float(regrets[0])))
    axes.set_xlabel("regret: score given up by keeping the decision (%), simulated")
    axes.set_ylabel(f"share of {simulation.draws} cases (%)")
    figure.legend(loc="outside upper left", ncols=2)

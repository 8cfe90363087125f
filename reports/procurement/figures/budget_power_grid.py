"""Where overprovisioning pays: its gain over the whole grid of budget and power."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.formatting import money, percent, percent_range, power, power_unit, telling
from planner.procurement.budget_power_grid import Cell
from planner.procurement.study import ProcurementStudy
from reports.style import ORANGE, Picture, draw

_PANELS: tuple[tuple[str, Callable[[Cell], float | None]], ...] = (
    ("over worst-case provisioning", lambda cell: cell.gain),
    ("over static caps", lambda cell: cell.gain_over_static),
)


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture of two panels, if the grid was computed."""
    if not study.cells:
        return []
    currency = study.problem.prices.currency
    largest = max(cell.it_power_w for cell in study.cells)
    listed = "; ".join(
        f"{money(cell.capital, currency)} and {power(cell.it_power_w, like=largest)}: "
        + (percent(cell.gain) if cell.gain is not None else "no plan found to compare with")
        for cell in study.cells
    )
    return [
        draw(
            "budget-power-grid", "09-budget-power-grid", finding(study),
            f"Gain of overprovisioning over worst-case provisioning by budget and power. {listed}.",
            (7.0, 3.3), lambda figure: _paint(figure, study),
        )
    ]  # fmt: skip


def finding(study: ProcurementStudy) -> str:
    """Over what range the gain goes, and where it is largest."""
    gains = [(cell.gain, cell) for cell in study.cells if cell.gain is not None]
    if not gains:
        return "No worst-case provisioned plan was found for comparison"
    minimum, maximum = min(g for g, _ in gains), max(g for g, _ in gains)
    if maximum < 0.001:
        return "Overprovisioning gains nothing for any budget and power tried"
    where = max(gains, key=lambda pair: pair[0])[1]
    gain = percent_range(max(minimum, 0.0), maximum, outward=False)
    return (
        f"Overprovisioning gains {'from ' if ' to ' in gain else ''}{gain} over "
        f"worst-case provisioning, most at {money(where.capital, study.problem.prices.currency)} "
        f"and {power(where.it_power_w, like=max(cell.it_power_w for cell in study.cells))}"
    )


def _paint(figure: Figure, study: ProcurementStudy) -> None:
    budgets = sorted({cell.capital for cell in study.cells})
    powers = sorted({cell.it_power_w for cell in study.cells})
    panels = figure.subplots(1, 2, sharey=True)
    gains = [value for cell in study.cells for _, of in _PANELS if (value := of(cell)) is not None]
    top = 100 * max([0.01, *gains])
    for axes, (name, gain) in zip(panels, _PANELS, strict=True):
        values = np.full((len(powers), len(budgets)), np.nan)
        for cell in study.cells:
            regime_gain = gain(cell)
            if regime_gain is not None:
                index = powers.index(cell.it_power_w), budgets.index(cell.capital)
                values[index] = 100 * regime_gain
        _panel(axes, values, top)
        axes.set_title(f"gain {name} (%)", loc="left")
        axes.set_xticks(range(len(budgets)), [telling(b / 1e6, 3) for b in budgets])
        axes.set_xlabel(f"budget (million {study.problem.prices.currency})")
        limits = study.problem.limits
        axes.plot(
            [np.interp(limits.capital, budgets, range(len(budgets)))],
            [np.interp(limits.it_power_w, powers, range(len(powers)))],
            "s", ms=30 if len(budgets) <= 6 else 22, color="none", markeredgecolor=ORANGE,
            markeredgewidth=2.2,
        )  # fmt: skip
    unit, watts = power_unit(powers)
    panels[0].set_yticks(range(len(powers)), [telling(p / watts, 3) for p in powers])
    panels[0].set_ylabel(f"IT power ({unit})")


def _panel(axes: Axes, values: np.ndarray, top: float) -> None:
    masked = np.ma.masked_invalid(values)
    axes.imshow(masked, cmap="Blues", vmin=0, vmax=1.3 * top, aspect="auto", origin="lower")
    for (row, column), value in np.ndenumerate(values):
        axes.text(
            column, row, _text(value), ha="center", va="center", fontsize=8,
            color="white" if value > 0.75 * top else "black",
        )  # fmt: skip
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _text(value: float) -> str:
    if np.isnan(value):
        return "none"
    text = f"{value:.{1 if abs(value) < 9.95 else 0}f}"
    return "0.0" if text == "-0.0" else text

"""How far repetitions of the same configuration lie apart."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from planner.configurations.repeats import Repeats
from planner.configurations.study import ConfigurationStudy
from planner.formatting import clipped, percent
from reports.style import PALETTE, Picture, draw

_STYLES = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)))
_MOST_LINES = 7
_LEAST = 1e-4
"""Below a hundredth of a per cent two runs count as equal on the axis."""


def pictures(study: ConfigurationStudy) -> list[Picture]:
    """One picture, if anything was run more than once."""
    every = repeated(study)
    if not every:
        return []
    alternative = "How much slower the slowest run is than the fastest: " + "; ".join(
        f"{clipped(repeats.application)} median {percent(repeats.quantiles(0.5)[0])}, "
        f"largest {percent(repeats.quantiles(1.0)[0])}"
        for repeats in _widest(every)
    )
    return [
        draw("repetitions", "05-repetitions", finding(every), alternative, (6.8, 2.5),
             lambda figure: paint(figure, every))
    ]  # fmt: skip


def repeated(study: ConfigurationStudy) -> list[Repeats]:
    """Applications with anything run more than once."""
    return [repeat for repeat in study.repeats if repeat.repeated]


def _widest(every: list[Repeats]) -> list[Repeats]:
    """Return the applications with the widest spread, as many as a reader can distinguish."""
    order = sorted(range(len(every)), key=lambda index: -float(every[index].slowdown[-1]))
    return [every[index] for index in sorted(order[:_MOST_LINES])]


def finding(measured: list[Repeats]) -> str:
    """The middle and the widest spread."""
    every = np.concatenate([repeats.slowdown for repeats in measured])
    widest = max(measured, key=lambda repeats: float(repeats.slowdown[-1]))
    return (
        f"Half of {len(every):,} repeated configurations vary by less than "
        f"{percent(float(np.median(every)), 'up')} in time; {widest.widest} of "
        f"{clipped(widest.application)} varies most, by {percent(float(widest.slowdown[-1]))}"
    )


def paint(figure: Figure, every: list[Repeats]) -> None:
    """The share of configurations whose repetitions lie no further apart."""
    axes = figure.subplots()
    for number, repeats in enumerate(_widest(every)):
        spreads = 100 * np.maximum(repeats.slowdown, _LEAST)
        share = 100 * np.arange(1, len(spreads) + 1) / len(spreads)
        axes.step(
            np.r_[spreads[0], spreads], np.r_[0, share], where="post",
            color=PALETTE[number % len(PALETTE)], linestyle=_STYLES[number % len(_STYLES)],
            linewidth=1.6, label=f"{clipped(repeats.application, 24)} ({repeats.repeated:,})",
        )  # fmt: skip
        axes.plot(spreads[-1:], [100], "o", ms=4, color=PALETTE[number % len(PALETTE)])
    axes.set_xscale("log")
    axes.set_xticks([0.01, 0.1, 1, 10, 100], ["≤ 0.01", "0.1", "1", "10", "100"])
    top = 100 * max(float(repeats.slowdown[-1]) for repeats in every)
    axes.set_xlim(0.009, max(20.0, 1.3 * top))
    axes.set_ylim(0, 104)
    axes.set_xlabel("slowest run slower than fastest by (%)")
    axes.set_ylabel("share of configurations (%)")
    figure.legend(loc="outside right upper", fontsize=8, title="application\n(configurations)",
                  title_fontsize=8, alignment="left")  # fmt: skip

"""What is a watt worth? The case of the thesis, answered at power bounds from 5 to 9 kW."""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

import headroom as hr


def speedup_over_power(ax: Axes, folder: str, workers: int = 2) -> Axes:
    """Draw what overprovisioning gains at each power bound."""
    frame = hr.sweep(
        "thesis-7kw",
        {"power.bound_w": range(5000, 9001, 1000)},
        keep=folder,  # run it again, and nothing is answered twice
        workers=workers,
    )
    ax.plot(frame["power.bound_w"] / 1000, frame["mix_speedup"], "o-")
    ax.axhline(1, linestyle="--")
    ax.set_xlabel("power bound (kW)")
    ax.set_ylabel("speedup of overprovisioning")
    return ax


if __name__ == "__main__":
    figure, ax = plt.subplots(layout="constrained")
    speedup_over_power(ax, "out/power")
    figure.savefig("out/power.png")

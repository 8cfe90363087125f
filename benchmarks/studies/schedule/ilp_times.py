"""Quality of ILP schedulers against the time that they take to decide; a figure of the docs.

    python -m benchmarks.studies.schedule.ilp_times [draw]

runs 2 bounds, 4 logs and 5 seeds at offered load 0.7 and writes ``ilp_times.json``; with ``draw``
it only draws ``docs/images/schedule-ilp.png`` from what is stored. Times never repeat, so the
figure is no part of a report.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.studies.schedule.thesis_grid import scenario_at
from planner.formatting import percent
from planner.scheduling.power.results.comparisons import overall
from planner.scheduling.power.schedule import schedule
from reports.style import BLUE, GREEN, GREY, ORANGE, Picture, draw

STORED = Path(__file__).with_name("ilp_times.json")
PICTURE = Path(__file__).parents[3] / "docs" / "images" / "schedule-ilp.png"
BOUNDS_W = (6500.0, 10000.0)
LOAD, SEEDS = 0.7, 5
POLICIES = (
    "traditional", "adaptive", "adaptive-20", "ilp-engine-any", "ilp-engine-any-unfair",
    "ilp-highs-any", "ilp-highs-any-unfair", "ilp-cbc-any", "ilp-cbc-any-unfair",
    "ilp-slots-highs-any",
)  # fmt: skip


def run() -> list[dict[str, Any]]:
    """Quality, fairness and times of each policy."""
    study = schedule(scenario_at(LOAD, "model", SEEDS), policies=POLICIES, bounds_w=BOUNDS_W)
    rows = []
    for row in overall(study.outcomes, "traditional"):
        runs = [one for one in study.outcomes if one.policy == row.policy]
        seconds = [one.decision_seconds for one in runs]
        gaps = [one.largest_gap for one in runs if one.largest_gap is not None]
        rows.append(
            {
                "policy": row.policy,
                "ratio": row.ratio,
                "low": row.low,
                "high": row.high,
                "fairness": row.fairness,
                "seconds_per_log": float(np.mean(seconds)),
                "most_seconds_per_log": max(seconds),
                "decisions": sum(one.decisions for one in runs),
                "fallbacks": sum(one.fallbacks for one in runs),
                "largest_gap": max(gaps, default=None),
            }
        )
    return rows


def stored() -> list[dict[str, Any]]:
    """Return what was stored."""
    rows: list[dict[str, Any]] = json.loads(STORED.read_text(encoding="utf-8"))
    return rows


def picture(rows: list[dict[str, Any]]) -> Picture:
    """Turnaround over the time to decide, fair policies apart from the others."""
    ilp = [row for row in rows if row["decisions"]]
    best = min(ilp, key=lambda row: row["ratio"])
    fair = min((row for row in ilp if not _unfair(row)), key=lambda row: row["ratio"])
    seconds = [row["seconds_per_log"] for row in ilp]
    return draw(
        "ilp",
        "schedule-ilp",
        f"ILP schedulers shorten turnaround by {percent(1 - fair['ratio'])} with fair share and "
        f"{percent(1 - best['ratio'])} without; they decide a log of 30 jobs in "
        f"{min(seconds):.1f} to {max(seconds):.1f} s on average",
        f"Mean turnaround over Traditional's at offered load {LOAD:g}: 2 bounds, 4 logs, {SEEDS} "
        "seeds; simulated; bars are 95 % intervals.",
        (6.8, 3.0),
        lambda figure: _paint(figure, rows),
    )


def _unfair(row: dict[str, Any]) -> bool:
    return str(row["policy"]).endswith("-unfair")


_COLOURS = {"engine": GREEN, "highs": BLUE, "cbc": ORANGE}


def _paint(figure: Figure, rows: list[dict[str, Any]]) -> None:
    axes: Axes = figure.subplots()
    for index, row in enumerate(rows):
        policy, time = str(row["policy"]), 1000 * row["seconds_per_log"]
        colour = next((_COLOURS[name] for name in _COLOURS if name in policy), GREY)
        marker = "s" if "slots" in policy else "o" if row["decisions"] else "Dv^"[index]
        inside = "white" if _unfair(row) else colour
        axes.vlines(time, row["low"], row["high"], color=colour, linewidth=1)
        axes.plot(time, row["ratio"], marker, color=colour, markerfacecolor=inside, label=policy)
    axes.set_xscale("log")
    axes.set_xticks([0.1, 1, 10, 100, 1000, 10_000], ["0.1", "1", "10", "100", "1,000", "10,000"])
    axes.set_xlabel("mean time to decide a log of 30 jobs (ms)")
    axes.set_ylabel("turnaround over Traditional's")
    axes.set_ylim(0, 1.05)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def main() -> None:
    """Run and draw."""
    if "draw" not in sys.argv[1:]:
        rows = ",\n".join(json.dumps(row) for row in run())
        STORED.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    PICTURE.write_bytes(picture(stored()).png)


if __name__ == "__main__":
    main()

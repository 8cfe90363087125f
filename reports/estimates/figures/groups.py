"""Who waits how long as more users use the tool; of one user there is nothing to compare."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from planner.formatting import duration, given
from planner.replications.spread import SeedSpread, spread
from planner.scheduling.estimates.study import EstimateStudy
from reports.estimates.cells import unknown, uptakes_shown
from reports.estimates.gain_text import bound, change, compared, over
from reports.figures.axes import look, times_axis
from reports.style import BLUE, GREY, Picture, draw

GROUPS = {
    "seed_group_s": "sampled users",
    "tool_users_s": "users of the tool",
    "others_s": "others",
    "everybody_s": "everybody",
}
_FEW = 2
"""Number of uptakes up to which points are not joined."""


def pictures(study: EstimateStudy) -> list[Picture]:
    """One picture, where anybody waits."""
    if study.one_user or not any(row[key] for row in study.by_group for key in GROUPS):
        return []
    text = "; ".join(
        f"uptake {given(row['uptake'])}: "
        + ", ".join(
            f"{words} {duration(row[key])}" for key, words in GROUPS.items() if row[key] is not None
        )
        for row in study.by_group
    )
    return [
        draw("groups", "03-groups", finding(study), f"Mean waits. {text}.", (6.8, 2.3),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def gains(study: EstimateStudy) -> dict[float, SeedSpread]:
    """Gains in the sampled users' mean wait, by uptake, at the least error."""
    error = min(study.settings.errors)
    by_uptake = {
        uptake: spread(study.gains(uptake, error)) for uptake in sorted(set(study.settings.uptakes))
    }
    return {uptake: gain for uptake, gain in by_uptake.items() if gain is not None}


def finding(study: EstimateStudy) -> str:
    """What the sampled users gain where few use the tool, and where many do."""
    error = min(study.settings.errors)
    by_uptake = gains(study)
    uptakes = [uptake for uptake in uptakes_shown(study) if uptake in by_uptake]
    if not uptakes:
        return unknown(study, "the sampled users' mean wait")
    first, last = uptakes[0], uptakes[-1]
    gain = change(by_uptake[first].mean)
    begin = f"With {bound(error)} the sampled users' mean wait is {gain}"
    if first == last:
        return f"{begin} at {given(first)} uptake, {compared(study)}{over(study)}"
    steps = [a - b for a, b in _paired(study, first, last)]
    falls, rises = sum(step > 0 for step in steps), sum(step < 0 for step in steps)
    if falls and rises:
        how = f"falls for {falls} and rises for {rises} of {len(steps)} seeds"
    elif falls or rises:
        how = f"{'falls' if falls else 'rises'} for {_of(falls or rises, len(steps))}"
    else:
        how = "does not change"
    return (
        f"{begin} at {given(first)} uptake and {change(by_uptake[last].mean)} at {given(last)}; "
        f"between these it {how}"
    )


def _paired(study: EstimateStudy, first: float, last: float) -> list[tuple[float, float]]:
    error = min(study.settings.errors)
    pairs = zip(study.values(first, error), study.values(last, error), strict=True)
    return [(a, b) for a, b in pairs if a == a and b == b]  # noqa: PLR0124 - not NaN


def _of(much: int, of: int) -> str:
    if of == 1:
        return "the one seed"
    return f"every one of {of} seeds" if much == of else f"{much} of {of} seeds"


def paint(figure: Figure, study: EstimateStudy) -> None:
    """Mean waits on the left; the gain of the sampled users, with all seeds, on the right."""
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1))
    rows = sorted(study.by_group, key=lambda row: row["uptake"])
    for index, (key, words) in enumerate(GROUPS.items()):
        there = [(100 * row["uptake"], row[key]) for row in rows if row[key] is not None]
        colour, dashes, marker = look(index)
        dashes = dashes if len(there) > _FEW else "none"  # which would suggest values between
        left.plot([x for x, _ in there], [y for _, y in there], color=colour, linestyle=dashes,
                  marker=marker, ms=3.5, markerfacecolor="white", linewidth=1.2,
                  label=words)  # fmt: skip
    bare = study.without_tool
    if bare is not None:
        left.axhline(bare.mean, color=GREY, linewidth=1, linestyle=(0, (5, 2)),
                     label="sampled users, no tool")  # fmt: skip
    left.set_ylim(bottom=0)
    unit = times_axis(left.yaxis, 0, left.get_ylim()[1])
    left.set_ylabel(f"mean wait ({unit})")
    by_uptake = gains(study)
    x = [100 * uptake for uptake in by_uptake]
    low, high = ([100 * getattr(gain, name) for gain in by_uptake.values()]
                 for name in ("least", "most"))  # fmt: skip
    if any(gain.seeds > 1 for gain in by_uptake.values()):
        if len(x) > _FEW:
            right.fill_between(x, low, high, color=BLUE, alpha=0.2, linewidth=0)
        right.vlines(x, low, high, color=BLUE, linewidth=0.9)
    line = "o-" if len(x) > _FEW else "o"
    right.plot(x, [100 * gain.mean for gain in by_uptake.values()], line, color=BLUE, ms=3.5,
               markerfacecolor="white", linewidth=1.2)  # fmt: skip
    right.axhline(0, color=GREY, linewidth=1, linestyle=(0, (5, 2)))
    right.set_ylabel("sampled users: shorter by (%)")
    for axes in (left, right):
        axes.set_xlabel("users with the tool (%)")
        axes.set_xlim(-4, 104)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    if not by_uptake:
        right.set_visible(False)
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=5,
                  handlelength=2.2, columnspacing=0.9, fontsize=8)  # fmt: skip

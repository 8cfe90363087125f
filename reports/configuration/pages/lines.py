"""Whether time over nodes is a line, and the same line at every bound."""

from __future__ import annotations

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.degree import LineFit
from planner.configurations.line_spread import LineSpread
from planner.configurations.study import ConfigurationStudy
from planner.formatting import clipped, percent, words
from reports.blocks import Block, Drawn, Page, grid, text
from reports.configuration.summary import answers, bound, left_out, name
from reports.grid import Table, table
from reports.numbers import shown


def page(study: ConfigurationStudy, _pictures: Drawn) -> Page | None:
    """Compare slope and intercept over the bounds with what the thesis says about them."""
    fitted_answers = [answer for answer in answers(study) if _fits(answer)]
    if not fitted_answers:
        return None
    blocks: list[Block] = [
        text(
            "The cost model of procurement assumes that the best time is a line over nodes: t(n) = "
            "m n + c. It must be the same at every bound (thesis, section 4.4.3). Here least "
            "squares fit it, starting above worst-case provisioning at the requested bound. The "
            "error is the largest distance of a point from the line, as a share of its time. A "
            "line over two node counts has no error."
        ),
        text(" ".join(_spread(answer) for answer in fitted_answers)),
    ]
    blocks += [
        grid(_lines(answer), f"{name(answer)}: the line at round bounds", small=True)
        for answer in fitted_answers
    ]
    if left_out(study):
        blocks.append(text(left_out(study)))
    heading = "Is time over nodes the same line at every bound?"
    return Page(heading, f"{_finding(fitted_answers)}.", tuple(blocks))


def _fits(answer: ConfigurationAnswer) -> list[LineFit]:
    return [at_bound.line_fit for at_bound in answer.at_bounds if at_bound.line_fit is not None]


def _finding(fitted_answers: list[ConfigurationAnswer]) -> str:
    spreads = [
        (max(spread.slope, spread.intercept), answer)
        for answer in fitted_answers
        if (spread := answer.line_spread) is not None
    ]
    if not spreads:
        return "Too few bounds share three or more node counts, so lines cannot be compared"
    widest, answer = max(spreads, key=lambda pair: pair[0])
    if widest < 0.02:
        return "Slope and intercept differ by less than 2 % between bounds, as the thesis says"
    spread = answer.line_spread
    if spread is None:
        return ""
    who = clipped(answer.application)
    return (
        f"No: between bounds, the slope of {who} {_slopes(spread)} and its intercept "
        f"{_intercepts(spread)} (thesis: less than 2 %)"
    )


def _slopes(spread: LineSpread) -> str:
    return _differs(spread.slope, spread.slopes_s_per_node, "s per node")


def _intercepts(spread: LineSpread) -> str:
    return _differs(spread.intercept, spread.intercepts_s, "s")


def _differs(share: float, ends: tuple[float, float], unit: str) -> str:
    """A share of the mean; above that mean the ends, as a share of what is nearly 0 misleads."""
    if share <= 1:
        return f"differs by {percent(share)}"
    return f"goes from {shown(ends[0])} to {shown(ends[1], unit=unit)}"


def _spread(answer: ConfigurationAnswer) -> str:
    """By how much the coefficients of one application differ."""
    spread, who = answer.line_spread, name(answer)
    if spread is None:
        return f"{who}: no two round bounds share three or more node counts."
    ends = words([bound(spread.from_w), bound(spread.to_w)])
    return (
        f"{who}: {spread.lines} round bounds between {ends} allow {spread.from_nodes} to "
        f"{spread.to_nodes} nodes. Between them, the slope {_slopes(spread)} and the intercept "
        f"{_intercepts(spread)} (largest minus least, as a share of the mean). The thesis says "
        "less than 2 %."
    )


def _lines(answer: ConfigurationAnswer) -> Table:
    columns = (
        ("Bound", True), ("Node counts", True), ("Slope m (s per node)", True),
        ("Intercept c (s)", True), ("Largest error", True), ("", False),
    )  # fmt: skip
    requested, fits = answer.line_fit, _fits(answer)
    if requested is not None and requested.bound_w not in {fit.bound_w for fit in fits}:
        fits = sorted([*fits, requested], key=lambda fit: fit.bound_w)
    rows = [
        (
            bound(fit.bound_w),
            f"{fit.from_nodes} to {fit.to_nodes}",
            shown(fit.slope_s_per_node, 4),
            shown(fit.intercept_s, 4),
            percent(fit.largest_error),
            "requested" if fit.bound_w == answer.question.bound.bound_w else "",
        )
        for fit in fits
    ]
    return table(columns, (1, 1, 1.3, 1.2, 1, 0.6), rows)

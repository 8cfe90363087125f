"""Pictures of docs/formulations.md: the small instances of the page with their solutions.

Each is drawn from what the page's own example has computed, so page and picture cannot differ.

    python -m tests.planner.formulations.pictures
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from planner.designs.design import HIGH_END, OLDER, DesignProblem, choices, closed_form, forced
from reports.colours import BLUE, GREY, ORANGE, VERMILLION
from tests.planner.formulations.test_page import examples

FOLDER = Path(__file__).parents[3] / "docs" / "images" / "formulations"
Names = dict[str, Any]
_LOOK: Any = {
    "font.size": 9,
    "svg.fonttype": "none",
    "svg.hashsalt": "headroom",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 8,
}
_OPEN: Any = {"color": "white", "markeredgecolor": BLUE, "markeredgewidth": 1.5}
_CHOSEN: Any = {"color": ORANGE, "markeredgecolor": "black", "markersize": 8}


def _bound(axes: Axes, x: float, words: str) -> None:
    axes.axvline(x, color=VERMILLION, linestyle="--", linewidth=1.2, label=words)


def _points(axes: Axes, x: Any, y: Any, chosen: int, labels: list[str]) -> None:
    axes.plot(x, y, "o", **_OPEN)
    axes.plot([x[chosen]], [y[chosen]], "D", label="solution", **_CHOSEN)
    for place, label in enumerate(labels):
        axes.annotate(label, (x[place], y[place]), xytext=(6, 5), textcoords="offset points")
    axes.margins(0.2)


def configuration(axes: Axes, names: Names) -> None:
    """Both configurations, and the bound that leaves one of them."""
    table, best = names["two"], names["found"].plan
    rows = [table.row(k) for k in range(len(table))]
    _points(axes, table.power_w, table.time_s, rows.index(best), [each.short for each in rows])
    _bound(axes, 3000.0, "power bound")
    axes.set(xlabel="power (W)", ylabel="run time (s)")


def sharing(axes: Axes, names: Names) -> None:
    """All six choices for both jobs; crosses need too many nodes."""
    problem, plan = names["problem"], names["plan"]
    one, other = (job.table for job in problem.jobs)
    pairs = [(one.row(j), other.row(k)) for j in range(len(one)) for k in range(len(other))]
    fits = [a.nodes + b.nodes <= problem.nodes for a, b in pairs]
    for mark, wanted, words in (("o", True, "6 nodes or fewer"), ("x", False, "8 nodes")):
        here = [pair for pair, fit in zip(pairs, fits, strict=True) if fit is wanted]
        x, y = [a.power_w + b.power_w for a, b in here], [a.time_s + b.time_s for a, b in here]
        axes.plot(x, y, mark, label=words, **(_OPEN if wanted else {"color": GREY}))
    axes.plot([plan.power_w], [plan.weighted_time_s], "D", label="solution", **_CHOSEN)
    _bound(axes, problem.bound.bound_w, "power bound")
    axes.set(xlabel="power of both jobs (W)", ylabel="sum of run times (s)")


def start_now(axes: Axes, names: Names) -> None:
    """All ways to start both jobs; one is within the bound and worth most."""
    details, now = names["details"], names["now"]
    pairs = [(k, row) for k in (0, 1) for row in (2, 3)]
    watts = [sum(details.charge_mw[row] for row in pair) / 1000 for pair in pairs]
    worth = {0: 1.25, 1: 2.5, 2: 1.5, 3: 1.875}  # as the page prints the objective
    values = [sum(worth[row] for row in pair) for pair in pairs]
    _points(axes, watts, values, pairs.index((1, 2)), [f"rows {k} and {row}" for k, row in pairs])
    fair = pairs.index(tuple(row for _, row in names["found"].plan))
    axes.plot([watts[fair]], [values[fair]], "s", label="with fair share", **_CHOSEN)
    _bound(axes, now.free_mw / 1000, "free power")
    axes.set(xlabel="power of both jobs (W)", ylabel="weighted speedup")


def designs(axes: Axes, names: Names) -> None:
    """The four counts: the least of money and power is what the second design has."""
    case, plan = names["case"], names["plan"]
    alive = case.power_bound_w // case.older_idle_w
    counts = {
        "high-end nodes at peak": plan.nodes_worst_case,
        "older nodes, by power": alive,
        "older nodes, by money": case.cost_ratio * plan.nodes_worst_case,
        "older nodes bought": plan.nodes_overprovisioned,
    }
    colours = [GREY, "white", "white", ORANGE]
    bars = axes.barh(list(counts), list(counts.values()), color=colours, edgecolor="black")
    axes.bar_label(bars, fmt="%.4g", padding=3)
    axes.invert_yaxis()
    axes.set(xlabel="nodes")


def best_design(axes: Axes, names: Names) -> None:
    """Run time over the number of nodes of both types, as far as power and money allow."""
    problem, plan = names["problem"], names["plan"]
    for place, (kind, style) in enumerate(((HIGH_END, "--"), (OLDER, "-"))):
        offer, piece = problem.offers[place], _piece(problem)
        last = closed_form(forced(problem, kind)).nodes
        n = np.array([1, last])
        time_s = offer.time_factor * (piece.slope * n + piece.intercept)
        axes.plot(n, time_s, style, color=BLUE, label=f"{offer.name} nodes, up to {last}")
    axes.plot([plan.nodes], [plan.time_s], "D", label="solution", **_CHOSEN)
    axes.set(xlabel="nodes", ylabel="run time (s)")


def break_even(axes: Axes, names: Names) -> None:
    """The fewest older nodes that are faster than all high-end ones."""
    problem = names["problem"]
    piece = _piece(problem)
    target = closed_form(forced(problem, HIGH_END)).time_s
    fewest = names["hr"].formulations.break_even.fewest_nodes(names["case"])
    n = np.arange(18, 39)
    axes.plot(n, piece.slope * n + piece.intercept, ".", color=BLUE, label="older nodes")
    axes.axhline(target, color=VERMILLION, linestyle="--", label="18 high-end nodes")
    axes.plot([fewest], [piece.slope * fewest + piece.intercept], "D", label="solution", **_CHOSEN)
    axes.set(xlabel="older nodes", ylabel="run time (s)")


def _piece(problem: DesignProblem) -> Any:
    """The one straight piece of the run time on older nodes."""
    return next(piece for offer, _, piece in choices(problem) if offer is problem.offers[1])


def degree(axes: Axes, names: Names) -> None:
    """The three readings of one curve."""
    runs, found = names["runs"], names["found"]
    time = dict(zip(runs.nodes.tolist(), runs.time_s.tolist(), strict=True))
    axes.plot(runs.nodes, runs.time_s, "o-", **_OPEN | {"color": BLUE, "markerfacecolor": "white"})
    knee = found.marginal_nodes
    axes.plot([knee], [time[knee]], "D", label="knee, and least time x money", **_CHOSEN)
    axes.plot([found.fastest_nodes], [time[found.fastest_nodes]], "s", color=VERMILLION,
              markersize=7, label="fastest, with the fewest nodes")  # fmt: skip
    axes.set(xlabel="nodes", ylabel="best run time (s)")
    axes.set_ylim(bottom=0)


def sockets(axes: Axes, names: Names) -> None:
    """The power goes to the slower rank until both end together, or its curve ends."""
    problem, found = names["problem"], names["found"]
    for rank, style in enumerate(("-", "--")):
        cap, time = problem.cap_w[rank], problem.time_s[rank]
        axes.plot(cap, time, style, color=BLUE, label=f"rank {rank}")
        chosen = found.cap_w[rank]
        axes.plot([chosen], [np.interp(chosen, cap, time)], "D", **_CHOSEN)
    axes.axhline(found.slowest_s, color=GREY, linewidth=0.8, label="slowest rank, solution")
    axes.set(xlabel="power of the socket (W)", ylabel="time (s)")


def aggregation(axes: Axes, names: Names) -> None:
    """Tolerable patterns lie left of the line; joules and rank differ."""
    every = names["candidates"]
    x, y = [100 * each.slowdown for each in every], [each.energy_j for each in every]
    axes.plot(x, y, "o", **_OPEN)
    choose = names["hr"].formulations.aggregation.choose
    for mark, objective in (("D", "joules"), ("s", "rank")):
        best = choose(every, 0.05, objective).plan
        style = _CHOSEN if mark == "D" else {"color": VERMILLION, "markersize": 7}
        axes.plot([100 * best.slowdown], [best.energy_j], mark, label=f"by {objective}", **style)
    for each, right, above in zip(every, x, y, strict=True):
        side = -14 if each.pattern.id == 2 else 8
        axes.annotate(str(each.pattern.id), (right, above), xytext=(side, -3),
                      textcoords="offset points")  # fmt: skip
    _bound(axes, 5.0, "tolerated")
    axes.set(xlabel="slower than one task per node (%)", ylabel="energy (J)")
    axes.margins(0.2)


def procurement(axes: Axes, names: Names) -> None:
    """Nodes at work under each cap, by power regime."""
    small, procure = names["small"], names["hr"].formulations.procurement.procure
    regimes = ("worst-case", "static", "overprovisioned")
    plans = [procure(small.under(regime)).plan for regime in regimes]
    ends = np.zeros(len(plans))
    for cap_w, colour, hatch in ((60.0, ORANGE, ""), (100.0, BLUE, "//")):
        nodes = np.array([_at_work(names, plan, regime, cap_w)
                          for plan, regime in zip(plans, regimes, strict=True)])  # fmt: skip
        label = f"at work, cap {cap_w:g} W"
        axes.barh(regimes, nodes, left=ends, color=colour, hatch=hatch, edgecolor="black",
                  label=label)  # fmt: skip
        ends += nodes
    for row, plan in enumerate(plans):
        axes.annotate(f"score {plan.score:.1f}", (ends[row], row), xytext=(5, -3),
                      textcoords="offset points")  # fmt: skip
    axes.invert_yaxis()
    axes.set(xlabel="nodes", xlim=(0, 8))


def _at_work(names: Names, plan: Any, regime: str, cap_w: float) -> float:
    """Nodes at work under a cap; without one they run at the highest."""
    modes = names["small"].under(regime).modes
    at_work = [each for each in plan.at_work[0] if (modes[each.mode].cap_w or 100.0) == cap_w]
    return float(sum(each.nodes for each in at_work))


def partition(axes: Axes, names: Names) -> None:
    """The square; dashed sides are cut."""
    _graph(axes, names["square"], names["found"].part.tolist())


def mapping(axes: Axes, names: Names) -> None:
    """Ranks on the four sockets of two nodes; lines are what they exchange."""
    slots = names["found"].slot.tolist()
    x = [0.0, 1.0, 2.6, 3.6]
    for node, left in enumerate((-0.4, 2.2)):
        axes.add_patch(_box(left, 1.8, BLUE))
        axes.annotate(f"node {node}", (left + 0.1, -0.62))
    weights = names["between_sockets"]
    for u in range(4):
        for place in range(weights.starts[u], weights.starts[u + 1]):
            v, weight = int(weights.neighbours[place]), float(weights.weights[place])
            if u < v:
                ends = x[slots[u]], x[slots[v]]
                apart = slots[u] // 2 != slots[v] // 2
                curve = np.linspace(0, np.pi, 25)
                along = ends[0] + (ends[1] - ends[0]) * np.linspace(0, 1, 25)
                axes.plot(along, 0.5 * apart * np.sin(curve), "--" if apart else "-", zorder=1,
                          color=VERMILLION if apart else GREY, linewidth=weight / 2)  # fmt: skip
                axes.annotate(f"{weight:g}", (sum(ends) / 2, 0.12 + 0.45 * apart), ha="center")
    for rank, slot in enumerate(slots):
        axes.plot([x[slot]], [0], "o", markersize=20, zorder=2, **_OPEN)
        axes.annotate(str(rank), (x[slot], 0), ha="center", va="center", zorder=3)
        axes.annotate(f"socket {slot}", (x[slot], -0.42), ha="center")
    axes.set(xlim=(-0.7, 4.3), ylim=(-0.9, 0.85))
    axes.axis("off")


def pairing(axes: Axes, names: Names) -> None:
    """Jobs and the gains of their pairs; the pair that shares a node is drawn thick."""
    jobs, pairs = names["shared"], names["paired"].plan.pairs
    x, y = [0.0, 2.0, 1.0], [0.0, 0.0, 1.2]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        chosen = (a, b) in pairs
        axes.plot([x[a], x[b]], [y[a], y[b]], color=ORANGE if chosen else GREY, zorder=1,
                  linewidth=4 if chosen else 1.5)  # fmt: skip
        axes.annotate(f"{jobs.gain[a, b]:.1f}", ((x[a] + x[b]) / 2, (y[a] + y[b]) / 2 + 0.06))
    for job, name in enumerate(jobs.names):
        axes.plot([x[job]], [y[job]], "o", markersize=22, zorder=2, **_OPEN)
        axes.annotate(name, (x[job], y[job]), ha="center", va="center", zorder=3)
    axes.set(xlim=(-0.8, 2.8), ylim=(-0.4, 1.6))
    axes.axis("off")


def kernighan_lin(axes: Axes, names: Names) -> None:
    """The start of the exchange, and its end."""
    ring, parts = names["ring"], names["parts"]
    end = [next(p for p, part in enumerate(parts) if v in part) for v in range(4)]
    _graph(axes, ring, [0, 1, 1, 0], left=-3.0)
    _graph(axes, ring, end, left=3.0)
    for left, words in ((-3.0, "start"), (3.0, "after one exchange")):
        axes.annotate(words, (left, -1.8), ha="center")
    axes.set(xlim=(-5.2, 5.2), ylim=(-2.1, 1.6))


def _box(left: float, width: float, colour: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((left, -0.75), width, 1.3, fill=False, edgecolor=colour, linewidth=1.4)


def _graph(axes: Axes, given: Any, part: list[int], left: float = 0.0) -> None:
    """Four vertices on a square, in the colours of their parts."""
    from solvers.partition.networkx_kl import as_networkx

    graph = given if isinstance(given, nx.Graph) else as_networkx(given)
    at = {
        0: (left - 1, 1.0), 1: (left + 1, 1.0), 2: (left + 1, -1.0), 3: (left - 1, -1.0),
    }  # fmt: skip
    for u, v, weight in sorted(graph.edges(data="weight")):
        apart = part[u] != part[v]
        axes.plot(*zip(at[u], at[v], strict=True), "--" if apart else "-", zorder=1,
                  color=VERMILLION if apart else GREY, linewidth=1 + weight / 2)  # fmt: skip
        middle = ((at[u][0] + at[v][0]) / 2, (at[u][1] + at[v][1]) / 2)
        axes.annotate(f"{weight:g}", middle, xytext=(5, 5), textcoords="offset points")
    for v, where in at.items():
        colour = (ORANGE, "white")[part[v]]
        axes.plot(*([each] for each in where), "o", markersize=20, color=colour,
                  markeredgecolor="black", zorder=2)  # fmt: skip
        axes.annotate(str(v), where, ha="center", va="center", zorder=3)
    axes.set(xlim=(-2.6, 2.6), ylim=(-1.6, 1.6), aspect="equal")
    axes.axis("off")


PICTURES: tuple[Callable[[Axes, Names], None], ...] = (
    configuration, sharing, start_now, designs, best_design, break_even, degree, sockets,
    aggregation, procurement, partition, mapping, pairing, kernighan_lin,
)  # fmt: skip
"""In the order of the page; each is called as its formulation."""


def drawn() -> dict[str, bytes]:
    """Every picture as SVG, by the name of its formulation."""
    names: Names = {}
    found = {}
    (first, _), *others = examples()
    exec(compile(first, "formulations.md", "exec"), names)
    for paint, (code, _) in zip(PICTURES, others, strict=True):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, "formulations.md", "exec"), names)
        found[paint.__name__] = _svg(lambda axes, paint=paint: paint(axes, names))  # type: ignore[misc]
    return found


def _svg(paint: Callable[[Axes], None]) -> bytes:
    stream = io.BytesIO()
    with rc_context(_LOOK):
        figure = Figure(figsize=(5.2, 2.3), layout="constrained")
        axes = figure.subplots()
        paint(axes)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        canvas = FigureCanvasSVG(figure)
        canvas.print_svg(stream, metadata={"Date": None})  # type: ignore[no-untyped-call]
    return stream.getvalue()


def main() -> None:
    """Draw all pictures anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, content in drawn().items():
        (FOLDER / f"{name}.svg").write_bytes(content)


if __name__ == "__main__":
    main()

"""How groups were found, and what is not modelled."""

from __future__ import annotations

from planner.command_row import command_line
from planner.formatting import plural
from planner.placement.study import PlacementStudy
from planner.placement.warnings import risks
from reports.blocks import Drawn, Page, bullets, formulas, grid
from reports.grid import table
from reports.placement.summary import name_of
from reports.skeleton import provenance_page
from reports.warning_boxes import boxed

_ALGORITHMS = {
    "order": "the default mapping (by slot): consecutive ranks share a node",
    "kl": "Kernighan-Lin: exchanges ranks between two nodes while that helps, for all pairs of "
    "nodes; from the default mapping and from random starts",
    "networkx-kl": "Kernighan-Lin of the library networkx: halves the ranks, then each half again",
    "multilevel": "multilevel bisection: merges ranks that exchange much, halves the merged ones, "
    "undoes the merging, and improves with Kernighan-Lin at each step",
    "metis": "METIS, a library for multilevel partitioning; then repaired to exact node sizes and "
    "improved with Kernighan-Lin",
    "matching": "pairs the ranks so that the pairs exchange most (maximum-weight matching): exact, "
    "for two ranks per node",
    "dynamic": "best groups of every subset of ranks, from smaller subsets (dynamic programming): "
    "exact, for few ranks",
    "ilp": "integer program, solved by branch and bound from the result of Kernighan-Lin: exact if "
    "time allows",
    "reference": "the readable integer program, solved by CBC: exact, for few ranks",
    "reference-highs": "the same integer program, solved by HiGHS",
    "reference-kl": "Kernighan-Lin as published, on a networkx graph, from the default mapping",
    "portfolio": "runs the algorithms that suit the size; keeps the best result and limit",
    "annealing": "simulated annealing: random exchanges, of which worse ones are accepted ever "
    "less often",
    "inwards": "partitions the ranks into nodes first, then within nodes",
    "outwards": "fills the innermost units of the hardware first",
    "swaps": "exchanges two ranks while that helps",
    "subsets": "the same as dynamic",
}


def page(study: PlacementStudy, _drawn: Drawn) -> Page:
    """The problem as a formula, and every algorithm in a line."""
    settings = study.settings
    every = {attempt.name for attempt in study.tried} | set(study.refused)
    every |= {method for attempt in study.tried for method in attempt.method.split(", ")}
    rows = [(name, words) for name, words in _ALGORITHMS.items() if name in every]
    lines = [
        (
            f"Selected: {settings.algorithm}, with seed {settings.seed} and "
            f"{plural(settings.starts, 'start')} of each heuristic."
        ),
        "Nodes are filled exactly. Every cut is recomputed from the groups alone.",
        "Proved: the value equals the proven limit to within 1e-9 of the total weight.",
    ]
    blocks = (
        formulas(), bullets(lines),
        grid(table((("Algorithm", False), ("What it does", False)), (0.6, 3), rows), "Algorithms"),
    )  # fmt: skip
    return Page("Appendix: method", "", blocks)


def limits(study: PlacementStudy, _drawn: Drawn) -> Page:
    """What is not modelled."""
    answer = (
        "Run time: less traffic between nodes does not shorten it in proportion, as messages "
        "overlap with computation and with each other."
    )
    lines = [
        "Switches are not modelled: all pairs of nodes count alike.",
        (
            "Messages between nodes are assumed to cost more than those within one. Ranks on one "
            "node also share memory and caches, which the matrix does not show."
        ),
        "The matrix is a sum over a run: the timing of messages is lost.",
    ]
    if study.placement.costs.weight in ("signed", "paper"):
        lines.append("Times are for one message at a time, without contention.")
    if study.table is not None and study.table.assumed:
        lines.append("Message times are assumed; those of your system may give other groups.")
    return Page("What is not modelled?", answer, (bullets(lines),))


def appendix(study: PlacementStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to repeat the result."""
    communication, settings = study.placement.communication, study.settings
    used = study.table
    repeatable = "the same input, seed and versions give identical files"
    if study.stopped_by_time:
        repeatable = (
            f"an algorithm stopped at its limit of {settings.time_limit_s:g} s, so another run may "
            "differ; the others repeat exactly"
        )
    rows = [
        ("Matrix", name_of(study)),
        ("SHA-256", communication.sha256 or "from Python"),
        ("Form", communication.form or "from Python"),
        *([("Ping-pong table", used.name), ("SHA-256 of the table", used.sha256)] if used else []),
        ("Command", command_line(settings.command) or "from Python"),
        ("Seed", str(settings.seed)),
        ("Starts", f"{settings.starts:,}"),
        ("Repeatability", repeatable),
        ("Weights", f"SHA-256 of the graph {study.graph.digest}"),
    ]
    boxes = [*boxed(risks(study)), *study.placement.levels.warnings]
    return provenance_page(study, rows, boxes=boxes)

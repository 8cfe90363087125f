"""How groups were found, and what is left out."""

from __future__ import annotations

from planner.placement.study import PlacementStudy
from reports.blocks import Drawn, Page, bullets, formulas, grid
from reports.grid import table
from reports.placement.summary import name_of
from reports.skeleton import command_line, provenance_page

_ALGORITHMS = {
    "order": "consecutive ranks share a node: what MPI does by default, and the baseline",
    "kl": "Kernighan-Lin between all pairs of nodes, from the order of ranks and random starts",
    "networkx-kl": "Kernighan-Lin of networkx, which halves the groups again and again",
    "multilevel": "halving on coarser and coarser graphs, refined by Kernighan-Lin",
    "metis": "METIS, repaired to exact sizes, refined by Kernighan-Lin",
    "matching": "a matching of greatest weight: exact, for two tasks a node",
    "dynamic": "dynamic programming over subsets: exact, for few tasks",
    "ilp": "an integer program from the groups of Kernighan-Lin: exact if time allows",
    "reference": "the readable integer program, solved by CBC: exact, for few ranks",
    "reference-highs": "the same integer program, solved by HiGHS",
    "reference-kl": "Kernighan-Lin as published, on a networkx graph, from the order of ranks",
    "portfolio": "what suits the size, and the best of it, with the best bound",
}


def page(study: PlacementStudy, _drawn: Drawn) -> Page:
    """The problem as a formula, and every algorithm in a line."""
    settings = study.settings
    every = {attempt.name for attempt in study.tried} | set(study.refused)
    rows = [(name, words) for name, words in _ALGORITHMS.items() if name in every]
    lines = [
        (
            f"Taken: {settings.algorithm}. Seed {settings.seed}, "
            f"{settings.starts:,} starts of each heuristic."
        ),
        "Nodes are filled exactly. Every cut is recomputed from the groups alone.",
        "What is called proved equals a bound that no grouping can pass, to 1e-9 of all weight.",
    ]
    blocks = (
        formulas(), bullets(lines),
        grid(table((("Algorithm", False), ("What it does", False)), (0.7, 3), rows), "Algorithms"),
    )  # fmt: skip
    return Page("How was this found?", "", blocks)


def limits(study: PlacementStudy, _drawn: Drawn) -> Page:
    """What this leaves out."""
    lines = [
        (
            "Less between nodes is not as much less time: messages overlap with computation and "
            "with each other, and only what the program waits for shows in its time."
        ),
        "Which nodes lie under one switch is not asked: all pairs of nodes count alike.",
        (
            "Messages between nodes are assumed to cost more than those within one. Tasks on one "
            "node also share its memory and caches, which a matrix of messages does not tell."
        ),
        "The matrix is a sum over a run: when messages were sent, and how many at once, is lost.",
    ]
    if study.placement.costs.weight in ("signed", "paper"):
        lines.append(
            "Times are those of one message after the other, of pairs that send undisturbed."
        )
    return Page("What does this leave out?", "", (bullets(lines),))


def appendix(study: PlacementStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    communication, settings = study.placement.communication, study.settings
    used = study.table
    repeatable = "the same input, seed and versions give the same bytes"
    if study.stopped_by_time:
        repeatable = (
            f"an algorithm stopped at {settings.time_limit_s:g} s, so another run may differ; "
            "the others give the same again"
        )
    rows = [
        ("Matrix", name_of(study)),
        ("SHA-256", communication.sha256 or "made in Python"),
        ("Form", communication.form or "made in Python"),
        *([("Ping-pong table", used.name), ("SHA-256 of it", used.sha256)] if used else []),
        ("Command", command_line(settings.command) or "made from Python"),
        ("Seed", str(settings.seed)),
        ("Starts", f"{settings.starts:,}"),
        ("Repeatability", repeatable),
        ("Weights", f"SHA-256 of the graph {study.graph.digest}"),
    ]
    return provenance_page(study, rows)

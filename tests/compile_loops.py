"""Compile the hot loops once, before the workers of the tests start.

Run it with ``python -m tests.compile_loops``. Each worker would otherwise compile for itself what
it meets first. Every command that has hot loops runs on a tiny input; its results lie in a
temporary folder that is removed. Two processes share the commands.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from click.testing import CliRunner

import solvers.compiled
from planner.cli.main import main
from planner.pricing.lines import Lines, improved
from planner.scheduling.policies.registry import POLICIES
from scenarios.simulated.shared_node import NULL, ShutterSchedule, play, truth
from solvers.mapping.warm import warm
from solvers.partition.eigen import gram

_MATRIX = "0,1,1,9,1,1\n1,0,9,1,1,1\n1,9,0,1,1,1\n9,1,1,0,1,1\n1,1,1,1,0,9\n1,1,1,1,9,0\n"

_PAIRS = "pair,a,b,c,d\na,.9,.8,.7,.6\nb,.9,.8,.7,.6\nc,.9,.8,.7,.6\nd,.9,.8,.7,.6\n"


def simulations(folder: Path) -> None:
    """The queues of single machines, their checkers, and those under a power bound."""
    log, schedule = folder / "log.swf", folder / "schedule.csv"
    policies = [word for name in POLICIES if name != "maui" for word in ("--policy", name)]
    _run("init", folder / "sample")
    _run(
        "simulate", "lublin", "--jobs", 60, "--processors", 64, "--check", "--write-log", log,
        "--write-schedule", schedule, *policies,
    )  # fmt: skip
    for name in ("easy", "conservative"):
        _run(
            "check-schedule", folder / f"schedule-{name}.csv", "--processors", 64, "--policy", name
        )
    _run("simulate", log, "--policy", "maui", "--maui", folder / "sample" / "maui.toml")
    _run("estimate", log, "--uptake", "100", "--error", "0,50", "--seeds", 1)
    _run("schedule", "thesis-table-5-2")


def choices(folder: Path) -> None:
    """Choices under a bound, placements, shared nodes and pairs of jobs."""
    matrix, pairs, jobs = (folder / name for name in ("matrix.csv", "pairs.csv", "jobs.csv"))
    matrix.write_text(_MATRIX)
    pairs.write_text(_PAIRS)
    jobs.write_text("number,submit,run,processors,user\n1,0,100,2,ann\n2,0,100,2,bob\n")
    _run("init", folder / "sample")
    for goal in ("weighted-time", "makespan"):
        words = ("--power-bound", 6000, "--nodes", 64, "--objective", goal)
        _run("share", folder / "sample" / "runs.csv", *words)
    _run("place", matrix, "--nodes", 3)
    for algorithm in ("ilp", "multilevel"):  # what the portfolio leaves out of a matrix so small
        _run("place", matrix, "--nodes", 3, "--method", algorithm)
    _run("place", matrix, "--nodes", 3, "--hierarchy", "pack:2 core:1 pu:1")
    warm()
    gram(np.ones((2, 2)))
    play([NULL, NULL], ShutterSchedule(most_rounds=2))  # a shared node under a shutter
    truth([NULL, NULL])
    one = np.ones(1)
    improved(one, one, Lines(one, one, one, np.zeros(2)), 1, 0.0)  # the polling IPC
    _run("price", jobs, "--nodes", 4)
    _run("colocate", pairs)
    _run("aggregate", "lu", "--grouping", "order")


HALVES: tuple[Callable[[Path], None], ...] = (simulations, choices)
"""They take about as long, and have few loops in common."""


def compile_loops(half: Callable[[Path], None]) -> None:
    """Run the commands of one half on the sample and on short synthetic logs.

    Raises
    ------
    RuntimeError
        A command fails; the message holds what it printed.
    """
    solvers.compiled.MOST_INTERPRETED = 0
    with tempfile.TemporaryDirectory() as folder:
        half(Path(folder))


def _run(*words: object) -> None:
    done = CliRunner().invoke(main, [str(word) for word in words])
    if done.exit_code:
        raise RuntimeError(f"headroom {' '.join(map(str, words))}: {done.output}")


if __name__ == "__main__":
    with ProcessPoolExecutor(len(HALVES)) as processes:
        list(processes.map(compile_loops, HALVES))

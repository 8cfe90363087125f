"""The parent's side of CP-SAT: whether it is there, the question, and the end of its process."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import numpy as np

from planner.errors import InputError, PlanError
from planner.scheduling.power.offline.problem import Hindsight
from planner.scheduling.power.offline.schedule import Goal, HindsightSchedule

_START = (
    "import sys; sys.path[:0] = [sys.argv.pop(1)]; "
    "from planner.scheduling.power.offline.cpsat_child import main; main()"
)
_GRACE_S = 60.0


@dataclass(frozen=True, eq=False)
class CpSatAnswer:
    """The bound and the schedule of CP-SAT, in units of the problem.

    Attributes
    ----------
    bound
        On the last end, or on the sum of ends; ``None`` if nothing was proved.
    schedule
        ``None`` if none was found.
    optimal
        Whether it says so.
    """

    bound: float | None
    schedule: HindsightSchedule | None
    optimal: bool


def available() -> bool:
    """Return whether OR-Tools is installed; it is not imported."""
    return importlib.util.find_spec("ortools") is not None


def solve(
    problem: Hindsight,
    goal: Goal,
    hint: HindsightSchedule,
    *,
    time_limit_s: float | None = None,
    workers: int = 1,
    seed: int = 0,
) -> CpSatAnswer:
    """Solve in a process of its own.

    Parameters
    ----------
    hint
        A feasible schedule; no better one needs more than its makespan or its sum of ends.
    time_limit_s
        Wall seconds; without it the search ends after 60 units of work, each about a second.
    workers
        Threads. With one, and where the time limit is not reached, the answer repeats.

    Raises
    ------
    InputError
        OR-Tools is not installed.
    PlanError
        The process failed.
    """
    if not available():
        raise InputError(
            "CP-SAT needs OR-Tools: pip install 'headroom-planner[cpsat]', or leave it out with "
            "methods that do not use it"
        )
    question = _question(problem, goal, hint)
    question |= {"time_limit_s": time_limit_s, "workers": workers, "seed": seed}
    answer = _answer_of(question, time_limit_s)
    schedule = None
    if answer["start"] is not None:
        option = problem.first[:-1] + np.array(answer["option"])
        schedule = HindsightSchedule(np.array(answer["start"]), option)
    # UNKNOWN means that it has found no schedule; its bound is proved all the same.
    bounded = answer["status"] in ("OPTIMAL", "FEASIBLE", "UNKNOWN")
    bound = answer["bound"] if bounded and math.isfinite(answer["bound"]) else None
    return CpSatAnswer(bound, schedule, answer["status"] == "OPTIMAL")


def _question(problem: Hindsight, goal: Goal, hint: HindsightSchedule) -> dict[str, Any]:
    # CP-SAT counts in integers: charges in their greatest common unit stay small and exact.
    unit = math.gcd(
        problem.bound_mw, *problem.charge_mw.tolist(), *(o[2] for o in problem.occupied)
    )
    columns = problem.time, problem.used_nodes, problem.charge_mw // unit
    options = np.column_stack(columns).tolist()
    ends = hint.ends(problem)
    horizon = int(ends.max())
    if goal == "turnaround":  # all others end as early as they can, one job takes what is left
        earliest = problem.submit + np.minimum.reduceat(problem.time, problem.first[:-1])
        horizon = int((ends.sum() - earliest.sum() + earliest).max())
    return {
        "goal": goal,
        "nodes": problem.nodes,
        "bound": problem.bound_mw // unit,
        "horizon": horizon,
        "jobs": [
            {
                "submit": int(problem.submit[job]),
                "options": [options[option] for option in problem.options(job)],
            }
            for job in range(len(problem))
        ],
        "occupied": [
            (end, nodes, charge // unit) for end, nodes, charge in problem.occupied if end > 0
        ],
        "hint": np.column_stack((hint.start, hint.option - problem.first[:-1])).tolist(),
    }


def _answer_of(question: dict[str, Any], time_limit_s: float | None) -> dict[str, Any]:
    command = [sys.executable, "-P", "-c", _START, str(Path(__file__).parents[4])]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,  # an interrupt goes to the parent, which ends the child
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    ) as process:
        try:
            # The solver looks at its limit only now and then, so its process is given longer.
            patience = None if time_limit_s is None else 2 * time_limit_s + _GRACE_S
            line = _answered(process, json.dumps(question) + "\n", patience)
        finally:
            process.kill()
    if not line:
        raise PlanError("CP-SAT: its process ended without an answer; was it out of memory?")
    answer: dict[str, Any] = json.loads(line)
    return answer


def _answered(process: subprocess.Popen[str], question: str, patience_s: float | None) -> str:
    """Return one line of the child; empty if it died."""
    if process.stdin is None or process.stdout is None:
        return ""
    try:
        process.stdin.write(question)
        process.stdin.flush()
    except BrokenPipeError:
        return ""
    if not wait([process.stdout.fileno()], patience_s):
        raise PlanError(f"CP-SAT: no answer within {patience_s:.0f} s")
    return process.stdout.readline()

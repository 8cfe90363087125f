"""CP-SAT in a process of its own: OR-Tools and HiGHS cannot be loaded into one.

It reads one JSON line, writes one, and leaves at once when its parent closes the pipe or ends.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any

_WORK = 60.0  # units of deterministic time, each about a second


def main() -> None:
    """Entry point of the child."""
    question = json.loads(sys.stdin.readline())
    threading.Thread(target=_watch, daemon=True).start()
    answer = solve(question)
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _watch() -> None:
    os.read(0, 1)  # returns only when the parent's end is closed
    os._exit(1)


def solve(question: dict[str, Any]) -> dict[str, Any]:
    """Build the model, solve it and read it.

    One optional interval for each job and option; cumulative nodes and watts; the work of all jobs
    that are submitted from some time on fits between that time and the makespan.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    horizon, jobs = question["horizon"], question["jobs"]
    starts, ends, flags, intervals, demands = [], [], [], [], []
    for j, job in enumerate(jobs):
        begin = model.new_int_var(job["submit"], horizon, f"start_{j}")
        end = model.new_int_var(job["submit"], horizon, f"end_{j}")
        options = [model.new_bool_var(f"x_{j}_{o}") for o in range(len(job["options"]))]
        model.add_exactly_one(options)
        model.add(
            end
            == begin + sum(x * option[0] for x, option in zip(options, job["options"], strict=True))
        )
        for x, (size, nodes, charge) in zip(options, job["options"], strict=True):
            intervals.append(model.new_optional_fixed_size_interval_var(begin, size, x, ""))
            demands.append((nodes, charge))
        starts.append(begin)
        ends.append(end)
        flags.append(options)
    for end, nodes, charge in question["occupied"]:
        intervals.append(model.new_fixed_size_interval_var(0, end, ""))
        demands.append((nodes, charge))
    model.add_cumulative(intervals, [nodes for nodes, _ in demands], question["nodes"])
    model.add_cumulative(intervals, [charge for _, charge in demands], question["bound"])
    last = model.new_int_var(0, horizon, "last")
    for end in ends:
        model.add(last >= end)
    # Redundant for schedules, but it raises the bound.
    _energy(model, question, flags, last)
    if question["goal"] == "makespan":
        model.minimize(last)
    else:
        model.minimize(sum(ends))
    for begin, options, (start, option) in zip(starts, flags, question["hint"], strict=True):
        model.add_hint(begin, start)
        for o, x in enumerate(options):
            model.add_hint(x, o == option)
    solver = cp_model.CpSolver()
    if question["time_limit_s"] is None:
        solver.parameters.max_deterministic_time = _WORK
    else:
        solver.parameters.max_time_in_seconds = question["time_limit_s"]
    solver.parameters.num_workers = question["workers"]
    solver.parameters.random_seed = question["seed"]
    status = solver.solve(model)
    has_point = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return {
        "status": solver.status_name(status),
        "bound": solver.best_objective_bound,
        "start": [solver.value(begin) for begin in starts] if has_point else None,
        "option": [next(o for o, x in enumerate(options) if solver.value(x)) for options in flags]
        if has_point
        else None,
    }


def _energy(model: Any, question: dict[str, Any], flags: list[list[Any]], last: Any) -> None:
    jobs = question["jobs"]
    # The rows `nodes` and `watts` of `energy`: what is submitted from `begin` on, and what is in
    # use, must fit between `begin` and the last end.
    certain = max(job["submit"] + min(option[0] for option in job["options"]) for job in jobs)
    for begin in sorted({job["submit"] for job in jobs}):
        for resource, capacity in ((1, question["nodes"]), (2, question["bound"])):
            work = sum(
                x * option[0] * option[resource]
                for job, options in zip(jobs, flags, strict=True)
                if job["submit"] >= begin
                for x, option in zip(options, job["options"], strict=True)
            )
            held = sum(
                use[resource] * max(min(use[0], certain) - begin, 0) for use in question["occupied"]
            )
            model.add(work + held <= capacity * (last - begin))

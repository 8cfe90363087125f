"""Whole commands on valid edge inputs, as a seed draws them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.robustness import edge_inputs as edge
from tests.robustness import edge_scenarios
from tests.robustness.seeds import aggregation_files


@dataclass(frozen=True)
class Case:
    """A command with its files.

    Attributes
    ----------
    words
        The command line without ``--json``; files lie in the current folder.
    facts
        What the oracles of this kind need to know of the input.
    """

    words: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    facts: Any = None


def _designs(random: Random) -> Case:
    data, *facts = edge_scenarios.designs(random)
    return Case(("plan", "s.toml", "--no-report"), {"s.toml": data}, facts)


def _procurement(random: Random) -> Case:
    offers = edge_scenarios.procurement(random)
    method = random.choice(("engine", "engine", "greedy-per-money", "best-single-type"))
    words = ("plan", "s.toml", "--no-report", "--method", method)
    return Case(words, {"s.toml": offers.text}, offers)


def _configure(random: Random) -> Case:
    measured = edge.runs(random, 2)
    bound = edge.bound_of(random, [run.drawn_w for run in measured])
    words = ["configure", "r.csv", "--power-bound", repr(bound)]
    words += random.choice(([], [], ["--tolerance", "0"], ["--guard", "50%"], ["--next", "2"]))
    words += random.choice(([], [], ["--method", "reference"], ["--method", "packed-max"]))
    return Case(tuple(words), {"r.csv": edge.run_file(measured)}, (measured, bound))


def _share(random: Random) -> Case:
    measured = edge.runs(random)
    bound = edge.bound_of(random, [run.drawn_w for run in measured])
    nodes = random.choice((1, 2, max(run.nodes for run in measured), 100))
    goal = random.choice(("weighted-time", "makespan"))
    words = ["share", "r.csv", "--power-bound", repr(bound), "--nodes", str(nodes)]
    words += ["--objective", goal]
    words += random.choice(([], [], ["--method", "highs"], ["--method", "cbc"]))
    return Case(tuple(words), {"r.csv": edge.run_file(measured)}, (measured, bound, nodes, goal))


def _compare(random: Random) -> Case:
    measured = edge.runs(random)
    bound = edge.bound_of(random, [run.drawn_w for run in measured])
    nodes = random.choice((1, max(run.nodes for run in measured), 100))
    words = ("compare", "r.csv", "--power-bound", repr(bound), "--nodes", str(nodes))
    return Case(words, {"r.csv": edge.run_file(measured)})


def _compare_places(random: Random) -> Case:
    ranks = random.choice((1, 2, 3, 6))
    words = ("compare", "m.csv", "--ranks-per-node", str(random.randint(1, ranks)))
    return Case(words, {"m.csv": edge.matrix_file(edge.matrix(random, ranks))})


def _logged(random: Random, machine: int) -> dict[str, bytes]:
    head = random.choice((machine, machine, None))
    return {"j.swf": edge.log_file(edge.jobs(random, machine), head)}


POLICIES = ("fcfs", "easy", "conservative", "sjf", "sjf-easy", "largest", "largest-easy", "easy++")
CHECKED = POLICIES[:3]
_CLEANING = (
    (), (), (), ("--overruns", "leave-out"), ("--overruns", "keep"),
    ("--clean", "zero-run=leave-out"), ("--default-limit", "1h"),
)  # fmt: skip


def _simulate(random: Random) -> Case:
    machine = random.choice((1, 2, 8, 64))
    files = _logged(random, machine)
    chosen = random.choice((*CHECKED, ",".join(random.sample(POLICIES, 2)), "maui", "moldable"))
    words = ["simulate", "j.swf", "--check", "--policy", chosen, *random.choice(_CLEANING)]
    words += random.choice((["--processors", str(machine)], []))
    words += random.choice(([], [], [], ["--warm-up", "0.5"], ["--warm-up", "auto"]))
    words += random.choice(([], [], ["--event-order", "batch"], ["--node-processors", "2"]))
    words += random.choice(([], [], [], ["--explain", "1"]))
    return Case(tuple(words), files, (machine, chosen))


def _size(random: Random) -> Case:
    machine = random.choice((1, 8, 64))
    statistic = random.choice(("mean", "p95", "max"))
    measure, limit = random.choice(
        (
            ("wait", 0), ("wait", 60), ("bounded-slowdown", 1), ("bounded-slowdown", 20),
            ("turnaround", 1),
        )
    )  # fmt: skip
    words = ["size", "j.swf", "--processors", str(machine), "--resamples", "2"]
    words += ["--for", f"{statistic}-{measure}<={limit}", *random.choice(_CLEANING)]
    words += random.choice(([], ["--growth", "1"], ["--growth", "2.5"], ["--growth", "1.01"]))
    words += random.choice(([], ["--growth-by", "arrivals"], ["--thin-by", "job"]))
    words += random.choice(([], ["--policy", "fcfs"], ["--policy", "conservative"]))
    return Case(tuple(words), _logged(random, machine), machine)


def _estimate(random: Random) -> Case:
    machine = random.choice((1, 8, 64))
    words = ["estimate", "j.swf", "--processors", str(machine), "--seeds", "1"]
    words += ["--uptake", random.choice(("0,100", "100", "50"))]
    words += ["--error", random.choice(("0", "0,100"))]
    words += ["--predictor", random.choice(("last-two", "quantile", "refining"))]
    words += ["--strategy", random.choice(("extend", "request", "double")), "--no-weights"]
    words += random.choice(([], [], ["--margin", "0.01"], ["--margin", "1000"]))
    return Case((*words, *random.choice(_CLEANING)), _logged(random, machine))


def _schedule(random: Random) -> Case:
    return Case(("schedule", "s.toml"), {"s.toml": edge_scenarios.power_schedule(random)})


def _place(random: Random) -> Case:
    ranks = random.choice((1, 2, 3, 4, 6, 9))
    traffic = edge.matrix(random, ranks)
    nodes = random.randint(1, ranks)
    words = ["place", "m.csv", "--form", "matrix"]
    if random.random() < 0.5:
        words += ["--nodes", str(nodes)]
        capacities = [ranks // nodes + (at < ranks % nodes) for at in range(nodes)]
    else:
        each = random.randint(1, ranks)
        words += ["--ranks-per-node", str(each)]
        capacities = [min(each, ranks - first) for first in range(0, ranks, each)]
    words += random.choice(
        ([], [], ["--method", "ilp"], ["--method", "kl"], ["--method", "matching"])
    )
    words += random.choice(([], [], ["--pin", "0=0"]))
    return Case(tuple(words), {"m.csv": edge.matrix_file(traffic)}, (traffic, capacities))


def _aggregate(random: Random) -> Case:
    words = ["aggregate", random.choice(("lu", "bt", "sp", "ft", "cg", "mg"))]
    words += ["--ranks", random.choice(("4", "8", "16")), "--seed", str(random.randint(0, 9))]
    return Case((*words, *_aggregating(random)))


def _aggregating(random: Random) -> list[str]:
    words = ["--threshold", random.choice(("0", "0.05", "1"))]
    words += random.choice(([], ["--choose", "joules"], ["--method", "reference"]))
    return [*words, *random.choice(([], ["--baseline", "one"], ["--baseline", "1"]))]


def _aggregate_folder(random: Random) -> Case:
    files = {f"ring/{name}": content for name, content in aggregation_files().items()}
    program = files["ring/program.csv"].decode()
    for old, new in random.choice(((), (("0.5", "8"),), (("0.5", "1e-6"),), (("ring", "=1+1"),))):
        program = program.replace(old, new)
    files["ring/program.csv"] = program.encode()
    if random.random() < 0.3:  # nobody sends anything
        lines = files["ring/traffic.csv"].decode().splitlines()
        silent = [line.replace("4096.0", "0") for line in lines]
        files["ring/traffic.csv"] = "\n".join([*silent, ""]).encode()
    return Case(("aggregate", "ring", *_aggregating(random)), files)


def _colocate(random: Random) -> Case:
    measured = edge.pairs(random)
    words = ["colocate", "p.csv"]
    words += random.choice(([], [], ["--predict"], ["--share", "1"], ["--next-pairs", "0"]))
    words += random.choice(([], [], ["--group-size", "3"], ["--balanced"]))
    return Case(tuple(words), {"p.csv": edge.pair_file(measured)}, measured)


def _colocate_log(random: Random) -> Case:
    machine = random.choice((2, 8))
    files = _logged(random, machine) | {"p.csv": edge.pair_file(edge.pairs(random))}
    words = [
        "colocate",
        random.choice(("p.csv", "p.csv", "p.csv", "poppa-12-codes")),
        "--log",
        "j.swf",
    ]
    words += ["--nodes", str(machine), "--seeds", "2"]
    return Case((*words, *random.choice(((), ("--least-gain", "0"), ("--load", "80%")))), files)


def _price(random: Random) -> Case:
    words = ("price", "s.toml", *random.choice(((), ("--jobs-per-node", "2"))))
    return Case(words, {"s.toml": edge_scenarios.prices(random)})


def _price_log(random: Random) -> Case:
    machine = random.choice((1, 2, 8))
    words = ("price", "j.swf", "--nodes", str(machine), "--day", random.choice(("1", "1", "2")))
    return Case(words, _logged(random, machine))


def _diff(random: Random) -> Case:
    first = edge.plan_json(random)
    second = random.choice((first, edge.plan_json(random)))
    words = ("diff", "a.json", "b.json", *random.choice(((), ("--all",))))
    return Case(words, {"a.json": first, "b.json": second}, first == second)


def _check(random: Random) -> Case:
    data = random.choice(
        (lambda random: edge_scenarios.designs(random)[0], edge_scenarios.power_schedule,
         edge_scenarios.prices)
    )(random)  # fmt: skip
    return Case(("check", "s.toml"), {"s.toml": data})


def _check_schedule(random: Random) -> Case:
    machine = random.choice((1, 8))
    at = 0
    rows: list[tuple[int, ...]] = []
    for job in edge.jobs(random, machine):
        start = max(at, job.submit_s)
        size = min(job.processors, machine)
        requested = max(job.requested_s, job.run_s, 1)
        rows.append((job.number, job.submit_s, start, job.run_s, size, requested))
        at = start + job.run_s
    words = ["check-schedule", "s.csv", "--processors", str(machine)]
    words += random.choice(([], [], ["--event-order", "batch"], ["--policy", "fcfs"]))
    data = edge.table(edge.SCHEDULE_HEADINGS, rows)
    return Case(tuple(words), {"s.csv": data}, "--policy" not in words)


KINDS: dict[str, Callable[[Random], Case]] = {
    "plan designs": _designs,
    "plan procurement": _procurement,
    "configure": _configure,
    "share": _share,
    "compare runs": _compare,
    "compare places": _compare_places,
    "simulate": _simulate,
    "size": _size,
    "estimate": _estimate,
    "schedule": _schedule,
    "place": _place,
    "aggregate": _aggregate,
    "aggregate folder": _aggregate_folder,
    "colocate": _colocate,
    "colocate log": _colocate_log,
    "price": _price,
    "price log": _price_log,
    "diff": _diff,
    "check": _check,
    "check-schedule": _check_schedule,
}
"""What is drawn, by kind of question; a kind's own cases do not depend on the other kinds."""


def drawn(kind: str, seed: int) -> Case:
    """The case of a kind with this seed."""
    return KINDS[kind](Random(f"{kind} {seed}"))

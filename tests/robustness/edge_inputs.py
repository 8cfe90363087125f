"""Valid input files at the edges of what is accepted: one job, ties, zero, tiny and huge numbers.

Every function draws from the given source of randomness alone, so that a seed repeats a case.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

NAMES = (
    "a", "b", "c d", "=1+1", "x,y", 'say "q"', "\u00e9t\u00e9", "\u65e5\u672c", "p;q", "-n",
    "[red]r[/red]", "50 %", "a_1", "N/A", "nan", "@SUM", "$x$", "{}", "None", "A", "B", "<b>",
    "a/b", "*",
)  # fmt: skip
"""Names that a file may hold; some differ in case alone, some look like formulas or numbers."""

HOSTLIKE = ("n01", "n02", "n03", "n04", "n05", "n06", "n07", "n08")


def names(random: Random, number: int) -> list[str]:
    """Different names; every second time plain ones."""
    pool = [chr(97 + at) for at in range(number)] if random.random() < 0.5 else [*NAMES]
    return random.sample(pool, number)


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A CSV file."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([headings, *rows])
    return text.getvalue().encode()


def amount(random: Random, ordinary: Sequence[float]) -> float:
    """A number: mostly an ordinary one, so that ties are frequent; else tiny or huge."""
    if random.random() < 0.8:
        return random.choice(ordinary)
    return random.choice((1e-6, 1e-3, 0.5, 1 / 3, 1e6, 1e9, 123456.789))


RUN_HEADINGS = (
    "application", "nodes", "cores_per_node", "package_cap_w", "repetition", "time_s",
    "package_power_w", "dram_power_w",
)  # fmt: skip


@dataclass(frozen=True)
class Run:
    """A measured configuration of one application."""

    application: str
    nodes: int
    cores: int
    cap_w: int
    time_s: float
    power_w: float
    dram_w: float

    @property
    def drawn_w(self) -> float:
        """Package and memory power."""
        return self.power_w + self.dram_w


def runs(random: Random, most_applications: int = 3) -> list[Run]:
    """Measured runs of a few applications, each configuration once."""
    result = []
    equal = random.random() < 0.2
    for name in names(random, random.randint(1, most_applications)):
        grid = {
            (
                random.choice((1, 1, 2, 4, 8)),
                random.choice((1, 2, 16)),
                random.choice((51, 80, 115)),
            )
            for _ in range(random.choice((1, 1, 2, 4, 8)))
        }
        for nodes, cores, cap in sorted(grid):
            time = 100.0 if equal else amount(random, (1, 50, 100, 100, 200, 3600))
            power = nodes * (100.0 if equal else random.choice((50, 100, 100, 115.5, 200)))
            dram = nodes * random.choice((0, 0, 10, 30))
            result.append(Run(name, nodes, cores, cap, time, power, dram))
    return result


def run_file(measured: Iterable[Run]) -> bytes:
    """The table of measured runs that ``configure``, ``share`` and ``compare`` read."""
    rows = (
        (r.application, r.nodes, r.cores, r.cap_w, 1, repr(r.time_s), repr(r.power_w), r.dram_w)
        for r in measured
    )
    return table(RUN_HEADINGS, rows)


def bound_of(random: Random, powers: Sequence[float]) -> float:
    """A power bound: exactly a need, a hair below or above it, far above it, or below all."""
    need = random.choice([*powers, sum(powers), min(powers), max(powers)])
    return random.choice((need, need, need * (1 + 1e-12), need * (1 - 1e-12), need / 2, need * 1e3))


@dataclass(frozen=True)
class Job:
    """A job of a log."""

    number: int
    submit_s: int
    run_s: int
    processors: int
    requested_s: int
    user: int
    status: int = 1


def jobs(random: Random, machine: int, most: int = 12) -> list[Job]:
    """Jobs of a log: few, often alike or at once, some of length 0 or larger than the machine."""
    number = random.choice((1, 1, 2, 3, most))
    alike = random.random() < 0.2
    apart = random.choice((0, 0, 1, 60, 86_400, 700_000))
    result, at = [], random.choice((0, 0, 1, 10**6))
    for index in range(number):
        run = 60 if alike else random.choice((0, 1, 1, 59, 60, 3600, 86_400, 10**7))
        size = 4 if alike else random.choice((1, 1, machine, max(machine // 2, 1), machine + 1, 3))
        asked = random.choice((run, run, run + 1, 2 * run, 10**8, 1, -1))
        status = random.choice((1, 1, 1, 1, 0, 5))
        result.append(Job(index + 1, at, run, size, asked, random.randint(1, 3), status))
        at += 0 if alike else random.choice((0, apart))
    return result


def log_file(listed: Iterable[Job], machine: int | None) -> bytes:
    """A log in the Standard Workload Format."""
    head = "" if machine is None else f"; MaxProcs: {machine}\n"
    lines = (
        f"{j.number} {j.submit_s} -1 {j.run_s} {j.processors} -1 -1 {j.processors} "
        f"{j.requested_s} -1 {j.status} {j.user} 1 -1 1 1 -1 -1\n"
        for j in listed
    )
    return (head + "".join(lines)).encode()


def matrix(random: Random, ranks: int) -> list[list[float]]:
    """Bytes between ranks: nothing at all, all alike, sparse, one-sided, or tiny and huge."""
    kind = random.choice(("none", "alike", "sparse", "ring", "wide", "diagonal"))
    result = [[0.0] * ranks for _ in range(ranks)]
    for one in range(ranks):
        for other in range(ranks):
            near = other in ((one + 1) % ranks, (one - 1) % ranks)
            result[one][other] = float(
                {
                    "none": 0,
                    "alike": 7,
                    "sparse": random.choice((0, 0, 0, 5)),
                    "ring": 1000 * near,
                    "wide": random.choice((0, 1, 1e-3, 1e15, 123.25)),
                    "diagonal": 5 * (one == other),
                }[kind]
            )
    return result


def matrix_file(traffic: Iterable[Iterable[float]]) -> bytes:
    """A CSV matrix of bytes."""
    return "".join(",".join(map(repr, row)) + "\n" for row in traffic).encode()


PAIR_HEADINGS = ("a", "b", "solo_a_s", "solo_b_s", "co_a_s", "co_b_s")
Pair = tuple[str, str, float, float, float, float]


def pairs(random: Random) -> list[Pair]:
    """Measured pairs of applications, some of them missing; a pair may run faster than alone."""
    applications = names(random, random.randint(1, 5))
    solo = {name: amount(random, (10, 100, 100, 120)) for name in applications}
    result: list[Pair] = []
    for at, one in enumerate(applications):
        for other in applications[at:]:
            if random.random() < 0.8 or not result:
                slow = [random.choice((1.0, 1.0, 1.25, 1.5, 2.0, 2.5, 0.99, 10)) for _ in "ab"]
                slow[1] = slow[0] if one == other else slow[1]
                a, b = solo[one], solo[other]
                result.append((one, other, a, b, a * slow[0], b * slow[1]))
    return result


def pair_file(measured: Iterable[Pair]) -> bytes:
    """The table of pairs that ``colocate`` reads."""
    return table(PAIR_HEADINGS, measured)


SCHEDULE_HEADINGS = ("job", "submit", "start", "run", "processors", "requested")


def plan_json(random: Random) -> bytes:
    """A plan.json as ``diff`` reads it."""
    value: object = random.choice((0, -0.0, 1, 1.5, None, True, "x", 1e300, 1e-300, [], {}, [1, 2]))
    plans = [{"method": name, "score": value} for name in names(random, random.randint(0, 3))]
    inputs = {"power": {"bound_w": random.choice((0, 1, 250_000, 250_000.0, 1e15))}}
    plain = {"format": 1, "scenario": random.choice(NAMES), "inputs": inputs, "plans": plans}
    return json.dumps(plain).encode()

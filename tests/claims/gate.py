"""What a gate on own measurements states, counted again from its judgements of each pair.

Written from docs/gate.md and theorem 1 of planner/sharing_nodes/gate/risk.py. What the learned
model predicts of a pair is taken as given; who is admitted and what is certified is not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from planner.errors import InputError
from planner.sharing_nodes.gate.own import gate
from planner.sharing_nodes.gate.study import GateStudy
from planner.sharing_nodes.tangram.gates import Lesson, tangram
from planner.sharing_nodes.tangram.pair_runs import PairRuns
from tests.claims.values import always, same
from tests.planner.sharing_nodes.gate.cases import REFERENCES, tables

_TINY = 1e-12


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer."""

    measured: pd.DataFrame
    profiles: pd.DataFrame
    options: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def answer(self) -> GateStudy:
        return gate(self.measured, self.profiles, references=REFERENCES, **self.options)

    @cached_property
    def rows(self) -> list[tuple[str, str, float, float, float, float]]:
        """Both applications, their times alone, and their times together."""
        columns = ("a", "b", "solo_a_s", "solo_b_s", "co_a_s", "co_b_s")
        lists: list[list[Any]] = [self.measured[name].tolist() for name in columns]
        return [*zip(*lists, strict=True)]

    @property
    def alpha(self) -> float:
        return float(self.options.get("bad_share", 0.1))

    @property
    def limit(self) -> float:
        return float(self.options.get("limit", 1.1))

    @property
    def basis(self) -> str:
        return str(self.options.get("basis", "job"))

    @property
    def known(self) -> list[str]:
        return [*dict.fromkeys([*self.measured["a"], *self.measured["b"]])]

    @property
    def calibration(self) -> list[str]:
        """Measured with a reference, and not one of them."""
        return [name for name in self.known if name not in REFERENCES]

    @property
    def new(self) -> list[str]:
        return [name for name in self.profiles["application"] if name not in self.known]

    def makespan(self, a: str, b: str) -> float:
        """Time together over one job after the other, from the table: the mean of its runs."""
        (row,) = [row for row in self.rows if {*row[:2]} == {a, b}]
        solo_a, solo_b, co_a, co_b = row[2:]
        if self.basis == "step":
            first, second = sorted((co_a / solo_a, co_b / solo_b))
            return (first + (second - first) / second) / 2
        return max(co_a, co_b) / (solo_a + solo_b)

    @cached_property
    def steps(self) -> dict[str, list[tuple[float, bool]]]:
        """Score of each pair of a calibration application, and whether it was bad."""
        found = {}
        for one in self.answer.calibration:
            name = self.answer.name_of(one)
            partners = [self.answer.partner_of(one, int(row)) for row in one.rows]
            found[name] = [
                (float(score), self.makespan(name, partner) > self.limit)
                for score, partner in zip(one.score, partners, strict=True)
            ]
        return found

    def threshold(self, names: list[str]) -> float:
        """The largest threshold that keeps the mean loss of these applications."""
        room = self.alpha * (len(names) + 1) - 1
        if room < 0:
            return -math.inf
        at = sorted({score for name in names for score, _ in self.grown[name]})
        for score in at:  # admission is below a threshold: at this score the loss is with it
            if math.fsum(self.loss(name, score) for name in names) > room + 1e-9:
                return score
        return math.inf

    @cached_property
    def grown(self) -> dict[str, list[tuple[float, float]]]:
        """By application: each score with the largest share of bad co-runs up to it."""
        found = {}
        for name, steps in self.steps.items():
            rows, worst = [], 0.0
            for score in sorted({score for score, _ in steps if math.isfinite(score)}):
                inside = [bad for other, bad in steps if other <= score]
                worst = max(worst, sum(inside) / len(inside))
                rows.append((score, worst))
            found[name] = rows
        return found

    def loss(self, name: str, most: float) -> float:
        """Largest share of bad co-runs among those with at most a score, at any score up to it."""
        return max((worst for score, worst in self.grown[name] if score <= most), default=0.0)

    @cached_property
    def chosen(self) -> float:
        return self.threshold([*self.steps])

    @cached_property
    def left_out(self) -> tuple[int, int]:
        """Bad and all co-runs of each application at the threshold of the others."""
        bad, number = 0, 0
        for name, steps in self.steps.items():
            limit = self.threshold([other for other in self.steps if other != name])
            admitted = [flag for score, flag in steps if score < limit]
            bad, number = bad + sum(admitted), number + len(admitted)
        return bad, number

    @cached_property
    def tangram(self) -> tuple[int, int]:
        """Bad and all co-runs that Tangram's gate admits for applications that it does not know."""
        names = [name for name in self.profiles["application"] if name in self.known]
        counters = self.profiles.set_index("application").drop(
            columns="run_spread", errors="ignore"
        )
        sides = [[row[side] for row in self.rows] for side in (0, 1)]
        a, b = (np.array([names.index(name) for name in side]) for side in sides)
        makespan = np.array([self.makespan(*pair) for pair in zip(*sides, strict=True)])
        of_a, of_b = (counters.loc[side].to_numpy(float) for side in sides)
        runs = PairRuns(
            "own", tuple(names), a, b, np.ones(len(a), dtype=int), of_a, of_b, makespan, makespan
        )
        bad = number = 0
        for left_out in range(len(names)):
            has = (a == left_out) | (b == left_out)
            test = np.flatnonzero(has)
            shared = makespan[test[tangram(Lesson(runs, np.flatnonzero(~has), test, True, 0))]]
            bad, number = bad + int((shared > self.limit).sum()), number + len(shared)
        return bad, number

    @cached_property
    def decided(self) -> list[tuple[float, float]]:
        """Score and median of every pair of a new application."""
        return [(float(score), math.exp(min(float(mean), 700.0)))
                for one in self.answer.judged
                for score, mean in zip(one.score, one.mean, strict=True)]  # fmt: skip

    @cached_property
    def admitted(self) -> list[float]:
        """Medians of the pairs that may share."""
        return [middle for score, middle in self.decided if score < self.chosen]

    @property
    def unlike(self) -> list[str]:
        return [self.answer.name_of(one) for one in self.answer.judged if one.novelty > 1]

    @cached_property
    def ratio(self) -> float:
        times = [time for row in self.rows for time in row[2:]]
        return max(times) / min(times)

    @cached_property
    def learned(self) -> list[float]:
        """Makespans of the co-runs of references with each other."""
        return [self.makespan(a, b) for a, b, *_ in self.rows if {a, b} <= {*REFERENCES}]


def cases() -> Iterator[Case]:
    """Tables at the edges."""
    pairs, profiles = tables()
    yield Case(pairs, profiles, {"bad_share": 0.2})
    yield Case(*tables(calibration=4))
    yield Case(*tables(new=0), {"bad_share": 0.2})
    slow, fast = pairs.copy(), pairs.copy()
    slow[["co_a_s", "co_b_s"]] *= 10
    fast[["co_a_s", "co_b_s"]] *= 0.1
    yield Case(slow, profiles, {"bad_share": 0.2})
    yield Case(fast, profiles, {"bad_share": 0.2})
    steps = pairs.copy()
    steps[["solo_a_s", "co_a_s"]] /= 1000
    yield Case(steps, profiles, {"bad_share": 0.2})
    yield Case(pairs, profiles, {"bad_share": 0.2, "basis": "step", "limit": 1.05})
    once = pairs[(pairs["a"] != "app0") | (pairs["b"] == "ref0")]
    yield Case(once, profiles, {"bad_share": 0.2})
    far = profiles.copy()
    far.loc[far["application"] == "new0", "busy"] = 1e15
    yield Case(pairs, far, {"bad_share": 0.2})
    yield Case(*tables(calibration=20), {"bad_share": 0.05})
    mixed = pairs.copy()
    mixed["co_a_s"] *= np.exp(0.3 * np.random.default_rng(1).normal(size=len(mixed)))
    for measured in (mixed, slow):  # some share, none
        yield Case(measured, profiles, {"bad_share": 0.2, "test_gates": True})


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    one, other = tables(int(rng.integers(2, 16)), int(rng.integers(0, 4)))
    one["co_a_s"] *= np.exp(rng.choice([0.02, 0.35, 0.8]) * rng.normal(size=len(one)))
    options = {"bad_share": float(rng.choice([0.1, 0.2, 0.3])),
               "limit": float(rng.choice([1.0, 1.1, 1.4]))}  # fmt: skip
    case = Case(one, other, options)
    try:
        _ = case.answer
    except InputError:
        return
    yield case


def _possible(case: Case) -> bool:
    return case.alpha * (len(case.calibration) + 1) >= 1 - 1e-9


def _names(names: Any, expected: list[str]) -> bool:
    return [*names] == expected and bool(expected)


def _probes(case: Case) -> list[tuple[str, str, float]]:
    """The two test runs of each new application that are worth most, if they are worth anything.

    A run shows the mean logarithm of a pair up to 0.02 and costs 0.04 of a pair. A pair shares
    below ``t``: its median saves time, and its 90 % quantile is below the limit. Then it saves
    ``E[-m'; m' < t]`` of the mean ``m'`` that is normal around the one of now.
    """
    found = []
    for one in case.answer.judged if _possible(case) else ():
        if one.novelty > 1:
            continue
        now = case.answer.gate.fitted.predict(one.rows)
        mean, known = np.asarray(now.mean), np.asarray(now.covariance)
        values = []
        for row in range(len(mean)):
            total = known[row, row] + 0.02**2
            left = known - np.outer(known[:, row], known[row]) / total
            later, before = (
                np.minimum(0, math.log(case.limit) - norm.ppf(0.9) * np.sqrt(
                    np.maximum(np.diag(each), 0) + now.noise)) for each in (left, known)
            )  # fmt: skip
            moved = norm(mean, np.maximum(np.abs(known[:, row]) / math.sqrt(total), 1e-9))
            saved = moved.std() ** 2 * moved.pdf(later) - mean * moved.cdf(later)
            values.append(float(saved.sum() + mean[mean < before].sum() - 0.04))
        best = sorted(range(len(values)), key=lambda row: -values[row])[:2]
        found += [(case.answer.name_of(one), case.answer.partner_of(one, int(one.rows[row])),
                   values[row]) for row in best if values[row] > 0]  # fmt: skip
    return found


def _same_probes(case: Case, rows: list[dict[str, Any]]) -> bool:
    return [(row["application"], row["partner"]) for row in rows] == [
        (one, other) for one, other, _ in _probes(case)
    ] and all(math.isclose(row["value"], value, rel_tol=1e-6, abs_tol=1e-9)
              for row, (*_, value) in zip(rows, _probes(case), strict=True))  # fmt: skip


def _probe(case: Case, application: str, partner: str, saving: float) -> bool:
    worth = {(one, other): value for one, other, value in _probes(case)}
    pair = (application, partner)
    return pair in worth and math.isclose(saving, worth[pair], rel_tol=1e-6)


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "question": always,
    "impossible": lambda case, applications, rate: (
        not _possible(case) and (applications, rate) == (len(case.calibration), case.alpha)
        and not case.admitted
    ),
    "nothing": lambda case: not case.new and _possible(case),
    "none": lambda case, pairs: pairs == len(case.decided) > 0 == len(case.admitted),
    "share": lambda case, pairs: (*pairs,) == (len(case.admitted), len(case.decided)),
    "certified": lambda case, rate, applications: (
        _possible(case) and (rate, applications) == (case.alpha, len(case.calibration))
        and math.fsum(case.loss(name, math.nextafter(case.chosen, -math.inf))
                      for name in case.steps) + 1
        <= case.alpha * (len(case.calibration) + 1) + 1e-9
    ),
    "among": lambda case, rate, part: (
        (*part,) == case.left_out and same(rate, part[0] / part[1])
    ),
    "tangram": lambda case, rate, part: (
        (*part,) == case.tangram and same(rate, part[0] / part[1])
    ),
    "bad": lambda case, limit: limit == case.limit,
    "too-few": lambda case, applications, needed, least: (
        not _possible(case) and applications == len(case.calibration)
        and same(least, 1 / (applications + 1))
        and case.alpha * (needed + 1) >= 1 - 1e-9 > case.alpha * needed - 1e-9
    ),
    "few": lambda case, applications: applications == len(case.calibration) < 40,
    "times-apart": lambda case, ratio: same(ratio, case.ratio) and ratio > 20 and (
        case.basis == "job"
    ),
    "one-reference": lambda case, applications: _names(applications, [
        name for name in case.calibration
        if sum(name in row[:2] for row in case.rows) == 1
    ]),
    "all-save": lambda case: max(case.learned) < 1,
    "all-lose": lambda case: min(case.learned) >= 1,
    "unlike": lambda case, applications: _names(applications, case.unlike),
    "probe": _probe,
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""

FACTS: dict[str, Claim] = {
    "admitted": lambda case, value: (*value,) == (len(case.admitted), len(case.decided)),
    "rate": lambda case, value: value == case.alpha,
    "among": lambda case, value: same(value, case.left_out[0] / case.left_out[1]),
    "least": lambda case, value: same(value, 1 / (len(case.calibration) + 1)),
    "expected": lambda case, value: (
        same(value[0], min(case.admitted)) and same(value[1], max(case.admitted))
        and value[1] < 1 + _TINY
    ),
    "abstains": lambda case, value: (*value,) == (len(case.unlike), len(case.new)),
    "limit": lambda case, value: value == case.limit,
    "basis": lambda case, value: value == case.basis,
    "references": lambda case, value: {*value} == {*REFERENCES},
    "calibration": lambda case, value: value == len(case.calibration),
    "new": lambda case, value: value == len(case.new),
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Claim] = {
    "too-few": lambda case: not _possible(case),
    "few": lambda case: _possible(case) and len(case.calibration) < 40,
    "times-apart": lambda case: case.ratio > 20 and case.basis == "job",
    "all-save": lambda case: max(case.learned) < 1,
    "all-lose": lambda case: min(case.learned) >= 1,
    "unlike": lambda case: bool(case.unlike),
    "certified": _possible,
    "tangram": lambda case: bool(case.options.get("test_gates")) and case.tangram[1] > 0,
    "probe": lambda case: bool(_probes(case)),
}  # fmt: skip
"""When these kinds are due: they are stated then, and only then."""

TABLES: dict[str, Claim] = {"probes": _same_probes}
"""Whether the rows of a table are those that follow from the judgements."""

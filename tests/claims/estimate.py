"""What `headroom estimate` states, from the outcome of each simulation and from the log alone.

Written from docs/estimate.md and the paper's section 5.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from planner.scheduling.estimates.cases import CaseOutcome, EstimateCase, Waits, case_of
from planner.scheduling.estimates.settings import EstimateSettings, variants
from planner.scheduling.estimates.study import EstimateStudy, estimate_study
from planner.scheduling.estimates.tools import BoundedErrorOracle, PredictorTool
from planner.scheduling.estimates.workload import EstimateWorkload, workload_of
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.lublin import lublin_log
from scenarios.maui.reader import bundled_maui
from scenarios.maui.settings import Credential, MauiConfiguration, Priority
from tests.claims.values import always
from tests.planner.scheduling.estimates.literal import ended
from tests.planner.scheduling.estimates.predictors.habits import habits


@dataclass(frozen=True, eq=False)
class Case:
    """A study with its answer, and the queue times of each simulation."""

    answer: EstimateStudy
    outcomes: dict[EstimateCase, CaseOutcome]

    @property
    def log(self) -> JobLog:
        return self.answer.workload.log

    @property
    def settings(self) -> EstimateSettings:
        return self.answer.settings

    @property
    def users(self) -> int:
        return len({*self.log.user.tolist()})

    @property
    def uptakes_coincide(self) -> bool:
        """Whether two uptakes that were asked for are the same number of users."""
        asked = {*self.settings.uptakes}
        sizes = {max(round(share * self.users), int(share > 0)) for share in asked}
        return len(sizes) < len(asked)

    @property
    def group(self) -> int:
        share = self.answer.workload.seed_group
        return max(round(share * self.users), 1)

    @property
    def most(self) -> tuple[float, float]:
        return max(self.settings.uptakes), max(self.settings.errors)

    def waits(self, uptake: float, error: float, seed: int, measure: str = "mean_s") -> float:
        """What the sampled users of a seed wait."""
        oracle = BoundedErrorOracle(error)
        found = self.outcomes[case_of(oracle, uptake, seed)].groups[seed]
        value = getattr(found, measure)
        return math.nan if value is None else float(value)

    def bare(self, seed: int, measure: str = "mean_s") -> float:
        value = getattr(self.outcomes[EstimateCase()].groups[seed], measure)
        return math.nan if value is None else float(value)

    def changes(self, uptake: float, error: float, measure: str = "mean_s") -> list[float]:
        """How the waits change, of each seed that has a wait to change."""
        pairs = [(self.bare(seed, measure), self.waits(uptake, error, seed, measure))
                 for seed in self.settings.seeds]  # fmt: skip
        return [after / before - 1 for before, after in pairs if before > 0]

    @cached_property
    def answered(self) -> list[float]:
        return self.changes(*self.most)

    @property
    def deviation(self) -> float:
        return float(np.std(self.answered, ddof=1))

    def cells(self, measure: str = "mean_s") -> list[list[float]]:
        """Changes at the uptakes at which all sampled users have the tool."""
        every = [self.changes(uptake, error, measure)
                 for uptake in {*self.settings.uptakes}
                 if uptake >= self.answer.workload.seed_group
                 for error in {*self.settings.errors}]  # fmt: skip
        return [cell for cell in every if cell]

    def all_jobs(self, case: EstimateCase) -> CaseOutcome:
        return self.outcomes[case]

    @property
    def exact(self) -> CaseOutcome:
        return self.all_jobs(EstimateCase(BoundedErrorOracle(0.0), 1.0))

    @property
    def none(self) -> CaseOutcome:
        return self.all_jobs(EstimateCase())

    def change_of(self, outcome: CaseOutcome, before: CaseOutcome | None = None) -> float:
        first = (before or self.none).everybody.mean_s or 0.0
        return (outcome.everybody.mean_s or 0.0) / first - 1 if first > 0 else math.nan

    @property
    def predicted(self) -> dict[tuple[str, str], float]:
        """Change of all jobs' mean wait by predictor and strategy."""
        return {
            (tool.predictor, _strategy(tool)): self.change_of(outcome)
            for case, outcome in self.outcomes.items()
            if isinstance(tool := case.tool, PredictorTool)
        }

    @property
    def best(self) -> float:
        return min(self.real)

    @property
    def real(self) -> list[float]:
        """Changes by the predictors that are no oracle."""
        known = ((name, change) for (name, _), change in self.predicted.items())
        return [change for name, change in known if name != "refining" and not math.isnan(change)]

    @property
    def whole(self) -> tuple[float, float]:
        """The largest uptake and the least error."""
        return max(self.settings.uptakes), min(self.settings.errors)

    @property
    def one_schedule(self) -> bool:
        return max(self.settings.uptakes) == 1 and len({*self.settings.seeds}) > 1

    @property
    def varied(self) -> list[tuple[str, CaseOutcome, CaseOutcome]]:
        """Each variant of the weights: without the tool and with exact run times."""
        names = dict.fromkeys(case.variant for case in self.outcomes)
        oracle = BoundedErrorOracle(0.0)
        return [
            (
                name,
                self.all_jobs(EstimateCase(variant=name)),
                self.all_jobs(EstimateCase(oracle, 1.0, None, name)),
            )
            for name in names
        ]

    def moves(self, variant: str) -> bool:
        """Whether a variant changes a mean wait by half a per cent or more."""
        (_, *first), *_ = self.varied
        found = next(pair for name, *pair in self.varied if name == variant)
        return any(
            abs((now.everybody.mean_s or 0) - (was.everybody.mean_s or 0))
            > 0.005 * (was.everybody.mean_s or 0)
            for now, was in zip(found, first, strict=True)
        )

    @property
    def bundled(self) -> bool:
        return self.answer.configuration.priority == bundled_maui().priority


def _strategy(tool: PredictorTool) -> str:
    if tool.predictor == "refining":
        return "never"
    if tool.overruns.then == "extend":
        return "extend"
    return "double" if tool.overruns.factor == 2 else "request"


Wait = Callable[[EstimateCase, int], float]


def _waits(mean: float) -> Waits:
    return Waits(5, mean, 2 * mean, 3 * mean, 1.0)


def made(
    wait: Wait, log: JobLog | None = None, configuration: MauiConfiguration | None = None,
    seed_group: float = 0.2, **changed: Any,
) -> Case:  # fmt: skip
    """A study whose queue times are by hand: ``wait`` of a case and a seed."""
    given: dict[str, Any] = {
        "uptakes": (0.0, 0.2, 1.0), "errors": (0.0, 0.5), "seeds": (0, 1),
        "predictors": ("last-two", "refining"), "strategies": ("extend",), "weights": False,
    }  # fmt: skip
    settings = EstimateSettings(**(given | changed))
    configuration = configuration or bundled_maui()
    workload = workload_of(habits(40, 3, users=20) if log is None else log, None, seed_group)
    outcomes = {}
    for case in settings.cases(variants(configuration, weights=settings.weights)):
        told = settings.seeds if case.seed is None else (case.seed,)
        kills = isinstance(case.tool, PredictorTool) and case.tool.overruns.then == "kill"
        whole = _waits(float(np.mean([wait(case, seed) for seed in told])))
        outcomes[case] = CaseOutcome(
            {seed: _waits(wait(case, seed)) for seed in told}, whole, whole, whole, 9 * kills,
            3 * kills, 0, 25.0 * kills, 100.0, 1000,
        )  # fmt: skip
    return Case(EstimateStudy(workload, configuration, settings, outcomes), outcomes)


def simulated_study(log: JobLog, processors: int | None = None, **changed: Any) -> EstimateStudy:
    """A study that is simulated."""
    given: dict[str, Any] = {
        "uptakes": (0.2, 1.0), "errors": (0.0, 0.5), "seeds": (0, 1), "predictors": ("last-two",),
        "strategies": ("extend", "request"), "weights": False,
    }  # fmt: skip
    workload, settings = workload_of(log, processors), EstimateSettings(**(given | changed))
    return estimate_study(workload, bundled_maui(), settings)


def played(log: JobLog, processors: int | None = None, **changed: Any) -> Case:
    """A study that is simulated, and again by the literal scheduler."""
    study = simulated_study(log, processors, **changed)
    settings = study.settings
    configurations = variants(bundled_maui(), weights=settings.weights)
    again = {
        case: simulated(study.workload, case, configurations[case.variant], settings.seeds)
        for case in settings.cases(configurations)
    }
    return Case(study, again)


def simulated(
    workload: EstimateWorkload, case: EstimateCase, configuration: Any, seeds: Sequence[int]
) -> CaseOutcome:
    """The waits of a case."""
    wait = np.array([job.start - job.submit for job in ended(workload, case, configuration)])

    def of(chosen: Any) -> Waits:
        mine = wait[chosen]
        return Waits(len(mine), float(mine.mean()), None, float(mine.max()), None)

    told = seeds if case.seed is None else (case.seed,)
    groups = {seed: of(workload.tool_users(seed, workload.seed_group)) for seed in told}
    whole = of(slice(None))
    return CaseOutcome(groups, whole, whole, whole, 0, 0, 0, 0.0, 0.0, 0)


def _by(gain: float, apart: float = 0.0, tool: float = 90.0) -> Wait:
    """100 s without a tool, less by a gain with the oracle, more by each seed."""

    def wait(case: EstimateCase, seed: int) -> float:
        if case.tool is None:
            return 100.0
        if isinstance(case.tool, PredictorTool):
            return tool
        return 100 * (1 - gain) + apart * seed + 5 * case.tool.most_error

    return wait


def _named() -> MauiConfiguration:
    """A configuration that names a user without jobs, with weights of its own."""
    priority = Priority(credential=Credential(user={"nobody": 5.0}))
    return MauiConfiguration(name="own", priority=priority)


def cases() -> Iterator[Case]:
    """Studies at the edges."""
    log = habits(40, 3, users=20)
    twenty = tuple(range(12))
    yield made(_by(0.3, 10.0))
    yield made(_by(0.3, 10.0), uptakes=(0.5,))
    yield made(_by(0.1, 40.0), uptakes=(0.5,))
    yield made(_by(0.3), seeds=(4,), errors=(0.0,))
    yield made(_by(0.0), errors=(0.0,), uptakes=(0.5,), predictors=())
    yield made(_by(-3.0, 7.0, 400.0), strategies=("extend", "request", "double"), seeds=twenty)
    yield made(_by(0.3, 10.0, 103.0), strategies=("request",))
    yield made(lambda case, seed: 100.0 if case.tool is None else 130.0 - 40 * seed,
               strategies=("request",))  # fmt: skip
    yield made(lambda _case, _seed: 0.0)
    yield made(_by(0.2), log=habits(40, 3, users=1))
    yield made(_by(0.2), log=habits(40, 3, users=3), seed_group=1.0)
    yield made(_by(0.2), log=replace(log, user=np.full(40, MISSING, np.int32)))
    yield made(lambda case, _seed: 100.0 if case.tool is None else 80.0 + 90 * (
        case.variant == "without bypass"), weights=True)  # fmt: skip
    yield made(_by(0.2), configuration=_named())
    yield made(_by(0.2), log=replace(log, no_limit=np.arange(40) % 9 == 2))
    yield made(_by(0.2), log=replace(log, killed=np.arange(40) == 3, wait_s=np.full(40, 5)))
    yield played(habits(80, 8, users=9), 8)
    recorded = np.random.default_rng(2).integers(1, 5000, 80)
    yield played(replace(habits(80, 8, users=9), wait_s=recorded, file="a.swf", sha256="ab" * 32))
    yield played(lublin_log(80, 64, 3, load=0.9, estimate_factor=4), weights=True, predictors=())
    part = np.where(np.arange(80) % 7, recorded, MISSING)
    yield played(replace(habits(80, 8, users=9), wait_s=part), uptakes=(1.0,), predictors=(),
                 )  # fmt: skip


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    spread, gain = float(rng.choice([0, 3, 40])), float(rng.choice([-2, -0.1, 0, 0.1, 0.9]))
    yield made(
        _by(gain, spread, float(rng.choice([0, 50, 100, 5000]))),
        log=habits(40, seed, users=int(rng.choice([1, 2, 7, 40]))),
        seeds=tuple(range(int(rng.choice([1, 2, 11])))),
        uptakes=tuple(sorted({float(u) for u in rng.choice([0, 0.1, 0.2, 0.6, 1], 3)})),
        errors=tuple(sorted({float(e) for e in rng.choice([0, 0.1, 0.5, 1], 3)})),
        weights=bool(rng.random() < 0.3), strategies=("extend", "double"),
        predictors=tuple(rng.choice([["last-two"], ["quantile", "refining"]][seed % 2], 1)),
    )  # fmt: skip


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def _headline(case: Case, uptake: float, wait: str, change: float, before: float,
              error: float = 0.0) -> bool:  # fmt: skip
    befores = [case.bare(seed) for seed in case.settings.seeds]
    whose = "mean of all" if case.group >= case.users else "mean of sampled"
    return bool(
        (uptake, error) == case.most
        and wait == whose
        and _same(change, float(np.mean(case.answered)))
        and _same(before, float(np.nanmean(befores)))
    )


def _spread(case: Case, deviation: float) -> bool:
    return case.users > 1 and _same(deviation, case.deviation)


def _counted(cells: tuple[int, int], every: list[list[float]]) -> bool:
    return cells == (sum(np.mean(cell) < 0 for cell in every), len(every))


def _names(case: Case, names: tuple[str, ...]) -> bool:
    known = {str(user) for user in case.log.user.tolist()} | {*case.log.names.get("user", ())}
    wanted = {*case.answer.configuration.priority.credential.user} - known
    return {*names} == {f"user {name}" for name in wanted}


def _predictors(case: Case, tools: Sequence[str] = ()) -> bool:
    """The real predictors that shorten the mean wait of all jobs."""
    shorter = {f"{name}, {then}" for (name, then), change in case.predicted.items()
               if name != "refining" and change < 0}  # fmt: skip
    return {*tools} == shorter and len(tools) == len(shorter)


def _gains_least(case: Case, variants: Sequence[str], change: float) -> bool:
    """All weights under which exact run times change the mean wait least for the better."""
    found = {name: case.change_of(exact, bare) for name, bare, exact in case.varied}
    most = max(each for each in found.values() if not math.isnan(each))
    return _same(change, most) and {*variants} == {n for n, each in found.items() if each == most}


def _off_by(case: Case, area: float) -> bool:
    """The area between completions over time, of jobs with a recorded wait."""
    log, workload = case.log, case.answer.workload
    jobs = ended(workload, EstimateCase(), case.answer.configuration)
    ours = np.array([job.start + job.run for job in jobs])
    compared = log.wait_s >= 0
    recorded = (log.submit_s + log.wait_s + log.run_s)[compared]
    return _same(area, float(np.abs(np.sort(recorded) - np.sort(ours[compared])).mean()))


def _tool(case: Case, place: int, predictor: str, strategy: str, change: float) -> bool:
    """Whether a real predictor has this place among them, the largest fall first."""
    return (
        predictor != "refining"
        and case.predicted[predictor, strategy] == sorted(case.real)[place]
        and _same(change, sorted(case.real)[place])
    )


def _outcome(case: Case, predictor: str, strategy: str) -> CaseOutcome:
    return next(
        outcome for of, outcome in case.outcomes.items()
        if isinstance(tool := of.tool, PredictorTool)
        and (tool.predictor, _strategy(tool)) == (predictor, strategy)
    )  # fmt: skip


def _of_groups(case: Case, predictor: str, strategy: str) -> list[float]:
    """Change of the mean wait of each group of sampled users."""
    waits = _outcome(case, predictor, strategy).groups
    pairs = [(case.bare(seed), waits[seed].mean_s) for seed in case.settings.seeds]
    return [(after or 0) / before - 1 for before, after in pairs if before > 0]


def _groups_range(case: Case, range: tuple[float, float], groups: int) -> bool:  # noqa: A002
    """The ends over seeds of a best real predictor's change, each against its own group."""
    found = []
    for (predictor, strategy), change in case.predicted.items():
        if predictor != "refining" and change == case.best:
            found.append(_of_groups(case, predictor, strategy))
    return case.users > 1 and any(
        groups == len(each) > 1 and _same(range[0], min(each)) and _same(range[1], max(each))
        for each in found
    )


def _predict_range(
    case: Case, predictor: str, strategy: str, change: float,
    range: tuple[float, float],  # noqa: A002
) -> bool:  # fmt: skip
    """The best real predictor shortens waits, and the ends of its change over groups."""
    found = _of_groups(case, predictor, strategy)
    return (
        case.best < 0
        and case.users > 1 < len(found)
        and _tool(case, 0, predictor, strategy, change)
        and all(map(_same, range, (min(found), max(found))))
    )


def _killing(case: Case, predictor: str, strategy: str, change: float, jobs: int) -> bool:
    """The worst of the real predictors that kill jobs: no group of sampled users waits less."""
    kills = [change for (name, rule), change in case.predicted.items()
             if name != "refining" and _answered_outcome(case, name, rule).jobs_killed]  # fmt: skip
    return (
        predictor != "refining"
        and case.predicted[predictor, strategy] == max(kills) > 0.05 - 1e-9
        and _same(change, max(kills))
        and min(_of_groups(case, predictor, strategy)) > 0
        and jobs == _answered_outcome(case, predictor, strategy).jobs_killed
    )


def _answered_outcome(case: Case, predictor: str, strategy: str) -> CaseOutcome:
    """With the kills, which the literal scheduler does not count."""
    return next(
        outcome for of, outcome in case.answer.outcomes.items()
        if isinstance(tool := of.tool, PredictorTool)
        and (tool.predictor, _strategy(tool)) == (predictor, strategy)
    )  # fmt: skip


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "source-python": lambda case: not case.log.sha256,
    "source-file": lambda case, log: log == (case.log.file or case.log.name) and (
        bool(case.log.sha256) and "Synthetic" not in case.log.header
    ),
    "source-synthetic": lambda case, model: (
        not case.log.sha256 and case.log.header["Synthetic"].startswith(model)
    ),
    "question": lambda case, log: log == case.log.name,
    "oracle": lambda case, **values: values["error"] > 0 and _headline(case, **values),
    "exact": lambda case, **values: max(case.settings.errors) == 0 and _headline(case, **values),
    "nobody-waits": lambda case: not any(case.bare(seed) > 0 for seed in case.settings.seeds),
    "single": lambda case: case.users == 1 or (bool(case.real) and len(case.settings.seeds) == 1),
    "samples": lambda case, seeds, sampled: (
        seeds == len(case.settings.seeds) and sampled == (case.group, case.users)
    ),
    "one-seed": lambda case: len(case.answered) == 1,
    "alike": lambda case: len(case.answered) > 1 and len({*case.answered}) == 1,
    "one-schedule": lambda case, deviation: case.one_schedule and _spread(case, deviation),
    "clear": lambda case, deviation: (
        _spread(case, deviation) and abs(np.mean(case.answered)) > 2 * deviation
    ),
    "unclear": lambda case, deviation: (
        _spread(case, deviation) and abs(np.mean(case.answered)) <= 2 * deviation
    ),
    "users": lambda case, users, processors: (
        users == case.users and processors == case.answer.workload.problem.processors
    ),
    "longest": lambda case, longest: longest == case.none.everybody.max_s,
    "predicted-by": lambda case, predictor, strategy, exact: (
        _tool(case, 0, predictor, strategy, case.best) and _same(exact, case.change_of(case.exact))
    ),
    "fragile": lambda case, given, least, variants: (
        _same(given, case.change_of(case.exact)) and _gains_least(case, variants, least)
    ),
    "exact-wait": lambda case, wait: wait == case.exact.everybody.mean_s,
    "predict": lambda case, before, **tool: (
        case.best < 0 and before == case.none.everybody.mean_s and _tool(case, 0, **tool)
    ),
    "predict-range": _predict_range,
    "groups": lambda case, groups: (
        case.best < 0 and case.users > 1
        and groups == sum(case.bare(seed) > 0 for seed in case.settings.seeds) > 1
    ),
    "no-cost": always,
    "keep-requests": lambda case, before, **tool: (
        case.best >= 0 and before == case.none.everybody.mean_s and _tool(case, 0, **tool)
    ),
    "next-predictor": lambda case, **tool: _tool(case, 1, **tool),
    "share-of-exact": lambda case, share, exact: (
        case.best < 0
        and _same(exact, case.change_of(case.exact))
        and _same(share, case.best / exact)
    ),
    "groups-range": _groups_range,
    "killing": _killing,
    "everyone": lambda case: bool(case.real),
    "no-reaction": always,
    "groups-change": lambda case, change, uptake, error: (
        (uptake, error) == case.whole and _same(change, float(np.mean(case.changes(*case.whole))))
    ),
    "no-request": lambda case, jobs: (
        case.log.no_limit is not None and jobs == int(case.log.no_limit.sum()) > 0
    ),
    "strangers": _names,
    "too-large": lambda case, jobs: jobs == case.answer.workload.rejected > 0,
    "nameless": lambda case, jobs: jobs == int((case.log.user == MISSING).sum()) > 0,
    "one-user": lambda case: case.users == 1,
    "from-anyone": lambda case, predictors: (
        case.users == 1
        and {*predictors} == {name for name, _ in case.predicted} & {"last-two", "quantile"}
    ),
    "few-users": lambda case, users: users == case.users and case.uptakes_coincide,
    "few-seeds": lambda case, seeds: seeds == len(case.settings.seeds) < 10,
    "cut": lambda case, runs: case.log.killed is not None and runs == int(case.log.killed.sum()),
    "cut-waits": lambda case: case.log.killed is not None and bool((case.log.wait_s >= 0).any()),
    "more-seeds": lambda case: len(case.settings.seeds) < 10 and case.users > 1,
    "real-predictors": lambda case: not case.predicted,
    "vary-weights": lambda case: len(case.varied) == 1,
    "own-log": lambda case: "Synthetic" in case.log.header,
    "recorded-waits": lambda case: bool((case.log.wait_s < 0).all()),
    "own-weights": lambda case: case.bundled,
    "mean-shorter": lambda case, cells: _counted(cells, case.cells()),
    "longest-shorter": lambda case, cells: _counted(cells, case.cells("max_s")),
    "predictors-shorter": lambda case, tools: len(tools) > 0 and _predictors(case, tools),
    "none-shorter": _predictors,
    "weights-range": lambda case, change: change == tuple(
        pick(found for _, bare, exact in case.varied
             if not math.isnan(found := case.change_of(exact, bare)))
        for pick in (min, max)
    ) or all(map(_same, change, (
        pick(case.change_of(exact, bare) for _, bare, exact in case.varied)
        for pick in (min, max)))),
    "off-by": _off_by,
    "gains-least": lambda case, variants, change: (
        len(variants) < len(case.varied) and _gains_least(case, variants, change)
    ),
    "idle": lambda case, weights: {*weights} == {
        weight for weight in ("queue time", "bypass", "processors", "fairshare")
        if (found := [name for name, *_ in case.varied if name.endswith(f" {weight}")])
        and not any(case.moves(name) for name in found)
    },
    "assumed": lambda case: case.bundled,
}  # fmt: skip


def _kinds(case: Case, kind: type | None) -> int:
    tools = [each.tool for each in case.outcomes]
    return sum(tool is None if kind is None else isinstance(tool, kind) for tool in tools)


FACTS: dict[str, Claim] = {
    "seeds": lambda case, value: [*value] == [*case.settings.seeds],
    "jobs": lambda case, value: value == len(case.log),
    "wait": lambda case, value: value == case.none.everybody.mean_s,
    "exact": lambda case, value: (
        not case.real and _same(value, case.change_of(case.exact))
    ),
    "predicted": lambda case, value: _same(value, case.best),
    "left_out": lambda case, value: value == int((case.log.wait_s < 0).sum()) > 0,
    "simulations": lambda case, value: value == len(case.outcomes),
    "without_tool": lambda case, value: value == _kinds(case, None),
    "with_oracle": lambda case, value: value == _kinds(case, BoundedErrorOracle),
    "with_predictor": lambda case, value: value == _kinds(case, PredictorTool) > 0,
    "with_weights": lambda case, value: value == sum(
        each.variant != "as given" for each in case.outcomes
    ) > 0,
    "scheduler": lambda case, value: value == case.answer.configuration.name,
    "iteration": lambda case, value: value == case.answer.configuration.iteration_s,
    "backfill": lambda case, value: value == case.answer.configuration.backfill.policy,
    "reservations": lambda case, value: (
        value == case.answer.configuration.backfill.reservations
    ),
    "windows": lambda case, value: value == case.answer.configuration.fairshare.windows,
    "window": lambda case, value: value == case.answer.configuration.fairshare.window_s,
    "decay": lambda case, value: value == case.answer.configuration.fairshare.decay,
}  # fmt: skip

DUE: dict[str, Claim] = {
    "fragile": lambda case: len(case.varied) > 1 and case.change_of(case.exact) < 0 and any(
        case.change_of(exact, bare) > case.change_of(case.exact) / 2
        for _, bare, exact in case.varied
    ),
}  # fmt: skip
"""When these kinds are due: they are stated then, and only then."""

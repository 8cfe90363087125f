"""Tools that give run-time estimates: the paper's bounded-error oracle, and real predictors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from planner.parts import calling
from planner.scheduling.estimates.binning import binned
from planner.scheduling.estimates.predictors.margin import with_margin
from planner.scheduling.estimates.predictors.own import Checked
from planner.scheduling.estimates.predictors.registry import ORACLES, PREDICTORS, find_predictor
from planner.scheduling.policies.maui import MauiRun, Overruns

if TYPE_CHECKING:
    from planner.scheduling.estimates.predictors.predictor import Predicting, RunTimePredictor
    from planner.scheduling.estimates.workload import EstimateWorkload
    from scenarios.maui.settings import MauiConfiguration

Mask = NDArray[np.bool_]


def per_cent(share: float) -> str:
    """A share in the name of a file.

    Examples
    --------
    >>> per_cent(0.3), per_cent(0.0001)
    ('030', '000.01')
    """
    whole, point, rest = f"{100 * share:.6f}".rstrip("0").partition(".")
    return f"{int(whole):03d}{point if rest else ''}{rest}"


@dataclass(frozen=True)
class BoundedErrorOracle:
    """Estimate by classes of the *actual* run times: never too short, and at most e too long.

    This is an oracle, not a predictor: the class is known only after the job has run.

    Attributes
    ----------
    most_error
        The largest error e, relative to the run time.
    """

    most_error: float

    @property
    def key(self) -> str:
        """Short name."""
        return f"oracle-e{per_cent(self.most_error)}"

    @property
    def words(self) -> str:
        """Name for readers."""
        return f"bounded-error oracle, {100 * self.most_error:g} %"

    def play(
        self, workload: EstimateWorkload, configuration: MauiConfiguration, uses: Mask
    ) -> MauiRun:
        """Simulate a log; the scheduler plans the tool users' jobs with the oracle's estimates."""
        jobs = workload.problem.jobs
        planned = np.where(uses, binned(jobs.run, self.most_error).estimate_s, jobs.estimate)
        run = MauiRun(workload.problem, configuration, planned)
        run.advance()
        return run


@dataclass(frozen=True)
class PredictorTool:
    """A predictor that learns from ended jobs, with a strategy for jobs that exceed predictions.

    Attributes
    ----------
    predictor
        Name of the predictor.
    overruns
        Whether such a job is killed and submitted again, or its prediction is extended.
    margin
        Factor on all predictions.
    own, own_sha256
        The user's own predictor, and the SHA-256 of its file; empty for a built-in predictor.
    """

    predictor: str
    overruns: Overruns
    margin: float = 1.0
    own: RunTimePredictor | None = field(default=None, repr=False, compare=False)
    own_sha256: str = ""

    @property
    def key(self) -> str:
        """Short name."""
        margin = "" if self.margin == 1 else f"-x{self.margin:g}"
        return f"{self.predictor}{margin}-{_strategy(self.overruns)}"

    @property
    def words(self) -> str:
        """Name for readers."""
        margin = "" if self.margin == 1 else f" x {self.margin:g}"
        if self.predictor in ORACLES:
            return f"{self.predictor}{margin} (oracle)"
        return f"{self.predictor}{margin}, {STRATEGIES[_strategy(self.overruns)]}"

    def play(
        self, workload: EstimateWorkload, configuration: MauiConfiguration, uses: Mask
    ) -> MauiRun:
        """Simulate a log; the scheduler plans the tool users' jobs with the predictions."""
        jobs = workload.problem.jobs
        run = MauiRun(workload.problem, configuration, jobs.estimate.copy(), self.overruns)
        with calling(self.own or self):
            predict_online(run, self._begin(workload), jobs.submit, jobs.run, uses)
        return run

    def _begin(self, workload: EstimateWorkload) -> Predicting:
        made: RunTimePredictor
        if self.own is not None:
            made = Checked(self.own)
        elif self.predictor in ORACLES:
            made = ORACLES[self.predictor](workload.problem.jobs.run)
        else:
            made = find_predictor(self.predictor)
        if self.margin != 1:
            made = with_margin(made, self.margin)
        return made.begin(workload.known, seed=0)


Tool = BoundedErrorOracle | PredictorTool

STRATEGIES = {
    "double": "killed, rerun with twice the estimate",
    "request": "killed, rerun with the request",
    "extend": "extended when exceeded",
}
TOOLS = (*PREDICTORS, *ORACLES)


def overruns_of(strategy: str) -> Overruns:
    """``double``, ``request`` or ``extend``."""
    if strategy == "extend":
        return Overruns("extend")
    return Overruns("kill", 2.0 if strategy == "double" else float("inf"))


def _strategy(overruns: Overruns) -> str:
    if overruns.then == "extend":
        return "extend"
    return "double" if overruns.factor == 2 else "request"


def predict_online(
    run: MauiRun,
    predicting: Predicting,
    submit_s: NDArray[np.int64],
    run_s: NDArray[np.int64],
    uses: Mask,
) -> None:
    """Simulate a log to its end, with predictions for the jobs of the tool's users.

    The prediction is made in the scheduler's iteration that reads the job. It uses jobs of these
    users that had ended by earlier iterations.
    """
    rows = np.flatnonzero(uses)
    length = run.rules.iteration
    # A job is read at the first iteration from its submission on.
    read_s = -(-submit_s[rows] // length) * length
    begins = np.flatnonzero(np.diff(read_s, prepend=-1))
    learned = 0
    # At the head all iterations before `read_s[first]` are over, and no later one has begun.
    for first, last in zip(begins, np.append(begins[1:], len(rows)), strict=True):
        run.advance(int(read_s[first]))
        ended = run.ended_since(learned)
        learned += len(ended)
        newly_ended = ended[uses[ended]].astype(np.intp)
        if len(newly_ended):
            predicting.learn(newly_ended, run_s[newly_ended])
        run.plan_with(rows[first:last], predicting.predict(rows[first:last]))
    run.advance()

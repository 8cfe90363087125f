"""All answers to one table of measurements under one bound, ready to be shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from planner.configurations.applications import check_applications
from planner.configurations.best_configuration import (
    ConfigurationAnswer,
    Question,
    answer_from,
    configure,
)
from planner.configurations.confidence import confidence, fitted
from planner.configurations.degree import Degree, NodeCurve, check_weights, degree, mix_curve
from planner.configurations.provisioning import growth_rule
from planner.configurations.repeats import Repeats, repeats
from planner.configurations.risk import WIDE, repetition_warnings
from planner.configurations.tables import prediction_tables, tables
from planner.errors import InputError, PlanError
from planner.formatting import run_times, watts
from planner.version import FORMAT, headroom_version
from planner.worded_study import Study
from scenarios.measurements.runs import Measurements, Runs, counts_memory, power_counts
from scenarios.measurements.spread import RepetitionSpread, spread

if TYPE_CHECKING:
    from planner.configurations.prediction.model import Model
    from planner.configurations.prediction.predicted import Grid
    from planner.configurations.prediction.study import PredictionStudy


STAR = "* The runs of this choice differ by more than 20 %, so the speed-up over it is uncertain."
"""What a star at a speed-up means."""


@dataclass(frozen=True, eq=False, repr=False)
class ConfigurationStudy(Study):
    """The best configurations of some applications under one bound.

    Attributes
    ----------
    measurements, question
        The measured runs and the settings.
    answers
        One per application, in the order of the table.
    weights
        Weights of the applications in the mix; 1 where none was given.
    refused
        Applications without an answer, each with the reason.
    reading
        Words of the command that say how the file was read, as ``("--sheet", "runs")``.
    model
        Name of the model that predicted what was not run; empty where only runs are chosen among.
    grid
        What it predicted for; ``None``: all combinations of what was measured.
    prediction
        How well models and designs do on these runs; ``None`` without ``--full``.
    prediction_warnings
        What is doubtful about the predictions.
    """

    measurements: Measurements
    question: Question
    answers: tuple[ConfigurationAnswer, ...]
    weights: Mapping[str, float] = field(default_factory=dict)
    refused: tuple[tuple[str, str], ...] = ()
    reading: tuple[str, ...] = ()
    model: str = ""
    grid: Grid | None = None
    prediction: PredictionStudy | None = None
    prediction_warnings: tuple[str, ...] = ()

    @property
    def growth_rule(self) -> str:
        """How canonical configurations grow."""
        return growth_rule(predicted=bool(self.model))

    @property
    def headline(self) -> str:
        """The decision in one sentence; :attr:`findings` has one for each application."""
        if len(self.answers) == 1:
            return self.answers[0].headline
        bound, count = f"{self.question.bound.bound_w:,.10g} W", len(self.answers)
        rule = self.answers[0].by_rule
        if rule is not None:
            slower = max(a.by_rule.slower for a in self.answers if a.by_rule is not None)
            if not slower:
                return (
                    f"Under {bound}, {rule.method} is the fastest choice for {count} applications."
                )
            return (
                f"Under {bound}, {rule.method} takes up to {1 + slower:.2f} times as long as the "
                f"fastest choice ({count} applications)."
            )
        gains = [answer.gain_over(answer.packed_max) for answer in self.answers]
        speedups = [gain.speedup for gain in gains if gain is not None]
        if not speedups:
            return f"Under {bound}, {count} applications can run; packed-max fits for none."
        counted = str(count) if len(speedups) == count else f"{len(speedups)} of {count}"
        if max(speedups) <= 1:
            others = "" if len(speedups) == count else "; it does not fit for the others"
            return (
                f"Under {bound}, packed-max is the fastest choice for {counted} "
                f"applications{others}."
            )
        predicted = "predicted " if any(answer.predicted for answer in self.answers) else ""
        return (
            f"Under {bound}, the best configurations of {counted} applications are {predicted}"
            f"up to {max(speedups):.2f} times as fast as packed-max."
        )

    @property
    def findings(self) -> list[str]:
        """The decision for each application, where there are several."""
        return [answer.headline for answer in self.answers] if len(self.answers) > 1 else []

    @property
    def confidence(self) -> str:
        """State which times and powers are predictions, if any."""
        proofs = dict.fromkeys(a.decided.proof for a in self.answers if a.decided is not None)
        texts = (*proofs, confidence(self.question, self.answers, self.fitted))
        return " ".join(filter(None, texts))

    @property
    def fitted(self) -> str:
        """Name the model and the runs that it was fitted to; empty if everything was measured."""
        return fitted(self.model, self.runs)

    @property
    def runs(self) -> tuple[Runs, ...]:
        """Return the runs of each application that has an answer."""
        return tuple(self.measurements.runs[answer.application] for answer in self.answers)

    @property
    def counts_memory(self) -> bool:
        """Whether the power of every answer includes memory."""
        return counts_memory(self.runs)

    @property
    def power_counts(self) -> str:
        """What the power of every answer is of, in words."""
        return power_counts(self.runs)

    @cached_property
    def mix(self) -> NodeCurve | None:
        """Best time of the mix over the node count; ``None`` for one application."""
        if len(self.answers) < 2:
            return None
        return mix_curve([answer.node_curve for answer in self.answers], self.weights)

    @cached_property
    def mix_degree(self) -> Degree | None:
        """Return how many nodes pay for the mix."""
        if self.mix is None:
            return None
        return degree(
            self.mix,
            self.answers[0].worst_case.nodes_by_rating,
            least_gain=self.question.least_gain,
            fixed_cost_nodes=self.question.fixed_cost_nodes,
        )

    @cached_property
    def spreads(self) -> tuple[RepetitionSpread, ...]:
        """Repetitions and slow runs of each application that has an answer."""
        return tuple(spread(run) for run in self.runs)

    @cached_property
    def repeats(self) -> tuple[Repeats, ...]:
        """How far repetitions of the same configuration lie apart, one per answer."""
        return tuple(repeats(run) for run in self.runs)

    @property
    def warnings(self) -> tuple[str, ...]:
        """List what a reader must know before using the numbers."""
        messages = [*self.prediction_warnings, *self.measurements.warnings]
        messages += [reason for _, reason in self.refused]
        for answer in self.answers:
            messages += warnings_of(answer)
        messages += [
            sentence
            for spread in self.spreads
            if not spread.known
            for sentence in spread.findings()
        ]
        return tuple(dict.fromkeys(messages))

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table as rows of plain values, by name; as in the workbook."""
        named = tables(self.answers, self.mix, self.repeats, self.spreads)
        return named | ({} if self.prediction is None else prediction_tables(self.prediction))

    def to_dict(self) -> dict[str, Any]:
        """What ``--json`` prints; for a single application, its answer is at the top level."""
        node = self.question.node
        plain: dict[str, Any] = {
            "format": FORMAT,
            "headroom": headroom_version(),
            "measurements": {
                "name": self.measurements.name,
                "sha256": self.measurements.sha256,
                "runs": {name: len(runs) for name, runs in self.measurements.runs.items()},
            },
            "bound_w": self.question.bound.bound_w,
            "power_counts": self.power_counts,
            "node_maximum": {
                "sockets": node.sockets,
                "tdp_w": node.tdp_w,
                "dram_max_w": node.dram_max_w,
                "power_w": node.power_w,
            },
            "model": self.model or None,
            "growth_rule": self.growth_rule,
            "repetitions": [_spread(spread) for spread in self.spreads],
            "prediction": None if self.prediction is None else _prediction(self.prediction),
            "warnings": list(self.warnings),
        }
        if len(self.answers) == 1 and not self.refused:
            return plain | self.answers[0].to_dict()
        return plain | {
            "applications": {answer.application: answer.to_dict() for answer in self.answers},
            "refused": dict(self.refused),
            "weights": {a.application: self.weights.get(a.application, 1.0) for a in self.answers},
            "mix_of": [answer.application for answer in self.answers],
            "mix": None if self.mix is None else self.mix.to_dicts(),
            "mix_degree": None if self.mix_degree is None else self.mix_degree.to_dict(),
        }


def study(
    measurements: Measurements,
    question: Question,
    *,
    applications: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    model: Model | None = None,
    grid: Grid | None = None,
) -> ConfigurationStudy:
    """Answer for the named applications, or for all in the table.

    With a ``model``, the choice is among all configurations of the ``grid`` (by default all
    combinations of what was measured): those that were run as measured, the others as predicted.
    Without, it is among those that were run.

    Raises
    ------
    InputError
        An application is not in the table; names the nearest ones. A weight of one that was not
        asked for, or a negative one. No application has enough runs for the model, or the grid
        holds too much.
    PlanError
        No configuration of any application keeps to the bound; names those that draw least.
    """
    measured = list(measurements.runs)
    check_applications(measurements, (*applications, *(weights or {})))
    chosen = [name for name in measured if name in applications] if applications else measured
    check_weights(weights or {}, chosen)
    answers, refused, input_errors = [], [], True
    prediction_warnings: list[str] = []
    for name in chosen:
        try:
            answer, doubtful = _answer(measurements.runs[name], question, model, grid)
            answers.append(answer)
            prediction_warnings += doubtful
        except PlanError as error:
            refused.append((name, str(error)))
            input_errors &= isinstance(error, InputError)
    if not answers:
        failure = InputError if input_errors else PlanError
        raise failure("\n".join(dict.fromkeys(reason for _, reason in refused)))
    return ConfigurationStudy(
        measurements,
        question,
        tuple(answers),
        dict(weights or {}),
        tuple(refused),
        model="" if model is None else model.name,
        grid=grid if model is not None else None,
        prediction_warnings=tuple(prediction_warnings),
    )


def _answer(
    runs: Runs, question: Question, model: Model | None, grid: Grid | None
) -> tuple[ConfigurationAnswer, tuple[str, ...]]:
    """The answer, and what is doubtful about the predictions behind it."""
    if model is None:
        return configure(runs, question), ()
    from planner.configurations.prediction.predicted import Grid, predicted_table

    candidates = (grid or Grid()).of(runs)
    guard = question.prediction_guard
    table, doubtful = predicted_table(runs, model, candidates, question.repetition, guard)
    return answer_from(table, question, runs=runs), doubtful


def _prediction(prediction: PredictionStudy) -> dict[str, Any]:
    """Plain values for JSON."""
    from planner.configurations.prediction.findings import of_models, of_runs

    return {"summary": [of_models(prediction), of_runs(prediction)]} | prediction.to_dict()


def _spread(spread: RepetitionSpread) -> dict[str, Any]:
    """Plain values for JSON."""
    return {
        "application": spread.application,
        "configurations": spread.configurations,
        "repeated": spread.repeated,
        "ordinary_ratio": spread.ordinary if spread.known else None,
        "threshold_ratio": spread.threshold if spread.known else None,
        "straggling_configurations": spread.straggling,
        "stragglers": [
            asdict(straggler) | {"ratio": straggler.ratio} for straggler in spread.stragglers
        ],
        "summary": spread.findings(),
    }


def warnings_of(answer: ConfigurationAnswer) -> list[str]:
    """List what to know before using one answer."""
    warnings, seen = [], answer.risk
    bound = answer.question.bound.bound_w
    if answer.predicted and seen is None:
        warnings.append(
            f"{answer.application} {answer.best.short} was never run: its time and power are "
            "predicted. Run it before you rely on them (--next 3 suggests which runs to make)."
        )
    per_socket = answer.socket_power
    if per_socket is not None and per_socket.warning:
        warnings.append(f"{answer.application} {answer.chosen}: {per_socket.warning}")
    rated, tdp = answer.worst_case.configuration, answer.question.node.tdp_w
    if rated is not None and rated.power_w > bound:
        warnings.append(
            f"The node rating is too low: {answer.application} {rated}, provisioned by rating, "
            f"draws {watts(rated.power_w)}, more than the bound."
        )
    highest = float(answer.table.package_cap_w.max())
    if highest < tdp:
        warnings.append(
            f"The highest cap of {answer.application}, {highest:g} W, is below the TDP of "
            f"{tdp:g} W. Packed-max and the worst case therefore do not show full power."
        )
    lucky = answer.question.repetition == "best"
    if lucky and seen is not None and seen.median_s > WIDE * seen.best_s:
        warnings.append(
            f"The fastest run of {answer.application} {answer.best} is not typical: the median run "
            f"took {run_times(seen.median_s)[0]}. Use --repetition median to choose by typical "
            "time."
        )
    if seen is not None:
        warnings += repetition_warnings(answer.application, answer.best, seen, bound)
    warnings += _unsteady_baselines(answer)
    largest_w = float(answer.table.power_w.max())
    if answer.question.bound.never_limits(float(answer.table.charged_w.max())):
        warnings.append(
            f"The power bound of {bound:,.10g} W limits nothing: no configuration of "
            f"{answer.application} in the table draws more than {watts(largest_w)}. Check the unit "
            "of the bound."
        )
    if answer.chosen != answer.best:
        warnings += _warnings_of_choice(answer)
    return warnings


def _unsteady_baselines(answer: ConfigurationAnswer) -> list[str]:
    """List the baselines whose runs differ so much that the speed-up over them is uncertain."""
    names = {
        baseline: name
        for name, baseline in (
            ("the worst case by rating", answer.worst_case.configuration),
            ("packed-max", answer.packed_max),
        )
    }
    warnings = []
    for baseline, name in reversed(names.items()):
        if baseline is None or baseline == answer.best or not answer.unsteady(baseline):
            continue
        seen = answer.risk_of(baseline)
        if seen is not None:
            fastest, slowest = run_times(seen.best_s, seen.worst_s)
            warnings.append(
                f"{answer.application} as {name}, {baseline}: its runs took {fastest} to "
                f"{slowest}. The speed-up over it is uncertain, because a slow node may be the "
                "cause."
            )
    return warnings


def _warnings_of_choice(answer: ConfigurationAnswer) -> list[str]:
    """List warnings of a choice that is not the best."""
    method = "" if answer.decided is None else answer.decided.method
    seen, bound = answer.risk_of(answer.chosen), answer.question.bound.bound_w
    warnings = (
        [] if seen is None else repetition_warnings(answer.application, answer.chosen, seen, bound)
    )
    return [
        f"{method} is not the fastest choice; tables and figures describe the fastest.",
        *warnings,
    ]

"""How the numbers were made, with the numbers; and what is left out."""

from __future__ import annotations

import math
from collections.abc import Callable

from planner.aggregation.aggregate import AggregationStudy
from planner.aggregation.explained import Explained, explained
from planner.aggregation.ipc import CLASS_BOUNDS
from planner.aggregation.selection import Candidate
from planner.aggregation.summary import against_one, energy, pace, percent, risks
from planner.aggregation.tables import left_out_codes
from planner.command_row import command_line
from planner.formatting import given, plural, words
from reports.aggregation.figures.errors import MOST_ROWS, finding
from reports.aggregation.pages.front import BOOK, name, source
from reports.aggregation.pages.groups import WAYS, WEIGHTS
from reports.aggregation.pages.patterns import true_blocks
from reports.blocks import Block, Drawn, Page, bullets, figures, formulas, grid, only, partly, text
from reports.compact import compact
from reports.grid import Table, table
from reports.skeleton import provenance_page
from reports.warning_boxes import boxed
from solvers.portable import order_of_ten


def page(study: AggregationStudy, _drawn: Drawn) -> Page:
    """Equations 1 to 5, and what they are for the chosen pattern."""
    values = explained(study)
    chosen = study.chosen.pattern.id
    blocks: list[Block] = [
        formulas(),
        grid(_steps(study), "From IPC to energy, step by step"),
        bullets(_lines(study, values)),
    ]
    if values.terms:
        blocks += [
            text(
                "Regressors are what equations 1 to 3 multiply with coefficients: IPC and rates of "
                f'events per cycle under the sampled patterns {_sampled(study)}. "Under both" is '
                "the product of both."
            ),
            grid(
                _terms(study, values),
                f"Equations 1 to 3: contributions to the IPC of pattern {chosen}",
            ),
        ]
    return Page("Appendix: method", "", tuple(blocks))


def _sampled(study: AggregationStudy) -> str:
    return " and ".join(map(str, study.sampled))


def _steps(study: AggregationStudy) -> Table:
    """Each step of the calculation, for the chosen pattern and for one rank per node."""
    program, both = study.measured.program, [study.chosen]
    if study.reference is not study.chosen:
        both.append(study.reference)
    places = _places(study) + 1

    def timed(time_s: float) -> str:
        return f"{time_s:,.{places}f} s"

    heads = [(f"Pattern {each.pattern.id}", True) for each in both]
    steps: list[tuple[str, str, Callable[[Candidate], str]]] = [
        ("IPC", "equations 1 to 3, or measured", lambda each: f"{each.ipc:.4f}"),
        (
            "Computation",
            f"{program.instructions:,.0f} instructions / (IPC x {study.measured.clock_ghz:g} GHz)",
            lambda each: timed(each.compute_s),
        ),
        (
            "Messages, upper limit",
            "longest time of any rank, each message under the worst noise of the layout",
            lambda each: timed(each.communication_s),
        ),
        ("One iteration", "sum of both", lambda each: f"{each.time_s:,.{places - 1}f} s"),
    ]
    if study.metered:
        steps += [
            ("Nodes", "ranks / ranks per node", lambda each: f"{study.nodes(each.pattern):,}"),
            ("Power of a node", "fit, see below", lambda each: f"{_power_w(study, each):.1f} W"),
            (
                "Energy",
                f"nodes x power x {plural(program.iterations, 'iteration')}",
                lambda each: energy(each.energy_j),
            ),
        ]
    rows = [(step, how, *(value(each) for each in both)) for step, how, value in steps]
    columns = (("Step", False), ("Calculation", False), *heads)
    return table(columns, (1.3, 3.2, *([0.9] * len(both))), rows)


def _power_w(study: AggregationStudy, candidate: Candidate) -> float:
    """Predicted power of a node under a pattern."""
    run_s = candidate.time_s * study.measured.program.iterations
    return (candidate.energy_j or 0.0) / (study.nodes(candidate.pattern) * run_s)


def _lines(study: AggregationStudy, values: Explained) -> list[str]:
    chosen = study.chosen
    lines = [_class(study, values), _power(study)]
    if chosen is not study.reference:
        lines.append(
            f"Equation 5: {_difference(study)}, {percent(chosen.slowdown)} of the time "
            f"with one rank per node; tolerated: {given(study.settings.threshold)}."
        )
    return [*lines, _grouping(study, values, plural(chosen.pattern.tasks, "rank"))]


def _places(study: AggregationStudy) -> int:
    """Decimals of times that show their difference from one rank per node; else four digits."""
    result = study.chosen.time_s - study.reference.time_s
    shown = abs(result) or study.chosen.time_s / 10
    return min(9, max(1, 2 - order_of_ten(shown)))


def _difference(study: AggregationStudy) -> str:
    """Equation 5 with enough digits that the printed sum is right."""
    chosen, reference = study.chosen, study.reference
    result, places = chosen.time_s - reference.time_s, _places(study)
    terms = (chosen.compute_s, chosen.communication_s, reference.compute_s,
             reference.communication_s)  # fmt: skip
    a, b, c, d = (f"{term:,.{places + 1}f} s" for term in terms)
    return f"({a} + {b}) - ({c} + {d}) = {result:,.{places}f} s"


def _class(study: AggregationStudy, values: Explained) -> str:
    setting = study.learnt.tried[0].setting
    fitted = (
        f"ridge (penalty on coefficients) of {setting.ridge:g} and "
        f"{plural(setting.events, 'event')}, chosen by cross-validation"
    )
    codes = len({run.code for run in study.measured.training})
    phases = len({(run.code, run.problem) for run in study.measured.training})
    trained = f"{plural(phases, 'phase')} of {plural(codes, 'training code')}"
    end = f"from {values.low:g} on" if values.high is None else f"{values.low:g} to {values.high:g}"
    own = "" if values.own else ", which has too few phases, so the model of all classes is used"
    listed = words([f"{bound:g}" for bound in CLASS_BOUNDS])
    return (
        f"IPC: phases with similar IPC form a class; the bounds are {listed}. Each pattern and "
        f"class has a linear model, of {trained}; {fitted}. The mean IPC of the samples (patterns "
        f"{_sampled(study)}) is {values.mean_ipc:.4f}: class {end}{own}."
    )


def _power(study: AggregationStudy) -> str:
    """The fit of node power, with its coefficients."""
    model = study.learnt.predictor.power
    if model is None:
        return f"Energy is not known: {study.learnt.unmetered}."
    terms = [
        f"{'-' if watts < 0 else '+'} {abs(watts):,.2f} W{of}"
        for watts, of in zip(model.coefficients.tolist(), _POWER_OF, strict=True)
        if watts
    ]
    return (
        "Power of a node, by least squares over metered training runs: "
        f"{' '.join(terms).removeprefix('+ ')}."
    )


def _grouping(study: AggregationStudy, values: Explained, tasks: str) -> str:
    if not values.pairs:
        return "The ranks exchange no messages, so the grouping does not matter."
    share = study.chosen.communication_s / study.chosen.time_s
    head = (
        f"Groups: {WAYS[study.settings.grouping]}. {values.apart:,} of "
        f"{plural(values.pairs, 'pair')} "
        "of ranks that exchange messages would be faster on different nodes than on the most "
        "distant cores of one node. Messages take at most "
        f"{percent(share)} of an iteration under the chosen pattern"
        f"{', so this weighs little' if share < _LITTLE else ''}."
    )
    if study.settings.grouping == "order":
        return head
    if study.settings.objective != "paper":
        return f"{head} Weights: {WEIGHTS[study.settings.objective]}."
    constant = f"{values.constant:.3g}"
    return (
        f"{head} Minimised: equation 4 with {tasks} on a node, C = {constant}, times in "
        "microseconds."
    )


def _terms(study: AggregationStudy, values: Explained) -> Table:
    columns = (("Regressor", False), ("Value", True), ("Contribution to IPC", True))
    rows = [(term.name, f"{term.value:.5g}", f"{term.adds:+.4f}") for term in values.terms]
    rows.append(("sum: IPC", "", f"{study.chosen.ipc:.4f}"))
    return table(columns, (2.4, 1, 1), rows)


def limits(study: AggregationStudy, _drawn: Drawn) -> Page:
    """What is not modelled."""
    answer = (
        "Overlap of computation and messages: their times are added, and every message meets the "
        "worst noise. The message time may be several times the true one."
    )
    lines = [
        "Every node has the same number of ranks, and all ranks are alike.",
        "Exchanges involve all ranks; other collectives count through their messages.",
        "Messages do not slow computation on the same bus, nor the reverse.",
        *(() if study.freed else ("The power of unused nodes is not counted.",)),
        "The pattern is fixed for the whole run.",
    ]
    if study.settings.choose == "rank":
        lines.append(
            "The choice by fewest nodes ignores energy: a pattern within the slowdown limit wins "
            "even if its sockets draw more power."
        )
    if study.measured.simulated:
        lines.append("The node, its laws and the codes are simulated, not measured.")
    return Page("What is not modelled?", answer, (bullets(lines),))


def appendix(study: AggregationStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to repeat the result."""
    stated = study.measured.source or "nothing"
    rows = [
        ("Measurements", source(study)),
        *([("Source, as stated in the files", stated)] if stated != source(study) else []),
        *((f"SHA-256 of {file}", digest) for file, digest in study.measured.sha256.items()),
        ("Command", command_line(study.command) or "from Python"),
        ("Seed", str(study.settings.seed)),
        ("Repeatability", "the same input, seed and versions give identical files"),
    ]
    return provenance_page(study, rows, boxes=boxed(list(risks(study))))


_POWER_OF = ("", " x sockets", " x dies", " x ranks", " x ranks x IPC")
"""What each coefficient of the power of a node multiplies."""
_UNHARMED = "One rank per node is always within the limit, but errors may hide a better pattern."
_MOST_ROWS = 16
_LITTLE = 0.05
"""Share of an iteration below which messages decide little."""


def errors(study: AggregationStudy, drawn: Drawn) -> Page:
    """Figure and table by code."""
    source = "Dot: mean; bar: largest."
    rows = left_out_codes(study)
    consequence = _consequence(study)
    blocks: list[Block] = [
        text(
            "IPC is instructions per cycle. The models learn from training codes, which ran under "
            "every pattern. Cross-validation predicts each one with models of all others. These "
            "errors also selected the settings of the models, so a new code may have larger ones."
        ),
        *([text(consequence)] if consequence else []),
        *figures(
            drawn,
            "errors",
            source + only(MOST_ROWS, len(rows), "codes", BOOK),
            title="Errors of predicted IPC for each training code",
        ),
    ]
    return Page("How accurate is predicted IPC?", _accurate(study), tuple(blocks))


def _accurate(study: AggregationStudy) -> str:
    """The errors on training codes, and whether the choice would survive them."""
    tried, limit = study.learnt.tried[0], given(study.settings.threshold)
    if study.chosen is study.reference:
        return f"{finding(study)}. {_UNHARMED}"
    mean, most = (_holds(study, error) for error in (tried.mean_error, tried.most_error))
    if most:
        return f"{finding(study)}. Even the largest error would keep the slowdown within {limit}."
    if mean:
        return (
            f"{finding(study)}. The mean error would keep the slowdown within {limit}, the "
            "largest not."
        )
    return f"{finding(study)}. Even the mean error could bring the slowdown above {limit}."


def _consequence(study: AggregationStudy) -> str:
    """What the slowdown would be with the errors, and the error of the program where known."""
    chosen, truths = study.chosen, study.truths
    lines = []
    if chosen is not study.reference:
        tried = study.learnt.tried[0]
        mean, most = (
            _paced(slowed(study, error), study.settings.threshold)
            for error in (tried.mean_error, tried.most_error)
        )
        lines.append(f"Pattern {chosen.pattern.id} is predicted to be {against_one(study)}.")
        if {chosen.pattern.id, study.reference.pattern.id} <= {*study.sampled}:
            lines.append("The IPC of both was measured, so these errors do not matter for it.")
        else:
            lines.append(f"{_if_off(study)} by the mean error, it would be {mean}.")
            lines.append(f"With the largest error it would be {most}.")
    if truths is not None and chosen.pattern.id not in study.sampled:
        off = abs(chosen.ipc / truths.outcomes[chosen.pattern.id].ipc - 1)
        lines.append(
            f"Against the simulated truth, the IPC of {name(study)} under pattern "
            f"{chosen.pattern.id} is off by {percent(off)}."
        )
    return " ".join(lines)


def _if_off(study: AggregationStudy) -> str:
    """Which IPC may be off, and in which direction that harms; a measured one is not."""
    of_one = "that of one rank per node"
    if study.chosen.pattern.id in study.sampled:
        return f"Its IPC was measured. If {of_one} was predicted too low"
    if study.reference.pattern.id in study.sampled:
        return f"If its IPC was predicted too high ({of_one} was measured)"
    return f"If its IPC was predicted too high and {of_one} too low, both"


def _paced(slowdown: float, limit: float) -> str:
    """A slowdown as people say it, with digits enough to differ from the limit."""
    if slowdown != limit and percent(slowdown) == percent(limit):
        return f"{100 * slowdown:.3f} % slower"
    return pace(slowdown)


def slowed(study: AggregationStudy, error: float) -> float:
    """The slowdown of the chosen pattern if IPC is off against it; measured IPC is not off.

    ``error``: predicted over true IPC, less 1; as large in the other direction for one rank per
    node.
    """
    chosen, reference = study.chosen, study.reference
    above, below = (
        0.0 if each.pattern.id in study.sampled else error for each in (chosen, reference)
    )
    slow = chosen.compute_s * (1 + above) + chosen.communication_s
    fast = reference.compute_s * max(0.0, 1 - below) + reference.communication_s
    return slow / fast - 1 if fast > 0 else math.inf


def _holds(study: AggregationStudy, error: float) -> bool:
    """Whether the chosen pattern stays within the limit with this error of IPC."""
    return slowed(study, error) <= study.settings.threshold


def predictions(study: AggregationStudy, _drawn: Drawn) -> Page:
    """The tables behind the errors: the truth of every pattern, and each training code."""
    rows = left_out_codes(study)
    caption = partly(
        "Cross-validation by training code: errors of IPC (bias: mean with its sign)",
        min(len(rows), _MOST_ROWS), len(rows), BOOK,
    )  # fmt: skip
    blocks = (*true_blocks(study), *compact(_errors(study), caption))
    return Page("Appendix: errors of the predictions", "", blocks)


def _errors(study: AggregationStudy) -> Table:
    columns = (
        ("Code", False), ("Predictions", True), ("Mean error", True), ("Largest", True),
        ("Bias", True),
    )  # fmt: skip
    rows = [
        (
            row["code"],
            f"{row['predictions']:,}",
            percent(row["mean_error"]),
            percent(row["most_error"]),
            percent(row["bias"]),
        )
        for row in left_out_codes(study)[:_MOST_ROWS]
    ]
    return table(columns, (2, 1, 1, 1, 1), rows)

"""What a gate on own measurements states: its facts, findings and tables."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING

from planner.finding import Fact, Finding, finding
from planner.sharing_nodes.gate.tested import each_application
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, in_data, table

if TYPE_CHECKING:
    from planner.sharing_nodes.gate.result import GateResult

FEW = 40
"""Calibration applications from which the rate at a single site is near the average."""
WIDE = 20.0
"""Largest over smallest time from which run times may be seconds per step of different codes."""
MOST_STEPS = 3
"""Test runs that are next steps."""


def study_of(result: GateResult) -> Study:
    """The study of a gate."""
    data, tables = in_data(_tables(result), *_IN_DATA)
    return stated(
        result, _headline, _confidence, _facts, _risks, _next_steps, _questions, tables,
        command="colocate",
        texts="colocate-gate",
        title=finding("note", "question"),
        data={"settings": dict(result.settings), **data},
        decision="decisions" if result.judged else "certificate",
        provenance=provenance_of(result.command, result.digests),
    )  # fmt: skip


def _calibrated(result: GateResult) -> tuple[int, str]:
    return len(result.calibration), "application"


def _alpha(result: GateResult) -> tuple[float, str]:
    return result.certificate.alpha, "share given"


def _pairs(result: GateResult) -> int:
    return sum(len(one.rows) for one in result.judged)


def _headline(result: GateResult) -> Finding:
    pairs = _pairs(result)
    if not result.certificate.possible:
        return finding("headline", "impossible", applications=_calibrated(result),
                       rate=_alpha(result))  # fmt: skip
    if not result.judged:
        return finding("headline", "nothing")
    if not result.admitted:
        return finding("headline", "none", pairs=(pairs, "pair"))
    return finding("headline", "share", pairs=((result.admitted, pairs), "of:pair"))


def _confidence(result: GateResult) -> Iterator[Finding]:
    """What is certified, what is not, and what the guarantee rests on."""
    counted = result.co_runs
    if result.certificate.possible:
        yield finding("confidence", "certified", rate=_alpha(result),
                      applications=_calibrated(result))  # fmt: skip
    if counted.rate is not None:
        yield finding("confidence", "among", rate=(counted.rate, "share"),
                      part=((counted.bad, counted.number), "of:count"))  # fmt: skip
    yield from _of_tangram(result)
    yield finding("confidence", "bad", limit=(result.limit, "factor"))


def _of_tangram(result: GateResult) -> Iterator[Finding]:
    """The rate of bad co-runs of Tangram's gate for applications that it does not know."""
    for row in result.tested_rows():
        if row["gate"] == "Tangram" and row["admitted"]:
            yield finding("confidence", "tangram", rate=(row["rate_among_co_runs"], "share"),
                          part=((row["bad"], row["admitted"]), "of:count"))  # fmt: skip


def _facts(result: GateResult) -> Iterator[Fact]:
    if result.judged:
        yield Fact("admitted", (result.admitted, _pairs(result)), "of:pair")
    yield Fact("rate", *_alpha(result))
    if result.co_runs.rate is not None:
        yield Fact("among", result.co_runs.rate, "share")
    yield Fact("least", result.certificate.least_alpha, "share at most")
    medians = result.medians
    if len(medians):
        yield Fact("expected", (float(medians.min()), float(medians.max())), "interval:factor")
    if result.judged:
        unlike = sum(one.abstains for one in result.judged)
        yield Fact("abstains", (unlike, len(result.judged)), "of:application")


def _risks(result: GateResult) -> Iterator[Finding]:
    """What limits the guarantee."""
    certificate, calibrated = result.certificate, _calibrated(result)
    if not certificate.possible:
        needed = (ceil(1 / certificate.alpha - 1e-9) - 1, "application")
        yield finding("risk", "too-few", applications=calibrated, needed=needed,
                      least=(certificate.least_alpha, "share at most"))  # fmt: skip
    elif len(result.calibration) < FEW:
        yield finding("risk", "few", applications=calibrated)
    if result.basis == "job" and result.time_ratio > WIDE:
        yield finding("risk", "times-apart", ratio=(result.time_ratio, "factor"))
    once = tuple(result.name_of(one) for one in result.calibration if len(one.rows) == 1)
    if once:
        yield finding("risk", "one-reference", applications=(once, "text"))
    makespans = result.pairs.makespan[result.gate.fitted.rows]
    if (makespans < 1).all():
        yield finding("risk", "all-save")
    elif (makespans >= 1).all():
        yield finding("risk", "all-lose")
    unlike = tuple(result.name_of(one) for one in result.judged if one.abstains)
    if unlike:
        yield finding("risk", "unlike", applications=(unlike, "text"))


def _next_steps(result: GateResult, most: int = MOST_STEPS) -> Iterator[Finding]:
    for probe in list(result.probes())[:most]:
        yield finding(
            "next step", "probe", application=(probe["application"], "text"),
            partner=(probe["partner"], "text"), saving=(probe["value"], "share"),
        )  # fmt: skip


def _questions(result: GateResult) -> tuple[Question, ...]:
    return (
        Question("decisions", tables=("decisions",), texts=("decisions",)),
        Question("probes", tuple(_next_steps(result, 1)), tables=("probes",), texts=("probes",)),
        Question("certificate", tables=("certificate", "calibration"), texts=("certificate",)),
        Question(
            "tested",
            tables=("tested_gates", "tested_applications"),
            texts=("tested",) if result.tested else (),
        ),
        Question("method", facts=tuple(_settings(result))),
    )


def _settings(result: GateResult) -> Iterator[Fact]:
    yield Fact("limit", result.limit, "factor")
    yield Fact("basis", result.basis, "basis")
    names = tuple(result.pairs.applications[number] for number in result.references)
    yield Fact("references", names, "text")
    yield Fact("calibration", len(result.calibration), "application")
    yield Fact("new", len(result.judged), "application")


def _tables(result: GateResult) -> Iterator[Table]:
    yield table("decisions", {"application": "text", "partner": "text", "decision": "decision",
                "median": "factor", "spread": "number", "novelty": "number"},
                result.decisions())  # fmt: skip
    yield table("probes", {"application": "text", "partner": "text", "value": "share"},
                result.probes())  # fmt: skip
    yield table("certificate", {"alpha": "share given", "least_alpha": "share at most",
                "possible": "flag", "loss": "share", "rate_per_application": "share",
                "rate_among_co_runs": "share", "left_out_co_runs": "count", "left_out_bad": "count",
                "level": "share", "co_runs": "count", "pairs": "count"}, [result.certificate_row()],
                hidden={"left_out_co_runs", "left_out_bad"})  # fmt: skip
    yield table("calibration", {"application": "text", "pairs": "count", "admitted": "count",
                "bad": "count", "novelty": "number"}, result.calibration_rows())  # fmt: skip
    if result.tested:
        counts = dict.fromkeys(("tested", "admitted", "bad"), "count")
        rates = dict.fromkeys(("rate_per_application", "rate_among_co_runs"), "share")
        makespan = {"makespan": "ratio", "worst": "factor"}
        yield table("tested_gates", {"gate": "gate", **counts, **rates, **makespan},
                    result.tested_rows(), limits={"makespan": 1.0})  # fmt: skip
        yield table("tested_applications", {"application": "text", "gate": "gate", **counts,
                    "missed": "count", **makespan}, each_application(result.tested),
                    limits={"makespan": 1.0})  # fmt: skip


_IN_DATA = ("decisions", "probes", "certificate", "calibration", "tested_gates",
            "tested_applications")  # fmt: skip

"""Provenance: file, command, versions, and every warning."""

from __future__ import annotations

import shlex

from planner.configurations.sharing.study import SharingStudy
from planner.formatting import given
from reports.blocks import Drawn, Page
from reports.sharing.pages.front import MOST_RISKS, file_name
from reports.sharing.summary import jobs
from reports.skeleton import provenance_page
from reports.warning_boxes import boxed

_LONGEST_COMMAND = 1_200


def page(study: SharingStudy, _pictures: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    settings = study.settings
    repeatable = (
        "the same input and versions give the same bytes"
        if settings.time_limit_s is None
        else f"solves stop after {settings.time_limit_s:g} s, so another run may differ"
    )
    rows = [
        ("Measurements", file_name(study)),
        ("SHA-256", study.measurements.sha256),
        *((f"SHA-256 of {name}", digest) for name, digest in study.files),
        ("Command", _shown(study)),
        ("Guard", given(study.problem.bound.guard)),
        ("Seed", str(settings.seed)),
        ("Repeatability", repeatable),
    ]
    return provenance_page(study, rows, boxes=boxed(study.warnings, MOST_RISKS))


def _shown(study: SharingStudy) -> str:
    """The command, without its jobs where these would fill pages."""
    whole = command(study)
    if len(whole) <= _LONGEST_COMMAND:
        return whole
    counted = jobs(len(study.problem.jobs))
    return f"{_joined(_words(study))}, with --job for each of {counted}: listed in share.json"


def command(study: SharingStudy) -> str:
    """The command that gives this report, with every option that matters spelled out."""
    return _joined([*_words(study), *_jobs(study)])


def _joined(words: list[str]) -> str:
    return " ".join(shlex.quote(word) for word in words)


def _words(study: SharingStudy) -> list[str]:
    problem, settings = study.problem, study.settings
    words = ["headroom", "share", file_name(study)]
    words += ["--power-bound", f"{problem.bound.bound_w:.12g}", "--nodes", str(problem.nodes)]
    words += ["--objective", settings.goal.replace(" ", "-"), "--method", settings.method]
    words += ["--sockets", str(settings.sockets)]
    words += ["--repetition", settings.repetition, "--guard", f"{100 * problem.bound.guard:.12g}%"]
    words += ["--gap", f"{settings.gap:.12g}", "--seed", str(settings.seed)]
    if settings.time_limit_s is not None:
        words += ["--time-limit", f"{settings.time_limit_s:.12g}"]
    return [*words, *study.reading, "-o", "DIR"]


def _jobs(study: SharingStudy) -> list[str]:
    """Every job, unless it is one of each application as by default."""
    weights = [(job.name, job.weight) for job in study.problem.jobs]
    if weights == [(name, 1.0) for name in study.measurements.runs]:
        return []
    return [
        word
        for name, weight in weights
        for word in ("--job", name if weight == 1 else f"{name}={weight:.12g}")
    ]

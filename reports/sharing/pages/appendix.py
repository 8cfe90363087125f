"""Provenance: file, command, versions, and every warning."""

from __future__ import annotations

import shlex

from planner.configurations.sharing.study import SharingStudy
from planner.formatting import given
from reports.blocks import Drawn, Page
from reports.sharing.pages.front import file_name
from reports.sharing.wording import jobs
from reports.skeleton import provenance_page

_LONGEST_COMMAND = 1_200


def page(study: SharingStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    asked = study.asked
    repeatable = (
        "the same input and versions give the same bytes"
        if asked.time_limit_s is None
        else f"solves stop after {asked.time_limit_s:g} s, so another run may differ"
    )
    rows = [
        ("Measurements", file_name(study)),
        ("SHA-256", study.measurements.sha256),
        *((f"SHA-256 of {name}", digest) for name, digest in study.files),
        ("Command", _shown(study)),
        ("Guard", given(study.problem.bound.guard)),
        ("Seed", str(asked.seed)),
        ("Repeatability", repeatable),
    ]
    return provenance_page(study, rows)


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
    problem, asked = study.problem, study.asked
    words = ["headroom", "share", file_name(study)]
    words += ["--bound-w", f"{problem.bound.bound_w:.12g}", "--nodes", str(problem.nodes)]
    words += ["--goal", asked.goal.replace(" ", "-"), "--method", asked.method]
    words += ["--sockets", str(asked.sockets)]
    words += ["--repetition", asked.repetition, "--guard", f"{100 * problem.bound.guard:.12g}"]
    words += ["--gap", f"{asked.gap:.12g}", "--seed", str(asked.seed)]
    if asked.time_limit_s is not None:
        words += ["--time-limit", f"{asked.time_limit_s:.12g}"]
    return [*words, *study.reading, "-o", "DIR"]


def _jobs(study: SharingStudy) -> list[str]:
    """Every job, unless it is one of each application as by default."""
    asked = [(job.name, job.weight) for job in study.problem.jobs]
    if asked == [(name, 1.0) for name in study.measurements.runs]:
        return []
    return [
        word
        for name, weight in asked
        for word in ("--job", name if weight == 1 else f"{name}={weight:.12g}")
    ]

"""Every finding and every fact of a study is true, and its claim notices when it is not."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from reports.messages import catalogue
from tests.claims import notes, readers_of_ranks, readers_of_runs, readers_of_scenarios
from tests.claims.statements import STUDIES, check, never_here, requests

CPU_S, MORE_CPU_S = 1.0, 20.0
"""For one command: in every run of the tests, and in ``make slow``."""
MOST_KINDS = 80
"""Of findings, for one command."""
LEAST = 40
"""Cases by hand, all of which run in ``make slow``; statements of a kind that are changed."""
MOST_CASES = 1000
"""Random ones go on until they had each kind, on a slow machine too."""


@pytest.mark.parametrize("command", STUDIES)
def test_every_statement_is_true_and_its_claim_sees_a_changed_digit(command: str) -> None:
    checked(command, CPU_S, set())


@pytest.mark.slow
@pytest.mark.parametrize("command", STUDIES)
def test_every_kind_comes_and_is_true(command: str) -> None:
    module = STUDIES[command]
    tables = {f"table {name}" for name in getattr(module, "TABLES", ())}
    checked(command, MORE_CPU_S, {*module.FINDINGS, *module.FACTS} | tables, least=LEAST)


def checked(command: str, cpu_s: float, kinds: set[str], least: int = 1) -> None:
    """Check cases until the time is over and each of the kinds has come."""
    module, began, seen = STUDIES[command], time.process_time(), Counter[str]()
    for number, case in enumerate(requests(module)):
        enough = number >= least and kinds <= seen.keys()
        if number == MOST_CASES or (enough and time.process_time() - began > cpu_s):
            break
        try:
            check(module, case, seen, changed_of_a_kind=LEAST)
        except AssertionError as error:
            error.add_note(f"request {number}")
            raise
    never = kinds - seen.keys()
    assert not never, f"no case has these in {number} cases"


@pytest.mark.parametrize("command", STUDIES)
def test_every_kind_of_the_catalogue_has_a_claim_and_every_claim_a_template(command: str) -> None:
    module, texts = STUDIES[command], catalogue(command)
    kinds, shared = {*texts.sections["findings"]}, {*catalogue("common").sections["findings"]}
    assert kinds - shared <= {*module.FINDINGS} | never_here(module)
    assert {*module.FINDINGS} | never_here(module) <= kinds
    labels, common = {*texts.sections["facts"]}, {*catalogue("common").sections["facts"]}
    assert {*module.FACTS, "log", "Headroom"} <= labels
    assert labels - common <= {*module.FACTS} | getattr(module, "FACTS_NEVER_HERE", set())


def test_every_shared_kind_has_a_claim() -> None:
    claimed = {kind for module in STUDIES.values() for kind in module.FINDINGS}
    claimed |= {
        *readers_of_scenarios.KINDS,
        *readers_of_runs.KINDS,
        *readers_of_ranks.KINDS,
        *notes.KINDS,
    }
    assert {*catalogue("common").sections["findings"]} <= claimed


@pytest.mark.parametrize("command", STUDIES)
def test_there_are_few_kinds(command: str) -> None:
    assert len(STUDIES[command].FINDINGS) <= MOST_KINDS

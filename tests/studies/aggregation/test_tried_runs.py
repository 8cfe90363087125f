"""The study of choices after runs: what no loop may break, and its table."""

from __future__ import annotations

import pytest

from benchmarks.studies.aggregation.tried_runs import METHODS, Case, cases, decided, loop, table
from benchmarks.studies.aggregation.validation import summarised
from planner.aggregation.selection import THRESHOLD
from scenarios.aggregation.task_layout import Layout


@pytest.fixture(scope="module")
def small() -> list[Case]:
    nodes, codes = (Layout(1, 2, 2), Layout(2, 1, 4)), {16: ("lu", "ft")}
    return [*cases([3], families=("cliff",), nodes=nodes, codes=codes)]


def test_the_answer_is_confirmed_or_one_rank_unless_it_was_only_predicted(
    small: list[Case],
) -> None:
    for case in small:
        answer = loop(case, (1,), 3)
        ran = {run.pattern for run in answer.settings.tried}
        assert 1 in ran
        assert len(ran) == len(answer.settings.tried) <= 4
        if answer.confirmed:
            assert answer.chosen.pattern.id in ran
            assert answer.chosen.slowdown <= THRESHOLD
        assert loop(case, (), 0).answer == "predicted"


def test_every_method_is_scored_once_for_each_case(small: list[Case]) -> None:
    decisions = [each for case in small for each in decided(case)]
    assert [each.method for each in decisions] == [*METHODS] * len(small)
    assert decisions == [each for case in small for each in decided(case)]  # runs scatter alike
    lines = [*table(summarised(decisions, METHODS))]
    assert len(lines) == 2 + len(METHODS)
    assert lines[2].startswith("| cliff | predicted | ")

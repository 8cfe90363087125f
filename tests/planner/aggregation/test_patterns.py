"""Patterns of a node: those of the paper, and of other nodes."""

from __future__ import annotations

import pytest

from planner.aggregation.patterns import by_energy, patterns
from planner.errors import InputError
from scenarios.aggregation.task_layout import Layout

XEON = Layout(2, 2, 2)


def test_the_eight_patterns_of_figure_2() -> None:
    # specification 4.2: tasks per node, processors used, dies per processor, tasks per die
    expected = {
        1: (1, 1, 1, 1),
        2: (2, 2, 1, 1),
        3: (2, 1, 2, 1),
        4: (2, 1, 1, 2),
        5: (4, 2, 2, 1),
        6: (4, 2, 1, 2),
        7: (4, 1, 2, 2),
        8: (8, 2, 2, 2),
    }
    assert {p.id: (p.tasks, *p.layout) for p in patterns(XEON)} == expected


def test_the_rule_of_energy_orders_8_to_1() -> None:
    assert [p.id for p in by_energy(patterns(XEON))] == [8, 7, 6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("node", "count"), [(Layout(1, 1, 4), 4), (Layout(2, 1, 3), 6), (Layout(4, 2, 2), 16)]
)
def test_other_nodes_have_a_pattern_for_each_used_part(node: Layout, count: int) -> None:
    result = patterns(node)
    assert len(result) == count == len({p.layout for p in result})
    assert result[0].tasks == 1
    assert result[-1].layout == node
    assert [p.tasks for p in result] == sorted(p.tasks for p in result)


def test_a_node_without_cores_is_refused() -> None:
    with pytest.raises(InputError, match=r"2 x 0 x 2 has no core"):
        patterns(Layout(2, 0, 2))

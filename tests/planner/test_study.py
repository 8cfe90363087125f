"""A study: as plain data and back, and files that are none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from planner.errors import InputError
from planner.figure import Figure, Limit, Panel
from planner.finding import Fact, finding
from planner.study import Part, Provenance, Question, Study, provenance_of, read_study, stated
from planner.table import Column, Table, filled, in_data, rows_at, table, wide

STUDY = Study(
    "size",
    finding("note", "question", log=("a log", "text")),
    finding("headline", "smallest", size=(4, "processor"), policy=("easy", "policy")),
    {"sizes": [{"policy": "easy", "tried": [{"nodes": 3, "value": None}, {"nodes": 4}]}]},
    facts=(Fact("interval", (1, 2.5, None), "interval:processor", finding("note", "x")),),
    questions=(Question("sizes", tables=("tried",), figures=("curve",)),),
    tables=(
        Table("tried", (Column("nodes", "node"), Column("policy", "policy")), at="/sizes/*/tried"),
        Table("sizes", (Column("nodes", limit=3.0),), ({"nodes": 3}, {"nodes": True})),
    ),
    figures=(
        Figure("curve", "lines", "tried", "nodes", ("value",), limits=(Limit("y", 2.0),),
               panels=(Panel(1, 2),), scale={"x": "log"}),
    ),
    provenance=Provenance(("size", "a b"), {"log.csv": "ab"}, versions={"Headroom": "0.1.0"}),
)  # fmt: skip


def text(study: Study = STUDY) -> str:
    return json.dumps(study.to_dict({"summary": "text", "warnings": []}))


def test_a_study_reads_back_equal() -> None:
    read = read_study(text(), "size.json")
    assert read == STUDY
    assert text(read) == text()
    assert json.loads(text())["headroom"] == "0.1.0"


def test_rows_that_stand_elsewhere_have_the_values_around_them() -> None:
    expected = [{"policy": "easy", "nodes": 3}, {"policy": "easy", "nodes": 4}]
    assert STUDY.rows("tried") == expected
    assert STUDY.rows("sizes") == [{"nodes": 3}, {"nodes": True}]
    assert rows_at({"a": [{"b": 1}]}, "/a") == [{"b": 1}]
    with pytest.raises(LookupError, match="size has no table 'none'"):
        STUDY.rows("none")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"headline":', '"headlime":', r"study\.headline: Field required; study\.headlime"),
        ('"kind": "smallest"', '"kind": 3', r"study\.headline\.kind: Input should be a valid str"),
        ('"severity": "headline"', '"severity": "x"', r"study\.headline\.severity: Input should"),
        ('"format": 2', '"format": 1', r"size\.json has another format than 2 \(found: 1\)"),
        ('"study"', '"studies"', r"size\.json is damaged: it has no study"),
        ('"limit": 3.0', '"limit": NaN', r"size\.json is damaged"),
        ('"tried": [', '"trued": [', r"a table has no rows \('tried'\)"),
        ("{", "[", r"size\.json is damaged"),
    ],
)
def test_a_file_that_is_no_study_is_named_with_the_place(old: str, new: str, message: str) -> None:
    assert old in text()
    with pytest.raises(InputError, match=message) as error:
        read_study(text().replace(old, new, 1), "size.json")
    assert "run its command again" in str(error.value)


def test_no_key_is_lost_or_invented() -> None:
    plain: dict[str, Any] = STUDY.to_dict()
    assert {*plain} == {"format", "headroom", "sizes", "study"}
    plain["study"]["facts"][0]["colour"] = "red"
    with pytest.raises(InputError, match=r"study\.facts\.0\.colour"):
        read_study(json.dumps(plain), "size.json")


def test_parts_go_where_their_kind_and_their_severity_belong() -> None:
    curve = Figure("curve", "lines", "tried", "nodes")

    def parts(nodes: int) -> Iterator[Part]:
        yield finding("next step", "grow")
        yield Fact("nodes", nodes)
        yield Question("missing", tables=("none",), figures=("none",))
        yield Question("sizes", tables=("tried", "none"), figures=("curve",))
        yield finding("confidence", "sure")
        yield Table("tried", ())
        yield finding("risk", "few")

    made = stated(
        4, lambda nodes: finding("headline", "smallest", size=(nodes, "node")), parts, [curve],
        command="size", title=finding("note", "question"), data={},
        provenance=provenance_of(["size"], [("log.csv", "ab")], Fact("seed", 1)),
    )  # fmt: skip
    assert (made.headline.values["size"], made.facts[0].value, made.decision) == (4, 4, "tried")
    assert [each.kind for each in made.findings] == ["grow", "few"]
    assert [each.kind for each in made.confidence] == ["sure"]
    assert made.questions == (Question("sizes", tables=("tried",), figures=("curve",)),)
    assert made.provenance.inputs == {"log.csv": "ab"}
    assert "Headroom" in made.provenance.versions


def test_a_table_takes_values_by_key_and_attributes_and_says_more_of_some_columns() -> None:
    units: dict[str, str | Column] = {
        "kind": "kind",
        "limit.value": "number",
        "note": Column("note", "id", label="remark"),
    }
    drawn = SimpleNamespace(kind="lines", limit=Limit("y", 2.0), note="a")
    made = table("figures", units, [drawn, {"kind": "map"}], hidden=["kind"],
                 labels={"kind": "drawn as"}, limits={"limit.value": 1.0},
                 units_at={"limit.value": "unit"}, formulas={"kind": "{note}"})  # fmt: skip
    assert made.rows == ({"kind": "lines", "limit.value": 2.0, "note": "a"}, {"kind": "map"})
    assert made.columns == (
        Column("kind", "kind", label="drawn as", shown=False, formula="{note}"),
        Column("limit.value", "number", limit=1.0, unit_at="unit"),
        Column("note", "id", label="remark"),
    )
    assert [each.shown for each in wide("all", [{"a": 1, "b": 2}], {"b": "count"}).columns] == [
        True, False,
    ]  # fmt: skip


def test_rows_that_the_data_hold_are_in_their_table_no_more() -> None:
    empty, kept = table("empty", {"a": "count"}), table("kept", {"a": "count"}, [{"a": 1}])
    elsewhere, own = table("at", {"a": "count"}, at="/kept"), table("own", {"a": "count"})
    members, tables = in_data([empty, kept, elsewhere, own], "empty", "kept")
    assert members == {"kept": [{"a": 1}]}
    assert [(each.name, each.at, each.rows) for each in tables] == [
        ("kept", "/kept", ()), ("at", "/kept", ()), ("own", "", ()),
    ]  # fmt: skip
    assert [each.name for each in filled(tables)] == ["kept", "at"]

"""Loading by name and path, the schema, and the sample."""

from __future__ import annotations

import datetime as dt
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import scenarios
from scenarios import Scenario, ScenarioError
from scenarios.sample import write_sample
from tests.scenarios.test_broken_files import BROKEN

DATA = Path(scenarios.__file__).parent / "data"
BUNDLED = [
    *DATA.glob("*.toml"),
    DATA / "sample" / "designs.toml",
    DATA / "sample" / "procurement.toml",
    BROKEN / "whole.toml",
]
BUNDLED_NAMES = (
    "bundled scenarios: hopper-2010, poppa-12-codes, power-phases, rfp-center, rfp-money-bound, "
    "tender-centre, tender-university, thesis-7kw, thesis-rmap, thesis-table-5-2"
)


def test_bundled_scenarios_load_by_name() -> None:
    assert scenarios.names() == [
        "hopper-2010",
        "poppa-12-codes",
        "power-phases",
        "rfp-center",
        "rfp-money-bound",
        "tender-centre",
        "tender-university",
        "thesis-7kw",
        "thesis-rmap",
        "thesis-table-5-2",
    ]
    for name in scenarios.names():
        assert scenarios.load(name).name == name


def test_loading_by_name_and_by_path_gives_the_same(tmp_path: Path) -> None:
    copy = tmp_path / "thesis-7kw.toml"
    copy.write_bytes((DATA / "thesis-7kw.toml").read_bytes())
    by_name, by_path = scenarios.load("thesis-7kw"), scenarios.load(copy)
    here = by_name.provenance.model_copy(update={"paths": by_path.provenance.paths})
    assert by_name.with_provenance(here) == by_path


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("thesis-7kv", "did you mean 'thesis-7kw'?"),
        ("hopper", "did you mean 'hopper-2010'?"),
        ("zzz", BUNDLED_NAMES),
        ("thesis-7kw\0", "did you mean 'thesis-7kw'?"),
        ("x" * 5000, BUNDLED_NAMES),
    ],
)
def test_an_unknown_name_lists_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(f"no file of this name; {hint}")):
        scenarios.load(name)


@pytest.mark.parametrize("path", ["missing.toml", "./missing", "/" + "x" * 5000, ""])
def test_a_missing_path_is_named(path: str) -> None:
    with pytest.raises(ScenarioError, match=r"give the path of a text file|File name too long"):
        scenarios.load(path)


def test_a_scenario_cannot_be_changed() -> None:
    scenario = scenarios.load("thesis-7kw")
    with pytest.raises(ValueError, match="frozen"):
        scenario.title = "other"


def test_provenance_holds_the_digest_of_every_file_and_no_path(tmp_path: Path) -> None:
    write_sample(tmp_path)
    files = scenarios.load(tmp_path / "designs.toml").provenance.files
    assert [name for name, _ in files] == ["designs.toml", "md-times.csv"]
    assert len({digest for _, digest in files}) == 2


def test_the_sample_never_overwrites(tmp_path: Path) -> None:
    (tmp_path / "designs.toml").write_text("mine")
    with pytest.raises(ScenarioError, match="exists with other content"):
        write_sample(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["designs.toml"]
    assert (tmp_path / "designs.toml").read_text() == "mine"


# The schema, checked with as much of JSON Schema as it uses.


def fields(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, group in {"Scenario": schema, **schema["$defs"]}.items():
        for key, field in group["properties"].items():
            yield f"{name}.{key}", field


KEYWORDS = {
    "$defs", "$ref", "$schema", "additionalProperties", "anyOf", "const", "default", "description",
    "discriminator", "enum", "exclusiveMaximum", "exclusiveMinimum", "format", "items", "maxItems",
    "maximum",
    "minItems", "minimum", "oneOf", "pattern", "patternProperties", "prefixItems",
    "properties", "propertyNames",
    "required", "title",
    "type",
}  # fmt: skip


def wrong(value: Any, schema: dict[str, Any], root: dict[str, Any], where: str = "") -> list[str]:
    """What a value breaks of a schema."""
    unknown = set(schema) - KEYWORDS
    assert not unknown, f"this checker knows nothing of {unknown}"
    if "$ref" in schema:
        return wrong(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, where)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            tried = [wrong(value, item, root, where) for item in schema[key]]
            fits = sum(not item for item in tried)
            if fits == 0 or (key == "oneOf" and fits > 1):
                return [f"{where}: fits {fits} of {key}: {tried}"]
    if "type" in schema and not has_type(value, schema["type"]):
        return [f"{where}: {value!r} is no {schema['type']}"]
    if isinstance(value, dict):
        return wrong_object(value, schema, root, where)
    if isinstance(value, list):
        return wrong_array(value, schema, root, where)
    return [f"{where}: {value!r} breaks {key}" for key in broken_limits(value, schema)]


def has_type(value: Any, name: str) -> bool:
    types: dict[str, type] = {
        "object": dict,
        "array": list,
        "string": str,
        "null": type(None),
        "integer": int,
        "boolean": bool,
    }
    if name == "string" and isinstance(value, dt.date):
        return True  # TOML has dates, JSON writes them as text
    if name == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, types[name]) and (name == "boolean") == isinstance(value, bool)


def wrong_object(
    value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], where: str
) -> list[str]:
    known = schema.get("properties", {})
    results = [
        f"{where}: {key} is missing" for key in schema.get("required", []) if key not in value
    ]
    for key, inner in value.items():
        if key in known:
            results += wrong(inner, known[key], root, f"{where}.{key}")
        elif schema.get("additionalProperties") is False:
            results.append(f"{where}: {key} is unknown")
        elif "patternProperties" in schema:
            fitting = [s for p, s in schema["patternProperties"].items() if re.search(p, key)]
            results += [f"{where}: key {key} fits no pattern"] if not fitting else []
            results += [item for s in fitting for item in wrong(inner, s, root, f"{where}.{key}")]
        elif isinstance(schema.get("additionalProperties"), dict):
            results += wrong(key, schema.get("propertyNames", {}), root, f"{where}: key {key}")
            results += wrong(inner, schema["additionalProperties"], root, f"{where}.{key}")
    return results


def wrong_array(
    value: list[Any], schema: dict[str, Any], root: dict[str, Any], where: str
) -> list[str]:
    results = []
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        results.append(f"{where}: {len(value)} entries")
    for index, inner in enumerate(value):
        first = schema.get("prefixItems", [])
        rule = first[index] if index < len(first) else schema.get("items", {})
        results += wrong(inner, rule, root, f"{where}[{index}]")
    return results


def broken_limits(value: Any, schema: dict[str, Any]) -> list[str]:
    limits: dict[str, Callable[[Any], bool]] = {
        "const": lambda limit: value == limit,
        "enum": lambda limit: value in limit,
        "pattern": lambda limit: re.search(limit, value) is not None,
        "minimum": lambda limit: value >= limit,
        "maximum": lambda limit: value <= limit,
        "exclusiveMinimum": lambda limit: value > limit,
        "exclusiveMaximum": lambda limit: value < limit,
    }
    return [key for key, holds in limits.items() if key in schema and not holds(schema[key])]


def test_the_schema_is_one_of_draft_2020_12_and_plain_json() -> None:
    schema = scenarios.schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(json.dumps(schema, allow_nan=False)) == schema
    for group in (schema, *schema["$defs"].values()):
        assert group["type"] == "object"
        assert group["additionalProperties"] is False
        assert set(group.get("required", [])) <= set(group["properties"])
    for target in re.findall(r'"\$ref": "([^"]*)"', json.dumps(schema)):
        assert target.removeprefix("#/$defs/") in schema["$defs"]


def test_every_field_of_the_schema_is_described() -> None:
    assert [
        name for name, field in fields(scenarios.schema()) if not field.get("description")
    ] == []


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.parent.name + "/" + path.stem)
def test_whole_scenarios_satisfy_the_schema(path: Path) -> None:
    schema = scenarios.schema()
    assert wrong(tomllib.loads(path.read_text(encoding="utf-8")), schema, schema) == []


@pytest.mark.parametrize(
    "name",
    [
        "bool-for-number", "format-2", "fraction-for-count", "missing-key", "name-with-slash",
        "negative", "number-for-table", "ratio-below-1", "short-range", "small-currency",
        "text-for-number", "too-many-workloads", "turned-direction", "unknown-key", "zero",
    ],
)  # fmt: skip
def test_the_schema_refuses_what_the_reader_refuses(name: str) -> None:
    schema = scenarios.schema()
    data = tomllib.loads((BROKEN / f"{name}.toml").read_text(encoding="utf-8"))
    assert wrong(data, schema, schema) != []


def test_the_schema_knows_exactly_the_fields_of_a_scenario() -> None:
    assert set(scenarios.schema()["properties"]) == set(Scenario.model_fields)

"""The configuration of the Maui-like scheduler: read as written, or refused with every fault."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from scenarios import ScenarioError
from scenarios.faults import MOST_FAULTS
from scenarios.files import LARGEST_BYTES
from scenarios.maui.names import OURS
from scenarios.maui.reader import BUNDLED, bundled_maui, read_maui
from scenarios.maui.settings import (
    Backfill,
    Fairshare,
    FairshareWeights,
    MauiConfiguration,
    MauiThrottle,
    Priority,
    Service,
)
from tests.scenarios.test_broken_files import expected, without_parser_words
from tests.scenarios.test_fuzz import SIGNS, VALUES, VALUES_AND_WORSE
from tests.sizes import few

BROKEN = Path(__file__).parent.parent / "data" / "broken-maui"
SAMPLE = BUNDLED.parent.parent / "sample" / "maui.toml"
DOCUMENT = Path(__file__).parents[2] / "docs" / "maui.md"
EXPECTED = expected(BROKEN)
WHOLE = (BROKEN / "whole.toml").read_text(encoding="utf-8")


def faults(path: Path) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        read_maui(path)
    return str(caught.value).split("\n")


def read_text(folder: Path, text: str) -> MauiConfiguration:
    path = folder / "maui.toml"
    path.write_text(text, encoding="utf-8")
    return read_maui(path)


# Files that are whole


def test_a_file_is_read_as_it_is_written() -> None:
    content = read_maui(BROKEN / "whole.toml")
    assert (content.name, content.iteration_s) == ("small", 60)
    assert content.priority.service == Service(
        weight=1, queue_time=1, expansion_factor=0, bypass=-2
    )
    assert content.priority.credential.user == {"ann": 100, "12": -50.5}
    assert content.priority.resource.processors == content.priority.fairshare.user == 0
    shares = {"ann": 0.25, "bob": 0.75}
    assert content.fairshare == Fairshare(windows=7, window_s=3600, decay=0.5, user=shares)
    assert content.backfill == Backfill(policy="best-fit", depth=10, reservations=0)
    item, ann = content.throttles
    assert (item.of, item.name, item.max_jobs, item.max_processors) == ("user", None, 5, None)
    assert (ann.name, ann.max_jobs, ann.max_processors, ann.max_idle_jobs) == ("ann", None, 64, 3)


def test_a_configuration_knows_its_file_and_one_from_python_none() -> None:
    digest = hashlib.sha256(BUNDLED.read_bytes()).hexdigest()
    assert bundled_maui().provenance.files == (("maui.toml", digest),)
    assert read_maui(BUNDLED, "else/where.toml").provenance.files == (("where.toml", digest),)
    assert MauiConfiguration(name="here").provenance.files == ()


def test_a_name_is_enough_and_means_order_of_submission_with_easy(tmp_path: Path) -> None:
    content = read_text(tmp_path, 'name = "bare"\n')
    assert content.model_dump() == MauiConfiguration(name="bare").model_dump()
    weights = [
        value for name, value in _leaves(content.priority) if name not in ("weight", "source")
    ]
    assert set(weights) == {0}
    assert (content.backfill.policy, content.backfill.reservations) == ("first-fit", 1)


def _leaves(group: BaseModel) -> Iterator[tuple[str, Any]]:
    for name in type(group).model_fields:
        value = getattr(group, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value)
        elif not isinstance(value, dict):
            yield name, value


@pytest.mark.parametrize(
    "targets",
    [
        dict.fromkeys("abcdefghij", 0.1),
        dict.fromkeys("abc", 1 / 3),
        dict.fromkeys("abcdef", 0.166667),
        {"a": 1, "b": 0},
    ],
)
def test_targets_may_sum_to_the_whole_machine(tmp_path: Path, targets: dict[str, float]) -> None:
    table = "".join(f"{name} = {target!r}\n" for name, target in targets.items())
    content = read_text(tmp_path, f'name = "all"\n[fairshare.group]\n{table}')
    assert content.fairshare.group == targets


def test_one_party_may_have_a_throttle_in_each_kind_and_kinds_are_apart(tmp_path: Path) -> None:
    entries = [(of, name) for of in ("user", "group", "queue") for name in ("", 'name = "a"\n')]
    text = "".join(f'[[throttles]]\nof = "{of}"\n{name}max_jobs = 1\n' for of, name in entries)
    assert len(read_text(tmp_path, f'name = "six"\n{text}').throttles) == 6


# Files that are not


@pytest.mark.parametrize("name", EXPECTED)
def test_every_fault_of_a_file_is_named_with_place_and_remedy(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(BROKEN)
    results = [without_parser_words(fault) for fault in faults(Path(f"{name}.toml"))]
    assert results == [without_parser_words(item) for item in EXPECTED[name]]


def test_every_broken_file_is_tried() -> None:
    assert {path.stem for path in BROKEN.glob("*.toml")} == {*EXPECTED, "whole"}


def test_maui_s_own_file_is_recognised_and_toml_with_a_mistake_is_not() -> None:
    hint = (
        "it looks like a maui.cfg of Maui; copy its values into the maui.toml that `headroom init`"
    )
    assert hint in faults(BROKEN / "maui-cfg.toml")[0]
    assert "maui.cfg" not in faults(BROKEN / "syntax.toml")[0]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "[fairshare.user]\nann = 100",
            "100 is not a share of the machine between 0 and 1; write 1 for",
        ),
        (
            "[fairshare.user]\nann = 101",
            "101 is not a share of the machine between 0 and 1; correct it",
        ),
        # which of the five groups that have it?
        ("[priority.service]\nuser = 1", "unknown key 'user'; there are bypass, expansion_factor"),
        ("[backfill]\niteration_s = 9", "'iteration_s'; it belongs above the first header"),
        ("[fairshare]\nmax_jobs = 9", "'max_jobs'; it belongs in [[throttles]]"),
        ("[fairshare]\nbackfilldepth = 9", "'BACKFILLDEPTH' of Maui is called backfill.depth here"),
    ],
)
def test_remedies_fit_what_is_written(tmp_path: Path, written: str, said: str) -> None:
    path = tmp_path / "maui.toml"
    path.write_text(f'name = "remedy"\n{written}\n')
    (result,) = faults(path)
    assert said in result


@pytest.mark.parametrize("kind", ["folder", "pipe", "missing", "huge", "latin"])
def test_what_is_no_text_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "maui.toml"
    message = "is not a regular file; give the path of a text file"
    if kind == "folder":
        path.mkdir()
        message = "is a folder, not a file; give the path of a text file"
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "missing":
        message = "does not exist; give the path of a text file"
    elif kind == "huge":
        with path.open("wb") as stream:
            stream.truncate(LARGEST_BYTES + 1)
        message = "is larger than 1 MiB; a scheduler configuration is never that large"
    else:
        path.write_bytes(b'name = "caf\xe9"\n')
        message = "byte 0xe9 is not UTF-8; save the file as UTF-8"
        assert faults(path) == [f"{path}:1: {message}"]
        return
    assert faults(path) == [f"{path}: {message}"]


HUGE = {
    "users beyond reason": "[fairshare.user]\n" + "".join(f"u{i} = 0\n" for i in range(60_000)),
    "targets that sum to much": "[fairshare.user]\n" + "".join(f"u{i} = 1\n" for i in range(9000)),
    "percentages": "[fairshare.user]\n" + "".join(f"u{i} = 2\n" for i in range(9000)),
    "unknown keys": "".join(f"key{i} = 1\n" for i in range(8000)),
    "throttles of everybody": '[[throttles]]\nof = "user"\nmax_jobs = 1\n' * 4000,
    "throttles without limit": '[[throttles]]\nof = "user"\n' * 2000,
    "an integer of many digits": "[fairshare]\ndecay = " + "9" * 4000,
}


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_file_is_refused_in_few_words(tmp_path: Path, name: str) -> None:
    path = tmp_path / "maui.toml"
    path.write_text(f'name = "huge"\n{HUGE[name]}')
    results = [fault.replace(str(tmp_path), "") for fault in faults(path)]
    assert 1 <= len(results) <= MOST_FAULTS + 1
    assert sum(map(len, results)) < 20_000


def test_many_users_are_told_what_to_do_with_them(tmp_path: Path) -> None:
    path = tmp_path / "maui.toml"
    path.write_text(HUGE["users beyond reason"])
    assert faults(path) == [
        f"{path}: contains more than 50000 values; delete users that need no setting of their own"
    ]


def test_what_is_made_in_python_is_held_to_the_same() -> None:
    with pytest.raises(
        ValueError, match=r"86400 is not a multiple of iteration_s = 7; give 86394 or"
    ):
        MauiConfiguration(name="seven", iteration_s=7)
    with pytest.raises(
        ValueError, match=r"fairshare\.queue: targets sum to 1\.0001, which exceeds"
    ):
        MauiConfiguration(name="much", fairshare=Fairshare(queue={"a": 0.6, "b": 0.4001}))
    twice = (MauiThrottle(of="user", max_jobs=1), MauiThrottle(of="user", max_processors=1))
    with pytest.raises(ValueError, match=r"throttles\[2\]: limits each user again after thr"):
        MauiConfiguration(name="twice", throttles=twice)
    with pytest.raises(ValueError, match=r"throttles\[1\]: sets no limit"):
        MauiConfiguration(name="none", throttles=(MauiThrottle(of="user", name="ann"),))
    nobody = MauiConfiguration(name="nobody", backfill=Backfill(policy="none", reservations=1))
    assert nobody.backfill.policy == "none"
    negative = Priority(fairshare=FairshareWeights(weight=-1, user=-5))
    assert MauiConfiguration(name="negative", priority=negative).priority.fairshare.user == -5


@given(iteration=st.integers(1, 86_400), window=st.integers(1, 10**6))
def test_the_nearest_lengths_of_a_window_are_named_and_taken(iteration: int, window: int) -> None:
    def configuration(length: int) -> MauiConfiguration:
        fairshare = Fairshare(window_s=length)
        return MauiConfiguration(name="any", iteration_s=iteration, fairshare=fairshare)

    if window % iteration == 0:
        assert configuration(window).fairshare.window_s == window
        return
    with pytest.raises(ValueError, match="not a multiple") as caught:
        configuration(window)
    named = re.search(r"; give (\d+)(?: or (\d+))? \[", str(caught.value))
    assert named is not None
    lengths = [int(group) for group in named.groups() if group]
    assert lengths[-1] - iteration < window < lengths[-1]
    assert lengths == [item for item in (lengths[-1] - iteration, lengths[-1]) if item]
    assert all(configuration(item).fairshare.window_s == item for item in lengths)


# The sample, Maui's own names, the page


def _keys(model: type[BaseModel], above: tuple[str, ...] = ()) -> set[str]:
    result = set()
    for name, field in model.model_fields.items():
        groups = [
            kind
            for kind in (field.annotation, *get_args(field.annotation))
            if isinstance(kind, type) and issubclass(kind, BaseModel)
        ]
        for group in groups:
            result |= _keys(group, (*above, name))
        if not groups and name not in ("source", "format"):
            result.add(".".join((*above, name)))
    return result


def _written(value: Any, above: str = "") -> set[str]:
    if isinstance(value, list):
        return {key for item in value for key in _written(item, above)}
    if not isinstance(value, dict) or value == {}:
        return {above}
    return {
        key for name, item in value.items() for key in _written(item, f"{above}.{name}".strip("."))
    }


def test_the_sample_is_the_bundled_scheduler() -> None:
    def plain(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {name: plain(item) for name, item in value.items() if name not in ("source", "name")}

    sample, bundled = read_maui(SAMPLE), bundled_maui()
    assert plain(sample.model_dump()) == plain(bundled.model_dump())


def test_the_sample_has_every_key_and_is_whole_with_those_in_comments(tmp_path: Path) -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    uncommented = re.sub(r"^# (?=\[\[|\w+ = )", "", text, flags=re.MULTILINE)
    assert _keys(MauiConfiguration) <= _written(tomllib.loads(uncommented))
    (throttle,) = read_text(tmp_path, uncommented).throttles
    assert (throttle.name, throttle.max_idle_jobs) == ("ann", 10)
    assert max(map(len, text.splitlines())) <= 100


def test_every_name_of_maui_is_a_key_here() -> None:
    known = _keys(MauiConfiguration) | {"priority.credential"}
    assert set(OURS.values()) <= known
    whose = {"name", "throttles.of", "throttles.name", "fairshare.group", "fairshare.queue"}
    assert known - set(OURS.values()) == whose


@pytest.mark.parametrize("name", OURS)
def test_the_page_says_what_a_name_of_maui_is_here(name: str) -> None:
    rows = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line[:2] == "| "]
    key = OURS[name].rpartition(".")[2]
    assert any(f"`{name}`" in row and key in row for row in rows)


# Fuzzing


TOKENS = st.sampled_from([*SIGNS, *re.findall(r"[a-z_]+", WHOLE), *VALUES_AND_WORSE])


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "maui.toml"


def survives(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    try:
        content = read_maui(path)
    except ScenarioError as error:
        for fault in error.faults:
            assert fault.message
            assert str(fault).isprintable()
            assert 0 <= fault.line <= data.count(b"\n") + 1
    else:
        again = MauiConfiguration.model_validate(content.model_dump())
        assert again.with_provenance(content.provenance) == content


@settings(max_examples=few(60))
@given(tokens=st.lists(TOKENS, max_size=60), blanks=st.booleans())
def test_random_text_that_looks_like_toml(path: Path, tokens: list[str], *, blanks: bool) -> None:
    survives(path, (" " if blanks else "").join(tokens).encode())


@settings(max_examples=few(60))
@given(data=st.data())
def test_a_whole_file_with_pieces_replaced(path: Path, data: st.DataObject) -> None:
    text = bytearray(WHOLE.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 30, len(text))))
        text[start:end] = data.draw(st.one_of(st.binary(max_size=5), TOKENS.map(str.encode)))
    survives(path, bytes(text))


@settings(max_examples=few(80))
@given(data=st.data())
def test_a_whole_file_with_other_values(path: Path, data: st.DataObject) -> None:
    lines = WHOLE.splitlines()
    pairs = [index for index, line in enumerate(lines) if " = " in line]
    for item in data.draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=4)):
        key = lines[item].partition(" = ")[0]
        lines[item] = f"{key} = {data.draw(VALUES)}"
    survives(path, "\n".join(lines).encode())

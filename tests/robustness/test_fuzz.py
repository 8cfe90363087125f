"""Whole commands on valid inputs at the edges: an answer that holds, or a refusal in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.planner.cli.test_commands import Ran, here
from tests.robustness import fuzz, oracles
from tests.robustness.whole_commands import KINDS, Case, drawn
from tests.sizes import few

CASES = {"aggregate": 2, "aggregate folder": 8, "colocate log": 16, "price": 4, "price log": 4}
"""How many seeds of a kind all tests draw, where a case takes seconds."""
MOST = 80
_SLOW = ("aggregate", "price log")
"""Kinds of which one case takes ten seconds."""


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] * (kind in _SLOW)) for kind in KINDS]
)
def test_whole_commands_answer_or_refuse_edge_inputs(kind: str) -> None:
    for seed in range(few(CASES.get(kind, MOST), least=1)):
        try:
            fuzz.tried(kind, seed)
        except AssertionError as error:
            pytest.fail(f"python -m tests.robustness.fuzz --seed {seed} --kind {kind!r}: {error}")


def test_a_seed_repeats_its_case() -> None:
    for kind in KINDS:
        assert drawn(kind, 3) == drawn(kind, 3)
        assert len({repr(drawn(kind, seed).words) for seed in range(9)} | {"?"}) > 1


def test_cases_draw_answers_and_not_only_refusals() -> None:
    with_answers = {
        kind
        for kind in ("share", "configure", "place", "check-schedule", "colocate", "schedule")
        if any(fuzz.tried(kind, seed) == 0 for seed in range(9))
    }
    assert len(with_answers) == 6


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("configure", {"time_s": 1e9}),
        ("place", {"cut": -5.0}),
        ("place", {"groups": [[0]]}),
        ("colocate", {"gain": 7.0, "bound": 8.0}),
        ("check-schedule", {"violations": ["late"]}),
    ],
)
def test_an_oracle_finds_a_false_answer(
    kind: str, wrong: dict[str, object], tmp_path: Path
) -> None:
    seed = next(seed for seed in range(40) if fuzz.tried(kind, seed) == 0 and _plain(kind, seed))
    case = drawn(kind, seed)
    for name, content in case.files.items():
        (tmp_path / name).write_bytes(content)
    answer = json.loads(here(*case.words, "--json", folder=tmp_path).out)
    oracles.ORACLES[kind](case, answer, tmp_path)
    (answer["best"] if kind == "configure" else answer).update(wrong)
    with pytest.raises(AssertionError):
        oracles.ORACLES[kind](case, answer, tmp_path)


def _plain(kind: str, seed: int) -> bool:
    """Whether all oracles of the kind look at the case."""
    words = drawn(kind, seed).words
    off = {"--next", "--guard", "packed-max", "--predict", "--group-size", "--balanced"}
    return not off & {*words} and not (kind == "place" and words[-1] == "1")


@pytest.mark.parametrize(
    "text", ['{"a": NaN}', '{"a": [1, {"b": Infinity}]}', '{"a": 1e999}', "[]"]
)
def test_an_answer_that_is_no_finite_object_is_found(text: str) -> None:
    with pytest.raises(AssertionError):
        oracles.read(text)


@pytest.mark.parametrize(
    "ran",
    [
        Ran(3, "", "killed"),
        Ran(1, "", ""),
        Ran(1, "", "headroom: internal error in planner/a.py, line 1"),
        Ran(2, "", "\x1b[31m"),
    ],
)
def test_an_end_that_no_user_should_see_is_found(ran: Ran) -> None:
    with pytest.raises(AssertionError):
        oracles.ended(ran)


def test_runs_go_on_after_the_last_seed_and_keep_what_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def attempt(_kind: str, _case: Case, _folder: Path) -> int:
        raise AssertionError("found")

    folder = tmp_path / "kept"
    fuzz.run_on(0.001, ["check"], folder)
    monkeypatch.setattr(fuzz, "attempt", attempt)
    ran = int(fuzz.remaining_state(folder)["next_seed"])
    assert fuzz.run_on(0.001, ["check"], folder) > 0
    state = fuzz.remaining_state(folder)
    assert state["next_seed"] > ran > 0
    assert state["cases"] == state["next_seed"]
    own = folder / f"check-{ran}"
    assert (own / "s.toml").read_bytes() == drawn("check", ran).files["s.toml"]
    assert f"--seed {ran} --kind check" in (own / "failure.txt").read_text()

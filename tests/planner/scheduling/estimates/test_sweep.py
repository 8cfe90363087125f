"""A sweep keeps each case in a file, uses it again only where it is the same, and stops cleanly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner.dependences import digest
from planner.errors import InputError
from planner.scheduling.estimates import sweep as module
from planner.scheduling.estimates.cases import CaseOutcome, EstimateCase, case_of, play
from planner.scheduling.estimates.settings import AS_GIVEN, EstimateSettings, variants
from planner.scheduling.estimates.sweep import sweep
from planner.scheduling.estimates.tools import BoundedErrorOracle, PredictorTool, overruns_of
from planner.scheduling.estimates.workload import EstimateWorkload, workload_of
from scenarios.maui.reader import bundled_maui
from scenarios.maui.settings import MauiConfiguration
from tests.planner.scheduling.estimates.predictors.habits import habits

SEEDS = (0, 1)
CASES = [
    EstimateCase(),
    *[case_of(BoundedErrorOracle(e), u, s) for e in (0.0, 0.5) for u in (0.4, 1.0) for s in SEEDS],
    case_of(PredictorTool("last-two", overruns_of("double")), 1.0, 0),
]
DIFFERENT = len(set(CASES))


def small(seed: int = 3) -> EstimateWorkload:
    return workload_of(habits(60, seed), 16)


class Played:
    """Plays, and counts; raises at a case if asked to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cases: list[EstimateCase] = []
        self.fails_at: int | None = None
        self.error: type[BaseException] = RuntimeError
        monkeypatch.setattr(module, "play", self)

    def __call__(
        self,
        workload: EstimateWorkload,
        configuration: MauiConfiguration,
        case: EstimateCase,
        seeds: Sequence[int],
    ) -> CaseOutcome:
        if self.fails_at == len(self.cases):
            raise self.error
        self.cases.append(case)
        return play(workload, configuration, case, seeds)


def swept(
    folder: Path | None, workload: EstimateWorkload | None = None, **more: object
) -> dict[EstimateCase, CaseOutcome]:
    settings = {"seeds": SEEDS, "cases": CASES, "configurations": {AS_GIVEN: bundled_maui()}}
    return sweep(workload or small(), keep=folder, **(settings | more))  # type: ignore[arg-type]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def kept_in(folder: Path) -> dict[str, Path]:
    """The files of a folder by the keys of their cases."""
    return {json.loads(path.read_bytes())["result"]["case"]: path for path in folder.iterdir()}


def outcome_of(path: Path) -> CaseOutcome:
    return CaseOutcome.from_dict(json.loads(path.read_bytes())["result"]["outcome"])


def test_each_case_is_played_once_and_has_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = Played(monkeypatch)
    progress: list[tuple[int, int]] = []
    folder = tmp_path / "new" / "folder"
    result = swept(folder, progress=lambda done, of: progress.append((done, of)))
    assert DIFFERENT == 8 < len(CASES)
    assert list(result) == list(dict.fromkeys(CASES)) == played.cases
    assert progress == [(done, DIFFERENT) for done in range(DIFFERENT + 1)]
    for case, outcome in result.items():
        assert outcome == play(small(), bundled_maui(), case, SEEDS)
        assert outcome_of(kept_in(folder)[case.key]) == outcome


def test_a_second_sweep_plays_nothing_and_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = swept(tmp_path)
    played = Played(monkeypatch)
    progress: list[tuple[int, int]] = []
    assert swept(tmp_path, progress=lambda done, of: progress.append((done, of))) == first
    assert played.cases == []
    assert progress == [(DIFFERENT, DIFFERENT)]
    assert swept(None) == first
    assert len(played.cases) == DIFFERENT


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, MemoryError])
def test_an_interrupted_sweep_keeps_what_is_done_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    played = Played(monkeypatch)
    played.fails_at, played.error = 3, error
    with pytest.raises(error):
        swept(tmp_path)
    assert {*kept_in(tmp_path)} == {case.key for case in played.cases}
    assert len(played.cases) == 3
    played.fails_at = None
    result = swept(tmp_path)
    assert len(played.cases) == DIFFERENT == len(set(played.cases))
    assert result == swept(None)


def test_an_interrupt_from_outside_leaves_whole_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = Played(monkeypatch)

    def stop(done: int, _of: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        swept(tmp_path, progress=stop, workers=2)
    assert 4 <= len(names(tmp_path)) <= DIFFERENT
    for path in tmp_path.iterdir():
        outcome_of(path)
    before = {*kept_in(tmp_path)}
    played.cases.clear()
    result = swept(tmp_path)
    assert {case.key for case in played.cases}.isdisjoint(before)
    monkeypatch.undo()
    assert result == swept(None)


BROKEN = {
    "empty": b"",
    "binary": bytes(range(256)),
    "foreign": b'{"hello": 1}',
    "list": b"[1, 2]",
    "nested": b"[" * 100_000,
}


@pytest.mark.parametrize("broken", [*BROKEN, "truncated", "other mark", "other digit"])
def test_a_file_that_cannot_be_used_is_named_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    first = swept(tmp_path)
    path = kept_in(tmp_path)[CASES[1].key]
    whole = path.read_bytes()
    kept = json.loads(whole)
    if broken == "truncated":
        damaged = whole[: len(whole) // 2]
    elif broken == "other digit":
        kept["result"]["outcome"]["makespan_s"] += 1
        damaged = json.dumps(kept).encode()
    elif broken == "other mark":
        damaged = json.dumps(kept | {"mark": "0" * 64}).encode()
    else:
        damaged = BROKEN[broken]
    path.write_bytes(damaged)
    with pytest.raises(InputError, match=rf"{path.name} .*; move it away, or give another folder"):
        swept(tmp_path)
    assert path.read_bytes() == damaged
    path.unlink()
    played = Played(monkeypatch)
    assert swept(tmp_path) == first
    assert played.cases == [CASES[1]]
    assert path.read_bytes() == whole


def test_outcomes_of_other_jobs_rules_programs_or_groups_are_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept(tmp_path)
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    bundled = bundled_maui()
    backfill = bundled.backfill.model_copy(update={"policy": "best-fit"})
    changes: list[dict[str, object]] = [
        {"workload": small(4)},
        {"workload": workload_of(habits(60, 3), 17)},
        {"workload": workload_of(habits(60, 3), 16, seed_group=0.5)},
        {"configurations": {AS_GIVEN: bundled.model_copy(update={"backfill": backfill})}},
    ]
    for change in changes:
        for name, content in kept.items():
            (tmp_path / name).write_bytes(content)
        played = Played(monkeypatch)
        swept(tmp_path, **change)  # type: ignore[arg-type]
        assert len(played.cases) == DIFFERENT, change
    for name, content in kept.items():
        (tmp_path / name).write_bytes(content)
    played = Played(monkeypatch)
    monkeypatch.setattr(digest, "program_digest", lambda: "another")
    swept(tmp_path)
    assert len(played.cases) == DIFFERENT


def test_more_seeds_leave_the_cases_of_single_seeds_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept(tmp_path)
    played = Played(monkeypatch)
    result = swept(tmp_path, seeds=(0, 1, 2))
    assert set(played.cases) == {case for case in CASES if case.seed is None}
    assert set(result[EstimateCase()].groups) == {0, 1, 2}


def test_cases_that_are_nearly_alike_have_files_of_their_own(tmp_path: Path) -> None:
    workload = workload_of(habits(200, 3, users=150), 16)
    close = [case_of(BoundedErrorOracle(e), u, 0) for e, u in ((0.2, 0.5), (0.2, 0.5004))]
    close += [case_of(BoundedErrorOracle(0.2004), 0.5, 0)]
    assert len({case.key for case in close}) == 3
    expected = {case: play(workload, bundled_maui(), case, SEEDS) for case in close}
    for _ in range(2):
        assert swept(tmp_path, workload, cases=close) == expected


@pytest.mark.parametrize("workers", [2, 3])
def test_more_workers_find_the_same(tmp_path: Path, workers: int) -> None:
    one, more = tmp_path / "one", tmp_path / "more"
    assert swept(one) == swept(more, workers=workers) == swept(None, workers=workers)
    assert names(one) == names(more)
    for name in names(one):
        assert (one / name).read_bytes() == (more / name).read_bytes()


def test_a_folder_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    for folder in (file, file / "below"):
        with pytest.raises(InputError, match=r"cannot be created .*; give another folder"):
            swept(folder)
    blocked = tmp_path / "blocked"
    swept(blocked)
    taken = kept_in(blocked)[CASES[2].key]
    taken.unlink()
    taken.mkdir()
    for workers in (1, 2):
        with pytest.raises(InputError, match="move it away, or give another folder"):
            swept(blocked, workers=workers)
    assert not any(path.name.startswith(".") for path in blocked.iterdir())


def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("scenarios.files.os.fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        swept(tmp_path)
    assert names(tmp_path) == set()


def test_the_variants_play_their_own_weights() -> None:
    configurations = variants(bundled_maui(), weights=True)
    assert len(configurations) == 9
    settings = EstimateSettings(uptakes=(0.2,), errors=(0.0,), seeds=(0,), predictors=())
    cases = set(settings.cases(configurations))
    result = sweep(small(), configurations, cases, (0,))
    for case, outcome in result.items():
        assert outcome == play(small(), configurations[case.variant], case, (0,))
    waits = {result[EstimateCase(variant=name)].everybody.mean_s for name in configurations}
    assert len(waits) > 3


def test_an_outcome_s_groups_are_of_the_seed_group_alone() -> None:
    workload = replace(small(), seed_group=0.4)
    result = swept(None, workload)
    for case, outcome in result.items():
        for seed, waits in outcome.groups.items():
            assert waits.jobs == int(np.sum(workload.tool_users(seed, 0.4)))
            assert seed in SEEDS if case.seed is None else seed == case.seed

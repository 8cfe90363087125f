"""A sweep answers each case, keeps its shards, goes on where it stopped, and replaces no file."""

from __future__ import annotations

import itertools
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headroom as hr
from planner.answer import Answer
from planner.dependences import digest
from planner.errors import InputError, PlanError
from planner.parallel import in_processes
from planner.sweeps import sweep
from planner.sweeps.cases import MOST_CASES, Cases, cases_of
from planner.sweeps.question import ScenarioQuestion
from scenarios import Scenario, ScenarioError
from scenarios.sample import write_sample

UTILISATION = {"machine.utilisation": [0.5, 0.85, 1.0]}
YEAR = 8760


def counted(scenario: Scenario, log: str = "", stall: float = 0.0) -> Answer:
    """Answers, and says in a file that it did; the first run at ``stall`` waits to be killed."""
    assert scenario.machine is not None
    now = scenario.machine.utilisation
    with Path(log).open("a") as stream:
        stream.write(f"{now} {os.getpid()}\n")
    if now == stall and runs(log).count(now) == 1:
        time.sleep(120)
    return hr.plan(scenario)


def runs(log: str | Path) -> list[float]:
    return [float(line.split()[0]) for line in Path(log).read_text().splitlines()]


def unlucky(scenario: Scenario) -> Answer:
    assert scenario.machine is not None
    if scenario.machine.utilisation == 0.85:
        raise PlanError("there is none")
    return hr.plan(scenario)


def broken(scenario: Scenario, log: str = "") -> Answer:
    if len(runs(log)) == 2:
        raise RuntimeError("an error of the program")
    return counted(scenario, log)


def texts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def shards(folder: Path) -> dict[str, bytes]:
    return {name: text for name, text in texts(folder).items() if name.startswith("cases-")}


def test_each_row_is_what_the_plan_of_its_values_says() -> None:
    done: list[tuple[int, int]] = []
    values = {"machine.utilisation": [0.5, 1.0], "budget.staff_per_year": [0, 3e5]}
    frame = hr.sweep("hopper-2010", values, progress=lambda *item: done.append(item))
    assert frame["machine.utilisation"].tolist() == [0.5, 0.5, 1.0, 1.0]
    assert frame["budget.staff_per_year"].tolist() == [0, 3e5, 0, 3e5]
    # Table 4.1: 13 M USD written off a year, 5.2 maintenance, 2.6 power, 0.3 staff; 153,408 cores.
    hand = [(20.8e6 + staff) / (153_408 * YEAR * used) for used in (0.5, 1) for staff in (0, 3e5)]
    assert frame["cost_per_core_hour"].tolist() == pytest.approx(hand)
    assert frame["error"].isna().all()
    assert done == [(number, 4) for number in range(5)]


def test_a_case_without_a_plan_is_a_row() -> None:
    frame = hr.sweep("hopper-2010", UTILISATION, answer=unlucky)
    assert frame["error"].fillna("").tolist() == ["", "there is none", ""]
    assert frame["cost_per_core_hour"].isna().tolist() == [False, True, False]


def test_values_that_no_scenario_can_have_are_a_row_unless_there_is_no_other() -> None:
    frame = hr.sweep("hopper-2010", {"machine.utilisation": [-1, 0.5]})
    assert "machine.utilisation: -1 should be greater than 0" in frame["error"].iloc[0]
    with pytest.raises(ScenarioError, match="did you mean 'utilisation'"):
        hr.sweep("hopper-2010", {"machine.utilization": [0.5, 1.0]})


@pytest.mark.parametrize("values", ["abc", 7, {"a": 1}, []])
def test_what_is_no_list_of_values_is_refused(values: Any) -> None:
    with pytest.raises(InputError, match=r"^power.bound_w: .*; (write|give) "):
        hr.sweep("thesis-7kw", {"power.bound_w": values})


@pytest.fixture(params=["parquet", "csv"])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("planner.sweeps.folder.form", lambda: request.param)
    return str(request.param)


def test_a_sweep_goes_on_where_it_stopped(tmp_path: Path, form: str) -> None:
    folder, log = tmp_path / "new" / "folder", tmp_path / "log"
    log.touch()
    with pytest.raises(RuntimeError, match="an error of the program"):
        hr.sweep("hopper-2010", UTILISATION, answer=broken, keep=folder, log=str(log))
    text = texts(folder)
    assert [Path(name).suffix for name in shards(folder)] == [f".{form}"] * 2
    assert "summary.json" not in text
    log.write_text("")
    frame = hr.sweep("hopper-2010", UTILISATION, answer=broken, keep=folder, log=str(log))
    assert runs(log) == [1.0]
    assert text.items() < texts(folder).items()
    again = hr.sweep("hopper-2010", UTILISATION, answer=broken, keep=folder, log=str(log))
    assert runs(log) == [1.0]
    assert again.equals(frame)
    assert frame.equals(hr.sweep("hopper-2010", UTILISATION))


def test_a_shard_lost_is_answered_again_with_the_same_bytes(tmp_path: Path) -> None:
    hr.sweep("hopper-2010", UTILISATION, keep=tmp_path)
    before = texts(tmp_path)
    (tmp_path / sorted(shards(tmp_path))[1]).unlink()
    hr.sweep("hopper-2010", UTILISATION, keep=tmp_path)
    assert texts(tmp_path) == before


def test_the_summary_has_the_least_and_largest_of_each_number(tmp_path: Path) -> None:
    values = {"machine.utilisation": [0.5, -1, 0.25, 1.0]}
    frame = hr.sweep("hopper-2010", values, keep=tmp_path)
    summary = json.loads((tmp_path / "summary.json").read_text())
    cost = frame["cost_per_core_hour"]
    assert summary["cases"] == 4
    assert summary["errors"] == 1
    assert summary["columns"] == {
        "machine.utilisation": {"least": -1.0, "largest": 1.0},
        "cost_per_core_hour": {"least": cost.min(), "largest": cost.max()},
    }


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (
            {"values": {"machine.utilisation": [0.5, 0.9]}},
            "machine.utilisation: 2 from 0.5 to 0.8);",
        ),
        ({"gap": 0.1}, "with another scenario file, function, options or version"),
        ({"answer": unlucky}, "with another scenario file, function, options or version"),
        ({"program": "another"}, "with another scenario file, function, options or version"),
    ],
    ids=["values", "options", "function", "version"],
)
def test_a_folder_holds_one_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: dict[str, Any], said: str
) -> None:
    values = {"machine.utilisation": [0.5, 0.8]}
    hr.sweep("hopper-2010", values, keep=tmp_path)
    before = texts(tmp_path)
    if other.pop("program", ""):
        for each in (sweep, digest):
            monkeypatch.setattr(each, "program_digest", lambda: "another")
    with pytest.raises(InputError) as caught:
        hr.sweep("hopper-2010", keep=tmp_path, **({"values": values} | other))
    assert str(caught.value).startswith(f"{tmp_path} holds another sweep (hopper-2010, machine.")
    assert str(caught.value).endswith("; give another folder")
    assert said in str(caught.value)
    assert texts(tmp_path) == before


def test_a_shard_of_another_sweep_is_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    hr.sweep("hopper-2010", {"machine.utilisation": [0.5, 0.8]}, keep=one)
    hr.sweep("hopper-2010", {"machine.utilisation": [0.5, 0.9]}, keep=two)
    mine, foreign = min(shards(one)), min(shards(two))
    (two / foreign).rename(one / foreign)
    with pytest.raises(InputError, match=rf"has .*{mine}.* for one shard; move one away"):
        hr.sweep("hopper-2010", {"machine.utilisation": [0.5, 0.8]}, keep=one)
    (one / mine).unlink()
    with pytest.raises(InputError, match=f"{foreign} is a shard of another sweep; move it away"):
        hr.sweep("hopper-2010", {"machine.utilisation": [0.5, 0.8]}, keep=one)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path, text: path.write_bytes(text[:-30]), "was changed or damaged; move it away"),
        (lambda path, text: path.write_bytes(text[:99] + b"?" + text[100:]), "was changed or dam"),
        (lambda path, _: path.write_text("{}"), "was changed or damaged"),
        (lambda path, _: path.write_bytes(b""), "was changed or damaged"),
        (lambda path, _: (path.unlink(), path.mkdir()), "is a folder, not a file"),
        (
            lambda path, _: (path.unlink(), path.symlink_to("nowhere")),
            "is a link to a file that does not exist",
        ),
    ],
)
def test_a_file_that_is_not_what_was_written_is_named_and_stays(
    tmp_path: Path, spoil: Callable[[Path, bytes], object], said: str, form: str
) -> None:
    values = {"machine.utilisation": [0.85]}
    hr.sweep("hopper-2010", values, keep=tmp_path)
    (path,) = tmp_path.glob(f"cases-00000-*.{form}")
    spoil(path, path.read_bytes())
    before = path.lstat()
    with pytest.raises(InputError, match=said) as caught:
        hr.sweep("hopper-2010", values, keep=tmp_path)
    assert str(path) in str(caught.value)
    after = path.lstat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("text", ["", "{}", "[" * 100_000, '{"product": 1, "values": 1}', "[1]"])
def test_what_is_no_record_of_a_sweep_is_named_and_stays(tmp_path: Path, text: str) -> None:
    record = tmp_path / "sweep.json"
    record.write_text(text)
    with pytest.raises(InputError, match=r"sweep.json is not the record of a sweep; move it away"):
        hr.sweep("hopper-2010", UTILISATION, keep=tmp_path)
    assert texts(tmp_path) == {"sweep.json": text.encode()}


def mixed(scenario: Scenario) -> Answer:
    assert scenario.machine is not None
    return Mixed(scenario.machine.utilisation)


class Mixed(Answer):
    """Numbers of every kind, which differ from case to case."""

    def __init__(self, used: float) -> None:
        self.used = used

    def numbers(self) -> dict[str, Any]:
        few = self.used < 0.5
        whole: dict[str, Any] = {"whole": 3, "flag": few, "text": 'a "b",\nc', "big": 2**70}
        other = {"list": [1, "é"], "empty": "", "number": np.float64(0.1), "mixed": "few"}
        return whole | ({"sometimes": 1, "mixed": 1} if few else other)


@pytest.mark.parametrize("together", [1, 4])
def test_numbers_of_every_kind_are_read_back(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    monkeypatch.setattr(Cases, "shard_cases", together)
    values: dict[str, Any] = {"machine.utilisation": [0.2, 0.4, 0.6, 1.0], "title": ["a, b"]}
    memory = hr.sweep("hopper-2010", values, answer=mixed)
    kept = hr.sweep("hopper-2010", values, answer=mixed, keep=tmp_path)
    again = hr.sweep("hopper-2010", values, answer=mixed, keep=tmp_path)
    assert len(shards(tmp_path)) == 4 / together
    assert memory.equals(kept)
    assert memory.equals(again)
    assert [*memory] == [
        "machine.utilisation", "title", "whole", "flag", "text", "big", "sometimes", "mixed",
        "list", "empty", "number", "error",
    ]  # fmt: skip
    assert memory["big"].tolist() == [2**70] * 4
    assert memory["list"].tolist()[2:] == [[1, "é"]] * 2
    assert memory["mixed"].tolist() == [1, 1, "few", "few"]
    assert memory["sometimes"].isna().tolist() == [False, False, True, True]


@pytest.mark.parametrize("lengths", [(1,), (7,), (201,), (3, 1, 5), (1001, 250)])
def test_cases_are_every_combination_in_shards(lengths: tuple[int, ...]) -> None:
    lists = {f"p{place}": [*range(length)] for place, length in enumerate(lengths)}
    cases = Cases(lists)
    every = [*itertools.product(*lists.values())]
    assert [tuple(cases.chosen(case).values()) for case in range(cases.count)] == every
    assert [*zip(*map(cases.column, lists), strict=True)] == every
    assert [case for shard in range(cases.shards) for case in cases.of_shard(shard)] == [
        *range(len(every))
    ]
    assert cases.shard_cases <= 1000


def test_a_value_has_one_kind_in_the_files_of_all_shards(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    hr.sweep("hopper-2010", {"machine.utilisation": [0.25, 0.5, 1]}, keep=tmp_path)
    files = sorted(tmp_path.glob("cases-*"))
    assert len({str(parquet.read_schema(file).remove_metadata()) for file in files}) == 1
    assert parquet.read_table(files)["machine.utilisation"].to_pylist() == [0.25, 0.5, 1.0]


def test_whole_numbers_that_no_float_has_stay_whole() -> None:
    listed: dict[str, list[float]] = {
        "a": [2**60 + 1, 0.5],
        "b": [10**400, 0.5],
        "c": [1, 2],
        "d": [1, 0.5],
        "e": [True, 0.5],
    }
    assert cases_of(listed).mixed() == {"d"}


def test_whole_numbers_beyond_every_float_are_kept_and_not_summarised(tmp_path: Path) -> None:
    values = {"machine.utilisation": [10**400, *[0.5] * 200]}
    frame = hr.sweep("hopper-2010", values, keep=tmp_path)
    assert frame["error"].isna().tolist() == [False, *[True] * 200]
    assert hr.sweep("hopper-2010", values, keep=tmp_path).equals(frame)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["columns"]["machine.utilisation"] == {"least": 0.5, "largest": 0.5}


@pytest.mark.parametrize("count", [7919, 2 * 7919, 7927, 5000])
def test_a_thousand_different_cases_are_tried_for_a_valid_one(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    tried: list[int] = []

    def refused(scenario: Scenario, values: Mapping[str, Any]) -> None:
        tried.append(values["a"])
        raise ScenarioError([])

    monkeypatch.setattr("planner.sweeps.question.with_values", refused)
    with pytest.raises(ScenarioError):
        ScenarioQuestion(hr.load("hopper-2010")).refuse_without_answer(
            cases_of({"a": range(count)})
        )
    assert len({*tried}) == len(tried) == 1000


def test_the_folder_is_listed_once_for_all_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hr.sweep("hopper-2010", UTILISATION, keep=tmp_path)
    listed: list[str] = []
    glob = Path.glob

    def counting(path: Path, pattern: str) -> Iterator[Path]:
        if path == tmp_path:
            listed.append(pattern)
        return iter([*glob(path, pattern)])

    monkeypatch.setattr(Path, "glob", counting)
    hr.sweep("hopper-2010", UTILISATION, keep=tmp_path)
    assert listed == ["cases-*-*"]


def test_a_summary_is_of_all_shards_or_of_none(tmp_path: Path) -> None:
    cases = cases_of(UTILISATION)
    folder = sweep.folder_of(sweep.question_of("hopper-2010", hr.plan, {}), cases, tmp_path)
    hr.sweep("hopper-2010", UTILISATION, keep=tmp_path)
    (tmp_path / "summary.json").unlink()
    (tmp_path / min(shards(tmp_path))).unlink()
    with pytest.raises(InputError, match="has lost files of shards meanwhile; run it again"):
        folder.summarise(columns for _, columns in folder.finished(range(3)))
    assert not (tmp_path / "summary.json").exists()


def test_too_many_cases_are_counted() -> None:
    values = {"power.bound_w": range(5000), "power.pue": range(MOST_CASES // 1000)}
    with pytest.raises(InputError, match=r"5,000 x 10,000 values give 50,000,000 cases; at most"):
        hr.sweep("thesis-7kw", values)


def test_a_function_that_cannot_be_told_from_others_keeps_no_files(tmp_path: Path) -> None:
    def inner(scenario: Scenario) -> Answer:
        return hr.plan(scenario, gap=0.1)

    values = {"machine.utilisation": [0.5]}
    assert len(hr.sweep("hopper-2010", values, answer=inner)) == 1
    with pytest.raises(InputError, match="so the folder could mix up its results with others"):
        hr.sweep("hopper-2010", values, answer=inner, keep=tmp_path)
    names: dict[str, Any] = {}
    exec("def typed(scenario): ...", names)
    with pytest.raises(InputError, match="typed has no readable source"):
        hr.sweep("hopper-2010", values, answer=names["typed"], keep=tmp_path)
    with pytest.raises(InputError, match="give plain values"):
        hr.sweep("hopper-2010", values, keep=tmp_path, gap=object())


@pytest.mark.slow
def test_other_studies_give_the_numbers_that_they_have(tmp_path: Path) -> None:
    write_sample(tmp_path)
    frame = hr.sweep(
        "thesis-7kw",
        {"power.bound_w": [3000, 4000]},
        answer=configured,
        runs=str(tmp_path / "runs.csv"),
    )
    assert frame["error"].isna().all()
    assert len(frame.select_dtypes("number").columns) > 1


def configured(scenario: Scenario, runs: str) -> Answer:
    assert scenario.power is not None
    return hr.configure(runs, bound_w=scenario.power.bound_w)


def test_processes_give_the_same_bytes(tmp_path: Path) -> None:
    one = hr.sweep("hopper-2010", UTILISATION, keep=tmp_path / "one")
    two = hr.sweep("hopper-2010", UTILISATION, keep=tmp_path / "two", workers=2)
    assert one.equals(two)
    assert texts(tmp_path / "one") == texts(tmp_path / "two")


def test_dask_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(InputError, match=r"install headroom-planner\[dask\]"):
        hr.sweep("hopper-2010", UTILISATION, dask="tcp://127.0.0.1:1")


@pytest.mark.slow
def test_every_kind_of_plan_gives_numbers(tmp_path: Path) -> None:
    write_sample(tmp_path)
    bought = hr.sweep(tmp_path / "procurement.toml", {"power.bound_w": [25e3, 250e3]})
    assert bought["error"].iloc[0].startswith("no plan exists: ")
    assert bought["score"].isna().tolist() == [True, False]
    designs = hr.sweep("thesis-7kw", {"power.bound_w": [300, 7000]}, workers=2)
    assert designs["mix_speedup"].iloc[1] == pytest.approx(0.99537, abs=1e-5)
    assert designs["error"].isna().tolist() == [False, True]


@pytest.fixture(scope="module")
def cluster() -> Any:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dask_gives_the_same_bytes(tmp_path: Path, cluster: Any) -> None:
    values = {"power.bound_w": [6000, 7000, 8000]}
    one = hr.sweep("thesis-7kw", values, keep=tmp_path / "one")
    far = hr.sweep("thesis-7kw", values, keep=tmp_path / "far", dask=cluster.scheduler_address)
    assert one.equals(far)
    assert texts(tmp_path / "one") == texts(tmp_path / "far")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dask_takes_tasks_as_it_answers_them(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.parallel._AHEAD", 3)
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(20):
            taken.append(number)
            yield -number

    results = in_processes(abs, tasks(), dask=cluster.scheduler_address)
    first = next(results)
    assert len(taken) < 20
    assert sorted([first, *results]) == [*range(20)]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_killed_costs_its_case_only(tmp_path: Path, cluster: Any) -> None:
    log = tmp_path / "log"
    done: list[int] = []
    values = {"machine.utilisation": [0.2, 0.4, 0.6, 0.8, 1.0]}
    how: dict[str, Any] = {"answer": counted, "log": str(log), "stall": 0.4}

    def kill() -> None:
        while len(done) < 5 or len(runs(log)) < 5:
            time.sleep(0.05)
        stalled = next(line.split() for line in log.read_text().splitlines() if line[:3] == "0.4")
        os.kill(int(stalled[1]), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    far = hr.sweep(
        "hopper-2010",
        values,
        keep=tmp_path / "far",
        dask=cluster.scheduler_address,
        progress=lambda number, _: done.append(number),
        **how,
    )
    killer.join()
    assert sorted(runs(log)) == [0.2, 0.4, 0.4, 0.6, 0.8, 1.0]
    one = hr.sweep("hopper-2010", values, keep=tmp_path / "one", **how)
    assert far.equals(one)
    assert texts(tmp_path / "far") == texts(tmp_path / "one")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_case_that_kills_every_worker_ends_the_sweep(tmp_path: Path, cluster: Any) -> None:
    with pytest.raises(InputError, match="a Dask worker was ended from outside"):
        hr.sweep("hopper-2010", UTILISATION, answer=deadly, dask=cluster.scheduler_address)
    with pytest.raises(InputError, match="a process was ended from outside"):
        hr.sweep("hopper-2010", UTILISATION, answer=deadly, workers=2)


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        (np.array([0.5, 0.85]), [0.5, 0.85]),
        (np.array([0.5, 0.85], np.float32), [0.5, 0.85]),
        ([np.float16(0.1), np.int64(1)], [0.1, 1]),
        (np.array([1]), [1]),
    ],
    ids=["float64", "float32", "of several kinds", "int64"],
)
def test_numbers_of_numpy_are_those_of_python(tmp_path: Path, given: Any, plain: Any) -> None:
    key = "machine.utilisation"
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    expected = hr.sweep("hopper-2010", {key: plain}, keep=ours)
    result = hr.sweep("hopper-2010", {key: given}, keep=theirs)
    assert result.equals(expected)
    assert result[key].dtype == expected[key].dtype
    assert texts(ours) == texts(theirs)


@pytest.mark.parametrize("given", [np.array(0.5), np.array([[0.5, 1.0]])], ids=["0-d", "2-d"])
def test_an_array_that_is_no_list_is_refused(given: Any) -> None:
    with pytest.raises(InputError, match=r"machine.utilisation: an array of [02] dimensions is no"):
        hr.sweep("hopper-2010", {"machine.utilisation": given})


@pytest.mark.parametrize("given", [np.float32(0.1), np.array([1])])
def test_options_of_numpy_are_refused_where_they_are_to_be_kept(
    tmp_path: Path, given: object
) -> None:
    with pytest.raises(InputError, match="options gap cannot all be stored in the folder; give pl"):
        hr.sweep("hopper-2010", UTILISATION, keep=tmp_path / "kept", gap=given)


def lost(_: int) -> int:
    raise BrokenProcessPool("killed")


@pytest.mark.parametrize("kept", [False, True])
def test_a_lost_process_points_to_the_folder_only_where_there_is_one(*, kept: bool) -> None:
    with pytest.raises(InputError, match="a process was ended from outside") as caught:
        list(in_processes(lost, [1], keeps_results=kept))
    assert ("finished cases in the folder are kept" in str(caught.value)) == kept
    assert str(caught.value).endswith(
        "run it again" + ": finished cases in the folder are kept" * kept
    )


def deadly(scenario: Scenario) -> Answer:
    assert scenario.machine is not None
    if scenario.machine.utilisation == 1.0:
        os._exit(1)
    return hr.plan(scenario)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_of_one_core_takes_the_cases_from_this_process(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    log = tmp_path / "log"
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as one:
        hr.sweep(
            "hopper-2010", UTILISATION, answer=counted, log=str(log), dask=one.scheduler_address
        )
    assert all(line.split()[1] != str(os.getpid()) for line in log.read_text().splitlines())
    assert sorted(runs(log)) == [0.5, 0.85, 1.0]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("planner.parallel._CONNECT_S", 1)
    with distributed.LocalCluster(n_workers=0, dashboard_address=None) as idle:
        for address in ("tcp://127.0.0.1:1", "nonsense://x", idle.scheduler_address):
            with pytest.raises(InputError, match=f"answers at {address} "):
                hr.sweep("hopper-2010", UTILISATION, dask=address)

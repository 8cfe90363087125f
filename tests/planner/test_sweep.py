"""A sweep answers each case once, keeps it, and never replaces a file."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headroom as hr
from planner import sweep as module
from planner.answer import Answer
from planner.dependences import digest
from planner.errors import InputError, PlanError
from planner.parallel import in_processes
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


def test_a_case_that_is_there_twice_is_answered_once(tmp_path: Path) -> None:
    values = {"machine.utilisation": [0.5, 0.5, 1.0]}
    log = tmp_path / "log"
    frame = hr.sweep("hopper-2010", values, answer=counted, log=str(log))
    assert runs(log) == [0.5, 1.0]
    assert len(frame) == 3
    assert frame.iloc[0].equals(frame.iloc[1])


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


def test_a_sweep_goes_on_where_it_stopped(tmp_path: Path) -> None:
    folder, log = tmp_path / "new" / "folder", tmp_path / "log"
    log.touch()
    with pytest.raises(RuntimeError, match="an error of the program"):
        hr.sweep("hopper-2010", UTILISATION, answer=broken, keep=folder, log=str(log))
    text = texts(folder)
    assert len(text) == 2
    log.write_text("")
    frame = hr.sweep("hopper-2010", UTILISATION, answer=broken, keep=folder, log=str(log))
    assert runs(log) == [1.0]
    assert text.items() < texts(folder).items()
    again = hr.sweep("hopper-2010", UTILISATION, answer=broken, keep=folder, log=str(log))
    assert runs(log) == [1.0]
    assert again.equals(frame)


def test_a_file_depends_on_the_case_the_function_its_options_and_the_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {"machine.utilisation": [0.5]}

    def files(**options: Any) -> int:
        hr.sweep("hopper-2010", values, keep=tmp_path / "folder", **options)
        return len(texts(tmp_path / "folder"))

    assert files() == 1
    assert files() == 1
    assert files(gap=0.1) == 2
    assert files(answer=unlucky) == 3
    for each in (module, digest):
        monkeypatch.setattr(each, "program_digest", lambda: "another")
    assert files() == 4


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path, text: path.write_bytes(text[:-30]), "is damaged"),
        (lambda path, text: path.write_bytes(text.replace(b"0.018", b"0.019")), "was changed"),
        (lambda path, _: path.write_text("{}"), "is not a result of Headroom"),
        (lambda path, text: path.write_bytes(text.replace(b'"mark": "', b'"mark": "0')), "another"),
        (lambda path, _: path.write_text("[" * 100_000), "; move it away"),
        (lambda path, _: (path.unlink(), path.mkdir()), "is a folder, not a file"),
        (
            lambda path, _: (path.unlink(), path.symlink_to("nowhere")),
            "is a link to a file that does not exist",
        ),
    ],
)
def test_a_file_that_is_not_what_was_written_is_named_and_stays(
    tmp_path: Path, spoil: Callable[[Path, bytes], object], said: str
) -> None:
    values = {"machine.utilisation": [0.85]}
    hr.sweep("hopper-2010", values, keep=tmp_path)
    (path,) = tmp_path.iterdir()
    spoil(path, path.read_bytes())
    before = path.lstat()
    with pytest.raises(InputError, match=said) as caught:
        hr.sweep("hopper-2010", values, keep=tmp_path)
    assert str(path) in str(caught.value)
    after = path.lstat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_file_that_came_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    values = {"machine.utilisation": [0.5, 0.85]}
    hr.sweep("hopper-2010", values, keep=tmp_path / "before")
    names = [*texts(tmp_path / "before")]

    def foreign(done: int, _of: int) -> None:
        if done == 1:
            missing = [name for name in names if not (tmp_path / "now" / name).exists()]
            (tmp_path / "now" / missing[0]).write_text("mine")

    with pytest.raises(InputError, match="is damaged; move it away"):
        hr.sweep("hopper-2010", values, keep=tmp_path / "now", progress=foreign)
    assert min(texts(tmp_path / "now").values()) == b"mine"


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

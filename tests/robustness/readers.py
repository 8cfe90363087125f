"""Every reader of Headroom as its commands call it, and what its mutants are made of."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from planner.cli.aggregate_patterns import read_node
from planner.cli.edges import refuse_unwritable_folder
from planner.cli.place_nodes import counts, host_names, pinned_ranks, read_distances
from planner.cli.simulate_inputs import _clusters, _trim, _window, drawn_window
from planner.cli.simulate_log import cleaning_of
from planner.cli.values import grid_of, pairs, percents, weighted
from planner.differences.study import DifferenceStudy
from planner.differences.values import difference, read_plan
from planner.placement.hierarchy import read_counted
from planner.procurement.from_scenario import problem_from
from planner.result_folder import ResultFolder, result_in, result_text
from planner.scheduling.policies.speedup import speedup_of
from planner.scheduling.simulation.schedule_reader import read_schedule
from planner.scheduling.sizing.level import parse_level
from planner.sharing_nodes.gate.own import gate
from reports.output_folder import removable
from scenarios.aggregation import read_measurements as read_folder
from scenarios.catalogue import load
from scenarios.communication.ping_pong import read_ping_pong
from scenarios.communication.reader import read_communication
from scenarios.faults import Fault, ScenarioError, foremost
from scenarios.files import TextFile
from scenarios.job_logs.cell_values import zone_named
from scenarios.job_logs.reader import read_job_log
from scenarios.maui.reader import is_maui, read_maui
from scenarios.measurements.reader import read_measurements
from scenarios.pairs.reader import read_pairs
from scenarios.reading.reader import read_scenario
from scenarios.reading.replaced import with_values
from scenarios.tables.curves import read_merits, read_times
from tests.robustness import seeds
from tests.robustness.mutations import Damage, damaged_bytes, mutated

Read = Callable[[Path, bytes], object]


@dataclass(frozen=True)
class Reader:
    """A reader.

    Attributes
    ----------
    seeds
        Whole inputs.
    read
        Reads one input; the folder is for files.
    damage
        Makes a mutant of a whole input.
    """

    seeds: tuple[bytes, ...]
    read: Read
    damage: Damage = mutated


def _file(name: str, read: Callable[..., object], **options: Any) -> Read:
    """Give the input to a reader of files, under a name."""

    def written(folder: Path, data: bytes) -> object:
        path = folder / name
        path.write_bytes(data)
        return read(path, **options)

    return written


def _words(read: Callable[[str], object]) -> Read:
    """Give the input to a reader of words, as a shell hands them over."""
    return lambda _folder, data: read(data.decode("utf-8", "surrogateescape").replace("\0", ""))


def _scenario(path: Path) -> object:
    for attached in ("quotes.csv", "md-times.csv"):
        if not (path.parent / attached).exists():
            (path.parent / attached).write_bytes((seeds.SAMPLE / attached).read_bytes())
    content = read_scenario(path)
    return problem_from(content) if content.procurement is not None else content


def _checked(path: Path) -> object:
    return read_maui(path) if is_maui(path) else _scenario(path)


def _quotes(name: str) -> Read:
    """Read a sample procurement whose quotes are the input."""
    text = seeds.PROCUREMENT.replace("quotes.csv", name)

    def read(folder: Path, data: bytes) -> object:
        (folder / name).write_bytes(data)
        (folder / "procurement.toml").write_text(text, encoding="utf-8")
        return _scenario(folder / "procurement.toml")

    return read


def _table(read: Callable[[TextFile], tuple[object, list[Fault]]]) -> Read:
    def refused(_folder: Path, data: bytes) -> object:
        result, faults = read(TextFile("t.csv", data.decode("utf-8", "replace"), ""))
        if faults:
            raise ScenarioError(foremost(faults, "t.csv"))
        return result

    return refused


def _packed(data: bytes, random: Random) -> bytes:
    """Pack a mutant, and now and then damage the packed bytes as well.

    Nothing is compressed, so that all versions of zlib make the same bytes.
    """
    packed = gzip.compress(mutated(data, random), compresslevel=0, mtime=0)
    if random.random() < 0.2:
        packed += gzip.compress(data, compresslevel=0, mtime=0)
    return damaged_bytes(packed, random) if random.random() < 0.5 else packed


def _workbook(data: bytes, random: Random) -> bytes:
    """Damage a part inside a workbook, or the workbook's own bytes."""
    if random.random() < 0.25:
        return damaged_bytes(data, random)
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        names = old.namelist()
        chosen = random.choice(names)
        for name in names:
            content = old.read(name)
            part = zipfile.ZipInfo(name)
            new.writestr(part, mutated(content, random) if name == chosen else content)
    return stream.getvalue()


_FOLDER = seeds.aggregation_files()


def _one_of_the_folder(data: bytes, random: Random) -> bytes:
    """Name the file of the folder that the mutant replaces, before a line end."""
    name = random.choice(sorted(_FOLDER))
    return name.encode() + b"\n" + mutated(_FOLDER[name], random) + data


def _aggregation(folder: Path, data: bytes) -> object:
    name, _, content = data.partition(b"\n")
    inner = folder / "ring"
    inner.mkdir(exist_ok=True)
    for key, whole in _FOLDER.items():
        (inner / key).write_bytes(content if key == name.decode() else whole)
    return read_folder(inner)


def _gate(name: str) -> Read:
    """Decide by a gate on own tables; the input is one of them, and the other one is whole."""
    whole = {"co-runs.csv": seeds.GATE_PAIRS[0], "profiles.csv": seeds.GATE_PROFILES[0]}

    def read(folder: Path, data: bytes) -> object:
        for key, content in (whole | {name: data}).items():
            (folder / key).write_bytes(content)
        study = gate(folder / "co-runs.csv", folder / "profiles.csv")
        return json.dumps(study.study.to_dict(), ensure_ascii=False, allow_nan=False)

    return read


def _difference(path: Path) -> object:
    found = read_plan(path)
    whole = json.loads(seeds.PLANS[0])
    study = DifferenceStudy("first", "second", (found, whole), difference(found, whole))
    text = json.dumps(study.study.to_dict(), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def _results(folder: Path, data: bytes) -> object:
    """Look at a folder of results with this run.json; only the report may be called ours."""
    inner = folder / "results"
    inner.mkdir(exist_ok=True)
    (inner / "report.pdf").write_bytes(seeds.REPORT)
    (inner / "notes.txt").write_bytes(b"mine")
    (inner / "run.json").write_bytes(data)
    ours = removable(inner, ())
    if not set(ours) <= {"report.pdf"}:
        raise AssertionError(f"taken for ours: {sorted(ours)}")
    refuse_unwritable_folder(inner, "plan")
    return ours


_MARK = "0" * 64
_RESULT = {"headroom": "0.1.0", "error": None, "numbers": {"score": 1.5}, "study": {"format": 1}}
KEY_PATHS = (
    "power.bound_w=8e3",
    "node_types[2].price=1700",
    "workloads[SPhot].time.intercept_s=70",
    "node_types.sandy-bridge.package_caps_w[5]=110",
    "overprovisioning.sweep.cost_ratios[1]=1.25",
)


def _sweep_case(folder: Path, data: bytes) -> object:
    """Read a case of an earlier sweep: the one that was written, or refused."""
    remaining = ResultFolder(folder)
    (folder / f"{_MARK[:24]}.json").write_bytes(data)
    if result_in(remaining.read(_MARK) or b"", _MARK) != _RESULT:
        raise AssertionError("a damaged case is taken for a result")
    return _RESULT


def _replaced(text: str) -> object:
    """Replace the value at a key path by the number behind it."""
    path, _, value = text.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = 1.0
    return with_values(load("thesis-7kw"), {path: number})


def _log(name: str, form: str) -> Read:
    return _file(name, read_job_log, form=form, zone="Europe/Berlin")


def _grammar(texts: tuple[str, ...], read: Callable[[str], object]) -> Reader:
    return Reader(tuple(text.encode() for text in texts), _words(read))


def _merits(file: TextFile) -> tuple[object, list[Fault]]:
    return read_merits(file, "solver", ["solver"])


READERS: dict[str, Reader] = {
    "scenario (TOML)": Reader(seeds.SCENARIOS, _file("scenario.toml", _scenario)),
    "scheduler maui (TOML)": Reader(seeds.MAUI, _file("maui.toml", _checked)),
    "quotes (CSV)": Reader(seeds.QUOTES, _quotes("quotes.csv")),
    "quotes (XLSX)": Reader(seeds.QUOTE_WORKBOOKS, _quotes("quotes.xlsx"), _workbook),
    "workload table of times": Reader(seeds.TIMES, _table(read_times)),
    "workload table of merits": Reader(seeds.MERITS, _table(_merits)),
    "measurements (CSV)": Reader(seeds.RUNS, _file("runs.csv", read_measurements)),
    "measurements (XLSX)": Reader(
        seeds.RUN_WORKBOOKS, _file("runs.xlsx", read_measurements), _workbook
    ),
    "measurements (Parquet)": Reader(
        seeds.RUN_PARQUETS, _file("runs.parquet", read_measurements), damaged_bytes
    ),
    "job log (SWF)": Reader(seeds.SWF, _log("jobs.swf", "swf")),
    "job log (sacct)": Reader(seeds.SACCT, _log("jobs.txt", "sacct")),
    "job log (jobcomp)": Reader(seeds.JOBCOMP, _log("jobs.txt", "jobcomp")),
    "job log (pbs)": Reader(seeds.PBS, _log("jobs.txt", "pbs")),
    "job log (CSV)": Reader(seeds.JOB_CSV, _log("jobs.csv", "csv")),
    "job log (form by content)": Reader(
        seeds.SWF + seeds.SACCT + seeds.JOBCOMP + seeds.JOB_CSV, _file("jobs", read_job_log)
    ),
    "job log (gzip)": Reader(
        seeds.SWF + seeds.SACCT + seeds.JOB_CSV, _file("jobs.swf.gz", read_job_log), _packed
    ),
    "schedule (CSV)": Reader(seeds.SCHEDULES, _file("s.csv", read_schedule, machine_processors=16)),
    "schedule (gzip)": Reader(
        seeds.SCHEDULES, _file("s.csv.gz", read_schedule, machine_processors=16), _packed
    ),
    "communication matrix": Reader(seeds.MATRICES, _file("m.csv", read_communication)),
    "Matrix Market": Reader(seeds.MATRIX_MARKET, _file("m.mtx", read_communication)),
    "METIS graph": Reader(seeds.METIS, _file("m.graph", read_communication)),
    "edge list": Reader(seeds.EDGES, _file("m.edges", read_communication)),
    "Open MPI profile": Reader(
        seeds.PROFILES, _file("0.prof", read_communication, form="monitoring")
    ),
    "communication (form by content)": Reader(
        seeds.MATRIX_MARKET + seeds.EDGES + seeds.PROFILES, _file("m.txt", read_communication)
    ),
    "communication (gzip)": Reader(seeds.MATRICES, _file("m.csv.gz", read_communication), _packed),
    "host file": Reader(seeds.HOSTS, _file("hosts", lambda path: host_names((), str(path)))),
    "ping-pong table": Reader(seeds.PING_PONG, _file("p.csv", read_ping_pong)),
    "pair table": Reader(seeds.PAIR_TABLES, _file("p.csv", read_pairs)),
    "co-runs of a gate (CSV)": Reader(seeds.GATE_PAIRS, _gate("co-runs.csv")),
    "profiles of a gate (CSV)": Reader(seeds.GATE_PROFILES, _gate("profiles.csv")),
    "aggregation folder": Reader((b"",), _aggregation, _one_of_the_folder),
    "plan.json of diff": Reader(seeds.PLANS, _file("plan.json", _difference)),
    "run.json of a results folder": Reader(seeds.RUN_FILES, _results),
    "case of a sweep": Reader((result_text(_MARK, _RESULT),), _sweep_case),
    "key path of a replaced value": _grammar(KEY_PATHS, _replaced),
    "--hierarchy": _grammar(seeds.HIERARCHIES, read_counted),
    "--pin": _grammar(seeds.PINS, lambda text: pinned_ranks((text,), ["n01", "n02"])),
    "size --for": _grammar(seeds.LEVELS, parse_level),
    "--speedup": _grammar(seeds.SPEEDUPS, speedup_of),
    "--unavailable": _grammar(seeds.WINDOWS, _window),
    "--window": _grammar(seeds.SPANS, lambda text: drawn_window(text, "out")),
    "--uptake, --error": _grammar(seeds.SHARES, partial(percents, option="--uptake")),
    "--warm-up": _grammar(("0.1", "auto", "0"), lambda text: _trim(text, 0.0)),
    "--grid": _grammar(seeds.GRIDS, lambda text: grid_of((text,))),
    "--column": _grammar(seeds.NAMED, lambda text: pairs((text,), "--column")),
    "--clean": _grammar(seeds.RULES, lambda text: cleaning_of((text,), None)),
    "--cluster": _grammar(seeds.NUMBERS, lambda text: _clusters((text,), None)),
    "--distance": _grammar(seeds.NUMBERS, lambda text: read_distances((text,))),
    "--weight, --job": _grammar(seeds.NUMBERS, lambda text: weighted(text, ["lu"], "--job")),
    "--capacities": _grammar(seeds.COUNTS, partial(counts, option="--capacities")),
    "--patterns": _grammar(seeds.LAYOUTS, read_node),
    "--zone": _grammar(seeds.ZONES, partial(zone_named, file_name="log")),
}

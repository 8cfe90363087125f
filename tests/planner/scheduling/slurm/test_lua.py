"""The script decides as Python does, run by Lua itself (Debian: ``lua5.1``, as in its Slurm)."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from planner.configurations.table import Configuration
from planner.scheduling.slurm.data_files import read_export
from planner.scheduling.slurm.decision import (
    Note,
    PartitionLimits,
    Refusal,
    SlurmChoice,
    SlurmRequest,
    application_of,
    decide,
)
from planner.scheduling.slurm.export import SlurmExport
from planner.scheduling.slurm.files import slurm_files, write_slurm_files
from tests.planner.scheduling.slurm.exports import random_export, table_5_2

LUA = next(filter(None, map(shutil.which, ("lua5.1", "lua", "lua5.3", "lua5.4", "luajit"))), None)
needs_lua = pytest.mark.skipif(LUA is None, reason="no Lua interpreter (Debian: lua5.1)")

NO_VAL, NO_VAL16 = 2**32 - 2, 2**16 - 2
DRIVER = r"""
slurm = { NO_VAL = 4294967294, NO_VAL16 = 65534, INFINITE = 4294967295, SUCCESS = 0, ERROR = -1,
  ESLURM_ACCESS_DENIED = 2002, log_info = function() end,
  log_user = function(text, ...) said = string.format(text, ...) end }
dofile(arg[1])
local partitions = { all = { name = "all", flag_default = 1, min_nodes = 0, max_nodes = 4294967295,
    total_nodes = 100, max_time = 4294967295 },
  small = { name = "small", flag_default = 0, min_nodes = 2, max_nodes = 7, total_nodes = 9,
    max_time = 4294967295 },
  tiny = { name = "tiny", flag_default = 0, min_nodes = 0, max_nodes = 5, total_nodes = 9,
    max_time = 4294967295 },
  short = { name = "short", flag_default = 0, min_nodes = 0, max_nodes = 4294967295,
    total_nodes = 100, max_time = 7 },
  part = { name = "part", flag_default = 0, min_nodes = 0, max_nodes = 4294967295,
    total_nodes = 100, max_time = 4294967295, max_cpus_per_node = 12 },
  whole = { name = "whole", flag_default = 0, min_nodes = 0, max_nodes = 4294967295,
    total_nodes = 100, max_time = 4294967295, max_cpus_per_node = 16 } }
local function value(text) if text == "nil" then return nil end return tonumber(text) or text end
for line in io.lines() do
  local job = {}
  for key, text in string.gmatch(line, "([a-z_]+)=([^|]*)|") do job[key] = value(text) end
  job.comment = string.match(line, "comment:([^|]*)|")
  job.name = string.match(line, "name:([^|]*)|")
  local code
  if job.uid then
    local before = { job_state = job.state, min_nodes = job.had_nodes,
      time_limit = job.had_minutes }
    code = headroom_modify(job, before, partitions, job.uid)
  else
    code = headroom_submit(job, partitions, 0)
  end
  print(table.concat({ code, tostring(job.min_nodes), tostring(job.max_nodes),
    tostring(job.num_tasks), tostring(job.ntasks_per_node), tostring(job.time_limit),
    tostring(job.licenses), tostring(job.admin_comment), said or "" }, "|"))
end
"""


def submitted(folder: Path, lines: list[str]) -> list[list[str]]:
    """What the script makes of jobs, one a line; numbers without Lua 5.3's ``.0``."""
    assert LUA is not None
    (folder / "driver.lua").write_text(DRIVER)
    done = subprocess.run(
        [LUA, "driver.lua", str(folder / "headroom.lua")],
        cwd=folder, input="".join(f"{line}\n" for line in lines), capture_output=True, text=True,
        check=True, timeout=60,
    )  # fmt: skip
    answers = [line.split("|") for line in done.stdout.splitlines()]
    assert len(answers) == len(lines)
    return [[cell.removesuffix(".0") for cell in cells] for cells in answers]


LIMITS = {
    "nil": (PartitionLimits(0, 100),),
    "all": (PartitionLimits(0, 100),),
    "small": (PartitionLimits(2, 7),),
    "tiny": (PartitionLimits(0, 5),),
    "short": (PartitionLimits(0, 100, 7),),
    "small,short": (PartitionLimits(2, 7), PartitionLimits(0, 100, 7)),
    "part": (PartitionLimits(0, 100, most_cpus=12),),
    "part,whole": (PartitionLimits(0, 100, most_cpus=12), PartitionLimits(0, 100, most_cpus=16)),
    "none": (),  # Slurm itself refuses it
}
"""The partitions of the driver; ``nil`` is the default one."""


def job(
    nodes: object = 6,
    minutes: object = 8,
    comment: str = "",
    name: str = "x",
    partition: str = "nil",
    **more: object,
) -> str:
    fields = {"min_nodes": nodes, "max_nodes": nodes, "time_limit": minutes, "num_tasks": NO_VAL,
              "ntasks_per_node": NO_VAL16, "cpus_per_task": NO_VAL16, "het_job_offset": NO_VAL,
              "partition": partition, **more}  # fmt: skip
    return "".join(f"{key}={value}|" for key, value in fields.items()) + (
        f"comment:{comment}|name:{name}|"
    )


@needs_lua
@pytest.mark.parametrize("seed", range(60))
def test_lua_and_python_choose_the_same(seed: int, tmp_path: Path) -> None:
    export = random_export(seed)
    write_slurm_files(export, tmp_path)
    requests = random_requests(export, seed)
    answers = submitted(tmp_path, [
        job(nodes, minutes, comment, name, partition)
        for nodes, minutes, comment, name, partition in requests
    ])  # fmt: skip
    assert {len(cells) for cells in answers} == {9}
    for request, cells in zip(requests, answers, strict=True):
        assert expected(export, *request) == cells[: len(cells) - 1]


def test_the_random_requests_have_every_kind_of_answer() -> None:
    kinds = set()
    for seed in range(60):
        export = random_export(seed)
        for nodes, minutes, comment, name, partition in random_requests(export, seed):
            application = application_of(export, comment, name)
            kinds.add(application)
            if application in export.applications:
                limits = LIMITS[partition]
                decided = decide(export, SlurmRequest(application, nodes, minutes, limits))
                kinds.add(decided.note if isinstance(decided, SlurmChoice) else decided)
    assert kinds >= {*get_args(Refusal), *get_args(Note)}


def random_requests(export: SlurmExport, seed: int) -> list[tuple[int, int, str, str, str]]:
    rng = np.random.default_rng(seed)
    names = [*export.applications, "other", ""]
    words = ["application=", "Application=", "urgent", "\t", " ", ";", ",", "application=x "]

    def text() -> str:
        return "".join(str(rng.choice([*words, *names])) for _ in range(rng.integers(0, 4)))

    return [
        (int(rng.integers(1, export.nodes + 2)), int(rng.integers(1, 100)),
         f"application={rng.choice(names)}" if rng.random() < 0.6 else text(),
         str(rng.choice(names)), str(rng.choice([*LIMITS])))
        for _ in range(100)
    ]  # fmt: skip


def expected(
    export: SlurmExport, nodes: int, minutes: int, comment: str, name: str, partition: str
) -> list[str]:
    """The cells that the driver prints, by Python's decision."""
    application = application_of(export, comment, name)
    unchanged = ["-1", *map(str, (nodes, nodes, NO_VAL, NO_VAL16, minutes)), "nil", "nil"]
    if application not in export.applications:
        return unchanged
    choice = decide(export, SlurmRequest(application, nodes, minutes, LIMITS[partition]))
    if not isinstance(choice, SlurmChoice):
        return unchanged
    row = choice.configuration
    ranks = row.nodes * row.cores_per_node
    counts = (row.nodes, row.nodes, ranks, row.cores_per_node, choice.minutes)
    record = (
        f"headroom:application={application},requested_nodes={nodes},requested_minutes={minutes},"
        f"nodes={row.nodes},cores_per_node={row.cores_per_node},"
        f"package_cap_w={row.package_cap_w:g},note={choice.note}"
    )
    return ["0", *map(str, counts), f"watt:{choice.charge_w}", record]


@needs_lua
def test_a_request_that_cannot_be_configured_is_refused_with_a_remedy(tmp_path: Path) -> None:
    write_slurm_files(table_5_2(), tmp_path)
    named = {"comment": "application=sp"}
    cases = {
        "request one number of nodes": [job(NO_VAL, **named), job(max_nodes=8, **named)],
        "give a time limit": [job(minutes=NO_VAL, **named), job(minutes=2**32 - 1, **named)],
        "leave out --ntasks": [
            job(num_tasks=96, **named), job(ntasks_per_node=8, **named),
            job(cpus_per_task=2, **named),
        ],
        "submit its parts as jobs": [job(het_job_offset=0, **named)],
        "request fewer nodes": [job(16, **named)],
        "write --comment=application=NAME with": [job(comment="application=SP")],
        "write --comment=application=NAME": [job()],
        "request more nodes": [job(5, **named)],
        "choose another partition (-p)": [
            job(partition="tiny", **named), job(partition="short", **named),
            job(partition="part", **named),
        ],
        "leave out --gpus": [
            job(tres_per_node="gres:gpu:2", **named), job(tres_per_job="gres:gpu:a100:1", **named),
            job(tres_per_task="gres/gpu:1", **named), job(tres_per_socket="gpu", **named),
            job(tres_per_node="gres:nic:1,gres:shard:4", **named),
        ],
    }  # fmt: skip
    for remedy, lines in cases.items():
        for cells in submitted(tmp_path, lines):
            assert cells[0] == "-1"
            assert remedy in cells[-1]
    whole = [job(partition=names, **named) for names in ("whole", "part,whole")]
    assert [cells[0] for cells in submitted(tmp_path, whole)] == ["0", "0"]
    for fine in ("gres:nic:1", "gres:gpu:0", "nil"):
        ((code, *_),) = submitted(tmp_path, [job(tres_per_node=fine, **named)])
        assert code == "0"


@needs_lua
@pytest.mark.parametrize(
    ("requested", "charged"),
    [
        ("nil", "watt:784"),
        ("watt:1", "watt:784"),
        ("matlab:2,watt:0", "watt:784,matlab:2"),
        (" watt:5;wattage:3,watt@db:7,watt*2", "watt:784,wattage:3"),
    ],
)
def test_users_cannot_set_their_own_charge(requested: str, charged: str, tmp_path: Path) -> None:
    write_slurm_files(table_5_2(), tmp_path)
    ((code, *_, licences, _, _),) = submitted(
        tmp_path, [job(comment="application=sp", licenses=requested)]
    )
    assert (code, licences) == ("0", charged)


@needs_lua
def test_only_root_and_the_agent_change_configurations_and_only_of_pending_jobs(
    tmp_path: Path,
) -> None:
    write_slurm_files(replace(table_5_2(), agent_uid=64030), tmp_path)
    untouched = {"min_nodes": NO_VAL, "max_nodes": NO_VAL, "num_tasks": NO_VAL,
                 "ntasks_per_node": NO_VAL16, "cpus_per_task": NO_VAL16, "min_cpus": NO_VAL,
                 "max_cpus": NO_VAL, "shared": NO_VAL16}  # fmt: skip

    def code(uid: int, state: int = 0, **change: object) -> str:
        fields = {**untouched, **change, "uid": uid, "state": state}
        line = "".join(f"{key}={value}|" for key, value in fields.items())
        return submitted(tmp_path, [line])[0][0]

    denied, running, requeued = "2002", 1, 1024
    assert code(1000, time_limit=3) == "0"
    assert code(1000, running, time_limit=3) == "0"
    for change in ({"licenses": "watt:1"}, {"min_nodes": 2}, {"max_nodes": 2}, {"num_tasks": 9},
                   {"ntasks_per_node": 2}, {"cpus_per_task": 2}, {"shared": 1},
                   {"min_cpus": 4}, {"admin_comment": "headroom"},
                   {"tres_per_node": "gres:gpu:1"}):  # fmt: skip
        assert code(1000, **change) == denied
        assert code(0, **change) == code(64030, requeued, **change) == "0"
        assert code(0, running, **change) == code(64030, running, **change) == denied


@needs_lua
def test_a_waiting_job_is_not_moved_to_a_partition_that_never_starts_it(tmp_path: Path) -> None:
    write_slurm_files(table_5_2(), tmp_path)

    def code(partition: str, uid: int = 1000) -> str:
        request = f"partition={partition}|min_nodes={NO_VAL}|max_nodes={NO_VAL}|"
        request += f"num_tasks={NO_VAL}|min_cpus={NO_VAL}|max_cpus={NO_VAL}|"
        request += f"ntasks_per_node={NO_VAL16}|cpus_per_task={NO_VAL16}|shared={NO_VAL16}|"
        had = f"time_limit={NO_VAL}|uid={uid}|state=0|had_nodes=8|had_minutes=8|"
        return submitted(tmp_path, [request + had])[0][0]

    assert [code("all"), code("small"), code("short"), code("small,all")] == ["0", "-1", "-1", "0"]
    assert [code("part"), code("whole"), code("part,whole")] == ["-1", "0", "0"]
    assert code("small", uid=0) == "0"


SITE = """local seen = 0
function slurm_job_submit(job, partitions, user)
  seen = seen + 1
  if job.name == "forbidden" then return -7 end
@submit@
  return slurm.SUCCESS
end
function slurm_job_modify(job, before_change, partitions, user)
@modify@
  return slurm.SUCCESS
end
print(slurm_job_submit({ name = "forbidden" }, {}, 0), slurm_job_submit({}, {}, 0), seen)
local unchanged = { licenses = "watt:1" }
print(slurm_job_modify({}, {}, {}, 9), slurm_job_modify(unchanged, { job_state = 0 }, {}, 9))
"""


@needs_lua
def test_five_lines_of_the_readme_call_the_script_from_a_sites_own(tmp_path: Path) -> None:
    """The site's script refuses a name; then Headroom refuses what has no nodes, and a change."""
    assert LUA is not None
    write_slurm_files(table_5_2(), tmp_path)
    assert not (tmp_path / "job_submit.lua").exists()
    readme = (tmp_path / "README.md").read_text().replace("/etc/slurm/", f"{tmp_path}/")
    call = re.findall(r"^ +(dofile.*|local (?:charged|allowed) .*|if (?:charged|allowed) .*)$",
                      readme, re.MULTILINE)  # fmt: skip
    assert len(call) == 5
    site = SITE.replace("@submit@", "\n".join(call[1:3])).replace("@modify@", "\n".join(call[3:]))
    slurm = DRIVER.partition("dofile")[0]
    (tmp_path / "site.lua").write_text(f"{slurm}\n{call[0]}\n{site}")
    done = subprocess.run(
        [LUA, "site.lua"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["-7", "-1", "2", "0", "2002"]


def test_no_name_of_an_export_is_in_the_script() -> None:
    scripts = {slurm_files(random_export(seed))["headroom.lua"] for seed in range(5)}
    assert len(scripts) == 1
    assert "sp-mz.C" not in scripts.pop()


@pytest.mark.parametrize("seed", range(8))
def test_the_data_files_read_back_as_they_were(seed: int, tmp_path: Path) -> None:
    export = random_export(seed)
    write_slurm_files(export, tmp_path)
    again = read_export(tmp_path)
    assert again.licences == export.licences
    assert again.applications == export.applications
    assert {**vars(again), "bound_w": 0} == {**vars(export), "bound_w": 0}


@needs_lua
def test_of_equally_cheap_configurations_the_faster_one_is_raised(tmp_path: Path) -> None:
    slow = Configuration(2, 8, 80.0, 200.0, 300.0)
    rows = [slow, replace(slow, nodes=3, time_s=100.0)]
    export = SlurmExport("c", 4, 16, 400.0, {"sp": rows}, fallback="cheapest")
    write_slurm_files(export, tmp_path)
    ((code, nodes, *_),) = submitted(tmp_path, [job(1, comment="application=sp")])
    assert (code, nodes) == ("0", "3")
    assert decide(export, SlurmRequest("sp", 1, 8)) == SlurmChoice(rows[1], 8, "raised")

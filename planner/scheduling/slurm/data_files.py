"""The two data files that script and agent read: settings, and the job details table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from planner.configurations.table import Configuration
from planner.errors import InputError
from planner.scheduling.slurm.export import Fallback, Rule, SlurmExport
from scenarios.files import read_text

SETTINGS = "headroom_settings.csv"
JOB_DETAILS = "headroom_jobs.csv"
COLUMNS = "id,application,nodes,cores,pkg_cap,exec_time,tot_pkg"
"""RMAP's job details table (section 5.3): caps and power in watts, times in seconds."""

_LARGEST_BYTES = 64 << 20


def settings_csv(export: SlurmExport) -> str:
    """Return what differs between sites, but for tables: one ``setting,value`` a line."""
    values: dict[str, object] = {
        "cluster": export.cluster,
        "nodes": export.nodes,
        "cores_per_node": export.cores_per_node,
        "bound_w": export.licences,
        "rule": export.rule,
        "fallback": export.fallback,
        "default_application": export.default_application or "",
        "full_cap_w": number(export.full_cap_w),
        "threshold": number(export.threshold),
        "agent_uid": export.agent_uid,
        "backfill_interval_s": export.backfill_interval_s,
    }
    return "setting,value\n" + "".join(f"{name},{value}\n" for name, value in values.items())


def job_details_csv(export: SlurmExport) -> str:
    """Return the configurations of all applications as text of the columns :data:`COLUMNS`."""
    rows = [(name, row) for name, rows in export.applications.items() for row in rows]
    return f"{COLUMNS}\n" + "".join(
        f"{index},{name},{row.nodes},{row.cores_per_node},{number(row.package_cap_w)},"
        f"{number(row.time_s)},{number(row.power_w)}\n"
        for index, (name, row) in enumerate(rows, 1)
    )


def number(value: float) -> str:
    """Return the shortest decimal text that reads back as the same number, in Python and in Lua."""
    return repr(float(value)).removesuffix(".0")


def read_export(folder: Path) -> SlurmExport:
    """Return what the two files of a folder say.

    Raises
    ------
    InputError
        A line that is none of ours; the message names file and line.
    scenarios.ScenarioError
        A file that cannot be read.
    """
    settings = dict(cells for _, cells in _lines(folder / SETTINGS, 2))
    try:
        return _export(settings, _applications(folder / JOB_DETAILS))
    except (KeyError, ValueError) as error:
        message = f"{error} is missing or not a number; export the files again"
        raise InputError(f"{folder / SETTINGS}: {message}") from error


def _export(settings: dict[str, str], applications: dict[str, list[Configuration]]) -> SlurmExport:
    return SlurmExport(
        cluster=settings["cluster"],
        nodes=int(settings["nodes"]),
        cores_per_node=int(settings["cores_per_node"]),
        bound_w=int(settings["bound_w"]),
        applications=applications,
        rule=cast("Rule", settings["rule"]),
        fallback=cast("Fallback", settings["fallback"]),
        default_application=settings["default_application"] or None,
        threshold=float(settings["threshold"]),
        agent_uid=int(settings["agent_uid"]),
        backfill_interval_s=int(settings["backfill_interval_s"]),
    )


def _applications(path: Path) -> dict[str, list[Configuration]]:
    tables: dict[str, list[Configuration]] = {}
    for line, cells in _lines(path, COLUMNS.count(",") + 1):
        try:
            tables.setdefault(cells[1], []).append(_configuration(cells))
        except ValueError as error:
            raise InputError(f"{path}:{line}: {error}; export the files again") from error
    return tables


def _configuration(cells: tuple[str, ...]) -> Configuration:
    cap_w, time_s, power_w = map(float, cells[4:])
    return Configuration(int(cells[2]), int(cells[3]), cap_w, time_s, power_w)


def _lines(path: Path, columns: int) -> list[tuple[int, Any]]:
    text = read_text(
        path, str(path), _LARGEST_BYTES, "export the files again", line_feeds=True
    ).text
    lines = [(number, tuple(line.split(","))) for number, line in enumerate(text.splitlines(), 1)]
    for line, cells in lines:
        if len(cells) != columns:
            problem = f"the line has {len(cells)} cells instead of {columns}"
            raise InputError(f"{path}:{line}: {problem}; export the files again")
    return lines[1:]

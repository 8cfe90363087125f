"""Kinds of input of ``headroom price``, and the options of each kind."""

from __future__ import annotations

from pathlib import Path

import click

from planner.cli.idle_options import refuse_idle

_SCENARIO = "a scenario"
_LOG = "a job log"
_REPLAY = "--replay"
_LIVE = "--live-job"
_SIMULATED = frozenset((_SCENARIO, _LOG))
_OF = {
    "--jobs-per-node": frozenset((_SCENARIO,)),
    "--shutter-time": frozenset((_SCENARIO, _LIVE)),
    "--shutter-gap": frozenset((_SCENARIO, _LIVE)),
    "--column": frozenset((_LOG,)),
    "--day": frozenset((_LOG,)),
    "--nodes": frozenset((_LOG,)),
    "--node-cores": frozenset((_LOG,)),
    "--cores-per-node": frozenset((_LOG,)),
    "--live-time": frozenset((_LIVE,)),
    "--rate": frozenset((_LIVE,)),
    "--head": frozenset((_REPLAY,)),
    "--seeds": _SIMULATED,
    "--workers": _SIMULATED,
    "-o": _SIMULATED,
    "--html": _SIMULATED,
}
"""Where each option has an effect; those that are not here have one everywhere."""

_SQLITE = b"SQLite format 3"


def is_scenario(source: str) -> bool:
    """Whether it is the name of a bundled scenario, a TOML file, or neither and so no log."""
    return source.lower().endswith(".toml") or not Path(source).exists()


def refuse_idle_options(source: str, *, replay: bool, live: bool, given: frozenset[str]) -> None:
    """Refuse options without effect, and a pricing log without ``--replay`` or ``--live-job``.

    Raises
    ------
    click.UsageError
        An option would be ignored, or the file is of another kind.
    """
    kind = _REPLAY if replay else _LIVE if live else _SCENARIO if is_scenario(source) else _LOG
    if kind == _LOG and _is_database(source):
        raise click.UsageError(
            f"{source} is a pricing log, not a job log; add --replay to recompute its prices, or "
            "--live-job to measure jobs"
        )
    refuse_idle(given, kind, _OF)


def _is_database(source: str) -> bool:
    path = Path(source)
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return stream.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False

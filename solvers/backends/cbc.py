"""CBC, the binary that PuLP carries. Only the worker process imports this module.

The model goes over as MPS and comes back through CBC's binary solution file, which keeps all
digits (the text file keeps eight). PuLP's ``COIN_CMD`` names the binary but does not run it:
it would rebuild the model as Python objects, reads the rounded file, and cannot be stopped.
"""

from __future__ import annotations

import os
import re
import signal
import struct
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from solvers.backends.private_folder import own_path, private_folder
from solvers.backends.protocol import Claim, Limits
from solvers.model.milp import Floats, Milp
from solvers.model.mps import mps_text
from solvers.model.result import Status, Stop
from solvers.portable import ten_to_the

OVERTIME = 1.5
"""CBC overshoots its time limit; it is ended at this multiple (plus a second)."""

_OVERDUE = "CBC overran its time limit and was ended"
_INFINITE = 1e30
_HEADER = struct.Struct("<iid")
_STATUS_LINES = (
    ("Optimal", Status.OPTIMAL, Stop.FINISHED),
    ("Infeasible", Status.INFEASIBLE, Stop.FINISHED),
    ("Integer infeasible", Status.INFEASIBLE, Stop.FINISHED),
    ("Unbounded", Status.UNBOUNDED, Stop.FINISHED),
    ("Stopped on time", Status.UNKNOWN, Stop.TIME),
    ("Stopped on nodes", Status.UNKNOWN, Stop.NODES),
    ("Stopped on iterations", Status.UNKNOWN, Stop.NODES),
)
_RUNNING: set[subprocess.Popen[str]] = set()


def binary() -> str:
    """Path of the bundled CBC binary.

    Raises
    ------
    FileNotFoundError
        PuLP ships none for this machine.
    """
    from pulp.apis.coin_api import COIN_CMD, pulp_cbc_path

    path: str = os.path.realpath(pulp_cbc_path)
    command = COIN_CMD(path=path, msg=False)
    if not command.available():
        raise FileNotFoundError(f"PuLP ships no CBC binary here ({path}); use the HiGHS back end")
    return path


def stop_all() -> None:
    """End every running CBC at once (called when the worker's parent is gone)."""
    for process in list(_RUNNING):
        process.kill()


def solve(model: Milp, limits: Limits, start: Floats | None) -> Claim:
    """Serve as CBC's :class:`~solvers.backends.protocol.Backend`: always with ``preprocess off``.

    CBC does not receive the start. With one, CBC 2.10.3 calls points optimal that are not, even if
    the start is feasible (``tests/solvers/test_regressions.py``). The caller keeps the start.
    """
    del start
    if model.columns == 0:
        return Claim(Status.UNKNOWN, Stop.ERROR, "CBC", message="a model without columns")
    options = _options(limits)
    folder = own_path()
    with private_folder(folder) as lock:
        (folder / "model.mps").write_text(mps_text(model), encoding="ascii")
        arguments = [binary(), "model.mps", *(str(o) for pair in options.items() for o in pair)]
        arguments += ["solve", "saveSolution", "solution.bin", "solution", "solution.txt"]
        began = time.monotonic()
        log, ended = _run(arguments, folder, limits.time_limit_s, lock)
        if ended:
            stop = Stop.TIME if ended == _OVERDUE else Stop.ERROR
            return Claim(Status.UNKNOWN, stop, "CBC", options=options, message=ended)
        claim = _read(model, folder, log, options)
    late = limits.time_limit_s is not None and time.monotonic() - began > limits.time_limit_s
    return _without_late_verdict(claim) if late else claim


def _without_late_verdict(claim: Claim) -> Claim:
    """Take back "infeasible" and "unbounded" past the limit: CBC then says them for "stopped"."""
    if claim.status not in (Status.INFEASIBLE, Status.UNBOUNDED):
        return claim
    return replace(claim, status=Status.UNKNOWN, stop=Stop.TIME, bound=None)


def _options(limits: Limits) -> dict[str, str | int | float | bool]:
    options: dict[str, str | int | float | bool] = {
        "preprocess": "off",
        "ratio": limits.gap,
        # No absolute gap, which would end the search too early where the objective is small.
        "allow": 0,
        "threads": 0,
        "randomSeed": limits.seed + 1,  # CBC reads 0 as "take the time of day"
        "randomCbcSeed": limits.seed + 1,
        "timeMode": "elapsed",
    }
    if not limits.presolve:
        options["presolve"] = "off"
    if limits.time_limit_s is not None:
        options["sec"] = limits.time_limit_s
    if limits.node_limit is not None:
        options["maxNodes"] = limits.node_limit
    return options


def _run(
    arguments: list[str], folder: Path, time_limit_s: float | None, *locks: int
) -> tuple[str, str]:
    """CBC's log, and why it ended if that was not by itself.

    CBC inherits the locks on its folder, so that nobody removes the folder of one left alone.
    """
    process = subprocess.Popen(
        arguments,
        cwd=folder,
        pass_fds=locks,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    _RUNNING.add(process)
    outer = None if time_limit_s is None else OVERTIME * time_limit_s + 1.0
    try:
        log = process.communicate(timeout=outer)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()[0], _OVERDUE
    finally:
        process.kill()
        _RUNNING.discard(process)
    if process.returncode == 0:
        return log, ""
    if process.returncode == -signal.SIGXCPU:
        return log, _OVERDUE
    kind = "signal" if process.returncode < 0 else "code"
    return log, f"CBC ended with {kind} {abs(process.returncode)}"


def _read(
    model: Milp,
    folder: Path,
    log: str,
    options: dict[str, str | int | float | bool],
) -> Claim:
    version = re.search(r"^Version: (\S+)", log, re.MULTILINE)
    solver = f"CBC {version[1]}" if version else "CBC"
    text = folder / "solution.txt"
    line = text.read_text(errors="replace").partition("\n")[0] if text.exists() else ""
    status, stop = Status.UNKNOWN, Stop.ERROR
    for word, known_status, known_stop in _STATUS_LINES:
        if line.startswith(word):
            status, stop = known_status, known_stop
    x = None
    if line and status in (Status.OPTIMAL, Status.UNKNOWN) and "no integer solution" not in line:
        x = _point(folder / "solution.bin", model.columns)
        if status is Status.UNKNOWN and x is not None:
            status = Status.FEASIBLE
    bound = None if status is Status.INFEASIBLE else _printed_bound(model, log)
    if status is Status.OPTIMAL and x is not None and bound is None:
        bound = model.objective(x)
    nodes = re.findall(r"^Enumerated nodes:\s+(\d+)", log, re.MULTILINE)
    return Claim(
        status, stop, solver, x, bound, int(nodes[-1]) if nodes else 0, options, line.strip()
    )


def _printed_bound(model: Milp, log: str) -> float | None:
    """Return the last bound of the log, moved outwards by half its last digit: CBC rounds."""
    result = re.findall(r"^(?:Lower|Upper) bound:\s+(-?[\d.]+)$", log, re.MULTILINE)
    if not result:
        return None
    printed = float(result[-1])
    if abs(printed) >= _INFINITE:
        return None
    printed -= 0.5 * ten_to_the(-len(result[-1].partition(".")[2]))
    # The file holds the minimised objective without its constant, and so does the log.
    return (printed if model.sense == "min" else -printed) + model.constant


def _point(path: Path, expected: int) -> Floats | None:
    """Column values from CBC's binary file: rows, columns, objective, then four arrays."""
    if not path.exists():
        return None
    data = path.read_bytes()
    if len(data) < _HEADER.size:
        return None
    rows, columns, _ = _HEADER.unpack_from(data)
    begin = _HEADER.size + 16 * rows
    if columns != expected or len(data) < begin + 8 * columns:
        return None
    return np.frombuffer(data, dtype="<f8", count=columns, offset=begin).astype(np.float64)

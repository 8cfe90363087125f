"""Headroom for Python (``import headroom as hr``), and the start of the command ``headroom``.

``hr.plan``, ``hr.configure``, ``hr.share``, ``hr.simulate``, ``hr.size``, ``hr.estimate``,
``hr.schedule``, ``hr.price``, ``hr.place``, ``hr.aggregate`` and ``hr.colocate`` answer what the
commands of these names answer, ``hr.simulate_logs`` what ``headroom simulate --seeds`` does, and
``hr.price_log`` what ``headroom price LOG`` does. ``hr.tangram`` answers what ``headroom colocate``
answers for a bundled system, ``hr.gate`` what it answers with ``--profiles``, and
``hr.colocate_log`` with ``--log``. Each returns a study; ``hr.report`` writes its report, and
``hr.figures`` draws on your axes. ``hr.load`` reads a scenario, ``hr.with_values`` changes some of
its values, and ``hr.sweep`` answers it at many. ``hr.solvers`` is the solver layer.
``hr.formulations`` holds every decision as a short PuLP model. Policies of your own derive from
``hr.EventDriven``, power-aware ones from ``hr.PowerEventDriven``. ``hr.write_slurm_files`` exports
a power bound and configurations to Slurm.

The module lies outside the packages, since the command has to run where a user's file hides one of
them. Another project on PyPI is called headroom too: this one is ``headroom-planner``.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    import solvers
    from planner import formulations
    from planner.answer import Answer
    from planner.api import (
        aggregate,
        colocate,
        compare,
        configure,
        estimate,
        place,
        plan,
        share,
        simulate,
        simulate_logs,
        size,
    )
    from planner.differences.study import compare_runs
    from planner.pricing.price import price
    from planner.scheduling.policies.event_driven import EventDriven
    from planner.scheduling.power.events.event_driven import Choice, PowerEventDriven
    from planner.scheduling.power.schedule import schedule
    from planner.scheduling.slurm.export import SlurmExport
    from planner.scheduling.slurm.files import slurm_files, write_slurm_files
    from planner.sharing_nodes.gate.own import gate
    from planner.sharing_nodes.queue_bills.price_log import price_log
    from planner.sharing_nodes.queue_gains.colocate_log import colocate_log
    from planner.sharing_nodes.tangram.evaluate import tangram
    from planner.sweep import sweep
    from reports.publish import Written
    from reports.style import Picture
    from scenarios.catalogue import load
    from scenarios.reading.replaced import with_values

__all__ = [
    "Choice",
    "EventDriven",
    "PowerEventDriven",
    "SlurmExport",
    "aggregate",
    "colocate",
    "colocate_log",
    "compare",
    "compare_runs",
    "configure",
    "estimate",
    "figures",
    "formulations",
    "gate",
    "load",
    "place",
    "plan",
    "price",
    "price_log",
    "report",
    "schedule",
    "share",
    "simulate",
    "simulate_logs",
    "size",
    "slurm_files",
    "solvers",
    "sweep",
    "tangram",
    "with_values",
    "write_slurm_files",
]
_HOMES = {
    "Choice": "planner.scheduling.power.events.event_driven",
    "EventDriven": "planner.scheduling.policies.event_driven",
    "PowerEventDriven": "planner.scheduling.power.events.event_driven",
    "SlurmExport": "planner.scheduling.slurm.export",
    "compare_runs": "planner.differences.study",
    "gate": "planner.sharing_nodes.gate.own",
    "colocate_log": "planner.sharing_nodes.queue_gains.colocate_log",
    "load": "scenarios.catalogue",
    "price": "planner.pricing.price",
    "price_log": "planner.sharing_nodes.queue_bills.price_log",
    "schedule": "planner.scheduling.power.schedule",
    "slurm_files": "planner.scheduling.slurm.files",
    "sweep": "planner.sweep",
    "tangram": "planner.sharing_nodes.tangram.evaluate",
    "with_values": "scenarios.reading.replaced",
    "write_slurm_files": "planner.scheduling.slurm.files",
    **dict.fromkeys(
        (
            "aggregate",
            "colocate",
            "compare",
            "configure",
            "estimate",
            "place",
            "plan",
            "share",
            "simulate",
            "simulate_logs",
            "size",
        ),
        "planner.api",
    ),
}
_PACKAGES = {"formulations": "planner.formulations", "solvers": "solvers"}
_SHADOWING = Path(__file__).resolve().parent / "planner" / "shadowing.py"
_WRONG_INPUT = 2


def __getattr__(name: str) -> Any:
    """Import on first use: the command looks for hidden packages before it needs one."""
    if name in _PACKAGES:
        return importlib.import_module(_PACKAGES[name])
    if name not in _HOMES:
        raise AttributeError(f"module 'headroom' has no attribute {name!r}")
    importlib.import_module("reports.show").show_studies()
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def report(study: Answer, folder: str | os.PathLike[str]) -> Written:
    """Write the report on a study: PDF, figures, workbook and data.

    Parameters
    ----------
    study
        What any other function of this module returned.
    folder
        Made if it is missing. Only files of an earlier report are replaced.

    Raises
    ------
    OSError
        The folder cannot be written, or a file in it has the name of a result and is not ours.
    """
    from reports.folder import write_study

    return write_study(
        study.study, folder, further=study.further_files(), solves=study.solve_times(),
        scenario=study.scenario_paths(),
    )  # fmt: skip


def figures(study: Answer) -> dict[str, Picture]:
    """Return every figure of the report on a study, by the name of its files.

    Parameters
    ----------
    study
        What any other function of this module returned.

    Returns
    -------
    dict
        Pictures. Each has a ``title`` that states the finding, ``alternative`` in words, ``png``
        and ``svg``. ``draw(ax)`` draws it on axes of yours and returns them; ``panels`` says how
        many it needs. Which there are depends on what the study has data for.

    Examples
    --------
    >>> import headroom as hr
    >>> picture = hr.figures(hr.plan("hopper-2010"))["01-cost"]
    >>> picture.panels
    (1, 1)
    """
    from reports.figures import pictures as drawn

    return {picture.name: picture for picture in drawn(study.study)}


def run() -> None:
    """Run the command line, or say which file of the user is in the way and leave with 2."""
    hidden = str(_shadowing().hidden_package())
    if hidden:
        sys.stderr.write(f"headroom: {hidden}\n")
        sys.exit(_WRONG_INPUT)
    from planner.__main__ import run as run_command

    run_command()


def _shadowing() -> ModuleType:
    """``planner.shadowing``, found by its place: the package may be hidden."""
    spec = importlib.util.spec_from_file_location("headroom_shadowing", _SHADOWING)
    if spec is None or spec.loader is None:
        raise ImportError(f"{_SHADOWING} is missing; install Headroom anew")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

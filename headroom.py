"""Headroom for Python (``import headroom as hr``), and the start of the command ``headroom``.

``hr.plan``, ``hr.configure``, ``hr.share``, ``hr.simulate``, ``hr.size``, ``hr.estimate``,
``hr.schedule``, ``hr.price``, ``hr.place``, ``hr.aggregate`` and ``hr.colocate`` answer what the
commands of these names answer, ``hr.simulate_logs`` what ``headroom simulate --seeds`` does, and
``hr.price_log`` what ``headroom price LOG`` does. ``hr.tangram`` answers what ``headroom colocate``
answers for a bundled system, ``hr.gate`` what it answers with ``--profiles``,
``hr.colocate_log`` with ``--log``, and ``hr.award`` what ``headroom plan --award`` answers. Each
returns a study; ``hr.report`` writes its report, and ``hr.figures`` draws on your axes.
``hr.load`` reads a scenario, ``hr.with_values`` changes some of its values, and ``hr.sweep``
answers it at many. ``hr.solvers`` is the solver layer.
``hr.formulations`` holds every decision as a short PuLP model, and ``hr.problems`` and
``hr.procurement`` the data that these take. Policies of your own derive from ``hr.EventDriven``,
power-aware ones from ``hr.PowerEventDriven``. ``hr.write_slurm_files`` exports a power bound and
configurations to Slurm.

``hr.read_job_log``, ``hr.read_measurements`` and ``hr.read_communication`` read files;
``hr.lublin_log`` and ``hr.poisson_log`` make synthetic logs. ``hr.studies`` holds the classes of
the studies. ``hr.job_logs``, ``hr.measurements``, ``hr.communication``, ``hr.simulation``,
``hr.policies``, ``hr.predictors`` and ``hr.pricing_log`` hold what else their pages show.

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
    from planner.award.study import award
    from planner.configurations.table import Configuration
    from planner.differences.study import compare_runs
    from planner.errors import InputError, PlanError
    from planner.pricing.price import price
    from planner.public import (
        communication,
        job_logs,
        measurements,
        policies,
        predictors,
        pricing_log,
        problems,
        procurement,
        simulation,
        studies,
    )
    from planner.scheduling.policies.event_driven import EventDriven, Job, Moment
    from planner.scheduling.power.events.event_driven import Choice, PowerEventDriven
    from planner.scheduling.power.schedule import schedule
    from planner.scheduling.slurm.export import SlurmExport
    from planner.scheduling.slurm.files import slurm_files, write_slurm_files
    from planner.sharing_nodes.gate.own import gate
    from planner.sharing_nodes.queue_bills.price_log import price_log
    from planner.sharing_nodes.queue_gains.colocate_log import colocate_log
    from planner.sharing_nodes.tangram.evaluate import tangram
    from planner.sweeps.sweep import sweep
    from reports.publish import Written
    from reports.style import Picture
    from scenarios.catalogue import load
    from scenarios.communication.reader import read_communication
    from scenarios.faults import ScenarioError
    from scenarios.job_logs.lublin import lublin_log
    from scenarios.job_logs.poisson import poisson_log
    from scenarios.job_logs.reader import read_job_log
    from scenarios.measurements.reader import read_measurements
    from scenarios.model.scenario import Scenario
    from scenarios.reading.replaced import with_values

__all__ = [
    "Choice",
    "Configuration",
    "EventDriven",
    "InputError",
    "Job",
    "Moment",
    "Picture",
    "PlanError",
    "PowerEventDriven",
    "Scenario",
    "ScenarioError",
    "SlurmExport",
    "Written",
    "aggregate",
    "award",
    "colocate",
    "colocate_log",
    "communication",
    "compare",
    "compare_runs",
    "configure",
    "estimate",
    "figures",
    "formulations",
    "gate",
    "job_logs",
    "load",
    "lublin_log",
    "measurements",
    "place",
    "plan",
    "poisson_log",
    "policies",
    "predictors",
    "price",
    "price_log",
    "pricing_log",
    "problems",
    "procurement",
    "read_communication",
    "read_job_log",
    "read_measurements",
    "report",
    "schedule",
    "share",
    "simulate",
    "simulate_logs",
    "simulation",
    "size",
    "slurm_files",
    "solvers",
    "studies",
    "sweep",
    "tangram",
    "with_values",
    "write_slurm_files",
]
_HOMES = {
    "Choice": "planner.scheduling.power.events.event_driven",
    "Configuration": "planner.configurations.table",
    "EventDriven": "planner.scheduling.policies.event_driven",
    "InputError": "planner.errors",
    "Job": "planner.scheduling.policies.event_driven",
    "Moment": "planner.scheduling.policies.event_driven",
    "Picture": "reports.style",
    "PlanError": "planner.errors",
    "PowerEventDriven": "planner.scheduling.power.events.event_driven",
    "Scenario": "scenarios.model.scenario",
    "ScenarioError": "scenarios.faults",
    "SlurmExport": "planner.scheduling.slurm.export",
    "Written": "reports.publish",
    "award": "planner.award.study",
    "compare_runs": "planner.differences.study",
    "gate": "planner.sharing_nodes.gate.own",
    "colocate_log": "planner.sharing_nodes.queue_gains.colocate_log",
    "load": "scenarios.catalogue",
    "lublin_log": "scenarios.job_logs.lublin",
    "poisson_log": "scenarios.job_logs.poisson",
    "price": "planner.pricing.price",
    "price_log": "planner.sharing_nodes.queue_bills.price_log",
    "read_communication": "scenarios.communication.reader",
    "read_job_log": "scenarios.job_logs.reader",
    "read_measurements": "scenarios.measurements.reader",
    "schedule": "planner.scheduling.power.schedule",
    "slurm_files": "planner.scheduling.slurm.files",
    "sweep": "planner.sweeps.sweep",
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
_PACKAGES = {
    "communication": "planner.public.communication",
    "formulations": "planner.formulations",
    "job_logs": "planner.public.job_logs",
    "measurements": "planner.public.measurements",
    "policies": "planner.public.policies",
    "predictors": "planner.public.predictors",
    "pricing_log": "planner.public.pricing_log",
    "problems": "planner.public.problems",
    "procurement": "planner.public.procurement",
    "simulation": "planner.public.simulation",
    "solvers": "solvers",
    "studies": "planner.public.studies",
}
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

    Returns
    -------
    Written
        ``folder``, the names of its ``files``, and ``report``, the path of the PDF.

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

"""Which compiled loops ``headroom simulate`` is about to run, and whether they lie on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from planner.scheduling.simulation.settings import SimulationSettings


def announce_compiling(
    policies: Iterable[Policy], settings: SimulationSettings, *, quiet: bool
) -> None:
    """Say so, where a loop of the policies does not lie compiled on disk."""
    from planner.parts import is_own
    from scenarios.compiled import on_disk

    loops = (loop_of(policy, settings) for policy in policies if not is_own(policy))
    if not (quiet or all(map(on_disk, loops))):
        click.echo("Compiling the simulator (once after installation) ...", err=True)


def loop_of(policy: Policy, settings: SimulationSettings) -> Callable[..., Any]:
    """Return the compiled loop that a policy runs through under these rules."""
    from planner.scheduling.policies.conservative import _conservative
    from planner.scheduling.policies.easy import simulate_easy
    from planner.scheduling.policies.easy_plus_plus import EasyPlusPlus
    from planner.scheduling.policies.fcfs import _fcfs
    from planner.scheduling.policies.lookahead import _look_ahead
    from planner.scheduling.policies.maui_loop import advance
    from planner.scheduling.policies.molding import mold
    from planner.scheduling.policies.predicted import _schedule

    if isinstance(policy, EasyPlusPlus) or (
        policy.name == "easy" and settings.estimates == "tsafrir"
    ):
        return _schedule
    outage = any(not outage.announced for outage in settings.unavailable)
    if outage or (settings.unavailable and policy.name != "conservative"):
        return _look_ahead
    if getattr(policy, "reservations", 1) != 1:
        return _look_ahead
    own: dict[str, Callable[..., Any]] = {
        "fcfs": _fcfs,
        "easy": simulate_easy,
        "conservative": _conservative,
        "maui": advance,
        "moldable": mold,
    }
    return own.get(policy.name, _look_ahead)

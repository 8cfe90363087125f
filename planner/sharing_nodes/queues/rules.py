"""Rules of sharing: which jobs may share a node, and what a job without a partner does.

Rules, as :mod:`planner.sharing_nodes.queues.loop` follows them:

- **whole** (baseline): each job alone on whole nodes with all cores used.
- **half idle** (baseline of POPPA): each job alone on half of twice as many nodes, the other halves
  idle. A job that needs more than half of the cluster runs on whole nodes.
- **share**: a job spreads over half of twice as many nodes, next to jobs that the gate admits. If
  halves next to admitted jobs are too few, ``unpaired`` says what it does. With ``spread`` it opens
  empty nodes too, whose other halves stay idle until a partner comes. With ``wait`` it opens nodes
  only together with a waiting partner that starts on them at once. In both cases a job that cannot
  share now takes whole nodes, or waits for them.
- **pays** (``least_gain``, an option of share): a start on shared nodes must add enough work per
  time, as predicted, over all jobs that it concerns
  (:mod:`planner.sharing_nodes.queues.paying`).
- **floors** (an option of share): no job of a user is predicted to run slower than the user's
  floor.
- **fill** (an option of share): a job may take some halves next to admitted jobs and whole nodes
  for the rest. So halves that a job left are used again by jobs of any size. Such a job runs at the
  speed of its slowest node too.

References
----------
Breslow et al. (2013), sections 7 and 8.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from planner.errors import InputError
from planner.sharing_nodes.queues.speeds import Floats, Integers, Speeds, millionths

Layout = Literal["whole", "half idle", "share"]
Unpaired = Literal["spread", "wait"]
Partner = Literal["first", "best"]

COVER = 0.5
"""Share of the newly opened halves that a partner takes at once, at least: half of them, so that
jobs of neighbouring powers of two may still start together."""


AGE_S = 86_400.0
"""A day: about the longest that users of the logs wait for an ordinary job."""


@dataclass(frozen=True, eq=False)
class SharingGate:
    """Which applications may share a node, by the scheduler's predictions; read-only arrays.

    Attributes
    ----------
    level
        ``level[a, b]`` is 0 if ``a`` may not run next to ``b``. Otherwise it is the order in which
        a job of ``a`` looks for partners, 1 first. The zeros are symmetric. Shape
        ``(applications, applications)``.
    stretch
        Worst admitted slowdown of each application relative to whole nodes, at least 1. It
        multiplies the requested times of jobs that share. Shape ``(applications,)``.
    relative, idle
        Predicted speeds relative to whole nodes: ``relative[a, b]`` of ``a`` next to ``b``, and
        ``idle`` next to an idle half. By default 1.
    lowest
        ``relative`` minus its possible error; floors are compared with it. By default ``relative``.
    margin
        Share that each stretch includes for errors.

    Raises
    ------
    InputError
        A shape does not match, a pair is admitted in one direction only, or a stretch is below 1.
    """

    level: Integers
    stretch: Floats
    relative: Floats = field(default_factory=lambda: np.empty(0))
    idle: Floats = field(default_factory=lambda: np.empty(0))
    lowest: Floats = field(default_factory=lambda: np.empty(0))
    margin: float = 0.0

    def __post_init__(self) -> None:
        level = np.array(self.level, dtype=np.int64)
        stretch = np.array(self.stretch, dtype=np.float64)
        relative = np.array(self.relative if self.relative.size else np.ones(level.shape))
        idle = np.array(self.idle if self.idle.size else np.ones(len(stretch)))
        lowest = np.array(self.lowest if self.lowest.size else relative)
        if level.ndim != 2 or level.shape != (len(stretch),) * 2:
            raise InputError(
                f"the gate has {level.shape} levels for {len(stretch)} applications; give a square "
                "matrix with a row for each"
            )
        one_sided = np.argwhere((level > 0) != (level.T > 0))
        if len(one_sided):
            first, second = one_sided[0].tolist()
            raise InputError(
                f"the gate admits application {first} next to {second} but not the reverse; admit "
                "both or neither"
            )
        if (level < 0).any() or not (np.isfinite(stretch) & (stretch >= 1)).all():
            raise InputError(
                "the gate has a level below 0 or a stretch below 1; give levels from 0 on and "
                "stretches such as 1.2"
            )
        arrays = (level, stretch, relative, idle, lowest)
        for name, array in zip(
            ("level", "stretch", "relative", "idle", "lowest"), arrays, strict=True
        ):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @property
    def admitted(self) -> NDArray[np.bool_]:
        """Which pairs may share a node."""
        pairs: NDArray[np.bool_] = self.level > 0
        return pairs


def gate_of(
    predicted: Speeds,
    admitted: ArrayLike,
    *,
    partner: Partner = "first",
    margin: float = 0.0,
    error: ArrayLike = 0.0,
) -> SharingGate:
    """Return a gate from a boolean matrix of admitted pairs.

    Parameters
    ----------
    predicted
        Speeds as measured or predicted; the problem has the true ones.
    admitted
        Shape ``(applications, applications)``, symmetric.
    partner
        ``first``: the first partner that fits; ``best``: partners in order of the pair's gain.
    margin
        Share that is added to each stretch, for errors of the predicted speeds.
    error
        Possible error of the predicted ``pair``, such as a multiple of its standard error. Floors
        are compared with the speed minus this error.

    Notes
    -----
    The stretch of ``a`` is ``(1 + margin) full[a] / min(half[a], min_b pair[a, b])`` over the
    admitted ``b``, and at least 1. With any partners, the job ends by its requested time times its
    stretch, if its requested time and the predicted speeds are correct.
    """
    allowed = np.asarray(admitted, dtype=np.bool_)
    if allowed.shape != predicted.pair.shape:
        raise InputError(
            f"the matrix of admitted pairs has the shape {allowed.shape}, where "
            f"{len(predicted)} applications need {predicted.pair.shape}"
        )
    pair, half, full = map(millionths, (predicted.pair, predicted.half, predicted.full))
    worst = np.minimum(np.where(allowed, pair, half[:, None]).min(axis=1), half)
    stretch = np.maximum(full / worst * (1 + margin), 1.0)
    level = allowed.astype(np.int64)
    if partner == "best":
        level = np.where(allowed, _ranks(gain(predicted)), 0)
    lowest = np.maximum(predicted.pair - np.asarray(error), 0.0) / predicted.full[:, None]
    relative, idle = predicted.pair / predicted.full[:, None], predicted.half / predicted.full
    return SharingGate(level, stretch, relative, idle, lowest, margin)


def gain(predicted: Speeds) -> Floats:
    """Return the work of a pair on a node over that of its jobs in turn on whole nodes, less 1.

    Each of the two jobs holds half a node: ``(pair[a, b] / full[a] + pair[b, a] / full[b]) / 2 -
    1``. Two whole-node jobs that get 10 % more work done per node-hour together have a gain of 0.1.
    """
    relative = predicted.pair / predicted.full[:, None]
    gains: Floats = (relative + relative.T) / 2 - 1
    return gains


def admitted_by_gain(
    predicted: Speeds, *, least_gain: float = 0.0, least_speed: float = 0.0
) -> NDArray[np.bool_]:
    """Flag pairs whose predicted gain is above a least value, and where neither job is too slow.

    Parameters
    ----------
    least_speed
        Floor of each job's speed over that on whole nodes.
    """
    relative = predicted.pair / predicted.full[:, None]
    slowest = np.minimum(relative, relative.T)
    allowed: NDArray[np.bool_] = (gain(predicted) > least_gain) & (slowest >= least_speed)
    return allowed


def _ranks(gains: Floats) -> Integers:
    """Order of the partners of each application by gain, from 1; equal gains in table order."""
    order = np.argsort(-gains, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, len(gains) + 1)[None, :], axis=1)
    return ranks.astype(np.int64)


@dataclass(frozen=True, eq=False)
class SharingRule:
    """How jobs are laid out.

    Attributes
    ----------
    name
        In tables.
    layout
        ``whole``, ``half idle`` or ``share``.
    gate
        Gate of the layout ``share``.
    unpaired
        What a job does that finds too few halves next to admitted jobs.
    cover
        With ``wait``: share of the newly opened halves that the partner takes, at least.
    fill
        Whether a job may have halves of some nodes and all of others.
    least_gain
        Work per time that a start must add on each node that two jobs then share, in nodes;
        ``None`` to start whenever the gate admits it.
    floors
        Least predicted speed of a user's jobs over that on whole nodes, by code of the user.
    floor
        That of all other users.
    horizon
        Jobs at the head of the queue among which a rolling matching chooses who opens nodes
        together (:mod:`planner.sharing_nodes.queues.rolling`); 0 for a search in order of the
        queue.
    age_s
        Wait by which a job's weight in the matching has doubled [s].
    """

    name: str
    layout: Layout = "whole"
    gate: SharingGate | None = None
    unpaired: Unpaired = "spread"
    cover: float = COVER
    fill: bool = False
    least_gain: float | None = None
    floors: Mapping[int, float] = field(default_factory=dict)
    floor: float = 0.0
    horizon: int = 0
    age_s: float = AGE_S

    def __post_init__(self) -> None:
        if self.layout == "share" and self.gate is None:
            raise InputError(f"{self.name} shares nodes and has no gate; give the admitted pairs")
        if self.layout not in ("whole", "half idle", "share"):
            raise InputError(f"layout = {self.layout!r} is unknown; give whole, half idle or share")
        if self.unpaired not in ("spread", "wait"):
            raise InputError(f"unpaired = {self.unpaired!r} is unknown; give spread or wait")
        if not 0 <= self.cover <= 1:
            raise InputError(f"cover = {self.cover:g} is not a share; give 0 to 1")
        if self.horizon and (self.layout != "share" or self.unpaired != "wait"):
            raise InputError(f"{self.name} opens no nodes in pairs; give unpaired = 'wait'")
        if self.horizon < 0 or not self.age_s > 0:
            raise InputError(
                "a horizon is below 0, or an age is not above 0; give 64 and 86_400 (a day)"
            )
        for floor in (self.floor, *self.floors.values()):
            if not 0 <= floor <= 1:
                raise InputError(
                    f"a floor of {floor:g} is not a relative speed; give 0 to 1, such as 0.9 for "
                    "90 % of the speed on whole nodes"
                )

    def floor_of(self, user: Integers) -> Floats:
        """Return the floor of each of some users by their codes."""
        floors = np.full(len(user), self.floor)
        for code, floor in self.floors.items():
            floors[user == code] = floor
        return floors


WHOLE = SharingRule("whole nodes")
"""The baseline: each job alone on whole nodes with all cores used."""

HALF_IDLE = SharingRule("half idle", "half idle")
"""The baseline of POPPA: each job alone on twice the nodes, half of each idle."""


def sharing(
    gate: SharingGate,
    unpaired: Unpaired = "spread",
    *,
    name: str = "",
    cover: float = COVER,
    fill: bool = False,
    least_gain: float | None = None,
    floors: Mapping[int, float] | None = None,
    floor: float = 0.0,
    horizon: int = 0,
    age_s: float = AGE_S,
) -> SharingRule:
    """Return the rule under which jobs share nodes within a gate."""
    name = name or f"share, {unpaired}{', fill' if fill else ''}"
    return SharingRule(
        name,
        "share",
        gate,
        unpaired,
        cover,
        fill,
        least_gain,
        floors or {},
        floor,
        horizon,
        age_s,
    )

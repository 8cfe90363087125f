"""A mixture of lines that meet in one point, compiled: expectation and maximisation.

A window with the waiting share ``w`` lies on the line of its phase ``g``, ``(1 - w) u_g + w q``,
with normal noise of that phase. A step takes the probability of each line for each window, and then
the weighted least squares for all ``u_g`` and their common ``q``. All sums run in one order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.pricing.elementary import exp_to_1, log_above_0
from planner.pricing.samples import Floats
from solvers.compiled import compiled, compiled_entry

LEAST_NOISE = 1e-3
_CLOSE = 1e-7
_LARGE = 1e100


class Lines(NamedTuple):
    """A mixture of lines.

    Attributes
    ----------
    ipc, noise, share
        IPC of each line at no waiting, its noise, and its share of the windows, ``(lines,)``.
    common
        The polling IPC, in which all lines meet, and the logarithm of the likelihood, ``(2,)``.
    """

    ipc: Floats
    noise: Floats
    share: Floats
    common: Floats


class Room(NamedTuple):
    """Room for a step.

    Attributes
    ----------
    weight
        Probability of each line for each window, ``(lines, windows)``.
    most, total
        Largest logarithm of the density of each window, and what it is divided by, ``(windows,)``.
    slope
        Waiting per computing of each line, ``(lines,)``.
    """

    weight: Floats
    most: Floats
    total: Floats
    slope: Floats


def improved(ipc: Floats, share: Floats, lines: Lines, steps: int, enough: float) -> Lines:
    """Lines after some steps, fewer if one gains less than ``enough`` of logarithmic likelihood.

    Parameters
    ----------
    ipc, share
        IPC and waiting share of each window, ``(windows,)``.
    """
    result, windows = Lines(*(np.array(each) for each in lines)), len(ipc)
    count = len(lines.ipc)
    room = Room(np.empty((count, windows)), np.empty(windows), np.empty(windows), np.empty(count))
    improve(np.ascontiguousarray(ipc), np.ascontiguousarray(share), result, room, steps, enough)
    return result


@compiled_entry
def improve(
    ipc: Floats, share: Floats, lines: Lines, room: Room, steps: int, enough: float
) -> None:
    """As :func:`improved`, in place."""
    lines.common[1] = -np.inf
    for _ in range(steps):
        likelihood = _expect(ipc, share, lines, room)
        if likelihood - lines.common[1] < enough:
            break
        lines.common[1] = likelihood
        _maximise(ipc, share, lines, room)


@compiled
def _expect(ipc: Floats, share: Floats, lines: Lines, room: Room) -> float:
    """Fill in the probabilities; the logarithm of the likelihood."""
    weight, most, total = room.weight, room.most, room.total
    most[:], total[:] = -np.inf, 0.0
    for k in range(len(lines.ipc)):
        level, polling, noise = lines.ipc[k], lines.common[0], lines.noise[k]
        log = log_above_0(lines.share[k] / noise)
        for i in range(len(ipc)):
            off = (ipc[i] - (1.0 - share[i]) * level - share[i] * polling) / noise
            weight[k, i] = log - 0.5 * (off * off)
            most[i] = max(most[i], weight[k, i])
    for k in range(len(lines.ipc)):
        for i in range(len(ipc)):
            weight[k, i] = exp_to_1(weight[k, i] - most[i])
            total[i] += weight[k, i]
    for k in range(len(lines.ipc)):
        for i in range(len(ipc)):
            weight[k, i] /= total[i]
    likelihood, product = 0.0, 1.0
    for i in range(len(ipc)):
        likelihood += most[i]
        product *= total[i]
        if product > _LARGE:
            likelihood += log_above_0(product)
            product = 1.0
    return likelihood + log_above_0(product)


@compiled
def _maximise(ipc: Floats, share: Floats, lines: Lines, room: Room) -> None:
    """Weighted least squares for all lines and their common point at once.

    The equation of a line holds its own IPC and ``q`` alone. Taken off the equation of ``q``, it
    leaves what waiting and IPC have beyond that line: both are added up as such, to keep digits.
    """
    weight, slope = room.weight, room.slope
    left, right = _CLOSE, 0.0
    for k in range(len(lines.ipc)):
        variance = lines.noise[k] * lines.noise[k]
        ridge = _CLOSE * variance
        own, cross, seen = ridge, 0.0, 0.0
        for i in range(len(ipc)):
            computing = (1.0 - share[i]) * weight[k, i]
            own += computing * (1.0 - share[i])
            cross += computing * share[i]
            seen += computing * ipc[i]
        lines.ipc[k], slope[k] = seen / own, cross / own
        square, product = ridge * slope[k] * slope[k], ridge * slope[k] * lines.ipc[k]
        for i in range(len(ipc)):
            waiting = share[i] - slope[k] * (1.0 - share[i])
            square += weight[k, i] * waiting * waiting
            product += weight[k, i] * waiting * (ipc[i] - lines.ipc[k] * (1.0 - share[i]))
        left += square / variance
        right += product / variance
    lines.common[0] = right / left
    whole = 0.0
    for k in range(len(lines.ipc)):
        lines.ipc[k] -= slope[k] * lines.common[0]
        size, square = _CLOSE, 0.0
        for i in range(len(ipc)):
            off = ipc[i] - (1.0 - share[i]) * lines.ipc[k] - share[i] * lines.common[0]
            size += weight[k, i]
            square += weight[k, i] * (off * off)
        lines.noise[k] = max(np.sqrt(square / size), LEAST_NOISE)
        lines.share[k] = size
        whole += size
    for k in range(len(lines.ipc)):
        lines.share[k] /= whole

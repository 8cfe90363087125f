"""How a power regime lets nodes run: what is installed, and what a running node adds.

A *slot* is what one can install. Power of all installed nodes is ``base_w`` each; a node that
works adds ``step_w`` of its mode.

==================  =====================  ==================  =====================
regime              slot                   base_w              step_w
==================  =====================  ==================  =====================
worst-case          offer                  peak                0
static              offer under one cap    node under the cap  0
overprovisioned     offer                  idle                node under cap - idle
==================  =====================  ==================  =====================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.procurement.performance import Partition
from planner.procurement.problem import Floats, Problem

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Layout:
    """Slots of a problem and the work that they can do.

    Attributes
    ----------
    slot_offer, slot_mode, base_w
        Shape ``(slots,)``; ``slot_mode`` is -1 where any mode of the offer may run.
    mode_slot, step_w
        Shape ``(modes,)``: slot in which a mode runs (-1 where the regime forbids it), and the
        watts that running adds.
    pair_mode, pair_workload, pair_slot
        Shape ``(pairs,)``: every mode and workload worth considering.
    pair_merit, pair_step_w, pair_energy_w
        Shape ``(pairs,)``: figure of merit, added watts under the cap, and mean added watts
        that are really drawn (utilisation included).
    partitions
        Per capability workload, every partition worth considering.
    """

    slot_offer: Indices
    slot_mode: Indices
    base_w: Floats
    mode_slot: Indices
    step_w: Floats
    pair_mode: Indices
    pair_workload: Indices
    pair_slot: Indices
    pair_merit: Floats
    pair_step_w: Floats
    pair_energy_w: Floats
    partitions: tuple[tuple[Partition, ...], ...]

    @property
    def slots(self) -> int:
        """Number of slots."""
        return len(self.slot_offer)

    def slot_of(self, offer: int) -> int:
        """Slot of an offer; under static caps that of its largest cap."""
        return int(np.flatnonzero(self.slot_offer == offer)[-1])


def layout(problem: Problem) -> Layout:
    """Slots and pairs under the problem's regime, dominated pairs left out."""
    slot_offer, slot_mode = _slots(problem)
    idle_w = np.array([offer.idle_w for offer in problem.offers])
    peak_w = np.array([offer.peak_w for offer in problem.offers])
    mode_slot = np.full(len(problem.modes), -1, dtype=np.int64)
    step_w = np.zeros(len(problem.modes))
    if problem.regime == "overprovisioned":
        base_w = idle_w[slot_offer]
        mode_slot = problem.mode_offer.copy()
        step_w = problem.mode_w - idle_w[problem.mode_offer]
    elif problem.regime == "static":
        base_w = problem.mode_w[slot_mode]
        mode_slot[slot_mode] = np.arange(len(slot_mode))
    else:
        base_w = peak_w[slot_offer]
        mode_slot[slot_mode] = np.arange(len(slot_mode))
    mode, work = np.nonzero((problem.merit > 0) & (mode_slot >= 0)[:, None])
    consumed_w = problem.drawn_w[mode, work] - idle_w[problem.mode_offer[mode]]
    pairs = _Pairs(
        mode, work, mode_slot[mode], problem.merit[mode, work], step_w[mode],
        problem.prices.utilisation * consumed_w,
    )  # fmt: skip
    selected = ~pairs.dominated()
    return Layout(
        slot_offer, slot_mode, base_w, mode_slot, step_w,
        mode[selected], work[selected], pairs.slot[selected],
        pairs.merit[selected], pairs.step_w[selected],
        pairs.energy_w[selected],
        tuple(_usable(mode_slot, step_w, quote.options) for quote in problem.capabilities),
    )  # fmt: skip


def _slots(problem: Problem) -> tuple[Indices, Indices]:
    offers = np.arange(len(problem.offers))
    if problem.regime == "overprovisioned":
        return offers, np.full(len(offers), -1, dtype=np.int64)
    modes = np.arange(len(problem.modes))
    if problem.regime == "worst-case":  # the last mode of each offer is the uncapped node
        last = np.r_[np.diff(problem.mode_offer) != 0, True]
        modes = modes[last]
    return problem.mode_offer[modes], modes


@dataclass(frozen=True, eq=False)
class _Pairs:
    mode: Indices
    work: Indices
    slot: Indices
    merit: Floats
    step_w: Floats
    energy_w: Floats

    def dominated(self) -> NDArray[np.bool_]:
        """Pairs that another pair of the same slot and workload matches or beats in everything."""
        bad = np.zeros(len(self.mode), dtype=np.bool_)
        groups: dict[tuple[int, int], list[int]] = {}
        for pair, key in enumerate(zip(self.slot.tolist(), self.work.tolist(), strict=True)):
            groups.setdefault(key, []).append(pair)
        for members in groups.values():
            for member in members:
                bad[member] = any(self._beats(other, member) for other in members if not bad[other])
        return bad

    def _beats(self, other: int, first: int) -> bool:
        if other == first:
            return False
        ours = (-self.merit[first], self.step_w[first], self.energy_w[first])
        theirs = (-self.merit[other], self.step_w[other], self.energy_w[other])
        no_worse = all(t <= o for t, o in zip(theirs, ours, strict=True))
        return no_worse and (theirs != ours or other < first)


def _usable(
    mode_slot: Indices, step_w: Floats, options: Sequence[Partition]
) -> tuple[Partition, ...]:
    """Partitions that the regime allows, dominated ones left out.

    One is dominated where another of the same slot needs no more nodes and no more watts and is
    no slower.
    """
    allowed = [option for option in options if mode_slot[option.mode] >= 0]
    need = {
        partition: (
            partition.nodes,
            partition.nodes * float(step_w[partition.mode]),
            partition.time_s,
        )
        for partition in allowed
    }
    selected: list[Partition] = []
    for partition in sorted(allowed, key=lambda first: (need[first], first.mode)):
        slot = mode_slot[partition.mode]
        if not any(
            mode_slot[other.mode] == slot
            and all(o <= e for o, e in zip(need[other], need[partition], strict=True))
            for other in selected
        ):
            selected.append(partition)
    return tuple(selected)

"""Which nodes, and which partner, a waiting job would start with now. Compiled."""

from __future__ import annotations

from typing import NamedTuple

from planner.scheduling.policies.compiled import U, compiled
from planner.scheduling.shared.problem import NEVER
from planner.scheduling.shared.state import (
    LATEST,
    ON_HALVES,
    Cluster,
    Facts,
    Now,
    leave,
    place_job,
    shadow,
)


class Gap(NamedTuple):
    """What a start must leave alone: the reservation of a job that waits.

    Attributes
    ----------
    time_ms
        When it is to start; ``LATEST`` where no job has a reservation.
    extra
        Nodes that are free then and that it does not need.
    """

    time_ms: int
    extra: int


class Chosen(NamedTuple):
    """Halves that a job would take.

    Attributes
    ----------
    taken
        How many; too few if the job cannot start.
    opened
        Empty nodes among them.
    spent
        Nodes among them that would have been free at the reservation, and are not.
    """

    taken: int
    opened: int
    spent: int


@compiled
def unreserved() -> Gap:
    """Nobody has a reservation."""
    return Gap(LATEST, 0)


@compiled
def gap_of(facts: Facts, cluster: Cluster, now: Now, time: int, job: int) -> Gap:
    """Reservation of a job that waits: whole nodes, when running jobs end as expected."""
    at, extra = shadow(cluster, now, time, facts.log.nodes[U(job)])
    return Gap(at, extra)


@compiled
def room_for(facts: Facts, cluster: Cluster, job: int) -> int:
    """Free halves next to jobs that the gate admits."""
    mine, room = U(facts.log.application[U(job)]), 0
    for other in range(len(cluster.open)):
        if facts.rules.level[mine, U(other)] > 0:
            room += cluster.open[U(other)]
    return room


@compiled
def choose_nodes(facts: Facts, cluster: Cluster, job: int) -> None:
    """List the first empty nodes for a job that starts alone; there are enough."""
    count, index, node = facts.log.nodes[U(job)], facts.log.first[U(job)], 0
    last = index + count
    while index < last:
        if cluster.occupant[U(node), U(0)] == NEVER and cluster.occupant[U(node), U(1)] == NEVER:
            cluster.node[U(index)] = node
            index += 1
        node += 1


@compiled
def choose_halves(
    facts: Facts, cluster: Cluster, job: int, time: int, gap: Gap, may_open: int
) -> Chosen:
    """List halves for a job: next to admitted jobs in order of their level, then of empty nodes.

    Of equal ones the first node comes first. A half that stays taken past the reservation on a node
    that would be free by then counts as spent, and there are only so many to spend.
    """
    log = facts.log
    late = time + log.shared_ms[U(job)] > gap.time_ms
    wanted, count, spent = log.halves[U(job)], 0, 0
    first = log.first[U(job)]
    for level in range(1, facts.rules.levels + 1):
        for node in range(len(cluster.occupant)):
            if count == wanted:
                return Chosen(count, 0, spent)
            other = single(cluster, node)
            if other == NEVER or not _is_level(facts, job, other, level):
                continue
            cost = late and _ends_by(cluster, other, time, gap.time_ms)
            if cost and spent == gap.extra:
                continue
            spent += cost
            cluster.node[U(first + count)] = node
            count += 1
    opened = 0
    for node in range(len(cluster.occupant)):
        if count == wanted or opened == may_open or (late and spent == gap.extra):
            break
        if cluster.occupant[U(node), U(0)] == NEVER and cluster.occupant[U(node), U(1)] == NEVER:
            spent += late
            cluster.node[U(first + count)] = node
            count += 1
            opened += 1
    return Chosen(count, opened, spent)


@compiled
def single(cluster: Cluster, node: int) -> int:
    """The job on a node that has one free half; ``NEVER`` on any other node."""
    left, right = cluster.occupant[U(node), U(0)], cluster.occupant[U(node), U(1)]
    if left == NEVER:
        return int(right)
    return int(left) if right == NEVER else NEVER


@compiled
def _is_level(facts: Facts, job: int, other: int, level: int) -> bool:
    application = facts.log.application
    found = facts.rules.level[U(application[U(job)]), U(application[U(other)])]
    return bool(found == level)


@compiled
def _ends_by(cluster: Cluster, job: int, time: int, limit: int) -> bool:
    """Whether a running job is expected to end by a time."""
    return bool(max(cluster.jobs.expected_ms[U(job)], time + 1) <= limit)


@compiled
def choose_next_to(
    facts: Facts, cluster: Cluster, job: int, time: int, gap: Gap, host: int
) -> tuple[Chosen, int]:
    """List halves for a partner: on the host's nodes first, then next to other admitted jobs.

    Also how many of the host's free halves it takes. It opens no empty node.
    """
    log = facts.log
    late = time + log.shared_ms[U(job)] > gap.time_ms
    wanted, count, spent, covered = log.halves[U(job)], 0, 0, 0
    first = log.first[U(job)]
    for level in range(facts.rules.levels + 1):
        for node in range(len(cluster.occupant)):
            if count == wanted:
                return Chosen(count, 0, spent), covered
            other = single(cluster, node)
            if other == NEVER or (other == host) != (level == 0):
                continue
            if level > 0 and not _is_level(facts, job, other, level):
                continue
            cost = late and _ends_by(cluster, other, time, gap.time_ms)
            if cost and spent == gap.extra:
                continue
            spent += cost
            covered += other == host
            cluster.node[U(first + count)] = node
            count += 1
    return Chosen(count, 0, spent), covered


@compiled
def find_partner(
    facts: Facts,
    cluster: Cluster,
    now: Now,
    time: int,
    place: int,
    gap: Gap,
    opened: int,
) -> tuple[int, int]:
    """Of the jobs behind a placed host, the partner that starts with it; and what it spends.

    The best level comes first, then the queue's order; ``NEVER`` if there is none. Its nodes are
    listed. While no job has a reservation the partner overtakes jobs as if the next of them had
    one.
    """
    log, rules, queue = facts.log, facts.rules, cluster.queue
    host = queue[U(place)]
    mine, mate = U(log.application[U(host)]), cluster.mate[U(host)]
    for level in range(1, rules.levels + 1):
        for later in range(place + 1, now.waiting):
            job = queue[U(later)]
            if cluster.jobs.start_ms[U(job)] != NEVER or log.halves[U(job)] == 0:
                continue
            if rules.level[mine, U(log.application[U(job)])] != level:
                continue
            if not agree(cluster, host, job, mate):
                continue
            if log.halves[U(job)] < rules.cover * opened:
                continue
            if log.halves[U(job)] > room_for(facts, cluster, job):
                continue
            limit = gap
            if gap.time_ms == LATEST:
                limit = _gap_of_next(facts, cluster, now, time, place, job)
            chosen, covered = choose_next_to(facts, cluster, job, time, limit, host)
            if chosen.taken == log.halves[U(job)] and covered >= rules.cover * opened:
                return job, chosen.spent
    return NEVER, 0


@compiled
def agree(cluster: Cluster, host: int, job: int, mate: int) -> bool:
    """Whether neither of two jobs is to open nodes with another one, or with nobody."""
    theirs = cluster.mate[U(job)]
    return mate in (NEVER, job) and theirs in (NEVER, host)


@compiled
def _gap_of_next(
    facts: Facts, cluster: Cluster, now: Now, time: int, place: int, partner: int
) -> Gap:
    """Reservation of the first job behind a place that has not started and is not the partner."""
    for later in range(place + 1, now.waiting):
        job = cluster.queue[U(later)]
        if job == partner:
            return unreserved()
        if cluster.jobs.start_ms[U(job)] == NEVER:
            return gap_of(facts, cluster, now, time, job)
    return unreserved()


@compiled
def may_find_partner(facts: Facts, cluster: Cluster, now: Now, place: int) -> bool:
    """Whether a job behind a place is admitted next to the one there, and not too small to cover.

    A quick test before the job is placed on trial.
    """
    log, rules = facts.log, facts.rules
    host = cluster.queue[U(place)]
    mine, mate = U(log.application[U(host)]), cluster.mate[U(host)]
    if mate < NEVER:
        return False
    for later in range(place + 1, now.waiting):
        job = cluster.queue[U(later)]
        if cluster.jobs.start_ms[U(job)] != NEVER or log.halves[U(job)] == 0:
            continue
        admitted = rules.level[mine, U(log.application[U(job)])] > 0
        if admitted and agree(cluster, host, job, mate):
            return True
    return False


@compiled
def place_pair(
    facts: Facts, cluster: Cluster, now: Now, time: int, place: int, gap: Gap
) -> tuple[Now, Gap, int]:
    """Place a job on nodes that it opens together with a waiting partner, and the partner.

    Also the partner, or ``NEVER`` if there is none: then nothing has changed.
    """
    host = cluster.queue[U(place)]
    chosen = choose_halves(facts, cluster, host, time, gap, now.empty)
    if chosen.taken < facts.log.halves[U(host)]:
        return now, gap, NEVER
    placed = place_job(facts, cluster, now, host, ON_HALVES, time)
    left = Gap(gap.time_ms, gap.extra - chosen.spent)
    partner, spent = find_partner(facts, cluster, placed, time, place, left, chosen.opened)
    if partner == NEVER:
        leave(facts, cluster, placed, host)
        cluster.jobs.start_ms[U(host)] = NEVER
        return now, gap, NEVER
    placed = place_job(facts, cluster, placed, partner, ON_HALVES, time)
    if gap.time_ms < LATEST:
        left = Gap(gap.time_ms, left.extra - spent)
    return placed, left, partner

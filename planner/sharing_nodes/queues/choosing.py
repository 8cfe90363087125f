"""Which nodes, and which partner, a waiting job would start with now. Compiled."""

from __future__ import annotations

from typing import NamedTuple

from planner.scheduling.policies.compiled import U, compiled
from planner.sharing_nodes.queues.paying import pays
from planner.sharing_nodes.queues.problem import NEVER
from planner.sharing_nodes.queues.state import (
    LATEST,
    SharedCluster,
    SharedFacts,
    SharedNow,
    place_job,
    shadow,
    withdraw,
)


class SharedGap(NamedTuple):
    """The reservation of a waiting job, which no start may delay.

    Attributes
    ----------
    time_ms
        When it is to start; ``LATEST`` where no job has a reservation.
    extra
        Nodes that are free then and that it does not need.
    """

    time_ms: int
    extra: int


class ChosenNodes(NamedTuple):
    """Nodes that a job would take.

    Attributes
    ----------
    split, whole
        Nodes of which it would take half, and whole ones; too few if the job cannot start.
    opened
        Empty nodes among the former.
    spent
        Nodes among them that would have been free at the reservation, and are not.
    """

    split: int
    whole: int
    opened: int
    spent: int


@compiled
def unreserved() -> SharedGap:
    """Return a gap in which nobody has a reservation."""
    return SharedGap(LATEST, 0)


@compiled
def gap_of(
    facts: SharedFacts, cluster: SharedCluster, now: SharedNow, time: int, job: int
) -> SharedGap:
    """Reservation of a job that waits: whole nodes, when running jobs end as expected."""
    at, extra = shadow(cluster, now, time, facts.log.nodes[U(job)])
    return SharedGap(at, extra)


@compiled
def room_for(facts: SharedFacts, cluster: SharedCluster, job: int) -> int:
    """Free halves next to jobs that the gate admits."""
    mine, room = U(facts.log.application[U(job)]), 0
    for other in range(len(cluster.open)):
        if facts.rules.level[mine, U(other)] > 0:
            room += cluster.open[U(other)]
    return room


@compiled
def choose_nodes(cluster: SharedCluster, first: int, count: int) -> None:
    """List the first empty nodes, from a place of the list on; there are enough."""
    index, node = first, 0
    while index < first + count:
        if _is_empty(cluster, node):
            cluster.node[U(index)] = node
            index += 1
        node += 1


@compiled
def _is_empty(cluster: SharedCluster, node: int) -> bool:
    left, right = cluster.occupant[U(node), U(0)], cluster.occupant[U(node), U(1)]
    return bool(left == NEVER and right == NEVER)


@compiled
def complete(facts: SharedFacts, job: int, chosen: ChosenNodes) -> bool:
    """Return whether a job can start with what was chosen."""
    halves = chosen.split + facts.rules.per_node * chosen.whole
    return bool(halves == facts.log.halves[U(job)])


@compiled
def choose_halves(
    facts: SharedFacts, cluster: SharedCluster, job: int, time: int, gap: SharedGap, may_open: int
) -> ChosenNodes:
    """List halves for a job: next to admitted jobs in order of their level, then of empty nodes.

    Among equal halves, the first node comes first. A half is spent if the job keeps it past the
    reservation, on a node that would be free by then. At most ``gap.extra`` halves can be spent.
    """
    log = facts.log
    chosen, _ = choose_next_to(facts, cluster, job, time, gap, NEVER)
    count, spent, opened = chosen.split, chosen.spent, 0
    late = time + log.shared_ms[U(job)] > gap.time_ms
    first = log.first[U(job)]
    for node in range(len(cluster.occupant)):
        if count == log.halves[U(job)] or opened == may_open or (late and spent == gap.extra):
            break
        if _is_empty(cluster, node):
            spent += late
            cluster.node[U(first + count)] = node
            count += 1
            opened += 1
    return ChosenNodes(count, 0, opened, spent)


@compiled
def fill_up(
    facts: SharedFacts,
    cluster: SharedCluster,
    now: SharedNow,
    job: int,
    time: int,
    gap: SharedGap,
    chosen: ChosenNodes,
) -> ChosenNodes:
    """List whole nodes for the halves that a job did not find next to others.

    If the job found an odd number of halves, the last one is left out.
    """
    log = facts.log
    split, spent, needed = chosen.split, chosen.spent, log.halves[U(job)]
    late = time + log.shared_ms[U(job)] > gap.time_ms
    first = log.first[U(job)]
    if split % 2 == 1 and split < needed:
        split -= 1
        other = single(cluster, cluster.node[U(first + split)])
        spent -= late and _ends_by(cluster, other, time, gap.time_ms)
    whole = (needed - split) // 2
    if split == 0 or whole > now.empty or (late and spent + whole > gap.extra):
        return chosen
    choose_nodes(cluster, first + split, whole)
    return ChosenNodes(split, whole, 0, spent + whole * late)


@compiled
def single(cluster: SharedCluster, node: int) -> int:
    """Return the job on a node that has one free half; ``NEVER`` on any other node."""
    left, right = cluster.occupant[U(node), U(0)], cluster.occupant[U(node), U(1)]
    if left == NEVER:
        return int(right)
    return int(left) if right == NEVER else NEVER


@compiled
def level_of(facts: SharedFacts, job: int, other: int) -> int:
    """Order of a partner by the gate; 0 if it is not admitted, or below a floor of either job."""
    log, rules = facts.log, facts.rules
    mine, theirs = U(log.application[U(job)]), U(log.application[U(other)])
    if rules.lowest[mine, theirs] < log.floor[U(job)]:
        return 0
    return 0 if rules.lowest[theirs, mine] < log.floor[U(other)] else int(rules.level[mine, theirs])


@compiled
def _ends_by(cluster: SharedCluster, job: int, time: int, limit: int) -> bool:
    """Return whether a running job is expected to end by a time."""
    return bool(max(cluster.jobs.expected_ms[U(job)], time + 1) <= limit)


@compiled
def choose_next_to(
    facts: SharedFacts, cluster: SharedCluster, job: int, time: int, gap: SharedGap, host: int
) -> tuple[ChosenNodes, int]:
    """List halves next to admitted jobs: on the host's nodes first, if there is a host.

    Also how many of the host's free halves it takes. It opens no empty node.
    """
    log = facts.log
    late = time + log.shared_ms[U(job)] > gap.time_ms
    needed, count, spent, covered = log.halves[U(job)], 0, 0, 0
    first = log.first[U(job)]
    for level in range(1 if host == NEVER else 0, facts.rules.levels + 1):
        for node in range(len(cluster.occupant)):
            if count == needed:
                return ChosenNodes(count, 0, 0, spent), covered
            other = single(cluster, node)
            if other == NEVER or (other == host) != (level == 0):
                continue
            if level > 0 and level_of(facts, job, other) != level:
                continue
            cost = late and _ends_by(cluster, other, time, gap.time_ms)
            if cost and spent == gap.extra:
                continue
            spent += cost
            covered += other == host
            cluster.node[U(first + count)] = node
            count += 1
    return ChosenNodes(count, 0, 0, spent), covered


@compiled
def find_partner(
    facts: SharedFacts,
    cluster: SharedCluster,
    now: SharedNow,
    time: int,
    index: int,
    gap: SharedGap,
    opened: int,
) -> tuple[int, ChosenNodes]:
    """Return the partner behind a placed host that starts with it, and what it takes.

    The best level comes first, then the queue's order; ``NEVER`` if there is none. Its nodes are
    listed. While no job has a reservation the partner overtakes jobs as if the next of them had
    one.
    """
    log, rules, queue = facts.log, facts.rules, cluster.queue
    host = queue[U(index)]
    mate = cluster.mate[U(host)]
    for level in range(1, rules.levels + 1):
        for later in range(index + 1, now.waiting):
            job = queue[U(later)]
            if cluster.jobs.start_ms[U(job)] != NEVER or log.halves[U(job)] == 0:
                continue
            if level_of(facts, host, job) != level:
                continue
            if not agree(cluster, host, job, mate):
                continue
            if log.halves[U(job)] < rules.cover * opened:
                continue
            if not rules.fills and log.halves[U(job)] > room_for(facts, cluster, job):
                continue
            limit = gap
            if gap.time_ms == LATEST:
                limit = _gap_of_next(facts, cluster, now, time, index, job)
            chosen, covered = choose_next_to(facts, cluster, job, time, limit, host)
            if rules.fills and not complete(facts, job, chosen):
                covered -= chosen.split % 2 == 1 and covered == chosen.split
                chosen = fill_up(facts, cluster, now, job, time, limit, chosen)
            if not complete(facts, job, chosen) or covered < rules.cover * opened:
                continue
            if _pair_pays(facts, cluster, now, time, host, job, opened, chosen):
                return job, chosen
    return NEVER, ChosenNodes(0, 0, 0, 0)


@compiled
def _pair_pays(
    facts: SharedFacts,
    cluster: SharedCluster,
    now: SharedNow,
    time: int,
    host: int,
    partner: int,
    opened: int,
    chosen: ChosenNodes,
) -> bool:
    """Return whether a placed host and a partner pay, which is placed on trial."""
    if not facts.rules.weighs:
        return True
    placed = place_job(facts, cluster, now, partner, chosen.split, chosen.whole, time)
    together = cluster.jobs.split[U(host)] - opened + chosen.split
    paid = pays(facts, cluster, host, partner, opened + chosen.whole, together)
    withdraw(facts, cluster, placed, partner)
    return paid


@compiled
def agree(cluster: SharedCluster, host: int, job: int, mate: int) -> bool:
    """Return whether neither of two jobs is to open nodes with another one, or with nobody."""
    theirs = cluster.mate[U(job)]
    return mate in (NEVER, job) and theirs in (NEVER, host)


@compiled
def _gap_of_next(
    facts: SharedFacts, cluster: SharedCluster, now: SharedNow, time: int, index: int, partner: int
) -> SharedGap:
    """Reservation of the first job behind a place that has not started and is not the partner."""
    for later in range(index + 1, now.waiting):
        job = cluster.queue[U(later)]
        if job == partner:
            return unreserved()
        if cluster.jobs.start_ms[U(job)] == NEVER:
            return gap_of(facts, cluster, now, time, job)
    return unreserved()


@compiled
def may_open_pair(
    facts: SharedFacts,
    cluster: SharedCluster,
    now: SharedNow,
    time: int,
    index: int,
    gap: SharedGap,
) -> bool:
    """Return whether a job may be able to open nodes with one behind it; False is certain.

    A quick test before the job is placed on trial: it opens at least as many nodes as it finds no
    halves for.
    """
    log, rules = facts.log, facts.rules
    host = cluster.queue[U(index)]
    opens = log.halves[U(host)] - room_for(facts, cluster, host)
    late = time + log.shared_ms[U(host)] > gap.time_ms
    mate = cluster.mate[U(host)]
    if mate < NEVER or opens > now.empty or (late and opens > gap.extra):
        return False
    for later in range(index + 1, now.waiting):
        job = cluster.queue[U(later)]
        if cluster.jobs.start_ms[U(job)] != NEVER or log.halves[U(job)] < rules.cover * opens:
            continue
        admitted = level_of(facts, host, job) > 0
        if log.halves[U(job)] > 0 and admitted and agree(cluster, host, job, mate):
            return True
    return False


@compiled
def place_pair(
    facts: SharedFacts,
    cluster: SharedCluster,
    now: SharedNow,
    time: int,
    index: int,
    gap: SharedGap,
) -> tuple[SharedNow, SharedGap, int]:
    """Place a job on nodes that it opens together with a waiting partner, and the partner.

    Also the partner, or ``NEVER`` if there is none: then nothing has changed.
    """
    host = cluster.queue[U(index)]
    chosen = choose_halves(facts, cluster, host, time, gap, now.empty)
    if not complete(facts, host, chosen):
        return now, gap, NEVER
    placed = place_job(facts, cluster, now, host, chosen.split, 0, time)
    rest = SharedGap(gap.time_ms, gap.extra - chosen.spent)
    partner, theirs = find_partner(facts, cluster, placed, time, index, rest, chosen.opened)
    if partner == NEVER:
        withdraw(facts, cluster, placed, host)
        return now, gap, NEVER
    placed = place_job(facts, cluster, placed, partner, theirs.split, theirs.whole, time)
    if gap.time_ms < LATEST:
        rest = SharedGap(gap.time_ms, rest.extra - theirs.spent)
    return placed, rest, partner

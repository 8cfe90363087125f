"""The compiled event loop of shared nodes: EASY with a co-location rule.

- A pass tries jobs in order of submission. The first job that cannot start has a reservation. This
  is the earliest time with enough whole nodes for it, if running jobs end by their expected ends. A
  later job starts now if it is expected to end by then, or if it leaves enough nodes free then. A
  half costs nothing on a node whose other job is expected to stay longer.
- The expected run time of a job that shares is its requested time times its stretch
  (:class:`planner.sharing_nodes.queues.rules.SharingGate`), for any partners.
- A job first looks for halves next to running jobs that the gate admits, and fills up with whole
  nodes if the rule says so. Then it opens nodes as the rule says. Then it takes whole nodes.
- At one instant submissions come first, and each event has its own pass. A pass is repeated while
  jobs opened nodes in it, because other jobs may join them there.

The loop promises that a job at the head of the queue starts by its first reservation, if each
running job ends by its expected end. It may start earlier on halves.

References
----------
Mu'alem and Feitelson (2001) for EASY; Breslow et al. (2013) for the halves of a node.
"""

from __future__ import annotations

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.sharing_nodes.queues.choosing import (
    ChosenNodes,
    SharedGap,
    choose_halves,
    choose_nodes,
    complete,
    fill_up,
    gap_of,
    may_open_pair,
    place_pair,
    room_for,
    unreserved,
)
from planner.sharing_nodes.queues.paying import pays
from planner.sharing_nodes.queues.problem import NEVER
from planner.sharing_nodes.queues.progress import begin, finish
from planner.sharing_nodes.queues.state import (
    SharedCluster,
    SharedFacts,
    SharedNow,
    next_end,
    place_job,
    waits,
    withdraw,
)


@compiled_entry
def run_log(facts: SharedFacts, cluster: SharedCluster, now: SharedNow) -> None:
    """Fill in the starts and ends."""
    started = 0
    while now.arrived < len(facts.log.submit_ms) or now.running > 0:
        now, time, first = step(facts, cluster, now, started)
        started = now.started
        if now.waiting > 0:
            now = start_jobs(facts, cluster, now, time, first)


@compiled_entry
def step(
    facts: SharedFacts, cluster: SharedCluster, now: SharedNow, started: int
) -> tuple[SharedNow, int, int]:
    """Return the next event's time, and the queue index from which jobs are to be tried.

    ``started`` jobs had started when the queue was last tried.
    """
    log, before = facts.log, now.running
    job, time = next_end(cluster, now)
    if now.arrived < len(log.submit_ms) and log.submit_ms[U(now.arrived)] <= time:
        time = log.submit_ms[U(now.arrived)]
        now = _release(facts, cluster, now, time)
        now = _arrive(facts, cluster, now)
    else:
        now = finish(facts, cluster, now, job, time)
        now = _release(facts, cluster, now, time)
    # A submission alone frees nothing, so a job that could not start before cannot start now, and
    # only the new job is tried. That fails where a job is overdue, since the reservation then moves
    # on with time; where jobs open nodes in pairs, since the new job may be the partner of an
    # earlier one; and where starts are weighed, since a later job may have started meanwhile next
    # to the host of an earlier one: what the host has lost already costs nothing more.
    slower = facts.rules.weighs and now.started > started
    overdue = now.running > 0 and cluster.jobs.expected_ms[U(cluster.running[U(0)])] <= time
    whole = now.running < before or overdue or facts.rules.pairs or slower
    return now, time, 0 if whole else max(now.waiting - 1, 0)


@compiled
def _arrive(facts: SharedFacts, cluster: SharedCluster, now: SharedNow) -> SharedNow:
    """Let the next job wait, unless the cluster is too small for it."""
    job, waiting = now.arrived, now.waiting
    cluster.queue[U(waiting)] = job
    waiting += facts.log.nodes[U(job)] > 0
    return SharedNow(now.empty, now.open, now.running, waiting, now.started, job + 1)


@compiled
def _release(facts: SharedFacts, cluster: SharedCluster, now: SharedNow, time: int) -> SharedNow:
    """End the jobs that are expected to have ended, and have."""
    index = 0
    while index < now.running:
        job = cluster.running[U(index)]
        if cluster.jobs.expected_ms[U(job)] > time:
            break
        if cluster.jobs.end_ms[U(job)] <= time:
            now = finish(facts, cluster, now, job, time)
        else:
            index += 1
    return now


@compiled_entry
def start_jobs(
    facts: SharedFacts, cluster: SharedCluster, now: SharedNow, time: int, first: int
) -> SharedNow:
    """Start who can start, from a place of the queue on; those before it were tried before."""
    opened = 1
    while opened > 0 and now.waiting > 0:
        now, opened = _pass(facts, cluster, now, time, first)
        first = 0
    return now


@compiled
def _pass(
    facts: SharedFacts, cluster: SharedCluster, now: SharedNow, time: int, first: int
) -> tuple[SharedNow, int]:
    """Try the queue once; how many nodes were opened."""
    queue, waiting, still_waiting = cluster.queue, now.waiting, first
    blocked, opened = first > 0, 0
    gap = _head_gap(facts, cluster, now, time) if blocked else unreserved()
    # The first `still_waiting` entries of the queue are the jobs before `index` that still wait,
    # in order of submission. Once `blocked`, the first of them has the reservation that `gap`
    # describes, less what later starts took.
    for index in range(first, waiting):
        job = queue[U(index)]
        if blocked and now.empty + now.open == 0 and still_waiting == index:
            still_waiting = waiting  # no job has started in this pass, so none must be left out
            break
        # It has started in this pass as the partner of a job before it.
        if cluster.jobs.start_ms[U(job)] != NEVER:
            continue
        if not blocked or now.empty + now.open > 0:
            before = now.started
            now, gap, nodes = _try(facts, cluster, now, time, index, gap)
            opened += nodes
            if now.started > before:
                continue
        queue[U(still_waiting)] = job
        still_waiting += 1
        if not blocked:
            blocked = True
            gap = _head_gap(facts, cluster, now, time)
    return waits(now, still_waiting), opened


@compiled
def _head_gap(facts: SharedFacts, cluster: SharedCluster, now: SharedNow, time: int) -> SharedGap:
    """Return the reservation of the head of the queue; the first one is noted."""
    head = cluster.queue[U(0)]
    gap = gap_of(facts, cluster, now, time, head)
    if cluster.jobs.promised_ms[U(head)] == NEVER:
        cluster.jobs.promised_ms[U(head)] = gap.time_ms
    return gap


@compiled
def _try(
    facts: SharedFacts,
    cluster: SharedCluster,
    now: SharedNow,
    time: int,
    index: int,
    gap: SharedGap,
) -> tuple[SharedNow, SharedGap, int]:
    """Start a job if it can start; what is left of the gap, and the nodes that were opened."""
    log, rules = facts.log, facts.rules
    job = cluster.queue[U(index)]
    if log.halves[U(job)] > 0:
        chosen = _choose(facts, cluster, now, time, job, gap)
        if complete(facts, job, chosen):
            placed = place_job(facts, cluster, now, job, chosen.split, chosen.whole, time)
            together = chosen.split - chosen.opened
            if pays(facts, cluster, job, NEVER, chosen.opened + chosen.whole, together):
                begin(facts, cluster, job, time)
                return placed, SharedGap(gap.time_ms, gap.extra - chosen.spent), chosen.opened
            now = withdraw(facts, cluster, placed, job)
        if rules.pairs and may_open_pair(facts, cluster, now, time, index, gap):
            empty = now.empty
            now, gap, partner = place_pair(facts, cluster, now, time, index, gap)
            if partner != NEVER:
                begin(facts, cluster, job, time)
                begin(facts, cluster, partner, time)
                return now, gap, empty - now.empty
    nodes = log.nodes[U(job)]
    late = time + log.alone_ms[U(job)] > gap.time_ms
    if nodes > now.empty or (late and nodes > gap.extra):
        return now, gap, 0
    choose_nodes(cluster, log.first[U(job)], nodes)
    now = place_job(facts, cluster, now, job, 0, nodes, time)
    begin(facts, cluster, job, time)
    return now, SharedGap(gap.time_ms, gap.extra - nodes * late), 0


@compiled
def _choose(
    facts: SharedFacts, cluster: SharedCluster, now: SharedNow, time: int, job: int, gap: SharedGap
) -> ChosenNodes:
    """Return nodes on which a job would share now, without a waiting partner."""
    rules, needed = facts.rules, facts.log.halves[U(job)]
    room, chosen = room_for(facts, cluster, job), ChosenNodes(0, 0, 0, 0)
    if room >= needed or (rules.fills and room > 1 and room + 2 * now.empty >= needed):
        chosen = choose_halves(facts, cluster, job, time, gap, 0)
        if rules.fills and not complete(facts, job, chosen):
            chosen = fill_up(facts, cluster, now, job, time, gap, chosen)
    if rules.spreads and not complete(facts, job, chosen) and room + now.empty >= needed:
        chosen = choose_halves(facts, cluster, job, time, gap, now.empty)
    return chosen

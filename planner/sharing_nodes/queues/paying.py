"""Whether a start that shares nodes pays, as predicted. Compiled.

A job that is slowed on one node is slowed on all of its nodes. So a start is weighed by all jobs
that it concerns, over all of their nodes, and never pair by pair: a small job next to a wide one
can cost more work than it does.

A start on nodes that jobs open, or next to running jobs, adds work per time: the pace of those who
start, less what their neighbours lose. It pays if this makes up for the empty nodes that it takes,
each of which would do the work of one node, and adds the least gain on each node that two jobs then
share.
"""

from __future__ import annotations

from planner.scheduling.policies.compiled import U, compiled
from planner.sharing_nodes.queues.problem import NEVER
from planner.sharing_nodes.queues.progress import pace
from planner.sharing_nodes.queues.speeds import PPM
from planner.sharing_nodes.queues.state import SharedCluster, SharedFacts


@compiled
def pays(
    facts: SharedFacts, cluster: SharedCluster, job: int, partner: int, taken: int, together: int
) -> bool:
    """Return whether a placed job, with its placed partner if it has one, may begin.

    ``taken`` are the empty nodes that they take, and ``together`` the nodes on which two jobs meet.
    """
    rules = facts.rules
    if not rules.weighs:
        return True
    required = taken * PPM + together * rules.least_gain
    return bool(added_pace(facts, cluster, job, partner) >= required)


@compiled
def added_pace(facts: SharedFacts, cluster: SharedCluster, job: int, partner: int) -> int:
    """Work per time that placed jobs add, less what their neighbours lose [millionths of a node].

    Running jobs still have the paces from before the placement.
    """
    jobs = cluster.jobs
    cluster.sweeps[U(0)] += 1
    jobs.seen[U(job)] = cluster.sweeps[U(0)]
    total = pace(facts, cluster, job)
    if partner != NEVER:
        jobs.seen[U(partner)] = cluster.sweeps[U(0)]
        total += pace(facts, cluster, partner) + _change(facts, cluster, partner)
    return int(total + _change(facts, cluster, job))


@compiled
def _change(facts: SharedFacts, cluster: SharedCluster, job: int) -> int:
    """Change of the paces of a job's neighbours that this sweep has not come across."""
    jobs, first, total = cluster.jobs, facts.log.first[U(job)], 0
    sweep = cluster.sweeps[U(0)]
    for index in range(first, first + jobs.split[U(job)]):
        node = U(cluster.node[U(index)])
        for side in range(2):
            other = cluster.occupant[node, U(side)]
            if other == NEVER or jobs.seen[U(other)] == sweep:
                continue
            jobs.seen[U(other)] = sweep
            total += pace(facts, cluster, other) - jobs.pace[U(other)]
    return total

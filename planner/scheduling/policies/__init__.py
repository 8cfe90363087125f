"""Scheduling policies, one file each behind the Protocol of ``planner.scheduling.policies.task``.

The compiled loops stand on four pieces: `running` (jobs by their ends), `waiting` (the queue in
blocks), `plan` (free processors as steps over time) and `lookahead` (a loop for any order of the
queue, number of reservations and outages).
"""

"""A gate with a guarantee: predict the spread of a co-run's makespan, and admit what is safe.

Belongs here: the distribution of the makespan, novelty, risk control, probing runs, early
separation, and the studies of them. Does not belong here: how cores make jobs slower, which only
:mod:`~planner.colocation.gate.simulated` simulates.
"""

"""A gate with a guarantee: predict the spread of a co-run's makespan, and admit what is safe.

Belongs here: the distribution of the makespan, novelty, risk control, the value of test runs, and
the study of own measurements. Does not belong here: simulated systems that try the gate
(benchmarks/studies/gate).
"""

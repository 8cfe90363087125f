"""What users of a shared node pay: interference measured by pausing jobs, and fair prices.

Belongs here: the measuring loop, estimators of degradation, prices, fairness, and accounts. Does
not belong here: the simulated node and its law (``scenarios.simulated.shared_node``), schedules,
and what people read.
"""

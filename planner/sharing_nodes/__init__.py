"""Jobs that share nodes: which, under what rules, what it gains, and what each user pays.

Belongs here: pairs and groups, gates, queues with shared nodes, and the bills of a day. Does not
belong here: how cores make jobs slower (``scenarios.simulated``), and how a price is measured
(``planner.pricing``).
"""

"""Scheduling under a power bound: nodes and watts are shared by the jobs of a log.

RMAP's policies, ILP schedulers and users' own policies answer the same :class:`PowerProblem` with a
:class:`PowerSchedule`; a separately written checker recomputes nodes and watts of each.
"""

"""Scheduling with shared nodes: two jobs on the two halves of a node, and what each user pays.

The loop takes relative speeds of applications next to each other and never the law behind them. A
separately written checker recomputes nodes, work and reservations of each schedule.
"""

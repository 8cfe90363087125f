"""What a published scheme awards: packages judged lot by lot, in exact fractions.

The optimiser that chooses packages is in :mod:`planner.procurement`; nothing here solves anything.
"""

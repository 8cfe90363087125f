"""ILP schedulers under a power bound: what the thesis dismissed as too slow, to be measured.

Belongs here: policies that solve an integer program in every pass, with the budget of a decision
and its greedy fallback. Does not belong here: optima of whole logs, which look ahead.
"""

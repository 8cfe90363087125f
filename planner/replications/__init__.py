"""Statistics of repeated runs: intervals of means, batches of one long run, ratios over seeds.

Belongs here: what takes plain numbers. Does not belong here: which runs are compared.
"""

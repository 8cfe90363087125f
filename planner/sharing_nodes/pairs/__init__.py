"""Who shares a node with whom: pairs and groups of jobs from measured pairs, with a proven limit.

Belongs here: gains, policies, checks and the study of ``headroom colocate``. Does not belong here:
how a node makes jobs slower, which no decision sees.
"""

"""How fast two jobs run that share a node: measured pairs, from files.

Belongs here: readers of pair tables and what they hold. Does not belong here: which pairs share.
"""

"""Two runs compared: what changed in the input, what changed in the decision, and what it is worth.

Belongs here: reading the data of two runs, every value that differs, and the sentences that sum it
up. Does not belong here: solving anything again.
"""

"""All that a stored result depends on: what identifies it, and when it may be used again.

Belongs here: digests of inputs, program and libraries, and the files that own parts use.
Does not belong here: how parts are loaded, and how results are stored.
"""

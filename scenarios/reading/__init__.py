"""From a TOML file, and the files that it names, to a scenario or to all its faults at once.

Here belong the order of reading and the checks between groups and files. What one field may hold
is said in ``model``; how one kind of file is read, in its own folder.
"""

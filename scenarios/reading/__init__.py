"""From a TOML file, and the files that it names, to a scenario or to all errors at once.

This package has the order of reading, and the checks between groups and files. The rules of single
fields are in ``model``; each kind of file has its own package.
"""

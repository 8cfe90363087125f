"""The command line: reads options, calls one function, prints. It decides nothing.

Here: one module per command, what several of them share, and nothing else.
Not here: anything that a program which imports Headroom would need.
"""

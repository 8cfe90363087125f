"""The engine in plain Python, for policies that react to events.

This package has the base class of ILP schedulers and of users' own policies, and the simulation of
a log with them. The policies themselves are elsewhere.
"""

"""The engine in plain Python, for policies that react to events.

Here belong the base class of ILP schedulers and of users' own policies, and what plays a log
under them. The policies themselves do not.
"""

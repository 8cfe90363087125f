"""One decision by every method: exact by CBC and HiGHS, the engine, heuristics, own parts.

Belongs here: what makes the methods of a decision comparable, and their table. Does not belong
here: any method itself; each lies in the room of its decision.
"""

"""Reference formulations: each decision as a short PuLP model, solved by CBC or HiGHS.

Belongs here: one module per decision with its mathematics in the docstring, for readers, and as
the oracle of the engines. Does not belong here: anything faster than plain algebra, and any
import of an engine.
"""

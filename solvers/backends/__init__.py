"""CBC and HiGHS behind one protocol, and the scaling that both get.

Here belongs what talks to a solver's library. Nothing here believes what the solver says:
``proofs`` judges it.
"""

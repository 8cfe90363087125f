"""CBC and HiGHS behind one protocol, and the scaling that both get.

This package calls the libraries of the solvers. It does not check their answers; ``proofs`` does.
"""

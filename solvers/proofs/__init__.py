"""Proofs in whole numbers and fractions: points, bounds, infeasibility, and claims weighed.

Here belongs what may call an answer verified or proved. No floating-point tolerance decides here
alone.
"""

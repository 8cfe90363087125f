"""Estimators and prices of shared nodes: scores, bias, gaming, and the paper's numbers."""

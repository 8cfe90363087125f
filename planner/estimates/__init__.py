"""Estimates of run times: bounded-error oracles, predictors, and what users gain by them."""

"""The log of measurements and the users' accounts, in one SQLite file.

Here: the schema, sums per job and minute, exact prices in micro-SU, and bookings.
Not here: how measurements are made, and estimators that need more than the sums.
"""

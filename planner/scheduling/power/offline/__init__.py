"""Certified optima of small whole logs, by programs that know all that will happen.

Belongs here: what a schedule of a log could reach at best, from bounds and from schedules that look
ahead. Does not belong here: policies, which see only what has been submitted.
"""

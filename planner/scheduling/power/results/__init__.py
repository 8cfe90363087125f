"""What a schedule achieves, and how policies compare.

Here belong measures of one schedule and statistics over seeds. Tables and figures do not.
"""

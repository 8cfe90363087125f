"""The two numbers of the law that were fitted to the paper."""

BANDWIDTH_SCALE = 0.5
MISS_SCALE = 0.5

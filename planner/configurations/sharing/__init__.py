"""Many jobs under one power bound: one configuration each."""

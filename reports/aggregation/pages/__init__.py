"""Pages of the report on a choice of a pattern, one question each, in their order."""

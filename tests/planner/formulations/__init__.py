"""The reference formulations against the engines, and both against enumeration."""

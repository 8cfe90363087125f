"""Outputs of a broad set of commands, frozen before a change of structure and compared after it."""

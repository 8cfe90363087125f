"""Who sends how much to whom: communication of message-passing programs, from files."""

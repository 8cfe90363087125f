"""The live program for Linux: it pauses running processes for milliseconds and counts.

Here: processes, pausing, counters, the watchdog, and the program itself.
Not here: prices; a shared virtual machine proves nothing about accuracy.
"""

"""A mixed-integer linear program: its arrays, its algebra, its files, and what a solver answers.

Here belongs what is true of a program before anybody solves it, and the type of the answer.
"""

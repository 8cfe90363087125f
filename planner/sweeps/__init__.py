"""One scenario at many values: cases by number, shards of them as files, and the frame of all.

Here: combinations, their files, and who answers them. Not here: what an answer is
(`planner.answer`), and processes and Dask (`planner.parallel`).
"""

"""Five writers of a study, each from its file alone: terminal, data, workbook, document, page.

They import nothing that decides: what a run found can be written again without the code that found
it.
"""

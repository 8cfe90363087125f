"""Proposes the mapping of a vendor's sheets: tables, headings, units, joins and what is missing.

``words.toml`` has the words of headings and of lines of packages in several languages. Nothing here
reads a quote: the proposed mapping does, through ``quotes``.
"""

"""Phrase detection by bigram counts, and merging of phrases into single tokens."""

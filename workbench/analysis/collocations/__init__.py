"""Collocations: words that occur near a word, their network, and their dispersion over files."""
